#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# tests/check: which tests it runs for a name or tier, what it builds for them, their order, its output. The test uses a copy in
# which fakes log the calls that would build or test. It also checks what tests/check relies on: the line "needs" of each test.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"

copy=$tmp/copy
mkdir -p "$copy/scripts/dev" "$copy/scripts/lib/common" "$copy/testbed/guest" "$copy/tools" "$tmp/bin"
cp -R "$top/tests" "$copy/"
cp "$top/scripts/dev/common.sh" "$copy/scripts/dev/"
cp "$top/scripts/lib/common/trust.sh" "$copy/scripts/lib/common/"

# fake FILE: make a program that logs its name and arguments, and then runs the script on stdin.
fake() {
	{
		printf '#!/bin/sh\nprintf "%%s\\n" "%s${*:+ $*}" >>"%s"\n' "${1##*/}" "$tmp/calls"
		cat
	} >"$1"
	chmod +x "$1"
}
for program in scripts/dev/packages scripts/dev/fetch-image scripts/dev/fetch-kernel scripts/dev/lint scripts/dev/lint-objects \
	testbed/build-qemu testbed/guest/build-tools-arm64; do
	fake "$copy/$program" </dev/null
done
fake "$copy/scripts/wakelat" </dev/null
fake "$copy/scripts/dev/build-kernel" <<'END'
[ "$1" != --list ] || printf '%s\n' default off base debug rt kasan default@7.3 image arm64
END
fake "$tmp/bin/make" </dev/null
# The fake prove writes its times as prove does: the n-th test takes n s.
fake "$tmp/bin/prove" <<'END'
for argument; do
	case $argument in
	--statefile=*) state=${argument#*=} ;;
	tests/*)
		n=$((${n:-0} + 1))
		result=0
		case $argument in
		*/skips.t) printf 'tests/host/skips.t\t3\tno such thing here\n' >>"$WAKELAT_SKIPPED" ;;
		*fails.t)
			result=1
			seq 20 | sed 's/^/# line /' >"$WAKELAT_FAILURES/host-fails.t" ;;
		esac
		printf '  "%s":\n    elapsed: %d.25\n    gen: 1\n    last_result: %d\n' "$argument" "$n" "$result" >>"$state" ;;
	esac
done
printf 'source\tstate\n' >out/check/errors.tsv
case $* in
*fails.t*) exit 3 ;;
esac
END

check() {
	: >"$tmp/calls"
	run env PATH="$tmp/bin:$PATH" WAKELAT_PROGRESS=0 "$copy/tests/check" "$@"
}

# made: print what was made, in order. proved: print the tests, one line for each run of prove.
made() {
	grep -v '^prove\|^packages\|--list' "$tmp/calls" | sed 's/ -C .*//; s/ --flavour / /' | paste -sd , -
}
proved() {
	sed -n 's/^prove //p' "$tmp/calls" | tr ' ' '\n' | sed -n 's:^tests/\(.*\)\.t$:\1:p' | paste -sd ' ' -
}

# --- names

check -h
like "$out" '^USAGE: tests/check' "-h prints the usage"
is "$status$err$(cat "$tmp/calls")" 0 "-h runs nothing"
for name in stats stats.t host/stats tests/host/stats.t; do
	check $name
	is "$status $(proved)" "0 host/stats" "$name: runs host/stats"
done
check sweep stats sweep
is "$(proved | tr ' ' '\n' | sort | paste -sd ' ' -)" "host/stats host/sweep testbed/sweep" "a name in two folders means both tests, each once, in any order"
check build/
is "$(proved | tr ' ' '\n' | sort | paste -sd ' ' -)" "$(cd "$top/tests" && echo build/*.t | sed 's/\.t//g')" "a folder means its tests"
for name in nothing nothing/stats ../tests/host/stats lib 'a b'; do
	check stats "$name"
	is "$status$out $err$(cat "$tmp/calls")" "2 check: no test is called $name (-h for help)" "'$name' is not a test: nothing is run"
