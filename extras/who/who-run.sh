# SPDX-License-Identifier: GPL-2.0
# who-run.sh - wakelat who: parse the command line, run tools/bin/who, write run.tsv, and print the
# results.
# shellcheck shell=sh
#
# Needs message.sh, options.sh, units.sh, sysfs.sh, cpulist.sh, cpuidle.sh, runtsv.sh, json.sh, output.sh, session.sh, session-options.sh.

# Variables that other files set:
: "${me?the command}" "${extra?the command}" "${here?the command}" "${quiet?message.sh}" "${cpu_sysfs?cpuidle.sh}" "${output?session-options.sh}" \
	"${guest_note?runtsv.sh}" "${cost?session-options.sh}" "${every?session-options.sh}" \
	"${emulated?runtsv.sh}" "${states_difference?cpuidle.sh}"

by=program
pids=
limit=
verify=no
joined=
json=no
caveat=
tools=$here/../tools/bin
# For the command.
: "$verify" "$joined"

who_option() {
	case $1 in
	--by)
		case $2 in
		program | thread | cgroup) by=$2 ;;
		*) bad_usage "--by: '$2' is none of program, thread, cgroup" ;;
		esac
		;;
	--pid)
		case $2 in
		'' | *[!0-9,]* | ,* | *, | *,,*) bad_usage "--pid: '$2' is not a list such as 12,34" ;;
		esac
		pids=$2
		;;
	--limit) limit=$(latency_us "$1" "$2") || exit ;;
	--verify) verify=yes ;;
	--joined) joined=$2 ;;
	--json) json=yes ;;
	*) session_option "$@" ;;
	esac
}

parse_who_options() {
	take_only_options who_option "$@"
	[ -z "$joined" ] || [ "$duration$limit$pids$export_file$live$json$cost$verify" = nonono ] ||
		bad_usage "--joined measures nothing: it can be combined with --output only"
	if [ -n "$export_file" ]; then
		[ -z "$output$limit" ] && [ "$json" = no ] || bad_usage "--export excludes --output, --limit and --json: it writes metrics only"
	else
		: "${duration:=60}"
	fi
	[ "$verify" = no ] || [ -n "$limit" ] || bad_usage "--verify needs a --limit"
	[ "$json" = no ] || : "${live:=--no-live}"
	choose_live
}

# has_cgroup2: succeed if a cgroup hierarchy of version 2 is mounted
has_cgroup2() {
	awk '$3 == "cgroup2" { found = 1 } END { exit !found }' /proc/self/mounts
}

# reports_steal: succeed if the hypervisor reports steal time: how long this guest's CPUs waited for
# a host CPU. tools/bin/who asks CPUID.
reports_steal() {
	find_emulated
	[ "$emulated" = hypervisor ] && "$tools/who" -Q
}

# who_check: die if something necessary is missing; warn and go on without the rest
who_check() {
	[ "$(id -u)" -eq 0 ] || die "must be root, to trace: sudo wakelat who"
	[ -x "$tools/who" ] || die "tools/bin/who is not built: scripts/dev/packages probe, then make tools"
	need_tools answer
	[ -r /sys/kernel/btf/vmlinux ] ||
		die "this kernel has no BTF (/sys/kernel/btf/vmlinux, CONFIG_DEBUG_INFO_BTF), which the BPF program needs; wakelat probe works without BTF"
	case $(read_value /sys/kernel/security/lockdown) in
	*'[confidentiality]'*) die "the kernel is locked down (/sys/kernel/security/lockdown: confidentiality), so BPF cannot read its memory" ;;
	esac
	WAKELAT_PROGRAM=$me "$tools/who" -K /dev/null /dev/null /dev/null || exit
	if [ "$by" = cgroup ] && ! has_cgroup2; then
		warn "no cgroup hierarchy of version 2 is mounted: counting by program instead"
		by=program
	fi
	left='' gone=''
	for pid in $(printf '%s' "$pids" | tr , ' '); do
		if [ -d "/proc/$pid" ]; then
			left=$left,$pid
		else
			gone=$gone${gone:+, }$pid
		fi
	done
	[ -n "$left" ] || [ -z "$pids" ] || die "there is no process $gone"
	[ -z "$gone" ] || warn "there is no process $gone"
	pids=${left#,}
	compare_states "$(cpulist_sorted "$(read_value "$cpu_sysfs/online")")"
	[ -z "$states_difference" ] || {
		caveat="$states_difference: names of states and effects of limits are those of ${states_difference%% and *} everywhere"
		warn "$caveat"
	}
	steal=no
	if reports_steal; then
		steal=yes
	elif [ "$emulated" = hypervisor ]; then
		say "$guest_note; steal time is not reported, so waiting in the host's run queue cannot be separated from the rest"
	fi
	[ "$verify" = no ] || has_states 0 || die "--verify: the kernel applies a latency limit only with a cpuidle driver, and there is none"
}

