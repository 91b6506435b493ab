#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The text and the style of each patch have no fault. After the last patch the kernel builds, and the compiler, sparse and objtool
# have no complaint. build/lint.t checks the code after each of the other patches.
# needs: series
# tier: first
. "$(dirname "$0")/../lib/tap.sh"

ok "lint --last finds no fault" "$top/scripts/dev/lint" --last
like "$out" "text, style and the last prefix are fine" "lint --last says what it has checked"
done_testing
