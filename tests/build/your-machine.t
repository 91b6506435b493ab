#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The steps of Documentation/your-machine.md that need no reboot, in a fresh tree with Debian's configuration.
# needs: source
. "$(dirname "$0")/../lib/tap.sh"

tree=$tmp/linux
patch_tree=$top/scripts/dev/patch-tree
log=$tmp/log

# quietly COMMAND...: shows the output of COMMAND only if it fails
quietly() {
	"$@" >"$log" 2>&1 </dev/null || {
		tail -n 20 "$log" >&2
		return 1
	}
}

# Prints checksums of the files that the series touches, and the names of all files.
picture() {
	(cd "$tree" && find . -type f | sort && cd "$tree" && xargs sha256sum <"$tmp/touched" 2>/dev/null)
}

source=$("$top/scripts/dev/fetch-kernel") || bail "no kernel source"
[ -f "$source" ] || skip_all "KSRC is a tree, but this test needs a tarball"
mkdir "$tree"
# Do not unpack what an x86 build never reads, to save time.
quietly tar -C "$tree" --strip-components=1 --wildcards --exclude='*/drivers/gpu/drm/amd/include' \
	--exclude='*/tools/testing/*/*/*' --exclude='*/boot/dts' -xf "$source" ||
	bail "cannot unpack $source"
for patch in "$top"/patches/6.12/*.patch "$top"/patches/[0-9]-*/*.patch; do
	git apply --numstat "$patch"
done | cut -f 3 | sort -u >"$tmp/touched"
picture >"$tmp/before"

# --- apply

cp "$tree/drivers/cpuidle/cpuidle.c" "$tmp/cpuidle.c"
sed -i 's/target_state->enter(/target_state->leave(/' "$tree/drivers/cpuidle/cpuidle.c"
picture >"$tmp/broken"
refused 'nothing was changed' "patch-tree refuses a tree that the series does not fit" "$patch_tree" "$tree"
picture >"$tmp/after"
same "$tmp/broken" "$tmp/after" "patch-tree does not change a tree that it refuses"
cp "$tmp/cpuidle.c" "$tree/drivers/cpuidle/cpuidle.c"
refused 'not the top of a kernel tree' "patch-tree refuses a directory that is not a kernel tree" "$patch_tree" "$tmp"
refused 'name one kernel tree' "patch-tree refuses an empty name of a tree" "$patch_tree" ""
mkdir -p "$tmp/old/drivers/cpuidle"
printf 'VERSION = 5\nPATCHLEVEL = 4\n' >"$tmp/old/Makefile"
refused 'Linux 5\.4 is not supported [(]supported: 6\.12 and 7\.3[)]' "patch-tree refuses a kernel version that the series does not support" "$patch_tree" "$tmp/old"

ok "make patch applies the series" make -s -C "$top" patch KSRC="$tree"
[ "$status" -eq 0 ] || bail "make patch failed: the other checks need the series"
ok "make patch: the tree has wakelat" grep -q 'wakelat' "$tree/drivers/cpuidle/Makefile"
refused 'already has the series' "patch-tree refuses a tree that already has the series" "$patch_tree" "$tree"
cp "$tree/drivers/cpuidle/wakelat/core.c" "$tmp/core.c"
printf '/* older */\n' >>"$tree/drivers/cpuidle/wakelat/core.c"
refused 'has another version of the series' "patch-tree refuses a tree with another version of the series" "$patch_tree" "$tree"
cp "$tmp/core.c" "$tree/drivers/cpuidle/wakelat/core.c"

# --- configure as a distribution, build what the series touches

debian=/usr/src/linux-config-6.12/config.amd64_none_amd64.xz
cd "$tree" || exit 1
if [ -e "$debian" ]; then
	note "with Debian's configuration"
	xz -dc "$debian" >.config
else
	note "with x86-64's default configuration"
	quietly make x86_64_defconfig
fi
ok "Kconfig.snippet can be merged" quietly scripts/kconfig/merge_config.sh .config "$top/Kconfig.snippet"
lost=$(grep '^CONFIG_' "$top/Kconfig.snippet" | grep -vxFf .config)
is "$lost" "" "Kconfig.snippet: the merged configuration has each of its lines"
ok "the settings that point to Debian's own files can be cleared" \
	scripts/config --set-str SYSTEM_TRUSTED_KEYS '' --disable DEBUG_INFO_BTF
ok "olddefconfig has no questions" quietly make olddefconfig
is "$(grep '^CONFIG_' "$top/Kconfig.snippet" | grep -vxF -f .config)" "" "olddefconfig keeps each line of Kconfig.snippet"
ok "the objects build" quietly make -j2 drivers/cpuidle/
like "$(cat "$log")" 'CC +drivers/cpuidle/wakelat/' "the objects of wakelat are built"
unlike "$(cat "$log")" '(warning|error):' "the objects build without a warning"

# --- remove the series

