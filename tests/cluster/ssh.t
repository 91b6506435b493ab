#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The playbook over ssh: machines with an sshd each, in networks of their own, which measure virtual Xeons. h1 and h2 are as they should
# be; `closed` refuses the key; the connection of `cut` breaks in the middle of its measurement.
# needs: tools qemu kernel:default fleet
# takes: minutes
. "$(dirname "$0")/../lib/alone.sh"
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/sshd.sh"
. "$top/tests/lib/machines.sh"

lack=$(sshd_lack)
[ -z "$lack" ] || skip_all "$lack"
wakelat=$top/scripts/wakelat
export FLEET_TOP="$top" FLEET_NODES="$tmp/nodes"
use_kernel default
for name in h1 h2 cut; do
	mkdir -p "$FLEET_NODES/$name"
	printf '%s\n' --kernel "$kernel" --seed "$(printf '%s' "$name" | cksum | cut -c 1-3)" >"$FLEET_NODES/$name/options"
done
mkdir "$FLEET_NODES/cut/sys"
for file in disable limit; do
	printf '0\n' >"$FLEET_NODES/cut/sys/$file"
done
: >"$FLEET_NODES/cut/waits"

sshd_keys
sshd_host h1 user
sshd_host h2 user
sshd_host closed nobody
sshd_host cut user
cleanup() {
	[ -z "${playing-}" ] || kill "$playing" 2>/dev/null
}

export LC_ALL=C.UTF-8 ANSIBLE_NOCOLOR=1 ANSIBLE_LOCALHOST_WARNING=False ANSIBLE_HOME="$tmp/ansible-home" ANSIBLE_ASYNC_DIR="$tmp/ansible-async" \
	ANSIBLE_REMOTE_TEMP="$tmp/ansible-remote" ANSIBLE_SSH_CONTROL_PATH_DIR="$tmp/cp"
{
	cat <<END_VARS
all:
  vars:
    ansible_user: root
    ansible_python_interpreter: /usr/bin/python3
    ansible_ssh_private_key_file: $sshd_dir/user
    ansible_ssh_common_args: -F /dev/null -o UserKnownHostsFile=$sshd_dir/known -o GlobalKnownHostsFile=/dev/null -o IdentitiesOnly=yes
    wakelat: $top/tests/fixtures/fleet/wakelat
  hosts:
END_VARS
	for name in h1 h2 closed cut; do
		printf '    %s:\n      ansible_host: %s\n' "$name" "$(cat "$sshd_dir/$name.address")"
	done
} >"$tmp/machines.yml"
fleet=$tmp/fleet
# played OPTION...
played() {
	ansible-playbook -i "$tmp/machines.yml" "$top/scripts/lib/fleet/measure.yml" -e fleet="$fleet" \
		-e '{"measure": "record --states C6 -n 30 --ldist 1ms:3ms"}' "$@"
}

run played --check --limit h1,closed,localhost
is "$status" 0 "--check: asks"
like "$out" '"msg": "not reached"' "--check: who is not reached is said" || diag "$out"
not_ok "--check: writes nothing" test -e "$fleet"

# One after the other, and `cut` is the last. A batch of which all machines fail does not end the playbook.
# begin OPTION...: in the background, until `cut` measures
begin() {
	rm -f "$FLEET_NODES/cut/changed"
	played "$@" >"$tmp/played" 2>&1 &
	playing=$!
	waited 1500 test -e "$FLEET_NODES/cut/changed" || bail "cut does not begin: $(tail -n 20 "$tmp/played")"
	is "$(cat "$FLEET_NODES"/cut/sys/* | paste -sd ' ' -)" "1 1" "cut is at it: it is changed"
}
# ended STATUS NAME: the playbook
ended() {
	wait "$playing"
	is $? "$1" "$2" || diag "$(tail -n 60 "$tmp/played")"
	playing=
}
begin -e batch=1 --limit h1,closed,cut,localhost
ok "batch=1: h1 is over by then" test -s "$fleet/h1.counts"
sshd_break cut
sleep 5
is "$(cat "$FLEET_NODES"/cut/sys/* | paste -sd ' ' -)" "1 1" "its connection is broken; it goes on"
: >"$FLEET_NODES/cut/go"
sshd_start cut
ended 2 "the playbook ends, and says that some gave nothing"
is "$(grep -c '^PLAY \[The machines\]' "$tmp/played")" 3 "batch=1: one after the other"
is "$(of h1)" gave "h1 gave its counts"
is "$(of cut)" gave "cut gave its counts when its connection was back"
like "$(of closed)" '^failed: not reached: .*Permission denied' "closed refused the key"
is "$(recordings "$fleet")" 2 "two machines' counts are there"
like "$(cat "$tmp/played")" 'closed: failed: not reached: .*Permission denied' "the playbook names who gave nothing, and why"
run "$wakelat" fleet report "$fleet"
like "$out" '^gave nothing: closed: failed: not reached: .*Permission denied' "report: names who gave nothing, and why"
is "$(cat "$FLEET_NODES"/cut/sys/* | paste -sd ' ' -)" "0 0" "cut is as it was"
not_ok "nothing is left of its journal" test -e "$sshd_dir/cut.run/wakelat/state"
is "$(find "$tmp" -maxdepth 1 -name 'wakelat-fleet.*' | wc -l)" 0 "nothing stays on the machines"

# A connection that does not come back: the machine ends it by itself when the time is over.
rm -f "$FLEET_NODES/cut/go"
begin -e time_limit=30 --limit cut,localhost
sshd_break cut
ok "the machine ends it" waited 300 sh -c 'test "$(cat "$1"/cut/sys/* | paste -sd " " -)" = "0 0"' sh "$FLEET_NODES"
not_ok "nothing is left of its journal then" test -e "$sshd_dir/cut.run/wakelat/state"
ended 2 "the playbook ends"
like "$(of cut)" '^failed: .*(Connection|connection|time_limit)' "cut: its connection broke"
is "$(of h1)" gave "the counts of a machine that was not played are still there"

# It is there again. Two at once.
sshd_start cut
rm "$FLEET_NODES/cut/waits"
run played --limit h2,cut,localhost
is "$status" 2 "--limit: closed still gave nothing"
is "$(of h1) $(of h2) $(of cut)" "gave gave gave" "the others gave their counts" || diag "$out" "$err"
is "$(recordings "$fleet")" 3 "each recording is there once"
done_testing
