# SPDX-License-Identifier: GPL-2.0
# journal.sh - note each change of a setting before the change is made, and undo the changes.
# shellcheck shell=sh
#
# The journal is a file, one line for each change, written before the change is made. A recording undoes its own
# journal when it ends, also by a signal. After kill -9 the file is still there, and `wakelat restore` undoes it.
# Both use undo.sh. The first line names the owner. Nobody else undoes the journal while its owner lives.
#
# The directory is locked (flock) only while a journal is begun, undone or removed. The file's space
# is reserved before anything is changed. If a full disk or a kill has cut off a line, its change was not made.
#
# Lines: VERB TAB PATH [TAB VALUE]
#	owner PID START		the process that made it (START: its start time, because PIDs are reused)
#	job ID			the job of Slurm that the owner belongs to
#	set FILE VALUE		FILE had VALUE
#	group PGID START	trace-cmd's process group
#	rmdir DIR		DIR, a tracefs instance, was made
#	trigger FILE		triggers of an event in our instance
#	kill PGID START		the process group of a busy loop that we started (knobs.sh)
#	card ADDRESS WHAT	what the network card had before: driver and more (nic.sh)
#	task TID START:LIST	the thread was allowed to run on these CPUs
#	boot ID			the boot in which the journal was made
#
# An experiment (sweep) makes several recordings, and changes more of the machine around them. It has
# a second journal of the same kind, so that each of its recordings can still begin and undo its own.
#
# Root executes the journal, so nobody else may read or write it, whatever the caller's umask is.
#
# Needs message.sh, sysfs.sh, trust.sh.

# Variables that other files set:
: "${error_status?message.sh}" "${here?the command}" "${write_error?sysfs.sh}"

# Variables that functions of this file set:
start_field=
: "$start_field"

# shellcheck source=scripts/lib/common/trust.sh
. "$here/lib/common/trust.sh"
# shellcheck source=scripts/lib/common/slurm.sh
. "$here/lib/common/slurm.sh"

# The path of the journal stands only here. /run does not survive a reboot, and neither do the
# settings: only files of sysfs, procfs and tracefs are changed, and the affinity of tasks.
journal_dir=/run/wakelat
boot_id_file=/proc/sys/kernel/random/boot_id
# This file names the active recording, and survives a reboot: boot ID, TAB, DIR. DIR/record.log lists the changes.
unfinished_file=/var/lib/wakelat/unfinished
journal_file=$journal_dir/state
# The maximum size of a journal in KiB. The shell reads it byte by byte.
journal_most=4096
# The recording's own small files, which are removed with the journal.
work_dir=$journal_dir/work
experiment_file=$journal_dir/experiment
experiment_dir=$journal_dir/experiment-work

# TAB and newline
journal_tab='	'
journal_newline='
'

