#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A kernel that is locked down, Debian's own in the virtual Xeon: with integrity probe works, with confidentiality one line says
# that neither BPF nor trace-cmd can, and doctor works in any case.
. "$(dirname "$0")/lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/measuring.sh"
. "$top/tests/lib/probe.sh"
build_tools
build_clocks || bail "no compiler"
[ -x "$top/tools/bin/probe" ] || skip_all "tools/bin/probe is not built"
kernel=$("$top/scripts/dev/fetch-image") || bail "no kernel"

for lockdown in integrity confidentiality; do
	# shellcheck disable=SC2046  # words
	guest_job "$tmp/$lockdown" "$top/tests/guest/lockdown.job" --kernel "$kernel" --memory 1024 --append "lockdown=$lockdown" $(probing)
	is "$status" 0 "$lockdown: it boots" || bail "$(tail -n 3 "$tmp/$lockdown.partial/console.log" 2>/dev/null)"
	is "$(cat "$tmp/$lockdown/lockdown")" "$lockdown" "$lockdown: it is locked down"
	replay_checks "$tmp/$lockdown" 2
	is "$(cat "$tmp/$lockdown/record-status")" 1 "$lockdown: record has no patched kernel here"
	is "$(wc -l <"$tmp/$lockdown/recorded")" 1 "$lockdown: and says so in a line"
done
is "$(cat "$tmp/integrity/probe-status")" 0 "integrity: probe measures"
ok "integrity: there are samples" test "$(wc -l <"$tmp/integrity/probed/samples.tsv")" -gt 100
is "$(cat "$tmp/confidentiality/probe-status")" 1 "confidentiality: probe refuses"
is "$(wc -l <"$tmp/confidentiality/probe-said")" 1 "confidentiality: in a line"
like "$(cat "$tmp/confidentiality/probe-said")" 'locked down .*confidentiality.*neither BPF nor trace-cmd.*without: wakelat doctor' "which says why, and what works"
done_testing
