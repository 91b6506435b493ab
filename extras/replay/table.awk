# SPDX-License-Identifier: GPL-2.0
# table.awk - print the table of states of a run.tsv for tools/replay: INDEX:NAME:RESIDENCY_NS:LATENCY_NS:DISABLED,...
# The environment's `words` change it: STATE:LATENCY:RESIDENCY (us), off=STATE.

function fail(text) {
	print text >"/dev/stderr"
	failed = 1
	exit 1
}

function index_of(name, i) {
	for (i = 0; i <= last; i++)
		if (of[i, "name"] == name)
			return i
	fail("--if: the recording has no state " name)
}

BEGIN { last = -1 }

$1 ~ /^state\.[0-9]+\.(name|residency_ns|latency_ns|disabled)$/ {
	split($1, key, ".")
	of[key[2], key[3]] = $2
	if (key[2] + 0 > last)
		last = key[2] + 0
}

END {
	if (failed)
		exit 1
	if (last < 0)
		fail("the states are not known: record as wakelat replay --how says")
	n = split(ENVIRON["words"], word, " ")
	for (i = 1; i <= n; i++) {
		if (sub(/^off=/, "", word[i])) {
			of[index_of(word[i]), "disabled"] = 1
			continue
		}
		if (split(word[i], part, ":") != 3 || part[2] !~ /^[0-9]+$/ || part[3] !~ /^[0-9]+$/ || length(part[2] part[3]) > 16)
			fail("--if: '" word[i] "' is not STATE:LATENCY:RESIDENCY in us")
		state = index_of(part[1])
		of[state, "latency_ns"] = part[2] == 0 ? 0 : part[2] "000"
		of[state, "residency_ns"] = part[3] == 0 ? 0 : part[3] "000"
	}
	for (i = 0; i <= last; i++) {
		name = of[i, "name"]
		gsub(/[^A-Za-z0-9_.-]/, "_", name)
		line = line (i ? "," : "") i ":" substr(name, 1, 15) ":" of[i, "residency_ns"] ":" of[i, "latency_ns"] ":" (of[i, "disabled"] != 0 ? 1 : 0)
	}
	print line
}
