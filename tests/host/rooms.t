#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Rules of the repository: shell files are short, each suppression of shellcheck has a reason, a folder of scripts/lib uses only
# the folders that it may use, and its files state correctly who sets and reads a variable. long/shellcheck.t runs shellcheck.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"
cd "$top" || exit 1

# Find all shell files by their first lines.
git ls-files >"$tmp/files" 2>/dev/null && [ -s "$tmp/files" ] || skip_all "not a git tree"
while IFS= read -r file; do
	head -n 12 "$file" 2>/dev/null | grep -qaE '^(#!/bin/sh|# shellcheck shell=sh)' && printf '%s\n' "$file"
done <"$tmp/files" >"$tmp/shell"
ok "shell files are found" grep -qx scripts/wakelat "$tmp/shell"

tr '\n' '\0' <"$tmp/shell" | xargs -0 awk 'FNR == 301 { print FILENAME }' >"$tmp/long"
is "$(cat "$tmp/long")" "" "no shell file has more than 300 lines"

# The reason is on the same line, or at an earlier suppression of the same code in the file.
tr '\n' '\0' <"$tmp/shell" | xargs -0 awk '
	FNR == 1 { split("", told) }
	/^[ \t]*# shellcheck .*disable=SC/ {
		n++
		match($0, /disable=[SC0-9,]*/)
		code = substr($0, RSTART, RLENGTH)
		if (substr($0, RSTART + RLENGTH) ~ /# .*[a-z]/)
			told[code] = 1
		else if (!told[code])
			print FILENAME ":" FNR
	}
	END { print n + 0 >count }' count="$tmp/count" >"$tmp/untold"
is "$(cat "$tmp/untold")" "" "each suppression has its reason"
ok "$(cat "$tmp/count") suppressions in all, 30 at most" test "$(cat "$tmp/count")" -le 30

# A slow machine feels each file. The files that only some options need are read when the option is.
read_at_start=$(sh -x scripts/commands/record --never 2>&1 | grep -c '^+ \. ')
is "$([ "$read_at_start" -gt 10 ] && [ "$read_at_start" -le 40 ] && echo yes)" yes "record reads $read_at_start shell files before its options, 40 at most"

# Each line names a folder and the folders that it may use. experiment runs other commands; no folder uses it.
cat >"$tmp/may" <<'END'
doctor common
session common doctor
record common doctor session
probe common session record
analysis common
verdict common analysis
figures common analysis
experiment common session analysis verdict
report common analysis figures verdict
END

# Write a line FOLDER FILE OTHER-FOLDER OTHER-FILE for each file that FILE sources, gives to awk or R, needs, or reads variables
# of.
for lib in scripts/lib/*/*; do
	name=${lib##*/}
	folder=${lib%/*}
	folder=${folder##*/}
	{
		sed -n 's|.*here/lib/\([a-z]*\)/\([a-z$_-]*\)\.*\([a-zA-Z]*\)".*|\1 \2.\3|p' "$lib"
		sed -n '/^# Needs/,/^[^#]/p' "$lib" | grep -oE '[a-z-]+\.(sh|awk)'
		grep -oE '"\$\{[a-z0-9_]+\?[a-z-]+\.sh\}"' "$lib" | sed 's/.*?//; s/}"//'
	} | while read -r at other; do
		case $other in
		?*) ;;
		*)	at=$(printf '%s\n' scripts/lib/*/"$at")
			at=${at%/*}
			at=${at##*/}
			other=- ;;
		esac
		printf '%s %s %s %s\n' "$folder" "$name" "$at" "$other"
	done
done >"$tmp/uses"
ok "uses between folders are found" grep -qx 'record record-runs.sh common -' "$tmp/uses"
awk 'FNR == NR { for (i = 2; i <= NF; i++) may[$1, $i] = 1; next }
	$1 != $3 && !(($1, $3) in may) { print $1 "/" $2 " uses " $3 }' "$tmp/may" "$tmp/uses" | sort -u >"$tmp/must-not"
is "$(cat "$tmp/must-not")" "" "no folder of scripts/lib uses one that it must not"
is "$(cut -d ' ' -f 1 "$tmp/may" | sort | paste -sd ' ' -)" \
	"$(for folder in scripts/lib/*/; do basename "$folder"; done | grep -vx common | sort | paste -sd ' ' -)" "each folder of scripts/lib is in the table of this test"
for folder in common $(cut -d ' ' -f 1 "$tmp/may"); do
	ok "contributing.md describes scripts/lib/$folder" grep -qE "^ +$folder/ " Documentation/contributing.md
done

# A line of the form : "${name?FILE}" says that FILE sets a variable that is read here.
# sets FILE NAME: true if FILE sets this variable
sets() {
	grep -qE "(^|[^a-zA-Z0-9_\$])$2=|\bfor $2( |;|\$)|read( -r)?( [a-z_]+)* $2( |\$)|: \"\\\$\{$2:?=" "$1"
}
for lib in scripts/lib/*/*.sh; do
	grep -oE '"\$\{[a-z0-9_]+\?[^}]*\}"' "$lib" | tr -d '"${}' | tr '?' ' ' | while read -r name by; do
		[ "$(grep -vE '^[[:space:]]*(:|"\$\{[a-z_0-9]+\?)' "$lib" | grep -cE "\\\$\{?$name\b|\b${name}[ )+-]*(-[a-z]+|\)\))|\(\(.*\b$name\b|(^|[[:space:]])$name=")" -gt 0 ] ||
			printf '%s: %s is neither read nor set there\n' "$lib" "$name"
		case $by in
		*.sh) sets scripts/lib/*/"$by" "$name" || printf '%s: %s is not set by %s\n' "$lib" "$name" "$by" ;;
		'the command' | '') ;;
		*) sets "scripts/commands/$by" "$name" || printf '%s: %s is not set by commands/%s\n' "$lib" "$name" "$by" ;;
		esac
	done
	# A line of the form : "$name" says that another file reads a variable that is set here.
	sed -n '/^: "\$[a-z]/,/[^\\]$/p' "$lib" | grep -oE '"\$[a-z0-9_]+"' | tr -d '"$' | while read -r name; do
		grep -lE "\\\$\{?$name\b|\(\(.*\b$name\b" scripts/lib/*/*.sh scripts/commands/* scripts/dev/* | grep -vqxF "$lib" ||
			printf '%s: nobody else reads %s\n' "$lib" "$name"
	done
done >"$tmp/untrue" 2>&1
is "$(cat "$tmp/untrue")" "" "each file states correctly who sets and reads its variables"
# The scripts for the measured machine and for developers; busybox has no -d, but -0.
is "$(cd "$top" && git ls-files scripts extras testbed | grep -vE '/tests/|[.](md|[0-9])$' | tr '\n' '\0' |
	xargs -0 grep -nE '(\| |&& |^[[:space:]]*)xargs' | grep -vE "xargs (-[a-zA-Z]+ )*(-0|-d '.n'|-I)")" "" \
	"lists of files are never split at blanks: xargs has -0 or -d"
is "$(git -C "$top" ls-tree --name-only HEAD 2>/dev/null | grep -vxE '[.].*|patches|Kconfig[.]snippet|scripts|gnuplot|results|Documentation|README[.]md|tools|extras|testbed|tests|debian|Makefile|VERSION|CITATION[.]cff|COPYING')" \
	"" "the top folder has only what its layout names"
done_testing
