#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat fleet report on few machines: ranks them, and names what differs in them, and leaves out
# bad counts. extras/fleet/tests/long/fleet.t has hundreds of machines.
# needs: tools

. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/extras/fleet/tests/lib/fleet.sh"
build_tools
build_mkfleet "$tmp/mkfleet" || bail "extras/fleet/tests/fixtures/mkfleet.c does not build"
cd "$tmp" || exit 1
# fleet ARGUMENT...
fleet() {
	"$wakelat" fleet report "$@"
}
# machines FILE OPTION...: make a file of counts of machines that differ little
machines() {
	machines_file=$1
	shift
	./mkfleet -1 -n 400 -w 1 "$@" "$machines_file"
}

machines all.counts -m 40 -p 4 >planted
run fleet all.counts
is "$status" 4 "machines that are different: status 4"
like "$out" '^2 of 44 machines are different\.$' "the second line is the answer"
printf '%s\n' "$out" | sed -n 's/^ *[0-9]*  \(node[0-9]*\).*$/\1/p' | sort >said
grep -v maximum planted | cut -f 1 | sort >wanted
same said wanted "the slower machine, the one with a second mode and the one without C6 are the first three"
like "$out" '^      C6 p50 [0-9.]+ us \([0-9.]+ \.\. [0-9.]+\): \+(1[5-9]|2[0-5])\.. %, [0-9.]+ MADs$' "a machine that is 20 % slower: value, interval and difference"
like "$out" "^      C6 p99 .*: \+[0-9.]+ %, [0-9.]+ MADs" "a machine with a second mode"
like "$out" "^      C6 missing: not in its table of states" "a machine without C6"
like "$out" "differs: microcode 0x2b000571, the others 0x2b000590" "the report names another microcode"
like "$out" " cmdline intel_idle.max_cstate 2, the others without" "the report names another word of the command line"
unlike "$out" "differs: .*(UUID|temperature|TSC|hostname)" "the report does not name what differs between all machines"
printf '%s\n' "$out" >first

mkdir files && ./mkfleet -n 400 -w 1 -m 40 -p 4 files >/dev/null
run fleet files all.counts
printf '%s\n' "$out" >second
same second first "one file per machine, and each recording twice: the same report"
like "$err" "44 recordings occurred more than once, and were counted once" "recordings that occur twice are counted once, and a message says so"

run fleet --json all.counts
is "$status" 4 "--json: the same status"
printf '%s\n' "$out" >document
ok "--json: a document with an answer and the ranked machines" python3 -c '
import json
d = json.load(open("document"))
assert d["command"] == "fleet" and d["answer"][0]["answer"] == "different" and d["answer"][0]["different"] == 2
assert sorted(m["machine"] for m in d["machines"] if m["rank"] <= 3) == open("wanted").read().split()
assert {"kinds", "states", "left_out"} <= d.keys()'

machines good.counts -m 40 -p 0 -s 3
run fleet good.counts
is "$status" 0 "no machine is different: status 0"
like "$out" '^None of 40 machines is different\.$' "no machine is different: the answer says so"
nothing='wake-ups by devices or other CPUs (a CPU can foresee its timer); other machines, and CPUs of these that were not measured'
is "$(printf '%s\n' "$out" | sed -n '/^Not measured/,$p' | paste -sd ' ' -)" "Not measured: $nothing." "the last line says what was not measured"
is "$(fleet --json good.counts | sed -n 's/^  "means_nothing": //p')" "\"$nothing\"," "--json says what was not measured"
fleet -q -o page good.counts
is "$(sed -n 's/^<p class="sure">Not measured: \(.*\)[.]<.p>$/\1/p' page/report.html)" "$nothing" "the page says what was not measured"
machines few.counts -m 6 -p 0
run fleet few.counts
is "$status" 0 "six machines: ranked, none is different"
machines wide.counts -m 40 -p 0 -w 8
run fleet wide.counts
is "$status" 0 "machines that are far apart: none is different"
is "$(printf '%s\n' "$out" | awk '$1 == "C6" && $2 == "p50" && $3 == 40 { print ($NF > 50) }')" 1 "machines that are far apart: the report says from which distance the rule speaks"

# --- bad counts
head -c 3000 good.counts >cut.counts
printf 'wakelat-counts\t9\n' >version.counts
: >empty.counts
printf 'this is no file of counts\n' >text.counts
for bad in cut version empty text; do
	run fleet few.counts "$bad.counts"
	is "$status$(printf '%s\n' "$out" | grep -c "left out: \./$bad.counts")" 31 "$bad.counts: left out, and named; status 3"
	like "$out" '^None of 6 machines is different' "$bad: the answer on the other machines stays the same"
