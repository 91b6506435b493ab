#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat residency in the virtual Xeon under Debian's kernel: unmodified intel_rapl reads the energy of the model, and the
# 95 % interval has the true break-even.
# needs: tools qemu image
# takes: minutes
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
: "${top:?}" "${tmp:?}" "${status=}" "${out=}"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/measuring.sh"
kernel=$("$top/scripts/dev/fetch-image" power) || bail "no kernel with intel_rapl"
words "$(guest_tools check-tables wakeups breakeven)" guest_job "$tmp/job" "$top/extras/residency/tests/guest/energy.job" --kernel "$kernel" \
	--model skylake-sp-energy
is "$status" 0 "the job ran"
replay_checks "$tmp/job" 22
cd "$tmp/job" || exit 1
# The time that the CPU executes after a wake-up, from the log: the last 3 s have measurements of C1E and C6 only.
awake=$(awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ line[NR] = $at["enter_ns"] - run; run = $at["run_ns"]; end[NR] = run }
	END { for (i in line) if (end[i] > run - 3e9 && line[i] < 1e5) { sum += line[i]; n++ } printf "%.0f", sum / n }' truth.tsv)
true=$(awk -F '\t' -v awake="$awake" '$1 == "package" && $2 == "together" && $4 == "C6" { printf "%.0f", $6 + $7 * awake }' truth-energy.tsv)
cell() { awk -F '\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at[name] }' run/residency.tsv; }
ok "the true break-even, $true ns, is in the interval, $(cell interval_low_ns) to $(cell interval_high_ns) ns" \
	[ "$true" -ge "$(cell interval_low_ns)" -a "$true" -le "$(cell interval_high_ns)" ]
ok "the true residency, 620 us, is in its interval" [ 620000 -ge "$(cell residency_low_ns)" -a 620000 -le "$(cell residency_high_ns)" ]
ok "the interval is within 10 %" [ $(($(cell interval_high_ns) - $(cell interval_low_ns))) -le $(($(cell interval_ns) / 5)) ]
is "$(cell verdict)" kept "the table's 600 us are kept"
# From the model: C1E 15.7 W, C6 15.1 W. What a visit costs: 14 and 74 uJ, the exit, and the time awake.
ok "the powers and energies are those of the model" awk -v awake="$awake" -v pa="$(cell power_a_w)" -v pb="$(cell power_b_w)" -v ea="$(cell visit_a_uj)" \
	-v eb="$(cell visit_b_uj)" 'function near(v, w, by) { return v > w - by && v < w + by }
	BEGIN { exit !(near(pa, 15.7, 0.05) && near(pb, 15.1, 0.05) && near(ea, 14 + 33 + 3.3 * awake / 1000, 8) &&
		near(eb, 74 + 351 + 3.9 * awake / 1000, 12)) }'
done_testing
