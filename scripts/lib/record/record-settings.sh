# SPDX-License-Identifier: GPL-2.0
# record-settings.sh - give the settings to the kernel, note them in run.tsv, and choose the size of
# the buffer.
# shellcheck shell=sh
#
# Needs message.sh, sysfs.sh, journal.sh, runtsv.sh, revision.sh, buffer.sh, record-options.sh,
# record-choices.sh, record-plan.sh, for-verdict.sh.

# Variables that other files set:
: "${buffer_times?buffer.sh}" "${buffer_percent_roomy?buffer.sh}" "${buffer_percent_tight?buffer.sh}" \
	"${output?session-options.sh}" "${source?session-options.sh}" "${samples?session-options.sh}" "${duration?session-options.sh}" \
	"${steady?record-options.sh}" "${warmup?record-options.sh}" "${seed?session-options.sh}" "${counters?record-options.sh}" "${counters_bits?record-options.sh}" \
	"${source_sets?record-options.sh}" "${intr_offset?record-options.sh}" "${prepare?record-options.sh}" \
	"${each_state?record-options.sh}" "${each_cpu?record-options.sh}" "${governor_events?record-options.sh}" "${sweep_factor?record-options.sh}" "${per_step?record-options.sh}" \
	"${ldist_mode?session-options.sh}" "${ldist_min?session-options.sh}" "${ldist_max?session-options.sh}" \
	"${for_verdict_pooled?record-options.sh}" "${tracefs?tracefs.sh}" "${max_uncertainty_ns?tracefs.sh}" "${barren_s?record-watch.sh}" \
	"${cpus?record-choices.sh}" "${cpu_list?record-choices.sh}" "${cpu_count?record-choices.sh}" "${run_samples?record-plan.sh}" "${runs_per_cpu?record-plan.sh}" \
	"${least?buffer.sh}" "${holds_kb?buffer.sh}" "${limit_kb?buffer.sh}" "${status_value?tracefs.sh}" "${words_list?cpulist.sh}" "${online?record-choices.sh}"

# What the events of governor-events.tsv take for an idle period.
governor_period_bytes=1500

# source_settings_facts: adds the settings of the source, and for a card its interrupt offset
source_settings_facts() {
	[ -z "$source_sets" ] || fact source_settings "$(printf '%s' "$source_sets" | sed 's/ /=/' | paste -sd , -)"
	[ "$source" != passive ] || ! grep -q ' event;' "$tracefs/events/wakelat/wakelat_sample/format" ||
		fact woken_by timer,flag,ipi
	[ "$source" = i210 ] || return 0
	# This key is from the time when the method was the only setting.
	fact nic_method "$(printf '%s' "$source_sets" | sed -n '$s/^method //p' | grep . || printf target)"
	fact intr_offset_ns "$intr_offset"
}

# write_settings: writes the settings of the runs. They belong to our open file, so no other process
# sees them.
write_settings() {
	run_set "source $source" "cpus $cpu_list" "ldist_min_ns $ldist_min" "ldist_max_ns $ldist_max" "seed $seed" "max_samples $samples"
	[ "$counters_bits" -eq 0 ] || run_set "counters $counters_bits"
	while IFS= read -r source_set <&4; do
		case $source:$source_set in
		*:) ;;
		i210:method\ target) run_set "launch 0" ;;
		i210:method\ launch) run_set "launch 1" ;;
		*) run_set "$source_set" ;;
		esac
	done 4<<END_SETTINGS
$source_sets
END_SETTINGS
	# Recording the names of tasks takes the measured CPU 276 instructions in each idle period,
	# and no sample needs them.
	[ ! -e "$tracefs/options/record-cmd" ] || change "$tracefs/options/record-cmd" 0
}

# expected_events: sets $events to the number of samples of one CPU in the whole recording
expected_events() {
	duration_samples=$((duration * 1000000000 / ((ldist_min + ldist_max) / 2)))
	# It is not known when the maximum will stop changing. Ten times --steady is a guess.
	find_least "$run_samples" "$duration_samples" $((steady * 10))
	events=$(((least + warmup) * runs_per_cpu))
}

