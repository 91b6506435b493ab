# SPDX-License-Identifier: GPL-2.0
# record-options.sh - read the command line of wakelat record, and find all errors in it before
# anything else happens.
# shellcheck shell=sh
#
# Needs message.sh, options.sh, units.sh, session-options.sh, recorder.sh. Sources the files that only some options need.

# Variables that other files set:
: "${here?the command}" "${option?options.sh}" "${source?session-options.sh}" "${samples?session-options.sh}" "${duration?session-options.sh}" "${ldist?session-options.sh}" \
	"${listen?recorder.sh}" "${taken_count?session-options.sh}"

each_state=no
ldist_steps_option=
per_step=
buffer_option=
counters=none
counters_bits=0
# Lines "KEY VALUE". The last line of a key counts.
source_sets=
intr_offset=0
intr_offset_option=
prepare=
each_cpu=no
warmup=0
steady=0
resume=
# The last option that was given besides --resume, which allows no other option.
other_option=
governor_events=no
# ns; 0: no threshold
threshold=0
# yes: the run ends at the first untainted sample above the threshold.
stop=no
# ns; empty: the samples do not decide when a state is measured long enough
for_verdict_ns=
# yes: judge all CPUs together. The numbers of samples are then those of all CPUs together.
for_verdict_pooled=
# See take_ldist_steps.
sweep_factor=
# Other files of wakelat record read all of these.
: "$each_state" "$counters" "$counters_bits" "$source_sets" "$intr_offset" "$warmup" "$other_option" "$governor_events" "$stop"

# Names that options had before. $options_gone is for options.sh.
options_gone='--sweep is now --ldist-steps FIRST:LAST:FACTOR
--nic-method is now --setting method=NAME
--until is now -n N, -T TIME or --steady N'
: "$options_gone"

take_option() {
	[ "$1" = --resume ] || other_option=$option
	case $1 in
	--each-state) each_state=yes ;;
	--each-cpu) each_cpu=yes ;;
	--governor-events) governor_events=yes ;;
	--ldist-steps) ldist_steps_option=$2 ;;
	--per-step)
		take_count "$1" "$2" 1 4294967295
		per_step=$taken_count
		;;
	--counters) take_counters "$2" ;;
	--setting) take_source_set "$1" "$2" ;;
	--intr-offset)
		intr_offset=$(time_ns "$2") || bad_usage "$1: '$2' is not a time such as 1800ns, 1.8us (a whole number of ns)"
		[ "$intr_offset" -le 1000000 ] || bad_usage "$1: $2 is more than 1ms"
		intr_offset_option=$1
		;;
	--prepare) take_prepare "$2" ;;
	--warmup)
		take_count "$1" "$2" 0 4294967295
		warmup=$taken_count
		;;
	--steady)
		take_count "$1" "$2" 1 4294967295
		steady=$taken_count
		;;
	--for-verdict)
		# shellcheck source=scripts/lib/record/for-verdict.sh
		. "$here/lib/record/for-verdict.sh"
		take_for_verdict "$2"
		each_state=yes
		;;
	--pooled)
		for_verdict_pooled=yes
		;;
	--threshold)
		# shellcheck source=scripts/lib/record/threshold.sh
		. "$here/lib/record/threshold.sh"
		threshold=$(latency_ns "$1" "$2") || exit
		;;
	--stop) stop=yes ;;
	--listen) take_listen "$2" ;;
	--resume)
		source_resume
		resume=$2
		;;
	--buffer)
		buffer_option=$(size_kb "$2") || bad_usage "$1: '$2' is not a whole number of k, M or G"
		take_count "$1" "$buffer_option" 4 1073741824
		buffer_option=$taken_count
		;;
	*) session_option "$@" ;;
	esac
}

# source_resume: read the code of --resume, which a recording of several runs needs, too
source_resume() {
	# shellcheck source=scripts/lib/record/resume.sh
	. "$here/lib/record/resume.sh"
}

# take_counters LIST: sets $counters, and $counters_bits to the kernel's number for them
take_counters() {
	counters=$1
	counters_bits=0
	for counter in $(printf '%s' "$1" | tr , ' '); do
		case $counter in
		none) ;;
		freq) counters_bits=$((counters_bits | 1)) ;;
		core) counters_bits=$((counters_bits | 2)) ;;
		package) counters_bits=$((counters_bits | 4)) ;;
		*) bad_usage "--counters: there is no '$counter': choose from freq core package none" ;;
		esac
	done
}

