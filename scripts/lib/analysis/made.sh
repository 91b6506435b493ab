# SPDX-License-Identifier: GPL-2.0
# made.sh - notes which tables, pages and figures this user's wakelat has made from which inputs.
# Only these are reused.
# shellcheck shell=sh
#
# Dates prove nothing: the maker of a directory can choose them, and cp changes them. Notes in the
# directory would prove nothing either. So the user has notes of his own: a line for each result, the
# hash of its inputs, its outputs and the version of wakelat, in $XDG_STATE_HOME/wakelat/made (default:
# ~/.local/state). If that is not writable, nothing is reused.
#
# Needs message.sh, trust.sh.

# Variables that other files set:
: "${here?the command}" "${tools?analysis.sh}" "${newline?directory.sh}" "${work?analysis.sh}"

made_lines=10000
# b2sum is the fastest hash in coreutils without known collisions. busybox only has sha256sum.
made_sum=b2sum
command -v b2sum >/dev/null || made_sum=sha256sum
made_programs=
made_notes=

# made_of TEXT FILE...: sets $made_inputs to the inputs FILE..., and $made_text to TEXT (options,
# versions of other programs). Fails if a name has a line break.
made_of() {
	made_text=$1
	shift
	made_inputs=
	for made_file; do
		case $made_file in
		*"$newline"*) return 1 ;;
		esac
		made_inputs=$made_inputs$made_file$newline
	done
}

# made_hash OUTPUT...: sets $made_hash to the hash of $made_text, of wakelat's own programs, and of the
# names and contents of those inputs and OUTPUTs that exist. Fails if one is not a regular file, or is
# sparse: reading a terabyte of zeros would take half an hour.
made_hash() {
	[ -n "$made_programs" ] || made_version
	made_hashed=$made_text$newline$made_programs
	made_ifs=$IFS
	IFS=$newline
	set -f
	set -- $made_inputs "$@"
	set +f
	IFS=$made_ifs
	for made_file; do
		shift
		[ ! -L "$made_file" ] || return
		[ -e "$made_file" ] || continue
		[ -f "$made_file" ] || return
		set -- "$@" "$made_file"
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
	made_hashes=$newline
	! made_shared || while read -r made_line; do
		made_hashes=$made_hashes$made_line$newline
	done <"$WAKELAT_HASHES"
	made_ids=$(stat -c '%s %b %d.%i.%s.%.9Y.%.9Z' -- "$@" 2>/dev/null) || return
	while read -r made_size made_blocks made_id; do
		made_file=$1
		shift
		! trust_holes "$made_size" "$made_blocks" || return
		if made_shared && made_is_large "$made_size" "$made_id"; then
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
		# If the name has special characters, the line begins with a backslash.
		made_hashed=$made_hashed$newline${made_hash#\\}
	done <<END_HASHES
$made_lines_of
END_HASHES
}

# made_share: begins a file with hashes of large files, so a command and the commands that it runs
# read a file of 16 MiB or more only once. $WAKELAT_HASHES, in the work directory of the first
# command, has lines "DEVICE.INODE.SIZE.CHANGED HASH", after a line "version HASH" (made_version).
# This is safe: no user can choose an inode's time of change, and hashing 16 MiB takes longer than a
# tick of that clock (10 ms or less). The next command that the user starts hashes the file again.
made_share() {
	made_shared || ! : 2>/dev/null >"$work/hashes" || export WAKELAT_HASHES="$work/hashes"
}

# made_shared: true if $WAKELAT_HASHES is a file in a work directory of this user. Other files do not
# count: a variable that somebody has set to another file must not make a command write into it.
made_shared() {
	case ${WAKELAT_HASHES-} in
	"${TMPDIR:-/tmp}"/wakelat.??????/hashes) ;;
	*) return 1 ;;
	esac
	[ -O "${WAKELAT_HASHES%/hashes}" ] && [ ! -L "${WAKELAT_HASHES%/hashes}" ] &&
		[ -f "$WAKELAT_HASHES" ] && [ ! -L "$WAKELAT_HASHES" ]
}

# made_is_large SIZE ID: true if the file is worth a shared hash. False if the ID has no fractions
# of a second, as with busybox: such an ID does not show every change.
made_is_large() {
	case $2 in
	*[!0-9.]*) return 1 ;;
	*.*.*.*.*.*.*) [ "$1" -ge 16777216 ] ;;
	*) return 1 ;;
	esac
}

# made_large FILE ID: sets $made_hash to the hash of a large file, from $made_hashes if it is there
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

# made_version: sets $made_programs to a hash that changes with the version of wakelat's programs.
# It is made from their inodes and times of change, or from their contents if find cannot print
# these (busybox). The commands that a command runs find it in $WAKELAT_HASHES.
made_version() {
	if made_shared; then
		read -r made_word made_programs <"$WAKELAT_HASHES"
		[ "$made_word" != version ] || return 0
	fi
	set -- "$here/lib" "$here/commands" "$here/../gnuplot" "$tools/" -type f
	made_programs=$({ find "$@" -printf '%p %i %s %C@\n' 2>/dev/null || find "$@" -exec "$made_sum" {} + 2>/dev/null; } | "$made_sum")
	! made_shared || [ -s "$WAKELAT_HASHES" ] || printf 'version %s\n' "$made_programs" 2>/dev/null >>"$WAKELAT_HASHES" || :
}

# made_place: sets $made_notes; fails if there is no trusted place for them
made_place() {
	[ -n "$made_notes" ] || made_place_find || ! made_notes=
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

# made_known FILE...: true if these outputs were made from the inputs of made_of, and none of them has
# changed since
made_known() {
	made_place && [ -f "$made_notes" ] && made_hash "$@" && grep -qxF -e "$made_hash" "$made_notes"
}

# made_note FILE...: notes that these outputs were made from the inputs of made_of, or are equal to
# such outputs
made_note() {
	made_place && made_hash "$@" || return 0
	[ -e "$made_notes" ] || (umask 077 && : >>"$made_notes") 2>/dev/null
	{ printf '%s\n' "$made_hash" >>"$made_notes"; } 2>/dev/null || return 0
	# One of 64 commands shortens the notes.
	[ $(($$ % 64)) -ne 0 ] ||
		(umask 077 && tail -n "$made_lines" "$made_notes" >"$made_notes.$$" && mv -f "$made_notes.$$" "$made_notes") 2>/dev/null || :
}
