#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A page or a figure is reused only if this user's wakelat has made it of what is there now, whatever its date is.
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

# A stranger's page, which says that it is of these samples, by this version.
recording evil
HOME="$tmp/strangers" "$wakelat" report -q evil
sed -i 's|<body>|<body><script>alert(1)</script>|' evil/report.html
cp -R evil mine
touch -d tomorrow mine/report.html
run "$wakelat" report mine
is "$status$err" "0wakelat report: mine/report.html is written" "a copy of a stranger's directory: its page"
unlike "$(cat mine/report.html)" '<script>' "the stranger's page is replaced, whatever its date"
like "$(cat mine/report.html)" "^<meta name=\"wakelat-input\" content=\"samples.tsv sha256 $(sha256sum <mine/samples.tsv | cut -c 1-64)\">" \
	"the page has the hashes of its inputs"
was=$(date_of mine/report.html)
"$wakelat" report -q mine
is "$(date_of mine/report.html)" "$was" "a page of one's own, of the same inputs: reused"
printf '<!-- -->\n' >>mine/report.html
"$wakelat" report -q mine
unlike "$(tail -n 1 mine/report.html)" '<!--' "a page of one's own that somebody has changed: made anew"
touch -d yesterday mine/samples.tsv
sed -i 's/	133000$/	134000/; s/^cpu_model	.*/cpu_model	another/' mine/run.tsv
touch -d yesterday mine/run.tsv
"$wakelat" report -q mine
like "$(cat mine/report.html)" 'another' "inputs that have changed, with an old date: made anew"

# Figures.
"$wakelat" plot -q -k svg -f ccdf mine
was=$(date_of mine/figures/ccdf.svg)
"$wakelat" plot -q -k svg -f ccdf mine
is "$(date_of mine/figures/ccdf.svg)" "$was" "a figure of one's own: reused"
printf '<svg><script/></svg>\n' >mine/figures/ccdf.svg
touch -d tomorrow mine/figures/ccdf.svg
"$wakelat" plot -q -k svg -f ccdf mine
unlike "$(cat mine/figures/ccdf.svg)" '<script' "a planted figure: made anew, whatever its date"
ln -sf /etc/passwd mine/figures/ccdf.svg
touch -h -d tomorrow mine/figures/ccdf.svg
refused 'mine/figures/ccdf.svg: a symbolic link' "a link in the place of a figure" "$wakelat" plot -k svg -f ccdf mine

# Notes that others could have written are not believed.
if [ "$(id -u)" -eq 0 ]; then
	rm mine/figures/ccdf.svg
	"$wakelat" plot -q -k svg -f ccdf mine
	chmod 777 "$tmp/home/.local/state/wakelat"
	was=$(date_of mine/figures/ccdf.svg)
	"$wakelat" plot -q -k svg -f ccdf mine
	not_ok "notes that others can write" [ "$(date_of mine/figures/ccdf.svg)" = "$was" ]
fi
done_testing
