#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat fleet submit, status, collect, measure, and the epilog of Slurm's nodes: what can be tried without a cluster, with
# commands that only say that they measure. A node that is killed at 20 moments is as it was after its epilog. With Slurm and
# virtual Xeons: testbed/slurm.t.
# needs: nothing
. "$(dirname "$0")/../lib/alone.sh"
. "$(dirname "$0")/../lib/tap.sh"

wakelat=$top/scripts/wakelat
cd "$tmp" || exit 1

# --- options

# wrong VERB ERE WORD...
wrong() {
	wrong_verb=$1
	wrong_ere=$2
	shift 2
	refused "^wakelat fleet( $wrong_verb)?: $wrong_ere" "$wrong_verb $*" "$wakelat" fleet "$wrong_verb" "$@"
	is "$status" 2 "$wrong_verb $*: status"
}
wrong submit "a directory that all nodes share is missing" -- probe
wrong submit "what is to be measured" -o d
wrong submit "submit: what is measured stands behind --, not 'probe'" -o d probe
wrong submit "behind -- stands record or probe with its options, not 'top'" -o d -- top
wrong submit "record is told where to write: without '--output=x'" -o d -- record --output=x
wrong submit "record is told where to write: without '-ox'" -o d -- record -ox
wrong submit "probe '--export' makes no counts" -o d -- probe --export x
wrong submit "a line break in '-n" -o d -- probe "-n
5"
wrong submit "--time: '1' is not" -o d --time 1 -- probe
wrong submit "--wait: 'x' is not" -o d --wait x -- probe
wrong submit "--retries: '100' is not" -o d --retries 100 -- probe
wrong submit "--nodes: '-x' is not a list" -o d --nodes=-x -- probe
wrong submit "--nodes: 'a b' is not a list" -o d --nodes 'a b' -- probe
wrong submit "--nodes: 'a'b' is not a list" -o d --nodes "a'b" -- probe
wrong submit "--partition: '\\$\(id\)' is not" -o d --partition '$(id)' -- probe
wrong submit "--slurm: 'x' is not an option of sbatch" -o d --slurm x -- probe
wrong submit "--wakelat: 'wakelat' is not the whole path" -o d --wakelat wakelat -- probe
wrong submit "--again measures as before: without 'probe'" -o d --again -- probe
wrong submit "submit: takes no --name" -o d --name x -- probe
wrong measure "--name: 'a b': letters, digits" -o d --name 'a b' -- probe
wrong measure "--name: '../x': letters, digits" -o d --name ../x -- probe
wrong measure "--clock: 'now' is not a time" -o d --clock now -- probe
wrong measure "where to\? -o DIR is missing" -- probe
wrong status "status: which directory"
wrong status "status: one directory, not 'b' as well" a b
wrong collect "collect: which directory"
refused 'nowhere: no such directory' "status: no such directory" "$wakelat" fleet status nowhere
mkdir empty
refused 'not the directory of a fleet' "status: a directory of something else" "$wakelat" fleet status empty
mkdir none
for program in dirname readlink sh awk sed tr id cat; do
	ln -s "$(command -v "$program")" none/
done
refused 'sbatch is missing: this is no host of a Slurm cluster' "submit: no Slurm" env PATH="$tmp/none" "$wakelat" fleet submit -o d -- probe
not_ok "submit: nothing was made" test -e d

# --- measure: a machine whose commands do as they are told

