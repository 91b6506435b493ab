#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The job of a node of a Slurm cluster, whose measurement is killed: alone, or with the job, and the job's own signal comes a little
# later. Without Slurm.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"

[ "$(id -u)" -eq 0 ] || skip_all "only root can measure"
cd "$tmp" || exit 1
mkdir -p jobs
printf 'probe\n' >jobs/command
printf '#!/bin/sh\nkill -TERM $$\n' >alone
# shellcheck disable=SC2016  # these are for the other shell
printf '#!/bin/sh\n(sleep 0.3; kill -TERM "$PPID") &\nkill -TERM $$\n' >together
chmod +x alone together
for what in alone together; do
	run env SLURMD_NODENAME="$what" SLURM_JOB_START_TIME=1 "$top/scripts/lib/fleet/node.sh" "$tmp/jobs" "$tmp/$what" 1
	is "$status" 143 "killed $what: status"
done
like "$(cat jobs/nodes/alone/state.tsv)" '^reason	wakelat fleet measure said nothing, and ended with status 143$' "killed alone: said"
like "$(cat jobs/nodes/together/state.tsv)" '^state	began$' "killed together: the job was ended, which its silence says"
done_testing
