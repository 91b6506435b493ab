# SPDX-License-Identifier: GPL-2.0
# record-options.sh - the command line of wakelat record: what is wrong with it is found before anything
# else happens.
# shellcheck shell=sh
#
# Needs message.sh, options.sh, units.sh, prepare.sh.

# Read here, set there:
: "${option?options.sh}" "${operands?options.sh}"

output=
source=
cpu_option=
states_option=
each_state=no
ldist=
ldist_sweep=
per_step=
seed=1
samples=
duration=
buffer_option=
counters=none
counters_bits=0
# Lines "KEY VALUE", the last of a key counts.
source_sets=
intr_offset=0
nic_options=
prepare=
each_cpu=no
warmup=0
steady=0
listen=
resume=
# One that says something of the recording.
other_option=
governor_events=no
# See take_ldist and take_ldist_sweep.
ldist_mode=
ldist_min=
ldist_max=
sweep_factor=
# All of these are for the rest of wakelat record and probe.
: "$output" "$cpu_option" "$states_option" "$each_state" "$seed" "$counters" "$counters_bits" "$source_sets" "$intr_offset" "$warmup" "$listen" "$other_option" \
	"$governor_events" "$ldist_mode"

# take_count OPTION VALUE MIN MAX: prints the number, or dies.
take_count() (
	is_number "$2" || bad_usage "$1: '$2' is not a number"
	number=$(without_zeros "$2")
	[ "$number" -ge "$3" ] && [ "$number" -le "$4" ] || bad_usage "$1: $2 is not in $3..$4"
	printf '%s\n' "$number"
)

parse_options() {
	take_options take_option "$@"
	eval "set -- $operands"
	[ $# -eq 0 ] || bad_usage "unexpected argument '$1'"
}

take_option() {
	[ "$1" = --resume ] || other_option=$option
	case $1 in
	--each-state) each_state=yes ;;
	--each-cpu) each_cpu=yes ;;
	--governor-events) governor_events=yes ;;
	--output) output=$2 ;;
	--source) source=$2 ;;
	--cpu) cpu_option=$2 ;;
	--states) states_option=$2 ;;
	--ldist) ldist=$2 ;;
	--sweep) ldist_sweep=$2 ;;
	--per-step) per_step=$(take_count "$1" "$2" 1 4294967295) || exit ;;
	--seed) take_seed "$2" ;;
	--counters) take_counters "$2" ;;
	--nic-method)
		case $2 in
		target | launch) take_source_set "$1" "method=$2" ;;
		*) bad_usage "$1: '$2' is neither target nor launch" ;;
		esac
		nic_options="$nic_options $1"
		;;
	--setting) take_source_set "$1" "$2" ;;
	--intr-offset)
		intr_offset=$(time_ns "$2") || bad_usage "$1: '$2' is not a time such as 1800ns, 1.8us (a whole number of ns)"
		[ "$intr_offset" -le 1000000 ] || bad_usage "$1: $2 is more than 1ms"
		nic_options="$nic_options $1"
		;;
	--prepare) take_prepare "$2" ;;
	--warmup) warmup=$(take_count "$1" "$2" 0 4294967295) || exit ;;
	--until) take_until "$2" ;;
	--for-verdict)
		take_for_verdict "$2"
		each_state=yes
		;;
	--listen) take_listen "$2" ;;
	--resume) resume=$2 ;;
	--samples) samples=$(take_count "$option" "$2" 0 4294967295) || exit ;;
	--duration) take_duration "$option" "$2" ;;
	--buffer)
		buffer_option=$(size_kb "$2") || bad_usage "$1: '$2' is not a whole number of k, M or G"
		buffer_option=$(take_count "$1" "$buffer_option" 4 1073741824) || exit
		;;
	esac
}

# take_counters LIST: sets $counters, and $counters_bits, the sum by which the kernel knows them
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

# take_source_set OPTION KEY=VALUE: which there are, and what they may be, says the kernel.
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
	: "${preparations?prepare.sh}"
	prepare=$(preparation_list "$1") ||
		bad_usage "--prepare: there is no '$prepare': choose from $preparations all"
}

# take_duration OPTION TIME
take_duration() {
	duration=$(duration_s "$2") ||
		bad_usage "$1: '$2' is not a whole number of s, m, h or d"
	duration=$(take_count "$1" "$duration" 1 4294967295) || exit
}

# take_until WHAT: samples, a time, or when the maximum rests
take_until() {
	case $1 in
	steady:*) steady=$(take_count "--until steady" "${1#steady:}" 1 4294967295) || exit ;;
	*[smhd]) take_duration --until "$1" ;;
	*[!0-9]*) bad_usage "--until: '$1' is not N (samples), a time such as 90s, or steady:N" ;;
	*) samples=$(take_count --until "$1" 0 4294967295) || exit ;;
	esac
}

