#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# In a VM: what a locked-down kernel refuses, and that compactsnoop still shows
# everything. Written for busybox. See run.sh, which put the files there.
# usage: guest.sh unsigned|signed
#
# unsigned: the module is loaded while that is allowed, and then the kernel is
# locked down. signed: the kernel is locked down from its boot on and takes
# modules with a trusted signature alone.
# shellcheck disable=SC2317 # check calls the functions

cd /lockdown || exit 1
# shellcheck source=tests/tap.sh
. ./tap.sh
mode=$1
tracing=/sys/kernel/tracing
event=$tracing/events/compaction/mm_compaction_end/enable
mount -t securityfs securityfs /sys/kernel/security

patience=1500	# seconds for the seed; an emulated machine on a busy one is slow

# seed_traces: within patience, it gets so far as to print its header
seed_traces() {
	: >seed.out
	python3 -u seed.py -T -e -K >seed.out 2>&1 &
	seed=$!
	deadline=$(($(date +%s) + patience))
	until grep -q LAT seed.out; do
		if ! kill -0 "$seed" 2>/dev/null || [ "$(date +%s)" -ge "$deadline" ]; then
			break
		fi
		sleep 0.5
	done
	cat seed.out
	kill "$seed" 2>/dev/null
	wait "$seed"
	grep -q LAT seed.out
}

# seed_refused: it ends, as its BPF may not read the kernel's memory; the
# verifier says so, in place of the kernel's "Operation not permitted"
seed_refused() {
	! seed_traces && grep -F 'cannot use helper bpf_probe_read_kernel' seed.out
}

# refused COMMAND: by the shell's or the command's own words
refused() {
	says "peration not permitted" sh -c "$1"
}

# addresses: how many of kallsyms are not zero
addresses() {
	grep -vc '^0* ' /proc/kallsyms
}

locked() {
	cat /sys/kernel/security/lockdown
	grep -F '[confidentiality]' /sys/kernel/security/lockdown
}

seed_check() {
	if [ -e seed.py ]; then
		check "$@"
	else
		result ok "$1 # SKIP no seed, or no python3-bpfcc; see run.sh"
	fi
}

# What compactsnoop prints while memory is compacted for every reason there is.
# Two manual compactions by this very shell are for rows that are known before.
record() {
	: >rows
	compactsnoop -T -e -K >rows 2>errors &
	tool=$!
	until [ -s rows ]; do
		kill -0 "$tool" || return 1
		sleep 0.1
	done
	workload fragment thp kcompactd fragment proactive compact >workload.out 2>&1 || return 1
	echo 1 >/proc/sys/vm/compact_memory
	zones=$(grep -c '^ *managed *[1-9]' /proc/zoneinfo)
	tries=400
	until [ "$(grep -c "^[0-9].* $$  *[0-9].* -1 " rows)" -ge "$zones" ]; do
		[ $((tries -= 1)) -gt 0 ] || break
		sleep 0.05
	done
	kill -INT "$tool"
	wait "$tool"
}

# A row's words: TIME COMM PID NODE ZONE ORDER MODE FRAGIDX MIN LOW HIGH FREE
# LAT STATUS. Of what is known of it, its origin has functions that every stack
# of it passes through; these are called across files, so none is inlined.
origin_has_rows() {
	awk -v origin="$1" -v comm="$2" -v manual="$3" -v function_="$4" '
		/^[0-9]/ {
			ours = $2 ~ comm && ($6 < 0) == manual
			rows += ours
		}
		ours && $0 ~ "^\t" function_ "[+]" { through++ }
		END {
			printf "%d rows of %s, %d through %s\n", rows, origin, through, function_
			exit !(rows > 0 && rows == through)
		}' rows
}

every_row_whole() {
	awk '
		/^TIME/ { next }
		/^[0-9]/ {
			rows++
			if (NF != 14 || $9 <= 0 || $10 < $9 || $11 < $10 || $12 <= 0 || $13 <= 0)
				bad("no such state of a zone")
			first = 1
			next
		}
		/^\t/ {
			if (first && $0 !~ /^\tcompact_zone\+0x/)
				bad("does not begin at compact_zone")
			if ($0 !~ /^\t[a-zA-Z_][^ ]*\+0x[0-9a-f]+$/)
				bad("no symbol and offset")
			frames += first
			first = 0
			next
		}
		/./ { bad("neither row nor stack") }
		function bad(why) { print why ": " $0; failed = 1 }
		END {
			printf "%d rows, %d with a stack\n", rows, frames
			exit failed || !rows || rows != frames
		}' rows
}

