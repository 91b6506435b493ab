# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# layers.sh - run a script in a root made by tests/clean-root, without changing the root.

: "${tmp:?}"

# used ROOT: run the script $tmp/give/use in an overlay above ROOT, which only the script sees and which disappears with it.
# $tmp/give is /work there. Return 77 if overlays are not available.
used() {
	mkdir -p "$tmp/layers"
	unshare --mount --pid --fork --kill-child sh -c '
		mount -t tmpfs tmpfs "$2/layers" && mkdir "$2/layers/upper" "$2/layers/work" "$2/layers/root" &&
		mount -t overlay -o "lowerdir=$1,upperdir=$2/layers/upper,workdir=$2/layers/work" overlay "$2/layers/root" || exit 77
		root=$2/layers/root
		mount -t proc proc "$root/proc" && mount -t sysfs -o ro sysfs "$root/sys" && mount --rbind /dev "$root/dev" &&
			cp -R "$2/give" "$root/work" &&
			exec env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 MANWIDTH=200 chroot "$root" sh /work/use' \
		sh "$1" "$tmp" </dev/null
}
