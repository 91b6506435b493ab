#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Counts: what the commands say of them is what they say of the samples, to the byte; merging; and files that must not be
# believed.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

# many N SEED STATES: rows of a samples.tsv with counters, two CPUs, taints, samples that reached their state and not
many() {
	awk -v n="$1" -v seed="$2" -v states="$3" '
		function rnd() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
		BEGIN {
			OFS = "\t"
			split(states, list, " ")
			count = split(states, list, " ")
			print "run", "cpu", "source", "state", "seq", "ldist", "ltime", "tbi", "tai", "tintr", "silent_time", "wake_latency",
				"intr_latency", "irqs_on", "taint", "tbi_cyc", "tai_cyc", "tintr_cyc", "uncertainty", "cc6_cyc", "aperf_cyc", "mperf_cyc"
			for (i = 1; i <= n; i++) {
				s = list[i % count + 1]
				wake = int(1000 + s * 40000 + 300 * rnd() + (rnd() < 0.02 ? 9000 * rnd() : 0)) - (rnd() < 0.001 ? 1200 : 0)
				taint = rnd() < 0.03 ? "smi" : rnd() < 0.01 ? "smi,nmi,0x800000" : "-"
				print 1, 2 + i % 2, "hrtimer", s, i, 100000, 1000 * i, 5, (s == 1 ? "-" : 6), 7, 90000 + i, (s == 1 ? "-" : wake),
					wake + 150, (s == 1 ? 1 : 0), taint, 1, (s == 1 ? "-" : 2), 3, 20 + int(5 * rnd()),
					(s == 3 ? int(2 * rnd()) * 1000 : 0), 1000 + int(90 * rnd()), (rnd() < 0.1 ? "-" : 2000 + int(90 * rnd()))
			}
		}'
}

# recording DIR N SEED STATES [KEY VALUE]...
recording() {
	mkdir -p "$1"
	many "$2" "$3" "$4" >"$1/samples.tsv"
	recording_dir=$1
	recording_n=$2
	shift 4
	run_tsv "$recording_dir/run.tsv" cpu_stepping 06-55-04 microcode 0x1 state.0.desc 'CPUIDLE CORE POLL IDLE' state.1.desc 'MWAIT 0x00' \
		state.2.desc 'MWAIT 0x01' state.3.desc 'MWAIT 0x20' tsc_khz 2000000 run.1.cpu2.armed "$recording_n" "$@"
	sed -i 's/^cpus	0$/cpus	2-3/' "$recording_dir/run.tsv"
}

recording samples/a 4000 11 '1 2 3'
recording samples/b 3000 12 '2 3 3'
printf 'check\tsubject\tseverity\tvalue\tfinding\tchange\tback\tprepare\nsibling\tcpu2\tdoubt\tcpu3\tbusy "x"\t-\t-\t-\n' >samples/a/doctor.tsv
mkdir counts
for name in a b; do
	run "$wakelat" stats --counts "$name.counts" "samples/$name"
	is "$status$err" "0wakelat stats: $name.counts has counts of $(($(wc -l <"samples/$name/samples.tsv") - 1)) samples" "$name: counts"
	run "$wakelat" import -o "counts/$name" "$name.counts"
	is "$status" 0 "$name: a directory of them"
	same "samples/$name/run.tsv" "counts/$name/run.tsv" "$name: run.tsv is as it was"
done
same samples/a/doctor.tsv counts/a/doctor.tsv "doctor.tsv too"
not_ok "where there was none, there is none" test -e counts/b/doctor.tsv
is "$(sed '1d; $d' a.counts | cksum)" "$(tail -n 1 a.counts | cut -f 2,3 | tr '\t' ' ')" "cksum says what the last line says"
is "$(sed -n 's/^recording	//p' a.counts)" "$(grep -E '^(run|samples|sum|values)	|^-?[0-9]' a.counts | sha256sum | cut -c 1-32)" "the identity is what the page says"
is "$(awk -F '\t' '/^samples/ { a += $7 } /^values/ && $7 == "intr_latency" { b += $8 } /^values/ { on = ($7 == "intr_latency") }
	/^-?[0-9]/ && on { c += $2 } END { print a, b, c }' a.counts)" "4000 4000 4000" "no sample is lost"

