# SPDX-License-Identifier: GPL-2.0
# html-text.awk - print text as HTML, line by line. Needs html.awk.
#	-v list=1	print an HTML list; an indented line continues the line before

BEGIN { if (list) print "<ul>" }

{ text = html($0) }

!list { print text }

list && !sub(/^  +/, " ", text) { text = (NR > 1 ? "</li>\n" : "") "<li>" text }

list { printf "%s", text }

END { if (list) print (NR ? "</li>\n" : "") "</ul>" }
