#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat merge: each recording once, in any order; what must not be mixed; and files that must not be believed.
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
refused 'cksum is missing' "counts without cksum" env PATH="$tmp/bin" "$wakelat" stats -q --counts no.counts samples/a
is "$(ls no.counts* 2>/dev/null)" "" "and there are none"

recording samples/c 200 13 '3'
recording "samples/of 'c' <b>" 200 14 '2 3' hostname "box's \"name\" <x>"
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

"$wakelat" merge -q -o bc.counts b.counts c.counts
"$wakelat" import -q -o counts/pool bc.counts
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

# What a source was told is a part of it; before there was such a fact, its method was.
# told NAME [KEY VALUE]...: b again, under another name, of a source that was told this
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
# pooled NAME...
pooled() {
	rm -rf counts/told
	"$wakelat" merge -q -o told.counts "$@" && "$wakelat" import -q -o counts/told told.counts
}
refused "must not be pooled: .* has another source_settings \('speed=.' elsewhere\)" "other settings" pooled x.counts xx.counts
refused "must not be pooled: .* has another source_settings" "settings and none" pooled x.counts b.counts
ok "an old one and a new one with the same method" pooled xxx.counts xxxx.counts
ok "in either order" pooled xxxx.counts xxx.counts
refused "must not be pooled: .* has another (nic_method|source_settings)" "of different methods" pooled xxx.counts xxxxx.counts
refused "must not be pooled: .* has another source_settings" "with another setting besides" pooled xxx.counts xxxxxx.counts
rm -f x*.counts told.counts

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
head -c 9000 a.counts >cut.counts
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
sed '1d; $d; s/^\(samples.*\)	[0-9]*$/\1	7/' a.counts | sealed lie.counts
left lie.counts 'line [0-9]* of its recording: more values than there are samples' "more values than samples"
sed '1d; $d' a.counts | awk '!/^samples/ || n++' | sealed lie.counts
left lie.counts 'line [0-9]* of its recording: more values than there are samples' "values of a state without samples"
sed '1d; $d; s/^samples.*/&\n&/' a.counts | sealed lie.counts
left lie.counts 'twice there, or not in order' "samples twice"
{ head -n 200 a.counts; sed 1d other.counts; } >middle.counts
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
refused "-o is missing: name the file to write" "no -o" "$wakelat" merge a.counts
mkdir bare
refused "a directory without" "an empty directory" "$wakelat" merge -o x.counts bare
refused "is not KEY=VALUE" "--only without a value" "$wakelat" merge --only x -o x.counts a.counts

done_testing
