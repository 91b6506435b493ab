#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Each fact has one list: taints, ends of runs, columns, figures, commands. The kernel, the tools, the scripts and the
# documents agree with it. Needs the tools; the tail R.
# needs: tools
# tier: rest

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1
common=$top/scripts/lib/common
docs=$top/Documentation

# list FILE COLUMN [CONDITION]: of the rows of a list for which the condition of awk holds
list() {
	awk -F '\t' -v column="$2" "NR == 1 { for (i = 1; i <= NF; i++) at[\$i] = i; next } ${3:-1} { print \$at[column] }" "$1"
}

# --- taints

# name_of_kernel PREFIX: value and name of each constant PREFIX_NAME, as the series leaves them
names_of_kernel() {
	cat "$top"/patches/[0-9]-*/[0-9]*.patch | awk -v prefix="$1" '
		/^\+#define / && index($2, prefix) == 1 { value[$2] = $3 }
		/^\+\t.*\{ WAKELAT_/ && match($0, prefix "[A-Z_]*, \"[a-z_]*\"") {
			split(substr($0, RSTART, RLENGTH), word, /[, "]+/)
			name[word[1]] = word[2]
		}
		END { for (constant in value) print value[constant], name[constant] }' |
		while read -r value name; do
			printf '%d %s\n' "$value" "$name"
		done | sort -n
}
names_of_kernel WAKELAT_TAINT_ >kernel
ok "the kernel has taints" test -s kernel
# dump gives the taint uncertain itself, in a bit that the kernel leaves free.
awk -F '\t' 'NR > 1 && $2 != "-" && $1 != "uncertain" { print 2 ^ $2, $1 }' "$common/taints.tsv" >listed
same listed kernel "taints.tsv: bits and names are the kernel's"
ok "no taint of the kernel has the bit of uncertain" test -z "$(grep "^$(awk -F '\t' '$1 == "uncertain" { print 2 ^ $2 }' "$common/taints.tsv") " kernel)"
sed -n 's/^#define TAINT_\([A-Z_]*\)[[:space:]]*(1U << \([0-9]*\))$/\2 \1/p' "$top/tools/lib/taint.h" | tr '[:upper:]' '[:lower:]' >tools
awk -F '\t' 'NR > 1 && $2 != "-" { print $2, $1 }' "$common/taints.tsv" >listed
same tools listed "taint.h has them, too"
is "$(sed -n 's/^\t{ TAINT_\([A-Z_]*\), "\([a-z_]*\)" }.*/\1 \2/p' "$top/tools/lib/taint.h" | tr '[:upper:]' '[:lower:]')" \
	"$(awk '{ print $2, $2 }' listed)" "each by its name"
like "$(cat "$top"/patches/[0-9]-*/*-Documentation-*.patch)" "$(tail -n 1 kernel | sed 's/\(.*\) \(.*\)/\1 ``\2``/')" "the kernel's document has the last"
# rows HEADER FILE: of the table of a document that begins so, cells without quotes, by TAB
rows() {
	awk -v header="$1" '$0 == header { here = 1; next } here && !/^\|/ { exit } here && !/^\|-/' "$2" |
		sed 's/^| `\([^`]*\)` | /\1	/; s/ |$//; s/ | /	/g'
}
list "$common/taints.tsv" taint >names
list "$common/taints.tsv" meaning | paste names - >listed
rows '| taint | how it is known |' "$docs/how-it-works.md" >document
same document listed "how-it-works.md says what each means"

# --- ends of runs

names_of_kernel WAKELAT_END_ | cut -d ' ' -f 2 | sort >kernel
list "$common/reasons.tsv" reason '$at["by"] == "kernel"' | sort >listed
ok "the kernel has reasons" test -s kernel
same listed kernel "reasons.tsv: the kernel's"
ok "each is whole or early" awk -F '\t' 'NR > 1 && $2 !~ /^(whole|early)$/ { exit 1 }' "$common/reasons.tsv"
cut -f 1,2,4 "$common/reasons.tsv" | sed 1d >listed
rows '| reason | end | meaning |' "$docs/formats.md" >document
same document listed "formats.md says what each means"

# --- findings of audit

cut -f 1,3,4,5 "$top/scripts/lib/audit/findings.tsv" | sed 1d >listed
rows '| number | severity | meaning | where the kernel checks it |' "$docs/formats.md" >document
same document listed "formats.md has the findings of audit"
is "$(sed 1d "$top/scripts/lib/audit/findings.tsv" | cut -f 1 | while IFS= read -r number; do
	grep -q "$number" "$top/tests/host/audit.t" || printf '%s ' "$number"
done)" "" "host/audit.t has each of them"

# --- columns: what is written is in formats.md, and what is in it is written

# A column for each taint that has a bit.
awk -f "$top/tests/lib/formats.awk" "$docs/formats.md" >described
{
	grep -v '	TAINT	' described
	list "$common/taints.tsv" taint '$at["bit"] != "-"' | sed 's/.*/stats.tsv	&	samples	/'
} >documented
is "$(grep -c '	TAINT	' described)" 1 "formats.md has the taints' columns"
like "$(cat documented)" '^stats\.tsv	wake_latency_p99\.99	ns	' "formats.md is understood"

# By what a name ends with; "-" where there is no unit.
is "$(awk -F '\t' '
	function wants(suffix, unit) { return $2 ~ suffix "$" && $3 !~ unit && $4 !~ /as (in|above)/ && $4 !~ /same/ }
	wants("_ns", "ns") || wants("_us", "us") || wants("_pct", "%") || wants("_cyc", "cycles") || wants("_s", "(^|[^a-z])s") ||
		wants("(_low|_high)", "ns|samples") && $1 !~ /^tail/ { print $1, $2, $3 }' documented)" "" "units agree with the names' ends"

# written TABLE: the header on stdin is that of TABLE
written() {
	head -n 1 | tr '\t' '\n' | sed "s/^/$1	/" >>written
}

# fixture DIR: CPU and counters by state, an outlier, taints
fixture() {
	mkdir "$1"
	awk 'BEGIN { for (i = 1; i <= 900; i++) {
		print 1, i * 1000 + 50000, "-", 2600 + i * 7 % 90, "-"
		print 3, i * 1000 + 50000, 133000 + (i * 7919 % 1000) * (i % 9 == 0 ? 5 : 1), 134000, i % 90 ? "-" : "smi" } }' |
		samples_tsv "$1/samples.tsv"
	awk 'NR > 1 { print 200000 + NR, 100000 + NR, $4 == 3 && NR % 50 ? 90000 : 0, NR % 3, 0 }' "$1/samples.tsv" |
		add_columns "$1/samples.tsv" aperf_cyc mperf_cyc cc6_cyc uncertainty entered
	awk 'BEGIN { FS = OFS = "\t" } NR > 1 { $2 = int(NR / 2) % 2 } { print }' "$1/samples.tsv" >new && mv new "$1/samples.tsv"
	run_tsv "$1/run.tsv" tsc_khz 2000000 state.1.desc 'MWAIT 0x00' state.3.desc 'MWAIT 0x20' state.1.residency_ns 2000 \
		state.3.residency_ns 600000 state.0.residency_ns 0
	sed -i 's/^cpus	.*/cpus	0-1/' "$1/run.tsv"
}
fixture a && fixture b
ok "stats" "$wakelat" stats -q a
ok "stats of another" "$wakelat" stats -q b
run "$wakelat" verdict -q --budget 50us a
is "$status" 4 "verdict: a state exceeds the budget"
ok "compare" "$wakelat" compare -q -o a/compare.tsv a b
ok "governor" "$wakelat" governor -q -o a/governor.tsv a
if Rscript --vanilla -e 'library(evd)' >/dev/null 2>&1; then
	ok "tail" "$wakelat" tail -q a
