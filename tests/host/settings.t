#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# record: which settings it writes to the kernel, which facts of a source it notes, and how it sizes the buffer by the events'
# formats. The test uses files instead of the kernel's.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"
cd "$tmp" || exit 1

cat >shell <<'END'
set -u
me=test
here=$top/scripts
lib=$here/lib
root=
quiet=no
journal_tab=$(printf '\t')
. "$lib/common/message.sh"
. "$lib/common/options.sh"
. "$lib/common/units.sh"
. "$lib/common/sysfs.sh"
. "$lib/common/journal.sh"
. "$lib/common/cpuidle.sh"
. "$lib/common/tracefs.sh"
. "$lib/common/revision.sh"
. "$lib/common/runtsv.sh"
. "$lib/record/buffer.sh"
instance=
option=
operands=
usage=$("$here/commands/record" -h)
. "$lib/common/put-file.sh"
. "$lib/session/session-options.sh"
. "$lib/session/output.sh"
listen=
words_list=
. "$lib/record/record-options.sh"
. "$lib/record/for-verdict.sh"
journal_dir=$TMP/journal
journal_file=$journal_dir/state
work_dir=$journal_dir/work
wakelat=$TMP/wakelat
undone() { echo "undone $*"; }
max_uncertainty_ns=5000
barren_s=60
cpus=1
online=0-1
cpu_list=1
cpu_count=1
run_samples=0
runs_per_cpu=1
. "$lib/record/run-file.sh"
. "$lib/record/record-settings.sh"
# The kernel accepts a write as a whole or not at all. In the file sources, a source's own settings follow its name.
run_write() {
	run_error=
	for line in "$@"; do
		case ${line%% *} in
		source) grep -q "^${line#* } " "$TMP/sources" || run_error="no such source" ;;
		cpus | ldist_min_ns | ldist_max_ns | seed | max_samples | counters) ;;
		*) grep "^$source " "$TMP/sources" | grep -q " ${line%% *}\( \|\$\)" || run_error="unknown key: ${line%% *}" ;;
		esac
		[ "${line#* }" != bad ] || run_error="not a number"
		[ -z "$run_error" ] || return
	done
	printf '%s\n' "$@" >>"$TMP/written"
}
END

# kernel: make the kernel's files anew
kernel() {
	rm -rf journal wakelat written
	mkdir wakelat
	printf 'clock TSC\nclock_khz 3000000\ni210.card 0000:05:00.0\ni210.dma_ns 1300\nsundial.hour 7\n' >wakelat/status
	printf 'hrtimer \npassive interval_us\ni210 launch\nsundial speed mode\n' >sources
}

# in_kernel COMMANDS: run COMMANDS in a shell with the functions of record
in_kernel() {
	{
		cat "$tmp/shell"
		printf '%s\n' "$1"
	} >commands
	run env top="$top" TMP="$tmp" dash commands
}

settings_of='
take_only_options take_option "$@"
check_options
tracefs=$TMP
journal_begin
write_settings
source_settings_facts
'
# record_with OPTION...: write the settings of a recording with these options to the kernel, and note them
record_with() {
	in_kernel "set -- $*
$settings_of"
}

kernel
record_with --source sundial --setting mode=4 --setting speed=9 --setting speed=7
is "$status$err$(paste -sd , written)" \
	"0source sundial,cpus 1,ldist_min_ns 50000,ldist_max_ns 8000000,seed 1,max_samples 10000,mode 4,speed 9,speed 7" \
	"the settings of a source are written after its name, in order"
is "$(cat journal/work/run.tsv)" "source_settings	mode=4,speed=9,speed=7" "run.tsv has the settings of a source"
is "$(grep -c wakelat journal/state)" 0 "no setting of the run is in the journal, because settings belong to the open file"

kernel
record_with --source hrtimer --counters freq,package
is "$status$err$(tail -n 1 written)" "0counters 5" "counters are written as the sum of their bits"
is "$(cat journal/work/run.tsv 2>/dev/null)" "" "run.tsv has no settings of a source without settings"

kernel
record_with --source i210 --intr-offset 1.8us
is "$status$err$(paste -sd ' ' journal/work/run.tsv)" "0nic_method	target intr_offset_ns	1800" "run.tsv has the card's default method and its interrupt offset"
kernel
record_with --source i210 --setting method=launch
is "$status$(sed -n 1p journal/work/run.tsv) $(tail -n 1 written)" "0source_settings	method=launch launch 1" "method=launch is written as launch 1"
kernel
record_with --source i210 --setting method=target
is "$status$(tail -n 1 written)" "0launch 0" "method=target is written as launch 0"

kernel
record_with --source sundial --setting colour=red
like "$status$err" "^1test: the kernel refuses colour red: unknown key: colour$" "a setting that the source does not have is refused"
kernel
record_with --source passive --setting interval_us=bad
like "$status$err" "^1test: the kernel refuses interval_us bad: not a number$" "a value that the kernel refuses is an error"
kernel
record_with --source moondial
like "$status$err" "^1test: the kernel refuses source moondial, .*: no such source$" "a source that does not exist is refused"
not_ok "a refused write changes nothing" test -e written

in_kernel 'read_tsc_khz; printf "%s " "$tsc_khz"; rm "$wakelat/status"; read_tsc_khz; printf "%s\n" "$tsc_khz"'
like "$out" '^3000000 ([0-9]+)?$' "the clock's frequency is the kernel's"

# --- facts of a source

kernel
in_kernel 'journal_begin; facts_source 4 i210; facts_source 5 sundial; cat "$work_dir/run.tsv"'
is "$(printf '%s\n' "$out" | tr '\t' = | paste -sd ' ' -)" "run.4.nic.card=0000:05:00.0 run.4.nic.dma_ns=1300 run.5.source.hour=7" "run.tsv has the facts of a card and of another source"

# --- the bytes of a sample in the buffer

# format EVENT BYTES FIELD FIELD: make the format of an event with these fields and this size
format() {
	mkdir -p "events/$1"
	{
		printf '\tfield:u64 %s;\toffset:8;\tsize:8;\tsigned:0;\n' "$3" "$4"
		printf '\tfield:u64 last;\toffset:%d;\tsize:8;\tsigned:0;\n' $(($2 - 8))
	} >"events/$1/format"
}
format wakelat_sample 100 run seq
format wakelat_counters 64 run seq
format wakelat_any 32 run seq
format wakelat_end 400 run cpu
in_kernel 'for c in none freq,core; do sample_bytes "$TMP/events" $c; done; sample_bytes "$TMP" none || echo refused'
is "$(printf '%s\n' "$out" | paste -sd ' ' -)" "164 244 refused" "the size includes all parts of a sample, and counters only if they are read"

# --- filters of live histograms for samples with interrupts on

is "$(grep -rlE '[^_]irqs_on (==|!=)|keys=[^"]*[^_]irqs_on|tai_cyc [=!]=' "$top/scripts" "$top/tools" --include='*.sh' --include=top.c | grep -v tracefs.sh)" "" "no filter uses a field that the event does not have"
done_testing
