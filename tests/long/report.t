#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat report: the page has all results, opens from disk, and is reproducible.
# needs: tools
# takes: minutes

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
build_tools
cd "$tmp" || exit 1

three_states d_1

# without_images FILE: print the page without images and data-head attributes, which a failing test would print, too
without_images() {
	sed 's/\(src="data:[a-z+/]*\)[^"]*"/\1"/; s/ data-head="[^"]*"//g' "$1"
}

run "$wakelat" report d_1
is "$status$out" 0 "report succeeds and prints nothing on stdout"
page=$(without_images d_1/report.html)
like "$page" '<title>Wake latency \(emulated\): d_1</title>' "the page's title says that the data are emulated"
like "$page" '<p class="warn">Emulated' "the page's text says that the data are emulated"
like "$page" '<tr><th>C6</th><td class="text">hrtimer</td><td>133\.000</td><td>3000</td><td>0</td><td>12\.' \
	"the table of states has the numbers of C6"
is "$(printf '%s\n' "$page" | grep -o '<img [^>]*src="data:image/[a-z+]*' | sed 's/.*image.//' | paste -sd ' ' -)" \
	"png png png svg+xml svg+xml svg+xml svg+xml" "the page embeds seven figures"
like "$page" '<li>No figure cpus: one CPU was measured\.</li>' "the page says why a figure is missing"
like "$page" '<td class="text">C1E_x</td>.*<td class="text choice exceeded">exceeded</td>' "the page has the verdict"
like "$page" 'No intel_idle.table' "the page has the verdict's lines to paste"
like "$page" '<td>133\.047<small>133\.045 … 133\.048</small></td>.*<td>-<small>≥ 133\.096</small></td>' \
	"the page has a percentile with its interval"
like "$page" '<summary>The tail' "the page has a section on the tail"
like "$page" 'quiet &lt;&amp;&gt; &quot;x&quot;' "text is escaped"
unlike "$page" '<script|https?://|src="[^d]' "the page has no script and fetches nothing"
like "$page" "Content-Security-Policy.*default-src 'none'; img-src data:; style-src 'sha256-$(perl -MDigest::SHA=sha256_base64 -0777 -ne 'm{<style>(.*?)</style>}s && print quotemeta sha256_base64($1)' d_1/report.html)='" \
	"the page's policy forbids scripts and allows its style by hash"
# A verdict that SMIs decide: the row that decides is on the page.
mkdir smi
run_tsv smi/run.tsv state.1.disabled 1 state.2.disabled 1
seq 10000 | awk '{ s = $1 % 40 == 0; v = s ? 246800 : 30000 + $1 * 7919 % 997; print 3, 1000, v, v, s ? "smi" : "-" }' | samples_tsv smi/samples.tsv
run "$wakelat" report -q -b 60us smi
smi_page=$(without_images smi/report.html)
like "$smi_page" '<p class="answer exceeded">C6 takes longer than 60 µs\. Decided by p99\.9\. ' "the answer has the budget and the percentile"
like "$smi_page" '<span class="name">C6</span>.*<span class="cost">≤ (30|31)\.[0-9]+ µs</span><span class="verdict">✓ kept</span>' \
	"the picture has the clean samples of C6, which keep the budget"
like "$smi_page" '<span class="name">C6, as it is</span>.*<span class="cost">≤ 246\.8 µs</span><span class="verdict">✗ exceeded</span>' \
	"the picture has the machine as it is, which exceeds the budget"
# first FILE ERE...: print the EREs in the order of the first line that matches each
first() (
	file=$1
	shift
	for ere; do
		printf '%s %s\n' "$(without_images "$file" | grep -nE -m 1 -e "$ere" | cut -d : -f 1)" "$ere"
	done | sort -n | cut -d ' ' -f 2- | paste -sd ' ' -
)
is "$(first d_1/report.html '<h1>' 'class="answer' 'class="picture' 'What' 'Figures' 'Tables' 'Method' 'Circumstances')" \
	'<h1> class="answer class="picture What Figures Tables Method Circumstances' "the answer comes first"
like "$page" '<p class="answer open">Of 1000 wake-ups, all but 1 take at most: ' "the page answers in a sentence"
like "$page" '<div class="row exceeded"><span class="name">C1E_x</span><svg class="strip" .*<span class="cost">≤ 10\.09 µs</span>' \
	"the page has the picture of the states"
