#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A fleet in which one machine lies about its name or gives another machine's recording; symbolic links in a fleet's directory.
# needs: tools

. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/extras/fleet/tests/lib/fleet.sh"
build_tools
build_mkfleet "$tmp/mkfleet" || bail "mkfleet does not build"
cd "$tmp" || exit 1

# sealed: write the lines on stdin as a file of counts, with the right checksum.
sealed() {
	cat >block
	printf 'wakelat-counts\t1\n' && cat block && cksum <block | tr ' ' '\t' | sed 's/^/end\t/'
}
# lie FROM TO SED: write the counts of FROM, changed by SED, as those of TO.
lie() {
	sed '1d; $d' "honest/$1.counts" | sed "$3" | sealed >"lying/$2.counts"
}
fresh() {
	rm -rf lying
	cp -r honest lying
}
mkdir honest
./mkfleet -n 400 -w 1 -m 20 -p 0 honest >/dev/null
is "$(names honest | wc -w)" 20 "there are 20 machines"

# --- a machine uses another machine's name, with another date
fresh
lie node00007 node00007 's/^run	hostname	.*/run	hostname	node00003/; s/^run	date	.*/run	date	2031-01-01T00:00:00Z/; s/^recording	./recording	f/
	s/^\(values.*\)/\1/'
run "$wakelat" fleet report -q -o out lying
is "$status" 3 "another's name: status 3"
like "$err" 'lying/node00007.counts: recording [0-9a-f]*: it names the machine node00003, which has a file of its own: left out' \
	"another's name: a message names the file of the machine that lies"
is "$(awk -F '\t' '$1 == "node00003" { print $7 }' out/fleet-machines.tsv) $(awk -F '\t' '$1 == "node00007" { print $7 }' out/fleet-machines.tsv)" \
	"like nothing" "another's name: the named machine keeps its counts, the other has none"

# --- a machine uses another recording's identity, with other samples
fresh
id=$(sed -n 's/^recording	//p' honest/node00003.counts)
lie node00007 node00007 "s/^recording	.*/recording	$id/"
run "$wakelat" fleet report -q -o out lying
like "$err" "lying/node00007.counts: recording $id: another recording, in .*node00003.counts, has the same identity" \
	"another's recording: a message names the one file"
like "$err" "lying/node00003.counts: recording $id: another recording, in .*node00007.counts, has the same identity" \
	"another's recording: a message names the other file"
is "$(awk -F '\t' '$1 == "node00003" { print $7 }' out/fleet-machines.tsv)" nothing \
	"another's recording: neither machine's counts are used"
run "$wakelat" merge -o all.counts lying
is "$status $(grep -c '^recording' all.counts) $(grep -c "$id" all.counts)" "3 18 0" \
	"merge takes neither of two recordings with one identity"
is "$(printf '%s\n' "$err" | grep -c "recording $id has different content in")" 2 "merge names both recordings with one identity"

# In a fleet's directory, the file name says which node gave the counts.
# fleet_of: make a fleet's directory from lying/, and report it.
fleet_of() {
	rm -rf many
	cp -r lying many
	names lying | tr ' ' '\n' | sed 's/[.]counts$//' >many/nodes
	run "$wakelat" fleet report -q -o out many
}
# silent: print the machines that gave nothing, and why.
silent() {
	awk -F '\t' '$7 == "nothing" { print $1 ": " $10 }' out/fleet-machines.tsv | sed 's/recording [0-9a-f]*, //' | sort
}
fleet_of
is "$status $(grep -c . out/fleet-machines.tsv)" "3 21" "one identity, two contents: the table has all machines"
is "$(silent | cut -d : -f 1 | paste -sd ' ' -)" "node00003 node00007" \
	"one identity, two contents: neither node's counts are used"
like "$err" "many/node00007.counts: recording $id: another recording, in .*node00003.counts, has the same identity" \
	"one identity, two contents: both files are named"
# Two nodes give one recording. Its hostname decides which of the nodes it belongs to.
for name in node00003 node00007 node00019; do
	case $name in
	node00019) of='node00019 node00003' ;;
	node00003) of='node00003 node00007' ;;
	*) of='node00007 node00003' ;;
	esac
	fresh
	cp "honest/${of% *}.counts" "lying/${of#* }.counts"
	fleet_of
	is "$(silent)" "${of#* }: its counts are left out: the same recording was also fetched from ${of% *}" \
		"a copy of $name's counts: the copy is left out, and its node is named"
	is "$(awk -F '\t' -v name="${of% *}" '$1 == name { print $7 }' out/fleet-machines.tsv)" like \
		"a copy of $name's counts: those of $name are used"
done
fresh
sed '1d; $d' honest/node00003.counts | sed 's/^run	hostname	.*/run	hostname	elsewhere/' | sealed >lying/node00003.counts
cp lying/node00003.counts lying/node00007.counts
fleet_of
is "$(silent | paste -sd '|' -)" "node00003: the same recording was also fetched from node00007|node00007: its counts are left out: the same recording was also fetched from node00003" \
	"two nodes give one recording of a third machine: neither is used"
fresh
for name in node00003 node00007; do
	lie $name $name 's/^run	hostname	.*/run	hostname	elsewhere/'
done
fleet_of
is "$(silent | paste -sd '|' -)" "node00003: it names the machine elsewhere, as does the file of another machine|node00007: it names the machine elsewhere, as does the file of another machine" \
	"two nodes give the same other hostname: neither is used"
