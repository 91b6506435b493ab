#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# If another process holds a recording's lock, a command waits for 50 s and gives up. The test's
# flock waits only for 1 s, and logs the time that it was asked to wait.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/hostile.sh"
command -v flock >/dev/null || skip_all "flock is missing"
build_tools
cd "$tmp" || exit 1

mkdir bin
cat >bin/flock <<END
#!/bin/sh
[ "\$1" != -w ] || { printf '%s\n' "\$2" >"$tmp/waits"; shift 2; set -- -w 1 "\$@"; }
exec $(command -v flock) "\$@"
END
chmod +x bin/flock
recording d
flock d sleep 100 &
holder=$!
cleanup() {
	kill "$holder"
}
until ! flock -n d true; do
	sleep 0.1
done
refused "another process has held its lock for 50 s" "stats gives up on a directory that another process has locked" \
	timeout 90 env PATH="$tmp/bin:$PATH" "$wakelat" stats -q d
is "$(cat waits)" 50 "stats waits for 50 s"
done_testing
