#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The plugin of KernelShark, in KernelShark on a virtual screen: the bars have the samples' positions and the states' colours.
# needs: tools

. "$(dirname "$0")/../../../../tests/lib/tap.sh"
: "${top:?}" "${tmp:?}" "${status=}" "${out=}"
. "$top/tests/lib/analysis.sh"

for command in kernelshark Xvfb import convert xdotool; do
	command -v "$command" >/dev/null || skip_all "$command is not installed: scripts/dev/packages kernelshark test-all"
done
build_tools
plugin=$top/tools/bin/kernelshark/plugin-wakelat.so
[ -e "$plugin" ] || skip_all "the plugin was not built: scripts/dev/packages kernelshark"

. "$top/tests/lib/kshark.sh"
cd "$tmp" || exit 1
cp "$plugin" "$tmp/plugin-wakelat.so"
chmod 755 "$tmp/plugin-wakelat.so"
cleanup() {
	screen_end
}
screen_begin || skip_all "Xvfb does not start: $(tail -n 1 xvfb.log)"

# bars FIRST LAST SAMPLES NAME: compare the screen with the samples (see tests/lib/kshark.pl)
bars() {
	is "$(printf '%s\n' "$3" | perl "$top/tests/lib/kshark.pl" 700 "$1" "$2" now.rgb)" "" "$4"
}

# table FILE: write a run.tsv with the names and latencies of the states
table() {
	printf '%s\t%s\n' key value state.1.name C1 state.1.latency_ns 2000 state.2.name C1E state.2.latency_ns 10000 \
		state.3.name C6 state.3.latency_ns 133000 >"$1"
}

samples='sample 0 1000000 run=1 source=1 state=1 seq=1 ldist=500000 silent_time=400000 wake_latency=100000 intr_latency=200000
sample 0 7000000 run=1 source=1 state=3 seq=2 ldist=5000000 silent_time=3000000 wake_latency=1000000 intr_latency=1500000
sample 0 12000000 run=1 source=1 state=2 seq=3 ldist=5000000 silent_time=2000000 wake_latency=9000 intr_latency=1000000 taint=17
sample 0 17000000 run=1 source=1 state=1 seq=4 ldist=5000000 silent_time=2000000 irqs_on=1 intr_latency=1000000
sample 0 21000000 run=1 source=1 state=3 seq=5 ldist=5000000 silent_time=1500000 wake_latency=1000 intr_latency=2000
sample 1 5000000 run=1 source=1 state=3 seq=1 ldist=5000000 silent_time=2000000 wake_latency=500000 intr_latency=600000
sample 1 20000000 run=1 source=1 state=3 seq=2 tbi=100 tintr=4000100 silent_time=-9223372036854775808 wake_latency=-9223372036854775808 intr_latency=-9223372036854775808 taint=64
end 0 21000500 run=1 cpu=0 samples=5'
# The bars that KernelShark has to draw for these samples, as tests/lib/kshark.pl reads them.
drawn='0 3 2500000 5500000 6500000 7000000 0 6500000
0 2 9000000 11000000 11009000 12000000 1 -
0 1 14000000 16000000 16000000 17000000 0 17000000
0 3 19498000 20998000 20999000 21000000 0 -
1 3 2400000 4400000 4900000 5000000 0 4900000
1 3 16000000 20000000 20000000 20000000 1 -'

# A recording as wakelat record makes it: in a buffer instance, in the format of the patched kernel.
mkdir run other stock none
chmod 755 run other stock none
{
	printf 'instance wakelat\n'
	printf '%s\n' "$samples"
} | trace run/trace.dat -k
table run/run.tsv
opened kernelshark -p "$tmp/plugin-wakelat.so" -i run/trace.dat
bars 1000000 21000500 "$drawn" "a bar for each sample, from tbi to tintr, in its state's colours; tainted ones hatched; markers above the advertised latency"
unlike "$(cat kshark.log)" 'wakelat' "the plugin prints no message"

