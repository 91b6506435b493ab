#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat tail: its levels are exceeded as rarely as stated, and it refuses samples whose tail cannot be estimated.
# needs: tools

. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

# Without R: one line says what to install, and the exit status is 4.
mkdir bin none
for name in awk basename id stat cat cut dirname find grep head mkdir mktemp mv paste readlink rm sed sh sort tail tr uniq wc date git; do
	ln -s "$(command -v "$name")" "bin/$name"
done
run_tsv none/run.tsv
printf '3 1000 1 2 -\n' | samples_tsv none/samples.tsv
without_r() {
	PATH=$tmp/bin "$wakelat" tail none
}
refused "R is missing: .*apt-get install r-base-core r-cran-evd" "no R" without_r
is "$status" 4 "no R: status 4"
printf '#!/bin/sh\nexit 4\n' >bin/Rscript && chmod +x bin/Rscript
refused "R's package evd is missing: .*apt-get install r-base-core r-cran-evd" "no evd" without_r
is "$status $(find none -name 'tail*')" "4 " "no evd: status 4, nothing is written"
printf '#!/bin/sh\nprintf "%%s" "$TMPDIR" >r-tmpdir\nexit 1\n' >bin/Rscript
refused "R failed" "R fails" without_r
like "$(cat r-tmpdir)" '/wakelat\.[^/]*$' "R's temporary files are in the command's own directory"

refused "name a directory" "no directory" "$wakelat" tail
refused "nowhere: no such directory" "a missing directory" "$wakelat" tail nowhere
for bad in x 1e 99 1e16 1.5 -5 1e6e6 e6 '1e 6' 99999999999999999; do
	refused "'$bad' is not a number of wake-ups" "not a horizon: '$bad'" "$wakelat" tail --horizon "$bad" none
done
refused "unknown option '--level'" "an unknown option" "$wakelat" tail --level=5 none
refused "nothing to do" "-q with a selection and without --output" "$wakelat" tail -q --first 5 none

Rscript --vanilla -e 'library(evd)' >/dev/null 2>&1 || {
	skip 1 "R with its package evd is not installed"
	done_testing
	exit
}

# of STATE COLUMN [FILE]: print a cell of tail.tsv
of() {
	awk -F '\t' -v state="$1" -v name="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		$1 == state { print $at }' "${3:-d/tail.tsv}"
}

# draw N SEED EXPRESSION: print random numbers from R
draw() {
	Rscript --vanilla -e "set.seed($2); n <- $1; writeLines(sprintf('%.0f', $3))"
}

# One recording with a state for each case.
mkdir d
run_tsv d/run.tsv state.4.name equal state.5.name few state.7.name shifted state.8.name early \
	state.9.name clock state.10.name step state.11.name tainted \
	state.12.name slow state.13.name pairs state.14.name burst
{
	draw 5000 1 '1e4 * rexp(n)' | sed 's/.*/3 1000 & 0 -/'
	draw 5000 2 '1e5 * runif(n)' | sed 's/.*/1 1000 - & -/'
	yes '4 1000 133000 0 -' | head -n 2000
	draw 2000 9 '1000 + floor(7 * runif(n))' | sed 's/.*/5 1000 & 0 -/'
	draw 5000 3 'ifelse(runif(n) < 0.2, 6e4 + 5e3 * rexp(n), 2e4 + 100 * arima.sim(list(ar = 0.99), n))' | sed 's/.*/12 1000 & 0 -/'
	draw 5000 13 '{ z <- -1 / log(runif(n + 1)); -1e4 * log(1 - exp(-2 / pmax(z[-1], z[-(n + 1)]))) }' | sed 's/.*/13 1000 & 0 -/'
	draw 5000 12 '1e4 * rexp(n) + 2e5 * ((seq_len(n) %% 500) < 50)' | sed 's/.*/14 1000 & 0 -/'
	draw 5000 4 '1e4 * rexp(n) + 1e4 * (seq_len(n) > 2500)' | sed 's/.*/7 1000 & 0 -/'
	draw 2000 5 '-1e6 + 1e4 * rexp(n)' | sed 's/.*/8 1000 & 0 -/'
	seq 2000 | sed 's/.*/9 1000 9223372036854775807 0 -/'
	draw 5000 6 '25 * round(4e2 * rexp(n))' | sed 's/.*/10 1000 & 0 -/'
	draw 900 7 '1e4 * rexp(n)' | sed 's/.*/2 1000 & 0 -/'
	echo '11 1000 5 5 smi'
} | samples_tsv d/samples.tsv
run "$wakelat" tail d
is "$status$err" 0 "tail of a recording succeeds without a message"
printed=$out
like "$out" '^Not measured: ' "the output states its limits"
is "$(of C6 result) $(of C6 failed)" "estimable -" "an exponential tail is estimable"
# The true level for 10^6 wake-ups, with an exponential distribution of mean 10 us: 10 us x ln 10^6 = 138.155 us.
ok "exponential: the interval contains the true level: $(of C6 level_low_ns) < 138155 < $(of C6 level_high_ns)" \
	awk -v low="$(of C6 level_low_ns)" -v high="$(of C6 level_high_ns)" 'BEGIN { exit !(low < 138155 && 138155 < high) }'
