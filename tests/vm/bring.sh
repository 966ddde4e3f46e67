#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Print the options with which run.sh brings programs of this machine to a VM,
# and the libraries that they need. What is not installed is left out.
# usage: bring.sh PROGRAM...
set -euo pipefail

for program in "$@"; do
	path=$(command -v "$program") || continue
	printf '%s\n' --file "$(realpath "$path"):/bin/$program"
	ldd "$path" | grep -o '/[^ ]*' | while read -r library; do
		printf '%s\n' --file "$library:$library"
	done
done | awk 'NR % 2 { option = $0; next } !seen[$0]++ { print option; print }'