# find_start PID: sets $start_field to its start time in clock ticks since boot. Fails if there is
# no such process.
find_start() {
	start_stat=
	start_field=
	# The start time is field 22. The name, in parentheses, may contain anything, also line
	# breaks; no ) follows it.
	while IFS= read -r start_line; do
		start_stat=$start_line
	done <"/proc/$1/stat" || return
	# The process ended between open and read.
	[ -n "$start_stat" ] || return
	start_number=2
	for start_field in ${start_stat##*) }; do
		start_number=$((start_number + 1))
		[ "$start_number" -lt 22 ] || break
	done
} 2>/dev/null

# process_start PID: prints its start time
process_start() {
	find_start "$1" && printf '%s\n' "$start_field"
}

# is_process PID START: succeed if PID is still the process that was started at START
is_process() {
	find_start "$1" && [ "$start_field" = "$2" ]
}

# find_owner [FILE]: sets $owner_pid to the PID of the owner. Fails if it is no longer alive.
find_owner() {
	IFS=$journal_tab read -r owner_verb owner_pid owner_start <"${1-$journal_file}" || return
	[ "$owner_verb" = owner ] && is_process "$owner_pid" "$owner_start"
}

# journal_owner [FILE]: prints the PID of the owner. Fails if it is no longer alive.
journal_owner() {
	find_owner "$@" && printf '%s\n' "$owner_pid"
}

# journal_busy [FILE]: die with the reason why no other recording can begin
journal_busy() {
	if owner=$(journal_owner "$@" 2>/dev/null); then
		die "a recording is in progress (process $owner): wait for it, or end it with: kill $owner"
	fi
	die "a killed recording has left settings changed: restore them with: wakelat restore"
}

# journal_free: die if there is the journal of a recording, or of an experiment that this process does not belong to.
journal_free() {
	journal_has_proc
	journal_trust
	[ ! -e "$journal_dir/state" ] || journal_busy "$journal_dir/state"
	[ ! -e "$experiment_file" ] ||
		[ "$(journal_owner "$experiment_file" 2>/dev/null)" = "${WAKELAT_EXPERIMENT:-none}" ] ||
		journal_busy "$experiment_file"
}

# journal_has_proc: die if /proc is not mounted: the owner of a journal would seem dead.
journal_has_proc() {
	find_start "$$" || die "/proc is not mounted, so a recording in progress cannot be found: mount /proc, and run this again"
}

# journal_trust: dies if anybody but root can have written what is in the journal's directory.
journal_trust() {
	[ -e "$journal_dir" ] || [ -L "$journal_dir" ] || return 0
	must_trust directory "$journal_dir" "restore by hand the settings that its files list, and remove it"
	for journal_each in "$journal_dir/state" "$experiment_file" "$journal_dir/nic"; do
		[ -e "$journal_each" ] || [ -L "$journal_each" ] || continue
		must_trust files "$journal_each" "restore by hand the settings that it lists, and remove it"
		[ -z "$(find "$journal_each" -size +"$journal_most"k 2>/dev/null)" ] ||
			die "$journal_each is larger than any journal of a recording ($journal_most KiB): restore by hand the settings that it lists, and remove it"
	done
}

# journal_make_dir: create $journal_dir, for root only
journal_make_dir() {
	(umask 077 && create_directory -p "$journal_dir") || exit "$error_status"
	journal_trust
}

# journal_of_experiment: use the experiment's journal from now on, not the recording's.
journal_of_experiment() {
	journal_file=$experiment_file
	work_dir=$experiment_dir
}

journal_is_ours() {
	{ find_owner && [ "$owner_pid" = "$$" ]; } 2>/dev/null
}

# journal_not_begun: remove the directory if it is empty. A signal may have come between the creation
# of the directory and that of the journal.
journal_not_begun() {
	rmdir "$journal_dir" 2>/dev/null || :
}

# journal_lock: keep all others from beginning, undoing or removing a journal until journal_unlock.
# The lock is on the directory, which only root can enter. It needs no space, so a full or read-only
# disk does no harm. Fail if another process holds it for 10 s.
journal_locked=no
journal_lock() {
	[ "$journal_locked" = no ] || return 0
	# A busybox may lack flock. Then only the journal's first line keeps others away.
	command -v flock >/dev/null || return 0
	lock_tries=100
	while [ "$lock_tries" -gt 0 ]; do
		# Try it in a subshell first, because a failing exec ends the shell.
		if (exec 7<"$journal_dir") 2>/dev/null; then
			exec 7<"$journal_dir"
			# The process that held the lock before may have removed the directory.
			if flock -n 7 && journal_has_lock; then
				journal_locked=yes
				return 0
			fi
			exec 7<&-
		fi
		lock_tries=$((lock_tries - 1))
		sleep 0.1
	done
	return 1
}

# journal_has_lock: succeed if $journal_dir is still the directory that we have open
journal_has_lock() {
	lock_files=$(stat -Lc %d:%i /proc/self/fd/7 "$journal_dir" 2>/dev/null) &&
		[ "${lock_files%%"$journal_newline"*}" = "${lock_files##*"$journal_newline"}" ]
}

journal_unlock() {
	exec 7<&-
	journal_locked=no
}

journal_is_locked="another wakelat command is restoring settings or starting a recording: wait until it is done, and run this again"

# journal_reserve: reserve the space of the journal. If the file system cannot reserve, only check
# that the space is there now.
journal_space=65536
journal_reserve() {
	fallocate -n -l "$journal_space" "$journal_file" || {
		head -c "$journal_space" /dev/zero >"$work_dir/space" && rm -f "$work_dir/space"
	}
} 2>/dev/null

# journal_begin: create the journal, or die and say who has one. The text is prepared first and
# written at once, so that a kill cannot leave a broken journal.
journal_begin() {
	find_start "$$"
	take_value "$boot_id_file"
	find_job "$$"
	begin_text="owner$journal_tab$$$journal_tab$start_field${journal_newline}boot$journal_tab$value_read$journal_tab"
	[ -z "$slurm_id" ] || begin_text="$begin_text${journal_newline}job$journal_tab$slurm_id$journal_tab"
	journal_noted=$journal_newline
	journal_make_dir
	journal_lock || die "$journal_is_locked"
	journal_free
	(umask 077 && set -C && printf '%s\n' "$begin_text" >"$journal_file") 2>/dev/null && rm -rf "$work_dir" &&
		(umask 077 && mkdir "$work_dir") 2>/dev/null && journal_reserve || {
		# Without flock, do not remove a journal that somebody else has created meanwhile.
		[ -s "$journal_file" ] && ! journal_is_ours || rm -rf "$work_dir" "$journal_file"
		die "cannot create $journal_file: $(write_failure "$journal_dir"): nothing was changed"
	}
	journal_unlock
}

# journal_value VERB [FILE]: prints the PATH of the first line with this verb
journal_value() {
	sed -n "s/^$1$journal_tab\([^$journal_tab]*\).*/\1/p" "${2-$journal_file}" 2>/dev/null | head -n 1
}

# journal_rebooted: succeed if the journal is from an earlier boot, which happens if /run survives a
# reboot (in a container, say). Fail if a boot ID is not known.
journal_rebooted() {
	rebooted_id=$(journal_value boot)
	rebooted_now=$(read_value "$boot_id_file") && [ -n "$rebooted_now" ] && [ -n "$rebooted_id" ] &&
		[ "$rebooted_id" != "$rebooted_now" ]
}

# unfinished_begin DIR, unfinished_end: write and remove $unfinished_file. If /var cannot be
# written, a reboot leaves no trace of the recording.
unfinished_begin() {
	{
		mkdir -p "${unfinished_file%/*}" && trusted_directory "${unfinished_file%/*}" && {
			take_value "$boot_id_file"
			printf '%s\t%s\n' "$value_read" "$1" >"$unfinished_file"
		}
	} 2>/dev/null || :
}

unfinished_end() {
	rm -f "$unfinished_file" 2>/dev/null
	rmdir "${unfinished_file%/*}" 2>/dev/null || :
}

# journal VERB PATH [VALUE]: add a line to the journal, or die
journal() {
	{ printf '%s\t%s\t%s\n' "$1" "$2" "${3-}" >>"$journal_file"; } 2>/dev/null ||
		die "cannot write $journal_file: $(write_failure "$journal_file"): no further setting is changed"
}

# note_value FILE [VALUE]: note in the journal that FILE has VALUE and will be changed. Only the
# value before the first change is noted, because only that one is restored. $journal_noted lists
# the files that this process has noted; no other process adds to its journal.
note_value() {
	case $journal_noted in
	*"$journal_newline$1$journal_newline"*) return 0 ;;
	esac
	journal set "$1" "${2-$(read_value "$1")}"
	journal_noted=$journal_noted$1$journal_newline
}
journal_noted=$journal_newline

# change_try FILE VALUE: write VALUE to FILE unless FILE has it already. If the kernel refuses, fail with its reason in
# $write_error.
change_try() {
	change_old=
	{ IFS= read -r change_old <"$1"; } 2>/dev/null || [ -r "$1" ] || die "$1 cannot be read"
	[ "$change_old" != "$2" ] || return 0
	note_value "$1" "$change_old"
	write_value "$1" "$2" || return
	log "$1: $change_old -> $2"
}

# change FILE VALUE: as change_try, but die if it fails.
change() {
	change_try "$1" "$2" || die "$1: cannot write $2: $write_error"
}

# change_back FILE...: write the values before the first change. The files stay in the journal.
change_back() {
	for back_file; do
		back_line=$(grep -F "set$journal_tab$back_file$journal_tab" "$journal_file") || continue
		change "$back_file" "${back_line##*"$journal_tab"}"
	done
}

# shellcheck source=scripts/lib/common/undo.sh
. "$here/lib/common/undo.sh"
