#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Taints, reasons for ends of runs, figures and commands each have one list (columns: schema.t). The kernel, the tools, the
# scripts and the documents must agree with the list.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1
common=$top/scripts/lib/common
docs=$top/Documentation

# list FILE COLUMN [CONDITION]: print COLUMN of the rows for which the awk condition holds.
list() {
	awk -F '\t' -v column="$2" "NR == 1 { for (i = 1; i <= NF; i++) at[\$i] = i; next } ${3:-1} { print \$at[column] }" "$1"
}

# --- taints

# names_of_kernel PREFIX: print value and name of each constant PREFIX_NAME that the series defines.
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
ok "taints were found in the series" test -s kernel
# dump sets the taint uncertain itself, in a bit that the kernel does not use.
awk -F '\t' 'NR > 1 && $2 != "-" && $1 != "uncertain" { print 2 ^ $2, $1 }' "$common/taints.tsv" >listed
same listed kernel "taints.tsv has the kernel's bits and names"
ok "no taint of the kernel has the bit of uncertain" test -z "$(grep "^$(awk -F '\t' '$1 == "uncertain" { print 2 ^ $2 }' "$common/taints.tsv") " kernel)"
like "$(cat "$top"/patches/[0-9]-*/[0-9]*.patch)" "$(tail -n 1 kernel | sed 's/\(.*\) \(.*\)/\1 ``\2``/')" \
	"the kernel's document has the last taint"
# rows HEADER FILE: print the rows of the table that begins with HEADER. The cells have no quotes, and are separated by TABs.
rows() {
	awk -v header="$1" '$0 == header { here = 1; next } here && !/^\|/ { exit } here && !/^\|-/' "$2" |
		sed 's/^| `\([^`]*\)` | /\1	/; s/ |$//; s/ | /	/g'
}
list "$common/taints.tsv" taint >names
list "$common/taints.tsv" meaning | paste names - >listed
rows '| taint | how it is known |' "$docs/how-it-works.md" >document
same document listed "how-it-works.md explains each taint as taints.tsv does"

# --- what cannot be checked

names_of_kernel WAKELAT_UNKNOWN_ | grep ' .' >kernel
awk -F '\t' 'NR > 1 { print 2 ^ $2, $1 }' "$common/unknowns.tsv" >listed
same listed kernel "unknowns.tsv has the kernel's bits and words"
sed '1d; s/\t[0-9]*\t/\t/' "$common/unknowns.tsv" >listed
rows '| word | not known | so |' "$docs/how-it-works.md" >document
same document listed "how-it-works.md explains each word as unknowns.tsv does"

# --- ends of runs

names_of_kernel WAKELAT_END_ | cut -d ' ' -f 2 | sort >kernel
list "$common/reasons.tsv" reason '$at["by"] == "kernel"' | sort >listed
ok "reasons were found in the series" test -s kernel
same listed kernel "reasons.tsv has the kernel's reasons"
ok "each reason is whole or early" awk -F '\t' 'NR > 1 && $2 !~ /^(whole|early)$/ { exit 1 }' "$common/reasons.tsv"
cut -f 1,2,4 "$common/reasons.tsv" | sed 1d >listed
rows '| reason | end | meaning |' "$docs/formats.md" >document
same document listed "formats.md explains each reason as reasons.tsv does"

# --- settings that doctor checks and record --prepare changes

settings=$top/scripts/lib/doctor/settings.tsv
is "$(list "$settings" check | sort -u | while IFS= read -r check; do
	awk -F '\t' '$1 == "doctor.tsv/checks" { print $2 }' "$common/schema.tsv" | grep -qw "$check" || printf '%s ' "$check"
done)" "" "the schema has each check of settings.tsv"
is "$(list "$settings" prepare '$at["prepare"] != "-"' | sort -u | while IFS= read -r name; do
	sed -n "s/^preparations='\(.*\)'/ \1 /p" "$top/scripts/lib/record/prepare.sh" | grep -q " $name " || printf '%s ' "$name"
