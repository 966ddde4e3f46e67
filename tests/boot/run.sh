#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The capture from boot as README.md says, as TAP: in a clean Debian, dist/ is
# installed and its initramfs made and booted.
# usage: run.sh   (what it needs is built by: make check-boot)
#
# Nothing here touches this machine's own initramfs: see tests/dkms/begin.sh.
# shellcheck disable=SC2317 # check calls the functions
set -euo pipefail

name=boot
begin=$(dirname "$(realpath "$0")")/../dkms/begin.sh
# shellcheck source=tests/dkms/begin.sh
. "$begin"
with_dev=yes	# update-initramfs writes to /dev/null

# make_initramfs OPTION: what it says is in $work/told
make_initramfs() {
	in_root update-initramfs "$1" -k "$krel" 2>&1 | tee "$work/told"
}

# in_initramfs FILE...: they are in it
in_initramfs() {
	in_root lsinitramfs "/boot/initrd.img-$krel" >"$work/list"
	for file; do
		grep -x "$file" "$work/list" || return 1
	done
}

# As README.md says.
install -m 755 "$top/dist/initramfs-tools/hooks/compactsnoop" "$root/etc/initramfs-tools/hooks/"
install -m 644 "$top/dist/modprobe.d/compactsnoop.conf" "$root/etc/modprobe.d/"
install -m 644 "$top/dist/modules-load.d/compactsnoop.conf" "$root/etc/modules-load.d/"

check "without the module, an initramfs is made all the same" make_initramfs -c
check "and the hook says so" grep "there is no module for $krel" "$work/told"
check "it has none" eval '! in_initramfs ".*/compactsnoop.ko"'

install -D -m 644 "$build/$krel/compactsnoop.ko" "$root/lib/modules/$krel/updates/compactsnoop.ko"
in_root depmod "$krel"
# A process that runs before there is a root, and never again.
install -m 755 "$here/before-root.sh" "$root/etc/initramfs-tools/scripts/local-top/csn-before-root"
install -m 755 "$build/tool-static/buddystat" "$root/usr/local/bin/"
install -m 755 "$here/guest.sh" "$here/take.pl" "$here/../tap.sh" "$root/"
check "with the module, the initramfs is made" make_initramfs -u
check "the hook says nothing" eval "! grep compactsnoop '$work/told'"
check "it has the module and its options" \
	in_initramfs "usr/lib/modules/$krel/updates/compactsnoop.ko" "etc/modprobe.d/compactsnoop.conf"
cp "$(realpath "$root/boot/initrd.img-$krel")" "$work/initrd"

echo "# booting $krel with that initramfs"
status=0
"$here/../vm/run.sh" --kernel $kernel --root "$root" --initrd "$work/initrd" --timeout 600 \
	-- /guest.sh >"$work/guest" || status=$?
retell VM <"$work/guest"
check "the VM ran to its end" [ $status -eq 0 ]
finish