like "$printed" '^  one exceedance expected in 10\^6 wake-ups: [0-9.]+ us \[[0-9.]+, [0-9.]+\]$' \
	"exponential: the level is printed"
like "$printed" '^Longest latencies \(emulated\): d' "the title says emulated"
is "$(of C1 metric) $(of C1 result)" "intr_latency estimable" \
	"interrupts on: interrupt latency is used; a uniform tail is estimable"
ok "uniform: the level is near the upper end: $(of C1 level_high_ns)" \
	awk -v low="$(of C1 level_low_ns)" -v high="$(of C1 level_high_ns)" 'BEGIN { exit !(low < 100000 && 99999 < high && high < 101000) }'
is "$(of equal result) $(of equal failed)" "NOT ESTIMABLE spread" "equal samples: not estimable"
like "$printed" 'NOT ESTIMABLE: all samples are equal: there is no tail' "equal samples: the output says why"
is "$(of few failed) $(of few distinct)" "spread 7" "seven different values: not estimable"
is "$(of C1E_x failed)" "samples" "900 samples: not estimable"
is "$(of slow result) $(of slow extremal_index)" "estimable 1.0000" \
	"samples that depend on each other, but not the longest: estimable"
is "$(of pairs result)" "estimable" "the longest samples come in pairs: estimable"
ok "pairs: the extremal index is about 1/2: $(of pairs extremal_index)" awk -v theta="$(of pairs extremal_index)" 'BEGIN { exit !(theta > 0.4 && theta < 0.65) }'
ok "pairs: the interval contains the level of all samples: $(of pairs level_low_ns) < 138155 < $(of pairs level_high_ns)" \
	awk -v low="$(of pairs level_low_ns)" -v high="$(of pairs level_high_ns)" 'BEGIN { exit !(low < 138155 && 138155 < high) }'
like "$printed" 'the longest latencies come in clusters of [12]\.[0-9] on average' "pairs: the output gives the size of the clusters"
is "$(of burst failed)" "clusters" "all of the longest samples in a few bursts: too few clusters"
like "$printed" 'Ljung-Box p < 1e-16' "a p below the precision of a double is printed as an upper bound"
like "$(of shifted failed)" 'stationarity' "latencies that change half way: not stationary"
is "$(of early result)" "estimable" "negative latencies: estimable"
is "$(of clock failed)" "range" "latencies of a broken clock: out of range"
is "$(of step result)" "estimable" "a clock with steps of 25 ns: estimable"
is "$(of tainted result)" "" "tainted samples are left out"
for state in equal few C1E_x shifted clock burst; do
	is "$(of $state level_ns) $(of $state level_low_ns) $(of $state level_high_ns)" "- - -" "$state: there is no level"
done
is "$(of C6 chosen d/tail-stability.tsv | sort | uniq -c | tr -s ' \n' ' ')" \
	" $(($(of C6 chosen d/tail-stability.tsv | wc -l) - 1)) 0 1 1 " "tail-stability.tsv: one of the thresholds is chosen"
is "$(of C6 rank d/tail-qq.tsv | wc -l)" "$(of C6 exceedances)" "tail-qq.tsv: a row for each exceedance"
is "$(of C6 rank d/tail-qq.tsv | tail -n 1)" "$(of C6 exceedances)" "tail-qq.tsv: the last rank is the number of exceedances"
unlike "$(cat d/tail*.tsv)" 'NA|NaN|Inf' "the tables have no NA, NaN or Inf of R"

# tail is reproducible, and computes again for another horizon.
cp -r d again && rm again/tail*
"$wakelat" tail -q again
ok "a second tail has the same bytes" diff -r d again
run "$wakelat" tail --horizon 2e3 -w 'state == C6' d
like "$out" '^  one exceedance expected in 2000 wake-ups: (7|8)[0-9]\.' \
	"another horizon: the level is about 10 us x ln 2000 = 76 us"
