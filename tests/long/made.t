#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A table, a page or a figure is reused only if this user's wakelat has made it from the present
# input. Its date does not matter.
# needs: tools
# takes: minutes

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/hostile.sh"
build_tools
command -v gnuplot >/dev/null || skip_all "gnuplot is missing"
cd "$tmp" || exit 1
export HOME="$tmp/home"
mkdir home
date_of() {
	stat -c %y "$1"
}

# Somebody else's page, which claims to be made from these samples by this version.
recording evil
HOME="$tmp/strangers" "$wakelat" report -q evil
sed -i 's|<body>|<body><script>alert(1)</script>|' evil/report.html
cp -R evil mine
touch -d tomorrow mine/report.html
run "$wakelat" report mine
is "$status$err" "0wakelat report: mine/report.html is written" "a copy of somebody else's directory: report writes the page"
unlike "$(cat mine/report.html)" '<script>' "somebody else's page is replaced, whatever its date"
like "$(cat mine/report.html)" "^<meta name=\"wakelat-input\" content=\"samples.tsv sha256 $(sha256sum <mine/samples.tsv | cut -c 1-64)\">" \
	"the page has the hashes of its inputs"
was=$(date_of mine/report.html)
"$wakelat" report -q mine
is "$(date_of mine/report.html)" "$was" "the user's own page of the same inputs is reused"
printf '<!-- -->\n' >>mine/report.html
"$wakelat" report -q mine
unlike "$(tail -n 1 mine/report.html)" '<!--' "the user's own page that somebody has changed is made again"
touch -d yesterday mine/samples.tsv
sed -i 's/	133000$/	134000/; s/^cpu_model	.*/cpu_model	another/' mine/run.tsv
touch -d yesterday mine/run.tsv
"$wakelat" report -q mine
like "$(cat mine/report.html)" 'another' "a page is made again if its inputs changed, even with an old date"

# Figures.
"$wakelat" plot -q -k svg -f ccdf mine
was=$(date_of mine/figures/ccdf.svg)
"$wakelat" plot -q -k svg -f ccdf mine
is "$(date_of mine/figures/ccdf.svg)" "$was" "the user's own figure is reused"
printf '<svg><script/></svg>\n' >mine/figures/ccdf.svg
touch -d tomorrow mine/figures/ccdf.svg
"$wakelat" plot -q -k svg -f ccdf mine
unlike "$(cat mine/figures/ccdf.svg)" '<script' "a planted figure is made again, whatever its date"
ln -sf /etc/passwd mine/figures/ccdf.svg
touch -h -d tomorrow mine/figures/ccdf.svg
refused 'cannot write mine/figures/ccdf.svg: it is a symbolic link' "a link instead of a figure" "$wakelat" plot -k svg -f ccdf mine

# Tables. Somebody else's are newer than the samples, but were not made from them.
recording planted
"$wakelat" stats -q planted
"$wakelat" stats --json planted >honest
awk -F '\t' -v OFS='\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 { $at["n"] = 77777 } { print }' planted/stats.tsv >other &&
	cp other planted/stats.tsv
