#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The patch series on the other kernels of kernels.tsv: compares each sample with its own line of the truth log, 2,000
# per source and state, and tries some of the conditions of conditions.t. Properties that do not depend on the kernel
# are tested on the first kernel only. `make conditions KERNEL=VERSION` tries all conditions.
# needs: tools qemu kernel:default@7.3
# takes: minutes
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/errors.sh"

version=7.3
use_kernel "default@$version"
printf '2000\n' >"$tmp/samples"
# This kernel needs a second to trust the TSC, and has no high resolution timers until then.
printf '#!/bin/sh\nsleep 2\nexec sh /later\n' >"$tmp/later.job"

# within_bounds NAME LOW HIGH: check that the error of wake_latency in C1E and C6 is from LOW to HIGH ns
within_bounds() {
	is "$(field "$1" C1 metric)" intr_latency "$1 C1: entered with interrupts on"
	within "$1" C1 median_ns 0 2000
	for state in C1E C6; do
		within "$1" "$state" n 2000 2000
		within "$1" "$state" min_ns "$2" "$3"
		within "$1" "$state" max_ns "$2" "$3"
	done
}

# --- the kernel boots, its KUnit tests pass, and its control files exist

guest_job "$tmp/kunit" "$tmp/later.job" --kernel "$kernel" --add "$top/tests/guest/files.job=/later" --append "kunit.enable=1 kunit.autorun=1 loglevel=7"
is "$status" 0 "Linux $version boots"
like "$(cat "$tmp/kunit/release")" "^$version\\." "the booted kernel is Linux $version"
results=$(sed -n 's/^\[[^]]*\] *//p' "$tmp/kunit/dmesg.log")
for suite in wakelat wakelat_rate; do
	like "$results" "^ok [0-9]+ $suite\$" "KUnit: suite $suite passes"
done
unlike "$results" '(WARNING|BUG|INFO): ' "the kernel log has no warning, bug or info"
guest_job "$tmp/first" "$tmp/later.job" --add "$top/tests/guest/files.job=/later" --kernel "$("$top/scripts/dev/build-kernel")"
is "$(cat "$tmp/kunit/files")" "$(cat "$tmp/first/files")" "the control files and events are those of the first kernel"

# --- the errors are within their bounds

for source in hrtimer tsc_deadline; do
	printf '%s\n' "$source" >"$tmp/source"
	measure "$source $version" "$tmp/later.job" --kernel "$kernel" --add "$top/tests/guest/accuracy.job=/later" --add "$tmp/source=/source" --add "$tmp/samples=/samples"
	within_bounds "$source $version" 0 16
done
for method in target launch; do
	printf -- '--intr-offset 1800ns --each-state --states C1,C1E,C6 --ldist 50us:8ms --samples 2000 --setting method=%s\n' $method >"$tmp/options"
	measure "i210-$method $version" "$tmp/later.job" --kernel "$kernel" --add "$top/tests/guest/i210-record.job=/later" --model skylake-sp-i210 --add "$tmp/options=/options"
	for state in C1E C6; do
		within "i210-$method $version" "$state" n 2000 2000
		is "$(field "i210-$method $version" "$state" beyond)" 0 "i210-$method $version $state: each sample is within its own bound"
	done
done
publish_errors

# --- the errors under conditions of real machines

run env KERNEL="$version" BOOTS='plain|steered.*|countdown|acpi|hotplug' sh "$top/tests/testbed/conditions.t"
is "$status" 0 "conditions: the error of each untainted sample is within its source's bound"
[ "$status" -eq 0 ] || tap_show_run
rows=$(sed 1d "$top/out/check/conditions-$version.tsv" | wc -l)
ok "conditions: the table has $rows rows, at least 30" test "$rows" -ge 30
done_testing
