#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# .ci/run: which parts it runs, its exit status and its last lines. A copy has fakes in place of the parts.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"

mkdir -p "$tmp/copy/.ci" "$tmp/copy/tests" "$tmp/bin"
cp "$top/.ci/run" "$tmp/copy/.ci/"

# fake FILE: make a program that notes its call, and ends with the status in the file $tmp/NAME, or waits if that is "wait"
fake() {
	cat >"$1" <<END
#!/bin/sh
printf '%s\n' "${1##*/}\${*:+ \$*}" >>"$tmp/calls"
read -r line && printf 'input\n' >>"$tmp/calls"
[ ! -e "$tmp/${1##*/}" ] || read -r status <"$tmp/${1##*/}"
if [ "\${status-0}" = wait ]; then
	trap 'printf "ended\n" >>"$tmp/calls"; exit 143' TERM
	printf 'waiting\n' >>"$tmp/calls"
	sleep 60 &
	wait
fi
[ "${1##*/}:\${status-0}" != check:1 ] || { mkdir -p out/check && printf 'tests/host/ci.t\n    not ok 3\n' >out/check/failed; }
[ "\${status-0}" != 3 ] || { mkdir -p out/debian-trixie && printf 'the mirror does not answer\n' >out/debian-trixie/not-tested; }
exit "\${status-0}"
END
	chmod +x "$1"
}
fake "$tmp/bin/make"
fake "$tmp/copy/tests/check"
fake "$tmp/copy/tests/debian"

# ci MAKE CHECK DEBIAN [CODENAME]: run .ci/run whose parts end with these statuses
ci() {
	rm -rf "$tmp/calls" "$tmp/copy/out"
	printf '%s\n' "$1" >"$tmp/make"
	printf '%s\n' "$2" >"$tmp/check"
	printf '%s\n' "$3" >"$tmp/debian"
	printf 'ID=debian\nVERSION_CODENAME=%s\n' "${4-bookworm}" >"$tmp/os-release"
	run env CI=true OS_RELEASE="$tmp/os-release" PATH="$tmp/bin:$PATH" "$tmp/copy/.ci/run"
}
ci 0 0 0
is "$status" 0 "all parts pass: status 0"
is "$(cat "$tmp/calls")" "make check
check --rest
debian trixie" "on Debian 12 the parts are make check, the rest, and Debian 13, without input"
ci 0 0 0 trixie
like "$(cat "$tmp/calls")" '^debian bookworm$' "on Debian 13 the last part is Debian 12"
ci 2 0 0
is "$status $(tail -n 1 "$tmp/calls")" "2 debian trixie" "make check fails: its status, after the other parts"
like "$out" '^make check failed with status 2$' "make check fails: the summary says so"
ci 0 1 1
is "$status" 1 "the rest fails: its status"
is "$(printf '%s\n' "$out" | grep -c 'failed with status 1$')" 2 "the summary names both parts that failed"
is "$(printf '%s\n' "$out" | grep -A 2 '^tests/check --rest failed')" "$(printf 'tests/check --rest failed with status 1\ntests/host/ci.t\n    not ok 3')" \
	"the rest fails: the summary repeats which tests failed, and what they said"
ci 0 0 1
is "$status" 1 "Debian 13 fails: its status"
like "$out" '^tests/debian trixie failed with status 1$' "Debian 13 fails: the summary says so"
ci 0 0 3
is "$status" 0 "the mirror does not answer: status 0"
is "$(printf '%s\n' "$out" | grep -c '^Debian trixie: not tested: the mirror does not answer$')" 2 \
	"the mirror does not answer: a line, and the last one, say that Debian 13 was not tested"
ci 4 0 3
is "$status" 4 "the mirror does not answer, and make check fails: the status of make check"
ci 0 0 0 sid
like "$status$out" "^0|^Debian: not tested: this machine has the release 'sid'" "another release: the last line says that no other was tested"
unlike "$(cat "$tmp/calls")" debian "another release: tests/debian does not run"

# closed: run .ci/run with closed standard input
closed() {
	env OS_RELEASE="$tmp/os-release" PATH="$tmp/bin:$PATH" "$tmp/copy/.ci/run" <&-
}
ci 0 0 0
ok "closed standard input: status 0" closed

printf 'wait\n' >"$tmp/debian"
for signal in TERM HUP; do
	rm -f "$tmp/calls"
	env OS_RELEASE="$tmp/os-release" PATH="$tmp/bin:$PATH" "$tmp/copy/.ci/run" >/dev/null 2>&1 &
	started=$!
	for _ in $(seq 300); do
		! grep -qsx waiting "$tmp/calls" || break
		sleep 0.1
	done
	kill -s "$signal" "$started"
	wait "$started"
	like $? '^1(43|29)$' "$signal ends .ci/run"
	ok "$signal ends the running part, before .ci/run ends" grep -qx ended "$tmp/calls"
done
done_testing
