#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# make kernel-deb: what it takes and refuses, what it asks of Linux's makefiles, how it ends. In the place of Linux stands a Makefile that
# writes down what it is asked for; tests/kernels/kernel-deb.t has the real one.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"
for command in bison flex bc rsync git dpkg-buildpackage dh openssl xz; do
	command -v "$command" >/dev/null || skip_all "no $command: scripts/dev/packages kernel kernel-deb"
done

# A series of one patch.
repo=$tmp/repo
mkdir -p "$repo/patches/1-first"
cp -R "$top/scripts" "$top/Kconfig.snippet" "$top/VERSION" "$repo/"
cat >"$repo/patches/1-first/0001-series.patch" <<'END'
diff --git a/drivers/cpuidle/wakelat/Kconfig b/drivers/cpuidle/wakelat/Kconfig
new file mode 100644
--- /dev/null
+++ b/drivers/cpuidle/wakelat/Kconfig
@@ -0,0 +1 @@
+config WAKELAT
END
kernel_deb=$repo/scripts/dev/kernel-deb

tree=$tmp/linux
mkdir -p "$tree/drivers/cpuidle" "$tree/scripts"
cat >"$tree/Makefile" <<'END'
VERSION = 6
PATCHLEVEL = 12
SUBLEVEL = 99
release = 6.12.99-wakelat
note = @printf '%s\n' '$@ KSRC=$(KSRC) CONFIG=$(CONFIG) MODULES=$(MODULES) LMC_KEEP=$(LMC_KEEP)' "$$KBUILD_BUILD_USER@$$KBUILD_BUILD_HOST $$KBUILD_BUILD_TIMESTAMP" >>$(O)/asked
olddefconfig:
	$(note)
	@[ -z '$(FAKE_LOSES)' ] || sed -i '/^$(FAKE_LOSES)=/d' $(O)/.config
localmodconfig:
	$(note)
	@cp "$$LSMOD" $(O)/lsmod
	@! grep -q nvidia "$$LSMOD" || echo 'nvidia config not found!!' >&2
include/config/kernel.release:
	$(note)
	@mkdir -p $(O)/include/config && echo $(release) >$(O)/$@
bindeb-pkg:
	$(note)
	@printf '%s\n' '$(DPKG_FLAGS)' "$$KDEB_PKGVERSION" >>$(O)/asked
	@[ -z '$(FAKE_FAILS)' ] || { echo 'No space left on device' >&2; exit 1; }
	@[ -z '$(FAKE_HANGS)' ] || $(CURDIR)/scripts/hang
	@[ -z '$(FAKE_BIG)' ] || dd if=/dev/zero of=$(O)/../linux-image-$(release)_1_amd64.deb bs=1M count=4 2>&1
	@[ -n '$(FAKE_BIG)' ] || for p in image headers; do echo $$p >$(O)/../linux-$$p-$(release)_1_amd64.deb; done
END
# As dpkg-buildpackage does: who ends it does not end what it has started.
cat >"$tree/scripts/hang" <<'END'
#!/bin/sh
trap 'exit 143' TERM
"${FAKE_HANGS%/*}/sleep" 641 &
echo half >"$FAKE_HANGS"
wait
END
cat >"$tree/scripts/config" <<'END'
#!/bin/sh
file=$2
shift 2
printf '%s\n' "$*" >>"${file%/*}/set"
END
chmod +x "$tree/scripts/config" "$tree/scripts/hang"
touch -d 2026-01-02T03:04:05Z "$tree/Makefile"
bare=$tmp/bare
cp -Rp "$tree" "$bare"
(cd "$tmp" && tar -cJf linux.tar.xz bare) || bail "no tarball"
"$repo/scripts/dev/patch-tree" "$tree" >/dev/null || bail "the fake series does not apply"

# A program of this test's own, so that no other process is taken for it.
cp "$(command -v sleep)" "$tmp/sleep"
config=$tmp/config
printf '# Linux/x86 6.12.99 Kernel Configuration\nCONFIG_X86_64=y\nCONFIG_FUSE_FS=m\n' >"$config"
xz -k "$config"
gzip -k "$config"
dir=$tmp/dir
work=$dir/kernel-deb.work
made() {
	env KSRC="$tree" CONFIG="$config" DIR="$dir" "$@" "$kernel_deb"
}

# --- what it refuses

