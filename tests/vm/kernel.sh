#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Have the kernel NAME in the cache and print where its parts are.
# usage: kernel.sh NAME [VARIABLE]; kernel.sh --list
#
# NAME is one of Debian's own, debian-6.1, debian-6.12 or debian-6.12-rt, or a
# file NAME.config of tests/kernels, built from source: see kernel-build.sh.
# Prints shell assignments, or only the value of VARIABLE:
#	KREL      the release, as uname -r shows it
#	VMLINUZ   what to boot
#	KCONFIG   its configuration
#	KTREE     a root directory with lib/modules/$KREL and usr/src in it
#	KDIR      what to build modules against
#	KARCH     the machine it is for: see arch.sh
#	KMAKE     variables for Kbuild, with KDIR
#	KNODES    NUMA nodes the machine is to have
#	KCPUS     processors it can use
# --list prints all names, each with what it is.
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

here=$(dirname "$(realpath "$0")")
configs=$here/../kernels
declare -A debian=(
	[debian-6.1]="Debian's 6.1 cloud image"
	[debian-6.12]="Debian's 6.12 cloud image"
	[debian-6.12-rt]="Debian's 6.12 PREEMPT_RT image"
)

list() {
	local name file

	for name in "${!debian[@]}"; do
		printf '%s\t%s\n' "$name" "${debian[$name]}"
	done | sort
	for file in "$configs"/*.config; do
		printf '%s\t%s\n' "$(basename "$file" .config)" "$(sed -n '1s/^# //p' "$file")"
	done | sort -V
}

# debian_release SERIES FLAVOUR: the release of Debian's newest kernel of it.
# It has a metapackage by its number, or the one without is of that series.
debian_release() {
	apt-cache depends "linux-headers-$1-$2" "linux-headers-$2" 2>/dev/null |
		sed -n "s/.*Depends: linux-headers-\(${1/./\\.}[.-].*\)/\1/p" | head -n 1
}

# fetch_debian SERIES FLAVOUR DIR: image, headers and build programs in DIR.
fetch_debian() {
	local dir=$3 krel builders

	command -v apt-get >/dev/null || die "debian-$1 needs apt-get, which is not here"
	krel=$(debian_release "$1" "$2")
	if [ -z "$krel" ] && [ "$(id -u)" -eq 0 ]; then
		apt-get update >&2
		krel=$(debian_release "$1" "$2")
	fi
	[ -n "$krel" ] ||
		die "this system's package lists have no $1 $2 kernel; try: apt-get update"
	# The common headers and the programs that build with them.
	mapfile -t builders < <(apt-cache depends "linux-headers-$krel" | sed -n \
		-e 's/.*Depends: \(linux-kbuild-.*\)/\1/p' \
		-e 's/.*Depends: \(linux-headers-.*-common.*\)/\1/p')
	"$here/apt-fetch.sh" own amd64 "$dir" "linux-image-$krel" "linux-headers-$krel" \
		"${builders[@]}" >&2
	echo "$krel" >"$dir/release"
}

# debian NAME: its assignments, after fetching it if need be
debian() {
	local series=${1#debian-} flavour=cloud-amd64 dir=$cache/$1 new krel

	case $series in
	*-rt) series=${series%-rt} flavour=rt-amd64 ;;
	esac
	# Two makes at once fetch it once, and a fetch that breaks off leaves nothing.
	exec 9>"$cache/.lock"
	flock 9
	if [ ! -d "$dir" ]; then
		new=$(mktemp -d "$cache/.new.XXXXXX")
		# shellcheck disable=SC2064 # now
		trap "rm -rf '$new'" EXIT
		chmod 755 "$new"
		fetch_debian "$series" "$flavour" "$new"
		# The headers refer to their common part by where it would be installed.
		sed -i "s,include /usr/src,include $dir/usr/src," \
			"$new/usr/src/linux-headers-$(cat "$new/release")/Makefile"
		mv "$new" "$dir"
	fi
	flock -u 9
	krel=$(cat "$dir/release")
	cat <<END
KREL=$krel
VMLINUZ=$dir/boot/vmlinuz-$krel
KCONFIG=$dir/boot/config-$krel
KTREE=$dir
KDIR=$dir/usr/src/linux-headers-$krel
KARCH=x86_64
KMAKE=
KNODES=1
KCPUS=2
END
}

case ${1-} in
--list) list && exit ;;
esac
name=${1-} variable=${2-}
mkdir -p "$cache"
if [ -n "$name" ] && [ -n "${debian[$name]+x}" ]; then
	parts=$(debian "$name")
elif [ -n "$name" ] && [ -e "$configs/$name.config" ]; then
	# To know the machine takes no building.
	if [ "$variable" = KARCH ]; then
		exec "$here/kernel-build.sh" "$configs/$name.config" "$cache" KARCH
	fi
	parts=$("$here/kernel-build.sh" "$configs/$name.config" "$cache") || exit
else
	echo "usage: kernel.sh NAME [VARIABLE]; the names:" >&2
	list | expand -t 24 | sed 's/^/  /' >&2
	exit 2
fi
eval "$parts"
for part in VMLINUZ KCONFIG KDIR; do
	[ -e "${!part}" ] || die "${!part} is missing; remove $KTREE and run again"
done

case $variable in
'') echo "$parts" ;;
KREL | VMLINUZ | KCONFIG | KTREE | KDIR | KARCH | KMAKE | KNODES | KCPUS) echo "${!variable}" ;;
*) die "no variable '$variable'; there are: KREL VMLINUZ KCONFIG KTREE KDIR KARCH KMAKE KNODES KCPUS" ;;
esac
