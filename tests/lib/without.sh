# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# without.sh - copies of the tree without some extras. Needs tap.sh.
#
#	extras_begin			set $extras, the names of all; write $tmp/files, the files of the tree; change to $top
#	without COPY EXTRA...		make $copy, a copy without these extras and with built tools, a git tree
#	cleanup				removes the copies at the end

: "${top:?}" "${tmp:?}"

# The copies have short paths, because verdict.t looks at the width of a command with its path. Some tests act as another user, who
# must be able to enter a copy.
extras_begin() {
	cd "$top" || exit 1
	git ls-files >"$tmp/files" 2>/dev/null && [ -s "$tmp/files" ] || skip_all "not a git tree"
	extras=$(sed -n 's|^extras/\([a-z-]*\)/.*|\1|p' "$tmp/files" | sort -u)
	: "$extras"
	copies=$(mktemp -d /tmp/wXXX) && chmod 755 "$copies" || bail "no directory for the copies"
}

cleanup() {
	rm -rf "$copies"
}

# Objects are copied with their times, so make compiles only what differs, and fails if something needs a file of the extra.
without() {
	copy=$copies/$1
	shift
	mkdir "$copy" && tar -cf - -T "$tmp/files" | tar -xf - -C "$copy" && cp -a tools/. "$copy/tools/" || bail "the tree cannot be copied"
	for extra in extras/*/; do
		[ ! -d "$copy/$extra" ] || find "$extra" -maxdepth 1 -name '*.[oda]' -exec cp -a {} "$copy/$extra" \;
	done
	for extra; do
		rm -r "$copy/extras/${extra:?}"
	done
	(cd "$copy" && git init -q && git add -A && git -c user.name=x -c user.email=x commit -qm x) || bail "git fails in the copy"
	ok "without $*: the tools build" make -s -C "$copy/tools"
	for extra; do
		refused "there is no command '$extra'" "without $*: there is no command $extra" "$copy/scripts/wakelat" "$extra"
	done
}
