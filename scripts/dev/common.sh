# SPDX-License-Identifier: GPL-2.0
# common.sh - what the scripts that build things share: messages, progress, the cache.
# shellcheck shell=sh
#
# The caller sets $me (the name in its messages) and $top (the repository) and sources this file.

: "${me:?}" "${top:?}"
set -u
unset CDPATH
export LC_ALL=C

# Nobody else writes what is built here, or what it is built from.
umask go-w

# shellcheck source=scripts/lib/common/trust.sh
. "$top/scripts/lib/common/trust.sh"

cache=${XDG_CACHE_HOME:-${HOME:?}/.cache}/wakelat

die() {
	progress_end
	printf '%s: %s\n' "$me" "$*" >&2
	exit 1
}

# Progress goes to stderr: on a terminal one line that is rewritten, with WAKELAT_PROGRESS=1 plain
# lines, otherwise nothing.
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

# The rewritten line has served; what is printed next starts on a clean one.
progress_end() {
	[ "$progress_mode" != line ] || [ -z "$progress_last" ] || printf '\r\033[K' >&2
	progress_last=
}

# need COMMAND PACKAGES-GROUP: a message before a "not found" from the depths of a build.
need() {
	command -v "$1" >/dev/null ||
		die "$1 is missing: scripts/dev/packages $2 names the packages"
}

# changes PATCH...: what the patches do, without what they say about it: words need no new build
changes() {
	for patch; do
		sed -n '/^diff --git /,$p' "$patch" || return
	done
}

# Hash of what is read from stdin, short enough for a file name.
hash_of() {
	sha256sum | cut -c 1-16
}

# trust_cache: dies if what is in the cache, which is executed and booted, can be somebody else's. As root with the HOME
# of another user, it is.
cache_trusted=no
trust_cache() {
	[ "$cache_trusted" = no ] || return 0
	must_trust place "$cache" "set XDG_CACHE_HOME to a directory of your own"
	mkdir -p "$cache" 2>/dev/null || die "cannot make the cache $cache"
	must_trust directory "$cache" "set XDG_CACHE_HOME to a directory of your own"
	cache_trusted=yes
}

# product KIND KEY MAKE [ARG...]: sets $product to $cache/KIND-KEY. If that does not exist yet, runs
# MAKE ARG... with $making, an empty directory, which takes the name when MAKE succeeds, and only then:
# whatever has the name is whole. One maker at a time; the others wait and find the result.
# KEY is a hash of everything that goes into the product.
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

# use_ccache: compile by ccache if it is installed. It knows the compiler by itself, so what goes into a product's key does not change;
# its files are in our cache, which nobody else writes to.
use_ccache() {
	[ -x /usr/lib/ccache/gcc ] || return 0
	PATH=/usr/lib/ccache:$PATH
	CCACHE_DIR=$cache/ccache
	CCACHE_MAXSIZE=2G
	export PATH CCACHE_DIR CCACHE_MAXSIZE
}

# disk_full DIR [LOG]: fails if the disk has space; otherwise ends the script with one line. What is half made is deleted, and a tree
# that it may have been written to is not trusted (kernel-tree.sh).
disk_is_full=no
: "$disk_is_full"
disk_full() {
	grep -qsF 'No space left on device' "${2:-/dev/null}" ||
		[ "$(df -Pk "$1" 2>/dev/null | awk 'NR == 2 { print $4 }')" -lt 4096 ] 2>/dev/null || return 1
	disk_is_full=yes
	[ -z "${making:-}" ] || rm -rf "$making"
	die "no space left on the disk of $1: free some (a kernel tree with its objects takes 2 GB), or set XDG_CACHE_HOME to a directory elsewhere"
}

# Products of this kind that nobody has used for a month go.
product_prune() {
	find "$cache" -maxdepth 1 -type d -name "$1-*" -mtime +30 -exec rm -rf {} +
}

# obeying COMMAND...: in the background and waited for, so that a signal is obeyed at once, and ends both
obeying() {
	"$@" </dev/null &
	child=$!
	wait "$child"
	obeying_status=$?
	child=
	return "$obeying_status"
}

# beside COMMAND...: start the command in the background; end_beside waits for it and returns its status. A signal ends it. On a
# terminal it says nothing about its progress, whose line belongs to what is done meanwhile.
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
# printed COMMAND...: sets $printed to what it prints; a command substitution would not obey a signal
printed() {
	printed_file=$(mktemp) || die "cannot make a temporary file"
	obeying "$@" >"$printed_file"
	printed_status=$?
	printed=$(cat "$printed_file")
	rm -f "$printed_file"
	printed_file=
	return "$printed_status"
}

# logged TITLE LOGFILE COMMAND...: a command that takes long and whose output is wanted only if it fails.
# In the background and waited for, so that a signal is obeyed at once; a function that is run like this
# ends in `exec`, so that the signal reaches the command. (Should one live on, it holds our locks.)
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

# The one trap. A script that has more to undo defines `cleanup`.
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
