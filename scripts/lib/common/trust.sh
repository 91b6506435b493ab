# SPDX-License-Identifier: GPL-2.0
# trust.sh - check whether a command may trust a directory or a file: whether it may read or write
# there.
# shellcheck shell=sh
#
# A command trusts a path that belongs to root or to the user who runs it, also through sudo (git
# has the same rule), and that nobody else can write or replace. Each part of the path is checked,
# and each symbolic link in it. A directory with the sticky bit, such as /tmp, is accepted within a
# path. A directory or file that a group can write is accepted if the group has no member but the
# user, and the command does not run as root. WAKELAT_INSECURE=1 turns the checks off, but not for root.
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
# The paths that were found to be trusted: lines "KIND PATH". They are not checked again, because only
# root and the user can change them.
trust_paths=
# The path of the working directory without symbolic links, and the $PWD that it was made from.
trust_pwd=
trust_pwd_of=
trust_newline='
'

# trust_root: succeed if the command runs as root
trust_root() {
	[ -n "$trust_uid" ] || trust_uid=$(id -u 2>/dev/null) || trust_uid=0
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

# trust_sticky MODE
trust_sticky() {
	case $1 in
	[1357]???) ;;
	*) return 1 ;;
	esac
}

# trust_part PATH LAST KIND UID MODE TYPE GID: check one part of the path. LAST is yes for its end, KIND is as in trust_path.
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

# trust_path PATH KIND: check PATH link by link, as the kernel would walk it. KIND is directory or place.
trust_path() {
	distrust=
	trust_root || [ -z "${WAKELAT_INSECURE-}" ] || return 0
	trust_at=$1
	trust_kind=$2
	trust_links=0
	case $trust_at in
	/*) ;;
	*)
		[ "$trust_pwd_of" = "$PWD" ] || trust_pwd=$(pwd -P)
		trust_pwd_of=$PWD
		trust_at=$trust_pwd/$trust_at
		;;
	esac
	# A trusted directory is also a trusted place.
	trust_line=" ${trust_at%/}$trust_newline"
	case $trust_paths in
	*"$trust_newline$2$trust_line"* | *"${trust_newline}directory$trust_line"*) return 0 ;;
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
		# stat prints no line for a part that does not exist. Then arguments are left over.
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
			distrust="too many symbolic links in its path"
			return 1
		fi
	done
	trust_paths=$trust_paths$trust_newline$trust_kind$trust_line
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
