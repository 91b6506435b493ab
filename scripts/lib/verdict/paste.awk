# SPDX-License-Identifier: GPL-2.0
# paste.awk - run.tsv verdict.tsv: what to paste, whole: a command, a parameter, or a file.
#	-v target=...	see paste()
#	-v by=COMMAND	that says so, if it is not wakelat verdict
# Needs limit.awk and idle-table.awk, which reads the two files. Status 5 and one line on stdout that says why if there is nothing to paste.

{ limit_us = $at["limit_us"] }

function fail(why) {
	print why
	failed = 5
	exit failed
}

# Where a comment is allowed, it says what the text is for.
function about(file, more) {
	if (file != "")
		print "# " file
	printf "# %s: no state whose wake-ups take more than %s us, by %s.%s\n", (by == "" ? "wakelat verdict" : by), budget / 1000,
		(percentile == "max" ? "the longest" : "p" percentile), more
	if (of["emulated"] != "no")
		print "# Emulated or under a hypervisor: this shows the form; the number is not that of any real CPU."
}

# 0 would mean no limit there.
function resume_latency() { return limit_us == 0 ? "n/a" : limit_us }

# Written as text it is taken for a hexadecimal number.
function hold(device) {
	printf "sh -c 'exec 3>%s && printf 0x%%08x %d >&3 && exec sleep infinity' &\n", device, limit_us
}

function paste() {
	if (target == "cmdline") {
		make_table()
		if (idle_table == "")
			fail("no intel_idle.table: " no_table)
		print "intel_idle.table=" idle_table
		return
	}
	if (budget == "-")
		fail(target " is a limit: it needs a budget (--budget)")
	if (limit_us == "-")
		fail("no limit is known that keeps the budget: see wakelat verdict without --paste")
	if (target == "sysfs") {
		about("", " Until reboot.")
		print "for f in /sys/devices/system/cpu/cpu[0-9]*/power/pm_qos_resume_latency_us; do echo " resume_latency() " >\"$f\"; done"
	} else if (target == "qos") {
		about("", " As long as this runs; all CPUs.")
		hold("/dev/cpu_dma_latency")
	} else if (target == "wakeup") {
		about("", " As long as this runs; all CPUs, suspend-to-idle as well. Linux 6.19.")
		hold("/dev/cpu_wakeup_latency")
	} else if (target == "cpupower") {
		about("", " Until reboot. States that advertise as much as -D says, and more, are disabled.")
		printf "cpupower -c all idle-set -D %d\n", limit_us + 1
	} else if (target == "tuned") {
		about("/etc/tuned/wakelat/tuned.conf (from tuned 2.23 on /etc/tuned/profiles/wakelat/tuned.conf); tuned-adm profile wakelat")
		printf "[main]\nsummary=No idle state whose wake-ups take more than %s us\n\n[cpu]\nforce_latency=%d\n", budget / 1000, limit_us
	} else if (target == "udev") {
		about("/etc/udev/rules.d/90-wakelat.rules; udevadm trigger --subsystem-match=cpu --action=add")
		printf "ACTION==\"add\", SUBSYSTEM==\"cpu\", ATTR{power/pm_qos_resume_latency_us}=\"%s\"\n", resume_latency()
	} else if (target == "systemd") {
		about("/etc/systemd/system/wakelat-limit.service; systemctl enable --now wakelat-limit")
		print "[Unit]\nDescription=No idle state whose wake-ups take too long\n"
		print "[Service]\nType=oneshot\nRemainAfterExit=yes"
		print "ExecStart=/bin/sh -c 'for f in /sys/devices/system/cpu/cpu[0-9]*/power/pm_qos_resume_latency_us; do echo " \
			resume_latency() " >\"$$f\" || exit; done'"
		print "ExecStop=/bin/sh -c 'for f in /sys/devices/system/cpu/cpu[0-9]*/power/pm_qos_resume_latency_us; do echo 0 >\"$$f\" || exit; done'"
		print "\n[Install]\nWantedBy=multi-user.target"
	} else if (target == "crio") {
		about("metadata of a pod that has CPUs of its own (runtime class with cpu-c-states.crio.io allowed)")
		printf "metadata:\n  annotations:\n    cpu-c-states.crio.io: \"%s\"\n", limit_us == 0 ? "disable" : "max_latency:" limit_us
	}
}

END {
	if (!failed)
		paste()
	exit failed
}
