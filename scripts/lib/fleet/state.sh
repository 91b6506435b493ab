# SPDX-License-Identifier: GPL-2.0
# state.sh - what became of one machine: state.tsv, key TAB value; and the words of a measurement.
# shellcheck shell=sh
#
# Needs message.sh.

# Read here, set there:
: "${me?the command}" "${shown?message.sh}"

state_tab=$(printf '\t')
state_line='
'
state_text=
state_said=yes
# For measure.sh.
: "$state_said"

state_begin() {
	state_text="key${state_tab}value"
}

# state_set KEY VALUE: the last one counts. No cell holds a TAB, a line break or a control character.
state_set() {
	show "$2"
	state_text=$(printf '%s\n' "$state_text" | awk -F '\t' -v key="$1" '$1 != key')$state_line$1$state_tab${shown:--}
}

# state_write FILE: whole, or not at all
state_write() {
	state_partial=$(mktemp "${1%/*}/.state.XXXXXX" 2>/dev/null) &&
		printf '%s\n' "$state_text" >"$state_partial" 2>/dev/null && chmod 644 "$state_partial" && mv -f "$state_partial" "$1" || {
		rm -f "$state_partial"
		return 1
	}
}

# check_words WORD...: record or probe, and options that make a recording of samples in the directory that is asked for
check_words() {
	[ $# -gt 0 ] || bad_usage "what is to be measured? Put it behind --: $me ... -- probe -T 60s"
	case $1 in
	record | probe) ;;
	*) bad_usage "behind -- stands record or probe with its options, not '$1'" ;;
	esac
	words_command=$1
	shift
	for word; do
		case $word in
		*"$state_line"*) bad_usage "a line break in '$word'" ;;
		-o* | -q*o* | --output | --output=*) bad_usage "$words_command is told where to write: without '$word'" ;;
		--resume* | --listen* | --export* | --threshold* | --stop | --live | -h | -q*h* | --help)
			bad_usage "$words_command '$word' makes no counts" ;;
		esac
	done
}
