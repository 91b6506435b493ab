# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# summary.sh - print the summary of tests/check: times, skipped checks, failures. Run in the repository's top directory.

# timed NAME COMMAND...: run the command, and note its duration
timed() {
	timed_name=$1
	shift
	timed_began=$(date +%s.%N)
	"$@"
	timed_status=$?
	printf '%s %s\n' "$timed_began" "$(date +%s.%N)" |
		awk -v name="$timed_name" -v status="$timed_status" '{ printf "%s\t%.1f\t%d\t0\n", name, $2 - $1, status }' >>out/check/builds
	return "$timed_status"
}

# results: print TEST, SECONDS and RESULT, separated by tabs, for each test whose result prove has saved
results() {
	cat out/check/*.state 2>/dev/null | awk '
		/^  [^ ]/ { gsub(/[" :]/, ""); test = $0 }
		$1 == "elapsed:" { elapsed = $2 }
		$1 == "last_result:" { printf "%s\t%.1f\t%s\n", test, elapsed, $2 }'
}

# write_times: write out/check/times.tsv, the longest first
write_times() {
	results | awk -F '\t' -v OFS='\t' '
		FILENAME == "-" { n[$1] += 0; print $1, $2, $3, skipped[$1] + 0; next }
		FNR > 1 { skipped[$1] += $2 }' out/check/skipped.tsv - | cat out/check/builds - 2>/dev/null |
		sort -t "$(printf '\t')" -k 2,2rn >out/check/times.partial
	{
		printf 'what\tseconds\tresult\tskipped\n'
		cat out/check/times.partial
	} >out/check/times.tsv
	rm -f out/check/times.partial
}

show_times() {
	printf '\nTime of each build and test, s (out/check/times.tsv; two and more run at a time):\n'
	awk -F '\t' 'NR > 1 { printf "%8.1f  %s\n", $2, $1 }' out/check/times.tsv | head -n 20
	awk -F '\t' '
		NR > 1 && NR > 21 { n++; rest += $2 }
		NR > 1 { kind = $1; sub(/^tests\//, "", kind); sub(/[:\/].*/, "", kind); sum[kind] += $2; number[kind]++ }
		END {
			if (n) printf "%8.1f  %d others\n", rest, n
			printf "  In all:"
			for (kind in sum) printf "%s %s %d in %.0f s", comma, kind, number[kind], sum[kind]
			print ""
		}' out/check/times.tsv
}

# show_skipped: print the skipped checks, as the last lines
show_skipped() {
	[ "$(sed 1d out/check/skipped.tsv | wc -l)" -gt 0 ] || {
		printf '\nSkipped: nothing\n'
		return
	}
	printf '\nSkipped: %s checks (a test that is skipped as a whole counts as one), out/check/skipped.tsv:\n' \
		"$(awk -F '\t' 'NR > 1 { n += $2 } END { print n }' out/check/skipped.tsv)"
	awk -F '\t' 'NR > 1 { printf "%8d  %s: %s\n", $2, $1, $3 }' out/check/skipped.tsv | sort -k 2
}

# failures: print the builds that failed, and the tests that failed according to prove, each with the first lines of its messages
failures() {
	awk -F '\t' '$3 != 0 { printf "%s failed with status %d\n", $1, $3 }' out/check/builds
	results | awk -F '\t' '$3 != 0 { print $1 }' | sort |
		while IFS= read -r test; do
			printf '%s\n' "$test"
			sed 's/^/    /; 12q' "out/check/failures/$(basename "$(dirname "$test")")-${test##*/}" 2>/dev/null
		done
}
