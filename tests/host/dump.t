#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat dump: recordings of known content, whole and damaged, become the right table or one clear line.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

# What a recording can hold at worst: every bit counts, signs count, absent is not 0.
trace t.dat <<'END'
sample 0 1000 run=1 source=1 state=1 seq=1 ldist=50000 ltime=18446744073709551614 tbi=9223372036854775808 tai=1 tintr=9007199254740993 silent_time=-9223372036854775807 wake_latency=-5 intr_latency=9223372036854775807 taint=19 tbi_cyc=18446744073709551614
sample 1 900 run=1 source=2 state=2 seq=7 irqs_on=1 tai=0 wake_latency=0 intr_latency=2500
sample 0 400000000000 run=2 source=3 state=0 seq=2 wake_latency=133070
end 0 400000001000 run=1 cpu=0 samples=1
end 0 400000002000 run=1 cpu=1 samples=1
end 0 400000003000 run=2 cpu=0 samples=1
END
run "$wakelat" dump t.dat
is "$status$out$err" 0 "a recording is read without a word"
is "$(head -n 1 samples.tsv)" "$(printf '%s\n' "$samples_header" | tr ' ' '\t')" "the header"
is "$(joined samples.tsv run)" "1 1 2" "runs"
is "$(joined samples.tsv cpu)" "1 0 0" "CPUs are merged by time"
is "$(joined samples.tsv source)" "tsc_deadline hrtimer i210" "sources have names"
is "$(joined samples.tsv state)" "2 1 0" "states"
is "$(joined samples.tsv seq)" "7 1 2" "sequence numbers"
is "$(joined samples.tsv ltime)" "0 18446744073709551614 0" "2^64 - 2 to the last digit"
is "$(joined samples.tsv tbi)" "0 9223372036854775808 0" "2^63"
is "$(joined samples.tsv tintr)" "0 9007199254740993 0" "2^53 + 1"
is "$(joined samples.tsv silent_time)" "0 -9223372036854775807 0" "-2^63 + 1"
is "$(joined samples.tsv wake_latency)" "- -5 133070" "a negative latency, and none with interrupts on"
is "$(joined samples.tsv intr_latency)" "2500 9223372036854775807 0" "interrupt latency, also with interrupts on"
is "$(joined samples.tsv tai)" "- 1 0" "no time after idle with interrupts on"
is "$(joined samples.tsv tai_cyc)" "- 0 0" "nor in cycles"
is "$(joined samples.tsv taint)" "- foreign_irq,foreign_timer,smi -" "taints have names"
is "$(ls)" "$(printf '%s\n' make.log mktrace samples.tsv t.dat tap.err tap.out)" "nothing else was written"

# When the event was is not known: the timer had stopped.
trace b.dat <<'END'
sample 0 1 run=1 source=1 state=1 seq=1 taint=64 ltime=18446744073709551615 silent_time=-9223372036854775808 wake_latency=-9223372036854775808 intr_latency=-9223372036854775808 tai=5 tai_cyc=10
end 0 2 run=1 cpu=0 samples=1
END
run "$wakelat" dump -o b.tsv b.dat
is "$status$err" 0 "a sample without a launch time"
is "$(for column in ltime silent_time wake_latency intr_latency tai tai_cyc; do joined b.tsv $column; done | paste -sd ' ' -)" "- - - - 5 10" "has no latency"
rm b.dat b.tsv

# Layouts.
trace i.dat -e 22 <<'END'
sample 0 30 run=1 state=1 seq=1 taint=16416 extra0=18446744073709551615 extra21=18446744073709551614
instance wakelat
sample 0 20 run=1 state=2 seq=2
sample 1 20 run=1 state=3 seq=3
end 1 40 run=1 cpu=0 samples=2
end 1 50 run=1 cpu=1 samples=1
END
run "$wakelat" dump -o i.tsv i.dat
is "$status$err" 0 "buffer instances and 22 more fields"
is "$(joined i.tsv state)" "2 3 1" "instances are merged by time, equal times by CPU"
is "$(joined i.tsv taint)" "- - spurious,0x4000" "an unknown taint is a number"

is "$(head -n 1 i.tsv | cut -f -18)" "$(head -n 1 samples.tsv)" "the known columns come first"
is "$(head -n 1 i.tsv | tr '\t' '\n' | sed 1,18d | paste -sd ' ' -)" "$(seq -f extra%g -s ' ' 0 21)" "then the other fields"
is "$(joined i.tsv extra0)" "0 0 -" "all ones are absent in those"
is "$(joined i.tsv extra21)" "0 0 18446744073709551614" "all but one are not"

