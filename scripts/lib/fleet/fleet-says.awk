# SPDX-License-Identifier: GPL-2.0
# fleet-says.awk - print the answer from fleet-answer.tsv, or with -v what=rule the rule. Needs fleet-text.awk.

FNR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

{ print answer_text($at["machines"], $at["different"], $at["alone"], $at["nothing"]) }

END {
	if (what == "rule")
		print rule_text()
}
