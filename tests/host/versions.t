#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat import reads what cyclictest and rtla of Debian 12, 13 and sid print. The fixtures' README says how they were made. The
# right values are the tools' own sums.
# needs: tools
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1
versions=$top/tests/fixtures/versions

# imported FILE: import FILE into d
imported() {
	rm -rf d
	ok "$1: import" "$wakelat" import -q -o d "$versions/$1"
}

# of_threads: print "CPU SAMPLES MIN MAX" of each thread in d: the number, the lowest lower end, the highest upper end minus 1 (us)
of_threads() {
	awk -F '\t' '
		function show() { if (n != "") printf "%s%s %s %d %d", comma, cpu, n, least / 1000, most / 1000 - 1; comma = ";" }
		$7 == "samples" { if (n != "") show(); cpu = $4; n = $9; least = most = "" }
		$7 == "interval" { if (least == "" || $8 < least) least = $8; if ($10 > most) most = $10 }
		END { show(); print "" }' d/counts.tsv
}

# stated FILE: print the same from the lines of cyclictest -h
stated() {
	awk '
		/^[0-9]/ { for (i = 1; i <= 2; i++) n[i] += $(i + 1) }
		/^# Histogram Overflows:/ { for (i = 1; i <= 2; i++) n[i] += $(i + 3) }
		/^# Min/ { for (i = 1; i <= 2; i++) least[i] = $(i + 3) }
		/^# Max/ { for (i = 1; i <= 2; i++) most[i] = $(i + 3) }
		END { for (i = 1; i <= 2; i++) printf "%s%d %d %d %d", (i == 1 ? "" : ";"), i - 1, n[i], least[i], most[i]; print "" }' "$versions/$1"
}

caveats() {
	sed -n 's/^caveat	//p' d/run.tsv
}

for release in bookworm trixie sid; do
	for kind in h H over file; do
		file=cyclictest-$kind-$release.txt
		imported "$file"
		is "$(of_threads)" "$(stated "$file")" "$file: samples, minimum and maximum are the stated ones"
		like "$(caveats)" 'does not say whether' "$file: whether idle states were allowed is unknown"
	done
	imported "cyclictest-sum-$release.txt"
	is "$(of_threads)" "$(sed -n 's/^T: \([0-9]*\) .* C: *\([0-9]*\) Min: *\([0-9]*\) .* Max: *\([0-9]*\).*/\1 \2 \3 \4/p' \
		"$versions/cyclictest-sum-$release.txt" | paste -sd ';' -)" "cyclictest's summary: samples, minimum and maximum"
	like "$(caveats)" '^cyclictest held /dev/cpu_dma_latency at 0' "cyclictest's summary: the caveat"
	for file in "cyclictest-h-$release.json" "cyclictest-$release.json"; do
		imported "$file"
		is "$(of_threads)" "$(sed -n 's/^ *"\(cycles\|min\|max\|cpu\)": \([0-9]*\).*/\1 \2/p' "$versions/$file" | awk '
			{ v[$1] = $2 }
			$1 == "cpu" { printf "%s%d %d %d %d", comma, v["cpu"], v["cycles"], v["min"], v["max"]; comma = ";" }
			END { print "" }')" "$file: samples, minimum and maximum are the stated ones"
		is "$(sed -n 's/^date	//p' d/run.tsv | cut -c 1-16)" "2026-01-01T00:00" "$file: the date is the start that it states"
	done
	is "$(caveats)" "" "cyclictest --json --laptop: no caveat"

	# The virtual Xeon's timer wakes from C6 in 133 us, so some samples are in the last microsecond of each histogram.
	for kind in b200 over user; do
		file=rtla-$kind-$release.txt
		[ -e "$versions/$file" ] || continue
		imported "$file"
		awk '
			$1 == "Index" { for (i = 2; i <= NF; i++) { split($i, part, "-"); kind[i] = part[1]; cpu[i] = part[2] + 0 } n = NF }
			$1 == "count:" && !count[2] { for (i = 2; i <= n; i++) count[i] = $i }
			$1 == "min:" && !max[2] { for (i = 2; i <= n; i++) min[i] = $i }
			$1 == "max:" && !max[2] { for (i = 2; i <= n; i++) max[i] = $i }
			END {
				split("IRQ Thr Usr", order, " ")
				for (k = 1; k <= 3; k++)
					for (i = 2; i <= n; i++)
						if (kind[i] == order[k]) {
							printf "%s%d %d %d %d", comma, cpu[i], count[i], min[i], max[i]
							comma = ";"
						}
				print ""
			}' "$versions/$file" >stated
		is "$(of_threads)" "$(cat stated)" "$file: samples, minimum and maximum are the stated ones"
	done
	imported "rtla-over-$release.txt"
	is "$(awk -F '\t' '$2 == 1 && $7 == "interval" && $8 < 11000 && $10 > 14000' d/counts.tsv)" "" \
		"rtla of $release, -E 11: samples beyond the last bucket are not in a bucket"
	refused 'rtla timerlat top has no histogram' "rtla timerlat top of $release" "$wakelat" import -o x "$versions/rtla-top-$release.txt"
	refused 'rtla osnoise hist: noise' "rtla osnoise hist of $release" "$wakelat" import -o x "$versions/osnoise-hist-$release.txt"
	refused 'rtla osnoise top: noise' "rtla osnoise top of $release" "$wakelat" import -o x "$versions/osnoise-top-$release.txt"
done
done_testing