manual_rows() {
	# The zones that have pages, in order, and those of the rows of this shell.
	awk '/^Node/ { zone = $4 } $1 == "managed" && $2 > 0 { print "ZONE_" toupper(zone) }' \
		/proc/zoneinfo >zones
	awk -v pid=$$ '$3 == pid && $6 == -1 { print $5 }' rows >zones.rows
	diff zones zones.rows
}

some_index() {
	awk '/^[0-9]/ && $6 > 0 && $8 > 0 && $8 <= 1 { n++ } END { print n + 0; exit !n }' rows
}

if [ "$mode" = unsigned ]; then
	check "before: the module loads, unsigned" insmod compactsnoop.ko
	check "before: it is refused a second time only as it is there" \
		says "File exists" insmod compactsnoop.ko
	seed_check "before: the seed traces" seed_traces
	check "before: tracefs enables an event" sh -c "echo 1 >$event && echo 0 >$event"
	check "before: kallsyms shows addresses" [ "$(addresses)" -gt 1000 ]
	echo confidentiality >/sys/kernel/security/lockdown
fi

check "the kernel is locked down" locked
if [ "$mode" = unsigned ]; then
	seed_check "the seed is refused" seed_refused
	check "tracefs: no event can be enabled" refused "echo 1 >$event"
	check "tracefs: the trace cannot be read" refused "cat $tracing/trace"
else
	# Locked down from boot on, the kernel does not even make the files.
	check "tracefs: there is no event" [ ! -e $event ]
	check "tracefs: there is no trace" [ ! -e $tracing/trace ]
fi
check "an unsigned insmod is refused" says "$(
	[ "$mode" = unsigned ] && echo "not permitted" || echo "Key was rejected"
)" insmod compactsnoop.ko
echo 2 >/proc/sys/kernel/kptr_restrict
echo 4 >/proc/sys/kernel/perf_event_paranoid
check "kptr_restrict is 2, perf_event_paranoid 4" \
	[ "$(cat /proc/sys/kernel/kptr_restrict /proc/sys/kernel/perf_event_paranoid | tr '\n' ' ')" = "2 4 " ]
check "kallsyms shows zeros" [ "$(addresses)" -eq 0 ]

if [ "$mode" = signed ]; then
	mkdir -p "/lib/modules/$(uname -r)"
	cp compactsnoop.ko "/lib/modules/$(uname -r)/"
	depmod
	check "modprobe of the unsigned module: the tool says why it fails" \
		says "no key that it trusts has signed it" compactsnoop -d 0.1
	cp other.ko "/lib/modules/$(uname -r)/compactsnoop.ko"
	check "signed with a key that is not trusted, it is refused, too" \
		says "no key that it trusts has signed it" compactsnoop -d 0.1
	cp signed.ko "/lib/modules/$(uname -r)/compactsnoop.ko"
	check "signed with the kernel's key, the tool loads it" compactsnoop -d 0.1
fi

check "compactsnoop -T -e -K while memory is compacted" record
check "it says nothing else" [ ! -s errors ]
check "direct: rows and stacks" origin_has_rows direct workload 0 try_to_compact_pages
check "kcompactd: rows and stacks" origin_has_rows kcompactd kcompactd 0 kthread
check "proactive: rows and stacks" origin_has_rows proactive kcompactd 1 kthread
check "manual: rows and stacks" origin_has_rows manual workload 1 vfs_write
check "a row a zone for the manual compaction of this shell" manual_rows
check "every row with the zone's state and a stack of symbols" every_row_whole
check "fragmentation indexes" some_index
check "no address of the kernel's" sh -c '! grep -Ei "\bf{4}[0-9a-f]{12}\b" rows'
check "the module unloads" rmmod compactsnoop
sed -n '2,3p' rows | sed 's/^/# /'
finish
