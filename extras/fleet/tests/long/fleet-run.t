#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat fleet measure and the example of a Slurm epilog, without a cluster. Stand-ins replace the
# commands that measure. A job is killed at 20 moments; each time the epilog restores the node.
# extras/fleet/tests/testbed/slurm.t uses Slurm and virtual Xeons.
# needs: nothing
. "$(dirname "$0")/../../../../tests/lib/alone.sh"
. "$(dirname "$0")/../../../../tests/lib/tap.sh"

wakelat=$top/scripts/wakelat
cd "$tmp" || exit 1

# --- options

# wrong VERB ERE WORD...: check that fleet VERB WORD... exits with 2 and an error that matches ERE
wrong() {
	wrong_verb=$1
	wrong_ere=$2
	shift 2
	refused "^wakelat fleet( $wrong_verb)?: $wrong_ere" "$wrong_verb $*" "$wakelat" fleet "$wrong_verb" "$@"
	is "$status" 2 "$wrong_verb $*: status"
}
wrong measure "no measurement is named" -o d
wrong measure "measure: put record or probe after --, not before it: 'probe'" -o d probe
wrong measure "expected record or probe with its options after --, not 'top'" -o d -- top
wrong measure "record gets its output directory from fleet measure: leave out '--output=x'" -o d -- record --output=x
wrong measure "record gets its output directory from fleet measure: leave out '-ox'" -o d -- record -ox
wrong measure "probe with '--export' makes no counts" -o d -- probe --export x
wrong measure "a line break in '-n" -o d -- probe "-n
5"
wrong measure "measure does not take --title" -o d --title x -- probe
wrong measure "--name: 'a b': letters, digits" -o d --name 'a b' -- probe
wrong measure "--name: '../x': letters, digits" -o d --name ../x -- probe
wrong measure "--clock: 'now' is not a time" -o d --clock now -- probe
wrong measure "-o DIR is missing: name the directory of the counts" -- probe
wrong report "report does not take --name" --name x c
not_ok "refused options: nothing is created" test -e d

# --- measure, on a machine whose commands are stand-ins

