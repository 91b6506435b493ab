# SPDX-License-Identifier: GPL-2.0
# tracefs.sh - where the kernel's part of wakelat is.
# shellcheck shell=sh
#
# Needs message.sh.

tracefs=
wakelat=

# The limit of a sample's uncertainty: dump gives a sample that is above it the taint "uncertain".
max_uncertainty_ns=5000

# For filters of wakelat_sample. Of a state that is entered with interrupts on it is not known what was entered: all ones are absent.
filter_irqs_off='entered != 18446744073709551615'
filter_irqs_on='entered == 18446744073709551615'
filter_clean="taint == 0 && uncertainty <= $max_uncertainty_ns"
: "$filter_irqs_off" "$filter_irqs_on" "$filter_clean"

# tracefs_mounts: the places where tracefs is mounted, the usual one first
tracefs_mounts() {
	awk '$3 == "tracefs" { print ($2 != "/sys/kernel/tracing"), $2 }' /proc/mounts | sort | cut -d ' ' -f 2-
}

# find_wakelat: sets $tracefs, and $wakelat, the directory of the control files, or dies.
find_wakelat() {
	tracefs=$(tracefs_mounts | head -n 1)
	[ -n "$tracefs" ] || die "tracefs is not mounted: mount -t tracefs tracefs /sys/kernel/tracing"
	wakelat=$tracefs/wakelat
	[ -d "$wakelat" ] ||
		die "the kernel ($(uname -r)) has no wakelat: apply the patches and build it with CONFIG_WAKELAT=y (Documentation/your-machine.md)"
}

# kernel_status KEY: from the control file status
kernel_status() {
	sed -n "s/^$1 //p" "$wakelat/status"
}
