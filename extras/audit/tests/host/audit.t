#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat audit: each kind of finding, in made-up device trees, ACPI tables, kernel trees and machines; damaged input is refused.
# needs: tools
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/tests/lib/machine.sh"

wakelat=$top/scripts/wakelat
fixtures=$top/extras/audit/tests/fixtures
for program in dtc cpp iasl acpiexec; do
	command -v "$program" >/dev/null || bail "$program is missing: scripts/dev/packages audit"
done
cd "$tmp" || exit 1
chmod 755 "$tmp"

# findings PATH...: run audit; set $out to the number, state and text of each finding.
findings() {
	run "$wakelat" audit --tsv "$@"
	out=$(printf '%s\n' "$out" | sed 1d | cut -f 1,4,5)
}

# has NUMBER STATE ERE NAME: check that $out has a finding that matches.
has() {
	like "$out" "^$1	$2	$3" "$4"
}

# --- a device tree
findings "$fixtures/foreign/board.dts"
is "$status $err" "4 " "a tree with faults: status 4"
has A1 sleep-low 'latency 3000 us, residency 2999 us' "A1: entry and exit together are above the residency"
has A1 cluster-sleep 'latency 10200 us, residency 9826 us' "A1: a domain's latency is above its residency"
has A2 sleep-early 'latency 2600 us; the previous state, sleep-low, has a longer latency, 3000 us' "A2: wakeup-latency-us overrides the sum"
has A3 sleep-early 'residency 2800 us; the previous state, sleep-low, has a longer residency, 2999 us' "A3: a deeper state has a shorter residency"
has A4 sleep-same 'residency 1000 us; the previous state, sleep-good, has the same' "A4: a CPU state as deep as its power domain's"
has A5 sleep-short 'without exit-latency-us,min-residency-us' "A5: the missing properties are named"
has A6 cluster-lasting 'without min-residency-us' "A6: a domain's state without residency"
has A7 - 'number 2 of the list' "A7: a list of states has a node that is not a state"
has A8 sleep-alone 'no CPU has it' "A8: no CPU belongs to a domain that has states"
has A16 sleep-early 'wake-up 2600 us, entry 1000 us and exit 1500 us' "A16: the wake-up latency is above entry plus exit"
unlike "$out" "^[^	]*	sleep-(off|good)" "neither a disabled state nor a correct state has a finding"
like "$("$wakelat" audit --tsv "$fixtures/foreign/board.dts")" '^A1	fault	[^	]*/board.dts:44	sleep-low' "a finding names the line of the source file"
dtc -q -O dtb -o board.dtb "$fixtures/foreign/board.dts"
printf '%s\n' "$out" >source
findings board.dtb
printf '%s\n' "$out" >compiled
same compiled source "the compiled tree has the same findings as its source"
run "$wakelat" audit --states board.dtb
like "$out" '^  sleep-good +300 +1000 0x10000 +yes$' "--states: prints latency, residency, parameter, and whether the timer stops"
# fdtget reads the same numbers of a state.
is "$(for name in entry exit; do fdtget board.dtb /cpus/idle-states/sleep-low "$name-latency-us"; done | paste -sd + - | xargs -I X sh -c 'echo $((X))')" \
	3000 "fdtget and audit read the same latency"

# --- a kernel tree
boards=linux/arch/arm64/boot/dts
mkdir -p $boards/maker linux/include/dt-bindings linux/drivers/idle linux/arch/x86/include/asm
: >linux/Kconfig
sed -n '/idle-states {/,/^		};/p' "$fixtures/foreign/board.dts" >states
# chip NAME STATE: write a .dtsi with one CPU that has STATE.
chip() {
	{
		printf '/dts-v1/;\n/ { #address-cells = <1>; #size-cells = <1>; cpus { #address-cells = <1>; #size-cells = <0>;\n'
		printf 'cpu@0 { device_type = "cpu"; reg = <0>; cpu-idle-states = <&%s>; };\nidle-states {\n' "$2"
		sed -n "/$2: /,/};/p" "$fixtures/foreign/board.dts"
		printf '}; }; };\n'
	} >"$boards/maker/$1.dtsi"
}
chip new low
chip old low
chip other good
for board in new-a new-b old-a other-a; do
	printf '#include "%s.dtsi"\n#include <dt-bindings/none.h>\n' "${board%-?}" >"$boards/maker/$board.dts"
