#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# scripts/dev: series makes a tree of the patches and writes it back, lint finds faults, build-kernel checks configurations.
# needs: source builds
. "$(dirname "$0")/../lib/tap.sh"

# A copy of the files that these scripts read. The test plants faults in it.
repo=$tmp/repo
mkdir -p "$repo/testbed"
cp -R "$top/scripts" "$top/patches" "$top/Kconfig.snippet" "$repo/"
cp -R "$top/testbed/kernel" "$repo/testbed/"
series=$repo/scripts/dev/series
lint=$repo/scripts/dev/lint
tree=$tmp/linux

in_tree() {
	git -C "$tree" -c user.name=Tester -c user.email=tester@wakelat.invalid "$@"
}

# --- series

ok "series check: writing the series back would change nothing" "$top/scripts/dev/series" check
ok "series expand: makes a tree" "$series" expand "$tree"
is "$(in_tree rev-list --count base..HEAD)" "$(find "$repo/patches"/[0-9]-* -name '*.patch' | wc -l)" "series expand: makes one commit per patch"
refused 'not empty' "series expand: refuses a directory that is not empty" "$series" expand "$tree"
run "$series" write-back "$tree"
is "$status$out$err" 0 "series write-back: says nothing if nothing was changed"
ok "series write-back: changes no patch if nothing was changed" diff -r "$top/patches" "$repo/patches"

last=$(find "$repo/patches"/[0-9]-* -name '*.patch' | sort | tail -n 1)
in_tree log -1 --format=%B >"$tmp/message"
printf '\nOne more sentence.\n' >>"$tmp/message"
in_tree commit -q --amend -F "$tmp/message"
run "$series" write-back "$tree"
is "$out" "series: wrote ${last#"$repo/"}" "series write-back: a changed message changes one patch"
ok "series write-back: the patch has the new message" grep -q '^One more sentence\.$' "$last"
refused 'writing the series back would change' "series check: finds a patch that was edited by hand" sh -c "
	sed -i 's/^\(Subject: .*\)/\1 /' '$last' && '$series' check"
printf 'x\n' >>"$tree/Makefile"
refused 'not committed' "series write-back: refuses a tree with uncommitted changes" "$series" write-back "$tree"
in_tree checkout -q -- Makefile
refused 'expand' "series write-back: refuses a directory that expand did not make" "$series" write-back "$tmp"
cp -R "$top"/patches/[0-9]-* "$repo/patches/"
sed -i 's/^\([- ].*\)state->enter(/\1state->leave(/' "$repo/patches/1-first/0001"-*
ok "the test changes a line that the first patch expects in the kernel" test -n "$(diff -r "$top/patches" "$repo/patches")"
refused 'does not apply' "series check: refuses a patch that does not apply" "$series" check

# --- lint: a small series with one fault at a time

sed -i '/WAKELAT/d' "$repo/Kconfig.snippet"
: >"$repo/testbed/kernel/default.config"

# plant NAME COMMIT-MESSAGE: make drivers/cpuidle/NAME.c from stdin, build it into the kernel, and commit it
plant() {
	{
		printf '// SPDX-License-Identifier: GPL-2.0\n/* Planted by a test. */\n'
		cat
	} >"$tree/drivers/cpuidle/$1.c"
	printf 'obj-y += %s.o\n' "$1" >>"$tree/drivers/cpuidle/Makefile"
	in_tree add drivers/cpuidle
	in_tree commit -q -m "$2"
}

# planted ERE NAME: write the tree's commits back as the series; lint must fail with a message that matches ERE
planted() {
	rm -rf "$repo/patches"/[2-9]-* "$repo/patches"/1-first/*.patch
	"$series" write-back "$tree" >"$tmp/written" || bail "cannot write the planted series"
	run "$lint"
	[ "$status" -ne 0 ]
	tap_result $? "$2" || tap_show_run
	like "$err" "$1" "$2: the message names the fault"
	in_tree reset -q --hard base
}

why='cpuidle: Add a planted file

Nothing needs this file but the test that plants it.'
in_tree reset -q --hard base

plant one 'cpuidle: Add a file' <<'END'
int planted;
END
planted 'no message' "lint finds a patch without a message"

plant one "$why" <<'END'
#include <linux/cpuidle.h>
int cpuidle_planted(int a);
int cpuidle_planted(int a) { 
	return a+1;
}
END
planted 'TRAILING_WHITESPACE' "lint finds what checkpatch objects to"

plant one "$why" <<'END'
#include <linux/cpuidle.h>

int cpuidle_planted(int __user *p);

int cpuidle_planted(int __user *p)
{
	return *p;
}
END
planted 'one\.c.*dereference of noderef' "lint finds what sparse objects to"

# The whole series builds, but its first patch alone does not: it includes a header that the second patch adds.
plant one "$why" <<'END'
#include "planted.h"

int cpuidle_planted(int n)
{
	return n;
}
END
cat >"$tree/drivers/cpuidle/planted.h" <<'END'
/* SPDX-License-Identifier: GPL-2.0 */
/* Planted by a test. */
int cpuidle_planted(int n);
int cpuidle_planted_later(int n);
END
plant two "$why" <<'END'
#include "planted.h"

int cpuidle_planted_later(int n)
{
	return n;
}
END
planted '0001-.*(does not build|failed)' "lint finds a prefix of the series that does not build"

# A file that compiles but cannot be linked as a module.
plant module "$why" <<'END'
#include <linux/cpuidle.h>
#include <linux/module.h>

static int __init cpuidle_planted_init(void)
{
	return cpuidle_play_dead();
}
module_init(cpuidle_planted_init);
END
sed -i 's/^obj-y += module\.o/obj-$(CONFIG_CPU_IDLE_PLANTED) += module.o/' "$tree/drivers/cpuidle/Makefile"
sed -i 's/^config CPU_IDLE_GOV_LADDER/config CPU_IDLE_PLANTED\n\ttristate "Planted by a test"\n\n&/' "$tree/drivers/cpuidle/Kconfig"
in_tree commit -qa --amend --no-edit
rm -f "$repo/patches"/[0-9]-*/*.patch
"$series" write-back "$tree" >"$tmp/written" || bail "cannot write the planted series"
run "$repo/scripts/dev/lint-objects" --kernel first gcc-modules
is "$status" 1 "lint-objects: a module that cannot be linked is an error"
like "$out$err" 'module\.c: a module needs cpuidle_play_dead, which the kernel does not export' "lint-objects: the error names the symbol"
in_tree reset -q --hard base

rm -f "$repo/patches"/[0-9]-*/*.patch
cp "$top"/patches/1-first/0002-* "$repo/patches/1-first/"
refused 'should be number 0001' "lint refuses a series that does not begin at 1" "$lint"

# --- configurations

printf 'CONFIG_NO_SUCH_OPTION=y\n' >>"$repo/testbed/kernel/base.config"
run "$repo/scripts/dev/build-kernel" --flavour base
is "$status" 1 "build-kernel: a line of the configuration without effect is an error"
like "$err" 'no effect: CONFIG_NO_SUCH_OPTION=y' "build-kernel: the message names the line without effect"
done_testing
