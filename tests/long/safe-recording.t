#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A recording that a stranger has made: links, pipes and devices in the place of what is written and read, names and
# values that a shell, gnuplot or a terminal would execute, lines without an end. As whoever runs the test.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/hostile.sh"
. "$top/tests/lib/machine.sh"
build_tools
victim
mkdir "$tmp/work"
cd "$tmp/work" || exit 1
recording clean
recording other
printf 'sample 0 1 run=1 source=1 state=3 wake_latency=5\nend 0 2 run=1 cpu=0 samples=1\n' | trace trace.dat

# fresh: d is such a recording, and nothing else
fresh() {
	rm -rf d
	cp -r clean d
	if [ "$1" = dump ]; then
		rm d/samples.tsv
		cp trace.dat d/
	fi
}

# of COMMAND: its arguments
of() {
	case $1 in
	compare) printf '%s\n' -q d other ;;
	plot) printf '%s\n' -q -k svg -f ccdf d ;;
	dump) printf '%s\n' d ;;
	*) printf '%s\n' -q d ;;
	esac
}

# try COMMAND: no command waits for ever
try() {
	words "$(of "$1")" run timeout 60 "$wakelat" "$1"
}

# answered COMMAND: 4 and 5 are answers of these two
answered() {
	case $1$status in
	verdict[45] | compare[45]) status=0 ;;
	esac
}

outputs='stats:stats.tsv stats:stats-ci.tsv dump:samples.tsv verdict:verdict.tsv compare:compare.tsv'
if command -v gnuplot >/dev/null; then
	outputs="$outputs report:report.html plot:figures"
fi
if Rscript --vanilla -e 'library(evd)' >/dev/null 2>&1; then
	outputs="$outputs tail:tail.tsv"
fi

# What NAME.partial leads to is not written, and the output is made.
for pair in $outputs; do
	fresh "${pair%%:*}"
	ln -s ../../victim/.profile "d/${pair#*:}.partial"
	mkdir -p d/figures
	try "${pair%%:*}"
	answered "${pair%%:*}"
	is "$status" 0 "${pair%%:*}: a link in the place of ${pair#*:}.partial"
	unharmed "${pair%%:*}: which leads to nothing that is written"
done