else
	skip 1 "no R with evd"
	without_r='tail-qq.tsv tail-stability.tsv tail.tsv '
fi
for table in a/*.tsv; do
	case $table in
	*/run.tsv | */samples.tsv) ;;
	*) written "${table#a/}" <"$table" ;;
	esac
done
ok "a histogram" "$wakelat" import -q -o h "$top/tests/fixtures/import/cyclictest.txt"
ok "its statistics" "$wakelat" stats -q h
written counts.tsv <h/counts.tsv
written stats.tsv <h/stats.tsv
ok "counts" "$wakelat" stats -q --counts a.counts a
ok "as a recording" "$wakelat" import -q -o counted a.counts
written counts.tsv <counted/counts.tsv
printf 'sample 0 1 run=1 source=1 state=1\nend 0 3 run=1 cpu=0 samples=1\n' | trace t.dat
ok "a recording" "$wakelat" dump -o t.tsv t.dat
written samples.tsv <t.tsv
printf 'key\tvalue\nknob\tqos\nvalue\t1\nunit\tus\n' >point.tsv
"$top/tools/bin/quantiles" -g source,state -m intr_latency -p 50,99,99.9,99.99 -t taint a/samples.tsv >by-state
"$top/tools/bin/quantiles" -g source -m intr_latency -p 50,99,99.9,99.99 -t taint a/samples.tsv >by-source
awk -F '\t' -v directory=x -v percentile=99.99 -f "$top/scripts/lib/experiment/point-row.awk" point.tsv a/run.tsv by-state by-source |
	written sweep.tsv
