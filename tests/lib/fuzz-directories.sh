# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# fuzz-directories.sh - try a large number of the directories of directories.sh, in several processes: for tests/fuzz
# --directories.
#
# Directories are tried in blocks of 20 numbers. Each block that is finished is a line of out/fuzz/directories.tsv, and is not tried
# again. A call with the same numbers therefore continues. Findings are in out/fuzz/directories.found.

: "${top:?}" "${out:?}" "${first?}" "${place=}"

directories_block=20
directories_one=yes

# shellcheck source=tests/lib/directories.sh
. "$top/tests/lib/directories.sh"

# directories_sanitized DIR: build the programs with sanitizers in $out/sanitized, by way of DIR, unless their sources are
# unchanged
directories_sanitized() {
	sources=$(find "$top/tools" "$top/extras" "$fuzz_sources" -name '*.[ch]' -exec cksum {} + | sort | cksum)
	[ "$(cat "$out/sanitized/sources" 2>/dev/null)" != "$sources" ] || return 0
	rm -rf "$out/sanitized"
	# The programs that commands run on a directory; no program with BPF is needed.
	fuzz_programs=
	for program in answer check-tables safe-copy dump effective-n histogram import kind merge pool-counts quantiles count-values select-samples \
		settime.so stock $(tried_of_extras program); do
		fuzz_programs="$fuzz_programs bin/$program"
	done
	fuzz_build "$1" gcc >"$1/build.log" 2>&1 || die "the programs do not build: $(tail -n 1 "$1/build.log")"
	rm -f "$1"/tools/bin/sealed-* "$1/tools/bin/numbers" "$1/tools/bin/percentiles" "$1/tools/bin/where"
	cp -R "$1/tools/bin" "$out/sanitized" && printf '%s\n' "$sources" >"$out/sanitized/sources" || die "$out cannot be written"
}

# directories_build_all PLACE: make the tree PLACE/tree, whose commands use the programs with sanitizers
directories_build_all() {
	make -s -C "$top/tools" programs >"$1/build.log" 2>&1 || die "the programs do not build: $(tail -n 1 "$1/build.log")"
	directories_sanitized "$1"
	directories_tree=$1/tree
	rm -rf "$1/tools"
	mkdir -p "$1/tools/bin" && fuzz_tree "$1" && cp -R "$out/sanitized" "$directories_tree/tools/" || die "$1 cannot be written"
	# Install the programs as links: they are large, and commands may hash programs, but not links.
	ln -s "$directories_tree/tools/sanitized"/* "$directories_tree/tools/bin" && chmod -R a+rX "$directories_tree"
}

# directories_cpu_s: prints the CPU time of this shell and its commands, s
directories_cpu_s() {
	times >"$directories_dir.times"
	awk '{ for (i = 1; i <= 2; i++) { split($i, part, "m"); s += 60 * part[1] + part[2] } } END { printf "%.1f\n", s }' "$directories_dir.times"
}

# directories_job PLACE JOB FIRST LAST: try every JOBS-th of the blocks FIRST to LAST
directories_job() {
	directories_build "$1/job$2" || die "no directories can be made: $(tail -n 1 "$1/job$2/build.log")"
	job_cpu=$(directories_cpu_s)
	block=$3
	while [ "$block" -le "$4" ]; do
		block_first=$((block * directories_block))
		if [ $((block % jobs)) -eq "$2" ] && ! grep -q "^$block_first	" "$account"; then
			directories_runs=0
			directories_good=0
			directories_several "$1/job$2" "$block_first" "$directories_block" >"$1/job$2.said" 2>&1
			tee -a "$out/directories.found" <"$1/job$2.said"
			# Do not call this in $(...): a subshell does not count this process's CPU time.
			directories_cpu_s >"$1/job$2.cpu"
			read -r now_cpu <"$1/job$2.cpu"
			printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$block_first" $((block_first + directories_block - 1)) "$directories_runs" "$directories_good" \
				"$(wc -l <"$1/job$2.said")" "$(awk -v from="$job_cpu" -v to="$now_cpu" 'BEGIN { printf "%.1f", to - from }')" >>"$account"
			job_cpu=$now_cpu
			[ $((block / jobs % 10)) -ne 0 ] || directories_account
		fi
		block=$((block + 1))
	done
}

# directories_account: print the sums of $account for the numbers $first to $last; fail if there are findings
directories_account() {
	awk -F '\t' -v from="$first" -v to="$last" '
		NR > 1 && $2 >= from && $1 <= to { n += $2 - $1 + 1; runs += $3; good += $4; found += $5; cpu += $6 }
		END {
			printf "directories  %9d of %d from number %d on, %d commands, %d of them with success, %d findings, CPU time %d s\n",
				n, to - from + 1, from, runs, good, found, cpu
			exit found != 0
		}' "$account"
}

# directories_end: end the jobs and their commands. A command has a process group of its own, so a signal to the job does not reach it.
directories_end() {
	for job_pid in $job_pids; do
		kill "$job_pid"
		pkill -P "$job_pid"
	done 2>/dev/null
	wait
	rm -rf "$place"
	directories_account
}

# fuzz_directories N: try N directories from number $first on, rounded to blocks
fuzz_directories() {
	jobs=${JOBS:-1}
	account=$out/directories.tsv
	first=$((first / directories_block * directories_block))
	last=$((first + ($1 + directories_block - 1) / directories_block * directories_block - 1))
	mkdir -p "$out" || die "$out cannot be made"
	[ -s "$account" ] || printf 'first\tlast\tcommands\tgood\tfindings\tcpu_s\n' >"$account"
	# Thousands of small files are made. Keep them in memory, unless /dev/shm is mounted noexec.
	if [ -z "${TMPDIR-}" ] && cp "$(command -v env)" /dev/shm/wakelat-fuzz.$$ 2>/dev/null; then
		! /dev/shm/wakelat-fuzz.$$ >/dev/null 2>&1 || export TMPDIR=/dev/shm
		rm -f /dev/shm/wakelat-fuzz.$$
	fi
	begin_place
	trap directories_end EXIT
	job_pids=
	chmod 711 "$place"
	directories_build_all "$place"
	job=0
	while [ "$job" -lt "$jobs" ]; do
		(
			trap - EXIT
			trap 'exit 130' INT TERM HUP
			directories_job "$place" "$job" $((first / directories_block)) $((last / directories_block))
		) &
		job_pids="$job_pids $!"
		job=$((job + 1))
	done
	wait
	job_pids=
	directories_account >/dev/null
}