# refused_output COMMAND WHAT: in one line, and nothing is written
refused_output() {
	[ "$status" -eq 1 ] && [ "$(printf '%s\n' "$err" | wc -l)" -eq 1 ] && printf '%s\n' "$err" | grep -q "$2"
	tap_result $? "$1: $2 in the place of an output: refused" || tap_show_run
	unharmed "$1: $2: nothing is written"
}
for pair in $outputs; do
	command=${pair%%:*}
	file=${pair#*:}
	fresh "$command"
	target=../../victim/.profile
	[ "$file" != figures ] || target=../../victim/home
	ln -s "$target" "d/$file"
	try "$command"
	refused_output "$command" 'symbolic link'
	[ "$file" != figures ] || continue
	fresh "$command"
	mkfifo "d/$file"
	try "$command"
	refused_output "$command" '\(pipe\|fifo\)'
	fresh "$command"
	mkdir "d/$file"
	try "$command"
	refused_output "$command" directory
	if [ "$(id -u)" -eq 0 ]; then
		fresh "$command"
		mknod "d/$file" c 1 3
		try "$command"
		refused_output "$command" 'character special'
		ok "$command: the device is still there" [ -c "d/$file" ]
	fi
done
if command -v gnuplot >/dev/null; then
	fresh plot
	mkdir d/figures
	ln -s ../../../victim/.profile d/figures/ccdf.svg
	touch -d tomorrow d/samples.tsv
	try plot
	refused_output plot 'symbolic link'
fi

# What is read: a link would bring in, and into a report, what is somebody's own.
for file in run.tsv samples.tsv doctor.tsv tail.tsv; do
	fresh stats
	rm -f "d/$file"
	ln -s ../../victim/.profile "d/$file"
	refused "not trusted: ./d/$file is a symbolic link" "a link as $file" timeout 60 "$wakelat" stats d
	rm "d/$file"
	mkfifo "d/$file"
	refused "not trusted: ./d/$file is not a regular file" "a pipe as $file" timeout 60 "$wakelat" stats d
done
mkfifo pipe.dat
refused "pipe.dat: not a regular file" "a pipe as a recording" timeout 60 "$wakelat" dump pipe.dat
unharmed "nothing of all that was written or executed"

# A device or a pipe that the user names is written into.
fresh compare
"$wakelat" compare -q -o /dev/stdout d other >through
ok "a device that was named is written into" [ -s through ]
ok "/dev/null" "$wakelat" compare -q -o /dev/null d other
ok "stays a device" [ -c /dev/null ]

# Names and values.
if command -v gnuplot >/dev/null; then
	for name in "'x" "''" "x' . system('touch PWNED') . '" '`touch PWNED`' '"; system("touch PWNED"); "' '\input{/etc/passwd}' \
		"$(printf '\033]0;x\007')"; do
		fresh plot
		state=$name awk -F '\t' -v OFS='\t' '$1 == "state.3.name" { $2 = ENVIRON["state"] } { print }' clean/run.tsv >d/run.tsv
		ok "figures of a state named $(printf '%s' "$name" | tr '\033\007' '??')" timeout 100 "$wakelat" plot -q -k svg,tex -f ccdf,states d
		is "$(grep -c '\\input{/etc' d/figures/*.tex | grep -cv ':0$')" 0 "LaTeX is not told to read a file"
	done
fi
unharmed "nothing is executed by them"

# A terminal gets no control characters.
fresh stats
esc=$(printf '\033]0;owned\007\302\233')
sed -i "s/^cpu_model	.*/cpu_model	Xeon $esc/" d/run.tsv
for command in stats verdict; do
	run "$wakelat" "$command" d
	answered "$command"
	is "$status $(printf '%s' "$out" | LC_ALL=C tr -d '\n\t -\176\303-\377\240-\301' | od -An -c | tr -d ' \n')" "0 " \
		"$command: no control characters of cpu_model"
	like "$out" 'Xeon \?]0;owned\?' "$command: the rest is shown"
done
make_machine "$tmp/machine"
process="$(sed 's/^1 (.*) S/2 (x) R/; q' "$machine/proc/1/task/1/stat")"
put /proc/2/task/2/stat "2 (a$esc) ${process#*) }"
run env WAKELAT_ROOT="$machine" "$wakelat" doctor --cpu 1 --time 0s
like "$out" 'tasks are running on CPU 1: a\?]0;owned\?' "doctor: the name of a process"
like "$(WAKELAT_ROOT="$machine" "$wakelat" doctor --cpu 1 --time 0s --tsv)" '	tasks are running on CPU 1: a\?]0;owned\?' "in the table as well"
like "$("$wakelat" compare "$esc" other 2>&1)" '^wakelat compare: \?]0;owned' "nor in a message"
printf 'µ · ü\n' >utf
is "$(me=x sh -c '. "$0" && shown' "$top/scripts/lib/common/message.sh" <utf)" 'µ · ü' "other letters stay"

# The names of sources are no patterns.
fresh stats
touch a b c
sed -i 's/	hrtimer	/	*	/' d/samples.tsv
run "$wakelat" stats d
is "$status $(printf '%s\n' "$out" | grep -c '^source [abc]$')" "0 0" "a source called * is no pattern"

# What is said to be a number is one.
for change in 's/^state.3.latency_ns	.*/state.3.latency_ns	<img src=x onerror=alert(1)>/' 's/^tsc_khz.*//; $a tsc_khz	1; system("x")' \
	's/^ldist_min_ns	.*/ldist_min_ns	a[$(touch PWNED)]/' '$a run.1.cpu0.samples	1e9999'; do
	fresh stats
	sed -i "$change" d/run.tsv
	refused "d/run.tsv:[0-9]+: .* is not a number" "run.tsv: $change" "$wakelat" stats d
done
for change in 's/	401	/	<script>	/' '2s/	-	/	\`id\`	/' '2s/	[0-9]*$/	system(1)/'; do
	fresh stats
	"$wakelat" stats -q d
	touch -d yesterday d/samples.tsv d/run.tsv
	sed -i "$change" d/stats.tsv
	refused "d/stats.tsv:2: .* is not a number" "stats.tsv: $change" "$wakelat" stats d
done

# Bounds.
fresh stats
{
	head -n 1 d/samples.tsv
	head -c 200000000 /dev/zero | tr '\0' 1
} >long && mv long d/samples.tsv
refused "d/samples.tsv:2: a line of more than 65536 bytes" "a line without an end" limited stats d
fresh stats
head -c 200000000 /dev/zero | tr '\0' '\t' >>d/run.tsv
refused "d/run.tsv: .* bytes: no table of this kind" "a run.tsv that is too large" limited stats d
fresh stats
head -c 5000 /dev/zero | tr '\0' '\t' >>d/run.tsv
refused "d/run.tsv:[0-9]*: more than 2048 columns" "too many columns" limited stats d
head -c 200000000 /dev/zero | tr '\0' 1 >one.csv
refused "one.csv:1: a line of more than 65536 bytes" "import: a line without an end" limited import -q -o i -c 1 -u us one.csv

done_testing
