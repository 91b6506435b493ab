#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The shell scripts as shellcheck would have them. Where it is told to be silent, the reason stands beside it.
# needs: nothing
# takes: minutes
. "$(dirname "$0")/../lib/tap.sh"
plan 6

cd "$top" || exit 1
# Everything that a shell runs, by its first lines.
git ls-files | while IFS= read -r file; do
	! head -n 5 "$file" 2>/dev/null | grep -qaE '^(#!/bin/sh|# shellcheck shell=sh)' || printf '%s\n' "$file"
done >"$tmp/scripts"
grep '^tests/' "$tmp/scripts" >"$tmp/tests"
grep -v '^tests/' "$tmp/scripts" >"$tmp/others"
# One file at a time: a shellcheck that is given hundreds keeps them all, and gets slower with each.
ok "shellcheck has nothing to say about the tests" xargs -n 1 -a "$tmp/tests" shellcheck -x -P .
# Following the up to 34 files that a command sources, for each command, takes six times as long. What shellcheck does not know of
# variables then, sourced.awk reads in those files. It follows no file that it is given by another name.
excluded=$(sed -n 's/^disable=//p' .shellcheckrc | paste -sd , -)
# alone FILE...: prints what there is to warn of, as shellcheck -f gcc does
alone() {
	printf '%s\n' "$@" | sed "s|^|$PWD/|" | xargs -n 1 shellcheck --norc -e "$excluded" -S warning -f gcc 2>&1 |
		sed "s|^$PWD/||" | awk -f "$top/tests/lib/sourced.awk"
}
is "$(words "$(cat "$tmp/others")" alone)" "" "shellcheck has nothing to warn of in the other scripts"
# One of each kind of fault is found: unused and not set in a command, and in a file that it sources; not quoted.
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
is "$(alone scripts/command scripts/lib/part.sh)" "$(cat "$tmp/followed")" "what it warns of is what it warns of if it follows each command"
is "$(wc -l <"$tmp/followed")" 6 "which is each of the faults that were planted"
cd "$top" || exit 1

xargs -a "$tmp/tests" grep -HnE '^[[:space:]]*# shellcheck .*disable=' >"$tmp/silent"
is "$(grep -vE 'disable=SC[0-9]+(,SC[0-9]+)*  # .*[a-z]{3}' "$tmp/silent")" "" "each that is to be silent has its reason beside it"
ok "and there are at most 12 in tests/" [ "$(wc -l <"$tmp/silent")" -le 12 ]
