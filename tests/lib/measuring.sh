# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# measuring.sh - print options of testbed/run that put wakelat's programs, and others, into the guest.

: "${top:?}"

# guest_program FILE [GUESTPATH]: add a program and the libraries that it needs
guest_program() {
	printf -- '--add %s=%s ' "$1" "${2:-$1}"
	ldd "$1" | sed -n 's/^[^/]*\(\/[^ ]*\) (0x.*/--add \1=\1/p'
}

# guest_tools NAME...: add programs of tools/bin where wakelat looks for them. Also add `safe-copy`, with which all commands read and
# write directories, and `answer`, which makes their tables
guest_tools() {
	for program in answer safe-copy "$@"; do
		guest_program "$top/tools/bin/$program" "/wakelat/tools/bin/$program"
	done | tr ' ' '\n' | paste -d ' ' - - | sort -u
}

# guest_tools_arm64: add all programs of tools/, built for the arm64 machine
guest_tools_arm64() {
	declared tools-arm64
	arm64_tools=$("$top/testbed/guest/build-tools-arm64") || return
	printf -- '--add %s ' "$arm64_tools/lib=/lib/aarch64-linux-gnu" "$arm64_tools/bin=/wakelat/tools/bin"
}

# measuring: add what sweep needs besides the scripts
measuring() {
	guest_tools check-tables dump histogram quantiles
}
