# SPDX-License-Identifier: GPL-2.0
# fleet-figures.awk - print setup.gp of figure fleet-machines or fleet-map, and write its data, from fleet.tsv: the rows of one kind,
# and for fleet-machines those of one state. Needs gnuplot-text.awk.
#	-v figure=NAME -v kind=NUMBER -v rows=N (the first N machines of the map)
#	-v scale=PERCENT (fleet-machines: the MAD)
# From the environment: data (directory), title, machine, note, state, source

BEGIN { dir = ENVIRON["data"] }

NR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

$at["kind"] != kind { next }

figure == "fleet-machines" && $at["state"] == ENVIRON["state"] && $at["source"] == ENVIRON["source"] && $at["statistic"] == "p50" && $at["mads"] != "-" {
	n++
	value[n] = $at["difference_pct"] + 0
	low[n] = $at["difference_low_pct"]
	high[n] = $at["difference_high_pct"]
	odd[n] = $at["different"] == "yes"
	name[n] = $at["machine"]
}

figure == "fleet-map" {
	k = $at["state"] SUBSEP $at["source"] SUBSEP $at["metric"]
	if (!((k, $at["statistic"]) in column)) {
		column[k, $at["statistic"]] = 1
		if (!(k in is_state)) {
			is_state[k] = ++states
			state[states] = k
			state_label[states] = $at["state"]
		}
	}
	r = $at["rank"]
	if (r > rows)
		next
	row_name[r] = shortened($at["machine"], 24)
	nr_rows = r > nr_rows ? r : nr_rows
	mads[r, k, $at["statistic"]] = $at["mads"]
	percent[r, k, $at["statistic"]] = $at["difference_pct"]
	different[r, k, $at["statistic"]] = $at["different"] == "yes"
}

function list(name, values, n,  i, text) {
	for (i = 1; i <= n; i++)
		text = text (i > 1 ? ", " : "") quoted(values[i])
	printf "array %s[%d] = [%s]\n", name, n, text
}

# Write the machines by their value. A name that would overlap the one before is left out.
function sorted(  i, j, least, most, last, odds) {
	for (i = 1; i <= n; i++)
		order[i] = i
	for (i = 2; i <= n; i++) {
		least = order[i]
		for (j = i - 1; j >= 1 && value[order[j]] > value[least]; j--)
			order[j + 1] = order[j]
		order[j + 1] = least
	}
	least = most = 0
	for (i = 1; i <= n; i++) {
		least = low[i] < least ? low[i] + 0 : least
		most = high[i] > most ? high[i] + 0 : most
	}
	for (i = 1; i <= n; i++) {
		j = order[i]
		printf "%d\t%s\t%s\t%s\n", i, value[j], low[j], high[j] >(dir "/machines.dat")
		if (!odd[j])
			continue
		gsub(/[\001-\037\177"]/, "?", name[j])
		if (odds++ && value[j] - last < 0.05 * (most - least))
			name[j] = ""
		else
			last = value[j]
		printf "%d\t%s\t%s\t%s\t\"%s\"\n", i, value[j], low[j], high[j], shortened(name[j], 20) >(dir "/odd.dat")
	}
	printf "machine_n = %d\nodd_n = %d\nlow = %s\nhigh = %s\nscale = %s\n", n, odds, least, most, scale
}

function map(  s, i, r, k, text, nr, first, frames, statistic) {
	nr = split("p50 p99 max", statistic, " ")
	for (s = 1; s <= states; s++) {
		first = columns + 1
		for (i = 1; i <= nr; i++)
			if ((state[s], statistic[i]) in column) {
				column_name[++columns] = statistic[i]
				key[columns] = state[s] SUBSEP statistic[i]
			}
		state_at[s] = (first + columns) / 2
	}
	for (r = 1; r <= nr_rows; r++)
		for (i = 1; i <= columns; i++) {
			k = r SUBSEP key[i]
			text = k in percent ? sprintf("%+.0f", percent[k]) : "none"
			printf "%d\t%d\t%s\t%s\n", i, r, mads[k] + 0, text ~ /^[+-]0$/ ? "0" : text >(dir "/map.dat")
			if (different[k] && ++frames)
				printf "%d\t%d\n", i, r >(dir "/frames.dat")
		}
	printf "column_n = %d\nstate_n = %d\nrow_n = %d\nframe_n = %d\narray state_at[%d]\n", columns, states, nr_rows, frames, states
	for (s = 1; s <= states; s++)
		printf "state_at[%d] = %s\n", s, state_at[s]
	list("column_name", column_name, columns)
	list("state_name", state_label, states)
	list("row_name", row_name, nr_rows)
}

END {
	if (figure == "fleet-map" ? nr_rows < 2 : n < 2)
		exit 1
	printf "emulated = %s\nnote = %s\nof_what = %s\n", quoted(ENVIRON["machine"]), quoted(ENVIRON["note"]), quoted(ENVIRON["title"])
	if (figure == "fleet-map")
		map()
	else
		sorted()
}
