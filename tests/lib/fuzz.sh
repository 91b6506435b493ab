# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# fuzz.sh - run the parsers with sanitizers on one input file at a time: for tests/long/fuzz.t and tests/fuzz.
#
#	fuzz_build DIR COMPILER...	build the targets in DIR; of the programs of tools/ only $fuzz_programs, all if it is empty
#	fuzz_inputs TARGET		print the files to begin with, one per line
#	fuzz_command DIR TARGET FILE	print the command that runs the target on FILE, one word per line
#	fuzz_run DIR TARGET FILE	run that command; print its faults, or nothing if there are none
#	fuzz_bounded DIR		build DIR/bounded, which reports a command that takes more memory than it may
#	fuzz_tree DIR			make DIR/tree: wakelat's commands, with the programs of fuzz_build
#	fuzz_logs FILE...		print what the sanitizers' logs report of our own code

: "${top:?}"

# shellcheck source=tests/lib/tried.sh
. "$top/tests/lib/tried.sh"

fuzz_targets() {
	{
		printf '%s\n' column figures histogram import intervals kind merge numbers percentiles pool-counts quantiles verdict where
		tried_of_extras sealed | cut -d ' ' -f 1
		tried_of_extras format
	} | paste -sd ' ' -
}
fuzz_sources=$top/tests/fixtures/fuzz
fuzz_sanitizers='-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer'

# A sanitizer that finds a fault ends the program with status 99. Leaks are no fault of a program that ends at once.
export ASAN_OPTIONS=exitcode=99:detect_leaks=0:abort_on_error=0:allocator_may_return_null=1
export UBSAN_OPTIONS=exitcode=99:print_stacktrace=1:halt_on_error=1

# The programs of tools/ that fuzz_command and fuzz_recording run, or that targets are built from.
fuzz_programs_of_targets='bin/answer bin/dump bin/histogram bin/import bin/kind bin/merge bin/pool-counts bin/quantiles bin/stock'
for fuzz_program in $(tried_of_extras program); do
	fuzz_programs_of_targets="$fuzz_programs_of_targets bin/$fuzz_program"
done
fuzz_programs=
: "$fuzz_programs_of_targets"

# fuzz_make DIR ARGUMENT...: build $fuzz_programs (all if it is empty) in DIR, a copy of tools/
fuzz_make() {
	fuzz_make_dir=$1
	shift
	make -s -C "$fuzz_make_dir" common="$top/scripts/lib/common" ${fuzz_programs:+"programs=$fuzz_programs"} "$@" programs
}

# fuzz_extras DIR: copy the C sources of extras beside DIR/tools
fuzz_extras() {
	[ ! -d "$top/extras" ] || cp -R "$top/extras" "$1/"
}

fuzz_build() {
	fuzz_dir=$1
	shift
	rm -rf "$fuzz_dir/tools" "$fuzz_dir/extras"
	mkdir -p "$fuzz_dir/work" && fuzz_bounded "$fuzz_dir" && cp -R "$top/tools" "$fuzz_dir/tools" && fuzz_extras "$fuzz_dir" &&
		make -s -C "$fuzz_dir/tools" clean &&
		fuzz_make "$fuzz_dir/tools" CC="$*" CFLAGS="-O1 -g -Wno-error $fuzz_sanitizers" LDFLAGS="$fuzz_sanitizers" || return
	(
		cd "$fuzz_dir/tools" || exit
		for flag in -std=c11 -D_GNU_SOURCE -O1 -g $fuzz_sanitizers -I lib -I analyse; do
			set -- "$@" "$flag"
		done
		"$@" -Dmain=select_main -c -o select-main.o analyse/select-samples.c &&
			"$@" -o bin/where "$fuzz_sources/where.c" select-main.o analyse/analyse.a lib/lib.a &&
			"$@" -o bin/percentiles "$fuzz_sources/percentiles.c" analyse/analyse.a lib/lib.a -lm &&
			"$@" -o bin/numbers "$fuzz_sources/numbers.c" lib/lib.a || exit
		# Let programs that read counts correct the checksums first. Otherwise they would refuse all changed counts.
		fuzz_sealed merge counts "$@" && fuzz_sealed pool-counts counts "$@" || exit
		for fuzz_program in $(tried_of_extras sealed | cut -d ' ' -f 1); do
			fuzz_sealed "$fuzz_program" "../extras/$fuzz_program" "$@" || exit
		done
	)
}

fuzz_bounded() {
	cc -O2 -o "$1/bounded" "$fuzz_sources/bounded.c"
}