done
check --nope
is "$status $err" "2 check: unknown option --nope (-h for help)" "an unknown option is refused"

# --- what is made

check host
is "$(made)" make "host: only the tools are made"
check model
is "$(made)" "" "a test that needs nothing: nothing is made"
unlike "$(cat "$tmp/calls")" '^packages .*(kernel|qemu)' "a test that needs nothing: no packages for builds"
check kunit
is "$(made | tr , '\n' | sort | paste -sd , -)" "build-kernel default,build-qemu" "a test that boots the testbed: kernel and QEMU"
like "$(head -n 1 "$tmp/calls")" '^packages .*kernel' "packages are installed first"
unlike "$(head -n 1 "$tmp/calls")" 'plugins|tail|test-all' "a test of the first tier: no packages of a workstation"
check testbed
like "$(head -n 1 "$tmp/calls")" '^packages .*extras test-all' "a test beyond the first tier: all packages"
check run-arm64
is "$(made) $(grep -c '^packages .* arm64 qemu' "$tmp/calls")" "make,build-kernel arm64,build-qemu --machine arm64 1" "a test that boots arm64: its kernel and QEMU"
check probe-wake
is "$(made | tr , '\n' | sort | paste -sd , -)" "build-qemu,fetch-image,make" "a test that boots Debian's kernel: the image"
check lint your-machine
is "$(made)" "fetch-kernel,lint --last,lint,lint-objects --kernel first arm64 riscv arm64-modules riscv-modules" "tests of the series: the source is fetched, and lint runs"
check series
is "$(made)" "lint --last" "test series: lint checks only the last prefix"

# --- a whole run

# QEMU is built beside the first kernel, so it may come at any time before the tests.
made_one_by_one() {
	made | tr , '\n' | grep -v '^build-qemu$' | paste -sd , -
}
mkdir -p "$copy/out/check"
: >"$copy/out/check/old"
check --all
printed=$out
is "$(made_one_by_one)" "make,fetch-image,fetch-image arm64,fetch-kernel,build-kernel default,lint --last,build-kernel off,build-kernel base,lint,lint-objects --kernel first arm64 riscv arm64-modules riscv-modules,build-kernel rt,build-kernel default@7.3,build-kernel arm64,build-tools-arm64,build-qemu --machine arm64" \
	"all: everything is made, in this order"
like "$(made)" '(^|,)build-qemu(,|$)' "all: QEMU is built, too"
# Tests of clusters and other kernels only run if they are named.
is "$(proved | tr ' ' '\n' | sort)" "$(cd "$top/tests" && find . -name '*.t' ! -path './cluster/*' ! -path './kernels/*' | sed 's:^\./\(.*\)\.t$:\1:' | sort)" "all: every test runs once"
like "$(grep '^prove' "$tmp/calls" | sed -n 1p)" "--jobs 2 $(cd "$top" && echo tests/host/*.t) " "all: tests of the host run first, beside the builds"
unlike "$(grep '^prove' "$tmp/calls" | sed -n 1p)" 'testbed/' "all: no test of the testbed runs first"
like "$(grep '^prove' "$tmp/calls" | sed -n 2p)" ' tests/testbed/accuracy\.t ' "all: tests with the first kernel run second"
unlike "$(grep '^prove' "$tmp/calls" | sed -n 2p)" '/first\.t|arm64|conditions|series|lint' "all: no test that needs another build runs second"
is "$(grep '^prove' "$tmp/calls" | sed -n 3p | cut -d ' ' -f 5-)" "--jobs 1 $(cd "$top" && echo tests/machine/*.t)" \
	"all: tests that measure the machine run alone"
