#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# CPUs with different idle states (big.LITTLE): record and probe compare the states of the measured CPUs.
# tests/fixtures/cases/hybrid-table tests dump --from-events.
# needs: tools
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/machine.sh"
build_tools
cd "$tmp" || exit 1

make_machine "$tmp/m"
machine_cpu 2 2
machine_cpu 3 3
put /sys/devices/system/cpu/online 0-3
WAKELAT_ROOT=$tmp/m
export WAKELAT_ROOT

# chosen CPUS: choose the CPUs as record and probe do, and print them
cat >choose.sh <<END
set -u
me='wakelat record' journal_tab='	' wakelat=. status_value= source= states_option= cpu_option=\$1
for file in message sysfs cpulist cpuidle; do
	. "$top/scripts/lib/common/\$file.sh"
done
. "$top/scripts/lib/record/record-choices.sh"
choose_cpus
printf '%s %s %s\n' "\$cpu_list" "\$first_cpu" "\$cpu_count"
END
chosen() {
	dash choose.sh "$1"
}
is "$(chosen 0-3)" "0,1,2,3 0 4" "CPUs with the same states are measured together"
machine_state 1 2 C6 200 600
refused "^wakelat record: CPU 0 and CPU 1 have different idle states \(state 2: C6, 133 us, 600 us; C6, 200 us, 600 us\): measure one kind of CPU at a time: --cpu 0,2,3$" \
	"CPUs with different exit latencies are refused" chosen 0-3
is "$(chosen 0,2-3)" "0,2,3 0 3" "the CPUs that the message names are measured together"
is "$(chosen 1)" "1 1 1" "the other CPU is measured alone"
machine_state 1 2 C6 133 900
refused 'state 2: C6, 133 us, 900 us; C6, 133 us, 600 us\).*: --cpu 1$' "CPUs with different target residencies are refused" chosen 1-2
machine_state 1 2 cpu-nap 133 600
refused 'state 2: C6, 133 us, 600 us; cpu-nap, 133 us, 600 us\)' "CPUs with different names of states are refused" chosen 0-1
machine_state 1 2 C6 133 600
machine_state 1 3 C8 200 800
refused 'CPU 0 and CPU 1 .*\(state 3: none; C8, 200 us, 800 us\)' "CPUs with different numbers of states are refused" chosen 0-1
refused 'CPU 1 and CPU 2 .*\(state 3: C8, 200 us, 800 us; none\)' "a second CPU with fewer states is refused" chosen 1-2

if [ "$(id -u)" -eq 0 ] && [ -x "$top/tools/bin/probe" ] && "$top/tools/bin/probe" -K -s passive -c 0 /dev/null /dev/null 2>/dev/null; then
	refused '^wakelat probe: CPU 0 and CPU 1 have different.*--cpu 0,2,3$' "probe refuses CPUs with different states" "$wakelat" probe --cpu 0-3 -o x
	refused '^wakelat probe: CPU 0 and CPU 1 have different.*--cpu 0,2,3$' "probe --export refuses all CPUs of such a machine" \
		"$wakelat" probe --export x
	is "$(find . -name x)" "" "a refused measurement leaves no files"
else
	skip 3 "probe cannot use BPF here"
fi
for part in "$top"/extras/*/tests/kinds.sh; do
	# shellcheck source=/dev/null
	[ ! -e "$part" ] || . "$part"
done
done_testing
