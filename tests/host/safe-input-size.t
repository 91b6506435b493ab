#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Bounds on input: memory, idle states, endless text, right-to-left text. And CDPATH is ignored.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/hostile.sh"
build_tools
chmod 755 "$tmp"
victim
cd "$tmp" || exit 1

# --- memory
cc -std=c11 -O2 -Wall -Wextra -Werror -shared -fPIC -o memory.so "$top/tests/fixtures/memory.c" || bail "tests/fixtures/memory.c does not build"
printf 'sample 0 1 run=1 source=1 state=3 wake_latency=5\nend 0 2 run=1 cpu=0 samples=1\n' | trace trace.dat
refused 'trace.dat' \
	"a small recording for which a library asks for 1 GiB is refused" env MEMORY_TAKEN="$tmp/taken" LD_PRELOAD="$tmp/memory.so" \
	"$top/tools/bin/dump" trace.dat out.tsv
not_ok "the reader of this recording does not get 1 GiB" test -e taken
ok "without the fixture the recording is read" "$top/tools/bin/dump" trace.dat out.tsv

# A compressed file states its uncompressed size.
cc -O2 -Wall -Wextra -Werror -o bomb "$top/tests/fixtures/bomb.c" && cc -O2 -o bounded "$top/tests/fixtures/fuzz/bounded.c" ||
	bail "tests/fixtures/bomb.c does not build"
if trace-cmd convert -i trace.dat -o packed.dat --file-version 7 --compression zstd >/dev/null 2>&1 && ./bomb 1000 <packed.dat >bomb.dat; then
	ok "a compressed recording is read" "$top/tools/bin/dump" packed.dat out.tsv
	refused 'bomb.dat' "39 kB of zstd that expand to 1 GB are refused" "$top/tools/bin/dump" bomb.dat out.tsv
	is "$(./bounded 600 "$top/tools/bin/dump" bomb.dat out.tsv 2>/dev/null; echo $?)" 1 \
		"refusing this recording takes less than 600 MiB"
else
	skip 3 "no trace-cmd, or one without zstd"
fi

# --- large indexes of idle states
mkdir indexed
run_tsv indexed/run.tsv
for index in 256 99999 18446744073709551616; do
	printf 'state.%s.name\tC9\n' "$index" | cat indexed/run.tsv - >with.tsv
	mkdir -p with && mv with.tsv with/run.tsv
	refused "with/run.tsv:[0-9]*: state.$index.name: idle states have indexes below 256" \
		"run.tsv: a state with index $index is refused" "$top/tools/bin/check-tables" with/run.tsv
done
printf 'state.%s.name\tC9\n' 63 100 255 >>indexed/run.tsv
ok "run.tsv: states with index 63, 100 and 255 are accepted" "$top/tools/bin/check-tables" indexed/run.tsv

yes '' | head -n 1048577 >with/run.tsv
refused 'with/run.tsv: more than 1048576 lines' "run.tsv: too many lines are refused" "$top/tools/bin/check-tables" with/run.tsv

# --- endless text
truncate -s 10G endless.txt
refused 'endless.txt: 10737418240 bytes, nearly all of them holes' \
	"import: 10 GB without a line break are refused" limited import -q -o imported endless.txt
mkdir wult
printf 'WakeLatency,ReqCState\n60.1,C6\n' >wult/datapoints.csv
mv endless.txt wult/info.yml
refused 'wult/info.yml:1: a line of more than 65536 bytes' \
	"import: an info.yml with an endless line is refused" limited import -q -o imported wult
mkfifo pipe
refused 'pipe: not a regular file' "a text (--cpuidle, nodes) that is a pipe is refused" timeout 10 "$top/tools/bin/check-tables" -l pipe

# --- very many keys before those that are printed
recording keys
{
	head -n 1 keys/run.tsv
	seq 20000 | sed 's/.*/key&	v/'
	sed 1d keys/run.tsv
} >run.tsv && mv run.tsv keys/
run prlimit --cpu=20 "$wakelat" stats keys
is "$status" 0 "stats: 20,000 unknown keys in run.tsv take less than 20 s of CPU time"
like "$out" '\(emulated\)' "stats: finds the facts that follow these keys"

# --- too many files
recording many
seq -f 'many/x%.0f.tsv' 20000 | xargs touch
refused 'many has 200[0-9]* tables and traces, but no recording has more than 1000' \
	"stats: a directory with 20,000 tables is refused" timeout 120 prlimit --cpu=10 "$wakelat" stats many
