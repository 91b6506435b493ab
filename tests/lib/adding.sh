# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# adding.sh - change files of a copy of the repository, and check that its lists notice (tests/long/adding.t). Needs tap.sh. The test
# has in_copy, which runs git.

: "${top:?}" "${tmp:?}"

# place NAME: prints the path of a file that contributing.md calls NAME. contributing.md names a test
# without its folder
place() {
	git ls-files | grep -E "(^|/)$1\$"
}

# line AFTER FILE: inserts stdin after the first line that matches
line() {
	cat >"$tmp/lines"
	ok "${2##*/} has the line after which text is inserted" grep -qE -e "$1" "$2"
	awk -v after="$1" -v lines="$tmp/lines" '{ print }
		!done && $0 ~ after { while ((getline text <lines) > 0) print text; done = 1 }' "$2" >"$tmp/new" && cat "$tmp/new" >"$2"
}

# agrees NAME: check that the project's lists name the same items
agrees() {
	ok "$1" prove -Q "$(place facts.t)" "$(place schema.t)"
}

# needs_each WHAT FILE...: undoes the addition to each file in turn, and checks that the lists do not
# agree then
needs_each() {
	what=$1
	shift
	for file; do
		mv "$file" "$tmp/kept"
		git show "HEAD:$file" >"$file" 2>/dev/null || rm -f "$file"
		not_ok "$what: the lists do not agree without the addition to $file" prove -Q "$(place facts.t)" "$(place schema.t)"
		mv "$tmp/kept" "$file"
	done
}

# counted WHAT MOST NAME: checks that at most MOST files were changed, and that they are the files that
# contributing.md lists. formats.md is not counted, because make documents writes it
counted() {
	git add -A
	git diff --cached --name-only | grep -v '/formats[.]md$' | sort >"$tmp/changed"
	ok "$1: $(wc -l <"$tmp/changed") files changed, at most $2" test "$(wc -l <"$tmp/changed")" -le "$2" -a -s "$tmp/changed"
	sed -n "s/^| $1 | \([^|]*\) |.*|\$/\1/p" "$top/Documentation/contributing.md" | tr ',' '\n' |
		sed -n 's/.*`\(.*\)`.*/\1/p' | sed "s/NAME/$3/; s/[.]/[.]/g; s/\*/[a-z]*/; s,^,(^|/),; s/\$/\$/" >"$tmp/named"
	is "$(grep -vEf "$tmp/named" "$tmp/changed")" "" "$1: contributing.md names each changed file"
	is "$(while IFS= read -r pattern; do grep -qE "$pattern" "$tmp/changed" || printf '%s ' "$pattern"; done <"$tmp/named")" "" \
		"$1: each file that contributing.md names has changed"
	in_copy commit -q -m "Add a $1"
}
