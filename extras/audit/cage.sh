# SPDX-License-Identifier: GPL-2.0
# cage.sh - runs the programs that read a stranger's files (cpp, dtc, acpiexec, awk, ...) in
# tools/bin/cage: without rights, and with limits of time, memory and output.
# shellcheck shell=sh
#
# Needs message.sh.

# Variables that other files set:
: "${here?the command}" "${audit_lib?the command}"

# The directory for temporary files. The command creates it; board.sh has it from the environment.
: "${audit_work=}"
audit_cage=$here/../tools/bin/cage
# Seconds after which a caged program is stopped.
audit_seconds=10
# yes if the kernel has Landlock, so that a caged program cannot read other files.
: "${audit_sealed=}"
audit_acpiexec=$(command -v acpiexec)
audit_cpp=$(command -v cpp)
audit_dtc=$(command -v dtc)
: "$audit_acpiexec" "$audit_cpp" "$audit_dtc"

# need_program PROGRAM PACKAGE WHAT-FOR: dies if PROGRAM, the path of a program, is empty
need_program() {
	[ -n "$1" ] || die "the program for $3 is missing: apt-get install $2"
}

# need_cage: dies without cage. Writes the list of the files that caged programs consist of.
need_cage() {
	[ ! -s "$audit_work/programs" ] || return 0
	need_tools cage
	audit_sealed=$("$audit_cage" -c)
	set -- "$(command -v awk)" "$(command -v find)" "$(command -v grep)" "$(command -v xargs)"
	[ -z "$audit_cpp" ] || set -- "$@" "$audit_cpp" "$("$audit_cpp" -print-prog-name=cc1)"
	[ -z "$audit_dtc" ] || set -- "$@" "$audit_dtc"
	[ -z "$audit_acpiexec" ] || set -- "$@" "$audit_acpiexec"
	{
		printf '%s\n' "$@" /etc/ld.so.cache /dev/null
		ldd "$@" | awk '{ for (i = 1; i <= NF; i++) if ($i ~ /^\/[^:]*$/) print $i }'
	} | sort -u >"$audit_work/programs"
}

# caged DIR PROGRAM [ARG]...: runs PROGRAM, which can read only files below DIR
caged() {
	"$audit_cage" -t "$audit_seconds" -l "$audit_work/programs" "$@"
}

# caged_awk DIR FILE ARG...: runs FILE of extras/audit with awk in DIR
caged_awk() {
	caged_in=$1
	caged_text=$(cat "$audit_lib/$2")
	shift 2
	caged "$caged_in" "$(command -v awk)" "$caged_text" "$@"
}

# said_in FILE: prints why a caged program failed: the reason that cage gives, or the first line of the
# program's messages
said_in() {
	awk 'sub(/^cage: /, "") { print; found = 1; exit }
		NF && first == "" { first = $0 }
		END { if (!found) print first == "" ? "no reason given" : first }' "$1"
}
