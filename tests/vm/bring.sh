#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Print HOST:GUEST of programs of this machine and the libraries that they need,
# to bring them to a VM. What is not installed is left out.
# usage: bring.sh PROGRAM...
set -euo pipefail

for program in "$@"; do
	path=$(command -v "$program") || continue
	echo "$(realpath "$path"):/bin/$program"
	ldd "$path" | grep -o '/[^ ]*' | sed 's/.*/&:&/'
done | sort -u
