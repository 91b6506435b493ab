#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat atlas: each row has a source and a method. A recording is shown only with rows of its CPU, state and event. A wrong
# table is refused.
# needs: tools
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
: "${top:?}" "${tmp:?}" "${wakelat=}" "${status=}" "${out=}" "${err=}"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/tables.sh"
build_tools
cd "$tmp" || exit 1
atlas=$top/results/atlas/atlas.tsv

run "$wakelat" atlas --tsv
is "$status$err" 0 "atlas --tsv prints the atlas"
is "$(printf '%s\n' "$out" | wc -l)" 110 "the atlas has 109 rows and a header"
is "$(awk -F '\t' 'NR > 1 && ($12 !~ /^(https:|wakelat results)/ || $5 == "-")' "$atlas")" "" "each row has a source and a method"
is "$(awk -F '\t' 'NR > 1 { n[$11]++ } END { for (v in n) print "| `" v "` | " n[v] " |" }' "$atlas" | sort)" \
	"$(grep -oE '^\| `(source|data|kernel|other|no|doubtful)` \| [0-9]+ \|' "$top/results/atlas/README.md" | sort)" "README.md has the number of rows for each kind of verification"
mkdir -p bare/results bare/extras && cp -R "$top/scripts" bare/ && cp -R "$top/extras/atlas" bare/extras/ && cp -R "$top/results/atlas" bare/results/
is "$(bare/scripts/wakelat atlas --tsv 2>&1 | wc -l)" 110 "atlas --tsv works before the tools are built"

# recording NAME SOURCE STEPPING STATE: make a recording NAME of a real CPU with this source, stepping and name of state 3
recording() {
	mkdir "$1"
	awk 'BEGIN { for (i = 1; i <= 500; i++) print 3, i * 1000 + 50000, 133000 + i, 134000, "-" }' | samples_tsv "$1/samples.tsv"
	run_tsv "$1/run.tsv"
	sed -i '/^\(emulated\|source\|cpu_stepping\|cpu_model\|state\.3\.\)/d' "$1/run.tsv"
	printf 'emulated\tno\nsource\t%s\ncpu_stepping\t%s\ncpu_model\tA CPU\nstate.3.name\t%s\nstate.3.latency_ns\t133000\n' "$2" "$3" "$4" >>"$1/run.tsv"
}
recording card i210 06-55-04 C6
"$wakelat" atlas --tsv card >rows
is "$(sed 1d rows | cut -f 1 | sed -n 1p)" "this recording" "the recording comes first"
is "$(sed 1,2d rows | cut -f 4 | sort -u)" card "the other rows are of the recording's event"
is "$(sed 1,2d rows | awk -F '\t' '$2 !~ /06-55/')" "" "the other rows are of the recording's CPU model"
is "$(sed 1,2d rows | cut -f 3 | sort -u | paste -sd , -)" 'C6,CC6/PC0 (PC6 disabled)' "the other rows are of the recording's state, also under another name"
like "$("$wakelat" atlas card)" '^C6, woken by a network card' "the printed table names what woke the CPU"
like "$("$wakelat" atlas card)" '^Not measured: ' "the printed table has the line 'Not measured'"
recording timer tsc_deadline 06-55-04 C6
like "$("$wakelat" atlas timer)" 'The atlas has no row of this CPU, state and event' "a recording of another event has no row"
recording unknown i210 06-99-01 C6
like "$("$wakelat" atlas unknown)" 'The atlas has no row' "a recording of another CPU has no row"
sed -i 's/^cpu_stepping	.*/cpu_stepping	-/; s/^cpu_model	.*/cpu_model	Intel Xeon E5-2697 v2 (Ivy Town), anything/' unknown/run.tsv
is "$("$wakelat" atlas --tsv unknown | sed 1,2d | cut -f 2 | sort -u)" 06-3e "without family and model, the rows are found by the CPU's name"
# Two states, because gawk 5.2 reads an element that is not there wrongly only the second time.
recording sourceless i210 06-55-04 C6
awk 'BEGIN { for (i = 1; i <= 600; i++) print 2 + i % 2, i * 1000 + 50000, 133000 + i, 134000, "-" }' | samples_tsv sourceless/samples.tsv
sed -i '/^source	/d; /^cpu_model	/d; /^cpu_stepping	/d' sourceless/run.tsv
run "$wakelat" atlas sourceless
is "$status$err" 0 "a recording whose source and CPU are unknown has no row, and is no error"
"$wakelat" report -q -o page.html card
like "$(cat page.html)" 'Beside published latencies' "the report of a recording has the rows"
"$wakelat" report -q -o none.html timer
unlike "$(cat none.html)" 'Beside published latencies' "the report has no such table if no row fits"

