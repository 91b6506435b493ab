# SPDX-License-Identifier: GPL-2.0
# runs.awk - print the samples of one file of a recording with the run numbers of run.tsv. Samples
# of unknown runs are left out. Samples of a warm-up get the taint `warmup`, those of a run that ended because
# the TSC was found unstable the taint `clock`: nobody knows since when it was.
#
# USAGE: awk -v part=trace.dat -v header=1 -f runs.awk run.tsv samples.tsv
#
# Cells stay text, so large numbers keep all digits. Only the event numbers of a sweep are
# calculated.

function taint(word) { $taint_column = ($taint_column == "-" ? "" : $taint_column ",") word }

BEGIN {
	FS = OFS = "\t"
}

FNR == NR {
	if ($1 !~ /^run\.[0-9]+\./)
		next
	split($1, key, ".")
	known[key[2]] = 1
	if (key[3] == "trace")
		file[key[2]] = $2
	if (key[3] == "trace_run")
		number[key[2]] = $2
	if (key[3] == "warmup")
		warmup[key[2]] = $2 == "yes"
	if (key[3] == "reason")
		clock[key[2]] = $2 == "clock"
	if (key[3] == "steps")
		steps[key[2]] = $2
	next
}

FNR == 1 {
	for (run in known) {
		if (!(run in file))
			file[run] = "trace.dat"
		if (!(run in number))
			number[run] = run
		if (file[run] == part)
			for (i = 0; i < ((run in steps) ? steps[run] : 1); i++)
				named[number[run] + i] = run
	}
	for (i = 1; i <= NF; i++) {
		if ($i == "run")
			run_column = i
		if ($i == "taint")
			taint_column = i
		if ($i == "cpu")
			cpu_column = i
		if ($i == "seq")
			seq_column = i
	}
	if (header)
		print
	next
}

# Each step of a sweep is a run of its own for the kernel, which restarts the event numbers at each
# step.
($run_column in named) && (named[$run_column] in steps) {
	of_run = $cpu_column " " named[$run_column]
	if ($run_column != step[of_run]) {
		before[of_run] = last[of_run]
		step[of_run] = $run_column
	}
	$seq_column = last[of_run] = sprintf("%.0f", before[of_run] + $seq_column)
}

$run_column in named {
	$run_column = named[$run_column]
	if (warmup[$run_column])
		taint("warmup")
	if (clock[$run_column])
		taint("clock")
	print
}
