#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Have DKMS build the module for every kernel installed here, now and later, in
# place of any other version; or take all of it away.
# usage: dkms.sh install|remove
#
# Status 0: done. 1: not, or not for every kernel; other versions stay for those.
set -euo pipefail

name=compactsnoop
top=$(realpath "$(dirname "$0")/..")
version=$(cat "$top/VERSION")
running=$(uname -r)
# A make in DKMS is none of the make that runs this.
unset MAKEFLAGS MFLAGS MAKELEVEL

say() {
	echo "dkms.sh: $*" >&2
}

die() {
	say "$*"
	exit 1
}

# What DKMS says of the module; asked for again after each change, and no more
# often, as it takes its time.
look() {
	state=$(dkms status -m $name 2>/dev/null) || true
}

# versions: those that DKMS knows; older ones print "name, version"
versions() {
	sed -nE "s#^$name(/|, *)([^,:]*)[,:].*#\2#p" <<<"$state" | sort -u
}

# known VERSION STATES [KERNEL]: whether DKMS has it in one of the states
known() {
	local line

	while read -r line; do
		[[ $line =~ ^$name(/|, *)"$1"[,:] && $line =~ :\ ?($2) ]] || continue
		[ -z "${3-}" ] || [[ $line == *", $3,"* ]] || continue
		return 0
	done <<<"$state"
	return 1
}

# forget VERSION: for all kernels, with its sources
forget() {
	! known "$1" . || dkms remove -m $name -v "$1" --all
	rm -rf "/usr/src/$name-$1"
	look
}

# What a package brought is apt's to change.
check_packages() {
	local dir package

	command -v dpkg-query >/dev/null || return 0
	for dir in "/usr/src/$name"-*; do
		package=$(dpkg-query -S "$dir/dkms.conf" 2>/dev/null) || continue
		die "$dir is of the package ${package%%:*}; first: apt-get remove ${package%%:*}"
	done
}

# copy_sources DIR: what a build needs, and no more
copy_sources() {
	(
		cd "$top"
		find include kmod \( -name '*.[ch]' -o -name 'Kbuild*' \) ! -name '*.mod.c' -print0 |
			xargs -0 cp --parents -t "$1"
		cp dkms.conf Kbuild VERSION LICENSE "$1"
	)
	chmod -R u=rwX,go=rX "$1"
}

# add_sources: have DKMS know this version, with these very sources
add_sources() {
	local dir=/usr/src/$name-$version

	staged=$(mktemp -d "/usr/src/.$name.XXXXXX")
	trap 'rm -rf "$staged"' EXIT
	copy_sources "$staged"
	if known "$version" . && diff -r "$staged" "$dir" >/dev/null 2>&1; then
		return
	fi
	forget "$version"
	mv "$staged" "$dir"
	dkms add -m $name -v "$version"
	look
}

# install_for KERNEL: false if the module does not build for it
install_for() {
	local log=/var/lib/dkms/$name/$version/build/make.log other status=0

	if known "$version" installed "$1"; then
		echo "$name $version is installed for $1"
		return
	fi
	rm -f "$log"
	# Wanted even if it is older than what is there.
	dkms install --force -m $name -v "$version" -k "$1" || status=$?
	if [ $status -eq 77 ] || [ $status -eq 9 ]; then
		say "$1 has no CONFIG_COMPACTION or no CONFIG_TRACEPOINTS: nothing to install there"
		return 0
	elif [ $status -ne 0 ]; then
		[ ! -e "$log" ] || tail -n 30 "$log" >&2
		return 1
	fi
	for other in $(versions); do
		[ "$other" = "$version" ] || ! known "$other" "built|installed" "$1" ||
			dkms remove -m $name -v "$other" -k "$1"
	done
	look
}

# The kernel goes on with the module that it has, whatever lies on the disk.
renew_loaded() {
	local sys=/sys/module/$name file parameters=() old new

	[ -e $sys ] && known "$version" installed "$running" || return 0
	old="$(cat $sys/version) $(cat $sys/srcversion)"
	new="$(modinfo -F version $name) $(modinfo -F srcversion $name)"
	[ "$old" != "$new" ] || return 0
	for file in "$sys"/parameters/*; do
		parameters+=("${file##*/}=$(cat "$file")")
	done
	if ! modprobe -r $name; then
		say "${old% *} is STILL LOADED: someone has /dev/$name open; fuser -v /dev/$name shows who."
		say "${new% *} takes its place with: modprobe -r $name; modprobe $name"
		return 0
	fi
	modprobe $name "${parameters[@]}" ||
		die "${old% *} was unloaded, but ${new% *} does not load; if its key was rejected, see Signed modules in README.md"
	echo "${old% *} was loaded; now ${new% *} is, with the same parameters"
}

install() {
	local kernel kernels=() headers=() failed=() before other

	for kernel in /lib/modules/*; do
		[ -e "$kernel/modules.builtin" ] || continue
		kernel=${kernel##*/}
		if [ -e "/lib/modules/$kernel/build/include" ]; then
			kernels+=("$kernel")
		else
			headers+=("linux-headers-$kernel")
		fi
	done
	if [ -d "/lib/modules/$running" ] && [ ! -e "/lib/modules/$running/build/include" ]; then
		die "no headers of the running kernel: install linux-headers-$running"
	fi
	[ ${#kernels[@]} -gt 0 ] ||
		die "no kernel headers here: install ${headers[*]:-linux-headers-$running}"

	add_sources
	# DKMS forgets a version with its last kernel, but not its sources.
	before=$(versions)
	for kernel in "${kernels[@]}"; do
		install_for "$kernel" || failed+=("$kernel")
	done
	if ! known "$version" installed; then
		forget "$version"
		die "no kernel here takes $version, for the reasons above; other versions are as they were"
	fi
	for other in $before; do
		known "$other" "built|installed" || forget "$other"
	done
	[ ${#headers[@]} -eq 0 ] ||
		say "not for kernels without headers; once these are installed, DKMS builds it: ${headers[*]}"
	renew_loaded
	[ ${#failed[@]} -eq 0 ] || die "it does not build for ${failed[*]}: see above"
}

remove() {
	local found other

	if [ -e /sys/module/$name ] && [ -d "/lib/modules/$running" ]; then
		modprobe -r $name ||
			die "someone has /dev/$name open; fuser -v /dev/$name shows who. Nothing was removed."
		rm -f /dev/$name
		found=1
	fi
	for other in $(versions); do
		forget "$other"
		found=1
	done
	[ -n "${found-}" ] || echo "no $name is installed with DKMS"
}

case "${1-}" in
install | remove) ;;
*)
	echo "usage: dkms.sh install|remove" >&2
	exit 2
	;;
esac
[ "$(id -u)" -eq 0 ] || die "this is for root: sudo make dkms-$1"
command -v dkms >/dev/null || die "dkms is missing; run: apt-get install dkms"
check_packages
look
"$1"
