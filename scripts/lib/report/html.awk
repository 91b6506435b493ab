# SPDX-License-Identifier: GPL-2.0
# html.awk - text from files, as HTML: the one way into a page, in the text of an element and in a quoted attribute alike.
# What controls a terminal or is no character is shown as one that was not understood.

function html(text) {
	gsub(/&/, "\\&amp;", text)
	gsub(/</, "\\&lt;", text)
	gsub(/>/, "\\&gt;", text)
	gsub(/"/, "\\&quot;", text)
	gsub(/'/, "\\&#39;", text)
	gsub(/[\001-\010\013-\037\177]/, "\\&#65533;", text)
	# What turns the direction of text.
	gsub(/\342\200[\216\217\252-\256]|\342\201[\246-\251]/, "\\&#65533;", text)
	return text
}
