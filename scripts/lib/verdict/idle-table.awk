# SPDX-License-Identifier: GPL-2.0
# idle-table.awk - run.tsv verdict.tsv: make intel_idle.table= from the measured latencies. Needs
# limit.awk, which reads run.tsv. The script after this one finds $at["column"] of verdict.tsv,
# budget and percentile.
#
# Linux 7.0 puts the given values into the driver's table, checks the whole table, and takes all
# values or none. From index 1 on, a state needs a latency above 0 and at most 5 ms, and a residency
# of at most 100 ms and not below the latency. Both must be greater than those of the state before.
# So this script raises a value to the minimum that fits, also for a state that was not measured.
# The parameter has at most 255 characters.
#
# upper_of[NAME] is the greatest upper bound of the percentile on any CPU, in ns. residency_of[NAME], if the caller sets it, is a
# measured residency in ns. make_table() sets
#	idle_table	"C1:2:2,C1E:12:20", or "" if there is no table
#	no_table	why there is no table
#	raised		which values were raised, and why

FNR == NR {
	take_run($1, $2)
	next
}

FNR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

{
	budget = $at["budget_ns"]
	percentile = $at["percentile"]
	upper_of[$at["state"]] = $at["high_greatest"]
}

function idle_state(i) { return of["state." i ".name"] }

function note_raise(name, what, from, to, why) {
	raised = raised (raised == "" ? "" : "; ") name "'s " what " from " from " to " to " us, " why
}

# Return US, raised if necessary to the minimum that the kernel takes as the state's WHAT: at least
# FLOOR, and above BEFORE, the value of the state LAST.
function fitting(name, what, us, floor, before, last,  wanted) {
	wanted = us
	if (wanted < floor)
		wanted = floor
	if (wanted <= before)
		wanted = before + 1
	if (wanted > us)
		note_raise(name, what, us, wanted, wanted == floor ? "its latency" : "because it must be above " last "'s")
	return wanted
}

function make_table() {
	build_table()
	if (no_table != "")
		idle_table = ""
}

function build_table(  i, any, name, latency, residency, before_latency, before_residency, last, given, wanted, was_latency, was_residency) {
	idle_table = no_table = raised = ""
	if (of["driver"] != "intel_idle") {
		no_table = "the idle driver is not intel_idle"
		return
	}
	last = idle_state(0)
	for (i = 1; i < states; i++) {
		name = idle_state(i)
		was_latency = whole_us(of["state." i ".latency_ns"] + 0)
		was_residency = whole_us(of["state." i ".residency_ns"] + 0)
		if (!is_known(i) || of["state." i ".residency_ns"] !~ /^[0-9]/) {
			no_table = "the advertised latency or residency of " name " is not known"
			return
		}
		given = name in upper_of && upper_of[name] != "-"
		wanted = name in residency_of ? whole_us(residency_of[name] + 0) : was_residency
		latency = given ? whole_us(upper_of[name]) : was_latency
		latency = fitting(name, "latency", latency, 1, before_latency, last)
		residency = fitting(name, "residency", wanted, latency, before_residency, last)
		if (name !~ /^[A-Za-z0-9_.-]+$/)
			no_table = "the name '" name "' is not allowed in it"
		else if (latency > 5000)
			no_table = name " takes more than 5 ms, which the kernel does not accept"
		else if (residency > 100000)
			no_table = "the residency of " name " would be more than 100 ms, which the kernel does not accept"
		if (no_table != "")
			return
		if (given || latency != was_latency || residency != was_residency)
			idle_table = idle_table (idle_table == "" ? "" : ",") name ":" latency ":" residency
		any = any || given || name in residency_of
		before_latency = latency
		before_residency = residency
		last = name
	}
	if (!any)
		no_table = "no state has enough samples"
	else if (length(idle_table) > 255)
		no_table = "it would be longer than 255 characters, the kernel's limit"
}
