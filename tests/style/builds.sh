#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The module builds without a word of the compiler, at W=1, or of sparse, as
# TAP: against Debian's kernels, and one made by clang if $KERNELS has it.
# usage: builds.sh [KERNEL]...   (kernels of tests/vm/kernel.sh)
# shellcheck disable=SC2317 # check calls the function
set -uo pipefail

top=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$top" || exit 1
# shellcheck source=tests/tap.sh
. tests/tap.sh

if [ $# -eq 0 ]; then
	set -- debian-6.1 debian-6.12
	[[ " ${KERNELS-} " != *" 6.12-clang "* ]] || set -- "$@" 6.12-clang
fi

# silent KERNEL: what make says is what is wrong
silent() {
	local parts KDIR KMAKE

	parts=$(tests/vm/kernel.sh "$1") && eval "$parts" || return 1
	rm -rf "$work/build"
	mkdir "$work/build"
	cp -r kmod include VERSION "$work/build"
	# shellcheck disable=SC2086 # a word each
	make -s -C "$KDIR" M="$work/build/kmod" $KMAKE W=1 C=1 modules >"$work/said" 2>&1 ||
		echo "the build failed" >>"$work/said"
	! grep -v '^Skipping BTF generation' "$work/said"
}

for kernel; do
	check "builds without a warning of W=1 or sparse for $kernel" silent "$kernel"
done
finish
