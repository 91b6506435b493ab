# SPDX-License-Identifier: GPL-2.0
# counts-lines.awk - counts.tsv of one recording: print the lines columns, samples, sum, order,
# values and intervals of a file of counts, as tools/count-values does for samples. The rows are in the
# order of the lines.

BEGIN { OFS = FS }

NR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

function add(kind, text) { line[kind, ++lines[kind]] = text }

# Begin a line above rows of values or intervals. Its last cell is the number of samples in these
# rows.
function begin(kind, key) {
	if (key != last)
		add(kind, kind "s" OFS key)
	last = key
	head = lines[kind]
	total[kind, head] += $at["count"]
}

$at["kind"] == "column" { columns = columns OFS $at["metric"] }
$at["kind"] == "samples" { add("samples", "samples" OFS $1 OFS $2 OFS $3 OFS $4 OFS $5 OFS $at["count"]) }
$at["kind"] == "sum" { add("sum", "sum" OFS $1 OFS $2 OFS $3 OFS $4 OFS $6 OFS $at["count"] OFS $at["value"]) }
$at["kind"] == "clusters_p" { clusters = $at["value"] }
$at["kind"] == "drift_p" { add("order", "order" OFS $1 OFS $2 OFS $3 OFS $6 OFS clusters OFS $at["value"]) }

$at["kind"] ~ /^(value|interval)$/ {
	kind = $at["kind"]
	begin(kind, $1 OFS $2 OFS $3 OFS $4 OFS $5 OFS $6)
	row[kind, head, ++rows[kind, head]] = $at["value"] (kind == "interval" ? OFS $at["high"] : "") OFS $at["count"]
}

END {
	print "columns" columns
	n = split("samples sum order value interval", kinds, " ")
	for (k = 1; k <= n; k++)
		for (i = 1; i <= lines[kinds[k]]; i++) {
			kind = kinds[k]
			print line[kind, i] ((kind, i) in total ? OFS sprintf("%.0f", total[kind, i]) : "")
			for (j = 1; j <= rows[kind, i]; j++)
				print row[kind, i, j]
		}
}