is "$(without_images d_1/report.html | sed -n '/<h2>More/,$p' | grep -c '^<details>')" 5 "the page folds its details away"
like "$page" '4 of 9000 samples \(4 smi\)' "the page counts the taints"
unlike "$page" 'Of counts' "a page of samples does not say that they are counts"
if command -v python3 >/dev/null; then
	ok "the page's tags are balanced" python3 -c '
import sys
from html.parser import HTMLParser
class P(HTMLParser):
	stack = []
	def handle_starttag(self, tag, attrs):
		if tag not in ("meta", "wbr", "img"): self.stack.append(tag)
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
ok "a second report succeeds" "$wakelat" report -q d_1
same first.html d_1/report.html "a second report has the same bytes"
report_limited() (
	rm -f d_1/report.html
	ulimit -f 8
	exec "$wakelat" report d_1
)
not_ok "report fails if the disk is full" report_limited
is "$(find d_1 -name 'report*')" "" "a full disk: no file is left"
ok "report takes a budget" "$wakelat" report -q -b 50us -o budget.html d_1
like "$(cat budget.html)" '<p class="answer exceeded">C1 and C1E_x keep 50 µs\. C6 takes longer than 50 µs\. Decided by p99\.9\.</p>' \
	"a budget: the answer says which states keep it"
like "$(cat budget.html)" '<p class="limit">Latency limit: 10 us; C1E_x is the deepest state that it allows \(C6 takes longer than 50 us\)\.</p>' \
	"a budget: the answer has the latency limit"
like "$(cat budget.html)" 'echo 10 &gt;&quot;[$]f&quot;; done' "a budget: the page has the command that sets the limit"
ok "report takes a title" "$wakelat" report -q --title "Ours & \"<i>theirs</i>\"" -o titled.html d_1
like "$(cat titled.html)" '<h1>Ours &amp; &quot;&lt;i&gt;theirs&lt;/i&gt;&quot;</h1>' "a title is escaped"
refused "one line" "a title of two lines" "$wakelat" report -q --title 'a
b' d_1
ok "report takes a percentile" "$wakelat" report -q -p 50 -o half.html d_1
like "$(cat half.html)" 'all but 500 take at most' "a percentile: the answer uses it"
refused "not a percentage" "a word as a percentile" "$wakelat" report -q -p x d_1
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
ok "report works without gnuplot" without_gnuplot
like "$(cat plain.html)" '<li>gnuplot is missing: apt-get install gnuplot-nox</li>' \
	"without gnuplot: the page says why it has no figures"
like "$(cat plain.html)" '<p class="answer' "without gnuplot: the page has the answer"
ok "report -o does not write report.html" test ! -e d_1/report.html
refused "is not a time with its unit" "a budget without a unit" "$wakelat" report -b 50 d_1

"$wakelat" report -q -b 50us d_1
ok "report without a budget, after one with a budget" "$wakelat" report -q d_1
same first.html d_1/report.html "a report with a budget does not change the next one"

# An existing verdict.tsv may be for another percentile, and the recording may be read-only.
"$wakelat" verdict -q -p 99 d_1
cp d_1/verdict.tsv by_p99.tsv
ok "report of a recording with a verdict for another percentile" "$wakelat" report -q -o by_p99.html d_1
same by_p99.tsv d_1/verdict.tsv "report does not change an existing verdict.tsv"
cp -rp d_1 kept
chmod a-w kept
# Root could write to read-only directories.
unprivileged() {
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --bounding-set=-dac_override "$@"
	else
		"$@"
	fi
}
if unprivileged test ! -w kept 2>/dev/null; then
	ok "read-only: report -o writes a page" unprivileged "$wakelat" report -q -o kept.html kept
	run unprivileged "$wakelat" verdict kept
	is "$status" 4 "read-only: verdict exits with 4"
	like "$out" '^C1E_x ' "read-only: verdict prints its result"
	like "$err" 'kept is not writable: verdict\.tsv was not saved$' "read-only: verdict says that it was not saved"
	refused "cannot write kept/verdict.tsv: Permission denied" "read-only: verdict -q" unprivileged "$wakelat" verdict -q kept
	run unprivileged "$wakelat" verdict -q -o kept.tsv kept
	is "$status$err" 4 "read-only: verdict -o works"
	ok "read-only: verdict -o writes its table" test -s kept.tsv
	ok "read-only, without statistics: report -o works" unprivileged "$wakelat" report -q -o kept.html kept
	like "$(cat kept.html)" '<caption>Wake latency' "read-only, without statistics: the page has their tables"
	refused "cannot write kept/report.html: Permission denied" "read-only, without statistics: report without -o" unprivileged "$wakelat" report -q kept
	ok "read-only: stats -o works" unprivileged "$wakelat" stats -q -o kept_stats kept
