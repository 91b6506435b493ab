# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# advice.sh - make a recording, and save the texts that wakelat verdict --paste prints for it.
# Needs tap.sh, analysis.sh.

: "${wakelat:?}" "${status=}" "${out=}" "${err=}"

# advice_recording: makes the recording d in this directory: POLL, C1, C1E_x and C6, not emulated
advice_recording() {
	mkdir d
	run_tsv d/run.tsv state.0.residency_ns 0 state.1.residency_ns 2000 state.2.residency_ns 20000 state.3.residency_ns 600000
	sed -i 's/^emulated.*/emulated	no/' d/run.tsv
	{
		seq 4000 | sed 's/.*/0 1000 - 500 -/'
		seq 4000 | sed 's/.*/1 1000 1500 1500 -/'
		seq 4000 | sed 's/.*/2 1000 9000 9000 -/'
		seq 4000 | sed 's/.*/3 1000 130000 130000 -/'
	} | samples_tsv d/samples.tsv
}

# paste_texts WHAT...: for each WHAT, save what --paste WHAT prints: with a budget of 50 us in
# paste/WHAT, with a budget of 1 us in paste/WHAT.0
paste_texts() {
	mkdir paste
	for what; do
		run "$wakelat" verdict d -b 50us --paste "$what"
		is "$status$err" 0 "$what: verdict --paste prints a text"
		printf '%s\n' "$out" >"paste/$what"
		"$wakelat" verdict d -b 1us --paste "$what" >"paste/$what.0"
	done
}
