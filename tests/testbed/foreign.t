#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A wake-up that a foreign timer, an NMI or an SMI caused never counts as a sample without a taint.
# needs: tools qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/instructions.sh"

# column NAME: print the sum of this column of errors.tsv
column() {
	awk -F '\t' -v name="$1" '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i; next }
	{ sum += $column } END { print sum + 0 }' "$tmp/errors.tsv"
}

# judge WHAT: compare the run in $tmp/out with the truth log
judge() {
	mv "$tmp/out/truth.tsv" "$tmp/out/run/truth.tsv"
	"$top/scripts/wakelat" dump "$tmp/out/run" >"$tmp/dump.log" 2>&1 || diag "$(cat "$tmp/dump.log")"
	run "$top/tools/bin/truth" "$tmp/out/run"
	is "$status" 0 "$1: each sample has its idle period, the right state, and no foreign wake-up without a taint"
	printf '%s\n' "$out" >"$tmp/errors.tsv"
	note "$out"
	worst=$(awk -F '\t' '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
	$column["metric"] == "wake_latency" && $column["n"] {
		if ($column["max_ns"] > worst) worst = $column["max_ns"]
		if (-$column["min_ns"] > worst) worst = -$column["min_ns"]
	}
	END { print worst + 0 }' "$tmp/errors.tsv")
	ok "$1: the largest error of an untainted sample is ${worst} ns, at most 500 ns" test "$worst" -gt 0 -a "$worst" -le 500
}

# The times of NMIs and SMIs are unrelated to those of the timers. The guest is up after 1.5 s.
build_sleeper || bail "no compiler"
guest_job "$tmp/out" "$top/tests/guest/foreign.job" --add "$tmp/sleeper=/sleeper" --set nmi_at_ns=2000000000 --set nmi_period_ns=3710000 \
	--set smi_at_ns=2000000000 --set smi_period_ns=5390000 --set smi_duration_ns=70000
is "$status" 0 "record succeeds with foreign timers, NMIs and SMIs"
judge "foreign wake-ups"
ok "$(column tainted) samples are tainted, more than 100" test "$(column tainted)" -gt 100
for kind in foreign_timer nmi smi; do
	count=$(awk -F '\t' -v kind="$kind" '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == "taint") column = i; next }
	$column ~ kind { n++ } END { print n + 0 }' "$tmp/out/run/samples.tsv")
	ok "$count samples are tainted $kind, more than 10" test "$count" -gt 10
done

# Interrupts of an 8259 do not appear in the local APIC's registers of pending interrupts.
cat >"$tmp/unknown.job" <<"J"
#!/bin/sh
cd /sys/kernel/tracing || exit
exec 7<>wakelat/run
printf 'source hrtimer\ncpus 0\nmax_samples 50\n' >&7
echo 1 >events/wakelat/wakelat_sample/enable
echo start >&7 && cat <&7 >/dev/null
sed -n 's/.* unknown=\([^ ]*\) .*/\1/p' trace | sort -u >/out/unknown
J
guest_job "$tmp/apic" "$tmp/unknown.job"
is "$(cat "$tmp/apic/unknown")" "" "with an I/O APIC no sample says that foreign interrupts are unknown"
guest_job "$tmp/reliable" "$tmp/unknown.job" --append tsc=reliable
is "$(cat "$tmp/reliable/unknown")" clock "with a TSC that nothing watches each sample says that steps are unknown"
guest_job "$tmp/noapic" "$tmp/unknown.job" --append noapic
like "$(cat "$tmp/noapic/unknown")" '^foreign_irq$' "with an 8259 each sample says that foreign interrupts are unknown"
done_testing
