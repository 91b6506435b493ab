#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The example of a Slurm epilog ends and restores only recordings of its own job. long/fleet-run.t kills jobs.
# needs: nothing
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/tests/lib/journal.sh"
[ "$(id -u)" -eq 0 ] && unshare -m sh -c 'mount -t tmpfs none /run' 2>/dev/null || skip_all "no mount namespaces here"
cd "$tmp" || exit 1
journal_owner_script

# A recording belongs to its Slurm job even if it runs under sudo, which drops SLURM_JOB_ID.
settings s 1
touch wait
for job in 4711 4712; do
	run in_run size=512k 'SLURM_JOB_ID=4711 sh -c "env -i PATH=$PATH $1/owner $1/s & wait" &
		until [ "$(grep -c ^set /run/wakelat/state 2>/dev/null)" = "$4" ]; do sleep 0.1; done
		SLURM_JOB_ID=$3 timeout 50 "$2"; echo "epilog $?"; ls /run/wakelat 2>/dev/null | grep -c state; owner=$(sed -n "s/^owner\t\([0-9]*\)\t.*/\1/p" /run/wakelat/state 2>/dev/null)
		[ -z "$owner" ] || kill "$owner"; wait' "$tmp" "$top/extras/fleet/epilog" "$job" "$(find s -type f | wc -l)"
	case $job in
	4711) is "$(printf '%s\n' "$out" | tr '\n' ' ')$(changed s)" "epilog 0 0 " "the epilog ends what its own job has left under sudo" ;;
	*) is "$(printf '%s\n' "$out" | tr '\n' ' ')$(changed s)" "epilog 0 1 " "the epilog does not end the recording of another job" ;;
	esac
done
rm -f wait
done_testing