refused 'no arguments: KSRC, CONFIG, MODULES and DIR are variables' "an argument" "$kernel_deb" x
refused 'CONFIG=.*/nothing: no file' "no configuration there" made CONFIG="$tmp/nothing"
refused 'CONFIG=.*: no file' "a directory" made CONFIG="$tmp"
refused 'no configuration of Linux for x86-64' "any file" made CONFIG="$top/README.md"
head -c 60 "$config.xz" >"$tmp/half.xz"
refused 'half.xz cannot be read: ' "half of one" made CONFIG="$tmp/half.xz"
printf '# Linux/arm64 6.12.99 Kernel Configuration\nCONFIG_64BIT=y\n' >"$tmp/arm"
refused 'no configuration of Linux for x86-64' "another processor's" made CONFIG="$tmp/arm"
refused "no file $tmp/nothing that can be read" "no list of modules there" made MODULES="$tmp/nothing"
: >"$tmp/empty"
for list in "$top/README.md" "$config.xz" "$tmp/empty"; do
	refused 'is not what lsmod prints' "another file for one: ${list##*/}" made MODULES="$list"
done
refused 'does not have the series: make patch KSRC=' "a tree without the series" made KSRC="$bare"
refused 'not the top of a kernel tree' "no tree of Linux" made KSRC="$top"
refused 'KSRC=.*does not exist' "no tree there" made KSRC="$tmp/nothing"
(cd "$repo" && tar -cf "$tmp/other.tar" VERSION patches) || bail "no tarball"
refused 'other.tar is not Linux 6.12' "a tarball of something else" made KSRC="$tmp/other.tar"
head -c 300 "$tmp/linux.tar.xz" >"$tmp/half.tar.xz"
run made KSRC="$tmp/half.tar.xz"
is "$status" 1 "half a tarball"
like "$err" 'unpacking .*half.tar.xz failed' "says so"
not_ok "and does not stay" test -e "$work/linux.key"
cp -Rp "$tree" "$tmp/two words"
refused 'two words: Linux does not build where a name has spaces' "a tree with a space" made KSRC="$tmp/two words"
refused 'two words: Linux does not build where .*DIR=' "a directory with one" made DIR="$tmp/two words"
refused 'cannot create' "a directory that is a file" made DIR="$config"
refused 'cannot create' "or in one" made DIR="$config/x"
for left in .config include/config; do
	mkdir -p "$tree/$left"
	refused 'something is built in .*mrproper' "a tree in which something is built: $left" made
	rm -r "${tree:?}/${left%%/*}"
done
not_ok "and nothing has been made" test -e "$work/build"
if [ "$(id -u)" -eq 0 ]; then
	mkdir -m 777 "$tmp/anybody"
	refused 'not trusted: others can write' "root does not build where others write" made DIR="$tmp/anybody"
else
	skip 1 "not root, who alone is asked"
fi

# --- what it does

list() {
	(cd "$1" && find . -printf '%p %s %T@\n' | sort)
}
list "$tree" >"$tmp/before"
ok "a tree" made
like "$out" "^install: +dpkg -i $dir/linux-image-6.12.99-wakelat_1_amd64.deb$" "says what to install"
like "$out" "dpkg -i $dir/linux-headers-6.12.99-wakelat_1_amd64.deb$" "and what else, for DKMS"
like "$out" "^remove: .*apt-get purge linux-image-6.12.99-wakelat linux-headers-6.12.99-wakelat$" "and what to remove"
like "$out" "MB\), from $config$" "and where it comes from"
is "$err" "" "and nothing else"
list "$tree" >"$tmp/after"
same "$tmp/before" "$tmp/after" "the tree is as it was"
is "$(cat "$work/build/.config")" "$(cat "$config" && grep '^CONFIG_' "$top/Kconfig.snippet")" "the configuration, and the snippet"
like "$(cat "$work/build/set")" '--set-str SYSTEM_TRUSTED_KEYS  .*--set-str LOCALVERSION -wakelat .*--disable DEBUG_INFO_BTF' \
	"no keys of somebody else's, a name of its own, no debug information"
is "$(cut -d ' ' -f 1 "$work/build/asked" | paste -sd ' ' -)" \
	"olddefconfig wakelat@kernel-deb include/config/kernel.release wakelat@kernel-deb bindeb-pkg wakelat@kernel-deb -d 6.12.99-$(cat "$top/VERSION")" \
	"what is asked of Linux"
like "$(cat "$work/build/asked")" '^wakelat@kernel-deb Fri Jan  2 03:04:05 UTC 2026$' "the time is the source's"
unlike "$(cat "$work/build/asked")" '(KSRC|CONFIG|MODULES)=[^ ]' "the variables are not Linux's"

