# SPDX-License-Identifier: GPL-2.0
# compare-doubts.awk - compare.tsv: print for each recording and state why a difference may be
# chance more often than its interval states.

NR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

function note(run, word, n, effective, off,  key) {
	key = run SUBSEP $at["state"]
	if (!(key in states))
		order[++nr] = key
	states[key] = 1
	if (off + 0 > uncertain[key] + 0)
		uncertain[key] = off
	if (index($at["doubt"], "clusters_" word) || index($at["doubt"], "drift_" word))
		in_doubt[key] = in_doubt[key] (in_doubt[key] == "" ? "" : ", ") $at["statistic"]
	if (index($at["doubt"], "drift_" word))
		drift[key] = 1
	if (effective != "-" && effective + 0 < n + 0 && (!(key in least) || effective + 0 < least[key] + 0)) {
		least[key] = effective
		of_n[key] = n
	}
}

{
	note($at["run_a"], "a", $at["n_a"], $at["effective_n_a"], $at["uncertainty_a"])
	note($at["run_b"], "b", $at["n_b"], $at["effective_n_b"], $at["uncertainty_b"])
}

END {
	for (i = 1; i <= nr; i++) {
		key = order[i]
		split(key, part, SUBSEP)
		if (key in least)
			printf "%s, %s: samples may depend on each other: the intervals count them as at least %s samples instead of %s\n", part[1], \
				part[2], least[key], of_n[key]
		if (uncertain[key] + 0 > 0)
			printf "%s, %s: the uncertainty of launch times widens the intervals by at most %.10g us\n", part[1], part[2], uncertain[key] / 1000
		if (key in in_doubt)
			printf "DOUBT: %s, %s: %s, so a difference may be chance (%s)\n", part[1], part[2], \
				key in drift ? "latencies changed during the recording" : "samples come in clusters", in_doubt[key]
	}
}
