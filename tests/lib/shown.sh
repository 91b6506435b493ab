# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# shown.sh - what a document shows: commands after "$ ", and below each what it prints. "[...]" stands for lines left out.

: "${tmp:?}" "${top:?}"

# man_shown PAGE: the examples of a manual page, between .nf and .fi, as man shows them. Those with "# " or sudo take root, and
# are not tried.
man_shown() {
	awk '/^\.SH / { here = $2 == "EXAMPLES"; shown = 0 }
		here && /^\.nf/ { shown = 1; next }
		/^\.fi/ { if (here) print "\f"; shown = 0 }
		here && shown' "$1" | sed 's/^    //; s/^\\&//; s/\\-/-/g; s/\\(aq/'"'"'/g; s/\\(rs/\\/g; s/\\e/\\/g; s/^# .*/\f/; s/^\$ sudo .*/\f/'
}

# text_shown FILE [SECTION [PROMPT]]: the blocks of a Markdown file that begin with PROMPT ("$"), in the sections "## SECTION..."
text_shown() {
	awk -v section="## ${2-}" -v prompt="${3-\$} " '
		BEGIN { here = section == "## " }
		/^## / { here = index($0, section) == 1 }
		!here { next }
		/^    / {
			if (!block)
				shown = index($0, "    " prompt) == 1
			block = 1
			if (shown)
				print substr($0, 5)
			next
		}
		/^$/ { if (block && shown) print; next }
		{ block = 0; print "\f" }' "$1" | sed "s/^${3-\$} /$ /"
}

# without_the_same GOT SHOWN: GOT without the lines for which SHOWN has "[...]"
without_the_same() {
	awk 'FNR == NR { if ($0 == "[...]") dots = FNR; shown = FNR; next }
		{ line[++n] = $0 }
		END {
			for (i = 1; i <= n; i++)
				if (!dots || i < dots || i > n - (shown - dots))
					print line[i]
				else if (!said++)
					print "[...]"
		}' "$2" "$1"
}

# each_shown DOCUMENT COMPARE < TEXT: runs each command, in order, and calls COMPARE PRINTED SHOWN NAME: two files
each_shown() {
	rm -f command-* output-*
	awk '/^\f/ { n++; next }
		/^\$ / { n++; sub(/^\$ /, ""); file = sprintf("command-%03d", n); print >file; close(file); next }
		n { print >sprintf("output-%03d", n) }'
	for shown_command in command-*; do
		[ -e "$shown_command" ] || continue
		shown_output=output-${shown_command#command-}
		# Blank lines behind it are the document's.
		if [ -e "$shown_output" ]; then
			printf '%s\n' "$(cat "$shown_output")" >shown
		else
			: >shown
		fi
		sh "$shown_command" >printed.all 2>&1 </dev/null
		without_the_same printed.all shown >printed
		"$2" printed shown "$1: $(cat "$shown_command")"
	done
	rm -f command-* output-*
}

# words_of FILE, numbers_of FILE: what does not depend on the compiler, and what does. The latencies for intel_idle.table are
# rounded up.
words_of() {
	sed "$shown_table"'s/[0-9][0-9]*\.[0-9]\{3\}/#/g; s/  *#/ #/g' "$1"
}
numbers_of() {
	sed "$shown_table" "$1" | grep -oE '[0-9]+\.[0-9]{3}'
}
shown_table='/^intel_idle\.table=/s/:\([0-9]*\):/:\1.000:/g; '

# about_the_same PRINTED SHOWN NAME: the same words, and numbers that differ by 15 % at most. Other instructions make the emulator
# draw its latencies in another order, and in a tail of ten samples of 10,000 one is 13 % from the next.
about_the_same() {
	is "$(words_of "$1")" "$(words_of "$2")" "$3: the same words"
	numbers_of "$1" >"$tmp/numbers.printed"
	numbers_of "$2" >"$tmp/numbers.shown"
	is "$(paste "$tmp/numbers.printed" "$tmp/numbers.shown" | awk '($1 - $2) ^ 2 > (0.15 * $2) ^ 2')" "" "$3: the same numbers, within 15 %"
}

# text_of SVG: the words of a figure, without the revision that drew it
text_of() {
	sed -n '/<text/{s/<[^>]*>/ /g; s/[^ ]* [0-9a-f]\{12\}\(-dirty\)\{0,1\} *$//; s/^[[:space:]]*//; s/[[:space:]]*$//; p;}' "$1"
}

# in_clone: into a directory that has what a clone has, and an out/ of its own
in_clone() {
	mkdir "$tmp/clone" && cd "$tmp/clone" || bail "no directory"
	for in_clone_name in results scripts tests tools gnuplot Documentation testbed; do
		ln -s "$top/$in_clone_name" .
	done
}

# printed_the_same PRINTED SHOWN NAME
printed_the_same() {
	is "$(cat "$1")" "$(cat "$2")" "$3"
}

# without_commands ERE, only_commands ERE: those that match it, and what they print
without_commands() {
	awk -v ere="$1" '/^[$\f]/ { here = !($0 ~ ere) || /^\f/ } here'
}
only_commands() {
	awk -v ere="$1" '/^[$\f]/ { here = $0 ~ ere } here'
}
