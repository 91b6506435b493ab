#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The journal: restore puts all changed settings back, or names those that it cannot put back. Also
# tested: /run is full, read-only or out of inodes; only one process at a time; kills at random
# moments (WAKELAT_KILLS=N for more).
# needs: nothing

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/journal.sh"
[ "$(id -u)" -eq 0 ] && unshare -m sh -c 'mount -t tmpfs none /run' 2>/dev/null || skip_all "no mount namespaces here"
restore=$top/scripts/commands/restore
boot=$(cat /proc/sys/kernel/random/boot_id)
cd "$tmp" || exit 1
journal_owner_script

# restored OPTIONS SPOIL LINE...: run restore with a journal of these lines, after the command SPOIL
restored() {
	restored_options=$1
	restored_spoil=$2
	shift 2
	{
		printf 'owner\t0\t0\nboot\t%s\t\n' "$boot"
		printf '%s\n' "$@"
	} >lines
	in_run "$restored_options" 'cp "$1/lines" /run/wakelat/state; chmod 600 /run/wakelat/state; eval "$2"; "$3" restore; status=$?
		cp /run/wakelat/state "$1/left" 2>/dev/null; exit "$status"' "$tmp" "$restored_spoil" "$top/scripts/wakelat"
}
set_line=$(printf 'set\t%s/s/setting-0\told 0' "$tmp")

# try NAME OPTIONS SPOIL: check that restore puts a setting back after SPOIL, with /run mounted with OPTIONS
try() {
	settings s 1
	printf 'new 0\n' >s/setting-0
	rm -f left
	run restored "$2" "$3" "$set_line"
	is "$status $(changed s)" "0 " "$1: the setting is put back"
	like "$err" 'everything is as it was' "$1: restore says so"
}
try "/run has room" size=64k true
try "/run is full" size=64k 'head -c 1000000 /dev/zero >/run/fill 2>/dev/null'
try "/run has no inodes" nr_inodes=5 'i=0; while true >/run/$i; do i=$((i + 1)); done 2>/dev/null'
settings s 1
printf 'new 0\n' >s/setting-0
run restored size=64k 'mount -o remount,ro /run' "$set_line"
is "$status $(changed s)" "1 " "/run is read-only: the setting is put back, and restore fails because it cannot remove the journal"
like "$err" 'everything in /run/wakelat/state is put back, but the file cannot be removed' "/run is read-only: restore says so"
unlike "$err" 'everything is as it was' "/run is read-only: restore does not say that all is well"

# restore cannot read /proc, or its standard streams are closed.
printf 'new 0\n' >s/setting-0
run restored size=64k 'mount --bind /dev/null /proc/sys/kernel/random/boot_id' "$set_line"
is "$status $(changed s)" "0 " "the boot's ID cannot be read: restore assumes no reboot, and puts the setting back"
printf 'new 0\n' >s/setting-0
run restored size=64k 'mount -t tmpfs none /proc' "$set_line"
is "$status $(changed s) $(grep -c ^set left)" "1 s/setting-0 1" "/proc is not there: nothing is put back, the journal stays"
like "$err" '/proc is not mounted, so a recording in progress cannot be found' "/proc is not there: restore says so"
for closed in '0<&-' '1>&-' '2>&-' '0<&- 1>&- 2>&-' '2>/dev/full'; do
	printf 'new 0\n' >s/setting-0
	rm -f left
	run restored size=64k "exec $closed" "$set_line"
	is "$status $(changed s)$(cat left 2>/dev/null)" "0 " "restore with $closed: the setting is put back, the journal goes"
done

# Settings that cannot be put back.
rm -f left
run restored size=64k true "$(printf 'set\t/dev/null\t5')" "$set_line"
is "$status" 1 "a value that does not read back: restore fails"
like "$err" "/dev/null cannot be put back to '5': it was written, but does not read back; .*by hand: echo .?5.? >.?/dev/null" \
	"a value that does not read back: the message has the file, and the command that sets it by hand"
