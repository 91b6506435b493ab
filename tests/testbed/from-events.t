#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat dump --from-events: compares samples from the stock events of the virtual Xeon's kernel with its truth log.
# needs: tools qemu kernel:default

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/instructions.sh"
build_tools
cd "$tmp" || exit 1

# errors SAMPLES TRUTH: print "STATE LATENCY_ERROR" for each untainted sample, its latency minus the injected exit
# latency. CLOCK_MONOTONIC has a constant offset to virtual time, except for a drift of some hundred ns a second.
# The function looks for the offset with which each launch time is within 2 us of a wake-up in the log.
errors() {
	awk -F '\t' '
	function match_of(t,  b) {
		for (b = int(t / 1000) - 1; b <= int(t / 1000) + 1; b++)
			if (b in injected)
				return b
		return ""
	}
	FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; file++; next }
	file == 1 { wake[++wakes] = $at["wake_ns"]; injected[int($at["wake_ns"] / 1000)] = $at["latency_ns"]; next }
	$at["taint"] == "-" {
		ltime[++n] = $at["ltime"]
		state[n] = $at["state"]
		latency[n] = $at[$at["irqs_on"] ? "intr_latency" : "wake_latency"]
	}
	END {
		for (w = 1; w <= wakes && !found; w++) {
			offset = ltime[1] - wake[w]
			for (i = 2; i <= n && match_of(ltime[i] - offset) != ""; i++)
				;
			found = i > n
		}
		for (i = 1; i <= n; i++) {
			b = found ? match_of(ltime[i] - offset) : ""
			print state[i], b == "" ? "unmatched" : latency[i] - injected[b]
		}
	}' "$2" "$1"
}

build_sleeper || bail "no compiler"
guest_job out "$top/tests/guest/from-events.job" --add "$tmp/sleeper=/sleeper"
is "$status" 0 "the virtual Xeon recorded stock events"
run "$wakelat" dump --from-events -o e --set emulated=yes out/stock.dat
is "$status$err" 0 "dump --from-events reads the stock events"
errors e/samples.tsv out/truth.tsv >list
is "$(grep -c unmatched list)" 0 "each sample is a wake-up of the truth log"
judge() {
	sort -k 2n list | awk -v state="$1" -v least="$2" -v greatest="$3" '
		$1 == state { v[++n] = $2 }
		END {
			printf "# state %s: %d samples, error median %d, least %d, greatest %d ns\n", state, n, v[int((n + 1) / 2)], v[1], v[n]
			exit !(n >= 390 && v[1] >= least && v[int((n + 1) / 2)] <= greatest && v[n] <= 3 * greatest)
		}'
}
# Emulated: one instruction takes 1 ns.
ok "C1: the interrupt latency includes the path to the handler, at most 2000 ns (median)" judge 1 0 2000
note "$out"
for state in 2 3; do
	ok "state $state: the wake latency includes the path to the event, at least 300 ns, at most 450 ns (median)" judge $state 300 450
	note "$out"
done
refused "do not use the timers' clock" "a recording with -C global is refused" "$wakelat" dump --from-events -o g out/global.dat
done_testing