begins=$(grep '^prove' "$tmp/calls" | sed -n 2p | tr ' ' '\n' | grep '^tests/' | head -n 1)
ok "a test that takes minutes begins the second run" grep -qx '# takes: minutes' "$top/$begins"
like "$(grep '^prove' "$tmp/calls" | tail -n 1)" '--jobs 2 ' "two tests run at a time"
not_ok "files of an older run are removed" [ -e "$copy/out/check/old" ]
is "$(printf '%s\n' "$printed" | grep -A 1 '^Time of each' | tail -n 1 | tr -s ' ')" \
	" $(grep '^prove' "$tmp/calls" | awk '{ n = gsub(" tests/", "& "); if (n > max) { max = n; last = $NF } } END { print max ".2 tests/" last }')" "the longest test is first in the table of times"
is "$(printf '%s\n' "$printed" | grep -c '^ *[0-9.]*  tests/')" 20 "the printed table of times has 20 rows"
like "$printed" '^ +[0-9.]+  [0-9]+ others$' "the printed table sums the other tests"
times=$copy/out/check/times.tsv
is "$(head -n 1 "$times")" "what	seconds	result	skipped" "times.tsv: the columns"
is "$(sed 1d "$times" | cut -f 1 | sed -n 's:^tests/\(.*\)\.t$:\1:p' | sort)" "$(proved | tr ' ' '\n' | sort)" \
	"times.tsv: each test has a row"
is "$(grep -c '^build: ' "$times")" "$(($(made | tr , '\n' | wc -l) + 1))" "times.tsv: each build and the packages have a row"
like "$printed" '^Skipped: nothing$' "a run that skips nothing says so"
like "$printed" '^source +state$' "the table of errors is printed"
unlike "$printed" '^Failed' "no failure is printed"
check -v stats
like "$(grep '^prove' "$tmp/calls")" '--jobs 1 -v ' "-v runs one test at a time"
printf '# needs: nothing\n' >"$copy/tests/host/fails.t"
printf '# needs: nothing\n' >"$copy/tests/host/skips.t"
check fails stats skips
is "$status" 3 "a failing test: status 3"
is "$(printf '%s\n' "$out" | sed -n '/^Skipped/,/^$/p' | sed '/^$/d' | tr -s ' ' | paste -sd , -)" \
	"Skipped: 3 checks (a test that is skipped as a whole counts as one), out/check/skipped.tsv:, 3 tests/host/skips.t: no such thing here" \
	"skipped checks are counted and named"
is "$(awk -F '\t' '$1 == "tests/host/skips.t" { print $4 }' "$times")" 3 "times.tsv has the number of skipped checks"
is "$(printf '%s\n' "$out" | sed -n '/^Failed/,$p' | tr -s ' ' | paste -sd , -)" "Failed:,tests/host/fails.t$(seq -f ',%g' 12 | sed 's/,/, # line /' | tr -d '\n')" \
	"failures are printed last, with the first twelve lines of each"
