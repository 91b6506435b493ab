# SPDX-License-Identifier: GPL-2.0
# message.sh - what the user is told: one line each, on stderr.
# shellcheck shell=sh
#
# The caller sets $me, the name in front of each message ("wakelat record").
# Every command begins with this file: it also settles who may write what the command makes.

: "${me:?}"
quiet=no
log_file=
progress_shown=no

# Whatever we were started with: nobody else writes what is ours, and no file that is opened becomes stdin or stderr.
umask go-w
{ true <&0; } 2>/dev/null || exec </dev/null
true >&2 || exec 2>/dev/null

# shown: text from elsewhere, on its way to a terminal or into a log: a ? for each control character but TAB and the end
# of a line, also for those that UTF-8 makes two bytes of, and for what turns the direction of text (U+202E and the like). A
# name in a table can be anything.
shown_bytes=$(printf '\302 \342')
shown_c1=${shown_bytes% *}
shown_turns=${shown_bytes#* }
shown() {
	LC_ALL=C tr '\000-\010\013-\037\177' '?' | LC_ALL=C sed "$(printf \
		's/\302[\200-\237]/?/g; s/\342\200[\216\217\252-\256]/?/g; s/\342\201[\246-\251]/?/g')"
}

# quoted FUNCTION TEXT: by a function of quote.awk, where TEXT has something to quote
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

# shell_word TEXT: as one word of a shell, for a command that somebody pastes
shell_word() {
	quoted shell_quoted "$1"
}

# path_word PATH: the same of a path, which no command takes for an option
path_word() {
	quoted path_quoted "${1#./}"
}

shown=

# show TEXT...: sets $shown to the same of one line
show() {
	shown=$*
	# See hold_directory.
	[ -z "${WAKELAT_HELD-}" ] || case $shown in
	*"$WAKELAT_HELD"*) shown=$(printf '%s' "$shown" | sed "s|${WAKELAT_HELD}[0-9]*/||g") ;;
	esac
	case $shown in
	*[[:cntrl:]]* | *"$shown_c1"* | *"$shown_turns"*) shown=$(printf '%s' "$shown" | tr '\n\t' '? ' | shown) ;;
	esac
}

# A log on a disk that is full must not end a recording that is not.
log() {
	[ -n "$log_file" ] || return 0
	show "$@"
	printf '%s\n' "$shown" 2>/dev/null >>"$log_file" || :
}

# A line that is rewritten, on a terminal only.
progress() {
	show "$@"
	printf '\r\033[K%s: %s' "$me" "$shown" >&2
	progress_shown=yes
}

progress_end() {
	[ "$progress_shown" = no ] || printf '\r\033[K' >&2
	progress_shown=no
}

# What is being done: logged, and shown unless --quiet. That nobody can hear it is no failure of what is being done.
say() {
	log "$*"
	[ "$quiet" = no ] || return 0
	progress_end
	show "$@"
	printf '%s: %s\n' "$me" "$shown" >&2 || :
}

# What the user must know.
warn() {
	log "warning: $*"
	progress_end
	show "$@"
	printf '%s: %s\n' "$me" "$shown" >&2 || :
}

# A command whose status 1 or 2 means something else sets these.
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
