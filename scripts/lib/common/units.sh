# SPDX-License-Identifier: GPL-2.0
# units.sh - numbers with units, exactly: by moving digits, not by arithmetic.
# shellcheck shell=sh

# is_number TEXT: digits only, and few enough for 64-bit arithmetic.
is_number() {
	case $1 in
	'' | *[!0-9]* | ???????????????????*) return 1 ;;
	esac
}

# without_zeros TEXT: leading zeros would make an octal number of it.
without_zeros() (
	number=$1
	while :; do
		case $number in
		0?*) number=${number#0} ;;
		*) break ;;
		esac
	done
	printf '%s\n' "$number"
)

# scaled NUMBER DIGITS: prints NUMBER times 10^DIGITS. Fails if that is not a whole number.
scaled() (
	whole=${1%%.*}
	fraction=
	case $1 in
	*.*)
		fraction=${1#*.}
		[ -n "$fraction" ] || exit 1
		;;
	esac
	[ -n "$whole" ] || exit 1
	while :; do
		case $fraction in
		*0) fraction=${fraction%0} ;;
		*) break ;;
		esac
	done
	[ "${#fraction}" -le "$2" ] || exit 1
	while [ "${#fraction}" -lt "$2" ]; do
		fraction=${fraction}0
	done
	number=$(without_zeros "$whole$fraction")
	is_number "$number" && printf '%s\n' "$number"
)

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

# multiple NUMBER FACTOR: 2m -> multiple 2 60 -> 120. Nine digits are plenty.
multiple() (
	number=$(scaled "$1" 0) && [ "${#number}" -le 9 ] && printf '%s\n' "$((number * $2))"
)

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
