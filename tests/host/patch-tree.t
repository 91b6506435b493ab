#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# make patch on a tree: a signal at any step applies the whole series or nothing.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"
command -v git >/dev/null || skip_all "no git"
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

# A patch series of two patches.
repo=$tmp/repo
mkdir -p "$repo/patches/1-first"
cp -R "$top/scripts" "$top/VERSION" "$repo/"
for name in one two; do
	cat >"$repo/patches/1-first/0001-$name.patch" <<-END
		From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001
		From: A <a@example.org>
		Date: Thu, 1 Jan 2026 00:00:00 +0000
		Subject: [PATCH] $name

		---
		diff --git a/drivers/cpuidle/$name.c b/drivers/cpuidle/$name.c
		--- a/drivers/cpuidle/$name.c
		+++ b/drivers/cpuidle/$name.c
		@@ -1 +1 @@
		-old
		+new
	END
done
mkdir -p "$tmp/linux/drivers/cpuidle" "$tmp/bin"
printf 'VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 99\n' >"$tmp/linux/Makefile"
echo old >"$tmp/linux/drivers/cpuidle/one.c"
echo old >"$tmp/linux/drivers/cpuidle/two.c"
cp -R "$tmp/linux" "$tmp/git"

# interrupted PROGRAM PATTERN: patch a copy of the tree. After PROGRAM with an argument like PATTERN, patch-tree gets SIGINT.
interrupted() {
	rm -rf "${tmp:?}/tree" "${tmp:?}/bin" && cp -R "$tmp/linux" "$tmp/tree" && mkdir "$tmp/bin"
	cat >"$tmp/bin/$1" <<-END
		#!/bin/sh
		"$(command -v "$1")" "\$@" || exit
		case \$* in *$2*) kill -INT "\$PPID" ;; esac
	END
	chmod +x "$tmp/bin/$1"
	PATH=$tmp/bin:$PATH "$repo/scripts/dev/patch-tree" "$tmp/tree" >"$tmp/said" 2>&1
	text=$(cd "$tmp/tree/drivers/cpuidle" && echo ./* && cat ./*)
}
interrupted cp 'one.c.partial'
is "$text" "./one.c ./two.c
old
old" "a signal while the new files are written changes nothing"
interrupted mv 'one.c.partial'
is "$text" "./one.c ./two.c
new
new" "a signal while the new files are put in place does not stop that"

cd "$tmp/git" || exit 1
git init -q . && git config user.name A && git config user.email a@example.org && git add . && git commit -qm old || bail "git"
cat >.git/hooks/post-applypatch <<-'END'
	#!/bin/sh
	kill -INT "$PPID" "$(cat .git/caller)"
END
chmod +x .git/hooks/post-applypatch
# shellcheck disable=SC2016  # for the other shell
sh -c 'echo $$ >.git/caller; exec "$1" .' sh "$repo/scripts/dev/patch-tree" >"$tmp/said" 2>&1
is "$(git log --format=%s)$(git status --porcelain; ls -d .git/rebase-apply 2>/dev/null)" old \
	"a signal after the first commit of a git tree removes that commit"
done_testing