# fuzz_plain DIR: build the programs without sanitizers in DIR/plain, if they are not there
fuzz_plain() {
	[ -d "$1/plain" ] || { cp -R "$top/tools" "$1/plain" && fuzz_make "$1/plain" clean >"$1/plain.log" 2>&1; }
}

fuzz_tree() {
	mkdir -p "$1/tree/results" && cp -R "$top/scripts" "$top/gnuplot" "$top/VERSION" "$1/tree/" && fuzz_extras "$1/tree" && cp -R "$top/results/atlas" "$1/tree/results/" &&
		mv "$1/tools" "$1/tree/tools" && chmod -R a+rX "$1/tree"
}

# fuzz_sealed PROGRAM FOLDER COMPILER...: build bin/sealed-PROGRAM, which corrects the checksums of its input
fuzz_sealed() {
	fuzz_program=$1
	fuzz_folder=$2
	shift 2
	"$@" -I counts -I "$fuzz_folder" -Dmain=sealed_main -c -o "$fuzz_program-main.o" "$fuzz_folder/$fuzz_program.c" &&
		"$@" -DMAIN=sealed_main -o "bin/sealed-$fuzz_program" "$fuzz_sources/sealed.c" "$fuzz_program-main.o" \
			"$fuzz_folder/${fuzz_folder##*/}.a" counts/counts.a analyse/analyse.a lib/lib.a -lm
}

# Print the target's own files. Add samples for targets that read samples, and results of other tools for histogram.
fuzz_inputs() {
	case $1 in
	figures | quantiles) set -- "$fuzz_sources/corpus/$1"/* "$fuzz_sources"/corpus/samples/* ;;
	merge | pool-counts) set -- "$fuzz_sources"/corpus/counts/* ;;
	histogram | kind)
		set -- "$fuzz_sources/corpus/$1"/* "$top"/tests/fixtures/import/* "$top"/tests/fixtures/versions/*-sid.* "$top"/extras/*/tests/fixtures/formats/*-sid.*
		;;
	*)
		[ -z "$(tried_of_extras "sealed $1")" ] || set -- counts
		if tried_of_extras format | grep -qx "$1"; then
			set -- "$top"/extras/*/tests/fixtures/formats/*
		else
			set -- "$fuzz_sources/corpus/$1"/*
		fi
		;;
	esac
	for fuzz_file; do
		[ ! -f "$fuzz_file" ] || printf '%s\n' "$fuzz_file"
	done
}

# fuzz_command DIR TARGET FILE: see above
fuzz_command() {
	fuzz_bin=$1/tools/bin
	fuzz_work=$1/work
	case $2 in
	column) printf '%s\n' "$fuzz_bin/import" -c 1 -u ms "$3" "$fuzz_work/out" ;;
	figures) printf '%s\n' "$fuzz_bin/answer" figures -o "$fuzz_work" -r "$fuzz_sources/corpus/verdict/run.tsv" "$3" ;;
	merge) printf '%s\n' "$fuzz_bin/sealed-merge" "$3" "$fuzz_work/out" counts ;;
	pool-counts) printf '%s\n' "$fuzz_bin/sealed-pool-counts" "$3" counts "$fuzz_work/out" "$fuzz_work/doctor" "$fuzz_work/facts" ;;
	histogram) printf '%s\n' "$fuzz_bin/histogram" "$3" "$fuzz_work/out" "$fuzz_work/facts" ;;
	intervals) printf '%s\n' "$fuzz_bin/quantiles" -g state,cpu -m latency -p 50,99,99.9 -t taint -U -l 5000 -i "$fuzz_work/intervals" "$3" ;;
	import) printf '%s\n' "$fuzz_bin/import" -n C1,C6 "$3" "$fuzz_work/out" ;;
	quantiles) printf '%s\n' "$fuzz_bin/quantiles" -g source,state -m wake_latency,silent_time -p 50,99.9 -t taint "$3" ;;
	verdict) printf '%s\n' "$fuzz_bin/answer" verdict -b 50000 "$3" "$fuzz_sources/corpus/samples/extremes.tsv" ;;
	*)
		fuzz_words=$(tried_of_extras "sealed $2")
		printf '%s\n' "$fuzz_bin/${fuzz_words:+sealed-}$2" "$3"
		! tried_of_extras format | grep -qx "$2" || printf '%s\n' "$fuzz_work/out" "$fuzz_work/facts"
		[ -z "$fuzz_words" ] || printf '%s\n' "$fuzz_words" | tr ' ' '\n' | sed "s|^WORK\$|$fuzz_work|" ;;
	esac
}

# fuzz_run DIR TARGET FILE: see above
fuzz_run() {
	fuzz_here=$1
	fuzz_words=$(fuzz_command "$@")
	set --
	while IFS= read -r fuzz_word; do
		set -- "$@" "$fuzz_word"
	done <<END
$fuzz_words
END
	timeout 120 prlimit --cpu=20 "$@" </dev/null >"$fuzz_here/work/stdout" 2>"$fuzz_here/work/stderr"
	fuzz_status=$?
	case $fuzz_status in
	0 | 1 | 3 | 4 | 5) ;;
	*) printf 'status %s\n' "$fuzz_status" ;;
	esac
	# The exit status of a sanitizer differs between compilers, so look for its message.
	grep -m 1 -E 'ERROR: [A-Za-z]*Sanitizer|runtime error' "$fuzz_here/work/stderr"
	# Programs that read counts may print several lines: one for each recording that they leave out.
	case ${1##*/} in
	sealed-*) return ;;
	esac
	[ "$fuzz_status" -ne 1 ] || [ "$(wc -l <"$fuzz_here/work/stderr")" -le 1 ] ||
		printf 'more than a line on stderr: %s\n' "$(head -n 3 "$fuzz_here/work/stderr")"
}

