# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# manual.sh - a command's -h against its manual page.

: "${top:?}"

# has_manual COMMAND: each option that -h names is in the page
has_manual() {
	for option in $("$top/scripts/wakelat" "$1" -h | grep -o -e ' --*[a-z][a-z-]*' | tr -d ' ' | sort -u); do
		ok "the manual page of $1 has $option" \
			grep -qF -e "$(printf '%s\n' "$option" | sed 's/-/\\-/g')" "$top/Documentation/man/wakelat-$1.1"
	done
}
