# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# directories.sh - recordings that a stranger might have made, through every command that reads one: for tests/fuzz and
# tests/long/safe-directories.t.
#
#	directories_build DIR		what is needed, in DIR, which others may enter
#	directories_try DIR SEED	makes the recording of this number, gives it to the commands, and prints what is wrong:
#					nothing if all is well. $directories_runs is how many commands were run; of the tree
#					$directories_tree if that is set, whose programs may have sanitizers.
#
# As root, every other recording belongs to uid 65534, who runs the commands; to root's own some belong to a third.
# Nothing outside of the recording may be made, changed or removed, nothing executed, nothing may take more than 60 s
# or 1 GiB, no sanitizer may find anything in our code, and each failure says something.

: "${top:?}"

directories_runs=0
directories_good=0
directories_tree=$top

# shellcheck source=tests/lib/fuzz.sh
. "$top/tests/lib/fuzz.sh"

directories_build() {
	directories_dir=$1
	directories_as=
	mkdir -p "$1/base" "$1/other" "$1/root/victim/home" "$1/tmp" "$1/logs" || return
	chmod 755 "$1" && chmod 1777 "$1/tmp" "$1/logs" && fuzz_bounded "$1" || return
	cc -O2 -o "$1/directory" "$top/tests/fixtures/fuzz/directory.c" &&
		cc -O2 -std=c11 -D_GNU_SOURCE -o "$1/mktrace" "$top/tests/fixtures/mktrace.c" || return
	(
		# shellcheck source=tests/lib/analysis.sh
		. "$top/tests/lib/analysis.sh"
		wakelat=$directories_tree/scripts/wakelat
		# Who tries has made these tables, and commands need not make them again.
		export XDG_STATE_HOME="$1/notes"
		run_tsv "$1/base/run.tsv" run.1.cpu0.samples 60 run.1.reason samples tsc_khz 2000000 state.3.desc MWAIT
		seq 1000 1060 | sed 's/.*/3 1000 & & -/' | samples_tsv "$1/base/samples.tsv"
		printf 'bulk 60 0 1000 3\n' | "$1/mktrace" "$1/base/trace.dat"
		"$wakelat" stats -q "$1/base" && "$wakelat" verdict -q "$1/base"
		"$wakelat" tail -q "$1/base" 2>/dev/null
		printf 'check\tsubject\tseverity\tvalue\tfinding\tchange\tback\tprepare\ntasks\tcpu0\tdoubt\t1\tsomebody (1)\tkill\t-\tothers\n' \
			>"$1/base/doctor.tsv"
		cp "$1/base/run.tsv" "$1/base/samples.tsv" "$1/other"
		"$wakelat" stats -q "$1/other"
		"$wakelat" compare -q -o "$1/base/compare.tsv" "$1/base" "$1/other"
		printf 'WakeLatency,IntrLatency,SilentTime,LDist,ReqCState\n%s\n' 60.1,61.2,1000,2000,C6 60.3,61.4,1001,2001,C6 >"$1/base/datapoints.csv"
		{
			printf '%s\t' knob value unit deepest n tainted intr_latency_p50 intr_latency_p99 intr_latency_p99.9 intr_latency_p99.99 \
				intr_latency_max worst_state worst_n worst_by worst_intr_latency residency_C1_pct residency_C6_pct busy_pct window_s \
				power_w power_from emulated
			printf 'directory\n'
			printf '%s\t' qos none us C6 60 0 134000 135000 - - 136000 C6 60 max 136000 10.00 80.00 10.00 3.00 - - yes
			printf 'point\n'
		} >"$1/base/sweep.tsv"
		printf 'key\tvalue\nknob\tqos\ncpu\t1\n' >"$1/base/setup.tsv"
		printf 'toolver: 1.6\ndevid: hrt\ncpunum: 1\n' >"$1/base/info.yml"
		true
	) >"$1/build.log" 2>&1 || return
	printf 'PATH=/bin\n' >"$1/root/victim/.profile"
	printf 'key\n' >"$1/root/victim/home/id"
	cp -R "$1/root" "$1/nobody"
	mkdir "$1/root/in" "$1/root/cwd" "$1/nobody/in" "$1/nobody/cwd"
	if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
		chown -R 65534:65534 "$1/nobody"
		directories_as='setpriv --reuid 65534 --regid 65534 --clear-groups'
	fi
	chmod -R a+rX "$1/base" "$1/other"
	directories_was=$(directories_is)
}

