#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Run the parsers with the address and undefined behaviour sanitizers on inputs that once broke something, and on damaged
# recordings. tests/fuzz searches for new ones.
# needs: nothing
# takes: minutes

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/fuzz.sh"

damaged=100

pkg-config --exists libtracecmd 2>/dev/null || skip_all "libtracecmd-dev is not installed"
printf 'int main(void) { return 0; }\n' >"$tmp/try.c"
words "$fuzz_sanitizers" gcc -o "$tmp/try" "$tmp/try.c" 2>/dev/null && "$tmp/try" || skip_all "this compiler has no sanitizers"
fuzz_programs=$fuzz_programs_of_targets
fuzz_build "$tmp/fuzz" gcc >"$tmp/build.log" 2>&1 || bail "does not build: $(tail -n 3 "$tmp/build.log")"

# Check that a fault in our code is reported, and a fault in a library is not.
mkdir -p "$tmp/tools/read" "$tmp/library/read"
# planted PLACE FILE STATEMENT: compile STATEMENT in PLACE/FILE as make does, and print the sanitizers' report on it
planted() {
	printf '#include <stdio.h>\n#include <string.h>\nint main(int argc, char **argv)\n{\n\tchar a[4];\n\t%s;\n\treturn a[argc] + !argv;\n}\n' "$3" >"$tmp/$1/$2"
	(cd "$tmp/$1" && words "$fuzz_sanitizers" gcc -g -O0 -w -o "$tmp/fault" "$2") && ASAN_OPTIONS=$ASAN_OPTIONS:log_path=$tmp/fault.log "$tmp/fault" 2>/dev/null
	fuzz_logs "$tmp"/fault.log.*
	rm "$tmp"/fault.log.*
}
over='memset(a, argc, 4 + argc)'
like "$(planted tools read/dump.c "$over")" ' in main read/dump\.c:' "a fault in a function of the sanitizer that our code calls is reported"
like "$(planted tools read/dump.c 'char *p = a; p[argc + 4] = 0')" ' in main read/dump\.c:' "a fault in our code is reported"
like "$(planted tools read/dump.c 'fclose((FILE *)8)')" ' in main read/dump\.c:' "a fault in a C library function that our code calls is reported"
like "$(planted . tools/read/dump.c "$over")" ' in main .*read/dump\.c:' "a fault in our code is reported wherever it is compiled"
is "$(planted library read/other.c "$over")" "" "a fault in a library is not reported"

for target in $(fuzz_targets); do
	fuzz_inputs "$target" >"$tmp/inputs"
	ok "$target: there are inputs" [ -s "$tmp/inputs" ]
	said=$(while IFS= read -r file; do
		fuzz_run "$tmp/fuzz" "$target" "$file" | sed "s|^|${file##*/}: |"
	done <"$tmp/inputs")
	is "$said" "" "$target: no fault with $(wc -l <"$tmp/inputs") inputs"
done

cc -O2 -o "$tmp/mktrace" -std=c11 -D_GNU_SOURCE "$top/tests/fixtures/mktrace.c" || bail "mktrace does not build"
cc -O2 -o "$tmp/damage" "$fuzz_sources/damage.c" || bail "damage does not build"
cd "$tmp" || exit 1
./mktrace -e 2 -s samples.dat <<'END'
sample 0 1000 run=1 source=1 state=1 seq=1 ltime=18446744073709551615 wake_latency=-5 taint=19 extra1=18446744073709551615
sample 1 900 run=1 source=2 state=2 seq=7 irqs_on=1 intr_latency=2500
lost 0 3
sample 0 400000000000 run=1 source=3 state=0 seq=2 wake_latency=133070
bulk 40 0 400000001000 3
end 1 400000002000 run=1 cpu=1 samples=1
END
./mktrace -K parts.dat <<'END'
wakelat_clock 0 900 run=1 seq=1 ltime_gross=1000 tai_gross=5000
wakelat_counters 0 901 run=1 seq=1 pc6_cyc=5
sample 0 1000 run=1 source=i210 state=1 seq=1 ltime=18446744073709551615 wake_latency=-5 taint=19 unknown=255
wakelat_intrusion 1 1100 run=1 seq=7 smi=1
sample 1 1200 run=1 source=sixteen-letters_ state=2 seq=7 tai_cyc=absent intr_latency=2500
bulk 20 0 400000001000 3 wakelat_clock wakelat_ipi
end 1 400000002000 run=1 cpu=1 samples=1
END
./mktrace -S events.dat <<'END'
hrtimer_start 0 1000 hrtimer=0xffff888000001000 expires=2000000
cpu_idle 0 5000 state=3
cpu_idle 0 2133400 state=0xffffffff
local_timer_entry 0 2134000
hrtimer_expire_entry 0 2134500 hrtimer=0xffff888000001000 now=2134200
hrtimer_start 1 2135000 hrtimer=0xffff888000001000 expires=4000000
cpu_idle 0 2140000 state=1
call_function_entry 0 3902500
cpu_idle 0 3905000 state=0xffffffff
cpu_idle_miss 0 3906000 state=1 below=1
cpu_idle 1 3910000 state=3
cpu_idle 1 4133000 state=0xffffffff
hrtimer_expire_entry 1 4134500 hrtimer=0xffff888000001000 now=4134100
cpu_idle 1 4150000 state=2
END
trace-cmd convert -i samples.dat -o packed.dat --file-version 7 --compression any >convert.log 2>&1 ||
	bail "trace-cmd convert: $(tail -n 3 convert.log)"
for pair in dump:samples dump:packed dump:parts stock:events $(tried_of_extras damaged | tr ' ' :); do
	said=$(seed=1
		while [ "$seed" -le "$damaged" ]; do
			./damage "$seed" "${pair#*:}.dat" damaged.dat || printf 'damage failed\n'
			fuzz_recording "$tmp/fuzz" "${pair%:*}" damaged.dat | sed "s|^|seed $seed: |"
			seed=$((seed + 1))
		done)
	is "$said" "" "${pair%:*}: no fault with $damaged damaged recordings of ${pair#*:}"
done
done_testing