done
: >linux/include/dt-bindings/none.h
printf '#include "new.dtsi"\n&low { min-residency-us = <9999>; };\n' >"$boards/maker/new-mended.dts"
printf '/ { x { compatible = "arm,idle-state"; }; };\n' >"$boards/maker/unused.dtsi"
cat >linux/arch/x86/include/asm/intel-family.h <<'END'
#define INTEL_OLD			IFM(6, 0x4E) /* a comment */
#define INTEL_NEW			IFM(6, 0x5E)
END
cat >linux/drivers/idle/intel_idle.c <<'END'
static struct cpuidle_state one_cstates[] __initdata = {
	{
		.name = "C1",
		.flags = MWAIT2flg(0x00),
		.exit_latency = 2,
		.target_residency = 2, },
	{
		.name = "C6",
		.flags = MWAIT2flg(0x20) | CPUIDLE_FLAG_TLB_FLUSHED,
		.exit_latency = 300,
		.target_residency = 275, },
	{
		.enter = NULL }
};
static const struct idle_cpu idle_cpu_one __initconst = {
	.state_table = one_cstates,
};
static const struct idle_cpu idle_cpu_bare __initconst = {
	.disable_promotion_to_c1e = true,
};
	X86_MATCH_VFM(INTEL_OLD,		&idle_cpu_one),
	X86_MATCH_VFM(INTEL_NEW, &idle_cpu_one),
	X86_MATCH_VFM(INTEL_BARE, &idle_cpu_bare),
END
findings linux
is "$status" 4 "a kernel tree with faults: status 4"
is "$(printf '%s\n' "$out" | grep -c '^A1	sleep-low')" 2 "a finding in a shared file is printed once per file"
has A9 sleep-low 'entry 1000, exit 2000, residency 2999 us in 2 files: new.dtsi, old.dtsi' "A9: two chips with the same numbers"
has A9 C1 'table one_cstates is that of 2 models: INTEL_OLD=06-4e, INTEL_NEW=06-5e' "A9: two CPU models with one table"
has A1 C6 'latency 300 us, residency 275 us' "A1: a state in a table of intel_idle"
like "$err" 'linux: idle states in files that no board includes are left out: arch/arm64/boot/dts/maker/unused.dtsi' "a warning names the files that no board includes"
run "$wakelat" audit linux
like "$out" '^Device trees: 3 states of CPUs in 3 sets' "a set of states that a board changes is counted as another set"
like "$out" '^intel_idle: 2 states in 1 table, for 3 CPU models \(1 of them without a table: ACPI\)' "the summary counts the tables"
findings linux/drivers/idle/intel_idle.c
has A9 C1 '.*INTEL_OLD=06-4e' "intel_idle.c alone: the CPU models' numbers come from the kernel tree around it"
like "$("$wakelat" audit --tsv "$boards/maker/new-a.dts")" '	arch/arm64/boot/dts/maker/new.dtsi:[0-9]+	' \
	"a .dts in a kernel tree is compiled with the tree's includes"

# --- ACPI tables
sed 's/"SSDT"/"DSDT"/; /External/d' "$fixtures/ssdt.asl" >dsdt.asl
iasl -p dsdt dsdt.asl >iasl.log 2>&1 || bail "iasl: $(tail -n 1 iasl.log)"
findings dsdt.aml
is "$status" 4 "ACPI tables with faults: status 4"
has A1 PowerDown 'latency 5000 us, residency 3000 us' "A1: a state of _LPI, which Linux takes without checking"
has A17 C1 '.*read from memory' "A17: a latency that the table reads from memory is unknown"
is "$(printf '%s\n' "$out" | wc -l)" 2 "ACPI tables: there are two findings"
run "$wakelat" audit --states dsdt.aml
like "$out" '^  C2 +41 +- 0x20 ' "--states: prints latency and hint of a _CST state"