done)" "" "prepare.sh has each preparation of settings.tsv"
ok "each severity is doubt or note, each row has seven cells" \
	awk -F '\t' 'NR > 1 && (NF != 7 || $3 !~ /^(doubt|note)$/) { exit 1 }' "$settings"

# --- percentiles

like "$(sed -n '/\\-\\-percentiles/,/^[.]TP/p' "$docs/man/wakelat-stats.1")" "^Default: $(sed -n 's/^percentiles=//p' "$top/scripts/lib/analysis/stats-tables.sh")[.]\$" \
	"wakelat-stats(1) has the default percentiles"

# --- figures

figures=$top/scripts/lib/figures/figures.tsv
list "$figures" figure | sort >listed
for file in "$top"/gnuplot/*.gp; do
	! grep -q "^call ARG3\.'/style\.gp'" "$file" || basename "$file" .gp
done | sort >drawn
same drawn listed "figures.tsv has the figures of gnuplot/"
like "$("$wakelat" plot -h | tr -d ' \n')" "of$(for file in "$figures" "$top"/extras/*/figures.tsv; do
	[ ! -e "$file" ] || list "$file" figure '$at["of"] == "samples"'
done | paste -sd , -)\(default" \
	"plot -h lists the figures of samples"
sed 's/\\-/-/g' "$docs/man/wakelat-plot.1" >page
is "$(list "$figures" figure '$at["of"] == "samples"' | while IFS= read -r name; do
	grep -qE "^\.BR? ($name|.*[\" ]$name( ,)?\$)" page || echo "$name"
done)" "" "wakelat-plot(1) has each figure of samples"
is "$(list "$figures" needs | tr , '\n' | sort -u | while IFS= read -r need; do
	[ "$need" = - ] || grep -q "^	$need) *" "$top/scripts/lib/figures/figures.sh" || echo "$need"
done)" "" "figures.sh knows each need in figures.tsv"
is "$(list "$figures" page '$at["of"] == "samples" && ($at["page"] !~ /^(png|svg)$/ || $at["caption"] == "-")')" "" \
	"figures in a report have a kind and a caption"
# The gallery's pictures and commands are checked by long/gallery.t.
is "$(list "$figures" figure | while IFS= read -r name; do
	shown=$(awk -v section="## $name" '/^## / { here = $0 == section } here && sub(/^!\[[^]]*\]\(/, "") { sub(/\).*/, ""); print }' "$docs/gallery.md")
	[ -n "$shown" ] && [ -s "$docs/$shown" ] || printf '%s ' "$name"
done)" "" "the gallery has a section and a picture for each figure"

# --- commands

# is_tested COMMAND: succeed if a test calls COMMAND.
is_tested() {
	grep -rlE "(wakelat\"?|WAKELAT\"?) $1( |\$)" "$top/tests" "$top"/extras/*/tests --include='*.t' --include='*.job' | grep -qv '/adding[.]t'
}
for command in "$top"/scripts/commands/*; do
	name=${command##*/}
	like "$("$wakelat" help)" "^  $name +[a-z]" "$name: help has a summary"
	like "$("$wakelat" "$name" -h)" "^usage: wakelat $name" "$name: -h prints the usage"
	ok "$name: the manual page has examples" grep -q '^\.SH EXAMPLES' "$docs/man/wakelat-$name.1"
	like "$(cat "$docs/man/wakelat.1")" "^\.BR wakelat-$name " "$name: wakelat(1) mentions it"
	ok "$name: a test calls it" is_tested "$name"
done

