#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Under lockdown=confidentiality, as TAP: what others are refused, and that
# compactsnoop shows everything all the same. Two VMs: Debian's kernel, locked
# down after the module was loaded; and one that takes signed modules alone.
# usage: run.sh   (what it needs is built by: make check-lockdown)
#
# BCC_COMPACTSNOOP is the seed; without it, or without Debian's packages for
# it, what is about it is skipped.
set -euo pipefail
unset MAKEFLAGS MFLAGS MAKELEVEL

here=$(dirname "$(realpath "$0")")
top=$(realpath "$here/../..")
vm=$here/../vm
build=${BUILD:-$top/build}
seed=${BCC_COMPACTSNOOP:-$top/../shared/seeds/compactsnoop.py}
work=$(mktemp -d "${TMPDIR:-/tmp}/compactsnoop-lockdown.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
# shellcheck source=tests/tap.sh
. "$here/../tap.sh"

# in_vm KERNEL MODE [OPTION...]: guest.sh in a VM with that kernel
in_vm() {
	local kernel=$1 mode=$2 krel status=0

	shift 2
	krel=$("$vm/kernel.sh" "$kernel" KREL)
	"$vm/run.sh" --kernel "$kernel" --timeout 4000 "$@" \
		--file "$build/$krel/compactsnoop.ko:/lockdown/compactsnoop.ko" \
		--file "$build/tool-static/compactsnoop:/bin/compactsnoop" \
		--file "$build/workload:/bin/workload" \
		--file "$here/../tap.sh:/lockdown/tap.sh" \
		--file "$here/guest.sh:/lockdown/guest.sh" \
		-- sh /lockdown/guest.sh "$mode" >"$work/$mode" || status=$?
	retell "$kernel" <"$work/$mode"
	# That is, unless a check failed, which has been said.
	check "$kernel: the VM ran to its end" [ $status -le 1 ]
}

# signed_with KEY CERTIFICATE TO: the module as DKMS strips and signs it
signed_with() {
	cp "$build/$krel/compactsnoop.ko" "$3"
	strip -g "$3"
	"$kdir/scripts/sign-file" "$hash" "$1" "$2" "$3"
}

options=()
if [ ! -r "$seed" ]; then
	echo "run.sh: without the seed, as it is not at $seed; set BCC_COMPACTSNOOP" >&2
elif image=$("$here/../oracle/root.sh" debian-6.12); then
	options=(--root "$image" --file "$seed:/lockdown/seed.py")
else
	echo "run.sh: without the seed, as there is no python3-bpfcc; see above" >&2
fi
in_vm debian-6.12 unsigned ${options[@]+"${options[@]}"}

# The key pair was made when this kernel was built, and is in its cache alone.
kernel=6.12-signed
status=0
krel=$("$vm/kernel.sh" $kernel KREL) || status=$?
if [ $status -eq 3 ]; then
	echo "run.sh: without $kernel, as its source cannot be had" >&2
	result ok "$kernel # SKIP its source cannot be had"
	finish
fi
make -s -C "$top" vm-ready-$kernel >&2
kdir=$("$vm/kernel.sh" $kernel KDIR)
hash=$(sed -n 's/^CONFIG_MODULE_SIG_HASH="\(.*\)"/\1/p' "$("$vm/kernel.sh" $kernel KCONFIG)")
openssl req -new -x509 -nodes -days 2 -newkey rsa:2048 -subj "/CN=compactsnoop test" \
	-keyout "$work/other.key" -outform DER -out "$work/other.der" 2>/dev/null
signed_with "$kdir/certs/signing_key.pem" "$kdir/certs/signing_key.x509" "$work/signed.ko"
signed_with "$work/other.key" "$work/other.der" "$work/other.ko"
in_vm $kernel signed --append lockdown=confidentiality \
	--file "$work/signed.ko:/lockdown/signed.ko" --file "$work/other.ko:/lockdown/other.ko"
finish
