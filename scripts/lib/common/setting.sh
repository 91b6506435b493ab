# SPDX-License-Identifier: GPL-2.0
# setting.sh - what a source of events can be told, in the control file source_settings: lines KEY VALUE. A source keeps its own,
# also while another is chosen.
# shellcheck shell=sh
#
# Needs message.sh, sysfs.sh, and journal.sh, which has a line for each that was changed: setting FILE "SOURCE KEY VALUE".

# Read here, set there:
: "${write_error?sysfs.sh}"

# setting_line FILE KEY: prints the line of KEY; fails if the source that is chosen has none, or is gone
setting_line() {
	grep "^$2 " "$1" 2>/dev/null
}

# change_setting FILE SOURCE KEY VALUE: of SOURCE, which is chosen; or dies.
change_setting() {
	: "${journal_file?journal.sh}" "${journal_tab?journal.sh}"
	setting_old=$(setting_line "$1" "$3") ||
		die "source $2 has no setting '$3': it has $(cut -d ' ' -f 1 "$1" 2>/dev/null | paste -sd ' ' - | grep . || printf none)"
	[ "$setting_old" != "$3 $4" ] || return 0
	# Only the value before the first change is to be put back.
	grep -qF "setting$journal_tab$1$journal_tab$2 $3 " "$journal_file" || journal setting "$1" "$2 $setting_old"
	write_value "$1" "$3 $4" || die "source $2: $3 cannot be set to '$4': $write_error (it is '${setting_old#* }')"
	log "$1: $setting_old -> $4"
}

# undo_setting FILE "SOURCE KEY VALUE": as journal_undo wants it. With a source that is gone, so are its settings.
undo_setting() {
	setting_source=${2%% *}
	setting_was=${2#* }
	setting_chosen=$(read_value "${1%/*}/source")
	if { [ "$setting_chosen" != "$setting_source" ] && ! write_value "${1%/*}/source" "$setting_source"; } ||
		! setting_now=$(setting_line "$1" "${setting_was%% *}"); then
		warn "source $setting_source is gone, and its setting with it: $setting_was"
		return 0
	fi
	if [ "$setting_now" != "$setting_was" ]; then
		write_value "$1" "$setting_was" || :
		[ "$(setting_line "$1" "${setting_was%% *}")" = "$setting_was" ] || {
			warn "source $setting_source: '$setting_was' cannot be put back: ${write_error:-it was written, but does not read back}; $(undo_by_hand "$1" "$setting_was")"
			return 1
		}
		undone "$1: $setting_was"
	fi
	[ "$setting_chosen" = "$setting_source" ] || write_value "${1%/*}/source" "$setting_chosen"
}
