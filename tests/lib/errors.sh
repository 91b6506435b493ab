# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# errors.sh - compare recordings on the testbed with their truth logs, and write the table of errors that the
# tests share, out/check/errors.tsv.
#
# Needs replay.sh.

: "${top:?}" "${tmp:?}" "${status=}" "${out=}"

# append_errors NAME: append the output of tools/bin/truth, $out, to $tmp/errors.tsv, with NAME as the source
append_errors() {
	errors_header=$([ -e "$tmp/errors.tsv" ] || printf 1)
	printf '%s\n' "$out" | awk -F '\t' -v OFS='\t' -v name="$1" -v header="$errors_header" '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
	# Omit states without untainted samples: a tainted sample may have left C1 on another code path, so its error says nothing.
	NR > 1 ? $column["n"] > 0 : header {
		print NR == 1 ? "source" : name, $column["state"], $column["n"], $column["median_ns"],
			$column["max_ns"], $column["spread_ns"], $column["metric"], $column["min_ns"],
			$column["tainted"], $column["foreign"], $column["silent_median_ns"],
			$column["silent_min_ns"], $column["silent_max_ns"], $column["intr_median_ns"],
			$column["intr_min_ns"], $column["intr_max_ns"], $column["beyond"], $column["waited"]
	}' >>"$tmp/errors.tsv"
}

# measure NAME JOB [TESTBED-OPTION...]: run a job that records into /out/run, and append its rows to
# $tmp/errors.tsv, with NAME as the source.
measure() {
	measure_name=$1
	measure_job=$2
	shift 2
	declared tools
	guest_job "$tmp/$measure_name" "$measure_job" "$@"
	is "$status" 0 "$measure_name: the testbed records the run"
	mv "$tmp/$measure_name"/truth*.tsv "$tmp/$measure_name/run/"
	ok "$measure_name: dump reads the samples" "$top/scripts/wakelat" dump "$tmp/$measure_name/run"
	run "$top/tools/bin/truth" "$tmp/$measure_name/run"
	is "$status" 0 "$measure_name: each sample has its idle period, the right state, and no foreign wake-up without a taint"
	append_errors "$measure_name"
}

# field NAME STATE COLUMN: print a cell of errors.tsv
field() {
	awk -F '\t' -v source="$1" -v state="$2" -v name="$3" '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i }
	$1 == source && $2 == state { print $column }' "$tmp/errors.tsv"
}

# within NAME STATE COLUMN LOW HIGH: check that the cell is between LOW and HIGH
within() {
	value=$(field "$1" "$2" "$3")
	ok "$1 $2: $3 ${value:-absent} in [$4, $5]" test "$value" -ge "$4" -a "$value" -le "$5"
}

# compared NAME STATE SAMPLES: check that all untainted samples but at most 1 in 100 are compared. The others waited for
# their CPU's turn in the emulator, which the truth log shows.
compared() {
	compared_n=$(field "$1" "$2" n)
	compared_waited=$(field "$1" "$2" waited)
	is "$((compared_n + compared_waited))" "$3" "$1 $2: $3 samples are compared, except $compared_waited that waited for their turn"
	ok "$1 $2: at most 1 sample in 100 waited for its turn" test "$((compared_waited * 100))" -le "$3"
}

# publish_errors: write the rows into the shared table, replacing older rows of the same names
publish_errors() {
	mkdir -p "$top/out/check"
	errors=$top/out/check/errors.tsv
	exec 9>"$errors.lock"
	flock 9
	[ -e "$errors" ] || head -n 1 "$tmp/errors.tsv" >"$errors"
	awk -F '\t' '
	FNR == NR { rows[++n] = $0; mine[$1] = 1; next }
	FNR == 1 { print rows[1]; next }
	!($1 in mine)
	END { for (i = 2; i <= n; i++) print rows[i] }' "$tmp/errors.tsv" "$errors" >"$errors.partial" &&
		mv "$errors.partial" "$errors"
	exec 9>&-
	note "emulated; error = measured - injected, ns:"
	note "$(cat "$tmp/errors.tsv")"
}
