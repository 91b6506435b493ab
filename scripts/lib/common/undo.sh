# SPDX-License-Identifier: GPL-2.0
# undo.sh - change back what a journal lists. A value counts as put back when it was read back.
# shellcheck shell=sh
#
# Undoing backwards keeps every rule between settings that the way forwards has kept, because it goes through the same
# states. It needs no space: /run may be full, or read-only. What cannot be put back is named, with the command that does
# it by hand, and stays in the journal.
#
# Needs message.sh, sysfs.sh; journal.sh sources it.

# Read here, set there:
: "${write_error?sysfs.sh}" "${journal_tab?journal.sh}" "${journal_file?journal.sh}" "${journal_dir?journal.sh}" \
	"${journal_locked?journal.sh}" "${work_dir?journal.sh}"

# undo_by_hand FILE VALUE: the command that puts VALUE back
undo_by_hand() {
	by_hand=$(shell_word "$2")
	# echo has its own ideas of a backslash and a dash.
	[ "$by_hand" = "$2" ] && printf 'by hand: echo %s >%s\n' "$by_hand" "$(path_word "$1")" ||
		printf "by hand: printf '%%s\\\\n' %s >%s\n" "$by_hand" "$(path_word "$1")"
}

# has_value FILE VALUE: does it read back? A policy's file lists all policies; the one in brackets is its value.
has_value() {
	value_read=
	{ IFS= read -r value_read <"$1"; } 2>/dev/null || [ -n "$value_read" ] || value_read=$(read_value "$1") ||
		{ [ -r "$1" ] && [ -z "$2" ]; } || return
	case $value_read in
	"$2") ;;
	*"[$2]"*) [ -n "$2" ] ;;
	*) return 1 ;;
	esac
}

undo_set() {
	if [ ! -e "$1" ]; then
		warn "$1 is gone; its value was '$2'; when it is there again, $(undo_by_hand "$1" "$2")"
		return 1
	fi
	! has_value "$1" "$2" || return 0
	write_value "$1" "$2" || :
	if ! has_value "$1" "$2"; then
		warn "$1 cannot be put back to '$2': ${write_error:-it was written, but does not read back}; it is '$value_read'; $(undo_by_hand "$1" "$2")"
		return 1
	fi
	undone "$1: $2"
}

# is_running PID START: as is_process, but not one that has ended and waits for its parent
is_running() {
	is_process "$1" "$2" && ! grep -q '^State:[[:space:]]*Z' "/proc/$1/status" 2>/dev/null
}

# end_group PGID START WHAT: by SIGKILL
end_group() {
	kill -KILL "-$1" 2>/dev/null || return 0
	undo_tries=50
	while is_running "$1" "$2"; do
		if [ "$undo_tries" -eq 0 ]; then
			warn "$3 does not end; by hand: kill -KILL -$(shell_word "$1")"
			return 1
		fi
		sleep 0.1
		undo_tries=$((undo_tries - 1))
	done
	undone "$3 was ended"
}

# The recorder ends by itself when its recording does, however that ended; a large file takes its time.
# If only its children are left, it was killed and they wait for ever.
undo_group() {
	undo_tries=600
	while is_running "$1" "$2" && [ "$undo_tries" -gt 0 ]; do
		sleep 0.1
		undo_tries=$((undo_tries - 1))
	done
	end_group "$1" "$2" "trace-cmd"
}

# A load does not end by itself before its parent is gone.
undo_kill() {
	is_running "$1" "$2" || return 0
	end_group "$1" "$2" "the load"
}