fake=$tmp/fake/scripts
mkdir -p "$fake/commands" "$tmp/fake/extras/fleet"
cp "$top/scripts/wakelat" "$fake/wakelat"
ln -s "$top/scripts/lib" "$fake/lib"
ln -s "$top/tools" "$tmp/fake/tools"
cp "$top/scripts/commands/restore" "$fake/commands/"
cp "$top"/extras/fleet/fleet "$top"/extras/fleet/*.sh "$tmp/fake/extras/fleet/"
cat >"$fake/commands/doctor" <<'END'
#!/bin/sh
printf 'check\tsubject\tseverity\tvalue\tfinding\tchange\tback\tprepare\n'
cat "$FAKE/doctor" 2>/dev/null
END
# The stand-in for record changes files like those of sysfs, through the journal that restore reads.
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
# stops MOMENT: if MOMENT is $FAKE_STOP, wait to be killed
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
# reason NAME: print m/NAME.reason
reason() {
	cat "m/$1.reason" 2>&1
}
if [ -z "${WAKELAT_ALONE-}" ]; then
	skip 1 "only root can measure"
	done_testing
	exit
fi
name=$(cat /proc/sys/kernel/hostname)
run "$fake/wakelat" fleet measure -o m --name n1 --clock "$(($(date +%s) - 3600))" -- record --states 'C1,C6' -n 5
is "$status $(names m)" "0 n1.counts n1.log" "measure: the counts, a log, and no reason"
like "$(cat m/n1.log)" '^clock: \+360[0-9] s' "measure: the log says that the clock is wrong by an hour"
is "$(head -n 1 m/n1.counts)" "counts of 0" "measure: the counts are made after everything is restored"
is "$(paste -sd ' ' - <"$FAKE/words")" "-q -o $(sed -n 3p "$FAKE/words") --states C1,C6 -n 5" "measure: the options arrive as they were"
like "$(sed -n 3p "$FAKE/words")" '/recording$' "measure: the recording gets a directory of its own"
not_ok "measure: the recording's directory is removed" test -e "$(dirname "$(sed -n 3p "$FAKE/words")")"
run "$fake/wakelat" fleet measure -o m -- record -n 5
is "$status $(head -n 1 "m/$name.counts")" "0 counts of 0" "measure: without --name the counts have the hostname"
: >"$FAKE/fail"
run "$fake/wakelat" fleet measure -o m --name n1 -- record -n 5
is "$status $(reason n1)" "1 failed: record: wakelat record: the buffer was lost" "measure: a failed recording leaves its error as the reason"
not_ok "measure: a failed recording leaves no older counts" test -e m/n1.counts
run "$fake/wakelat" fleet measure -o m --name n1 -- record -n 5
is "$status $(names m | tr ' ' '\n' | grep '^n1' | paste -sd ' ' -)" "0 n1.counts n1.log" "measure: repeated, it leaves counts, and no older reason"
printf 'kernel\tmachine\tunusable\tno\tthis kernel has no wakelat\t-\t-\t-\n' >"$FAKE/doctor"
run "$fake/wakelat" fleet measure -o m --name n1 -- record -n 5
is "$status $(reason n1)" "3 refused: doctor: this kernel has no wakelat" "measure: record refuses a stock kernel"
run "$fake/wakelat" fleet measure -o m --name n1 -- probe -n 5
is "$status" "0" "measure: probe measures a stock kernel"
printf 'clocksource\tmachine\tunusable\thpet\tthe clocksource is hpet\t-\t-\t-\n' >"$FAKE/doctor"
run "$fake/wakelat" fleet measure -o m --name n1 -- probe -n 5
is "$status $(reason n1)" "3 refused: doctor: the clocksource is hpet" "measure: probe refuses another clocksource"
printf 'x\tmachine\tdoubt\t-\tlast name: a\tb\t-\t-\n' >"$FAKE/doctor"
run "$fake/wakelat" fleet measure -o m --name n1 -- probe -n 5
is "$status" "0" "measure: a doubt of doctor does not prevent the measurement"
rm "$FAKE/doctor"
mkdir full
mount -t tmpfs -o size=4k,mode=755 tmpfs full
dd if=/dev/zero of=full/x bs=4k count=1 2>/dev/null
run "$fake/wakelat" fleet measure -q -o full -- probe -n 5
is "$status $(printf '%s\n' "$err" | wc -l)" "1 1" "measure: a full disk is an error, in one line"
like "$err" 'cannot write .*full/.*: ' "measure: a full disk: the error names the file"
umount full

# --- killed at 20 moments

export SLURM_JOB_ID=42

# changed: print how many files have been changed
changed() {
	cat "$FAKE"/sys/* | grep -c 1
}

# Kill the recording twice at each of seven moments, at which it waits. Moment 0 is before the journal exists, moment 1 is after
# that. At moment N > 1, N - 1 files are changed. Then kill a recording that does not wait, six times, later each time.
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
		is "$(changed)" "$((moment < 2 ? 0 : moment - 1))" "kill $kills: the expected number of files is changed"
	else
		sleep "0.$(((kills - 13) * 12 + 10))"
	fi
	# Kill all processes of the job, as Slurm does; they cannot catch KILL.
	pkill -KILL -s "$job"
	wait "$job" 2>/dev/null
	[ -z "$moment" ] || [ ! -e /run/wakelat/state ] || [ "$(changed)" -eq 0 ] || left=$((left + 1))
	"$top/extras/fleet/epilog" >>"$tmp/epilog.log" 2>&1 || wrong="$wrong $kills:$?"
	[ "$(changed)" -eq 0 ] || wrong="$wrong $kills"
	[ ! -e /run/wakelat/state ] || wrong="$wrong $kills:journal"
	kills=$((kills + 1))
done
is "$wrong" "" "killed at 20 moments: the epilog restores everything"
is "$left" 10 "10 kills left changed files that had to be restored"
is "$(cat "$tmp/epilog.log")" "" "the epilog prints nothing"
ok "the epilog succeeds if there is nothing to restore" "$top/extras/fleet/epilog"

# While a recording is active, another job's epilog leaves it alone. Its own job's epilog ends it and restores the settings.
as_it_was
FAKE_SLEEP=5 setsid "$fake/commands/record" x >/dev/null 2>&1 &
job=$!
tries=100
until [ -s "$FAKE/pid" ] && [ -s /run/wakelat/state ] && kill -0 "$(cat "$FAKE/pid")" 2>/dev/null; do
	tries=$((tries - 1))
	[ "$tries" -gt 0 ] || bail "it does not begin"
	sleep 0.1
done
run "$fake/wakelat" fleet measure -q -o m --name n1 -- record -n 5
is "$status" 1 "measure: fails beside a recording that is in progress"
like "$(reason n1)" '^failed: a recording is in progress here \(process [0-9]+\)' "measure: the reason is the recording in progress"
ok "measure: the recording in progress is left alone" test -e /run/wakelat/state
ok "another job's epilog succeeds" env SLURM_JOB_ID=43 "$top/extras/fleet/epilog"
ok "another job's epilog leaves a recording alone" test -e /run/wakelat/state
(sleep 0.3; pkill -P "$(cat "$FAKE/pid")" sleep) &
ok "its own job's epilog succeeds" "$top/extras/fleet/epilog"
not_ok "its own job's epilog ends a recording" test -e /run/wakelat/state
wait "$job"
is "$(cat "$FAKE"/sys/* | cmp "$tmp/before" - 2>&1)" "" "its own job's epilog restores everything"

# The epilog fails if a setting cannot be restored, so that Slurm drains the node.
rm -rf /run/wakelat
mkdir -m 700 /run/wakelat
(umask 077 && printf 'owner\t0\t0\nset\t%s\t7\n' "$FAKE/sys/gone" >/run/wakelat/state)
not_ok "a setting that cannot be restored: the epilog fails" "$top/extras/fleet/epilog"
rm -rf /run/wakelat

done_testing