done
run fleet text.counts
is "$status" 1 "only bad counts: an error"
mkdir nothing
refused 'nothing: no file NAME.counts is in it' "a directory without counts" fleet nothing
refused 'gone: no such file' "a file that does not exist" fleet gone
refused 'report: name files of counts' "no argument" fleet
refused "there is no verb 'reprot'" "an unknown verb" "$wakelat" fleet reprot x
refused 'name a verb: report or measure' "no verb" "$wakelat" fleet

# --- names
machines double.counts -m 30 -p 0 -s 4
run fleet good.counts double.counts
like "$err" 'node00003: several machines of that name were measured at the same time' "two machines with the same name: a message says so"
like "$out" '^None of 70 machines is different' "two machines with the same name count as two"
machines names.counts -m 30 -p 4 -h "it's \"a\" <b>&"
run fleet names.counts
like "$out" "^ +[0-9]+  it's \"a\" <b>&000[0-9]+" "a machine's name with special characters is printed unchanged"

# --- the directory of a fleet: machines without counts are named, with the reason
mkdir many
for file in files/*; do
	name=${file#files/}
	printf '%s\n' "${name%.counts}"
done >many/nodes
printf 'old\ngone\nlate\n' >>many/nodes
refused 'many: no machine has counts: see many/\*\.reason' "a fleet without any counts" fleet many
cp files/* many
printf 'refused: doctor: this kernel has no <wakelat>\n' >many/old.reason
printf 'failed: \033[31m\there\nand more\n' >many/late.reason
printf 'failed: began\n' >many/node00004.reason
head -c 3000 files/node00001.counts >many/node00001.counts
cp files/node00002.counts many/node00003.counts
rm many/node00005.counts
ln -s ../files/node00005.counts many/node00005.counts
run fleet many
is "$status" 4 "a fleet's directory: status 4, different machines, also if some gave nothing"
like "$out" '^[12] of 47 machines (is|are) different\. 6 gave no usable counts\.$' "a fleet's directory: machines without counts are counted, too"
like "$out" '^no usable counts: old: refused: doctor: this kernel has no <wakelat>$' "a machine that refused is named, with the reason"
like "$out" '^no usable counts: gone: neither counts nor a reason file$' "a machine that never answered is named"
like "$out" '^no usable counts: late: failed: \?\[31m here$' "the first line of a reason is printed, without control characters"
like "$out" '^no usable counts: node00001: its counts are left out: ' "a machine whose counts are damaged is named"
like "$out" '^no usable counts: node00003: its counts are left out: the same recording was also fetched from node00002$' "a machine with the counts of another machine is named"
like "$out" '^no usable counts: node00005: failed: its counts are not trusted: not a regular file$' "a machine whose counts are a link is named"
unlike "$out" 'no usable counts: node0000[24]' "a machine with counts is not named, even if it has a reason, too"
run fleet --json many
printf '%s\n' "$out" >document
ok "--json: the document has the machines without counts" python3 -c '
import json
d = json.load(open("document"))
assert d["complete"] is False and d["answer"][0]["machines"] == 47 and d["answer"][0]["nothing"] == 6
silent = {m["machine"]: m["finding"] for m in d["machines"] if m["answer"] == "nothing"}
assert sorted(silent) == ["gone", "late", "node00001", "node00003", "node00005", "old"] and silent["old"].startswith("refused: doctor"), silent'
mkdir more && printf 'old\nnode00001\n' >more/nodes && cp files/node00006.counts more/x.counts
printf 'failed: x\n' >more/node00001.reason
run fleet many more good.counts
like "$out" '^left out: more, machine node00001: failed: x$' "a machine with counts in one directory is left out in another, where it has none"
printf 'a b\n' >more/nodes
refused "more/nodes: 'a b' is not the name of a machine" "a list of machines with a bad line" fleet more
rm more/nodes
ln -s ../many/nodes more/nodes
refused 'not trusted: .*symbolic link' "a list of machines that is a link" fleet more

# --- two machines that differ in their kernel
machines old.counts -m 1 -p 0 -n 1000 -k 6.1.0 -h old
machines new.counts -m 1 -p 0 -n 1000 -k 6.12.0 -h new
"$wakelat" merge -q -o two.counts old.counts new.counts
run fleet two.counts
like "$out" 'differs: kernel 6\.1\.0, the other 6\.12\.0' "two machines: the report says which of the main facts differ"
refused "unknown option '--by'" "there is no option --by" fleet --by kernel good.counts
done_testing
