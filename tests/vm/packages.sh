#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# See to it that the Debian packages of the given sets are installed.
# usage: packages.sh SET...
#
# As root, what is missing is installed; otherwise the command that would do
# it is printed and the status is 1. Kernels are not among the packages:
# kernel.sh unpacks them into a cache, so no machine gets a new one to boot.
set -euo pipefail

# What the programs in linux-kbuild need, being unpacked and not installed,
# is in "build": libelf1, libssl3, zlib1g, pahole.
declare -A sets=(
	[build]="make gcc gcc-12 libc6-dev libelf1 libssl3 zlib1g pahole"
	[vm]="qemu-system-x86 busybox-static cpio e2fsprogs util-linux"
	[tests]="linux-source-6.12 xz-utils musl-tools gcc-i686-linux-gnu libc6-dev-i386-cross python3 jq trace-cmd"
	[plots]="gnuplot-nox chromium-headless-shell python3"
	[checks]="shellcheck sparse perl git python3"
	[kernels]="make gcc-12 libc6-dev flex bison bc libelf-dev libssl-dev xz-utils perl python3 debian-archive-keyring"
	[clang]="clang-16 lld-16 llvm-16"
	[i386]="qemu-system-x86 gcc-i686-linux-gnu libc6-dev-i386-cross"
	[arm]="qemu-system-arm gcc-arm-linux-gnueabihf libc6-dev-armhf-cross"
	[arm64]="qemu-system-arm gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
	[ppc64le]="qemu-system-ppc gcc-powerpc64le-linux-gnu libc6-dev-ppc64el-cross"
	[dkms]="debootstrap openssl tar xz-utils"
	[oracle]="python3"
	[samples]="trace-cmd linux-perf"
)

if [ $# -eq 0 ]; then
	echo "usage: packages.sh SET...   (sets: ${!sets[*]})" >&2
	exit 2
fi

wanted=()
for set in "$@"; do
	if [ -z "${sets[$set]+x}" ]; then
		echo "packages.sh: no set '$set'; there are: ${!sets[*]}" >&2
		exit 2
	fi
	read -ra list <<<"${sets[$set]}"
	wanted+=("${list[@]}")
done

if ! command -v dpkg-query >/dev/null; then
	echo "packages.sh: not a Debian system; this needs the like of: ${wanted[*]}" >&2
	exit 1
fi

declare -A have=()
while read -r status package; do
	[ "$status" = ii ] && have[$package]=1
done < <(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "${wanted[@]}" 2>/dev/null || true)

missing=()
for package in "${wanted[@]}"; do
	[ -n "${have[$package]+x}" ] || missing+=("$package")
	have[$package]=1
done
[ ${#missing[@]} -gt 0 ] || exit 0

install=(apt-get install -y --no-install-recommends "${missing[@]}")
if [ "$(id -u)" -ne 0 ]; then
	echo "packages missing; as root, run:" >&2
	echo "  apt-get update && ${install[*]}" >&2
	exit 1
fi

echo "installing: ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
apt=(apt-get -o DPkg::Lock::Timeout=600)
install=("${apt[@]}" "${install[@]:1}")
updated=
if ! apt-cache show "${missing[@]}" >/dev/null 2>&1; then
	"${apt[@]}" update >&2
	updated=1
fi
if ! "${install[@]}" >&2; then
	# Old package lists name files that the archive no longer has.
	[ -z "$updated" ] || exit 1
	"${apt[@]}" update >&2
	"${install[@]}" >&2
fi
