# SPDX-License-Identifier: GPL-2.0
# undo.sh - undo the changes that a journal lists. A value counts as restored only if it reads back.
# shellcheck shell=sh
#
# The changes are undone in reverse order. The settings go through the same combinations as before,
# so they keep the rules between them (minimum below maximum). Undoing needs no space: /run may be
# full, or read-only. A change that cannot be undone is named, with the command to undo it by hand,
# and stays in the journal.
#
# Needs message.sh, sysfs.sh; journal.sh sources it.

# Variables that other files set:
: "${write_error?sysfs.sh}" "${journal_tab?journal.sh}" "${journal_file?journal.sh}" "${journal_dir?journal.sh}" \
	"${journal_locked?journal.sh}" "${work_dir?journal.sh}"

# undo_by_hand FILE VALUE: print the command that writes VALUE to FILE
undo_by_hand() {
	by_hand=$(shell_word "$2")
	# echo may interpret a backslash or a leading dash.
	[ "$by_hand" = "$2" ] && printf 'by hand: echo %s >%s\n' "$by_hand" "$(path_word "$1")" ||
		printf "by hand: printf '%%s\\\\n' %s >%s\n" "$by_hand" "$(path_word "$1")"
}

# has_value FILE VALUE: succeed if FILE reads VALUE. The file of a policy lists all policies, with the current one in brackets.
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
		warn "$1 is gone; its value was '$2'; when it exists again, $(undo_by_hand "$1" "$2")"
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

# is_running PID START: as is_process, but fail for a zombie
is_running() {
	is_process "$1" "$2" && ! grep -q '^State:[[:space:]]*Z' "/proc/$1/status" 2>/dev/null
}

# end_group PGID START WHAT: kill the process group by SIGKILL, and wait until its leader is gone
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

# Wait up to 60 s until the recorder ends by itself, because it takes long to finish a large file.
# Then kill what is left of its process group. If the recorder was killed, its children would wait
# for ever.
undo_group() {
	undo_tries=600
	while is_running "$1" "$2" && [ "$undo_tries" -gt 0 ]; do
		sleep 0.1
		undo_tries=$((undo_tries - 1))
	done
	end_group "$1" "$2" "trace-cmd"
}

# Kill a load at once. It would run until it finds that its parent is gone.
undo_kill() {
	is_running "$1" "$2" || return 0
	end_group "$1" "$2" "the load"
}

# undo_trigger FILE: remove the triggers. An instance cannot be removed while its triggers have variables.
undo_trigger() {
	[ -e "$1" ] || return 0
	# Read all triggers before the first is removed.
	undo_triggers=
	while IFS= read -r undo_text; do
		case $undo_text in
		'#'*) ;;
		*) undo_triggers=$undo_triggers$undo_text$undo_newline ;;
		esac
	done <"$1"
	while [ -n "$undo_triggers" ]; do
		undo_text=${undo_triggers%%"$undo_newline"*}
		undo_triggers=${undo_triggers#*"$undo_newline"}
		write_value "$1" "!${undo_text% \[*}" || {
			warn "$1: the trigger cannot be removed: $write_error; $(undo_by_hand "$1" "!${undo_text% \[*}")"
			return 1
		}
	done
}

# An instance is busy as long as a reader has one of its files open. So try for 5 s.
undo_rmdir() {
	[ -d "$1" ] || return 0
	undo_tries=50
	# trace-cmd may remove it first.
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

# Restore the affinity of a thread. Do nothing if it has ended.
undo_task() {
	is_process "$1" "${2%%:*}" || return 0
	taskset -p -c "${2#*:}" "$1" >/dev/null 2>&1
	[ "$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null)" = "${2#*:}" ] ||
		! is_process "$1" "${2%%:*}" || {
		warn "task $1 cannot be put back on CPUs ${2#*:}; by hand: taskset -p -c $(shell_word "${2#*:}") $(shell_word "$1")"
		return 1
	}
}

# undo_read: set $undo_lines to the journal's complete lines, the last one first. Fail if a verb is
# unknown, because that change may have to be undone first.
undo_read() {
	undo_lines=
	undo_number=0
	[ -r "$journal_file" ] || {
		warn "$journal_file cannot be read: nothing is restored"
		return 1
	}
	while IFS= read -r undo_line; do
		undo_number=$((undo_number + 1))
		case $undo_line in
		owner"$journal_tab"* | boot"$journal_tab"* | job"$journal_tab"*) ;;
		group"$journal_tab"?* | set"$journal_tab"?* | rmdir"$journal_tab"?* | \
			kill"$journal_tab"?* | card"$journal_tab"?* | task"$journal_tab"?* | trigger"$journal_tab"?*) ;;
		*)
			warn "$journal_file:$undo_number: '$undo_line' is not known to this version: nothing is restored; use the version of wakelat that wrote it"
			return 1
			;;
		esac
		undo_lines=$undo_line$undo_newline$undo_lines
	done <"$journal_file"
}
undo_newline='
'

# undo_all VERB|...: undo the lines with these verbs. Add the lines that fail to $undo_left, in the order of the journal.
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

# journal_keep: replace the journal by the lines in $undo_left, in one step. If that fails, the
# journal stays as it is: undoing a line twice does no harm.
journal_keep() {
	rm -f "$journal_file.new" 2>/dev/null
	{
		(umask 077 && printf 'owner\t0\t0\nboot\t%s\t\n%s' "$(journal_value boot)" "$undo_left" >"$journal_file.new") &&
			mv -f "$journal_file.new" "$journal_file"
	} 2>/dev/null || rm -f "$journal_file.new" 2>/dev/null
}

# journal_undo: undo everything and remove the journal. Changes that cannot be undone are named, and
# stay in the journal. The caller defines undone TEXT, which is called for each change that was undone.
journal_undo() {
	undo_left=
	undo_had_lock=$journal_locked
	# Continue without the lock, because the journal is ours.
	journal_lock || :
	undo_status=0
	journal_undo_locked || undo_status=1
	[ "$undo_had_lock" = yes ] || journal_unlock
	return "$undo_status"
}

journal_undo_locked() {
	undo_read || return
	# Recorders first, because they keep the instance busy.
	undo_all group
	undo_all 'set|rmdir|kill|card|task|trigger'
	if [ -n "$undo_left" ]; then
		journal_keep
		return 1
	fi
	journal_remove
}

# journal_remove: remove the journal, whose changes are undone.
journal_remove() {
	rm -rf "$work_dir" "$journal_file.new" 2>/dev/null
	rm -f "$journal_file" 2>/dev/null
	if [ -e "$journal_file" ]; then
		warn "everything in $journal_file is put back, but the file cannot be removed: is ${journal_dir%/*} read-only? Remove it before the next recording: rm $journal_file"
		return 1
	fi
	rmdir "$journal_dir" 2>/dev/null || :
}
