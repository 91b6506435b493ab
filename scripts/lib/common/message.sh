# SPDX-License-Identifier: GPL-2.0
# message.sh - messages to the user: one line each, on stderr.
# shellcheck shell=sh
#
# The caller sets $me, the name in front of each message ("wakelat record").
# Every command sources this file first. It also sets the umask, so that nobody else can write the
# command's files.

: "${me:?}"
quiet=no
log_file=
progress_shown=no

# Do not rely on the caller's umask and descriptors: nobody else may write our files, and no file
# that is opened later may become stdin or stderr.
umask go-w
{ true <&0; } 2>/dev/null || exec </dev/null
true >&2 || exec 2>/dev/null

# shown: copy stdin for a terminal or a log. A name in a table can contain any character, so a ?
# replaces each control character except TAB and line feed (also those that have two bytes in
# UTF-8), and each character that changes the direction of text (U+202E and the like).
shown() {
	LC_ALL=C tr '\000-\010\013-\037\177' '?' | LC_ALL=C sed "$(printf \
		's/\302[\200-\237]/?/g; s/\342\200[\216\217\252-\256]/?/g; s/\342\201[\246-\251]/?/g')"
}

# quoted FUNCTION TEXT: print TEXT, quoted by a function of quote.awk if it needs quotes
quoted() {
	case $2 in
	'' | -* | *[!A-Za-z0-9_.,:=+%@/-]*)
		word=$2 awk -f "${here:?}/lib/common/quote.awk" -f /dev/stdin <<END
BEGIN { print $1(ENVIRON["word"]) }
END
		;;
	*) printf '%s\n' "$2" ;;
	esac
}

# shell_word TEXT: print TEXT as one word of a shell, for a command that somebody pastes
shell_word() {
	quoted shell_quoted "$1"
}

# path_word PATH: print PATH as one word of a shell, which no command takes for an option
path_word() {
	quoted path_quoted "${1#./}"
}

shown=

# show TEXT...: set $shown to TEXT in one line, with a ? for the same characters as in shown
show() {
	shown=$*
	# Remove the path of a copy that hold_directory has made.
	[ -z "${WAKELAT_HELD-}" ] || case $shown in
	*"$WAKELAT_HELD"*) shown=$(printf '%s' "$shown" | sed "s|${WAKELAT_HELD}[0-9]*/||g") ;;
	esac
	case $shown in
	*[!\ -~]*) shown=$(printf '%s' "$shown" | tr '\n\t' '? ' | shown) ;;
	esac
}

# Errors are ignored: a full disk for the log must not end a recording on another disk.
log() {
	[ -n "$log_file" ] || return 0
	show "$@"
	printf '%s\n' "$shown" 2>/dev/null >>"$log_file" || :
}

# Show a line that the next message overwrites. For terminals.
progress() {
	show "$@"
	printf '\r\033[K%s: %s' "$me" "$shown" >&2
	progress_shown=yes
}

progress_end() {
	[ "$progress_shown" = no ] || printf '\r\033[K' >&2
	progress_shown=no
}

# Log what the command does, and show it unless --quiet. A closed stderr does not make the command fail.
say() {
	log "$*"
	[ "$quiet" = no ] || return 0
	progress_end
	show "$@"
	printf '%s: %s\n' "$me" "$shown" >&2 || :
}

# Log a warning, and show it also with --quiet.
warn() {
	log "warning: $*"
	progress_end
	show "$@"
	printf '%s: %s\n' "$me" "$shown" >&2 || :
}

# The statuses of die and bad_usage. A command whose status 1 or 2 means something else sets them.
error_status=1
usage_status=2

die() {
	warn "$@"
	exit "$error_status"
}

bad_usage() {
	show "$@"
	printf '%s: %s (%s -h: usage)\n' "$me" "$shown" "$me" >&2
	exit "$usage_status"
}
