# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# shown.sh - extract the commands that a document shows after "$ ", with their output, run them, and compare the output.
# "[...]" stands for omitted lines.

: "${tmp:?}" "${top:?}"

# man_shown PAGE: print the examples of a manual page, between .nf and .fi, as man shows them, without those that need root
# ("# " or sudo).
man_shown() {
	awk '/^\.SH / { here = $2 == "EXAMPLES"; shown = 0 }
		here && /^\.nf/ { shown = 1; next }
		/^\.fi/ { if (here) print "\f"; shown = 0 }
		here && shown' "$1" | sed 's/^    //; s/^\\&//; s/\\-/-/g; s/\\(aq/'"'"'/g; s/\\(rs/\\/g; s/\\e/\\/g; s/^# .*/\f/; s/^\$ sudo .*/\f/'
}

# text_shown FILE [SECTION [PROMPT]]: print the blocks of a Markdown file that begin with PROMPT ("$"), in the sections
# "## SECTION..."
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

# without_the_same GOT SHOWN: print GOT without the lines for which SHOWN has "[...]"
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

# each_shown DOCUMENT COMPARE < TEXT: run each command, in order, and call COMPARE with the files PRINTED and SHOWN and a NAME
each_shown() {
	rm -f command-* output-*
	awk '/^\f/ { n++; next }
		/^\$ / { n++; sub(/^\$ /, ""); file = sprintf("command-%03d", n); print >file; close(file); next }
		n { print >sprintf("output-%03d", n) }'
	for shown_command in command-*; do
		[ -e "$shown_command" ] || continue
		shown_output=output-${shown_command#command-}
		# Blank lines after the output belong to the document.
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

# words_of FILE, numbers_of FILE: print the words, which do not depend on the compiler, and the numbers, which do. The latencies
# for intel_idle.table are whole us, so shown_table adds decimals to count them as numbers. Which wake-ups are left out, and why,
# depends on the compiler, too.
words_of() {
	sed "$shown_table"'s/[0-9]* \(wake-ups, [0-9]* judged; left out\): .*/# \1: #/; s/[0-9][0-9]*\.[0-9]\{3\}/#/g; s/  *#/ #/g' "$1"
}
numbers_of() {
	sed "$shown_table" "$1" | grep -oE '[0-9]+\.[0-9]{3}'
}
shown_table='/^ *intel_idle\.table=/s/:\([0-9]*\):/:\1.000:/g; '

# unbalanced FILE: print the lines in which the judged wake-ups and those left out are not all wake-ups
unbalanced() {
	sed -n 's/^ *\([0-9]*\) wake-ups, \([0-9]*\) judged; left out: /\1 \2 /p' "$1" |
		awk '{ n = $1 - $2; for (i = 3; i <= NF; i++) if ($i ~ /^[0-9]+$/) n -= $i } n'
}

# about_the_same PRINTED SHOWN NAME: check for the same words, and numbers that differ by at most 15 %. If the
# compiler makes other instructions, the emulator draws its latencies in another order, and neighbours among the longest ten
# of 10,000 samples are 13 % apart.
about_the_same() {
	is "$(words_of "$1")" "$(words_of "$2")" "$3: the same words"
	is "$(unbalanced "$1")" "" "$3: the judged wake-ups and those left out are all wake-ups"
	numbers_of "$1" >"$tmp/numbers.printed"
	numbers_of "$2" >"$tmp/numbers.shown"
	is "$(paste "$tmp/numbers.printed" "$tmp/numbers.shown" | awk '($1 - $2) ^ 2 > (0.15 * $2) ^ 2')" "" "$3: the same numbers, within 15 %"
}

# text_of SVG: print the words of a figure, without the revision that drew it
text_of() {
	sed -n '/<text/{s/<[^>]*>/ /g; s/[^ ]* [0-9a-f]\{12\}\(-dirty\)\{0,1\} *$//; s/^[[:space:]]*//; s/[[:space:]]*$//; p;}' "$1"
}

# in_clone: change into a directory that has the files of a clone, and its own out/
in_clone() {
	mkdir "$tmp/clone" && cd "$tmp/clone" || bail "no directory"
	for in_clone_name in results scripts tests tools gnuplot Documentation testbed extras; do
		ln -s "$top/$in_clone_name" .
	done
}

# printed_the_same PRINTED SHOWN NAME: check that both files are equal
printed_the_same() {
	is "$(cat "$1")" "$(cat "$2")" "$3"
}

# without_commands ERE, only_commands ERE: remove, or keep, the commands that match ERE with their output
without_commands() {
	awk -v ere="$1" '/^[$\f]/ { here = !($0 ~ ere) || /^\f/ } here'
}
only_commands() {
	awk -v ere="$1" '/^[$\f]/ { here = $0 ~ ere } here'
}
