# SPDX-License-Identifier: GPL-2.0
# who-run.sh - wakelat who: its command line, tools/bin/who while it runs, run.tsv, and what is printed.
# shellcheck shell=sh
#
# Needs message.sh, options.sh, units.sh, sysfs.sh, cpuidle.sh, runtsv.sh, json.sh, revision.sh, output.sh.

# Read here, set there:
: "${me?the command}" "${here?the command}" "${operands?options.sh}" "${quiet?message.sh}" "${cpu_sysfs?cpuidle.sh}" \
	"${guest_note?runtsv.sh}" "${limits_awk?the command}"

output=
by=program
pids=
duration=
limit=
verify=no
cost=no
live=
export_file=
every=15
joined=
json=no
finished=no
tools=$here/../tools/bin
# For the command.
: "$finished" "$every" "$verify" "$joined"

who_option() {
	case $1 in
	--output) output=$2 ;;
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
	--duration) duration=$(duration_s "$2") && [ "$duration" -ge 1 ] || bad_usage "$1: '$2' is not a whole number of s, m, h or d" ;;
	--limit)
		limit=$(time_ns "$2") && [ $((limit % 1000)) -eq 0 ] && [ "$limit" -le 2000000000000 ] ||
			bad_usage "--limit: '$2' is not a time in whole us such as 0us, 50us"
		limit=$((limit / 1000))
		;;
	--verify) verify=yes ;;
	--cost) cost=yes ;;
	--live | --no-live) live=$1 ;;
	--export)
		[ ! -d "$2" ] || bad_usage "--export: $2 is a directory; name a file in it that ends in .prom"
		export_file=$2
		;;
	--every) every=$(duration_s "$2") && [ "$every" -ge 1 ] || bad_usage "--every: '$2' is not a whole number of s, m or h" ;;
	--joined) joined=$2 ;;
	--json) json=yes ;;
	esac
}

parse_who_options() {
	take_options who_option "$@"
	eval "set -- $operands"
	[ $# -eq 0 ] || bad_usage "unexpected argument '$1'"
	[ -z "$joined" ] || [ "$duration$limit$pids$export_file$live$json$cost$verify" = nonono ] ||
		bad_usage "--joined measures nothing: only --output goes with it"
	if [ -n "$export_file" ]; then
		[ -z "$output$limit" ] && [ "$json" = no ] || bad_usage "--export excludes --output, --limit and --json: it writes metrics only"
	else
		: "${duration:=60}"
	fi
	[ "$verify" = no ] || [ -n "$limit" ] || bad_usage "--verify needs a --limit"
	[ "$live" != --live ] || [ -t 2 ] || bad_usage "--live: standard error is not a terminal"
	[ -n "$live" ] || [ "$quiet$json" != nono ] || [ ! -t 2 ] || live=--live
}

# has_cgroup2: is there a hierarchy of version 2 with groups in it?
has_cgroup2() {
	awk '$3 == "cgroup2" { found = 1 } END { exit !found }' /proc/self/mounts
}

# reports_steal: does the hypervisor tell how long this machine's CPUs waited for one of the host's? tools/bin/who asks CPUID.
reports_steal() {
	[ "$(emulated)" = hypervisor ] && "$tools/who" -Q
}

# who_check: what is missing here, and what goes on without it
who_check() {
	[ "$(id -u)" -eq 0 ] || die "must be root, to trace: sudo wakelat who"
	[ -x "$tools/who" ] || die "tools/bin/who is not built: scripts/dev/packages probe, then make tools"
	[ -r /sys/kernel/btf/vmlinux ] ||
		die "this kernel has no BTF (/sys/kernel/btf/vmlinux, CONFIG_DEBUG_INFO_BTF), which the BPF program needs; wakelat probe works without BTF"
	case $(read_value /sys/kernel/security/lockdown) in
	*'[confidentiality]'*) die "the kernel is locked down (/sys/kernel/security/lockdown: confidentiality), so BPF cannot read its memory" ;;
	esac
	WAKELAT_PROGRAM=$me "$tools/who" -K /dev/null /dev/null /dev/null || exit
	if [ "$by" = cgroup ] && ! has_cgroup2; then
		warn "no cgroup hierarchy of version 2 is mounted: by program instead"
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
	steal=no
	if reports_steal; then
		steal=yes
	elif [ "$(emulated)" = hypervisor ]; then
		say "$guest_note; steal time is not reported, so waiting in the host's run queue cannot be separated from the rest"
	fi
	[ "$verify" = no ] || has_states 0 || die "--verify: the kernel applies a latency limit only with a cpuidle driver, and there is none"
}

