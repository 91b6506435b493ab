#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat tune finds the limit that a budget allows. The right answer is known: intel_idle advertises 2, 10 and 133 us
# for C1, C1E and C6 on this CPU, and the kernel compares a limit with these values. The states' latencies are those of
# the model, plus about 1.4 us until the interrupt handler runs.
# needs: tools qemu kernel:default
# takes: minutes
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
: "${top:?}" "${tmp:?}" "${status=}"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/measuring.sh"

# answers NAME CHECKS BUDGET:LIMIT,... [TESTBED-OPTION...]: run the job, which makes CHECKS checks, and 4 for each budget.
# LIMIT is the answer that tune must give.
answers() {
	name=$1
	checks=$2
	printf '%s\n' "$3" | tr ',:' '\n ' >"$tmp/answers"
	checks=$((checks + 4 * $(wc -l <"$tmp/answers")))
	shift 3
	words "$(measuring)" guest_job "$tmp/$name" "$top/extras/tune/tests/guest/tune.job" "$@" --add "$top/tests/guest/record.sh=/record.sh" \
		--add "$tmp/answers=/answers"
	is "$status" 0 "$name: the job ran"
	replay_checks "$tmp/$name" "$checks"
}

cyclictest=
with_cyclictest=0
if command -v cyclictest >/dev/null; then
	cyclictest=$(guest_program "$(command -v cyclictest)" /usr/bin/cyclictest)
	with_cyclictest=21
else
	skip 23 "no cyclictest (Debian: rt-tests)"
fi

# The states take their advertised latencies. A budget of 5 us is less than C1E takes. 2 us is less than C1, the
# shallowest state, takes.
words "$cyclictest" answers advertised $((6 + with_cyclictest)) 50us:10,20us:10,5us:2,2us:-
if [ -n "$cyclictest" ]; then
	ok "tune.json is a JSON document with the chosen limit" python3 -c 'import json, sys
j = json.load(open(sys.argv[1]))
rows = {r["knob"]: r for r in j["tune"] if r["step"] == "result"}
assert rows["qos"]["value"] == "10" and rows["qos"]["verdict"] == "chosen", rows
assert j["command"] == "tune" and j["limits"], j' "$tmp/advertised/tune.json"
	ok "the snippet compiles without a warning" gcc -Wall -Wextra -Wpedantic -Werror -O2 -std=gnu11 -c -o "$tmp/limit.o" \
		"$tmp/advertised/latency-limit.c"
fi
# C1E takes 80 us, eight times its advertised latency, and C6 at most 35 us. Without a limit the governor seldom chooses
# C1E, but it may. A budget of 50 us therefore allows neither C1E nor a limit that admits C1E.
answers swapped 6 85us:none,50us:2,11us:2,3us:- --set C1E.latency_ns=80000 --set C6.latency_ns=30000 \
	--set C6.jitter_ns=5000
# C1 takes longer than C1E. No limit allows C1E and forbids C1.
answers slow-c1 6 15us:-,30us:10,100us:10 --set C1.latency_ns=20000
# The C code that tune gives to applications
ok "the code for applications compiles" gcc -Wall -Wextra -Wpedantic -Werror -O2 -std=gnu11 -static \
	-DSNIPPET="\"$top/extras/tune/latency-limit.inc\"" -o "$tmp/hold" "$top/extras/tune/tests/fixtures/hold.c"
guest_job "$tmp/held" "$top/extras/tune/tests/guest/hold.job" --add "$tmp/hold=/hold" --add "$top/tests/guest/record.sh=/record.sh"
is "$status" 0 "hold: the job ran"
replay_checks "$tmp/held" 5
done_testing
