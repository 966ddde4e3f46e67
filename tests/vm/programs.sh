#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Print the directory of what is built for MACHINE's VMs, without libraries,
# after building WHAT of it: tool, workload, tests. See arch.sh for the names.
# usage: programs.sh MACHINE [WHAT]...
set -euo pipefail

here=$(dirname "$(realpath "$0")")
arch=$1
shift
# shellcheck source=tests/vm/arch.sh
. "$here/arch.sh"
top=$(realpath "$here/../..")
build=${BUILD:-$top/build}
dir=$build
[ "$arch" = x86_64 ] || dir=$build/$arch

if [ $# -gt 0 ]; then
	mkdir -p "$dir"
	# Two kernels of one machine may want them at once.
	exec 9>"$dir/.programs.lock"
	flock 9
fi
make=("${MAKE:-make}" -s -C "$top" BUILD="$build")
for what in "$@"; do
	case $what in
	tool) "${make[@]}" -C tool O="$dir/tool-static" STATIC=1 "CC=${cross}gcc" ;;
	workload) "${make[@]}" BUILD="$dir" "$dir/workload" "CC=${cross}gcc" ;;
	tests) "${make[@]}" -C tests OUTPUT="$dir/tests" ${cross:+"CROSS_COMPILE=$cross" CC32=} ;;
	*)
		echo "programs.sh: cannot build '$what'" >&2
		exit 2
		;;
	esac >&2
done
echo "$dir"
