#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# buddystat against the real device: the same allocations counted live, from a
# recording, from boot, from ftrace's text and from trace-cmd's. Written for
# busybox.

# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

tracing=/sys/kernel/tracing
event=events/kmem/mm_page_alloc
[ "$(id -u)" -eq 0 ] || skip_all "needs root"
command -v buddystat >/dev/null || skip_all "no buddystat in PATH"
[ -e /dev/compactsnoop ] || skip_all "no /dev/compactsnoop: load compactsnoop.ko first"
[ -e $tracing/$event ] || skip_all "no tracefs with $event"

dir=$(mktemp -d)
running=
# shellcheck disable=SC2317 # it is called, by the trap
cleanup() {
	# shellcheck disable=SC2086 # a word each
	[ -z "$running" ] || kill $running 2>/dev/null
	rmdir "$tracing"/instances/csn-* 2>/dev/null
	rm -r "$dir"
}
trap cleanup EXIT

# until_true COMMAND: at most 60 s
until_true() {
	tries=1200
	until eval "$1" || [ $((tries -= 1)) -eq 0 ]; do
		sleep 0.05
	done
}

# A process that allocates when told to: memory, pipes, child processes.
# Sets worker, its pid.
start_worker() {
	mkfifo "$dir/go"
	# shellcheck disable=SC2016 # for the shell that runs it
	sh -c 'printf "a [001] 1-2" >/proc/$$/comm
		read -r go
		text=0123456789abcdef
		for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do text=$text$text; done
		for i in 0 1 2 3 4; do (:); echo | cat >/dev/null; done' <"$dir/go" &
	worker=$!
	exec 5>"$dir/go"
	until_true "grep -q '1-2' /proc/$worker/comm"
}

run_worker() {
	echo go >&5
	exec 5>&-
	wait "$worker"
	rm "$dir/go"
}

# start NAME COMMAND...: in the background; its pid is in $pid
start() {
	name=$1
	shift
	"$@" >"$dir/$name.out" 2>"$dir/$name.err" &
	pid=$!
	running="$running $pid"
}

# interrupt NAME PID: expect that it ends well by a signal
interrupt() {
	kill -INT "$2"
	wait "$2"
	expect "$1: a signal ends it with status 0" $? 0
}

# instance NAME: an ftrace buffer for the worker's allocations
instance() {
	mkdir "$tracing/instances/$1"
	echo 8192 >"$tracing/instances/$1/buffer_size_kb"
	echo "$worker" >"$tracing/instances/$1/set_event_pid"
	echo 1 >"$tracing/instances/$1/$event/enable"
}

# orders OPTION...: how many allocations of each order buddystat finds, in all
orders() {
	buddystat --csv "$@" 2>"$dir/err" | sum
	sed 's/^/# /' "$dir/err" >&2
}

sum() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; next }
		{ for (i = 1; i <= NF; i++) if (name[i] ~ /^order|^failed$/) sum[i] += $i }
		END { for (i = 1; i <= NF; i++) if (sum[i]) print name[i] ": " sum[i] }'
}

start_worker
instance csn-trace
instance csn-pipe
cat $tracing/instances/csn-pipe/trace_pipe >"$dir/pipe.txt" &
pipe=$!
running="$running $pipe"
start live buddystat --csv -p "$worker" 1000
live=$pid
start record buddystat -p "$worker" record "$dir/record"
record=$pid
start by buddystat --by comm --csv -p "$worker" 1000
by=$pid
trace_cmd=
if command -v trace-cmd >/dev/null; then
	start trace-cmd trace-cmd record -e kmem:mm_page_alloc -P "$worker" -o "$dir/trace.dat"
	trace_cmd=$pid
	until_true "grep -q 1 $tracing/$event/enable"
	until_true "[ -e $dir/trace.dat.cpu0 ]"
	# Off since it began, on when it has set the filter.
	until_true "grep -q 1 $tracing/tracing_on"
fi
until_true "[ -s $dir/live.out ] && [ -s $dir/record ] && [ -s $dir/by.out ]"
run_worker