# choose_buffer: sets $buffer_kb, $buffer_percent and $buffer_cpus, the CPUs with a buffer of this size
choose_buffer() {
	event=$(sample_bytes "$tracefs/events/wakelat" "$counters") ||
		die "the kernel has no event wakelat_sample"
	buffer_cpus=$cpus
	buffer_count=$cpu_count
	# Allow for two idle periods per sample, because the tick may end one early. What other CPUs do matters to the governor, too.
	[ "$governor_events" = no ] || {
		event=$((event + 2 * governor_period_bytes))
		buffer_cpus=$(cpulist_expand "$online")
		buffer_count=$(printf '%s\n' "$buffer_cpus" | wc -l)
	}
	expected_events
	buffer_percent=$buffer_percent_roomy
	find_kb $((events * buffer_times)) "$event"
	wanted_kb=$holds_kb
	find_memory_limit "$buffer_count"
	find_least "$wanted_kb" "$limit_kb"
	buffer_kb=${buffer_option:-$least}
	log "buffer: about $events events of $event bytes per CPU, $buffer_kb KiB of at most $limit_kb"
	if [ "$buffer_kb" -lt "$wanted_kb" ]; then
		buffer_percent=$buffer_percent_tight
		say "the recording does not fit into a buffer of $buffer_kb KiB: about once per $(($(buffer_events "$buffer_kb" "$event") * buffer_percent / 100)) samples the measured CPU interrupts itself to empty it"
	fi
}

# find_disk_free: sets $disk_free_mib to the free space, or to nothing if df does not know it
find_disk_free() {
	disk_free_mib=
	{
		read -r disk_line
		read -r disk_name disk_blocks disk_used disk_free_kb disk_line
	} <<END_DF
$(df -Pk "$output" 2>/dev/null)
END_DF
	: "$disk_name" "$disk_blocks" "$disk_used" "$disk_line"
	! is_number "$disk_free_kb" || disk_free_mib=$((disk_free_kb / 1024))
}

# announce_disk: says how much disk space the recording takes. trace-cmd writes the buffer's pages
# as they are, and compresses them into trace.dat when it ends.
announce_disk() {
	[ -z "$listen" ] || return 0
	find_kb "$events" "$event"
	disk_mib=$(((holds_kb * buffer_count + 1023) / 1024))
	find_disk_free
	if [ "$disk_mib" -gt "${disk_free_mib:-$disk_mib}" ]; then
		say "the recording takes about $disk_mib MiB of disk until it ends, and $output has $disk_free_mib MiB left"
	elif [ "$disk_mib" -ge 100 ]; then
		say "the recording takes about $disk_mib MiB of disk until it ends; then trace.dat is compressed and takes less"
	fi
}

# find_trace_cmd: sets $trace_cmd to the version of trace-cmd
find_trace_cmd() {
	trace_cmd=
	while read -r trace_cmd_name trace_cmd_word trace_cmd_version trace_cmd_more; do
		[ "$trace_cmd_word" = version ] || continue
		trace_cmd=$trace_cmd_version
		break
	done <<END_VERSION
$(trace-cmd --version 2>&1)
END_VERSION
	: "$trace_cmd_name" "$trace_cmd_more"
}

# facts_settings: adds the settings to run.tsv
facts_settings() {
	find_trace_cmd
	fact trace_cmd "$trace_cmd"
	source_clock=$source
	[ "$source" = i210 ] || {
		read_status clock
		source_clock=$status_value
	}
	facts_asked "$source_clock" "${states:-all}" "${recorder_cpus:-$online}"
	fact each_state "$each_state"
	fact each_cpu "$each_cpu"
	join_cpus "$prepare"
	fact prepare "$words_list"
	fact warmup_samples "$warmup"
	fact until_steady_samples "$steady"
	if [ -n "$for_verdict_ns" ]; then
		: "${for_verdict_percentile?for-verdict.sh}"
		fact for_verdict_ns "$for_verdict_ns"
		fact for_verdict_percentile "$for_verdict_percentile"
		[ -z "$for_verdict_pooled" ] || fact for_verdict_pooled "$for_verdict_pooled"
	fi
	fact governor_events "$governor_events"
	fact listener "$listen"
	if [ "$ldist_mode" = sweep ]; then
		fact sweep_factor_permille "$sweep_factor"
		fact sweep_step_samples "$per_step"
	fi
	fact max_barren_s "$barren_s"
	fact max_uncertainty_ns "$max_uncertainty_ns"
	fact counters "$counters"
	source_settings_facts
	fact buffer_percent "$buffer_percent"
	fact buffer_kb "$buffer_kb"
}