fresh
lie node00003 node00003 's/^run	hostname	.*/run	hostname	node00003.example.org/'
lie node00007 node00007 's/^run	hostname	.*/run	hostname	elsewhere/'
fleet_of
is "$status$(silent)" 0 "a hostname with a domain, or unlike the node's name, is accepted"
# A node's file has two recordings, whose hostname is unlike the node's name.
fresh
lie node00007 node00007 's/^run	hostname	.*/run	hostname	elsewhere/'
cp lying/node00007.counts one.counts
lie node00007 node00007 's/^run	hostname	.*/run	hostname	elsewhere/; s/^recording	./recording	f/'
"$wakelat" merge -q -o both.counts one.counts lying/node00007.counts
cp both.counts lying/node00007.counts
fleet_of
is "$status$(silent)" 0 "two recordings of one node with a hostname unlike its name are accepted"
fresh
lie node00007 node00007 's/^run	hostname	.*/run	hostname	node00003/; s/^recording	./recording	f/'
fleet_of
is "$(silent)" "node00007: it names the machine node00003, which has a file of its own" \
	"a fleet's directory: a node that gives another node's name is named"
# A file with an honest recording and one that names another node.
fresh
"$wakelat" merge -q -o both.counts honest/node00007.counts "$(lie node00007 x 's/^run	hostname	.*/run	hostname	node00003/; s/^recording	./recording	f/'; echo lying/x.counts)"
rm lying/x.counts
cp both.counts lying/node00007.counts
fleet_of
like "$err" 'many/node00007.counts: recording [0-9a-f]*: it names the machine node00003, which has a file of its own: left out' \
	"another's name in a file's second recording: the recording is left out"

# --- symbolic links
printf 'wakelat-counts\t1\n' >private
fresh
ln -s ../private lying/x.counts
refused 'lying/x.counts: not trusted: not a regular file' \
	"merge of a directory refuses a link" "$wakelat" merge -q -o out.counts lying
rm lying/x.counts
cp honest/node00001.counts other
rm lying/node00001.counts
ln -s ../other lying/node00001.counts
cp -P lying/node00001.counts lying/node00099.counts
fleet_of
is "$(silent | paste -sd '|' -)" "node00001: failed: its counts are not trusted: not a regular file|node00099: failed: its counts are not trusted: not a regular file" \
	"fleet report does not follow a link in place of counts"
fresh
fleet_of
rm many/node00001.counts
printf 'secret\n' >secret
ln -s ../secret many/node00001.reason
run "$wakelat" fleet report -q -o out many
is "$(silent)" "node00001: neither counts nor a reason file" "fleet report does not follow a link in place of a reason"
odd_name=$(printf 'a\nb')
mkdir "$odd_name"
cp honest/* "$odd_name"
refused 'a line break in its name' "fleet report refuses a directory with a line break in its name" "$wakelat" fleet report -q -o out "$odd_name"

# A list of machines that is not text
fresh
printf 'node00001\nnode\0\377\n' >lying/nodes
refused "lying/nodes: 'node.*' is not the name of a machine" "fleet report refuses a list of machines with NUL bytes" "$wakelat" fleet report -q -o out lying

# Files that are not counts do not use up the descriptors.
yes "$tmp/secret" | head -n 20 >list
printf '%s\n' "$tmp/honest/node00001.counts" >>list
mkdir tables
prlimit --nofile=12 "$top/tools/bin/fleet" list tables 2>said
is "$(grep -c 'no file of counts' said) $(cut -f 1 tables/fleet-machines.tsv | tail -n 1)" "20 node00001" \
	"a file of counts after twenty other files is read"

# The time must not grow with the square of the number of keys.
{
	sed -n '2,/^run	hostname/p' honest/node00001.counts
	awk 'BEGIN { for (i = 0; i < 400000; i++) printf "run\tkey%d\tv\n", i }'
	sed '1,/^run	hostname/d; $d' honest/node00001.counts
} | sealed >keys.counts
printf '%s\n' "$tmp/keys.counts" >list
ok "400,000 keys take less than 10 s of a CPU" timeout 120 prlimit --cpu=10 "$top/tools/bin/fleet" list "$tmp"
ok "import: 400,000 keys take less than 10 s of a CPU" timeout 120 prlimit --cpu=10 "$top/tools/bin/pool-counts" keys.counts facts.tsv found.tsv counts.tsv
sed 's/^run	\(key[0-9]*\)	v$/run	\1	w/' keys.counts | sed '1d; $d' | awk '
	/^run	key/ { key[n++] = $0; next }
	n && !written { for (i = n; i--;) print key[i]; written = 1 }
	/^recording	/ { $0 = substr($0, 1, length($0) - 1) "f" }
	{ print }' | sealed >reversed.counts
"$wakelat" merge -q -o two.counts keys.counts reversed.counts
ok "import: 400,000 keys of two recordings, in different orders, take less than 10 s of a CPU" timeout 120 prlimit --cpu=10 "$top/tools/bin/pool-counts" two.counts facts.tsv found.tsv counts.tsv
is "$(grep -c '^key[0-9]' facts.tsv) $(grep '^recordings' facts.tsv | cut -f 2)" "0 2" \
	"import: facts in which the recordings differ are left out"
done_testing