for page in "$top"/extras/*/wakelat-*.1; do
	[ -e "$page" ] || continue
	name=${page##*/wakelat-}
	name=${name%.1}
	like "$("$wakelat" help | sed '1,/^Extras/d')" "^  $name +[a-z]" "$name: help has a summary, apart from the commands"
	like "$("$wakelat" "$name" -h)" "^usage: wakelat $name" "$name: -h prints the usage"
	ok "$name: the manual page has examples" grep -q '^\.SH EXAMPLES' "$page"
	ok "$name: README.md has one screen, apart from tables" test "$(grep -vc '^|' "${page%/*}/README.md")" -le 60
	ok "$name: a test calls it" is_tested "$name"
done

# --- kernels

kernels=$top/scripts/dev/kernels.tsv
list "$kernels" version >versions
sed 1d versions >others
while IFS= read -r version; do
	like " $("$top/scripts/dev/build-kernel" --list | tr '\n' ' ')" " [a-z]*@$version " \
		"build-kernel has a flavour for Linux $version"
done <others
is "$(cd "$top/patches" && find . -mindepth 1 -type d | sed 's:./::' | grep -vxFf "$tmp/versions" | grep -v '^[0-9]-')" "" \
	"patches/ has only the kernels of kernels.tsv"
while IFS= read -r version; do
	for document in README.md Documentation/your-machine.md Documentation/contributing.md; do
		like "$(cat "$top/$document")" "$(printf '%s' "$version" | sed 's/[.]/[.]/')\.y" \
			"$document names Linux $version.y"
	done
done <versions
like "$(cat "$docs/your-machine.md")" "apt-get install $(list "$kernels" package | head -n 1)\$" \
	"your-machine.md names the first kernel's package"
is "$(sed -n 's/^\(.*\)) release=.*/\1/p' "$top/tests/debian")" "$(sed -n 's/^\(.*\)) release=.*/\1/p' "$top/tests/clean-root")" \
	"tests/debian and tests/clean-root know the same releases"

# --- the version

version=$(cat "$top/VERSION")
is "$(sed -n '1s/^wakelat (\(.*\)) .*/\1/p' "$top/debian/changelog")" "$version" "debian/changelog begins with the version of VERSION"
is "$(sed -n 's/^## //p' "$docs/changes.md" | head -n 1)" "$version" "changes.md begins with the version of VERSION"
is "$(cd "$docs" && grep -ohE '[-_][0-9.]+_amd64\.deb' contributing.md your-machine.md | tr -d '_-' | sort -u)" "$(printf '%samd64.deb' "$version")" \
	"packages in documents have the version of VERSION"

# --- contributing.md: each step from a figure to the stamp still finds its line

sed -n '/^## From a number in a figure/,/^## A/s/^    \(grep [^#]*[^# ]\) *#.*/\1/p' "$docs/contributing.md" >steps
is "$(wc -l <steps)" "$(sed -n '/^## From a number in a figure/,/^## A/p' "$docs/contributing.md" | grep -c '^    ')" \
	"each step is a grep"
while IFS= read -r step; do
	is "$(cd "$top" && sh -c "$step" | wc -l | awk '{ print ($1 > 0 && $1 < 4) }')" 1 "$step"
done <steps
# --- what each capability costs

if git -C "$top" ls-files --error-unmatch Makefile >/dev/null 2>&1; then
	"$top/scripts/dev/rooms" >rooms
	is "$(sed -n '/^<!-- table rooms/,/^<!-- end/s/^| \(.*\) |$/\1/p' "$docs/contributing.md" | sed 's/ | /	/g' | awk -F '\t' '
		function differs(a, b, least) { return a - b > least + a / 10 || b - a > least + a / 10 }
		FNR == NR { lines[$1, $2] = $3; files[$1, $2] = $4; next }
		FNR > 1 && $2 != "extra" && $1 !~ /extras/ && (differs($3, lines[$1, $2], 0.2) || differs($4, files[$1, $2], 2)) {
			print $1 ": " $3 ", " $4 " files"
		}' - rooms)" "" "contributing.md has the lines and files of each room: scripts/dev/rooms --write"
else
	skip 1 "not a git tree"
fi
done_testing