# who_run LIMIT SECONDS WHO.TSV WORST.TSV FACTS.TSV: run tools/bin/who, which writes these files. It
# holds the latency limit LIMIT in us, unless LIMIT is empty.
who_run() {
	run_limit=$1 run_seconds=$2
	shift 2
	set -- "$@" -b "$by" -T "${run_seconds:-0}" -M "$(machine_kind)"
	[ -z "$run_limit" ] || set -- "$@" -L "$run_limit"
	[ "$steal" = no ] || set -- "$@" -S
	[ "$cost" = no ] || set -- "$@" -C
	[ -z "$export_file" ] || set -- "$@" -E "$export_file" -e "$every"
	[ "$live" != --live ] || set -- "$@" -V 2 -t "$(machine_words)"
	for pid in $(printf '%s' "$pids" | tr , ' '); do
		set -- "$@" -p "$pid"
	done
	while IFS= read -r name; do
		set -- "$@" -N "$name"
	done <<END
$(state_names 0)
END
	WAKELAT_PROGRAM=$me "$tools/who" "$@" &
	await_measurement "$!" || exit
}

who_facts() {
	facts_session 0 who "$(read_value "$cpu_sysfs/online")"
	[ -z "$caveat" ] || fact caveat "$caveat"
	fact by "$by"
	fact pids "$pids"
	fact steal "$steal"
	fact limit_us "$limit"
	fact systematic_error "source who: a wait ends at event cpu_idle or the first event after the idle state, which is too late by less than 1 us as a rule; a wait for a timer begins when it expires, a wait for another thread or an interrupt at sched_waking. If a device's interrupt ends the idle state, sched_waking comes after the interrupt, so the wait for that interrupt is not seen"
}

# who_joined: print the table of a host's and a guest's recording, which trace-cmd has merged as text
who_joined() {
	[ -f "$joined" ] && [ -r "$joined" ] || die "$joined cannot be read: name a file with the output of trace-cmd report -t -i HOST -i GUEST"
	case $joined in
	/* | ./*) ;;
	*) joined=./$joined ;;
	esac
	WAKELAT_PROGRAM=$me "$tools/check-tables" -l "$joined" || exit
	new_output join
	joined_said=$(awk -v rows="$output/joined.tsv" -f "$here/lib/common/us.awk" -f "$extra/who-joined.awk" "$joined" 2>&1) ||
		die "${joined#./}: $joined_said"
	finished=yes
	: "$finished"
	[ "$quiet" = yes ] || printf '%s\n\n%s has a row for each.\n' "$joined_said" "$output/joined.tsv" | shown
}

# who_finish: write limits.tsv and complete run.tsv
who_finish() {
	rm -f "$output/facts.tsv"
	awk -F '\t' -v limit="$limit" -f "$extra/who-limits.awk" "$output/run.tsv" "$output/who.tsv" >"$output/limits.tsv" ||
		cannot_write "$output/limits.tsv"
	finish_output
	[ "$(awk -F '\t' 'FNR > 1 { n += $4 } END { print n + 0 }' "$output/who.tsv")" -gt 0 ] || warn "no thread was woken"
	who_lost=$(sed -n 's/^lost_overrun.//p' "$output/run.tsv")
	[ "$who_lost" -eq 0 ] || warn "lost $who_lost wake-ups: no room to count them"
	who_dropped=$(sed -n 's/^groups_dropped.//p' "$output/run.tsv")
	[ "$who_dropped" -eq 0 ] || warn "$who_dropped ${by}s are counted as (others): too many for a row each"
}

# who_limits: print the uses for which the results mean nothing
who_limits() {
	"$tools/answer" limits "$output/run.tsv"
}

who_print() {
	if [ "$json" = yes ]; then
		set -- who "$output/run.tsv" who "$output/who.tsv" worst "$output/worst.tsv" limits "$output/limits.tsv"
		[ ! -e "$output/who-limited.tsv" ] || set -- "$@" limited "$output/who-limited.tsv"
		export json_limits
		json_limits=$(who_limits)
		json_document "$@"
		return
	fi
	print_note=$(machine_words)
	set -- "$output/run.tsv" "$output/who.tsv" "$output/worst.tsv" "$output/limits.tsv"
	[ ! -e "$output/who-limited.tsv" ] || set -- "$@" "$output/who-limited.tsv"
	{
		awk -F '\t' -v note="${print_note:+ ($print_note)}" -f "$here/lib/common/us.awk" -f "$extra/who-table.awk" "$@"
		who_limits | fold -s -w 120 | sed 's/ *$//'
		printf '\n%s has all of it.\n' "$output"
	} | shown
}
