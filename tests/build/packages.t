#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The Debian packages can be built from a git tree and from their own source package, and lintian
# accepts them. They can be installed in a clean Debian 12 and 13, used, and purged. KernelShark of
# the host's release finds the plugin.
# needs: nothing
# takes: minutes
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/layers.sh"
cd "$tmp" || exit 1

# listed GROUP...: prints the packages of these groups in one line, without those that every build
# has
listed() {
	"$top/scripts/dev/packages" --list "$@" | grep -vxE 'g\+\+|gcc|libc6-dev|make' | sort | paste -sd ' ' -
}
# field NAME: prints the packages in this field of debian/control, for package wakelat; of
# alternatives only the first
field() {
	awk -v name="$1:" '
		/^(Source|Package):/ { mine = $2 == "wakelat" }
		/^#/ || !mine { next }
		$1 == name { here = 1; sub(/^[^ ]*/, "") }
		/^[A-Z]/ && $1 != name { here = 0 }
		here' "$top/debian/control" |
		tr ',' '\n' | sed 's/[(|].*//; s/ //g; /^\$/d; /^$/d; /:$/d' | sort -u | paste -sd ' ' -
}
# The package of Qt depends on the release, so debian/control has it only as an alternative to libkshark-dev.
is "$(field Build-Depends)" "$({ listed tools probe kernelshark | tr ' ' '\n' | grep -v '^qt'; echo debhelper-compat; } | sort | paste -sd ' ' -)" \
	"Build-Depends has the packages of groups tools, probe and kernelshark"
is "$(field Depends)" "$(listed record)" "Depends has the packages that record needs"
is "$(field Recommends)" "$(listed man)" "Recommends has the packages of group man"
is "$(field Suggests)" "$({ listed plot tail audit tune | tr ' ' '\n'; printf '%s\n' bash-completion wakelat-plugins; } | sort | paste -sd ' ' -)" "Suggests has the packages of optional commands"

[ "$(id -u)" -eq 0 ] || {
	skip 1 "not root: no packages are made"
	done_testing
	exit
}
for command in dpkg-buildpackage dh lintian debootstrap; do
	if ! command -v "$command" >/dev/null; then
		skip 1 "no $command: scripts/dev/packages test-all"
		done_testing
		exit
	fi
done
said=$(dpkg-checkbuilddeps "$top/debian/control" 2>&1) || {
	skip 1 "${said#*: }: scripts/dev/packages tools probe kernelshark package"
	done_testing
	exit
}

# --- from a git tree

quietly() {
	"$@" >"$tmp/log" 2>&1 </dev/null || {
		tail -n 20 "$tmp/log" >&2
		return 1
	}
}
git -c safe.directory="*" -C "$top" ls-files -z >files 2>/dev/null && [ -s files ] || skip_all "not a git work tree"
mkdir -p work/wakelat source
# Copy the tree with its uncommitted changes, commit them in the copy, and add files that are not in git.
(cd "$top" && xargs -0 tar -cf - --ignore-failed-read) <files 2>/dev/null | tar -xf - -C work/wakelat
(
	cd work/wakelat && git init -q . && git add -A && git -c user.name=x -c user.email=x@x commit -qm x
	mkdir -p out/run && touch out/run/run.tsv tools/read/dump.o
) || bail "cannot make a git tree"
export DEB_BUILD_OPTIONS="nocheck noautodbgsym"
in_tree() (
	cd work/wakelat && quietly dpkg-buildpackage -us -uc -S -d --source-option=-Zgzip
)
ok "the source package is built from a git tree" in_tree
ok "a recording in the tree is still there" test -e work/wakelat/out/run/run.tsv
ok "dpkg-source unpacks the source package" quietly dpkg-source --no-check -x work/wakelat_*.dsc source/wakelat
is "$(cd source/wakelat && find . ! -type d | sed 's:^./::' | sort)" "$(git -C work/wakelat ls-files | grep -v '\.gitignore$' | sort)" \
	"the source package has the files that git has, and no others"

# --- from the source package

