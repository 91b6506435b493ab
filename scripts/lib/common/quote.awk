# SPDX-License-Identifier: GPL-2.0
# quote.awk - quote text from a recording for a command or a file that somebody pastes as root. All
# such text goes through here.

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

# Return TEXT for a comment in any file: printable, without characters that have a meaning in such files.
function comment_text(text) {
	gsub(/[^A-Za-z0-9_.,:+() \/-]/, "?", text)
	return text
}
