# SPDX-License-Identifier: GPL-2.0
# common.sh - messages, progress and the cache, for the scripts that build things.
# shellcheck shell=sh
#
# The caller sets $me (the name in its messages) and $top (the repository) and sources this file.

: "${me:?}" "${top:?}"
set -u
unset CDPATH
export LC_ALL=C

# Nobody else may write the built files, or the files that they are built from.
umask go-w

# shellcheck source=scripts/lib/common/trust.sh
. "$top/scripts/lib/common/trust.sh"

cache=${XDG_CACHE_HOME:-${HOME:?}/.cache}/wakelat

die() {
	progress_end
	printf '%s: %s\n' "$me" "$*" >&2
	exit 1
}

# Progress goes to stderr: on a terminal as one line that is rewritten, with WAKELAT_PROGRESS=1 as
# plain lines, otherwise not at all.
case ${WAKELAT_PROGRESS:-} in
'')
	progress_mode=none
	[ ! -t 2 ] || progress_mode=line
	;;
0)	progress_mode=none ;;
*)	progress_mode=log
	[ ! -t 2 ] || progress_mode=line ;;
esac
progress_last=

progress() {
	[ "$*" != "$progress_last" ] || return 0
	progress_last=$*
	case $progress_mode in
	line)	printf '\r\033[K%.100s' "$*" >&2 ;;
	log)	printf '%s\n' "$*" >&2 ;;
	esac
}

# progress_end: clear the progress line, before other text is printed.
progress_end() {
	[ "$progress_mode" != line ] || [ -z "$progress_last" ] || printf '\r\033[K' >&2
	progress_last=
}

# need COMMAND PACKAGES-GROUP: die if COMMAND is missing, before a build fails because of it.
need() {
	command -v "$1" >/dev/null ||
		die "$1 is missing: scripts/dev/packages $2 names the packages"
}

