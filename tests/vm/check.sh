#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run tests that are built, here and in VMs with the kernels of $KERNELS, and
# sum up what they say.
# usage: check.sh "HOST-TEST..." "GUEST-TEST..." [ORACLE]
set -euo pipefail

vm=$(dirname "$(realpath "$0")")
cd "$vm/../.."
read -ra host <<<"$1"
read -ra guest <<<"$2"
oracle=${3-}
# A make in a test is none of the make that runs this.
unset MAKEFLAGS MFLAGS MAKELEVEL

# one NAME COMMAND...: a program, marked for tap.py
one() {
	local status=0

	echo "### begin $1"
	"${@:2}" </dev/null 2>&1 || status=$?
	echo "### end $status"
}

# in_vm KERNEL: all programs in one VM, and how the VM itself did
in_vm() {
	local files=() name status=0

	for name in "${guest[@]}"; do
		if [ -e "tests/$name" ]; then	# a script
			files+=("tests/$name:/tests/$name")
		else
			files+=("$BUILD/tests/$name:/tests/$name")
		fi
	done
	"$vm/guest.sh" "$1" check "${files[@]}" -- "${guest[@]}" 2>&1 || status=$?
	echo "### begin $1"
	if [ "$status" -eq 0 ]; then
		echo "ok 1 module loaded, unloaded, and the kernel did not complain"
	else
		echo "not ok 1 the VM ended with $status"
	fi
	echo "1..1"
	echo "### end 0"
}

{
	for name in ${host[@]+"${host[@]}"}; do
		one "$name" "$name"
	done
	if [ ${#guest[@]} -gt 0 ]; then
		# A VM keeps one processor busy; the output comes in order.
		logs=$(mktemp -d)
		pids=()
		for kernel in $KERNELS; do
			in_vm "$kernel" >"$logs/$kernel" &
			pids+=($!)
		done
		for kernel in $KERNELS; do
			tail -n +1 -f --pid="${pids[0]}" "$logs/$kernel"
			pids=("${pids[@]:1}")
		done
		rm -r "$logs"
	fi
	[ -z "$oracle" ] || one "$oracle" "$oracle"
} | "$vm/tap.py"
