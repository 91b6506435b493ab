#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat merge: takes each recording once, in any order; refuses to mix different kinds; leaves out damaged files.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/counts.sh"
build_tools
cd "$tmp" || exit 1

mkdir counts
recording samples/a 700 11 '1 2 3'
recording samples/b 300 12 '2 3 3'
printf 'check\tsubject\tseverity\tvalue\tfinding\tchange\tback\tprepare\nsibling\tcpu2\tdoubt\tcpu3\tbusy "x"\t-\t-\t-\n' >samples/a/doctor.tsv
"$wakelat" stats -q --counts a.counts samples/a
"$wakelat" stats -q --counts b.counts samples/b

mkdir bin
ln -s /usr/bin/* bin/
rm bin/cksum
refused 'cksum is missing' \
	"stats --counts without cksum is refused" env PATH="$tmp/bin" "$wakelat" stats -q --counts no.counts samples/a
is "$(ls no.counts* 2>/dev/null)" "" "a refused stats --counts leaves no file"

recording samples/c 200 13 '3'
recording "samples/of 'c' <b>" 200 14 '2 3' hostname "box's \"name\" <x>"
sed -i '/^hostname	box$/d' "samples/of 'c' <b>/run.tsv"
"$wakelat" stats -q --counts c.counts samples/c
"$wakelat" stats -q --counts "of 'c' \$x.counts" "samples/of 'c' <b>"
run "$wakelat" merge -o all.counts c.counts a.counts b.counts "of 'c' \$x.counts"
is "$status$err" "0wakelat merge: all.counts has 4 recordings" "merge accepts any file name"
"$wakelat" merge -q -o ab.counts a.counts b.counts
run "$wakelat" merge -o ./-o ab.counts ./*"'c'"* ab.counts c.counts a.counts
is "$status$err" "0wakelat merge: -o has 4 recordings; 3 occurred more than once" "a repeated recording counts once"
same all.counts ./-o "another order of merging gives the same bytes"
mkdir "a dir" && cp ./*.counts "a dir"
"$wakelat" merge -q -o all2.counts "a dir"
same all.counts all2.counts "a directory stands for its files"
"$wakelat" merge -q -o ab.counts ab.counts c.counts "of 'c' \$x.counts"
same all.counts ab.counts "the output may be one of the inputs"
is "$("$wakelat" merge -q -o /dev/stdout a.counts b.counts c.counts ./of*)" "$(cat all.counts)" "merge writes to stdout"
"$wakelat" merge -q --only "hostname=box's \"name\" <x>" -o one.counts all.counts
same "of 'c' \$x.counts" one.counts "--only selects recordings by a fact"
refused "no recording of 1 file is left" \
	"--only that matches no recording is refused" "$wakelat" merge --only hostname=box2 -o none.counts all.counts
not_ok "--only that matches no recording writes no file" test -e none.counts

"$wakelat" merge -q -o bc.counts b.counts c.counts
"$wakelat" import -q -o counts/pool bc.counts
is "$(awk -F '\t' '$1 == "recordings" { print $2 }' counts/pool/run.tsv)" 2 "run.tsv has the number of merged recordings"
cat b.counts >cat.counts && sed 1d c.counts >>cat.counts && sed 1d b.counts >>cat.counts
"$wakelat" import -q -o counts/cat cat.counts
same counts/pool/counts.tsv counts/cat/counts.tsv "files concatenated by cat: each recording counts once"
"$wakelat" merge -q -o cat2.counts cat.counts
same bc.counts cat2.counts "merge orders the recordings of concatenated files"
recording samples/other 300 15 '3' microcode 0x2
sed -i '0,/^microcode	0x1$/{/^microcode	0x1$/d}' samples/other/run.tsv
"$wakelat" stats -q --counts other.counts samples/other
"$wakelat" merge -q -o kinds.counts b.counts other.counts
refused "cannot pool different recordings: .* has another microcode \('0x.' elsewhere\): select recordings with one value by wakelat merge --only microcode=" \
	"recordings with different microcode are not pooled" "$wakelat" import -o counts/kinds kinds.counts
not_ok "refused pooling makes no directory" test -e counts/kinds
"$wakelat" merge -q --only microcode=0x2 -o kind.counts kinds.counts
same other.counts kind.counts "--only separates recordings with different microcode"

# A source's settings are part of its identity. Recordings from before source_settings only have nic_method.
# told NAME [KEY VALUE]...: make the recording NAME with these facts about its source.
told() {
	told_name=$1
	shift
	rm -rf "samples/$told_name"
	recording "samples/$told_name" 300 $((16 + $(printf '%s' "$told_name" | wc -c))) '3' "$@"
	"$wakelat" stats -q --counts "$told_name.counts" "samples/$told_name"
}
told x source_settings speed=1
told xx source_settings speed=2
told xxx nic_method target
told xxxx nic_method target source_settings method=target
told xxxxx nic_method launch source_settings method=launch
told xxxxxx nic_method target source_settings method=target,colour=red
# pooled NAME...: merge and import these recordings.
pooled() {
	rm -rf counts/told
	"$wakelat" merge -q -o told.counts "$@" && "$wakelat" import -q -o counts/told told.counts
}
refused "cannot pool different recordings: .* has another source_settings \('speed=.' elsewhere\)" \
	"different source_settings are not pooled" pooled x.counts xx.counts
refused "cannot pool different recordings: .* has another source_settings" \
	"recordings with and without source_settings are not pooled" pooled x.counts b.counts
ok "an old and a new recording with the same method are pooled" pooled xxx.counts xxxx.counts
ok "the same two recordings are pooled in the other order" pooled xxxx.counts xxx.counts
refused "cannot pool different recordings: .* has another (nic_method|source_settings)" \
	"an old and a new recording with different methods are not pooled" pooled xxx.counts xxxxx.counts
refused "cannot pool different recordings: .* has another source_settings" \
	"an old recording and a new one with a further setting are not pooled" pooled xxx.counts xxxxxx.counts
rm -f x*.counts told.counts

# Damaged recordings are named, left out and counted.
# left FILE ERE NAME: merge FILE with two good files, and check that it is left out.
left() {
	run "$wakelat" merge -o out.counts c.counts "$1" b.counts
	is "$status $(printf '%s\n' "$err" | grep -c 'left out: ')" "3 1" "$3: status 3, and one line about it"
	like "$err" "$2" "$3: the line names file and reason"
	like "$err" 'has 2 recordings; LEFT OUT: 1$' "$3: the summary counts it"
	same out.counts bc.counts "$3: the other recordings are merged"
}
sed 's/^41[0-9]*	1$/41	1/' a.counts >bad.counts
left bad.counts "bad.counts: left out: recording $(sed -n 's/^recording	//p' a.counts) at byte [0-9]* is damaged" "a changed digit"
head -c 9000 a.counts >cut.counts
left cut.counts 'cut.counts: left out: a recording without its end: cut off' "a truncated file"
sed 's/^wakelat-counts	1/wakelat-counts	2/' a.counts >new.counts
left new.counts "new.counts: left out: counts of version '2', but this wakelat can read only version 1" "a file of a newer version"
left nowhere.counts 'nowhere.counts: left out: No such file' "a missing file"
: >empty.counts
left empty.counts 'empty.counts: left out: empty' "an empty file"
left samples/a/run.tsv 'left out: no file of counts' "a file of another kind"
mkfifo pipe.counts
left pipe.counts 'pipe.counts: left out: not a regular file' "a pipe"
sed '1d; $d; /^run	cpu_model/d' a.counts | sealed anon.counts
left anon.counts 'recording [0-9a-f]*: its cpu_model is not known' "a recording without cpu_model"
sed '1d; $d; /^run	state.3.name/d' a.counts | sealed anon.counts
left anon.counts 'its state 3 has no name' "a state without a name"
sed '1d; $d; s/^\(values.*\)	[0-9]*$/\1	7/' a.counts | sealed lie.counts
left lie.counts 'line [0-9]* of its recording: the counts do not add up to the number of samples' "a wrong sum of samples"
sed '1d; $d; s/^\([0-9]*\)	1$/\1	-1/' a.counts | sealed lie.counts
left lie.counts 'not a value and its count' "a count below 1"
sed '1d; $d; /	unknown:/d; s/^\(samples.*\)	[0-9]*$/\1	7/' a.counts | sealed lie.counts
left lie.counts 'line [0-9]* of its recording: more values than there are samples' "more values than samples"
sed '1d; $d; /	unknown:/d' a.counts | awk '!/^samples/ || n++' | sealed lie.counts
left lie.counts 'line [0-9]* of its recording: more values than there are samples' "values of a state without samples"
sed '1d; $d; s/^samples.*/&\n&/' a.counts | sealed lie.counts
left lie.counts 'a duplicate, or not in order' "a repeated row of samples"
{ head -n 200 a.counts; sed 1d other.counts; } >middle.counts
run "$wakelat" merge -o out.counts middle.counts
is "$status$(grep -c '^recording' out.counts)" 31 "recordings after a truncated one are found"
# Two different recordings with one identity: whatever the order, the same one is kept.
sed '1d; $d; s/^doctor	sibling	cpu2/doctor	sibling	cpu4/' a.counts | sealed twin.counts
run "$wakelat" merge -o out.counts a.counts twin.counts b.counts
is "$status" 3 "two recordings with one identity: status 3"
like "$err" 'left out: recording [0-9a-f]* has different content in' "two recordings with one identity: the left-out one is named"
"$wakelat" merge -q -o out2.counts twin.counts b.counts a.counts 2>/dev/null
same out.counts out2.counts "two recordings with one identity: the order does not matter"
refused "nothing to merge" \
	"merge of damaged files only makes no file" sh -c "'$wakelat' merge -o none.counts bad.counts 2>&1 >/dev/null | grep -v 'left out' >&2; exit 1"
not_ok "merge of damaged files only writes no counts" test -e none.counts

# A full disk leaves the old file unchanged.
cp a.counts full.counts
(ulimit -f 8 && "$wakelat" merge -q -o full.counts a.counts b.counts) 2>said
ok "merge fails at a limit on the file size" test $? -ne 0
same a.counts full.counts "a failed merge leaves the old file unchanged"
is "$(names . | grep -c partial)" 0 "a failed merge leaves no partial file"
ln -s a.counts link.counts
refused "symbolic link" "a symbolic link as output is refused" "$wakelat" merge -o link.counts b.counts
refused "-o is missing: name the file to write" "a missing -o is refused" "$wakelat" merge a.counts
mkdir bare
refused "a directory without" "an empty directory is refused" "$wakelat" merge -o x.counts bare
refused "is not KEY=VALUE" "--only without a value is refused" "$wakelat" merge --only x -o x.counts a.counts

done_testing
