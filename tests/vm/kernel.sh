#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Have the kernel NAME in the cache and print where its parts are.
# usage: kernel.sh NAME [VARIABLE]
#
# NAME is debian-6.1 or debian-6.12 (6.1 and 6.12 for short). Prints shell
# assignments, or only the value of VARIABLE:
#	KREL      the release, as uname -r shows it
#	VMLINUZ   what to boot
#	KCONFIG   its configuration
#	KTREE     a root directory with lib/modules/$KREL and usr/src in it
#	KDIR      what to build modules against
#
# The cache is $COMPACTSNOOP_CACHE, or compactsnoop in the user's cache
# directory. A kernel that is there is used as it is; remove its directory to
# get the newest. Needs no root: nothing is installed, only unpacked.
set -euo pipefail

cache=${COMPACTSNOOP_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/compactsnoop}/kernels

die() {
	echo "kernel.sh: $*" >&2
	exit 1
}

# debian_release SERIES: the release of Debian's newest cloud kernel of it.
# It has a metapackage by its number, or the one without is of that series.
debian_release() {
	apt-cache depends "linux-headers-$1-cloud-amd64" linux-headers-cloud-amd64 2>/dev/null |
		sed -n "s/.*Depends: linux-headers-\(${1/./\\.}[.-].*\)/\1/p" | head -n 1
}

# fetch_debian SERIES DIR: image, headers and build programs, unpacked in DIR.
fetch_debian() {
	local dir=$2 krel kbuild packages package apt=(apt-get)

	command -v apt-get >/dev/null || die "debian-$1 needs apt-get, which is not here"
	krel=$(debian_release "$1")
	if [ -z "$krel" ] && [ "$(id -u)" -eq 0 ]; then
		apt-get update >&2
		krel=$(debian_release "$1")
	fi
	[ -n "$krel" ] ||
		die "this system's package lists have no $1 cloud kernel; try: apt-get update"
	kbuild=$(apt-cache depends "linux-headers-$krel" |
		sed -n 's/.*Depends: \(linux-kbuild-.*\)/\1/p')
	packages=("linux-image-$krel" "linux-headers-$krel"
		"linux-headers-${krel%-cloud-amd64}-common" "$kbuild")

	echo "fetching ${packages[*]}" >&2
	# apt drops root for a user that may not write here.
	[ "$(id -u)" -ne 0 ] || apt+=(-o APT::Sandbox::User=root)
	(cd "$dir" && "${apt[@]}" download "${packages[@]}" >&2) ||
		die "download failed; if the archive has moved on: apt-get update"
	for package in "$dir"/*.deb; do
		dpkg-deb -x "$package" "$dir"
		rm "$package"
	done
	echo "$krel" >"$dir/release"
}

case "${1-}" in
debian-6.1 | debian-6.12) name=$1 ;;
6.1 | 6.12) name=debian-$1 ;;
*)
	echo "usage: kernel.sh NAME [VARIABLE]   (names: debian-6.1 debian-6.12)" >&2
	exit 2
	;;
esac
variable=${2-}

dir=$cache/$name
mkdir -p "$cache"
# Two makes at once fetch it once, and a fetch that breaks off leaves nothing.
exec 9>"$cache/.lock"
flock 9
if [ ! -d "$dir" ]; then
	new=$(mktemp -d "$cache/.new.XXXXXX")
	trap 'rm -rf "$new"' EXIT
	chmod 755 "$new"
	fetch_debian "${name#debian-}" "$new"
	# The headers refer to their common part by where it would be installed.
	sed -i "s,include /usr/src,include $dir/usr/src," \
		"$new/usr/src/linux-headers-$(cat "$new/release")/Makefile"
	mv "$new" "$dir"
fi

krel=$(cat "$dir/release")
declare -A parts=(
	[KREL]=$krel
	[VMLINUZ]=$dir/boot/vmlinuz-$krel
	[KCONFIG]=$dir/boot/config-$krel
	[KTREE]=$dir
	[KDIR]=$dir/usr/src/linux-headers-$krel
)
for part in VMLINUZ KCONFIG KDIR; do
	[ -e "${parts[$part]}" ] ||
		die "${parts[$part]} is missing; remove $dir and run again"
done

if [ -z "$variable" ]; then
	for part in "${!parts[@]}"; do
		echo "$part=${parts[$part]@Q}"
	done
elif [ -n "${parts[$variable]+x}" ]; then
	echo "${parts[$variable]}"
else
	die "no variable '$variable'; there are: ${!parts[*]}"
fi
