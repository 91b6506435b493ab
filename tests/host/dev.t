#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# scripts/dev: flavours, kernel sources, the package list.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"

# --- flavours, sources

is "$("$top/scripts/dev/build-kernel" --list | tr '\n' ' ')" 'default off base debug rt ' "the kernel's flavours"
refused 'no flavour wrong' "an unknown flavour" "$top/scripts/dev/build-kernel" --flavour wrong
fetch=$top/scripts/dev/fetch-kernel
mkdir -p "$tmp/six" "$tmp/seven"
printf 'VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 99\n' >"$tmp/six/Makefile"
printf 'VERSION = 7\nPATCHLEVEL = 3\n' >"$tmp/seven/Makefile"
is "$(KSRC=$tmp/six "$fetch")" "$tmp/six" "KSRC= names a tree"
refused 'not the top of a Linux 6.12' "not of another version" env KSRC="$tmp/seven" "$fetch"
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
done_testing
