#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# make upstream: what would be sent.
# needs: source
. "$(dirname "$0")/../lib/tap.sh"

upstream=$top/scripts/dev/upstream
mkdir "$tmp/mine"
: >"$tmp/mine/file"
refused 'mine is not empty, and not from here' "not over something else" "$upstream" "$tmp/mine"
refused 'needs the number of the version' "a version that is none" "$upstream" -v one "$tmp/out"
refused 'unknown option' "an unknown option" "$upstream" --send
refused 'is no git tree of the kernel' "a tree without git" env KSRC="$tmp/mine" "$upstream" "$tmp/out"
not_ok "nothing is left of these" test -e "$tmp/out"

run "$upstream" -v 2 "$tmp/out"
is "$status" 0 "the mails are made, apply, and make the tree that the series makes" || tap_show_run
[ "$status" -eq 0 ] || bail "no mails"
cd "$tmp/out" || exit 1
number=$(find "$top/patches/1-first" -name '[0-9]*.patch' | wc -l)
is "$(find . -name 'v2-*.patch' | wc -l)" "$((number + 1))" "a cover letter and each patch"
cover=$(echo v2-0000-*.patch)
like "$(cat "$cover")" "^Subject: \\[PATCH v2 0*/$number\\] cpuidle: " "the letter has a subject"
is "$(grep -nE '\*\*\*|@[a-z]+@' "$cover")" "" "and nothing in it that is to be filled in"
is "$(sed '/^[^ ]* *|/d; /^---/,$d' "$cover" | awk 'length($0) > 75 && !/^(Subject|To|Cc| )/' )" "" "no line is longer than 75"
like "$(cat "$cover")" "$(sed -n 's/.*these patches has | \([0-9]*\) more.*/ \1 instructions/p' "$top/Documentation/how-it-works.md")" \
	"its numbers are those of how-it-works.md"
id=$(sed -n 's/^Message-[Ii][Dd]: //p' "$cover")
is "$(grep -lF "In-Reply-To: $id" v2-*.patch | wc -l)" "$number" "the patches answer it"
# Headers that are too long go on in the next line.
for who in linux-pm@vger.kernel.org linux-trace-kernel@vger.kernel.org x86@kernel.org intel-wired-lan@lists.osuosl.org; do
	is "$(grep -lF "$who" v2-*.patch | wc -l)" "$((number + 1))" "$who is told of each"
done
like "$(cat "$cover")" '^To: .*@' "somebody is asked"
is "$(grep -l '^Signed-off-by' v2-*.patch)" "" "nobody has signed off for you"
is "$(cut -d : -f 3 checkpatch.txt | sort -u | paste -sd ' ' -)" " CHECK  ERROR  WARNING" "checkpatch has something to say"
is "$(sed -E 's/^[^:]*:[^:]*: [A-Z]*:([A-Z_]*):.*/\1/' checkpatch.txt | sort -u | paste -sd ' ' -)" \
	"ALLOC_WITH_SIZEOF FILE_PATH_CHANGES MISSING_SIGN_OFF OPEN_ENDED_LINE PARENTHESIS_ALIGNMENT" "only what Documentation/upstream.md explains"
like "$(cat MAINTAINERS.entry)" "^F:	drivers/cpuidle/wakelat/\$" "an entry for MAINTAINERS"
like "$(cat README)" 'Linux 7\.3\.' "for the newest kernel"

# --- a git tree of the user's, and a worktree of it: as much of a tree as is needed

# in_git ARGUMENT...
in_git() {
	git -c safe.directory='*' -c user.name=x -c user.email=x@x -c gc.auto=0 -C "$tmp/linux" "$@"
}
theirs() {
	tarball=$("$top/scripts/dev/fetch-kernel" --kernel 7.3) && mkdir "$tmp/linux" || return
	{
		git apply --numstat "$top"/patches/[0-9]-*/[0-9]*.patch | cut -f 3 | grep -v ' ' | sort -u
		printf '%s\n' COPYING CREDITS Kbuild MAINTAINERS Makefile README scripts Documentation/dev-tools/checkpatch.rst
	} | sed "s|^|$(basename "$tarball" .tar.xz)/|" >"$tmp/members"
	tar -C "$tmp/linux" --strip-components=1 -xf "$tarball" --files-from "$tmp/members" 2>/dev/null
	in_git init -q && in_git add -A -f . && in_git commit -qm 'Linux 7.3' && in_git tag -a -m v7.3 v7.3 && in_git worktree add -q -f "$tmp/worktree" 2>/dev/null
}
ok "a git tree of the user's, and a worktree" theirs
before=$(in_git rev-parse HEAD; in_git branch; in_git status --porcelain)
for tree in linux worktree; do
	run env KSRC="$tmp/$tree" "$upstream" "$tmp/theirs"
	is "$status" 0 "KSRC=$tree: the mails are made" || tap_show_run
	like "$(cat "$tmp"/theirs/0000-*.patch)" "^base-commit: $(in_git rev-parse HEAD)\$" "$tree: and say for which commit"
	like "$(cat "$tmp/theirs/README")" "^Version 1 of the series, for v7\.3 of .*/$tree\. " "$tree: the page, too"
	is "$(in_git rev-parse HEAD; in_git branch; in_git status --porcelain)" "$before" "$tree: it is as it was"
done
printf 'broken\n' >"$tmp/linux/drivers/cpuidle/cpuidle.c"
in_git commit -qam broken
rm -rf "$tmp/theirs"
refused 'series 1-first does not apply to v7\.3-1-g' "a tree that the series does not apply to" env KSRC="$tmp/linux" "$upstream" "$tmp/theirs"
not_ok "nothing is left" test -e "$tmp/theirs"
done_testing
