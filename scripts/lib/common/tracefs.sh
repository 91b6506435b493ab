# SPDX-License-Identifier: GPL-2.0
# tracefs.sh - finds the control files of wakelat in tracefs, and has filters of its events.
# shellcheck shell=sh
#
# Needs message.sh.

# Variables that functions of this file set:
status_value=
: "$status_value"

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

# tracefs_mount: prints the first directory that tracefs_mounts prints, with one process
tracefs_mount() {
	awk -v usual=/sys/kernel/tracing '
		$3 != "tracefs" || first == usual { next }
		$2 == usual || first == "" || $2 < first { first = $2 }
		END { print first }' /proc/mounts
}

# find_wakelat: sets $tracefs, and $wakelat to the directory of the control files. Dies if one is
# missing.
find_wakelat() {
	tracefs=$(tracefs_mount)
	[ -n "$tracefs" ] || die "tracefs is not mounted: mount -t tracefs tracefs /sys/kernel/tracing"
	wakelat=$tracefs/wakelat
	[ -d "$wakelat" ] ||
		die "the kernel ($(uname -r)) has no wakelat: apply the patches and build it with CONFIG_WAKELAT=y (Documentation/your-machine.md)"
}

# read_status KEY: sets $status_value to the value of KEY in the control file status, or to nothing
# if there is no such line. It starts no process, which could run on a measured CPU.
read_status() {
	status_value=
	while IFS= read -r status_line; do
		case $status_line in
		"$1 "*)
			status_value=${status_line#"$1 "}
			break
			;;
		esac
	done <"$wakelat/status"
}

# kernel_status KEY: prints the value of KEY in the control file status
kernel_status() {
	read_status "$1"
	[ -z "$status_value" ] || printf '%s\n' "$status_value"
}
