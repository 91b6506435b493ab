#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat contribute in the virtual Xeon. It measures with record on the patched kernel, and with probe on Debian's.
# needs: tools qemu kernel:default image
# takes: minutes
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/tests/lib/probe.sh"
ready_to_probe image
stock=$kernel
use_kernel default
for on in patched stock; do
	[ "$on" = patched ] || kernel=$stock
	words "$(guest_program "$(command -v cksum)" /bin/cksum)" \
		probe_job "$tmp/$on" contribute 19 "answer check-tables dump effective-n histogram merge safe-copy pool-counts probe quantiles count-values"
	note "$(cat "$tmp/$on/said")"
done
done_testing
