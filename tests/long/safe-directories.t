#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Directories that a stranger might have made, at random but the same each time, through every command that reads one.
# tests/fuzz --directories looks for more.
# needs: tools
# takes: minutes

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/directories.sh"

directories=160

build_tools
# What others enter, too.
chmod 711 "$tmp"
directories_build "$tmp/d" || bail "no directories can be made: $(tail -n 3 "$tmp/d/build.log")"
seed=0
while [ "$seed" -lt "$directories" ]; do
	directories_several "$tmp/d" "$seed" 20 >>"$tmp/found" 2>&1
	seed=$((seed + 20))
done
is "$(cat "$tmp/found")" "" "$directories directories, $directories_runs commands: nothing outside is touched, nothing is executed, nothing hangs"
# The harms must not be all that a command ever sees.
ok "of these $directories_good come to their end" [ "$directories_good" -gt $((directories_runs / 10)) ]
ok "and some do not" [ "$directories_good" -lt "$directories_runs" ]

# That it would notice: a command that writes through a link, one that executes, one that hangs.
directories_dir=$tmp/d
directories_home=$tmp/d/root
directories_uid=0
touched() {
	printf x >>"$tmp/d/root/victim/.profile"
	[ "$(directories_is)" != "$directories_was" ]
}
ok "what is changed outside would be noticed" touched
like "$(directories_run x sh -c 'exit 1')" 'fails without a word' "a failure without a word"
like "$(directories_run x sh -c 'exit 139')" 'ended with status 139' "a crash"
like "$(directories_run x sh -c 'printf "\033[2J"')" 'control characters come through' "control characters"
done_testing
