# SPDX-License-Identifier: GPL-2.0
# sourced.awk - filter the output of a shellcheck that did not follow sourced files.
#
# Input: shellcheck -f gcc. An unassigned variable is no fault if a sourced file sets it, and an unused variable is no fault if
# a sourced file reads it. ${name?} also tells shellcheck that the name is set. Prints all other findings.

# load FILE: set text[FILE] (without comments) and sources[FILE]
function load(file, line) {
	if (file in text)
		return
	text[file] = "\n"
	while ((getline line < file) > 0) {
		if (match(line, /^[ \t]*# shellcheck source=[^ ]+/))
			sources[file] = sources[file] " " substr(line, index(line, "=") + 1)
		# Variables of awk are not variables of the shell.
		gsub(/-v '?"?[A-Za-z0-9_]+=/, "", line)
		if (line !~ /^[ \t]*#/)
			text[file] = text[file] line "\n"
	}
	close(file)
}

# found FILE ERE: return whether a file that FILE sources, directly or indirectly, matches ERE
function found(file, ere, at, i, n) {
	load(file)
	n = split(sources[file], at, " ")
	for (i = 1; i <= n; i++) {
		if (at[i] == "/dev/null" || (question, at[i]) in asked)
			continue
		asked[question, at[i]]
		load(at[i])
		if (text[at[i]] ~ ere || found(at[i], ere))
			return 1
	}
	return 0
}

{
	question++
	split($0, part, ":")
	file = part[1]
	name = $0
	sub(/^[^ ]* [a-z]*: /, "", name)
	sub(/ .*/, "", name)
}

/\[SC2154\]$/ && found(file, "[^A-Za-z0-9_$-]" name "=|[ \t]for " name "[ ;\n]|read( -r)?( [A-Za-z0-9_]+)* " name "[ ;\n]|[{]" name ":?[=?]") { next }
/\[SC2034\]$/ && found(file, "[$][{]?" name "[^A-Za-z0-9_]|[(][(][^\n]*[^A-Za-z0-9_]" name "[^A-Za-z0-9_]") { next }
{ print }
