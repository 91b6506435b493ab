# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# directories-commands.sh - directories_KIND DIRECTORY TURN: run three commands on a directory of directories.sh: the most
# important ones, and one of the others, which TURN selects. Commands that draw figures take long, so TURN selects them rarely.

: "${directories_tree?directories.sh}" "${directories_uid=}" "${directories_as=}" "${directories_dir=}"

# directories_wakelat NAME ARGUMENT...: run wakelat ARGUMENT... by directories_run
directories_wakelat() {
	directories_name=$1
	shift
	directories_run "$directories_name" "$directories_tree/scripts/wakelat" "$@"
}

# directories_extra KIND TURN DIRECTORY: run one of the commands of this kind that extras have (tried.sh)
directories_extra() {
	directories_words=$(tried_of_extras "$1" | awk -v turn="$2" '{ line[NR] = $0 } END { if (NR) print line[int(turn / 8) % NR + 1] }')
	[ -n "$directories_words" ] || return 0
	directories_file=$3
	if [ "$1" = foreign ]; then
		directories_file=$3/${directories_words##* }
		directories_words=${directories_words% *}
	fi
	set --
	for directories_word in $directories_words; do
		set -- "$@" "$directories_word"
	done
	directories_wakelat "extra-$1" "$@" "$directories_file"
}

directories_recording() {
	directories_wakelat stats stats "$1"
	case $(($2 % 2)) in
	0) directories_wakelat verdict verdict -b 50us "$1" ;;
	1) directories_wakelat compare compare "$directories_dir/other" "$1" -o out.tsv ;;
	esac
	case $(($2 / 2 % 32)) in
	0) directories_wakelat compare compare -q "$1" "$directories_dir/other" ;;
	1 | 11) directories_wakelat stats-json stats --json "$1" ;;
	2 | 12 | 22) directories_extra recording "$2" "$1" ;;
	3 | 13 | 23) directories_wakelat dump dump "$1" ;;
	4 | 14 | 24) directories_wakelat scrub scrub -o scrubbed "$1" ;;
	5 | 15) directories_wakelat stats-where stats -w 'state == C6' "$1" ;;
	6 | 16) directories_wakelat import import -o imported "$1" ;;
	7) directories_wakelat import-column import -o imported -c 2 -u us "$1/run.tsv" ;;
	8 | 18) directories_wakelat stats-counts stats --counts out.counts "$1" ;;
	9) directories_wakelat stats-all stats -a --unsupported --hgrm hgrm -o tables "$1" ;;
	10) directories_wakelat verdict-paste verdict -b 50us --paste udev "$1" ;;
	17) directories_wakelat verdict-json verdict -b 50us --json -o verdict.tsv "$1" ;;
	19) directories_wakelat report-mail report --mail "$1" ;;
	20) directories_extra recording "$2" "$1" ;;
	21) directories_wakelat compare-json compare --json "$1" "$directories_dir/other" -o out.tsv ;;
	25) directories_wakelat from-events dump --from-events -o events "$1/trace.dat" ;;
	26) directories_wakelat dump-file dump -o out.tsv "$1/trace.dat" ;;
	27) directories_restore "$1" ;;
	29) directories_wakelat plot plot -k svg -f ccdf,states "$1" ;;
	30) directories_wakelat report report "$1" ;;
	31) directories_wakelat report-two report -q -o page.html "$1" "$directories_dir/other" ;;
	esac
}

# directories_restore DIRECTORY: run restore as root with DIRECTORY as /run/wakelat, which belongs to uid 65534. If root owned it,
# restore would be right to write the values in its journal.
directories_restore() {
	[ -n "$directories_as" ] && [ "$directories_uid" -ne 0 ] && command -v unshare >/dev/null || return 0
	directories_uid=0
	directories_run restore unshare -m sh -c 'mount -t tmpfs -o mode=755 none /run && cp -a -- "$2" /run/wakelat &&
		chown 65534 /run/wakelat && [ -f /run/wakelat/run.tsv ] && cp /run/wakelat/run.tsv /run/wakelat/state 2>/dev/null; exec "$1" restore' sh \
		"$directories_tree/scripts/wakelat" "./$1"
}

directories_counts() {
	directories_wakelat merge merge -o merged.counts "$1"
	directories_extra counts $(($2 * 8)) "$1"
	case $(($2 % 4)) in
	0) directories_wakelat import-counts import -o imported "$1/node1.counts" ;;
	1) directories_wakelat import-copy import -o imported "$1" ;;
	2) directories_wakelat merge-files merge -o merged.counts "$1/node1.counts" "$1/node2.counts" "$directories_dir/base/counts/node3.counts" ;;
	3) directories_wakelat merge-only merge --only kernel=6.12.0 -o merged.counts "$1/node1.counts" "$1" ;;
	esac
}

directories_foreign() {
	directories_wakelat import-wult import -o wult "$1"
	case $(($2 % 3)) in
	0) directories_wakelat import-cyclictest-json import -o cyclictest "$1/cyclictest.json" ;;
	1) directories_wakelat import-cyclictest import -o cyclictest "$1/cyclictest.txt" ;;
	2) directories_wakelat import-timerlat import -o timerlat "$1/timerlat.txt" ;;
	esac
	case $(($2 / 4 % 8)) in
	0 | 1 | 2 | 3 | 4) directories_extra foreign $(($2 * 2)) "$1" ;;
	5) directories_wakelat stats-wult stats wult ;;
	6) directories_wakelat import-states import --states C1:2:2,C6:133:600 --source x -c WakeLatency -u us -o table "$1/datapoints.csv" ;;
	7) directories_extra foreign "$2" "$1" ;;
	esac
}

directories_points() {
	directories_wakelat stats-point stats "$1/point"
	directories_wakelat scrub-point scrub -o scrubbed "$1/point"
	case $(($2 % 8)) in
	0) directories_wakelat plot-sweep plot -q -k svg "$1" ;;
	1) directories_wakelat report-sweep report -q "$1" ;;
	2) directories_wakelat sweep sweep --qos none -o "$1" ;;
	3) directories_extra points "$2" "$1" ;;
	4) directories_wakelat resume record --resume "$1/point" ;;
	5) directories_wakelat verdict-point verdict -b 50us -p max "$1/point" ;;
	6) directories_wakelat compare-points compare "$1/point" "$1/point" -o out.tsv ;;
	7) directories_wakelat stats-sweep stats "$1" ;;
	esac
}
