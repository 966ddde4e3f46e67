#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Print the lines of a kernel log in which the kernel complains, and what
# follows the first of them: the report.
# usage: check-log.sh FILE
# Status 0: there are none; 1: there are; 2: no such log.

# Reports of KASAN, lockdep, hung tasks, atomic sleeps and the like all begin
# with one of the first three. Dropped messages may have been such.
complaints='BUG:|WARNING:|INFO: (task|rcu|possible|trying)|INFO: .*(stall|lockdep)
UBSAN:|KASAN:|KFENCE:
kmemleak: [0-9]+ new suspected
rcu: .*(stall|starved)|rcu_.*detected
general protection fault|Oops|Unable to handle kernel|kernel BUG at
Kernel panic|double fault|stack-protector:|Bad page state|Bad rss-counter
suspicious RCU usage|inconsistent lock state|locking correctness validator
refcount_t: |list_(add|del) corruption|scheduling while atomic
printk messages dropped'

[ -r "$1" ] || {
	echo "check-log.sh: cannot read '$1'" >&2
	exit 2
}
# KCSAN finds races all over a kernel that lives with them; ours are those in
# whose first line a function of the module stands.
not_ours='BUG: KCSAN: [^[]*$'
found=$(grep -aEn "$complaints" "$1" | grep -avE "$not_ours")
[ -n "$found" ] || exit 0
echo "$found"
first=${found%%:*}
echo "from line $first on:"
sed -n "$first,$((first + 99))p" "$1"
exit 1
