#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# scripts/lib/common/schema.tsv describes each column. Programs write exactly these columns, with
# values of their types, and documents show them. Needs the tools.
# needs: tools
# tier: rest

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1
common=$top/scripts/lib/common
schema=$common/schema.tsv
export schema

# --- the schema itself, and the documents

is "$(awk -F '\t' '
	function parts(cell) { return gsub(/, /, "", cell) + 1 }
	NR == 1 { next }
	NF != 6 || $6 == "" { print NR ": " NF " cells"; next }
	parts($2) > 1 && ($3 $4 $5) ~ /, / {
		for (i = 3; i <= 5; i++)
			if (parts($i) != 1 && parts($i) != parts($2))
				print NR ": as many columns as " $i "?"
	}
	$1 !~ /^[a-z0-9-]+[.]tsv(\/[a-z]+)?$/ || $3 !~ /^((text|prose|choice|list|count|integer|number)(, |$))+$/ ||
		$5 !~ /^((yes|no|-)(, |$))+$/ { print NR ": " $0 }' "$schema")" "" "each row of the schema is complete and valid"
# all PROGRAM: run this awk program, which finds the schema in the arrays of schema.awk
all() {
	awk -F '\t' -f "$common/schema.awk" -f "$1" /dev/null
}
cat >units.awk <<'END_AWK'
function wants(suffix, unit) { return schema_name[i] ~ suffix "$" && schema_unit[i] !~ unit }
END {
	for (i = 2; i <= schema_rows; i++)
		if (wants("_ns", "ns") || wants("_us", "us") || wants("_pct", "%") || wants("_cyc", "cycles") || wants("_s", "(^|[^a-z])s") ||
				wants("(_low|_high)", "ns|samples") && schema_name[i] !~ /^(shape|expected)_/)
			print schema_name[i], schema_unit[i]
}
END_AWK
is "$(all units.awk)" "" "the unit of a column agrees with the suffix of its name"
"$top/scripts/dev/formats" --print "$top/Documentation/formats.md" >shown
same shown "$top/Documentation/formats.md" "formats.md has what the schema says: make documents"
is "$(cut -f 1 "$schema" | sed 1d | sort -u | while read -r table; do
	grep -qxF "<!-- columns of $table -->" "$top/Documentation/formats.md" || printf '%s ' "$table"
done)" "" "each table is in a document"

# --- what is written

mkdir w
# written TABLE: saves stdin, a table called TABLE or only its header, for the checks below
written() {
	cat >"w/$(find w -type f | wc -l)-$1"
}

# fixture DIR: makes a recording with several CPUs, counters, an outlier and taints
fixture() {
	mkdir "$1"
	awk 'BEGIN { for (i = 1; i <= 900; i++) {
		print 1, i * 1000 + 50000, "-", 2600 + i * 7 % 90, "-"
		print 3, i * 1000 + 50000, 133000 + (i * 7919 % 1000) * (i % 9 == 0 ? 5 : 1), 134000, i % 90 ? "-" : "smi" } }' |
		samples_tsv "$1/samples.tsv"
	awk 'NR > 1 { print 200000 + NR, 100000 + NR, $4 == 3 && NR % 50 ? 90000 : 0, NR % 3, 0, NR % 9 ? "-" : "sleep" }' "$1/samples.tsv" |
		add_columns "$1/samples.tsv" aperf_cyc mperf_cyc cc6_cyc uncertainty entered unknown
	awk 'BEGIN { FS = OFS = "\t" } NR > 1 { $2 = int(NR / 2) % 2 } { print }' "$1/samples.tsv" >new && mv new "$1/samples.tsv"
	run_tsv "$1/run.tsv" tsc_khz 2000000 state.1.desc 'MWAIT 0x00' state.3.desc 'MWAIT 0x20' state.1.residency_ns 2000 \
		state.3.residency_ns 600000 state.0.residency_ns 0
	sed -i 's/^cpus	.*/cpus	0-1/' "$1/run.tsv"
}
fixture a && fixture b
ok "stats writes its tables" "$wakelat" stats -q a
ok "stats writes the tables of a second recording" "$wakelat" stats -q b
run "$wakelat" verdict -q --budget 50us a
is "$status" 4 "verdict: a state exceeds the budget"
ok "compare writes compare.tsv" "$wakelat" compare -q -o a/compare.tsv a b
# What extras write into a recording's directory, and which of their tables this test cannot make.
not_made=
: "$not_made" >more-rows
for written_by in "$top"/extras/*/tests/schema.sh; do
	# shellcheck source=/dev/null
	[ ! -e "$written_by" ] || . "$written_by"
done
for table in a/*.tsv; do
	case $table in
	*/run.tsv | */samples.tsv) ;;
	*) written "${table#a/}" <"$table" ;;
	esac
