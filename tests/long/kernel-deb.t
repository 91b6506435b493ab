#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# make kernel-deb: its arguments, the targets and variables that it passes to Linux's makefiles, and how it ends. A
# makefile that only logs its targets and variables stands in for Linux; tests/kernels/kernel-deb.t uses real sources.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"
for command in bison flex bc rsync git dpkg-buildpackage dh openssl xz; do
	command -v "$command" >/dev/null || skip_all "no $command: scripts/dev/packages kernel kernel-deb"
done

# A patch series of one patch.
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
# Like dpkg-buildpackage, this does not end its children when it is ended.
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

# A copy of sleep under the test's own path, so that no other process is mistaken for it.
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

refused 'no arguments: KSRC, CONFIG, MODULES and DIR are variables' "kernel-deb refuses an argument: its settings are variables" "$kernel_deb" x
refused 'CONFIG=.*/nothing is not a file that can be read' "CONFIG: a missing file" made CONFIG="$tmp/nothing"
refused 'CONFIG=.* is not a file that can be read' "CONFIG: a directory" made CONFIG="$tmp"
refused 'is not a configuration of Linux for x86-64' "CONFIG: a file of another kind" made CONFIG="$top/README.md"
head -c 60 "$config.xz" >"$tmp/half.xz"
refused 'half.xz cannot be read: ' "CONFIG: a truncated .xz" made CONFIG="$tmp/half.xz"
printf '# Linux/arm64 6.12.99 Kernel Configuration\nCONFIG_64BIT=y\n' >"$tmp/arm"
refused 'is not a configuration of Linux for x86-64' "CONFIG: a configuration for arm64" made CONFIG="$tmp/arm"
refused "$tmp/nothing is not a file that can be read" "MODULES: a missing file" made MODULES="$tmp/nothing"
: >"$tmp/empty"
for list in "$top/README.md" "$config.xz" "$tmp/empty"; do
	refused 'is not the output of lsmod' "MODULES: a file of another kind: ${list##*/}" made MODULES="$list"
done
refused 'does not have the series: make patch KSRC=' "KSRC: a tree without the patches" made KSRC="$bare"
refused 'not the top of a kernel tree' "KSRC: a tree that is not Linux" made KSRC="$top"
refused 'KSRC=.*does not exist' "KSRC: a missing directory" made KSRC="$tmp/nothing"
(cd "$repo" && tar -cf "$tmp/other.tar" VERSION patches) || bail "no tarball"
refused 'other.tar is not Linux 6.12' "KSRC: a tarball that is not Linux" made KSRC="$tmp/other.tar"
head -c 300 "$tmp/linux.tar.xz" >"$tmp/half.tar.xz"
run made KSRC="$tmp/half.tar.xz"
is "$status" 1 "KSRC: a truncated tarball: status 1"
like "$err" 'unpacking .*half.tar.xz failed' "KSRC: a truncated tarball: says that unpacking failed"
not_ok "KSRC: a truncated tarball leaves no unpacked tree" test -e "$work/linux.key"
cp -Rp "$tree" "$tmp/two words"
refused 'two words: Linux cannot be built in a directory with spaces' "KSRC: a directory with a space" made KSRC="$tmp/two words"
refused 'two words: Linux cannot be built in a directory .*DIR=' "DIR: a directory with a space" made DIR="$tmp/two words"
refused 'cannot create' "DIR: a file" made DIR="$config"
refused 'cannot create' "DIR: a path below a file" made DIR="$config/x"
for left in .config include/config; do
	mkdir -p "$tree/$left"
	refused 'has build products, .*mrproper' "KSRC: a tree with build output: $left" made
	rm -r "${tree:?}/${left%%/*}"
done
not_ok "refused arguments: nothing is built" test -e "$work/build"
if [ "$(id -u)" -eq 0 ]; then
	mkdir -m 777 "$tmp/anybody"
	refused 'not trusted: others can write' "DIR: a directory that others can write to, as root" made DIR="$tmp/anybody"
else
	skip 1 "not root: only root refuses such a directory"
fi

# --- what it does

list() {
	(cd "$1" && find . -printf '%p %s %T@\n' | sort)
}
list "$tree" >"$tmp/before"
ok "builds from a tree" made
like "$out" "^install: +dpkg -i $dir/linux-image-6.12.99-wakelat_1_amd64.deb$" "prints the command that installs the image"
like "$out" "dpkg -i $dir/linux-headers-6.12.99-wakelat_1_amd64.deb$" "prints the command that installs the headers, for DKMS"
like "$out" "^remove: .*apt-get purge linux-image-6.12.99-wakelat linux-headers-6.12.99-wakelat$" \
	"prints the command that removes both"
like "$out" "MB\), from $config$" "names the configuration"
is "$err" "" "prints nothing on stderr"
list "$tree" >"$tmp/after"
same "$tmp/before" "$tmp/after" "the source tree has not changed"
is "$(cat "$work/build/.config")" "$(cat "$config" && grep '^CONFIG_' "$top/Kconfig.snippet")" \
	"the build's configuration is CONFIG and the snippet"
like "$(cat "$work/build/set")" '--set-str SYSTEM_TRUSTED_KEYS  .*--set-str LOCALVERSION -wakelat .*--disable DEBUG_INFO_BTF' \
	"the build has its own version suffix; the distribution's trusted keys and debug information are off"
