# SPDX-License-Identifier: GPL-2.0
# html-lead.awk - run.tsv: print a sentence that says what was measured. Needs html.awk.

function say(key, name) {
	if (of[key] != "" && of[key] != "-")
		text = text (text == "" ? "" : ", ") name html(of[key])
}

{ of[$1] = $2 }

END {
	say("cpu_model", "")
	say("driver", "idle driver ")
	say("source", "source ")
	say("cpus", "CPU ")
	say("kernel", "kernel ")
	printf "<p class=\"lead\">%s.</p>\n", text
}