# Everything but the recordings themselves, and the number of links to what one of them may be a hard link to.
directories_is() (
	cd "$directories_dir" && find other base tmp root nobody -path root/in -prune -o -path nobody/in -prune -o \
		! -path tmp ! -path root ! -path nobody -printf '%p %y %m %u %s %T@ %l\n' | sort
)

# directories_bounded COMMAND...: sets $directories_status
directories_bounded() {
	(
		cd "$directories_home/in" || exit
		TMPDIR=$directories_dir/tmp XDG_STATE_HOME=$directories_home/in/.state HOME=$directories_home/victim/home \
			ASAN_OPTIONS=$ASAN_OPTIONS:log_path=$directories_dir/logs/log UBSAN_OPTIONS=$UBSAN_OPTIONS:log_path=$directories_dir/logs/log \
			exec $directories_by "$directories_dir/bounded" 1024 timeout -k 5 60 "$@" \
			</dev/null >"$directories_dir/out" 2>"$directories_dir/err"
	)
	directories_status=$?
}

# directories_run NAME COMMAND...
directories_run() {
	directories_runs=$((directories_runs + 1))
	directories_name=$1
	shift
	directories_bounded "$@"
	# With a sanitizer the reader of a trace.dat has no limit on its memory.
	if [ "$directories_status" -eq 98 ] && [ "$1" = "$directories_tree/scripts/wakelat" ]; then
		shift
		directories_bounded "$top/scripts/wakelat" "$@"
	fi
	case $directories_status in
	0 | 3) directories_good=$((directories_good + 1)) ;;
	98) printf '%s: takes more than 1 GiB\n' "$directories_name" ;;
	124 | 137) printf '%s: takes more than 60 s\n' "$directories_name" ;;
	4 | 5)
		# Verdicts: exceeded or different, undecided. They are printed, or written in silence.
		case $directories_name in
		*verdict* | *compare*) directories_good=$((directories_good + 1)) ;;
		*) printf '%s: ended with status %s: %s\n' "$directories_name" "$directories_status" "$(tail -n 1 "$directories_dir/err")" ;;
		esac
		;;
	1 | 2) [ -s "$directories_dir/err" ] || printf '%s: fails without a word\n' "$directories_name" ;;
	*) printf '%s: ended with status %s: %s\n' "$directories_name" "$directories_status" "$(tail -n 1 "$directories_dir/err")" ;;
	esac
	directories_said=$(grep -aE 'syntax error|unbound variable|not found$|parameter not set|bad number|Illegal number|arithmetic|core dumped|Segmentation|Sanitizer|(awk|sed|sort|cut|cp|mv|rm|find|grep|stat): ' \
		"$directories_dir/err" | head -n 1)
	[ -z "$directories_said" ] || printf '%s: says: %s\n' "$directories_name" "$(printf '%s' "$directories_said" | tr -d '\000-\037')"
	! LC_ALL=C grep -qa "$(printf '[\001-\010\013-\037\177]')" "$directories_dir/out" "$directories_dir/err" ||
		printf '%s: control characters come through\n' "$directories_name"
}

