#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat report in a real browser: whatever a recording contains, the page executes nothing, fetches nothing and leads
# nowhere. No part of it is cut off on any screen.
# needs: tools
# takes: minutes

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/browser.sh"
command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
need_browser
build_tools
cd "$tmp" || exit 1

# If this text is taken for HTML, it changes the title or sets `executed`: as text, in an attribute with either quote, in a style.
hostile='"'"'"'><img src=x onerror="top.document.title=executed=1"><script>top.document.title=executed=2</script><style>*{display:none}</style><iframe src=file:///etc/passwd></iframe><base href=//evil/><svg onload=executed=3><a href=javascript:executed=4>x</a></style></pre></title></details>&lt;b&gt;'

with_residencies() {
	three_states "$1" 0 state.1.residency_ns 2000 state.2.residency_ns 20000 state.3.residency_ns 600000
}
with_residencies good
with_residencies other

# Make every value of run.tsv hostile, except those that must be numbers, and add unknown keys.
with_residencies evil
awk -F '\t' -v OFS='\t' -v hostile="$hostile" 'NR == 1 || /^format\t/ { print; next }
	/latency_ns|residency_ns|^(emulated|ldist_mode|source)\t/ { print; next }
	/^state\..*name\t/ { print $1, $2 substr(hostile, 1, 90); next }
	{ print $1, hostile }
	END { print hostile, hostile; print "caveat", hostile; print "systematic_error", hostile; print "run.1.reason", hostile
		print "run.1.cpu0.looks", hostile; print "hostname", hostile }' \
	evil/run.tsv >new && mv new evil/run.tsv
{
	printf 'check\tsubject\tseverity\tvalue\tfinding\tchange\tback\tprepare\n'
	awk -v hostile="$hostile" 'BEGIN { for (i = 1; i < 8; i++) printf "%s\t", hostile; print hostile }'
} >evil/doctor.tsv
"$wakelat" stats -q evil 2>stats.err
# Tables that another user has left, newer than the samples: every cell is hostile.
for table in stats stats-ci stats-reached stats-cpu stats-frequency; do
	[ -e "evil/$table.tsv" ] || printf 'state\tsource\treached\tcpu\tn\twake_latency_min\twake_latency_p50\tmhz\ttainted\n1\t2\t3\t4\t5\t6\t7\t8\t9\n' >"evil/$table.tsv"
	awk -F '\t' -v OFS='\t' -v hostile="$hostile" 'NR > 1 { for (i = 1; i <= NF; i++) if ($i != "-") $i = hostile } { print }' \
		"evil/$table.tsv" >new && mv new "evil/$table.tsv"
done

# report may refuse the recording. If it makes a page, the page must be harmless.
run "$wakelat" report -q --title "$hostile" -o evil.html evil
if [ "$status" -eq 0 ]; then
	ok "report makes a page of a hostile recording" test -s evil.html
else
	like "$err" '.' "a hostile recording is refused: $(printf '%s' "$err" | head -n 1 | cut -c 1-60)"
fi

