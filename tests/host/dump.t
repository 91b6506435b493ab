#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat dump: complete recordings become the right table; damaged ones cause one clear message.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

# Extreme values: each of the 64 bits matters, signs matter, and an absent value is not 0.
trace t.dat <<'END'
sample 0 1000 run=1 source=1 state=1 seq=1 ldist=50000 ltime=18446744073709551614 tbi=9223372036854775808 tai=1 tintr=9007199254740993 silent_time=-9223372036854775807 wake_latency=-5 intr_latency=9223372036854775807 taint=19 tbi_cyc=18446744073709551614
sample 1 900 run=1 source=2 state=2 seq=7 irqs_on=1 tai=0 wake_latency=0 intr_latency=2500
sample 0 400000000000 run=2 source=3 state=0 seq=2 wake_latency=133070
end 0 400000001000 run=1 cpu=0 samples=1
end 0 400000002000 run=1 cpu=1 samples=1
end 0 400000003000 run=2 cpu=0 samples=1
END
run "$wakelat" dump t.dat
is "$status$out$err" 0 "dump reads a recording without a message"
is "$(head -n 1 samples.tsv | cut -f -18)" "$(printf '%s\n' "$samples_header" | tr ' ' '\t')" "the table has the known columns"
is "$(joined samples.tsv run)" "1 1 2" "column run has the numbers of the runs"
is "$(joined samples.tsv cpu)" "1 0 0" "events of several CPUs are merged by time"
is "$(joined samples.tsv source)" "tsc_deadline hrtimer i210" "sources have names"
is "$(joined samples.tsv state)" "2 1 0" "column state has the numbers of the states"
is "$(joined samples.tsv seq)" "7 1 2" "column seq has the sequence numbers"
is "$(joined samples.tsv ltime)" "0 18446744073709551614 0" "ltime 2^64 - 2 is exact to the last digit"
is "$(joined samples.tsv tbi)" "0 9223372036854775808 0" "tbi 2^63 is exact"
is "$(joined samples.tsv tintr)" "0 9007199254740993 0" "tintr 2^53 + 1 is exact"
is "$(joined samples.tsv silent_time)" "0 -9223372036854775807 0" "silent_time -2^63 + 1 is exact"
is "$(joined samples.tsv wake_latency)" "- -5 133070" "wake_latency may be negative, and is - with interrupts on"
is "$(joined samples.tsv intr_latency)" "2500 9223372036854775807 0" "intr_latency is printed also with interrupts on"
is "$(joined samples.tsv tai)" "- 1 0" "tai is - with interrupts on"
is "$(joined samples.tsv tai_cyc)" "- 0 0" "tai_cyc is - with interrupts on"
is "$(joined samples.tsv taint)" "- foreign_irq,foreign_timer,smi -" "taints have names"
is "$(ls)" "$(printf '%s\n' make.log mktrace samples.tsv t.dat tap.err tap.out)" "dump writes no other file"

# The launch time is unknown, because the timer had stopped.
trace b.dat <<'END'
sample 0 1 run=1 source=1 state=1 seq=1 taint=64 ltime=18446744073709551615 silent_time=-9223372036854775808 wake_latency=-9223372036854775808 intr_latency=-9223372036854775808 tai=5 tai_cyc=10
end 0 2 run=1 cpu=0 samples=1
END
run "$wakelat" dump -o b.tsv b.dat
is "$status$err" 0 "dump reads a sample without a launch time"
is "$(for column in ltime silent_time wake_latency intr_latency tai tai_cyc; do joined b.tsv $column; done | paste -sd ' ' -)" "- - - - 5 10" \
	"a sample without a launch time has no latency"
rm b.dat b.tsv

