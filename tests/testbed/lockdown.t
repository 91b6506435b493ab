#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Debian's own kernel, locked down, in the virtual Xeon. With lockdown=integrity, probe works. With
# lockdown=confidentiality, probe says in one line that neither BPF nor trace-cmd works. doctor works with both.
# needs: tools qemu image
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/probe.sh"
ready_to_probe image

for lockdown in integrity confidentiality; do
	probe_job "$tmp/$lockdown" lockdown 2 probe --append "lockdown=$lockdown"
	is "$(cat "$tmp/$lockdown/lockdown")" "$lockdown" "$lockdown: the kernel is locked down"
	is "$(cat "$tmp/$lockdown/record-status")" 1 "$lockdown: record fails without a patched kernel"
	is "$(wc -l <"$tmp/$lockdown/recorded")" 1 "$lockdown: record prints one line"
done
is "$(cat "$tmp/integrity/probe-status")" 0 "integrity: probe measures"
ok "integrity: probe writes at least 100 samples" test "$(wc -l <"$tmp/integrity/probed/samples.tsv")" -gt 100
is "$(cat "$tmp/confidentiality/probe-status")" 1 "confidentiality: probe refuses"
is "$(wc -l <"$tmp/confidentiality/probe-said")" 1 "confidentiality: probe prints one line"
like "$(cat "$tmp/confidentiality/probe-said")" 'locked down .*confidentiality.*neither BPF nor trace-cmd.*what works: wakelat doctor' \
	"confidentiality: probe says why it refuses, and what works"
done_testing
