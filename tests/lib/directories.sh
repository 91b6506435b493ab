# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# directories.sh - give directories that a stranger might have made to every command that reads one: for tests/fuzz and
# tests/long/safe-directories.t.
#
#	directories_build DIR		make in DIR what the other functions need; other users may enter DIR
#	directories_several DIR FIRST N	make the directories FIRST to FIRST + N - 1, give each to commands of $directories_tree, and
#					print a line for each fault. Adds the number of commands to $directories_runs, and of those that
#					succeeded to $directories_good. The tree's programs may have sanitizers
#	directories_try DIR SEED	do the same with one directory, without checking the files outside of it
#
# If root runs this, every second directory belongs to uid 65534, which also runs its commands. In root's directories some files
# belong to a third user. A command must not change anything outside of the directory, execute anything in it, take more than 60 s
# or 1 GiB, or print control characters to a terminal. No sanitizer may find a fault in our code. A failing command must say why.
#
# Each directory has three commands. If $directories_one is "yes", a directory is given to only one of them, in turn.
# The same number of commands then sees three times as many directories.
#
# The files outside are compared after several directories. If they have changed, the directories are tried again, one by one.

: "${top:?}"

directories_runs=0
directories_good=0
directories_tree=$top
: "${directories_one=}"

# shellcheck source=tests/lib/fuzz.sh
. "$top/tests/lib/fuzz.sh"
# shellcheck source=tests/lib/directories-base.sh
. "$top/tests/lib/directories-base.sh"
# shellcheck source=tests/lib/directories-commands.sh
. "$top/tests/lib/directories-commands.sh"

directories_build() {
	directories_dir=$1
	directories_as=
	mkdir -p "$1/base" "$1/other" "$1/root/victim/home" "$1/tmp" "$1/logs" "$1/mawk" || return
	chmod 755 "$1" && chmod 1777 "$1/tmp" "$1/logs" || return
	cc -O2 -Wall -Wextra -Werror -o "$1/directory" "$fuzz_sources/directory.c" "$fuzz_sources/hostile.c" &&
		cc -O2 -Wall -Wextra -Werror -o "$1/attempt" "$fuzz_sources/attempt.c" &&
		cc -O2 -std=c11 -D_GNU_SOURCE -o "$1/mktrace" "$top/tests/fixtures/mktrace.c" || return
	# Four of every eight directories are read with mawk, Debian's default awk, whichever awk this machine uses.
	! command -v mawk >/dev/null || ln -s "$(command -v mawk)" "$1/mawk/awk"
	directories_base "$1" >"$1/build.log" 2>&1 || return
	printf 'PATH=/bin\n' >"$1/root/victim/.profile"
	printf 'key\n' >"$1/root/victim/home/id"
	cp -R "$1/root" "$1/nobody"
	mkdir "$1/root/in" "$1/nobody/in"
	if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
		chown -R 65534:65534 "$1/nobody"
		directories_as='setpriv --reuid 65534 --regid 65534 --clear-groups'
	fi
	chmod -R a+rX "$1/base" "$1/other"
	directories_was=$(directories_is)
}

# Print the state of all files outside of the directories. The number of links is left out, because a directory may have a hard
# link to a file outside.
directories_is() (
	cd "$directories_dir" && find other base tmp root nobody -path root/in -prune -o -path nobody/in -prune -o \
		! -path tmp ! -path root ! -path nobody -printf '%p %y %m %u %s %T@ %l\n' | sort
)

# directories_run NAME COMMAND...: run COMMAND if it is its turn, count it, and set $directories_status
directories_run() {
	directories_turn=$(((directories_turn + 1) % 3))
	[ -z "$directories_one" ] || [ "$directories_turn" -eq 0 ] || return 0
	directories_runs=$((directories_runs + 1))
	directories_name=$1
	shift
	directories_attempt "$@"
	# With a sanitizer the reader of a trace.dat has no limit on its memory, and json-c takes a hundred times as long. So
	# try again without sanitizers.
	if [ "$directories_status" -ge 97 ] && [ "$1" = "$directories_tree/scripts/wakelat" ] && [ "$directories_tree" != "$top" ]; then
		shift
		# This command makes the tables of other/ again. Restore other/.
		cp -a "$directories_dir/other" "$directories_dir/other.kept"
		directories_attempt "$top/scripts/wakelat" "$@"
		rm -rf "$directories_dir/other" && mv "$directories_dir/other.kept" "$directories_dir/other"
	fi
	case $directories_status in
	0) directories_good=$((directories_good + 1)) ;;
	97) printf '%s%s: takes more than 60 s\n' "$directories_seed" "$directories_name" ;;
	98) printf '%s%s: takes more than 1 GiB\n' "$directories_seed" "$directories_name" ;;
	esac
}

