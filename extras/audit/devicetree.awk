# SPDX-License-Identifier: GPL-2.0
# devicetree.awk - convert the idle states of a device tree, as dtc prints it, to rows (see
# states.sh).
#	origin=TEXT	the first column
#	prefix=TEXT	what comes before the names of sources
# Fails if the text is incomplete.
# With dtc -T -T, a state's place is the line of the source that defines it, otherwise its node. For
# a source, dtc 1.7 prints references as &LABEL or &{PATH}, and older versions print numbers.
#
# Follows the kernel: drivers/cpuidle/dt_idle_states.c init_state_node(), drivers/of/cpu.c of_get_cpu_state_node(),
# drivers/pmdomain/core.c genpd_parse_state().

# Return the value of a cell such as 0x1f; "-" if the text is not a cell.
function cell(text,  i, n) {
	if (text !~ /^0x[0-9a-f]+$/)
		return "-"
	for (i = 3; i <= length(text); i++)
		n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return n
}

# Return the sum of two values, or "-" if one of them is missing.
function sum(a, b) { return a == "-" || b == "-" ? "-" : a + b }

# Return the first cell of the property NAME of the node NODE, or "-".
function number(node, name) { return (node, name) in property ? cell(property[node, name]) : "-" }

# Print the states of LIST (phandles or references). The list belongs to USERS CPUs; with USERS 0,
# to the power domain NAME.
function print_list(name, list, users,  i, n, handle, node) {
	n = split(list, handle, " ")
	for (i = 1; i <= n; i++) {
		node = node_of[handle[i]]
		# CPU idle drivers and power domains each accept only their own kind of node.
		if (!(node in is_state) || (users && domain[node]))
			row(name, users ? "cpu" : "domain", "-", name, i, "-", "-", "-", "-", "-", "-", "-", users, "-", "no_state")
		else if (domain[node] || users)
			state(node, name, i, domain[node] ? 1 : users)
	}
}

# Print the row of the state NODE, number I of the list NAME.
function state(node, name, i, users,  entry, exit_us, wakeup, hint, missing, title) {
	printed[node] = 1
	entry = number(node, "entry-latency-us")
	exit_us = number(node, "exit-latency-us")
	wakeup = domain[node] ? "-" : number(node, "wakeup-latency-us")
	if (wakeup == "-" && entry == "-")
		missing = missing ",entry-latency-us"
	if (wakeup == "-" && exit_us == "-")
		missing = missing ",exit-latency-us"
	if (number(node, "min-residency-us") == "-")
		missing = missing ",min-residency-us"
	title = node
	sub(/.*\//, "", title)
	hint = (node, "suspend") in property ? property[node, "suspend"] : "-"
	# The kernel skips a disabled state: of_device_is_available().
	row(place[node], domain[node] ? "domain" : "cpu", title, name, i, wakeup == "-" ? sum(entry, exit_us) : wakeup,
		number(node, "min-residency-us"), entry, exit_us, wakeup, hint, (node, "local-timer-stop") in property ? "yes" : "no", users,
		property[node, "status"] ~ /disabled/ ? "yes" : "no", substr(missing, 2))
}

function row(at, kind, title, name, i, latency, residency, entry, exit_us, wakeup, hint, timer_stop, users, disabled, remark) {
	gsub(/\t/, " ", at)
	gsub(/\t/, " ", hint)
	print origin, at, kind, name, i, title, latency, residency, entry, exit_us, wakeup, hint, timer_stop, users, disabled, "-", "-", "-",
		remark == "" ? "-" : remark
}

BEGIN { OFS = "\t" }

# Take the line's source, which dtc -T -T prints as a comment.
{
	source = ""
	if (match($0, /[;{] \/\* .* \*\/$/)) {
		source = substr($0, RSTART + 5, RLENGTH - 8)
		sub(/, .*/, "", source)
		sub(/:[0-9]+-.*/, "", source)
		sub(/^\.\//, "", source)
		# In the kernel, include-prefixes has links to the sources of other architectures.
		if (sub(/^scripts\/dtc\/include-prefixes\//, "", source))
			sub(/^[a-z0-9]+/, "arch/&/boot/dts", source)
		if (source !~ /^\//)
			source = prefix source
		$0 = substr($0, 1, RSTART)
	}
	sub(/^[ \t]+/, "")
}

# A line that begins a node: LABEL: LABEL: NAME {
/\{$/ && !/^[^ ]+ = / {
	depth++
	path[depth] = $(NF - 1) == "/" ? "" : path[depth - 1] "/" $(NF - 1)
	node_of["&{" path[depth] "}"] = path[depth]
	for (i = 1; i < NF - 1; i++)
		node_of["&" substr($i, 1, length($i) - 1)] = path[depth]
	next
}

/^\};$/ {
	depth--
	next
}

/^phandle = </ { handle_of = $3; gsub(/[<>;]/, "", handle_of); node_of[handle_of] = path[depth] }

/^compatible = "(.*")?([a-z]+,idle-state|domain-idle-state|qcom,idle-state-[a-z]+)"/ {
	is_state[path[depth]] = 1
	order[++states] = path[depth]
	domain[path[depth]] = /"domain-idle-state"/
	place[path[depth]] = source == "" ? path[depth] : source
}

/^device_type = "cpu";/ { cpu[++cpus] = path[depth] }

/^((entry|exit|wakeup)-latency-us|min-residency-us|local-timer-stop|status|(cpu|domain)-idle-states)( = .*)?;$/ ||
/^(power-domains|(arm,psci|riscv,sbi)-suspend-param) = .*;$/ {
	name = $1
	sub(/;$/, "", name)
	sub(/^(arm,psci|riscv,sbi)-suspend-param/, "suspend", name)
	sub(/^[^ ]+ = /, "")
	gsub(/>, *</, " ")
	gsub(/[<>;]/, " ")
	sub(/^ +/, "")
	sub(/ +$/, "")
	property[path[depth], name] = $0
	if (name == "domain-idle-states")
		parent[++parents] = path[depth]
}

END {
	if (depth != 0 || !NR) {
		print "the output of dtc is incomplete" >"/dev/stderr"
		exit 1
	}
	# If a CPU's power domain has a list of states, that list comes before the CPU's own.
	for (i = 1; i <= cpus; i++) {
		split(property[cpu[i], "power-domains"], handle, " ")
		owner = node_of[handle[1]]
		if (handle[1] != "" && (owner, "domain-idle-states") in property)
			of_cpu[owner] = 1
		else
			owner = cpu[i]
		list = property[owner, "domain-idle-states"] property[owner, "cpu-idle-states"]
		if (list == "")
			continue
		if (!users[list]++) {
			named[++lists] = owner
			content[lists] = list
		}
	}
	for (i = 1; i <= lists; i++)
		print_list(named[i], content[i], users[content[i]])
	for (i = 1; i <= parents; i++)
		if (!(parent[i] in of_cpu) && !shared[property[parent[i], "domain-idle-states"]]++)
			print_list(parent[i], property[parent[i], "domain-idle-states"], 0)
	# Print the states that are not yet printed, such as states that no CPU and no domain refers
	# to.
	for (i = 1; i <= states; i++)
		if (!(order[i] in printed))
			state(order[i], "-", 1, 0)
}
