#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Run the playbook over ssh. Each machine is a network namespace with an sshd, and measures a virtual Xeon. h1 and h2 work;
# `closed` refuses the key; the connection of `cut` breaks in the middle of its measurement.
# needs: tools qemu kernel:default
# takes: minutes
. "$(dirname "$0")/../../../../tests/lib/alone.sh"
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/extras/fleet/tests/lib/sshd.sh"
. "$top/extras/fleet/tests/lib/machines.sh"

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
    wakelat: $top/extras/fleet/tests/fixtures/wakelat
  hosts:
END_VARS
	for name in h1 h2 closed cut; do
		printf '    %s:\n      ansible_host: %s\n' "$name" "$(cat "$sshd_dir/$name.address")"
	done
} >"$tmp/machines.yml"
fleet=$tmp/fleet
# played OPTION...: run the playbook
played() {
	ansible-playbook -i "$tmp/machines.yml" "$top/extras/fleet/measure.yml" -e fleet="$fleet" \
		-e '{"measure": "record --states C6 -n 30 --ldist 1ms:3ms"}' "$@"
}

run played --check --limit h1,closed,localhost
is "$status" 0 "--check: succeeds"
like "$out" '"msg": "not reached"' "--check: names a machine that it cannot reach" || diag "$out"
not_ok "--check: writes nothing" test -e "$fleet"

# begin OPTION...: start the playbook in the background, and wait until `cut` measures. With batch=1
# the machines measure one after the other, `cut` last. The playbook continues after a batch in
# which all machines fail.
begin() {
	rm -f "$FLEET_NODES/cut/changed"
	played "$@" >"$tmp/played" 2>&1 &
	playing=$!
	waited 1500 test -e "$FLEET_NODES/cut/changed" || bail "cut does not begin: $(tail -n 20 "$tmp/played")"
	is "$(cat "$FLEET_NODES"/cut/sys/* | paste -sd ' ' -)" "1 1" "cut has changed its settings and measures"
}
# ended STATUS NAME: wait for the end of the playbook, and check its status
ended() {
	wait "$playing"
	is $? "$1" "$2" || diag "$(tail -n 60 "$tmp/played")"
	playing=
}
begin -e batch=1 --limit h1,closed,cut,localhost
ok "batch=1: h1 has finished when cut begins" test -s "$fleet/h1.counts"
sshd_break cut
sleep 5
is "$(cat "$FLEET_NODES"/cut/sys/* | paste -sd ' ' -)" "1 1" "cut goes on measuring while its connection is broken"
: >"$FLEET_NODES/cut/go"
sshd_start cut
ended 2 "a machine without counts: the playbook ends with status 2"
is "$(grep -c '^PLAY \[The machines\]' "$tmp/played")" 3 "batch=1: the playbook has one play for each machine"
is "$(of h1)" gave "h1 gave its counts"
is "$(of cut)" gave "cut gave its counts when its connection was back"
like "$(of closed)" '^failed: not reached: .*Permission denied' "closed refused the key"
is "$(recordings "$fleet")" 2 "the counts of two machines have arrived"
like "$(cat "$tmp/played")" 'closed: failed: not reached: .*Permission denied' "the playbook names who gave nothing, and why"
run "$wakelat" fleet report "$fleet"
like "$out" '^no usable counts: closed: failed: not reached: .*Permission denied' "fleet report names who gave nothing, and why"
is "$(cat "$FLEET_NODES"/cut/sys/* | paste -sd ' ' -)" "0 0" "cut has restored its settings"
not_ok "cut has removed its journal" test -e "$sshd_dir/cut.run/wakelat/state"
is "$(find "$tmp" -maxdepth 1 -name 'wakelat-fleet.*' | wc -l)" 0 "nothing stays on the machines"

# If the connection does not come back, the machine itself ends its measurement after time_limit.
rm -f "$FLEET_NODES/cut/go"
begin -e time_limit=30 --limit cut,localhost
sshd_break cut
ok "time_limit: the machine ends its measurement and restores its settings" waited 300 sh -c 'test "$(cat "$1"/cut/sys/* | paste -sd " " -)" = "0 0"' sh "$FLEET_NODES"
not_ok "time_limit: the machine has removed its journal" test -e "$sshd_dir/cut.run/wakelat/state"
ended 2 "time_limit: the playbook ends with status 2"
like "$(of cut)" '^failed: .*(Connection|connection|time_limit)' \
	"time_limit: the reason of cut is the broken connection or the time limit"
is "$(of h1)" gave "the counts of a machine that this run of the playbook left out are still there"

# The connection is back. Two machines measure at once.
sshd_start cut
rm "$FLEET_NODES/cut/waits"
run played --limit h2,cut,localhost
is "$status" 2 "--limit: closed still gave nothing"
is "$(of h1) $(of h2) $(of cut)" "gave gave gave" "the others gave their counts" || diag "$out" "$err"
is "$(recordings "$fleet")" 3 "each recording is there once"
done_testing
