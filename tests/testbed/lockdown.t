#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A kernel that is locked down, Debian's own in the virtual Xeon: with integrity probe works, with confidentiality one line says
# that neither BPF nor trace-cmd can, and doctor works in any case.
# needs: tools qemu image
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/probe.sh"
ready_to_probe image

for lockdown in integrity confidentiality; do
	probe_job "$tmp/$lockdown" lockdown 2 probe --append "lockdown=$lockdown"
	is "$(cat "$tmp/$lockdown/lockdown")" "$lockdown" "$lockdown: it is locked down"
	is "$(cat "$tmp/$lockdown/record-status")" 1 "$lockdown: record has no patched kernel here"
	is "$(wc -l <"$tmp/$lockdown/recorded")" 1 "$lockdown: and says so in a line"
done
is "$(cat "$tmp/integrity/probe-status")" 0 "integrity: probe measures"
ok "integrity: there are samples" test "$(wc -l <"$tmp/integrity/probed/samples.tsv")" -gt 100
is "$(cat "$tmp/confidentiality/probe-status")" 1 "confidentiality: probe refuses"
is "$(wc -l <"$tmp/confidentiality/probe-said")" 1 "confidentiality: in a line"
like "$(cat "$tmp/confidentiality/probe-said")" 'locked down .*confidentiality.*neither BPF nor trace-cmd.*what works: wakelat doctor' "which says why, and what works"
done_testing
