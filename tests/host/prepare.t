#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Test what record --prepare changes and restores on machines unlike the testbed, and test the journal.
# testbed/kill.t has the other tests of the journal.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/machine.sh"

WAKELAT_ROOT=$tmp/m
export WAKELAT_ROOT
make_machine "$tmp/good"
make_card
machine=$tmp/good
put /sys/devices/system/cpu/cpu1/cpufreq/scaling_governor powersave
put /sys/devices/system/cpu/cpu1/cpufreq/scaling_min_freq 800000
put /sys/devices/system/cpu/cpu1/cpufreq/scaling_max_freq 3600000
put /sys/devices/system/cpu/cpu1/cpufreq/energy_performance_preference balance_power
put /sys/devices/system/cpu/cpu1/power/energy_perf_bias 6
put /sys/devices/system/cpu/intel_pstate/no_turbo 0
put /sys/devices/system/cpu/cpuidle/current_governor teo
put /proc/sys/kernel/nmi_watchdog 1
put /proc/sys/kernel/soft_watchdog 1
put /proc/sys/kernel/timer_migration 0
# The test uses a plain file, so only the write is checked. The kernel's policy file would mark the
# selected policy with brackets.
put /sys/module/pcie_aspm/parameters/policy '[default] performance powersave'
put /sys/devices/pci0000:00/0000:00:1c.0/0000:05:00.0/link/l1_aspm 1
put /proc/irq/24/smp_affinity_list 0-1
put /proc/irq/25/smp_affinity_list 0
mkdir -p "$tmp/good/proc/irq/25/eth0"
put /proc/irq/26/smp_affinity_list 0-1

cat >"$tmp/shell" <<'END'
set -u
me=test
root=
. "$lib/common/message.sh"
. "$lib/common/units.sh"
. "$lib/common/cpulist.sh"
. "$lib/common/sysfs.sh"
. "$lib/common/journal.sh"
. "$lib/common/cpuidle.sh"
. "$lib/doctor/doctor-all.sh"
. "$lib/record/prepare.sh"
journal_dir=$TMP/journal
journal_file=$journal_dir/state
work_dir=$journal_dir/work
undone() {
	:
}
# A file of sysfs has the new value only. dd does not truncate, so it would leave old text in a plain file.
write_value() {
	printf '%s\n' "$2" >"$1"
}
source=i210
cpus=1
cpu_list=1
END

# in_machine COMMANDS: run COMMANDS in a shell with the libraries, on a fresh machine unless $keep is set.
in_machine() {
	[ -n "${keep-}" ] || {
		rm -rf "$tmp/m" "$tmp/journal"
		cp -a "$tmp/good" "$tmp/m"
	}
	{
		cat "$tmp/shell"
		printf '%s\n' "$1"
	} >"$tmp/commands"
	run env here="$top/scripts" lib="$top/scripts/lib" TMP="$tmp" dash "$tmp/commands"
}
now() {
	cat "$tmp/m$1"
}

cpu1=/sys/devices/system/cpu/cpu1
in_machine 'journal_begin; prepare_machine $(preparation_list all)'
is "$status" 0 "prepare all succeeds"
is "$(now $cpu1/cpufreq/scaling_governor)" performance "prepare governor sets performance"
is "$(now $cpu1/cpufreq/scaling_min_freq) $(now $cpu1/cpufreq/scaling_max_freq)" "2000000 2000000" \
	"prepare frequency sets the base frequency"
is "$(now /sys/devices/system/cpu/intel_pstate/no_turbo)" 1 "prepare frequency switches turbo off"
is "$(now $cpu1/cpufreq/energy_performance_preference) $(now $cpu1/power/energy_perf_bias)" "performance 0" \
	"prepare bias sets performance and 0"
is "$(now /proc/sys/kernel/nmi_watchdog)$(now /proc/sys/kernel/soft_watchdog)$(now /proc/sys/kernel/timer_migration)" 001 \
	"prepare watchdogs and timers switches off watchdogs and timer migration"
is "$(now /sys/module/pcie_aspm/parameters/policy | head -n 1)" performance "prepare aspm sets the policy performance"
is "$(now /sys/devices/pci0000:00/0000:00:1c.0/0000:05:00.0/link/l1_aspm)" 0 "prepare aspm switches off L1 on the card's link"
is "$(now /proc/irq/24/smp_affinity_list) $(now /proc/irq/26/smp_affinity_list)" "0 0-1" \
	"prepare irqs moves only interrupts that a driver has requested"
is "$(now /sys/devices/system/cpu/cpuidle/current_governor)" menu "prepare idle-governor sets menu"
is "$(now /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor)" performance "the settings of another CPU are unchanged"
# Another process restores from the journal alone, as wakelat restore does.
keep=yes
in_machine 'journal_undo'
is "$status" 0 "the journal is undone"
printf '[default] performance powersave\n' >"$tmp/m/sys/module/pcie_aspm/parameters/policy"
ok "undo restores each file" diff -r "$tmp/good" "$tmp/m"
not_ok "undo removes the journal" test -e "$tmp/journal/state"
keep=

