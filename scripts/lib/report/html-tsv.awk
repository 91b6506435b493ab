# SPDX-License-Identifier: GPL-2.0
# html-tsv.awk - any of the tables (.tsv) as an HTML table. Needs us.awk and html.awk.
#	-v columns='NAME=HEADING:KIND;...'	which columns, in which order, of which kind: text; us (ns in the
#						file); number; verdict. One that the table does not have is left out.
#						NAME alone: as below
#	-v needs=NAME				nothing at all if no row has a value in that column
# From the environment, where a backslash is one: caption, and where (NAME=VALUE: only rows whose column NAME has
# that value).

# Columns that several tables have.
function share(  i, list) {
	split("state=state:text;source=source:text;reached=reached:text;metric=latency:text;statistic=statistic:text;n=N:number;" \
		"machines=machines:number;tainted=tainted:number;wake_latency_p99=p99:us;wake_latency_max=max:us;" \
		"intr_latency_p50=interrupt p50:us;intr_latency_p99=p99:us;intr_latency_max=max:us", list, ";")
	for (i in list)
		shared[substr(list[i], 1, index(list[i], "=") - 1)] = list[i]
}

function start(  i, part, p) {
	share()
	n = split(columns, part, ";")
	for (i = 1; i <= n; i++) {
		if (part[i] in shared)
			part[i] = shared[part[i]]
		p = index(part[i], "=")
		column[i] = substr(part[i], 1, p - 1)
		heading[i] = substr(part[i], p + 1)
		kind[i] = heading[i]
		sub(/.*:/, "", kind[i])
		sub(/:[^:]*$/, "", heading[i])
	}
	p = index(ENVIRON["where"], "=")
	where_column = substr(ENVIRON["where"], 1, p - 1)
	where_value = substr(ENVIRON["where"], p + 1)
}

function class(kind) {
	if (kind == "prose")
		return " class=\"prose\""
	return kind ~ /^(text|verdict)$/ ? " class=\"text\"" : ""
}

# A cell of a narrow screen stands below the one before it, with its heading beside it.
function cell(kind, heading, value,  class_of) {
	class_of = kind == "verdict" && value ~ /^(kept|exceeded|undecided)$/ ? " class=\"text " value "\"" : class(kind)
	return "<td" class_of " data-head=\"" html(heading) "\">" html(kind == "us" ? us(value) : value) "</td>"
}

function head(  i) {
	printf "<div class=\"wide\"><table>\n<caption>%s</caption>\n<tr class=\"head\">", html(ENVIRON["caption"])
	for (i = 1; i <= n; i++)
		if (column[i] in at)
			printf "<th%s>%s</th>", class(kind[i]), html(heading[i])
	print "</tr>"
}

function row(  i, name, text) {
	text = "<tr>"
	for (i = 1; i <= n; i++) {
		name = column[i]
		if (!(name in at))
			continue
		text = text cell(kind[i], heading[i], $at[name])
	}
	return text "</tr>\n"
}

NR == 1 {
	start()
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

where_column == "" || (where_column in at && $at[where_column] == where_value) {
	rows = rows row()
	if (needs == "" || (needs in at && $at[needs] != "-"))
		shown = 1
}

END {
	if (!shown)
		exit
	head()
	printf "%s</table></div>\n", rows
}