# Lines begin with ":#", because a line that begins with "# needs" would count as this test's own.
sed 's/^:#/#/' >"$copy/tests/host/says.t" <<'END'
#!/bin/sh
:# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"
is 1 2 'this one'
[ -z "${WAKELAT_FAILURES:-}" ] || ok no false
bail enough
END
rm "$copy/out/check/failures"/*
run env WAKELAT_FAILURES="$copy/out/check/failures" sh "$copy/tests/host/says.t"
is "$(cat "$copy/out/check/failures/host-says.t")" "$err
not ok 2 - cannot go on: enough" "a test logs its failures"
sed 's/^:#/#/' >"$copy/tests/host/says.t" <<'END'
#!/bin/sh
:# needs: nothing
:# tier: first ONE=1 TWO=a|b*
:# tier: rest ONE=2
. "$(dirname "$0")/../lib/tap.sh"
skip 2 "not	here"
run sh -c ". '$top/tests/lib/tap.sh'; skip_all inner" "$0"
note "${ONE-none} ${TWO-none} ${WAKELAT_TIER-none}"
[ -z "${ALL:-}" ] || skip_all "no
way"
done_testing
END
rm -f "$tmp/skipped"
for tier in first rest all; do
	WAKELAT_TIER=$tier WAKELAT_SKIPPED=$tmp/skipped sh "$copy/tests/host/says.t" | sed -n 's/^# //p'
done >"$tmp/told"
is "$(paste -sd , - <"$tmp/told")" "1 a|b* none,2 none none,none none none" "a test has the settings of its tier, and its children do not"
ALL=yes WAKELAT_SKIPPED=$tmp/skipped sh "$copy/tests/host/says.t" >/dev/null
is "$(tail -n 2 "$tmp/skipped")" "tests/host/says.t	2	not here
tests/host/says.t	1	no way" "a test logs what it skips"
is "$(wc -l <"$tmp/skipped")" 5 "the children of a test do not log what they skip"
rm "$copy/tests/host/says.t" "$copy/tests/host/skips.t"
cp "$copy/tests/host/fails.t" "$copy/tests/machine/" && check machine
is "$status" 3 "a failing test of the machine: status 3"
rm "$copy/tests/host/fails.t" "$copy/tests/machine/fails.t"

# --- tiers

check
first=$(proved | tr ' ' '\n' | sort)
is "$(made_one_by_one)" "make,fetch-image,build-kernel default,lint --last,build-kernel off,build-kernel base" \
	"the first tier makes kernels that share the default kernel's objects"
unlike "$(head -n 1 "$tmp/calls")" 'plugins|tail|test-all|ansible|cross|arm64' "the first tier: no packages of a workstation"
is "$(printf '%s\n' "$first" | grep '^host/')" "$(cd "$top/tests" && echo host/*.t | sed 's/\.t//g' | tr ' ' '\n' | sort)" "the first tier has all of host/"
: >"$copy/out/check/old"
printf 'tests/host/x.t\t1\tas the first tier said\n' >>"$copy/out/check/skipped.tsv"
check --rest
printed=$out
rest=$(proved | tr ' ' '\n' | sort)
ok "--rest keeps what the first tier has left" [ -e "$copy/out/check/old" ]
like "$printed" '1  tests/host/x.t: as the first tier said$' "--rest names what the first tier skipped"
is "$(cut -f 1 "$times" | grep -c '^tests/')" "$(printf '%s\n' "$first" "$rest" | wc -l)" "--rest: times.tsv has both tiers"
check --all
is "$(printf '%s\n' "$first" "$rest" | sort -u)" "$(proved | tr ' ' '\n' | sort)" "the first tier and the rest are the whole set"
# A test may be in both: the first tier has a part of it, or may lack its packages.
is "$(printf '%s\n' "$first" "$rest" | sort | uniq -d)" \
	"$(cd "$top/tests" && grep -lE '^# tier: (first .|rest)' ./*/*.t | sed 's:^\./::; s/\.t$//' | sort)" "no test is in both tiers without a line tier"
is "$(cd "$top/tests" && grep -hE '^# tier:' ./*/*.t | grep -vE '^# tier: (first|rest)( [A-Z_]+=[^ ]+)*$')" "" "each line tier names first or rest"
check --all --rest
is "$status $err" "2 check: --all and --rest exclude each other (-h for help)" "--all with --rest is refused"
check --all stats
is "$status $err" "2 check: --all takes no names of tests (-h for help)" "--all with a name is refused"

# --- a build that fails
fake "$tmp/bin/make" <<'END'
exit 2
END
check stats
is "$status $(cat "$copy/out/check/failed")" "1 build: tools failed with status 1" "a build fails: no test runs, and the file of failures names the build"
fake "$tmp/bin/make" </dev/null

