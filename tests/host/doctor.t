#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat doctor on made-up machines. Each machine has one fault.
# needs: tools
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/machine.sh"

wakelat=$top/scripts/wakelat
chmod 755 "$tmp"
WAKELAT_ROOT=$tmp/m
TMPDIR=$tmp/t
mkdir -m 1777 "$TMPDIR"
export WAKELAT_ROOT TMPDIR
make_machine "$tmp/good"
make_card
printf '\0' >"$tmp/zero"

doctor() {
	"$wakelat" doctor --time 0s --cpu 1 "$@"
}

# on_machine [COMMAND...]: make a fresh machine, change it by COMMAND, set $out to doctor's table.
on_machine() {
	rm -rf "$tmp/m"
	cp -a "$tmp/good" "$tmp/m"
	machine=$tmp/m
	[ $# -eq 0 ] || "$@"
	run doctor --tsv
}

# says SEVERITY CHECK ERE NAME: check that $out has a finding that matches.
says() {
	like "$out" "^$2	[^	]*	$1	.*$3" "$4"
}

# --- the machine without faults
on_machine
is "$status" 0 "a machine without faults is usable"
is "$err" "" "a machine without faults: no message on stderr"
is "$(printf '%s\n' "$out" | awk -F '\t' 'NR > 1 && $3 != "ok" { print $1, $3 }')" "" "all findings are ok"
is "$(printf '%s\n' "$out" | awk -F '\t' 'NF != 8 { bad = 1 } { for (i = 1; i <= NF; i++) if ($i == "") bad = 1 } END { print bad + 0 }')" 0 \
	"each line has eight cells, and none is empty"
printf '%s\n' "$out" >"$tmp/table"
is "$(head -n 1 "$tmp/table" | tr '\t' ' ')" "check subject severity value finding change back prepare" "the header of the table"
for check in kernel source hypervisor cpuidle_driver cpuidle_governor clocksource tsc microcode nmi_watchdog soft_watchdog turbo \
	aspm_policy timer_slack timer_migration state cpu_latency_limit latency_limit frequency_governor frequency_range epp epb \
	sibling isolated interrupts throttling c1e_promotion prewake package_limit c1_demotion c3_demotion smi_count tasks timers nic \
	link_speed link_width l1_aspm numa_node nic_affinity link path runtime_pm link_errors; do
	ok "$check is checked" grep -q "^$check	" "$tmp/table"
done
out=$(cat "$tmp/table")
says ok package_limit 'unlimited, locked' "package limit: decoded for this CPU model"
run doctor
is "$out" "usable: 0 unusable, 0 doubts, 0 unknown, 0 notes; $(doctor --all | grep -c '^ok') fine (--all shows them)" \
	"printed for a person: a usable machine takes one line"

# bad STATUS SEVERITY CHECK ERE COMMAND...: change one thing, and check status and finding.
bad() {
	bad_status=$1
	bad_severity=$2
	bad_check=$3
	bad_ere=$4
	shift 4
	on_machine "$@"
	is "$status" "$bad_status" "$*: status"
	says "$bad_severity" "$bad_check" "$bad_ere" "$*: found"
}
append() {
	printf '%s\n' "$2" >>"$tmp/m$1"
}
edit() {
	sed -i "$2" "$tmp/m$1"
}
chosen_clocksource() {
	put /sys/devices/system/clocksource/clocksource0/available_clocksource "tsc hpet acpi_pm"
	put /sys/devices/system/clocksource/clocksource0/current_clocksource "$1"
}
cpu=/sys/devices/system/cpu
cpu1=$cpu/cpu1

bad 2 unusable kernel 'has no wakelat' take /sys/kernel/tracing/wakelat
bad 2 unusable kernel 'not mounted.*mount -t tracefs' take /sys/kernel/tracing
bad 0 note source 'tsc_deadline is unavailable: no deadline' put /sys/kernel/tracing/wakelat/available_sources 'tsc_deadline unavailable: no deadline'
bad 1 doubt hypervisor 'a hypervisor' edit /proc/cpuinfo 's/arat/arat hypervisor/'
bad 0 note hypervisor emulated put /proc/cmdline 'quiet wakelat.testbed=x'
bad 2 unusable cpuidle_driver 'no cpuidle driver' put $cpu/cpuidle/current_driver none
bad 2 unusable states 'CPU 1 has no idle states' take $cpu1/cpuidle
bad 2 unusable boot_parameter 'idle=poll: the CPUs never' put /proc/cmdline idle=poll
bad 1 doubt boot_parameter idle=nomwait put /proc/cmdline 'a idle=nomwait'
bad 1 doubt boot_parameter 'intel_idle.max_cstate=1:' put /proc/cmdline intel_idle.max_cstate=1
bad 2 unusable boot_parameter 'cpuidle.off=1' put /proc/cmdline cpuidle.off=1
bad 1 doubt boot_parameter 'nohz=off' put /proc/cmdline 'a nohz=off b'
bad 0 note cpuidle_driver 'acpi_idle' put $cpu/cpuidle/current_driver acpi_idle
bad 0 note cpuidle_governor "ladder.*echo menu >$cpu/cpuidle/current_governor	echo ladder >.*	idle-governor" put $cpu/cpuidle/current_governor ladder
bad 1 doubt cpuidle_governor 'haltpoll polls' put $cpu/cpuidle/current_governor haltpoll
bad 2 unusable clocksource hpet put /sys/devices/system/clocksource/clocksource0/current_clocksource hpet
bad 0 note clocksource 'samples are still stamped with the TSC' chosen_clocksource hpet
bad 2 unusable tsc 'does not have nonstop_tsc' edit /proc/cpuinfo 's/nonstop_tsc//'
bad 1 doubt tsc 'does not have arat' edit /proc/cpuinfo 's/arat//'
bad 1 doubt microcode '0x2006e05 0x2006e06' edit /proc/cpuinfo '$!b;s/$/\nmicrocode\t: 0x2006e06/'
bad 1 doubt nmi_watchdog 'echo 0 >/proc/sys/kernel/nmi_watchdog	echo 1 >.*	watchdogs' put /proc/sys/kernel/nmi_watchdog 1
bad 0 note soft_watchdog 'soft lockup' put /proc/sys/kernel/soft_watchdog 1
bad 1 doubt turbo 'turbo is on.*frequency$' put $cpu/intel_pstate/no_turbo 0
bad 0 note aspm_policy 'echo powersave >.*	aspm$' put /sys/module/pcie_aspm/parameters/policy 'default performance [powersave]'
bad 0 note timer_migration 'stay on the CPU' put /proc/sys/kernel/timer_migration 0
bad 0 note state "C6: exit latency 133 us, target residency 600 us.*is disabled.*echo 0 >$cpu1/cpuidle/state2/disable" put $cpu1/cpuidle/state2/disable 1
bad 0 ok state 'off by default' put $cpu1/cpuidle/state2/default_status disabled
bad 1 doubt cpu_latency_limit 'is 50 us, which excludes C6.*echo 0 >.*echo 50 >' put $cpu1/power/pm_qos_resume_latency_us 50
bad 1 doubt cpu_latency_limit 'is 0 us, which excludes C1, C6' put $cpu1/power/pm_qos_resume_latency_us n/a
limit_of_20() {
	printf '\024\0\0\0' >"$tmp/m/dev/cpu_dma_latency"
}
bad 1 doubt latency_limit '/dev/cpu_dma_latency is 20 us, which excludes C6' limit_of_20
held() {
	"$1"
	put /proc/77/comm cyclictest
	mkdir -p "$tmp/m/proc/77/fd" "$tmp/m/proc/78/fd"
	put /proc/78/comm 'my daemon'
	ln -s "$2" "$tmp/m/proc/77/fd/3"
	ln -s "$2" "$tmp/m/proc/78/fd/12"
	ln -s "$2" "$tmp/m/proc/78/fd/13"
	ln -s /dev/null "$tmp/m/proc/78/fd/1"
}
bad 1 doubt latency_limit 'C6.*end the program that holds it open: cyclictest \(77\), my daemon \(78\)	' held limit_of_20 /dev/cpu_dma_latency
bad 1 doubt latency_limit 'end the program that holds it open: fuser -v /dev/cpu_dma_latency' held limit_of_20 /dev/cpu_wakeup_latency
wakeup_limit_of_20() {
	printf '\024\0\0\0' >"$tmp/m/dev/cpu_wakeup_latency"
}
bad 1 doubt wakeup_latency_limit '/dev/cpu_wakeup_latency is 20 us, which excludes C6.*fuser -v /dev/cpu_wakeup_latency' wakeup_limit_of_20
says ok latency_limit '/dev/cpu_dma_latency is 2000000000 us' "/dev/cpu_dma_latency allows a longer latency"
bad 1 doubt wakeup_latency_limit 'end the program that holds it open: cyclictest \(77\), my daemon \(78\)	' held wakeup_limit_of_20 /dev/cpu_wakeup_latency
no_wakeup_limit() {
	printf '\377\377\377\177' >"$tmp/m/dev/cpu_wakeup_latency"
}
bad 0 ok wakeup_latency_limit 'is 2147483647 us, which admits' no_wakeup_limit
empty_wakeup_limit() {
	: >"$tmp/m/dev/cpu_wakeup_latency"
}
bad 1 unknown wakeup_latency_limit 'the limit in /dev/cpu_wakeup_latency cannot be read; the device is held open by cyclictest' held empty_wakeup_limit /dev/cpu_wakeup_latency
on_machine
unlike "$out" '^wakeup_latency_limit' "wakeup_latency_limit: no finding before Linux 6.19"
bad 1 doubt frequency_governor "powersave.*echo performance >$cpu1/cpufreq/scaling_governor	echo powersave >.*	governor" put $cpu1/cpufreq/scaling_governor powersave
bad 1 doubt frequency_range '800000 to 2000000 kHz.*echo 2000000 .*frequency$' put $cpu1/cpufreq/scaling_min_freq 800000
bad 0 ok frequency_governor 'no frequency driver' take $cpu1/cpufreq
bad 0 note epp 'balance_power.*	bias$' put $cpu1/cpufreq/energy_performance_preference balance_power
bad 0 note epb '6 \(0: performance' put $cpu1/power/energy_perf_bias 6
bad 1 doubt sibling "CPU 0 is online.*echo 0 >$cpu/cpu0/online	echo 1 >$cpu/cpu0/online	siblings" put $cpu1/topology/thread_siblings_list 0-1
sibling_offline() {
	put $cpu1/topology/thread_siblings_list 1,3
}
bad 0 ok sibling 'no other' sibling_offline
bad 0 note isolated 'not isolated' put $cpu/isolated ''
bad 0 note nohz_full 'context tracking' put $cpu/nohz_full 1-3
bad 1 doubt interrupts '1 device interrupts go to CPU 1: 24 \(nvme0q0\).*	irqs' put /proc/irq/24/effective_affinity_list 0-2
bad 0 ok interrupts 'no device interrupt' put /proc/irq/24/effective_affinity_list 2-7
bad 0 note throttling '17 times' put $cpu1/thermal_throttle/core_throttle_count 17
bad 1 doubt tasks '1	tasks are running on CPU 1: a \) R b \(77\)' put /proc/77/task/77/stat \
	'77 (a ) R b) R 1 1 1 0 -1 4194560 1 1 1 1 1 1 1 1 20 0 1 0 5 1 1 1 1 1 1 1 1 1 1 1 1 1 0 0 17 1 0 0 0 0 0 0'
pending_timers() {
	printf 'cpu: 0\n #0: <0>, x, S:01\ncpu: 1\n #0: <0>, tick_nohz_handler, S:01\n #1: <0>, hrtimer_wakeup, S:01\n #2: <0>, hrtimer_wakeup, S:01\nTick Device: mode: 1\n #9: y\n' \
		>"$tmp/m/proc/timer_list"
}
bad 0 ok timers '3	timers pending on CPU 1: 1 tick_nohz_handler, 2 hrtimer_wakeup' pending_timers

# Registers: the bits that doctor decodes, and commands that change only these bits.
bad 1 doubt c1e_promotion 'C1E promotion is on.*wrmsr -p 1 0x1fc 0x40000000	wrmsr -p 1 0x1fc 0x40000002' put_msr 1 0x1fc '\002\0\0\0100\0\0\0\0'
bad 0 note prewake 'not switched off.*wrmsr -p 1 0x1fc 0x140000000	wrmsr -p 1 0x1fc 0x100000000' put_msr 1 0x1fc '\0\0\0\0\001\0\0\0'
prewake_ice_lake() {
	edit /proc/cpuinfo 's/^model	.*/model		: 106/'
	put_msr 1 0x1fc '\0\0\0\0\0\0\0\0'
}
bad 1 doubt prewake 'not switched off' prewake_ice_lake
bad 1 doubt c1_demotion 'demotion to C1 is on.*wrmsr -p 1 0xe2 0x7	wrmsr -p 1 0xe2 0x4000007' put_msr 1 0xe2 '\007\0\0\004\0\0\0\0'
bad 1 doubt c3_demotion 'demotion to C3 is on' put_msr 1 0xe2 '\007\0\0\002\0\0\0\0'
bad 0 note package_limit 'PC2' put_msr 1 0xe2 '\001\0\0\0\0\0\0\0'
bad 0 ok package_limit 'PC6R' put_msr 1 0xe2 '\003\0\0\0\0\0\0\0'
bad 1 unknown package_limit 'unknown \(code 5\)' put_msr 1 0xe2 '\005\0\0\0\0\0\0\0'
new_model() {
	edit /proc/cpuinfo 's/^model	.*/model		: 250/'
}
bad 1 unknown package_limit 'unknown \(code 7\)' new_model
bad 1 unknown msr 'does not exist.*modprobe msr' take /dev/cpu/1/msr
other_vendor() {
	edit /proc/cpuinfo 's/GenuineIntel/AuthenticAMD/'
}
on_machine other_vendor
unlike "$out" '^(msr|c1e_promotion|package_limit|prewake)' "a CPU of another vendor: no finding about Intel's registers"

# --- the network card
card_files=/sys/devices/pci0000:00/0000:00:1c.0/0000:05:00.0
bad 1 doubt link_speed '2.5 GT/s PCIe, the card supports 5.0 GT' put $card_files/max_link_speed '5.0 GT/s PCIe'
bad 1 doubt link_width 'width 1, the card supports 4' put $card_files/max_link_width 4
bad 1 doubt l1_aspm "may enter L1: .*echo 0 >/sys/bus/pci/devices/0000:05:00.0/link/l1_aspm	echo 1 >.*	aspm" put $card_files/link/l1_aspm 1
bad 1 doubt l0s_aspm 'may enter L0s:' put $card_files/link/l0s_aspm 1
bad 1 doubt l1_2_aspm 'may enter L1.2:' put $card_files/link/l1_2_aspm 1
bad 1 unknown aspm 'no PCIe registers to read' take $card_files/link
# registers_say ESCAPE: remove the kernel's files, and write the configuration space.
registers_say() {
	take $card_files/link
	card_real=$card_files
	put_config "$1"
}
bad 0 ok aspm 'does not sleep' registers_say '\0'
bad 1 doubt aspm 'may enter L0s and L1: .*setpci -s 0000:05:00.0 CAP_EXP\+10.w=0:3	setpci .*=3:3' registers_say '\003'
bad 1 doubt aspm 'may enter L1: ' registers_say '\102'
bad 1 doubt numa_node 'node 1, CPU 1 on node 0' put $card_files/numa_node 1
bad 0 ok numa_node 'one NUMA node' put $card_files/numa_node -1
two_nodes() {
	put $card_files/numa_node -1
	mkdir -p "$tmp/m/sys/devices/system/node/node1"
}
bad 1 unknown numa_node 'firmware does not say' two_nodes
bad 0 note link 'eth5 has no link \(down\)' eval "put $card_files/net/eth5/carrier 0; put $card_files/net/eth5/operstate down"
bad 0 note link 'no network interface' take $card_files/net
bad 1 doubt path 'shared with 0000:05:00.1' put "${card_files%/*}/0000:05:00.1/vendor" 0x8086
bad 0 note runtime_pm 'put to sleep.*echo on >.*echo auto >' put $card_files/power/control auto
bad 1 doubt link_errors '12 correctable' edit $card_files/aer_dev_correctable 's/COR 0/COR 12/'
on_machine
run doctor --tsv --nic 00:1c.0
says note nic 'not an i210' "a card that is not an i210, by a short address"
on_machine take /sys/bus/pci/devices/0000:05:00.0
unlike "$out" '^nic	' "without a card, there is no finding about cards"

# --- watching. No file of the made-up machine changes by itself, so a fake sleep changes some.
on_machine
mkdir "$tmp/bin"
cat >"$tmp/bin/sleep" <<END
#!/bin/sh
printf '1251\n' >'$tmp/m$cpu1/cpuidle/state1/usage'
printf '           CPU0       CPU1\n LOC:  5 260 Local timer interrupts\n  24:  1 3 PCI-MSI nvme0q0\n' >'$tmp/m/proc/interrupts'
printf '\010' | dd of='$tmp/m/dev/cpu/1/msr' bs=1 seek=52 conv=notrunc 2>/dev/null
END
chmod +x "$tmp/bin/sleep"
run env PATH="$tmp/bin:$PATH" "$wakelat" doctor --cpu 1 --tsv
is "$status" 1 "wake-ups and SMIs while watching: status 1 (doubts)"
says doubt wakeups 'woke up 251 times in 1 s; interrupts: LOC 260, 24: nvme0q0 3' "wakeups: counted, with interrupts"
says doubt smi '3 SMIs in 1 s' "smi: SMIs are counted"

# Text for a person: the worst findings first, the commands that change and restore settings, and what record can change.
on_machine
put $cpu1/cpufreq/scaling_governor powersave
put $cpu1/power/energy_perf_bias 6
put /proc/sys/kernel/nmi_watchdog 1
put $cpu/cpuidle/current_driver none
run doctor
is "$status" 2 "an unusable machine: status 2"
is "$(printf '%s\n' "$out" | awk '/^[a-z]+ +(CPU|machine|0000)/ { print $1 }' | paste -sd ' ' -)" "unusable doubt doubt note" "the worst findings are printed first"
like "$out" '^ +change: echo performance >' "a finding has the command that changes the setting"
like "$out" '^ +back:   echo powersave >' "a finding has the command that restores the setting"
like "$out" '^not usable: 1 unusable, 2 doubts, 0 unknown, 1 notes' "the first word of the summary is the verdict"
like "$out" '^wakelat record --prepare watchdogs,governor,bias ' "the record --prepare command is printed"

# Doctor without root: what it cannot read is reported as unknown.
as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
if [ "$(id -u)" -eq 0 ] && $as_nobody test -x "$wakelat" 2>/dev/null; then
	on_machine
	chmod 0 "$tmp/m/dev/cpu/1/msr" "$tmp/m/sys/kernel/tracing" "$tmp/m/proc/timer_list" "$tmp/m/dev/cpu_dma_latency" \
		"$tmp/m$cpu1/cpufreq/scaling_governor" "$tmp/m/proc/irq/24/effective_affinity_list"
	run $as_nobody "$wakelat" doctor --time 0s --cpu 1 --tsv
	is "$status" 1 "not root: status 1 (doubts)"
	is "$(printf '%s\n' "$out" | awk -F '\t' '$3 == "unknown" { print $1 }' | sort | paste -sd ' ' -)" \
		"frequency_governor interrupts kernel latency_limit msr timers" "not root: the checks that are unknown"
	is "$(printf '%s\n' "$out" | awk -F '\t' '$3 == "unknown" && $5 !~ /run as root/' | wc -l)" 0 \
		"not root: each unknown check says to run as root"
	is "$(printf '%s\n' "$out" | awk -F '\t' '$3 == "unknown" && $4 != "-"' | wc -l)" 0 "not root: no value is guessed"
	is "$err" "" "not root: no message on stderr"
else
	skip 5 "not root, or nobody cannot read $top"
fi

# --- wrong usage
# wrong ERE OPTION...: check that doctor refuses the options.
wrong() {
	wrong_ere=$1
	shift
	refused "^wakelat doctor: $wrong_ere" "doctor refuses $*" "$wakelat" doctor --time 0s "$@"
	is "$status" 3 "doctor $*: status"
}
on_machine
wrong "unknown option '-x'" -x
wrong "unexpected argument '1'" 1
wrong '--cpu needs a value' --cpu
wrong "--cpu: '1-' is not a list" --cpu 1-
wrong 'there is no CPU 7: the machine has 0-1' --cpu 7
wrong 'there is no PCI device 99:00.0' --nic 99:00.0
wrong 'there is no PCI device ..' --nic ..
wrong "--time: '5' is not" --time 5
put $cpu/online 0
wrong 'CPU 1 is offline: echo 1' --cpu 1
refused 'cannot write temporary files in /.*: File too large' "doctor fails on a full disk" sh -c "ulimit -f 1; '$wakelat' doctor --cpu 0"
is "$(ls "$TMPDIR")" "" "a failed doctor leaves no temporary files"

# --- each shell that doctor may run in
on_machine
for shell in dash "busybox sh"; do
	is "$($shell "$top/scripts/commands/doctor" --time 0s --cpu 1 --tsv | md5sum)" "$(printf '%s\n' "$out" | md5sum)" \
		"doctor prints the same table in $shell"
done
done_testing
