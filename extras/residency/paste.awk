# SPDX-License-Identifier: GPL-2.0
# paste.awk - after idle-table.awk: print intel_idle.table=, or why there is none, with exit status 1. From the environment:
# measured (STATE=NS STATE=NS..., the measured residencies).

END {
	n = split(ENVIRON["measured"], pair, " ")
	for (i = 1; i <= n; i++) {
		split(pair[i], part, "=")
		residency_of[part[1]] = part[2]
	}
	make_table()
	print idle_table == "" ? no_table : "intel_idle.table=" idle_table
	exit idle_table == ""
}
