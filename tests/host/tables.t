#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A bench writes a table of a document only between the table's comments, and either the whole table or nothing.
# needs: nothing

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/table.sh"
cd "$tmp" || exit 1

printf 'a\tb\n1\t2|3\n' >rows.tsv
printf 'before\n<!-- table x: some/bench -->\nold\n<!-- end of x -->\nafter\n' >page.md
ok "rewrite_table: succeeds" rewrite_table rows.tsv x page.md
is "$(cat page.md)" 'before
<!-- table x: some/bench -->
| a | b |
|---|---|
| 1 | 2\|3 |
<!-- end of x -->
after' "rewrite_table: replaces what is between the comments"
cp page.md whole
not_ok "rewrite_table: refuses a table that the document does not have" rewrite_table rows.tsv y page.md
same page.md whole "rewrite_table: does not change a document without the table"
sed '/end of x/d' whole >page.md
cp page.md whole
not_ok "rewrite_table: refuses a table without an end" rewrite_table rows.tsv x page.md
same page.md whole "rewrite_table: does not change a document in which the table has no end"

grep -o '^<!-- table .*: .* -->$' "$top"/Documentation/*.md "$top"/extras/*/*.md /dev/null >tables
while IFS= read -r table; do
	page=${table%%:*} name=${table#*<!-- table }
	bench=${name#*: } name=${name%%:*}
	bench=${bench% -->}
	# verdict_tables writes the tables of bench/verdicts.
	ok "$name: ${bench%% *} writes the table" grep -qE "rewrite_table .* $name |^verdict_tables " "$top/${bench%% *}"
	ok "$name: the document has its rows" awk -v name="$name" '
		index($0, "<!-- end of " name) { inside = 0 }
		inside { rows++ }
		index($0, "<!-- table " name) { inside = 1 }
		END { exit !(rows > 3) }' "$page"
done <tables
ok "the documents have such tables" test -s tables
done_testing
