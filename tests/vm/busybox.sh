#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Print where a static busybox for MACHINE is; see arch.sh for the names.
# usage: busybox.sh MACHINE
#
# This machine's own is installed; others are unpacked in the cache.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
arch=$1
# shellcheck source=tests/vm/arch.sh
. "$here/arch.sh"

if [ -z "$cross" ]; then
	command -v busybox || {
		echo "busybox.sh: busybox is missing; run: $here/packages.sh vm" >&2
		exit 1
	}
	exit
fi
cache=${COMPACTSNOOP_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/compactsnoop}/busybox
mkdir -p "$cache"
exec 8>"$cache/.lock"
flock 8
if [ ! -d "$cache/$arch" ]; then
	new=$(mktemp -d "$cache/.new.XXXXXX")
	trap 'rm -rf "$new"' EXIT
	"$here/apt-fetch.sh" "$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)" \
		"$debian_arch" "$new" busybox-static >&2
	mv "$new" "$cache/$arch"
fi
find "$cache/$arch" -path '*/bin/busybox' -type f | grep .
