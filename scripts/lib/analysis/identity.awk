# SPDX-License-Identifier: GPL-2.0
# identity.awk - print a line for each text of the second and further files that identifies a machine or a user. The first file
# has the words to find, "KIND<TAB>TEXT" (identity.sh).
#
# Upper and lower case are the same. A word counts if no letter, digit or _ is next to it. In a line of a table, only the
# second and further columns are searched: the first is a key or a check.
#
# A machine or a user can have a name that is a word of wakelat's own. Such a word does not count where wakelat wrote it: as a
# value that the schema names for this column, or in a sentence of wakelat. A word of a sentence is wakelat's if wakelat's scripts
# have it between the same two words. Texts of the machine, such as cpu_model, are never taken for sentences of wakelat.
# Needs schema.awk.
#	scripts=DIR	in the environment: the directory with lib/ and commands/

BEGIN {
	called["host"] = "the name of the machine"
	called["user"] = "the name of a user"
	called["mac"] = "the address of a network card"
	called["uuid"] = "a UUID of a machine or a disk"
	called["serial"] = "a serial number"
	common["localhost"] = common["localdomain"] = common["root"] = common["nobody"] = common["none"] = 1
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

# Read what wakelat's scripts and those of extras say into own, on one line and without their comments. There may be no extras.
function read_own(  command, separator) {
	command = "cd \"$scripts\" && cat commands/* lib/*/*.sh lib/*/*.awk lib/doctor/*.tsv ../extras/*/*.sh ../extras/*/*.awk ../extras/*/findings.tsv 2>/dev/null | grep -v '^[[:space:]]*#' | tr 'A-Z\\n\\t' 'a-z  '"
	separator = RS
	RS = "\001"
	command | getline own
	RS = separator
	close(command)
}

# Return whether wakelat's scripts have the word of TEXT at AT between the words on both sides. At an end of TEXT, take two
# words on the other side.
function own_sentence(text, at,  before, n, token, from_start, from, to) {
	n = split(text, token, " ")
	before = split(substr(text, 1, at), from_start, " ")
	from = before == n ? n - 2 : before - 1
	from = from < 1 ? 1 : from
	to = from + 2
	if (to > n)
		return 0
	if (own == "")
		read_own()
	return index(own, token[from] " " token[from + 1] " " token[to]) > 0
}

# Return whether TEXT has WORD as a whole word that is not in a sentence of wakelat. SENTENCE: whether TEXT can be one.
function has(text, word, sentence,  from, at) {
	for (from = 1; (at = index(substr(text, from), word)); from += at)
		if (whole(text, from + at - 1, length(word)) && !(sentence && own_sentence(text, from + at - 1)))
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

FNR == 1 {
	table = $1 == "key" ? "run" : $1 == "check" ? "doctor" : ""
	split("", head)
	for (i = 1; table == "doctor" && i <= NF; i++)
		head[i] = $i
	if (table != "")
		next
}

# Return the number of the schema's row for cell I of this line, or 0.
function schema_row_at(i) {
	return table == "run" ? schema_of("run", $1) : schema_of(head[i] == "prepare" ? "run" : "doctor", head[i])
}

# Return the members of LIST that the schema does not name as values of a column with this meaning.
function without_named(list, meaning,  n, i, part, rest) {
	n = split(list, part, ",")
	for (i = 1; i <= n; i++)
		if (!index(tolower(meaning), "`" part[i] "`"))
			rest = rest "," part[i]
	return substr(rest, 2)
}

# Search a cell for the words.
function search_words(cell, sentence,  i) {
	for (i = 1; i <= words; i++)
		if (has(cell, word[i], sentence))
			found(word_kind[i])
}

{
	text = tolower($0)
	split("", told)
	if (table == "")
		search_words(text, 1)
	for (c = 2; table != "" && c <= NF; c++) {
		row = schema_row_at(c)
		search_words(without_named(tolower($c), row ? schema_meaning[row] : ""), \
			schema_type[row] == "prose" || (table == "run" && $1 ~ /^(caveat|systematic_error|taints_unknown|incomplete)$/))
	}
	sub(/^[^\t]*\t/, "", text)
	for (i = 1; i <= kinds; i++)
		if (!(kind[i] in told) && matches(text, pattern[kind[i]]))
			found(kind[i])
}