# Recordings with other layouts of events.
trace i.dat -e 22 <<'END'
sample 0 30 run=1 state=1 seq=1 taint=16416 extra0=18446744073709551615 extra21=18446744073709551614
instance wakelat
sample 0 20 run=1 state=2 seq=2
sample 1 20 run=1 state=3 seq=3
end 1 40 run=1 cpu=0 samples=2
end 1 50 run=1 cpu=1 samples=1
END
run "$wakelat" dump -o i.tsv i.dat
is "$status$err" 0 "dump reads buffer instances, and samples with 22 more fields"
is "$(joined i.tsv state)" "2 3 1" "instances are merged by time, and by CPU if the times are equal"
is "$(joined i.tsv taint)" "- - spurious,0x4000" "an unknown taint is printed as a number"

is "$(head -n 1 i.tsv | cut -f -18)" "$(head -n 1 samples.tsv | cut -f -18)" "the known columns come first"
is "$(head -n 1 i.tsv | tr '\t' '\n' | sed 1,18d | head -n 22 | paste -sd ' ' -)" "$(seq -f extra%g -s ' ' 0 21)" \
	"the other fields follow the known columns"
is "$(joined i.tsv extra0)" "0 0 -" "other fields: all ones mean absent"
is "$(joined i.tsv extra21)" "0 0 18446744073709551614" "other fields: 2^64 - 2 is not absent"

trace s.dat -s <<'END'
sample 0 1 run=1 source=9 state=1 taint=34
sample 0 2 run=1 source=8 state=1 taint=0x40000000
end 0 3 run=1 cpu=0 samples=2
END
ok "dump reads a recording with unknown sources and taints" "$wakelat" dump -o s.tsv s.dat
is "$(joined s.tsv source)" "sundial 0x8" "names of sources from the print format"
is "$(joined s.tsv taint)" "eclipse,foreign_timer 0x40000000" "names of taints from the print format"

trace o.dat -o wake_latency -o taint -o irqs_on <<'END'
sample 0 1 run=1 source=1 state=1 intr_latency=5
end 0 3 run=1 cpu=0 samples=1
END
ok "dump reads a recording without some fields" "$wakelat" dump -o o.tsv o.dat
is "$(joined o.tsv wake_latency)$(joined o.tsv taint)$(joined o.tsv intr_latency)" "--5" \
	"fields that the recording does not have are -"

printf 'bulk 20000 0 1000 3\n' | trace b.dat -e 4
ok "dump reads a recording of many pages" "$wakelat" dump -o b.tsv b.dat
is "$(column b.tsv seq)" "$(seq 20000)" "many pages: every sample, in order"
ok "trace-cmd converts the recording to a compressed file of version 7" \
	trace-cmd convert -i b.dat -o b7.dat --file-version 7 --compression any
ok "dump reads a compressed file of version 7" "$wakelat" dump -o b7.tsv b7.dat
same b.tsv b7.tsv "version 7 gives the same table"
trace-cmd convert -i b.dat -o b7.dat --file-version 7 --compression none >convert.log 2>&1 || bail "trace-cmd convert: $(tail -n 3 convert.log)"
ok "dump reads version 7 without compression" "$wakelat" dump -o b7.tsv b7.dat
same b.tsv b7.tsv "version 7 without compression gives the same table"
trace-cmd convert -i i.dat -o i7.dat --file-version 7 --compression any >convert.log 2>&1 || bail "trace-cmd convert: $(tail -n 3 convert.log)"
ok "dump reads compressed buffer instances" "$wakelat" dump -o i7.tsv i7.dat
same i.tsv i7.tsv "compressed buffer instances give the same table"
if pkg-config --atleast-version=1.5 libtracecmd; then
	skip 2 "this libtracecmd needs no temporary file"
else
	refused "cannot unpack i7.dat: cannot create a temporary file in $tmp/missing: No such file" \
		"a compressed recording without a directory for temporary files is refused" \
		env TMPDIR="$tmp/missing" "$top/tools/bin/dump" i7.dat none.tsv
	mkdir spare
	TMPDIR=$tmp/spare "$top/tools/bin/dump" i7.dat none.tsv
	is "$(ls spare)" "" "no temporary file is left"
fi

