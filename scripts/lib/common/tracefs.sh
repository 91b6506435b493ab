# SPDX-License-Identifier: GPL-2.0
# tracefs.sh - finds the control files of wakelat in tracefs, and has filters of its events.
# shellcheck shell=sh
#
# Needs message.sh.

tracefs=
wakelat=

# Largest uncertainty of a clean sample. dump gives samples above it the taint "uncertain".
max_uncertainty_ns=5000

# Filters of the event wakelat_sample. If the state was entered with interrupts on, the kernel does
# not know which state was entered: field entered has all bits set, which means absent.
filter_irqs_off='entered != 18446744073709551615'
filter_irqs_on='entered == 18446744073709551615'
filter_clean="taint == 0 && uncertainty <= $max_uncertainty_ns"
: "$filter_irqs_off" "$filter_irqs_on" "$filter_clean"

# tracefs_mounts: prints the directories where tracefs is mounted, /sys/kernel/tracing first
tracefs_mounts() {
	awk '$3 == "tracefs" { print ($2 != "/sys/kernel/tracing"), $2 }' /proc/mounts | sort | cut -d ' ' -f 2-
}

# find_wakelat: sets $tracefs, and $wakelat to the directory of the control files. Dies if one is
# missing.
find_wakelat() {
	tracefs=$(tracefs_mounts | head -n 1)
	[ -n "$tracefs" ] || die "tracefs is not mounted: mount -t tracefs tracefs /sys/kernel/tracing"
	wakelat=$tracefs/wakelat
	[ -d "$wakelat" ] ||
		die "the kernel ($(uname -r)) has no wakelat: apply the patches and build it with CONFIG_WAKELAT=y (Documentation/your-machine.md)"
}

# kernel_status KEY: prints the value of KEY in the control file status
kernel_status() {
	sed -n "s/^$1 //p" "$wakelat/status"
}
