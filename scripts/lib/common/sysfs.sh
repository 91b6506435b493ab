# SPDX-License-Identifier: GPL-2.0
# sysfs.sh - read and write the one-line files of sysfs and tracefs.
# shellcheck shell=sh

# Another root than /, below which are sys, proc and dev of the machine that is looked at: the tests
# present machines that they do not have. Only what is read by `wakelat doctor` honours it.
root=${WAKELAT_ROOT-}
: "$root"

# read_value FILE: its first line; nothing, and a status, if it cannot be read. Not every file can be read byte
# by byte, as dash and busybox do: topology/*_list of a CPU are empty then.
read_value() {
	{ IFS= read -r value_read <"$1"; } 2>/dev/null ||
		{ value_read=$(head -n 1 "$1" 2>/dev/null) && [ -n "$value_read" ]; } || return
	printf '%s\n' "$value_read"
}

write_error=

# write_value FILE VALUE: on failure the kernel's reason is in $write_error.
# The shell itself writes: a child of a shell that was killed could write after restore had put the old value back. Where
# that fails dd says why, because the shells' own printf hides the reason (dash) or has a word of its own for it.
write_value() {
	write_error=
	! { printf '%s\n' "$2" 1<>"$1"; } 2>/dev/null || return 0
	if write_error=$(printf '%s\n' "$2" | dd of="$1" conv=notrunc 2>&1 >/dev/null); then
		return 0
	fi
	write_error=$(printf '%s\n' "$write_error" | sed -n 's/^dd: .*: //p')
	return 1
}
