#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat report: the page and its figures are valid UTF-8 whatever bytes the facts of a recording have: DMI strings of some
# boards are not UTF-8, and the kernel cuts names within a character.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
command -v iconv >/dev/null || skip_all "iconv is not installed"
build_tools
cd "$tmp" || exit 1

bad=$(printf '\210=\\\207')
# A character of three bytes that lacks the last one, before a quote.
cut=$(printf 'Xe\342\202"on')
three_states d 0 cpu_model "$cut" bios "$bad" note "$(printf 'fin\303\251')" state.3.name "$(printf 'C6\303')"
awk -F '\t' '!/^cpu_model\tXeon/ && !/^state\.3\.name\tC6$/' d/run.tsv >new && mv new d/run.tsv
not_ok "run.tsv has bytes that are not UTF-8" iconv -f UTF-8 -t UTF-8 d/run.tsv
run "$wakelat" report -q -b 50us -o page.html d
is "$status$err" 0 "report makes a page"
ok "the page is valid UTF-8" iconv -f UTF-8 -t UTF-8 page.html
# In the C locale, grep takes the page for text.
like "$(grep -a 'bios' page.html)" '<td>[?]=\\[?]</td>' "the other bytes of a value stay"
like "$(grep -a '^<tr><th>note' page.html)" "$(printf 'fin\303\251')" "valid UTF-8 stays"
like "$(grep -a 'class="lead"' page.html)" '^<p class="lead">Xe[?]&quot;on, ' "a cut character does not swallow the next one"
if command -v gnuplot >/dev/null; then
	ok "plot draws a state whose name is not UTF-8" "$wakelat" plot -q -k svg -f ccdf -o figures d
	ok "the svg file is valid UTF-8" iconv -f UTF-8 -t UTF-8 figures/ccdf.svg
else
	skip 2 "gnuplot is not installed"
fi
done_testing
