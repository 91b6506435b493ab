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
# that is opened later may become stdin or stderr. For stdout, see the end of this file.
umask go-w
{ true 3<&0; } 2>/dev/null || exec </dev/null
true >&2 || exec 2>/dev/null

# The programs that commands run get no variables of the caller that change what they read, print or keep: gawk's POSIX mode and
# time limit, gnuplot's terminal and fonts, the quoting of coreutils, options of xz and others.
unset POSIXLY_CORRECT _POSIX2_VERSION \
	AWKBUFSIZE AWKLIBPATH AWKPATH AWKREADFUNC AWK_HASH GAWK_LOCALE_DIR GAWK_MSEC_SLEEP GAWK_NO_PP_RUN GAWK_PERSIST_FILE \
	GAWK_READ_TIMEOUT GAWK_SOCK_RETRIES GAWK_STACKSIZE INT_CHAIN_MAX MAWKBINMODE MAWK_LONG_OPTIONS STR_CHAIN_MAX TIDYMEM WHINY_USERS \
	FIT_LOG FIT_SCRIPT GDFONTPATH GNUHELP GNUPLOT_DEFAULT_GDFONT GNUPLOT_DRIVER_DIR GNUPLOT_FONTPATH GNUPLOT_LIB \
	GNUPLOT_PS_DIR GNUPLOT_SHARE_DIR GNUTERM \
	BLOCKSIZE BLOCK_SIZE COLUMNS DF_BLOCK_SIZE DU_BLOCK_SIZE GREP_COLOR GREP_COLORS GREP_OPTIONS LS_BLOCK_SIZE LS_COLORS \
	QUOTING_STYLE TABSIZE TIME_STYLE GZIP TAR_OPTIONS XZ_DEFAULTS XZ_OPT

# shown: copy stdin for a terminal or a log. Text of others can contain any byte, so a ? replaces
# each control character except TAB and line feed (also those of U+0080 to U+009F), each character
# that changes the direction of text (U+202E and the like) or separates lines, and bytes that are not
# UTF-8. make_plain() in tools/lib does the same. sed puts each UTF-8 character between \001 and \002,
# so that it can tell the other bytes.
shown() {
	LC_ALL=C tr '\000-\010\013-\037\177' '?' | LC_ALL=C sed "$(printf %b '/[\0200-\0377]/!b
s/[\0302-\0337][\0200-\0277]/\0001&\0002/g
s/\0340[\0240-\0277][\0200-\0277]/\0001&\0002/g
s/[\0341-\0354\0356\0357][\0200-\0277][\0200-\0277]/\0001&\0002/g
s/\0355[\0200-\0237][\0200-\0277]/\0001&\0002/g
s/\0360[\0220-\0277][\0200-\0277][\0200-\0277]/\0001&\0002/g
s/[\0361-\0363][\0200-\0277][\0200-\0277][\0200-\0277]/\0001&\0002/g
s/\0364[\0200-\0217][\0200-\0277][\0200-\0277]/\0001&\0002/g
s/\0001\0302[\0200-\0237]/?/g
s/\0001\0330\0234/?/g
s/\0001\0342\0200[\0216\0217\0250-\0256]/?/g
s/\0001\0342\0201[\0246-\0251]/?/g
s/^[\0200-\0377][\0200-\0377]*/?/
s/\\([\0002-\0177]\\)[\0200-\0377][\0200-\0377]*/\\1?/g
s/[\0001\0002]//g')"
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

# need_tools NAME...: die if one of these programs is not built. A command that measures calls this before it measures.
need_tools() {
	for need_tool; do
		[ -e "${here:?}/../tools/bin/$need_tool" ] || die "tools/bin/$need_tool is not built: run make -C tools"
	done
}

bad_usage() {
	show "$@"
	printf '%s: %s (%s -h: usage)\n' "$me" "$shown" "$me" >&2
	exit "$usage_status"
}

# write_failure PLACE: print in the system's words why the file or directory PLACE cannot be written: try once more. A place that
# others can change gets no file, as mktemp refuses names that exist.
write_failure() (
	trap '' XFSZ
	reason_dir=$1
	if [ -f "$1" ]; then
		reason=$(dd if=/dev/null of="$1" conv=notrunc 2>&1) || {
			printf '%s\n' "${reason##*: }"
			exit
		}
	fi
	[ -d "$1" ] || case $1 in
	*/*) reason_dir=${1%/*}/ ;;
	*) reason_dir=. ;;
	esac
	reason_file=$(mktemp "$reason_dir/wakelat.XXXXXX" 2>&1) || {
		printf '%s\n' "${reason_file##*: }"
		exit
	}
	reason=$(dd if=/dev/zero of="$reason_file" bs=65536 count=1 conv=notrunc 2>&1) &&
		reason="a second try succeeds (is the disk almost full?)"
	rm -f "$reason_file"
	reason=$(printf '%s\n' "$reason" | head -n 1)
	printf '%s\n' "${reason##*: }"
)

# create_directory [-p] DIR: create DIR, or die with the reason
create_directory() {
	created=$(mkdir "$@" 2>&1) && return
	[ $# -eq 1 ] || shift
	die "cannot create ${1#./}: ${created##*: }"
}

# cannot_write PLACE: die because PLACE could not be written
cannot_write() {
	die "cannot write ${1#./}: $(write_failure "$1")"
}

# cannot_write_temporary: die because a temporary file could not be written. The user does not know its name.
cannot_write_temporary() {
	die "cannot write temporary files in ${TMPDIR:-/tmp}: $(write_failure "${TMPDIR:-/tmp}")"
}

# Without stdout, the first file that is opened would take its place. Only restore must do its work
# all the same.
if ! { true 3>&1; } 2>/dev/null; then
	case "$me ${1-}" in
	"wakelat restore"*) exec >/dev/null ;;
	*) die "stdout is closed: redirect it to a file or to /dev/null" ;;
	esac
fi
