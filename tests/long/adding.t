#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Adds a figure, a statistic, a percentile, a column, a command, a check of doctor with its preparation and an extra to a copy of the repository, as Documentation/contributing.md describes.
# Tries each of them, and counts the changed files. Needs the tools, gnuplot, git.
# needs: tools
# takes: minutes

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/adding.sh"
command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
build_tools
cd "$tmp" || exit 1

# Copies the tree with its built programs, so that make builds only what changes.
mkdir copy
(cd "$top" && git ls-files -z --cached --others --exclude-standard | tar -c --null -T - --ignore-failed-read) 2>/dev/null | tar -x -C copy
cp -pR "$top/tools/." copy/tools/
cd copy || exit 1
in_copy() {
	git -c user.name=Tester -c user.email=tester@wakelat.invalid -c gc.auto=0 "$@"
}
in_copy init -q . && in_copy add -A && in_copy commit -q -m 'As it is' || bail "no copy"
wakelat=$tmp/copy/scripts/wakelat

mkdir "$tmp/d"
awk 'BEGIN { for (i = 1; i <= 500; i++) print 1 + 2 * (i % 2), i * 1000 + 50000, 10000 + i * 7 % 500, 11000, "-" }' |
	samples_tsv "$tmp/d/samples.tsv"
run_tsv "$tmp/d/run.tsv"

# --- a figure, with data of its own

sed 's/CCDF of latency/CDF of latency/; /^set logscale y/d; s/^set yrange.*/set yrange [0:100]/; /^@share_tics/d
	s/Share as long or longer/Share as short or shorter (%)/' gnuplot/histogram.gp |
	sed "s/Histogram of latency/CDF of latency/; s/Samples per bin/Share (%)/; /@count_tics/d; /^plot/,\$d" >gnuplot/below.gp
cat >>gnuplot/below.gp <<'END_GP'
plot for [i=1:states] 'below-'.position[i].'.dat' using 1:(100*$2) with fsteps lw 1 dt dash[i] lc rgb colour[i] notitle, \
	@line_key \
	@advertised_key
END_GP
line '^states	' scripts/lib/figures/figures.tsv <<'END_TSV'
below	samples	-	-	svg	Share of samples whose latency was as short or shorter.
END_TSV
line '^In nearly empty areas each sample is a point' Documentation/man/wakelat-plot.1 <<'END_MAN'
.TP
.B below
Share of samples that took as long or less, on a linear axis.
END_MAN
line 'write_ccdf[(]create_for' tools/figures/figdist.c <<'END_C'
		write_below(create_for("below", p), &figures->series[p]);
END_C
line '^ [*]	ccdf-P[.]dat' tools/figures/figdist.c <<'END_C'
 *	below-P.dat		latency share			of samples as short or shorter
END_C
cat >"$tmp/function" <<'END_C'
static void write_below(FILE *f, const struct series *series)
{
	for (size_t i = series->below; i < series->nr; i++) {
		print_us(f, series->latency[i]);
		fprintf(f, "\t%.9g\n", (double)(i + 1) / series->nr);
	}
	finish(f);
}

END_C
sed -i "/^const char [*]write_distributions/{
	e cat '$tmp/function'
}" tools/figures/figdist.c
ok "figure: the tools build" make -s -C tools
ok "figure: plot -f draws it" "$wakelat" plot -q -k svg -f below -o "$tmp/f" "$tmp/d"
cp "$tmp/f/below.svg" Documentation/gallery/
cat >>Documentation/gallery.md <<'END_MD'

## below

![](gallery/below.svg)

    $ scripts/wakelat plot -q -k svg -f below -o out/gallery/figures out/gallery/skylake

The share of wake-ups that took as long or shorter.
END_MD
like "$(cat "$tmp/f/below.svg")" '>Share \(%\)<' "figure: the drawn figure is the new one"
ok "figure: report makes a page" "$wakelat" report -q -o "$tmp/page.html" "$tmp/d"
like "$(grep figcaption "$tmp/page.html")" 'as short or shorter' "figure: the report has its caption"
agrees "figure: all lists agree"
needs_each figure gnuplot/below.gp scripts/lib/figures/figures.tsv Documentation/man/wakelat-plot.1 Documentation/gallery.md \
	Documentation/gallery/below.svg
