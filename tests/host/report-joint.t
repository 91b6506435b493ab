#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat report of recordings of one machine with different sources: one joint answer, which the worse source decides, and one set
# of texts to paste.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

# box DIR C1E_NS C6_NS [KEY VALUE]...: make a recording of a real machine whose C1E_x and C6 have these latencies
box() {
	mkdir "$1"
	awk -v c1e="$2" -v c6="$3" 'BEGIN { for (i = 0; i < 9000; i++)
		print 1 + i % 3, 1000, (i % 3 == 0 ? 1500 : i % 3 == 1 ? c1e : c6) + i * 7919 % 97, 2000, "-" }' | samples_tsv "$1/samples.tsv"
	box_run=$1/run.tsv
	shift 3
	run_tsv "$box_run" "$@"
	sed -i 's/^emulated.*/emulated	no/' "$box_run"
}

# page_of DIR...: write the page of these recordings with a budget of 50 us to page.html, without images
page_of() {
	run "$wakelat" report -q -b 50us -o whole.html "$@"
	is "$status$err" 0 "report of $* succeeds"
	sed 's/\(src="data:[a-z+/]*\)[^"]*"/\1"/; s/ data-head="[^"]*"//g' whole.html >page.html
}

# limits_of: print the latency limits that the page's text names, and those of the sysfs commands
limits_of() {
	printf '%s' "$(grep -c 'For all CPUs, as long as a process holds it' page.html)" "$(sed -n 's/.*[Ll]atency limit\(: \| of \)\([0-9]*\).*/ \2/p' page.html | sort -u)" \
		"$(sed -n 's/.*do echo \([^ ]*\) &gt;&quot;[$]f.*/ \1/p' page.html | sort -u)"
}

box timer 9000 45000
box nic 70000 120000
sed -i 's/^source	.*/source	i210/' nic/run.tsv
page_of timer nic
like "$(cat page.html)" '<p class="answer exceeded">One machine, all sources: C1 keeps 50 µs\. Longer than 50 µs: C1E_x \(nic\) and C6 \(nic\)\.</p>' \
	"two sources of one machine: for each state the worse one decides, and is named"
like "$(cat page.html)" '<p class="limit">A latency limit of 2 µs keeps the budget for all sources; nic decides\.</p>' \
	"the joint limit is the smaller one"
is "$(limits_of)" "1 2 2" "one limit is named, and one set of texts to paste has it"
page_of nic timer
is "$(limits_of)" "1 2 2" "the order of the recordings does not matter"

# One source has no limit, so there is none.
box wake 9000 45000
sed -i 's/^source	.*/source	wake/' wake/run.tsv
awk -F '\t' -v OFS='\t' '$4 == 1 { $12 = 70000 } { print }' wake/samples.tsv >slow.tsv
mv slow.tsv wake/samples.tsv
page_of timer wake
like "$(cat page.html)" '<p class="limit">No latency limit is known to keep the budget for all sources: wake has none\.</p>' \
	"no limit if one source has none"
is "$(limits_of)" 0 "then there is nothing to paste"

# Recordings of one source, or of two machines, have an answer each.
box later 70000 120000
page_of timer later
unlike "$(cat page.html)" 'all sources' "two recordings of one source have no joint answer"
is "$(limits_of)" "2 133
 2 133
 2" "each has its own texts to paste"
sed -i 's/^hostname	.*/hostname	other/' nic/run.tsv
page_of timer nic
unlike "$(cat page.html)" 'all sources' "recordings of two machines have no joint answer"
sed -i '/^hostname	/d' nic/run.tsv timer/run.tsv
page_of timer nic
like "$(cat page.html)" '>If these recordings are of one machine, all sources: ' "without names of machines, the answer says what it assumes"
done_testing