ok "make mrproper" quietly make mrproper
cd "$top" || exit 1
ok "make unpatch removes the series" make -s unpatch KSRC="$tree"
picture >"$tmp/after"
same "$tmp/before" "$tmp/after" "after make unpatch the tree is as before make patch"

# --- a kernel between the two: 6.12 with some of the names that 6.18 has, and without others

# between: give the tree the version 6.18, hrtimer_setup(), rdmsrq() and the tests of vfio
between() {
	for file in Makefile include/linux/hrtimer.h arch/x86/include/asm/msr.h tools/testing/selftests/Makefile; do
		mkdir -p "$tmp/six/$(dirname "$file")" && cp "$tree/$file" "$tmp/six/$file" || return
	done
	sed -i 's/^PATCHLEVEL = .*/PATCHLEVEL = 18/' "$tree/Makefile" &&
		sed -i '$d' "$tree/include/linux/hrtimer.h" && cat >>"$tree/include/linux/hrtimer.h" <<"C" &&
static inline void hrtimer_setup(struct hrtimer *timer, enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif
C
		printf '#define rdmsrq(msr, val) rdmsrl(msr, val)\n#define rdmsrq_safe(msr, p) rdmsrl_safe(msr, p)\n' \
			>>"$tree/arch/x86/include/asm/msr.h" &&
		sed -i 's/^TARGETS += x86$/TARGETS += vfio\n&/' "$tree/tools/testing/selftests/Makefile" &&
		mkdir -p "$tree/tools/testing/selftests/vfio" && printf 'all:\n' >"$tree/tools/testing/selftests/vfio/Makefile"
}
ok "the tree becomes one of 6.18" between
picture >"$tmp/before"
cp "$tree/drivers/cpuidle/cpuidle.c" "$tmp/cpuidle.c"
sed -i 's/target_state->enter(/target_state->leave(/' "$tree/drivers/cpuidle/cpuidle.c"
refused 'nothing was changed.*0001-cpuidle-Take-stamps.*drivers/cpuidle/cpuidle[.]c:[0-9]' "6.18: patch-tree names the hunk that does not fit" "$patch_tree" "$tree"
cp "$tmp/cpuidle.c" "$tree/drivers/cpuidle/cpuidle.c"
picture >"$tmp/after"
same "$tmp/before" "$tmp/after" "6.18: patch-tree changes nothing if a hunk does not fit"
run "$patch_tree" "$tree"
is "$status" 0 "6.18: the series is applied"
like "$out" 'applied [0-9]+ patches to .*; not tested on Linux 6\.18 [(]tested: 6\.12 and 7\.3[)]' "6.18: patch-tree says that it is not tested"
refused 'already has the series' "6.18: patch-tree refuses a tree that already has the series" "$patch_tree" "$tree"
cd "$tree" || exit 1
ok "6.18: the configuration has no questions" quietly sh -c 'make x86_64_defconfig && scripts/kconfig/merge_config.sh .config "$1" && make olddefconfig' - "$top/Kconfig.snippet"
ok "6.18: the objects build" quietly make -j2 drivers/cpuidle/
unlike "$(cat "$log")" '(warning|error):' "6.18: the objects build without a warning"
like "$(cat drivers/cpuidle/wakelat/.timer.o.cmd)" '-DLACKS_IRQ_COUNTS' "6.18: Kbuild defines a name that the tree does not have"
unlike "$(cat drivers/cpuidle/wakelat/.timer.o.cmd)" '-DLACKS_(HRTIMER_SETUP|RDMSRQ)' "6.18: Kbuild defines no name that the tree has"
ok "6.18: make mrproper" quietly make mrproper
cd "$top" || exit 1
ok "6.18: make unpatch removes the series" make -s unpatch KSRC="$tree"
picture >"$tmp/after"
same "$tmp/before" "$tmp/after" "6.18: after make unpatch the tree is as before make patch"
cp -R "$tmp/six/." "$tree/"
rm -r "$tree/tools/testing/selftests/vfio"

# --- a git tree gets commits

git_tree() {
	git -C "$tree" -c user.name=Tester -c user.email=tester@wakelat.invalid "$@"
}
git_tree init -q
while IFS= read -r path; do
	[ ! -e "$tree/$path" ] || git_tree add -f "$path"
done <"$tmp/touched"
git_tree add -f Makefile
git_tree commit -q -m base
git_tree config user.name Tester
git_tree config user.email tester@wakelat.invalid
ok "the series can be applied to a git tree" "$patch_tree" "$tree"
is "$(git_tree rev-list --count HEAD)" "$(($(find "$top"/patches/6.12 "$top"/patches/[0-9]-* -name '[0-9]*.patch' | wc -l) + 1))" "a git tree gets one commit for each patch"
git_tree reset -q --hard "$(git_tree rev-list --max-parents=0 HEAD)"
printf 'x\n' >>"$tree/Makefile"
refused 'changes that are not committed' "patch-tree refuses a git tree with changes that are not committed" "$patch_tree" "$tree"
done_testing
