#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# scripts/dev: kernel flavours, kernel sources, the list of packages, full disks, sparse, benchmarks.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"

# --- sizes of the patches

"$top/scripts/dev/series" sizes >"$tmp/sizes"
is "$(awk -F '\t' '/^all/ { for (i = 2; i <= NF; i++) n += $i; print n }' "$tmp/sizes")" \
	"$(find "$top"/patches/[0-9]-* -name '0*.patch' ! -path '*-arm64/*' -exec git apply --numstat {} + | awk '{ n += $1 } END { print n }')" \
	"series sizes: the kinds of lines add up to the lines that the patches add"
is "$(awk -F '\t' '$1 ~ /\/0/ && $2 > 350' "$tmp/sizes")" "" "no patch has more than 350 lines of code"
is "$(awk -F '\t' '$1 == "1-first" && $2 > 900' "$tmp/sizes")" "" "the first series has at most 900 lines of code"
is "$(awk -F '\t' -v OFS=' | ' '
	function end() {
		print "| " series, patches, code, most " |"
	}
	NR == 1 || $1 ~ /^6-arm64/ { next }
	$1 ~ /\/0/ { patches++; all++; if ($2 > most) most = $2; if ($2 > most_of_all) most_of_all = $2; next }
	{ series = $1; code = $2; if (series ~ /^all/) { patches = all; most = most_of_all } end(); patches = most = 0 }' "$tmp/sizes")" \
	"$(sed -n '/^| series | patches /,/^$/p' "$top/Documentation/upstream.md" | sed '1,2d; $d')" "upstream.md: the sizes are those of the patches"

# --- flavours, sources

is "$("$top/scripts/dev/build-kernel" --list | tr '\n' ' ')" 'default first off base debug rt kasan default@7.3 image arm64 riscv ' \
	"build-kernel --list prints the flavours"
refused 'no flavour wrong' "build-kernel refuses an unknown flavour" "$top/scripts/dev/build-kernel" --flavour wrong
refused 'supported: 6.12 and 7.3' \
	"build-kernel refuses a flavour of an unknown kernel" "$top/scripts/dev/build-kernel" --flavour default@5.4
refused 'no variant wrong; there are: gcc clang' "lint-objects refuses an unknown variant" "$top/scripts/dev/lint-objects" wrong
refused 'needs one of: all, first, 6.12 and 7.3' \
	"lint-objects refuses an unknown kernel" "$top/scripts/dev/lint-objects" --kernel 5.4 gcc
refused 'needs one of: all, 6.12 and 7.3' "lint refuses an unknown kernel" "$top/scripts/dev/lint" --kernel 5.4
fetch=$top/scripts/dev/fetch-kernel
mkdir -p "$tmp/six" "$tmp/seven"
printf 'VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 99\n' >"$tmp/six/Makefile"
printf 'VERSION = 7\nPATCHLEVEL = 3\n' >"$tmp/seven/Makefile"
mkdir "$tmp/five"
printf 'VERSION = 5\nPATCHLEVEL = 4\n' >"$tmp/five/Makefile"
is "$(KSRC=$tmp/six "$fetch") $(KSRC=$tmp/seven "$fetch")" "$tmp/six $tmp/seven" "KSRC= names a tree of one of the kernels"
is "$(KSRC=$tmp/seven "$fetch" --kernel 7.3)" "$tmp/seven" "KSRC= with --kernel names a tree of that kernel"
refused 'Linux 5.4 is not supported [(]supported: 6.12 and 7.3[)]' \
	"KSRC= with an unsupported kernel is refused" env KSRC="$tmp/five" "$fetch"
mkdir "$tmp/between"
printf 'VERSION = 6\nPATCHLEVEL = 18\n' >"$tmp/between/Makefile"
refused 'Linux 6.18 is not supported [(]supported: 6.12 and 7.3[)]' "KSRC= with a kernel that is not tested is refused" env KSRC="$tmp/between" "$fetch"
is "$(KSRC=$tmp/between "$fetch" --any)" "$tmp/between" "KSRC= with a kernel that is not tested is accepted with --any"
refused 'Linux 5.4 is not supported' "KSRC= with a kernel before the first is refused with --any" env KSRC="$tmp/five" "$fetch" --any
# The programs that build the package may be missing: it says this before it calls one.
mkdir "$tmp/builders"
sed -n 's/^for command in \(.*\); do$/\1/p' "$top/scripts/dev/kernel-deb" | tr ' ' '\n' | while read -r program; do
	ln -s /bin/false "$tmp/builders/$program"
