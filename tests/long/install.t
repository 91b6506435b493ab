#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# make install and make uninstall: the installed files work without the source tree and without git; uninstall removes them and
# nothing else.
# needs: tools
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1
# The caller's environment must not influence the test.
unset PREFIX DESTDIR WAKELAT_VERSION MAKEFLAGS MFLAGS
prefix="/opt/wake lat"
root="$tmp/a root$prefix"
installed="$root/bin/wakelat"

# install_as [--uninstall]: run the script that make install runs
install_as() {
	DESTDIR="$tmp/a root" PREFIX="$prefix" "$top/scripts/dev/install" "$@"
}
is_there() {
	(cd "$root" && find . | sort)
}

refused 'is not an absolute path' "a relative PREFIX" env PREFIX=usr "$top/scripts/dev/install"
refused 'line breaks' "a PREFIX with two lines" env PREFIX="/a
b" "$top/scripts/dev/install"
refused 'PREFIX=/ would install' "the root directory as PREFIX" env PREFIX=/ "$top/scripts/dev/install"
refused 'does not exist, so make install was not run' "uninstall where nothing is installed" install_as --uninstall
printf 'mine\n' >file
refused 'cannot create directories' "a PREFIX below a file" env PREFIX="$tmp/file/x" "$top/scripts/dev/install"

# --- into a directory that has other files

mkdir -p "$root/bin" "$root/share/man/man1" "$root/lib/empty"
is_there >before
ln -s "$top/scripts/wakelat" "$root/bin/wakelat"
refused 'bin/wakelat exists, and was not made by make install: move it away' "a wakelat of the user's own" \
	install_as
is "$(cd "$root" && find . | wc -l)" "$(($(wc -l <before) + 1))" "a wakelat of the user's own: nothing is installed"
rm "$root/bin/wakelat"
ok "make install succeeds" env sh -c 'umask 077; "$@"' sh make -s -C "$top" install DESTDIR="$tmp/a root" PREFIX="$prefix"
is "$(find "$root" -type f ! -perm -044)$(find "$root/share" "$root/lib" -type d ! -perm -055)" "" \
	"the installed files are readable for all, whatever the umask"
is_there >first
is "$(sed -n '/[^/]$/s/^/.\//p' "$root/lib/wakelat/manifest" | LC_ALL=C sort)" "$(comm -13 before first | while IFS= read -r file; do
	[ -d "$root/$file" ] && [ ! -L "$root/$file" ] || printf '%s\n' "$file"
done)" "the manifest lists exactly the installed files"
is "$(grep -rlIF "$top" "$root")" "" "no installed file has the path of the source tree"

# --- the installed files work without git and outside the source tree

mkdir bin
printf '#!/bin/sh\ntouch "%s/git-was-run"\nexit 1\n' "$tmp" >bin/git
cp bin/git bin/make
chmod +x bin/git bin/make
tree_version=$("$top/scripts/wakelat" --version)
PATH=$root/bin:$tmp/bin:$PATH
is "$(wakelat --version)" "$tree_version" "the installed version is that of the source tree"
for command in "$top"/scripts/commands/* "$top"/extras/*/; do
	command=${command%/}
	name=${command##*/}
	case $command in
	*/extras/*) [ -x "$command/$name" ] || continue ;;
	esac
	ok "wakelat $name -h" wakelat "$name" -h
done
printf 'sample 0 1 run=1 source=1 state=1\nend 0 3 run=1 cpu=0 samples=1\n' | trace t.dat
run env TRACEEVENT_PLUGIN_DIR="$root/lib/wakelat/tools/bin/traceevent" trace-cmd report t.dat
like "$out" 'CPU 0 .*wake_latency' "trace-cmd report prints a sample by the plugin"
# Run the commands of Documentation/formats.md as a user whose home directory has a space in its name.
switched() {
	sed -n "s,^    \($1 .*\)/usr/local/\(.*\),\1'$root/'\2,p; s,^    \($1 ~.*\),\1,p" "$top/Documentation/formats.md" >switch
	HOME="$tmp/a home" sh -eu switch
}
is_printed() {
	HOME="$tmp/a home" trace-cmd report t.dat 2>&1 | sed -n 's/.*wakelat_sample: *//p' | cut -d ' ' -f 1-2
}
mkdir "$tmp/a home"
before_on=$(is_printed)
if [ "$before_on" = "CPU 0" ]; then
	skip 7 "trace-cmd has the plugin already: the package wakelat-plugins"
else
	is "$before_on" "state=1 wake_latency=0" "trace-cmd without the plugin prints the fields"
	ok "the plugin is switched on" switched 'install -D'
	is "$(is_printed)" "CPU 0" "trace-cmd with the plugin prints a sample"
	ok "the plugin is switched on over an older one" switched 'install -D'
	is "$(TRACEEVENT_PLUGIN_DIR=$root/lib/wakelat/tools/bin/traceevent is_printed)" "CPU 0" \
		"a plugin that is found twice prints a sample once"
	ok "the plugin is switched off" switched rm
	is "$(is_printed)" "state=1 wake_latency=0" "after switching off trace-cmd prints the fields"
