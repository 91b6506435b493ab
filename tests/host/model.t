#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# testbed/model-args: the QEMU arguments that it prints for a model, and the models that it refuses.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"

args() {
	"$top/testbed/model-args" "$@"
}

for model in "$top"/testbed/models/*.model; do
	ok "${model##*/} is valid" args "$model"
done
like "$(args skylake-sp)" ',cstates=0x00:2000/0x01:10000/0x20:133000,' "skylake-sp has intel_idle's latencies"
like "$(args skylake-sp C6.latency_ns=99000)" ',cstates=0x00:2000/0x01:10000/0x20:99000,' "a setting overrides the model"
like "$(args --truth /a,b=c.tsv skylake-sp)" '^x86_64-cpu.cstate-log=/a,b=c.tsv$' "--truth accepts any name"

# refuses_line ERE LINE...: add these lines to skylake-sp; check that the message names the file and the last line.
refuses_line() {
	refused_ere=$1
	shift
	cp "$top/testbed/models/skylake-sp.model" "$tmp/m.model"
	printf '%s\n' "$@" >>"$tmp/m.model"
	refused "^model-args: $tmp/m.model:$(wc -l <"$tmp/m.model"): $refused_ere" "refused: $*" args "$tmp/m.model"
}
refuses_line 'unknown key C6.latency$' 'C6.latency = 5'
refuses_line 'unknown key C7.hint$' 'C7.hint = 0x30'
refuses_line 'not KEY = VALUE' 'prewake on'
refuses_line 'prewake has no value' 'prewake ='
refuses_line '.*neither on nor off' 'prewake = maybe'
refuses_line '.*not a number' 'seed = -1'
refuses_line '.*not a number' 'C1.jitter_ns = 5us'
refuses_line '.*not a number' 'C1.entry_ns = 1234567890123456'
refuses_line 'C1.latency_ns is given twice' 'C1.latency_ns = 1'
refuses_line 'cpu is given twice' 'cpu = qemu64'
refuses_line '.*not allowed in a value' 'smi_at_ns = 1,2'
refuses_line '.*the first state cannot have an entry time' 'C1.entry_ns = 5'
refuses_line 'nic.tx_ns: there is no nic' 'nic.tx_ns = 5'
refuses_line 'nic = igb: neither none nor i210' 'nic = igb'
like "$(args skylake-sp-energy)" ':90000:power=100@15000:visit=74000@0,.*,energy-active=4000,energy-package=15000,energy-unit=14,energy-update=1000000,energy-drift=0$' \
	"a model with power has its energy"
unlike "$(args skylake-sp)" energy "a model without power has no energy"
args --truth "$tmp/truth.tsv" --cpus 2 skylake-sp-energy C6.package_mw=5000 C6.package_visit_nj=300000 >"$tmp/args"
# By hand, 2 CPUs: C1E to C6 saves 2 x 0.6 W, with the package 10 W more. A visit costs 2 x 60 uJ more, and the exits at active power
# 2 x (90 us x 3.9 W - 10 us x 3.3 W) = 636 uJ; with the package 300 uJ and 90 us x 10 W = 900 uJ more, and spread twice that.
is "$(awk -F '\t' '$4 == "C6" { print $1, $2, $5, $6, $7 }' "$tmp/truth-energy.tsv")" "core together 1200 630000 1.000000
core spread 1200 630000 1.000000
package together 11200 174643 1.000000
package spread 11200 281786 1.892857" "the break-evens follow from the model"
args --truth "$tmp/truth.tsv" skylake-sp-energy C6.power_mw=700 >"$tmp/args"
is "$(awk -F '\t' '$4 == "C6" { print $5, $6 }' "$tmp/truth-energy.tsv" | sort -u)" "0 -" "a state that saves nothing never pays"
refuses_line 'C1.power_mw is missing' 'active_mw = 5'
refuses_line 'unknown key C1.power_mw' 'C1.power_mw = 5'
i210() {
	refused "command line: $1" "refused: $2" args skylake-sp-i210 "$2"
}
i210 'nic.clock_ppb = 1000001: not a number from -1000000 to 1000000' nic.clock_ppb=1000001
i210 'nic.read_latch_ns = -1: not a number from 0 to 1000000000' nic.read_latch_ns=-1
i210 'nic.link = up: neither on nor off' nic.link=up
i210 'nic.id = 10d3: not 1533' nic.id=10d3
i210 'unknown key nic.speed' nic.speed=1000
i210 'nic.count = 5: not 1 to 4' nic.count=5
like "$(args --truth /a.b/t.tsv skylake-sp-i210)" '^i210.log=/a.b/t-i210.tsv$' "the card's log has its own name"
unlike "$(args skylake-sp)" i210 "without a card in the model there are no arguments for it"
refuses_line '.*not numbers' 'C6.entry_percent = 50 50' 'C6.entry_ns = 1 x'
refuses_line 'C6.entry_percent is missing' 'C6.entry_ns = 1 2'
refuses_line 'C6.entry_percent: not one number for each' 'C6.entry_ns = 1 2 3' 'C6.entry_percent = 50 50'
refuses_line 'C6.entry_percent = 50 49: the sum is not 100' 'C6.entry_ns = 1 2' 'C6.entry_percent = 50 49'
refuses_line 'unknown key C6.entry_percent' 'C6.entry_percent = 100'
refuses_line 'C6.tail_ppm is missing' 'C6.tail_ns = 5'
refuses_line '.*more than 1000000' 'C6.tail_ns = 5' 'C6.tail_ppm = 1000001'
refuses_line 'C6.grow_from_ns is missing' 'C6.grow_until_ns = 5'
refuses_line '.*greater than latency_ns' 'C6.grow_until_ns = 5' 'C6.grow_from_ns = 133001'
refuses_line '.*at most 2147483647' 'C6.grow_from_ns = 5' 'C6.grow_until_ns = 2147483648'
refuses_line 'tsc_step_at_ns is missing' 'tsc_step_ns = 5'
refuses_line '.*not a number' 'C6.cold_ns = 1us'
like "$(args skylake-sp C6.cold_ns=900 tsc_step_at_ns=7 tsc_step_ns=5)" '/0x20:133000:cold=900,.*,tsc-step-at=7,tsc-step=5(,|$)' \
	"cold_ns, tsc_step_at_ns and tsc_step_ns become QEMU arguments"