# directories_commands RECORDING SEED
directories_commands() {
	wakelat_of=$directories_tree/scripts/wakelat
	directories_run stats "$wakelat_of" stats "$1"
	directories_run verdict "$wakelat_of" verdict -b 50us "$1"
	directories_run compare "$wakelat_of" compare "$directories_dir/other" "$1" -o "$directories_home/in/out.tsv"
	case $(($2 % 4)) in
	0)
		directories_run compare "$wakelat_of" compare -q "$1" "$directories_dir/other"
		directories_run stats-json "$wakelat_of" stats --json "$1"
		;;
	1)
		directories_run governor "$wakelat_of" governor "$1"
		directories_run dump "$wakelat_of" dump "$1"
		;;
	2)
		directories_run scrub "$wakelat_of" scrub -o "$directories_home/in/scrubbed" "$1"
		directories_run stats-where "$wakelat_of" stats -w 'state == C6' "$1"
		;;
	3)
		directories_run import "$wakelat_of" import -o "$directories_home/in/imported" "$1"
		directories_run import "$wakelat_of" import -o "$directories_home/in/imported-run" -c 2 -u us "$1/run.tsv"
		;;
	esac
	case $(($2 % 32)) in
	0) directories_run tail "$wakelat_of" tail "$1" ;;
	8 | 9) directories_run plot "$wakelat_of" plot -k svg -f ccdf,states "$1" ;;
	16 | 17) directories_run report "$wakelat_of" report "$1" ;;
	10 | 11)
		# The same as a sweep with one point.
		mkdir -p "$directories_home/in/$1/point" 2>/dev/null
		for directories_file in run.tsv samples.tsv; do
			mv -f "$directories_home/in/$1/$directories_file" "$directories_home/in/$1/point/" 2>/dev/null
		done
		directories_run plot-sweep "$wakelat_of" plot -q -k svg "$1"
		;;
	24) directories_run from-events "$wakelat_of" dump --from-events -o "$directories_home/in/events" "$1/trace.dat" ;;
	26)
		# As root's own, but for one thing, /run/wakelat is obeyed, and has to be.
		[ -n "$directories_as" ] && command -v unshare >/dev/null || return 0
		directories_run restore unshare -m sh -c 'mount -t tmpfs -o mode=755 none /run && cp -a -- "$2" /run/wakelat &&
			chown 65534 /run/wakelat && cp /run/wakelat/run.tsv /run/wakelat/state 2>/dev/null; exec "$1" restore' sh "$wakelat_of" "./$1"
		;;
	esac
}

# directories_try DIR SEED
directories_try() {
	directories_dir=$1
	directories_home=$1/root
	directories_by=
	if [ -n "$directories_as" ] && [ $(($2 % 2)) -eq 1 ]; then
		directories_home=$1/nobody
		directories_by=$directories_as
	fi
	rm -rf "$1/root/in" "$1/nobody/in"
	mkdir "$1/root/in" "$1/nobody/in"
	cp -R "$1/notes" "$1/root/in/.state"
	[ -z "$directories_as" ] || chown 65534 "$1/nobody/in"
	directories_recording=$(cd "$directories_home/in" && $directories_by "$1/directory" "$2" "$1/base" "$directories_home/victim") || {
		printf 'seed %s cannot be made\n' "$2"
		return
	}
	directories_commands "$directories_recording" "$2" >"$1.said"
	sed "s/^/seed $2 ($directories_recording): /" "$1.said" | tr -d '\000-\011\013-\037'
	if [ "$(directories_is)" != "$directories_was" ]; then
		printf 'seed %s: outside of the recording: %s\n' "$2" "$(printf '%s\n' "$directories_was" >"$1.was"
			directories_is | diff "$1.was" - | grep '^[<>]' | tr '\n' ';')"
		directories_was=$(directories_is)
	fi
	for directories_log in "$1"/logs/*; do
		[ -e "$directories_log" ] || continue
		fuzz_logs "$directories_log" | sed "s/^/seed $2: a sanitizer: /"
		rm -f "$directories_log"
	done
	[ -z "$(find "$1" -name 'PWNED*' -print -quit 2>/dev/null)" ] || {
		printf 'seed %s: executed\n' "$2"
		find "$1" -name 'PWNED*' -delete
	}
}
