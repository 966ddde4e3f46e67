#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# Take the capture from boot and print its records, a line each: type, time in
# seconds, name of the process. A reader by the ABI header alone.
use strict;
use warnings;
use Fcntl;

sysopen(my $device, '/dev/compactsnoop', O_RDONLY | O_NONBLOCK) or die "open: $!\n";
my $fd = ioctl($device, 0xce08, 0) or die "take: $!\n";
open(my $boot, '<&=', $fd + 0) or die "fdopen: $!\n";
while (sysread($boot, my $records, 64 * 1024)) {
	for my $record (unpack('(a64)*', $records)) {
		my ($type, $part, $parts, $cpu, $ts, $pid, $tid, $comm) =
			unpack('SCCLQLLZ16', $record);
		next if $part;
		printf("%d %.6f %s\n", $type, $ts / 1e9, $type > 2 ? $comm : '-');
	}
}