trace s.dat -s <<'END'
sample 0 1 run=1 source=9 state=1 taint=34
sample 0 2 run=1 source=8 state=1 taint=0x40000000
end 0 3 run=1 cpu=0 samples=2
END
ok "a kernel that knows more" "$wakelat" dump -o s.tsv s.dat
is "$(joined s.tsv source)" "sundial 0x8" "names of sources from the print format"
is "$(joined s.tsv taint)" "eclipse,foreign_timer 0x40000000" "names of taints from the print format"

trace o.dat -o wake_latency -o taint -o irqs_on <<'END'
sample 0 1 run=1 source=1 state=1 intr_latency=5
end 0 3 run=1 cpu=0 samples=1
END
ok "a kernel that knows less" "$wakelat" dump -o o.tsv o.dat
is "$(joined o.tsv wake_latency)$(joined o.tsv taint)$(joined o.tsv intr_latency)" "--5" "absent fields are -"

printf 'bulk 20000 0 1000 3\n' | trace b.dat -e 4
ok "many pages" "$wakelat" dump -o b.tsv b.dat
is "$(column b.tsv seq)" "$(seq 20000)" "every sample, in order"
ok "the same converted to a compressed file of version 7" \
	trace-cmd convert -i b.dat -o b7.dat --file-version 7 --compression any
ok "is read" "$wakelat" dump -o b7.tsv b7.dat
same b.tsv b7.tsv "and gives the same"

# Losses are loud, and what is left is kept.
run_lossy() {
	rm -f lossy.tsv
	trace lossy.dat
	run "$wakelat" dump -o lossy.tsv lossy.dat
}
run_lossy <<'END'
sample 0 1 run=1 state=1
lost 0 12
sample 0 2 run=1 state=2
end 0 3 run=1 cpu=0 samples=14
END
is "$status" 3 "lost events: status 3"
is "$err" "wakelat dump: lossy.dat: 12 events were lost while recording (first on CPU 0); 12 samples are missing from the recording (run 1 on CPU 0 has 2 of 14); the other 2 samples are in lossy.tsv" "lost events are counted"
is "$(joined lossy.tsv state)" "1 2" "the others are there"
run_lossy <<'END'
sample 1 1 run=1 state=1
lost 1 ?
sample 1 2 run=1 state=2
end 0 3 run=1 cpu=1 samples=2
END
is "$status" 3 "an unknown number of lost events: status 3"
like "$err" "0 or more events were lost while recording \(first on CPU 1\)" "is not called none"
run_lossy <<'END'
sample 0 1 run=1 state=1
sample 0 2 run=2 state=1
end 0 3 run=1 cpu=0 samples=1
END
is "$status" 3 "no end of a run: status 3"
like "$err" "run 2 on CPU 0 has no end event" "and said"
run_lossy <<'END'
sample 0 1 run=1 state=1
end 0 2 run=1 cpu=0 samples=1
end 0 3 run=1 cpu=1 samples=10
END
is "$status" 3 "nothing of a CPU that measured: status 3"
like "$err" "10 samples are missing from the recording \(run 1 on CPU 1 has 0 of 10\)" "and said"
run_lossy <<'END'
sample 0 1 run=1 state=1
sample 0 2 run=1 state=1
end 0 3 run=1 cpu=0 samples=1
END
is "$status" 3 "more samples than the kernel counted: status 3"

mkdir d
run_tsv d/run.tsv run.1.cpu0.samples 1 run.2.cpu0.samples 5
trace d/trace.dat <<'END'
sample 0 1 run=1 state=1
end 0 3 run=1 cpu=0 samples=1
END
run "$wakelat" dump d
is "$status" 3 "a run of which nothing is left, not even its end: status 3"
is "$err" "wakelat dump: d/samples.tsv is incomplete: run 2 on CPU 0 has 0 of 5 samples" "run.tsv knows it"
run "$wakelat" dump -o elsewhere.tsv d
is "$status$err" "3wakelat dump: elsewhere.tsv is incomplete: run 2 on CPU 0 has 0 of 5 samples" "the same into another file"
same elsewhere.tsv d/samples.tsv "which is the same table"
refused "d/trace.dat: the table would take" "its trace.dat for the table" "$wakelat" dump -o d/trace.dat d

