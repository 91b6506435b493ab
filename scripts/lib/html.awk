# SPDX-License-Identifier: GPL-2.0
# html.awk - text from files, as HTML.

function html(text) {
	gsub(/&/, "\\&amp;", text)
	gsub(/</, "\\&lt;", text)
	gsub(/>/, "\\&gt;", text)
	gsub(/"/, "\\&quot;", text)
	return text
}
