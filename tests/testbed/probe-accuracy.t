#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat probe on Debian's own kernel in the virtual Xeon (testbed/run): compares each sample of sources timer and
# passive with its own line of the truth log. A sleeping program, a busy console and NMIs cause other wake-ups. Adds
# its rows to out/check/errors.tsv. STATES=A,B tries only these states; C1E and C6 must be among them.
# needs: tools qemu image
# takes: minutes
# tier: first STATES=C1E,C6
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/errors.sh"
. "$top/tests/lib/instructions.sh"
. "$top/tests/lib/probe.sh"
ready_to_probe image
build_sleeper || bail "no compiler"

states=$(printf '%s\n' "${STATES:-C1,C1E,C6}" | tr ',' ' ')
printf '%s\n' "$states" >"$tmp/states"
probe_job "$tmp/out" probe 1 probe --add "$tmp/sleeper=/sleeper" --add "$tmp/states=/states" \
	--set nmi_at_ns=5000000000 --set nmi_period_ns=17100000

# check_errors SOURCE STATE: check that no sample has a wrong state, or a foreign wake-up without a taint
check_errors() {
	errors_dir=$tmp/out/$1-$2
	cp "$tmp/out/truth.tsv" "$errors_dir/" && with_cycles "$errors_dir" "$tmp/out/clock.txt"
	run "$top/tools/bin/truth" "$errors_dir"
	is "$status" 0 "$1 $2: each sample has its idle period, the right state, and no foreign wake-up without a taint"
	append_errors "probe_$1"
}

for source in timer passive; do
	for state in $states; do
		check_errors "$source" "$state"
		within "probe_$source" "$state" n 300 300
		if [ "$state" = C1 ]; then
			# With interrupts on, the latency includes the path into the handler.
			within "probe_$source" C1 median_ns 0 2000
			continue
		fi
		within "probe_$source" "$state" min_ns 0 400
		within "probe_$source" "$state" median_ns 0 400
		within "probe_$source" "$state" max_ns 0 700
	done
done
note "$(cat "$tmp"/out/*/run.tsv | grep bpf_ns_per_period)"
is "$(cat "$tmp"/out/*/run.tsv | awk -F '\t' '$1 ~ /^lost_/ { n += $2 } END { print n }')" 0 "probe lost no event"
for kind in foreign_timer nmi; do
	ok "some samples are tainted $kind" grep -q "	[a-z_,]*$kind" "$tmp/out/timer-C6/samples.tsv" "$tmp/out/timer-C1E/samples.tsv"
done
publish_errors
run "$wakelat" stats "$tmp/out/timer-C6"
like "$out" 'Latency from idle states \(emulated\)' "the table says that it is emulated"
like "$out" 'Systematic error, source timer' "the table states the systematic error"
done_testing
