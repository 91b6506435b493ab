# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154  # variables of tap.sh
# measuring.sh - options of testbed/run that put wakelat's own programs, and others, into the guest.

# guest_program FILE [GUESTPATH]: it and the libraries that it needs
guest_program() {
	printf -- '--add %s=%s ' "$1" "${2:-$1}"
	ldd "$1" | sed -n 's/^[^/]*\(\/[^ ]*\) (0x.*/--add \1=\1/p'
}

# measuring: what sweep and tune need beside the scripts
measuring() {
	for program in bounds dump histogram histstats quantiles; do
		guest_program "$top/tools/bin/$program" "/wakelat/tools/bin/$program"
	done | tr ' ' '\n' | paste -d ' ' - - | sort -u
}
