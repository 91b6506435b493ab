# SPDX-License-Identifier: GPL-2.0
# html.awk - convert text from files to HTML. All text of a page goes through html(), in elements
# and in quoted attributes. Control characters are replaced by U+FFFD.

function html(text) {
	gsub(/&/, "\\&amp;", text)
	gsub(/</, "\\&lt;", text)
	gsub(/>/, "\\&gt;", text)
	gsub(/"/, "\\&quot;", text)
	gsub(/'/, "\\&#39;", text)
	gsub(/[\001-\010\013-\037\177]/, "\\&#65533;", text)
	# These characters change the direction of text.
	gsub(/\342\200[\216\217\252-\256]|\342\201[\246-\251]/, "\\&#65533;", text)
	return text
}
