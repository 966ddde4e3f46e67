#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Make samples of trace text anew, in a VM: every form that the kernel,
# trace-cmd and perf give it (samples-guest), or of hostile names and losses,
# with what the kernel counted (names-guest).
# usage: samples.sh KERNEL DIRECTORY GUEST
set -euo pipefail

here=$(dirname "$(realpath "$0")")
vm=$here/../vm
"$vm/packages.sh" vm samples
kernel=$1
guest=$3
mkdir -p "$2"
directory=$(realpath "$2")

mapfile -t files < <("$vm/bring.sh" trace-cmd perf | sed 's/^/--file\n/')
"$vm/run.sh" --kernel "$kernel" --timeout 1500 --file "$here/$guest:/samples" "${files[@]}" -- \
	sh /samples >"$directory/all"
cd "$directory"
awk '/^### sample / { name = $3 ".txt"; printf "" >name; next }
	/^### end/ { close(name); name = ""; next }
	name { print >name }' all
rm all
[ "$guest" = samples-guest ] || xz -9f -- *.txt
