# SPDX-License-Identifier: GPL-2.0
# message.sh - what the user is told: one line each, on stderr.
# shellcheck shell=sh
#
# The caller sets $me, the name in front of each message ("wakelat record").

: "${me:?}"
quiet=no
log_file=
progress_shown=no

# A log on a disk that is full must not end a recording that is not.
log() {
	[ -z "$log_file" ] || printf '%s\n' "$*" 2>/dev/null >>"$log_file" || :
}

# A line that is rewritten, on a terminal only.
progress() {
	printf '\r\033[K%s: %s' "$me" "$*" >&2
	progress_shown=yes
}

progress_end() {
	[ "$progress_shown" = no ] || printf '\r\033[K' >&2
	progress_shown=no
}

# What is being done: logged, and shown unless --quiet.
say() {
	log "$*"
	[ "$quiet" = no ] || return 0
	progress_end
	printf '%s: %s\n' "$me" "$*" >&2
}

# What the user must know.
warn() {
	log "warning: $*"
	progress_end
	printf '%s: %s\n' "$me" "$*" >&2
}

# A command whose status 1 or 2 means something else sets these.
error_status=1
usage_status=2

die() {
	warn "$@"
	exit "$error_status"
}

bad_usage() {
	printf '%s: %s (%s -h: usage)\n' "$me" "$*" "$me" >&2
	exit "$usage_status"
}