# --- the tests
cd "$top/tests" || exit 1
for test in */*.t; do
	words=$(sed -n 's/^# needs\( more\)*: //p' "$test" | paste -sd ' ' -)
	case $test in
	host/* | machine/*) known='nothing|tools' ;;
	long/*) known='nothing|tools|source' ;;
	*) known='nothing|((tools|tools-arm64|source|lint|image|image-arm64|qemu|qemu-arm64|kernel:(default(@7\.3)?|first|off|base|debug|rt|kasan|image|arm64|riscv)|series|builds) ?)+' ;;
	esac
	like "$words" "^($known)\$" "$test says what it needs"
	# A test of the host may call testbed/run -h.
	[ "${test%%/*}" != host ] || continue
	sed '/^[[:space:]]*#/d' "$test" | grep -qE '^[^#]*"\$top/testbed/run"|top/testbed/run$|bench/(off-)?cost"$|top/results/thesis-emulated/make$' || continue
	like "$words" 'qemu.*kernel:|qemu.*image' "$test boots the testbed"
done
for folder in */; do
	is "$(find "$folder" -name '*.t' ! -path 'host/*' ! -path 'long/*' ! -path 'testbed/*' ! -path 'build/*' ! -path 'machine/*' ! -path 'cluster/*' ! -path 'kernels/*')" "" "$folder: tests are only in the folders that tests/check knows"
done
# --- a test notices if its line "needs" is wrong
sed '/^# needs/s/tools/nothing/' host/stats.t >"$copy/tests/host/stats.t"
run sh "$copy/tests/host/stats.t"
like "$status $out" '^255 not ok 1 - cannot go on: .*host/stats.t uses tools, which' "a test that needs tools without saying so ends"
sed '/^# needs/s/kernel:default/kernel:rt/' testbed/kunit.t >"$copy/tests/testbed/kunit.t"
run sh "$copy/tests/testbed/kunit.t"
like "$out" '^not ok 1 - cannot go on: .*kunit.t uses kernel:default, which' "a test that needs a kernel without saying so ends"
sed '/^# needs/s/kernel:debug//' kernels/debug-kernel.t >"$copy/tests/kernels/debug-kernel.t"
run sh "$copy/tests/kernels/debug-kernel.t"
like "$out" '^not ok 1 - cannot go on: .*debug-kernel.t uses kernel:debug, which' "a test that needs another kernel without saying so ends"
# The line is found although the test has changed its directory.
sed '/^# needs/s/qemu/nothing/' testbed/from-events.t >"$copy/tests/testbed/from-events.t"
run env PATH="$tmp/bin:$PATH" sh -c 'cd "$1" && exec sh tests/testbed/from-events.t' sh "$copy"
like "$out" '^not ok 1 - cannot go on: tests/testbed/from-events.t uses qemu, which' "a test called by a relative name finds its line needs"

# --- a signal also ends the tests

sleeping=$copy/tests/host/sleeps
cat >"$sleeping.t" <<'END'
#!/bin/sh
. "$(dirname "$0")/../lib/tap.sh"
cleanup() {
	printf 'put back\n' >>"$SAID"
}
sleep 1000 &
until grep -qx sleep "/proc/$!/comm"; do sleep 0.1; done
printf '%s %s\n' "$$" "$!" >"$SAID.new" && mv "$SAID.new" "$SAID"
wait
END
chmod +x "$sleeping.t" && rm "$tmp/bin/prove"
# stopped SIGNAL STATUS NAMES: end tests/check NAMES by SIGNAL. If a test needs a build, sleeps runs beside the builds.
stopped() {
	rm -f "$tmp/said"
	(words "$3" exec env --default-signal=INT SAID="$tmp/said" PATH="$tmp/bin:$PATH" WAKELAT_PROGRESS=0 "$copy/tests/check") >/dev/null 2>&1 &
	checking=$!
	for _ in $(seq 600); do
		[ ! -s "$tmp/said" ] || break
		sleep 0.1
	done
	read -r test_pid sleep_pid <"$tmp/said"
	kill -s "$1" "$checking"
	wait "$checking"
	is "$? $(sed 1d "$tmp/said")" "$2 put back" "$1, $3: the test puts back what it changed"
	ok "$1, $3: the test and its child have ended" test ! -e "/proc/$test_pid" -a ! -e "/proc/$sleep_pid"
}
stopped TERM 143 sleeps
stopped INT 130 sleeps
stopped HUP 129 "sleeps kunit"
done_testing
