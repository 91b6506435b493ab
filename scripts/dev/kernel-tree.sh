# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# kernel-tree.sh - keep one unpacked kernel tree of a version, and apply any part of the series to it.
#
# Sourced by the scripts that compile kernels, after common.sh and kernels.sh. Unpacking and compiling everything takes
# minutes, so the tree and its objects are kept. Only files whose content changes are rewritten, because make
# compiles each file that was rewritten.

: "${top?common.sh}" "${cache?common.sh}" "${disk_is_full?common.sh}"

# source_id PATH: print a hash that identifies the content of the source at PATH, which fetch-kernel printed.
source_id() {
	if [ -d "$1" ]; then
		# Hash times and sizes, which git compares, too. Reading 1.5 GB in each call would take too long.
		find "$1" -name .git -prune -o -type f -printf '%P %s %T@\n' | sort | hash_of
	else
		sum_of "$1" | hash_of
	fi
}

# compiler: print the versions of the compiler and the linker, because the objects depend on them, too.
compiler() {
	gcc --version && ld --version
}

# unpack_source SOURCE [TAR-OPTION...]: unpack or copy SOURCE into $work/src
unpack_source() {
	unpack_from=$1
	shift
	if [ -d "$unpack_from" ]; then
		tar -C "$unpack_from" --exclude=./.git "$@" -cf - . | tar -C "$work/src" -xf -
	else
		exec tar -C "$work/src" --strip-components=1 "$@" -xf "$unpack_from"
	fi
}

# unpack_for_build SOURCE: unpack SOURCE without the files that no build here reads. A third of the bytes are
# device trees and one graphics driver's registers, and the time to unpack depends on the bytes written.
unpack_for_build() {
	unpack_source "$1" --wildcards --exclude='*/boot/dts' --exclude='*/drivers/gpu/drm/amd/include' \
		--exclude='*/tools/testing'
}

tree_is_open=no

# open_tree SOURCE VERSION: wait until no other process uses a tree, set $work, and unpack SOURCE into $work/src
# if needed. If $work/busy exists, the last user of the tree was killed, so the tree is unpacked anew.
open_tree() {
	work=$cache/kernel-tree/$2-$({ source_id "$1"; compiler; } | hash_of)
	trust_cache
	mkdir -p "$cache/kernel-tree" || die "cannot write to the cache $cache"
	exec 6>"$cache/kernel-tree.lock" || die "cannot write to the cache $cache"
	if ! flock -n 6; then
		progress "waiting for another process that uses the kernel tree"
		obeying flock 6 || die "cannot get the lock $cache/kernel-tree.lock: waiting for it was interrupted"
	fi
	tree_is_open=yes
	if [ -e "$work/busy" ] || [ ! -e "$work/touched" ]; then
		# Remove touched first, because a tree without it is not trusted. This process may be killed before it has
		# removed the rest.
		rm -f "$work/touched"
		rm -rf "$work"
		mkdir -p "$work/src" "$work/pristine" || die "cannot write to the cache $cache"
		logged "unpacking the kernel source" "$work/unpack.log" unpack_for_build "$1" ||
			die "cannot unpack $1"
		[ "$(version_of "$work/src")" = "$2" ] || die "$1 is not Linux $2"
		if [ -e "$work/src/.config" ]; then
			logged "cleaning a copy of $1" "$work/unpack.log" make -C "$work/src" mrproper || exit 1
		fi
		: >"$work/touched"
		drop_other_trees "$@"
	fi
	: >"$work/busy"
}

# drop_other_trees SOURCE VERSION: remove the other trees of VERSION, and all trees of versions that are not supported, because
# a tree and its objects take 2 to 3 GB.
drop_other_trees() {
	progress "removing older kernel trees"
	for tree in "$cache"/kernel-tree/*; do
		tree_name=${tree##*/}
		[ "$tree" = "$work" ] || { [ "${tree_name%-*}" != "$2" ] && is_supported "${tree_name%-*}"; } || rm -rf "$tree"
	done
}

# close_tree: remove the mark busy, unless the disk was full, and release the lock. No command may write to the tree
# any more.
close_tree() {
	# A process that ends while it waits for the lock must not remove the mark of the process that has the lock.
	[ "$tree_is_open" = yes ] || return 0
	tree_is_open=no
	[ "$disk_is_full" = yes ] || rm -f "$work/busy"
	exec 6>&-
}

