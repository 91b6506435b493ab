#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The figures of wakelat tail, its part of the page, and what it writes for a user who may not write the recording.
# needs: tools

. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/tests/lib/analysis.sh"
command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
build_tools
cd "$tmp" || exit 1

three_states d_1
printf 'state\thorizon\n' >d_1/tail.tsv
printf '%s\t%s\t%s\t%s\t' state source reached metric | tee d_1/tail-qq.tsv >d_1/tail-stability.tsv
printf 'threshold_ns\texceedances\tshape\tshape_low\tshape_high\texpected_low\texpected_high\tad_p\tchosen\n' >>d_1/tail-stability.tsv
printf 'rank\tmodel_ns\tsample_ns\tlow_ns\thigh_ns\n' >>d_1/tail-qq.tsv
refused "no tail could be fitted" "-f tail-qq: tail fitted no state" "$wakelat" plot -q -f tail-qq d_1
for k in 50 100 200; do
	printf 'C6\thrtimer\tno\twake_latency\t133090.5\t%d\t0.1\t-0.1\t0.3\t%s\t0.5\t%d\n' $k "$([ $k = 200 ] && printf -- '-\t-' || printf -- '-0.2\t0.4')" $((k == 200))
	printf 'C1E_x\thrtimer\t-\tintr_latency\t10090\t%d\t-0.5\t-\t-\t-\t-\t0.5\t0\n' $k
done >>d_1/tail-stability.tsv
printf 'C6\thrtimer\tno\twake_latency\t%s\n' '1	133000.5	133001	132000	134000' '2	133100	133101.5	-	-' >>d_1/tail-qq.tsv
ok "plot draws the figures of the tail" "$wakelat" plot -q -k svg,png -f tail-stability,tail-qq d_1
svg=$(grep '<text' d_1/figures/tail-stability.svg)
like "$svg" '>C6 not reached<' "figures of the tail: samples that did not reach their state have their own curve"
like "$svg" '>C1E_x \(intr\.\)<' "figures of the tail: each curve has its state's name"
rm d_1/tail-*
refused "there is no tail-qq.tsv: run wakelat tail first" "-f tail-qq without the table of wakelat tail" "$wakelat" plot -q -f tail-qq -o none d_1
"$wakelat" plot -q -k svg -f ccdf -o out d_1
like "$(cut -f 1 out/left-out.tsv | paste -sd ' ' -)" "tail-stability tail-qq" "left-out.tsv names the figures of the tail"
refused "leave out the condition" "-f tail-qq of selected samples" "$wakelat" plot -q -f tail-qq -w 'state == C6' -o none d_1

# colour_of SVG NAME: print the colour of NAME's mark in the key, which precedes its text.
colour_of() {
	awk -v name="$2" '
		index($0, ">" name "<") || index($0, ">" name ",") { found = 1 }
		found && match($0, /rgb\( *[0-9]+, *[0-9]+, *[0-9]+\)/) && !/stroke:none|<text|fill="black"/ {
			colour = substr($0, RSTART, RLENGTH)
			gsub(/ /, "", colour)
			if (colour != "rgb(0,0,0)") { print colour; exit }
		}' "$1"
}

three_states colours
printf 'state\thorizon\n' >colours/tail.tsv
{
	printf 'state\tsource\treached\tmetric\tthreshold_ns\texceedances\tshape\tshape_low\tshape_high\texpected_low\texpected_high\tad_p\tchosen\n'
	for k in 50 100 200; do
		printf 'C6\thrtimer\tyes\twake_latency\t133090.5\t%s\t0.1\t-0.1\t0.3\t-0.2\t0.4\t0.5\t0\n' $k
	done
} >colours/tail-stability.tsv
printf 'state\tsource\treached\tmetric\trank\tmodel_ns\tsample_ns\tlow_ns\thigh_ns\n' >colours/tail-qq.tsv
"$wakelat" plot -q -k svg -f ccdf,tail-stability -o colours/drawn colours
is "$(colour_of colours/drawn/tail-stability.svg 'C6 reached')" "$(colour_of colours/drawn/ccdf.svg C6)" "tail-stability: C6 has its colour"