done
ok "import reads a histogram" "$wakelat" import -q -o h "$top/tests/fixtures/import/cyclictest.txt"
ok "stats reads an imported histogram" "$wakelat" stats -q h
written counts.tsv <h/counts.tsv
written stats.tsv <h/stats.tsv
ok "stats --counts writes a file of counts" "$wakelat" stats -q --counts a.counts a
ok "import makes a directory from counts" "$wakelat" import -q -o counted a.counts
written counts.tsv <counted/counts.tsv
printf 'sample 0 1 run=1 source=1 state=1\nend 0 3 run=1 cpu=0 samples=1\n' | trace t.dat
ok "dump reads a recording" "$wakelat" dump -o t.tsv t.dat
written samples.tsv <t.tsv
printf 'key\tvalue\nknob\tqos\nvalue\t1\nunit\tus\nwindow_s\t1.00\npower_w\t-\npower_from\t-\n' >point.tsv
"$top/tools/bin/quantiles" -g source,state -m intr_latency -p 50,99,99.9,99.99 -t taint a/samples.tsv >by-state
"$top/tools/bin/quantiles" -g source -m intr_latency -p 50,99,99.9,99.99 -t taint a/samples.tsv >by-source
awk -F '\t' -v directory=x -v percentile=99.99 -f "$top/scripts/lib/experiment/point-row.awk" point.tsv a/run.tsv by-state by-source |
	written sweep.tsv
