#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat dump: a part is an event with additional data of a sample. Dump joins each part to its sample's row, whatever the part's
# name, and subtracts the card's times that run.tsv states.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1
absent=18446744073709551615
more="unknown ltime_cyc uncertainty entered"
clock="ltime_gross tbi_gross tai_gross tbi_latch tai_latch dma wake_latency_gross intr_latency_gross"
counters="tsc_cyc mperf_cyc aperf_cyc cc1_cyc cc3_cyc cc6_cyc cc7_cyc pc2_cyc pc3_cyc pc6_cyc pc7_cyc pc8_cyc pc9_cyc pc10_cyc"

# cells FILE COLUMN...: print these columns of each row, joined by /.
cells() {
	cells_file=$1
	shift
	awk -F '\t' -v names="$*" '
		NR == 1 { n = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? "/" : NR ? " " : "" }' "$cells_file" | sed 's/ $//'
}

# --- samples of two CPUs interleaved, several kinds of parts, missing parts, parts without a sample

trace t.dat -K <<'END'
wakelat_counters 0 100 seq=1 run=1 tsc_cyc=11 cc6_cyc=absent
wakelat_counters 1 101 seq=1 run=1 tsc_cyc=12
wakelat_intrusion 1 102 seq=1 run=1 smi=2 nmi=absent
sample 0 103 run=1 seq=1 source=hrtimer state=3 wake_latency=-5 tai_cyc=7 entered=absent
wakelat_counters 0 104 seq=2 run=1 tsc_cyc=13
sample 1 105 run=1 seq=1 source=hrtimer state=2 taint=16 intr_latency=2500 tai=absent wake_latency=absent tai_cyc=absent unknown=2
sample 1 106 run=1 seq=2 source=hrtimer state=2 tai_cyc=7 unknown=2
sample 0 107 run=1 seq=3 source=hrtimer state=3 tai_cyc=7 unknown=4
wakelat_ipi 0 108 seq=4 run=1 sender=5 offset_max=99
sample 0 109 run=2 seq=4 source=ipi state=3 tai_cyc=7 unknown=6
sample 0 110 run=1 seq=4 source=sixteen-letters_ state=3 tai_cyc=7 unknown=0x40000009
wakelat_counters 0 111 seq=5 run=2 tsc_cyc=14
end 0 120 run=1 cpu=0 samples=3
end 1 121 run=1 cpu=1 samples=2
end 0 122 run=2 cpu=0 samples=1
END
run "$wakelat" dump -o t.tsv t.dat
is "$status$out$err" 0 "dump accepts a recording with parts, without a message"
like "$(head -n 1 t.tsv | tr '\t' ' ')" "^$samples_header $more $clock $counters smi nmi sender offset_max( |\$)" \
	"columns: the known ones, the sample's other fields, the fields of the parts"
is "$(cells t.tsv cpu seq source)" "0/1/hrtimer 1/1/hrtimer 1/2/hrtimer 0/3/hrtimer 0/4/ipi 0/4/sixteen-letters_" \
	"source is text, also without a terminating NUL"
is "$(joined t.tsv irqs_on)" "0 1 0 0 0 0" "irqs_on is 1 if there is no stamp after idle"
is "$(cells t.tsv tai wake_latency intr_latency | cut -d ' ' -f -2)" "0/-5/0 -/-/2500" \
	"with interrupts on, tai and wake_latency are -"
is "$(joined t.tsv tsc_cyc)" "11 12 - - - -" "a part joins the sample with its CPU, run and number"
is "$(cells t.tsv cc6_cyc cc1_cyc | cut -d ' ' -f 1)" "-/0" "an absent value in a part is -"
is "$(joined t.tsv smi)" "0 2 0 - - 0" "smi is 0 without an SMI event, and - if SMIs cannot be counted"
is "$(joined t.tsv nmi)" "0 - - 0 - 0" "nmi is 0 without an NMI event, and - if NMIs cannot be counted"
is "$(cells t.tsv sender offset_max)" "-/- -/- -/- -/- -/- 5/99" "fields of a part of another source are columns"
is "$(joined t.tsv unknown)" "- nmi nmi smi nmi,smi foreign_irq,launch,0x40000000" \
	"column unknown: known bits have names, others are hexadecimal"
