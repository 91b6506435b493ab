#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# make upstream: writes the mails that would be sent.
# needs: source
. "$(dirname "$0")/../lib/tap.sh"

upstream=$top/scripts/dev/upstream
mkdir "$tmp/mine"
: >"$tmp/mine/file"
refused 'mine is not empty, and was not made by this script' "refuses a directory with other files" "$upstream" "$tmp/mine"
refused 'needs the number of the version' "refuses a version that is not a number" "$upstream" -v one "$tmp/the mails"
refused 'unknown option' "refuses an unknown option" "$upstream" --send
refused 'is not a git tree of the kernel' "refuses a kernel tree without git" env KSRC="$tmp/mine" "$upstream" "$tmp/the mails"
not_ok "a refused command leaves no output" test -e "$tmp/the mails"

run "$upstream" -v 2 "$tmp/the mails"
is "$status" 0 "the mails are made, apply, and give the same tree as the series" || tap_show_run
[ "$status" -eq 0 ] || bail "no mails"
cd "$tmp/the mails" || exit 1
number=$(find "$top/patches/1-first" -name '[0-9]*.patch' | wc -l)
is "$(find . -name 'v2-*.patch' | wc -l)" "$((number + 1))" "there is a mail for each patch and a cover letter"
cover=$(echo v2-0000-*.patch)
like "$(cat "$cover")" "^Subject: \\[PATCH v2 0*/$number\\] cpuidle: " "the cover letter has a subject"
is "$(grep -nE '\*\*\*|@[a-z]+@' "$cover")" "" "the cover letter has no placeholder"
is "$(sed '/^[^ ]* *|/d; /^---/,$d' "$cover" | awk 'length($0) > 75 && !/^(Subject|To|Cc| )/' )" "" "the cover letter's text has at most 75 columns"
like "$(cat "$cover")" "$(sed -n 's/.*these patches has | \([0-9]*\) more.*/ \1 instructions/p' "$top/Documentation/how-it-works.md")" \
	"the cover letter's numbers are those of how-it-works.md"
id=$(sed -n 's/^Message-[Ii][Dd]: //p' "$cover")
is "$(grep -lF "In-Reply-To: $id" v2-*.patch | wc -l)" "$number" "each patch is a reply to the cover letter"
# A long header continues in the next line, so an address may be in any line.
for who in linux-pm@vger.kernel.org linux-trace-kernel@vger.kernel.org x86@kernel.org; do
	is "$(grep -lF "$who" v2-*.patch | wc -l)" "$((number + 1))" "each mail goes to $who"
done
is "$(grep -lF intel-wired-lan@ v2-*.patch)" "" "the first series does not go to the list of the network card"
like "$(cat "$cover")" '^To: .*@' "the cover letter has a recipient"
is "$(grep -l '^Signed-off-by' v2-*.patch)" "" "no mail has a Signed-off-by"
is "$(cut -d : -f 3 checkpatch.txt | sort -u | paste -sd ' ' -)" " CHECK  ERROR  WARNING" "checkpatch.txt has checks, errors and warnings"
is "$(sed -E 's/^[^:]*:[^:]*: [A-Z]*:([A-Z_]*):.*/\1/' checkpatch.txt | sort -u | paste -sd ' ' -)" \
	"FILE_PATH_CHANGES MISSING_SIGN_OFF OPEN_ENDED_LINE PARENTHESIS_ALIGNMENT" "checkpatch.txt has only the types that Documentation/upstream.md explains"
like "$(cat MAINTAINERS.entry)" "^F:	drivers/cpuidle/wakelat/\$" "MAINTAINERS.entry has the folder of the driver"
like "$(cat README)" 'Linux 7\.3\.' "README names the newest kernel"

# --- a git tree of the user and a worktree of it, with only the files that are needed

# in_git ARGUMENT...: run git in the user's tree
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
ok "a git tree and a worktree of it are made" theirs
before=$(in_git rev-parse HEAD; in_git branch; in_git status --porcelain)
for tree in linux worktree; do
	run env KSRC="$tmp/$tree" "$upstream" "$tmp/theirs"
	is "$status" 0 "KSRC=$tree: the mails are made" || tap_show_run
	like "$(cat "$tmp"/theirs/0000-*.patch)" "^base-commit: $(in_git rev-parse HEAD)\$" "KSRC=$tree: the cover letter names the commit"
	like "$(cat "$tmp/theirs/README")" "^Version 1 of the series, for v7\.3 of .*/$tree\. " "KSRC=$tree: README names the version and the tree"
	is "$(in_git rev-parse HEAD; in_git branch; in_git status --porcelain)" "$before" "KSRC=$tree: the tree is unchanged"
done

# --- whose code a series uses: the people and lists that MAINTAINERS names

# people SECTION: print the addresses of the people and lists of a section of MAINTAINERS
people() {
	sed -n "/^$1\$/,/^\$/s/^[ML]:.*[	 <]\([^ <>]*@[^ <>]*\).*/\1/p" "$tmp/linux/MAINTAINERS"
}
# goes_to SERIES SECTION LETTER: check that the cover letter of a series is addressed to all people of this section
goes_to() {
	people "$2" >"$tmp/people"
	ok "MAINTAINERS has people of $2" test -s "$tmp/people"
	is "$(sed '/^$/q' "$3" | grep -oFf "$tmp/people" | sort -u)" "$(sort -u "$tmp/people")" "$1 goes to $2"
}
goes_to 1-first 'HIGH-RESOLUTION TIMERS, TIMER WHEEL, CLOCKEVENTS' "$tmp/the mails/$cover"
for series in 4-card 6-arm64; do
	rm -rf "$tmp/theirs"
	run env KSRC= SERIES="$series" "$upstream" "$tmp/theirs"
	is "$status" 0 "$series: the mails are made" || tap_show_run
	case $series in
	4-card) section='INTEL ETHERNET DRIVERS' ;;
	6-arm64) section='ARM64 PORT (AARCH64 ARCHITECTURE)' ;;
	esac
	goes_to "$series" "$section" "$(echo "$tmp"/theirs/0000-*.patch)"
done
is "$(grep -lF -e intel-wired-lan@ -e x86@ "$tmp"/theirs/*.patch)" "" "6-arm64 does not go to the lists of the network card and of x86"
rm -rf "$tmp/theirs"

printf 'broken\n' >"$tmp/linux/drivers/cpuidle/cpuidle.c"
in_git commit -qam broken
rm -rf "$tmp/theirs"
refused 'series 1-first does not apply to v7\.3-1-g' "refuses a tree to which the series does not apply" env KSRC="$tmp/linux" "$upstream" "$tmp/theirs"
not_ok "the refused tree leaves no output" test -e "$tmp/theirs"
done_testing
