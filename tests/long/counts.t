#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Counts: the commands print byte for byte the same for counts as for the samples.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/counts.sh"
build_tools
cd "$tmp" || exit 1

# even DIR: give all samples of a recording the same uncertainty. Counts keep the largest uncertainty of a state's
# samples, not the uncertainty of each sample.
even() {
	awk -F '\t' -v OFS='\t' 'NR == 1 { for (i = 1; $i != "uncertainty"; i++); } NR > 1 { $i = 22 } { print }' "$1/samples.tsv" >even.tsv &&
		mv even.tsv "$1/samples.tsv"
}

recording samples/a 4000 11 '1 2 3'
cp -R samples/a samples/uneven
recording samples/b 3000 12 '2 3 3'
even samples/a
even samples/b
printf 'check\tsubject\tseverity\tvalue\tfinding\tchange\tback\tprepare\nsibling\tcpu2\tdoubt\tcpu3\tbusy "x"\t-\t-\t-\n' >samples/a/doctor.tsv
mkdir counts
for name in a b; do
	run "$wakelat" stats --counts "$name.counts" "samples/$name"
	is "$status$err" "0wakelat stats: $name.counts has counts of $(($(wc -l <"samples/$name/samples.tsv") - 1)) samples" \
		"$name: stats --counts writes a file of counts"
	run "$wakelat" import -o "counts/$name" "$name.counts"
	is "$status" 0 "$name: import makes a directory of the counts"
	same "samples/$name/run.tsv" "counts/$name/run.tsv" "$name: the imported run.tsv equals the original"
done
same samples/a/doctor.tsv counts/a/doctor.tsv "a: the imported doctor.tsv equals the original"
not_ok "b: import makes no doctor.tsv if the recording had none" test -e counts/b/doctor.tsv
is "$(sed '1d; $d' a.counts | cksum)" "$(tail -n 1 a.counts | cut -f 2,3 | tr '\t' ' ')" "the last line has the file's cksum"
is "$(sed -n 's/^recording	//p' a.counts)" "$(grep -E '^(run|samples|sum|values)	|^-?[0-9]' a.counts | grep -v '	unknown:' | sha256sum | cut -c 1-32)" \
	"the recording's identity is computed as the manual page describes"
is "$(awk -F '\t' '/^samples/ { a += $7 } /^values/ && $7 == "intr_latency" { b += $8 } /^values/ { on = ($7 == "intr_latency") }
	/^-?[0-9]/ && on { c += $2 } END { print a, b, c }' a.counts)" "4000 4000 4000" "no sample is lost"

# without_order: copy stdin without the line that says that counts have no order, and without verdict's condition: it names
# a time, which counts do not have
without_order() {
	grep -Ev '[Cc]ounts have no order, so the bounds assume independent samples\.$|^each cause of delays occurs at least every |"lasted_s": '
}

# both WHAT COMMAND...: check that COMMAND prints the same and has the same status in samples/ and counts/, except for
# the line that without_order removes
both() {
	both_what=$1
	shift
	for kind in samples counts; do
		(cd $kind && "$wakelat" "$@" 2>&1; echo "status $?") >"$tmp/said"
		without_order <said >"said-$kind"
	done
	same said-samples said-counts "$both_what prints the same for samples and counts"
}

# same_ci NAME WHAT: compare stats-ci.tsv without the columns on the order of the samples: counts have no order
same_ci() {
	for kind in samples counts; do
		cut -f 1-12 "$kind/$1/stats-ci.tsv" >"ci-$kind"
	done
	same ci-samples ci-counts "$2 is the same for samples and counts"
}

both "stats --all" stats --all a
same_ci a "stats-ci.tsv"
for table in stats stats-reached stats-cpu stats-frequency stats-uncertainty; do
	same "samples/a/$table.tsv" "counts/a/$table.tsv" "$table.tsv is the same for samples and counts"
done
like "$(cat said-counts)" 'Left out as tainted: [0-9]+ of 4000 samples \(.*other\)' \
	"stats --all: the output includes the tainted samples"
both "stats --unsupported, other percentiles and metrics" stats -a --unsupported -p 25,99.99,99.9999 -m intr_latency,uncertainty a
for kind in samples counts; do
	(cd $kind && "$wakelat" stats --json a) | sed 's/, "clusters_p": [^}]*//' >"said-$kind"
done
same said-samples said-counts "stats --json: the same, except for the order of the samples"
both "stats --hgrm" stats -q --hgrm hgrm -o out a
for file in samples/hgrm/*; do
	same "$file" "counts/hgrm/${file##*/}" "${file##*/} is the same for samples and counts"
done
both "verdict" verdict --budget 90us a
both "verdict, max" verdict -b 90us -p max --json a
for kind in samples counts; do
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "lasted_s") time = i } { $time = "" } 1' $kind/a/verdict.tsv >"said-$kind"
done
same said-samples said-counts "verdict.tsv is the same for samples and counts, except for lasted_s"
like "$(cd samples && "$wakelat" verdict -b 90us a)" '^each cause of delays occurs at least every 13 ms \(measured for 66 ms\)\.$' \
	"verdict: for samples the condition is a time"
like "$(cd counts && "$wakelat" verdict -b 90us a)" '^each cause of delays occurs at least every 67 wake-ups \(measured: 335\)\.$' \
	"verdict: for counts, which have no times, the condition is a number of wake-ups"
