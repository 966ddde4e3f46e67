# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# For bash scripts to source that test in a clean Debian in a directory: what
# root.sh makes is unpacked into $root, and in_root runs commands there. $name,
# set before, is that of the test. Without root, or without a Debian to be had,
# the script ends: skipped.
#
# Nothing here touches this machine's own DKMS, modules or initramfs: each
# command in the Debian has mounts of its own, gone when it ends.

# shellcheck disable=SC2154 # name: see above
here=$(dirname "$(realpath "$0")")
top=$(realpath "$here/../..")
# shellcheck disable=SC2034 # for those who source this
build=${BUILD:-$top/build}
kernel=debian-6.1

skip() {
	echo "run.sh: the test of $name is SKIPPED: $*" >&2
	echo "TAP version 13"
	echo "1..0 # SKIP $*"
	exit 4	# as kselftest has it
}

[ "$(id -u)" -eq 0 ] || skip "it needs root, for chroot"
krel=$("$top/tests/vm/kernel.sh" $kernel KREL)
later=$("$top/tests/vm/kernel.sh" debian-6.12 KREL)
status=0
tar=$("$top/tests/dkms/root.sh" "$krel" "$later") || status=$?
[ $status -ne 4 ] || skip "no Debian to be had; see above"
[ $status -eq 0 ] || exit $status

work=$(mktemp -d "${TMPDIR:-/tmp}/compactsnoop-$name.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
root=$work/root
mkdir "$root"
tar -C "$root" -xf "$tar"
variables=(PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8)

# in_root COMMAND...
in_root() {
	# shellcheck disable=SC2016 # for the inner shell to expand
	env -i "${variables[@]}" unshare --mount sh -c '
		mount -t proc proc "$1/proc" && { [ -z "$2" ] || mount -t devtmpfs dev "$1/dev"; } &&
		root=$1 && shift 2 && exec chroot "$root" "$@"' \
		sh "$root" "${with_dev-}" "$@"
}

# shellcheck source=tests/tap.sh
. "$top/tests/tap.sh"
