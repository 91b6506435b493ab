#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Root's commands in places where another user (uid 65534) can write, in directories without the sticky bit.
# needs: tools
# tier: rest

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/hostile.sh"
. "$top/tests/lib/tried.sh"
[ "$(id -u)" -eq 0 ] || skip_all "needs root, to be attacked"
command -v setpriv >/dev/null || skip_all "setpriv is missing"
build_tools
chmod 755 "$tmp"
victim
cd "$tmp" || exit 1

# A tree of wakelat without .git, below another user's directory. That user makes a .git there.
mkdir above
chown 65534:65534 above
mkdir above/wakelat
cp -r "$top/scripts" above/wakelat/
cat >above/hook <<END
#!/bin/sh
touch "$tmp/PWNED-\$(id -u)"
END
chmod 755 above/hook
as_nobody env HOME=/nonexistent sh -c 'cd "$1" && git init -q . && : >file && git add file &&
	git -c user.name=x -c user.email=x@x commit -qm x && git config core.fsmonitor "$1/hook" && git config core.pager "$1/hook" &&
	cp hook .git/hooks/post-index-change' sh "$tmp/above" || diag "no repository was planted"
ok "a repository is planted" [ -d above/.git ]
run above/wakelat/scripts/wakelat --version
is "$status $out" "0 wakelat -" "another user's repository above the tree: no revision is printed"
unharmed "another user's repository above the tree: its hook does not run"
mkdir -p one
printf '1\n' >one/one.csv
"$wakelat" import -q -o imported -c 1 -u us one/one.csv
above/wakelat/scripts/wakelat --version >/dev/null
(
	# shellcheck source=scripts/lib/common/revision.sh
	. "$top/scripts/lib/common/revision.sh"
	describe "$tmp/above/wakelat"
	true
)
unharmed "another user's repository above the tree: the testbed does not run its hook"
mv above/.git above/wakelat/.git
run above/wakelat/scripts/wakelat --version
is "$out" "wakelat -" "another user's repository in the tree: no revision is printed"
unharmed "another user's repository in the tree: its hook does not run"
chown -R 0:0 above/wakelat
run above/wakelat/scripts/wakelat --version
like "$out" '^wakelat [0-9a-f]{12}-dirty$' "root's own repository: its revision is printed"
unharmed "root's own repository: neither a hook nor fsmonitor runs"
rm -rf above

# --- directories that other users own or can write to
foreign() {
	rm -rf d
	recording d
	"$wakelat" stats -q d
	chown -R 65534:65534 d
}
writable() {
	rm -rf d
	recording d
	chmod "$1" d
}
below() {
	rm -rf d theirs
	mkdir theirs
	recording theirs/d
	chown 65534 theirs
	ln -s theirs/d d
}
# A link of root's to a link in another user's directory, which leads to a directory of root's.
chained() {
	rm -rf d theirs own
	mkdir theirs own
	recording own/d
	ln -s ../own/d theirs/d
	chown -h 65534 theirs theirs/d
	ln -s theirs/d d
}
recording mine
listing() {
	find d/ theirs -exec stat -c '%n %F %s %Y %Z %i %a %u' {} + 2>/dev/null | sort
}
commands='stats:d verdict:d compare:d:mine dump:d'
! command -v gnuplot >/dev/null || commands="$commands plot:d report:d"
for command in $(tried_of_extras recording | grep -v ' '); do
	commands="$commands $command:d"
done
for kind in foreign 'writable 777' 'writable 775' 'writable 1777' below chained; do
	$kind
	cp mine/samples.tsv d/trace.dat
	was=$(listing)
	for words in $commands; do
		words "$(printf '%s' "$words" | tr : ' ')" \
			refused 'not trusted: (.*/d belongs to uid 65534|others can write .*/d|.*/theirs belongs to uid 65534)' "${words%%:*} refuses: $kind" \
			timeout 60 "$wakelat"
	done
	is "$(listing)" "$was" "$kind: no file is written there"
done
writable 755
"$wakelat" stats -q d
chmod 777 d
was=$(listing)
refused 'd: not trusted: others can write .*/d \(mode 777\): copy it \(wakelat import -o COPY d\), or run this as its owner' \
	"a user who is not root refuses a directory that others can change" as_nobody env TMPDIR=/tmp "$wakelat" stats d