counted figure 6 below

# --- a statistic

sed -i 's/^\t\ttable_column(table, "%s_std", name);/&\n\t\ttable_column(table, "%s_range", name);/
	s/table_absent(&job->table, job->nr_percentiles + 4)/table_absent(\&job->table, job->nr_percentiles + 5)/' tools/analyse/quantiles-print.c
# Put the new column after the standard deviation.
awk '/^static void put_values/ { here = 1 }
	here && /^}/ { print "\ttable_put(&job->table, \"%\" PRIu64, (uint64_t)v->value[v->nr - 1] - (uint64_t)v->value[0]);"; here = 0 }
	/^static void put_(sum|ranges)/ { sum = 1 }
	sum && /^}/ { print "\ttable_absent(&job->table, 1);"; sum = 0 }
	{ print }' tools/analyse/quantiles-print.c >"$tmp/new" && cat "$tmp/new" >tools/analyse/quantiles-print.c
line '^stats[.]tsv	METRIC_mean' scripts/lib/common/schema.tsv <<'END_TSV'
stats.tsv	METRIC_range	number	ns	-	the greatest less the least
END_TSV
ok "statistic: make documents succeeds" make -s documents
# stats.t compares whole rows.
stats_test=$(place stats.t)
sed -i "s/_latency_std intr_latency_min/_latency_std wake_latency_range intr_latency_min/; s/_latency_std tainted/_latency_std intr_latency_range tainted/
	s/5\\\\t5\\\\t-')\" \"one sample/5\\\\t5\\\\t-\\\\t0')\" \"one sample/; s/cut -f 1-5,8-)/cut -f 1-5,9-)/" "$stats_test"
line '^also prints more percentiles' Documentation/man/wakelat-stats.1 <<'END_MAN'
It prints the range, greatest less least, too.
END_MAN
ok "statistic: the tools build" make -s -C tools
rm -f "$tmp"/d/stats*.tsv
run "$wakelat" stats --all "$tmp/d"
like "$out" '^  range +0\.49[0-9]' "statistic: stats prints it"
ok "statistic: its own test passes" prove -Q "$stats_test"
agrees "statistic: all lists agree"
needs_each statistic scripts/lib/common/schema.tsv Documentation/formats.md
counted statistic 4 range

# --- a percentile

sed -i 's/^percentiles=.*99\.9,/&99.95,/' scripts/lib/analysis/stats-tables.sh
sed -i '/^Default: 50/s/99\.9,/&99.95,/' Documentation/man/wakelat-stats.1
mkdir "$tmp/p" "$tmp/q"
for directory in p q; do
	awk -v by="$directory" 'BEGIN { for (i = 1; i <= 9000; i++) print 3, i * 1000 + 50000, 10000 + i * 7919 % 5000 + (by == "q") * 900, 21000, "-" }' |
		samples_tsv "$tmp/$directory/samples.tsv"
	run_tsv "$tmp/$directory/run.tsv"
done
like "$("$wakelat" stats -h)" '99\.9,99\.95,99\.99' "percentile: stats -h has it"
like "$("$wakelat" stats --all "$tmp/p")" ' p99\.95 ' "percentile: stats prints it"
run "$wakelat" compare -q -o "$tmp/c.tsv" "$tmp/p" "$tmp/q"
is "$(cut -f 3 "$tmp/c.tsv" | paste -sd ' ' -)" "statistic min p50 p90 p99 p99.9 p99.95 p99.99 p99.999 max" "percentile: compare compares it"
"$wakelat" report -q -o "$tmp/page.html" "$tmp/p"
like "$(cat "$tmp/page.html")" '<th>p99\.95</th>' "percentile: the page has a column"
"$wakelat" plot -q -k svg -f differences -o "$tmp/f" "$tmp/p" "$tmp/q"
like "$(cat "$tmp/f/differences.svg")" '>p99\.95<' "percentile: figure differences has it"
agrees "percentile: all lists agree"
needs_each percentile Documentation/man/wakelat-stats.1
counted percentile 2 percentile