directories_attempt() {
	TMPDIR=$directories_dir/tmp HOME=$directories_home/victim/home PATH=$directories_path \
		ASAN_OPTIONS=$ASAN_OPTIONS:quarantine_size_mb=16:log_path=$directories_dir/logs/log \
		UBSAN_OPTIONS=$UBSAN_OPTIONS:log_path=$directories_dir/logs/log \
		"$directories_dir/attempt" "$directories_seed$directories_name" "$directories_uid" "$directories_home/in" "$directories_dir/out" \
		"$directories_dir/err" "$@"
	directories_status=$?
	# attempt was ended by a signal, so this directory was not tried.
	[ "$directories_status" -lt 128 ] || exit "$directories_status"
}

# directories_try DIR SEED: see above
directories_try() {
	directories_dir=$1
	directories_seed="seed $2: "
	directories_turn=$(($2 % 3))
	directories_home=$1/root
	directories_by=
	directories_uid=0
	directories_path=/usr/sbin:/usr/bin:/sbin:/bin
	[ $(($2 / 4 % 2)) -eq 0 ] || directories_path=$1/mawk:$directories_path
	if [ -n "$directories_as" ] && [ $(($2 % 2)) -eq 1 ]; then
		directories_home=$1/nobody
		directories_by=$directories_as
		directories_uid=65534
	fi
	[ "$directories_uid" -ne 0 ] || chmod -R u+rwX "$1/root/in" "$1/nobody/in" 2>/dev/null
	rm -rf "$1/root/in" "$1/nobody/in"
	mkdir "$1/root/in" "$1/nobody/in"
	[ -z "$directories_as" ] || chown -R "$directories_uid" "$directories_home/in"
	# Five of eight directories are recordings.
	directories_kind=recording
	case $(($2 / 2 % 8)) in
	1) directories_kind=counts ;;
	3) directories_kind=foreign ;;
	5) directories_kind=points ;;
	esac
	directories_made=$(cd "$directories_home/in" && $directories_by "$1/directory" "$2" "$1/base/$directories_kind" "$directories_home/victim") || {
		printf 'seed %s: cannot make the directory\n' "$2"
		return
	}
	"directories_$directories_kind" "${directories_made%/}" $(($2 / 16))
	for directories_log in "$1"/logs/*; do
		[ -e "$directories_log" ] || continue
		fuzz_logs "$directories_log" | sed "s/^/seed $2: a sanitizer: /"
		rm -f "$directories_log"
	done
}

# directories_outside NAME: print what has changed outside of the directories since the last call; fail if anything has changed
directories_outside() {
	directories_now=$(directories_is)
	[ "$directories_now" != "$directories_was" ] || return 0
	printf '%s\n' "$directories_was" >"$directories_dir.was"
	printf '%s\n' "$directories_now" | diff "$directories_dir.was" - | grep '^[<>]' | tr '\n' ';' | sed "s/^/$1: outside of the directory: /"
	printf '\n'
	case $directories_now in
	*PWNED*)
		printf '%s: text from the directory was executed\n' "$1"
		find "$directories_dir" -name 'PWNED*' -delete
		directories_now=$(directories_is)
		;;
	esac
	directories_was=$directories_now
	return 1
}

# directories_several DIR FIRST N: see above
directories_several() {
	directories_n=$2
	while [ "$directories_n" -lt $(($2 + $3)) ]; do
		directories_try "$1" "$directories_n"
		directories_n=$((directories_n + 1))
	done
	directories_outside "seeds $2 to $(($2 + $3 - 1))" && return
	directories_n=$2
	while [ "$3" -gt 1 ] && [ "$directories_n" -lt $(($2 + $3)) ]; do
		directories_counted="$directories_runs $directories_good"
		directories_try "$1" "$directories_n" >/dev/null 2>&1
		directories_outside "seed $directories_n"
		directories_runs=${directories_counted% *}
		directories_good=${directories_counted#* }
		directories_n=$((directories_n + 1))
	done
}
