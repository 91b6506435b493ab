# SPDX-License-Identifier: GPL-2.0
# sysfs.sh - read and write the one-line files of sysfs and tracefs.
# shellcheck shell=sh

# Variables that functions of this file set:
value_read=
pm_limit=
: "$value_read" "$pm_limit"

# A directory to use instead of /, with sys, proc and dev of the examined machine. The tests use it
# to simulate machines. Only files that `wakelat doctor` reads are looked up in it.
root=${WAKELAT_ROOT-}
: "$root"

# take_value FILE: set $value_read to its first line. Set it to nothing and fail if FILE cannot be
# read. `read` of dash and busybox reads byte by byte, so some files seem empty (topology/*_list of
# a CPU). head reads these.
take_value() {
	value_read=
	{ IFS= read -r value_read <"$1"; } 2>/dev/null ||
		{ value_read=$(head -n 1 "$1" 2>/dev/null) && [ -n "$value_read" ]; }
}

# read_value FILE: print its first line, or fail as take_value does. take_value starts no process;
# $(read_value ...) does.
read_value() {
	take_value "$1" && printf '%s\n' "$value_read"
}

# read_pm_limit FILE: set $pm_limit to the latency limit in us that a PM QoS device has, such as
# /dev/cpu_dma_latency: a binary 32-bit number. Set it to nothing if it cannot be read.
read_pm_limit() {
	pm_limit=$(od -An -td4 -N4 "$1" 2>/dev/null)
	pm_limit=${pm_limit##* }
}

write_error=

# write_value FILE VALUE: write VALUE to FILE. On failure the kernel's reason is in $write_error.
# The shell itself writes, because a child of a killed shell could write after restore had written
# the old value. If that fails, dd tries again and gives the reason: dash's printf hides it, and
# other shells use their own words.
write_value() {
	write_error=
	! { printf '%s\n' "$2" 1<>"$1"; } 2>/dev/null || return 0
	if write_error=$(printf '%s\n' "$2" | dd of="$1" conv=notrunc 2>&1 >/dev/null); then
		return 0
	fi
	write_error=$(printf '%s\n' "$write_error" | sed -n 's/^dd: .*: //p')
	return 1
}
