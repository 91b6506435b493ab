#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the figures no text covers other text or leaves the figure, in svg, pdf and png: with one, three or eight states,
# long names, one sample or ten million.
# needs: tools
# takes: minutes

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/browser.sh"
command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
command -v pdftotext >/dev/null || skip_all "poppler-utils is not installed"
need_browser
build_tools
cd "$tmp" || exit 1

# Names of real drivers, and one that is longer than any.
names='C1 C1E C3_ACPI C6 C6_LONG_NAME C7s C8 C10_of_a_machine_that_nobody_has_built_yet'

# data DIR STATES N: make a recording with N samples of each state. Each state has twice the latency of the one before, and a
# tail.
data() {
	mkdir "$1"
	awk -v states="$2" -v n="$3" 'BEGIN {
		for (i = 1; i <= n; i++)
			for (s = 1; s <= states; s++) {
				silent = (i * 7919 + s) % 7900000 + 50000
				v = 1700 * 2 ^ s + (i * 31 + s) % (150 * s) + (i % 211 ? 0 : 800 * 2 ^ s)
				print s, silent, (s == 1 && states > 1 ? "-" : v), v + 700, (i % 301 ? "-" : "smi")
			}
	}' | samples_tsv "$1/samples.tsv"
	set -- "$1/run.tsv" date 2026-01-01T00:00:00Z
	s=0
	for data_name in $names; do
		s=$((s + 1))
		set -- "$@" state.$s.name "$data_name" state.$s.latency_ns $((1600 << s))
	done
	run_tsv "$@"
	# run_tsv writes names of three states first. Keep the last value of each key.
	awk -F '\t' '{ value[$1] = $2; if (!($1 in seen)) order[++n] = $1; seen[$1] = 1 }
		END { for (i = 1; i <= n; i++) print order[i] "\t" value[order[i]] }' "$1" >new && mv new "$1"
}

# counters DIR: add the core's residency counters and a second CPU
counters() {
	awk -F '\t' 'NR > 1 { cyc = $11 * 2; print cyc + 100, ($4 < 3 ? cyc : 0), ($4 >= 3 && $11 > 200000 ? cyc - 400000 : 0) }' \
		"$1/samples.tsv" | add_columns "$1/samples.tsv" tsc_cyc cc1_cyc cc6_cyc
	awk 'BEGIN { FS = OFS = "\t" } NR > 1 { $2 = int(NR / 3) % 2 ? 0 : 127 } { print }' "$1/samples.tsv" >new && mv new "$1/samples.tsv"
	for s in 1 2 3 4 5 6 7 8; do
		printf 'state.%s.desc\tMWAIT 0x%s\n' $s "$([ $s -lt 3 ] && echo 00 || echo 20)"
	done >>"$1/run.tsv"
	printf 'tsc_khz\t2000000\n' >>"$1/run.tsv"
}

# A copy of the scripts whose program reports ten million samples for each state.
mkdir many
cp -r "$top/scripts" "$top/tools" "$top/gnuplot" many/
mv many/tools/bin/answer many/tools/bin/answer.real
cat >many/tools/bin/answer <<'END'
#!/bin/sh
"$0.real" "$@" || exit
[ "$1" = figures ] || exit 0
for option; do
	[ "$last" != -o ] || directory=$option
	last=$option
done
awk 'BEGIN { FS = OFS = "\t" } { $4 = 10000000 } { print }' "$directory/states.dat" >"$directory/new" && mv "$directory/new" "$directory/states.dat"
awk 'BEGIN { FS = OFS = "\t" } $1 == "samples" { $2 = 80000000 } { print }' "$directory/ranges.dat" >"$directory/new" && mv "$directory/new" "$directory/ranges.dat"
for f in "$directory"/order-*.dat; do
	awk 'BEGIN { FS = OFS = "\t" } { $1 *= 10000 } { print }' "$f" >"$directory/new" && mv "$directory/new" "$f"
done
for f in "$directory"/ccdf-[0-9]*.dat; do
	awk 'BEGIN { FS = OFS = "\t" } { last = $1; print } END { print last, 1e-7 }' "$f" >"$directory/new" && mv "$directory/new" "$f"
done
END
sed -i '1a last=' many/tools/bin/answer
chmod +x many/tools/bin/answer

# drawn NAME WIDTHS COMMAND...: draw figures of all formats into shown/NAME
drawn() {
	drawn_name=$1
	drawn_widths=$2
	shift 2
	ok "$drawn_name: the figures are drawn" "$@" -q -k svg,pdf,png --width "$drawn_widths" -o "shown/$drawn_name"
}

