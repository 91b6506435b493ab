# SPDX-License-Identifier: GPL-2.0
# probe-machine.sh - check whether this machine has what wakelat probe needs, and find out where its
# CPUs are.
# shellcheck shell=sh
#
# Needs message.sh, cpulist.sh, sysfs.sh, journal.sh, cpuidle.sh, tracefs.sh, runtsv.sh, probe-options.sh, probe-trace.sh,
# record-choices.sh.

# Variables that other files set:
: "${here?the command}" "${cpu_sysfs?cpuidle.sh}" "${source?session-options.sh}" "${threshold?probe-options.sh}" "${cost?session-options.sh}" \
	"${budget_text?probe-options.sh}" "${export_file?session-options.sh}" "${quiet?message.sh}" \
	"${online?record-choices.sh}" "${cpu_list?record-choices.sh}" "${cpu_count?record-choices.sh}" \
	"${first_cpu?record-choices.sh}"

tools=$here/../tools/bin
by_trace=no
# The name of the source in run.tsv, if it is not $source.
facts_source=
waker_place=
at_once=no
# For the rest of probe.
: "$by_trace" "$facts_source" "$waker_place" "$at_once" "$tracefs" "$live"

# without_bpf WHY: measure with trace-cmd, or die if that cannot measure either
without_bpf() {
	tracefs=$(tracefs_mounts | head -n 1)
	lack=$(trace_lack)
	[ -z "$lack" ] || die "$1; trace-cmd cannot measure here either: $lack; dump --from-events reads recordings that trace-cmd made elsewhere"
	[ "$source" = timer ] && [ -z "$samples$export_file$latency_limit$live_asked" ] && [ "$threshold" -eq 0 ] && [ "$cost" = no ] ||
		die "$1; with trace-cmd only source timer works, without --samples, --export, --threshold, --latency-limit, --cost, --live"
	by_trace=yes
	facts_source=stock
	live=--no-live
	say "$1: measured with trace-cmd: wake_latency includes the path to the cpu_idle event and the recording itself (380 ns in the testbed)"
}

# check_kernel: check what probe needs. Choose trace-cmd if only BPF is missing, else die.
check_kernel() {
	[ "$(id -u)" -eq 0 ] || die "must be root, to trace: sudo wakelat probe; without root: wakelat doctor, import, and all commands that read recordings"
	check_tools
	if [ ! -x "$tools/probe" ]; then
		without_bpf "tools/bin/probe is not built: scripts/dev/packages probe, then make tools"
	elif [ ! -r /sys/kernel/btf/vmlinux ]; then
		without_bpf "this kernel has no BTF (/sys/kernel/btf/vmlinux, CONFIG_DEBUG_INFO_BTF), which the BPF program needs"
	else
		case $(read_value /sys/kernel/security/lockdown) in
		*'[confidentiality]'*) die "the kernel is locked down (/sys/kernel/security/lockdown: confidentiality), so neither BPF nor trace-cmd can read its memory; what works: wakelat doctor, import, and all commands that read recordings" ;;
		esac
		check_said=$(WAKELAT_PROGRAM='' "$tools/probe" -K -s "$source" -c 0 /dev/null /dev/null 2>&1) ||
			without_bpf "${check_said#*: }"
	fi
	journal_free
}

# check_tools: die if a program is not built that makes the table or the verdict after the measurement
check_tools() {
	[ -z "$export_file" ] || return 0
	[ -z "$budget_text" ] || need_tools answer check-tables quantiles
	[ "$quiet" = yes ] || [ "$threshold" -ne 0 ] || need_tools answer check-tables quantiles safe-copy
}

# choose_waker: set $waker, $waker_place (where it is, seen from the first measured CPU), and
# $at_once (yes if each event wakes several CPUs)
choose_waker() {
	[ "$source" = wake ] || return 0
	[ "$waker" != any ] || return 0
	[ "$cpu_count" -eq 1 ] || at_once=yes
	if [ -z "$waker" ]; then
		waker=$(first_of "$(cpulist_without "$online" "$cpu_list")") ||
			die "source wake needs another CPU, which wakes CPU $cpu_list; no other one is online"
	fi
	! cpulist_has "$cpu_list" "$waker" || die "--waker: CPU $waker is a measured CPU: name another"
	cpulist_has "$online" "$waker" || die "--waker: CPU $waker is not online (online: $online)"
	waker_place=$(placement "$first_cpu" "$waker")
}

# first_of WORDS: print the first word, or fail if there is none
first_of() {
	[ -n "${1%% *}" ] && printf '%s\n' "${1%% *}"
}

# placement CPU CPU: print the smallest unit that they share
placement() (
	topology=$cpu_sysfs/cpu$1/topology
	if shares "$topology/thread_siblings_list" "$2"; then
		printf 'sibling\n'
	elif shares_cache "$1" "$2"; then
		printf 'same cache\n'
	elif [ "$(read_value "$topology/physical_package_id")" = "$(read_value "$cpu_sysfs/cpu$2/topology/physical_package_id")" ]; then
		printf 'same package\n'
	else
		printf 'other package\n'
	fi
)

# shares FILE CPU: succeed if CPU is in the list in FILE
shares() {
	shares_list=$(read_value "$1") && cpulist_has "$shares_list" "$2"
}

# shares_cache CPU CPU: succeed if they share the last-level cache, which has the highest index
shares_cache() (
	last=
	for cache in "$cpu_sysfs/cpu$1"/cache/index[0-9]*; do
		last=$cache
	done
	[ -n "$last" ] && shares "$last/shared_cpu_list" "$2"
)

# say_driver: without a cpuidle driver, say what is measured instead of its states
say_driver() {
	has_states "$first_cpu" || say "no cpuidle driver: measuring the kernel's default idle routine (HLT or MWAIT)"
}
