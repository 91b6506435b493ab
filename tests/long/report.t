#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat report: the page has all that is known, opens from disk, and is the same again.
# needs: tools
# takes: minutes

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
build_tools
cd "$tmp" || exit 1

three_states d_1

# without_images FILE: they would fill the screen of whoever sees a test fail; nor what narrow screens need
without_images() {
	sed 's/base64,[^"]*//; s/ data-head="[^"]*"//g' "$1"
}

run "$wakelat" report d_1
is "$status$out" 0 "report"
page=$(without_images d_1/report.html)
like "$page" '<title>Wake latency \(emulated\): d_1</title>' "its title says that it is emulated"
like "$page" '<p class="warn">Emulated' "and so does its text"
like "$page" '<tr><th>C6</th><td class="text">hrtimer</td><td>133\.000</td><td>3000</td><td>0</td><td>12\.' "a row of numbers"
is "$(printf '%s\n' "$page" | grep -o '<img [^>]*src="data:image/[a-z+]*' | sed 's/.*image.//' | paste -sd ' ' -)" \
	"png png png svg+xml svg+xml svg+xml svg+xml" "seven figures in the page itself"
like "$page" '<li>No figure cpus: one CPU was measured\.</li>' "and why others are not"
like "$page" '<td class="text">C1E_x</td>.*<td class="text exceeded">exceeded</td>' "the verdict"
like "$page" 'No intel_idle.table' "and its lines to paste"
like "$page" '<td>133\.047<small>133\.045 … 133\.048</small></td>.*<td>-<small>≥ 133\.096</small></td>' "a percentile with its interval"
like "$page" '<summary>The tail' "the tail, or why it is not there"
like "$page" 'quiet &lt;&amp;&gt; &quot;x&quot;' "text is escaped"
unlike "$page" '<script|https?://|src="[^d]' "no script, nothing from elsewhere"
like "$page" "Content-Security-Policy.*default-src 'none'; img-src data:; style-src 'sha256-$(perl -MDigest::SHA=sha256_base64 -0777 -ne 'm{<style>(.*?)</style>}s && print quotemeta sha256_base64($1)' d_1/report.html)='" "nor could there be: its style is allowed by hash"
# first FILE ERE...: the lines that match, in which order
first() (
	file=$1
	shift
	for ere; do
		printf '%s %s\n' "$(without_images "$file" | grep -nE -m 1 -e "$ere" | cut -d : -f 1)" "$ere"
	done | sort -n | cut -d ' ' -f 2- | paste -sd ' ' -
)
is "$(first d_1/report.html '<h1>' 'class="answer' 'class="picture' 'What' 'Figures' 'Tables' 'Method' 'Circumstances')" \
	'<h1> class="answer class="picture What Figures Tables Method Circumstances' "the answer comes first"
like "$page" '<p class="answer open">Of 1000 wake-ups, all but 1 take at most: ' "in words"
like "$page" '<div class="row exceeded"><span class="name">C1E_x</span><svg class="strip" .*<span class="cost">≤ 10\.09 µs</span>' "and one picture"
is "$(without_images d_1/report.html | sed -n '/<h2>More/,$p' | grep -c '^<details>')" 5 "what it is made of is folded away"
like "$page" '4 of 9000 samples \(4 smi\)' "taints"
unlike "$page" 'Of counts' "a page of samples does not say that they are counts"
if command -v python3 >/dev/null; then
	ok "tags are balanced" python3 -c '
import sys
from html.parser import HTMLParser
class P(HTMLParser):
	stack = []
	def handle_starttag(self, tag, attrs):
		if tag not in ("meta", "img"): self.stack.append(tag)
	def handle_endtag(self, tag):
		assert self.stack.pop() == tag, (tag, self.getpos())
p = P()
p.feed(open(sys.argv[1], encoding="utf-8").read())
assert not p.stack
' d_1/report.html
else
	skip 1 "no python3"