else
	skip 11 "this user can write to read-only directories"
fi
chmod u+w kept

# Several recordings.
three_states d_2 500
refused "several recordings: name the file of the report with -o" "two recordings without -o" "$wakelat" report d_1 d_2
ok "report of two recordings" "$wakelat" report -q -o two.html d_1 d_2
page=$(without_images two.html)
like "$page" '<title>Wake latency \(emulated\): d_1, d_2</title>' "two recordings: both are in the title"
like "$page" '<h2>d_2</h2>' "two recordings: each has its section"
like "$page" '<td class="text">C1E_x</td>.*<td class="text choice">p50</td>.*<td>0\.500</td>.*<td class="text choice">yes</td>' \
	"two recordings: the comparison finds what differs"
like "$page" '<caption>d_1 \(A\) and d_2 \(B\), µs</caption>' "two recordings: the comparison names them"
like "$page" '<p class="answer open">d_2 against d_1: C1E_x differs\.</p>' "two recordings: a sentence says what differs"
is "$(first two.html 'd_2 against' 'C1E_x · d_2' '<h2>d_1' '<h2>More')" 'd_2 against C1E_x · d_2 <h2>d_1 <h2>More' \
	"two recordings: the comparison comes before their sections"
mv two.html first.html
"$wakelat" report -q -o two.html d_1 d_2
same first.html two.html "two recordings: a second report has the same bytes"

# Names with special characters, and two recordings of the same name.
mkdir "a|b 'c' <d>" other
cp d_1/samples.tsv d_1/run.tsv "a|b 'c' <d>"
cp -r d_2 other/d_1
ok "report of a name with special characters" "$wakelat" report -q "a|b 'c' <d>"
like "$(without_images "a|b 'c' <d>/report.html")" "<title>Wake latency \(emulated\): a\|b &#39;c&#39; &lt;d&gt;</title>" \
	"a name with special characters is escaped"
ok "report of two recordings of the same name" "$wakelat" report -q -o same.html d_1 other/d_1
like "$(without_images same.html)" '<h2>other/d_1</h2>' "two recordings of the same name are shown with their paths"
ok "report --paper of two recordings of the same name" "$wakelat" report -q --paper same d_1 other/d_1
ok "--paper, the same name: each has its tables" test -s same/other_d_1/stats.tsv

cp -r d_2 'back\tslash'
ok "report of a name with a backslash" "$wakelat" report -q -o back.html d_1 'back\tslash'
page=$(without_images back.html)
like "$page" '<caption>d_1 \(A\) and back\\tslash \(B\), µs</caption>' "a name with a backslash: the caption has it"
like "$page" '<td class="text">C1E_x</td>.*<td class="text choice">p50</td>.*<td>0\.500</td>' \
	"a name with a backslash: the page has the comparison"
cp -r d_2 'a	TAB'
cp -r d_2 'two
lines'
refused "name of a directory has a TAB or a line break" "a name with a TAB" "$wakelat" report -q 'a	TAB'
refused "name of a directory has a TAB or a line break" "a name with a line break" "$wakelat" report -q -o back.html d_1 'two
lines'
in_directory() (
	cd "$1" && shift && exec "$@"
)
refused "name of a directory has a TAB or a line break" "a directory given as a dot, with a TAB in its name" in_directory 'a	TAB' "$wakelat" plot -q .

# Directories for a paper (--paper).
ok "--paper makes a directory" "$wakelat" report -q --paper paper d_1
is "$(cd paper && printf '%s ' figures/ccdf* run.tsv stats* verdict.tsv)" "figures/ccdf-180mm-graph.pdf figures/ccdf-180mm.pdf figures/ccdf-180mm.svg figures/ccdf-180mm.tex figures/ccdf-graph.pdf figures/ccdf.pdf figures/ccdf.svg figures/ccdf.tex run.tsv stats-ci.tsv stats.tsv verdict.tsv " \
	"--paper: the directory has figures and tables"
