# SPDX-License-Identifier: GPL-2.0
# paste.awk - run.tsv verdict.tsv: print a command, a parameter or a whole file that applies the
# verdict.
#	-v target=...	see paste()
#	-v by=COMMAND	the command that its comment names, if it is not wakelat verdict
# Needs quote.awk, limit.awk and idle-table.awk, which reads the two files. If there is nothing to
# paste, prints the reason on one line of stdout, with exit status 5.

{ limit_us = $at["limit_us"] }

function fail(why) {
	print why
	failed = 5
	exit failed
}

# Print comments that say where the text belongs and what it does.
function about(file, more) {
	if (file != "")
		print "# " file
	printf "# %s: allow no state whose wake-ups take more than %s us (%s).%s\n", (by == "" ? "wakelat verdict" : by), budget / 1000,
		(percentile == "max" ? "max" : "p" percentile), more
	if (of["emulated"] ~ /^(yes|hypervisor)$/)
		print "# Emulated or under a hypervisor: this is an example; its number is not that of any real CPU."
}

# In pm_qos_resume_latency_us, 0 means no limit.
function resume_latency() { return limit_us == 0 ? "n/a" : limit_us }

# The device reads text as a hexadecimal number.
function hold(device) {
	printf "sh -c 'exec 3>%s && printf 0x%%08x %d >&3 && exec sleep infinity' &\n", device, limit_us
}

function is_named(i) { return ("state." i ".name") in of }

# Find the states that were disabled by hand. The limit keeps the budget only while they are disabled.
function find_disabled(  i) {
	for (i = 0; i < states; i++)
		if (is_named(i) && is_disabled(i)) {
			nr_disabled++
			disabled = add_pattern(disabled, i)
			names = names (names == "" ? "" : ", ") comment_text(of["state." i ".name"] "")
		}
}

# Add the name of state I to a pattern of a shell's case. A machine finds its states by their names: the
# numbers of the recording may be those of another list, and CPUs can have different ones. A name that is
# no plain text is left out; strange is that name then.
function add_pattern(pattern, i,  name) {
	name = of["state." i ".name"]
	if (name !~ /^[A-Za-z0-9_.+][A-Za-z0-9_.+ -]*$/) {
		strange = comment_text(name "")
		return pattern
	}
	return pattern (pattern == "" ? "" : "|") "\"" name "\""
}

# Remind the user to disable them, for targets whose text cannot do it.
function disable_by_hand() {
	if (nr_disabled)
		print "# These states were disabled by hand during the recording; disable them again after each reboot: " names "."
}

function shell_loop(file, value, dollar, failing) {
	return "for f in /sys/devices/system/cpu/cpu[0-9]*/" file "; do echo " value " >\"" dollar "f\"" failing "; done"
}

# Return a loop over the idle states of all CPUs. CASES are the cases for a state's name.
function state_loop(cases, dollar) {
	return "for s in /sys/devices/system/cpu/cpu[0-9]*/cpuidle/state[0-9]*; do case " dollar "(cat \"" dollar "s/name\") in " cases " esac; done"
}

function disable_loop(dollar, failing) { return state_loop(disabled ") echo 1 >\"" dollar "s/disable\"" failing ";;", dollar) }

# Switch each state separately: cpupower -D would also enable states below its limit that were
# disabled.
function cpupower(  i, off, pattern, cases, k) {
	for (i = 0; i < states; i++) {
		off = is_disabled(i) || !lets_through(limit_us, i)
		if (is_named(i) && !is_polling(i))
			pattern[off] = add_pattern(pattern[off], i)
	}
	for (k = 1; k >= 0; k--)
		if (pattern[k] != "")
			cases = cases (cases == "" ? "" : " ") pattern[k] ") c=${s%/cpuidle*}; cpupower -c \"${c##*cpu}\" idle-set -" (k ? "d" : "e") " \"${s##*state}\";;"
	if (strange != "")
		fail("cpupower: the state name '" strange "' cannot be used in a command: disable the state by hand")
	about("", " Until reboot. States are found by their names.")
	print state_loop(cases, "$")
}

function systemd_start(file, value) { print "ExecStart=/bin/sh -c '" shell_loop(file, value, "$$", " || exit") "'" }

function paste(  i) {
	if (target == "cmdline") {
		make_table()
		if (idle_table == "")
			fail("no intel_idle.table: " no_table)
		print "intel_idle.table=" idle_table
		return
	}
	if (budget == "-")
		fail(target " sets a limit, which needs a budget (--budget)")
	if (limit_us == "-")
		fail("no limit can be named (verdict without --paste says why)")
	find_disabled()
	if (target ~ /^(sysfs|udev|systemd)$/ && strange != "")
		fail(target ": the state name '" strange "' cannot be used in a command: disable the state by hand")
	if (target == "sysfs") {
		about("", " Until reboot.")
		print shell_loop("power/pm_qos_resume_latency_us", resume_latency(), "$", "")
		if (disabled != "")
			print disable_loop("$", "")
	} else if (target == "qos") {
		about("", " For all CPUs, while this command runs.")
		disable_by_hand()
		hold("/dev/cpu_dma_latency")
	} else if (target == "wakeup") {
		about("", " For all CPUs and suspend-to-idle, while this command runs. Linux 6.19 or later.")
		disable_by_hand()
		hold("/dev/cpu_wakeup_latency")
	} else if (target == "cpupower") {
		cpupower()
	} else if (target == "tuned") {
		about("/etc/tuned/wakelat/tuned.conf (tuned 2.23 or later: /etc/tuned/profiles/wakelat/tuned.conf); then: tuned-adm profile wakelat")
		disable_by_hand()
		printf "[main]\nsummary=No idle state whose wake-ups take more than %s us\n\n[cpu]\nforce_latency=%d\n", budget / 1000, limit_us
	} else if (target == "udev") {
		about("/etc/udev/rules.d/90-wakelat.rules; then: udevadm trigger --subsystem-match=cpu --action=add")
		printf "ACTION==\"add\", SUBSYSTEM==\"cpu\", ATTR{power/pm_qos_resume_latency_us}=\"%s\"\n", resume_latency()
		gsub(/"/, "", disabled)
		for (i = 0; disabled != "" && i < 10; i++)
			printf "ACTION==\"add\", SUBSYSTEM==\"cpu\", ATTR{cpuidle/state%d/name}==\"%s\", ATTR{cpuidle/state%d/disable}=\"1\"\n", i, disabled, i
	} else if (target == "systemd") {
		about("/etc/systemd/system/wakelat-limit.service; then: systemctl enable --now wakelat-limit")
		print "[Unit]\nDescription=No idle state whose wake-ups take too long\n"
		print "[Service]\nType=oneshot\nRemainAfterExit=yes"
		systemd_start("power/pm_qos_resume_latency_us", resume_latency())
		if (disabled != "")
			print "ExecStart=/bin/sh -c '" disable_loop("$$", " || exit") "'"
		print "ExecStop=/bin/sh -c '" shell_loop("power/pm_qos_resume_latency_us", 0, "$$", " || exit") "'"
		print "\n[Install]\nWantedBy=multi-user.target"
	} else if (target == "crio") {
		about("metadata of a pod that has CPUs of its own (runtime class with cpu-c-states.crio.io allowed)")
		disable_by_hand()
		printf "metadata:\n  annotations:\n    cpu-c-states.crio.io: \"%s\"\n", limit_us == 0 ? "disable" : "max_latency:" limit_us
	}
}

END {
	if (!failed)
		paste()
	exit failed
}