fi
mv d_1/report.html first.html
ok "again" "$wakelat" report -q d_1
same first.html d_1/report.html "the same input, the same bytes"
report_limited() (
	rm -f d_1/report.html
	ulimit -f 8
	exec "$wakelat" report d_1
)
not_ok "a full disk" report_limited
is "$(find d_1 -name 'report*')" "" "leaves nothing"
ok "a budget" "$wakelat" report -q -b 50us -o budget.html d_1
like "$(cat budget.html)" '<p class="answer exceeded">C1 and C1E_x keep 50 µs\. C6 takes longer\.</p>' "is answered"
like "$(cat budget.html)" '<p class="limit">A latency limit of 10 µs lets the CPU enter C1 and C1E_x, and none that takes longer\.</p>' "with the limit"
like "$(cat budget.html)" 'echo 10 &gt;&quot;[$]f&quot;; done' "and what to paste"
ok "a title" "$wakelat" report -q --title "Ours & \"<i>theirs</i>\"" -o titled.html d_1
like "$(cat titled.html)" '<h1>Ours &amp; &quot;&lt;i&gt;theirs&lt;/i&gt;&quot;</h1>' "is text"
refused "one line" "a title of two lines" "$wakelat" report -q --title 'a
b' d_1
ok "another percentile" "$wakelat" report -q -p 50 -o half.html d_1
like "$(cat half.html)" 'all but 500 take at most' "decides"
refused "not a percentage" "no percentile" "$wakelat" report -q -p x d_1
without_gnuplot() (
	mkdir -p path
	for directory in /bin /usr/bin /usr/local/bin; do
		for tool in "$directory"/*; do
			case $tool in
			*/gnuplot*) ;;
			*) ln -sf "$tool" path/ ;;
			esac
		done
	done
	exec env PATH="$PWD/path" "$wakelat" report -q -o plain.html d_1
)
ok "no gnuplot" without_gnuplot
like "$(cat plain.html)" '<li>gnuplot is missing: apt-get install gnuplot-nox</li>' "no figures, and why"
like "$(cat plain.html)" '<p class="answer' "but the answer"
rm d_1/stats.tsv
ok "in the page only" test ! -e d_1/report.html
refused "is not a time with its unit" "a budget without a unit" "$wakelat" report -b 50 d_1

"$wakelat" report -q -b 50us d_1
ok "a budget, and none" "$wakelat" report -q d_1
same first.html d_1/report.html "the same input, the same bytes"

# The verdict that is there may be by another percentile, or of a recording that is kept read-only.
"$wakelat" verdict -q -p 99 d_1
cp d_1/verdict.tsv by_p99.tsv
ok "another percentile" "$wakelat" report -q -o by_p99.html d_1
same by_p99.tsv d_1/verdict.tsv "stays in verdict.tsv"
cp -rp d_1 kept
chmod a-w kept
# Root may write everywhere else.
unprivileged() {
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --bounding-set=-dac_override "$@"
	else
		"$@"
	fi
}
if unprivileged test ! -w kept 2>/dev/null; then
	ok "a page of a recording that is read-only" unprivileged "$wakelat" report -q -o kept.html kept
	run unprivileged "$wakelat" verdict kept
	is "$status" 4 "and its verdict"
	like "$out" '^C1E_x ' "is printed"
	like "$err" 'kept is not writable: verdict\.tsv was not saved$' "though not written"
	refused "cannot be written" "where that is all that was asked for" unprivileged "$wakelat" verdict -q kept
	run unprivileged "$wakelat" verdict -q -o kept.tsv kept
	is "$status$err" 4 "it is written elsewhere"
	ok "all of it" test -s kept.tsv
	chmod u+w kept
	rm kept/stats.tsv
	chmod a-w kept
	ok "a page where the statistics are still to be made" unprivileged "$wakelat" report -q -o kept.html kept
	like "$(cat kept.html)" '<caption>Wake latency' "has their tables"
	refused "kept: cannot be written to, and its tables are missing" "but not into the recording" unprivileged "$wakelat" report -q kept
	ok "they go elsewhere" unprivileged "$wakelat" stats -q -o kept_stats kept
