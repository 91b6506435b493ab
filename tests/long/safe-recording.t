#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Recordings that a stranger has made: links, pipes and devices instead of input and output files, names and values that a
# shell, gnuplot or a terminal would execute, endless lines. The commands run as the user who runs the test.
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

# fresh COMMAND: make d a clean recording for COMMAND
fresh() {
	rm -rf d
	cp -r clean d
	if [ "$1" = dump ]; then
		rm d/samples.tsv
		cp trace.dat d/
	fi
}

# of COMMAND: print the arguments of COMMAND
of() {
	case $1 in
	compare) printf '%s\n' -q d other ;;
	plot) printf '%s\n' -q -k svg -f ccdf d ;;
	dump) printf '%s\n' d ;;
	*) printf '%s\n' -q d ;;
	esac
}

# try COMMAND: run COMMAND with a timeout
try() {
	words "$(of "$1")" run timeout 60 "$wakelat" "$1"
}

# answered COMMAND: set $status to 0 if verdict or compare exits with 4 or 5, which are answers, not failures
answered() {
	case $1$status in
	verdict[45] | compare[45]) status=0 ;;
	esac
}

outputs='stats:stats.tsv stats:stats-ci.tsv dump:samples.tsv verdict:verdict.tsv compare:compare.tsv'
if command -v gnuplot >/dev/null; then
	outputs="$outputs report:report.html plot:figures"
fi

# If NAME.partial is a link, its target is not written, and the output is made.
for pair in $outputs; do
	fresh "${pair%%:*}"
	ln -s ../../victim/.profile "d/${pair#*:}.partial"
	mkdir -p d/figures
	try "${pair%%:*}"
	answered "${pair%%:*}"
	is "$status" 0 "${pair%%:*}: succeeds with a link instead of ${pair#*:}.partial"
	unharmed "${pair%%:*}: does not write to the target of ${pair#*:}.partial"
done

# refused_output COMMAND WHAT: check that COMMAND failed with one line that matches WHAT, and wrote nothing
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

# Input files: a link could bring a private file of the user into a report.
for file in run.tsv samples.tsv doctor.tsv; do
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
unharmed "links and pipes as input: nothing is written or executed"

# Commands write to a device or a pipe that the user names.
fresh compare
"$wakelat" compare -q -o /dev/stdout d other >through
ok "compare -o /dev/stdout writes to it" [ -s through ]
ok "compare -o /dev/null succeeds" "$wakelat" compare -q -o /dev/null d other
ok "compare -o /dev/null leaves it a device" [ -c /dev/null ]

# Names and values.
if command -v gnuplot >/dev/null; then
	for name in "'x" "''" "x' . system('touch PWNED') . '" '`touch PWNED`' '"; system("touch PWNED"); "' '\input{/etc/passwd}' \
		"$(printf '\033]0;x\007')"; do
		fresh plot
		state=$name awk -F '\t' -v OFS='\t' '$1 == "state.3.name" { $2 = ENVIRON["state"] } { print }' clean/run.tsv >d/run.tsv
		ok "plot: draws a state named $(printf '%s' "$name" | tr '\033\007' '??')" timeout 100 "$wakelat" plot -q -k svg,tex -f ccdf,states d
		is "$(grep -c '\\input{/etc' d/figures/*.tex | grep -cv ':0$')" 0 "LaTeX is not told to read a file"
	done
fi
unharmed "names of states: nothing is executed"

# Commands print no control characters.
fresh stats
esc=$(printf '\033]0;owned\007\302\233')
sed -i "s/^cpu_model	.*/cpu_model	Xeon $esc/" d/run.tsv
for command in stats verdict; do
	run "$wakelat" "$command" d
	answered "$command"
	is "$status $(printf '%s' "$out" | LC_ALL=C tr -d '\n\t -\176\303-\377\240-\301' | od -An -c | tr -d ' \n')" "0 " \
		"$command: no control characters of cpu_model"
	like "$out" 'Xeon \?]0;owned\?' "$command: prints the rest of cpu_model"
done
make_machine "$tmp/machine"
process="$(sed 's/^1 (.*) S/2 (x) R/; q' "$machine/proc/1/task/1/stat")"
put /proc/2/task/2/stat "2 (a$esc) ${process#*) }"
run env WAKELAT_ROOT="$machine" "$wakelat" doctor --cpu 1 --time 0s
like "$out" 'tasks are running on CPU 1: a\?]0;owned\?' "doctor: the name of a process has no control characters"
like "$(WAKELAT_ROOT="$machine" "$wakelat" doctor --cpu 1 --time 0s --tsv)" '	tasks are running on CPU 1: a\?]0;owned\?' \
	"doctor --tsv: the name of a process has no control characters"
like "$("$wakelat" compare "$esc" other 2>&1)" '^wakelat compare: \?]0;owned' \
	"compare: an error message has no control characters"
printf 'µ · ü\n' >utf
is "$(me=x sh -c '. "$0" && shown' "$top/scripts/lib/common/message.sh" <utf)" 'µ · ü' "letters other than ASCII are kept"

# The name of a source is not used as a pattern.
fresh stats
touch a b c
sed -i 's/	hrtimer	/	*	/' d/samples.tsv
run "$wakelat" stats d
is "$status $(printf '%s\n' "$out" | grep -c '^source [abc]$')" "0 0" "a source called * does not match file names"

# Values that have to be numbers are checked.
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

# Limits of size.
fresh stats
{
	head -n 1 d/samples.tsv
	head -c 200000000 /dev/zero | tr '\0' 1
} >long && mv long d/samples.tsv
refused "d/samples.tsv:2: a line of more than 65536 bytes" "samples.tsv: an endless line" limited stats d
fresh stats
head -c 200000000 /dev/zero | tr '\0' '\t' >>d/run.tsv
refused "d/run.tsv: .* bytes: no table of this kind" "run.tsv: a file that is too large" limited stats d
fresh stats
head -c 5000 /dev/zero | tr '\0' '\t' >>d/run.tsv
refused "d/run.tsv:[0-9]*: more than 2048 columns" "run.tsv: too many columns" limited stats d
head -c 200000000 /dev/zero | tr '\0' 1 >one.csv
refused "one.csv:1: a line of more than 65536 bytes" "import: an endless line" limited import -q -o i -c 1 -u us one.csv

done_testing
