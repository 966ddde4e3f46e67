#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Inside the VM: the seed, compactsnoop and the kernel's own trace watch one
# workload. See oracle.sh, which put the files into /oracle.
#
# What each wrote comes out with its name before every line; the rest is for
# people. A manual compaction before and one after the workload, of which both
# printed every row, say where the rows to compare begin and end.
# Status 3: the seed did not start; what it said is printed.

# Memory gets scarce. To the kernel the pages of running programs are cache that
# it can take back, and the workload fills what they have; so what runs here is
# copied to where pages stay.
if [ "$0" != /tmp/oracle/guest.sh ]; then
	cp -a /oracle /tmp/oracle
	cp /bin/busybox /tmp/oracle/
	mkdir /tmp/oracle/bin
	/tmp/oracle/busybox --install -s /tmp/oracle/bin
	PATH=/tmp/oracle/bin:$PATH exec /tmp/oracle/busybox sh /tmp/oracle/guest.sh
fi
cd /tmp/oracle || exit 1

patience=600	# seconds for anything here; an emulated machine on a busy one is slow
tracing=/sys/kernel/tracing/instances/oracle

# Everything that was written, each line with its writer's name.
dump() {
	sed 's/^/ours|/' ours
	sed 's/^/seed|/' seed
	sed 's/^/ours.err|/' ours.err
	sed 's/^/seed.err|/' seed.err
	sed 's/^/witness|/' "$tracing/trace"
	grep -H . "$tracing"/per_cpu/*/stats | grep -E 'overrun|dropped' | sed 's/^/witness.stats|/'
}

die() {
	status=$1
	shift
	echo "guest.sh: $*"
	dump
	exit "$status"
}

# until_true WHAT COMMAND...: the condition, not a time, ends the wait
until_true() {
	what=$1
	shift
	deadline=$(($(date +%s) + patience))
	until "$@"; do
		[ "$(date +%s)" -lt $deadline ] || die 1 "no $what in $patience s"
		kill -0 "$ours" 2>/dev/null || die 1 "compactsnoop ended"
		kill -0 "$seed" 2>/dev/null || die 3 "the seed ended"
		sleep 0.5	# more often would slow down what is waited for
	done
}

# A zone that is not there, or empty, is not compacted.
zones=$(grep -c '^ *managed *[1-9]' /proc/zoneinfo)

# printed_by PROGRAM PID: every row, the last one's stack and empty line, too
printed_by() {
	[ "$(grep -c "canary  *$2 " "$1")" -ge "$zones" ] && [ -z "$(tail -n 1 "$1")" ]
}

seen_by_both() {
	printed_by ours "$1" && printed_by seed "$1"
}

canary() {
	./canary &
	bird=$!
	wait $bird
}

# The seed attaches its probes some time after its header; until then it misses
# canaries, so they are sent until one was seen.
first_canary() {
	canary
	tries=20
	until seen_by_both $bird; do
		[ $((tries -= 1)) -gt 0 ] || return 1
		sleep 0.2
	done
}

printf '#!/bin/sh\necho 1 >/proc/sys/vm/compact_memory\n' >canary
chmod +x canary

insmod compactsnoop.ko || exit 1

# The witness: the kernel's own account of the same tracepoints and function.
mkdir "$tracing" || exit 1
# shellcheck disable=SC2016 # the kernel's $
echo 'r:oracle/fragmentation_index fragmentation_index value=$retval:s32' \
	>/sys/kernel/tracing/kprobe_events || exit 1
echo mono >"$tracing/trace_clock"
echo 2048 >"$tracing/buffer_size_kb"
for event in compaction/mm_compaction_suitable compaction/mm_compaction_begin \
	compaction/mm_compaction_end oracle/fragmentation_index; do
	echo 1 >"$tracing/events/$event/enable" || exit 1
done

start=$(date +%s)
./compactsnoop -T -e -K >ours 2>ours.err &
ours=$!
python3 -u locked.py seed.py -T -e -K >seed 2>seed.err &
seed=$!
until_true "header of the seed's" grep -q LAT seed
until_true "canary that both saw" first_canary
# The first time, code is slow: it has to be read and translated.
canary
until_true "second canary" seen_by_both $bird
echo "begin|$bird"
# Memory gets scarce; then it is to be the workload that is killed.
echo -1000 >/proc/$ours/oom_score_adj
echo -1000 >/proc/$seed/oom_score_adj
echo "seed ready after $(($(date +%s) - start)) s"
grep -H Rss /proc/$ours/smaps_rollup /proc/$seed/smaps_rollup

# The workload fills what the kernel says is available. That includes the slabs
# of tracefs, which are pinned: 15 MB that are not there. Higher watermarks make
# it say less.
echo 100 >/proc/sys/vm/watermark_scale_factor

# bring PATTERN STEP...: rounds of the workload until the seed has such a row.
# Whether a round brings what it is for is the kernel's decision (it defers what
# failed before); what is missing in the end, compare.py says.
bring() {
	pattern=$1
	min_free=$(cat /proc/sys/vm/min_free_kbytes)
	shift
	rounds=3
	until echo 3 >/proc/sys/vm/drop_caches && ./workload "$@" && sleep 0.5 && grep -qE "$pattern" seed; do
		[ $((rounds -= 1)) -gt 0 ] || break
		# A workload that was killed has not put it back.
		echo "$min_free" >/proc/sys/vm/min_free_kbytes
	done
}

bring 'kcompactd.* 9 +SYNC' fragment kcompactd
bring 'workload.* 9 +ASYNC' fragment thp
bring 'workload.* 9 +SYNC' fragment hugepages
bring 'kcompactd.* -1 +SYNC' fragment proactive
bring 'workload.* -1 +SYNC' fragment stale

canary
until_true "last canary" seen_by_both $bird
echo "end|$bird"
kill $ours $seed
wait $ours $seed 2>/dev/null
echo "all of it took $(($(date +%s) - start)) s"

dump