else
	skip 11 "nothing is read-only"
fi
chmod u+w kept

# Several recordings.
three_states d_2 500
refused "several recordings: name the file of the report with -o" "two without a place for their page" "$wakelat" report d_1 d_2
ok "two" "$wakelat" report -q -o two.html d_1 d_2
page=$(without_images two.html)
like "$page" '<title>Wake latency \(emulated\): d_1, d_2</title>' "both in the title"
like "$page" '<h2>d_2</h2>' "each has its part"
like "$page" '<td class="text">C1E_x</td>.*<td class="text">p50</td>.*<td>0\.500</td>.*<td class="text">yes</td>' "the comparison finds what differs"
like "$page" '<caption>d_1 \(A\) and d_2 \(B\), µs</caption>' "and names them"
like "$page" '<p class="answer open">d_2 against d_1: C1E_x differs\.</p>' "it comes first, in words"
is "$(first two.html 'd_2 against' 'C1E_x · d_2' '<h2>d_1' '<h2>More')" 'd_2 against C1E_x · d_2 <h2>d_1 <h2>More' "before each of them"
mv two.html first.html
"$wakelat" report -q -o two.html d_1 d_2
same first.html two.html "the same input, the same bytes"

# Names that other characters would break, and two of the same.
mkdir "a|b 'c' <d>" other
cp d_1/samples.tsv d_1/run.tsv "a|b 'c' <d>"
cp -r d_2 other/d_1
ok "a strange name" "$wakelat" report -q "a|b 'c' <d>"
like "$(without_images "a|b 'c' <d>/report.html")" "<title>Wake latency \(emulated\): a\|b &#39;c&#39; &lt;d&gt;</title>" "is escaped"
ok "two of the same name" "$wakelat" report -q -o same.html d_1 other/d_1
like "$(without_images same.html)" '<h2>other/d_1</h2>' "are told apart by their paths"
ok "in a directory for a paper as well" "$wakelat" report -q --paper same d_1 other/d_1
ok "where each has its tables" test -s same/other_d_1/stats.tsv

cp -r d_2 'back\tslash'
ok "a name with a backslash" "$wakelat" report -q -o back.html d_1 'back\tslash'
page=$(without_images back.html)
like "$page" '<caption>d_1 \(A\) and back\\tslash \(B\), µs</caption>' "keeps it"
like "$page" '<td class="text">C1E_x</td>.*<td class="text">p50</td>.*<td>0\.500</td>' "and its comparison"
cp -r d_2 'a	TAB'
cp -r d_2 'two
lines'
refused "TAB or a line break in its name" "a name with a TAB" "$wakelat" report -q 'a	TAB'
refused "TAB or a line break in its name" "a name with a line break" "$wakelat" report -q -o back.html d_1 'two
lines'
in_directory() (
	cd "$1" && shift && exec "$@"
)
refused "TAB or a line break in its name" "given as a dot" in_directory 'a	TAB' "$wakelat" plot -q .

# For a paper.
ok "a directory for a paper" "$wakelat" report -q --paper paper d_1
is "$(cd paper && printf '%s ' figures/ccdf* run.tsv stats* verdict.tsv)" "figures/ccdf-180mm-graph.pdf figures/ccdf-180mm.pdf figures/ccdf-180mm.svg figures/ccdf-180mm.tex figures/ccdf-graph.pdf figures/ccdf.pdf figures/ccdf.svg figures/ccdf.tex run.tsv stats-ci.tsv stats.tsv verdict.tsv " "has figures and tables"
like "$(cat paper/README)" 'left-out.tsv' "and says what they are"
mv paper first
"$wakelat" report -q --paper paper d_1
ok "the same input, the same bytes" diff -r first paper
refused "exists already" "one that is there" "$wakelat" report -q --paper paper d_1
ok "two recordings" "$wakelat" report -q --paper both d_1 d_2
ok "each with its tables" test -s both/d_2/stats.tsv
ok "and the comparison" test -s both/compare.tsv
refused "cannot create /proc/paper" "a place that cannot be written" "$wakelat" report -q --paper /proc/paper d_1
mkdir there
refused "there: a directory" "a directory for the page" "$wakelat" report -q -o there d_1
refused "cannot be written" "a page that cannot be written" "$wakelat" report -q -o /proc/report.html d_1