interrupt live "$live"
interrupt record "$record"
interrupt "by process" "$by"
# What is still on its way through the pipe.
until_true "[ -z \"\$(cat $tracing/instances/csn-pipe/per_cpu/cpu*/stats | grep '^entries: [1-9]')\" ]"
kill $pipe
wait $pipe 2>/dev/null
[ -z "$trace_cmd" ] || interrupt trace-cmd "$trace_cmd"
cat $tracing/instances/csn-trace/trace >"$dir/trace.txt"

# The counts by order, side by side. All of them see the same tracepoint and
# the same process, so there is no difference to explain.
sum <"$dir/live.out" >"$dir/live"
orders -i "$dir/record" >"$dir/replay"
orders -i "$dir/trace.txt" >"$dir/trace"
orders -i "$dir/pipe.txt" >"$dir/pipe"
sum <"$dir/by.out" >"$dir/by"
grep -c 'mm_page_alloc: ' "$dir/trace.txt" >"$dir/lines"
for source in live replay trace pipe by; do
	echo "# $source: $(tr '\n' ' ' <"$dir/$source")"
done
expect "there is something to compare" "$([ "$(cat "$dir/lines")" -gt 100 ] && echo yes)" yes
expect "as many as grep finds" \
	"$(sed 's/.*: //' "$dir/trace" | awk '{ n += $1 } END { print n }')" "$(cat "$dir/lines")"
for source in replay trace pipe by; do
	expect "live and $source: the same" "$(cat "$dir/live")" "$(cat "$dir/$source")"
done
if [ -n "$trace_cmd" ]; then
	trace-cmd report -i "$dir/trace.dat" >"$dir/trace-cmd.txt" 2>/dev/null
	orders -i "$dir/trace-cmd.txt" >"$dir/trace-cmd"
	echo "# trace-cmd: $(tr '\n' ' ' <"$dir/trace-cmd")"
	expect "live and trace-cmd: the same" "$(cat "$dir/live")" "$(cat "$dir/trace-cmd")"
fi
expect "the name of the process" "$(sed -n 2p "$dir/by.out" | grep -o 'a \[001\] 1-2')" \
	"a [001] 1-2"
expect "live: nothing on standard error" "$(cat "$dir/live.err")" ""
rmdir $tracing/instances/csn-trace $tracing/instances/csn-pipe

# Idle is zeros, not a gap.
start_worker
expect "idle rows" "$(buddystat --csv -p "$worker" 0.3 3 | cut -d, -f 3-13)" \
	"$(echo order0,order1,order2,order3,order4,order5,order6,order7,order8,order9,order10
	for _ in 1 2 3; do echo 0,0,0,0,0,0,0,0,0,0,0; done)"
run_worker

# The capture from boot, which here is the load of the module.
ko=${COMPACTSNOOP_KO:-/lib/modules/$(uname -r)/compactsnoop.ko}
if [ -e "$ko" ] && rmmod compactsnoop; then
	start_worker
	instance csn-trace
	insmod "$ko" boot_events=page_alloc boot_ring_kb=8192
	run_worker
	buddystat --boot --csv -p "$worker" >"$dir/boot.out" 2>"$dir/boot.err"
	expect "--boot: status" $? 0
	cat $tracing/instances/csn-trace/trace >"$dir/trace.txt"
	orders -i "$dir/trace.txt" >"$dir/trace"
	sum <"$dir/boot.out" >"$dir/boot"
	echo "# boot: $(tr '\n' ' ' <"$dir/boot")"
	expect "--boot and ftrace: the same" "$(cat "$dir/boot")" "$(cat "$dir/trace")"
	buddystat --boot >"$dir/out" 2>"$dir/err"
	expect "--boot again: it has been taken" $? 7
	rmdir $tracing/instances/csn-trace
	rmmod compactsnoop
	insmod "$ko"
	buddystat --boot >"$dir/out" 2>"$dir/err"
	expect "--boot without a capture" $? 1
fi

finish
