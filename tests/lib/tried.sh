# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# tried.sh - print what the tests that try many commands try of extras: the lines of extras/*/tests/tried.
#
#	recording COMMAND...		a command that takes a recording's directory as its next argument
#	text COMMAND...			a command that takes a file of text
#	foreign COMMAND... FILE		a command that takes FILE of the directory of directories_foreign_base
#	machine COMMAND...		a command that reads the machine in WAKELAT_ROOT
#	points COMMAND...		a command that takes the directory of a sweep
#	counts COMMAND...		a command that takes a directory of counts
#	sealed PROGRAM ARGUMENT...	a program in tools/bin that reads counts, in ARGUMENT `counts` or `list` as in fuzz/sealed.c; WORK is
#					a directory
#	damaged PROGRAM NAME		a program that reads NAME.dat of tests/long/fuzz.t, which is damaged
#	format PROGRAM			a program in tools/bin that reads a text of another tool, and writes two files: its other arguments
#	program PROGRAM			a program in tools/bin that one of these commands runs

: "${top:?}"

# tried_of_extras KIND: print the lines of this kind, without KIND
tried_of_extras() {
	for tried_file in "$top"/extras/*/tests/tried; do
		[ ! -e "$tried_file" ] || sed -n "s/^$1 //p" "$tried_file"
	done
}
