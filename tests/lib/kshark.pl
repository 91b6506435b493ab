# SPDX-License-Identifier: GPL-2.0
# kshark.pl WIDTH FIRST LAST FILE.rgb: check position and colour of KernelShark's bars. FIRST and LAST are the recording's first
# and last time (ns). stdin has all samples, one per line:
#
#	GRAPH STATE TBI LTIME TAI TINTR TAINTED MARKED
#
# GRAPH counts from 0, from the top. MARKED is the time of the marker's tip, or "-". Prints what is wrong, or nothing.
use strict;
use warnings;

# Silent time, wake latency, interrupt latency: 45, 100 and 20 % of Okabe and Ito's colours on white.
my @colors = (
	[qw(d1d1d1 999999 ebebeb)], [qw(f4d48d e69f00 faeccc)], [qw(b3def6 56b4e9 def0fb)], [qw(8dd4c0 009e73 ccece3)],
);
my $dark = '202020';

my ($width, $first, $last, $name) = @ARGV;
open my $file, '<:raw', $name or die "$name: $!\n";
my $pixels = do { local $/; <$file> };
my $height = length($pixels) / 3 / $width;

sub pixel { my ($x, $y) = @_; return unpack 'H6', substr $pixels, 3 * ($y * $width + $x), 3 }

# Return the longest stretch of black pixels in a row.
sub black {
	my ($y) = @_;
	my @best = (0, 0);
	my $row = join '', map { pixel($_, $y) eq '000000' ? '#' : ' ' } 0 .. $width - 1;
	while ($row =~ /#+/g) { @best = ($-[0], $+[0]) if $+[0] < $width && $+[0] - $-[0] > $best[1] - $best[0] }
	return @best;
}

# Find the time axis, then each graph's base line. Each is at least two rows high. Outside the window the screen is black.
my (@lines, $before);
for my $y (0 .. $height - 1) {
	next if index(substr($pixels, 3 * $y * $width, 3 * $width), "\0" x 900) < 0;
	my ($left, $right) = black($y);
	next if $right - $left < 300;
	push @lines, [$y, $left, $right] if !defined $before || $y > $before + 2;
	$before = $y;
}
my ($axis, @graphs) = @lines;
if (!@graphs) {
	print "no graph\n";
	exit;
}
my ($left, $right) = @$axis[1, 2];
$left++;	# the tick is two pixels wide

sub place { my ($time) = @_; return $left + ($right - $left) * ($time - $first) / ($last - $first) }

my $wrong = 0;
sub wrong { printf "graph %d, sample from %s: %s\n", @_ if $wrong++ < 20 }

my (%seen);
while (<STDIN>) {
	next if !/\S/;
	my ($graph, $state, $tbi, $ltime, $tai, $tintr, $tainted, $marked) = split;
	my $line = $graphs[$graph];
	if (!$line) {
		wrong($graph, $tbi, 'no such graph');
		next;
	}
	my $base = $line->[0];
	my @edges = map { place($_) } $tbi, $ltime, $tai, $tintr;
	my ($dark_ones, $all) = (0, 0);
	for my $part (0 .. 2) {
		my ($from, $to) = @edges[$part, $part + 1];
		my $color = $colors[$state][$part];
		next if $to - $from < 6;
		for my $y ($base - 6, $base - 12) {
			# One or two pixels at each edge may belong to either side. The event's own tick is three pixels wide,
			# and black.
			for my $x (int($from + 3) .. int($to - 4)) {
				my $got = pixel($x, $y);
				$all++;
				$dark_ones += $got eq $dark;
				wrong($graph, $tbi, "part $part has $got at $x, not $color")
					if $got ne $color && !($tainted && $got eq $dark);
			}
			for my $x ($from - 3, $to + 3) {
				wrong($graph, $tbi, "part $part reaches $x")
					if $x > $left && $x < $right && pixel(int($x), $y) eq $color;
			}
		}
	}
	my $share = $all ? $dark_ones / $all : 0;
	wrong($graph, $tbi, "hatched: $share") if $all && ($tainted ? $share < .1 || $share > .4 : $share > 0);
	# A marked sample has the tip of a triangle above it; the triangle's base is ten pixels wide.
	my $end = int($marked eq '-' ? $edges[2] : place($marked));
	my $top = $base - 6;
	$top-- while $top > 0 && $base - $top < 60 && pixel(int(($edges[0] + $edges[1]) / 2), $top) =~ /^(?:$dark|$colors[$state][0])$/;
	my $triangle = grep { pixel($_, $top - 8) eq $dark } $end - 6 .. $end + 6;
	wrong($graph, $tbi, "marked: $triangle pixels at $end")
		if $edges[1] - $edges[0] >= 6 && ($marked eq '-' ? $triangle : $triangle < 6 || $triangle > 12);
	$seen{$graph}{int $_} = 1 for int($edges[0] - 3) .. int($edges[3] + 3);
}
# There must be no bar where there is no sample.
for my $graph (0 .. $#graphs) {
	my $y = $graphs[$graph][0] - 6;
	for my $x ($left + 4 .. $right - 1) {
		my $got = pixel($x, $y);
		wrong($graph, '-', "something is at $x: $got")
			if !$seen{$graph}{$x} && grep { $got eq $_ } $dark, map { @$_ } @colors;
	}
}