refuses_line '.*not 0 to 255' 'cpu_model = 256'
refuses_line '.*47 characters' 'cpu_name = Emulated Xeon with a name that is longer than CPUID holds'
like "$(args skylake-sp cpu_model=62 'cpu_name=Emulated X')" '^Skylake-Server-noTSX-IBRS,model=62,model-id=Emulated X,' "CPU model and name become arguments"
refused 'command line: tsc_hz = 2000000001: not whole MHz' "refused: a TSC frequency that is not in whole MHz" args skylake-sp tsc_hz=2000000001
refused 'command line: C6.hint = 0x01: not above' "refused: hints that do not ascend" args skylake-sp C6.hint=0x01
refused 'C7.hint is missing' "refused: a state without a hint" args skylake-sp 'states=C1 C7'
refused 'no model nowhere ' "refused: a model that does not exist" args nowhere
refused 'no model given' "refused: no model" args
refused 'unknown option --foo' "refused: an unknown option" args --foo skylake-sp
refused 'command line: IO.port = 0x814: .*in four digits' "refused: a port of three digits" \
	args skylake-sp 'states=C1 IO' IO.latency_ns=5 IO.port=0x814
refuses_line '.*the first state needs a hint' 'C6.port = 0x0814'
refuses_line '.*there is no state C7' 'acpi_states = C1 C7'
refuses_line '.*not 1, 2 or 3' 'acpi_states = C1' 'C1.acpi_type = 4'
refuses_line '.*not 1 MHz to 1 GHz' 'apic_timer_hz = 999999'
refuses_line '.*not a number from -1000000' 'apic_timer_ppb = 1000001'
refuses_line '.*neither none nor kvm' 'hypervisor = xen'
refuses_line '.*not CPU/0xMSR' 'msr_faults = 0x3fd'
refuses_line '.*not a part of 1 CPUs' 'threads = 2'
like "$(args --truth /a.b/t.tsv skylake-sp)" '^x86_64-cpu.cstate-turns=/a.b/t-turns.tsv$' "--truth: the log of a CPU's waits for its turn goes to FILE-turns"
like "$(args --cpus 4 skylake-sp threads=2)" '^cpus=4,sockets=1,cores=2,threads=2$' "CPUs are divided into cores and threads"
ok "--asl writes an ACPI table" args --cpus 2 --asl "$tmp/idle.asl" skylake-sp-acpi
is "$(grep -c 'Name (_CST' "$tmp/idle.asl")" 2 "the ACPI table has an object for each CPU"
ok "iasl compiles the ACPI table" iasl -p "$tmp/idle.aml" "$tmp/idle.asl"
printf 'tsc_hz = 2000000000\n' >"$tmp/m.model"
refused "m.model: cpu is missing" "refused: a model without a CPU" args "$tmp/m.model"
printf 'base = ./m.model\n' >"$tmp/m.model"
refused "is there a loop" "refused: a model based on itself" env -C "$tmp" "$top/testbed/model-args" ./m.model

