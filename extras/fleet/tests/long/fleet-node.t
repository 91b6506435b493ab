#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The example of a Slurm batch script, without Slurm. Check what a node leaves in the shared directory
# if it has measured, if it cannot measure, if its measurement is killed, and if its job is killed
# and the signal reaches the script a little later.
# needs: nothing
. "$(dirname "$0")/../../../../tests/lib/tap.sh"

[ "$(id -u)" -eq 0 ] || skip_all "only root can measure"
cd "$tmp" || exit 1
mkdir jobs
# Stand-ins for wakelat fleet measure -q -o OUT --name NAME ... -- WORD...
# shellcheck disable=SC2016  # these are for the other shell
{
	printf '#!/bin/sh\nmkdir "$5" && printf "%%s\\n" "$*" >"$5/$7.log" && : >"$5/$7.counts"\n' >gives
	printf '#!/bin/sh\nmkdir "$5" && echo "refused: doctor: no" >"$5/$7.reason"; exit 3\n' >refuses
	printf '#!/bin/sh\nkill -TERM $$\n' >alone
	printf '#!/bin/sh\n(sleep 0.3; kill -TERM "$PPID") &\nkill -TERM $$\n' >together
	printf '#!/bin/sh\nmkdir "$5" && trap "echo failed: ended >\\"$5/$7.reason\\"; exit 143" TERM; kill -TERM "$PPID"; sleep 5 & wait\n' >cancelled
}
chmod +x gives refuses alone together cancelled
# job NAME [PROGRAM]: run the batch script on node NAME, with PROGRAM (NAME if not given) as wakelat
job() {
	run env SLURMD_NODENAME="$1" SLURM_JOB_ID=7 SLURM_JOB_START_TIME=1 WAKELAT="$tmp/${2-$1}" "$top/extras/fleet/measure.sbatch" "$tmp/jobs" \
		probe -n "5 6"
}
job gives
is "$status $(names jobs)" "0 gives.counts gives.log" "a node that gives its counts leaves no reason"
like "$(cat jobs/gives.log)" '^fleet measure -q -o .* --name gives --clock 1 -- probe -n 5 6$' \
	"the batch script passes its options to fleet measure"
job refuses
is "$status $(cat jobs/refuses.reason)" "3 refused: doctor: no" "a node that refuses leaves the reason"
job gives refuses
is "$(cat jobs/gives.reason) $(test -e jobs/gives.counts && echo counts)" "refused: doctor: no " "a node that refuses has no counts of an earlier job"
job nowhere
is "$status $(cat jobs/nowhere.reason)" "3 refused: there is no $tmp/nowhere on this node" "a node without wakelat says so"
job alone
is "$status $(cat jobs/alone.reason)" "143 failed: wakelat fleet measure ended with status 143, and said nothing" \
	"a killed measurement leaves a reason"
job together
is "$status $(cat jobs/together.reason)" "143 failed: its job 7 began and did not end: cancelled, killed, or the node went down" \
	"a killed job leaves a reason"
job cancelled
is "$status $(cat jobs/cancelled.reason)" "143 failed: ended" \
	"a cancelled job ends its measurement, and copies the reason that the measurement left"
run env SLURMD_NODENAME=full WAKELAT="$tmp/gives" "$top/extras/fleet/measure.sbatch" "$tmp/nowhere" probe
is "$status" 1 "a missing directory: the job fails"
done_testing
