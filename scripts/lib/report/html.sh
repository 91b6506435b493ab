# SPDX-License-Identifier: GPL-2.0
# html.sh - parts of pages, for extras: their pages, and what they add to the page of recordings. The program tools/answer makes the HTML.
# shellcheck shell=sh
#
# Needs analysis.sh, revision.sh.

# Variables that other files set:
: "${here?the command}" "${me?the command}" "${tools?analysis.sh}" "${revision_found?revision.sh}"

# escaped: converts stdin to HTML
escaped() {
	"$tools/answer" html text
}

# table FILE CAPTION COLUMNS [NEEDS [WHERE]]: prints an HTML table, see html_table() in tools/answer/html.h; nothing if the
# file does not exist, or the column NEEDS has no value
table() {
	"$tools/answer" html table "$@"
}

# figure_as FILE CAPTION: prints a figure
figure_as() {
	"$tools/answer" html figure "$1" "$2"
}

# page_head TITLE: prints the head of a page
page_head() {
	"$tools/answer" html head "$1"
}

# folded TITLE: begins a part of the page, up to folded_end, that is hidden until a reader selects
# its title
folded() {
	printf '<details>\n<summary>%s</summary>\n' "$1"
}

folded_end() {
	printf '</details>\n'
}

page_end() {
	[ -n "$revision_found" ] || find_revision "$here"
	"$tools/answer" html end "$me" "$revision_found"
}
