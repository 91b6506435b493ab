#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# scripts/dev: flavours, kernel sources, the package list.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"

# --- flavours, sources

is "$("$top/scripts/dev/build-kernel" --list | tr '\n' ' ')" 'default first off base debug rt kasan default@7.3 arm64 riscv ' "the kernel's flavours"
refused 'no flavour wrong' "an unknown flavour" "$top/scripts/dev/build-kernel" --flavour wrong
refused 'for 6.12 and 7.3' "of an unknown kernel" "$top/scripts/dev/build-kernel" --flavour default@5.4
refused 'no variant wrong; there are: gcc clang' "an unknown variant of lint-objects" "$top/scripts/dev/lint-objects" wrong
refused 'needs one of: all, first, 6.12 and 7.3' "its kernel" "$top/scripts/dev/lint-objects" --kernel 5.4 gcc
refused 'needs one of: all, 6.12 and 7.3' "and lint's" "$top/scripts/dev/lint" --kernel 5.4
fetch=$top/scripts/dev/fetch-kernel
mkdir -p "$tmp/six" "$tmp/seven"
printf 'VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 99\n' >"$tmp/six/Makefile"
printf 'VERSION = 7\nPATCHLEVEL = 3\n' >"$tmp/seven/Makefile"
mkdir "$tmp/five"
printf 'VERSION = 5\nPATCHLEVEL = 4\n' >"$tmp/five/Makefile"
is "$(KSRC=$tmp/six "$fetch") $(KSRC=$tmp/seven "$fetch")" "$tmp/six $tmp/seven" "KSRC= names a tree of one of the kernels"
is "$(KSRC=$tmp/seven "$fetch" --kernel 7.3)" "$tmp/seven" "also where that one is asked for"
refused 'is Linux 5.4, and the series is for 6.12 and 7.3' "not of another" env KSRC="$tmp/five" "$fetch"
refused 'not the top of a kernel tree' "nor any directory" env KSRC="$tmp" "$fetch"
: >"$tmp/linux-7.3.2.tar.xz"
: >"$tmp/mine.tar.xz"
is "$(KSRC=$tmp/linux-7.3.2.tar.xz "$fetch" --kernel 7.3)" "$tmp/linux-7.3.2.tar.xz" "a tarball is of the version in its name"
is "$(KSRC=$tmp/mine.tar.xz "$fetch" --kernel 6.12)" "$tmp/mine.tar.xz" "and of the first if there is none"
refused 'needs one of: 6.12 and 7.3' "--kernel without one" "$fetch" --kernel
refused 'does not exist' "nor one that is not there" env KSRC="$tmp/eight" "$fetch"
refused 'neither a directory nor a tarball' "nor any file" env KSRC="$tmp/six/Makefile" "$fetch"

# --- packages, with everything it would ask or change replaced

mkdir "$tmp/bin"
# fake NAME: a program from stdin
fake() {
	{
		printf '#!/bin/sh\n'
		cat
	} >"$tmp/bin/$1"
	chmod +x "$tmp/bin/$1"
}
fake dpkg-query <<END
for name; do :; done
[ "\$name" != gnuplot-nox ] || [ -e '$tmp/installed' ] || exit 1
printf installed
END
fake apt-get <<END
printf '%s\n' "\$*" >>'$tmp/apt.log'
case \$1 in
install) [ "\$2" = -s ] || : >'$tmp/installed' ;;
esac
END
packages() {
	PATH=$tmp/bin:$PATH "$top/scripts/dev/packages" "$@"
}

fake id <<'END'
echo 1000
END
refused '^packages: missing packages, as root: apt-get install gnuplot-nox$' "a user is told what is missing" packages plot
not_ok "and nothing is installed" test -e "$tmp/apt.log"
fake id <<'END'
echo 0
END
ok "root gets it installed" packages plot
like "$(cat "$tmp/apt.log")" '^install -y --no-install-recommends gnuplot-nox$' "that and nothing else"
rm "$tmp/apt.log"
ok "when nothing is missing" packages plot
not_ok "nothing happens" test -e "$tmp/apt.log"
refused 'no group wrong; there are: record' "an unknown group" packages wrong

# The first tier of tests needs no package of a workstation.
first=$("$top/scripts/dev/packages" --list record tools probe man plot tune testbed kernel qemu test)
is "$(printf '%s\n' "$first" | grep -E '^(chromium|kernelshark|xvfb|r-base|qt|slurm|ansible|zsh|debootstrap|gcc-.*-linux|qemu-system-x86)')" "" \
	"the groups of the first tier have no package of a workstation, a cluster or another architecture"
"$top/scripts/dev/packages" --list test-all >"$tmp/all"
is "$("$top/scripts/dev/packages" --list test | comm -23 - "$tmp/all")" "" "the group test-all has what the group test has"

# --- a disk that is full: one line, and the cache is as it was

