# SPDX-License-Identifier: GPL-2.0
# only-reached.awk - STATES REACHED TABLE: print TABLE of quantiles. If any sample of a state reached
# the state, the row has the statistics of the samples that reached it, as verdict judges them. The
# taints stay those of all samples. STATES is the table of quantiles -r by source and state. REACHED is
# the table of quantiles -r with the columns of TABLE. There is no arithmetic: values have up to 64 bits.

# Return the cells of the row that tell it from the other rows of TABLE.
function key(  i, text) {
	for (i = 1; i <= NF; i++)
		if (column[i] ~ /^(source|state|cpu|metric|percentile)$/)
			text = text FS $i
	return text
}

FNR == 1 {
	file++
	split("", at)
	for (i = 1; i <= NF; i++) {
		column[i] = $i
		at[$i] = i
	}
	if (file == 3)
		print
	next
}

file == 1 && $at["reached"] == "yes" && $at["n"] > 0 { any[$at["source"], $at["state"]] = 1 }

file == 2 && $at["reached"] == "yes" {
	for (i = 1; i <= NF; i++)
		cell[key(), column[i]] = $i
}

file == 3 && (($at["source"], $at["state"]) in any) {
	its = key()
	for (i = at["n"]; i <= NF && column[i] != "tainted"; i++)
		$i = (its, column[i]) in cell ? cell[its, column[i]] : i == at["n"] ? 0 : "-"
}

file == 3

BEGIN { OFS = FS }