fake=$tmp/fake
mkdir -p "$fake/commands"
cp "$top/scripts/wakelat" "$fake/wakelat"
ln -s "$top/scripts/lib" "$fake/lib"
ln -s "$top/tools" "$tmp/tools"
cp "$top/scripts/commands/fleet" "$top/scripts/commands/restore" "$fake/commands/"
cat >"$fake/commands/doctor" <<'END'
#!/bin/sh
printf 'check\tsubject\tseverity\tvalue\tfinding\tchange\tback\tprepare\n'
cat "$FAKE/doctor" 2>/dev/null
END
# What record changes: files like sysfs's, through the journal, which restore reads.
cat >"$fake/commands/record" <<'END'
#!/bin/sh
set -u
me="wakelat record"
here=$(cd "$(dirname "$0")/.." && pwd) || exit 1
. "$here/lib/common/message.sh"
. "$here/lib/common/sysfs.sh"
. "$here/lib/common/journal.sh"
undone() {
	:
}
leave() {
	status=$?
	trap - EXIT
	journal_is_ours && journal_undo
	exit "$status"
}
[ ! -e "$FAKE/fail" ] || {
	rm "$FAKE/fail"
	die "the buffer was lost"
}
# stops MOMENT: until it is killed, if that is the moment
stops() {
	[ "${FAKE_STOP-}" != "$1" ] || { : >"$FAKE/stopped" && sleep 600; }
}
trap leave EXIT
trap 'exit 143' TERM
stops 0
journal_begin
printf '%s\n' "$$" >"$FAKE/pid"
moment=1
stops 1
for file in "$FAKE"/sys/*; do
	sleep "${FAKE_SLEEP:-0}"
	change "$file" 1
	moment=$((moment + 1))
	stops "$moment"
done
printf '%s\n' "$@" >"$FAKE/words"
END
cp "$fake/commands/record" "$fake/commands/probe"
printf '#!/bin/sh\nexit 0\n' >"$fake/commands/dump"
cat >"$fake/commands/stats" <<'END'
#!/bin/sh
printf 'counts of %s\nend\t0\t0\n' "$(cat "$FAKE/sys/state1")" >"$3"
END
cp "$top/tests/fixtures/fleet/merge" "$fake/commands/"
chmod +x "$fake"/commands/*
export FAKE="$tmp/machine"
mkdir -p "$FAKE/sys"
as_it_was() {
	for file in state1 state2 state3 state4 limit; do
		printf '%s\n' "0" >"$FAKE/sys/$file"
	done
	cat "$FAKE"/sys/* >"$tmp/before"
}
as_it_was
# key NAME: of m/state.tsv
key() {
	sed -n "s/^$1	//p" m/state.tsv
}
if [ -z "${WAKELAT_ALONE-}" ]; then
	skip 1 "only root can measure"
	done_testing
	exit
fi
run "$fake/wakelat" fleet measure -o m --name n1 --clock "$(($(date +%s) - 3600))" -- record --states 'C1,C6' -n 5
is "$status $(key state) $(key reason) $(key node) $(key tries)" "0 gave - n1 1" "measure: it gave"
like "$(key clock_off_s)" '^360[0-9]$' "measure: a clock that is wrong by an hour is named"
is "$(head -n 1 m/counts)" "counts of 0" "measure: counts, made when everything was put back"
is "$(paste -sd ' ' - <"$FAKE/words")" "-q -o $(sed -n 3p "$FAKE/words") --states C1,C6 -n 5" "measure: the options arrive as they were"
like "$(sed -n 3p "$FAKE/words")" '/recording$' "measure: into a directory of its own"
not_ok "measure: which is gone" test -e "$(dirname "$(sed -n 3p "$FAKE/words")")"
: >"$FAKE/fail"
run "$fake/wakelat" fleet measure -o m -- record -n 5
is "$status $(key state) $(key tries)" "0 gave 2" "measure: what fails once is tried again"
: >"$FAKE/fail"
run "$fake/wakelat" fleet measure -o m --retries 0 -- record -n 5
is "$status $(key state) $(key reason)" "1 failed record: wakelat record: the buffer was lost" "measure: or not; what its error was is said"
not_ok "measure: and no older counts stay" test -e m/counts
printf 'kernel\tmachine\tunusable\tno\tthis kernel has no wakelat\t-\t-\t-\n' >"$FAKE/doctor"
run "$fake/wakelat" fleet measure -o m -- record -n 5
is "$status $(key state) $(key reason)" "3 refused doctor: this kernel has no wakelat" "measure: no patched kernel: refused, and why"
run "$fake/wakelat" fleet measure -o m -- probe -n 5
is "$status $(key state)" "0 gave" "measure: probe needs none"
printf 'clocksource\tmachine\tunusable\thpet\tthe clocksource is hpet\t-\t-\t-\n' >"$FAKE/doctor"
run "$fake/wakelat" fleet measure -o m -- probe -n 5
is "$status $(key state) $(key reason)" "3 refused doctor: the clocksource is hpet" "measure: but that neither"
printf 'x\tmachine\tdoubt\t-\tlast name: a\tb\t-\t-\n' >"$FAKE/doctor"
run "$fake/wakelat" fleet measure -o m -- probe -n 5
is "$status $(key doubts)" "0 1" "measure: doubts are counted"
rm "$FAKE/doctor"
mkdir full
mount -t tmpfs -o size=4k,mode=755 tmpfs full
dd if=/dev/zero of=full/x bs=4k count=1 2>/dev/null
run "$fake/wakelat" fleet measure -q -o full -- probe -n 5
is "$status $(printf '%s\n' "$err" | wc -l)" "1 1" "measure: a full disk is an error, in one line"
like "$err" 'full/.*cannot be written' "measure: which says so"
umount full

# --- killed at 20 moments

export SLURM_JOB_ID=42

# changed: how many files have another value than before
changed() {
	cat "$FAKE"/sys/* | grep -c 1
}

# Two kills at each of seven moments, at which the recording stops: 0 before the journal, 1 with it, from 2 on with so many files
# changed but one. Then six while it goes on, later each time.
kills=0
left=0
wrong=
while [ "$kills" -lt 20 ]; do
	as_it_was
	rm -f "$FAKE/stopped"
	moment=$((kills % 7))
	[ "$kills" -lt 14 ] || moment=
	FAKE_STOP=$moment FAKE_SLEEP=0.05 setsid "$fake/wakelat" fleet measure -q -o m -- record -n 5 >/dev/null 2>&1 &
	job=$!
	if [ -n "$moment" ]; then
		timeout 60 sh -c 'until [ -e "$0" ]; do sleep 0.01; done' "$FAKE/stopped" ||
			bail "the recording does not come to moment $moment"
		is "$(changed)" "$((moment < 2 ? 0 : moment - 1))" "kill $kills: so many files are changed"
	else
		sleep "0.$(((kills - 13) * 12 + 10))"
	fi
	# All processes of the job, as Slurm does it; none of them can do anything about it.
	pkill -KILL -s "$job"
	wait "$job" 2>/dev/null
	[ -z "$moment" ] || [ ! -e /run/wakelat/state ] || [ "$(changed)" -eq 0 ] || left=$((left + 1))
	"$top/scripts/lib/fleet/epilog" >>"$tmp/epilog.log" 2>&1 || wrong="$wrong $kills:$?"
	[ "$(changed)" -eq 0 ] || wrong="$wrong $kills"
	[ ! -e /run/wakelat/state ] || wrong="$wrong $kills:journal"
	kills=$((kills + 1))
done
is "$wrong" "" "killed at 20 moments: after the epilog everything is as it was"
is "$left" 10 "at each moment with changed files there was something to put back"
is "$(cat "$tmp/epilog.log")" "" "the epilog has nothing to say"
ok "without anything to put back, it does nothing" "$top/scripts/lib/fleet/epilog"

# A recording that is at work: another job's is let alone, its own is ended and undone.
as_it_was
FAKE_SLEEP=5 setsid "$fake/commands/record" x >/dev/null 2>&1 &
job=$!
tries=100
until [ -s "$FAKE/pid" ] && [ -s /run/wakelat/state ] && kill -0 "$(cat "$FAKE/pid")" 2>/dev/null; do
	tries=$((tries - 1))
	[ "$tries" -gt 0 ] || bail "it does not begin"
	sleep 0.1
done
run "$fake/wakelat" fleet measure -q -o m --retries 0 -- record -n 5
is "$status $(key state)" "1 failed" "measure: not beside a recording that is at work"
like "$(key reason)" 'at work' "and says so"
ok "which is let alone" test -e /run/wakelat/state
ok "another job's epilog" env SLURM_JOB_ID=43 "$top/scripts/lib/fleet/epilog"
ok "leaves a recording alone" test -e /run/wakelat/state
(sleep 0.3; pkill -P "$(cat "$FAKE/pid")" sleep) &
ok "its own job's" "$top/scripts/lib/fleet/epilog"
not_ok "ends it" test -e /run/wakelat/state
wait "$job"
is "$(cat "$FAKE"/sys/* | cmp "$tmp/before" - 2>&1)" "" "and everything is as it was"

# What cannot be put back fails, so that Slurm drains the node.
rm -rf /run/wakelat
mkdir -m 700 /run/wakelat
(umask 077 && printf 'owner\t0\t0\nset\t%s\t7\n' "$FAKE/sys/gone" >/run/wakelat/state)
not_ok "what cannot be put back is an error: Slurm drains the node" "$top/scripts/lib/fleet/epilog"
rm -rf /run/wakelat

# --- status, collect: of a directory whose Slurm does not answer, or that the playbook has made

# node NAME [STATE [REASON [KEY VALUE]]]: of the fleet f
node() {
	mkdir -p "f/nodes/$1"
	[ $# -eq 1 ] || printf 'key\tvalue\nstate\t%s\nreason\t%s\n%s\t%s\n' "$2" "${3--}" "${4-x}" "${5-x}" >"f/nodes/$1/state.tsv"
	[ "${2-}" != gave ] || printf 'counts of %s\n' "$1" >"f/nodes/$1/counts"
	printf '%s\t-\n' "$1" >>f/nodes.tsv
}
mkdir -p f/nodes f/merge
printf 'key\tvalue\nby\tansible\n' >f/fleet.tsv
printf 'node\tjob\n' >f/nodes.tsv
node a gave
node b gave - clock_off_s -3600
node c refused 'doctor: this kernel has no wakelat'
node d began
node e
node g gave
rm f/nodes/g/counts
node h "ga
ve"
node "i$(printf '\033')" failed "$(printf 'red \033[31m')"
run "$wakelat" fleet status --tsv f
is "$status" 3 "status: some gave nothing"
is "$(printf '%s\n' "$out" | head -n 7 | tr '\t' '|')" "node|state|reason
a|gave|-
b|gave|its clock is 3600 s behind
c|refused|doctor: this kernel has no wakelat
d|failed|it never answered, or its connection broke: it said that it begins, and nothing more
e|failed|it was never reached
g|failed|its counts are gone" "status: each by what it said, or did not say"
unlike "$out" "$(printf '\033')" "status: what a machine says is not believed by the terminal"
run "$wakelat" fleet status f
like "$out" '^8 machines: 2 gave, 1 refused, 5 failed$' "status: for people"
unlike "$out" '^  a ' "status: who gave is not named, unless there is a doubt"
run "$fake/wakelat" fleet collect f
is "$status" 3 "collect: some gave nothing"
is "$(cat f/fleet.counts)" "counts of a
counts of b" "collect: what is there"
like "$(cat f/status.tsv)" '^c	refused	doctor: this kernel has no wakelat$' "collect: and who gave nothing, and why"
printf 'counts of a to b\n' >f/merge/0-0.merged
printf 'a\nb\n' >f/merge/0-0.nodes
node k gave
run "$fake/wakelat" fleet collect -q f
is "$(cat f/fleet.counts)" "counts of a to b
counts of k" "collect: from the tree, and who is not in it"
rm f/nodes/k/counts
ln -s /etc/passwd f/nodes/k/counts
like "$("$wakelat" fleet status f)" 'k +failed +not trusted: .*symbolic link' "status: a link is nobody's counts"
printf '#!/bin/sh\nprintf "wakelat merge: f is full\\n" >&2; exit 1\n' >"$fake/commands/merge"
before=$(cksum <f/fleet.counts)
run "$fake/wakelat" fleet collect -q f
is "$status $(cksum <f/fleet.counts)" "1 $before" "collect: what fails leaves the older counts"
done_testing