touch -d tomorrow planted/*.tsv
"$wakelat" stats --json planted >again
same again honest "planted statistics are recomputed although their date is newer"
was=$(date_of planted/stats.tsv)
touch -d yesterday planted/samples.tsv
"$wakelat" stats -q planted
is "$(date_of planted/stats.tsv)" "$was" "the user's own statistics of the same samples are reused"
cp planted/stats.tsv planted/stats-cpu.tsv
"$wakelat" stats -q planted
not_ok "a table that stats does not make is removed, and stats runs again" test -e planted/stats-cpu.tsv
touch -d yesterday planted/stats.tsv
chmod a-w planted
HOME="$tmp/nobody" "$wakelat" stats --json planted >again
same again honest "another user's statistics in a read-only directory are recomputed elsewhere"
chmod u+w planted

# samples.tsv beside the trace.dat that it was made from.
mkdir dumped
run_tsv dumped/run.tsv
printf 'sample 0 1 run=1 source=1 state=3 wake_latency=5\nend 0 2 run=1 cpu=0 samples=1\n' | trace dumped/trace.dat
"$wakelat" stats -q dumped
cp dumped/samples.tsv honest
was=$(date_of dumped/samples.tsv)
touch dumped/trace.dat
"$wakelat" stats -q dumped
is "$(date_of dumped/samples.tsv)" "$was" "the user's own samples of the same trace.dat are reused"
awk -F '\t' -v OFS='\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 { $at["wake_latency"] = 77777 } { print }' honest >dumped/samples.tsv
touch -d tomorrow dumped/samples.tsv
"$wakelat" stats -q dumped
same dumped/samples.tsv honest "planted samples beside a trace.dat are regenerated although their date is newer"
is "$(joined dumped/stats.tsv wake_latency_max)" 5 "planted samples beside a trace.dat are not used for statistics"

# The tail.
if Rscript --vanilla -e 'library(evd)' >/dev/null 2>&1; then
	awk 'BEGIN { for (i = 1; i <= 4000; i++) print 3, i * 7919 % 7900000 + 50000, 133000 + i * 7919 % 997, 134000, "-" }' | samples_tsv mine/samples.tsv
	"$wakelat" tail -q mine
	was=$(date_of mine/tail.tsv)
	touch mine/samples.tsv
	"$wakelat" tail -q mine
	is "$(date_of mine/tail.tsv)" "$was" "the user's own tail of the same samples is reused"
	cp mine/tail.tsv honest
	awk -F '\t' -v OFS='\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 { $at["max_ns"] = 77777 } { print }' honest >mine/tail.tsv
	touch -d tomorrow mine/tail.tsv
	"$wakelat" report -q mine
	unlike "$(cat mine/report.html)" '77\.777' "a planted tail is not in the page"
	like "$(cat mine/report.html)" 'You have not run wakelat tail on these samples' "a planted tail: the page says why it has no tail"
	"$wakelat" tail -q mine
	same mine/tail.tsv honest "a planted tail is recomputed although its date is newer"
else
	skip 4 "R with its package evd is not installed"
fi

# A command and the commands that it runs read a large file once. The next command reads it again.
mkdir large read
cp mine/run.tsv large/
awk 'BEGIN { for (i = 1; i <= 280000; i++) print 3, i * 7919 % 7900000 + 50000, 133000 + i * 7919 % 997, 134000, "-" }' | samples_tsv large/samples.tsv
ok "there is a large file: $(wc -c <large/samples.tsv) bytes" [ "$(wc -c <large/samples.tsv)" -gt 16777216 ]
real=$(command -v b2sum) || bail "no b2sum"
printf '#!/bin/sh\nprintf "%%s\\n" "$*" >>"%s"\nexec %s "$@"\n' "$tmp/sums" "$real" >read/b2sum
chmod 755 read/b2sum
PATH=$tmp/read:$PATH "$wakelat" report -q large
is "$(grep -c 'samples\.tsv' sums)" 1 "wakelat report and the commands that it runs hash a large file once"
"$wakelat" stats --json large >before
cp -p large/samples.tsv kept
sed -i '2,9s/	134000/	135000/' large/samples.tsv
touch -r kept large/samples.tsv
is "$(stat -c '%s %Y' large/samples.tsv)" "$(stat -c '%s %Y' kept)" "the changed large file has the same size and date"
"$wakelat" stats --json large >after
not_ok "the next command notices that the content has changed, although size and date are the same" cmp -s before after

# The variable WAKELAT_HASHES cannot make a command write into a file that is not its own.
printf 'as it was\n' >private
mkdir wakelat.abcdef
ln -s ../private wakelat.abcdef/hashes
for hashes in "$tmp/private" "$tmp/wakelat.abcdef/hashes"; do
	TMPDIR=$tmp WAKELAT_HASHES=$hashes "$wakelat" stats -q large
	is "$(cat private)" "as it was" "WAKELAT_HASHES=${hashes##"$tmp"/}: nothing is written there"
done

# Notes that others could have written are not trusted.
if [ "$(id -u)" -eq 0 ]; then
	rm mine/figures/ccdf.svg
	"$wakelat" plot -q -k svg -f ccdf mine
	chmod 777 "$tmp/home/.local/state/wakelat"
	was=$(date_of mine/figures/ccdf.svg)
	"$wakelat" plot -q -k svg -f ccdf mine
	not_ok "notes that others can write are not used" [ "$(date_of mine/figures/ccdf.svg)" = "$was" ]
fi
done_testing
