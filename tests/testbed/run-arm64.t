#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# testbed/run --machine arm64: Linux takes the idle states of the device tree and PSCI enters them, QEMU logs each idle period, and wakelat
# measures a state there.
# needs: tools qemu-arm64 kernel:arm64
. "$(dirname "$0")/../lib/tap.sh"

declared qemu-arm64
declared kernel:arm64
declared tools
testbed=$top/testbed/run

# machine NAME STATUS OPTION...: the job's files are in $tmp/NAME; the recording ends with STATUS
machine() {
	machine_name=$1
	machine_status=$2
	shift 2
	run "$testbed" --machine arm64 --out "$tmp/$machine_name" "$@" "$top/tests/guest/arm64.job"
	is "$status" 0 "$machine_name: the machine boots, and powers off"
	[ "$status" -eq 0 ] || {
		tap_show_run
		bail "no files of the job"
	}
	is "$(cat "$tmp/$machine_name/driver")" psci_idle "$machine_name: cpuidle-psci takes the states"
	is "$(grep record "$tmp/$machine_name/statuses")" "record $machine_status" "$machine_name: the status of wakelat record"
}

# --- a state that loses nothing

machine standby 0
is "$(cat "$tmp/standby/machine") $(cat "$tmp/standby/today")" "aarch64 2026-01-01" "it is an arm64 machine of this date"
is "$(cut -d ' ' -f 1-3 "$tmp/standby/before")" "WFI 1 1
retention 80 200" "the states have the names and latencies of the device tree"
# usage FILE STATE
usage() {
	awk -v state="$2" '$1 == state { print $4 }' "$tmp/$1"
}
ok "it is entered" test "$(usage standby/after retention)" -gt "$(usage standby/before retention)"
truth=$tmp/standby/truth.tsv
is "$(head -n 1 "$truth" | tr '\t' '\n' | sort | paste -sd ' ' -)" \
	"cause cpu enter_cyc enter_ns entry_ns hint latency_ns reached run_cyc run_ns wake_cyc wake_ns" \
	"the log of what was true has the columns of the virtual Xeon's"
# truths HINT [CONDITION]: how many of its lines; $at is the column of a name
truths() {
	awk -F '\t' -v hint="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["hint"] == hint && ('"${2:-1}"') { n++ }
		END { print n + 0 }' "$truth"
}
ok "it has a line for each idle period in the state" test "$(truths 0x00000001)" -ge "$(usage standby/recorded retention)"
ok "and in WFI" test "$(truths wfi)" -ge "$(usage standby/recorded WFI)"
is "$(truths 0x00000001 '$at["latency_ns"] != 40000 && $at["cause"] != "pending"')" 0 "each takes the latency of the model"
is "$(truths 0x00000001 '$at["run_ns"] - $at["wake_ns"] != $at["latency_ns"]')" 0 "and executes after that"

like "$(grep doctor "$tmp/standby/statuses")" '^doctor [01]$' "doctor: the machine can be measured"
is "$(awk -F '\t' '$3 == "unusable" || $3 == "doubt" { print $1 }' "$tmp/standby/doctor.tsv" | sort -u | paste -sd ' ' -)" interrupts \
	"doctor: the one doubt is that there is no other CPU for interrupts, none is about what only an x86 machine has"
is "$(sed -n 's/^cpu_model	//p' "$tmp/standby/run/run.tsv")" "Arm Cortex-A57 r1p0" "run.tsv has the CPU's name"
run "$testbed" --machine arm64 --out "$tmp/again" "$top/tests/guest/arm64.job"
ok "a second run is the same to the last byte" diff -rq "$tmp/standby" "$tmp/again"
ok "the samples can be read" "$top/scripts/wakelat" dump "$tmp/standby/run"
is "$(sed 1d "$tmp/standby/run/samples.tsv" | wc -l)" 300 "all of them are there"

# --- states that lose the CPU's registers

machine sleep 0 --model arm64-sleep --set cpu=neoverse-n1 --set el2=yes --set pseudo_nmi=yes
is "$(cut -d ' ' -f 1-3 "$tmp/sleep/before")" "WFI 1 1
cpu-sleep-0 1500 2000
cluster-sleep-0 1600 2500" "the states of a board's device tree"
ok "a state that loses the registers is entered" test "$(usage sleep/recorded cluster-sleep-0)" -gt 300
like "$(cat "$tmp/sleep/kernel")" 'started at EL2' "el2: the kernel was entered at EL2"
like "$(cat "$tmp/sleep/kernel")" 'Virtualization Host Extensions' "and stays there, because this CPU has VHE"
like "$(cat "$tmp/sleep/kernel")" 'Pseudo-NMIs enabled' "pseudo_nmi: interrupts are masked by priority"

# --- states that stop the timer: another CPU sends the wake-up

machine juno 1 --model arm64-juno --cpus 2
truth=$tmp/juno/truth.tsv
ok "a state that stops the timer is entered" test "$(truths 0x01010000 '$at["cpu"] == 1')" -gt 0
is "$(truths 0x01010000 '$at["cause"] == "timer"')" 0 "no timer ends it"
like "$(cat "$tmp/juno/record.txt")" 'CPU 1: all states stop the timer' "wakelat record: a timer cannot measure it"

# --- bad arguments

bad() {
	bad_ere=$1
	bad_name=$2
	shift 2
	refused "^(testbed/run|model-args): .*$bad_ere" "$bad_name" "$testbed" --out "$tmp/x" "$@" "$top/tests/guest/arm64.job"
	is "$status" 2 "$bad_name: status 2"
}
bad 'machine riscv: neither x86 nor arm64' "a machine that there is not" --machine riscv
bad 'skylake-sp.model: not a model of machine arm64' "a model of the Xeon" --machine arm64 --model skylake-sp
bad 'needs --machine arm64 for this model' "a model of arm64 in the Xeon" --qemu /bin/true --kernel "$0" --model arm64-sleep
bad 'gic = 4: neither 2 nor 3' "a bad value" --machine arm64 --set gic=4
done_testing
