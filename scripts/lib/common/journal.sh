# SPDX-License-Identifier: GPL-2.0
# journal.sh - remember what is changed before it is changed, and change it back.
# shellcheck shell=sh
#
# The journal is a file, one line for each change, written before the change is made. Undoing reads it
# backwards. A recording that ends, however, undoes its own journal; after kill -9 the file is still
# there and `wakelat restore` undoes it: one mechanism for both. The file is also the lock: its first
# line has the owner.
#
# Undoing backwards keeps every rule between settings that the way forwards has kept, because it goes
# through the same states.
#
# Lines: VERB TAB PATH [TAB VALUE]
#	owner PID START		who made it (START: its start time, so that another PID is told apart)
#	set FILE VALUE		FILE had VALUE
#	stop FILE		a run may be on; writing 0 to FILE stops it
#	group PGID START	trace-cmd's process group
#	setting FILE "SOURCE KEY VALUE"	see setting.sh
#	rmdir DIR		DIR, a tracefs instance, was made
#	trigger FILE		triggers of an event in our instance
#	kill PGID START		a load of ours, a process group
#	card ADDRESS WHAT	a network card had another driver (nic.sh)
#	task TID START:LIST	the thread was allowed to run on these CPUs
#	boot ID			the boot that this belongs to
#
# An experiment (sweep, tune) changes more of the machine around several recordings. It has a journal of
# its own of the same kind, so that each recording in it can keep and undo its own.
#
# It is obeyed by root, so it is nobody else's to read or write, whatever umask we were started with.
#
# Needs message.sh, sysfs.sh, trust.sh.

# Read here, set there:
: "${here?the command}" "${write_error?sysfs.sh}"

# shellcheck source=scripts/lib/common/trust.sh
. "$here/lib/common/trust.sh"
# shellcheck source=scripts/lib/common/setting.sh
. "$here/lib/common/setting.sh"

# The one place that knows where the journal is. /run does not survive a reboot, nor do the settings: all
# that is changed are files of sysfs, procfs and tracefs, and the affinity of tasks.
journal_dir=/run/wakelat
boot_id_file=/proc/sys/kernel/random/boot_id
# Which recording is on, across a reboot: boot ID, TAB, directory, whose record.log lists the changes.
unfinished_file=/var/lib/wakelat/unfinished
journal_file=$journal_dir/state
# The recording's own small files, gone with the journal.
work_dir=$journal_dir/work
experiment_file=$journal_dir/experiment
experiment_dir=$journal_dir/experiment-work

journal_tab=$(printf '\t')

