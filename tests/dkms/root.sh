#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Have a clean Debian 12 with DKMS, a first kernel without its headers, and the
# packages of what a test adds to it. Prints where its tar is.
# usage: root.sh KERNEL SECOND-KERNEL   (releases, as uname -r shows them)
#
# In /var/cache/apt/archives are the headers of both kernels and the image of
# the second, whose dependencies are all installed: dpkg -i does. The tar stays
# in the cache until a package, a kernel or this script is another; without
# package lists, the one that is there serves. For root, as debootstrap is.
# Status 4: the packages cannot be had.
set -euo pipefail

cache=${COMPACTSNOOP_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/compactsnoop}/dkms
suite=bookworm
first=$1 second=$2
later=("linux-headers-$first" "linux-image-$second" "linux-headers-$second")

cannot_be_had() {
	echo "root.sh: $*" >&2
	exit 4
}

# mirror: where this machine's apt gets Debian from
mirror() {
	# shellcheck disable=SC2016 # apt's variable
	apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Label: Debian' | head -n 1
}

# needed PACKAGE...: name and version of each package, as on a machine without any
needed() {
	apt-get -s -o Dir::State::status=/dev/null -o Debug::NoLocking=1 \
		--no-install-recommends install "$@" 2>/dev/null |
		sed -n 's/^Inst \([^ ]*\) (\([^ ]*\).*/\1=\2/p' | sort
}

# headers_need: the packages that both kernels' headers depend on
headers_need() {
	apt-cache depends "linux-headers-$first" "linux-headers-$second" |
		sed -n 's/^ *Depends: \(linux-.*\)/\1/p'
}

mkdir -p "$cache"
exec 9>"$cache/.lock"
flock 9
packages=(dkms make kmod openssl initramfs-tools systemd "linux-image-$first")
versions=$(needed "${packages[@]}" "${later[@]}" || true)
if [ -z "$versions" ]; then
	apt-get update >&2 || true
	versions=$(needed "${packages[@]}" "${later[@]}" || true)
fi
if [ -z "$versions" ] || [ -z "$(mirror)" ]; then
	have=("$cache/$first-$second"-*.tar)
	[ -e "${have[0]}" ] ||
		cannot_be_had "this system's package lists have no ${packages[*]} ${later[*]}; if they are older than the lists, remove the kernels from the cache"
	echo "no package lists; using what is in the cache" >&2
	echo "${have[0]}"
	exit
fi
key=$({ echo "$versions" && cat "$0"; } | sha256sum | cut -c 1-16)
tar=$cache/$first-$second-$key.tar
if [ -e "$tar" ]; then
	echo "$tar"
	exit
fi

# All mounts are in a namespace of their own, gone with this script.
[ -n "${in_namespace-}" ] || {
	exec 9>&-
	in_namespace=1 exec unshare --mount "$0" "$@"
}
work=$(mktemp -d "$cache/.new.XXXXXX")
trap 'umount "$work/root/proc" 2>/dev/null || true; rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
root=$work/root
archives=$root/var/cache/apt/archives
options=(-q -y --no-install-recommends -o APT::Sandbox::User=root -o "Dir::Log=$work"
	-o "Dir::State::status=$root/var/lib/dpkg/status"
	-o "Dir::State::extended_states=$root/var/lib/apt/extended_states"
	-o "Dir::Cache::archives=$archives" -o "DPkg::Chroot-Directory=$root"
	-o DPkg::Options::=--force-unsafe-io)
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
# The kernel's packages would make an initramfs that nobody boots.
export INITRD=No
proxy=$(apt-config shell proxy Acquire::http::Proxy)
eval "$proxy"
[ -z "${proxy-}" ] || export http_proxy=$proxy

echo "making a Debian $suite in $cache" >&2
debootstrap --variant=minbase "$suite" "$root" "$(mirror)" >"$work/log" 2>&1 || {
	tail -n 5 "$work/log" >&2
	cannot_be_had "debootstrap failed"
}
mount -t proc proc "$root/proc"
mapfile -t -O "${#packages[@]}" packages < <(headers_need)
apt-get "${options[@]}" install "${packages[@]}" >"$work/log" 2>&1 || {
	tail -n 20 "$work/log" >&2
	cannot_be_had "packages cannot be installed; if the archive has moved on: apt-get update"
}
umount "$root/proc"
rm -f "$archives"/*.deb
(cd "$archives" && apt-get -q -o APT::Sandbox::User=root download "${later[@]}" >&2)
tar -C "$root" -cf "$work/tar" .
rm -f "$cache/$first-$second"-*.tar
mv "$work/tar" "$tar"
echo "$tar"
