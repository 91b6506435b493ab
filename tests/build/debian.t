#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Check which arguments tests/debian refuses, and that tests/debian leaves no processes and no mounts, however it ends. A
# stand-in for debootstrap is used, so no Debian is made.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"

[ "$(id -u)" -eq 0 ] || skip_all "not root"
[ -r /usr/share/keyrings/debian-archive-keyring.gpg ] && apt-get indextargets 'Origin: Debian' 2>/dev/null | grep -q . ||
	skip_all "apt knows no mirror of Debian"
# A clone, because tests/debian writes to out/ of its repository.
git -c safe.directory="*" clone -q "$top" "$tmp/repo" 2>/dev/null || skip_all "not a git work tree"
cp "$top/tests/debian" "$tmp/repo/tests/debian"
cp "$top/tests/lib/debian.sh" "$tmp/repo/tests/lib/"
cp "$top/scripts/dev/packages" "$top/scripts/dev/common.sh" "$tmp/repo/scripts/dev/"
debian=$tmp/repo/tests/debian
export XDG_CACHE_HOME="$tmp/cache"
store=$tmp/cache/wakelat/debian-trixie
logs=$tmp/repo/out/debian-trixie

refused 'which release' "refuses to run without a release" "$debian"
refused 'sarge: unknown release' "refuses an unknown release" "$debian" sarge
refused 'no such test' "refuses a test that HEAD does not have" "$debian" trixie nothing.t
refused 'not the name of a test' "refuses a name of a test with a blank" "$debian" trixie 'a b.t'
mkdir "$tmp/without"
for tool in awk sh sed dirname git grep id paste basename sort tr; do
	ln -s "$(command -v $tool)" "$tmp/without/"
done
without() {
	env PATH="$tmp/without" "$debian" trixie "$@"
}
refused 'debootstrap is missing: apt-get install debian-archive-keyring debootstrap git' "names the missing debootstrap" without
refused 'debootstrap is missing' "accepts names of tests and folders, then names the missing debootstrap" without host/stats.t stats host
extra_test=$(git -c safe.directory="*" -C "$top" ls-files 'extras/*/tests/host/*.t' | head -n 1)
extra_test=${extra_test%.t}
extra=${extra_test#extras/}
if [ -n "$extra_test" ]; then
	refused 'debootstrap is missing' "accepts the names of an extra's test, of its folder and of the extra" \
		without "$extra_test.t" "host/${extra_test##*/}" "${extra_test##*/}" "${extra%%/*}"
	refused 'no such test' "refuses a test that the extra does not have" "$debian" trixie "$extra_test-nothing"
else
	skip 2 "there are no extras"
fi

# A stand-in for debootstrap, which mounts a file system and does not end.
mkdir "$tmp/bin"
cat >"$tmp/bin/debootstrap" <<"E"
#!/bin/sh
for argument; do
	case $argument in
	*/root) root=$argument ;;
	esac
done
mkdir -p "$root/mounted" && mount -t tmpfs tmpfs "$root/mounted" && printf 'here\n' >"$root/mounted/file" || exit 1
[ ! -e "$FAKE_FAILS" ] || exit 1
"$FAKE_SLEEP" 631 &
printf 'begun\n' >"$root/begun"
wait
E
chmod +x "$tmp/bin/debootstrap"
# A copy of sleep with a path of its own, so that pgrep finds no other process.
cp "$(command -v sleep)" "$tmp/sleep"
export FAKE_FAILS="$tmp/fails" FAKE_SLEEP="$tmp/sleep"

start() {
	env PATH="$tmp/bin:$PATH" perl -e '$SIG{$_} = "DEFAULT" for qw(INT TERM HUP); exec @ARGV' "$debian" trixie >"$tmp/start" 2>&1 &
	started=$!
	for _ in $(seq 3000); do
		[ ! -s "$store/root/begun" ] || return 0
		sleep 0.1
	done
	diag "$(cat "$tmp/start")"
	bail "tests/debian did not start debootstrap within 300 s"
}

# ended: wait up to 5 s for the processes to end; succeed if neither processes nor mounts are left
ended() {
	for _ in $(seq 50); do
		pgrep -f "$store/root|$tmp/sleep 631" >/dev/null || break
		sleep 0.1
	done
	! pgrep -f "$store/root|$tmp/sleep 631" && ! grep "$tmp" /proc/mounts
}

for signal in INT TERM HUP; do
	start
	is "$(grep -c "$tmp" /proc/mounts)" 0 "$signal: the mounts are not visible outside the namespace"
	not_ok "$signal: refuses to run twice at the same time" "$debian" trixie
	kill -s "$signal" "$started"
	wait "$started"
	like $? '^1(29|30|43)$' "$signal: ends tests/debian"
	ok "$signal: processes and mounts are gone" ended
	not_ok "$signal: the root is gone" test -e "$store/root"
done
start
kill -KILL "$started"
wait "$started" 2>/dev/null
ok "KILL: processes and mounts are gone" ended
ok "KILL: the root is left" test -e "$store/root/begun"
printf 'x\n' >"$FAKE_FAILS"
run env PATH="$tmp/bin:$PATH" "$debian" trixie
is "$status" 1 "a debootstrap that fails: status 1"
like "$err" "^debian: debootstrap failed: the last lines of $logs/root.log say why" "a debootstrap that fails: the message names the log"
not_ok "a debootstrap that fails: neither the old nor the new root is left" test -e "$store/root"
like "$(cat "$logs/times.tsv")" '^debootstrap	1	[0-9]+$' "a debootstrap that fails: times.tsv has the step"
rm "$FAKE_FAILS"
# Nothing listens on this port.
printf 'Acquire::http::Proxy "http://127.0.0.1:9";\nAcquire::https::Proxy "http://127.0.0.1:9";\n' >"$tmp/apt.conf"
run env PATH="$tmp/bin:$PATH" APT_CONFIG="$tmp/apt.conf" http_proxy=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9 "$debian" trixie
is "$status" 3 "a mirror that does not answer: status 3"
like "$err" '^debian: trixie is not tested: the mirror .* does not answer' "a mirror that does not answer: the message says so"
like "$(cat "$logs/not-tested")" '^the mirror .* does not answer' "a mirror that does not answer: not-tested has the reason"
not_ok "a mirror that does not answer: no root is left" test -e "$store/root"
done_testing
