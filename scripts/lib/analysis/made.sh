# SPDX-License-Identifier: GPL-2.0
# made.sh - which tables, which page, which figures has this user's wakelat made, of which inputs? Nothing else is reused.
# shellcheck shell=sh
#
# Dates prove nothing: whoever makes a directory gives it what dates he likes, and cp new ones. What is in the directory says
# nothing either. So the notes are the user's own: lines "HASH-OF-INPUTS-AND-VERSION HASH-OF-OUTPUTS" in
# $XDG_STATE_HOME/wakelat/made (default: ~/.local/state). Without a place for it everything is made anew.
#
# Needs message.sh, trust.sh.

# Read here, set there:
: "${here?the command}" "${tools?analysis.sh}"

made_lines=10000
made_programs=

# made_hash FILE...: prints a hash of the names and contents of those that are there; fails at what is no regular file
made_hash() {
	for made_file; do
		shift
		[ ! -L "$made_file" ] || return
		[ -e "$made_file" ] || continue
		[ -f "$made_file" ] || return
		set -- "$@" "$made_file"
	done
	{
		for made_file; do
			printf '%s\n' "${made_file##*/}"
		done
		[ $# -eq 0 ] || sha256sum -- "$@" | cut -c 1-64
	} | sha256sum | cut -c 1-64
}

# made_of TEXT FILE...: sets $made_inputs, of these, TEXT (options, programs of the system) and this version: its programs
made_of() {
	made_text=$1
	shift
	[ -n "$made_programs" ] ||
		made_programs=$(find "$here/lib" "$here/commands" "$here/../gnuplot" "$tools/" -type f -exec sha256sum {} + | LC_ALL=C sort)
	made_inputs=$(
		printf '%s\n' "$made_text" "$made_programs"
		made_hash "$@"
	) || return
	made_inputs=$(printf '%s\n' "$made_inputs" | sha256sum | cut -c 1-64)
}

# made_place: sets $made_notes; fails if there is no place that is ours
made_place() {
	made_notes=${XDG_STATE_HOME:-${HOME:-.}/.local/state}/wakelat/made
	case $made_notes in
	/*) ;;
	*) return 1 ;;
	esac
	(umask 077 && mkdir -p "${made_notes%/*}") 2>/dev/null && [ -w "${made_notes%/*}" ] && trusted_directory "${made_notes%/*}" &&
		{ [ ! -e "$made_notes" ] || trusted_files "$made_notes"; }
}

# made_known FILE...: were these outputs made of $made_inputs, and are they as they were made?
made_known() {
	made_place && [ -f "$made_notes" ] && made_outputs=$(made_hash "$@") && grep -qxF "$made_inputs $made_outputs" "$made_notes"
}

# made_note FILE...: these outputs were made of $made_inputs, or are the same as what was.
made_note() {
	made_place && made_outputs=$(made_hash "$@") || return 0
	(
		umask 077
		printf '%s %s\n' "$made_inputs" "$made_outputs" >>"$made_notes"
		[ "$(wc -l <"$made_notes")" -le $((2 * made_lines)) ] || {
			tail -n "$made_lines" "$made_notes" >"$made_notes.$$" && mv -f "$made_notes.$$" "$made_notes"
		}
	) 2>/dev/null || :
}