mine=$dir/linux-image-6.1.0-mine_1_amd64.deb
: >"$mine"
printf 'Module                  Size  Used by\nigb 352256 0\nnvidia 1 0\n' >"$tmp/lsmod"
printf 't:\n\t@%s\n' "$kernel_deb" >"$tmp/by.mk"
: >"$work/build/asked"
ok "once more, from a make, with the modules of a list" make -s -f "$tmp/by.mk" KSRC="$tree" CONFIG="$config.gz" DIR="$dir" MODULES="$tmp/lsmod"
like "$out" "with the modules of $tmp/lsmod, but not: nvidia$" "says which Linux does not have"
is "$(cut -d ' ' -f 1 "$work/build/lsmod" | paste -sd ' ' -)" "Module igb nvidia  msr" "those of the list, and the one that doctor needs"
is "$(grep -c localmodconfig "$work/build/asked")" 1 "by localmodconfig"
unlike "$(cat "$work/build/asked")" '(KSRC|CONFIG|MODULES)=[^ ]' "make's variables are not Linux's"
ok "somebody else's package is still there" test -e "$mine"
ok "from a tarball, and an .xz" made KSRC="$tmp/linux.tar.xz" CONFIG="$config.xz"
ok "with the series" test -f "$work/linux/drivers/cpuidle/wakelat/Kconfig"
: >"$work/linux/kept"
ok "once more" made KSRC="$tmp/linux.tar.xz" CONFIG="$config.xz"
ok "does not unpack it again" test -e "$work/linux/kept"
sed -i 's/^+config WAKELAT/&S/' "$repo/patches/1-first/0001-series.patch"
ok "after a change of the series" made KSRC="$tmp/linux.tar.xz" CONFIG="$config.xz"
is "$(cat "$work/linux/drivers/cpuidle/wakelat/Kconfig")" "config WAKELATS" "it does"
sed 's/6.12.99/6.1.99/' "$config" >"$tmp/old"
ok "a configuration of another version" made CONFIG="$tmp/old"
like "$err" 'old does not say that it is of 6.12: what it does not know gets its default' "is taken, and this said"

if [ -r /proc/modules ]; then
	run made MODULES=loaded
	is "$(sed 's/ .*//' "$work/build/lsmod")" "$(sed 's/ .*//' /proc/modules && printf '\nmsr')" "MODULES=loaded: what is loaded"
else
	refused 'MODULES=loaded: no file /proc/modules that can be read' "MODULES=loaded, without modules" made MODULES=loaded
fi

# --- how it ends

rm -f "$dir"/linux-*.deb
refused 'no effect with it: CONFIG_WAKELAT_I210=y$' "a line of the snippet that is lost" made FAKE_LOSES=CONFIG_WAKELAT_I210
not_ok "and nothing is built" ls "$work"/linux-image-*
run made FAKE_FAILS=yes
is "$status" 1 "a build that fails"
like "$err" '^No space left on device$' "shows why"
like "$err" "^kernel-deb: all of it is in $work/log$" "and where to look"
if [ "$(id -u)" -eq 0 ]; then
	run unshare --mount sh -c 'mkdir -p "$0" && mount -t tmpfs -o size=1M tmpfs "$0" && { DIR=$0 "$@"; echo "$? $(ls "$0")"; }' \
		"$tmp/full" env KSRC="$tree" CONFIG="$config" FAKE_BIG=yes "$kernel_deb"
	is "$out" "1 kernel-deb.work" "a full disk: no package"
	like "$err" 'No space left on device' "but why"
else
	skip 2 "not root, who can make a small disk"
fi
is "$(find "$dir" -name 'linux-*.deb' ! -path '*.work/*')" "" "no package came of those"

# begun: in the background, as from a terminal, until it builds
begun() {
	rm -f "$tmp/hangs"
	env KSRC="$tree" CONFIG="$config" DIR="$dir" FAKE_HANGS="$tmp/hangs" \
		perl -e '$SIG{$_} = "DEFAULT" for qw(INT TERM HUP); exec @ARGV' "$kernel_deb" >"$tmp/said" 2>&1 &
	began=$!
	for _ in $(seq 600); do
		[ ! -s "$tmp/hangs" ] || return 0
		sleep 0.1
	done
	diag "$(cat "$tmp/said")"
	bail "it does not come to building"
}
gone() {
	for _ in $(seq 50); do
		pgrep -f "^$tmp/sleep 641" >/dev/null || return 0
		sleep 0.1
	done
	return 1
}
for signal in INT TERM HUP; do
	begun
	[ "$signal" != INT ] || refused 'another kernel-deb is at work in ' "a second one at the same time" made
	kill -s "$signal" "$began"
	wait "$began"
	like $? '^1(29|30|43)$' "$signal ends it"
	ok "$signal: and what dpkg-buildpackage has started" gone
done
is "$(find "$dir" -name 'linux-*.deb' ! -path '*.work/*')" "" "no package"
ok "the next time it is made" made
ok "is there" test -s "$dir/linux-image-6.12.99-wakelat_1_amd64.deb"
done_testing