in_source() (
	cd source/wakelat && quietly dpkg-buildpackage -us -uc -b -d
)
ok "the packages are built from the source package" in_source
[ "$status" -eq 0 ] || bail "the packages do not build"
deb=$(find "$PWD/source" -name 'wakelat_*_amd64.deb')
plugins=$(find "$PWD/source" -name 'wakelat-plugins_*_amd64.deb')
run lintian --fail-on error,warning --allow-root work/wakelat_*.dsc source/wakelat_*.changes
is "$status$out" 0 "lintian reports nothing"
like "$(dpkg-deb -f "$deb" Depends)" 'libtracecmd1.*|libbpf1' \
	"the package depends on the libraries that its programs are linked with"
is "$(dpkg-deb -c "$deb" | grep -c 'share/man/man1/wakelat.*\.1\.gz$')" "$(find "$top/Documentation/man" "$top/extras" -name '*.1' | wc -l)" "the package has all manual pages"
is "$(dpkg-deb -c "$deb" | grep -c 'tools/bin/[a-z]*/')" 0 "the package does not have the plugins"
# unfit VERSION: print "unfit" if the plugins break libkshark2 of this VERSION
unfit() {
	dpkg-deb -f "$plugins" Breaks | tr ',' '\n' | sed 's/.*(\(.*\))/\1/' | while read -r relation version; do
		! dpkg --compare-versions "$1" "$relation" "$version" || echo unfit
	done
}
here=$(sed 's/\..*//' /etc/debian_version)
case $here in
12) is "$(unfit 2.2.1-1~deb12u1)-$(unfit 2.4.0-1)" "-unfit" "the plugins are for Debian 12's KernelShark" ;;
13) is "$(unfit 2.2.1-1~deb12u1)-$(unfit 2.4.0-1)" "unfit-" "the plugins are for Debian 13's KernelShark" ;;
esac

# --- in KernelShark, which loads plugins of other packages only by name

cc -std=c11 -D_GNU_SOURCE -O2 -o mktrace "$top/tests/fixtures/mktrace.c" || bail "tests/fixtures/mktrace.c does not build"
cat >see <<'END'
# Run in a mount namespace. Show the directories of plugins as the package makes them. Leave the picture now.rgb.
set -eu
for directory in /usr/lib/*/traceevent/plugins /usr/lib/*/kernelshark/plugins; do
	mount -t overlay -o "lowerdir=$tmp/unpacked$directory:$directory" overlay "$directory" || exit 77
done
. "$top/tests/lib/kshark.sh"
trap screen_end EXIT
screen_begin || exit 78
set +e
opened kernelshark -p wakelat -i "$tmp/shown.dat"
END
seen() {
	dpkg-deb -x "$plugins" unpacked && chmod -R go+rX unpacked &&
		printf '%s\n' 'sample 0 1000000 state=1' 'sample 0 7000000 state=3 ldist=5000000 silent_time=3000000 wake_latency=1000000 intr_latency=1500000' \
			'sample 0 12000000 state=1 ldist=5000000 silent_time=2000000 wake_latency=9000 intr_latency=1000000' | trace shown.dat -k &&
		chmod 644 shown.dat && tmp=$tmp top=$top unshare --mount sh see
}
missing=
for command in kernelshark Xvfb import convert xdotool; do
	command -v "$command" >/dev/null || missing=$command
done
status=
[ -n "$missing" ] || run seen
case $status in
'') skip 1 "no $missing: scripts/dev/packages test-all" ;;
77) skip 1 "no overlay file system here" ;;
78) skip 1 "Xvfb does not start: $(tail -n 1 xvfb.log)" ;;
*) is "$err$(printf '%s\n' '0 3 2500000 5500000 6500000 7000000 0 -' '0 1 9000000 11000000 11009000 12000000 0 -' |
	perl "$top/tests/lib/kshark.pl" 700 1000000 12000000 now.rgb 2>&1)" "" "KernelShark finds the package's plugin by its name" ;;
esac

# --- in a clean Debian

