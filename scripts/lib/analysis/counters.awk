# SPDX-License-Identifier: GPL-2.0
# counters.awk - run.tsv samples.tsv: print the residency counter of each state for quantiles -r:
# "3=cc6_cyc". Instead of samples.tsv, counts.tsv may be given: it has a row for each column of the
# samples. By Intel's convention the upper digit of the MWAIT hint is one less than the number of
# the C-state.

function counter(hint,  digits) {
	sub(/^0x/, "", hint)
	digits = length(hint)
	if (digits < 2 || substr(hint, 1, digits - 1) ~ /^0+$/)
		return "cc1_cyc"
	if (substr(hint, 1, digits - 1) ~ /^0*1$/)
		return "cc3_cyc"
	if (substr(hint, 1, digits - 1) ~ /^0*2$/)
		return "cc6_cyc"
	return "cc7_cyc"
}

FNR == NR {
	if ($1 ~ /^state\.[0-9]+\.desc$/ && $2 ~ /^MWAIT 0x[0-9A-Fa-f]+$/) {
		split($1, key, ".")
		of[key[2]] = counter(substr($2, 7))
		states = states < key[2] + 1 ? key[2] + 1 : states
	}
	next
}

FNR == 1 {
	for (i = 1; i <= NF; i++) {
		there[$i] = 1
		at[$i] = i
	}
	if (!("kind" in at) || !("count" in at))
		exit
	next
}

$at["kind"] != "column" { exit }

{ there[$at["metric"]] = 1 }

END {
	for (i = 0; i < states; i++)
		if (of[i] in there) {
			printf "%s%d=%s", comma, i, of[i]
			comma = ","
		}
	print ""
}