# child_wait PID: its status. A signal ends the waiting, not the child.
child_wait() {
	while :; do
		wait "$1"
		child_status=$?
		kill -0 "$1" 2>/dev/null || break
	done
	child=
	return "$child_status"
}

# who_run LIMIT SECONDS WHO.TSV WORST.TSV FACTS.TSV
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
	child=$!
	child_wait "$child" || exit
}

who_facts() {
	facts_machine 0
	facts_states 0
	fact revision "$(revision "$here")"
	fact source who
	fact cpus "$(read_value "$cpu_sysfs/online")"
	fact by "$by"
	fact pids "$pids"
	fact steal "$steal"
	fact limit_us "$limit"
	fact systematic_error "source who: a wait ends at event cpu_idle or the first event after the idle state, which is too late by less than 1 us as a rule; the wait for a timer begins at its expiry, that for another thread or an interrupt at sched_waking. A device's interrupt that ends an idle state hides the wait for it: sched_waking comes after it"
}

# who_joined: a host's and a guest's recording, which trace-cmd has merged as text
who_joined() {
	[ -f "$joined" ] && [ -r "$joined" ] || die "$joined cannot be read: it is the text of trace-cmd report -t -i HOST -i GUEST"
	case $joined in
	/* | ./*) ;;
	*) joined=./$joined ;;
	esac
	WAKELAT_PROGRAM=$me "$tools/bounds" -l "$joined" || exit
	new_output join
	joined_said=$(awk -v rows="$output/joined.tsv" -f "$here/lib/common/us.awk" -f "$here/lib/probe/who-joined.awk" "$joined" 2>&1) ||
		die "${joined#./}: $joined_said"
	finished=yes
	[ "$quiet" = yes ] || printf '%s\n\n%s has a row for each.\n' "$joined_said" "$output/joined.tsv" | shown
}

# who_finish: the limits, and run.tsv whole
who_finish() {
	rm -f "$output/facts.tsv"
	awk -F '\t' -v limit="$limit" -f "$here/lib/probe/who-limits.awk" "$output/run.tsv" "$output/who.tsv" >"$output/limits.tsv" &&
		runtsv_write "$output/run.tsv" && mv "$output/run.tsv.partial" "$output/run.tsv" && rm -f "$output/run.whole" ||
		die "$output cannot be written: is the disk full?"
	finished=yes
	[ "$(awk -F '\t' 'FNR > 1 { n += $4 } END { print n + 0 }' "$output/who.tsv")" -gt 0 ] || warn "no thread was woken"
	who_lost=$(sed -n 's/^lost_overrun.//p; s/^without_room.//p' "$output/run.tsv" | awk '{ n += $1 } END { printf "%d\n", n }')
	[ "$who_lost" -eq 0 ] || warn "lost $who_lost wake-ups: no room to count them"
}

# who_limits: for what it means nothing
who_limits() {
	awk -F '\t' -f "$limits_awk" "$output/run.tsv"
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
	awk -F '\t' -v note="${print_note:+ ($print_note)}" -f "$here/lib/common/us.awk" -f "$here/lib/probe/who-table.awk" "$@"
	who_limits | fold -s -w 120 | sed 's/ *$//'
	printf '\n%s has all of it.\n' "$output"
}