# Samples of another tool: what they lack is left out.
mkdir bare
awk 'BEGIN { for (i = 0; i < 40; i++) print 3, "-", 100 + i, "-", "-" }' | samples_tsv bare/samples.tsv
printf 'key\tvalue\nformat\t1\nemulated\tunknown\nsource\timported\nrevision\t-\ncpu_model\t-\n' >bare/run.tsv
ok "latencies only" "$wakelat" report -q bare
mkdir negative
awk 'BEGIN { for (i = 0; i < 40; i++) print 3, 1000, -100 - i, 5, "-" }' | samples_tsv negative/samples.tsv
run_tsv negative/run.tsv
ok "nothing to draw" "$wakelat" report -q negative
like "$(without_images negative/report.html)" '<li>no untainted sample with a latency above 0: nothing to draw</li>' "has its numbers"
page=$(without_images bare/report.html)
like "$page" '<p class="lead">source imported\.</p>' "what is not known is not said"
like "$page" 'No figure silent-time: the samples have no silent_time' "nor drawn"

# Histograms of other tools.
"$wakelat" import -q -o counts "$top/tests/fixtures/import/timerlat.txt"
"$wakelat" import -q -o more "$top/tests/fixtures/import/timerlat-real.txt"
ok "a histogram" "$wakelat" report -q -b 100us counts
like "$(cat counts/report.html)" '<p class="answer ' "has an answer"
like "$(cat counts/report.html)" '^<p class="sure">Of counts, which have no order: bounds are those of independent samples\.</p>$' \
	"the page says that its statistics are of counts"
is "$(grep -o '<img ' counts/report.html | wc -l | tr -d ' ')" 2 "and figures"
like "$(without_images counts/report.html)" '>12\.000\.\.14\.000<' "and a percentile is the interval that it is in"
ok "two" "$wakelat" report -q -o counted.html counts more
like "$(cat counted.html)" '<p class="answer open">more against counts: ' "are compared"
run "$wakelat" compare -q -o counted.tsv counts more
is "$status$err" "4wakelat compare: counts: of counts, which have no order: bounds are those of independent samples.
wakelat compare: more: of counts, which have no order: bounds are those of independent samples.
wakelat compare: Not in all of them: state user" "by wakelat compare as well"
like "$(cat counted.tsv)" '^thread	latency	p50	counts	more	' "each that was timed"
refused "no state in common" "one among recordings" "$wakelat" report -q -o mixed.html d_2 counts
refused "no state in common" "compared with a recording" "$wakelat" compare counts d_2
ok "for a paper" "$wakelat" report -q --paper counted counts
is "$(find counted -name 'ccdf*.pdf' | wc -l | tr -d ' ')" 4 "it has figures"

run_tsv d_1/run.tsv run.1.cpu0.samples 9999
run "$wakelat" report d_1
is "$status" 3 "an incomplete recording: status 3"
like "$(grep Incomplete d_1/report.html)" 'class="warn">Incomplete' "and the page says so"
run "$wakelat" report -q -o two.html d_2 d_1 other/d_1
is "$status" 3 "with others that are not: status 3"
is "$(without_images two.html | grep -Eo '^<h2>.*</h2>|Incomplete' | tr '\n' ' ')" \
	"<h2>d_2</h2> <h2>d_1</h2> Incomplete <h2>other/d_1</h2> <h2>More</h2> " "and only it is called so"

done_testing
