#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The rules that the sources keep, as TAP: the kernel's checkers find nothing,
# and kernels' differences are known in one place only.
# usage: run.sh   (that the module builds without a word: see builds.sh)
set -uo pipefail

top=$(realpath "$(dirname "$0")/../..")
linux=${LINUX_SOURCE:-/usr/src/linux-source-6.12.tar.xz}
checkers=$top/build/checkers
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$top" || exit 1

# The checkers come with the kernel's source; unpacked once.
if [ ! -x "$checkers/scripts/checkpatch.pl" ]; then
	echo "# unpacking checkpatch and kernel-doc from $linux"
	name=$(basename "$linux" .tar.xz)
	mkdir -p "$checkers"
	tar -C "$checkers" --strip-components=1 --occurrence=1 -xJf "$linux" \
		"$name"/scripts/{checkpatch.pl,spelling.txt,const_structs.checkpatch,kernel-doc} || exit 1
fi

# In a clone these are what is committed or about to be.
mapfile -t tracked < <(git ls-files --cached --others --exclude-standard)
of() {
	printf '%s\n' "${tracked[@]}" | grep -E "$1"
}

number=0
failed=0
# result NAME FILE: passed if the checker had nothing to say in FILE
result() {
	number=$((number + 1))
	if [ -s "$2" ]; then
		echo "not ok $number $1"
		head -n 40 "$2" | sed 's/^/# /'
		failed=1
	else
		echo "ok $number $1"
	fi
}

# It leaves a cache where it runs, and judges by paths as in a kernel tree.
ln -s "$top"/{kmod,include,tool,tests} "$work"
checkpatch() {
	(cd "$work" && xargs -r perl "$checkers/scripts/checkpatch.pl" --strict --no-tree --root=. \
		--terse --show-types --no-summary "$@" -f 2>&1)
}

echo "TAP version 13"
echo "1..8"

of '^(kmod|include)/.*\.[ch]$' | checkpatch >"$work/out"
result "checkpatch --strict: kernel code" "$work/out"

# What only kernel code can follow, or what kselftest_harness.h forces.
ignore=EXTERNS,NEW_TYPEDEFS,PREFER_KERNEL_TYPES,CAMELCASE,VOLATILE,ARRAY_SIZE
ignore+=,PREFER_DEFINED_ATTRIBUTE_MACRO,EMBEDDED_FUNCTION_NAME,NAKED_SSCANF
ignore+=,ENOSYS,ARCH_DEFINES,BIT_MACRO,LONG_LINE_STRING,MACRO_ARG_REUSE
ignore+=,MACRO_WITH_FLOW_CONTROL,MULTISTATEMENT_MACRO_USE_DO_WHILE,COMPARISON_TO_NULL
ignore+=,UNNECESSARY_PARENTHESES,OPEN_ENDED_LINE
of '^(tool|tests)/.*\.[ch]$' | checkpatch --ignore $ignore >"$work/out"
result "checkpatch --strict: programs" "$work/out"

of '^(kmod|include)/.*\.[ch]$' |
	xargs perl "$checkers/scripts/kernel-doc" -none -Wall >"$work/out" 2>&1
result "kernel-doc of kernel code" "$work/out"

of '^(kmod|tool|include|tests)/' | grep -v -e '^kmod/compat/' -e '^tests/style/' |
	xargs grep -nE 'LINUX_VERSION_CODE|KERNEL_VERSION' >"$work/out"
result "kernel versions only in kmod/compat" "$work/out"

of '\.([ch]|sh|py)$|Makefile$|Kbuild' | while read -r file; do
	head -n 3 "$file" | grep -q 'SPDX-License-Identifier: GPL-2.0-only' || echo "$file"
done >"$work/out"
result "a licence in the first lines of every source" "$work/out"

of '\.sh$|^\.ci/run$|^dist/initramfs-tools/' | xargs -r shellcheck -x >"$work/out" 2>&1
result "shellcheck" "$work/out"

make -s -C tool check-size O="$work/tool" >"$work/size" 2>&1 && : >"$work/size"
result "the static musl tool is small enough" "$work/size"

# Read from this machine's own set-up, so that none is named here.
# shellcheck disable=SC2016 # apt's variable
{ apt-get indextargets --format '$(SITE)'; npm config get registry; } 2>/dev/null |
	sed -nE 's#^[a-z+]+://([^/:]+).*#\1#p' | sort -u >"$work/hosts"
grep -nIFf "$work/hosts" "${tracked[@]}" >"$work/out"
[ -s "$work/hosts" ] || : >"$work/out"
result "no package host is named" "$work/out"

exit $failed