# refuse NAME AWK ERE: check that the atlas, changed by AWK, is refused with a message that matches ERE
refuse() {
	awk -F '\t' -v OFS='\t' "$2" "$atlas" >wrong.tsv
	refused "^wakelat atlas: wrong.tsv:[0-9]+: $3" "$1" "$wakelat" atlas --table wrong.tsv
}
refuse "refuses a row without source" 'NR == 5 { $12 = "-" } { print }' 'a row without source'
refuse "refuses a row without method" 'NR == 5 { $5 = "" } { print }' 'a row without method'
refuse "refuses a row that lacks a column" 'NR == 5 { NF = 12 } { print }' '12 columns, not 13'
refuse "refuses a text instead of a number" 'NR == 5 { $9 = "about 5" } { print }' "'about 5' is not a number"
refuse "refuses an unknown kind of verification" 'NR == 5 { $11 = "yes" } { print }' "verified is 'yes'"
refuse "refuses another header" 'NR == 1 { $1 = "x" } { print }' 'not the header'
for rows in 0 1; do
	head -n $rows "$top/results/atlas/atlas.tsv" >rows.tsv
	refused '^wakelat atlas: rows.tsv: an atlas without rows' "refuses a table with $rows lines" "$wakelat" atlas --table rows.tsv
done
refused 'no such file' "refuses a table that does not exist" "$wakelat" atlas --table gone.tsv
if command -v gnuplot >/dev/null; then
	ok "atlas --figure draws the figure" "$wakelat" atlas -q --figure figures
	is "$(names figures)" "atlas.pdf atlas.png atlas.svg" "atlas --figure writes PDF, PNG and SVG"
	like "$(cat figures/atlas.svg)" '68 of 109 rows have both numbers' "the figure says how many rows it has"
else
	skip 3 "gnuplot is not installed"
fi

# --- endless text, a name that begins with a dash, the schema
truncate -s 10G endless.txt
refused 'endless.txt: 10737418240 bytes: no table' "--table: 10 GB without a line break are refused" limited atlas --table endless.txt
mkdir ./-o
head -n 3 "$atlas" >./-o/atlas.tsv
ok "accepts a table whose name begins with a dash" "$wakelat" atlas --tsv --table -o/atlas.tsv
fits_schema "$atlas"

if [ "$(id -u)" -eq 0 ] && unshare -m true 2>/dev/null; then
	# An awk that fills the disk of temporary files before it reads the atlas.
	mkdir stub disk
	cat >stub/awk <<-END
		#!/bin/sh
		case "\$*" in
		*atlas-rows.awk*) head -c 9M /dev/zero >disk/fill 2>stub/said ;;
		esac
		exec $(command -v awk) "\$@"
	END
	chmod +x stub/awk
	on_full_disk() {
		unshare -m sh -c 'mount -t tmpfs -o size=8m tmpfs disk && "$@"' sh env TMPDIR="$tmp/disk" PATH="$tmp/stub:$PATH" "$@"
	}
	refused "^wakelat report: cannot write temporary files in $tmp/disk: No space left on device\$" "report: a full disk is the reason if the rows cannot be written" \
		on_full_disk "$wakelat" report -q -o x.html card
else
	skip 1 "needs root and a mount namespace of its own"
fi
done_testing
