# SPDX-License-Identifier: GPL-2.0
# column.awk - print how a column of samples.tsv is drawn: "ns LABEL" if its values are in ns, which figures show in us, "plain LABEL"
# if they are shown as they are, "text" if they are no numbers. Needs schema.awk.
#	-v column=NAME	of a counter that the schema does not have, the end of its name tells the unit

BEGIN {
	at = schema_of("samples", column)
	unit = at ? schema_unit[at] : column ~ /_cyc$/ ? "TSC cycles" : "-"
	if (at && schema_type[at] ~ schema_texts)
		print "text"
	else if (unit == "ns")
		print "ns " column " (µs)"
	else
		print "plain " column (unit ~ /^(-|CPU|0, 1)$/ ? "" : " (" unit ")")
}
