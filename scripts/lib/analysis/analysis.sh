# SPDX-License-Identifier: GPL-2.0
# analysis.sh - what dump, stats, plot and report share: a run directory, and who makes what in it.
# shellcheck shell=sh
# shellcheck disable=SC2154  # $here, from the caller
#
#	trace.dat --dump--> samples.tsv --stats--> stats.tsv --plot, report--> figures/ report.html
#
# Needs message.sh and $here, the directory that has commands/.

# shellcheck source=scripts/lib/common/trust.sh
. "$here/lib/common/trust.sh"
# shellcheck source=scripts/lib/common/place.sh
. "$here/lib/common/place.sh"

tools=$here/../tools/bin
status_incomplete=3

# The programs' messages begin like the command's.
export WAKELAT_PROGRAM="$me"

# need_tools NAME...
need_tools() {
	for need_tool; do
		[ -x "$tools/$need_tool" ] || die "tools/bin/$need_tool is not built: run make -C tools"
	done
}

# The work directory is the caller's own; what it was writing is gone when it fails.
work=

analysis_leave() {
	leave_status=$?
	trap '' HUP INT TERM PIPE XFSZ
	trap - EXIT
	[ -z "$work" ] || rm -rf "$work"
	[ -z "$placing" ] || rm -rf "$placing"
	exit "$leave_status"
}

make_work() {
	trap analysis_leave EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	# The table piped into head; a limit on the size of files.
	trap 'exit 141' PIPE
	trap 'exit 153' XFSZ
	must_trust place "${TMPDIR:-/tmp}" "set TMPDIR to a directory of your own"
	work=$(mktemp -d "${TMPDIR:-/tmp}/wakelat.XXXXXX") || die "no temporary directory can be made"
}

# take_place ARGUMENT: sets $place. With ./ in front, -x is no option to any tool and a=b no assignment to awk;
# what a slash ends has no NAME.partial beside it.
take_place() {
	place=$1
	while :; do
		case $place in
		?*/) place=${place%/} ;;
		*) break ;;
		esac
	done
	case $place in
	/* | ./* | ../*) ;;
	*) place=./$place ;;
	esac
}

# take_output_file ARGUMENT: the same for a file that the user has named, which may be a device or a pipe as well.
output_named=
take_output_file() {
	take_place "$1"
	[ ! -d "$place" ] || die "$1: a directory, and what is to be written is a file"
	output_named=$place
	written_into "$place" || check_place "$place"
}

# same_file FILE FILE: by whatever names
same_file() {
	same_file=$(readlink -f "$1") && [ "$same_file" = "$(readlink -f "$2")" ]
}

# written_into FILE: is it a device or a pipe that the user has named? A file in its place would be a file, and the
# device gone. One that a recording has in the place of a file is neither written nor replaced.
written_into() {
	[ "$1" = "$output_named" ] || return
	case $1 in
	/dev/std* | /dev/fd/* | /proc/self/fd/*) return 0 ;;
	esac
	[ -e "$1" ] && [ ! -f "$1" ] && [ ! -d "$1" ] && [ ! -L "$1" ]
}

# begin FILE: sets $partial, where to write what is not whole yet; nobody else can.
begin() {
	written_into "$1" || check_place "$1"
	partial=$work/partial
}

# finish FILE: $partial is whole, and becomes FILE.
finish() {
	if written_into "$1"; then
		[ -w "$1" ] && cat "$partial" >"$1" 2>/dev/null
	else
		put_file "$partial" "$1"
	fi || die "${1#./} cannot be written"
	rm -f "$partial"
}

# write_output FILE OUTPUT: a file of the work directory becomes OUTPUT, whole or not at all.
write_output() {
	if written_into "$2"; then
		[ -w "$2" ] && cat "$1" >"$2" 2>/dev/null
	else
		put_file "$1" "$2"
	fi || die "${2#./} cannot be written"
}

# What ends a field of a table, or its row.
tab=$(printf '\t')
newline='
'

# Can the command do with a histogram.tsv in place of samples?
histograms=no

# check_files: what a recording has are files of its own, and of a size that awk can be given. A link would bring in, and
# into a report, what is somebody else's; a pipe would be waited for.
check_files() {
	for check_file in "$dir"/*.tsv "$dir"/trace*.dat "$dir"/cpuidle.txt "$dir"/report.html; do
		[ ! -e "$check_file" ] && [ ! -L "$check_file" ] || set -- "$@" "$check_file"
	done
	[ $# -gt 0 ] || return 0
	trusted_files "$@" || die "not trusted: $distrust: look at it, and remove it or copy what it stands for"
	# The testbed's logs are read by nothing here, and may be longer than what is.
	set --
	for check_file in "$dir"/*.tsv; do
		case ${check_file##*/} in
		truth*) ;;
		*) [ ! -e "$check_file" ] || set -- "$@" "$check_file" ;;
		esac
	done
	[ $# -eq 0 ] || {
		need_tools bounds
		"$tools/bounds" "$@" || exit
	}
}

