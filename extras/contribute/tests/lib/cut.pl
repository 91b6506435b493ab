#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# cut.pl - make the stick as a power cut leaves it, from QEMU's log of its writes (blklogwrites)
#
# usage: cut.pl LOG					print the number of writes in the log
#        cut.pl LOG STICK WRITES [SEED]			apply the first WRITES writes to the file STICK. With SEED, a write
#							that no flush had followed by then is lost with a probability of 1/2
use strict;
use warnings;

my ($path, $stick, $writes, $seed) = @ARGV;
my $flush = 1;
my $discard = 4;
my (@entries, $header);

open(my $log, '<:raw', $path) or die "cut.pl: $path: $!\n";
sub take {
	my $length = shift;
	return undef if read($log, my $bytes, $length) != $length;
	return $bytes;
}

# The first sector describes the log. QEMU writes it later than the entries.
my $sector = 512;
seek($log, $sector, 0);
while (defined($header = take($sector))) {
	my ($at, $sectors, $flags) = unpack('Q<Q<Q<', $header);
	# QEMU writes zeros without their data into the log as a discard.
	my $data = !$sectors ? '' : $flags & $discard ? "\0" x ($sectors * $sector) : take($sectors * $sector);
	last unless defined $data;
	push @entries, [$at * $sector, $data, $flags];
}
if (!defined $stick) {
	print scalar(@entries), "\n";
	exit;
}
$writes = @entries if $writes > @entries;
my $safe = $writes;
if (defined $seed) {
	srand($seed);
	$safe = 0;
	for my $i (0 .. $writes - 1) {
		$safe = $i if $entries[$i][2] & $flush;
	}
}
open(my $out, '+<:raw', $stick) or die "cut.pl: $stick: $!\n";
for my $i (0 .. $writes - 1) {
	next if $i >= $safe && rand() < 0.5;
	seek($out, $entries[$i][0], 0);
	print $out $entries[$i][1];
}
close($out) or die "cut.pl: $stick: $!\n";