three_states recorded
printf 'bulk 60 0 1000 3\n' | ./mktrace trace.dat
cat >use <<'END'
# Run in the root. Do what a user does, and print the results.
cd /work
before() {
	find / -xdev \( -path /work -o -path /tmp -o -path /proc -o -path /dev -o -path /sys -o -path /var/log -o -path /var/lib/dpkg \
		-o -path /var/cache -o -path /root -o -path /run \) -prune -o -print | sort
}
before >before
dpkg -i wakelat.deb plugins.deb >dpkg.log 2>&1 && printf 'installed\n' || tail -n 5 dpkg.log
apt-get check >/dev/null 2>&1 && printf 'needs nothing more\n'
command -v git make gcc
cd /
wakelat --version
man -w wakelat wakelat-verdict
man wakelat-verdict 2>/dev/null | grep -c 'latency budget'
cp -R /work/recorded /tmp/run
wakelat stats -q /tmp/run && wc -l </tmp/run/stats.tsv
wakelat verdict --budget 50us /tmp/run | sed -n 1p
wakelat plot -q -k svg,pdf -f ccdf,states /tmp/run && ls /tmp/run/figures
wakelat doctor --time 0s >/tmp/doctor; printf 'doctor %s\n' "$((($? < 3)))"
trace-cmd report /work/trace.dat 2>&1 | sed -n 's/^.*wakelat_sample: *//p' | head -n 1
wakelat dump -o /tmp/samples.tsv /work/trace.dat && wc -l </tmp/samples.tsv
for program in /usr/lib/wakelat/tools/bin/*; do
	ldd "$program" | grep 'not found'
done
printf 'wakelat sta@\nwakelat verdict --paste cr@\n' >/tmp/keys
tmp=/tmp top=/work
. /work/shells.sh
printf '. /usr/share/bash-completion/bash_completion\n' >/tmp/bash.rc
typed bash /tmp/bash.rc </tmp/keys
printf 'autoload -U compinit && compinit -u -D\n' >/tmp/zsh.rc
typed zsh /tmp/zsh.rc </tmp/keys
cd /work
# A reboot has interrupted a recording.
mkdir -p /var/lib/wakelat && printf 'boot\t/root/run\n' >/var/lib/wakelat/unfinished
dpkg -P wakelat wakelat-plugins >dpkg.log 2>&1 && printf 'purged\n' || tail -n 5 dpkg.log
before | diff before - && printf 'as before\n'
END
cat >wanted <<END
installed
needs nothing more
wakelat $(cat "$top/VERSION")
/usr/share/man/man1/wakelat.1.gz
/usr/share/man/man1/wakelat-verdict.1.gz
1
4
EXCEEDED by C6 (p99.9 longer than 50 us); kept by C1, C1E_x
ccdf.pdf
ccdf.svg
left-out.tsv
states.pdf
states.svg
doctor 1
CPU 0 state 2: wake_latency 12.381 us, intr_latency 13.081 us, silent_time 1807.612 us, ldist 1808.512 us (source hrtimer, run 1, seq 1)
61
wakelat stats 
wakelat verdict --paste crio 
wakelat stats 
wakelat verdict --paste crio 
purged
as before
END
mkdir give
cp -R recorded trace.dat use "$top/tests/lib/shells.sh" give/
cp "$deb" give/wakelat.deb
cp "$plugins" give/plugins.deb
for release in bookworm:12 trixie:13; do
	name="Debian ${release#*:}"
	case $here in
	*[!0-9]* | '') skip 1 "$name: this is not a release of Debian"; continue ;;
	esac
	if [ "$here" -gt "${release#*:}" ]; then
		skip 1 "$name: packages built on Debian $here need the libraries of Debian $here"
		continue
	fi
	# Install the package's dependencies first, so that nothing is downloaded. apt-get check says whether one is missing.
	root=$(words "$(dpkg-deb -f "$deb" Depends | sed 's/([^)]*)//g; s/,/ /g') $(listed man plot)" \
		"$top/tests/clean-root" "${release%:*}" bash-completion zsh 2>said) || bail "$name: no clean root: $(tail -n 1 said)"
	used "$root" >got 2>said
	status=$?
	if [ "$status" -eq 77 ]; then
		skip 1 "$name: no overlay file system here"
		continue
	fi
	is "$(cat got)" "$(cat wanted)" "$name: installed, used, purged"
	is "$(cat said)" "" "$name: no message on stderr"
done
done_testing
