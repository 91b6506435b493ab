#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# testbed/run --machine arm64: Linux takes the idle states from the device tree and enters them through PSCI, QEMU logs
# each idle period, and wakelat measures a state.
# needs: tools qemu-arm64 kernel:arm64
. "$(dirname "$0")/../lib/tap.sh"

declared qemu-arm64
declared kernel:arm64
declared tools
testbed=$top/testbed/run

# machine NAME STATUS OPTION...: boot, put the job's files into $tmp/NAME, and check that record exits with STATUS
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
	is "$(grep record "$tmp/$machine_name/statuses")" "record $machine_status" \
		"$machine_name: wakelat record exits with status $machine_status"
}

# --- a state that keeps the CPU's registers

machine standby 0
is "$(cat "$tmp/standby/machine") $(cat "$tmp/standby/today")" "aarch64 2026-01-01" \
	"standby: the machine is aarch64, and its date is fixed"
is "$(cut -d ' ' -f 1-3 "$tmp/standby/before")" "WFI 1 1
retention 80 200" "standby: the states have the names and latencies of the device tree"
# usage FILE STATE: print how often the state was entered
usage() {
	awk -v state="$2" '$1 == state { print $4 }' "$tmp/$1"
}
ok "standby: retention is entered" test "$(usage standby/after retention)" -gt "$(usage standby/before retention)"
truth=$tmp/standby/truth.tsv
is "$(head -n 1 "$truth" | tr '\t' '\n' | sort | paste -sd ' ' -)" \
	"cause cpu enter_cyc enter_ns entry_ns hint latency_ns reached run_cyc run_ns wake_cyc wake_ns" \
	"the truth log has the same columns as the virtual Xeon's"
# truths HINT [CONDITION]: print how many lines of the log have HINT and match the awk CONDITION. In CONDITION,
# $at["NAME"] is the value of column NAME.
truths() {
	awk -F '\t' -v hint="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["hint"] == hint && ('"${2:-1}"') { n++ }
		END { print n + 0 }' "$truth"
}
ok "the truth log has a line for each idle period in retention" \
	test "$(truths 0x00000001)" -ge "$(usage standby/recorded retention)"
ok "the truth log has a line for each idle period in WFI" test "$(truths wfi)" -ge "$(usage standby/recorded WFI)"
is "$(truths 0x00000001 '$at["latency_ns"] != 40000 && $at["cause"] != "pending"')" 0 \
	"truth log: each wake-up from retention takes the model's latency"
is "$(truths 0x00000001 '$at["run_ns"] - $at["wake_ns"] != $at["latency_ns"]')" 0 \
	"truth log: the CPU executes when the latency is over"

like "$(grep doctor "$tmp/standby/statuses")" '^doctor [01]$' "doctor: the machine can be measured"
is "$(awk -F '\t' '$3 == "unusable" || $3 == "doubt" { print $1 }' "$tmp/standby/doctor.tsv" | sort -u | paste -sd ' ' -)" interrupts \
	"doctor: the only doubt is that no other CPU can take the interrupts"
is "$(sed -n 's/^cpu_model	//p' "$tmp/standby/run/run.tsv")" "Arm Cortex-A57 r1p0" "run.tsv has the CPU's name"
run "$testbed" --machine arm64 --out "$tmp/again" "$top/tests/guest/arm64.job"
ok "a second machine gives the same files to the last byte" diff -rq "$tmp/standby" "$tmp/again"
ok "standby: dump reads the samples" "$top/scripts/wakelat" dump "$tmp/standby/run"
is "$(sed 1d "$tmp/standby/run/samples.tsv" | wc -l)" 300 "standby: samples.tsv has all 300 samples"

# --- states that lose the CPU's registers

machine sleep 0 --model arm64-sleep --set cpu=neoverse-n1 --set el2=yes --set pseudo_nmi=yes
is "$(cut -d ' ' -f 1-3 "$tmp/sleep/before")" "WFI 1 1
cpu-sleep-0 1500 2000
cluster-sleep-0 1600 2500" "sleep: the states are those of a board's device tree"
ok "sleep: a state that loses the registers is entered" test "$(usage sleep/recorded cluster-sleep-0)" -gt 300
like "$(cat "$tmp/sleep/kernel")" 'started at EL2' "el2: the kernel was entered at EL2"
like "$(cat "$tmp/sleep/kernel")" 'Virtualization Host Extensions' "el2: the kernel stays at EL2, because this CPU has VHE"
like "$(cat "$tmp/sleep/kernel")" 'Pseudo-NMIs enabled' "pseudo_nmi: interrupts are masked by priority"

# --- states that stop the timer: another CPU sends the wake-up

machine juno 1 --model arm64-juno --cpus 2
truth=$tmp/juno/truth.tsv
ok "juno: a state that stops the timer is entered" test "$(truths 0x01010000 '$at["cpu"] == 1')" -gt 0
is "$(truths 0x01010000 '$at["cause"] == "timer"')" 0 "juno: no timer ends an idle period in this state"
like "$(cat "$tmp/juno/record.txt")" 'CPU 1: all states stop the timer' \
	"juno: wakelat record says that a timer cannot measure these states"

# --- bad arguments

# bad ERE NAME TESTBED-OPTION...: check that testbed/run refuses these options with status 2
bad() {
	bad_ere=$1
	bad_name=$2
	shift 2
	refused "^(testbed/run|model-args): .*$bad_ere" "$bad_name" "$testbed" --out "$tmp/x" "$@" "$top/tests/guest/arm64.job"
	is "$status" 2 "$bad_name: status 2"
}
bad 'machine riscv: neither x86 nor arm64' "an unknown machine is refused" --machine riscv
bad 'skylake-sp.model: not a model of machine arm64' "a model of the Xeon is refused on arm64" --machine arm64 --model skylake-sp
bad 'needs --machine arm64 for this model' "a model of arm64 is refused on the Xeon" \
	--qemu /bin/true --kernel "$0" --model arm64-sleep
bad 'gic = 4: neither 2 nor 3' "a bad value of a setting is refused" --machine arm64 --set gic=4
done_testing