is "$(of C6 horizon)" 1000000 "a selection: the result is printed, tail.tsv stays"
"$wakelat" tail -q --horizon 2e3 -w 'state == C6' --last 4000 -o o d
refused "^wakelat tail: d: --output: results of a selection" "a selection with the recording as --output" "$wakelat" tail -q --last 4000 -o d d
is "$(of C6 horizon o/tail.tsv) $(of C6 n o/tail.tsv)" "2000 4000" "a selection with --output: the table is written there"

# Samples that reached their state and samples that did not are fitted separately.
mkdir r
run_tsv r/run.tsv state.3.desc 'MWAIT 0x20'
draw 1200 8 '1e4 * rexp(n)' | sed 's/.*/3 1000 & 0 -/' | samples_tsv r/samples.tsv
awk 'BEGIN { print "cc6_cyc" } NR > 1 { print (NR % 2 ? 0 : "18446744073709551614") }' r/samples.tsv >counter
paste r/samples.tsv counter >r/new && mv r/new r/samples.tsv
"$wakelat" tail -q r
is "$(cut -f 1,3,5 r/tail.tsv | tr '\t\n' ' ;')" "state reached n;C6 no 600;C6 yes 600;" \
	"samples that reached the state and others have separate rows"

# Two CPUs, CPU 1 half as slow again. A table has the samples of CPU 0 before those of CPU 1; another has the same samples
# alternately. Both say the same, and the difference between the CPUs is neither a cluster nor a drift.
draw 5000 20 '1e4 * rexp(n) * ifelse(seq_len(n) > 2500, 1.5, 1)' | sed 's/.*/3 1000 & 0 -/' | samples_tsv c.tsv
mkdir blocks alternate
run_tsv blocks/run.tsv
run_tsv alternate/run.tsv
awk -F '\t' -v OFS='\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "cpu") at = i; print; next } { $at = NR > 2501; print }' c.tsv >blocks/samples.tsv
awk 'NR == 1 { print; next } { row[NR - 2] = $0 } END { for (i = 0; i < 2500; i++) print row[i] "\n" row[i + 2500] }' blocks/samples.tsv >alternate/samples.tsv
"$wakelat" tail blocks >blocks.txt
"$wakelat" tail -q alternate
ok "two CPUs, one after the other or alternately: the same result" cmp blocks/tail.tsv alternate/tail.tsv
is "$(of C6 result blocks/tail.tsv) $(of C6 extremal_index blocks/tail.tsv) $(of C6 cpus blocks/tail.tsv)" "estimable 1.0000 2" \
	"two CPUs that differ: neither clusters nor drift"
like "$(cat blocks.txt)" "^All CPUs together: one of them may be worse" "several CPUs: the output says that they are taken together"
run "$wakelat" tail -w 'cpu == 1' blocks
like "$out" '; N = 2500,' "--where takes one of the CPUs"
unlike "$out" 'All CPUs together' "one CPU: nothing about several"