# --- a machine
WAKELAT_ROOT=$tmp/m
export WAKELAT_ROOT
make_machine "$tmp/good"
# on_machine [COMMAND...]: make a fresh machine, change it by COMMAND, set $out to its findings.
on_machine() {
	rm -rf "$tmp/m"
	cp -a "$tmp/good" "$tmp/m"
	machine=$tmp/m
	[ $# -eq 0 ] || "$@"
	findings
}
cpu1=/sys/devices/system/cpu/cpu1
on_machine
is "$status$out$err" 0 "a correct machine has no finding"
run "$wakelat" audit
like "$out" '^CPU 0-1 \(2 CPUs\)' "CPUs with one table are shown together"
like "$out" '^  C6 +133 +600 .* 2000 .* no$' "the usage of a state is summed over these CPUs"
both() {
	put /sys/devices/system/cpu/cpu0/cpuidle/state2/"$1" "$2"
	put $cpu1/cpuidle/state2/"$1" "$2"
}
on_machine both residency 100
has A1 C6 'latency 133 us, residency 100 us' "machine A1: the residency is below the latency"
on_machine both latency 1
has A2 C6 'latency 1 us; the previous state, C1, has a longer latency, 2 us' "machine A2: a deeper state has a lower latency"
on_machine both residency 1
has A3 C6 'residency 1 us; the previous state, C1, has a longer residency' "machine A3: a deeper state has a shorter residency"
on_machine both latency 0
has A15 C6 'latency 0 us' "machine A15: a state has latency 0"
on_machine put $cpu1/cpuidle/state2/latency 90
has A13 - '2 tables: CPU 0; CPU 1' "machine A13: CPUs differ"
on_machine put $cpu1/cpuidle/state2/disable 1
is "$status$out" 0 "a state disabled on one CPU does not count as another table"
on_machine put $cpu1/power/pm_qos_resume_latency_us 1
has A11 - 'allows 1 us, the lowest latency of a state that sleeps is 2 us' "machine A11: a limit that admits no state"
limit_without_latency() {
	rm "$tmp"/m/sys/devices/system/cpu/cpu[01]/cpuidle/state2/latency
	put $cpu1/power/pm_qos_resume_latency_us 1
}
on_machine limit_without_latency
has A11 - 'allows 1 us, the lowest latency of a state that sleeps is 2 us' "machine A11: a state without a latency does not hide the finding"
on_machine put $cpu1/power/pm_qos_resume_latency_us n/a
has A11 - 'allows 0 us' "machine A11: n/a is a limit of 0"
on_machine put $cpu1/power/pm_qos_resume_latency_us 50
is "$status$out" 0 "a latency limit that admits a sleeping state is not a finding"
like "$("$wakelat" audit)" '^Latency limit: 50 us \(/sys/.*/cpu1/power/pm_qos_resume_latency_us\) admits POLL, C1, not C6$' \
	"the states that a latency limit admits are named"
limit_and_tables() {
	put $cpu1/power/pm_qos_resume_latency_us 100
	put $cpu1/cpuidle/state2/latency 90
}
on_machine limit_and_tables
like "$("$wakelat" audit)" '^Latency limit: 100 us \(.*\); CPU 1 admits POLL, C1, C6$' "a latency limit of one CPU is compared with that CPU's table"
no_timer() {
	sed -i 's/ arat//' "$machine/proc/cpuinfo"
	put /sys/devices/system/clockevents/broadcast/current_device "$1"
}
on_machine no_timer ''
has A10 - 'no broadcast device, and the timer stops in C6' "machine A10: the timer stops, and there is no broadcast device"
on_machine no_timer hpet
is "$status$out" 0 "no finding if the timer stops and there is a broadcast device"
table() {
	put /proc/cmdline "quiet intel_idle.table=$1"
	put /sys/module/intel_idle/parameters/table "$1"
}
# discards TABLE ERE: check that audit says why the kernel discards TABLE.
discards() {
	on_machine table "$1"
	has A12 - "intel_idle.table=$1: $2" "machine A12: intel_idle.table=$1 is discarded"
}
discards C6:0x96:140 'C6: residency 140 us is below latency 150 us'
discards C6:2:600 'C6: latency 2 us is not above that of C1'
discards C1:0:2 'C1: latency 0 us is not between 1 and 5000'
discards C6:5001:9000 'C6: latency 5001 us is not between'
discards C6:150:100001 'C6: residency 100001 us is above 100 ms'
discards C6:150 "'C6:150' is not NAME:LATENCY:RESIDENCY"
discards C6:x:600 "'C6:x:600' has no numbers"
on_machine table C1:2:5,C6:0x96:01130
is "$status$out" 0 "a table that the kernel accepts is not a finding"
no_parameter() {
	table C6:150:600
	take /sys/module/intel_idle/parameters/table
}
on_machine no_parameter
has A12 - '.*this kernel has no such parameter' "machine A12: intel_idle.table on a kernel before Linux 7.0"
other_governor() {
	put /proc/cmdline 'cpuidle.governor=teo processor.max_cstate=1'
}
on_machine other_governor
has A12 - 'cpuidle.governor=teo: the governor is menu' "machine A12: the kernel does not have the governor of cpuidle.governor"
has A12 - 'processor.max_cstate=1: the cpuidle driver is intel_idle' "machine A12: a parameter for a driver that is not in use"
firmware() {
	mkdir -p "$machine/sys/firmware/acpi/tables"
	cp dsdt.aml "$machine/sys/firmware/acpi/tables/DSDT"
	for firmware_cpu in 0 1; do
		put "/sys/devices/system/cpu/cpu$firmware_cpu/cpuidle/state1/desc" 'MWAIT 0x00'
		put "/sys/devices/system/cpu/cpu$firmware_cpu/cpuidle/state2/desc" 'MWAIT 0x20'
	done
}
on_machine firmware
has A14 C6 'MWAIT 0x20: the driver has 133 us, the firmware 41 us' "machine A14: intel_idle's latency differs from that of _CST"
has A14 C1 'MWAIT 0x00: the driver has 2 us, the firmware 1 us' "machine A14: states are matched by hint"
live_tree() {
	live_cpus=$machine/proc/device-tree/cpus
	mkdir -p "$live_cpus/cpu@0" "$live_cpus/idle-states/s"
	printf 'cpu\0' >"$live_cpus/cpu@0/device_type"
	printf '\0\0\0\1' >"$live_cpus/cpu@0/cpu-idle-states"
	printf 'arm,idle-state\0' >"$live_cpus/idle-states/s/compatible"
	printf '\0\0\0\1' >"$live_cpus/idle-states/s/phandle"
	printf '\0\0\0\372' >"$live_cpus/idle-states/s/entry-latency-us"
	printf '\0\0\0\372' >"$live_cpus/idle-states/s/exit-latency-us"
	printf '\0\0\1\0' >"$live_cpus/idle-states/s/min-residency-us"
}
on_machine live_tree
has A1 s 'latency 500 us, residency 256 us' "machine A1: a fault in the machine's own device tree"
as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
if [ "$(id -u)" -eq 0 ] && $as_nobody test -x "$wakelat" 2>/dev/null; then
	on_machine firmware
	chmod 0 "$tmp/m/dev/cpu_dma_latency" "$tmp/m/sys/firmware/acpi/tables/DSDT"
	run $as_nobody "$wakelat" audit --tsv
	is "$status" 0 "not root: an unreadable file is not a fault"
	is "$(printf '%s\n' "$out" | awk -F '\t' '$1 == "A18" { print $3 ": " $5 }' | cut -c 1-54)" \
		"$(printf '/dev/cpu_dma_latency: only root can read it, so a latency\n/sys/firmware/acpi/tables: only root can read it, so _CST' | cut -c 1-54)" \
		"not root: A18 names the files that only root can read"
else
	skip 2 "not root, or nobody cannot read $top"
fi
on_machine both residency 100
run "$wakelat" doctor --time 0s --cpu 1 --tsv
like "$out" '^idle_table	machine	doubt	A1	.*C6: latency 133 us, residency 100 us' "doctor reports what audit finds"
"$wakelat" audit --json >document
ok "--json is JSON" python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); assert d["findings"][0]["number"] == "A1"; assert d["states"][2]["latency_us"] == 133' document
for shell in dash "busybox sh"; do
	is "$($shell "$top/extras/audit/audit" --tsv | cut -f 1,5 | tail -n 1)" "A1	latency 133 us, residency 100 us" "audit prints the same findings in $shell"
