#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# monitor.pl SOCKET COMMAND... - send commands to QEMU's monitor, and wait until each has been executed
use strict;
use warnings;
use IO::Socket::UNIX;

my $path = shift or die "monitor.pl: name a socket\n";
my $socket = IO::Socket::UNIX->new(Peer => $path) or die "monitor.pl: $path: $!\n";
$socket->autoflush(1);

sub until_prompt {
	my $text = '';
	until ($text =~ /\(qemu\) $/) {
		sysread($socket, my $some, 4096) or last;
		$text .= $some;
	}
	return $text;
}

until_prompt();
for my $command (@ARGV) {
	print $socket "$command\n";
	until_prompt();
}
