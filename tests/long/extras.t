#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Each extra can be deleted: in a copy without it, the tools build, help lists the rest, and the rules of the repository hold. The rest
# of wakelat names no extra. without-extras.t runs the tests without any.
# needs: tools
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/without.sh"
extras_begin
ok "there are extras" test -n "$extras"
grep -vE '^(extras|Documentation|results|patches)/|^README[.]md' "$tmp/files" >"$tmp/rest"

for extra in $extras; do
	is "$(tr '\n' '\0' <"$tmp/rest" | xargs -0 grep -lE "extras/$extra\b|wakelat\"? $extra\b|wakelat-$extra\b|commands/$extra\b|bin/$extra\b" 2>/dev/null)" "" \
		"$extra: code, tests and Makefile of the rest do not name it"
	unlike "$(cut -f 1 scripts/lib/common/schema.tsv)" "^$extra([.-]|$)" "$extra: the schema of the rest does not name it"
done

for extra in $extras; do
	without one "$extra"
	is "$("$copy/scripts/wakelat" help | grep -c "^  $extra ")" 0 "without $extra: help lists the rest"
	ok "without $extra: the rules of the repository hold" sh "$copy/tests/host/rooms.t"
	rm -rf "$copy"
done
done_testing
