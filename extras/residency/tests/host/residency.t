#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat residency without a machine: the break-even of points made from a model, what is refused, and how answers are shown.
# needs: tools
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
: "${top:?}" "${tmp:?}" "${wakelat=}" "${status=}" "${out=}" "${err=}"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1
extra=$top/extras/residency
breakeven=$top/tools/bin/breakeven

# repetitions VARIABLE=VALUE...: draw from a model by the bench's simulation; print its rows
repetitions() {
	for setting; do
		set -- "$@" -v "$setting"
		shift
	done
	awk -v breakeven="$breakeven" -v file="$tmp/drawn" -v seed=1 -v step=61.035 -v update=1000000 -v awake=4000 -v ms=100 -v limit=20 "$@" \
		-f "$extra/tests/bench/simulate.awk"
}
# The interval has the truth in all but 6 of 40 repetitions at most: at 95 % more are missed in 1 of 500 such tests, and the seed is fixed.
for drift in 0 7000; do
	rows=$(repetitions n=40 pa=15.7 pb=15.1 ea=72 eb=459 "drift=$drift")
	ok "drift of $drift ppm a second: the truth is in at least 34 of 40 intervals" awk 'BEGIN { exit !(ARGV[1] >= 34) }' \
		"$(printf '%s\n' "$rows" | awk -F '\t' '$4 <= $1 && $5 >= $1' | grep -c .)"
	is "$(printf '%s\n' "$rows" | awk -F '\t' '$2 != "done" || ($5 - $4) / 2 > 0.01 * $1' | grep -c .)" 0 \
		"drift of $drift ppm a second: each half width is below 1 %"
done
like "$(repetitions n=1 pa=15.7 pb=15.75 ea=60 eb=459 drift=0)" 'refused.*do not cross between 10 us and 20000 us: at 20000 us the deeper state takes 0\.0[67].* W more' \
	"refused: a deeper state that never pays"
like "$(repetitions n=1 pa=15.7 pb=14 ea=60 eb=65 drift=0)" 'refused.*pays already there' "refused: a deeper state that always pays"

# points WHAT: write points of 15.7 W + 72 uJ and 15.1 W + 459 uJ, without noise but for alternating 0.1 mW. WHAT changes them.
points() {
	awk -v what="$1" 'BEGIN {
		for (round = 0; round < 5; round++)
			for (k = 0; k < (round ? 6 : 10); k++)
				for (s = 0; s < 2; s++) {
					t = round ? 645000 / (0.4 + 0.24 * k) : 20000 * 1000 ^ (k / 9)
					w = (s ? 15.1 + 459e3 / t : 15.7 + 72e3 / t) + ((n++ * 7) % 5 - 2) * 1e-4
					if (what == "bent" && s && t < 700000)
						w += 0.2
					printf "%s\t%d\t%.0f\t2\t%.9f\t%.3f\t0\t0\t%s\t4000\t%s\t0\t0.01\t1000000\n", s ? "b" : "a", round, t, 2 * w, 1e9 / t,
						what == "background" ? 0.9 : 1, what == "missed" && s ? 0.3 : what == "some" && s ? 0.95 : what == "plain" ? "-" : 1
				}
	}'
}
# value KEY: print the value that breakeven printed
value() { printf '%s\n' "$out" | awk -F '\t' -v key="$1" '$1 == key { print $2 }'; }
fit() {
	points "$1" >made
	run "$breakeven" -e -w 10 -l 0,0 20000 20000000 made
}
fit plain
is "$(value result) $(value interval_ns | cut -c 1-3) $(value counted)" "done 645 no" "without noise: 387 uJ / 0.6 W = 645 us"
narrow=$(($(value interval_high_ns) - $(value interval_low_ns)))
is "$(($(value interval_ns) - $(value residency_ns)))" 4000 "the residency is the interval without the time awake"
fit some
# 5 % that were missed widen the interval to each side by 5/95 of 645 us.
wider=$(($(value interval_high_ns) - $(value interval_low_ns) - narrow))
ok "5 % of the sleep in another state widen the interval by 68 us: $wider ns" [ "$wider" -gt 67000 -a "$wider" -lt 69000 ]
fit background
wider=$(($(value interval_high_ns) - $(value interval_low_ns) - narrow))
# A tenth of about 1550 periods a second, 4 us awake each: 0.06 % to each side.
ok "wake-ups that are not ours widen the interval: $wider ns" [ "$wider" -gt 600 -a "$wider" -lt 1000 ]
fit missed
is "$(value result): $(value why)" "refused: the states were not reached: 70 % of the time asleep was in another one (residency counters)" \
	"refused: the states were not reached"
fit bent
like "$(value why)" '^the model does not fit: at [0-9]* us the difference of the states is off by 0\.[0-9]* W, [0-9]* % of what' "refused: the lines do not fit"
head -n 30 made >few
run "$breakeven" -e 20000 20000000 few
like "$(value why)" 'too few' "refused: too few points"
echo 'a b' >bad
refused 'bad: not a measurement' "a line that is no measurement" "$breakeven" 20000 20000000 bad

