#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The tables of wakelat audit have the columns of its schema, README.md has its findings, and audit refuses files that are too large and
# prints nothing that a terminal obeys.
# needs: tools
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
: "${top:?}" "${tmp:?}" "${wakelat=}"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/tables.sh"
build_tools
cd "$tmp" || exit 1
audit=$top/extras/audit

cut -f 1,3,4,5 "$audit/findings.tsv" | sed 1d >listed
awk '/^[|] number [|] severity/ { here = 1; next } here && !/^[|]/ { exit } here && !/^[|]-/' "$audit/README.md" |
	sed 's/^| `\([^`]*\)` | /\1	/; s/ |$//; s/ | /	/g' >document
same document listed "README.md has the table of findings"
is "$(sed 1d "$audit/findings.tsv" | cut -f 1 | while IFS= read -r number; do
	grep -q "$number" "$audit/tests/host/audit.t" || printf '%s ' "$number"
done)" "" "audit.t mentions each finding"
run "$wakelat" audit --json "$audit/tests/fixtures/foreign/board.dts"
sed -n "s/^states_header=\(.states_header\)*'\(.*\)'$/\2/p" "$audit/states.sh" | tr -d '\n' | xargs -0 printf '%b' >audit-states.tsv
"$wakelat" audit --tsv "$audit/tests/fixtures/foreign/board.dts" >audit-findings.tsv
fits_schema audit-states.tsv audit-findings.tsv

# contribute and scrub look for names of users in the findings. A user can have a name that audit writes itself.
awk -F '\t' 'NR > 1 { print $4 }' "$audit/findings.tsv" >meanings
for user in governor residency latency; do
	printf 'user\t%s\n' "$user" >words
	printf 'a domain of %s ends\n' "$user" | cat meanings - >text
	is "$(scripts=$top/scripts schema=$top/scripts/lib/common/schema.tsv awk -F '\t' -f "$top/scripts/lib/common/schema.awk" \
		-f "$top/scripts/lib/analysis/identity.awk" words text | grep -c .)" 1 "a user called $user: only a sentence that is not audit's own names the user"
done

truncate -s 10G endless.dts
truncate -s 10G intel_idle.c
refused 'endless.dts has 10737418240 bytes, nearly all of them holes' \
	"audit: a device tree of 10 GB is refused" limited audit endless.dts
refused 'intel_idle.c has 10737418240 bytes' "audit: an intel_idle.c of 10 GB is refused" limited audit intel_idle.c
head -c 33554433 /dev/zero >intel_idle.c
refused 'intel_idle.c is larger than 32 MiB' "audit: an intel_idle.c above 32 MiB is refused" limited audit intel_idle.c

evil=$(printf 'x\033]0;owned\007\23331m\302\23331m\342\200\256\303')
cat >"board$evil.dts" <<END
/dts-v1/; / { cpus { idle-states { s$evil: s { compatible = "arm,idle-state"; idle-state-name = "$evil"; entry-latency-us = <9>; }; }; }; };
END
"$wakelat" audit "./board$evil.dts" >printed 2>&1
(me=x && . "$top/scripts/lib/common/message.sh" && shown) <printed >cleaned
same printed cleaned "a hostile device tree: audit prints nothing that a terminal obeys"
done_testing