# Tables that only root or the testbed can write: the test reads their headers from the source.
# header_in TABLE FIRST FILE...: find the header of TABLE, which begins with column FIRST, in the sources FILE...
header_in() {
	table=$1
	first=$2
	shift 2
	printf '%b\n' "$(cat "$@" | sed -n "s/.*[\"']\($first\(\\\\t[a-z0-9_]*\)\{1,\}\)\(\\\\n\)*[\"'].*/\1/p" | head -n 1)" | written "$table"
}
header_in doctor.tsv check "$top"/scripts/lib/doctor/*.sh
header_in outliers.tsv outlier "$top/tools/probe/probe-outlier.c"
header_in truth-i210.tsv event "$top"/testbed/qemu/*.patch
# columns_in TABLE FIRST FILE: find the columns of TABLE, which begin with FIRST, in a call of table_columns() in FILE
columns_in() {
	sed -n "s/.*table_columns(.*, \"\($2 [a-z_ ]*\)\");/\1/p" "$top/tools/answer/$3" | tr ' ' '\t' | written "$1"
}
columns_in verdict-answer.tsv verdict document.c
columns_in verdict-balance.tsv state balance.c
header_in left-out.tsv figure "$top/scripts/lib/figures/figures.sh"

# A column for each taint that has a bit.
taints=$(awk -F '\t' 'NR > 1 && $2 != "-" { print $1 }' "$common/taints.tsv" | paste -sd , - | sed 's/,/, /g')
sed "s/^stats\.tsv	TAINT	/stats.tsv	$taints	/" "$schema" >expanded
cat more-rows >>expanded
not_ok "the schema has the taints' columns" cmp -s expanded "$schema"
# agree WHAT: print the columns, cells, unused columns or tables (WHAT) that contradict the schema
agree() {
	schema=$tmp/expanded awk -F '\t' -v what="$1" -f "$common/schema.awk" -f "$top/tests/lib/agree.awk" w/* | sort
}
is "$(agree columns)" "" "each column that is written is in the schema"
is "$(agree cells)" "" "each written cell has the type that the schema says"
# Some columns come from parts of kernel events, from probe, or from dump.
is "$(agree unused | grep -v '^doctor [a-z0-9_]*$' | while read -r table name; do
	[ "$table" = samples ] &&
		cat "$top"/patches/[0-9]-*/[0-9]*.patch "$top"/tools/probe/probe-samples.c "$top"/tools/read/*.c "$top/scripts/lib/probe/slowest.awk" |
			grep -qE "__field\([us]64, $name\)|t${name}[\\\\\"]|[ (]\"$name\"" ||
		printf '%s %s\n' "$table" "$name"
done)" "" "each column that is in the schema is written"
is "$(agree tables | paste -sd ' ' -)" "${not_made}truth" "the test reads each table except the testbed's, which tests/testbed/qemu.t reads"

# The measured machine may have any of these awks.
echo 'FNR == 1 { for (i = 1; i <= NF; i++) print FILENAME, $i, schema_is_text(schema_table(FILENAME), $i) }' >texts.awk
# texts_by AWK...: print for each column whether it is text, as this awk reads the schema
texts_by() {
	"$@" -F '\t' -f "$common/schema.awk" -f texts.awk w/*
}
texts_by awk >wanted
ok "some columns are text, some are not" test "$(cut -d ' ' -f 3 wanted | sort -u | tr -d '\n')" = 01
for awk in mawk gawk 'busybox awk'; do
	command -v "${awk%% *}" >/dev/null || {
		skip 1 "no $awk"
		continue
	}
	is "$(words "$awk" texts_by | cksum)" "$(cksum <wanted)" "$awk reads the schema"
done

# bounds accepts text in columns of text, and only numbers in others, also in unknown columns of
# tables that commands make.
cat >cells.awk <<'END_AWK'
END {
	for (i = 2; i <= schema_rows; i++) {
		name = schema_name[i]
		if (schema_in[i] ~ /^(stats|sweep)/ || i > schema_core)
			gsub(/[A-Z]+/, "9", name)
		else if (schema_in[i] == "run" && name !~ /PROGRAM|WHAT/)
			gsub(/[A-Z]+/, "1", name)
		else
			continue
		print (schema_type[i] ~ schema_texts) + 0, schema_in[i], name
	}
	print 0, "stats", "unheard-of"
	print 1, "run", "unheard-of"
}
END_AWK
all cells.awk >cells
mkdir t
while read -r text table name; do
	if [ "$table" = run ]; then
		printf 'key\tvalue\n%s\tword\n' "$name"
	else
		printf '%s\nword\n' "$name"
	fi >"t/$table.tsv"
	said=$("$top/tools/bin/check-tables" "t/$table.tsv" 2>&1)
	case $text$said in
	1 | "0t/"*"'word' is not a number" | "0check-tables: t/"*"'word' is not a number") ;;
	*) printf '%s %s %s\n' "$table" "$name" "$said" ;;
	esac
done <cells >wrong
is "$(cat wrong)" "" "bounds takes text in $(grep -c ^1 cells) columns and keys, and no text in $(grep -c ^0 cells)"

# --- keys of run.tsv, and checks of doctor

cat >keys.awk <<'END_AWK'
!schema_of(table, $1) { print $1 }
END_AWK
# unknown TABLE: prints the names on stdin that the schema does not have
unknown() {
	sort -u | awk -F '\t' -v table="$1" -f "$common/schema.awk" -f keys.awk | paste -sd ' ' -
}
is "$({
	sed -n 's/^[[:space:]]*fact \([a-z_]*\) .*/\1/p' "$top"/scripts/commands/* "$top"/scripts/lib/*/*.sh
	find "$top/results" -name run.tsv -exec awk -F '\t' 'FNR > 1 { print $1 }' {} +
} | unknown run)" "" "keys of run.tsv are in the schema"
is "$(sed -n 's/^[[:space:]]*\(finding\|[a-z_]*_finding\|known\|unread\|device_limit\) \([a-z][a-z0-9_]*\) [^:]*$/\2/p' "$top"/scripts/lib/doctor/*.sh | unknown doctor)" \
	"" "checks of doctor are in the schema"
done_testing
