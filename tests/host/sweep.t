#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat sweep: the parts that run on any machine.
# needs: tools
. "$(dirname "$0")/../lib/tap.sh"

wakelat=$top/scripts/wakelat
lib=$top/scripts/lib
cd "$tmp" || exit 1

# wrong COMMAND ERE OPTION...: check that the command refuses the options before it looks at anything else.
wrong() {
	wrong_command=$1
	wrong_ere=$2
	shift 2
	refused "^wakelat $wrong_command: $wrong_ere" "$wrong_command refuses options: $*" "$wakelat" "$wrong_command" "$@"
	is "$status" 2 "$wrong_command $*: status"
}
wrong sweep 'choose what to change: --qos'
wrong sweep "unknown option '--nope'" --nope
wrong sweep "unexpected argument 'dir'" dir
wrong sweep '--qos needs a value' --qos
wrong sweep '--qos and --interval: one knob' --qos none --interval 1ms
wrong sweep '--per-cpu needs --qos' --interval 1ms --per-cpu
wrong sweep "--load: 'left' is neither" --load left
wrong sweep "--cpu: 'x' is not" --qos none --cpu x
wrong sweep "-n: '0' is not" --qos none -n 0

# Two runs, 3 s in all, with an energy counter that overflows, and a battery.
{
	printf 'begin\t10.00\ntime\t0\t100\nusage\t0\t1\ntime\t1\t1000\nusage\t1\t5\nrapl\ta\t990000000\t1000000000\n'
	printf 'tick\t11.00\nrapl\ta\t10000000\t1000000000\n'
	printf 'end\t12.00\ntime\t0\t200\nusage\t0\t2\ntime\t1\t901000\nusage\t1\t9\nrapl\ta\t30000000\t1000000000\n'
	printf 'begin\t20.00\ntime\t0\t900\nusage\t0\t7\ntime\t1\t902000\nusage\t1\t9\nrapl\ta\t500000000\t1000000000\n'
	printf 'end\t21.00\ntime\t0\t900\nusage\t0\t7\ntime\t1\t903000\nusage\t1\t10\nrapl\ta\t510000000\t1000000000\n'
} >readings
is "$(awk -F '\t' -f "$lib/experiment/readings.awk" readings | paste -sd ' ' - | tr '\t' '=')" \
	"window_s=3.00 state.0.time_us=100 state.0.usage=1 state.1.time_us=901000 state.1.usage=5 power_w=16.67 power_from=rapl" \
	"readings.awk: residency and energy of two runs, without the time between them"
is "$(printf 'begin\t1\nbattery\tB\t9000000\nend\t3\nbattery\tB\t10000000\n' | awk -F '\t' -f "$lib/experiment/readings.awk" | sed -n 's/^power.*\t//p' | paste -sd ' ' -)" \
	"9.50 battery" "readings.awk: the mean power of a battery"
is "$(printf 'begin\t1.00\ntime\t0\t0\ntime\t1\t5\nend\t2.00\ntime\t0\t7\ntime\t1\t1004001\n' | awk -F '\t' -f "$lib/experiment/readings.awk" | head -n 1)" \
	"$(printf 'window_s\t1.01')" "readings.awk: idle time is not above the run's time, which has hundredths of a second"
is "$(awk -F '\t' -f "$lib/experiment/readings.awk" /dev/null | paste -sd ' ' - | tr '\t' '=')" "window_s=0.00 power_w=- power_from=-" \
	"readings.awk: a run that is too short to be seen"

# Power is read from packages, not from their parts or the platform, and from a battery that discharges.
mkdir -p class/powercap/intel-rapl:0 class/powercap/intel-rapl:0:0 class/powercap/intel-rapl:1 class/power_supply/BAT0 class/power_supply/AC
printf 'package-0\n' >class/powercap/intel-rapl:0/name
printf 'core\n' >class/powercap/intel-rapl:0:0/name
printf 'psys\n' >class/powercap/intel-rapl:1/name
for zone in 0 0:0 1; do
	printf '123\n' >class/powercap/intel-rapl:$zone/energy_uj
	printf '262143328850\n' >class/powercap/intel-rapl:$zone/max_energy_range_uj
