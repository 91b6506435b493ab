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

# Pass the same values directly to each script that makes HTML, without the checks of report: every cell is hostile.
html() {
	case $1 in
	/*) html_script=$1 ;;
	*) html_script=$top/scripts/lib/report/$1 ;;
	esac
	shift
	schema=$top/scripts/lib/common/schema.tsv awk -F '\t' -f "$top/scripts/lib/common/schema.awk" \
		-f "$top/scripts/lib/common/us.awk" -f "$top/scripts/lib/report/html.awk" -f "$top/scripts/lib/analysis/brief.awk" \
		-f "$html_script.awk" "$@"
}
# hostile_table COLUMN...: print a table of three rows in which every cell is hostile
hostile_table() {
	printf '%s' "$1"
	shift
	columns=1
	for column; do
		printf '\t%s' "$column"
		columns=$((columns + 1))
	done
	printf '\n'
	awk -v n="$columns" -v hostile="$hostile" 'BEGIN { for (r = 1; r < 4; r++) for (i = 1; i <= n; i++) printf "%s%s", hostile r, (i < n ? "\t" : "\n") }'
}
verdict_columns='state advertised_ns residency_ns budget_ns metric n not_reached percentile value low high error_pct samples_needed max advertised_verdict advertised_over advertised_over_pct advertised_over_most_pct budget_verdict budget_over budget_over_pct budget_over_most_pct allowed limit_us samples_to_decide doubt p50 p99 verdict member cause clock balance limit'
{
	words "$verdict_columns" hostile_table >verdict.tsv
	hostile_table state metric statistic run_a run_b n_a n_b a b difference difference_low difference_high distinguishable >compare.tsv
	hostile_table state source metric percentile n needed value low high >ci.tsv
	hostile_table state source advertised_ns n wake_latency_min wake_latency_p50 wake_latency_p99 wake_latency_max tainted >stats.tsv
}
# Values that must be numbers to be drawn.
awk -F '\t' -v OFS='\t' 'NR > 1 { $2 = 10000; $4 = 50000; $10 = 9000; $11 = 9100; $14 = 99999; $27 = 8000 } { print }' verdict.tsv >numbers.tsv
awk -F '\t' -v OFS='\t' 'NR > 1 { $10 = 9; $11 = -1; $12 = 7; $13 = "yes" } { print }' compare.tsv >differs.tsv
{
	sed '/<h1>/q' evil.html 2>/dev/null || :
	[ -s evil.html ] || { "$wakelat" report -q -o good.html good && sed '/<h1>/q' good.html; }
	printf '<p class="answer">there</p>\n'
	for file in verdict numbers; do
		html html-answer -v part=answer $file.tsv
		printf '%s\n' "$hostile" "DOUBT: $hostile" | html html-answer -v part=sure
		names="$hostile	$hostile" html html-picture $file.tsv $file.tsv
	done
	html html-compare compare.tsv
	html html-compare differs.tsv
	html html-stats ci.tsv stats.tsv
	# Parts of extras.
	for part in "$top"/extras/*/tests/page.sh; do
		# shellcheck source=/dev/null
		[ ! -e "$part" ] || . "$part"
	done
	html html-lead evil/run.tsv
	html html-facts evil/run.tsv
	for kind in us number text verdict prose; do
		caption=$hostile where='' html html-tsv -v columns="state=x:$kind;value=y:$kind;n=z:$kind" verdict.tsv
	done
	printf '%s\n' "$hostile" | awk -f "$top/scripts/lib/report/html.awk" -f "$top/scripts/lib/report/html-text.awk"
	printf '</body>\n</html>\n'
} >parts.html 2>parts.err
is "$(cat parts.err)" "" "all parts of a page are made from hostile cells without an error"
is "$(grep -o 'onerror=' parts.html | wc -l | awk '{ print ($1 > 100) }')" 1 "the hostile text is in the parts"
unlike "$(sed 's/<style>//' parts.html)" '<(img|script|iframe|base|a|style)[ >]|<svg onload' \
	"the parts have no element from the hostile text"
if [ -s evil.html ]; then
	unlike "$(sed 's/base64,[^"]*//' evil.html | tail -n +10)" '<(script|iframe|base|a)[ >]|<img src=x|<svg onload' \
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
set -- good.html two.html counts.html parts.html
[ ! -s evil.html ] || set -- "$@" evil.html
framed page.js "$@" >all.html
browse --dump-dom "$tmp/all.html" >dom
results <dom >looked
is "$(grep -c '^looked at page .*: many' looked)" "$(($# * 6))" "$# pages are checked at six widths from 390 to 1600"
is "$(grep -E 'page [123] ' looked | grep -v '^looked')" "" "no part of a page is cut off, missing or unstyled"
is "$(grep -v '^looked' looked | grep -E 'executed|style is not')" "" "no page executes hostile text"
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