# take_directory ARGUMENT: sets $dir
take_directory() {
	take_place "$1"
	dir=$place
	case $dir/$(data_set 2>/dev/null) in
	*"$tab"* | *"$newline"*) die "a directory with a TAB or a line break in its name: no table can hold it" ;;
	esac
	[ -e "$dir" ] || die "$1: no such directory"
	[ -d "$dir" ] || die "$1: not a directory; give the one that wakelat record wrote"
	must_trust directory "$dir" "copy it (cp -R), or run this as its owner"
	check_files
	[ -e "$dir/samples.tsv" ] || [ -e "$dir/trace.dat" ] || [ ! -e "$dir/histogram.tsv" ] || [ "$histograms" = yes ] ||
		die "$1: a histogram: it has no single samples, so only wakelat stats and plot can say something about it"
	[ -e "$dir/samples.tsv" ] || [ -e "$dir/trace.dat" ] || [ -e "$dir/histogram.tsv" ] ||
		die "$1: has no trace.dat: not a directory that wakelat record wrote"
	[ -r "$dir/run.tsv" ] || die "$1/run.tsv: missing, or cannot be read: it says what was measured"
	[ "$(head -n 1 "$dir/run.tsv")" = "$(printf 'key\tvalue')" ] || die "$1/run.tsv:1: not 'key<TAB>value'"
}

# Whoever can read a directory can lock it, and need not be one of these commands.
lock_seconds=50

# lock_directory: who else is to write tables in $dir waits, but for the commands that this one runs. A lock on the
# directory itself leaves nothing behind, and can be had where nothing can be written.
lock_directory() {
	lock_path=$(readlink -f "$dir")
	[ "${WAKELAT_LOCKED-}" != "$lock_path" ] && [ -r "$dir" ] && command -v flock >/dev/null || return 0
	exec 9<"$dir"
	if ! flock -n 9; then
		say "waiting for another command that writes in ${dir#./}"
		flock -w "$lock_seconds" 9 ||
			die "${dir#./}: another process has held its lock for $lock_seconds s (fuser -v ${dir#./}): end it, or copy the directory"
	fi
	export WAKELAT_LOCKED="$lock_path"
}

# A reader of the output may take its time.
unlock_directory() {
	exec 9<&-
	unset WAKELAT_LOCKED
}

# outdated FILE INPUT...: is it missing, or older than one of those?
outdated() {
	[ -e "$1" ] || return 0
	outdated_file=$1
	shift
	[ -n "$(find "$@" -prune -newer "$outdated_file")" ]
}

# run_value KEY: from run.tsv; nothing if it is not there
run_value() {
	awk -F '\t' -v key="$1" '$1 == key { print $2; exit }' "$dir/run.tsv"
}

# How a title says what the numbers come from.
machine_note() {
	case $(run_value emulated) in
	no) ;;
	yes) printf ' (emulated)\n' ;;
	hypervisor) printf " (guest: contains the hypervisor's latency)\n" ;;
	*) printf ' (unknown machine)\n' ;;
	esac
}

# figure_note: the same, where there is less room
figure_note() {
	machine_note | sed 's/^ (guest: .*/ (guest)/'
}