# CPU time and memory must not grow with the square of the number of chunks, as in libtracecmd 3.1.
printf 'bulk 600000 0 1000 3\n' | trace c.dat -e 4
trace-cmd convert -i c.dat -o c7.dat --file-version 7 --compression any >convert.log 2>&1 || bail "trace-cmd convert: $(tail -n 3 convert.log)"
# cpu_of COMMAND...: print the milliseconds of CPU time that the command takes
cpu_of() {
	perl -e 'system(@ARGV) and exit 1; my @t = times; printf "%d\n", 1000 * ($t[2] + $t[3])' "$@"
}
plain=$(cpu_of "$top/tools/bin/dump" c.dat c.tsv)
packed=$(cpu_of "$top/tools/bin/dump" c7.dat c7.tsv)
ok "600,000 compressed samples take less than four times the CPU time of uncompressed samples ($packed ms, $plain ms)" \
	test "$packed" -lt $((4 * plain))
same c.tsv c7.tsv "600,000 compressed samples give the same table"
# memory_of COMMAND...: print the most memory that the command takes, in MB
memory_of() {
	python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)' "$@"
}
if command -v python3 >/dev/null; then
	for file in c.dat c7.dat; do
		memory=$(memory_of "$top/tools/bin/dump" $file c.tsv)
		ok "$file of $(($(wc -c <$file) >> 20)) MB takes less than 40 MB of memory ($memory MB)" test "$memory" -lt 40
	done
else
	skip 2 "there is no python3"
fi
rm -f c.dat c7.dat c.tsv c7.tsv

# Lost events cause a message and status 3; the remaining samples are kept.
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
is "$err" "wakelat dump: lossy.dat: 12 events were lost while recording (first on CPU 0); 12 samples are missing from the recording (run 1 on CPU 0 has 2 of 14); the other 2 samples are in lossy.tsv" \
	"a message counts the lost events and names the runs"
is "$(joined lossy.tsv state)" "1 2" "the remaining samples are in the table"
run_lossy <<'END'
sample 1 1 run=1 state=1
lost 1 ?
sample 1 2 run=1 state=2
end 0 3 run=1 cpu=1 samples=2
END
is "$status" 3 "an unknown number of lost events: status 3"
like "$err" "0 or more events were lost while recording \(first on CPU 1\)" \
	"an unknown number of lost events is not printed as none"
run_lossy <<'END'
sample 0 1 run=1 state=1
sample 0 2 run=2 state=1
end 0 3 run=1 cpu=0 samples=1
END
is "$status" 3 "a run without an end event: status 3"
like "$err" "run 2 on CPU 0 has no end event" "a message names the run without an end event"
run_lossy <<'END'
sample 0 1 run=1 state=1
end 0 2 run=1 cpu=0 samples=1
end 0 3 run=1 cpu=1 samples=10
END
is "$status" 3 "no sample of a CPU that measured: status 3"
like "$err" "10 samples are missing from the recording \(run 1 on CPU 1 has 0 of 10\)" "a message names the CPU without samples"
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
is "$status" 3 "a run without samples and without an end event: status 3"
is "$err" "wakelat dump: d/samples.tsv is incomplete: run 2 on CPU 0 has 0 of 5 samples" \
	"the message has the number of samples that run.tsv states for the lost run"
run "$wakelat" dump -o elsewhere.tsv d
is "$status$err" "3wakelat dump: elsewhere.tsv is incomplete: run 2 on CPU 0 has 0 of 5 samples" \
	"dump -o reports the same lost run"
same elsewhere.tsv d/samples.tsv "dump -o writes the same incomplete table"
refused "d/trace.dat: -o would overwrite the recording" "dump -o refuses the directory's trace.dat as output" "$wakelat" dump -o d/trace.dat d