mkdir shown
for states in 1 3 8; do
	data s$states $states 1000
	counters s$states
	# Tables that figures of extras show.
	for tables in "$top"/extras/*/tests/figures.sh; do
		# shellcheck source=/dev/null
		[ ! -e "$tables" ] || . "$tables"
	done
	drawn s$states 88mm,180mm "$wakelat" plot s$states
	drawn s$states-linear 88mm "$wakelat" plot --linear -f silent-time,histogram,ccdf,percentiles,states s$states
	drawn s$states-many 88mm many/scripts/wakelat plot -f order,density,histogram,ccdf,percentiles,states s$states
	for n in 1 2; do
		data s$states-n$n $states $n
		drawn s$states-n$n 88mm "$wakelat" plot s$states-n$n
	done
done
# A sweep of launch distances has an axis for them.
data swept 3 400
sed -i 's/^ldist_mode	.*/ldist_mode	sweep/' swept/run.tsv
drawn swept 88mm "$wakelat" plot swept
# An axis of less than a decade, with numbers of three and four digits: 600 to 2000 us, and 6 to 20 ms.
for factor in 1 10; do
	mkdir narrow$factor
	awk -v factor=$factor 'BEGIN {
		for (i = 1; i <= 400; i++)
			for (s = 2; s <= 3; s++) {
				v = factor * ((s == 2 ? 650000 : 900000) + (i * 7919) % 80000)
				print s, 2000000 + i * 15000, v, v + 700, "-"
			}
	}' | samples_tsv narrow$factor/samples.tsv
	run_tsv narrow$factor/run.tsv
	sed -i "s/^state\.2\.latency_ns	.*/state.2.latency_ns	$((factor * 1500000))/; s/^state\.3\.latency_ns	.*/state.3.latency_ns	$((factor * 1600000))/" narrow$factor/run.tsv
	drawn narrow$factor 88mm "$wakelat" plot narrow$factor
done
# A condition that makes the note wider than the figure.
drawn note 88mm "$wakelat" plot -f ccdf,states -w 'silent_time < 9ms && taint == none && wake_latency > 0' narrow1 narrow10
# Several recordings in one figure.
name='a recording of a name that is longer than any figure is wide'
for i in 1 2 3 4; do
	data "$name $i" 3 400
done
data other 1 400
data another 1 400
drawn two 88mm "$wakelat" plot other another
drawn five 88mm "$wakelat" plot "$name 1" "$name 2" "$name 3" "$name 4" s8
# Counts of other tools.
"$wakelat" import -q -o cyclictest "$top/tests/fixtures/import/cyclictest.txt"
"$wakelat" import -q -o timerlat "$top/tests/fixtures/import/timerlat-real.txt"
drawn cyclictest 88mm,180mm "$wakelat" plot cyclictest
drawn timerlat 88mm,180mm "$wakelat" plot timerlat
# A sweep of many points and states.
mkdir sweep
cp -r s3 sweep/p0
printf 'key\tvalue\nknob\tqos\n' >sweep/setup.tsv
{
	printf 'knob\tvalue\tunit\tdeepest\tn\ttainted\tintr_latency_p50\tintr_latency_p99\tintr_latency_p99.9\tintr_latency_p99.99\tintr_latency_max\tworst_state\tworst_n\tworst_by\tworst_intr_latency'
	for state in POLL $names; do
		printf '\tresidency_%s_pct' "$state"
	done
	printf '\tbusy_pct\twindow_s\tpower_w\tpower_from\temulated\tdirectory\n'
	for value in 0 2 10 20 100 133 200 1000 2000 10000 100000 1000000 none; do
		printf 'qos\t%s\tus\tC6\t10000000\t0\t2000\t3000\t4000\t5000\t%s000\tC6\t10000000\tmax\t9000' $value $((${#value} * 7))
		for state in POLL $names; do
			printf '\t10.5'
		done
		printf '\t1\t3\t12.34\trapl\tyes\tp0\n'
	done
} >sweep/sweep.tsv
drawn sweep 88mm,180mm "$wakelat" plot sweep

# Check each pdf, each svg, and that the png has the pdf's words at the same places.
find shown -name '*.pdf' | sort >pdfs
find shown -name '*.svg' | sort >svgs
while IFS= read -r pdf; do
	pdftotext -bbox "$pdf" words
	perl "$top/tests/lib/overlap.pl" <words | sed "s,^,$pdf: ,"
	# One png of each figure is enough: the same library draws png and pdf.
	case $pdf in
	shown/s8/* | shown/s8-many/* | shown/sweep/* | shown/timerlat/*)
		perl "$top/tests/lib/overlap.pl" "${pdf%pdf}png" <words >"${pdf%pdf}json" ;;
	esac
done <pdfs >found
is "$(cat found)" "" "no text covers other text in $(wc -l <pdfs | tr -d ' ') pdf files"
{
	cat svgs
	find shown -name '*.json' | sort
} >pages
set --
while IFS= read -r page; do
	set -- "$@" "$page"
done <pages
framed figures.js "$@" >all.html
browse --dump-dom "$tmp/all.html" | results >looked
is "$(grep -c ': \(svg\|png\), text$' looked)" "$#" "all of $(wc -l <svgs | tr -d ' ') svg files, and the png files, have text"
is "$(grep -v ': \(svg\|png\), text$' looked | while IFS=: read -r number what; do
	printf '%s:%s\n' "$(sed -n "${number}p" pages)" "$what"
done)" "" "no text covers other text in svg files, and png files have the pdf's words at the same places"

# The checks find two names on top of each other.
sed 's,<text><tspan[^<]*</tspan></text>\|<text>[^<]*</text>,&<text x="2">over</text>,' shown/s3/ccdf.svg >over.svg
framed figures.js over.svg >all.html
like "$(browse --dump-dom "$tmp/all.html" | results)" "'.*' over 'over'" "text over text in an svg is found"
printf '<page width="100" height="100">\n<word xMin="10" yMin="10" xMax="30" yMax="18">abc</word>\n<word xMin="25" yMin="12" xMax="50" yMax="20">def</word>\n' |
	perl "$top/tests/lib/overlap.pl" >found
like "$(cat found)" "'abc' over 'def'" "text over text in a pdf is found"

done_testing