take_listen() {
	case $1 in
	*:*[!0-9]* | *: | :* | *[!A-Za-z0-9.:_-]*) bad_usage "--listen: '$1' is not HOST:PORT" ;;
	*:*) listen=$1 ;;
	*) bad_usage "--listen: '$1' is not HOST:PORT" ;;
	esac
}

# The kernel's seed has 64 bits, the shell's arithmetic 63: not a number to calculate with.
take_seed() {
	case $1 in
	*[!0-9]* | ?????????????????????*) bad_usage "--seed: '$1' is not a number of 64 bits" ;;
	esac
	seed=$(without_zeros "$1")
}

# ldist_ns OPTION TIME: prints it in ns if the kernel takes it, or dies.
ldist_ns() (
	ns=$(time_ns "$2") || bad_usage "$1: '$2' is not a time such as 50us, 1.5ms (a whole number of ns)"
	[ "$ns" -ge 1 ] && [ "$ns" -le 10000000000 ] || bad_usage "$1: $2 is not in 1ns..10s"
	printf '%s\n' "$ns"
)

# take_ldist: sets $ldist_mode, $ldist_min, $ldist_max, $sweep_factor
take_ldist() {
	ldist_mode=uniform
	sweep_factor=
	: "${ldist:=50us:8ms}"
	case $ldist in
	*:*:* | :* | *:) bad_usage "--ldist: '$ldist' is not MIN:MAX" ;;
	*:*) ;;
	*) bad_usage "--ldist: '$ldist' is not MIN:MAX" ;;
	esac
	ldist_min=$(ldist_ns --ldist "${ldist%:*}") || exit
	ldist_max=$(ldist_ns --ldist "${ldist#*:}") || exit
	[ "$ldist_min" -le "$ldist_max" ] || bad_usage "--ldist: ${ldist%:*} is more than ${ldist#*:}"
}

take_ldist_sweep() {
	ldist_mode=sweep
	case $ldist_sweep in
	*:*:*:* | :* | *: | *::*) bad_usage "--sweep: '$ldist_sweep' is not FIRST:LAST:FACTOR" ;;
	*:*:*) ;;
	*) bad_usage "--sweep: '$ldist_sweep' is not FIRST:LAST:FACTOR" ;;
	esac
	sweep_last=${ldist_sweep#*:}
	sweep_last=${sweep_last%:*}
	ldist_min=$(ldist_ns --sweep "${ldist_sweep%%:*}") || exit
	ldist_max=$(ldist_ns --sweep "$sweep_last") || exit
	[ "$ldist_min" -le "$ldist_max" ] || bad_usage "--sweep: ${ldist_sweep%%:*} is more than $sweep_last"
	sweep_factor=$(scaled "${ldist_sweep##*:}" 3) && [ "$sweep_factor" -ge 1001 ] && [ "$sweep_factor" -le 10000 ] ||
		bad_usage "--sweep: factor '${ldist_sweep##*:}' is not in 1.001..10, or finer than 0.001"
}

# check_for_verdict: what else would end a run, or begin another
check_for_verdict() {
	for for_verdict_other in "sweep:$ldist_sweep" "duration:$duration" "until:${steady#0}" "each-cpu:${each_cpu#no}" "resume:$resume"; do
		[ -z "${for_verdict_other#*:}" ] ||
			bad_usage "--for-verdict and --${for_verdict_other%%:*} exclude each other, because both decide when a state has enough samples"
	done
	: "${samples:=$(for_verdict_samples)}"
	[ "$samples" -ne 0 ] || bad_usage "--for-verdict: --samples 0 leaves no samples to decide by"
}

check_options() {
	[ -z "$for_verdict_ns" ] || check_for_verdict
	[ -z "$nic_options" ] || [ "$source" = i210 ] ||
		bad_usage "${nic_options# } applies to a network card only: add --source i210"
	[ -z "$source_sets" ] || [ -n "$source" ] || bad_usage "--setting needs --source: name the source"
	if [ -n "$ldist_sweep" ]; then
		[ "$steady" -eq 0 ] || bad_usage "--until steady and --sweep exclude each other: a sweep ends by itself"
		[ -z "$ldist" ] || bad_usage "--ldist and --sweep exclude each other"
		take_ldist_sweep
		: "${samples:=0}" "${per_step:=1500}"
	else
		[ -z "$per_step" ] || bad_usage "--per-step needs --sweep"
		take_ldist
		# A duration alone means: as many samples as there are.
		if [ -n "$duration" ] || [ "$steady" -ne 0 ]; then
			: "${samples:=0}"
		fi
		: "${samples:=10000}"
		[ "$samples" -ne 0 ] || [ -n "$duration" ] || [ "$steady" -ne 0 ] ||
			bad_usage "--samples 0 needs a --duration, or --until steady:N"
	fi
	: "${duration:=0}"
}