is "$(joined t.tsv entered)" "- 0 0 0 0 0" "column entered is a field of the sample"
is "$(cells t.tsv ltime_gross wake_latency_gross dma | tr ' ' '\n' | sort -u)" "-/-/-" \
	"without a part with clock readings, the gross times are -"

# --- an unknown part, and parts whose field names clash with columns

trace any.dat -K -p 'wakelat_any u32:run u64:seq s64:drift u64:novel char8:words u32:short' <<'END'
wakelat_any 0 1 run=1 seq=9 drift=-7 novel=18446744073709551614 words=x short=4294967295
sample 0 2 run=1 seq=9 source=any state=1
wakelat_any 0 3 run=1 seq=10 drift=absent novel=absent
sample 0 4 run=1 seq=10 source=any state=1
end 0 9 run=1 cpu=0 samples=2
END
ok "dump accepts an unknown part" "$wakelat" dump -o any.tsv any.dat
is "$(head -n 1 any.tsv | tr '\t' '\n' | grep -A 9 '^intr_latency_gross$' | head -n 1)/$(cells any.tsv drift novel short)" \
	"intr_latency_gross/-7/18446744073709551614/4294967295 -/-/0" "numbers of an unknown part become columns"
unlike "$(head -n 1 any.tsv)" words "text of an unknown part does not become a column"
for name in state cpu irqs_on unknown ltime_cyc dma smi tsc_cyc; do
	printf 'sample 0 2 run=1 seq=9\n' | trace clash.dat -K -p "wakelat_zzz u32:run u64:seq u64:$name"
	refused "^wakelat dump: event wakelat_(zzz|clock): the table has a column '$name' already$" "a part with a field $name is refused" "$wakelat" dump -o clash.tsv clash.dat
	is "$status" 1 "a part with a field $name is refused with status 1"
done
is "$(ls clash.tsv* 2>/dev/null)" "" "a clash of names leaves no table"
trace none.dat -K -p 'wakelat_a char4:run u64:seq u64:state' -p 'wakelat_b u32:run char8:seq u64:state' -p 'wakelat_c u32:run u64:state' <<'END'
wakelat_a 0 1 run=1 seq=1 state=99
wakelat_b 0 1 run=1 seq=1 state=99
wakelat_c 0 1 run=1 state=99
sample 0 2 run=1 seq=1 state=3
end 0 9 run=1 cpu=0 samples=1
END
ok "dump accepts events with a missing or non-numeric run or seq" "$wakelat" dump -o none.tsv none.dat
is "$(head -n 1 none.tsv) $(joined none.tsv state)" "$(head -n 1 t.tsv) 3" \
	"events without a numeric run and seq do not count as parts"

# --- data that could break the table