both "verdict --paste" verdict -b 90us --paste qos a
# With different uncertainties the bounds of counts are those of the largest, so they are wider by 4 ns at most.
"$wakelat" stats -q --counts uneven.counts samples/uneven
"$wakelat" import -q -o counts/uneven uneven.counts
# widened FILE COLUMN SIGN: print the rows in which COLUMN of the counts is not 0 to 4 ns further out (SIGN: 1 or -1)
widened() {
	paste "samples/uneven/$1" "counts/uneven/$1" | awk -F '\t' -v column="$2" -v sign="$3" '
		NR == 1 { for (i = 1; i <= NF / 2; i++) at[$i] = i; half = NF / 2; next }
		{
			a = $at[column]; b = $(at[column] + half); d = sign * (b - a); rows++; wider += d > 0
			if ((a == "-") != (b == "-") || d < 0 || d > 4) print $1, d
		}
		END { if (!wider) print "no row of " rows " is wider" }'
}
for kind in samples counts; do
	"$wakelat" verdict -q -b 90us $kind/uneven
	"$wakelat" stats -q $kind/uneven
done
is "$(widened verdict.tsv p99_high 1)" "" "verdict: for counts the upper bound of p99 uses the largest uncertainty, up to 4 ns more"
is "$(widened stats-ci.tsv high 1)" "" "stats: for counts the upper ends use the largest uncertainty, up to 4 ns more"
is "$(widened stats-ci.tsv low -1)" "" "stats: for counts the lower ends use the largest uncertainty, up to 4 ns less"
both "compare" compare a b
same samples/a/compare.tsv counts/a/compare.tsv "compare.tsv is the same for samples and counts"
(cd samples && mkdir ../mixed && cp -R a ../mixed/a) && cp -R counts/b mixed/b
like "$(cd mixed && "$wakelat" compare a b)" '^b: counts have no order, so the bounds assume independent samples\.$' \
	"compare: says that counts have no order"
is "$(cd mixed && "$wakelat" compare a b | without_order)" "$(cd samples && "$wakelat" compare a b)" \
	"compare: counts against samples prints the same as samples against samples"
# The data of the figures that need neither the order of the samples nor silent times.
for kind in samples counts; do
	mkdir "data-$kind"
	"$top/tools/bin/answer" figures -o "data-$kind" -r $kind/a/run.tsv $kind/a/$kind.tsv -r $kind/b/run.tsv $kind/b/$kind.tsv
done
for file in data-samples/histogram-* data-samples/ccdf-* data-samples/band-* data-samples/boxes* data-samples/cpus-* data-samples/states.dat; do
	cmp -s "$file" "data-counts/${file##*/}" || printf '%s\n' "$file"
done >differ
is "$(cat differ)" "" "histogram, ccdf, percentiles, states, cpus: the figures' data are the same"
ok "the figures' data include several states" test -s data-counts/cpus-4.dat

refused "counts have no single samples" "stats --where of counts" "$wakelat" stats -w 'state == 3' counts/a
refused "counts do not have silent_time" "stats --metric silent_time of counts" "$wakelat" stats -m silent_time counts/a
refused "wakelat import -o DIRECTORY a.counts" "stats of a file of counts: says that import makes a directory of it" "$wakelat" stats a.counts
refused "use the file that it was imported from" "stats --counts of imported counts" "$wakelat" stats --counts x.counts counts/a
refused "exists already" "import does not overwrite" "$wakelat" import -o counts/a a.counts

# Counts do not keep how many independent samples the samples are worth. The doubt is kept.
cp -R samples/b samples/clusters
awk -F '\t' -v OFS='\t' 'NR > 1 && int(NR / 300) % 3 == 0 { $12 += 20000; $13 += 20000 } { print }' samples/b/samples.tsv >samples/clusters/samples.tsv
"$wakelat" stats -q --counts clusters.counts samples/clusters
"$wakelat" import -q -o counts/clusters clusters.counts
like "$("$wakelat" verdict -b 90us counts/clusters)" '^DOUBT: C1E_x, C6: the longest wake-ups come in clusters' "verdict: counts of dependent samples are in doubt"
like "$("$wakelat" compare counts/clusters counts/a)" '^DOUBT: counts/clusters, C6: samples come in clusters' "compare: counts of dependent samples are in doubt"

recording samples/c 500 13 '3'
even samples/c
"$wakelat" stats -q --counts c.counts samples/c
# Pooled counts give the same results as the samples of both recordings together.
"$wakelat" merge -q -o bc.counts b.counts c.counts
"$wakelat" import -q -o counts/pool bc.counts
mkdir samples/pool
{ cat samples/b/samples.tsv && sed 1d samples/c/samples.tsv; } >samples/pool/samples.tsv
sed 's/^\(run.1.cpu2.armed\)	.*/\1	3500/' samples/b/run.tsv >samples/pool/run.tsv
both "pooled: stats" stats --all pool
both "pooled: stats -q" stats -q pool
same_ci pool "pooled: stats-ci.tsv"
same samples/pool/stats-reached.tsv counts/pool/stats-reached.tsv "pooled: stats-reached.tsv is the same for samples and counts"
# A recording with missing samples is still reported as incomplete after the conversion to counts.
recording samples/less 300 16 '2' run.1.cpu2.samples 900
"$wakelat" stats -q --counts less.counts samples/less 2>/dev/null
is $? 3 "incomplete: stats --counts returns 3"
"$wakelat" import -q -o counts/less less.counts
for kind in samples counts; do
	(cd $kind && "$wakelat" stats less 2>"../err-$kind") >"said-$kind"
	is $? 3 "incomplete: stats of $kind returns 3"
done
same said-samples said-counts "incomplete: stats prints the same for counts"
is "$(sed 's/counts.tsv/samples.tsv/' err-counts)" "$(cat err-samples)" "incomplete: the warning names the file of counts"
like "$(cat said-counts)" 'INCOMPLETE' "incomplete: stats of counts prints INCOMPLETE"

done_testing