# Files that are none.
: >empty.dat
refused "empty.dat: empty file" "an empty file" "$wakelat" dump -o x.tsv empty.dat
printf 'tracing\n' >text.dat
refused "text.dat: not a trace.dat" "a text" "$wakelat" dump -o x.tsv text.dat
refused "nowhere.dat: No such file" "no file" "$wakelat" dump -o x.tsv nowhere.dat
cat t.dat i.dat >two.dat
refused "two.dat: another recording begins at byte $(wc -c <t.dat)" "two recordings in a file" "$wakelat" dump -o x.tsv two.dat
cat b7.dat b7.dat >two.dat
refused "two.dat: another recording begins at byte $(wc -c <b7.dat)" "the same of version 7" "$wakelat" dump -o x.tsv two.dat
mkdir d2
refused "d2/trace.dat: no such file" "a directory without one" "$wakelat" dump d2
trace f.dat -f <<'END'
sample 0 1 run=1 state=1
END
refused "f.dat: no wakelat events in this recording" "a foreign recording" "$wakelat" dump -o x.tsv f.dat
trace n.dat <<'END'
end 0 1 run=1 cpu=0 samples=0
END
refused "n.dat: not one wakelat sample" "a recording without samples" "$wakelat" dump -o x.tsv n.dat
refused "name a recording" "no argument" "$wakelat" dump
refused "unknown option '--all'" "an unknown option" "$wakelat" dump --all t.dat
is "$(find . -name 'x.tsv*')" "" "none of these leaves output"

# Cut anywhere, it is refused, whatever the libraries do on it. The last bytes of version 7 say only
# that nothing more follows: without them all samples are still there, and must be right.
cut_all() (
	"$wakelat" dump -o whole.tsv "$1" || exit
	size=$(wc -c <"$1")
	bad=0
	i=0
	while [ "$i" -le 60 ]; do
		length=$((i * (size - 1) / 60))
		head -c "$length" "$1" >cut.dat
		"$wakelat" dump -o cut.tsv cut.dat >cut.out 2>cut.err
		cut_status=$?
		if [ "$cut_status" -eq 0 ] && [ "$length" -eq $((size - 1)) ] && cmp -s cut.tsv whole.tsv; then
			rm cut.tsv
		elif [ "$cut_status" -ne 1 ] || [ -s cut.out ] || [ "$(wc -l <cut.err)" -ne 1 ] ||
			[ -e cut.tsv ] || ls cut.tsv.partial* >/dev/null 2>&1; then
			printf '%s: status %s, %s\n' "$length" "$cut_status" "$(cat cut.err)"
			bad=$((bad + 1))
		fi
		i=$((i + 1))
	done
	[ "$bad" -eq 0 ]
)
printf 'bulk 300 0 1000 3\n' | trace cut6.dat
trace-cmd convert -i cut6.dat -o cut7.dat --file-version 7 --compression any >/dev/null 2>&1
ok "version 6 cut at 61 lengths: one line, status 1, no output" cut_all cut6.dat
ok "version 7 cut at 61 lengths: the same" cut_all cut7.dat

# A full disk, as a limit on the size of files. The header fits, the rest does not.
dump_limited() (
	ulimit -f 8
	exec "$wakelat" dump -o full.tsv b.dat
)
refused "full.tsv: cannot write" "a full disk" dump_limited
is "$(find . -name 'full.tsv*')" "" "leaves nothing"
if [ "$(id -u)" -ne 0 ]; then
	mkdir readonly
	chmod a-w readonly
	refused "readonly/x.tsv: cannot be written: Permission denied" "a read-only directory" "$wakelat" dump -o readonly/x.tsv t.dat
else
	refused "nodir/x.tsv: cannot be written: No such file" "no such directory" "$wakelat" dump -o nodir/x.tsv t.dat
fi
cp samples.tsv before.tsv
mkdir there
refused "there: a directory" "a directory for the table" "$wakelat" dump -o there t.dat
cp t.dat t.before
refused "would take the place of the recording" "the recording for the table" "$wakelat" dump -o t.dat t.dat
same t.dat t.before "leaves it"
ok "to standard output" sh -c '"$1" dump -o /dev/stdout t.dat >through.tsv && "$1" dump -o direct.tsv t.dat' - "$wakelat"
same through.tsv direct.tsv "the same"
not_ok "when it fails" "$wakelat" dump -o samples.tsv f.dat
same samples.tsv before.tsv "an older output stays"

done_testing
