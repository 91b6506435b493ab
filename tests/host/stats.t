#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat stats: compares statistics with numbers computed by hand, and refuses wrong tables.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1
quantiles=$top/tools/bin/quantiles

# one_to N: print a table of the numbers 1 to N in a mixed order.
one_to() {
	printf 'state\tx\n'
	awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "1\t%d\n", (i * 7919) % n + 1 }'
}

# of_column TABLE NAME: print the only value of the column.
of_column() {
	joined "$1" "$2"
}

one_to 300 >300.tsv
"$quantiles" -g state -m x -p 50,90,99,99.9 300.tsv >q.tsv
is "$(of_column q.tsv n)" 300 "n: the number of samples"
is "$(of_column q.tsv x_min)" 1 "minimum of 1 to 300"
is "$(of_column q.tsv x_max)" 300 "maximum of 1 to 300"
is "$(of_column q.tsv x_p50)" 150.5 "type 7: rank 149.5 of 0..299"
is "$(of_column q.tsv x_p90)" 270.1 "type 7: rank 269.1"
is "$(of_column q.tsv x_p99)" 297 "type 7: rank 296.01, printed with one decimal"
is "$(of_column q.tsv x_p99.9)" - "p99.9 is - below 2995 samples"
is "$(of_column q.tsv x_mean)" 150.5 "mean of 1 to 300"
is "$(of_column q.tsv x_std)" 86.7 "standard deviation with n - 1: sqrt(7525)"

