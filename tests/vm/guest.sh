#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run tests/vm/guest/SCRIPT in a VM that has the module, the tool and the
# workload, all built before.
# usage: guest.sh KERNEL SCRIPT [HOST:GUEST]... [-- ARGUMENT...]
set -euo pipefail

vm=$(dirname "$(realpath "$0")")
build=${BUILD:-$vm/../../build}
kernel=$1 script=$2
shift 2
krel=$("$vm/kernel.sh" "$kernel" KREL)
options=(--kernel "$kernel"
	--file "$build/$krel/compactsnoop.ko:/lib/modules/$krel/compactsnoop.ko"
	--file "$build/tool-static/compactsnoop:/bin/compactsnoop"
	--file "$build/tool-static/buddystat:/bin/buddystat"
	--file "$vm/guest/$script:/vm/$script")
[ ! -e "$build/workload" ] || options+=(--file "$build/workload:/bin/workload")
case $script in
demo) options+=(--mem 768) ;;	# less memory is fragmented sooner
shell) options+=(--interactive --timeout 1000000) ;;
esac
while [ $# -gt 0 ] && [ "$1" != -- ]; do
	options+=(--file "$1")
	shift
done
exec "$vm/run.sh" "${options[@]}" -- sh "/vm/$script" "${@:2}"