# data_set: its name, which is that of the directory
data_set() (
	cd "$dir" && basename "$PWD"
)

# check_counts FILE NAME: rows per run and CPU against the kernel's counts in run.tsv: a run whose every event was lost has
# left no trace in the recording.
check_counts() {
	"$tools/quantiles" -g run,cpu -m ldist -t taint "$1" >"$work/rows" || exit
	counts_bad=$(awk -F '\t' '
		FNR == NR { if (FNR > 1) rows[$1 "." $2] = $3 + $NF; next }
		$1 ~ /^run\.[0-9]+\.cpu[0-9]+\.samples$/ {
			split($1, key, ".")
			cpu = substr(key[3], 4)
			have = rows[key[2] "." cpu] + 0
			if (have > $2)
				more = sprintf("%.0f samples of run %s on CPU %s, where run.tsv counts %s", have, key[2], cpu, $2)
			if (have != $2 && !bad++)
				fewer = sprintf("run %s on CPU %s has %.0f of %s samples", key[2], cpu, have, $2)
		}
		END { print (more == "" ? fewer : "more " more) }' "$work/rows" "$dir/run.tsv") || exit
	[ -z "$counts_bad" ] && return
	[ "$counts_bad" = "${counts_bad#more }" ] ||
		die "$2 has ${counts_bad#more }: it is not of this recording, or has rows twice; remove it, and it is made again from trace.dat"
	warn "$2 is incomplete: $counts_bad"
	incomplete=yes
}

# Can the command do with tables that are not in the directory, if nothing can be written there?
tables_elsewhere=no

may_write() {
	[ "$tables_elsewhere" = no ] || [ -w "$dir" ]
}

# make_samples: of trace.dat. Fails as wakelat dump does.
make_samples() {
	if may_write; then
		"$here/commands/dump" "$dir"
		return
	fi
	made=$work/made.tsv
	"$here/commands/dump" -o "$made" "$dir" 2>"$work/dump.log"
	make_status=$?
	sed "s|$work/||g" "$work/dump.log" >&2
	return "$make_status"
}

# need_samples: makes samples.tsv if it must be made; sets $made, where it is, and $incomplete
incomplete=no
need_samples() {
	need_tools quantiles
	made=$dir/samples.tsv
	if [ -e "$dir/trace.dat" ] && outdated "$dir/samples.tsv" "$dir/trace.dat"; then
		make_samples
		case $? in
		0) ;;
		"$status_incomplete") incomplete=yes ;;
		*) exit 1 ;;
		esac
		return
	fi
	check_counts "$dir/samples.tsv" "${dir#./}/samples.tsv"
}

# cells_of COLUMN TABLE: one a line
cells_of() {
	awk -F '\t' -v name="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		at { print $at }' "$2"
}

# one_source TABLE: dies if there are several in its column
one_source() {
	sources=$(cells_of source "$1" | sort -u | paste -sd ' ' -)
	case $sources in
	*' '*) die "$dir/samples.tsv: several sources ($sources): their latencies mean different things and are never averaged together" ;;
	esac
}

# has_stats: are there tables of statistics, of these samples? One without sources is of an older wakelat.
has_stats() {
	[ -e "$dir/stats-ci.tsv" ] && [ -e "$1" ] && ! outdated "$dir/stats.tsv" "$1" "$dir/run.tsv" &&
		[ -n "$(cells_of source "$dir/stats.tsv")" ]
}

# need_stats: makes stats.tsv as well; it says whether samples.tsv is complete. Sets $tables, the directory that has it.
need_stats() {
	tables=$dir
	if ! may_write && ! has_stats "$dir/samples.tsv"; then
		tables=$(mktemp -d "$work/tables.XXXXXX") || die "$work cannot be written"
		set -- -o "$tables"
	else
		set --
	fi
	"$here/commands/stats" -q "$@" "$dir"
	case $? in
	0) ;;
	"$status_incomplete") incomplete=yes ;;
	*) exit 1 ;;
	esac
}

# The output is there, but it is not the whole truth.
exit_analysis() {
	[ "$incomplete" = no ] || exit "$status_incomplete"
	exit 0
}
