# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# analysis.sh - recordings with known content, for the tests of dump, stats, plot and report.

: "${top:?}"

wakelat=$top/scripts/wakelat

# Build the tools and the program that writes recordings.
build_tools() {
	: "${tmp:?}"
	declared tools
	[ -x "$wakelat" ] || bail "there is no $wakelat"
	if ! pkg-config --exists libtracecmd 2>/dev/null; then
		skip_all "libtracecmd-dev is not installed"
	fi
	make -C "$top/tools" >"$tmp/make.log" 2>&1 || bail "tools do not build: $(tail -n 3 "$tmp/make.log")"
	build_mktrace
}

# build_mktrace: make $tmp/mktrace. Sixty tests need it, so a copy is kept in out/fixtures/ until the source or the compiler
# changes. If out/fixtures/ is not writable, each test compiles it.
build_mktrace() {
	mktrace_source=$top/tests/fixtures/mktrace.c
	mktrace_kept=$top/out/fixtures/mktrace-$({ cat "$mktrace_source" && cc --version; } | sha256sum | cut -c 1-16)
	cp "$mktrace_kept" "$tmp/mktrace" 2>/dev/null && return
	cc -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -o "$tmp/mktrace" "$mktrace_source" ||
		bail "tests/fixtures/mktrace.c does not build"
	mkdir -p "${mktrace_kept%/*}" 2>/dev/null || return 0
	{ cp "$tmp/mktrace" "$mktrace_kept.$$" && mv "$mktrace_kept.$$" "$mktrace_kept"; } 2>/dev/null || rm -f "$mktrace_kept.$$"
}

# trace FILE [OPTION]...: write the trace.dat FILE from mktrace's script on stdin
trace() (
	file=$1
	shift
	"$tmp/mktrace" "$@" "$file"
)

# column FILE NAME: print the values of a column, one per line
column() {
	awk -F '\t' -v name="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		{ print $at }' "$1"
}

# joined FILE NAME: print the values of a column in one line
joined() {
	column "$1" "$2" | paste -sd ' ' -
}

# run_tsv FILE [KEY VALUE]...: write a run.tsv with three states; KEY VALUE replaces or adds a line
run_tsv() {
	run_file=$1
	shift
	{
		printf 'key\tvalue\n'
		printf '%s\t%s\n' format 1 date 2026-01-02T03:04:05Z hostname box emulated yes kernel 6.12.0 \
			cmdline 'quiet <&> "x"' cpu_model "Xeon & Sons' <1>" revision 0123456789ab source hrtimer \
			cpus 0 ldist_mode uniform ldist_min_ns 50000 ldist_max_ns 8000000 driver intel_idle \
			lost_overrun 0 lost_dropped 0 lost_commit_overrun 0 \
			state.0.name POLL state.0.latency_ns 0 state.1.name C1 state.1.latency_ns 2000 \
			state.2.name C1E_x state.2.latency_ns 10000 state.3.name C6 state.3.latency_ns 133000
		[ $# -eq 0 ] || printf '%s\t%s\n' "$@"
	} >"$run_file"
}

samples_header='run cpu source state seq ldist ltime tbi tai tintr silent_time wake_latency intr_latency irqs_on taint tbi_cyc tai_cyc tintr_cyc'

# samples_tsv FILE: write a samples.tsv from lines "state silent_time wake_latency intr_latency taint" on stdin
samples_tsv() {
	{
		printf '%s\n' "$samples_header" | tr ' ' '\t'
		awk '{ OFS = "\t"
			print 1, 0, "hrtimer", $1, NR, $2 + 900, 0, 0, 0, 0, $2, $3, $4, 0 + ($3 == "-"), $5, 0, 0, 0 }'
	} >"$1"
}

# three_states DIR [EXTRA_NS [KEY VALUE]...]: make a recording with 3,000 samples of each of three states. C1 is entered with
# interrupts on; C1E_x takes EXTRA_NS longer; C6 is reached only after 250 us and has an outlier. KEY VALUE as for run_tsv.
three_states() {
	mkdir -p "$1"
	awk -v extra="${2-0}" 'BEGIN {
		for (i = 1; i <= 3000; i++) {
			silent = (i * 7919) % 7900000 + 50000
			print 1, silent, "-", 2600 + i * 37 % 90, "-"
			print 2, silent, 10060 + i % 31 + extra, 10800, i % 700 ? "-" : "smi"
			print 3, silent, i == 1234 ? 987654 : (silent < 250000 ? 12000 : 133000) + i * 41 % 97, 134000, "-"
		}
	}' | samples_tsv "$1/samples.tsv"
	three_run=$1/run.tsv
	shift
	[ $# -eq 0 ] || shift
	run_tsv "$three_run" "$@"
}

# add_columns FILE NAME...: append columns to a samples.tsv; each line of stdin has the values of a row
add_columns() (
	file=$1
	shift
	{
		printf '%s\n' "$*"
		cat
	} | tr ' ' '\t' | paste "$file" - >"$file.new" && mv "$file.new" "$file"
)

# limited COMMAND...: run wakelat COMMAND with at most 200 MB of memory and 60 s
limited() (
	# shellcheck disable=SC3045  # dash has it
	ulimit -v 200000
	exec timeout 60 "$wakelat" "$@"
)

# core_figures: print the lines of stdin, names of figures, without those of extras
core_figures() {
	for core_figures_of in /dev/null "$top"/extras/*/figures.tsv; do
		[ ! -e "$core_figures_of" ] || sed '1d; s/	.*//' "$core_figures_of"
	done >"$tmp/figures-of-extras"
	grep -vxFf "$tmp/figures-of-extras"
}