# A program in place of R, which few machines have.
tail_row() {
	printf '%s\t' "$1" tsc_deadline reached intr_latency 10000000 1234567.8 1000000 'NOT ESTIMABLE' \
		range,independence,stationarity,stability 17 0.0342 0.000006 0.0017 123456.5 10000 -0.1234 -0.2345 -0.0123 1234.5678 0.123 0.0300
	printf '123456.7\t123456.7\t123456.7\n'
}
{
	printf 'state\tsource\treached\tmetric\tn\tmax_ns\thorizon\tresult\tfailed\tdistinct\tlag1\tljung_box_p\thalves_p\tthreshold_ns\texceedances\tshape\tshape_low\tshape_high\tscale_ns\tad_p\tstability_p\tlevel_ns\tlevel_low_ns\tlevel_high_ns\n'
	tail_row C1
	tail_row C6
} >tail.tsv
mkdir tail-bin
printf '#!/bin/sh\nfor name in tail tail-qq tail-stability; do cp %s/tail.tsv "$7/$name.tsv"; done\n' "$tmp" >tail-bin/Rscript
chmod 755 tail-bin/Rscript
three_states good
run env PATH="$tmp/tail-bin:$PATH" "$wakelat" report -q --with tail -b 50us -o good.html good
is "$status$err" 0 "report --with tail succeeds"
like "$(cat good.html)" '1234\.568' "report --with tail: the page has the tail"
ls good >there
unlike "$(cat there)" 'tail' "report --with tail writes no tables into the directory"
"$wakelat" report -q -b 50us -o without.html good
like "$(cat without.html)" 'use wakelat report --with tail' "without --with, the page says how to see the tail"
run env PATH="$tmp/tail-bin:$PATH" "$wakelat" report -q --with tail --paper paper good
is "$status" 0 "report --with tail --paper succeeds"
ok "the paper has the tables of the tail" test -s paper/tail.tsv -a -s paper/tail-qq.tsv
refused "'fleet' is not an extra that adds results to the page" "--with: an extra without results for the page" "$wakelat" report --with fleet good
"$wakelat" import -q -o rt "$top/tests/fixtures/import/timerlat.txt"
refused "counts do not have the order of the samples, .* use a recording with samples" "tail refuses counts" "$wakelat" tail rt

if Rscript --vanilla -e 'library(evd)' >/dev/null 2>&1; then
	"$wakelat" tail -q good
	"$wakelat" tail --json good >document
	is "$?" 0 "tail --json succeeds"
	like "$(cat document)" '"tail": \[' "tail --json has the array tail"
	cp -r good kept && rm kept/tail*.tsv && chmod -w kept
	"$wakelat" tail -q -o tail kept
	is "$?" 0 "tail -o succeeds"
	ok "tail -o writes its table" test -s tail/tail.tsv
	"$wakelat" tail -q -o some -w 'wake_latency > 100us' kept
	ok "tail -o uses the selected samples" test "$(joined some/tail.tsv n | cut -d ' ' -f 1)" -le "$(joined tail/tail.tsv n | tr ' ' '\n' | sort -n | tail -n 1)"
	chmod o+w good
	"$wakelat" import -q -o copy good
	ok "import -o of a directory that others can change copies the tables of the tail" cmp copy/tail.tsv good/tail.tsv
	printf 'word\n' >word && sed '2s/\t[0-9][0-9]*\t/\tword\t/' good/tail.tsv >copy/tail.tsv
	refused "is not a number" "plot refuses a table of the tail with a word in place of a number" "$wakelat" plot -q -f ccdf -o x copy
else
	skip 7 "R with its package evd is not installed"
fi
done_testing
