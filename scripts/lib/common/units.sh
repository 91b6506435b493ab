# SPDX-License-Identifier: GPL-2.0
# units.sh - convert numbers with units exactly, by moving digits instead of floating-point
# arithmetic.
# shellcheck shell=sh

# is_number TEXT: succeed if TEXT has only digits, and few enough for 64-bit arithmetic.
is_number() {
	case $1 in
	'' | *[!0-9]* | ???????????????????*) return 1 ;;
	esac
}

# without_zeros TEXT: print TEXT without leading zeros, which would make it an octal number.
without_zeros() {
	zeros_number=$1
	while :; do
		case $zeros_number in
		0?*) zeros_number=${zeros_number#0} ;;
		*) break ;;
		esac
	done
	printf '%s\n' "$zeros_number"
}

# scaled NUMBER DIGITS: print NUMBER times 10^DIGITS. Fail if that is not a whole number.
scaled() {
	scaled_whole=${1%%.*}
	scaled_fraction=
	case $1 in
	*.*)
		scaled_fraction=${1#*.}
		[ -n "$scaled_fraction" ] || return 1
		;;
	esac
	[ -n "$scaled_whole" ] || return 1
	while :; do
		case $scaled_fraction in
		*0) scaled_fraction=${scaled_fraction%0} ;;
		*) break ;;
		esac
	done
	[ "${#scaled_fraction}" -le "$2" ] || return 1
	while [ "${#scaled_fraction}" -lt "$2" ]; do
		scaled_fraction=${scaled_fraction}0
	done
	scaled_number=$(without_zeros "$scaled_whole$scaled_fraction")
	is_number "$scaled_number" && printf '%s\n' "$scaled_number"
}

# time_ns TIME: 50us -> 50000
time_ns() {
	case $1 in
	*ns) scaled "${1%ns}" 0 ;;
	*us) scaled "${1%us}" 3 ;;
	*ms) scaled "${1%ms}" 6 ;;
	*s) scaled "${1%s}" 9 ;;
	*) return 1 ;;
	esac
}

# multiple NUMBER FACTOR: print the product: multiple 2 60 -> 120. Fail if NUMBER has more than nine digits.
multiple() {
	multiple_of=$(scaled "$1" 0) && [ "${#multiple_of}" -le 9 ] && printf '%s\n' "$((multiple_of * $2))"
}

# duration_s TIME: 2m -> 120
duration_s() {
	case $1 in
	*ns | *us | *ms) return 1 ;;
	*s) multiple "${1%s}" 1 ;;
	*m) multiple "${1%m}" 60 ;;
	*h) multiple "${1%h}" 3600 ;;
	*d) multiple "${1%d}" 86400 ;;
	*) return 1 ;;
	esac
}

# size_kb SIZE: 4M -> 4096
size_kb() {
	case $1 in
	*k | *K) multiple "${1%?}" 1 ;;
	*M) multiple "${1%M}" 1024 ;;
	*G) multiple "${1%G}" 1048576 ;;
	*) return 1 ;;
	esac
}