# A heavy tail: the output says how often the intervals of such tails were too low in tests/bench/coverage.
draw 5000 31 '1e3 * runif(n)^(-1 / 4)' | sed 's/.*/3 1000 & 0 -/' | samples_tsv heavy.tsv
mkdir heavy
run_tsv heavy/run.tsv
mv heavy.tsv heavy/samples.tsv
run "$wakelat" tail --horizon 1e5 heavy
like "$(of C6 result heavy/tail.tsv) $(of C6 shape_high heavy/tail.tsv)" '^estimable 0[.](2[5-9]|[3-9])' "a Pareto tail: estimable, and the shape may be above 0.25"
shares=$(python3 -c '
import csv, sys
rows = [r for r in csv.DictReader(open(sys.argv[1]), delimiter="\t") if r["distribution"] in ("weibull 0.5", "pareto 3", "pareto pairs", "t 4")]
assert len(rows) == 4
shares = [100 * int(r["below it"]) / int(r["intervals"]) for r in rows]
print("%.0f to %.0f" % (min(shares), max(shares)))' "$top/extras/tail/coverage.tsv")
like "$out" "^  the tail may be heavy \(shape up to $(of C6 shape_high heavy/tail.tsv)\): in tests of such tails $shares % of the intervals were too low$" \
	"a heavy tail: the output says how often such intervals are too low"
unlike "$printed" 'may be heavy' "an exponential tail: no such line"

# Launch times that may be off by up to 5 us move each level by at most as much.
cp -r d u && rm u/tail*
awk -F '\t' -v OFS='\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "state") at = i }
	{ print $0, NR == 1 ? "uncertainty" : $at == 3 ? (NR % 9 ? 100 : 5000) : 0 }' d/samples.tsv >u/samples.tsv
run "$wakelat" tail -w 'state == C6 || state == C1' -o u2 u
is "$(of C6 uncertainty_ns u2/tail.tsv) $(of C1 uncertainty_ns u2/tail.tsv)" "5000 0" "the table has the largest uncertainty of each state"
is "$(of C6 level_ns u2/tail.tsv) $(of C1 level_low_ns u2/tail.tsv)" "$(of C6 level_ns) $(of C1 level_low_ns)" "the level does not depend on the uncertainty"
is "$(of C6 level_low_ns u2/tail.tsv) $(of C6 level_high_ns u2/tail.tsv)" \
	"$(of C6 level_low_ns | awk '{ printf "%.1f", $1 - 5000 }') $(of C6 level_high_ns | awk '{ printf "%.1f", $1 + 5000 }')" \
	"the uncertainty moves both ends of the interval outwards"
is "$(printf '%s\n' "$out" | grep -c 'launch times are uncertain by up to 5.000 us')" 1 "the output names the uncertainty"

tail_limited() (
	rm -f r/tail*
	ulimit -f 0
	exec "$wakelat" tail r
)
not_ok "a file size limit of 0 makes tail fail" tail_limited
is "$(find r -name 'tail*')" "" "a file size limit of 0: no table is left"
tail_full() {
	"$wakelat" tail -w 'state == C1E_x' d >/dev/full
}
refused "No space left" "output to a full disk" tail_full

# bad ERE NAME: check that tail refuses the recording bad with a message that matches ERE, and leaves no tables
bad() {
	refused "$1" "$2 is refused" "$wakelat" tail bad
	is "$(find bad -name 'stats*' -o -name 'tail*')" "" "$2: no table is left"
}
mkdir bad
cp none/run.tsv bad
sed 's/$/\r/' d/samples.tsv >bad/samples.tsv
bad 'bad/samples.tsv:1: .*carriage return' "a table with DOS line ends"
awk 'BEGIN { FS = OFS = "\t" } NR == 1 { for (i = 1; i <= NF; i++) if ($i == "wake_latency") at = i } NR == 9 { $at = "nan" } { print }' \
	d/samples.tsv >bad/samples.tsv
bad "bad/samples.tsv:9: .*'nan' is not an integer" "a table with NaN"
head -c 1000 d/samples.tsv >bad/samples.tsv
bad 'bad/samples.tsv:[0-9]*: the last line is cut off' "a table that is cut off"
: >file
refused "cannot create file/x" "an output below a file" "$wakelat" tail -o file/x d

# Compare our likelihood with that of evd.
cat >evd.R <<'END'
library(evd)
arguments <- commandArgs(TRUE)
for (part in c("gpd.R", "weibull.R", "tail-fit.R"))
	source(file.path(arguments[1], part))
set.seed(1)
for (shape in c(-0.3, -0.1, 0, 0.2, 0.5)) {
	x <- gpd_random(250, 1, shape, 2)
	fit <- gpd_fit(x)
	m <- 1000
	level <- gpd_level(fit$shape, fit$scale, m)
	capture.output(suppressWarnings({
		theirs <- fpot(c(x, rep(-1, 750)), 0, start = list(rlevel = level, shape = fit$shape), npp = 1, mper = 4 * m)
		interval <- confint(profile(theirs, which = "rlevel"))
	}))
	chi <- qchisq(0.95, 1)
	ours <- level_interval(list(x = x, fit = fit), m, list(low = chi, high = chi))
	cut <- abs(c(level, fit$shape) - theirs$estimate) / c(level, 1)
	cat(shape, all(cut < 0.01), all(abs(ours / interval - 1) < 0.02), "\n")
}
END
is "$(Rscript --vanilla evd.R "$top/extras/tail" | sort -u -k 2 | cut -d ' ' -f 2-)" "TRUE TRUE " \
	"evd computes the same levels, and the same intervals with chi-squared bounds"

# Names of states that R could take for quotes, comments or missing values.
mkdir odd
run_tsv odd/run.tsv state.4.name 'a"c' state.5.name NA state.6.name "b'# d"
for state in 4 5 6; do
	draw 1200 "$state" '100000 + rexp(n, 1e-3)' | awk -v state="$state" '{ print state, 1000, $1, $1 + 500, "-" }'
done | samples_tsv odd/samples.tsv
run "$wakelat" tail -q odd
is "$status$err" 0 "tail accepts unusual names of states"
is "$(joined odd/tail.tsv state)" "a\"c NA b'# d" "unusual names of states are kept"
done_testing
