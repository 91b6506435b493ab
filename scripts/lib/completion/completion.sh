# SPDX-License-Identifier: GPL-2.0
# completion.sh - print what can follow on a command line that is being typed. scripts/completion/
# call it as `wakelat --complete`.
# shellcheck shell=sh
#
# Prints a line WORD TAB DESCRIPTION for each possible word. WORD is complete, and may begin with
# other letters than were typed. Other lines:
#
#	:files, :directories, :recordings	these fit, too; the shell finds them itself
#	:list					more words may follow behind a comma
#	:skip N					the first N characters of the word stay (--name=)
#
# completion.awk finds the words in the texts of -h.
#
# Needs sysfs.sh, cpulist.sh, cpuidle.sh.

# Variables that other files set:
: "${here?the command}" "${cpu_sysfs?cpuidle.sh}"

# completed_commands: print each command with its summary
completed_commands() {
	for completed_file in "$here"/commands/* "$here"/../extras/*/*; do
		completed_folder=${completed_file%/*}
		case ${completed_folder##*/} in
		commands | "${completed_file##*/}") ;;
		*) continue ;;
		esac
		[ ! -x "$completed_file" ] ||
			printf '%s\t%s\n' "${completed_file##*/}" "$(sed -n 's/^# summary: //p' "$completed_file")"
	done
}

# completed_items BEFORE: print the words on stdin that are not in the list BEFORE, each with BEFORE in front
completed_items() {
	while IFS= read -r completed_item; do
		in_list "$completed_item" "$1" || printf '%s%s\t\n' "$1" "$completed_item"
	done
}

# completed_machine WHAT BEFORE: print the words that depend on this machine
completed_machine() {
	case $1 in
	cpus) cpulist_expand "$(read_value "$cpu_sysfs/online")" | completed_items "$2" ;;
	states)
		completed_cpu=$(cpulist_expand "$(read_value "$cpu_sysfs/online")" | tail -n 1)
		! has_states "$completed_cpu" || state_names "$completed_cpu" | completed_items "$2" ;;
	sources)
		# Only root can read this file.
		{ cut -d ' ' -f 1 "${root-}/sys/kernel/tracing/wakelat/available_sources" 2>/dev/null | grep . ||
			printf '%s\n' "$2" | tr , '\n'; } | completed_items ''
		;;
	cards) "$here/commands/nic" list --tsv | awk -F '\t' 'NR > 1 { print $1 "\t" $2 }' ;;
	esac
}

# complete_words WORD...: complete the last of the words behind wakelat
complete_words() {
	case $#${1-} in
	0 | 1*)
		printf '%s\t%s\n' help 'the manual page of a command' --help 'the list of commands' --version 'which wakelat this is'
		completed_commands
		return
		;;
	2help)
		completed_commands
		return
		;;
	esac
	case $1 in
	'' | */* | .*) return ;;
	esac
	completed_file=$here/commands/$1
	[ -e "$completed_file" ] || completed_file=$here/../extras/$1/$1
	[ -x "$completed_file" ] || return 0
	shift
	"$completed_file" -h | awk -f "$here/lib/completion/completion.awk" -- "$@" |
		while IFS= read -r completed_line; do
			case $completed_line in
			:machine*)
				completed_line=${completed_line#* }
				completed_machine "${completed_line%% *}" "${completed_line#* }"
				;;
			:others*)
				# The words behind -- are another command's.
				shift "${completed_line##* }"
				completed_line=${completed_line#* }
				complete_words "${completed_line% *}" "$@"
				;;
			*) printf '%s\n' "$completed_line" ;;
			esac
		done
}
