# SPDX-License-Identifier: GPL-2.0
# identity.awk - print a line for each text of the second and further files that identifies a machine or a user. The first file
# has the words to find, "KIND<TAB>TEXT" (identity.sh).
#
# Upper and lower case are the same. A word counts if no letter, digit or _ is next to it. In a line of a table, only the
# second and further columns are searched: the first is a key or a check.

BEGIN {
	called["host"] = "the name of the machine"
	called["user"] = "the name of a user"
	called["mac"] = "the address of a network card"
	called["uuid"] = "a UUID of a machine or a disk"
	called["serial"] = "a serial number"
	common["testbed"] = common["localhost"] = common["localdomain"] = common["root"] = common["nobody"] = common["none"] = 1
	# Each pattern needs a text that is in no version number, date or hash.
	h = "[0-9a-f]"
	hh = h h
	h4 = hh hh
	pattern["mac"] = hh "[:-]" hh "[:-]" hh "[:-]" hh "[:-]" hh "[:-]" hh "|" h4 "[.]" h4 "[.]" h4
	pattern["uuid"] = h4 h4 "-" h4 "-" h4 "-" h4 "-" h4 h4 h4
	pattern["serial"] = "(serial|service tag|asset tag|s/n)( *(number|no[.]?))?[ :=#]+[a-z]*-?[0-9][a-z0-9-][a-z0-9-][a-z0-9-]+"
	label = "[a-z][a-z0-9-]*"
	pattern["host"] = label "([.]" label ")+[.](com|net|org|edu|gov|mil|int|info|io|dev|cloud|local|localdomain|lan|internal|intra|corp|home)|" \
		label "[.]" label "([.]" label ")+"
	pattern["user"] = "[a-z0-9._+-]+@[a-z0-9-]+"
	kinds = split("host user mac uuid serial", kind, " ")
}

# add KIND TEXT: note the word, unless it is so short or so common that finding it says nothing.
function add(of, text) {
	if (length(text) < (of == "serial" ? 5 : of == "host" ? 2 : 3) || text in common || text in seen)
		return
	seen[text]
	words++
	word[words] = text
	word_kind[words] = of
}

# add_host NAME: note the name, its first label, and the labels of its domain without the last one, which is no name.
function add_host(name,  label, n, i) {
	add("host", name)
	if (name ~ /^[0-9.]+$/)
		return
	n = split(name, label, ".")
	for (i = 1; i < n; i++)
		add("host", label[i])
	if (n > 2)
		add("host", substr(name, length(label[1]) + 2))
}

# add_id KIND ID: note an ID as it is, without separators, and with -.
function add_id(of, id,  bare, dashed) {
	bare = id
	gsub(/[:.-]/, "", bare)
	if (bare ~ /^0*$/)
		return
	dashed = id
	gsub(/:/, "-", dashed)
	add(of, id)
	add(of, bare)
	add(of, dashed)
}

FNR == 1 { file++ }

file == 1 {
	text = tolower($2)
	if ($1 == "host")
		add_host(text)
	else if ($1 == "mac" || $1 == "uuid")
		add_id($1, text)
	else if ($1 != "serial" || (text ~ /[0-9]/ && text !~ / /))
		add($1, text)
	next
}

function is_part(c) { return c ~ /[a-z0-9_]/ }

# Return whether the LEN characters of TEXT from AT on are a whole word.
function whole(text, at, len) { return !is_part(substr(text, at - 1, at > 1)) && !is_part(substr(text, at + len, 1)) }

# Return whether TEXT has WORD as a whole word.
function has(text, word,  from, at) {
	for (from = 1; (at = index(substr(text, from), word)); from += at)
		if (whole(text, from + at - 1, length(word)))
			return 1
	return 0
}

# Return whether TEXT has a whole word that matches the pattern.
function matches(text, ere,  from) {
	for (from = 1; match(substr(text, from), ere); from += RSTART)
		if (whole(text, from + RSTART - 1, RLENGTH))
			return 1
	return 0
}

# found KIND: print the line, once for each kind
function found(of) {
	if (!(of in told))
		print "the copy contains " called[of] ": check '" $0 "'"
	told[of]
}

{
	text = tolower($0)
	sub(/^[^\t]*\t/, "", text)
	split("", told)
	for (i = 1; i <= words; i++)
		if (has(text, word[i]))
			found(word_kind[i])
	for (i = 1; i <= kinds; i++)
		if (!(kind[i] in told) && matches(text, pattern[kind[i]]))
			found(kind[i])
}