# --- a column of samples.tsv

sed -i 's/CELL_RUN, CELL_SEQ,$/& CELL_ASLEEP,/' tools/read/sample-table.h
line 'add_columns_of[(]table, &table->parts[.]list' tools/read/sample-table.c <<'END_C'
	add_column(table, CELL_ASLEEP, "asleep");
END_C
line '^		return correct->has_dma;' tools/read/sample-table.c <<'END_C'
	case CELL_ASLEEP:
		if (!sample_value(&table->sample.fields[SAMPLE_TAI], table->record, table->irqs_on, value) ||
		    !sample_value(&table->sample.fields[SAMPLE_TBI], table->record, table->irqs_on, &before))
			return false;
		*value -= before;
		return true;
END_C
line '^	const struct correct [*]correct = &table->correct;' tools/read/sample-table.c <<'END_C'
	uint64_t before;
END_C
line '^samples[.]tsv/parts	entered' scripts/lib/common/schema.tsv <<'END_TSV'
samples.tsv/parts	asleep	number	ns	yes	`tai` minus `tbi`; `-` if `irqs_on`
END_TSV
ok "column: make documents succeeds" make -s documents
ok "column: the tools build" make -s -C tools
printf 'sample 0 1 run=1 source=1 state=1 tbi=100 tai=350\nend 0 3 run=1 cpu=0 samples=1\n' | trace "$tmp/t.dat"
ok "column: dump reads a recording" "$wakelat" dump -o "$tmp/t.tsv" "$tmp/t.dat"
is "$(joined "$tmp/t.tsv" asleep)" 250 "column: dump prints it"
ok "column: the tests of dump pass" prove -Q "$(place dump.t)" "$(place parts.t)"
agrees "column: all lists agree"
needs_each column scripts/lib/common/schema.tsv
counted column 3 column

# --- a command

cat >scripts/commands/count <<'END_SH'
#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# summary: print how many samples there are
#
# USAGE: wakelat count DIR

set -u
unset CDPATH
export LC_ALL=C
me="wakelat count"

here=$(cd "$(dirname "$0")/.." && pwd) || exit 1
# shellcheck source=scripts/lib/common/message.sh
. "$here/lib/common/message.sh"

usage() {
	cat <<'END'
usage: wakelat count DIR

  -h, --help   this text
END
}

case ${1-} in
-h | --help)
	usage
	exit
	;;
-* | '') bad_usage "name a directory" ;;
esac
[ -r "$1/samples.tsv" ] || die "$1: no samples.tsv"
sed 1d "$1/samples.tsv" | wc -l
END_SH
chmod +x scripts/commands/count
cat >Documentation/man/wakelat-count.1 <<'END_MAN'
.\" SPDX-License-Identifier: GPL-2.0
.TH WAKELAT-COUNT 1 "" wakelat "wakelat manual"
.SH NAME
wakelat-count \- print how many samples there are
.SH SYNOPSIS
.B wakelat count
.I DIR
.SH DESCRIPTION
Prints the number of samples in
.IR DIR .
.SH EXAMPLES
.nf
wakelat count out/demo
.fi
END_MAN
line '^[.]BR wakelat-compare ' Documentation/man/wakelat.1 <<'END_MAN'
.BR wakelat-count (1),
END_MAN
new_test=$(dirname "$(place stats.t)")/count.t
sed '/^cd "\$tmp"/q' "$(place stats.t)" >"$new_test"
cat >>"$new_test" <<'END_T'
printf '1 2 3 4 -\n' | samples_tsv samples.tsv
is "$("$wakelat" count .)" 1 "one sample"
done_testing
END_T
like "$("$wakelat" help)" '^  count +print how many samples' "command: help lists it"
is "$("$wakelat" count "$tmp/d")" 500 "command: it runs"
ok "command: its own test passes" prove -Q "$new_test"
agrees "command: all lists agree"
needs_each command Documentation/man/wakelat-count.1 Documentation/man/wakelat.1 "$new_test"
counted command 5 count

