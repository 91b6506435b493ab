# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# journal.sh - a journal in a private /run, and a program that changes files as a recording changes settings. Needs tap.sh.
#
#	journal_owner_script	makes $tmp/owner: "owner DIR" changes each file in DIR from "old N" to "new N", then waits while
#				DIR/../wait exists. Between two files it waits while DIR/../pause exists. It restores all files
#				when it ends, unless it is killed
#	settings DIR N		makes N such files
#	changed DIR		prints the files in DIR that do not have their old value
#	in_run OPTIONS SCRIPT ARGUMENT...	runs SCRIPT with a tmpfs, mounted with OPTIONS, as /run
#	kills N SEED		kills N owners, and some of the restores, at random moments. In a third of the cases /run is full,
#				read-only or out of inodes before that. Prints what is wrong, and finally how many owners there were.

: "${top:?}" "${tmp:?}"

settings() {
	mkdir -p "$1"
	settings_n=0
	while [ "$settings_n" -lt "$2" ]; do
		printf 'old %s\n' "$settings_n" >"$1/setting-$settings_n"
		settings_n=$((settings_n + 1))
	done
}

changed() {
	grep -L '^old [0-9]*$' "$1"/setting-* 2>/dev/null
}

in_run() {
	in_run_options=$1
	in_run_script=$2
	shift 2
	unshare -m sh -c 'mount -t tmpfs -o mode=755,"$1" none /run && mkdir /run/wakelat && chmod 700 /run/wakelat || exit 99
		script=$2 && shift 2 && eval "$script"' sh "$in_run_options" "$in_run_script" "$@"
}

journal_owner_script() {
	cat >"$tmp/owner" <<END
#!/bin/sh
set -u
me=owner
here=$top/scripts
. "\$here/lib/session/session-all.sh"
stop_measuring() {
	:
}
journal_free
session_begin
may_change
for file in "\$1"/setting-*; do
	change "\$file" "new \${file##*-}"
	while [ -e "\$1/../pause" ]; do
		sleep 0.1
	done
done
# A loop over a list that commas separate, which most signals meet.
set -f
IFS=,
while [ -e "\$1/../wait" ]; do
	sleep 0.1
done
END
	chmod 755 "$tmp/owner"
}

# kills_spoil WHAT: make /run full, read-only, or leave it without inodes
kills_spoil() {
	case $1 in
	full) head -c 10000000 /dev/zero >/run/fill 2>/dev/null ;;
	inodes)
		kills_inode=0
		while true >"/run/inode-$kills_inode"; do
			kills_inode=$((kills_inode + 1))
		done 2>/dev/null
		;;
	read-only)
		kills_tries=50
		until mount -o remount,ro /run 2>/dev/null || [ "$kills_tries" -eq 0 ]; do
			sleep 0.01
			kills_tries=$((kills_tries - 1))
		done
		;;
	esac
}

# random N: set $random to a random number below N
random() {
	kills_seed=$(((kills_seed * 1103515245 + 12345) % 2147483648))
	random=$((kills_seed / 65536 % $1))
}

pause_ms() {
	sleep "$(printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)))"
}

# kills_check STATUS: check the files after a restore that was not killed and exited with STATUS
kills_check() {
	kills_changed=$(changed "$tmp/kills/settings")
	if [ "$1" -eq 0 ]; then
		[ -z "$kills_changed" ] || printf '%s: restore says that all is well, but changed: %s\n' "$kills_what" "$(printf '%s' "$kills_changed" | wc -l)"
		[ ! -e /run/wakelat/state ] || printf '%s: restore says that all is well, and there is a journal\n' "$kills_what"
		return
	fi
	for kills_file in $kills_changed; do
		grep -qF "$kills_file" "$tmp/kills/said" || printf '%s: %s is changed and not named: %s\n' "$kills_what" "$kills_file" \
			"$(tail -n 1 "$tmp/kills/said")"
	done
}

kills_one() {
	umount /run 2>/dev/null
	mount -t tmpfs -o mode=755,size=512k,nr_inodes=60 none /run || exit 99
	rm -rf "$tmp/kills"
	settings "$tmp/kills/settings" 12
	touch "$tmp/kills/wait"
	kills_condition=none
	random 9
	case $random in
	0) kills_condition=full ;;
	1) kills_condition=inodes ;;
	2) kills_condition=read-only ;;
	esac
	random 200
	kills_moment=$random
	random 250
	kills_what="seed $1, $kills_condition after $kills_moment ms, killed after $((kills_moment + random))"
	"$tmp/owner" "$tmp/kills/settings" >"$tmp/kills/owner-said" 2>&1 &
	kills_pid=$!
	pause_ms "$kills_moment"
	[ "$kills_condition" = none ] || kills_bad=$((kills_bad + 1))
	kills_spoil "$kills_condition"
	pause_ms "$random"
	random 4
	kills_signal=KILL
	[ "$random" -ne 0 ] || kills_signal=TERM
	kill -s "$kills_signal" "$kills_pid" 2>/dev/null && kills_inside=$((kills_inside + 1))
	wait "$kills_pid" 2>/dev/null
	random 3
	if [ "$random" -eq 0 ]; then
		"$top/scripts/commands/restore" -q >/dev/null 2>&1 &
		kills_pid=$!
		random 150
		pause_ms "$random"
		kill -KILL "$kills_pid" 2>/dev/null && kills_restores=$((kills_restores + 1))
		wait "$kills_pid" 2>/dev/null
	fi
	"$top/scripts/commands/restore" -q >"$tmp/kills/said" 2>&1
	kills_check $?
	[ "$kills_condition" != read-only ] || mount -o remount,rw /run
	rm -f /run/fill /run/inode-*
	"$top/scripts/commands/restore" -q >"$tmp/kills/said" 2>&1 || printf '%s: restore fails with room in /run: %s\n' "$kills_what" "$(tail -n 1 "$tmp/kills/said")"
	kills_check 0
}

kills() {
	kills_bad=0
	kills_inside=0
	kills_restores=0
	kills_seed=$2
	kills_done=0
	while [ "$kills_done" -lt "$1" ]; do
		kills_one "$((kills_done + $2))"
		kills_done=$((kills_done + 1))
	done
	printf '%d owners, %d ended by a signal, %d restores killed, %d with a /run that is full, read-only or out of inodes\n' \
		"$kills_done" "$kills_inside" "$kills_restores" "$kills_bad"
}
