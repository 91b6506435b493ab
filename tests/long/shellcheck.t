#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The shell scripts pass shellcheck. Each disabled check has its reason beside it.
# needs: nothing
# takes: minutes
. "$(dirname "$0")/../lib/tap.sh"
plan 6

cd "$top" || exit 1
# List all shell files, recognized by their first lines.
git ls-files | while IFS= read -r file; do
	! head -n 5 "$file" 2>/dev/null | grep -qaE '^(#!/bin/sh|# shellcheck shell=sh)' || printf '%s\n' "$file"
done >"$tmp/scripts"
grep -E '^(extras/[^/]*/)?tests/' "$tmp/scripts" >"$tmp/tests"
grep -vE '^(extras/[^/]*/)?tests/' "$tmp/scripts" >"$tmp/others"
# Run one shellcheck per file: with hundreds of files it keeps all in memory and gets slower with each.
ok "shellcheck finds nothing in the tests" xargs -n 1 -a "$tmp/tests" shellcheck -x -P .
# A command sources up to 34 files; following them for each command takes six times as long. So shellcheck does not follow files
# here, and sourced.awk looks up variables in the sourced files. Absolute names keep shellcheck from following files.
excluded=$(sed -n 's/^disable=//p' .shellcheckrc | paste -sd , -)
# alone FILE...: print the warnings on FILEs in the format of shellcheck -f gcc
alone() {
	printf '%s\n' "$@" | sed "s|^|$PWD/|" | xargs -n 1 shellcheck --norc -e "$excluded" -S warning -f gcc 2>&1 |
		sed "s|^$PWD/||" | awk -f "$top/tests/lib/sourced.awk"
}
is "$(words "$(cat "$tmp/others")" alone)" "" "shellcheck finds nothing to warn of in the other scripts"
# Faults of each kind are found: unused and unset variables in a command and in a file that it sources; a missing quote.
mkdir -p "$tmp/planted/scripts/lib" && cp .shellcheckrc "$tmp/planted" && cd "$tmp/planted" || exit 1
cat >scripts/lib/part.sh <<'END'
# shellcheck shell=sh
part=$1
: "${chosen?the command}"
printf '%s\n' "$part" "$part_lost"
part_given=$chosen
: "$part_given"
part_unused=1
END
cat >scripts/command <<'END'
#!/bin/sh
chosen=1
unused=1
. scripts/lib/part.sh
printf '%s\n' "$part_given" "$part_gone" $(date)
part_unused=2
END
sed -i 's|^\. |# shellcheck source=scripts/lib/part.sh\n&|' scripts/command
shellcheck -x -P . -S warning -f gcc scripts/command scripts/lib/part.sh >"$tmp/followed"
is "$(alone scripts/command scripts/lib/part.sh)" "$(cat "$tmp/followed")" "the warnings are the same as if shellcheck follows the sourced files"
is "$(wc -l <"$tmp/followed")" 6 "shellcheck warns of each of the six planted faults"
cd "$top" || exit 1

xargs -a "$tmp/tests" grep -HnE '^[[:space:]]*# shellcheck .*disable=' >"$tmp/silent"
is "$(grep -vE 'disable=SC[0-9]+(,SC[0-9]+)*  # .*[a-z]{3}' "$tmp/silent")" "" "each disable= in tests/ has its reason beside it"
ok "tests/ has at most 12 disable=" [ "$(wc -l <"$tmp/silent")" -le 12 ]
