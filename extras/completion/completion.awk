# SPDX-License-Identifier: GPL-2.0
# completion.awk - print the words that can stand in the place of the last argument, from the text
# of a command's -h. The arguments are the words behind the command. completion.sh describes the
# output. In addition this prints
#
#	:machine WHAT BEFORE	cpus, states or cards of the machine, behind the list BEFORE; for sources, BEFORE is the list to
#				offer if the machine does not tell
#	:others COMMAND N	words that COMMAND takes behind the first N words
#
# The values of an option are those that its description lists: "one of A, B (what it is) or C", or
# "some of" for a list with commas. If there is no list, the name of the value decides: CPU, CPUS,
# STATES, ADDRESS, FILE, DIR, OUTPUT. The same names count in the synopsis.

BEGIN {
	words = ARGC - 1
	for (i = 1; i <= words; i++)
		word[i] = ARGV[i]
	ARGC = 1
	in_synopsis = 1
}

in_synopsis && NF == 0 { in_synopsis = 0 }

in_synopsis {
	sub(/^usage:/, "")
	if ($1 == "wakelat") {
		ways++
		sub(/^ *wakelat [a-z]+/, "")
	}
	way[ways] = way[ways] " " $0
	next
}

match($0, /^(  -[a-zA-Z], |      )--[a-z][a-z-]*/) {
	name = substr($0, 7, RLENGTH - 6)
	long[substr($0, 3, 2)] = name
	order[++options] = name
	text = substr($0, RLENGTH + 1)
	value[name] = ""
	if (text ~ /^ [^ ]/) {
		value[name] = substr(text, 2)
		sub(/ .*/, "", value[name])
		text = substr(text, length(value[name]) + 2)
	}
	sub(/^ */, "", text)
	about[name] = text
	next
}

name != "" && /^        / {
	text = $0
	sub(/^ */, "", text)
	about[name] = about[name] (about[name] == "" ? "" : " ") text
	next
}

{ name = "" }

# choices TEXT: fill choice[] and meaning[] with the listed values, set several, and return the
# number of values
function choices(text,    n, last) {
	if (!match(text, /(^|[^a-z])(one|some) of /))
		return 0
	several = substr(text, RSTART, RLENGTH) ~ /some/
	text = substr(text, RSTART + RLENGTH)
	while (match(text, /^[a-z0-9][a-z0-9_.-]*/)) {
		choice[++n] = substr(text, 1, RLENGTH)
		text = substr(text, RLENGTH + 1)
		meaning[n] = ""
		if (match(text, /^ \([^)]*\)/)) {
			meaning[n] = substr(text, 3, RLENGTH - 3)
			text = substr(text, RLENGTH + 1)
		}
		# In "A, B, which ..." the third word is not a value.
		if (last == "," && text ~ /^ / && text !~ /^ or /) {
			n--
			break
		}
		if (last == "or")
			break
		if (sub(/^,? or /, "", text))
			last = "or"
		else if (sub(/^, */, "", text))
			last = ","
		else
			break
	}
	return n
}

# before TEXT: return the part of the list that is already typed, with its comma
function before(text) {
	sub(/[^,]*$/, "", text)
	return text
}

# values OPTION TEXT: print the possible values of the option. TEXT is the part that is already typed.
function values(option, text,    n, i, kind, known) {
	kind = value[option]
	n = choices(about[option])
	if (kind == "SOURCE") {
		for (i = 1; i <= n; i++)
			known = known (i > 1 ? "," : "") choice[i]
		print ":machine sources " known
		return
	}
	if (n && several)
		print ":list"
	for (i = 1; i <= n; i++)
		if (!several || index("," text, "," choice[i] ",") == 0)
			print (several ? before(text) : "") choice[i] "\t" meaning[i]
	if (n)
		return
	if (kind == "CPUS" || kind == "STATES") {
		print ":list"
		print ":machine " tolower(kind) " " before(text)
	} else if (kind == "CPU")
		print ":machine cpus "
	else if (kind == "DIR" && option == "--output")
		print ":directories"
	else
		of_kind(kind)
}

function of_kind(kind) {
	if (kind == "ADDRESS")
		print ":machine cards "
	else if (kind == "FILE" || kind ~ /TRACE[.]DAT|INPUT/)
		print ":files"
	else if (kind == "OUTPUT")
		print ":directories"
	if (kind ~ /DIR|^[AB]$/)
		print ":recordings"
}

# operands PLACE: print the words for the operand with this number. Return 0 if the synopsis has none.
function operands(place,    i, n, j, part, at) {
	for (i = 1; i <= ways; i++) {
		gsub(/\[[^][]*(\[[^][]*\])?[^][]*\](\.\.\.)?/, "&\n", way[i])
		n = split(way[i], part, "\n")
		way[i] = ""
		for (j = 1; j <= n; j++) {
			# Remove options in brackets. Of other words in brackets, and of [NAME=]DIR,
			# remove only the brackets.
			if (part[j] ~ /\[.*(-[a-z-]|OPTION|KEY)/)
				sub(/\[.*/, "", part[j])
			gsub(/[][]/, "", part[j])
			way[i] = way[i] part[j]
		}
		gsub(/[.][.][.]/, "", way[i])
		gsub(/ --?[a-z][a-z-]* [A-Z][^ ]*/, "", way[i])
		gsub(/ --?[a-z][a-z-]*/, "", way[i])
		n = split(way[i], part, " ")
		at = place < n ? place : n
		if (n == 0 || place > 1 && part[1] ~ /^[a-z]+$/ && part[1] != first)
			continue
		if (part[at] ~ /^[a-z]+$/) {
			if (place == at)
				print part[at] "\t"
		} else if (!(part[at] in told)) {
			told[part[at]]
			if (part[at] ~ /=/ && match(word[words], /^[^\/=]*=/))
				print ":skip " RLENGTH
			of_kind(part[at])
		}
		found = 1
	}
	return found
}

# brief TEXT: return the first part of a description
function brief(text) {
	sub(/(; |: |, e[.]g[.]| [(]).*/, "", text)
	return text
}

function has_value(option) {
	return (option in value) && value[option] != ""
}

END {
	rest = way[1] ~ /-- RECORD-OPTION/
	sub(/\[-- RECORD-OPTION\.\.\.\]/, "", way[1])
	now = word[words]
	place = 1
	for (i = 1; i < words; i++) {
		if (waits != "") {
			waits = ""
		} else if (!ended && word[i] == "--") {
			ended = 1
			if (rest) {
				print ":others record " i
				exit
			}
		} else if (!ended && word[i] ~ /^--/) {
			if (has_value(word[i]))
				waits = word[i]
		} else if (!ended && word[i] ~ /^-./) {
			for (j = 2; j <= length(word[i]); j++)
				if (has_value(long["-" substr(word[i], j, 1)])) {
					if (j == length(word[i]))
						waits = long["-" substr(word[i], j, 1)]
					break
				}
		} else if (place++ == 1)
			first = word[i]
	}
	if (waits != "")
		values(waits, now)
	else if (!ended && match(now, /^--[a-z][a-z-]*=/)) {
		print ":skip " RLENGTH
		if (has_value(substr(now, 1, RLENGTH - 1)))
			values(substr(now, 1, RLENGTH - 1), substr(now, RLENGTH + 1))
	} else if ((!ended && now ~ /^-/) || !operands(place))
		for (i = 1; i <= options; i++)
			print order[i] "\t" brief(about[order[i]])
}
