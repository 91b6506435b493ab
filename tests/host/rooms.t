#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The plan of the house: shell files that can be read in one sitting, what shellcheck is told not to say, which folder of
# scripts/lib may use which, and what each of its files says of its variables. What shellcheck says: long/shellcheck.t.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"
cd "$top" || exit 1

# All files that a shell runs, by their first lines.
git ls-files >"$tmp/files" 2>/dev/null && [ -s "$tmp/files" ] || skip_all "not a git tree"
while IFS= read -r file; do
	head -n 2 "$file" 2>/dev/null | grep -qaE '^(#!/bin/sh|# shellcheck shell=sh)' && printf '%s\n' "$file"
done <"$tmp/files" >"$tmp/shell"
ok "there is shell" grep -qx scripts/wakelat "$tmp/shell"

tr '\n' '\0' <"$tmp/shell" | xargs -0 awk 'FNR == 301 { print FILENAME }' >"$tmp/long"
is "$(cat "$tmp/long")" "" "no shell file has more than 300 lines"

# A reason is on the line; or it is that of the same suppression further up.
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

# Who may use whom; nobody else does. An experiment runs the other commands, and is not a part of them.
cat >"$tmp/may" <<'END'
audit common
doctor common audit
completion common
session common doctor
record common doctor session
probe common session record
analysis common
verdict common analysis
tail common analysis
atlas common analysis
figures common analysis
experiment common session analysis verdict
report common analysis atlas figures verdict
fleet common analysis figures report
END

# uses: FOLDER FILE OTHER-FOLDER OTHER-FILE, of what is sourced, given to awk or R, needed, or read
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
ok "what uses what is seen" grep -qx 'record record-runs.sh common -' "$tmp/uses"
awk 'FNR == NR { for (i = 2; i <= NF; i++) may[$1, $i] = 1; next }
	$1 != $3 && !(($1, $3) in may) { print $1 "/" $2 " uses " $3 }' "$tmp/may" "$tmp/uses" | sort -u >"$tmp/must-not"
is "$(cat "$tmp/must-not")" "" "no folder of scripts/lib uses one that it must not"
is "$(cut -d ' ' -f 1 "$tmp/may" | sort | paste -sd ' ' -)" \
	"$(for folder in scripts/lib/*/; do basename "$folder"; done | grep -vx common | sort | paste -sd ' ' -)" "each folder has its line"
for folder in common $(cut -d ' ' -f 1 "$tmp/may"); do
	ok "contributing.md has $folder" grep -qE "^ +$folder/ " Documentation/contributing.md
done

# A line : "${name?FILE}" says that FILE sets what is read here.
# sets FILE NAME
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
	# And a line : "$name" that another file reads it.
	sed -n '/^: "\$[a-z]/,/[^\\]$/p' "$lib" | grep -oE '"\$[a-z0-9_]+"' | tr -d '"$' | while read -r name; do
		grep -lE "\\\$\{?$name\b|\(\(.*\b$name\b" scripts/lib/*/*.sh scripts/commands/* scripts/dev/* | grep -vqxF "$lib" ||
			printf '%s: nobody else reads %s\n' "$lib" "$name"
	done
done >"$tmp/untrue" 2>&1
is "$(cat "$tmp/untrue")" "" "what a file says of its variables is true"
done_testing