# marker_at: print the column of marker A, a dark green line below the axis, or "none"
marker_at() {
	picture now.rgb
	perl -e '
		my ($width, $name) = @ARGV;
		open my $f, "<:raw", $name or die;
		my $pixels = do { local $/; <$f> };
		my %rows;
		for my $i (125 * $width .. 240 * $width) {
			my ($r, $g, $b) = unpack "CCC", substr $pixels, 3 * $i, 3;
			$rows{$i % $width}++ if $r < 60 && $g > 100 && $g < 160 && $b < 60;
		}
		my ($x) = sort { $rows{$b} <=> $rows{$a} || $a <=> $b } keys %rows;
		print defined $x && $rows{$x} > 15 ? $x : "none"' 700 now.rgb
}

# The menu's entry moves marker A to the end of the longest untainted sample. The first Up in an open menu selects the last
# entry, the second one this entry. A busy machine opens the menu later.
for patience in 1 3 9; do
	on_screen xdotool mousemove 155 10 click 1 sleep "$patience" key Up sleep 0.3 key Up sleep 0.3 key Return sleep "$patience"
	line=$(marker_at)
	[ "$line" = none ] || break
	on_screen xdotool key Escape sleep 1
done
expected=$(awk 'BEGIN { printf "%d", 89 + 573 * (7000000 - 1000000) / 20000500 }')
note "marker A at $line, expected at $expected"
ok "the menu's entry moves the marker at least to the longest sample" [ "$line" -ge "$((expected - 3))" ] 2>/dev/null
ok "the menu's entry moves the marker at most to the longest sample" [ "$line" -le "$((expected + 3))" ] 2>/dev/null
closed

# A recording in the top buffer, in an older format, without run.tsv.
printf '%s\n' "$samples" | sed 's/ ldist=[0-9]*//' | trace other/trace.dat -o ldist -o tbi_cyc
opened kernelshark -p "$tmp/plugin-wakelat.so" -i other/trace.dat
bars 1000000 21000500 "$(printf '%s\n' "$drawn" | sed 's/[0-9]*$/-/; s/--$/-/')" \
	"an older format without run.tsv: the same bars, no marker"
closed

# A recording of stock events: the bars are those of the samples that dump --from-events makes from it.
trace stock/trace.dat -S <<'END'
hrtimer_start 0 100000 hrtimer=0xffff888000001000 expires=5000000
cpu_idle 0 1000000 state=3
cpu_idle 0 6000000 state=0xffffffff
local_timer_entry 0 6001000
hrtimer_expire_entry 0 6001500 hrtimer=0xffff888000001000 now=6001100
hrtimer_start 1 7000000 hrtimer=0xffff888000002000 expires=12000000
cpu_idle 0 9000000 state=2
reschedule_entry 0 12499000
cpu_idle 0 12500000 state=0xffffffff
local_timer_entry 0 12501000
hrtimer_expire_entry 0 12501500 hrtimer=0xffff888000002000 now=12501100
cpu_idle 1 15000000 state=1
cpu_idle 1 16000000 state=0xffffffff
cpu_idle 1 18000000 state=1
END
ok "stock events: dump makes samples" "$wakelat" dump --from-events -o stock/samples stock/trace.dat
is "$(joined stock/samples/samples.tsv tbi) $(joined stock/samples/samples.tsv ltime) $(joined stock/samples/samples.tsv tai) $(joined stock/samples/samples.tsv tintr) $(joined stock/samples/samples.tsv taint)" \
	"1000000 9000000 5000000 12000000 6000000 12500000 6001000 12501000 - resched" "stock events: dump makes the expected samples"
printf '/sys/devices/system/cpu/cpu0/cpuidle/%s\n' state2/name:C1E state2/latency:10 state3/name:C6 state3/latency:1200 >stock/cpuidle.txt
opened kernelshark -p "$tmp/plugin-wakelat.so" -i stock/trace.dat
bars 100000 18000000 '0 3 1000000 5000000 6000000 6001000 0 -
0 2 9000000 12000000 12500000 12501000 1 12500000' "stock events: KernelShark draws the samples of dump"
unlike "$(cat kshark.log)" 'wakelat' "stock events: the plugin prints no message"
closed

trace none/trace.dat -f <<'END'
sample 0 1000000 state=1 wake_latency=7
sample 0 2000000 state=1 wake_latency=7
END
opened kernelshark -p "$tmp/plugin-wakelat.so" -i none/trace.dat
bars 1000000 2000000 "" "a recording without wakelat events: no bars"
unlike "$(cat kshark.log)" 'wakelat' "a recording without wakelat events: the plugin prints no message"
closed

done_testing
