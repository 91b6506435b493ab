#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A machine of a fleet that lies: about its name, about whose recording it has; links among the files of a fleet.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/fleet.sh"
build_tools
build_mkfleet "$tmp/mkfleet" || bail "mkfleet does not build"
cd "$tmp" || exit 1

# sealed: lines of a recording, on stdin, as a file of counts
sealed() {
	cat >block
	printf 'wakelat-counts\t1\n' && cat block && cksum <block | tr ' ' '\t' | sed 's/^/end\t/'
}
# lie FROM TO SED: the counts of FROM, changed, are given by TO
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

# Another's name, on another day.
fresh
lie node00007 node00007 's/^run	hostname	.*/run	hostname	node00003/; s/^run	date	.*/run	date	2031-01-01T00:00:00Z/; s/^recording	./recording	f/
	s/^\(values.*\)/\1/'
run "$wakelat" fleet report -q -o out lying
is "$status" 3 "another's name: status"
like "$err" 'lying/node00007.counts: recording [0-9a-f]*: it says that it is of node00003, which has a file of its own: left out' \
	"another's name: the liar is named, by its file"
is "$(awk -F '\t' '$1 == "node00003" { print $8 }' out/fleet-machines.tsv) $(awk -F '\t' '$1 == "node00007" { print $8 }' out/fleet-machines.tsv)" \
	"like nothing" "another's name: the other is judged by its own, the liar has given nothing"

# Another's recording, with other samples behind it.
fresh
id=$(sed -n 's/^recording	//p' honest/node00003.counts)
lie node00007 node00007 "s/^recording	.*/recording	$id/"
run "$wakelat" fleet report -q -o out lying
like "$err" "lying/node00007.counts: recording $id: another recording, in .*node00003.counts, has the same identity" "another's recording: one is named"
like "$err" "lying/node00003.counts: recording $id: another recording, in .*node00007.counts, has the same identity" "and so is the other"
is "$(awk -F '\t' '$1 == "node00003" { print $8 }' out/fleet-machines.tsv)" nothing "neither counts"
run "$wakelat" merge -o all.counts lying
is "$status $(grep -c '^recording' all.counts) $(grep -c "$id" all.counts)" "3 18 0" "merge: neither is taken"
is "$(printf '%s\n' "$err" | grep -c "recording $id is another one in")" 2 "merge: both are named"

# Fetched into the directory of a fleet: bound to the node.
fleet_of() {
	rm -rf many
	mkdir -p many/nodes many/merge
	printf 'key\tvalue\nby\tansible\n' >many/fleet.tsv
	printf 'node\tjob\n' >many/nodes.tsv
	for file in lying/*; do
		node=${file#lying/}
		node=${node%.counts}
		mkdir "many/nodes/$node"
		printf '%s\t-\n' "$node" >>many/nodes.tsv
		printf 'key\tvalue\nstate\tgave\nreason\t-\n' >"many/nodes/$node/state.tsv"
		cp "$file" "many/nodes/$node/counts"
	done
}
fleet_of
run "$wakelat" fleet collect -q many
is "$(grep -v '	gave	' many/status.tsv | sed 1d)" "node00003	failed	its recording is claimed by node00003 and node00007
node00007	failed	its recording is claimed by node00003 and node00007" "collect: two that claim one recording: both are named"
is "$(grep -c "$id" many/fleet.counts) $(grep -c '^recording' many/fleet.counts)" "0 18" "collect: neither counts"
fresh
lie node00007 node00007 's/^run	hostname	.*/run	hostname	node00003/; s/^recording	./recording	f/'
fleet_of
run "$wakelat" fleet collect -q many
is "$(grep -v '	gave	' many/status.tsv | sed 1d)" "node00007	failed	its counts say that they are of node00003" "collect: another's name: the liar is named"
is "$(grep -c '^recording' many/fleet.counts)" 19 "collect: its counts are left out"

# Links.
printf 'wakelat-counts\t1\n' >private
fresh
ln -s ../private lying/x.counts
refused 'lying/x.counts: not trusted: not a regular file' "merge of a directory: a link" "$wakelat" merge -q -o out.counts lying
rm lying/x.counts
fleet_of
./mkfleet -1 -n 400 -w 1 -m 1 -p 0 -s 9 -h other many/tree.counts >/dev/null
ln -s ../tree.counts many/merge/9-0.merged
printf 'node00001\n' >many/merge/9-0.nodes
"$wakelat" fleet collect -q many
is "$(grep -c '^recording' many/fleet.counts) $(grep -c 'hostname	other' many/fleet.counts)" "20 0" "collect: a link in the place of what the tree has merged is not followed"
odd_name=$(printf 'a\nb')
mkdir "$odd_name"
cp honest/* "$odd_name"
refused 'a line break in its name' "fleet report: a directory with a line break in its name" "$wakelat" fleet report -q -o out "$odd_name"

# The time goes with the number of keys, not with its square.
{
	sed -n '2,/^run	hostname/p' honest/node00001.counts
	awk 'BEGIN { for (i = 0; i < 400000; i++) printf "run\tkey%d\tv\n", i }'
	sed '1,/^run	hostname/d; $d' honest/node00001.counts
} | sealed >keys.counts
printf '%s\n' "$tmp/keys.counts" >list
ok "400,000 keys take less than 10 s" timeout 10 "$top/tools/bin/fleet" list "$tmp"
done_testing
