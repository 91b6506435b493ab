#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Variables of the caller that gawk, gnuplot, coreutils and others read do not change a result, and a full disk gets one line
# with the system's reason and leaves nothing.
# needs: tools
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1
three_states d

# answers FILE [VARIABLE=VALUE]: write to FILE what verdict, stats and report print, and whether report makes a page
answers() (
	file=$1
	shift
	rm -f d/*.html d/stats* d/verdict.tsv
	rm -rf d/figures state
	for command in 'verdict --budget 50us' 'stats --all' 'report -q'; do
		words "$command d" env "$@" "$wakelat"
		printf 'status %s\n' $?
	done >"$file" 2>&1
	names d >>"$file"
)
answers plain
like "$(cat plain)" 'report.html' "the page is made"
for variable in POSIXLY_CORRECT=1 GNUTERM=qt GAWK_READ_TIMEOUT=1 AWKPATH=/nowhere QUOTING_STYLE=c GAWK_PERSIST_FILE=/nowhere \
	GNUPLOT_DEFAULT_GDFONT=/nowhere BLOCKSIZE=x TIME_STYLE=x _POSIX2_VERSION=199209; do
	answers got "$variable"
	same got plain "$variable changes nothing"
done

[ "$(id -u)" -eq 0 ] && unshare -m true 2>/dev/null || {
	done_testing
	exit
}
mkdir disk
# on_disk SIZE COMMAND...: run it while disk/ is a file system of this size. Print the names of the files there afterwards.
on_disk() {
	unshare -m sh -c 'mount -t tmpfs -o size="$1" tmpfs disk && shift && "$@"; status=$?; ls -A disk; exit $status' sh "$@"
}
full() {
	on_disk 4k env "$@"
}
refused '^wakelat stats: cannot write disk/x: No space left on device$' "stats -o on a full disk leaves no table and no directory" full "$wakelat" stats -q -o disk/x d
refused '^wakelat scrub: cannot write disk/x: No space left on device$' "scrub on a full disk leaves no directory" full "$wakelat" scrub -q -o disk/x d
for command in 'plot -q -k svg' 'stats -q -o x'; do
	words "$command d" refused "^wakelat [a-z]*: cannot write temporary files in $tmp/disk: No space left on device\$" \
		"${command%% *} names the directory of temporary files if that is full" full TMPDIR="$tmp/disk" "$wakelat"
done
if command -v gnuplot >/dev/null; then
	# stub_gnuplot SCRIPT: make a gnuplot that runs SCRIPT instead of drawing the figure $result
	stub_gnuplot() {
		mkdir -p stub
		printf '#!/bin/sh\n[ "$2" = -c ] || exec %s "$@"\nresult=$5\n%s\n' "$(command -v gnuplot)" "$1" >stub/gnuplot
		chmod +x stub/gnuplot
	}
	full_disk='head -c 9M /dev/zero >../fill 2>/dev/null'
	stub_gnuplot "$full_disk; exit 1"
	refused "^wakelat report: cannot write temporary files in $tmp/disk: No space left on device\$" \
		"report names the directory of temporary files if gnuplot fails without a message on a full disk" \
		on_disk 8m env PATH="$tmp/stub:$PATH" TMPDIR="$tmp/disk" "$wakelat" report -q -o x.html d
	stub_gnuplot 'exit 1'
	refused '^wakelat report: figure [a-z.-]*: gnuplot says: nothing' "report says if gnuplot fails without a message" \
		env PATH="$tmp/stub:$PATH" "$wakelat" report -q -o x.html d
	stub_gnuplot "rm -f ../fill; echo drawn >\$result; $full_disk; exit 0"
	for command in 'report -q -o x.html' 'plot -q -k svg'; do
		words "$command d" refused "^wakelat [a-z]*: cannot write temporary files in $tmp/disk: No space left on device\$" \
			"${command%% *} says in one line if the disk is full after the last figure" \
			on_disk 8m env PATH="$tmp/stub:$PATH" TMPDIR="$tmp/disk" "$wakelat"
	done
fi
done_testing
