#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What record tells a source, and puts back; what it makes of the kernel's raw timings and of its events' formats: with files
# in place of the kernel's.
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
. "$lib/record/for-verdict.sh"
. "$lib/record/record-options.sh"
journal_dir=$TMP/journal
journal_file=$journal_dir/state
work_dir=$journal_dir/work
wakelat=$TMP/wakelat
undone() { echo "undone $*"; }
# The kernel: each source has settings of its own, below settings/; source_settings shows those of the one that is chosen.
write_value() {
	write_error="Invalid argument"
	case $1 in
	*/source)
		[ -e "$TMP/settings/$2" ] || return
		echo "$2" >"$1"
		;;
	*/source_settings)
		write_to=$TMP/settings/$(cat "$wakelat/source")
		grep -q "^${2%% *} " "$write_to" || return
		[ "${2#* }" != bad ] || return
		sed -i "s/^${2%% *} .*/$2/" "$write_to"
		;;
	*) printf '%s\n' "$2" >"$1" ;;
	esac
	write_error=
	cat "$TMP/settings/$(cat "$wakelat/source")" >"$wakelat/source_settings"
}
END

# kernel: as it is before
kernel() {
	rm -rf journal wakelat settings
	mkdir wakelat settings
	printf 'method launch\n' >settings/i210
	printf 'speed 3\nmode slow\n' >settings/sundial
	: >settings/hrtimer
	: >settings/none
	echo hrtimer >wakelat/source
	: >wakelat/source_settings
}

# in_kernel COMMANDS
in_kernel() {
	{
		cat "$tmp/shell"
		printf '%s\n' "$1"
	} >commands
	run env top="$top" TMP="$tmp" dash commands
}

settings_of='
parse_options "$@"
sed -n "/^write_source_settings()/,/^}/p; /^source_settings_facts()/,/^}/p" "$lib/record/record-settings.sh" >"$TMP/functions"
. "$TMP/functions"
journal_begin
change "$wakelat/source" "$source"
write_source_settings
source_settings_facts
cat "$wakelat/source_settings"
'
# record_with OPTION...: what a recording with these sets, notes and says
record_with() {
	in_kernel "set -- $*
$settings_of"
}

kernel
record_with --source sundial --setting mode=fast --setting speed=9 --setting speed=7
is "$status$err$(printf '%s' "$out" | paste -sd , -)" "0speed 7,mode fast" "settings of any source"
is "$(cat journal/work/run.tsv)" "source_settings	speed=7,mode=fast" "are a fact"
in_kernel 'journal_undo'
is "$status $(paste -sd , settings/sundial) $(cat wakelat/source)" "0 speed 3,mode slow hrtimer" "and put back, with the source that was chosen"
like "$out" "undone $tmp/wakelat/source_settings: mode slow" "which is said"
not_ok "and nothing is left" test -e journal

kernel
record_with --source sundial
is "$status$err$(cat journal/work/run.tsv)" "0source_settings	speed=3,mode=slow" "settings that nobody asked for: as they are, and a fact"
is "$(grep -c ^setting journal/state)" 0 "nothing to put back"
kernel
record_with --source hrtimer
is "$status$err$(cat journal/work/run.tsv 2>/dev/null)" 0 "a source without settings: no fact"

kernel
record_with --source i210 --intr-offset 1.8us
is "$status$err$(paste -sd ' ' journal/work/run.tsv)" "0source_settings	method=target nic_method	target intr_offset_ns	1800" "a card: its method by default, and what is stated of it"
is "$(grep -c '^setting' journal/state) $(sed -n 's/^setting	[^	]*	//p' journal/state)" "1 i210 method launch" "what it was is in the journal"
kernel
record_with --source i210 --nic-method launch
is "$status$(sed -n 1p journal/work/run.tsv)$(grep -c '^setting' journal/state)" "0source_settings	method=launch1" "--nic-method is its setting"
# It has been target in between.
in_kernel journal_undo
is "$(cat settings/i210)" "method launch" "put back"