# undo_trigger FILE: with triggers that have variables, an instance cannot be removed.
undo_trigger() {
	[ -e "$1" ] || return 0
	grep -v '^#' "$1" | while IFS= read -r undo_text; do
		write_value "$1" "!${undo_text% \[*}" || {
			warn "$1: the trigger cannot be removed: $write_error; $(undo_by_hand "$1" "!${undo_text% \[*}")"
			exit 1
		}
	done
}

# Busy for as long as a reader has one of its files open.
undo_rmdir() {
	[ -d "$1" ] || return 0
	undo_tries=50
	# trace-cmd may be faster.
	while [ -d "$1" ] && ! rmdir "$1" 2>/dev/null; do
		if [ "$undo_tries" -eq 0 ]; then
			warn "$1 cannot be removed: somebody is using it; by hand: rmdir $(path_word "$1")"
			return 1
		fi
		sleep 0.1
		undo_tries=$((undo_tries - 1))
	done
	undone "$1 was removed"
}

# A thread that is gone needs nothing.
undo_task() {
	is_process "$1" "${2%%:*}" || return 0
	taskset -p -c "${2#*:}" "$1" >/dev/null 2>&1
	[ "$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null)" = "${2#*:}" ] ||
		! is_process "$1" "${2%%:*}" || {
		warn "task $1 cannot be put back on CPUs ${2#*:}; by hand: taskset -p -c $(shell_word "${2#*:}") $(shell_word "$1")"
		return 1
	}
}

# undo_read: sets $undo_lines to the journal's whole lines, the last one first; fails at a verb that is not known: what an
# unknown line stands for may have to come first.
undo_read() {
	undo_lines=
	undo_number=0
	[ -r "$journal_file" ] || {
		warn "$journal_file cannot be read: nothing is put back"
		return 1
	}
	while IFS= read -r undo_line; do
		undo_number=$((undo_number + 1))
		case $undo_line in
		owner"$journal_tab"* | boot"$journal_tab"* | job"$journal_tab"*) ;;
		group"$journal_tab"?* | set"$journal_tab"?* | rmdir"$journal_tab"?* | \
			kill"$journal_tab"?* | card"$journal_tab"?* | task"$journal_tab"?* | trigger"$journal_tab"?*) ;;
		*)
			warn "$journal_file:$undo_number: '$undo_line' is not known to this version: nothing is put back; use the wakelat that wrote it"
			return 1
			;;
		esac
		undo_lines=$undo_line$undo_newline$undo_lines
	done <"$journal_file"
}
undo_newline='
'

# undo_all VERB|...: undoes the lines with these verbs; adds those that fail to $undo_left, in the order of the journal
undo_all() {
	undo_verbs=$1
	undo_ifs=$IFS
	IFS=$undo_newline
	set -f
	set -- $undo_lines
	set +f
	IFS=$undo_ifs
	for undo_line; do
		undo_verb=${undo_line%%"$journal_tab"*}
		case "|$undo_verbs|" in
		*"|$undo_verb|"*) ;;
		*) continue ;;
		esac
		undo_value=${undo_line#*"$journal_tab"}
		undo_path=${undo_value%%"$journal_tab"*}
		case $undo_value in
		*"$journal_tab"*) undo_value=${undo_value#*"$journal_tab"} ;;
		*) undo_value= ;;
		esac
		"undo_$undo_verb" "$undo_path" "$undo_value" </dev/null || undo_left=$undo_line$undo_newline$undo_left
	done
}

# journal_keep: the journal becomes what is left of it, in one step, or stays as it is: to undo a line twice does no harm.
journal_keep() {
	rm -f "$journal_file.new" 2>/dev/null
	{
		(umask 077 && printf 'owner\t0\t0\nboot\t%s\t\n%s' "$(journal_value boot)" "$undo_left" >"$journal_file.new") &&
			mv -f "$journal_file.new" "$journal_file"
	} 2>/dev/null || rm -f "$journal_file.new" 2>/dev/null
}

# journal_undo: undoes everything and removes the journal. What could not be undone is named and stays in it.
# undone TEXT, which the caller defines, is told of each thing that was changed back.
journal_undo() {
	undo_left=
	undo_had_lock=$journal_locked
	# If nobody lets go: it is our journal nevertheless.
	journal_lock || :
	undo_status=0
	journal_undo_locked || undo_status=1
	[ "$undo_had_lock" = yes ] || journal_unlock
	return "$undo_status"
}

journal_undo_locked() {
	undo_read || return
	# A recorder keeps the instance busy.
	undo_all group
	undo_all 'set|rmdir|kill|card|task|trigger'
	if [ -n "$undo_left" ]; then
		journal_keep
		return 1
	fi
	journal_remove
}

# journal_remove: what it lists is undone.
journal_remove() {
	rm -rf "$work_dir" "$journal_file.new" 2>/dev/null
	rm -f "$journal_file" 2>/dev/null
	if [ -e "$journal_file" ]; then
		warn "everything in $journal_file is put back, but the file cannot be removed: is ${journal_dir%/*} read-only? Remove it before the next recording: rm $journal_file"
		return 1
	fi
	rmdir "$journal_dir" 2>/dev/null || :
}
