#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Text of others on a terminal: every command gets hostile names of machines, states, processes, devices, files and options, and
# prints no byte that a terminal obeys, that changes the direction of text, or that is not UTF-8.
# needs: tools
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/machine.sh"
. "$top/tests/lib/tried.sh"
build_tools
cd "$tmp" || exit 1
plain=$top/tests/fixtures/plain

# --- the two functions that make text harmless, compared with what Python's decoder says

shown() (
	me=x
	. "$top/scripts/lib/common/message.sh"
	shown
)
shown <"$plain/text" >shell
same shell "$plain/expected" "shown (message.sh) makes hostile lines harmless, and keeps letters"
if command -v busybox >/dev/null; then
	mkdir bin && for applet in sh tr sed; do ln -s "$(command -v busybox)" "bin/$applet"; done
	me=x PATH=$tmp/bin sh -c '. "$1" && shown' sh "$top/scripts/lib/common/message.sh" <"$plain/text" >busybox
	same busybox "$plain/expected" "shown does the same with busybox"
else
	skip 1 "no busybox"
fi
cc -std=c11 -O2 -Wall -Wextra -Werror -o make-plain "$plain/make-plain.c" "$top/tools/lib/plain.c" || bail "make-plain.c does not build"
./make-plain <"$plain/text" >compiled
same compiled "$plain/expected" "make_plain() (tools/lib) makes hostile lines harmless, and keeps letters"

# --- every command

# A title and a color for the terminal, by ESC, by a raw and an encoded U+009B; right-to-left; a character that is cut.
evil=$(printf 'x\033]0;owned\007\23331m\302\23331m\342\200\256\303')

# harmless NAME COMMAND...: COMMAND prints no byte that shown would replace
harmless() {
	harmless_name=$1
	shift
	timeout 60 "$@" >printed 2>&1 </dev/null
	shown <printed >cleaned
	grep -q owned printed && printf '%s\n' "$harmless_name" >>reached
	[ -z "${SHOW-}" ] || { echo "== $harmless_name"; cat printed; }
	same printed cleaned "$harmless_name: prints nothing that a terminal obeys"
}

# hostile DIR: make a recording whose texts are all hostile
hostile() {
	three_states "$1"
	evil=$evil awk -F '\t' -v OFS='\t' '$1 ~ /^(hostname|cmdline|cpu_model|kernel|revision|driver|state[.][0-9]+[.]name)$/ { $2 = $2 ENVIRON["evil"] } { print }' \
		"$1/run.tsv" >run.new
	printf '%s\t%s\n' bios "$evil" caveat "$evil" systematic_error "$evil" taints_unknown "$evil" >>run.new
	mv run.new "$1/run.tsv"
	printf 'check\tcpu\tvalue\tfinding\texplanation\nload\t0\t%s\tdoubt\t%s\n' "$evil" "$evil" >"$1/doctor.tsv"
}
hostile d
hostile "other$evil"
for command in stats 'stats --json' 'stats --unsupported' 'verdict -b 50us' 'verdict -b 50us --json' 'verdict -b 50us --paste sysfs' \
	'verdict -b 50us --paste udev' 'report --mail' 'dump -o x.tsv' 'scrub -o scrubbed' 'import -o copy' 'merge -o m.counts'; do
	words "$command d" harmless "$command" "$wakelat"
done
tried_of_extras recording >tried
while IFS= read -r command; do
	words "$command d" harmless "$command" "$wakelat"
done <tried
harmless compare "$wakelat" compare d "other$evil"
harmless 'compare --json' "$wakelat" compare --json d "other$evil"
harmless 'stats of a directory' "$wakelat" stats "other$evil"
harmless 'plot of an unknown figure' "$wakelat" plot -f "$evil" d
harmless 'merge of a directory' "$wakelat" merge -o m2.counts "other$evil"
mkdir counts
"$wakelat" stats -q --counts "counts/a$evil.counts" d >/dev/null 2>&1
"$wakelat" stats -q --counts counts/b.counts "other$evil" >/dev/null 2>&1
harmless 'merge of counts' "$wakelat" merge -o m3.counts counts
tried_of_extras counts >tried
while IFS= read -r command; do
	words "$command counts" harmless "$command of counts" "$wakelat"
done <tried
printf '%s: %s\n' "$evil" "$evil" >"text$evil"
for command in 'import -o i1' 'import -o i2 -c 2 -u us' dump; do
	words "$command ./text$evil" harmless "$command of a file" "$wakelat"
done
tried_of_extras text >tried
while IFS= read -r command; do
	words "$command ./text$evil" harmless "$command of a file" "$wakelat"
done <tried
# The machine: names of processes, states and network cards.
make_machine "$tmp/machine"
put /sys/devices/system/cpu/cpu1/cpuidle/state2/name "C6$evil"
put /proc/cmdline "root=$evil"
process="$(sed 's/^1 (.*) S/2 (x) R/; q' "$machine/proc/1/task/1/stat")"
put /proc/2/task/2/stat "2 (a$evil) ${process#*) }"
for command in 'doctor --cpu 1 --time 0s' 'doctor --cpu 1 --time 0s --all' 'doctor --cpu 1 --time 0s --json' 'nic list'; do
	words "$command" harmless "$command of a machine" env WAKELAT_ROOT="$machine" "$wakelat"
done
tried_of_extras machine >tried
while IFS= read -r command; do
	words "$command" harmless "$command of a machine" env WAKELAT_ROOT="$machine" "$wakelat"
done <tried

# Operands and options of every command.
for command in "$top"/scripts/commands/* "$top"/extras/*/; do
	command=${command%/}
	command=${command##*/}
	harmless "$command: an operand" "$wakelat" "$command" "$evil"
	harmless "$command: an option" "$wakelat" "$command" "--$evil"
	harmless "$command: an output" "$wakelat" "$command" -o "$evil/x"
done
harmless 'an unknown command' "$wakelat" "$evil"

for part in "$top"/extras/*/tests/terminal.sh; do
	# shellcheck source=/dev/null
	[ ! -e "$part" ] || . "$part"
done

# The page and the figures.
if command -v gnuplot >/dev/null; then
	run "$wakelat" report -q -o page.html d
	is "$status" 0 "report makes a page of the recording" || tap_show_run
	shown <page.html >cleaned
	same page.html cleaned "the page is UTF-8 without control characters"
	ok "the page has the hostile text" grep -q owned page.html
else
	skip 3 "no gnuplot"
fi

note "hostile text in $(grep -c . reached) outputs: $(paste -sd , reached)"
is "$(for name in stats 'stats --json' 'verdict -b 50us' compare 'doctor --cpu 1 --time 0s of a machine' 'an unknown command'; do grep -xF -- "$name" reached || printf 'no hostile text: %s\n' "$name"; done | grep -c '^no')" 0 \
	"the hostile text reaches the main outputs, so these checks can fail"
done_testing