# --- the answer

# answer TABLE_NS: make the directory of a measurement with the fit above, where the table says TABLE_NS of C6
fit plain
printf '%s\n' "$out" >plan
answer() {
	rm -rf run
	mkdir run
	{
		printf 'key\tvalue\nformat\t1\nemulated\tno\nkernel\t6.12\ncpu_model\tA CPU\ndriver\tintel_idle\n'
		i=0
		for state in POLL:0:0 C1:2000:2000 C1E:10000:20000 "C6:133000:$1"; do
			rest=${state#*:}
			printf 'state.%d.name\t%s\nstate.%d.latency_ns\t%s\nstate.%d.residency_ns\t%s\n' $i "${state%%:*}" $i "${rest%:*}" $i "${rest#*:}"
			i=$((i + 1))
		done
	} >run/run.tsv
	{ printf 'shallow\tC1E\ndeep\tC6\nseconds\t7\n' && cat "${2:-plan}"; } >answers
	wakeups=together meter=package precision=10 awk -F '\t' -f "$extra/answer.awk" run/run.tsv answers >run/residency.tsv
}
answer 600000
run "$wakelat" residency run
is "$status" 0 "an answer: status 0"
like "$out" '^C1E-C6 +600 +641 +64[01] to +64[12] +kept ' "600 us are kept by 641 us"
answer 300000
like "$("$wakelat" residency run)" '^C1E-C6 +300 .* too short 0\.6[0-9] W at 314 us' "300 us are too short, and cost 387 uJ / 314 us - 0.6 W there"
is "$("$wakelat" residency --paste cmdline run)" "intel_idle.table=C6:133:641" "the text for the kernel's command line"
like "$("$wakelat" residency --paste c run)" 'target_residency = 641,	/\* was 300 \*/' "the lines of C have the residency"
printf 'struct cpuidle_state { const char *name; int exit_latency, target_residency; } table[] = {\n%s\n};\n' "$("$wakelat" residency --paste c run)" >table.c
ok "they compile" gcc -Wall -Werror -c table.c -o table.o
ok "no line of the mail is longer than 80 columns" sh -c '! "$1" residency --mail run | grep -qE "^.{81}"' sh "$wakelat"
run "$wakelat" residency --json run
is "$(printf '%s' "$out" | python3 -c 'import json, sys; d = json.load(sys.stdin); r = d["states"][0]; print(r["deep"], r["table_ns"], r["verdict"])')" \
	"C6 300000 too short" "--json is a document with the answer"
answer 1200000
like "$("$wakelat" residency run)" '^C1E-C6 +1200 .* too long ' "1200 us are too long"
fit missed
printf '%s\n' "$out" >refused
answer 600000 refused
run "$wakelat" residency run
is "$status" 3 "no answer: status 3"
like "$out" '^C1E-C6: the states were not reached: 70 %' "the table says why"
refused 'no state has an answer' "--paste without an answer" "$wakelat" residency --paste c run
refused 'no residency.tsv' "a directory of something else" "$wakelat" residency "$extra"
# The recording of the virtual Xeon. Its model says 78.8 and 620 us (without the table's latency of C1, which is the true one).
cp -R "$extra/xeon-emulated" xeon
rm -rf xeon/figures
is "$(awk -F '\t' -v OFS=: 'NR > 1 { true_ns = $2 == "C6" ? 620000 : 78800; print $2, $10 <= true_ns && $11 >= true_ns }' xeon/residency.tsv)" "C1E:1
C6:1" "the recording has the true residencies in its intervals"
out=$("$wakelat" residency xeon)
like "$out" '^Target residency by energy .emulated.' "it is called emulated"
if command -v gnuplot >/dev/null; then
	is "$(find xeon/figures -type f -size +1k -printf '%f\n' | sort | paste -sd ' ' -)" \
		"residency-C1-C1E.pdf residency-C1-C1E.png residency-C1-C1E.svg residency-C1E-C6.pdf residency-C1E-C6.png residency-C1E-C6.svg" "its figures"
else
	skip 1 "gnuplot is not installed"
fi
mkdir cut && cp xeon/run.tsv cut/
for bytes in 150 $(($(head -n 1 xeon/residency.tsv | wc -c))) 480; do
	head -c "$bytes" xeon/residency.tsv >cut/residency.tsv
	refused 'cut/residency.tsv(:[0-9]+: the last line)? is cut off' "a table cut off after $bytes bytes" "$wakelat" residency cut
done
refused 'exclude each other' "two outputs" "$wakelat" residency --mail --json run
refused 'neither together nor spread' "--wakeups" "$wakelat" residency --wakeups never
refused 'not within 10us and 1s' "--range" "$wakelat" residency --range 1us:5us
done_testing