# --- a check of doctor, with its preparation

line '^timer_migration	' scripts/lib/doctor/settings.tsv <<'END_TSV'
numa_balancing	timers	note	/proc/sys/kernel/numa_balancing	0	NUMA balancing unmaps pages: a fault may delay the thread that wakes up	there is no NUMA balancing
END_TSV
line '^doctor[.]tsv/checks	clocksource' scripts/lib/common/schema.tsv <<'END_TSV'
doctor.tsv/checks	numa_balancing	text	-	yes	whether the kernel moves pages between NUMA nodes
END_TSV
ok "check: make documents succeeds" make -s documents
. "$top/tests/lib/machine.sh"
make_machine "$tmp/m"
put /proc/sys/kernel/numa_balancing 1
like "$(WAKELAT_ROOT=$tmp/m "$wakelat" doctor --tsv --time 0s --cpu 1)" \
	'numa_balancing	machine	note	1	NUMA balancing .*	echo 0 >/proc/sys/kernel/numa_balancing	echo 1 >.*	timers' "check: doctor makes it"
cat >"$tmp/prepares" <<'END_SH'
set -u
me=test root=$1 here=$2 source=hrtimer cpus=1 cpu_list=1
export WAKELAT_ROOT=$root
for part in common/message common/units common/cpulist common/sysfs common/journal common/cpuidle doctor/doctor-all record/prepare; do
	. "$here/lib/$part.sh"
done
journal_dir=$1/journal journal_file=$1/journal/state work_dir=$1/journal/work
undone() {
	:
}
write_value() {
	printf '%s\n' "$2" >"$1"
}
journal_begin
prepare_machine timers
cat "$root/proc/sys/kernel/numa_balancing"
journal_undo
cat "$root/proc/sys/kernel/numa_balancing"
END_SH
is "$(dash "$tmp/prepares" "$tmp/m" "$tmp/copy/scripts" 2>&1 | paste -sd ' ' -)" "0 1" "check: record --prepare changes the setting and restores it"
agrees "check: all lists agree"
needs_each check scripts/lib/common/schema.tsv Documentation/formats.md
counted check 2 numa_balancing

# --- an extra

mkdir -p extras/twice/tests/host
sed 's/wakelat count/wakelat twice/g; s/how many samples there are/twice as many samples as there are/
	s|^here=.*|extra=$(cd "${0%/*}" \&\& pwd) \|\| exit 1\nhere=$(cd "$extra/../../scripts" \&\& pwd) \|\| exit 1|
	s/^sed 1d \(.*\) | wc -l/echo $(($(sed 1d \1 | wc -l) * 2))/' scripts/commands/count >extras/twice/twice
chmod +x extras/twice/twice
sed 's/count/twice/g; s/COUNT/TWICE/g; s/how many samples there are/twice as many samples as there are/' Documentation/man/wakelat-count.1 >extras/twice/wakelat-twice.1
printf '# wakelat twice\n\nPrints twice the number of samples.\n' >extras/twice/README.md
sed 's/count/twice/g; s/" 1 "/" 2 "/; s|/../lib/tap|/../../../../tests/lib/tap|' "$new_test" >extras/twice/tests/host/twice.t
like "$("$wakelat" help | sed '1,/^Extras/d')" '^  twice +print twice as many' "extra: help lists it apart"
is "$("$wakelat" twice "$tmp/d")" 1000 "extra: it runs"
ok "extra: its own test passes" prove -Q extras/twice/tests/host/twice.t
agrees "extra: all lists agree"
git add -A
is "$(git diff --cached --name-only | grep -v '^extras/twice/')" "" "extra: nothing outside of its folder has changed"
done_testing