# Pass the same values directly to the program that makes the page, without the checks of report: every cell is hostile. The pages
# differ in the values that must be numbers to be drawn.
hostile_cells() {
	awk -F '\t' -v OFS='\t' -v hostile="$hostile" 'NR > 1 { for (i = 1; i <= NF; i++) $i = hostile NR } { print }' "$1" >new && mv new "$1"
}
# set_columns FILE NAME=VALUE...: set columns of all rows
set_columns() {
	columns_of=$1
	shift
	for column; do
		awk -F '\t' -v OFS='\t' -v name="${column%%=*}" -v value="${column#*=}" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
			NR > 1 && at { $at = value } { print }' "$columns_of" >new && mv new "$columns_of"
	done
}
# page_from WORK FILE: make a page of two recordings from the results in WORK
page_from() {
	"$top/tools/bin/answer" page -b -w "$1" -N "$hostile	$hostile" -t "$hostile" -p report -r "$hostile" -o "$2" evil evil
}
for work in verdict numbers; do
	mkdir $work
	for number in 1 2; do
		"$top/tools/bin/answer" verdict -f parts -b 50000 -o $work/$number good/run.tsv good/samples.tsv >/dev/null
		"$top/tools/bin/answer" stats -p 50,99 -o $work/$number-stats good/run.tsv good/samples.tsv
		for table in "$work/$number"-*.tsv; do
			hostile_cells "$table"
		done
		cp $work/$number-stats.tsv $work/$number-stats-reached.tsv
		printf '%s\n' "$hostile" "DOUBT: $hostile" | tee $work/$number-notes $work/$number-limits $work/$number-advice \
			$work/$number-paste-sysfs $work/$number-paste-udev >$work/$number-stats-notes
	done
	printf '%s\n' "$hostile" | tee $work/differences >$work/left-out
	printf 'state\tsource\tmetric\tstatistic\trun_a\trun_b\tn_a\tn_b\ta\tb\tdifference\tdifference_pct\tdifference_low\tdifference_high\tdistinguishable\n1\t2\t3\t4\t5\t6\t7\t8\t9\t10\t11\t12\t13\t14\t15\n' \
		>$work/compare.tsv
	hostile_cells $work/compare.tsv
	# Parts of extras.
	for part in "$top"/extras/*/tests/page.sh; do
		# shellcheck source=/dev/null
		[ ! -e "$part" ] || . "$part"
	done >$work/1-details.html
done
for number in 1 2; do
	for table in verdict words; do
		set_columns numbers/$number-$table.tsv budget_ns=50000 advertised_ns=10000 p50=8000 low=9000 high=9100 max=99999
	done
done
set_columns numbers/compare.tsv difference=9 difference_low=-1 difference_high=7 distinguishable=yes
{
	page_from verdict parts.html
	page_from numbers numbers.html
} 2>parts.err
is "$(cat parts.err)" "" "all parts of a page are made from hostile cells without an error"
for page in parts numbers; do
	is "$(grep -o 'onerror=' $page.html | wc -l | awk '{ print ($1 > 100) }')" 1 "$page: the hostile text is in the page"
	unlike "$(sed 's/<style>//' $page.html)" '<(img|script|iframe|base|a|style)[ >]|<svg onload' \
		"$page: the page has no element from the hostile text"
done
if [ -s evil.html ]; then
	unlike "$(sed 's/src="data:[^"]*"//' evil.html | tail -n +10)" '<(script|iframe|base|a)[ >]|<img src=x|<svg onload' \
		"the page has no element from the hostile text"
fi

# A page with every table: counters, several CPUs, doctor's findings.
awk -F '\t' 'NR > 1 { cyc = $11 * 2; print cyc + 100, ($4 < 3 ? cyc : 0), ($4 == 3 && $11 > 200000 ? cyc - 400000 : 0), cyc, cyc }' good/samples.tsv |
	add_columns good/samples.tsv tsc_cyc cc1_cyc cc6_cyc aperf_cyc mperf_cyc
awk 'BEGIN { FS = OFS = "\t" } NR > 1 { $2 = NR % 3 ? 0 : 7 } { print }' good/samples.tsv >new && mv new good/samples.tsv
run_tsv good/run.tsv tsc_khz 2000000 state.1.desc 'MWAIT 0x00' state.2.desc 'MWAIT 0x01' state.3.desc 'MWAIT 0x20'
printf 'check\tsubject\tseverity\tvalue\tfinding\tchange\tback\tprepare\nx\t0000:01:00.0\tunusable\t-\tA finding of some words that says what is wrong\techo 0 >/sys/devices/system/cpu/cpu0/cpuidle/state3/disable_and_a_path_that_does_not_end_soon\t-\t-\n' >good/doctor.tsv
"$wakelat" report -q -b 50us -o good.html good
"$wakelat" report -q -b 50us --title 'Two, and a name ofmanylettersthatnobodycanbreakanywherebecauseithasnospaceinitatall' -o two.html good other
"$wakelat" import -q -o counts "$top/tests/fixtures/import/timerlat.txt"
"$wakelat" report -q -o counts.html counts
set -- good.html two.html counts.html parts.html numbers.html
[ ! -s evil.html ] || set -- "$@" evil.html
framed page.js "$@" >all.html
browse --dump-dom "$tmp/all.html" >dom
results <dom >looked
is "$(grep -c '^looked at page .*: many' looked)" "$(($# * 6))" "$# pages are checked at six widths from 390 to 1600"
is "$(grep -E 'page [123] ' looked | grep -v '^looked')" "" "no part of a page is cut off, missing or unstyled"
# Narrow cells break the words of the hostile text.
is "$(grep -vE "^looked|' is broken\$" looked | grep -E 'executed|style is not')" "" "no page executes hostile text"
like "$(cat dom)" '<title>untouched</title>' "no page changes anything outside its frame"
unlike "$(cat browser.err)" 'Refused to apply inline style|violates.*style-src.*inline style' "the policy allows the page's own style"

# Prove that the test notices an attack: the same text, unescaped and without a policy, in the same frames.
{
	printf '<!DOCTYPE html><p class="answer">x</p>\n%s\n' "$hostile"
} >open.html
framed page.js open.html >all.html
browse --dump-dom "$tmp/all.html" | results >looked
like "$(cat looked)" '^page 1: executed' "unescaped, without a policy: the test notices that text is executed"
# The policy is the second line of defence: the text unescaped, but with the policy.
{
	sed -n '/<head>/,/Content-Security-Policy/p' good.html
	printf '<style>%s</style></head><p class="answer">x</p>\n%s\n' '.answer { font-weight: 900 }' "$hostile"
} >policed.html
framed page.js policed.html >all.html
browse --dump-dom "$tmp/all.html" | results >looked
unlike "$(cat looked)" 'executed' "unescaped, with the policy: nothing is executed"
like "$(cat looked)" 'style is not applied' "unescaped, with the policy: another style is not applied"

# The page in a dark colour scheme, and printed.
framed page.js good.html >all.html
browse --blink-settings=preferredColorScheme=0 --dump-dom "$tmp/all.html" | results >looked
like "$(cat looked)" '1280: many, text rgb\(2[0-9]*, 2[0-9]*, 2[0-9]*\) on rgb\([0-4]?[0-9], [0-4]?[0-9], [0-4]?[0-9]\)' \
	"the page is dark if the browser prefers dark"
is "$(grep -v '^looked' looked)" "" "the dark page has no part cut off"
if command -v pdftotext >/dev/null; then
	browse --no-pdf-header-footer --print-to-pdf="$tmp/good.pdf" "$tmp/good.html" >/dev/null
	printed=$(pdftotext -layout good.pdf -)
	like "$(printf '%s' "$printed" | tr -s '\n ' ' ')" "$(sed -n 's/^<p class="answer[^>]*>\([^<.]*\)\..*/\1[.]/p' good.html)" "printed: the page has the answer"
	like "$printed" 'lost_commit_overrun' "printed: the page has the parts that are folded away on the screen"
	like "$printed" 'Share of samples whose latency' "printed: the page has the figures"
else
	skip 3 "no pdftotext"
fi
is "$(wc -c <good.html | awk '{ print ($1 < 3000000) }')" 1 "the page is one file below 3 MB"


# No limit keeps 1 us: POLL was not measured.
"$wakelat" report -q -b 1us -o short.html good
short=$("$wakelat" verdict -b 1us good | grep '^No limit can be named')
ok "the page says why no limit can be named, as verdict does: $short" grep -qF "$short" short.html
done_testing
