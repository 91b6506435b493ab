# SPDX-License-Identifier: GPL-2.0
# fleet-says.awk - print the answer from fleet-answer.tsv, or with -v what=rule the rule, or with -v what=uncertain how uncertain
# launch times are, from fleet-states.tsv. Needs us.awk, fleet-text.awk.

FNR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

what == "uncertain" {
	k = $at["state"] " " us($at["uncertainty"]) " us"
	if ($at["uncertainty"] != "-" && !(k in has)) {
		has[k]
		list = list (list == "" ? "" : ", ") k
	}
	next
}

{ print answer_text($at["machines"], $at["different"], $at["alone"], $at["nothing"]) }

END {
	if (what == "rule")
		print rule_text()
	if (list != "")
		print uncertain_text(list)
}
