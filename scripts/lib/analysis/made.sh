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
: "${here?the command}" "${tools?analysis.sh}" "${newline?directory.sh}"

made_lines=10000
made_programs=
made_notes=

# made_hash TEXT FILE...: sets $made_hash to that of TEXT, and of the names and contents of the files that are there; fails
# at what is no regular file.
made_hash() {
	made_hashed=$1
	shift
	for made_file; do
		shift
		[ ! -L "$made_file" ] || return
		[ -e "$made_file" ] || continue
		[ -f "$made_file" ] || return
		set -- "$@" "$made_file"
	done
	for made_file; do
		made_hashed=$made_hashed$newline${made_file##*/}
	done
	made_lines_of=
	[ $# -eq 0 ] || made_lines_of=$(sha256sum -- "$@") || return
	while read -r made_hash made_file; do
		# A backslash begins the line of a name with strange characters.
		made_hashed=$made_hashed$newline${made_hash#\\}
	done <<END_HASHES
$made_lines_of
END_HASHES
	made_hash=$(
		sha256sum <<END_HASHED
$made_hashed
END_HASHED
	) && made_hash=${made_hash%% *}
}

# made_of TEXT FILE...: sets $made_inputs, of these, TEXT (options, programs of the system) and this version: its programs
made_of() {
	made_text=$1
	shift
	[ -n "$made_programs" ] ||
		made_programs=$(find "$here/lib" "$here/commands" "$here/../gnuplot" "$tools/" -type f -exec sha256sum {} + | LC_ALL=C sort | sha256sum)
	made_hash "$made_text$newline$made_programs" "$@" && made_inputs=$made_hash
}

# made_place: sets $made_notes; fails if there is no place that is ours
made_place() {
	[ -z "$made_notes" ] || return 0
	made_place_find && return
	made_notes=
	return 1
}

made_place_find() {
	made_notes=${XDG_STATE_HOME:-${HOME:-.}/.local/state}/wakelat/made
	case $made_notes in
	/*) ;;
	*) return 1 ;;
	esac
	{ [ -d "${made_notes%/*}" ] || (umask 077 && mkdir -p "${made_notes%/*}") 2>/dev/null; } && [ -w "${made_notes%/*}" ] && trusted_directory "${made_notes%/*}" &&
		{ [ ! -e "$made_notes" ] || trusted_files "$made_notes"; }
}

# made_known FILE...: were these outputs made of $made_inputs, and are they as they were made?
made_known() {
	made_place && [ -f "$made_notes" ] && made_hash outputs "$@" && grep -qxF "$made_inputs $made_hash" "$made_notes"
}

# made_note FILE...: these outputs were made of $made_inputs, or are the same as what was.
made_note() {
	made_place && made_hash outputs "$@" || return 0
	(
		umask 077
		printf '%s %s\n' "$made_inputs" "$made_hash" >>"$made_notes"
		[ "$(wc -l <"$made_notes")" -le $((2 * made_lines)) ] || {
			tail -n "$made_lines" "$made_notes" >"$made_notes.$$" && mv -f "$made_notes.$$" "$made_notes"
		}
	) 2>/dev/null || :
}