rm -rf many

# --- sparse files, which would be hashed or copied
recording holes
for file in trace.dat samples.tsv run.tsv doctor.tsv; do
	cp -R holes with-holes
	truncate -s 1T "with-holes/$file"
	refused "with-holes/$file has 1099511627776 bytes, nearly all of them holes" \
		"stats: a sparse $file is refused" limited stats with-holes
	rm -rf with-holes
done
cp -R holes with-holes
truncate -s 1T with-holes/trace.dat
refused 'trace.dat: 1099511627776 bytes, nearly all of them holes' \
	"safe-copy: a sparse trace.dat is not copied" "$top/tools/bin/safe-copy" take with-holes copied trace.dat
refused 'trace.dat: 1099511627776 bytes, nearly all of them holes' \
	"dump: a sparse trace.dat that is named is refused" limited dump -o dumped.tsv with-holes/trace.dat
rm -rf with-holes && cp -R holes with-holes && truncate -s 1T with-holes/run.tsv
refused 'run.tsv: 1099511627776 bytes: no table' \
	"dump: a sparse run.tsv beside a trace.dat that is named is refused" limited dump -o dumped.tsv with-holes/trace.dat
rm -rf with-holes
# The user's notes list the inputs of these figures, also if a directory with the same inputs comes from somebody else.
cp -R holes with-holes && "$wakelat" plot -q -k svg -f ccdf with-holes
truncate -s 1T with-holes/figures/left-out.tsv
ok "plot: replaces a sparse list of figures without reading it" limited plot -q -k svg -f ccdf with-holes
ok "plot: the list is a new one" test "$(stat -c %s with-holes/figures/left-out.tsv)" -lt 10000
rm -rf with-holes

# --- a directory that can be entered, but not listed, so a pipe in it is not seen
recording unlisted
rm -f unlisted/samples.tsv unlisted/stats*.tsv
mkfifo unlisted/samples.tsv
chmod 111 unlisted
refused 'unlisted cannot be listed, so its files cannot be checked: chmod u.r unlisted' \
	"stats: a directory that cannot be listed is refused" as_other stats unlisted
chmod 755 unlisted

# --- an average that overflows
{
	printf '# Histogram\n000001 1\n# Total: 000000001\n# Min Latencies: 00001\n# Avg Latencies: 9223372036854775807\n# Max Latencies: 00001\n'
	printf '# Histogram Overflows: 00000\n# Histogram Overflow at cycle number:\n# Thread 0:\n'
} >cyclictest.txt
refused 'the average 9223372036854775807 is too large' "cyclictest: an average that overflows in ns is refused" \
	"$top/tools/bin/histogram" cyclictest.txt h.tsv f.tsv

# --- characters that change the direction of text
turn=$(printf '\342\200\256')
isolate=$(printf '\342\201\247')
printf 'x%sy%sz µ—\n' "$turn" "$isolate" >turning
is "$(me=x sh -c '. "$0" && shown' "$top/scripts/lib/common/message.sh" <turning)" 'x?y?z µ—' \
	"messages: direction characters become ?, other letters stay"
like "$("$wakelat" stats "no$turn-such" 2>&1)" '^wakelat stats: no\?-such: ' "a command's message shows direction characters as ?"
like "$("$top/tools/bin/check-tables" "no$turn.tsv" 2>&1)" 'no\?\.tsv' "a program's message shows a direction character as one ?"
unlike "$("$top/tools/bin/answer" html text <turning)" "$turn|$isolate" \
	"an HTML page has no direction characters"

# --- CDPATH
# With CDPATH, cd prints its directory before pwd does: the path would have a line break.
mkdir -p planted/scripts/dev planted/tests planted/testbed
twice="$tmp/planted
$tmp/planted"
for where in planted "$twice"; do
	for file in scripts/dev/common.sh scripts/dev/apt.sh scripts/lib/common/trust.sh scripts/lib/common/revision.sh scripts/lib/common/message.sh; do
		mkdir -p "$where/${file%/*}"
		printf 'touch "%s/PWNED"\n' "$tmp" >"$where/$file"
	done
done
# Each of these scripts finds its own directory with cd.
for script in scripts/dev/install scripts/dev/packages testbed/run testbed/model-args tests/check; do
	(cd "$top" && CDPATH="$tmp/planted" timeout 20 sh "$script" -h >/dev/null 2>&1)
	unharmed "$script with an exported CDPATH executes nothing planted"
done

done_testing
