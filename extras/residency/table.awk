# SPDX-License-Identifier: GPL-2.0
# table.awk - run.tsv, then residency.tsv: print the answers, for people (mail=yes in the environment: for a mail, with the machine).

function us(ns) { return sprintf(ns >= 99950 ? "%.0f" : "%.1f", ns / 1000) }

function watts(w) { return w >= 0.0995 ? sprintf("%.2f W", w) : sprintf("%.2g mW", w * 1000) }

FNR == NR {
	of[$1] = $2
	next
}

FNR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	note = of["emulated"] == "yes" ? " (emulated)" : of["emulated"] == "hypervisor" ? " (guest: the energy is the host's)" : ""
	print "Target residency by energy" note ", " of["cpu_model"]
	if (ENVIRON["mail"] == "yes")
		print "Linux " of["kernel"] ", driver " of["driver"] ", microcode " of["microcode"]
	print ""
	printf "%-12s %8s %9s %18s  %-9s %s\n", "states", "table us", "measured", "95 % interval", "table is", "costs at most"
	next
}

{
	pair = $at["shallow"] "-" $at["deep"]
	if (!rows++)
		how = sprintf("CPUs woken %s, meter %s; %s.", $at["wakeups"] == "spread" ? "one after another" : "together", $at["meter"], "us that a CPU sleeps, without the exit")
	if ($at["result"] == "done")
		printf "%-12s %8s %9s %7s to %7s  %-9s %s at %s us\n", pair, us($at["table_ns"]), us($at["residency_ns"]), us($at["residency_low_ns"]),
			us($at["residency_high_ns"]), $at["verdict"], watts($at["cost_w"]), us($at["cost_at_ns"])
	else
		printf "%-12s %8s %9s %18s  %-9s\n", pair, us($at["table_ns"]), "-", "", $at["verdict"]
	lines = lines sprintf("%s: %s%d points in %d s; %.1f %% of the sleeps missed their state%s; %s other wake-ups a second and CPU.\n", pair,
		$at["result"] == "done" ? "" : $at["why"] "; ", $at["points"], $at["seconds"], 100 * $at["missed"],
		$at["counted"] == "yes" ? "" : " (no residency counter)", $at["background_per_s"])
}

END {
	printf "\n%s\n%s", how, lines
	print "Not valid for other wake-ups (devices, other CPUs), frequencies or loads of other CPUs."
}
