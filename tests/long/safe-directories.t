#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Recordings that a stranger might have made, at random but the same each time, through every command that reads one.
# tests/fuzz directories looks for more.
# needs: tools
# takes: minutes

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/directories.sh"

recordings=120

build_tools
# What others enter, too.
chmod 711 "$tmp"
directories_build "$tmp/d" || bail "no recordings can be made: $(tail -n 3 "$tmp/d/build.log")"
seed=1
while [ "$seed" -le "$recordings" ]; do
	directories_try "$tmp/d" "$seed" >>"$tmp/found" 2>&1
	seed=$((seed + 1))
done
is "$(cat "$tmp/found")" "" "$recordings recordings, $directories_runs commands: nothing outside is touched, nothing is executed, nothing hangs"
# The harms must not be all that a command ever sees.
ok "of these $directories_good come to their end" [ "$directories_good" -gt $((directories_runs / 10)) ]
ok "and some do not" [ "$directories_good" -lt "$directories_runs" ]

# That it would notice: a command that writes through a link, one that executes, one that hangs.
directories_dir=$tmp/d
directories_home=$tmp/d/root
directories_by=
touched() {
	printf x >>"$tmp/d/root/victim/.profile"
	[ "$(directories_is)" != "$directories_was" ]
}
ok "what is changed outside would be noticed" touched
like "$(directories_run x sh -c 'exit 1')" 'fails without a word' "a failure without a word"
like "$(directories_run x sh -c 'exit 139')" 'ended with status 139' "a crash"
like "$(directories_run x sh -c 'printf "\033[2J"')" 'control characters come through' "control characters"
done_testing
