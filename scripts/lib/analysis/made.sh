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
: "${here?the command}" "${tools?analysis.sh}" "${newline?directory.sh}" "${work?analysis.sh}"

made_lines=10000
# Of the coreutils the fastest that nobody can make collide; busybox has only the other.
made_sum=b2sum
command -v b2sum >/dev/null || made_sum=sha256sum
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
	[ $# -eq 0 ] || made_contents "$@" || return
	made_hash=$(
		"$made_sum" <<END_HASHED
$made_hashed
END_HASHED
	) && made_hash=${made_hash%% *}
}

# made_contents FILE...: adds a line with the hash of each to $made_hashed
made_contents() {
	made_hashes=
	made_ids=
	if made_shared; then
		made_hashes=$newline$(cat "$WAKELAT_HASHES")$newline
		made_ids=$(stat -c '%s %d.%i.%s.%.9Y.%.9Z' -- "$@" 2>/dev/null) || made_ids=
	fi
	while read -r made_size made_id; do
		[ -n "$made_id" ] || break
		made_file=$1
		shift
		if made_is_large "$made_size" "$made_id"; then
			made_large "$made_file" "$made_id" || return
			made_hashed="$made_hashed${newline}large $made_hash ${made_file##*/}"
		else
			set -- "$@" "$made_file"
		fi
	done <<END_IDS
$made_ids
END_IDS
	[ $# -gt 0 ] || return 0
	made_lines_of=$("$made_sum" -- "$@") || return
	while read -r made_hash made_file; do
		# A backslash begins the line of a name with strange characters.
		made_hashed=$made_hashed$newline${made_hash#\\}
	done <<END_HASHES
$made_lines_of
END_HASHES
}

# made_share: begins a place for hashes of large files, if there is none: a command and those that it runs read such a file once.
# $WAKELAT_HASHES, in the work directory of the first, has lines "DEVICE.INODE.SIZE.CHANGED HASH". Nobody can choose when an inode was
# changed last, and hashing a large file takes longer than a tick of that clock. A later command reads the file again.
made_share() {
	made_shared || ! : 2>/dev/null >"$work/hashes" || export WAKELAT_HASHES="$work/hashes"
}

made_shared() {
	[ -f "${WAKELAT_HASHES-}" ] && [ -O "$WAKELAT_HASHES" ]
}

# made_is_large SIZE ID: an ID without fractions of a second (busybox has none) says nothing
made_is_large() {
	case $2 in
	*[!0-9.]*) return 1 ;;
	*.*.*.*.*.*.*) [ "$1" -ge 8388608 ] ;;
	*) return 1 ;;
	esac
}

# made_large FILE ID: sets $made_hash
made_large() {
	case $made_hashes in
	*"$newline$2 "*)
		made_hash=${made_hashes#*"$newline$2 "}
		made_hash=${made_hash%%"$newline"*}
		;;
	*)
		made_hash=$("$made_sum" -- "$1") || return
		made_hash=${made_hash#\\}
		made_hash=${made_hash%% *}
		printf '%s %s\n' "$2" "$made_hash" 2>/dev/null >>"$WAKELAT_HASHES" || :
		;;
	esac
}

# made_version: prints what is different for another version of our programs: which inodes they are, and when each was changed last;
# where find cannot say that (busybox), their contents
made_version() {
	set -- "$here/lib" "$here/commands" "$here/../gnuplot" "$tools/" -type f
	{ find "$@" -printf '%p %i %s %C@\n' 2>/dev/null || find "$@" -exec "$made_sum" {} +; } | LC_ALL=C sort | "$made_sum"
}

# made_of TEXT FILE...: sets $made_inputs, of these, TEXT (options, programs of the system) and this version: its programs
made_of() {
	made_text=$1
	shift
	[ -n "$made_programs" ] || made_programs=$(made_version)
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