# What only root or the testbed writes: by the line in the source.
# header_in TABLE FIRST FILE...: its header begins with column FIRST
header_in() {
	table=$1
	first=$2
	shift 2
	printf '%b\n' "$(cat "$@" | sed -n "s/.*[\"']\($first\(\\\\t[a-z0-9_]*\)*\)\\\\n[\"'].*/\1/p" | head -n 1)" | written "$table"
}
header_in tune.tsv step "$top/scripts/commands/tune"
for name in fleet fleet-machines fleet-keys fleet-states fleet-left-out fleet-history; do
	sed -n "s/.*table(directory, \"$name.tsv\", \"\([^\"]*\)\").*/\1/p" "$top"/tools/fleet/*.c | while IFS= read -r header; do
		printf '%b\n' "$header"
	done | written "$name.tsv"
done
header_in doctor.tsv check "$top"/scripts/lib/doctor/*.sh
header_in outliers.tsv outlier "$top/tools/probe/probe-outlier.c"
header_in who.tsv 'group\\tid\\twhere' "$top/tools/probe/who-output.c"
header_in worst.tsv 'group\\tid\\tthread' "$top/tools/probe/who-output.c"
header_in joined.tsv vcpu "$top/scripts/lib/probe/who-joined.awk"
header_in limits.tsv group "$top/scripts/lib/probe/who-limits.awk"
header_in truth-i210.tsv event "$top"/testbed/qemu/*.patch

# A documented name stands for itself, in capitals for others, with ... for all that begin so.
cat >agree.awk <<'END_AWK'
function pattern(name) {
	gsub(/[.]/, "[.]", name)
	sub(/\[[.]\]\[[.]\]\[[.]\]$/, ".*", name)
	if (name ~ /(^|_)[A-Z]+(_|$)/)
		gsub(/[A-Z]+/, "[A-Za-z0-9_]+", name)
	else if (name ~ /^pP/)
		sub(/P/, "[0-9.]+", name)
	return "^" name "$"
}
FNR == NR { wanted[$1] = wanted[$1] " " $2; next }
FNR == 1 { file++ }
file == 1 && !seen[$0]++ {
	found = 0
	n = split(wanted[$1], name, " ")
	for (i = 1; i <= n; i++)
		if ($2 ~ pattern(name[i])) {
			found = 1
			used[$1, name[i]] = 1
		}
	if (!found && !unused)
		print $1, $2
	there[$1] = 1
}
END {
	if (!unused)
		exit
	for (table in there) {
		n = split(wanted[table], name, " ")
		for (i = 1; i <= n; i++)
			if (!((table, name[i]) in used))
				print table, name[i]
	}
}
END_AWK
is "$(awk -F '\t' -f agree.awk documented written)" "" "each column that is written is in formats.md"
# A part of the kernel has fields of its own, and so has probe; dump makes some.
is "$(awk -F '\t' -v unused=1 -f agree.awk documented written | sort | while read -r table name; do
	[ "$table" = samples.tsv ] &&
		cat "$top"/patches/[0-9]-*/[0-9]*.patch "$top/tools/probe/probe.c" "$top/tools/read/dump.c" "$top/tools/read/derive.c" "$top/tools/read/sample.c" "$top/scripts/lib/probe/slowest.awk" |
			grep -qE "__field\([us]64, $name\)|t${name}[\\\\\"]|[ (]\"$name\"" ||
		printf '%s %s\n' "$table" "$name"
done)" "" "each column that is in formats.md is written"
is "$(cut -f 1 documented | sort -u | while read -r table; do cut -f 1 written | grep -qx "$table" || printf '%s ' "$table"; done)" \
	"${without_r:-}truth.tsv " "of each table but the testbed's, which tests/testbed/qemu.t reads"

# Keys of run.tsv: what record and probe write, and what scrub lets through.
grep -oE '`[a-z0-9_.]+`' "$docs/formats.md" | tr -d '`' | sort -u >words
is "$({
	sed -n 's/^[[:space:]]*fact \([a-z_]*\) .*/\1/p' "$top"/scripts/commands/* "$top"/scripts/lib/*/*.sh
	sed -n '/split("format/,/, key, " ")/p' "$top/scripts/lib/analysis/scrub-run.awk" | sed 's/.*split(//; s/, key.*//' | tr -cs 'a-z0-9_' '\n'
} | sort -u | grep -vxF -f words | paste -sd ' ' -)" "" "keys of run.tsv are in formats.md"

# --- figures

