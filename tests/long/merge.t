#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Merging counts: any order of merges gives the same bytes, and the same statistics as all samples together. Damaged files do not
# change the sums. Figures and page of counts are the same as those of the samples.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1
merge=$top/tools/bin/merge
seed=${SEED:-7}
note "SEED=$seed"

# one DIR NUMBER: make the recording of machine NUMBER
one() {
	mkdir -p "$1"
	run_tsv "$1/run.tsv" hostname "m$(($2 % 7))" microcode 0x1
	sed -i '/^hostname	box$/d' "$1/run.tsv"
	awk -v seed="$2" 'function rnd() { seed = (seed * 16807 + 11) % 2147483647; return seed / 2147483647 }
		BEGIN { rnd(); rnd(); for (i = 0; i < 120; i++) {
			s = 1 + int(3 * rnd())
			w = int(1000 * s + 200 * rnd() * rnd())
			print s, 1000 + i, (s == 1 ? "-" : w), w + 70, (rnd() < 0.05 ? "nmi" : "-") } }' | samples_tsv "$1/samples.tsv"
}

mkdir r f
n=12
i=1
while [ $i -le $n ]; do
	one "r/$i" $i
	"$wakelat" stats -q --counts "f/$i.counts" "r/$i"
	i=$((i + 1))
done
ok "stats --counts makes a file of each recording" test -e "f/$n.counts"

# random N: set $random to a number below N, from $seed
random() {
	seed=$(((seed * 1103515245 + 12345) % 2147483648))
	random=$((seed / 65536 % $1))
}

# tree OUTPUT: merge the files of f/, some of them more than once, two or three at a time at random, until one is left
tree() {
	tree_output=$1
	rm -rf t
	mkdir t
	cp f/*.counts t
	random 4
	while [ "$random" -gt 0 ]; do
		copies=$random
		random $n
		cp "f/$((random + 1)).counts" "t/again$copies.counts"
		random=$((copies - 1))
	done
	step=0
	while set -- t/*.counts && [ $# -gt 1 ]; do
		step=$((step + 1))
		# Take up to three files from a random place in the list.
		random $#
		shift "$random"
		first=$1
		second=${2-}
		third=${3-}
		random 2
		[ "$random" = 0 ] || third=
		[ -n "$second" ] || continue
		"$merge" "t.new" ${third:+"$third"} "$first" "$second" >/dev/null || return
		rm -f "$first" "$second" ${third:+"$third"}
		mv t.new "t/step$step.counts"
	done
	mv t/*.counts "$tree_output"
}

"$merge" all.counts f/*.counts >said
is "$(cat said)" "$n 0 0" "all files are merged at once"
i=0
different=0
while [ $i -lt 25 ]; do
	tree tree.counts && cmp -s all.counts tree.counts || different=$((different + 1))
	i=$((i + 1))
done
is $different 0 "25 random trees of merges: the same bytes"

# Merge two files at a time, in four levels, as by hand or in jobs of a cluster.
set -- f/*.counts
level=0
while [ $# -gt 1 ]; do
	level=$((level + 1))
	mkdir "level$level"
	while [ $# -gt 0 ]; do
		case $1 in
		level$level/*) break ;;
		esac
		file=level$level/$#.counts
		case ${2-} in
		'' | level$level/*) "$wakelat" merge -q -o "$file" "$1" ;;
		*)
			"$wakelat" merge -q -o "$file" "$1" "$2"
			shift
			;;
		esac || diag "merge $file"
		shift
		set -- "$@" "$file"
	done
done
is $level 4 "twelve files need four levels"
same all.counts "$1" "four levels of wakelat merge: the same bytes"

# The reference: all samples in one table.
mkdir pooled
sed '/^hostname/d' r/1/run.tsv >pooled/run.tsv
sed -n 1p r/1/samples.tsv >pooled/samples.tsv
for file in r/*/samples.tsv; do
	sed 1d "$file" >>pooled/samples.tsv
done
mkdir c && "$wakelat" import -q -o c/pooled all.counts
"$wakelat" stats -q pooled && "$wakelat" stats -q c/pooled
same pooled/stats.tsv c/pooled/stats.tsv "merged counts: stats.tsv is that of all samples"
for dir in pooled c/pooled; do
	cut -f 1-12 "$dir/stats-ci.tsv" >"$dir/ci"
done
same pooled/ci c/pooled/ci "merged counts: stats-ci.tsv is that of all samples, without the columns on their order"
is "$(awk -F '\t' '$7 == "value" && $6 == "intr_latency" { n += $9 } END { print n }' c/pooled/counts.tsv)" $((n * 120)) "merged counts: each sample is counted once"

# Damage a file: change, remove or double a byte, or cut the file off. merge has to leave the file out, unless its bytes are
# unchanged.
"$merge" good.counts f/1.counts f/2.counts >/dev/null
size=$(wc -c <f/3.counts)
wrong=
i=0
while [ $i -lt 120 ]; do
	random "$size"
	at=$random
	random 4
	case $random in
	0) { head -c "$at" f/3.counts && printf 7 && tail -c +$((at + 2)) f/3.counts; } >bad.counts ;;
	1) { head -c "$at" f/3.counts && tail -c +$((at + 2)) f/3.counts; } >bad.counts ;;
	2) { head -c "$((at + 1))" f/3.counts && tail -c +$((at + 1)) f/3.counts; } >bad.counts ;;
	3) head -c "$at" f/3.counts >bad.counts ;;
	esac
	"$merge" out.counts f/1.counts bad.counts f/2.counts >/dev/null 2>&1
	case $? in
	3) cmp -s out.counts good.counts || wrong="$wrong $at" ;;
	0) cmp -s bad.counts f/3.counts || wrong="$wrong $at" ;;
	*) wrong="$wrong $at" ;;
	esac
	i=$((i + 1))
done
is "$wrong" "" "merge leaves out each of 120 damaged files"

command -v gnuplot >/dev/null || {
	skip 8 "gnuplot is missing"
	done_testing
	exit
}
mkdir s && cp -R r/1 s/box && "$wakelat" import -q -o c/box f/1.counts
export SOURCE_DATE_EPOCH=1700000000
for kind in s c; do
	(cd $kind && "$wakelat" plot -q -k svg box && "$wakelat" report -q -b 100us box 2>../said) || diag "$kind: $(cat said)"
done
for figure in histogram ccdf percentiles states; do
	same "s/box/figures/$figure.svg" "c/box/figures/$figure.svg" "figure $figure is the same for samples and counts"
done
is "$(cut -f 1 c/box/figures/left-out.tsv | core_figures | paste -sd ' ' -)" "figure silent-time density order residency residency-share cpus differences" \
	"left-out.tsv names the figures that need more than counts"
# Compare the pages without the hashes of the inputs, the figures that counts cannot have, and the text about them. Counts have no
# times, so how often a cause of delays must occur is in wake-ups.
for kind in s c; do
	grep -vE '^<meta name="wakelat-input"|^<figure><img|^<figcaption>|No figure|^<p>Not there:|^<p class="sure">Counts have no order, ' "$kind/box/report.html" |
		sed 's/occurs at least every [0-9.]* \(ms\|wake-ups\) (measured\( for\|:\) [0-9.]*\( ms\)\{0,1\})/occurs often/' >"page-$kind"
done
is "$(cat page-s page-c | grep -c 'occurs often')" 2 "the pages of samples and of counts say how often a cause of delays must occur"
same page-s page-c "the pages of samples and counts have the same text"
like "$(cat c/box/report.html)" 'Not there: counts have no order' "the page of counts says why it has no tail"

done_testing
