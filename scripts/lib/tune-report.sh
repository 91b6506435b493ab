# SPDX-License-Identifier: GPL-2.0
# tune-report.sh - what a search has found: tables, cost, lines that make it permanent.
# shellcheck shell=sh
# shellcheck disable=SC2154  # from commands/tune, points.sh
#
# Needs points.sh, knobs.sh, cpuidle.sh.

# states_above LIMIT_US: indices of the states that it forbids
states_above() (
	index=0
	count=$(state_count "$cpu")
	while [ "$index" -lt "$count" ]; do
		[ "$(state_value "$cpu" "$index" latency)" -le "$1" ] || printf '%d\n' "$index"
		index=$((index + 1))
	done
)

# boot_lines LIMIT_US: for the kernel command line
boot_lines() {
	if [ "$1" -eq 0 ]; then
		printf '    idle=poll\n'
		return
	fi
	first=$(states_above "$1" | head -n 1)
	case $(read_value "$cpu_sysfs/cpuidle/current_driver") in
	intel_idle)
		mask=0
		for index in $(states_above "$1"); do
			mask=$((mask | 1 << index))
		done
		printf '    intel_idle.states_off=0x%x\n' "$mask"
		;;
	acpi_idle) printf '    processor.max_cstate=%d\n' $((first - 1)) ;;
	*) printf '    (no parameter known for this idle driver)\n' ;;
	esac
}

# c_snippet LIMIT_US: what an application would use, with this limit
c_snippet() {
	sed "s/^#define LATENCY_LIMIT_US .*/#define LATENCY_LIMIT_US $1/" "$here/lib/latency-limit.c"
}

# permanent_lines LIMIT_US
permanent_lines() {
	in_sysfs=$1
	[ "$1" -ne 0 ] || in_sysfs=n/a
	cat <<END

To make the limit permanent, one of these:

  all CPUs, with tuned: /etc/tuned/wakelat/tuned.conf, then tuned-adm profile wakelat
    [main]
    summary=Wake-up latency limit found by wakelat tune
    [cpu]
    force_latency=$1

  CPU $cpu, with systemd: /etc/tmpfiles.d/wakelat.conf
    w /sys/devices/system/cpu/cpu$cpu/power/pm_qos_resume_latency_us - - - - $in_sysfs

  CPU $cpu, with udev: /etc/udev/rules.d/99-wakelat.rules
    ACTION=="add", SUBSYSTEM=="cpu", KERNEL=="cpu$cpu", ATTR{power/pm_qos_resume_latency_us}="$in_sysfs"

  all CPUs, from boot on: kernel command line
$(boot_lines "$1")

An application holds it only while it must: $output/latency-limit.c

$(c_snippet "$1" | sed 's/^./    &/')
END
}

# cost VALUE: of this limit against none
cost() {
	awk -F '\t' -v chosen="$1" -f "$here/lib/tune-cost.awk" "$output/limits/sweep.tsv"
}

# how_decided: by what number
how_decided() {
	if [ "$percentile" = max ]; then
		printf 'the maximum of each state'
	else
		printf 'p%s of each state; its maximum where there are too few samples (which is said)' "$percentile"
	fi
}

# interval_result: one paragraph
interval_result() {
	case $interval_chosen in
	not-searched) return ;;
	'') printf '\nWithout a limit not even idle intervals of %s us are safe.\n' "$(shifted "$interval_min" 3)" ;;
	*)
		printf '\nWithout a limit, a CPU that never idles longer than %s us keeps the budget too' \
			"$(shifted "$interval_chosen" 3)"
		[ "$interval_chosen" -lt "$interval_max" ] || printf ' (nothing longer was tried)'
		printf '.\n'
		;;
	esac
	printf '\n'
	print_points "$output/intervals" "$budget"
}

verification() {
	if [ "$cyclictest_s" -eq 0 ]; then
		printf 'Verified by a second recording; cyclictest was left out.\n'
	elif [ "$cyclictest_there" = no ]; then
		printf 'Verified by a second recording. NOT verified with cyclictest: it is missing or failed (Debian: rt-tests).\n'
	else
		printf 'Verified by a second recording and with cyclictest.\n'
	fi
}

# print_result: all of it
print_result() {
	printf 'Latency budget %s us%s: CPU %s, %s\n' "$(shifted "$budget" 3)" "$(run_note "$output/limits")" "$cpu" \
		"$(cpuinfo "$cpu" 'model name')"
	printf 'Interrupt latency in us, decided by %s.\n\n' "$(how_decided)"
	print_points "$output/limits" "$budget"
	printf '\n'
	case $limit_chosen in
	'')
		printf 'NO LIMIT KEEPS THE BUDGET'
		[ "$tried_poll" = no ] || printf ', not even polling (limit 0)'
		printf '.\n'
		[ "$tried_poll" = yes ] ||
			printf 'Not tried: limit 0, with which the CPU polls and never sleeps. Leave out --no-poll to try.\n'
		return
		;;
	none) printf 'No limit is needed: every state keeps the budget.\n' ;;
	*) printf 'The largest limit that keeps the budget: %s us.\n' "$limit_chosen" ;;
	esac
	verification
	[ "$limit_chosen" = none ] || cost "$limit_chosen"
	interval_result
	[ "$limit_chosen" = none ] || permanent_lines "$limit_chosen"
}
