# SPDX-License-Identifier: GPL-2.0
# fleet-map.awk - print setup.gp of figure fleet-map, or of fleet-peers for one row, and write its
# data. Input: rows "machine key", fleet-states.tsv, fleet-machines.tsv, fleet.tsv. Needs
# gnuplot-text.awk.
#	-v figure=NAME
# From the environment: data (directory), machine, note

function list(name, values, n,  i, text) {
	for (i = 1; i <= n; i++)
		text = text (i > 1 ? ", " : "") quoted(values[i])
	if (n)
		printf "array %s[%d] = [%s]\n", name, n, text
}

BEGIN {
	dir = ENVIRON["data"]
	statistics = split("p50 p99 p99.9 max", statistic, " ")
}

FNR == 1 { file++ }

file == 1 {
	rows++
	row[rows] = $1 SUBSEP $2
	row_of[$1, $2] = rows
	row_name[rows] = shortened($1, 24)
	next
}

FNR == 1 {
	split("", at)
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

$at["statistic"] !~ /^(p50|p99|p99[.]9|max)$/ && file != 3 { next }

file == 2 {
	name = $at["state"] SUBSEP $at["source"] SUBSEP $at["metric"]
	if (!(name in is_state)) {
		is_state[name] = 1
		state[++states] = name
		state_label[states] = $at["state"]
	}
	k = $at["key"] SUBSEP name SUBSEP $at["statistic"]
	usual = $at["usual"] > 0 ? $at["usual"] : 1
	least[k] = $at["least"] / usual * 100 - 100
	most[k] = $at["most"] / usual * 100 - 100
	below[k] = $at["below_pct"]
	above[k] = $at["above_pct"]
	next
}

file == 3 {
	against[$at["machine"], $at["key"]] = $at["against"]
	next
}

# Note each statistic of a state that any machine has, even a machine without a row. A machine may
# lack a state or a statistic.
{
	k = $at["state"] SUBSEP $at["source"] SUBSEP $at["metric"] SUBSEP $at["statistic"]
	has[k] = 1
}

($at["machine"], $at["key"]) in row_of {
	r = row_of[$at["machine"], $at["key"]]
	z[r, k] = $at["z"]
	value[r, k] = $at["difference_pct"]
	value_low[r, k] = $at["difference_low_pct"]
	value_high[r, k] = $at["difference_high_pct"]
	is_odd[r, k] = $at["odd"] == "yes"
}

function columns(  s, i, k, first) {
	for (s = 1; s <= states; s++) {
		first = nr_columns + 1
		for (i = 1; i <= statistics; i++) {
			k = state[s] SUBSEP statistic[i]
			if (!(k in has))
				continue
			column[++nr_columns] = k
			column_name[nr_columns] = statistic[i]
		}
		if (nr_columns < first)
			continue
		shown_state[++nr_states] = state_label[s]
		state_at[nr_states] = (first + nr_columns) / 2
	}
	printf "column_n = %d\nstate_n = %d\narray state_at[%d]\n", nr_columns, nr_states, nr_states
	for (s = 1; s <= nr_states; s++)
		printf "state_at[%d] = %s\n", s, state_at[s]
	list("column_name", column_name, nr_columns)
	list("state_name", shown_state, nr_states)
}

function map(  r, i, k, frames, shown) {
	for (r = 1; r <= rows; r++)
		for (i = 1; i <= nr_columns; i++) {
			k = column[i]
			if (!((r, k) in z)) {
				printf "%d\t%d\t0\tnone\n", i, r >(dir "/map.dat")
				continue
			}
			shown = sprintf("%+.0f", value[r, k])
			printf "%d\t%d\t%s\t%s\n", i, r, z[r, k], (shown ~ /^[+-]0$/ ? "0" : shown) >(dir "/map.dat")
			if (is_odd[r, k]) {
				frames++
				printf "%d\t%d\n", i, r >(dir "/frames.dat")
			}
		}
	printf "row_n = %d\nframe_n = %d\n", rows, frames
	list("row_name", row_name, rows)
}

function peers(  i, k, p, own, low, high) {
	for (i = 1; i <= nr_columns; i++) {
		k = column[i]
		p = against[row[1]] SUBSEP k
		own = (1, k) in value ? value[1, k] : "-"
		# A maximum has no interval.
		printf "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", i, least[p], most[p], -below[p], above[p], own,
			(value_low[1, k] == "-" || own == "-" ? own : value_low[1, k]),
			(value_high[1, k] == "-" || own == "-" ? own : value_high[1, k]) >(dir "/peers.dat")
		if (own == "-")
			own = 0
		low = i == 1 || least[p] < low ? least[p] : low
		low = own < low ? own : low
		high = i == 1 || most[p] > high ? most[p] : high
		high = own > high ? own : high
	}
	printf "low = %s\nhigh = %s\nfleet_machine = %s\nof_what = %s\n", low, high, quoted(row_name[1]), quoted(": " row_name[1])
}

END {
	columns()
	if (!nr_columns)
		exit 1
	printf "emulated = %s\nnote = %s\n", quoted(ENVIRON["machine"]), quoted(ENVIRON["note"])
	if (figure == "fleet-map")
		map()
	else
		peers()
}
