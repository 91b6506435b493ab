# SPDX-License-Identifier: GPL-2.0
# audit-table.awk - rows of idle states, then findings: print them for people, with a summary line
# at the end.
#	-v all=1	print notes as well, each with its meaning
#	-v states=1	print each list of states as a table

BEGIN { title["fault"] = "FAULT"; title["note"] = "note"; title["unknown"] = "unknown" }

FNR == 1 {
	file++
	if (file == 1) {
		for (i = 1; i <= NF; i++)
			at[$i] = i
		next
	}
}

function cell(name) { return $at[name] }

file == 1 {
	kind = cell("kind")
	if (!seen[kind, cell("place"), kind == "acpi" ? cell("index") : cell("state")]++ && cell("state") != "-") {
		n[kind]++
		if (cell("timer_stop") == "yes")
			stop[kind]++
	}
	set = cell("entry_us") FS cell("exit_us") FS cell("wakeup_us") FS cell("latency_us") FS cell("residency_us")
	if (cell("state") != "-" && !seen_set[kind, set]++)
		sets[kind]++
	if (kind == "intel_idle") {
		if (!seen_list[cell("list")]++) {
			tables += cell("list") != "-"
			models += cell("users") == "-" ? 0 : split(cell("users"), part, ",")
			if (cell("list") == "-")
				own += split(cell("users"), part, ",")
		}
	} else if (!seen_file[kind, cell("origin")]++)
		files[kind]++
	if (states && cell("remark") !~ /^(unread: |not_evaluated$)/)
		state_line()
	next
}

# Print a row of a table, under the heading of its list.
function state_line(  name) {
	name = cell("list") (cell("kind") ~ /^(cpu|domain)$/ ? " in " cell("origin") : "")
	if (name != last) {
		printf "%s%s%s\n", (last == "" ? "" : "\n"), name, (cell("kind") == "intel_idle" ? "" : cell("users") + 0 > 1 ? " (" cell("users") " CPUs)" : "")
		printf "  %-22s %10s %10s %-12s", "state", "latency us", "residency", "hint"
		print cell("kind") == "live" ? sprintf(" %12s %9s %9s  %s", "usage", "too deep", "shallow", "disabled") : \
			"  stops timer"
	}
	last = name
	printf "  %-22s %10s %10s %-12s", cell("state"), cell("latency_us"), cell("residency_us"), cell("hint")
	if (cell("kind") == "live")
		printf " %12s %9s %9s  %s\n", cell("usage"), share("above"), share("below"), cell("disabled")
	else
		printf "  %s%s\n", cell("timer_stop"), (cell("disabled") == "yes" ? ", disabled" : "")
}

# Return the count in the column NAME (above, below) as a share of the state's entries, in %.
function share(name) { return cell("usage") + 0 ? sprintf("%.1f %%", 100 * cell(name) / cell("usage")) : "-" }

{
	count[$2]++
	if ($2 == "note" && !all)
		next
	if (shown++ == 0 && states && last != "")
		print ""
	printf "%-7s %-3s %s%s: %s\n", title[$2], $1, $3, ($4 == "-" ? "" : " " $4), $5
	if ($2 != "unknown" && !explained[$1]++)
		printf "            %s\n            Checked by the kernel: %s\n", $6, $7
}

function counted(number, noun) { return number + 0 " " noun (number == 1 ? "" : "s") }

END {
	if (n["cpu"])
		printf "Device trees: %s of CPUs in %s of values, %d stop the timer; %s of domains\n", counted(n["cpu"], "state"),
			counted(sets["cpu"], "set"), stop["cpu"], counted(n["domain"], "state")
	if (n["intel_idle"])
		printf "intel_idle: %s in %s, for %s (%d of them without a table: ACPI)\n", counted(n["intel_idle"], "state"),
			counted(tables, "table"), counted(models, "CPU model"), own
	if (n["acpi"])
		printf "ACPI: %s\n", counted(n["acpi"], "state")
	printf "%s, %s%s, %d not known\n", counted(count["fault"], "fault"), counted(count["note"], "note"),
		(count["note"] && !all ? " (--all shows them)" : ""), count["unknown"]
}
