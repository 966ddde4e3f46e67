#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# In a VM whose root has two kernels, DKMS and the module installed with it:
# loading, replacing and removing it. See run.sh.
# usage: guest.sh VERSION OTHER-KERNEL
# shellcheck disable=SC2317 # check calls the functions
set -u -o pipefail

version=$1 other=$2
krel=$(uname -r)
dir=$(mktemp -d)
export PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

# shellcheck source=tests/tap.sh
. /tap.sh

# As udev would; DKMS needs it.
ln -s /proc/self/fd /dev/fd

# is_told TEXT COMMAND...: it succeeds, and TEXT is in what it says
is_told() {
	local text=$1

	shift
	"$@" 2>&1 | tee "$dir/told" && grep -qF "$text" "$dir/told"
}

loaded_is() {
	cat /sys/module/compactsnoop/version
	[ "$(cat /sys/module/compactsnoop/version)" = "$1" ]
}

# traces: a manual compaction shows, a row a zone that has pages
traces() {
	local zones tries=400 tool

	zones=$(awk '$1 == "managed" && $2 > 0' /proc/zoneinfo | wc -l)
	: >"$dir/rows"
	compactsnoop >"$dir/rows" &
	tool=$!
	until [ -s "$dir/rows" ] || ! kill -0 "$tool"; do
		sleep 0.05
	done
	echo 1 >/proc/sys/vm/compact_memory
	until [ "$(grep -c ' -1 ' "$dir/rows")" -ge "$zones" ] || [ $((tries -= 1)) -eq 0 ]; do
		sleep 0.05
	done
	kill "$tool"
	wait "$tool"
	cat "$dir/rows"
	[ "$(grep -c ' -1 ' "$dir/rows")" -ge "$zones" ]
}

# hold: have the device open; release
hold() {
	exec 8</dev/compactsnoop
}

release() {
	exec 8<&-
}

# gone: nothing of it, for either kernel
gone() {
	[ ! -e /sys/module/compactsnoop ] && [ ! -e /dev/compactsnoop ] &&
		! find /usr/src /var/lib/dkms /lib/modules -name '*compactsnoop*' | grep . &&
		! grep compactsnoop "/lib/modules/$krel/modules.dep" "/lib/modules/$other/modules.dep"
}

check "modprobe loads it" modprobe compactsnoop
check "it is the new version" loaded_is "$version"
check "compactsnoop shows compactions" traces

rmmod compactsnoop
insmod /old.ko ring_kb=512
check "an older version is loaded" loaded_is 0.0.9
hold
check "in use, it is left, and the user told so" \
	is_told "0.0.9 is STILL LOADED" make -C /src/new dkms-install
check "the older version is still loaded" loaded_is 0.0.9
release
check "no longer in use, it is replaced" \
	is_told "0.0.9 was loaded; now $version is" make -C /src/new dkms-install
check "the newer version is loaded" loaded_is "$version"
check "with the parameters of the older" grep -x 512 /sys/module/compactsnoop/parameters/ring_kb
check "compactsnoop shows compactions after that" traces

mv "/lib/modules/$krel/build" "$dir/build"
check "headers of the running kernel missing: it names the package" \
	says "install linux-headers-$krel" make -C /src/new dkms-install
mv "$dir/build" "/lib/modules/$krel/build"

hold
check "in use, it is not removed" says "Nothing was removed" make -C /src/new dkms-remove
check "and everything is still there" loaded_is "$version"
check "its file, too" modinfo compactsnoop
release
cp "/lib/modules/$krel/updates/dkms/compactsnoop.ko" "$dir"
check "it is removed" make -C /src/new dkms-remove
check "module, node, sources and files are gone" gone
check "removing again is no error" is_told "no compactsnoop is installed with DKMS" \
	make -C /src/new dkms-remove
check "the tool says that it is not installed" \
	says "is not installed for this kernel" compactsnoop -d 0.1

# Signed as DKMS does, but this machine has not been told of the key.
cp "$dir/compactsnoop.ko" "/lib/modules/$krel/"
depmod
mount -t securityfs securityfs /sys/kernel/security
echo integrity >/sys/kernel/security/lockdown
check "the tool says that the kernel is locked down and no trusted key signed it" \
	says "the kernel is locked down" compactsnoop -d 0.1
finish
