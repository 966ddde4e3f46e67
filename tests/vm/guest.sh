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
programs=$("$vm/programs.sh" "$("$vm/kernel.sh" "$kernel" KARCH)")
options=(--kernel "$kernel"
	--file "$build/$krel/compactsnoop.ko:/lib/modules/$krel/compactsnoop.ko"
	--file "$programs/tool-static/compactsnoop:/bin/compactsnoop"
	--file "$programs/tool-static/buddystat:/bin/buddystat"
	--file "$vm/guest/$script:/vm/$script")
[ ! -e "$programs/workload" ] || options+=(--file "$programs/workload:/bin/workload")
# What tests allocate with.
allocator=$build/$krel/csn_allocator.ko
[ ! -e "$allocator" ] || options+=(--file "$allocator:/lib/modules/$krel/csn_allocator.ko")
case $script in
demo) options+=(--mem 768) ;;	# less memory is fragmented sooner
check)	# KASAN on an emulated machine takes its time
	options+=(--timeout 2400 --file "$vm/../tap.sh:/tests/tap.sh")
	;;
shell) options+=(--interactive --timeout 1000000) ;;
esac
while [ $# -gt 0 ] && [ "$1" != -- ]; do
	options+=(--file "$1")
	shift
done
exec "$vm/run.sh" "${options[@]}" -- sh "/vm/$script" "${@:2}"
