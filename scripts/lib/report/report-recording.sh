# SPDX-License-Identifier: GPL-2.0
# report-recording.sh - the parts of the page that each recording has: verdict, tables,
# circumstances.
# shellcheck shell=sh
#
# Needs report.sh, analysis.sh. NUMBER is the number of the recording, $dir its directory.

# Variables that other files set:
: "${work?analysis.sh}" "${dir?directory.sh}" "${run_found?directory.sh}" \
	"${escaped?report.sh}" "${joint?report.sh}"

# recording_warnings NUMBER: prints the warnings that a reader of the numbers needs
recording_warnings() {
	find_run driver
	recording_driver=$run_found
	find_run emulated
	case $recording_driver-$run_found in
	artificial-*) printf '<p class="warn">Artificial: the idle states are those of cpuidle-artificial, whose exit latencies are set. They say nothing about any real CPU.</p>\n' ;;
	*-no) ;;
	*-yes) printf '<p class="warn">Emulated: measured on a virtual CPU whose exit latencies are set by its model. It says nothing about any real CPU.</p>\n' ;;
	*) printf '<p class="warn">Measured under a hypervisor, or on an unknown machine: the idle states may not be the real ones.</p>\n' ;;
	esac
	find_run caveat
	escape "$run_found"
	[ -z "$escaped" ] || printf '<p class="warn">%s.</p>\n' "$escaped"
	IFS= read -r recording_limits <"$work/$1-limits" || return
	escape "$recording_limits"
	printf '<p class="sure">%s</p>\n' "$escaped"
	! are_counts || printf '<p class="sure">%s</p>\n' "$(counts_order)"
	[ ! -e "$work/$1-incomplete" ] || printf '<p class="warn">Incomplete: samples are missing from this recording.</p>\n'
}

# recording_answer NUMBER: prints the verdict in words and as a picture, what extras say, and
# what to do
recording_answer() {
	: "${budget?verdict.sh}"
	verdict=$work/$1-verdict.tsv
	html_awk html-answer -v part=answer -v joint="$joint" "$work/$1-words.tsv" &&
		recording_warnings "$1" && names='' html_awk html-picture "$verdict" &&
		html_awk html-answer -v part=sure "$work/$1-notes" && recording_extras || return
	[ -n "$joint" ] || recording_advice "$1" || return
	[ -n "$budget" ] ||
		printf '<p>To see here which states keep a latency budget, run <code>wakelat report --budget 50us</code>.</p>\n'
}

# recording_extras: prints what extras have to say below the verdict
recording_extras() {
	for recording_part in ${page_parts-}; do
		"$recording_part" || return
	done
}

# recording_advice NUMBER: prints what to do, from the recording that decides
recording_advice() {
	printf '<h3>What to do</h3>\n'
	printf '<pre>' && escaped <"$work/$1-advice" && printf '</pre>\n'
	[ -e "$work/$1-paste-sysfs" ] || return 0
	paste_text "$1" sysfs && folded 'Other ways to set it' || return
	for target in qos wakeup cpupower tuned systemd udev crio; do
		[ ! -e "$work/$1-paste-$target" ] || paste_text "$1" "$target" || return
	done
	folded_end
}

# paste_text NUMBER TARGET: prints a text to paste under a title
paste_text() {
	printf '<p>%s:</p>\n<pre>' "$(target_name "$2")" && escaped <"$work/$1-paste-$2" && printf '</pre>\n'
}

# target_name TARGET: prints a title for a target of wakelat verdict --paste
target_name() {
	case $1 in
	sysfs) echo 'To set it for each CPU, until reboot' ;;
	qos) echo 'For all CPUs, as long as a process holds it: /dev/cpu_dma_latency' ;;
	wakeup) echo 'For wake-ups in suspend-to-idle: /dev/cpu_wakeup_latency' ;;
	cpupower) echo 'With cpupower, until reboot' ;;
	tuned) echo 'As a profile of tuned' ;;
	systemd) echo 'As a service of systemd' ;;
	udev) echo 'As a rule of udev' ;;
	crio) echo 'For containers: CRI-O' ;;
	*) printf '%s\n' "$1" ;;
	esac
}

# recording_tables NUMBER: prints the tables of verdict and stats, notes about them, and the
# findings of doctor
recording_tables() {
	folded 'Tables'
	IFS= read -r tables <"$work/$1-tables" || exit
	table "$work/$1-verdict.tsv" 'The budget against what was measured, µs' \
		'state;cpu=CPU;metric;n;p50;percentile;value=of samples;low=from;high=to;max;machine_n=n as it is;machine_low=from as it is;machine_high=to as it is;machine_max=max as it is;budget_ns=budget;budget_verdict=vs. budget'
	table "$work/$1-verdict.tsv" 'The advertised exit latency against what was measured, µs' \
		'state;cpu=CPU;metric;n;low=from;high=to;max;advertised_ns=advertised;advertised_verdict=vs. advertised;advertised_over=above advertised;advertised_over_pct=above, %;not_reached=not reached'
	html_awk html-stats "$tables/stats-ci.tsv" "$tables/stats.tsv"
	table "$tables/stats-reached.tsv" 'Samples that reached the state asked for, and that did not, µs' \
		'state=asked for;source;reached;n;wake_latency_min=wake min;wake_latency_p50=wake p50;wake_latency_p99=wake p99;wake_latency_max=wake max;intr_latency_p50=interrupt p50;intr_latency_p99=interrupt p99;intr_latency_max=interrupt max;tainted' reached
	table "$tables/stats-cpu.tsv" 'CPU by CPU, µs' \
		'state;source;cpu=CPU;n;wake_latency_p50=wake p50;wake_latency_p99=wake p99;wake_latency_max=wake max;intr_latency_p50=interrupt p50;intr_latency_p99=interrupt p99;intr_latency_max=interrupt max;latency_p50=p50;latency_p99=p99;latency_max=max;tainted'
	table "$tables/stats-frequency.tsv" 'Frequency while awake around the idle period' \
		'state;source;n;mhz=MHz' mhz
	printf '<h3>Notes on the samples</h3>\n'
	list "$tables/notes"
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 1 || $at["severity"] != "ok"' \
		"$dir/doctor.tsv" 2>/dev/null >"$work/doctor.tsv"
	[ ! -s "$work/doctor.tsv" ] || table "$work/doctor.tsv" 'What on the machine may have distorted the measurement' \
		'severity;subject=where;finding;change=what to do' severity
	folded_end
}

recording_provenance() {
	printf '<div class="wide"><table class="facts">\n'
	html_awk html-facts "$dir/run.tsv"
	printf '</table></div>\n'
}

# recording_first NUMBER: prints what was measured, and the answer
recording_first() {
	html_awk html-lead "$dir/run.tsv" && recording_answer "$1"
}

recording_details() {
	recording_tables "$1" || return
	for recording_part in ${page_details-}; do
		"$recording_part" "$1" || return
	done
}