like "$(cat paper/README)" 'left-out.tsv' "--paper: README describes the files"
mv paper first
"$wakelat" report -q --paper paper d_1
ok "--paper: a second directory has the same bytes" diff -r first paper
refused "exists already" "--paper: a directory that exists" "$wakelat" report -q --paper paper d_1
ok "--paper takes two recordings" "$wakelat" report -q --paper both d_1 d_2
ok "--paper, two recordings: each has its tables" test -s both/d_2/stats.tsv
ok "--paper, two recordings: the comparison is written" test -s both/compare.tsv
refused "cannot write /proc/paper: No such file" "--paper: a directory that cannot be created" "$wakelat" report -q --paper /proc/paper d_1
mkdir there
refused "there is a directory" "-o: a directory" "$wakelat" report -q -o there d_1
refused "cannot write /proc/report.html: " "-o: a file that cannot be written" "$wakelat" report -q -o /proc/report.html d_1

# Samples of another tool: the page leaves out what they lack.
mkdir bare
awk 'BEGIN { for (i = 0; i < 40; i++) print 3, "-", 100 + i, "-", "-" }' | samples_tsv bare/samples.tsv
printf 'key\tvalue\nformat\t1\nemulated\tunknown\nsource\timported\nrevision\t-\ncpu_model\t-\n' >bare/run.tsv
ok "report makes a page of samples that have only latencies" "$wakelat" report -q bare
mkdir negative
awk 'BEGIN { for (i = 0; i < 40; i++) print 3, 1000, -100 - i, 5, "-" }' | samples_tsv negative/samples.tsv
run_tsv negative/run.tsv
ok "report makes a page of samples that cannot be drawn" "$wakelat" report -q negative
like "$(without_images negative/report.html)" '<li>no untainted sample with a latency above 0: nothing to draw</li>' \
	"samples that cannot be drawn: the page says why"
page=$(without_images bare/report.html)
like "$page" '<p class="lead">source imported\.</p>' "only latencies: the lead has only what is known"
like "$page" 'No figure silent-time: the samples have no silent_time' "only latencies: the page says why a figure is missing"

# Histograms of other tools.
"$wakelat" import -q -o counts "$top/tests/fixtures/import/timerlat.txt"
"$wakelat" import -q -o more "$top/tests/fixtures/import/timerlat-real.txt"
ok "report of an imported histogram" "$wakelat" report -q -b 100us counts
like "$(cat counts/report.html)" '<p class="answer ' "histogram: the page has an answer"
like "$(cat counts/report.html)" '^<p class="sure">Counts have no order, so the bounds assume independent samples\.</p>$' \
	"histogram: the page says that its statistics are of counts"
is "$(grep -o '<img ' counts/report.html | wc -l | tr -d ' ')" 2 "histogram: the page has two figures"
like "$(without_images counts/report.html)" '>12\.000\.\.14\.000<' "histogram: a percentile is given as its bin"
ok "report of two histograms" "$wakelat" report -q -o counted.html counts more
like "$(cat counted.html)" '<p class="answer open">more against counts: ' "two histograms: the page compares them"
run "$wakelat" compare -q -o counted.tsv counts more
is "$status$err" "4wakelat compare: counts: counts have no order, so the bounds assume independent samples.
wakelat compare: more: counts have no order, so the bounds assume independent samples.
wakelat compare: counts: 2 CPUs are compared together; none differs by more than 1 %; to compare one: --where cpu==CPU
wakelat compare: more: 4 CPUs are compared together; none differs by more than 1 %; to compare one: --where cpu==CPU
wakelat compare: Not in all recordings: state user" "two histograms: wakelat compare warns of counts and of different states"
like "$(cat counted.tsv)" '^thread	latency	p50	counts	more	' \
	"two histograms: the comparison has the thread's latency"
refused "no state in common" "report of a recording and a histogram" "$wakelat" report -q -o mixed.html d_2 counts
refused "no state in common" "compare of a histogram and a recording" "$wakelat" compare counts d_2
ok "--paper takes a histogram" "$wakelat" report -q --paper counted counts
is "$(find counted -name 'ccdf*.pdf' | wc -l | tr -d ' ')" 4 "--paper of a histogram: the directory has figures"

run_tsv d_1/run.tsv run.1.cpu0.samples 9999
run "$wakelat" report d_1
is "$status" 3 "an incomplete recording: status 3"
like "$(grep Incomplete d_1/report.html)" 'class="warn">Incomplete' "an incomplete recording: the page says so"
run "$wakelat" report -q -o two.html d_2 d_1 other/d_1
is "$status" 3 "an incomplete recording among complete ones: status 3"
is "$(without_images two.html | grep -Eo '^<h2>.*</h2>|Incomplete' | tr '\n' ' ')" \
	"<h2>d_2</h2> <h2>d_1</h2> Incomplete <h2>other/d_1</h2> <h2>More</h2> " "an incomplete recording among complete ones: only it is called incomplete"

done_testing