done
run env PATH="$PATH:$tmp/builders" KSRC="$tmp/between" DIR="$tmp/deb" "$top/scripts/dev/kernel-deb"
like "$(cat "$tmp/tap.err")" 'not tested on Linux 6[.]18 [(]tested: 6[.]12 and 7[.]3[)]' "kernel-deb says that a kernel is not tested"
refused 'not the top of a kernel tree' "KSRC= with a directory that is not a kernel tree is refused" env KSRC="$tmp" "$fetch"
: >"$tmp/linux-7.3.2.tar.xz"
: >"$tmp/mine.tar.xz"
is "$(KSRC=$tmp/linux-7.3.2.tar.xz "$fetch" --kernel 7.3)" "$tmp/linux-7.3.2.tar.xz" "a tarball has the version in its name"
is "$(KSRC=$tmp/mine.tar.xz "$fetch" --kernel 6.12)" "$tmp/mine.tar.xz" \
	"a tarball without a version in its name has the requested one"
refused 'needs one of: 6.12 and 7.3' "--kernel without a version is refused" "$fetch" --kernel
refused 'does not exist' "KSRC= with a missing directory is refused" env KSRC="$tmp/eight" "$fetch"
refused 'neither a directory nor a tarball' "KSRC= with another kind of file is refused" env KSRC="$tmp/six/Makefile" "$fetch"

# --- packages. Fakes replace the programs that would ask questions or change the machine.

mkdir "$tmp/bin"
# fake NAME: write a program from stdin.
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
[ "\$1" != -o ] || shift 2
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
refused '^packages: missing packages, as root: apt-get install gnuplot-nox$' \
	"packages tells a user which packages are missing" packages plot
not_ok "packages installs nothing for a user" test -e "$tmp/apt.log"
fake id <<'END'
echo 0
END
ok "packages installs missing packages for root" packages plot
like "$(cat "$tmp/apt.log")" '^-o DPkg::Lock::Timeout=600 install -y --no-install-recommends gnuplot-nox$' "packages installs only the missing package"
rm "$tmp/apt.log"
ok "packages succeeds if nothing is missing" packages plot
not_ok "packages calls no apt-get if nothing is missing" test -e "$tmp/apt.log"

# Another program holds a lock of apt for two seconds. The lock is on a private file system.
if command -v perl >/dev/null && unshare --mount true 2>/dev/null; then
	rm -f "$tmp/installed"
	cat >"$tmp/hold.pl" <<'END'
use Fcntl;
open my $file, '+<', $ARGV[0] or die;
my $lock = pack 's s x4 q q i', F_WRLCK, 0, 0, 0, 0;
fcntl $file, F_SETLK, $lock or die;
mkdir $ARGV[1];
sleep 2;
END
	locked() {
		PATH=$tmp/bin:$PATH unshare --mount sh -c 'mount -t tmpfs tmpfs /var/lib/apt && mkdir /var/lib/apt/lists && : >/var/lib/apt/lists/lock &&
			{ perl "$2/hold.pl" /var/lib/apt/lists/lock "$2/held" & } && until [ -e "$2/held" ]; do sleep 0.1; done && "$1" plot' \
			sh "$top/scripts/dev/packages" "$tmp"
	}
	ok "packages waits while another program holds the lock of apt" locked
	like "$err" '^packages: waiting for process [0-9]+ \(perl\), which holds the lock of apt$' "packages says which program it waits for"
	rm -f "$tmp/apt.log"
else
	skip 2 "no perl, or no mount namespace"
fi

# The line that builds a Debian package installs everything that the package is built with.
deb_line=$(sed -n 's/.*scripts\/dev\/packages \(.*\) && dpkg-buildpackage.*/\1/p' "$top/Documentation/your-machine.md")
if words "$deb_line" "$top/scripts/dev/packages" --list >"$tmp/listed" 2>"$tmp/said"; then
	sort -u -o "$tmp/listed" "$tmp/listed"
	sed -n '/^Build-Depends:/,/^$/{ s/^ \([a-z][a-z0-9.+-]*\).*/\1/p }' "$top/debian/control" | sed 's/^debhelper-compat$/debhelper/' | sort -u >"$tmp/depends"
	is "$(comm -13 "$tmp/listed" "$tmp/depends")" "" "your-machine.md: the line for the Debian package installs its build dependencies"
else
	skip 1 "an extra is deleted: $(cat "$tmp/said")"
fi
refused 'no group wrong; there are: record' "packages refuses an unknown group" packages wrong

# Tests of the first tier must not need packages of a workstation.
first=$("$top/scripts/dev/packages" --list record tools probe man plot extras-first testbed kernel qemu test)
is "$(printf '%s\n' "$first" | grep -E '^(chromium|kernelshark|xvfb|r-base|qt|slurm|ansible|zsh|debootstrap|gcc-.*-linux|qemu-system-x86)')" "" \
	"the first tier's groups have no package of a workstation, a cluster or another architecture"
