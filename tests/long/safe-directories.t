#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Make hostile directories, and run on them every command that reads a directory. The directories are random, but the
# same in each run of the test. tests/fuzz --directories tries more of them.
# needs: tools
# takes: minutes

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/directories.sh"

directories=160

build_tools
# Other users have to enter the directory.
chmod 711 "$tmp"
directories_build "$tmp/d" || bail "no directories can be made: $(tail -n 3 "$tmp/d/build.log")"
seed=0
while [ "$seed" -lt "$directories" ]; do
	directories_several "$tmp/d" "$seed" 20 >>"$tmp/found" 2>&1
	seed=$((seed + 20))
done
is "$(cat "$tmp/found")" "" "$directories directories, $directories_runs commands: nothing outside is touched, nothing is executed, nothing hangs"
# Commands must not fail on all of the directories.
ok "$directories_good of the commands succeed, more than a tenth" [ "$directories_good" -gt $((directories_runs / 10)) ]
ok "some of the commands fail" [ "$directories_good" -lt "$directories_runs" ]

# The checks notice a changed file outside, a failure without a message, a crash, and control characters.
directories_dir=$tmp/d
directories_home=$tmp/d/root
directories_uid=0
touched() {
	printf x >>"$tmp/d/root/victim/.profile"
	[ "$(directories_is)" != "$directories_was" ]
}
ok "a changed file outside the directory is noticed" touched
like "$(directories_run x sh -c 'exit 1')" 'fails without a word' "a failure without a message is noticed"
like "$(directories_run x sh -c 'exit 139')" 'ended with status 139' "a crash is noticed"
like "$(directories_run x sh -c 'printf "\033[2J"')" 'control characters come through' \
	"control characters in the output are noticed"
done_testing