done
printf 'Battery\n' >class/power_supply/BAT0/type
printf 'Discharging\n' >class/power_supply/BAT0/status
printf '500000\n' >class/power_supply/BAT0/current_now
printf '12345678\n' >class/power_supply/BAT0/voltage_now
printf 'Mains\n' >class/power_supply/AC/type
for shell in dash "busybox sh"; do
	is "$($shell -c 'me=test; here=$1/..; for file in common/message common/sysfs common/journal common/cpuidle common/tracefs experiment/readings; do
		. "$1/$file.sh"; done; power_class=class
		reading_rapl; reading_battery' sh "$lib" | tr '\t' ' ' | paste -sd / -)" \
		"rapl intel-rapl:0 123 262143328850/battery BAT0 6172500" "$shell: power is read from packages and the battery"
	is "$($shell -c 'me=test; . "$1/common/message.sh"; . "$1/common/sysfs.sh"; . "$1/common/cpuidle.sh"; . "$1/experiment/knobs.sh"; for n in 0 10 133 2000000; do printf "$(little_endian $n)"; done' sh "$lib" |
		od -An -td4 | tr -s ' ')" " 0 10 133 2000000" "$shell: little_endian prints a limit in the kernel's format"
done

# --- a sweep's table, its text and its figure
columns='knob value unit deepest n tainted intr_latency_p50 intr_latency_p99 intr_latency_p99.9 intr_latency_p99.99 intr_latency_max worst_state worst_n worst_by worst_intr_latency residency_POLL_pct residency_C6_pct busy_pct window_s power_w power_from emulated directory'
mkdir -p swept/qos-none
printf 'key\tvalue\nknob\tqos\n' >swept/setup.tsv
printf 'key\tvalue\nsource\thrtimer\nemulated\tyes\nrevision\tabc\ndate\t2026-01-01T00:00:00Z\n' >swept/qos-none/run.tsv
{
	printf '%s\n' "$columns"
	printf 'qos 2 us POLL 100 0 3072 3100 - - 3143 POLL 100 max 3143 95.00 0.00 5.00 2.00 22.50 rapl yes qos-none\n'
	printf 'qos none us C6 100 0 134352 134400 - - 134421 C6 100 max 134421 0.10 94.90 5.00 2.00 12.50 rapl yes qos-none\n'
} | tr ' ' '\t' >swept/sweep.tsv
run awk -F '\t' -v budget=50000 -v refuted=2,10 -f "$lib/common/us.awk" -f "$lib/experiment/sweep-table.awk" swept/sweep.tsv
like "$out" '^2 .*  exceeded when measured again$' "a limit that failed its verification is not kept in the table"
run awk -F '\t' -v budget=50000 -f "$lib/common/us.awk" -f "$lib/experiment/sweep-table.awk" swept/sweep.tsv
like "$out" '^2 +POLL +95\.0 +0\.0 +5\.0 +3\.072 +- +3\.143 +100 +POLL max 3\.143 +22\.50 +kept$' \
	"the printed table has a row that keeps the budget"
like "$out" '^none +C6 .* 12\.50 +exceeded$' "the printed table has a row that exceeds the budget"
if command -v gnuplot >/dev/null; then
	run "$wakelat" plot swept
	is "$status" 0 "plot draws the figure of a sweep: $err"
	ok "the figure of a sweep is written in three formats" \
		test -s swept/figures/sweep.pdf -a -s swept/figures/sweep.svg -a -s swept/figures/sweep.png
	like "$(cat swept/figures/sweep.svg)" 'emulated' "the figure of an emulated sweep says so"
	refused 'is a sweep, which has one figure' "plot refuses other figures of a sweep" "$wakelat" plot -f ccdf swept
else
	skip 4 "no gnuplot"
fi
done_testing
