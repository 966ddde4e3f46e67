#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# DKMS in a clean Debian with two kernels, as TAP: what make dkms-install and
# dkms-remove do there, and in a VM that boots one of the two.
# usage: run.sh   (what it needs is built by: make check-dkms)
#
# Nothing here touches this machine's own DKMS or modules: the Debian is in a
# directory and each command in it has mounts of its own, gone when it ends.
# shellcheck disable=SC2317 # check calls the functions
set -euo pipefail

name=dkms
begin=$(dirname "$(realpath "$0")")/begin.sh
# shellcheck source=tests/dkms/begin.sh
. "$begin"
first=$krel second=$later
variables+=(INITRD=No DEBIAN_FRONTEND=noninteractive)
version=$(cat "$top/VERSION")

# has_version VERSION KERNEL...: the module files of the kernels, in the root
has_version() {
	local wanted=$1 krel

	shift
	for krel; do
		in_root modinfo -k "$krel" compactsnoop >"$work/modinfo" || return 1
		cat "$work/modinfo"
		grep -qx "filename: */lib/modules/$krel/updates/dkms/compactsnoop.ko\(.xz\)\?" "$work/modinfo" &&
			grep -qx "version: *$wanted" "$work/modinfo" &&
			grep -q "^vermagic: *$krel " "$work/modinfo" || return 1
	done
}

# status_is LINE...: all that DKMS says, sorted
status_is() {
	diff <(printf '%s\n' "$@") <(in_root dkms status | sort)
}

# nothing_left: of the module, of any version
nothing_left() {
	! find "$root"/{usr/src,var/lib/dkms,lib/modules} -name '*compactsnoop*' | grep .
}

# take_apart MODULE: $work/body, what is signed, and $work/signature
take_apart() {
	local size length

	size=$(stat -c %s "$1")
	[ "$(tail -c 28 "$1")" = "~Module signature appended~" ] || return 1
	# Before the marker: what kind, and last the length, big-endian.
	length=$((16#$(tail -c 32 "$1" | head -c 4 | od -An -tx1 | tr -d ' ')))
	head -c $((size - length - 40)) "$1" >"$work/body"
	tail -c $((length + 40)) "$1" | head -c "$length" >"$work/signature"
}

# signed_with CERTIFICATE
signed_with() {
	openssl smime -verify -binary -inform DER -in "$work/signature" \
		-content "$work/body" -certfile "$1" -nointern -noverify -out /dev/null
}

# module_signed KERNEL: with the key of this test, with no other, all of it
module_signed() {
	local file=$root/lib/modules/$1/updates/dkms/compactsnoop.ko

	if [ -e "$file.xz" ]; then	# as this kernel's own are
		xz -dc "$file.xz" >"$work/module"
	else
		cp "$file" "$work/module"
	fi
	take_apart "$work/module" && grep -q "version=$version" "$work/body" &&
		signed_with "$work/mok.pem" &&
		! signed_with "$work/other.pem" &&
		printf x | dd of="$work/body" bs=1 seek=1000 conv=notrunc &&
		! signed_with "$work/mok.pem"
}

# no_warnings: in what make said
no_warnings() {
	local logs=("$root/var/lib/dkms/compactsnoop/$version"/*/x86_64/log/make.log)

	[ ${#logs[@]} -eq 2 ] && grep -q 'LD \[M\].*compactsnoop.ko' "${logs[@]}" &&
		! grep -in warning "${logs[@]}"
}

# new_key NAME: key and certificate in $work; the certificate as PEM and DER
new_key() {
	openssl req -new -x509 -nodes -days 2 -newkey rsa:2048 -subj "/CN=compactsnoop test $1" \
		-keyout "$work/$1.key" -out "$work/$1.pem" 2>/dev/null
	openssl x509 -in "$work/$1.pem" -outform DER -out "$work/$1.der"
}

cd "$top"
for tree in new old broken; do
	mkdir -p "$root/src/$tree"
	git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$root/src/$tree"
done
sed -i 's/.*/0.0.9/' "$root/src/old/VERSION"
sed -i 's/.*/9.9.9/' "$root/src/broken/VERSION"
echo '#error made by run.sh' >>"$root/src/broken/kmod/main.c"
new_key mok
new_key other
mkdir -p "$root/etc/dkms/framework.conf.d" "$root/root/keys"
cp "$work"/mok.{key,der} "$root/root/keys"
printf 'mok_signing_key=/root/keys/mok.key\nmok_certificate=/root/keys/mok.der\n' \
	>"$root/etc/dkms/framework.conf.d/mok.conf"
debs=/var/cache/apt/archives

check "without headers, it names the package" \
	says "install linux-headers-$first" in_root make -C /src/new dkms-install
check "and has changed nothing" nothing_left
check "a user is told to be root" \
	says "this is for root" in_root setpriv --reuid nobody make -C /src/new dkms-install

in_root sh -c "dpkg -i $debs/linux-headers-$first*.deb" >"$work/out" 2>&1
check "an older version installs" in_root make -C /src/old dkms-install
check "its module is there" has_version 0.0.9 "$first"
cp "$root/lib/modules/$first/updates/dkms/compactsnoop.ko" "$root/old.ko"

in_root sh -c "dpkg -i $debs/linux-image-$second*.deb $debs/linux-headers-$second*.deb" \
	>"$work/out" 2>&1
check "AUTOINSTALL: the kernel that comes later has it" has_version 0.0.9 "$second"

check "a version that does not build fails" \
	says "made by run.sh" in_root make -C /src/broken dkms-install
check "and changes nothing" status_is \
	"compactsnoop/0.0.9, $first, x86_64: installed" \
	"compactsnoop/0.0.9, $second, x86_64: installed"

check "a newer version installs, for both kernels at once" in_root make -C /src/new dkms-install
check "its modules are there" has_version "$version" "$first" "$second"
check "and nothing of the older one" status_is \
	"compactsnoop/$version, $first, x86_64: installed" \
	"compactsnoop/$version, $second, x86_64: installed"
check "nor its sources" [ ! -e "$root/usr/src/compactsnoop-0.0.9" ]
check "DKMS builds without a warning" no_warnings
for krel in "$first" "$second"; do
	check "the module for $krel is signed with the key that DKMS has" module_signed "$krel"
done

echo "# booting $first with that root"
status=0
"$here/../vm/run.sh" --kernel $kernel --root "$root" --timeout 1800 \
	--file "$build/tool-static/compactsnoop:/usr/local/bin/compactsnoop" \
	--file "$here/../tap.sh:/tap.sh" --file "$here/guest.sh:/guest.sh" -- bash /guest.sh "$version" "$second" \
	>"$work/guest" || status=$?
retell VM <"$work/guest"
check "the VM ran to its end" [ $status -eq 0 ]
finish
