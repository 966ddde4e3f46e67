#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Build the modules against the headers in KDIR: BUILD/RELEASE/compactsnoop.ko,
# or, with DIR, what is in that directory of the sources.
# usage: modules.sh KDIR BUILD [DIR]   (from make: its options go on to Kbuild)
#
# Kbuild leaves its files among the sources; so each kernel has its own tree of
# links to them.
set -euo pipefail

kdir=$(realpath "$1")
# As uname -r shows it; Debian's kernel.release has another name.
krel=$(sed -n 's/^#define UTS_RELEASE "\(.*\)"/\1/p' "$kdir/include/generated/utsrelease.h")
top=$(realpath "$(dirname "$0")/../..")
out=$2/$krel
dir=${3:-kmod}
tree=$out/source

mkdir -p "$tree/$dir"
# A kernel that has two names may be built for twice at once.
exec 9>"$out/.lock"
flock 9
find "$tree" -xtype l -delete
cp -rsf "$top/include" "$top/VERSION" "$tree/"
cp -rsf "$top/$dir/." "$tree/$dir/"
"${MAKE:-make}" -C "$kdir" M="$tree/$dir" modules
for module in "$tree/$dir"/*.ko; do
	cp "$module" "$out/"
	echo "built $out/${module##*/}"
done
