#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The oracle: bcc's compactsnoop (the seed) and ours watch the same compactions
# in one VM; compare.py judges. Prints TAP, and as its last comment
#	matched N, explained N (by rule), unexplained N
# usage: run.sh   (what it needs is built by: make check-oracle)
#
# BCC_COMPACTSNOOP is the seed. Without it, or without Debian's packages for
# it, there is nothing to compare with: skipped. $BUILD/oracle keeps what all
# wrote: seed, ours, witness (the kernel's trace), guest.log, kernel.log.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
top=$(realpath "$here/../..")
build=${BUILD:-$top/build}
out=$build/oracle
seed=${BCC_COMPACTSNOOP:-$top/../shared/seeds/compactsnoop.py}
kernel=debian-6.1
krel=$("$here/../vm/kernel.sh" "$kernel" KREL)

# one "ok"|"not ok" WHAT: all there is to say
one() {
	echo "TAP version 13"
	echo "$1 1 - $2"
	echo "1..1"
}

skip() {
	echo "run.sh: the oracle is SKIPPED: $*" >&2
	one ok "the seed and we agree # SKIP $*"
	exit 4	# as kselftest has it
}

[ -r "$seed" ] || skip "no seed at $seed; set BCC_COMPACTSNOOP"
status=0
image=$("$here/root.sh" "$kernel") || status=$?
[ "$status" -ne 4 ] || skip "no python3-bpfcc to be had; see above"
[ "$status" -eq 0 ] || exit "$status"

rm -rf "$out"
mkdir -p "$out"
# More memory takes longer to fragment; the seed has 150 MB of it.
options=(--kernel "$kernel" --root "$image" --mem 1024 --timeout 1200
	--log "$out/kernel.log"
	--file "$build/$krel/compactsnoop.ko:/oracle/compactsnoop.ko"
	--file "$build/tool-static/compactsnoop:/oracle/compactsnoop"
	--file "$build/workload:/oracle/workload"
	--file "$seed:/oracle/seed.py"
	--file "$here/locked.py:/oracle/locked.py"
	--file "$here/guest.sh:/oracle/guest.sh")
# What is for people shows as it comes.
"$here/../vm/run.sh" "${options[@]}" -- sh /oracle/guest.sh |
	tee "$out/guest.log" | sed -u '/^[a-z.]*|/d; s/^/# /' || status=$?
for name in seed ours witness; do
	sed -n "s/^$name|//p" "$out/guest.log" >"$out/$name"
done
if [ "$status" -ne 0 ]; then
	one "not ok" "the VM ran to its end: status $status; see $out"
	exit 1
fi
exec "$here/compare.py" "$out/guest.log"
