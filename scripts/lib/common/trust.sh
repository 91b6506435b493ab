# SPDX-License-Identifier: GPL-2.0
# trust.sh - whom a command believes: may a directory or a file be read as one's own, may something be put there?
# shellcheck shell=sh
#
# A command believes what belongs to root or to the user who runs it, also through sudo (git draws the same line), and
# what nobody else can write or put something else in the place of: that is asked of each part of the path, and of each
# symbolic link on the way. A directory with the sticky bit, such as /tmp, is good enough on the way. The group of a user
# who is alone in it may write what is not root's. WAKELAT_INSECURE=1 asks nothing of a user who is not root.
#
#	trusted_directory DIR	only we can make, remove and rename anything in DIR
#	trusted_place DIR	what we make in DIR stays what it is; others may make something beside it
#	trusted_files FILE...	of a directory that is trusted: regular files, no links, pipes or devices
#
# All fail with the reason in $distrust; must_trust dies with it.
#
# Needs die.

distrust=
trust_uid=

# trust_root: is this root's command?
trust_root() {
	: "${trust_uid:=$(id -u 2>/dev/null || printf 0)}"
	[ "$trust_uid" -eq 0 ]
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

# trust_others_write MODE GID: octal; the group of a user who is alone in it is nobody else
trust_others_write() {
	case $1 in
	*[2367]) ;;
	*[2367]?) ! trust_own_group "$2" ;;
	*) return 1 ;;
	esac
}

# trust_own_group GID: is it that of the user who runs this, with the user's name, and without members?
trust_own_group() {
	! trust_root && [ "$1" = "$(id -g)" ] && [ "$(id -gn)" = "$(id -un)" ] || return
	trust_group=$(getent group "$1" 2>/dev/null) || return
	case ${trust_group##*:} in
	'' | "$(id -un)") ;;
	*) return 1 ;;
	esac
}

# trust_sticky MODE
trust_sticky() {
	case $1 in
	[1357]???) ;;
	*) return 1 ;;
	esac
}

# trust_part PATH LAST KIND UID MODE TYPE GID: one part of the path; LAST is yes for the end of it, KIND as in trust_path
trust_part() {
	if ! trust_owner "$4"; then
		distrust="$1 belongs to uid $4"
	elif [ "${6#symbolic}" != "$6" ]; then
		return 0
	elif ! trust_others_write "$5" "$7"; then
		return 0
	elif trust_sticky "$5" && [ "${6#directory}" != "$6" ] && [ "$2$3" != yesdirectory ]; then
		return 0
	else
		distrust="others can write $1 (mode $5)"
	fi
	return 1
}

# trust_path PATH KIND: directory or place, as the kernel would walk it: link by link
trust_path() {
	distrust=
	trust_root || [ -z "${WAKELAT_INSECURE-}" ] || return 0
	trust_at=$1
	trust_kind=$2
	trust_links=0
	case $trust_at in
	/*) ;;
	*) trust_at=$(pwd -P)/$trust_at ;;
	esac
	while :; do
		trust_rest=${trust_at#/}
		trust_prefix=
		set -- /
		while [ -n "$trust_rest" ]; do
			trust_name=${trust_rest%%/*}
			case $trust_rest in
			*/*) trust_rest=${trust_rest#*/} ;;
			*) trust_rest= ;;
			esac
			case $trust_name in
			'' | .) continue ;;
			esac
			trust_prefix=$trust_prefix/$trust_name
			set -- "$@" "$trust_prefix"
		done
		trust_at=$trust_prefix
		trust_next=
		# Those that are not there have no line: then the last is missing.
		trust_lines=$(stat -c '%u %a %g %F' -- "$@" 2>/dev/null)
		while read -r trust_has_uid trust_mode trust_gid trust_type; do
			[ $# -gt 0 ] && [ -n "$trust_type" ] || break
			trust_last=no
			[ $# -gt 1 ] || trust_last=yes
			trust_part "$1" "$trust_last" "$trust_kind" "$trust_has_uid" "$trust_mode" "$trust_type" "$trust_gid" || return
			case $trust_type in
			symbolic*)
				trust_next=$(readlink "$1") && [ -n "$trust_next" ] || trust_next=/
				case $trust_next in
				/*) ;;
				*) trust_next=${1%/*}/$trust_next ;;
				esac
				trust_at=$trust_next${trust_at#"$1"}
				break
				;;
			esac
			shift
		done <<END_LINES
$trust_lines
END_LINES
		if [ -z "$trust_next" ]; then
			[ $# -gt 0 ] || break
			distrust="$1 cannot be checked"
			return 1
		fi
		trust_links=$((trust_links + 1))
		if [ "$trust_links" -gt 40 ]; then
			distrust="too many symbolic links on the way to it"
			return 1
		fi
	done
}

trusted_directory() {
	trust_path "$1" directory
}

# Of a directory that is still to be made, the one that it would be made in.
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

# trust_holes SIZE BLOCKS: is the file large, and next to nothing in it? Who reads it gets zeros for as long as somebody likes.
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

# must_trust KIND PATH TO-DO: KIND is directory, place or files (one)
must_trust() {
	"trusted_$1" "$2" || die "${2#./}: not trusted: $distrust: $3"
}
