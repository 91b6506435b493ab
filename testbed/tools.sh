# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# tools.sh - put wakelat's own programs into the guest, so that all commands work there.
#
# Needs common.sh.

# Variables that testbed/run sets:
: "${top?testbed/run}" "${additions?testbed/run}" "${nl?testbed/run}" "${machine?testbed/run}"

# add_tools: append the programs of tools/bin and the libraries that they need to $additions, or die if they are not built
add_tools() {
	if [ "$machine" = arm64 ]; then
		arm64_tools=$("$top/testbed/guest/build-tools-arm64") || exit 1
		additions=$additions$arm64_tools/lib=/lib/aarch64-linux-gnu$nl$arm64_tools/bin=/wakelat/tools/bin$nl
		return
	fi
	[ -x "$top/tools/bin/dump" ] || die "tools/bin is not built: make tools"
	for tool in "$top"/tools/bin/*; do
		[ ! -f "$tool" ] || additions=$additions$tool=/wakelat/tools/bin/${tool##*/}$nl
	done
	additions=$additions$(ldd "$top"/tools/bin/* 2>/dev/null | sed -n 's/^[^/]*\(\/[^ ]*\) (0x.*/\1=\1/p' | sort -u)$nl
}
