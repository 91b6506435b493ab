#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat probe: its options, and what is said where it was not built, or where there is neither BPF nor trace-cmd. What it
# measures: machine/probe.t, and probe-*.t in the testbed.
# needs: tools
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

refused "'nmi' is none of timer, passive, wake" "an unknown source" "$wakelat" probe --source nmi
refused "unknown option '--never'" "an unknown option" "$wakelat" probe --never x
refused 'standard error is no terminal' "--live without a terminal" "$wakelat" probe --live
refused 'not a time in whole us' "a limit of 1 ns" "$wakelat" probe --latency-limit 1ns
refused 'waker goes with' "a waker without wake-ups" "$wakelat" probe --waker 0
refused 'samples 0 needs' "no end" "$wakelat" probe -n 0
if [ "$(id -u)" -eq 0 ]; then
	chmod 711 "$tmp"
	refused 'must be root.*without:' "without root" setpriv --reuid 65534 --regid 65534 --clear-groups "$wakelat" probe
fi
refused "'never' is not a time" "no time" "$wakelat" probe --threshold never
refused 'stop goes with --threshold' "nothing to stop at" "$wakelat" probe --stop
refused 'keeps no sample' "a threshold for metrics" "$wakelat" probe --threshold 1us --export m.prom

[ "$(id -u)" -eq 0 ] || { done_testing; exit; }
# Nothing of it is built: neither the program of its own nor those that trace-cmd needs.
mkdir copy && cp -R "$top/scripts" copy/
refused 'not built: scripts/dev/packages probe, then make tools; and by trace-cmd .* either: tools/bin/stock and timers are not built: make tools' \
	"nothing is built" copy/scripts/wakelat probe
no_tracefs() (
	exec unshare -m sh -c 'umount -a -t tracefs; mount -t tmpfs none /sys/kernel/btf && exec "$0" probe' "$wakelat"
)
if [ -d /sys/kernel/btf ] && command -v trace-cmd >/dev/null; then
	refused 'no BTF.*and by trace-cmd it cannot be done either: (tracefs is not mounted: mount|tracing may not be changed)' "no tracefs" no_tracefs
fi
is "$(find . -name 'wakelat-*' | grep -v copy)" "" "and no directory is left"
done_testing
