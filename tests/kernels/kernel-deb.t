#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# make kernel-deb with Debian's configuration makes small packages. They can be installed in a clean Debian, and leave nothing
# when they are purged. Their kernel boots in the virtual Xeon and measures. The test builds only the modules of a list
# (MODULES=), but everything that Debian builds in, which takes long. KERNEL_DEB=DIR keeps the build in DIR for the next time.
# needs: tools qemu source
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/errors.sh"
. "$top/tests/lib/layers.sh"

debians=/usr/src/linux-config-6.12/config.amd64_none_amd64.xz
[ -r "$debians" ] || skip_all "no $debians: scripts/dev/packages test-all"
cd "$tmp" || exit 1

# --- build

# Modules of a machine: a network card, a file system, and one that Linux does not have.
printf '%s\n' 'Module                  Size  Used by' 'igb 352256 0' 'ext4 1179648 1' 'jbd2 208896 1 ext4' 'nvidia 9 0' >lsmod
dir=${KERNEL_DEB:-$tmp/dir}
made() {
	env CONFIG="$debians" MODULES="$tmp/lsmod" DIR="$dir" "$top/scripts/dev/kernel-deb"
}
began=$(date +%s)
ok "kernel-deb builds packages with Debian's configuration" made
[ "$status" -eq 0 ] || bail "no package"
note "$out"
note "$(($(date +%s) - began)) s on $(nproc) CPUs"
like "$out" 'with the modules of .*, but not: nvidia$' "kernel-deb names a module that Linux does not have"
image=$(printf '%s\n' "$out" | sed -n 's/^install: *dpkg -i //p')
headers=$(printf '%s\n' "$out" | sed -n 's/^ .*dpkg -i //p')
release=$(printf '%s\n' "$out" | sed -n 's/^remove:.* purge linux-image-\([^ ]*\) .*/\1/p')
like "$release" '^6\.12\.[0-9]+-wakelat$' "the release has a name that no kernel of Debian has"
is "$(cd "$dir" && find . -maxdepth 1 -name '*.deb' | sort | paste -sd ' ' -)" "./${headers##*/} ./${image##*/}" "there are two packages, none with debug information"
ok "the image is small: $(du -m "$image" | cut -f 1) MB" test "$(du -m "$image" | cut -f 1)" -lt 40
mkdir kernel
dpkg-deb -x "$image" x && mv "x/boot/vmlinuz-$release" kernel/bzImage && mkdir kernel/modules && mv x/lib kernel/modules/lib ||
	bail "the package has no /boot/vmlinuz or no /lib"
config=$(cat "x/boot/config-$release")
is "$(grep '^CONFIG_' "$top/Kconfig.snippet" | grep -vxFf "x/boot/config-$release")" "" "the configuration has each line of Kconfig.snippet"
unlike "$config" '^CONFIG_DEBUG_INFO(_BTF)?=y' "the kernel has neither debug information nor BTF"
like "$config" '^CONFIG_MODULE_SIG=y$' "the kernel is configured to sign modules"
module=$(find kernel/modules -name 'igb.ko.xz')
like "$(xz -dc "$module" | tail -c 28)" '^~Module signature appended~$' "the modules of the package are signed"
find kernel/modules -name '*.ko.*' | sed 's:.*/::; s/\..*//' | sort >built
is "$(grep -cxE 'igb|ext4|jbd2|msr' built)" 4 "the package has the modules of the list, and msr"
ok "the package has few other modules: $(wc -l <built) in all" test "$(wc -l <built)" -lt 60

ok "kernel-deb builds the same again" made
dpkg-deb -x "$image" again
same "again/boot/vmlinuz-$release" kernel/bzImage "the second build makes the same kernel"

# --- in a clean Debian

cat >use <<'END'
cd /work
before() {
	find / -xdev \( -path /work -o -path /tmp -o -path /proc -o -path /dev -o -path /sys -o -path /var/log -o -path /var/lib/dpkg \
		-o -path /var/lib/apt -o -path /var/cache -o -path /root -o -path /run \) -prune -o -print | sort
}
before >before
apt-get install -y ./linux-image.deb ./linux-headers.deb >apt.log 2>&1 && printf 'installed\n' || tail -n 5 apt.log
apt-get check >/dev/null 2>&1 && printf 'needs nothing more\n'
ls /boot /lib/modules
lsinitramfs "/boot/initrd.img-$(ls /lib/modules)" | sed -n 's:.*/\(ext4.ko\).*:\1:p'
dpkg -i linux-image.deb >dpkg.log 2>&1 && printf 'once more\n' || tail -n 5 dpkg.log
apt-get purge -y "linux-image-$(ls /lib/modules)" "linux-headers-$(ls /lib/modules)" >apt.log 2>&1 && printf 'purged\n' || tail -n 5 apt.log
before | diff before - && printf 'as before\n'
END
cat >wanted <<END
installed
needs nothing more
/boot:
System.map-$release
config-$release
initrd.img-$release
vmlinuz-$release

/lib/modules:
$release
ext4.ko
once more
purged
as before
END
mkdir give
cp use give/ && cp "$image" give/linux-image.deb && cp "$headers" give/linux-headers.deb
lack=
[ "$(id -u)" -eq 0 ] || lack="not root"
command -v debootstrap >/dev/null || lack="no debootstrap: scripts/dev/packages debian"
for release_of in bookworm:12 trixie:13; do
	name="Debian ${release_of#*:}"
	if [ -n "$lack" ]; then
		skip 1 "$name: $lack"
		continue
	fi
	root=$("$top/tests/clean-root" "${release_of%:*}" initramfs-tools 2>said) || bail "$name: no clean root: $(tail -n 1 said)"
	used "$root" >got 2>said
	if [ $? -eq 77 ]; then
		skip 1 "$name: no overlay file system here"
		continue
	fi
	is "$(cat got said)" "$(cat wanted)" "$name: packages are installed, reinstalled and purged without a trace"
done

# --- in the virtual Xeon

cat >job <<END
#!/bin/sh
. /guest.sh
check_is "it is this kernel" "$release" "\$(uname -r)"
check_is "by nobody" 1 "\$(grep -c '(wakelat@kernel-deb)' /proc/version)"
check "a module of it is loaded" modprobe msr
check "and there" grep -q '^msr ' /proc/modules
check "source hrtimer can be used" grep -qx 'hrtimer ok' /sys/kernel/tracing/wakelat/available_sources
exec sh /accuracy
END
printf '300\n' >samples
measure hrtimer "$tmp/job" --kernel "$tmp/kernel/bzImage" --add "$top/tests/guest/accuracy.job=/accuracy" --add "$tmp/samples=/samples"
replay_checks "$tmp/hrtimer" 5
for state in C1 C1E C6; do
	within hrtimer "$state" n 300 300
done
for state in C1E C6; do
	within hrtimer "$state" min_ns 0 16
	within hrtimer "$state" max_ns 0 16
done
note "$(cat "$tmp/errors.tsv")"
done_testing