# --- files that are not recordings
: >empty.dat
refused "empty.dat: empty file" "an empty file is refused" "$wakelat" dump -o x.tsv empty.dat
printf 'tracing\n' >text.dat
refused "text.dat: not a trace.dat" "a text file is refused" "$wakelat" dump -o x.tsv text.dat
refused "nowhere.dat: No such file" "a missing file is refused" "$wakelat" dump -o x.tsv nowhere.dat
cat t.dat i.dat >two.dat
refused "two.dat: another recording begins at byte $(wc -c <t.dat)" \
	"two recordings in one file are refused" "$wakelat" dump -o x.tsv two.dat
cat b7.dat b7.dat >two.dat
refused "two.dat: another recording begins at byte $(wc -c <b7.dat)" \
	"two recordings of version 7 in one file are refused" "$wakelat" dump -o x.tsv two.dat
mkdir d2
refused "d2/trace.dat: no such file" "a directory without trace.dat is refused" "$wakelat" dump d2
trace f.dat -f <<'END'
sample 0 1 run=1 state=1
END
refused "f.dat: no wakelat events in this recording" \
	"a recording without wakelat events is refused" "$wakelat" dump -o x.tsv f.dat
trace n.dat <<'END'
end 0 1 run=1 cpu=0 samples=0
END
refused "n.dat: no wakelat sample in this recording" "a recording without samples is refused" "$wakelat" dump -o x.tsv n.dat
refused "name a recording" "dump without an argument is refused" "$wakelat" dump
refused "unknown option '--all'" "an unknown option is refused" "$wakelat" dump --all t.dat
is "$(find . -name 'x.tsv*')" "" "refused dumps leave no files"

# A recording truncated at any length is refused, whatever the libraries do with it. The last bytes of version 7 only say
# that nothing more follows. If only these are missing, all samples are there and must be right.
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
ok "version 7 cut at 61 lengths: one line, status 1, no output" cut_all cut7.dat

# The table is complete, and not renamed yet.
cat >interrupt.c <<'END'
#include <signal.h>
int renameat(int from, const char *name, int to, const char *new_name)
{
	return raise(SIGINT) | from | to | !name | !new_name | -1;
}
END
cc -shared -fPIC -o interrupt.so interrupt.c || bail "interrupt.c does not build"
env LD_PRELOAD="$PWD/interrupt.so" "$top/tools/bin/dump" t.dat interrupted.tsv 2>interrupted.err
is "$? $(find . -name 'interrupted.tsv*')" "130 " "dump that is interrupted before it renames its table leaves no file: $(cat interrupted.err)"

# A limit on the file size stands for a full disk. The header fits, the rest does not.
dump_limited() (
	ulimit -f 8
	exec "$wakelat" dump -o full.tsv b.dat
)
refused "cannot write full.tsv: " "a full disk: dump fails" dump_limited
is "$(find . -name 'full.tsv*')" "" "a full disk: dump leaves no file"
if [ "$(id -u)" -ne 0 ]; then
	mkdir readonly
	chmod a-w readonly
	refused "cannot write readonly/x.tsv: Permission denied" \
		"an output in a read-only directory is refused" "$wakelat" dump -o readonly/x.tsv t.dat
else
	refused "cannot write nodir/x.tsv: No such file" \
		"an output in a missing directory is refused" "$wakelat" dump -o nodir/x.tsv t.dat
fi
cp samples.tsv before.tsv
mkdir there
refused "there is a directory" "a directory as output is refused" "$wakelat" dump -o there t.dat
cp t.dat t.before
refused "-o would overwrite the recording" "the recording as output is refused" "$wakelat" dump -o t.dat t.dat
same t.dat t.before "the recording refused as output is unchanged"
ok "dump writes to standard output" \
	sh -c '"$1" dump -o /dev/stdout t.dat >through.tsv && "$1" dump -o direct.tsv t.dat' - "$wakelat"
same through.tsv direct.tsv "standard output has the same table as a file"
not_ok "dump of a recording without wakelat events fails" "$wakelat" dump -o samples.tsv f.dat
same samples.tsv before.tsv "a refused dump leaves an older output unchanged"

done_testing