unlike "$err" 'everything is as it was' "a value that does not read back: restore does not say that all is well"
is "$(grep -v '^boot' left | tr '\n\t' ';:')" "owner:0:0;set:/dev/null:5;" "a value that does not read back stays in the journal, alone"
is "$(grep -c "^boot	$boot" left)" 1 "a value that does not read back: the journal that stays has the ID of this boot"
run restored size=64k 'head -c 1000000 /dev/zero >/run/fill 2>/dev/null' "$(printf 'set\t/dev/null\t5')" "$set_line"
is "$status $(grep -c '^set' left)" "1 2" "a value that does not read back, /run full: the whole journal stays"
run restored size=64k true "$(printf 'set\t%s/gone\t5' "$tmp")"
is "$status" 1 "a file that is gone: restore fails"
like "$err" "/gone is gone; its value was '5'" "a file that is gone: the message has its name and value"

# Lines of another version.
settings s 1
printf 'new 0\n' >s/setting-0
run restored size=64k true "$set_line" "$(printf 'frobnicate\t/x\t1')"
is "$status $(changed s)" "1 s/setting-0" "an unknown verb: nothing is put back"
like "$err" "/run/wakelat/state:4: 'frobnicate.*' is not known" "an unknown verb: the message has the verb and its line"
is "$(grep -c 'frobnicate\|^set' left)" 2 "an unknown verb: the journal stays"

# An incomplete last line means that its setting was not changed yet.
printf 'new 0\n' >s/setting-0
run in_run size=64k 'printf "owner\t0\t0\nset\t%s/s/setting-0\told 0\nset\t%s/s/sett" "$1" "$1" >/run/wakelat/state; "$2"' "$tmp" "$restore"
is "$status $(changed s)" "0 " "an incomplete last line is ignored, the lines before it are put back"

# A recording within an experiment: while the recording is not undone, the experiment is not undone
# either, but both are named.
printf 'new 0\n' >s/setting-0
run in_run size=64k 'printf "owner\t0\t0\nset\t/dev/null\t5\n" >/run/wakelat/state
	printf "owner\t0\t0\nset\t%s/s/setting-0\told 0\n" "$1" >/run/wakelat/experiment; "$2"' "$tmp" "$restore"
is "$status" 1 "a recording in an experiment, not undone: restore fails"
like "$err" "/run/wakelat/experiment lists settings that are not restored yet: set $tmp/s/setting-0 old 0" "a recording in an experiment, not undone: both are named"

# The journal takes its space before a setting is changed.
settings s 12
run in_run size=64k 'head -c 1000000 /dev/zero >/run/fill 2>/dev/null; "$1" "$2"' "$tmp/owner" "$tmp/s"
is "$status $(changed s)" "1 " "no room for a journal: nothing is changed"
like "$err" 'cannot create /run/wakelat/state: No space left on device: nothing was changed' "no room for a journal: the message says so"
touch wait pause
run in_run size=512k '"$1" "$2" & until grep -q ^set /run/wakelat/state 2>/dev/null; do sleep 0.02; done
	head -c 1000000 /dev/zero >/run/fill 2>/dev/null; rm "$2/../pause"; tries=100
	until [ "$(grep -c ^set /run/wakelat/state)" = 12 ] || [ "$tries" = 0 ]; do tries=$((tries - 1)); sleep 0.1; done
	grep -c ^set /run/wakelat/state; rm "$2/../wait"; wait $!' "$tmp/owner" "$tmp/s"
is "$out $status $(changed s)" "12 0 " "/run is filled after the journal was begun: it has room for its lines"