trace odd.dat -K <<'END'
sample 0 1 run=1 seq=1 source=a\x09b\x0ac state=1
sample 0 2 run=1 seq=2 source= state=1
sample 0 3 run=1 seq=3 source=\xff\x1b[m\x20x state=1
end 0 9 run=1 cpu=0 samples=3
END
ok "dump accepts sources with characters that are not allowed" "$wakelat" dump -o odd.tsv odd.dat
is "$(awk -F '\t' '{ print NF }' odd.tsv | sort -u | wc -l) $(joined odd.tsv source)" "1 a?b?c - ??[m?x" \
	"characters that are not allowed become ?"
{
	seq 100000 | sed 's/.*/wakelat_counters 0 & run=1 seq=& tsc_cyc=&/'
	printf 'sample 0 200000 run=1 seq=100000 state=1\nend 0 200001 run=1 cpu=0 samples=1\n'
} | trace many.dat -K
ok "dump accepts 100,000 parts without a sample" "$wakelat" dump -o many.tsv many.dat
is "$(joined many.tsv tsc_cyc)" 100000 "after 100,000 parts without a sample, the next one joins its sample"
printf 'bulk 20000 0 1000 3 wakelat_counters wakelat_clock\n' | trace bulk.dat -K
printf 'bulk 20000 0 1000 3\n' | trace bare.dat -K
"$wakelat" dump -o bulk.tsv bulk.dat
"$wakelat" dump -o bare.tsv bare.dat
is "$(joined bulk.tsv seq)" "$(seq 20000 | paste -sd ' ' -)" "a recording of many pages: every sample, in order"
is "$(awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["tsc_cyc"] != 2000000 + $at["seq"] || $at["ltime_gross"] != 2000000 + $at["seq"]' bulk.tsv)" "" \
	"a recording of many pages: each sample has its own parts"
is "$(cut -f -22 bulk.tsv | cksum)" "$(cut -f -22 bare.tsv | cksum)" "parts do not change the other columns"
trace short.dat -K -p 'wakelat_long u32:run u64:seq u64:novel' <<'END'
wakelat_long 0 1 run=1 seq=1
sample 0 2 run=1 seq=1
END
# Change the format, so that its last field ends after the end of the event.
LC_ALL=C sed 's/\(field:u64 novel;.offset:\)20;/\199;/' short.dat >long.dat
refused 'damaged recording: an event of CPU 0 is shorter than its format says' \
	"an event shorter than its format is refused" "$wakelat" dump -o short.tsv long.dat
trace lost.dat -K <<'END'
wakelat_counters 0 1 run=1 seq=1 tsc_cyc=1
lost 0 3
sample 0 2 run=1 seq=2
end 0 3 run=1 cpu=0 samples=2
END
run "$wakelat" dump -o lost.tsv lost.dat
is "$status $(joined lost.tsv tsc_cyc)" "3 -" "lost parts: status 3, and no sample has another sample's part"

# --- subtraction of the card's times

mkdir d
printf '%s\n' 'wakelat_clock 0 1 run=1 seq=1 ltime_gross=1000 tai_gross=5000' \
	'sample 0 2 run=1 seq=1 source=i210 state=3 ltime=1000 silent_time=900 wake_latency=4000 intr_latency=4100 ltime_cyc=2000 tai_cyc=9 uncertainty=20' \
	'wakelat_clock 0 3 run=1 seq=2 ltime_gross=1000 tai_gross=5000' \
	'sample 0 4 run=1 seq=2 source=i210 state=2 ltime=1000 silent_time=900 wake_latency=4000 intr_latency=4100 ltime_cyc=2000 tai_cyc=9 uncertainty=20 taint=1' \
	'wakelat_clock 0 5 run=1 seq=3 ltime_gross=1000 tai_gross=5000' \
	'sample 0 6 run=1 seq=3 source=i210 state=1 ltime=1000 silent_time=900 wake_latency=absent intr_latency=4100 ltime_cyc=2000 tai_cyc=absent uncertainty=21' \
	'sample 0 7 run=1 seq=4 source=i210 state=3 ltime=1000 wake_latency=4000 tai_cyc=9' \
	'wakelat_clock 0 8 run=2 seq=1 ltime_gross=1000 tai_gross=absent' \
	'wakelat_counters 0 8 run=2 seq=1 pc2_cyc=5 pc3_cyc=absent pc6_cyc=0' \
	'sample 0 9 run=2 seq=1 source=i210 state=3 ltime=absent silent_time=absent wake_latency=absent intr_latency=absent ltime_cyc=absent tai_cyc=9 uncertainty=absent taint=64' \
	'wakelat_clock 0 10 run=2 seq=2 ltime_gross=1000 tai_gross=900' \
	'wakelat_counters 0 10 run=2 seq=2 pc2_cyc=0 pc10_cyc=1' \
	'sample 0 11 run=2 seq=2 source=i210 state=1 ltime=1000 wake_latency=-100 tai_cyc=9' \
	'sample 0 12 run=3 seq=1 source=hrtimer state=3 ltime=1000 wake_latency=4000 tai_cyc=9' \
	'end 0 20 run=1 cpu=0 samples=4' 'end 0 21 run=2 cpu=0 samples=2' 'end 0 22 run=3 cpu=0 samples=1' | trace d/trace.dat -K
run_tsv d/run.tsv source i210 source_settings method=launch nic_method launch intr_offset_ns 1800 clock_khz 2000001 max_uncertainty_ns 70 \
	run.1.cpu0.samples 4 run.1.nic.dma_ns 1300 run.1.nic.dma_error_ns 50 run.2.nic.dma_ns 1400 run.2.nic.dma_error_ns 5
run "$wakelat" dump d
is "$status$err" 0 "dump of samples of a card"
# card_times FILE [COLUMN]...: print the times, and these columns, of each row.
card_times() {
	times_of=$1
	shift
	cells "$times_of" ltime silent_time wake_latency intr_latency ltime_cyc "$@"
}
card_times d/samples.tsv | tr ' ' '\n' >rows
is "$(sed -n 1p rows)" "2800/2700/2200/2300/5600" "a state in which the package sleeps: the offset of the interrupt is subtracted"
is "$(sed -n 2p rows)" "4100/4000/900/1000/8200" "a state in which the package is awake: the time of the DMA is subtracted, too"
is "$(sed -n 3p rows)" "4100/4000/-/1000/8200" "interrupts on: wake_latency is -, the other times are corrected"
is "$(sed -n 4p rows)" "-/-/-/-/-" "a sample without its part: the times are unknown, not uncorrected"
is "$(sed -n 5p rows)" "-/-/-/-/-" "an absent value stays absent"
is "$(sed -n 6p rows)" "2800/1800/-1900/-1800/3600" "counters show that the package slept: the requested state does not matter"
is "$(sed -n 7p rows)" "1000/0/4000/0/0" "a sample of another source is not corrected"
is "$(joined d/samples.tsv dma)" "0 1300 1300 - 1400 0 -" "column dma: what was subtracted, and 0 if the package slept"
is "$(joined d/samples.tsv wake_latency_gross)/$(joined d/samples.tsv intr_latency_gross)" "4000 4000 - - - -100 -/- - 4000 - - - -" \
	"gross latencies are printed if both stamps are known"
is "$(joined d/samples.tsv uncertainty)" "20 70 71 0 - 0 0" "the error of the subtracted time is added to uncertainty"
is "$(joined d/samples.tsv taint)" "- foreign_irq uncertain - broadcast - -" "the added uncertainty can set the taint uncertain"
is "$(joined d/samples.tsv ltime_gross)" "1000 1000 1000 - 1000 1000 -" \
	"ltime_gross, the launch time that was written to the card, is not corrected"

# corrected KEY VALUE...: change these facts in run.tsv, and print the times and dma of rows 2 and 3.
corrected() {
	rm -rf e
	mkdir e
	cp d/trace.dat e
	run_tsv e/run.tsv state.2.name C10_x "$@"
	sed -i '0,/^state.2.name	C1E_x$/{/^state.2.name	C1E_x$/d}' e/run.tsv
	"$wakelat" dump -o e.tsv e >said 2>&1
	card_times e.tsv dma | cut -d ' ' -f 2-3
}
is "$(corrected intr_offset_ns 1800 tsc_khz 2000000 run.1.nic.dma_ns 1300)" "2800/2700/2200/2300/5600/0 4100/4000/-/1000/8200/1300" \
	"C10 is not C1; tsc_khz replaces a missing clock_khz"
is "$(corrected intr_offset_ns 1800 nic_method target clock_khz 2000000 run.1.nic.dma_ns 1300)" "2800/2700/2200/2300/5600/0 2800/2700/-/2300/5600/0" \
	"nic_method target: no DMA is subtracted"
is "$(corrected intr_offset_ns 1800 source_settings a=b,method=target clock_khz 2000000 run.1.nic.dma_ns 1300)" "2800/2700/2200/2300/5600/0 2800/2700/-/2300/5600/0" \
	"source_settings method=target: no DMA is subtracted"
is "$(corrected intr_offset_ns 1800)" "2800/2700/2200/2300/-/- 2800/2700/-/2300/-/-" \
	"without a clock frequency no cycles are converted; without dma_ns no DMA is subtracted"
is "$(corrected intr_offset_ns 0 run.1.source.dma_ns 7 clock_khz 1000000)" "1000/900/4000/4100/2000/0 1007/907/-/4093/2007/7" \
	"run.1.source.dma_ns: the DMA of a source that is not called nic"
is "$(corrected intr_offset_ns - run.1.nic.dma_ns - clock_khz -)" "1000/900/4000/4100/2000/- 1000/900/-/4100/2000/-" \
	"unknown facts: nothing is subtracted"
corrected intr_offset_ns 1.5us >/dev/null
refused "^wakelat dump: e/run\.tsv:[0-9]*: intr_offset_ns: '1\.5us' is not a number$" \
	"a fact that is not a number is refused" \
	"$wakelat" dump -o no.tsv e/trace.dat
corrected run.1.nic.dma_ns -5 >/dev/null
refused "^wakelat dump: run\.tsv: run\.1\.nic\.dma_ns '-5' is not a number" \
	"a negative fact is refused" "$wakelat" dump -o no.tsv e/trace.dat
not_ok "a refused fact leaves no table" test -e no.tsv
cp d/trace.dat d/other.dat
"$wakelat" dump -o file.tsv d/trace.dat
same file.tsv d/samples.tsv "a trace file is corrected by the run.tsv beside it"
"$wakelat" dump -o other.tsv d/other.dat
is "$(cells other.tsv ltime dma | cut -d ' ' -f -2)" "1000/- 1000/-" "a trace file that is not named trace.dat is not corrected"

# A recording in two files: run.tsv maps the run numbers in each file to those of the recording.
mkdir r
cp d/trace.dat r/trace-1.dat
cp d/trace.dat r/trace.dat
run_tsv r/run.tsv intr_offset_ns 0 clock_khz 2000000 run.1.trace trace-1.dat run.1.trace_run 1 run.1.nic.dma_ns 11 \
	run.5.trace trace.dat run.5.trace_run 1 run.5.nic.dma_ns 55 run.1.cpu0.samples 4 run.5.cpu0.samples 4
run "$wakelat" dump r
is "$status$err$(cells r/samples.tsv run dma | tr ' ' '\n' | sed -n '2p; 6p' | paste -sd ' ' -)" "01/11 5/55" \
	"a resumed recording: each run has its own facts"

# --- samples of old kernels, whose times the kernel has corrected

mkdir old
printf 'sample 0 1 run=1 source=3 state=2 seq=1 ltime=2800 wake_latency=900 ltime_gross=1000 tai_gross=5000 dma=1300 wake_latency_gross=4000 tai_cyc=%s\nend 0 2 run=1 cpu=0 samples=1\n' $absent |
	trace old/trace.dat -k
cp d/run.tsv old/run.tsv
sed -i '/^run\.1\.cpu0/d' old/run.tsv
ok "dump accepts a recording of an old kernel" "$wakelat" dump old
is "$(cells old/samples.tsv source ltime wake_latency dma wake_latency_gross irqs_on)" "i210/2800/900/1300/4000/0" \
	"the times of an old kernel are not corrected again"
unlike "$(head -n 1 old/samples.tsv)" unknown "a recording of an old kernel has no column unknown"
done_testing
