# SPDX-License-Identifier: GPL-2.0
# units.sh - convert numbers with units exactly, by moving digits instead of floating-point
# arithmetic.
# shellcheck shell=sh
#
# Some results have two functions: one sets a variable, the other prints. $(...) starts a process,
# so use the first where each process costs time.

# Variables that functions of this file set:
zeros_number=
scaled_number=
: "$zeros_number" "$scaled_number"

# is_number TEXT: succeed if TEXT has only digits, and few enough for 64-bit arithmetic.
is_number() {
	case $1 in
	'' | *[!0-9]* | ???????????????????*) return 1 ;;
	esac
}

# strip_zeros TEXT: set $zeros_number to TEXT without leading zeros, which would make it an octal
# number.
strip_zeros() {
	zeros_number=$1
	while :; do
		case $zeros_number in
		0?*) zeros_number=${zeros_number#0} ;;
		*) break ;;
		esac
	done
}

# without_zeros TEXT: print TEXT without leading zeros
without_zeros() {
	strip_zeros "$1"
	printf '%s\n' "$zeros_number"
}

# scale NUMBER DIGITS: set $scaled_number to NUMBER times 10^DIGITS. Fail if that is not a whole
# number.
scale() {
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
	strip_zeros "$scaled_whole$scaled_fraction"
	scaled_number=$zeros_number
	is_number "$scaled_number"
}

# scaled NUMBER DIGITS: print NUMBER times 10^DIGITS. Fail if that is not a whole number.
scaled() {
	scale "$@" && printf '%s\n' "$scaled_number"
}

# scale_time TIME: set $scaled_number to TIME in ns: 50us -> 50000
scale_time() {
	case $1 in
	*ns) scale "${1%ns}" 0 ;;
	*us) scale "${1%us}" 3 ;;
	*ms) scale "${1%ms}" 6 ;;
	*s) scale "${1%s}" 9 ;;
	*) return 1 ;;
	esac
}

# time_ns TIME: print TIME in ns: 50us -> 50000
time_ns() {
	scale_time "$1" && printf '%s\n' "$scaled_number"
}

# multiple NUMBER FACTOR: print the product: multiple 2 60 -> 120. Fail if NUMBER has more than nine
# digits.
multiple() {
	scale "$1" 0 && [ "${#scaled_number}" -le 9 ] && printf '%s\n' "$((scaled_number * $2))"
}

# duration_s TIME: print TIME in s: 2m -> 120
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

# size_kb SIZE: print SIZE in KiB: 4M -> 4096
size_kb() {
	case $1 in
	*k | *K) multiple "${1%?}" 1 ;;
	*M) multiple "${1%M}" 1024 ;;
	*G) multiple "${1%G}" 1048576 ;;
	*) return 1 ;;
	esac
}