# fuzz_recording DIR PROGRAM FILE: run dump, stock or the program of an extra on FILE, and print what is wrong as fuzz_run does. The trace
# library has a process of its own, which may crash on a damaged file. So only a sanitizer's log shows faults in our own code.
fuzz_recording() {
	rm -f "$1"/work/log.*
	set -- "$1" "$2" "$3" "$1/work/rec.tsv" "$1/work/rec.facts"
	[ "$2" = stock ] || set -- "$1" "$2" "$3" "$4"
	fuzz_here=$1
	fuzz_program=$2
	shift 2
	ASAN_OPTIONS=$ASAN_OPTIONS:log_path=$fuzz_here/work/log UBSAN_OPTIONS=$UBSAN_OPTIONS:log_path=$fuzz_here/work/log \
		"$fuzz_here/bounded" 1024 timeout 60 "$fuzz_here/tools/bin/$fuzz_program" "$@" >"$fuzz_here/work/stdout" 2>"$fuzz_here/work/stderr"
	fuzz_status=$?
	fuzz_lines=1
	# With a sanitizer the reader has no limit on its memory, and needs more time. Try again without sanitizers.
	if [ "$fuzz_status" -eq 98 ] || [ "$fuzz_status" -eq 124 ]; then
		fuzz_plain "$fuzz_here"
		"$fuzz_here/bounded" 1024 timeout 60 "$fuzz_here/plain/bin/$fuzz_program" "$@" >"$fuzz_here/work/stdout" 2>"$fuzz_here/work/stderr"
		fuzz_status=$?
	fi
	case $fuzz_status in
	0) fuzz_lines=0 ;;
	1 | 3) ;;
	98) printf 'takes more than 1 GiB\n' ;;
	*) printf 'status %s\n' "$fuzz_status" ;;
	esac
	[ "$(wc -l <"$fuzz_here/work/stderr")" -eq "$fuzz_lines" ] && [ ! -s "$fuzz_here/work/stdout" ] ||
		printf 'status %s with unexpected output: %s\n' "$fuzz_status" "$(head -n 3 "$fuzz_here/work/stderr")"
	[ "$fuzz_status" -ne 1 ] || ! ls "$fuzz_here"/work/rec.tsv.partial "$fuzz_here"/work/rec.tsv >/dev/null 2>&1 ||
		printf 'status 1, but an output file is left\n'
	rm -f "$fuzz_here"/work/rec.*
	fuzz_logs "$fuzz_here"/work/log.*
}

fuzz_logs() {
	for fuzz_log; do
		[ -e "$fuzz_log" ] || continue
		# Print the innermost function of our code, unless the fault is inside of a library other than C's. A program that was
		# built in tools/ names its sources relative to tools/. A library with debugging symbols also names sources instead
		# of its own file, so check that the source is a file in tools/.
		awk -v tools="$top/tools/" '
			!/^ *#[0-9]+ .* in / || /lib[a-z]+san\.so|\/lib[cm]\.so/ { next }
			/\(\/.*\.so[.0-9]*\+0x/ { exit }
			{
				file = $NF
				sub(/^(.*\/)?tools\//, "", file)
				sub(/:[0-9:]+$/, "", file)
				if (file !~ /^[a-z]+\/[a-z-]+\.[ch]$/ || (getline line < (tools file)) <= 0)
					next
				print
				exit
			}' "$fuzz_log"
		grep -m 1 'runtime error' "$fuzz_log" || :
	done
}