figures=$top/scripts/lib/figures/figures.tsv
list "$figures" figure | sort >listed
for file in "$top"/gnuplot/*.gp; do
	! grep -q "^call ARG3\.'/style\.gp'" "$file" || basename "$file" .gp
done | sort >drawn
same drawn listed "figures.tsv has those of gnuplot/"
like "$("$wakelat" plot -h | tr -d ' \n')" "of$(list "$figures" figure '$at["of"] == "samples"' | paste -sd , -)\(default" "plot -h lists those of samples"
sed 's/\\-/-/g' "$docs/man/wakelat-plot.1" >page
is "$(list "$figures" figure '$at["of"] == "samples"' | while IFS= read -r name; do
	grep -qE "^\.BR? ($name|.*[\" ]$name( ,)?\$)" page || echo "$name"
done)" "" "wakelat-plot(1) says what each shows"
is "$(list "$figures" needs | tr , '\n' | sort -u | while IFS= read -r need; do
	[ "$need" = - ] || grep -q "^	$need) *" "$top/scripts/lib/figures/figures.sh" || echo "$need"
done)" "" "what they need is known"
is "$(list "$figures" page '$at["of"] == "samples" && ($at["page"] !~ /^(png|svg)$/ || $at["caption"] == "-")')" "" \
	"those of a report have a kind and a caption"
# Its pictures and commands: long/gallery.t.
is "$(list "$figures" figure | while IFS= read -r name; do
	shown=$(awk -v section="## $name" '/^## / { here = $0 == section } here && sub(/^!\[[^]]*\]\(/, "") { sub(/\).*/, ""); print }' "$docs/gallery.md")
	[ -n "$shown" ] && [ -s "$docs/$shown" ] || printf '%s ' "$name"
done)" "" "the gallery has a section and a picture of each"

# --- commands

# is_tested COMMAND: does a test call it?
is_tested() {
	grep -rlE "(wakelat\"?|WAKELAT\"?) $1( |\$)" "$top/tests" --include='*.t' --include='*.job' | grep -qv '/adding[.]t'
}
for command in "$top"/scripts/commands/*; do
	name=${command##*/}
	like "$("$wakelat" help)" "^  $name +[a-z]" "$name: a summary"
	like "$("$wakelat" "$name" -h)" "^usage: wakelat $name" "$name: a usage"
	ok "$name: a page with examples" grep -q '^\.SH EXAMPLES' "$docs/man/wakelat-$name.1"
	like "$(cat "$docs/man/wakelat.1")" "^\.BR wakelat-$name " "$name: in wakelat(1)"
	ok "$name: a test" is_tested "$name"
done

# --- kernels

kernels=$top/scripts/dev/kernels.tsv
list "$kernels" version >versions
sed 1d versions >others
while IFS= read -r version; do
	like " $("$top/scripts/dev/build-kernel" --list | tr '\n' ' ')" " [a-z]*@$version " "$version can be built"
done <others
is "$(cd "$top/patches" && find . -mindepth 1 -type d | sed 's:./::' | grep -vxFf "$tmp/versions" | grep -v '^[0-9]-')" "" "patches/ has no kernel that is not in it"
while IFS= read -r version; do
	for document in README.md Documentation/your-machine.md Documentation/contributing.md; do
		like "$(cat "$top/$document")" "$(printf '%s' "$version" | sed 's/[.]/[.]/')\.y" "$document names $version.y"
	done
done <versions
like "$(cat "$docs/your-machine.md")" "apt-get install $(list "$kernels" package | head -n 1)\$" "your-machine.md names the package of the first"
is "$(sed -n 's/^\(.*\)) release=.*/\1/p' "$top/tests/debian")" "$(sed -n 's/^\(.*\)) release=.*/\1/p' "$top/tests/clean-root")" \
	"tests/debian and tests/clean-root know the same releases"

# --- the version

version=$(cat "$top/VERSION")
is "$(sed -n '1s/^wakelat (\(.*\)) .*/\1/p' "$top/debian/changelog")" "$version" "debian/changelog begins with the version of VERSION"
is "$(sed -n 's/^## //p' "$docs/changes.md" | head -n 1)" "$version" "changes.md begins with that version"
is "$(cd "$docs" && grep -ohE '[-_][0-9.]+_amd64\.deb' contributing.md your-machine.md | tr -d '_-' | sort -u)" "$(printf '%samd64.deb' "$version")" \
	"packages that documents name have that version"

# --- contributing.md: each step from a figure to the stamp is found

sed -n '/^## From a number in a figure/,/^## A/s/^    \(grep [^#]*[^# ]\) *#.*/\1/p' "$docs/contributing.md" >steps
is "$(wc -l <steps)" "$(sed -n '/^## From a number in a figure/,/^## A/p' "$docs/contributing.md" | grep -c '^    ')" "each step is a grep"
while IFS= read -r step; do
	is "$(cd "$top" && sh -c "$step" | wc -l | awk '{ print ($1 > 0 && $1 < 4) }')" 1 "$step"
done <steps
done_testing