# A percentile needs so many samples that the maximum is above it with 95 % probability.
for pair in 50:5 90:29 99:299 99.9:2995 99.99:29956 99.999:299572; do
	p=${pair%:*}
	n=${pair#*:}
	one_to "$n" >enough.tsv
	one_to "$((n - 1))" >few.tsv
	is "$("$quantiles" -g state -m x -p "$p" few.tsv | sed 1d | cut -f 4)" - "p$p of $((n - 1)) samples is -"
	unlike "$("$quantiles" -g state -m x -p "$p" enough.tsv | sed 1d | cut -f 4)" '^-$' "p$p of $n samples is printed"
done
is "$("$quantiles" -g state -m x -p 99.999 enough.tsv | sed 1d | cut -f 4)" 299569 "p99.999 of 1..299572: rank 299568.00429"
is "$("$quantiles" -g state -m x -p 99.999 few.tsv | sed 1d | cut -f 4)" - "p99.999 is - with one sample too few"
is "$("$quantiles" -u -g state -m x -p 50,99.999 few.tsv | sed 1d | cut -f 4-5)" "$(printf '149786\t299568*')" \
	"-u prints p99.999 of too few samples with a *"

table() {
	printf '%s\n' "$1" | tr ' ' '\t' >in.tsv
	shift
	for row; do
		printf '%s\n' "$row" | tr ' ' '\t'
	done >>in.tsv
}
table "g x" "1 9223372036854775807" "1 9223372036854775806" "1 -9223372036854775808" "1 -9223372036854775807" "1 9007199254740993"
"$quantiles" -g g -m x -p 50 in.tsv >q.tsv
is "$(sed 1d q.tsv | cut -f 1-5)" "$(printf '1\t5\t-9223372036854775808\t9007199254740993\t9223372036854775807')" \
	"64-bit values are exact to the last digit"
is "$(of_column q.tsv x_mean)" 1801439850948198.2 "the mean of 64-bit values is exact: 9007199254740991 / 5"
table "g x" "1 1000000000000000001" "1 1000000000000000002" "1 1000000000000000003" "1 1000000000000000004"
"$quantiles" -g g -m x in.tsv >q.tsv
is "$(of_column q.tsv x_std)" 1.3 "the standard deviation has no cancellation: sqrt(5/3) around 10^18"
table "g x" "1 5"
"$quantiles" -g g -m x -p 50 in.tsv >q.tsv
is "$(sed 1d q.tsv)" "$(printf '1\t1\t5\t-\t5\t5\t-')" "one sample has no standard deviation"
table "g x" "1 -1" "1 0" "1 0"
is "$("$quantiles" -g g -m x in.tsv | sed 1d | cut -f 5)" -0.3 "a negative fraction has its sign"
table "h g x t" "b 10 1 -" "a 9 2 smi,nmi" "b 9 3 -" "b 10 - -" "a 9 4 0x40" "b 10 8 -"
is "$("$quantiles" -g h,g -m x -t t:nmi,smi in.tsv | sed 1d | cut -f 1-5,8-)" \
	"$(printf 'a\t9\t0\t-\t-\t2\t1\t1\t1\nb\t9\t1\t3\t3\t0\t0\t0\t0\nb\t10\t3\t1\t8\t0\t0\t0\t0')" \
	"groups are in numeric order; absent values and taints are counted"

if command -v python3 >/dev/null; then
	python3 - >check.txt 2>check.err <<'END'
import random
from fractions import Fraction
random.seed(7)
rows = [(random.randint(1, 3), random.choice([random.randint(-2**63, 2**63 - 1), random.randint(0, 300000)])) for i in range(12345)]
open('r.tsv', 'w').write('g\tx\n' + ''.join('%d\t%d\n' % r for r in rows))

def tenths(f):
    t = (abs(f) * 20 + 1) // 2
    return ('-' if f < 0 and t else '') + str(t // 10) + ('.%d' % (t % 10) if t % 10 else '')

for g in (1, 2, 3):
    v = sorted(x for k, x in rows if k == g)
    out = [g, len(v), v[0]]
    for p in (Fraction(123, 1000), Fraction(1, 2), Fraction(9, 10), Fraction(999, 1000)):
        h = (len(v) - 1) * p
        i = int(h)
        out.append(tenths(v[i] + (h - i) * (v[min(i + 1, len(v) - 1)] - v[i])))
    print(*out, v[-1], tenths(Fraction(sum(v), len(v))), sep='\t')
END
	is "$(cat check.err)" "" "python calculates the reference without an error"
	is "$("$quantiles" -g g -m x -p 50,90,12.3,99.9 r.tsv | sed 1d | cut -f 1-9)" "$(cat check.txt)" \
		"12345 random numbers of 64 bits have the statistics that python calculates"
else
	skip 2 "no python3"
fi

# A message about a bad table names the file and the line.
table "g x" "1 5" "1 5x"
refused "in.tsv:3: x: '5x' is not an integer" "quantiles refuses a text instead of a number" "$quantiles" -g g -m x in.tsv
for bad in 9223372036854775808 -9223372036854775809 1e3 1.5 '' nan +1; do
	table "g x" "1 $bad"
	refused "in.tsv:2: x: '.*' is not an integer" "quantiles refuses the value '$bad'" "$quantiles" -g g -m x in.tsv
done
table "g x" "1 5" "1"
refused "in.tsv:3: 1 columns, but 2 in the header" "quantiles refuses a row with too few columns" "$quantiles" -g g -m x in.tsv
table "g x" "1 5 5"
refused "in.tsv:2: more than the 2 columns" "quantiles refuses a row with too many columns" "$quantiles" -g g -m x in.tsv
table "g x x" "1 5 5"
refused "in.tsv:1: two columns named x" "quantiles refuses a repeated column" "$quantiles" -g g -m x in.tsv
refused "in.tsv:1: no column y" "quantiles refuses an unknown column" "$quantiles" -g g -m y in.tsv
table "g x"
refused "in.tsv: no rows" "quantiles refuses a table without rows" "$quantiles" -g g -m x in.tsv
: >in.tsv
refused "in.tsv: empty file" "quantiles refuses an empty file" "$quantiles" -g g -m x in.tsv
printf 'g\tx\n1\t5\r\n' >in.tsv
refused "in.tsv:2: the line ends in a carriage return" "quantiles refuses DOS line ends" "$quantiles" -g g -m x in.tsv
printf 'g\tx\n1\t5' >in.tsv
refused "in.tsv:2: the last line is cut off" "quantiles refuses a truncated line" "$quantiles" -g g -m x in.tsv
table "g x" "1 5"
for bad in 0 100 101 -5 x 5x 1e1 99.99999999999 ''; do
	refused "-p: '.*' is not a percentage" "quantiles refuses the percentage '$bad'" "$quantiles" -g g -m x -p "$bad" in.tsv
done
write_full() {
	"$quantiles" -g g -m x in.tsv >/dev/full
}
refused "cannot write /dev/full: No space left" "quantiles fails on a full disk" write_full

# --- the command wakelat stats
mkdir d
samples_tsv d/samples.tsv <<'END'
3 1000 133070 134000 -
1 1000 - 2500 -
3 1000 133080 134010 -
3 1000 133090 134020 -
1 1000 - 2600 smi
3 1000 133100 134030 -
3 1000 133110 134040 -
2 1000 100 134040 nmi,smi
7 1000 4 5 0x80
END
run_tsv d/run.tsv run.1.cpu0.timer lapic-deadline run.1.cpu0.samples 9 run.1.cpu0.armed 14 run.1.cpu0.not_idle 3 run.1.cpu0.late 2 \
	run.1.cpu0.order 0 run.1.reason samples
run "$wakelat" stats d
is "$status$err" 0 "stats of a directory"
is "$(joined d/stats.tsv state)" "C1 C1E_x C6 state7" "states are shown by their names, or as stateN without a name"
is "$(joined d/stats.tsv advertised_ns)" "2000 10000 133000 -" "advertised_ns is the driver's advertised latency"
is "$(joined d/stats.tsv n)" "1 0 5 0" "n does not count tainted samples"
is "$(joined d/stats.tsv tainted)" "1 1 0 1" "tainted counts the tainted samples"
is "$(joined d/stats.tsv smi)" "1 1 0 0" "smi counts the samples with this taint"
is "$(joined d/stats.tsv nmi)" "0 1 0 0" "nmi counts the samples with this taint"
is "$(joined d/stats.tsv wake_latency_p50)" "- - 133090 -" \
	"wake_latency_p50: the median of five; - for samples with interrupts on"
is "$(joined d/stats.tsv wake_latency_p90)" "- - - -" "wake_latency_p90 of five samples is -"
is "$(joined d/stats.tsv wake_latency_std)" "- - 15.8 -" "wake_latency_std: sqrt(250)"
is "$(joined d/stats.tsv intr_latency_min)" "2500 - 134000 -" "intr_latency_min of each state"
is "$(head -n 1 d/stats.tsv | tr '\t' ' ')" "state source advertised_ns n wake_latency_min wake_latency_p50 wake_latency_p90 wake_latency_p99 wake_latency_p99.9 wake_latency_p99.99 wake_latency_p99.999 wake_latency_max wake_latency_mean wake_latency_std intr_latency_min intr_latency_p50 intr_latency_p90 intr_latency_p99 intr_latency_p99.9 intr_latency_p99.99 intr_latency_p99.999 intr_latency_max intr_latency_mean intr_latency_std tainted foreign_irq foreign_timer resched nmi smi spurious broadcast early uncertain other_state no_sleep other_taint" \
	"the columns of stats.tsv"
like "$out" '^Latency from idle states \(emulated\): d, Xeon & Sons' "the printed table says that the recording is emulated"
like "$out" '^advertised \(us\) +2\.000 +10\.000 +133\.000 +-$' "the printed table has the advertised latency in us"
like "$out" '^  p50 +- +- +133\.090 +-$' "the printed table has the median in us"
like "$out" '^  min +2\.500 +- +134\.000 +-$' "the printed table has the interrupt latency in us"
like "$out" '^No wake latency of C1:' "the printed table says why C1 has no wake latency"
like "$out" '3 of 9 samples \(1 nmi, 2 smi, 1 other\)' "the printed table counts the tainted samples by taint"
like "$("$wakelat" stats --all d)" 'Armed 14 events; no sample from: 3 not idle, 2 armed too late\.' \
	"--all counts the events that became no sample"
like "$out" '^Events lost while recording: none\.' "the printed table says that no events were lost"
unlike "$out" '^Ended early' "Ended early: not printed for a run that has all its samples"
for reason in steady sweep duration; do
	run_tsv d/run.tsv run.1.cpu0.samples 9 run.1.reason $reason
	unlike "$("$wakelat" stats d)" '^Ended early' "Ended early: not printed for a run that ended by $reason"
done
run_tsv d/run.tsv run.1.cpu0.samples 9 run.1.reason samples run.2.reason source_clock run.3.reason stopped
like "$("$wakelat" stats d)" '^Ended early: run 2 source_clock, run 3 stopped\.$' "Ended early: names the runs that ended early"
run_tsv d/run.tsv run.1.cpu0.samples 9 run.1.reason samples
run "$wakelat" stats -q d
is "$status$out$err" 0 "-q prints nothing"

touch -d '2001-01-01' d/stats.tsv
printf 'old\n' >d/stats.tsv
touch -d '2001-01-01' d/stats.tsv
ok "stats with an older stats.tsv in the directory" "$wakelat" stats -q d
is "$(joined d/stats.tsv n)" "1 0 5 0" "an older stats.tsv is replaced"

mkdir u && cp d/samples.tsv u/samples.tsv
for pair in 'no:states: u' 'hypervisor:states \(guest: contains the hypervisor.s latency\)'; do
	run_tsv u/run.tsv run.1.cpu0.samples 9
	sed "s/^emulated.*/emulated	${pair%%:*}/" u/run.tsv >u/new && mv u/new u/run.tsv
	run "$wakelat" stats u
	like "$out" "idle ${pair#*:}" "emulated ${pair%%:*}: the title says so"
done

run_tsv d/run.tsv run.1.cpu0.samples 12 lost_overrun 3
run "$wakelat" stats d
is "$status" 3 "fewer samples than counted: status 3"
is "$err" "wakelat stats: d/samples.tsv is incomplete: run 1 on CPU 0 has 9 of 12 samples" \
	"a message says how many samples are missing"
like "$out" '^INCOMPLETE' "INCOMPLETE: the printed table says that samples are missing"
like "$out" '^Events lost while recording: 3\.' "the printed table says how many events were lost"

run_tsv d/run.tsv run.1.cpu0.samples 4
refused "d/samples\.tsv has 9 samples of run 1 on CPU 0, where run\.tsv counts 4: it belongs to another recording" \
	"stats refuses more samples than run.tsv counts" "$wakelat" stats d

run_tsv d/run.tsv
awk -F '\t' 'NR == 3 { OFS = "\t"; $3 = "i210" } { print }' d/samples.tsv >d/new && mv d/new d/samples.tsv
rm -f d/stats*
run "$wakelat" stats d
is "$status$err" 0 "stats of samples from two sources"
is "$(cut -f 1,2 d/stats.tsv | tr '\t\n' ' ;')" "state source;C1 hrtimer;C1E_x hrtimer;C6 hrtimer;state7 hrtimer;C1 i210;" \
	"each source has its own row"
like "$out" '^source i210$' "each source has its own printed table"
refused "several sources \(hrtimer i210\)" "verdict refuses samples from two sources" "$wakelat" verdict d
refused "several sources \(hrtimer i210\)" "compare refuses samples from two sources" "$wakelat" compare d d

refused "name a directory" "stats refuses to run without a directory" "$wakelat" stats
refused "nowhere: no such directory" "stats refuses a missing directory" "$wakelat" stats nowhere
refused "in.tsv: not a directory" "stats refuses a file" "$wakelat" stats in.tsv
mkdir e
refused "e: has no trace.dat" "stats refuses an empty directory" "$wakelat" stats e
cp 300.tsv e/samples.tsv
refused "e/run.tsv, which says what was measured, is missing" "stats refuses a recording without run.tsv" "$wakelat" stats e
printf 'nonsense\n' >e/run.tsv
refused "e/run.tsv:1: not" "stats refuses a wrong run.tsv" "$wakelat" stats e
run_tsv e/run.tsv
refused "e/samples.tsv:1: no column" "stats refuses a wrong samples.tsv" "$wakelat" stats e
refused "unknown option" "stats refuses an unknown option" "$wakelat" stats --percentile 5 d

mkdir 'x=1 -y'
run_tsv 'x=1 -y/run.tsv'
printf '3 1000 133070 134000 -\n' | samples_tsv 'x=1 -y/samples.tsv'
ok "stats of a directory with special characters in its name" "$wakelat" stats 'x=1 -y/'
mkdir t
run_tsv t/run.tsv
printf 'sample 0 1 run=1 source=1 state=3 wake_latency=5\nend 0 2 run=1 cpu=0 samples=1\n' | trace t/trace.dat
ok "stats of a directory that has trace.dat only" "$wakelat" stats t
is "$(joined t/stats.tsv wake_latency_max)" 5 "the values of trace.dat arrive in stats.tsv"
stats_limited() (
	rm -f b/stats.tsv
	ulimit -f 0
	exec "$wakelat" stats b
)
mkdir b
run_tsv b/run.tsv
"$wakelat" dump t
cp t/samples.tsv b/samples.tsv
not_ok "stats fails on a full disk" stats_limited
is "$(find b -name 'stats*')" "" "a failed stats leaves no file"
table_full() {
	"$wakelat" stats b >/dev/full
}
refused "No space left" "stats fails if it prints to a full disk" table_full
mkdir tmp
TMPDIR=$tmp/tmp
export TMPDIR
is "$({ "$wakelat" stats b | head -n 1 >/dev/null; } 2>&1)" "" "a reader that closes the pipe causes no message"
not_ok "stats fails on a full disk, with another TMPDIR" stats_limited
is "$(ls tmp)" "" "neither a failed stats nor a closed pipe leaves temporary files"

# The uncertainty of the launch times.
mkdir c
run_tsv c/run.tsv
printf '3 1000 5 6 -\n3 1000 5 6 -\n3 1000 5 6 -\n' | samples_tsv c/samples.tsv
printf '13\n17\n31\n' | add_columns c/samples.tsv uncertainty
like "$("$wakelat" stats c)" '^Launch times of source hrtimer are wrong by at most 0\.031 us' \
	"the printed table has the greatest uncertainty of each source"
is "$(joined c/stats-uncertainty.tsv max)" 31 "stats-uncertainty.tsv has the uncertainty"
unlike "$("$wakelat" stats t)" 'Launch times' "without a stated uncertainty, nothing is printed about launch times"

# Tables that somebody has planted, newer than the recording, are not used.
mkdir planted
run_tsv planted/run.tsv
printf 'sample 0 1 run=1 source=1 state=3 wake_latency=5\nend 0 2 run=1 cpu=0 samples=1\n' | trace planted/trace.dat
"$wakelat" stats --json planted >honest
"$wakelat" dump planted
for table in samples stats; do
	awk -F '\t' -v OFS='\t' 'NR > 1 { for (i = 1; i <= NF; i++) if ($i == 5) $i = 77777 } { print }' planted/$table.tsv >other &&
		mv other planted/$table.tsv
done
cp planted/stats.tsv planted/stats-cpu.tsv
touch -d tomorrow planted/*.tsv
"$wakelat" stats --json planted >again
same again honest "planted samples and statistics are not used beside a trace.dat, whatever their date"
not_ok "a table that stats does not make is removed" test -e planted/stats-cpu.tsv
done_testing
