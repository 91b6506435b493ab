# SPDX-License-Identifier: GPL-2.0
# options.sh - the command line, understood the same way by every command.
# shellcheck shell=sh
#
# The table of options is in the text that -h prints, $usage. A line of it that begins like one of these is an option:
#
#	  -o, --output DIR  new or empty directory
#	      --json        print one JSON document
#
# After one space comes the name of the option's value, after two spaces the description. An option
# without a value is a flag.
# tests/host/options.t checks that the manual page has the same options.
#
# Needs message.sh.

options_line='
'
option=
operands=
operands_before=0
# For the command, and message.sh.
: "$option" "$operands" "$operands_before" "${quiet-}"

# find_option WORD: look up -x or --name. Set $option_name to the long name, and $option_takes to
# "value" or "nothing". Fail if there is no such option. The loop goes line by line, because a
# pattern for the whole text takes dash milliseconds.
find_option() {
	option_name=
	options_ifs=$IFS
	IFS=$options_line
	set -f
	for options_row in $options_table; do
		case $options_row in
		"  $1, --"* | "  -"?", $1" | "  -"?", $1 "* | "      $1" | "      $1 "*) ;;
		*) continue ;;
		esac
		option_name=${options_row#??????}
		option_name=${option_name%% *}
		case ${options_row#*"$option_name"} in
		" "[!\ ]*) option_takes=value ;;
		*) option_takes=nothing ;;
		esac
		break
	done
	set +f
	IFS=$options_ifs
	[ -n "$option_name" ]
}

# option_flag: handle the flags that every command has. The command handles all others.
option_flag() {
	case $option_name in
	--help)
		printf '%s\n' "$options_table"
		exit
		;;
	--quiet) quiet=yes ;;
	*) "$option_function" "$option_name" ;;
	esac
}

# option_given VALUE: pass VALUE and the option to the command
option_given() {
	option_waits=no
	[ -n "$1" ] || bad_usage "$option needs a value"
	"$option_function" "$option_name" "$1"
}

# option_long WORD: --name or --name=VALUE
option_long() {
	option=${1%%=*}
	case $option in
	--*[!a-z0-9-]*) bad_usage "unknown option '$option'" ;;
	esac
	find_option "$option" || option_unknown
	case $option_takes$1 in
	value*=*) option_given "${1#*=}" ;;
	value*) option_waits=yes ;;
	*=*) bad_usage "$option takes no value" ;;
	*) option_flag ;;
	esac
}

# option_unknown: die. A command may list its renamed options in $options_gone. Then the message has
# the new name.
option_unknown() {
	option_gone=$(printf '%s\n' "${options_gone-}" | grep "^$option is now ") && bad_usage "$option_gone"
	bad_usage "unknown option '$option'"
}

# option_short WORD: -x, -xVALUE, or several flags
option_short() {
	option_letters=${1#-}
	while [ -n "$option_letters" ]; do
		option=-${option_letters%"${option_letters#?}"}
		option_letters=${option_letters#?}
		find_option "$option" || bad_usage "unknown option '$1'"
		case $option_takes$option_letters in
		nothing*) option_flag ;;
		value) option_waits=yes ;;
		*)
			option_given "$option_letters"
			return
			;;
		esac
	done
}

# take_options FUNCTION WORD...: call FUNCTION NAME [VALUE] for each option. NAME is the long name.
# $option is the option as typed, for messages. All other words are operands. Set $operands to
# references to them, such as "${2}", so that the caller gets the operands by
#	eval "set -- $operands"
# Set $operands_before to the number of operands before a --.
take_options() {
	options_table=${usage:?}
	option_function=$1
	shift
	option_waits=no
	options_ended=no
	options_words=0
	operands=
	operands_before=0
	for options_word; do
		options_words=$((options_words + 1))
		if [ "$option_waits" = yes ]; then
			option_given "$options_word"
			continue
		fi
		case $options_ended$options_word in
		no--) options_ended=yes ;;
		no--*) option_long "$options_word" ;;
		no-?*) option_short "$options_word" ;;
		*)
			operands="$operands \"\${$options_words}\""
			[ "$options_ended" = yes ] || operands_before=$((operands_before + 1))
			;;
		esac
	done
	[ "$option_waits" = no ] || bad_usage "$option needs a value"
}

# take_only_options FUNCTION WORD...: as take_options, for a command without operands.
take_only_options() {
	take_options "$@"
	shift
	eval "set -- $operands"
	[ $# -eq 0 ] || bad_usage "unexpected argument '$1'"
}
