#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# stats, verdict and compare refuse wrong tables with one line that names file and row, and write no tables.
# needs: tools
# tier: rest

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1
commands="stats verdict compare"

mkdir good
run_tsv good/run.tsv
{
	seq 1000 1400 | sed 's/.*/3 1000 & & -/'
	echo '3 1000 9 9 smi'
} | samples_tsv good/samples.tsv

# bad ERE NAME: check that each command refuses d with a message that matches ERE, and leaves no tables
bad() {
	for command in $commands; do
		directories=d
		[ "$command" != compare ] || directories="good d"
		words "$directories" refused "wakelat (stats|$command): .*$1" "$command refuses $2" "$wakelat" "$command"
		is "$(find d good -name '*.partial*')$(find d -name 'stats*' -o -name 'verdict*')" "" \
			"$command leaves no table for $2"
	done
}

# spoiled: make d anew as a copy of good, for the caller to spoil
spoiled() {
	rm -rf d
	mkdir d
	cp good/run.tsv good/samples.tsv d/
}

spoiled && sed -i 's/$/\r/' d/samples.tsv && bad 'd/samples\.tsv:1: .*carriage return' "DOS line ends"
spoiled && sed -i '7s/$/\r/' d/samples.tsv && bad 'd/samples\.tsv:7: .*carriage return' "a DOS line end"
spoiled && sed -i '1s/wake_latency/wakelatency/' d/samples.tsv && bad 'd/samples\.tsv:1: no column wake_latency' "a missing column"
spoiled && sed -i '1s/tbi_cyc/wake_latency/' d/samples.tsv && bad 'd/samples\.tsv:1: two columns named wake_latency' "a column that is there twice"
spoiled && sed -i '1s/tbi_cyc/taint/' d/samples.tsv && bad 'd/samples\.tsv:1: two columns named taint' "a column taint that is there twice"
spoiled && sed -i '9s/1007/nan/' d/samples.tsv && bad "d/samples\.tsv:9: wake_latency: 'nan' is not an integer" "NaN"
spoiled && sed -i '9s/1007/9223372036854775808/' d/samples.tsv && bad "d/samples\.tsv:9: .* is not an integer of 64 bits" "2^63"
spoiled && sed -i '9s/1007/1007.5/' d/samples.tsv && bad "d/samples\.tsv:9: .*'1007\.5'" "a fraction"
spoiled && sed -i '9s/\t1007//' d/samples.tsv && bad 'd/samples\.tsv:9: 17 columns, but 18 in the header' "a missing cell"
spoiled && sed -i '9s/$/\t5/' d/samples.tsv && bad 'd/samples\.tsv:9: more than the 18 columns' "a surplus cell"
spoiled && head -c 5000 good/samples.tsv >d/samples.tsv && bad 'd/samples\.tsv:[0-9]+: .*(cut off|columns, but)' "a table that is cut off"
spoiled && : >d/samples.tsv && bad 'd/samples\.tsv: empty file' "an empty table"
spoiled && sed -i 2,999d d/samples.tsv && bad 'd/samples\.tsv: no rows' "a table with only a header"
spoiled && printf '\0\0\0' >d/samples.tsv && bad 'd/samples\.tsv:1: .*cut off' "a table of NUL characters"
spoiled && sed -i 's/$/\r/' d/run.tsv && bad 'd/run\.tsv:1: .*' "run.tsv with DOS line ends"
spoiled && : >d/run.tsv && bad 'd/run\.tsv:1: ' "an empty run.tsv"
spoiled && rm d/run.tsv && bad 'd/run\.tsv, which says what was measured, is missing' "a missing run.tsv"
spoiled && truncate -s -3 d/run.tsv && bad 'd/run\.tsv:26: the last line is cut off: copy the file again' "a run.tsv that is cut off"
spoiled && truncate -s -3 d/run.tsv
for program in "verdict d/run.tsv d/samples.tsv" "idle-table d/run.tsv d/samples.tsv"; do
	words "$program" refused 'd/run\.tsv:26: the last line is cut off: copy the recording again' \
		"answer ${program%% *} refuses a run.tsv that is cut off" "$top/tools/bin/answer"
done
printf 'severity\tfinding\nbad\tC' >d/doctor.tsv && cp good/run.tsv d/
refused 'd/doctor\.tsv:2: the last line is cut off' "report refuses a doctor.tsv that is cut off" "$wakelat" report d
rm d/doctor.tsv

# A recording that was interrupted.
mkdir interrupted
head -c 200 good/run.tsv >interrupted/run.tsv.partial
refused 'interrupted/run\.tsv\.partial: the last line is cut off: begin a new recording' "resume refuses facts that are cut off" \
	env journal_tab= work_dir=. reasons_whole= output=interrupted plan_runs=1 status_value= me=resume lib="$top/scripts/lib" \
	sh -c '. "$lib/common/message.sh" && . "$lib/record/resume.sh" && resume_begin'

# closed_stdout COMMAND...: run a command of wakelat without stdout
closed_stdout() {
	"$wakelat" "$@" >&-
}

for command in help "stats good" "verdict good" "verdict -q good" "compare good good" "report --mail good" "plot good" \
	"record -h" "probe -h"; do
	words "$command" refused '^wakelat( [a-z]+)?: stdout is closed: redirect it to a file or to /dev/null$' \
		"$command: refuses a closed stdout" closed_stdout
done

# Outputs that cannot be written to.
spoiled
: >file
refused "cannot create file/x" "stats refuses an output below a file" "$wakelat" stats -o file/x d
refused "cannot write nowhere/x\.tsv: No such file" "compare refuses an output in a directory that does not exist" "$wakelat" compare -o nowhere/x.tsv good good

# A full disk: a small tmpfs, if one can be mounted.
if mkdir small && mount -t tmpfs -o size=4k wakelat-test small 2>/dev/null; then
	cleanup() {
		umount small
	}
	head -c 4096 /dev/zero >small/filler 2>/dev/null
	refused "cannot write small.*: No space left" "stats fails on a full disk" "$wakelat" stats -o small d
	is "$(ls small)" filler "stats leaves nothing on the full disk"
else
	skip 1 "no file system can be mounted"
fi

# Commands name a state that is missing in the state table, and continue.
spoiled && sed -i '/^state\.3/d' d/run.tsv
run "$wakelat" stats d
like "$status $out" '^state3 is not in the state table' "stats names a state that run.tsv does not have"
run "$wakelat" verdict -p 50 d
like "$out" '^state3 .*nothing advertised' "verdict says that this state has no advertised latency"
done_testing