kernel
record_with --source sundial --setting colour=red
like "$status$err" "^1test: source sundial has no setting 'colour': it has speed mode$" "a setting that it has not"
kernel
record_with --source hrtimer --setting colour=red
like "$status$err" "^1test: source hrtimer has no setting 'colour': it has none$" "of a source that has none"
kernel
record_with --source sundial --setting mode=fast --setting speed=bad
like "$status$err" "^1test: source sundial: speed cannot be set to 'bad': Invalid argument \(it is '3'\)$" "a value that the kernel refuses"
in_kernel journal_undo
is "$(paste -sd , settings/sundial)" "speed 3,mode slow" "what was set before it is put back"

# After kill -9: somebody else may have chosen another source, or the source may be gone.
kernel
record_with --source sundial --setting mode=fast
echo i210 >wakelat/source
cat settings/i210 >wakelat/source_settings
in_kernel 'journal_undo'
is "$status $(paste -sd , settings/sundial) $(cat settings/i210) $(cat wakelat/source)" "0 speed 3,mode slow method launch hrtimer" "another source was chosen meanwhile"
kernel
record_with --source sundial --setting mode=fast
rm settings/sundial
echo none >wakelat/source
: >wakelat/source_settings
in_kernel 'journal_undo'
is "$status $(cat wakelat/source)" "0 hrtimer" "the source is gone: the rest is put back"
like "$err" "source sundial is gone, and its setting with it: mode slow" "which is said"

# --- raw timings

{
	printf 'what\tcpu\tcyc\n'
	seq 5000 -1 1 | paste -sd ' ' - | sed 's/^/stamp\t1\t/'
	seq 5000 | sed 's/.*/7/' | paste -sd ' ' - | sed 's/^/a thing\t1\t/; s/a thing/read/'
	printf 'one\t1\t9007199254740991\n'
} >timings
kernel
printf '3000000\n' >wakelat/clock_khz
cp timings wakelat/characterisation
in_kernel 'journal_begin; write_value() { :; }; facts_characterisation 1; cat "$work_dir/run.tsv"'
# Of 1 to 5000: the 0-based 2500th is 2501, and so on; 3 GHz.
is "$(printf '%s\n' "$out" | grep stamp | cut -d . -f 3 | tr '\t' = | paste -sd ' ' -)" \
	"n=5000 min_ns=0 median_ns=833 p99_ns=1650 max_ns=1666 spread_ns=1500" "what the kernel has timed, sorted here, ns rounded down"
is "$(printf '%s\n' "$out" | sed -n 's/.*\.read\.[a-z0-9_]*	//p' | paste -sd ' ' -)" "5000 2 2 2 2 0" "all alike"
is "$(printf '%s\n' "$out" | sed -n 's/.*\.one\.max_ns	//p')" 3002399751580330 "2^53 - 1 to the last digit"
is "$(printf '%s\n' "$out" | cut -d . -f 2 | uniq | paste -sd ' ' -)" "stamp read one" "in the kernel's order"

in_kernel 'printf "%s " "$(tsc_khz)"; rm "$wakelat/clock_khz"; printf "%s\n" "$(tsc_khz)"'
like "$out" '^3000000 ([0-9]+)?$' "the clock's frequency is the kernel's"

# --- what a source says of a run

kernel
printf 'card 0000:05:00.0\ndma_ns 1300\n' >wakelat/source_facts
in_kernel 'journal_begin; facts_source 4 i210; facts_source 5 sundial; cat "$work_dir/run.tsv"'
is "$(printf '%s\n' "$out" | tr '\t' = | paste -sd ' ' -)" "run.4.nic.card=0000:05:00.0 run.4.nic.dma_ns=1300 run.5.source.card=0000:05:00.0 run.5.source.dma_ns=1300" "facts of a card, and of any other source"

# --- how much a sample takes in the buffer

# format EVENT BYTES FIELD...: an event of so many bytes
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
is "$(printf '%s\n' "$out" | paste -sd ' ' -)" "164 244 refused" "a sample with its parts; counters if there are any"

# --- what live histograms take for interrupts on

is "$(grep -rlE '[^_]irqs_on (==|!=)|keys=[^"]*[^_]irqs_on' "$top/scripts" "$top/tools" --include='*.sh' --include=top.c | grep -v tracefs.sh)" "" "no filter is by a field that the event has not"
done_testing