if [ "$(id -u)" -eq 0 ] && mkdir "$tmp/disk" "$tmp/big" && unshare --mount true 2>/dev/null; then
	head -c 3000000 /dev/urandom >"$tmp/big/file"
	tar -C "$tmp" -cJf "$tmp/qemu.tar.xz" big
	for program in ninja pkg-config patch; do
		fake $program </dev/null
	done
	# on_disk COMMAND...: the cache is on a disk of 2 MiB
	on_disk() {
		PATH=$tmp/bin:$PATH XDG_CACHE_HOME=$tmp/disk unshare --mount sh -c 'mount -t tmpfs -o size=2M tmpfs "$0" && "$@"
			on_disk_status=$?
			find "$0" ! -name "*.lock" -printf "%P " >"$0.left"
			exit $on_disk_status' "$tmp/disk" "$@"
	}
	refused 'build-qemu: no space left on the disk of .*: free some .*, or set XDG_CACHE_HOME' "a full disk: build-qemu says what to do" \
		on_disk env QEMU_TARBALL="$tmp/qemu.tar.xz" "$top/testbed/build-qemu"
	is "$(cat "$tmp/disk.left")" " wakelat " "a full disk: nothing half made is left"
	printf 'VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 99\n' >"$tmp/big/Makefile"
	refused 'build-kernel: no space left on the disk of ' "a full disk: build-kernel says it" \
		on_disk env KSRC="$tmp/big" "$top/scripts/dev/build-kernel" --flavour base
	unlike "$(cat "$tmp/disk.left")" '/touched' "a full disk: a kernel tree that is not whole is unpacked again"
	cat >"$tmp/maker" <<'END'
me=maker
. "$top/scripts/dev/common.sh"
filled() {
	cp "$1" "$making/file"
}
product thing 1 filled "$1"
printf '%s\n' "$product"
END
	export top
	run on_disk sh -c 'sh "$0" "$1"; mount -o remount,size=8M "$2"; sh "$0" "$1"' "$tmp/maker" "$tmp/big/file" "$tmp/disk"
	is "$status $out" "0 $tmp/disk/wakelat/thing-1" "a full disk: with more space the same product is made"
	like "$err" '^maker: no space left on the disk of ' "a full disk: any product says it"
else
	skip 6 "not root, or no mount namespace"
fi

# --- a sparse for Linux 7: the machine's, or a newer one

sparse() {
	PATH=$tmp/bin:$PATH XDG_CACHE_HOME=$tmp/cache "$top/scripts/dev/build-sparse"
}
refused 'takes no argument' "build-sparse with one" "$top/scripts/dev/build-sparse" 7.3
# As the old one: an error, and a status that says nothing of it.
fake sparse <<'END'
! grep -q __typeof_unqual__ "$1" || echo "$1:3:9: error: undefined identifier '__typeof_unqual__'" >&2
END
mkdir "$tmp/source" && cp "$tmp/bin/sparse" "$tmp/source/sparse.old" && printf 'exit 0\n' >"$tmp/source/sparse.new"
printf 'sparse: sparse.new\n\tcp sparse.new sparse && chmod +x sparse\n' >"$tmp/source/Makefile"
# apt_has DIRECTORY: as the source of the newest
apt_has() {
	tar -C "$tmp" -czf "$tmp/new.tar.gz" "${1##*/}"
}
apt_has "$tmp/source"
fake apt-get <<END
case " \$* " in
*' indextargets '*) echo http://debian.invalid/debian ;;
*' update '*) exit 0 ;;
*' source '*) cp '$tmp/new.tar.gz' sparse_9.orig.tar.gz ;;
esac
END
is "$(sparse)" "$tmp/cache/wakelat/sparse-1/sparse" "an old one: a newer is built"
ok "and is one" test -x "$tmp/cache/wakelat/sparse-1/sparse"
rm -r "$tmp/cache"
cp "$tmp/source/sparse.old" "$tmp/source/sparse.new"
apt_has "$tmp/source"
refused 'Debian unstable has no sparse that knows __typeof_unqual__' "not one that is no newer" sparse
not_ok "nothing is left of that" test -e "$tmp/cache/wakelat/sparse-1"
fake sparse </dev/null
is "$(sparse)" "$tmp/bin/sparse" "the machine's, where it is new enough"

# --- the programs, where nothing compiles BPF

make -n -B -C "$top/tools" have_bpf= programs >"$tmp/commands" 2>&1
like "$(cat "$tmp/commands")" 'bin/top' "make tools: what has no need of BPF is built"
is "$(grep -E 'clang|bpftool|bpf\.o|who\.o|probe\.o' "$tmp/commands")" "" "and nothing else"

# --- a benchmark whose value is beyond its bound

publish_top=$top
# published VALUE BOUND
published() (
	top=$tmp/published
	. "$publish_top/tests/lib/publish.sh"
	printf 'quantity\tvalue\tunit\tbound\nq\t%s\ts\t%s\n' "$1" "$2" | publish try
)
for pair in '2 <=2' '2.01 < 3' '1e 1e' '900 >= 800' '7 7' '12 -' 'yes yes' '7.0 7'; do
	ok "${pair%% *} is within ${pair#* }" published "${pair%% *}" "${pair#* }"
done
for pair in '2.1 <= 2' '3 < 3' '799 >=800' '6 7' 'no yes' '- <=5' 'nan >= 1'; do
	run published "${pair%% *}" "${pair#* }"
	is "$status $err" "1 bench/try: q is ${pair%% *} s: not ${pair#* }" "${pair%% *}: not within ${pair#* }"
done
same "$tmp/published/out/bench/try.tsv" /dev/stdin "the table is there all the same" <<'END'
quantity	value	unit	bound
q	nan	s	>= 1
END
done_testing