done

# --- damaged input
head -c 300 board.dtb >cut.dtb
refused '^wakelat audit: cut.dtb: dtc cannot read it as a device tree: ' "a truncated device tree is refused" "$wakelat" audit cut.dtb
sed 's/sleep-low/sleep*low/' board.dtb >name.dtb
refused '^wakelat audit: name.dtb: dtc cannot read it as a device tree: ERROR ' "a device tree with a damaged name is refused" "$wakelat" audit name.dtb
head -c 100 dsdt.aml >cut.aml
refused '^wakelat audit: cut.aml: damaged: it has 100 bytes, its header says [0-9]+' "a truncated ACPI table is refused" "$wakelat" audit cut.aml
{
	head -c 60 dsdt.aml
	printf 'X'
	tail -c +62 dsdt.aml
} >wrong.aml
refused '^wakelat audit: wrong.aml: (damaged: its checksum is wrong|acpiexec cannot load it)' "an ACPI table with a wrong byte is refused" "$wakelat" audit wrong.aml
printf 'no tree {\n' >wrong.dts
refused '^wakelat audit: wrong.dts: cannot be compiled: ' "a source with an error is refused" "$wakelat" audit wrong.dts
mkdir empty
refused '^wakelat audit: empty: not a kernel source tree' "a directory without a kernel tree is refused" "$wakelat" audit empty
mkdir -p headers/arch/arm64/boot/dts
: >headers/Kconfig
refused '^wakelat audit: headers: no kernel source: neither device trees ' "a kernel tree without idle states is refused" "$wakelat" audit headers
for part in arch/arm64 drivers/idle; do
	rm -rf half
	cp -R linux half
	rm -r "half/$part"
	run "$wakelat" audit half
	like "$err" '^wakelat audit: half: has no [^:]*: only (intel_idle.c is|device trees are) read$' "a kernel tree without $part: audit says what it reads"
done
refused '^wakelat audit: source: audit cannot read this type of file' "a file of another kind is refused" "$wakelat" audit source
refused '^wakelat audit: gone: no such file' "a missing file is refused" "$wakelat" audit gone
printf 'int main;\n' >intel_idle.c
refused 'no table of idle states found' "an intel_idle.c without tables is refused" "$wakelat" audit intel_idle.c
is "$("$wakelat" audit --tsv board.dtb cut.dtb 2>/dev/null)" "" "if one of several files is damaged, no findings are printed"
done_testing