fi
three_states recorded
ok "stats works" wakelat stats recorded
like "$out" "All of it: wakelat stats" "stats says how to print everything"
if command -v gnuplot >/dev/null; then
	ok "plot works" wakelat plot -q -k svg -f ccdf recorded
	ok "plot draws a figure" test -s recorded/figures/ccdf.svg
else
	skip 2 "no gnuplot"
fi
run wakelat doctor --time 0s --tsv
like "$status" '^[012]$' "doctor works"
if command -v man >/dev/null && man -w man >/dev/null 2>&1; then
	is "$(env -u MANPATH man -w wakelat wakelat-stats)" "$root/share/man/man1/wakelat.1
$root/share/man/man1/wakelat-stats.1" "man finds its pages by the PATH"
	like "$(wakelat help stats 2>&1)" 'wakelat-stats|WAKELAT-STATS' "wakelat help shows a manual page"
else
	skip 2 "no man"
fi
not_ok "git and make were not run" test -e git-was-run
rm -r bin

# --- install over an older version, and uninstall

stats_was=$(sha256sum "$root/lib/wakelat/scripts/commands/stats")
printf 'old\n' >"$root/lib/wakelat/scripts/commands/stats"
mkdir -p "$root/lib/wakelat/scripts/lib/gone" "$root/lib/kept"
printf 'x\n' | tee "$root/lib/wakelat/scripts/lib/gone/old.sh" "$root/lib/kept/mine" "$root/lib/wakelat/mine" victim >"$root/share/man/man1/wakelat-old.1"
printf '%s\n' lib/wakelat/scripts/lib/gone/ lib/wakelat/scripts/lib/gone/old.sh share/man/man1/wakelat-old.1 \
	../../../victim "$tmp/victim" x/../../../../victim >>"$root/lib/wakelat/manifest"
ok "install over an older version" install_as
is "$(sha256sum "$root/lib/wakelat/scripts/commands/stats")" "$stats_was" "install over an older version: replaces its files"
is "$(is_there | comm -13 first -)" "./lib/kept
./lib/kept/mine
./lib/wakelat/mine" "install over an older version: removes old files, and keeps the user's"
ok "uninstall succeeds" install_as --uninstall
is "$(is_there | comm -13 before -)" "./lib/kept
./lib/kept/mine
./lib/wakelat
./lib/wakelat/mine" "uninstall leaves files of others"
is "$(is_there | comm -23 before -)" "" "uninstall removes no directory that existed before"
ok "uninstall ignores paths outside the prefix in the manifest" test -e victim
rm -r "$root"

# uninstall first restores the settings that wakelat has changed, because afterwards nothing can. Uses a private /run.
. "$top/tests/lib/journal.sh"
if [ "$(id -u)" -eq 0 ] && unshare -m sh -c 'mount -t tmpfs none /run' 2>/dev/null; then
	settings s 1
	printf 'new 0\n' >s/setting-0
	own=$tmp/own/prefix
	# uninstall_with LINE: run uninstall with a journal that has LINE
	uninstall_with() (
		export PREFIX="$own"
		in_run size=64k 'printf "owner\t0\t0\n%s\n" "$1" >/run/wakelat/state; "$2" --uninstall' "$1" "$top/scripts/dev/install"
	)
	PREFIX=$own "$top/scripts/dev/install" >/dev/null
	run uninstall_with "$(printf 'set\t/dev/null\t5')"
	is "$status" 1 "uninstall: fails if a setting cannot be restored"
	like "$err" '/dev/null cannot be put back .*by hand: echo 5 >/dev/null' \
		"uninstall: names the setting that cannot be restored"
	like "$err" 'not removed, because some settings are not restored' \
		"uninstall: says that nothing was removed, and why"
	ok "uninstall: removes nothing if a setting cannot be restored" test -x "$own/bin/wakelat"
	run uninstall_with "$(printf 'set\t%s/s/setting-0\told 0' "$tmp")"
	is "$status$(changed s)" 0 "uninstall: restores settings"
	not_ok "uninstall: removes all files after restoring settings" test -e "$own"
else
	skip 6 "no mount namespaces here"
fi
ok "install takes a packager's WAKELAT_VERSION" env WAKELAT_VERSION=3.4-5 DESTDIR="$tmp/a root" PREFIX="$prefix" "$top/scripts/dev/install"
is "$("$installed" --version)" "wakelat 3.4-5" "the installed wakelat prints the packager's version"
ok "make uninstall succeeds" make -s -C "$top" uninstall DESTDIR="$tmp/a root" PREFIX="$prefix"
not_ok "make uninstall removes a prefix that make install created" test -e "$root"
done_testing