# changes PATCH...: print the diffs without the messages, because a new message needs no new build
changes() {
	[ $# -eq 0 ] || sed -s -n '/^diff --git /,$p' "$@"
}

# sum_of FILE: print the sha256 of FILE. For a source in the cache, print what was noted when it was fetched,
# because each boot needs it, and hashing the 40 MB of QEMU takes 0.16 s.
sum_of() {
	if [ -e "${1%/*}/sha256" ] && [ "${1#"$cache"/}" != "$1" ]; then
		cat "${1%/*}/sha256"
	else
		sha256sum <"$1"
	fi
}

# hash_of: print a hash of stdin that is short enough for a file name.
hash_of() {
	sha256sum | cut -c 1-16
}

# trust_cache: die if others can write to the cache, because files in it are executed and booted.
# That happens to root with the HOME of another user.
cache_trusted=no
trust_cache() {
	[ "$cache_trusted" = no ] || return 0
	must_trust place "$cache" "set XDG_CACHE_HOME to a directory of your own"
	mkdir -p "$cache" 2>/dev/null || die "cannot make the cache $cache"
	must_trust directory "$cache" "set XDG_CACHE_HOME to a directory of your own"
	cache_trusted=yes
}

# product KIND KEY MAKE [ARG...]: set $product to $cache/KIND-KEY. If it does not exist, run MAKE ARG...,
# which fills the empty directory $making. The directory is renamed to $product only if MAKE succeeds, so
# $product is always complete. Only one process makes a product of a kind at a time. The others wait and
# use its result. KEY is a hash of everything that goes into the product.
product() {
	product=$cache/$1-$2
	trust_cache
	if [ -d "$product" ]; then
		touch -c "$product"
		return 0
	fi
	exec 8>"$cache/$1.lock" || die "cannot write to the cache $cache"
	if ! flock -n 8; then
		progress "waiting for another process that is making $1"
		obeying flock 8 || die "cannot get the lock $cache/$1.lock: waiting for it was interrupted"
	fi
	if [ ! -d "$product" ]; then
		making=$product.partial
		product_key=$1
		shift 2
		rm -rf "$cache/$product_key"-*.partial
		mkdir "$making" || disk_full "$cache" || die "cannot write to the cache $cache"
		use_ccache
		"$@" || disk_full "$cache" || die "making $product_key failed"
		mv "$making" "$product" || die "cannot rename $making"
		product_prune "$product_key"
	fi
	exec 8>&-
}

# use_ccache: compile with ccache if it is installed. ccache detects a changed compiler, so product
# keys need not include the compiler. ccache's files are in our cache, which nobody else can write.
use_ccache() {
	[ -x /usr/lib/ccache/gcc ] || return 0
	PATH=/usr/lib/ccache:$PATH
	CCACHE_DIR=$cache/ccache
	CCACHE_MAXSIZE=2G
	export PATH CCACHE_DIR CCACHE_MAXSIZE
}

# disk_full DIR [LOG]: fail if the disk has space. Otherwise remove the unfinished product and die.
# If a kernel tree was being written, kernel-tree.sh unpacks it anew in the next run.
disk_is_full=no
: "$disk_is_full"
disk_full() {
	grep -qsF 'No space left on device' "${2:-/dev/null}" ||
		[ "$(df -Pk "$1" 2>/dev/null | awk 'NR == 2 { print $4 }')" -lt 4096 ] 2>/dev/null || return 1
	disk_is_full=yes
	[ -z "${making:-}" ] || rm -rf "$making"
	die "no space left on the disk of $1: free some (a kernel tree with its objects takes 2 GB), or set XDG_CACHE_HOME to a directory elsewhere"
}

# product_prune KIND: remove the products of this kind that nobody has used for a month.
product_prune() {
	find "$cache" -maxdepth 1 -type d -name "$1-*" -mtime +30 -exec rm -rf {} +
}

# obeying COMMAND...: run it in the background and wait, so that a signal ends this script and the
# command at once
obeying() {
	"$@" </dev/null &
	child=$!
	wait "$child"
	obeying_status=$?
	child=
	return "$obeying_status"
}

# beside COMMAND...: start the command in the background. end_beside waits for it and returns its
# status. A signal ends it. On a terminal it shows no progress, because the progress line belongs to
# the command in the foreground.
beside() {
	(
		trap '[ -z "$child" ] || kill "$child"; exit 143' TERM
		[ "$progress_mode" != line ] || export WAKELAT_PROGRESS=0
		"$@"
	) >/dev/null </dev/null &
	in_background=$!
}
end_beside() {
	[ -n "$in_background" ] || return 0
	wait "$in_background"
	beside_status=$?
	in_background=
	return "$beside_status"
}

printed=
: "$printed"
# printed COMMAND...: set $printed to its output. A command substitution would delay a signal until
# the command ends.
printed() {
	printed_file=$(mktemp) || die "cannot make a temporary file"
	obeying "$@" >"$printed_file"
	printed_status=$?
	printed=$(cat "$printed_file")
	rm -f "$printed_file"
	printed_file=
	return "$printed_status"
}

# logged TITLE LOGFILE COMMAND...: run a long command, and show its output only if it fails. It runs in the
# background, so that a signal ends it at once. If COMMAND is a function, it must end in `exec`, so that the
# signal reaches the program. (Otherwise the program would continue and hold our locks.)
logged() {
	logged_title=$1
	logged_log=$2
	shift 2
	progress "$logged_title"
	"$@" >>"$logged_log" 2>&1 </dev/null &
	child=$!
	if [ "$progress_mode" = line ]; then
		show_seconds "$logged_title" "$child" &
		ticker=$!
	fi
	wait "$child"
	logged_status=$?
	child=
	[ -z "$ticker" ] || kill "$ticker" 2>/dev/null
	ticker=
	[ "$logged_status" -ne 0 ] || return 0
	case $logged_log in
	"$cache"/*) disk_full "${logged_log%/*}" "$logged_log" ;;
	esac
	progress_end
	printf '%s: %s failed; the last lines of its output:\n' "$me" "$logged_title" >&2
	tail -n 20 "$logged_log" >&2
	return 1
}

show_seconds() {
	seconds=0
	while sleep 1 && kill -0 "$2" 2>/dev/null; do
		seconds=$((seconds + 1))
		progress "$1: $seconds s"
	done
}

# The only trap on exit. A script that has more to undo defines `cleanup`.
child=
in_background=
ticker=
printed_file=
on_exit() {
	exit_status=$?
	trap - EXIT
	[ -z "$ticker" ] || kill "$ticker" 2>/dev/null
	if [ -n "$child" ]; then
		kill "$child" 2>/dev/null
		wait "$child"
	fi
	if [ -n "$in_background" ]; then
		kill "$in_background" 2>/dev/null
		wait "$in_background"
	fi
	[ -z "$printed_file" ] || rm -f "$printed_file"
	if command -v cleanup | grep -qx cleanup; then
		cleanup
	fi
	progress_end
	exit "$exit_status"
}
trap on_exit EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP
