# SPDX-License-Identifier: GPL-2.0
# trust.sh - check whether a command may trust a directory or a file: whether it may read or write
# there.
# shellcheck shell=sh
#
# A command trusts a directory or a file that belongs to root or to the user who runs it, also through
# sudo (git has the same rule), and that nobody else can write. The same holds for each directory above
# it and for each link on its path; a directory above it may instead have the sticky bit, as /tmp has. A
# group that can write is accepted if it has no member but the user, and the command does not run as
# root. WAKELAT_INSECURE=1 turns the checks off, but not for root.
#
#	trusted_directory DIR	nobody else can create, remove or rename files in DIR
#	trusted_place DIR	nobody else can replace files that we create in DIR; others may create files of their own
#	trusted_files FILE...	FILEs in a trusted directory are regular files, not links, pipes or devices
#
# If these functions fail, $distrust has the reason. must_trust dies with this reason.
#
# Needs die.

distrust=
trust_uid=
trust_newline='
'
# The directories that were found to be trusted: lines "KIND PATH". They are not checked again, because
# only root and the user can change them.
trust_paths=$trust_newline

# trust_root: succeed if the command runs as root
trust_root() {
	[ -n "$trust_uid" ] || trust_find_uid
	[ "$trust_uid" -eq 0 ]
}

# trust_find_uid: set $trust_uid to the effective uid. /proc has it without another process.
trust_find_uid() {
	while read -r trust_key _ trust_uid _; do
		[ "$trust_key" != Uid: ] || return 0
	done 2>/dev/null </proc/self/status
	trust_uid=$(id -u 2>/dev/null) || trust_uid=0
}

# trust_owner UID
trust_owner() {
	[ "$1" != 0 ] || return 0
	trust_root || {
		[ "$1" = "$trust_uid" ]
		return
	}
	case ${SUDO_UID-} in
	'' | *[!0-9]*) return 1 ;;
	esac
	[ "$1" = "$SUDO_UID" ]
}

# trust_others_write MODE GID: succeed if others can write. MODE is octal. A group without other
# members does not count as others.
trust_others_write() {
	case $1 in
	*[2367]) ;;
	*[2367]?) ! trust_own_group "$2" ;;
	*) return 1 ;;
	esac
}

# trust_own_group GID: succeed if this is the user's primary group, has the user's name, and has no
# other members. Fail for root.
trust_own_group() {
	! trust_root && [ "$1" = "$(id -g)" ] && [ "$(id -gn)" = "$(id -un)" ] || return
	trust_group=$(getent group "$1" 2>/dev/null) || return
	case ${trust_group##*:} in
	'' | "$(id -un)") ;;
	*) return 1 ;;
	esac
}

# trust_part PATH KIND UID MODE GID TYPE: check one directory or link of a path. Set $trust_link to the first link.
trust_part() {
	if ! trust_owner "$3"; then
		distrust="$1 belongs to uid $3"
		return 1
	fi
	case $6$4$2 in
	symbolic*) trust_link=${trust_link:-$1} ;;
	directory[1357]???place | directory[1357]???above) ;;
	*)
		! trust_others_write "$4" "$5" || {
			distrust="others can write $1 (mode $4)"
			return 1
		}
		;;
	esac
}

# trust_parts PATH KIND: check PATH, which begins with /, and all directories above it. Set $trust_link to the first
# link on PATH, or to nothing.
trust_parts() {
	trust_kind=$2
	trust_link=
	trust_rest=${1%/}
	trust_checked=$1
	set --
	while [ -n "$trust_rest" ]; do
		set -- "$trust_rest" "$@"
		trust_rest=${trust_rest%/*}
	done
	set -- / "$@"
	trust_lines=$(stat -c '%u %a %g %F' -- "$@" 2>/dev/null) || {
		distrust="$trust_checked cannot be checked"
		return 1
	}
	while read -r trust_has_uid trust_mode trust_gid trust_type; do
		trust_as=above
		[ $# -gt 1 ] || trust_as=$trust_kind
		trust_part "$1" "$trust_as" "$trust_has_uid" "$trust_mode" "$trust_gid" "$trust_type" || return
		shift
	done <<END_LINES
$trust_lines
END_LINES
}

# trust_path PATH KIND: check PATH, and what the links on it lead to. KIND is directory or place.
trust_path() {
	distrust=
	trust_root || [ -z "${WAKELAT_INSECURE-}" ] || return 0
	trust_at=$1
	case $trust_at in
	/*) ;;
	*) trust_at=$PWD/$trust_at ;;
	esac
	trust_at=${trust_at%/}
	trust_line=" $trust_at$trust_newline"
	# A trusted directory is also a trusted place.
	case $trust_paths in
	*"$trust_newline$2$trust_line"* | *"${trust_newline}directory$trust_line"*) return 0 ;;
	esac
	[ -e "${trust_at:-/}" ] || {
		distrust="$1 cannot be checked"
		return 1
	}
	while :; do
		trust_parts "$trust_at" "$2" || return
		[ -n "$trust_link" ] || break
		trust_next=$(readlink -- "$trust_link") || trust_next=/
		case $trust_next in
		/*) ;;
		*) trust_next=${trust_link%/*}/$trust_next ;;
		esac
		trust_at=$trust_next${trust_at#"$trust_link"}
	done
	trust_paths=$trust_paths$2$trust_line
}

trusted_directory() {
	trust_path "$1" directory
}

# If the directory does not exist yet, check the one in which it would be created.
trusted_place() {
	trust_existing=$1
	while [ ! -e "$trust_existing" ] && [ ! -L "$trust_existing" ]; do
		case $trust_existing in
		/?*/?* | ?*/?*) trust_existing=${trust_existing%/*} ;;
		/*) trust_existing=/ ;;
		*) trust_existing=. ;;
		esac
	done
	trust_path "$trust_existing" place
}

# trust_holes SIZE BLOCKS: succeed if the file is large and nearly all of it is holes. A command
# would read zeros from it for a long time.
trust_holes() {
	[ "$1" -gt 1073741824 ] && [ $(($2 * 512)) -lt $(($1 / 64)) ]
}

# trust_file FILE UID MODE SIZE BLOCKS TYPE
trust_file() {
	case $6 in
	symbolic*) distrust="$1 is a symbolic link" ;;
	regular*)
		if trust_holes "$4" "$5"; then
			distrust="$1 has $4 bytes, nearly all of them holes"
		elif ! trust_root; then
			return 0
		elif ! trust_owner "$2"; then
			distrust="$1 belongs to uid $2"
		elif trust_others_write "$3" -; then
			distrust="others can write $1 (mode $3)"
		else
			return 0
		fi
		;;
	*) distrust="$1 is not a regular file ($6)" ;;
	esac
	return 1
}

trusted_files() {
	distrust=
	trust_lines=$(stat -c '%u %a %s %b %F' -- "$@" 2>/dev/null)
	while read -r trust_has_uid trust_mode trust_size trust_blocks trust_type; do
		[ -n "$trust_type" ] || break
		trust_file "$1" "$trust_has_uid" "$trust_mode" "$trust_size" "$trust_blocks" "$trust_type" || return
		shift
	done <<END_LINES
$trust_lines
END_LINES
	[ $# -eq 0 ] || {
		distrust="$1 cannot be checked"
		return 1
	}
}

# must_trust KIND PATH TO-DO: die if PATH is not trusted, and say what to do. KIND is directory,
# place or files (for one file).
must_trust() {
	"trusted_$1" "$2" || die "${2#./}: not trusted: $distrust: $3"
}
