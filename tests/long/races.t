#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A fast attacker (inotify) who can rename files in the directory of a result or a recording cannot make wakelat change or reveal
# the user's files. WAKELAT_TRIES=N sets the tries of each race (200), WAKELAT_SLOW_TRIES=N those of races whose tries take a
# second, because they draw figures or make a page (40).
# needs: tools
# takes: minutes

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/hostile.sh"
[ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null || skip_all "needs root, to be two users"
build_tools
cc -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -o "$tmp/swapper" "$top/tests/fixtures/swapper.c" ||
	bail "tests/fixtures/swapper.c does not build"
: "${WAKELAT_TRIES:=200}" "${WAKELAT_SLOW_TRIES:=40}"
victim=12345
thief=65534
group=23456
chmod 755 "$tmp"
cd "$tmp" || exit 1

as_victim() {
	setpriv --reuid "$victim" --regid "$victim" --groups "$group" env HOME="$tmp/home" TMPDIR="$tmp/victims" "$@"
}
as_thief() {
	setpriv --reuid "$thief" --regid "$thief" --groups "$group" "$@"
}

mkdir -m 700 home victims
mkdir home/.ssh
printf 'PRIVATE\n' >home/.ssh/id
chmod 700 home/.ssh
chmod 600 home/.ssh/id
chown -R "$victim:$victim" home victims
home_is() (
	cd "$tmp/home" && find . -exec stat -c '%n %F %s %a %u' {} + | sort && cat .ssh/id
)
home_was=$(home_is)
recording mine
"$wakelat" stats -q mine
"$wakelat" stats -q --counts mine.counts mine
printf '1\n2\n' >one.csv
chmod -R a+rX mine mine.counts one.csv

share() {
	rm -rf share
	mkdir share
	chown "$victim:$group" share
	chmod 2775 share
}

# stolen EVENT DIR MATCH TARGET CHECK COMMAND...: run COMMAND $tries times against the swapper, and set $stolen to how often
# CHECK found damage. The swapper replaces $swap_path if it is set, each time after a different number of reads.
swap_path=
reads=0
insecure=1
stolen() {
	stolen_event=$1
	stolen_dir=$2
	stolen_match=$3
	stolen_target=$4
	stolen_check=$5
	shift 5
	stolen=0
	swapped=0
	stolen_try=0
	while [ "$stolen_try" -lt "$tries" ]; do
		stolen_try=$((stolen_try + 1))
		$prepare
		mkfifo end
		as_thief "$tmp/swapper" "$stolen_event" "$stolen_dir" "$stolen_match" "$stolen_target" \
			$(((stolen_try - 1) % 10 * reads + 1)) ${swap_path:+"$swap_path"} <end >dots 2>&1 &
		exec 5>end
		rm end
		sleep 0.02
		as_victim env WAKELAT_INSECURE="$insecure" "$@" >said 2>&1 5>&-
		exec 5>&-
		wait "$!"
		[ ! -s dots ] || swapped=$((swapped + 1))
		! "$stolen_check" || stolen=$((stolen + 1))
	done
}
home_is_changed() {
	[ "$(home_is)" != "$home_was" ] || return
	cp -p home/.ssh/id lost 2>/dev/null
	rm -rf home
	mkdir -m 700 home home/.ssh
	printf 'PRIVATE\n' >home/.ssh/id
	chmod 600 home/.ssh/id
	chown -R "$victim:$victim" home
}

# race NAME EVENT DIR MATCH TARGET CHECK COMMAND...: check that the swapper never wins
race() {
	race_name=$1
	shift
	stolen "$@"
	is "$stolen" 0 "$race_name: the attacker wins 0 of $tries tries ($swapped swapped something)"
}

# Results in a shared directory.
prepare=share
tries=$WAKELAT_TRIES
key=$tmp/home/.ssh/id
share
for command in "merge -q -o share/x mine.counts" "import -q -o share/x -c 1 -u us one.csv" "scrub -q -o share/x mine" \
	"stats -q -o share mine"; do
	share
	words "$command" refused 'others can write .*/share \(mode 2775\)' "${command%% *} into a shared directory" as_victim "$wakelat"
	target=$key
	case $command in
	import* | scrub*) target=$tmp/home/.ssh ;;
	esac
	words "$command" race "${command%% *}" create share .partial "$target" home_is_changed "$wakelat"
done
if command -v gnuplot >/dev/null; then
	tries=$WAKELAT_SLOW_TRIES
	race "plot" create share figures "$tmp/home/.ssh" home_is_changed "$wakelat" plot -q -f ccdf -k svg -o share/figures mine
	shared_run() {
		share
		cp mine/run.tsv mine/samples.tsv share/
		chown "$victim:$group" share/*
	}
	prepare=shared_run
	race "plot of a shared recording" create share figures "$tmp/home/.ssh" home_is_changed "$wakelat" plot -q -f ccdf -k svg share
fi

# A named pipe is replaced by a link while the command runs.
reader=
pipe() {
	[ -z "$reader" ] || kill "$reader" 2>/dev/null
	share
	mkfifo -m 666 share/pipe
	chown "$victim:$group" share/pipe
	timeout 60 cat share/pipe >/dev/null 2>&1 &
	reader=$!
}
prepare=pipe
reads=1
swap_path=share/pipe
tries=$WAKELAT_TRIES
pipe
refused 'others can write .*/share' "verdict into a pipe in a shared directory" as_victim timeout 20 "$wakelat" verdict -q -o share/pipe mine
# The swapper reacts when the command reads mine/run.tsv, not when the command opens a lock file.
race "verdict into a pipe" close mine run.tsv "$key" home_is_changed timeout 20 "$wakelat" verdict -q -o share/pipe mine
ok "some tries swapped the pipe" [ "$swapped" -gt $((tries / 50)) ]
[ -z "$reader" ] || kill "$reader" 2>/dev/null
swap_path=

# A stranger's directory that changes while it is read. WAKELAT_INSECURE is not set, so wakelat does not trust the directory.
strangers() {
	rm -rf theirs victims/page.html
	cp -a mine theirs
	chown -R "$thief:$thief" theirs
	chmod -R a+rX theirs
}
has_private() {
	grep -qs 'PRIVATE' said victims/page.html
}
prepare=strangers
insecure=
printf 'key\tvalue\nPRIVATE\tPRIVATE\nformat\t1\n' >home/.ssh/id
home_was=$(home_is)
race "statistics of a recording that changes" close theirs run.tsv "$key" has_private "$wakelat" stats --json theirs
ok "some tries swapped run.tsv while statistics were made" [ "$swapped" -gt $((tries / 50)) ]
# The page shows all values of run.tsv that figures show, so it is made without gnuplot.
mkdir programs
ln -s /bin/* programs/
rm -f programs/gnuplot*
tries=$WAKELAT_SLOW_TRIES
race "a page of a recording that changes" close theirs run.tsv "$key" has_private env PATH="$tmp/programs" \
	"$wakelat" report -q -o victims/page.html theirs
ok "some tries swapped run.tsv while a page was made" [ "$swapped" -gt $((tries / 50)) ]
done_testing
