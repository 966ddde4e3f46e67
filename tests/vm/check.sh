#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run tests, here and in VMs with the kernels of $KERNELS, and sum up what they
# say. Tests that run here are built; what the VMs need is built on the way.
# usage: check.sh "HOST-TEST..." "GUEST-TEST..." [ORACLE]
#
# With $MINUTES, a kernel whose turn has not come by then is skipped, and the
# summary says so. One whose source cannot be had is skipped, too.
set -euo pipefail

vm=$(dirname "$(realpath "$0")")
cd "$vm/../.."
read -ra host <<<"$1"
read -ra guest <<<"$2"
oracle=${3-}
at_once=$(nproc)
# A make in a test is none of the make that runs this.
unset MAKEFLAGS MFLAGS MAKELEVEL

# one NAME COMMAND...: a program, marked for tap.py
one() {
	local status=0

	echo "### begin $1"
	"${@:2}" </dev/null 2>&1 || status=$?
	echo "### end $status"
}

# say KERNEL RESULT: one result about a kernel as a whole
say() {
	printf '### begin %s\n%s\n1..1\n### end 0\n' "$1" "$2"
}

# in_vm KERNEL: all programs in one VM, and how the VM itself did
in_vm() {
	local arch programs files=() names=() name status=0

	arch=$("$vm/kernel.sh" "$1" KARCH)
	programs=$("$vm/programs.sh" "$arch")
	# What buddystat is held against; this machine's is for this machine only.
	[ "$arch" != "$(uname -m)" ] || mapfile -t files < <("$vm/bring.sh" trace-cmd)
	for name in "${guest[@]}"; do
		if [ -e "tests/$name" ]; then	# a script
			files+=("tests/$name:/tests/$name")
		elif [ -e "$programs/tests/$name" ]; then
			files+=("$programs/tests/$name:/tests/$name")
		else	# for 32 bits, of a machine that has no 64
			continue
		fi
		names+=("$name")
	done
	"$vm/guest.sh" "$1" check "${files[@]}" -- "${names[@]}" 2>&1 |
		sed -u "s,^### begin ,&$1 ," || status=$?
	if [ "$status" -eq 0 ]; then
		say "$1 VM" "ok 1 module loaded, unloaded, and the kernel did not complain"
	else
		say "$1 VM" "not ok 1 the VM ended with $status"
	fi
}

# prepare KERNEL: have it and what its VM needs, or say why not and fail
prepare() {
	local status=0

	if [ -n "${MINUTES-}" ] && [ "$SECONDS" -ge $((MINUTES * 60)) ]; then
		say "$1" "ok 1 # SKIP not run: $MINUTES minutes are over"
		return 1
	fi
	"$vm/kernel.sh" "$1" KREL >/dev/null || status=$?
	if [ "$status" -eq 3 ]; then
		say "$1" "ok 1 # SKIP not run: its source cannot be had"
		return 1
	fi
	if [ "$status" -ne 0 ] || ! make -s "vm-tests-$1"; then
		say "$1" "not ok 1 it cannot be built"
		return 1
	fi
}

# in_vms DIR: each kernel in turn, a log in DIR; a VM keeps one processor busy
in_vms() {
	local kernel

	for kernel in $KERNELS; do
		if prepare "$kernel" >"$1/$kernel" 2>&1 </dev/null; then
			while [ "$(jobs -rp | wc -l)" -ge "$at_once" ]; do
				wait -n
			done
			{
				in_vm "$kernel" >>"$1/$kernel" </dev/null || true
				touch "$1/$kernel.done"
			} &
		else
			touch "$1/$kernel.done"
		fi
	done
	wait
}

{
	for name in ${host[@]+"${host[@]}"}; do
		one "$name" "$name"
	done
	if [ ${#guest[@]} -gt 0 ]; then
		logs=$(mktemp -d)
		for kernel in $KERNELS; do
			: >"$logs/$kernel"
		done
		in_vms "$logs" &
		# Their output comes in order, each as it grows.
		for kernel in $KERNELS; do
			(until [ -e "$logs/$kernel.done" ]; do sleep 0.5; done) &
			tail -n +1 -f --pid=$! "$logs/$kernel"
		done
		wait
		rm -r "$logs"
	fi
	[ -z "$oracle" ] || one "$oracle" "$oracle"
} | "$vm/tap.py"