is "$(listing)" "$was" "a user who is not root writes nothing there"
mkdir copies
chown 65534:65534 copies
ok "import copies it" as_nobody env TMPDIR=/tmp "$wakelat" import -q -o copies/copy d
ok "its statistics are those of the copy" as_nobody env TMPDIR=/tmp "$wakelat" stats -q copies/copy
same d/stats.tsv copies/copy/stats.tsv "the copy has the same statistics"
ok "WAKELAT_INSECURE lets this user read the directory itself" as_nobody env TMPDIR=/tmp WAKELAT_INSECURE=1 "$wakelat" stats -q -o copies/tables d
refused 'not trusted' "WAKELAT_INSECURE has no effect for root" env WAKELAT_INSECURE=1 "$wakelat" stats d
mkdir -m 2775 group
chown 65534:65533 group
refused 'group: not trusted: others can write .*/group \(mode 2775\)' "a directory that a group can write is refused for results" \
	as_nobody env TMPDIR=/tmp "$wakelat" stats -q -o group copies/copy
foreign
ok "the directory's owner may use it" as_nobody env TMPDIR=/tmp "$wakelat" stats -q d
ok "root through sudo may use the caller's directory" env SUDO_UID=65534 "$wakelat" stats -q d
refused 'not trusted' "root through sudo may not use a third user's directory" env SUDO_UID=65533 "$wakelat" stats -q d
refused 'not trusted' "SUDO_UID must be a number" env SUDO_UID=0x "$wakelat" stats -q d

# --- results of other tools, and counts
mkdir -m 700 private
printf 'WakeLatency,ReqCState\n4711.5,C6\n' >private/table.csv
mkdir wult
printf 'WakeLatency,IntrLatency,SilentTime,LDist,ReqCState\n%s\n' 60.1,61.2,1000,2000,C6 >wult/datapoints.csv
chown -R 65534:65534 wult
ok "import copies a result of wult that others can change" "$wakelat" import -q -o from-wult wult
is "$(joined from-wult/samples.tsv wake_latency)" 60100 "the samples of a result of wult that others can change are imported"
ln -sf ../private/table.csv wult/datapoints.csv
refused 'datapoints.csv: not trusted: it is a symbolic link' \
	"a symbolic link in a result of wult is refused" "$wakelat" import -q -o from-link wult
mkdir many
"$wakelat" stats -q --counts many/box.counts mine
printf 'box\n' >many/nodes
chown -R 65534:65534 many
refused 'many: not trusted: .*copy it \(wakelat import -o COPY many\)' \
	"merge of another user's directory of counts is refused" "$wakelat" merge -q -o all.counts many
ok "import copies another user's directory of counts" "$wakelat" import -q -o own-counts many
is "$(cd own-counts && printf '%s\n' * | paste -sd ' ' -)" "box.counts nodes" \
	"the copy of another user's counts has counts and list of machines"
ok "the copy of another user's counts can be merged" "$wakelat" merge -q -o all.counts own-counts
ln -sf ../private/table.csv many/other.counts
refused 'other.counts: not trusted: it is a symbolic link' \
	"a symbolic link in a directory of counts is refused" "$wakelat" import -q -o link-counts many

# --- output of root's own recordings into another user's directory
mkdir theirs-too
chown 65534 theirs-too
ln -s ../victim/.profile theirs-too/x.tsv
for file in x.tsv y.tsv; do
	for command in 'compare -q -o theirs-too/'$file' mine mine' 'verdict -q -o theirs-too/'$file' mine'; do
		words "$command" refused "theirs-too/$file(: not written: .* belongs to uid 65534|: it is a symbolic link)" \
			"${command%% *} refuses to write $file into another user's directory" "$wakelat"
	done
done
refused 'not trusted' "stats refuses another user's directory as output" "$wakelat" stats -q -o theirs-too mine
refused 'not trusted' "stats refuses a new directory below another user's" "$wakelat" stats -q -o theirs-too/a/b mine
if command -v gnuplot >/dev/null; then
	refused 'not trusted' \
		"plot refuses a new directory below another user's" "$wakelat" plot -q -k svg -f ccdf -o theirs-too/a/b mine
fi
refused 'not trusted' "doctor refuses another user's directory as TMPDIR" env TMPDIR="$tmp/theirs-too" "$wakelat" doctor --time 0s
refused 'not written' \
	"import refuses to write into another user's directory" "$wakelat" import -q -o theirs-too/i -c 1 -u us one/one.csv