# both WHAT COMMAND...: in each of samples/ and counts/, its output and status, the same
both() {
	both_what=$1
	shift
	for kind in samples counts; do
		(cd $kind && "$wakelat" "$@" 2>&1; echo "status $?") >"$tmp/said-$kind"
	done
	same said-samples said-counts "$both_what"
}

both "stats --all" stats --all a
for table in stats stats-ci stats-reached stats-cpu stats-frequency stats-uncertainty; do
	same "samples/a/$table.tsv" "counts/a/$table.tsv" "$table.tsv"
done
like "$(cat said-counts)" 'Tainted, counted and left out: [0-9]+ of 4000 samples \(.*other\)' "(taints are in it)"
both "stats --unsupported, other percentiles and metrics" stats -a --unsupported -p 25,99.99,99.9999 -m intr_latency,uncertainty a
both "stats --json" stats --json a
both "stats --hgrm" stats -q --hgrm hgrm -o out a
for file in samples/hgrm/*; do
	same "$file" "counts/hgrm/${file##*/}" "${file##*/}"
done
both "verdict" verdict --budget 90us a
both "verdict, max" verdict -b 90us -p max --json a
same samples/a/verdict.tsv counts/a/verdict.tsv "verdict.tsv"
both "verdict --paste" verdict -b 90us --paste qos a
both "compare" compare a b
same samples/a/compare.tsv counts/a/compare.tsv "compare.tsv"
(cd samples && mkdir ../mixed && cp -R a ../mixed/a) && cp -R counts/b mixed/b
is "$(cd mixed && "$wakelat" compare a b)" "$(cd samples && "$wakelat" compare a b)" "counts are compared with samples"
# The figures' data of all that needs no order and no silent time.
for kind in samples counts; do
	mkdir "data-$kind"
	"$top/tools/bin/figdata" -a 2000 -a 133000 -o "data-$kind" $kind/a/$kind.tsv $kind/b/$kind.tsv
done
for file in data-samples/histogram-* data-samples/ccdf-* data-samples/band-* data-samples/boxes* data-samples/cpus-* data-samples/states.dat; do
	cmp -s "$file" "data-counts/${file##*/}" || printf '%s\n' "$file"
done >differ
is "$(cat differ)" "" "histogram, ccdf, percentiles, states, cpus: drawn from the same data"
ok "of several states" test -s data-counts/cpus-4.dat

refused "counts have no order, and whether .* give it the samples" "tail" "$wakelat" tail counts/a
refused "counts: they have no single samples" "stats --where" "$wakelat" stats -w 'state == 3' counts/a
refused "counts do not have silent_time" "stats --metric" "$wakelat" stats -m silent_time counts/a
refused "wakelat import -o DIRECTORY a.counts" "a file is not a directory, and what makes one of it" "$wakelat" stats a.counts
refused "counts: they have neither the order" "governor" "$wakelat" governor menu=counts/a
refused "the file that they were imported from" "stats --counts" "$wakelat" stats --counts x.counts counts/a
refused "exists already" "import does not overwrite" "$wakelat" import -o counts/a a.counts

# Merging
recording samples/c 500 13 '3'
recording "samples/of 'c' <b>" 500 14 '2 3' hostname "box's \"name\" <x>"
sed -i '/^hostname	box$/d' "samples/of 'c' <b>/run.tsv"
"$wakelat" stats -q --counts c.counts samples/c
"$wakelat" stats -q --counts "of 'c' \$x.counts" "samples/of 'c' <b>"
run "$wakelat" merge -o all.counts c.counts a.counts b.counts "of 'c' \$x.counts"
is "$status$err" "0wakelat merge: all.counts has 4 recordings" "merged, whatever they are called"
"$wakelat" merge -q -o ab.counts a.counts b.counts
run "$wakelat" merge -o ./-o ab.counts ./*"'c'"* ab.counts c.counts a.counts
is "$status$err" "0wakelat merge: -o has 4 recordings; 3 were there more than once" "the same again counts once"
same all.counts ./-o "in another order and steps: the same bytes"
mkdir "a dir" && cp ./*.counts "a dir"
"$wakelat" merge -q -o all2.counts "a dir"
same all.counts all2.counts "a directory is its files"
"$wakelat" merge -q -o ab.counts ab.counts c.counts "of 'c' \$x.counts"
same all.counts ab.counts "into one of the inputs"
is "$("$wakelat" merge -q -o /dev/stdout a.counts b.counts c.counts ./of*)" "$(cat all.counts)" "to stdout"
"$wakelat" merge -q --only "hostname=box's \"name\" <x>" -o one.counts all.counts
same "of 'c' \$x.counts" one.counts "--only"
refused "no recording of 1 file is left" "--only of none" "$wakelat" merge --only hostname=box2 -o none.counts all.counts
not_ok "and nothing is written" test -e none.counts

# Pooling is what the samples of both would be.
"$wakelat" merge -q -o bc.counts b.counts c.counts
"$wakelat" import -q -o counts/pool bc.counts
mkdir samples/pool
{ cat samples/b/samples.tsv && sed 1d samples/c/samples.tsv; } >samples/pool/samples.tsv
sed 's/^\(run.1.cpu2.armed\)	.*/\1	3500/' samples/b/run.tsv >samples/pool/run.tsv
both "pooled: stats" stats --all pool
both "pooled: stats --json but for its run" stats -q pool
same samples/pool/stats-ci.tsv counts/pool/stats-ci.tsv "pooled: stats-ci.tsv"
same samples/pool/stats-reached.tsv counts/pool/stats-reached.tsv "pooled: stats-reached.tsv"
is "$(awk -F '\t' '$1 == "recordings" { print $2 }' counts/pool/run.tsv)" 2 "run.tsv says of how many"
cat b.counts >cat.counts && sed 1d c.counts >>cat.counts && sed 1d b.counts >>cat.counts
"$wakelat" import -q -o counts/cat cat.counts
same counts/pool/counts.tsv counts/cat/counts.tsv "files put together by cat: the same, once each"
"$wakelat" merge -q -o cat2.counts cat.counts
same bc.counts cat2.counts "merge puts them right"
recording samples/other 300 15 '3' microcode 0x2
sed -i '0,/^microcode	0x1$/{/^microcode	0x1$/d}' samples/other/run.tsv
"$wakelat" stats -q --counts other.counts samples/other
"$wakelat" merge -q -o kinds.counts b.counts other.counts
refused "must not be pooled: .* has another microcode \('0x.' elsewhere\): wakelat merge --only microcode=" "other microcode" "$wakelat" import -o counts/kinds kinds.counts
not_ok "nothing is made" test -e counts/kinds
"$wakelat" merge -q --only microcode=0x2 -o kind.counts kinds.counts
same other.counts kind.counts "and --only takes them apart"

# What must not be believed: named, left out, counted.
# left FILE ERE NAME: beside good ones
left() {
	run "$wakelat" merge -o out.counts c.counts "$1" b.counts
	is "$status $(printf '%s\n' "$err" | grep -c 'left out: ')" "3 1" "$3: status, and a line about it"
	like "$err" "$2" "$3: which"
	like "$err" 'has 2 recordings; LEFT OUT: 1$' "$3: counted"
	same out.counts bc.counts "$3: the others are there"
}
sed 's/^41[0-9]*	1$/41	1/' a.counts >bad.counts
left bad.counts "bad.counts: left out: recording $(sed -n 's/^recording	//p' a.counts) is not as it was written" "a changed digit"
head -c 20000 a.counts >cut.counts
left cut.counts 'cut.counts: left out: a recording without its end: cut off' "cut off"
sed 's/^wakelat-counts	1/wakelat-counts	2/' a.counts >new.counts
left new.counts "new.counts: left out: counts of version '2', and this wakelat knows 1" "of a newer version"
left nowhere.counts 'nowhere.counts: left out: No such file' "a node that never answered"
: >empty.counts
left empty.counts 'empty.counts: left out: empty' "empty"
left samples/a/run.tsv 'left out: no file of counts' "another file"
mkfifo pipe.counts
left pipe.counts 'pipe.counts: left out: not a regular file' "a pipe"
# sealed FILE: the text of a block on stdin, with the sum that it should have
sealed() {
	cat >block && { printf 'wakelat-counts\t1\n' && cat block && printf 'end\t%s\n' "$(cksum <block | tr ' ' '\t')"; } >"$1"
}
sed '1d; $d; /^run	cpu_model/d' a.counts | sealed anon.counts
left anon.counts 'recording [0-9a-f]*: its cpu_model is not known' "without provenance"
sed '1d; $d; /^run	state.3.name/d' a.counts | sealed anon.counts
left anon.counts 'its state 3 has no name' "a state without a name"
sed '1d; $d; s/^\(values.*\)	[0-9]*$/\1	7/' a.counts | sealed lie.counts
left lie.counts 'line [0-9]* of its recording: not as many samples as it says' "a sum that is not one"
sed '1d; $d; s/^\([0-9]*\)	1$/\1	-1/' a.counts | sealed lie.counts
left lie.counts 'not a value and how often it occurred' "a count below 1"
sed '1d; $d; s/^samples.*/&\n&/' a.counts | sealed lie.counts
left lie.counts 'twice there, or not in order' "samples twice"
{ head -n 500 a.counts; sed 1d other.counts; } >middle.counts
run "$wakelat" merge -o out.counts middle.counts
is "$status$(grep -c '^recording' out.counts)" 31 "what is behind a recording that was cut off is found"
# The same identity, and not the same: the same one stays, whichever comes first.
sed '1d; $d; s/^doctor	sibling	cpu2/doctor	sibling	cpu4/' a.counts | sealed twin.counts
run "$wakelat" merge -o out.counts a.counts twin.counts b.counts
is "$status" 3 "two that claim one identity: status"
like "$err" 'left out: recording [0-9a-f]* is another one in' "named"
"$wakelat" merge -q -o out2.counts twin.counts b.counts a.counts 2>/dev/null
same out.counts out2.counts "and the order does not matter"
refused "nothing to merge" "of nothing good nothing is made" sh -c "'$wakelat' merge -o none.counts bad.counts 2>&1 >/dev/null | grep -v 'left out' >&2; exit 1"
not_ok "nor a file" test -e none.counts

# A full disk: what was there stays.
cp a.counts full.counts
(ulimit -f 8 && "$wakelat" merge -q -o full.counts a.counts b.counts) 2>said
ok "a limit on the size of files: refused" test $? -ne 0
same a.counts full.counts "what was there is as it was"
is "$(names . | grep -c partial)" 0 "nothing half-written is left"
ln -s a.counts link.counts
refused "symbolic link" "a link is not written through" "$wakelat" merge -o link.counts b.counts
refused "which file is to be written" "no -o" "$wakelat" merge a.counts
refused "a directory without" "an empty directory" "$wakelat" merge -o x.counts data-samples
refused "is not KEY=VALUE" "--only without a value" "$wakelat" merge --only x -o x.counts a.counts

# Samples that are missing from a recording stay known to be missing.
recording samples/less 300 16 '2' run.1.cpu2.samples 900
"$wakelat" stats -q --counts less.counts samples/less 2>/dev/null
is $? 3 "incomplete: status"
"$wakelat" import -q -o counts/less less.counts
both "incomplete: stats" stats less >/dev/null
like "$(cat said-counts)" 'INCOMPLETE' "incomplete: is said"

done_testing