# A CPU that goes offline loses settings. They are noted before, and restored after it is online again.
put /proc/irq/24/smp_affinity_list 1
cpus_offline='cpus=0; cpu_list=0; journal_begin; prepare_machine others'
in_machine "$cpus_offline; printf '0-1\n' >\"\$root/proc/irq/24/smp_affinity_list\"; printf '1\n' >\"\$root$cpu1/cpuidle/state2/disable\""
is "$status" 0 "prepare others succeeds"
is "$(now $cpu1/online) $(now /sys/devices/system/cpu/cpu0/online)" "0 1" \
	"prepare others: the CPU that is not measured is offline"
order=$(grep -n 'online' "$tmp/journal/state" | cut -d : -f 1)
ok "the journal lists a CPU's settings before its file online" \
	test "$order" -gt "$(grep -n 'cpu1/cpuidle/state2/disable' "$tmp/journal/state" | cut -d : -f 1)"
ok "the journal lists an interrupt bound to the CPU before the CPU's file online" \
	test "$order" -gt "$(grep -n 'irq/24' "$tmp/journal/state" | cut -d : -f 1)"
not_ok "the journal does not list an interrupt that other CPUs may handle" grep -q 'irq/25' "$tmp/journal/state"
keep=yes
in_machine 'journal_undo'
ok "undo after prepare others restores each file" diff -r "$tmp/good" "$tmp/m"
keep=
in_machine 'rm "$root/sys/devices/system/cpu/cpu1/online"; cpus=0; cpu_list=0; journal_begin; prepare_machine others'
is "$status" 0 "a CPU that cannot go offline is not an error"
like "$err" 'CPU 1 cannot go offline' "a CPU that cannot go offline is named"
in_machine 'printf "0-1\n" >"$root/sys/devices/system/cpu/cpu1/topology/thread_siblings_list"; journal_begin; prepare_machine siblings'
is "$(now /sys/devices/system/cpu/cpu0/online) $(now $cpu1/online)" "0 1" "prepare siblings: the sibling is offline"

# A change that fails is reported. The exit path of record undoes the earlier changes.
in_machine 'write_value() {
	case $1 in
	*scaling_governor) write_error="Invalid argument"; return 1 ;;
	esac
	printf "%s\n" "$2" >"$1"
}
journal_begin
(prepare_machine governor bias)
status=$?
journal_undo
exit $status'
is "$status" 1 "a governor that cannot be changed: status 1"
like "$err" 'cpu1/cpufreq/scaling_governor: cannot write performance: Invalid argument' \
	"a governor that cannot be changed: a message names file and error"
ok "a governor that cannot be changed: each file is restored" diff -r "$tmp/good" "$tmp/m"
in_machine 'write_value() {
	case $1 in
	*/irq/24/*) write_error="Input/output error"; return 1 ;;
	esac
	printf "%s\n" "$2" >"$1"
}
printf "0-1\n" >"$root/proc/irq/25/smp_affinity_list"
journal_begin
prepare_machine irqs'
is "$status" 0 "an interrupt that cannot be moved is no error"
like "$err" '1 interrupts were moved to CPU 0, 1 cannot be moved' "an interrupt that cannot be moved is counted"
in_machine 'rm -r "$root/sys/devices/system/cpu/cpu1/cpufreq" "$root/sys/devices/system/cpu/intel_pstate" "$root/sys/module" "$root/proc/sys" "$root/sys/devices/system/cpu/cpu1/power"
journal_begin
prepare_machine governor frequency bias aspm watchdogs timers'
is "$status" 0 "settings that the machine does not have are not an error"
is "$(printf '%s\n' "$err" | grep -c 'there is no\|has no\|cannot migrate')" 7 \
	"each setting that the machine does not have is named"

# A signal arrives after the journal's directory was made, but before the journal.
in_machine 'journal_make_dir; journal_is_ours || journal_not_begun; ls "$journal_dir"
journal_begin; journal_not_begun; ls "$journal_dir"'
like "$err" 'journal.: No such file' "a signal before there is a journal: no file is left"
is "$out" "state
work" "a journal that was begun is kept"

# within_cpus returns 0 if each CPU of a list is one of the given CPUs, and 1 if not or if the list
# is empty. prepare.sh uses it to find interrupts and tasks whose CPUs all go offline.
in_machine 'for list in 1 1,3 2-3 0-1 1,4 "" 3-1000; do within_cpus "$list" "1 2 3" && echo "$list"; done'
is "$(printf '%s' "$out" | tr '\n' ' ')" "1 1,3 2-3" \
	"within_cpus succeeds if each CPU of a list is given"

# The journal: only the first value of a file is restored; a journal of another boot is not applied.
in_machine 'journal_begin; change "$root/proc/sys/kernel/nmi_watchdog" 0; change "$root/proc/sys/kernel/nmi_watchdog" 3
change_back "$root/proc/sys/kernel/nmi_watchdog"; cat "$root/proc/sys/kernel/nmi_watchdog"
journal_rebooted && echo rebooted; sed -i "s/^boot.*/boot	other/" "$journal_file"; journal_rebooted && echo rebooted'
is "$(printf '%s' "$out" | tr '\n' ' ')" "1 rebooted" "undo restores the first value, and detects another boot"


# --- the table of settings names no other preparation

is "$(cut -f 2 "$top/scripts/lib/doctor/settings.tsv" | sed 1d | sort -u | while read -r name; do
	grep -qE "^preparations='(.* )?$name( .*)?'" "$top/scripts/lib/record/prepare.sh" || [ "$name" = - ] || printf '%s\n' "$name"
done)" "" "each preparation of settings.tsv is one of --prepare"
done_testing
