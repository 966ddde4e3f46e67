#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh hands on output and status, ends what hangs or panics, and fails when
# the kernel complained.
set -euo pipefail

run=$(dirname "$(realpath "$0")")/run.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
number=0 failed=0

# expect NAME STATUS STDOUT STDERR ARGUMENT...: STDERR is found somewhere in it
expect() {
	local name=$1 status=$2 stdout=$3 stderr=$4 got=0

	shift 4
	"$run" "$@" >"$work/out" 2>"$work/err" || got=$?
	number=$((number + 1))
	if [ "$got" -eq "$status" ] && [ "$(cat "$work/out")" = "$stdout" ] &&
		grep -qF -- "$stderr" "$work/err"; then
		echo "ok $number - $name"
		return
	fi
	echo "not ok $number - $name"
	echo "# status $got, wanted $status"
	sed 's/^/# stdout: /' "$work/out"
	sed 's/^/# stderr: /' "$work/err"
	failed=1
}

echo "1..10"
# shellcheck disable=SC2016 # for the guest to expand
expect "status and arguments come through" 7 "a  b 'c" booting \
	-- sh -c 'echo "$1"; exit 7' sh "a  b 'c"
echo content >"$work/file"
expect "a file is put there" 0 content booting \
	--file "$work/file:/a/b/file" -- cat /a/b/file
mkdir -p "$work/root"/{bin,dev,proc,sys,tmp,run,root}
cp "$(command -v busybox)" "$work/root/bin/busybox"
ln -s busybox "$work/root/bin/sh"
expect "a directory becomes the root" 0 ext4 booting \
	--root "$work/root" --file "$work/file:/a/file" -- \
	sh -c 'busybox test -e /a/file && busybox stat -f -c %T / | busybox sed "s,/ext3,,;s,ext2,ext4,"'
expect "a warning fails the run" 125 out "WARNING: made by test-run.sh" \
	-- sh -c 'echo "<4>WARNING: made by test-run.sh" >/dev/kmsg; echo out'
expect "a panic ends it" 125 out "Kernel panic - not syncing: sysrq triggered crash" \
	-- sh -c 'echo out; echo c >/proc/sysrq-trigger; sleep 1000'
expect "a hang ends at the timeout" 124 out "still running after 20 s" \
	--timeout 20 -- sh -c 'echo out; sleep 1000'
expect "no command" 125 "" "no command to run"
expect "no such option" 125 "" "no option '--nonsense'" --nonsense -- true
expect "no such file" 125 "" "no '/nonsense'" --file /nonsense:/a -- true
expect "no such kernel" 125 "" "usage: kernel.sh NAME" --kernel nonsense -- true
exit $failed