"$top/scripts/dev/packages" --list test-all >"$tmp/all"
is "$("$top/scripts/dev/packages" --list test | comm -23 - "$tmp/all")" "" "the group test-all contains the group test"

# --- a full disk: one message, and an unchanged cache

if [ "$(id -u)" -eq 0 ] && mkdir "$tmp/disk" "$tmp/big" && unshare --mount true 2>/dev/null; then
	head -c 3000000 /dev/urandom >"$tmp/big/file"
	tar -C "$tmp" -cJf "$tmp/qemu.tar.xz" big
	for program in ninja pkg-config patch; do
		fake $program </dev/null
	done
	# on_disk COMMAND...: run COMMAND with the cache on a disk of 2 MiB.
	on_disk() {
		PATH=$tmp/bin:$PATH XDG_CACHE_HOME=$tmp/disk unshare --mount sh -c 'mount -t tmpfs -o size=2M tmpfs "$0" && "$@"
			on_disk_status=$?
			find "$0" ! -name "*.lock" -printf "%P " >"$0.left"
			exit $on_disk_status' "$tmp/disk" "$@"
	}
	refused 'build-qemu: no space left on the disk of .*: free some .*, or set XDG_CACHE_HOME' \
		"full disk: build-qemu says what to do" \
		on_disk env QEMU_TARBALL="$tmp/qemu.tar.xz" "$top/testbed/build-qemu"
	is "$(cat "$tmp/disk.left")" " wakelat " "full disk: no partial file is left"
	printf 'VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 99\n' >"$tmp/big/Makefile"
	refused 'build-kernel: no space left on the disk of ' "full disk: build-kernel says so" \
		on_disk env KSRC="$tmp/big" "$top/scripts/dev/build-kernel" --flavour base
	unlike "$(cat "$tmp/disk.left")" '/touched' "full disk: an incomplete kernel tree is unpacked again"
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
	is "$status $out" "0 $tmp/disk/wakelat/thing-1" "full disk: with more space the product is made"
	like "$err" '^maker: no space left on the disk of ' "full disk: a message names the disk"
else
	skip 6 "not root, or no mount namespace"
fi

# --- sparse for Linux 7: the installed one, or a newer one

sparse() {
	PATH=$tmp/bin:$PATH XDG_CACHE_HOME=$tmp/cache "$top/scripts/dev/build-sparse"
}
refused 'takes no argument' "build-sparse refuses an argument" "$top/scripts/dev/build-sparse" 7.3
# The old sparse prints an error and exits with 0.
fake sparse <<'END'
! grep -q __typeof_unqual__ "$1" || echo "$1:3:9: error: undefined identifier '__typeof_unqual__'" >&2
END
mkdir "$tmp/source" && cp "$tmp/bin/sparse" "$tmp/source/sparse.old" && printf 'exit 0\n' >"$tmp/source/sparse.new"
printf 'sparse: sparse.new\n\tcp sparse.new sparse && chmod +x sparse\n' >"$tmp/source/Makefile"
# apt_has DIRECTORY: make apt offer DIRECTORY as the newest source.
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
is "$(sparse)" "$tmp/cache/wakelat/sparse-1/sparse" "an old sparse is installed: a newer one is built"
ok "the new sparse can be executed" test -x "$tmp/cache/wakelat/sparse-1/sparse"
rm -r "$tmp/cache"
cp "$tmp/source/sparse.old" "$tmp/source/sparse.new"
apt_has "$tmp/source"
refused 'Debian unstable has no sparse that knows __typeof_unqual__' "a source that is not new enough is refused" sparse
not_ok "a refused source leaves no files" test -e "$tmp/cache/wakelat/sparse-1"
fake sparse </dev/null
is "$(sparse)" "$tmp/bin/sparse" "a new sparse is installed: it is used"

# --- tools on a machine that cannot compile BPF

make -n -B -C "$top/tools" have_bpf= programs >"$tmp/commands" 2>&1
like "$(cat "$tmp/commands")" 'bin/top' "make tools builds programs without BPF"
is "$(grep -E 'clang|bpftool|bpf\.o|probe\.o' "$tmp/commands")" "" "make tools builds nothing that needs BPF"

# --- a benchmark with a value outside its bound

publish_top=$top
# published VALUE BOUND: publish a table with this value and bound
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
same "$tmp/published/out/bench/try.tsv" /dev/stdin "the table has the value outside its bound" <<'END'
quantity	value	unit	bound
q	nan	s	>= 1
END
done_testing
