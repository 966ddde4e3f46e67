#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Have a root file system that the seed runs in: Debian's python3-bpfcc, and
# what its compiler reads of a kernel's headers. Prints where the image is.
# usage: root.sh KERNEL   (a kernel of tests/vm/kernel.sh)
#
# Nothing is installed, and no root is needed: packages are fetched and
# unpacked, without their scripts, busybox standing in for what those would
# set up. The image stays in the cache until a package, the kernel or this
# script is another; without package lists, the one that is there serves.
# Status 4: the packages cannot be had.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
cache=${COMPACTSNOOP_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/compactsnoop}/oracle

die() {
	echo "root.sh: $*" >&2
	exit 1
}

cannot_be_had() {
	echo "root.sh: $*" >&2
	exit 4
}

[ $# -eq 1 ] || die "usage: root.sh KERNEL"
vars=$("$here/../vm/kernel.sh" "$1")
eval "$vars"

for program in mke2fs flock busybox; do
	command -v "$program" >/dev/null || die "$program is missing; run: tests/vm/packages.sh vm"
done
command -v apt-get >/dev/null ||
	cannot_be_had "no apt-get, so no python3-bpfcc"

mkdir -p "$cache"
exec 9>"$cache/.lock"
flock 9

# needed: name and version of each package, as on a machine that has none.
needed() {
	apt-get -s -o Dir::State::status=/dev/null -o Debug::NoLocking=1 \
		--no-install-recommends install python3-bpfcc 2>/dev/null |
		sed -n 's/^Inst \([^ ]*\) (\([^ ]*\).*/\1=\2/p' | sort
}

packages=$(needed || true)
if [ -z "$packages" ] && [ "$(id -u)" -eq 0 ]; then
	apt-get update >&2 || true
	packages=$(needed || true)
fi
if [ -z "$packages" ]; then
	have=("$cache/$KREL"-*.ext4)
	[ -e "${have[0]}" ] ||
		cannot_be_had "this system's package lists have no python3-bpfcc; try: apt-get update"
	echo "no package lists; using what is in the cache" >&2
	echo "${have[0]}"
	exit
fi

# image_of_packages: where the image with these packages is, or is to be
image_of_packages() {
	local key

	key=$({ echo "$packages" && cat "$here/root.sh"; } | sha256sum | cut -c 1-16)
	echo "$cache/$KREL-$key.ext4"
}

image=$(image_of_packages)
if [ -e "$image" ]; then
	echo "$image"
	exit
fi

work=$(mktemp -d "$cache/.new.XXXXXX")
trap 'rm -rf "$work"' EXIT
root=$work/root
mkdir -p "$work/packages" "$root"/{bin,dev,proc,root,run,sys,tmp,usr/src,"lib/modules/$KREL"}

# download: false if the archive has not all of them.
download() {
	local apt=(apt-get)

	# apt drops root for a user that may not write here.
	[ "$(id -u)" -ne 0 ] || apt+=(-o APT::Sandbox::User=root)
	(cd "$work/packages" && xargs "${apt[@]}" -q download >&2 <<<"$packages")
}

echo "fetching python3-bpfcc and what it needs: $(wc -l <<<"$packages") packages" >&2
if ! download; then
	# Old package lists name files that the archive no longer has.
	[ "$(id -u)" -eq 0 ] ||
		cannot_be_had "download failed; try: apt-get update"
	apt-get update >&2 || true
	packages=$(needed || true)
	download || cannot_be_had "download failed"
	image=$(image_of_packages)
fi

echo "making $image" >&2
for package in "$work/packages"/*.deb; do
	dpkg-deb --fsys-tarfile "$package" |
		tar -x -C "$root" --keep-directory-symlink \
			--exclude='./usr/share/doc/*' --exclude='./usr/share/man/*' \
			--exclude='./usr/share/locale/*'
done

cp "$(command -v busybox)" "$root/bin/busybox"
while read -r applet; do
	[ -e "$root/bin/$applet" ] || ln -s busybox "$root/bin/$applet"
done < <(busybox --list)

# Debian keeps what all flavours share apart; other architectures are not read.
shopt -s nullglob
for tree in "$KDIR" "${KDIR%-cloud-amd64}-common"; do
	to=$root/usr/src/${tree##*/}
	mkdir -p "$to/arch"
	cp -a "$tree/include" "$to/"
	cp -a "$tree/arch/x86" "$to/arch/"
done
cp -a "$KTREE/lib/modules/$KREL"/{build,source} "$root/lib/modules/$KREL/"

size=$(du -sk --apparent-size "$root" | cut -f 1)
mke2fs -q -t ext4 -O ^has_journal -d "$root" "$work/image" "$((size * 5 / 4 + 65536))k" >&2
rm -f "$cache/$KREL"-*.ext4
mv "$work/image" "$image"
echo "$image"
