#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# README.md has the numbers of the committed tables, and names files and commands that exist. testbed/demo.t checks its table.
# needs: nothing

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
readme=$(tr '\n' ' ' <"$top/README.md")

# us FILE COLUMN [DIGITS]: print a value in us
us() {
	awk -v ns="$(column "$1" "$2")" -v form="%.${3-1}f\n" 'BEGIN { printf form, ns / 1000 }'
}
wult=$top/results/ivt-wult
like "$readme" "advertises an exit latency of $(us "$wult/tdt/stats.tsv" advertised_ns 0) us" "README.md has the advertised latency"
like "$readme" "half of the wake-ups take $(us "$wult/tdt/stats.tsv" wake_latency_p50) us or less" "README.md has the timer's median"
like "$readme" "a network card [(]nic[)] wakes it, half take $(us "$wult/nic/stats.tsv" wake_latency_p50) us or less, and the longest takes $(us "$wult/nic/stats.tsv" wake_latency_max) us\." \
	"README.md has the card's median and maximum"
like "$readme" "2 x $(column "$wult/nic/stats.tsv" n | sed 's/...$/,&/') wake latencies" "README.md has the number of samples"
ok "the figure has less than 100,000 bytes" test "$(wc -c <"$wult/figures/ccdf.svg")" -lt 100000
like "$(cat "$wult/make")" 'plot .*-f [a-z,]*ccdf' "results/ivt-wult/make draws the figure"

# Links in the documents have targets. An extra may have been deleted.
is "$(cd "$top" && for file in README.md Documentation/*.md results/*/README.md extras/*.md extras/*/*.md; do
	[ -e "$file" ] || continue
	grep -o '](\([^)#:]*\)' "$file" | sed 's/^](//' | while IFS= read -r target; do
		case $target in
		*extras/*)
			extra=${target##*extras/}
			[ -d "extras/${extra%%/*}" ] || continue
			;;
		esac
		[ -z "$target" ] || [ -e "$(dirname "$file")/$target" ] || printf '%s: %s\n' "$file" "$target"
	done
done)" "" "links to files have targets"
is "$(cd "$top" && sed -n 's/.*how-it-works\.md#\([a-z-]*\).*/\1/p' README.md | while IFS= read -r anchor; do
	sed -n 's/^## //p' Documentation/how-it-works.md | tr 'A-Z ' 'a-z-' | tr -cd 'a-z\n-' | grep -qx "$anchor" || echo "$anchor"
done)" "" "links to sections of how-it-works.md have targets"
# Tests that are named have files. Only tests of tests/check name others: files that they make.
(cd "$top" && grep -rhoE '(extras/[a-z]+/)?tests/[a-z0-9/-]+\.t\b' README.md Documentation Makefile results/*/README.md scripts testbed tools tests/*/*.t tests/lib tests/guest \
	tests/check tests/fuzz tests/debian) 2>/dev/null | sort -u >"$tmp/named"
ok "documents name some tests" [ -s "$tmp/named" ]
is "$(cd "$top" && grep -vE '^tests/(host/(echo|fails|own|says|skips|x)|machine/fails)\.t$' "$tmp/named" | while IFS= read -r file; do
	[ -e "$file" ] || [ ! -d "./${file%%tests/*}" ] || printf '%s\n' "$file"
done)" "" "documents name only tests that exist"
is "$(grep -oE 'scripts/wakelat [a-z]+' "$top/README.md" | sort -u | while read -r _ command; do
	[ "$command" = help ] || [ -x "$top/scripts/commands/$command" ] || grep -qF "(extras/$command/README.md)" "$top/README.md" || echo "$command"
done)" "" "the commands in README.md exist, or it links to their extra"
is "$(grep -oE '^    make [a-z]+' "$top/README.md" | sort -u | while read -r _ target; do
	grep -q "^$target:.*##" "$top/Makefile" || echo "$target"
done)" "" "the targets of make in README.md exist"
done_testing
