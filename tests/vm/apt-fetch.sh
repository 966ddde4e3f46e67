#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Download Debian packages, of another suite or architecture if need be, from
# the mirror that apt is set up with; unpack them and install nothing.
# usage: apt-fetch.sh SUITE ARCHITECTURE DIR PACKAGE...
#
# SUITE "own" is whatever this system has. Of others, the package lists are in
# a directory of their own, so that this machine's apt never sees them. Unpacks
# into DIR and prints each package and its version in a line of its own.
set -euo pipefail

suite=$1 arch=$2 dir=$3
shift 3
state=${COMPACTSNOOP_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/compactsnoop}/apt/$suite-$arch

die() {
	echo "apt-fetch.sh: $*" >&2
	exit 1
}

command -v apt-get >/dev/null || die "$* needs apt-get, which is not here"
options=(-q)
# apt drops root for a user that may not write here.
[ "$(id -u)" -ne 0 ] || options+=(-o APT::Sandbox::User=root)
lists_needed=''

# mirror: where Debian's own archive is, whatever its host is called here
mirror() {
	# shellcheck disable=SC2016 # apt's own
	apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
		'Label: Debian' | sed -n 1p
}

if [ "$suite" != own ]; then
	uri=$(mirror)
	if [ -z "$uri" ] && [ "$(id -u)" -eq 0 ]; then
		apt-get -q update >&2
		uri=$(mirror)
	fi
	[ -n "$uri" ] || die "apt has no package lists; run: apt-get update"
	keyring=/usr/share/keyrings/debian-archive-keyring.gpg
	[ -r "$keyring" ] || die "$keyring is missing; install debian-archive-keyring"
	mkdir -p "$state"/{lists,cache/archives}/partial
	# Two fetches at once would fight for apt's lock.
	exec 9>"$state/lock"
	flock 9
	echo "deb [signed-by=$keyring] $uri $suite main" >"$state/sources.list"
	options+=(-o "Dir::State::lists=$state/lists" -o "Dir::Cache=$state/cache"
		-o "Dir::Etc::sourcelist=$state/sources.list" -o Dir::Etc::sourceparts=/dev/null
		-o "APT::Architecture=$arch" -o "APT::Architectures=$arch")
	lists_needed=1
elif [ "$(id -u)" -eq 0 ] && ! apt-cache show "$@" >/dev/null 2>&1; then
	lists_needed=1
fi
[ -z "$lists_needed" ] || apt-get "${options[@]}" update >&2 ||
	die "no package lists of $suite, $arch"
mkdir -p "$dir/.debs"
(cd "$dir/.debs" && apt-get "${options[@]}" download "$@" >&2) ||
	die "download of $* failed; if the archive has moved on: apt-get update"
for package in "$dir"/.debs/*.deb; do
	# shellcheck disable=SC2016 # dpkg-deb's own
	dpkg-deb -W --showformat '${Package} ${Version}\n' "$package"
	dpkg-deb -x "$package" "$dir"
done
rm -r "$dir/.debs"