refused 'not trusted' "stats refuses another user's directory as TMPDIR" env TMPDIR="$tmp/theirs-too" "$wakelat" stats -q mine
is "$(ls theirs-too)" x.tsv "refused commands leave no files in another user's directory"
mkdir -m 1777 sticky
ok "compare accepts a directory with the sticky bit as output" "$wakelat" compare -q -o sticky/x mine mine
unharmed "no file of root was changed"

# --- the cache of builds, with another user's HOME
mkdir -p home/.cache/wakelat
chown -R 65534 home
cat >maker <<END
#!/bin/sh
me=maker
top=$top
. "$top/scripts/dev/common.sh"
make_it() { :; }
product thing 1 make_it
END
refused 'home/.cache/wakelat: not trusted: .*/home belongs to uid 65534' "a cache below another user's HOME is refused" \
	env -u XDG_CACHE_HOME HOME="$tmp/home" sh maker
rm -r home/.cache
refused 'not trusted: .*/home belongs to uid 65534' \
	"a new cache below another user's HOME is refused" env -u XDG_CACHE_HOME HOME="$tmp/home" sh maker
is "$(ls -A home)" "" "a refused cache leaves no files"

# The journal: undo as root writes what the journal says, so only root may have written it.
if unshare -m sh -c 'mount -t tmpfs none /run' 2>/dev/null; then
	boot=$(cat /proc/sys/kernel/random/boot_id)
	# in_run SCRIPT: run restore with its own /run, after SCRIPT changed it.
	in_run() {
		unshare -m sh -c 'mount -t tmpfs -o mode=755 none /run && mkdir /run/wakelat &&
			printf "owner\t0\t0\nboot\t%s\nset\t%s\t%s\n" "$2" "$3/victim/home/id" OWNED >/run/wakelat/state && eval "$1" &&
			exec "$4" restore' sh "$1" "$boot" "$tmp" "$wakelat"
	}
	refused '/run/wakelat: not trusted: .*belongs to uid 65534' \
		"restore refuses another user's journal" in_run 'chown 65534 /run/wakelat'
	refused '/run/wakelat: not trusted: others can write' \
		"restore refuses a journal directory that others can write to" in_run 'chmod 777 /run/wakelat'
	refused '/run/wakelat/state: not trusted: others can write' \
		"restore refuses a journal file that others can write to" in_run 'chmod 666 /run/wakelat/state'
	refused '/run/wakelat/state: not trusted: .* symbolic link' "restore refuses a journal that is a symbolic link" \
		in_run 'mv /run/wakelat/state /run/x; ln -s ../x /run/wakelat/state'
	unharmed "refused journals have no effect"
	ok "restore accepts root's own journal" in_run true
	is "$(cat victim/home/id)" OWNED "restore writes what root's journal says"
	victim_was=$(victim_is)
else
	skip 7 "no mount namespaces here"
fi

# --- further protection
refused 'must be root' "restore as nobody is refused" as_nobody "$wakelat" restore
refused 'must be root' "nic bind as nobody is refused" as_nobody "$wakelat" nic bind
refused 'must be root' "nic unbind as nobody is refused" as_nobody "$wakelat" nic unbind
refused 'must be root' "record as nobody is refused" as_nobody "$wakelat" record -o "$tmp/r"
refused '--listen' "--listen with options of a recorder is refused" "$wakelat" record --listen 'a:1 -o x'

# Downloads are made by apt, or checked against a hash in the source.
is "$(cd "$top" && grep -rlwE 'curl|wget' scripts testbed tools)" "" "no script downloads with curl or wget"
ok "QEMU's source has a hash" grep -q 'download-file .* "SHA256:$2"' "$top/testbed/build-qemu"
if [ -x /usr/lib/apt/apt-helper ]; then
	printf 'x' >source
	chmod 644 source
	not_ok \
		"apt-helper compares the hash of a download" /usr/lib/apt/apt-helper download-file "file://$tmp/source" "$tmp/got" \
		SHA256:0000000000000000000000000000000000000000000000000000000000000000
	not_ok "a download with a wrong hash leaves no file" [ -e got ]
else
	skip 2 "no apt-helper"
fi

# wakelat does not use a umask that makes files writable for everybody.
umask 0
rm -rf mine
recording mine
chmod -R go-w mine
"$wakelat" stats -q mine
is "$(stat -c %a mine/stats.tsv)" 644 "with a umask of 0, others cannot write to stats.tsv"
umask 022
done_testing
