#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The init of a VM that has been booted with an initramfs that loads the module:
# what was captured there. See run.sh.
# shellcheck disable=SC2317 # check calls the functions
set -u -o pipefail

export PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
modprobe -a virtio_pci virtio_console
until [ -e /dev/vport0p2 ]; do
	sleep 0.05
done
exec >/dev/vport0p1 2>&1

# shellcheck source=tests/tap.sh
. /tap.sh
parameters=/sys/module/compactsnoop/parameters

# earlier A B: decimals
earlier() {
	echo "$1 is to be before $2"
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a + 0 < b + 0) }'
}

check "the initramfs has run what is to be seen" grep "no root yet" /run/csn-before-root
read -r noted _ </run/csn-before-root
check "the module is loaded" [ -d $parameters ]
check "with the options of modprobe.d" grep -x page_alloc,compaction $parameters/boot_events
check "all of them" grep -x 16384 $parameters/boot_ring_kb

check "buddystat --boot reads it" \
	eval 'buddystat --boot --comm csn-before-root --csv >/rows.csv'
sed 's/^/# /' /rows.csv
# The first column is the end of the interval of one second.
began=$(awk -F, 'NR == 2 { print $1 - 1 }' /rows.csv)
check "it begins before the root is there" earlier "$began" "$noted"
# shellcheck disable=SC2016 # awk's
check "allocations of a process that ran before that are in it" \
	awk -F, 'NR > 1 { for (i = 3; i <= 13; i++) n += $i } END { print n; exit !(n > 100) }' /rows.csv
check "again: it has been taken" says "has been taken already" buddystat --boot

# The same without an initramfs: later, when systemd loads modules.
rmmod compactsnoop
check "systemd-modules-load loads it" /lib/systemd/systemd-modules-load
check "with the options, too" grep -x page_alloc,compaction $parameters/boot_events
echo 1 >/proc/sys/vm/compact_memory
check "a reader by the ABI header alone takes it" eval '/take.pl >/records'
head -n 3 /records | sed 's/^/# /'
check "the first record is the info group" eval 'head -n 1 /records | grep "^1 "'
check "there are allocations" grep -m 1 "^4 " /records
check "and the compaction" grep -m 1 "^3 .* guest.sh$" /records
check "unloading" rmmod compactsnoop
(finish)
echo $? >/dev/vport0p2
sync
echo o >/proc/sysrq-trigger
sleep 60
