#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# In the initramfs, before the root file system is mounted: allocates some
# memory and compacts it, under a name of its own. See run.sh and guest.sh.

case ${1-} in
prereqs)
	exit 0
	;;
esac

{
	cat /proc/uptime
	# shellcheck disable=SC2154 # initramfs-tools' variable
	[ -e "$rootmnt/etc" ] || echo "no root yet"
} >/run/csn-before-root
text=0123456789abcdef
for _ in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
	text=$text$text
done
echo 1 >/proc/sys/vm/compact_memory
