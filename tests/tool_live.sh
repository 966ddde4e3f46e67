#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The tool against the real device: rows, ends, and what it says when it cannot
# trace. Written for busybox.

# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

[ "$(id -u)" -eq 0 ] || skip_all "needs root"
command -v compactsnoop >/dev/null || skip_all "no compactsnoop in PATH"
[ -e /dev/compactsnoop ] || skip_all "no /dev/compactsnoop: load compactsnoop.ko first"

dir=$(mktemp -d)
kptr=$(cat /proc/sys/kernel/kptr_restrict)
tool=
# shellcheck disable=SC2317 # it is called, by the trap
cleanup() {
	[ -z "$tool" ] || kill "$tool" 2>/dev/null
	echo "$kptr" >/proc/sys/kernel/kptr_restrict
	rm -r "$dir"
}
trap cleanup EXIT

# start OPTION...: the tool in the background, until its header is there
start() {
	: >"$dir/out"	# here: the one in the background may come too late
	compactsnoop "$@" >"$dir/out" 2>"$dir/err" &
	tool=$!
	until [ -s "$dir/out" ]; do
		kill -0 "$tool" || return 1
		sleep 0.05
	done
}

# rows: those of the process $pid; kcompactd may have had something left to do
rows() {
	awk -v pid="$pid" '$2 == pid' "$dir/out"
}

# all_rows: until there is one a zone, at most 20 s
all_rows() {
	tries=400
	while [ "$(rows | wc -l)" -lt "$zones" ] && [ $((tries -= 1)) -gt 0 ]; do
		sleep 0.05
	done
}

# interrupt: end the tool by a signal; sets status
interrupt() {
	kill -TERM "$tool"
	wait "$tool"
	status=$?
	tool=
}

# What a manual compaction by the process $pid shows: a row a populated zone,
# but for the time that it took and how it ended.
wanted_rows() {
	awk -v pid="$pid" '/^Node/ { node = $2 + 0; zone = $4 }
		$1 == "managed" && $2 > 0 {
			printf "%-14s %-6s %-4s %-12s %-5s %-7s\n", "sh", pid, node,
				"ZONE_" toupper(zone), -1, "SYNC"
		}' /proc/zoneinfo
}

# Nobody compacts of his own accord meanwhile.
proactiveness=/proc/sys/vm/compaction_proactiveness
was=$(cat $proactiveness)
echo 0 >$proactiveness

compact() {
	# shellcheck disable=SC2016 # the inner shell is who compacts
	pid=$(sh -c 'echo 1 >/proc/sys/vm/compact_memory; echo $$')
}

zones=$(awk '$1 == "managed" && $2 > 0' /proc/zoneinfo | wc -l)

start
compact
all_rows
interrupt
expect "a row a zone for a manual compaction" \
	"$(rows | cut -c 1-53)" "$(wanted_rows)"
expect "a signal ends it with status 0" "$status" 0
expect "nothing on standard error" "$(cat "$dir/err")" ""

start -p $$
compact
sh -c "echo 1 >/proc/sys/vm/compact_memory"
echo 1 >/proc/sys/vm/compact_memory
pid=$$
all_rows
interrupt
expect "-p: this process only" \
	"$(sed 1d "$dir/out" | cut -c 16-53)" "$(wanted_rows | cut -c 16-53)"

echo 2 >/proc/sys/kernel/kptr_restrict
start -K
compact
all_rows
interrupt
if grep -q 'no stacks' "$dir/err"; then
	expect "-K without stacks: it is said, once" "$(cat "$dir/err")" \
		"compactsnoop: no stacks: this kernel does not give them to modules"
	expect "-K without stacks: all rows, no stack" \
		"$(sed 1d "$dir/out" | grep "^sh  *$pid \|^	" | cut -c 1-53)" "$(wanted_rows)"
	expect "the kernel says the same" "$(grep -c '^CONFIG_STACKTRACE=y' "/boot/config-$(uname -r)")" 0
else
	expect "-K begins at compact_zone, under kptr_restrict=2" \
		"$(grep -A 1 "^sh  *$pid " "$dir/out" | grep '^	' | sed 's/+0x[0-9a-f]*$//' | sort -u)" \
		"	compact_zone"
	expect "-K: every line a name" "$(grep '^	' "$dir/out" | grep -vc '^	[^ ]*+0x[0-9a-f]*$')" 0
fi

before=$(cut -d ' ' -f 1 /proc/uptime)
compactsnoop -d 0.5 >"$dir/out"
expect "-d with no event: status" $? 0
after=$(cut -d ' ' -f 1 /proc/uptime)
expect "-d with no event ends in time" \
	"$(echo "$before $after" | awk '{ print ($2 - $1 >= 0.5 && $2 - $1 < 30) }')" 1

compactsnoop -p 4194304 >"$dir/out" 2>"$dir/err"
expect "no such process: status" $? 5
expect "no such process: one line" "$(cat "$dir/err")" \
	"compactsnoop: no process has the id 4194304"

max=$(cat /sys/module/compactsnoop/parameters/max_sessions)
holders=
while [ "$max" -gt 0 ]; do
	# shellcheck disable=SC2217 # it holds a session, and need not read it
	sleep 1000 </dev/compactsnoop &
	holder=$!
	holders="$holders $holder"
	until [ "$(readlink /proc/$holder/fd/0)" = /dev/compactsnoop ]; do
		sleep 0.05
	done
	max=$((max - 1))
done
compactsnoop >"$dir/out" 2>"$dir/err"
expect "all sessions taken: status" $? 7
expect "all sessions taken: one line" "$(wc -l <"$dir/err")" 1
# shellcheck disable=SC2086 # a word each
kill $holders
# shellcheck disable=SC2086
wait $holders 2>/dev/null

# With the node open to all, it is the capability that is asked for.
chmod 666 /dev/compactsnoop
su -s /bin/sh nobody -c "compactsnoop" >"$dir/out" 2>"$dir/err"
expect "no capability: status" $? 4
expect "no capability: one line" "$(wc -l <"$dir/err")" 1
chmod 600 /dev/compactsnoop
su -s /bin/sh nobody -c "compactsnoop" >"$dir/out" 2>"$dir/err"
expect "no permission: status" $? 4

echo "$was" >$proactiveness
finish