# One process at a time.
settings s 1
printf 'new 0\n' >s/setting-0
run in_run size=512k 'setsid sleep 100 & group=$!; sleep 0.2
	printf "owner\t0\t0\nset\t%s/s/setting-0\told 0\ngroup\t%s\t%s\n" "$1" "$group" "$(sed "s/.*) //" /proc/$group/stat | cut -d " " -f 20)" >/run/wakelat/state
	"$2" 2>"$1/first" & first=$!; sleep 1
	timeout 30 "$2" 2>"$1/second"; echo "second $?"
	timeout 30 "$3" "$1/s" 2>"$1/third"; echo "third $?"
	kill $group; wait $first; echo "first $?"' "$tmp" "$restore" "$tmp/owner"
is "$(printf '%s' "$out" | tr '\n' ' ')$(changed s)" "second 1 third 1 first 0" "two restores and a recording: only the first restore continues"
like "$(cat second)" 'another wakelat command is restoring settings' "the second restore says why it does nothing"
like "$(cat third)" 'left settings changed|another wakelat command is restoring' "the recording says why it does not begin"

# A small machine may have only busybox, without flock.
if command -v busybox >/dev/null; then
	mkdir applets
	for applet in $(busybox --list | grep -vx flock); do
		ln -s "$(command -v busybox)" "applets/$applet"
	done
	settings s 5
	touch wait
	run in_run size=512k 'PATH=$1/applets; sh "$1/owner" "$1/s" & tries=100
		until [ "$(grep -c ^set /run/wakelat/state 2>/dev/null)" = 5 ] || [ "$tries" = 0 ]; do sleep 0.1; tries=$((tries - 1)); done
		sh "$1/owner" "$1/s"; echo "second $?"; kill -9 $!; wait; sh "$2"; echo "restore $?"' "$tmp" "$restore"
	rm wait
	is "$(printf '%s' "$out" | tr '\n' ' ')$(changed s)" "second 1 restore 0" "with busybox, without flock: there is one owner, and restore puts all settings back"
else
	skip 1 "no busybox"
fi

# A shell that is killed leaves no child behind that writes later.
settings late 3
touch wait
mkdir -p slow
printf '#!/bin/sh\ncat >wrote\nsleep 1\nexec /bin/dd "$@" <wrote\n' >slow/dd
chmod 755 slow/dd
run in_run size=512k 'PATH=$1/slow:$PATH "$1/owner" "$1/late" &
	until [ -e wrote ] || [ "$(grep -c ^set /run/wakelat/state 2>/dev/null)" = 3 ]; do sleep 0.1; done
	kill -9 $!; wait; "$2"; echo "restore $?"; sleep 1.5' "$tmp" "$restore"
rm -rf wait slow wrote
is "$(printf '%s' "$out" | tr '\n' ' ')$(changed late)" "restore 0" "nothing is written after a recording was killed and its settings put back"

# Removing the package removes restore, so the settings must be put back before.
settings s 1
printf 'new 0\n' >s/setting-0
sed '/^#DEBHELPER#$/d; s|/usr/lib/wakelat/scripts|'"$top/scripts|" "$top/debian/wakelat.prerm" >prerm
run in_run size=64k 'printf "owner\t0\t0\n%s\n" "$2" >/run/wakelat/state; sh "$1/prerm" remove' "$tmp" "$set_line"
is "$status $(changed s)" "0 " "removing the package puts back the settings that are still changed"
run in_run size=64k 'printf "owner\t0\t0\nset\t/dev/null\t5\n" >/run/wakelat/state; sh "$1/prerm" remove' "$tmp"
is "$status" 1 "the package cannot be removed while a setting cannot be put back"

: "${WAKELAT_SEED:=1}" "${WAKELAT_KILLS:=20}"
export tmp top WAKELAT_KILLS WAKELAT_SEED
run unshare -m sh -c '. "$top/tests/lib/journal.sh"; kills "$WAKELAT_KILLS" "$WAKELAT_SEED"'
note "seed $WAKELAT_SEED: $(printf '%s\n' "$out" | tail -n 1)"
is "$(printf '%s\n' "$out" | sed '$d')" "" "$WAKELAT_KILLS kills: no setting is left changed without being named"
like "$out" "^$WAKELAT_KILLS owners, [1-9]" "the kills took place"
done_testing
