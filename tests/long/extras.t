#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Each extra can be deleted: in a copy without it, the tools build, help lists the rest, and the rules of the repository hold. In a
# copy without any extra, all tests of host/ pass. The rest of wakelat names no extra.
# needs: tools
# takes: minutes
. "$(dirname "$0")/../lib/tap.sh"
cd "$top" || exit 1
git ls-files >"$tmp/files" 2>/dev/null && [ -s "$tmp/files" ] || skip_all "not a git tree"
extras=$(sed -n 's|^extras/\([a-z-]*\)/.*|\1|p' "$tmp/files" | sort -u)
ok "there are extras" test -n "$extras"
grep -vE '^(extras|Documentation|results|patches)/|^README[.]md' "$tmp/files" >"$tmp/rest"

for extra in $extras; do
	is "$(tr '\n' '\0' <"$tmp/rest" | xargs -0 grep -lE "extras/$extra\b|wakelat\"? $extra\b|wakelat-$extra\b|commands/$extra\b|bin/$extra\b" 2>/dev/null)" "" \
		"$extra: code, tests and Makefile of the rest do not name it"
	unlike "$(cut -f 1 scripts/lib/common/schema.tsv)" "^$extra([.-]|$)" "$extra: the schema of the rest does not name it"
done

# The copies have short paths, because verdict.t looks at the width of a command with its path. Some tests act as another user, who
# must be able to enter a copy.
copies=$(mktemp -d /tmp/wXXX) && chmod 755 "$copies" || bail "no directory for the copies"
cleanup() {
	rm -rf "$copies"
}

# without COPY EXTRA...: make a copy of the tree in $copies/COPY without these extras, a git tree, with built tools
without() {
	copy=$copies/$1
	shift
	mkdir "$copy" && tar -cf - -T "$tmp/files" | tar -xf - -C "$copy" && cp -R tools/. "$copy/tools/" || bail "the tree cannot be copied"
	for extra; do
		rm -r "$copy/extras/${extra:?}"
	done
	(cd "$copy" && git init -q && git add -A && git -c user.name=x -c user.email=x commit -qm x) || bail "git fails in the copy"
	ok "without $*: the tools build" make -s -C "$copy/tools"
	for extra; do
		refused "there is no command '$extra'" "without $*: there is no command $extra" "$copy/scripts/wakelat" "$extra"
	done
}
for extra in $extras; do
	without one "$extra"
	is "$("$copy/scripts/wakelat" help | grep -c "^  $extra ")" 0 "without $extra: help lists the rest"
	ok "without $extra: the rules of the repository hold" sh "$copy/tests/host/rooms.t"
	rm -rf "$copy"
done
words "$extras" without none
(cd "$copy" && prove tests/host/*.t) >"$tmp/proved" 2>&1
is "$(sed -n '/^Test Summary Report/,$p' "$tmp/proved")" "" "without any extra: all tests of host/ pass"
done_testing
