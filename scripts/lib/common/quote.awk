# SPDX-License-Identifier: GPL-2.0
# quote.awk - text from a recording in a command or a file that somebody pastes as root: the one way for it.

# Return TEXT as one word of a shell.
function shell_quoted(text) {
	if (text ~ /^[A-Za-z0-9_.,:=+%@\/-]+$/ && text !~ /^-/)
		return text
	gsub(/'/, "'\\''", text)
	return "'" text "'"
}

# Return the path TEXT as one word, which no command takes for an option.
function path_quoted(text) {
	sub(/^\.\//, "", text)
	return shell_quoted((text ~ /^-/ ? "./" : "") text)
}

# Return TEXT as it can stand in a comment of any file: printable, and no character that a reader of the file obeys.
function comment_text(text) {
	gsub(/[^A-Za-z0-9_.,:+() \/-]/, "?", text)
	return text
}
