# SPDX-License-Identifier: GPL-2.0
# overlap.pl - read the output of pdftotext -bbox for a figure, and print a line for each word that covers another word or the
# edge. With a png as argument, print the json that tests/lib/figures.js reads instead.
use strict;
use warnings;
use MIME::Base64;

my ($width, $height, @words);
while (<STDIN>) {
	($width, $height) = ($1, $2) if /<page width="([\d.]+)" height="([\d.]+)"/;
	next unless m{<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*)</word>};
	my ($left, $top, $right, $bottom, $text) = ($1, $2, $3, $4, $5);
	# Make the box smaller: the ink of a line of text is less high than the line.
	my $upright = $bottom - $top > $right - $left && length $text > 2;
	my ($x, $y) = $upright ? (0.2 * ($right - $left), 0.2) : (0.2, 0.2 * ($bottom - $top));
	push @words, [$text, $left + $x, $top + $y, $right - $x, $bottom - $y];
}
@words > 3 or print "hardly any text\n";
if (@ARGV) {
	open my $png, '<:raw', $ARGV[0] or die;
	local $/;
	my @json = map {
		my ($text, @at) = @$_;
		$text =~ s/["\\\\]/?/g;
		sprintf '["%s",%.5f,%.5f,%.5f,%.5f]', $text, $at[0] / $width, $at[1] / $height, $at[2] / $width, $at[3] / $height;
	} grep { $_->[0] =~ /[A-Za-z0-9]/ } @words;
	printf '{"png":"%s","words":[%s]}', encode_base64(<$png>, ''), join ',', @json;
	exit;
}
for my $i (0 .. $#words) {
	my ($text, $left, $top, $right, $bottom) = @{$words[$i]};
	print "'$text' is cut at the edge\n" if $left < 0 || $top < 0 || $right > $width || $bottom > $height;
	for my $other (@words[$i + 1 .. $#words]) {
		my ($also, $from, $above, $to, $below) = @$other;
		print "'$text' over '$also'\n" if $left < $to && $from < $right && $top < $below && $above < $bottom;
	}
}