# Paths that patches change, but that unpack_for_build leaves out.
not_unpacked='tools/testing/*'

# shape_tree PATCH...: make the tree the pristine source plus these patches.
# pristine/ keeps the original of every path that a patch ever touched (listed in touched).
shape_tree() {
	for patch; do
		git apply --numstat --exclude="$not_unpacked" "$patch" || die "$patch is not a patch"
	done | cut -f 3 | sort -u >"$work/touching"
	comm -13 "$work/touched" "$work/touching" >"$work/new"
	while IFS= read -r path; do
		[ ! -e "$work/src/$path" ] || put "$work/src/$path" "$work/pristine/$path"
	done <"$work/new"
	sort -u "$work/touched" "$work/new" >"$work/touched.partial" &&
		mv "$work/touched.partial" "$work/touched" || die "cannot write to $work"

	rm -rf "$work/stage"
	cp -R "$work/pristine" "$work/stage" || die "cannot write to $work"
	for patch; do
		(cd "$work/stage" && GIT_CEILING_DIRECTORIES=$work git apply --whitespace=nowarn \
			--exclude="$not_unpacked" "$patch") 2>"$work/apply.log" ||
			die "$(basename "$patch") does not apply: $(head -n 1 "$work/apply.log")"
	done
	while IFS= read -r path; do
		if [ ! -e "$work/stage/$path" ]; then
			rm -f "$work/src/$path"
		elif ! cmp -s "$work/stage/$path" "$work/src/$path"; then
			put "$work/stage/$path" "$work/src/$path"
		fi
	done <"$work/touched"
}

put() {
	mkdir -p "${2%/*}" && cp "$1" "$2" || disk_full "$work" || die "cannot write $2"
}

# configure OBJ FRAGMENTS [MAY_BE_LOST [BASE]]: write OBJ/.config from the lines in the file FRAGMENTS only. If a symbol is
# in several lines, the last one counts. A line that has no effect is an error, unless its symbol matches the ERE
# MAY_BE_LOST. The lines in the file BASE are put before those of FRAGMENTS, and may have no effect.
configure() {
	obj=$1
	mkdir -p "$obj" || die "cannot write to $work"
	sed -n 's/^\(CONFIG_[A-Za-z0-9_]*\)=n$/# \1 is not set/; /^CONFIG_/p; /^# CONFIG_.* is not set$/p' "$2" |
		awk '{ key = $1 == "#" ? $2 : substr($1, 1, index($1, "=") - 1)
		       if (!(key in line)) order[++n] = key
		       line[key] = $0 }
		     END { for (i = 1; i <= n; i++) print line[order[i]] }' >"$obj/wanted.config"
	cat "${4:-/dev/null}" "$obj/wanted.config" >"$obj/all.config"
	logged "configuring the kernel" "$obj/build.log" \
		make -C "$work/src" O="$obj" KCONFIG_ALLCONFIG="$obj/all.config" allnoconfig || exit 1
	# A symbol that cannot be set is either absent or "is not set".
	awk -v lost="${3:-no symbol}" 'NR == FNR { have[$0] = 1; split($0, a, "="); set[a[1]] = 1; next }
	     $0 ~ lost { next }
	     /^CONFIG_/ && !($0 in have) { print; bad = 1 }
	     /^#/ && ($2 in set) { print; bad = 1 }
	     END { exit bad }' "$obj/.config" "$obj/wanted.config" >"$obj/lost" ||
		die "these lines of the configuration have no effect: $(tr '\n' ' ' <"$obj/lost")"
}

# logged TITLE LOG kmake OBJ TARGET...: run make for TARGET in OBJ. The result contains no user, host, time or git revision.
kmake() {
	kmake_obj=$1
	shift
	exec make -C "$work/src" O="$kmake_obj" -j"$(nproc)" LOCALVERSION="${LOCALVERSION:-}" \
		KBUILD_BUILD_USER=wakelat KBUILD_BUILD_HOST=testbed KBUILD_BUILD_VERSION=1 \
		KBUILD_BUILD_TIMESTAMP='Thu Jan  1 00:00:00 UTC 2026' "$@"
}

# objtool_complaints LOG: print objtool's warnings about our code and about code that we touch.
objtool_complaints() {
	grep -E 'objtool:' "$1" | grep -E 'wakelat|cpuidle'
}