# --- machine arm64

is "$(args --truth /a,b.tsv --tree "$tmp/tree" arm64-juno el2=yes pseudo_nmi=yes seed=3 cpu_sleep_0.entry_ns=9 wfi.tail_ns=7 wfi.tail_ppm=5)" \
	"-machine
gic-version=3,its=off,virtualization=on
-global
virtio-mmio.ioeventfd=off
-cpu
cortex-a57,cntfrq=50000000,idle-states=wfi:1500:tail=7@5/0x00010000:650000:jitter=50000:entry=9:timerstop/0x01010000:900000:jitter=80000:timerstop:cluster,idle-seed=3
-global
arm-cpu.idle-log=/a,b.tsv
-global
arm-cpu.idle-turns=/a,b-turns.tsv" "arm64: QEMU's arguments"
is "$(cat "$tmp/tree")" "state cpu-sleep-0 0x00010000 300 1200 2000 stops
state cluster-sleep-0 0x01010000 400 1200 2500 stops
append irqchip.gicv3_pseudo_nmi=1" "arm64: the device tree's states and the appended command line"
unlike "$(args arm64-sleep)" timerstop "arm64-sleep: the timer does not stop"
refused 'arm64-juno.model:[0-9]+: machine = arm64: testbed/run needs --machine arm64' \
	"refused: a model of arm64 for the Xeon" args --machine x86 arm64-sleep
refused 'skylake-sp.model: not a model of machine arm64' "refused: a model of the Xeon for arm64" args --machine arm64 skylake-sp
refuses_line 'machine = riscv: neither x86 nor arm64' 'machine = riscv'
refused 'command line: machine can be given in a model only' "refused: machine as a setting" args skylake-sp machine=arm64

# arm64 ERE SETTING...: check that model-args refuses the settings for arm64-juno, on the command line and as lines of a model.
arm64() {
	arm64_ere=$1
	shift
	refused "^model-args: command line: $arm64_ere" "refused: $*" args arm64-juno "$@"
	printf '%s\n' 'base = arm64-juno' "$@" >"$tmp/m.model"
	refused "^model-args: $tmp/m.model:[0-9]+: $arm64_ere" "refused in a model: $*" args "$tmp/m.model"
}
arm64 'unknown key C6.hint$' C6.hint=0x20
arm64 'unknown key tsc_hz$' tsc_hz=2000000000
arm64 'unknown key wfi.entry_ns$' wfi.entry_ns=5
arm64 'counter_hz = 500000: not 1 MHz' counter_hz=500000
arm64 'counter_hz = fast: not a number' counter_hz=fast
arm64 'gic = 4: neither 2 nor 3' gic=4
arm64 'el2 = on: neither yes nor no' el2=on
arm64 'pseudo_nmi = yes: needs gic = 3' gic=2 pseudo_nmi=yes
arm64 'cpu_sleep_0.param = 0x10000: not a power_state' cpu_sleep_0.param=0x10000
arm64 'cpu_sleep_0.param = 0x40010000: not a power_state' cpu_sleep_0.param=0x40010000
arm64 'cluster_sleep_0.param = 0x00010000: that of cpu_sleep_0' cluster_sleep_0.param=0x00010000
arm64 'cpu_sleep_0.cluster = yes: the PowerLevel' cpu_sleep_0.cluster=yes
arm64 'cpu_sleep_0.timer_stop = maybe: neither yes nor no' cpu_sleep_0.timer_stop=maybe
arm64 'cpu_sleep_0.tail_ppm is missing' cpu_sleep_0.tail_ns=5
arm64 'cpu_sleep_0.dt_exit_us = 1000001: more than' cpu_sleep_0.dt_exit_us=1000001
arm64 'deep.param is missing' 'states=deep'
arm64 'states: Deep-1 is not a name' 'states=Deep-1'
arm64 'states: wfi is not a name' 'states=wfi'
arm64 'states: cpu_sleep_0 is given twice' 'states=cpu_sleep_0 cpu_sleep_0'
printf 'machine = arm64\ncpu = cortex-a57\ncounter_hz = 62500000\nstates = a\nwfi.latency_ns = 1\na.param = 0x00000001\na.latency_ns = 1\n' >"$tmp/m.model"
refused "m.model:4: a.dt_entry_us is missing" "refused: a state without values for the device tree" args "$tmp/m.model"
done_testing
