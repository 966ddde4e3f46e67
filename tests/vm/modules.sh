#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Build the module against the headers in KDIR: BUILD/RELEASE/compactsnoop.ko.
# usage: modules.sh KDIR BUILD   (from make: its options go on to Kbuild)
#
# Kbuild leaves its files among the sources; so each kernel has its own tree of
# links to them.
set -euo pipefail

kdir=$(realpath "$1")
# As uname -r shows it; Debian's kernel.release has another name.
krel=$(sed -n 's/^#define UTS_RELEASE "\(.*\)"/\1/p' "$kdir/include/generated/utsrelease.h")
top=$(realpath "$(dirname "$0")/../..")
out=$2/$krel
tree=$out/source

mkdir -p "$tree"
# A kernel that has two names may be built for twice at once.
exec 9>"$out/.lock"
flock 9
find "$tree" -xtype l -delete
cp -rsf "$top/kmod" "$top/include" "$top/VERSION" "$tree/"
"${MAKE:-make}" -C "$kdir" M="$tree/kmod" modules
cp "$tree/kmod/compactsnoop.ko" "$out/compactsnoop.ko"
echo "built $out/compactsnoop.ko"