# take_source_set OPTION KEY=VALUE: adds a setting of the source to $source_sets. Later the kernel
# refuses an unknown key or value.
take_source_set() {
	case $2 in
	[!=]*=?*) ;;
	*) bad_usage "$1: '$2' is not KEY=VALUE" ;;
	esac
	case ${2%%=*} in
	*[!a-z0-9_]*) bad_usage "$1: '${2%%=*}' is not a key: lower-case letters, digits and _" ;;
	esac
	case ${2#*=} in
	*[!A-Za-z0-9_.:+/-]*) bad_usage "$1: '${2#*=}' is not a value: one word of letters, digits and _ . : + / -" ;;
	esac
	source_sets="$source_sets${2%%=*} ${2#*=}
"
}

take_prepare() {
	# shellcheck source=scripts/lib/record/prepare.sh
	. "$here/lib/record/prepare.sh"
	: "${preparations?prepare.sh}"
	prepare=$(preparation_list "$1") ||
		bad_usage "--prepare: there is no '$prepare': choose from $preparations all"
}

take_listen() {
	case $1 in
	*:*[!0-9]* | *: | :* | *[!A-Za-z0-9.:_-]*) bad_usage "--listen: '$1' is not HOST:PORT" ;;
	*:*) listen=$1 ;;
	*) bad_usage "--listen: '$1' is not HOST:PORT" ;;
	esac
}

take_ldist_steps() {
	case $ldist_steps_option in
	*:*:*:* | :* | *: | *::*) bad_usage "--ldist-steps: '$ldist_steps_option' is not FIRST:LAST:FACTOR" ;;
	*:*:*) ;;
	*) bad_usage "--ldist-steps: '$ldist_steps_option' is not FIRST:LAST:FACTOR" ;;
	esac
	sweep_last=${ldist_steps_option#*:}
	sweep_last=${sweep_last%:*}
	take_range --ldist-steps "${ldist_steps_option%%:*}" "$sweep_last" sweep
	sweep_factor=$(scaled "${ldist_steps_option##*:}" 3) && [ "$sweep_factor" -ge 1001 ] && [ "$sweep_factor" -le 10000 ] ||
		bad_usage "--ldist-steps: factor '${ldist_steps_option##*:}' is not in 1.001..10, or finer than 0.001"
}

# check_for_verdict: refuse options that also decide when a run ends or another begins.
check_for_verdict() {
	for for_verdict_other in "ldist-steps:$ldist_steps_option" "duration:$duration" "steady:${steady#0}" "each-cpu:${each_cpu#no}" "resume:$resume"; do
		[ -z "${for_verdict_other#*:}" ] ||
			bad_usage "--for-verdict and --${for_verdict_other%%:*} exclude each other, because both decide when a state has enough samples"
	done
	: "${samples:=$(for_verdict_samples)}"
	[ "$samples" -ne 0 ] || bad_usage "--for-verdict: --samples 0 leaves no samples to decide by"
}

# check_method: check the setting `method` of source i210. The kernel checks the other settings.
check_method() {
	method_bad=$(printf '%s' "$source_sets" | sed -n '/^method /{ s///; /^target$/d; /^launch$/d; p; q; }')
	[ -z "$method_bad" ] || bad_usage "--setting: method '$method_bad' is neither target nor launch"
}

check_options() {
	[ "$stop" = no ] || [ "$threshold" -ne 0 ] || bad_usage "--stop needs --threshold"
	if [ -n "$for_verdict_ns" ]; then
		check_for_verdict
	elif [ -n "$for_verdict_pooled" ]; then
		bad_usage "--pooled needs --for-verdict"
	fi
	[ -z "$intr_offset_option" ] || [ "$source" = i210 ] ||
		bad_usage "$intr_offset_option applies to a network card only: add --source i210"
	[ "$source" != i210 ] || check_method
	[ -z "$source_sets" ] || [ -n "$source" ] || bad_usage "--setting needs --source: name the source"
	if [ -n "$ldist_steps_option" ]; then
		[ "$steady" -eq 0 ] || bad_usage "--steady and --ldist-steps exclude each other: the run ends after the last step"
		[ -z "$ldist" ] || bad_usage "--ldist and --ldist-steps exclude each other"
		take_ldist_steps
		: "${samples:=0}" "${per_step:=1500}"
	else
		[ -z "$per_step" ] || bad_usage "--per-step needs --ldist-steps"
		take_ldist
		# A duration alone does not limit the number of samples.
		if [ -n "$duration" ] || [ "$steady" -ne 0 ]; then
			: "${samples:=0}"
		fi
		: "${samples:=10000}"
		[ "$samples" -ne 0 ] || [ -n "$duration" ] || [ "$steady" -ne 0 ] ||
			bad_usage "--samples 0 needs a --duration, or --steady N"
	fi
	: "${duration:=0}"
}