is "$(cut -d ' ' -f 1 "$work/build/asked" | paste -sd ' ' -)" \
	"olddefconfig wakelat@kernel-deb include/config/kernel.release wakelat@kernel-deb bindeb-pkg wakelat@kernel-deb -d 6.12.99-$(cat "$top/VERSION")" \
	"Linux's make gets the expected targets, user, and package version"
like "$(cat "$work/build/asked")" '^wakelat@kernel-deb Fri Jan  2 03:04:05 UTC 2026$' \
	"the build's time stamp is that of the source"
unlike "$(cat "$work/build/asked")" '(KSRC|CONFIG|MODULES)=[^ ]' "KSRC, CONFIG and MODULES are not passed to Linux's make"

mine=$dir/linux-image-6.1.0-mine_1_amd64.deb
: >"$mine"
printf 'Module                  Size  Used by\nigb 352256 0\nnvidia 1 0\n' >"$tmp/lsmod"
printf 't:\n\t@%s\n' "$kernel_deb" >"$tmp/by.mk"
: >"$work/build/asked"
ok "builds when called by make, with a list of modules" make -s -f "$tmp/by.mk" KSRC="$tree" CONFIG="$config.gz" DIR="$dir" MODULES="$tmp/lsmod"
like "$out" "with the modules of $tmp/lsmod, but not: nvidia$" "MODULES: names the modules that Linux does not have"
is "$(cut -d ' ' -f 1 "$work/build/lsmod" | paste -sd ' ' -)" "Module igb nvidia  msr" \
	"MODULES: the list has msr added, which doctor needs"
is "$(grep -c localmodconfig "$work/build/asked")" 1 "MODULES: localmodconfig is called once"
unlike "$(cat "$work/build/asked")" '(KSRC|CONFIG|MODULES)=[^ ]' "variables of the calling make are not passed to Linux's make"
ok "another package in DIR is kept" test -e "$mine"
ok "builds from a tarball, with an .xz configuration" made KSRC="$tmp/linux.tar.xz" CONFIG="$config.xz"
ok "a tarball: the unpacked tree has the patches" test -f "$work/linux/drivers/cpuidle/wakelat/Kconfig"
: >"$work/linux/kept"
ok "builds from the same tarball again" made KSRC="$tmp/linux.tar.xz" CONFIG="$config.xz"
ok "the same tarball is not unpacked again" test -e "$work/linux/kept"
sed -i 's/^+config WAKELAT/&S/' "$repo/patches/1-first/0001-series.patch"
ok "builds after the patches have changed" made KSRC="$tmp/linux.tar.xz" CONFIG="$config.xz"
is "$(cat "$work/linux/drivers/cpuidle/wakelat/Kconfig")" "config WAKELATS" \
	"after the patches have changed the tarball is unpacked again"
sed 's/6.12.99/6.1.99/' "$config" >"$tmp/old"
ok "builds with a configuration of another version" made CONFIG="$tmp/old"
like "$err" 'old may be of another version than Linux 6.12: options that it lacks get their defaults' \
	"a configuration of another version: a warning"

if [ -r /proc/modules ]; then
	run made MODULES=loaded
	is "$(sed 's/ .*//' "$work/build/lsmod")" "$(sed 's/ .*//' /proc/modules && printf '\nmsr')" \
		"MODULES=loaded: the list has the loaded modules, and msr"
else
	refused 'MODULES=loaded: /proc/modules is not a file that can be read' "MODULES=loaded, without modules" made MODULES=loaded
fi

# --- how it ends

rm -f "$dir"/linux-*.deb
refused 'no effect with it: CONFIG_WAKELAT_I210=y$' "a configuration in which a line of the snippet has no effect" made FAKE_LOSES=CONFIG_WAKELAT_I210
not_ok "a line of the snippet without effect: nothing is built" ls "$work"/linux-image-*
run made FAKE_FAILS=yes
is "$status" 1 "a failing build: status 1"
like "$err" '^No space left on device$' "a failing build: prints the reason"
like "$err" "^kernel-deb: the whole output is in $work/log$" "a failing build: names the log"
if [ "$(id -u)" -eq 0 ]; then
	run unshare --mount sh -c 'mkdir -p "$0" && mount -t tmpfs -o size=1M tmpfs "$0" && { DIR=$0 "$@"; echo "$? $(ls "$0")"; }' \
		"$tmp/full" env KSRC="$tree" CONFIG="$config" FAKE_BIG=yes "$kernel_deb"
	is "$out" "1 kernel-deb.work" "a full disk: no package"
	like "$err" 'No space left on device' "a full disk: prints the reason"
else
	skip 2 "not root: cannot mount a small disk"
fi
is "$(find "$dir" -name 'linux-*.deb' ! -path '*.work/*')" "" "a failed build leaves no package"

# begun: start kernel-deb in the background, with default signal handling (as in a terminal), and wait until the build runs
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
	bail "kernel-deb did not start the build within 60 s"
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
	[ "$signal" != INT ] || refused 'another kernel-deb is at work in ' "refuses to run while another kernel-deb uses the same directory" made
	kill -s "$signal" "$began"
	wait "$began"
	like $? '^1(29|30|43)$' "$signal: ends kernel-deb"
	ok "$signal: ends the children of dpkg-buildpackage" gone
done
is "$(find "$dir" -name 'linux-*.deb' ! -path '*.work/*')" "" "a build ended by a signal leaves no package"
ok "builds after a build that was ended by a signal" made
ok "the package exists" test -s "$dir/linux-image-6.12.99-wakelat_1_amd64.deb"
done_testing