# process_start PID: its start time in clock ticks since boot; fails if there is no such process.
process_start() (
	stat=$(cat "/proc/$1/stat" 2>/dev/null) || exit
	# The name, in parentheses, may contain anything; the rest are numbers. Field 22.
	number=2
	for field in ${stat##*) }; do
		number=$((number + 1))
		[ "$number" -lt 22 ] || break
	done
	printf '%s\n' "$field"
)

# is_process PID START: is this process still the one that was started then?
is_process() {
	[ "$(process_start "$1")" = "$2" ]
}

# journal_owner [FILE]: prints the PID of the live owner; fails if it is gone.
journal_owner() (
	IFS=$journal_tab read -r verb pid start <"${1-$journal_file}" || exit
	[ "$verb" = owner ] && is_process "$pid" "$start" && printf '%s\n' "$pid"
)

# journal_busy [FILE]: why nobody else can begin
journal_busy() {
	if owner=$(journal_owner "$@" 2>/dev/null); then
		die "a recording is in progress (process $owner): wait for it, or end it with: kill $owner"
	fi
	die "a recording was killed and has left its settings: put them back with: wakelat restore"
}

# journal_free: dies if there is a recording, or an experiment that this is not a part of.
journal_free() {
	journal_trust
	[ ! -e "$journal_dir/state" ] || journal_busy "$journal_dir/state"
	[ ! -e "$experiment_file" ] ||
		[ "$(journal_owner "$experiment_file" 2>/dev/null)" = "${WAKELAT_EXPERIMENT:-none}" ] ||
		journal_busy "$experiment_file"
}

# journal_trust: dies if anybody but root can have written what is in the journal's directory.
journal_trust() {
	[ -e "$journal_dir" ] || [ -L "$journal_dir" ] || return 0
	must_trust directory "$journal_dir" "look at what it lists, put that back by hand, and remove it"
	for journal_each in "$journal_dir/state" "$experiment_file" "$journal_dir/nic"; do
		[ ! -e "$journal_each" ] && [ ! -L "$journal_each" ] ||
			must_trust files "$journal_each" "look at what it lists, put that back by hand, and remove it"
	done
}

# journal_make_dir: $journal_dir, for root only
journal_make_dir() {
	(umask 077 && mkdir -p "$journal_dir") 2>/dev/null || die "$journal_dir cannot be made"
	journal_trust
}

# journal_of_experiment: from here on the journal is that of an experiment, not of a recording.
journal_of_experiment() {
	journal_file=$experiment_file
	work_dir=$experiment_dir
}

journal_is_ours() {
	[ "$(journal_owner 2>/dev/null)" = "$$" ]
}

# journal_not_begun: for who ends and has no journal; a signal may have come when there was its directory, and nothing in it.
journal_not_begun() {
	rmdir "$journal_dir" 2>/dev/null || :
}

# journal_begin: takes the lock, or dies and says who has it.
journal_begin() {
	journal_make_dir
	# noclobber: the shell creates the file or fails.
	if ! (
		set -C
		umask 077
		printf 'owner\t%s\t%s\n' "$$" "$(process_start "$$")" >"$journal_file"
	) 2>/dev/null; then
		[ ! -e "$journal_file" ] || journal_busy
		die "$journal_file cannot be written: nothing was changed"
	fi
	rm -rf "$work_dir"
	(umask 077 && mkdir "$work_dir") || die "$work_dir cannot be made"
	journal boot "$(read_value "$boot_id_file")"
}

# journal_rebooted: is it from before a reboot, on a machine that keeps /run (a container's, say)?
journal_rebooted() {
	rebooted_id=$(sed -n "s/^boot$journal_tab\([^$journal_tab]*\).*/\1/p" "$journal_file" 2>/dev/null)
	[ -n "$rebooted_id" ] && [ "$rebooted_id" != "$(read_value "$boot_id_file")" ]
}

# unfinished_begin DIR, unfinished_end: /var may not be there, or not writable; then a reboot leaves no trace.
unfinished_begin() {
	{
		mkdir -p "${unfinished_file%/*}" && trusted_directory "${unfinished_file%/*}" &&
			printf '%s\t%s\n' "$(read_value "$boot_id_file")" "$1" >"$unfinished_file"
	} 2>/dev/null || :
}

unfinished_end() {
	rm -f "$unfinished_file" 2>/dev/null
	rmdir "${unfinished_file%/*}" 2>/dev/null || :
}

# journal VERB PATH [VALUE]
journal() {
	{ printf '%s\t%s\t%s\n' "$1" "$2" "${3-}" >>"$journal_file"; } 2>/dev/null ||
		die "$journal_file cannot be written: no more is changed"
}

# note_value FILE [VALUE]: FILE, which has VALUE, will be changed. Only the value before the first change is
# to be put back.
note_value() {
	grep -qF "set$journal_tab$1$journal_tab" "$journal_file" || journal set "$1" "${2-$(read_value "$1")}"
}

# change_try FILE VALUE: writes VALUE to FILE unless it is there already. If the kernel refuses, its reason is in
# $write_error.
change_try() {
	change_old=
	{ IFS= read -r change_old <"$1"; } 2>/dev/null || [ -r "$1" ] || die "$1 cannot be read"
	[ "$change_old" != "$2" ] || return 0
	note_value "$1" "$change_old"
	write_value "$1" "$2" || return
	log "$1: $change_old -> $2"
}

# change FILE VALUE: the same, or dies.
change() {
	change_try "$1" "$2" || die "$1: cannot write $2: $write_error"
}

# change_back FILE...: to their values before the first change; they stay in the journal.
change_back() {
	for back_file; do
		back_line=$(grep -F "set$journal_tab$back_file$journal_tab" "$journal_file") || continue
		change "$back_file" "${back_line##*"$journal_tab"}"
	done
}

undo_set() {
	if [ ! -e "$1" ]; then
		warn "$1 is gone: its value was '$2'"
		return 1
	fi
	value_read=
	{ IFS= read -r value_read <"$1"; } 2>/dev/null
	[ "$value_read" != "$2" ] || return 0
	if ! write_value "$1" "$2"; then
		warn "$1 cannot be put back to '$2': $write_error"
		return 1
	fi
	undone "$1: $2"
}

undo_stop() {
	[ "$(read_value "$1")" = 1 ] || return 0
	write_value "$1" 0 || return
	undone "the run was stopped"
}

# The recorder ends by itself when its recording does, however that ended; a large file takes its time.
# If only its children are left, it was killed and they wait for ever.
undo_group() {
	undo_tries=600
	while is_process "$1" "$2" && [ "$undo_tries" -gt 0 ]; do
		sleep 0.1
		undo_tries=$((undo_tries - 1))
	done
	kill -KILL "-$1" 2>/dev/null || return 0
	undone "trace-cmd was killed"
}

# undo_trigger FILE: with triggers that have variables, an instance cannot be removed.
undo_trigger() {
	[ -e "$1" ] || return 0
	grep -v '^#' "$1" | while IFS= read -r undo_text; do
		write_value "$1" "!${undo_text% \[*}" || exit 1
	done
}

# Busy for as long as a reader has one of its files open.
undo_rmdir() {
	[ -d "$1" ] || return 0
	undo_tries=50
	# trace-cmd may be faster.
	while [ -d "$1" ] && ! rmdir "$1" 2>/dev/null; do
		if [ "$undo_tries" -eq 0 ]; then
			warn "$1 cannot be removed: somebody is using it"
			return 1
		fi
		sleep 0.1
		undo_tries=$((undo_tries - 1))
	done
	undone "$1 was removed"
}

# A load does not end by itself before its parent is gone.
undo_kill() {
	is_process "$1" "$2" || return 0
	kill -KILL "-$1" 2>/dev/null || return 0
	undone "the load was ended"
}

# A thread that is gone needs nothing.
undo_task() {
	is_process "$1" "${2%%:*}" || return 0
	taskset -p -c "${2#*:}" "$1" >/dev/null 2>&1 || ! is_process "$1" "${2%%:*}" || {
		warn "task $1 cannot be put back on CPUs ${2#*:}"
		return 1
	}
}

# undo_all PATTERN: undoes the lines whose verb matches, the last one first. What fails stays in
# $work_dir/failed.
undo_all() {
	sed -nE "/^($1)$journal_tab/p" "$journal_file" | sed '1!G;h;$!d' >"$work_dir/undo" || return
	while IFS=$journal_tab read -r undo_verb undo_path undo_value; do
		"undo_$undo_verb" "$undo_path" "$undo_value" </dev/null ||
			printf '%s\t%s\t%s\n' "$undo_verb" "$undo_path" "$undo_value" >>"$work_dir/failed"
	done <"$work_dir/undo"
}

# journal_undo: undoes everything and removes the journal. What could not be undone remains in it.
# undone TEXT, which the caller defines, is told of each thing that was changed back.
journal_undo() {
	rm -f "$work_dir/failed"
	(umask 077 && mkdir -p "$work_dir")
	# A run that is on refuses settings, and its recorder keeps the instance busy.
	undo_all stop
	undo_all group
	undo_all 'set|setting|rmdir|kill|card|task|trigger'
	if [ -e "$work_dir/failed" ]; then
		{
			printf 'owner\t0\t0\n'
			sed '1!G;h;$!d' "$work_dir/failed"
		} >"$journal_file"
		return 1
	fi
	rm -rf "$work_dir"
	rm -f "$journal_file"
	rmdir "$journal_dir" 2>/dev/null || :
}
