# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# looks.sh - simulate record --for-verdict with random samples, and count how often it is wrong. It tests the samples
# repeatedly while it records; each of these tests is a look.
#
# The looks are those of scripts/lib/record/for-verdict.sh and looks.awk; only the kernel is missing. As an independent
# check, some of the recordings are written to files and judged by wakelat verdict.

: "${top:?}"

# for_verdict_has NAME: print a constant of for-verdict.sh
for_verdict_has() {
	sed -n "s/^$1=//p" "$top/scripts/lib/record/for-verdict.sh"
}

# look PERCENTILE LOOK [N OVER]: call looks.awk as for-verdict.sh does
look() {
	awk -v percentile="$1" -v tail="$(for_verdict_has for_verdict_tail)" -v look="$2" ${3:+-v n="$3" -v over="$4"} \
		-f "$top/scripts/lib/common/enough.awk" -f "$top/scripts/lib/record/looks.awk"
}

# first_over PERCENTILE LOOK N STILL LOW HIGH: print the smallest number of longer samples, above LOW, for which the look's
# answer is none of the words in STILL
first_over() (
	low=$5 high=$6
	while [ $((high - low)) -gt 1 ]; do
		middle=$(((low + high) / 2))
		case " $4 " in
		*" $(look "$1" "$2" "$3" "$middle") "*) low=$middle ;;
		*) high=$middle ;;
		esac
	done
	printf '%s\n' "$high"
)

# thresholds PERCENTILE: print a line for each look: its number of samples, the largest number of longer samples for the
# answer "kept", and the smallest for "exceeded"
thresholds() {
	k=1
	while [ "$k" -le "$(for_verdict_has for_verdict_looks)" ]; do
		n=$(look "$1" "$k")
		not_kept=$(first_over "$1" "$k" "$n" kept -1 "$n")
		printf '%s\t%s\t%s\n' "$n" $((not_kept - 1)) "$(first_over "$1" "$k" "$n" "kept undecided" $((not_kept - 1)) "$n")"
		k=$((k + 1))
	done
}

# looks_row PERCENTILE TIMES REPETITIONS SEED: simulate a share of longer samples that is TIMES the share that the percentile
# allows. TIMES = 1 is the hardest: the limit is the true percentile, or 1 ns less, and the more frequent answer counts as wrong.
looks_row() (
	: "${tmp:?}"
	share=$(awk -v p="$1" -v times="$2" 'BEGIN { printf "%.12f", (100 - p) / 100 * times }')
	awk -v seed="$4" -v repetitions="$3" -v share="$share" -f "$top/tests/lib/looks.awk" "$tmp/thresholds.$1" |
		awk -F '\t' -v OFS='\t' -v percentile="$1" -v times="$2" -v all="$3" '{
			wrong = times < 1 || (times == 1 && $2 > $1) ? $2 : $1
			print "looks", percentile, times, all, $1, $2, $3, wrong, sprintf("%.2f", 100 * wrong / all), $4, $5 }'
)

# write_recording DIRECTORY PERCENTILE SEED: write a recording of one state that ended when a look decided it. Half of the
# samples that are not longer than 50 us are 50 us, so that 50 us is the true percentile. Print the looks' answer.
write_recording() (
	share=$(awk -v p="$2" 'BEGIN { printf "%.12f", (100 - p) / 100 }')
	awk -v seed="$3" -v share="$share" -v directory="$1" '
		function header(text) { gsub(" ", "\t", text); print text >(directory "/samples.tsv") }
		function row(latency) {
			seq++
			print 1, 0, "hrtimer", 1, seq, 1000000, 0, 0, 0, 0, 1000000, latency, latency + 1000, 0, "-", 0, 0, 0 \
				>(directory "/samples.tsv")
			return latency > 50000
		}
		BEGIN { OFS = "\t"; srand(seed)
			header("run cpu source state seq ldist ltime tbi tai tintr silent_time wake_latency intr_latency irqs_on taint tbi_cyc tai_cyc tintr_cyc") }
		said == "" {
			while (seq < $1) {
				u = rand()
				over += row(u < share ? 50001 + int(rand() * 100000) : u < (1 + share) / 2 ? 50000 : int(rand() * 50000))
			}
			looks = NR
			said = over <= $2 ? "kept" : over >= $3 ? "exceeded" : ""
		}
		END {
			print (said == "" ? "undecided" : said)
			file = directory "/run.tsv"
			print "key", "value" >file
			print "format", 1 >file
			print "source", "hrtimer" >file
			print "cpus", 0 >file
			print "emulated", "no" >file
			print "driver", "intel_idle" >file
			print "state.0.name", "POLL" >file
			print "state.0.latency_ns", 0 >file
			print "state.1.name", "C1" >file
			print "state.1.latency_ns", 2000 >file
			print "run.1.state", "C1" >file
			print "run.1.looks", looks >file
		}' "$tmp/thresholds.$2"
)

# judged_recordings PERCENTILE FIRST LAST DIRECTORY: print for each recording the looks' answer and the exit status of
# wakelat verdict
judged_recordings() (
	directory=$4
	mkdir -p "$directory" || exit
	seed=$2
	while [ "$seed" -le "$3" ]; do
		said=$(write_recording "$directory" "$1" "$seed")
		"$top/scripts/wakelat" verdict -q -p "$1" -b 50us "$directory" >"$directory/said" 2>&1
		printf '%s\t%s\n' "$said" $?
		seed=$((seed + 1))
	done
	rm -rf "$directory"
)

# verdict_row PERCENTILE: sum the lines of judged_recordings to a row like that of looks_row. Return 1 if wakelat verdict
# disagrees with a look.
verdict_row() {
	awk -F '\t' -v OFS='\t' -v percentile="$1" '
		BEGIN { status["kept"] = 0; status["exceeded"] = 4; status["undecided"] = 5 }
		{ n[$1]++ }
		$2 != status[$1] { other++ }
		END {
			wrong = n["kept"] > n["exceeded"] ? n["kept"] : n["exceeded"]
			print "verdict", percentile, 1, NR, n["kept"] + 0, n["exceeded"] + 0, n["undecided"] + 0, wrong + 0,
				sprintf("%.2f", 100 * wrong / NR), "-", "-"
			if (other)
				print other " of " NR " verdicts differ from the answers of the looks" >"/dev/stderr"
			exit other > 0
		}'
}
