#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Without any extra the tools build from nothing, and all tests of host/ pass.
# needs: tools
# takes: minutes
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/without.sh"
extras_begin
words "$extras" without none
ok "the tools build from nothing" sh -c 'make -s -C "$1" clean && make -s -C "$1"' sh "$copy/tools"
(cd "$copy" && prove tests/host/*.t) >"$tmp/proved" 2>&1
is "$(sed -n '/^Test Summary Report/,$p' "$tmp/proved")" "" "all tests of host/ pass"
like "$(tail -n 1 "$tmp/proved")" '^Result: PASS' "the tests ran"
done_testing
