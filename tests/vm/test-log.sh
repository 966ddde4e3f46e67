#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-log.sh finds what a kernel complains of, and nothing in a healthy log.
set -euo pipefail

check=$(dirname "$(realpath "$0")")/check-log.sh
log=$(mktemp)
trap 'rm -f "$log"' EXIT
number=0 failed=0

# expect STATUS LINE: what the checker says of a log with that line in it
expect() {
	local status=0

	printf '%s\n' '[    0.1] Linux version 6.1' "[    2.5] $2" '[    3.0] Power down' >"$log"
	"$check" "$log" >"$log.out" || status=$?
	number=$((number + 1))
	if [ "$status" -eq "$1" ] && { [ "$1" -eq 0 ] || grep -qF "$2" "$log.out"; }; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		failed=1
	fi
	rm -f "$log.out"
}

complaints=(
	'BUG: KASAN: slab-use-after-free in csn_ring_reserve+0x20/0x90 [compactsnoop]'
	'BUG: KCSAN: data-race in csn_ring_commit [compactsnoop] / csn_ring_read [compactsnoop]'
	'BUG: KCSAN: data-race in csn_zone_state [compactsnoop] / rmqueue'
	'BUG: KCSAN: assert: race in csn_ring_reserve [compactsnoop]'
	'BUG: sleeping function called from invalid context at mm/slab.h:420'
	'BUG: scheduling while atomic: swapper/0/0/0x00000002'
	'BUG: unable to handle page fault for address: ffffc90000a0d000'
	'WARNING: CPU: 0 PID: 1 at kernel/tracepoint.c:411 tracepoint_add_func+0x1d/0x2a0'
	'WARNING: possible circular locking dependency detected'
	'WARNING: inconsistent lock state'
	'WARNING: suspicious RCU usage'
	'INFO: task rmmod:120 blocked for more than 120 seconds.'
	'INFO: trying to register non-static key.'
	'rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:'
	'rcu: INFO: rcu_preempt self-detected stall on CPU'
	'watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [insmod:90]'
	'kmemleak: 3 new suspected memory leaks (see /sys/kernel/debug/kmemleak)'
	'UBSAN: array-index-out-of-bounds in kmod/ring.c:10:3'
	'general protection fault, probably for non-canonical address 0xdead000000000100: 0000 [#1] PREEMPT SMP'
	'Oops: 0002 [#1] PREEMPT SMP NOPTI'
	'Unable to handle kernel NULL pointer dereference at virtual address 0000000000000008'
	'kernel BUG at mm/vmalloc.c:2700!'
	'Kernel panic - not syncing: Fatal exception'
	'refcount_t: underflow; use-after-free.'
	'** 204 printk messages dropped **'
)
healthy=(
	'Kernel command line: console=ttyS0 panic=-1 oops=panic'
	'kasan: KernelAddressSanitizer initialized'
	'BUG: KCSAN: data-race in folio_batch_move_lru / mark_page_accessed'
	'Lock dependency validator: Copyright (c) 2006 Red Hat, Inc., Ingo Molnar'
	'rcu: Preemptible hierarchical RCU implementation.'
	'kmemleak: Kernel memory leak detector initialized (mem pool available: 15678)'
	'compactsnoop: loading out-of-tree module taints kernel.'
	'kfence: initialized - using 2097152 bytes for 255 objects'
	'Warning: unable to open an initial console.'
)

echo "1..$((${#complaints[@]} + ${#healthy[@]}))"
for line in "${complaints[@]}"; do
	expect 1 "$line"
done
for line in "${healthy[@]}"; do
	expect 0 "$line"
done
exit $failed
