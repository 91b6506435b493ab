# SPDX-License-Identifier: GPL-2.0
# status.awk - the state of each machine: what it said itself, and where it is silent what Slurm says.
#
# Reads: states (NODE KEY VALUE), queue (JOB STATE REASON), troubles (NODE STATE REASON), nodes.tsv (node, job; the last counts).
# Prints: NODE STATE REASON. -v slurm=yes: Slurm has answered, no: it has not, -: it was not asked

FILENAME ~ /states$/ { said[$1, $2] = $3; next }
FILENAME ~ /queue$/ { queue[$1] = $2; why[$1] = $3; next }
FILENAME ~ /troubles$/ { trouble[$1] = $2 ($3 == "none" || $3 == "" ? "" : ": " $3); next }
FNR > 1 { job[$1] = $2 }

# offset SECONDS: of a clock, if it is worth a word
function offset(seconds) {
	if (seconds == "" || seconds == "-" || seconds * seconds <= 3600)
		return ""
	return sprintf("its clock is %d s %s", seconds < 0 ? -seconds : seconds, seconds < 0 ? "behind" : "ahead")
}

function own(node, state, text, more) {
	text = said[node, "reason"]
	more = offset(said[node, "clock_off_s"])
	if (said[node, "state"] == "gave" && said[node, "doubts"] + 0 > 0)
		more = more (more == "" ? "" : "; ") "doctor has doubts: " said[node, "doubts"]
	if (text == "" || text == "-")
		text = ""
	return text (text != "" && more != "" ? "; " : "") more
}

function waiting(node, reason) {
	reason = why[job[node]]
	if (node in trouble)
		return "the node is " trouble[node] " (Slurm: " reason ")"
	return "Slurm: " reason
}

function put(node, state, reason) {
	printf "%s\t%s\t%s\n", node, state, reason == "" ? "-" : reason
}

END {
	for (node in job) {
		state = said[node, "state"]
		of = queue[job[node]]
		if (state == "gave" && (node, "no counts") in said)
			put(node, "failed", said[node, "no counts"])
		else if (state == "gave" || state == "failed" && of !~ /^(PENDING|CONFIGURING|RUNNING)$/ || state == "refused")
			put(node, state, own(node))
		else if (of == "PENDING" || of == "REQUEUED" || of == "REQUEUE_HOLD" || of == "SPECIAL_EXIT" || of == "SUSPENDED")
			put(node, "waits", waiting(node))
		else if (of == "RUNNING" || of == "CONFIGURING" || of == "COMPLETING" && state == "began")
			put(node, "measures", state == "began" ? "" : "Slurm: " of)
		else if (of == "DEADLINE")
			put(node, "failed", "waited for in vain" (node in trouble ? ": the node is " trouble[node] : ""))
		else if (of == "NODE_FAIL")
			put(node, "failed", "the node has failed (Slurm: NODE_FAIL)")
		else if (state == "began" && slurm == "-")
			put(node, "failed", "it never answered, or its connection broke: it said that it begins, and nothing more")
		else if (state == "began" && slurm == "yes")
			put(node, "failed", "its job was ended in the middle (Slurm: " (of == "" ? "job " job[node] " is over" : of) ")")
		else if (state == "began")
			put(node, "measures", "Slurm does not answer: whether it still does is not known")
		else if (of != "")
			put(node, "failed", "its job has left no word (Slurm: " of (node in trouble ? "; the node is " trouble[node] : "") ")")
		else if (slurm == "no")
			put(node, "waits", "Slurm does not answer")
		else if (slurm == "-")
			put(node, "failed", state == "" ? "it was never reached" : "its state.tsv is damaged")
		else
			put(node, "failed", "it never began; Slurm has forgotten job " job[node] (node in trouble ? "; the node is " trouble[node] : ""))
	}
}
