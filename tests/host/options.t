#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Each command takes exactly the options of the table that its -h prints, and its manual page has
# the same options. All commands understand the same forms of options.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"

wakelat=$top/scripts/wakelat
cd "$tmp" || exit 1

# table: read the text of -h, and print name, letter and name of the value of each option
table() {
	awk -v OFS='\t' '
		match($0, /^(  -[a-zA-Z], |      )--[a-z][a-z-]*/) {
			head = substr($0, 1, RLENGTH)
			rest = substr($0, RLENGTH + 1)
			value = "-"
			if (rest ~ /^ [^ ]/) {
				value = substr(rest, 2)
				sub(/ .*/, "", value)
			}
			print substr(head, 7), (substr(head, 3, 1) == "-" ? substr(head, 3, 2) : "-"), value
		}'
}

# plain: print roff as text, without fonts and quotes. A macro of two fonts puts no space between its words.
plain() {
	awk '
		/^\.[BIR][BIR]? / {
			macro = $1
			sub(/^[^ ]* +/, "")
			if (length(macro) == 3) {
				text = ""
				while ($0 != "") {
					if (match($0, /^"[^"]*"/))
						text = text substr($0, 2, RLENGTH - 2)
					else if (match($0, /^[^ ]+/))
						text = text substr($0, 1, RLENGTH)
					$0 = substr($0, RLENGTH + 1)
					sub(/^ +/, "")
				}
				$0 = text
			}
		}
		{ gsub(/\\f[BIRP]/, ""); gsub(/\\-/, "-"); print }'
}

# synopsis_of_page: print a manual page's synopsis, one line for each form of the command
synopsis_of_page() {
	awk '/^\.SH/ { on = /^\.SH SYNOPSIS/; next } on' | plain | tr '\n' ' ' | sed 's/ \.br /\n/g; s/ *$//'
}

synopsis_of_usage() {
	sed '/^$/q' | sed 's/^usage: //' | tr '\n' ' ' | sed 's/  */ /g; s/ wakelat /\nwakelat /g; s/ *$//'
}

# heads_of_page: print the options that a manual page describes, in the format of table
heads_of_page() {
	awk 'tp { print } { tp = /^\.TP/ }' | plain | grep '^--*[a-zA-Z]' | awk -v OFS='\t' '{
		letter = "-"
		n = split($0, part, ", ")
		for (i = 1; i <= n; i++) {
			if (part[i] ~ /^-[a-zA-Z]$/) {
				letter = part[i]
				continue
			}
			value = part[i] ~ / / ? part[i] : "-"
			sub(/^[^ ]* /, "", value)
			sub(/ .*/, "", part[i])
			print part[i], letter, value
			letter = "-"
		}
	}'
}

# of_synopsis: print the options in a synopsis, with or without [ ], each with its value
of_synopsis() {
	grep -oE -e '(^|[ [])--?[a-zA-Z][a-z-]*( [A-Z][A-Z:=]*)?' | sed 's/^[ []//'
}

# refuses STATUS TEXT WORD...: append to the file faults unless the command refuses WORD... with this status and one line, TEXT
refuses() {
	refuses_status=$1
	refuses_text=$2
	shift 2
	said=$("$file" "$@" 2>&1)
	[ "$?: $said" = "$refuses_status: wakelat $command: $refuses_text (wakelat $command -h: usage)" ] ||
		printf '%s: %s\n' "$*" "$said" >>faults
}

for file in "$top"/scripts/commands/* "$top"/extras/*/wakelat-*.1; do
	page=$top/Documentation/man/wakelat-${file##*/}.1
	case $file in
	*.1)
		page=$file
		file=${file##*/wakelat-}
		file=${page%/*}/${file%.1}
		;;
	esac
	[ -e "$file" ] || continue
	command=${file##*/}
	wrong=2
	[ "$command" != doctor ] || wrong=3

	run "$wakelat" "$command" -h
	printf '%s\n' "$out" >usage
	is "$status$err$(head -n 1 usage | cut -d ' ' -f 1-3)" "0usage: wakelat $command" "$command: -h prints its usage"
	table <usage | sort >options
	is "$(cut -f 1 options | uniq -d)$(cut -f 2 options | grep -v '^-$' | sort | uniq -d)" "" "$command: all names of options are different"
	is "$(wc -l <options)" "$(grep -c '^ *-' usage)" "$command: each line of -h that begins with - has the form of an option"
	is "$("$wakelat" "$command" x --help | cksum)" "$(cksum <usage)" "$command: --help after an argument prints the same as -h"
	unlike "$("$wakelat" "$command" -- --help 2>&1)" '^usage:' "$command: --help after -- is not an option"
	is "$(heads_of_page <"$page" | sort)" "$(cat options)" "$command: the manual page has the same options"
	is "$(synopsis_of_page <"$page")" "$(synopsis_of_usage <usage)" "$command: the manual page has the same synopsis"

	synopsis_of_usage <usage | of_synopsis | sort -u >named
	awk -F '\t' '{ value = $3 == "-" ? "" : " " $3; print $1 value; if ($2 != "-") print $2 value }' options | sort >known
	is "$(comm -23 named known)" "" "$command: the synopsis has only options of the table, with the same names"
	if ! grep -q 'OPTION' usage; then
		awk -F '\t' 'FNR == NR { named[$1]; next }
			$1 != "--help" && !($1 in named) && !($2 in named) { print $1 }' FS=' ' named FS='\t' options >missing
		is "$(cat missing)" "" "$command: a synopsis without OPTION has all options of the table"
	fi

	: >faults
	while IFS="$(printf '\t')" read -r name letter value; do
		[ "$name" != --help ] || continue
		if [ "$value" = - ]; then
			refuses "$wrong" "$name takes no value" "$name=1"
		else
			refuses "$wrong" "$name needs a value" "$name"
			refuses "$wrong" "$name needs a value" "$name="
			[ "$letter" = - ] || refuses "$wrong" "$letter needs a value" "$letter"
		fi
		# An abbreviation is refused, too, unless it is another option.
		grep -q -e "^${name%?}	" "$tmp/options" || refuses "$wrong" "unknown option '${name%?}'" "${name%?}"
	done <options
	refuses "$wrong" "unknown option '-Z'" -Z
	is "$(cat faults)" "" "$command: refuses a missing value, a value too many, and abbreviations, each in one line"

	# The command's code has a case for each option, and no other case.
	sed -n 's/^# shellcheck source=//p' "$file" | sed "s|^|$top/|" >sources
	grep -e '-all\.sh$' sources | xargs -r sed -n 's/^# shellcheck source=//p' | sed "s|^|$top/|" >sources.all
	cat sources.all >>sources
	printf '%s\n' "$file" | cat - sources | xargs grep -hoE -e '^	*--[^)]*\)' | grep -oE -e '--[a-z-]+' | sort -u >cases
	cut -f 1 options | grep -vx -e --help -e --quiet | comm -13 cases - >untaken
	is "$(cat untaken)" "" "$command: takes each option of its table"
	{ printf '%s\n' "$file" && grep -e "/$command-options\.sh$" sources; } | xargs grep -hoE -e '^	*--[^)]*\)' | grep -oE -e '--[a-z-]+' | sort -u >cases
	is "$(cut -f 1 options | comm -23 cases -)" "" "$command: its table has each option that it takes"
done

# testbed/run takes its options in the same way.
"$top/testbed/run" -h | table | cut -f 1 | grep -vx -e --help | sort >options
grep -oE -e '^	--[^)]*\)' "$top/testbed/run" | grep -oE -e '--[a-z-]+' | sort -u >cases
is "$(cat cases)" "$(cat options)" "testbed/run: takes the options of its table"

# All forms of options, in each shell that may run wakelat.
printf 'me=forms\nset -u\n. "%s/common/message.sh"\n. "%s/common/options.sh"\n' "$top/scripts/lib" "$top/scripts/lib" >forms
cat >>forms <<'END'
usage="usage: forms [OPTION]... [WORD]...

  -o, --output DIR  text
      --state NAME
      --states LIST text
  -a, --all         text
      --json
  -q, --quiet       text
  -h, --help        text"
take() {
	printf '%s %s=%s\n' "$option" "$1" "${2-flag}"
}
take_options take "$@"
eval "set -- $operands"
printf 'quiet %s, %s of %s before --\n' "$quiet" "$operands_before" "$#"
printf '<%s>\n' "$@"
END
new_line='
'
for shell in dash 'busybox sh'; do
	# forms WORD...: print the options and arguments that take_options finds in WORD..., in one line
	forms() {
		# shellcheck disable=SC2086  # two words
		run $shell forms "$@"
		[ "$status" -eq 0 ] || printf '%s: %s\n' "$status" "$err"
		printf '%s\n' "$out" | paste -sd ' ' -
	}
	is "$(forms -o a --output b --output=c=d -oe)" \
		"-o --output=a --output --output=b --output --output=c=d -o --output=e quiet no, 0 of 0 before -- <>" \
		"$shell: four ways to give a value"
	is "$(forms a -q b -a c)" "-a --all=flag quiet yes, 3 of 3 before -- <a> <b> <c>" "$shell: arguments and options in any order"
	is "$(forms a -- -a -- --quiet '')" "quiet no, 1 of 5 before -- <a> <-a> <--> <--quiet> <>" "$shell: -- ends the options"
	is "$(forms -qao x)" "-a --all=flag -o --output=x quiet yes, 0 of 0 before -- <>" "$shell: flags in one word, and a value after them"
	is "$(forms --state --states --states -o)" "--state --state=--states --states --states=-o quiet no, 0 of 0 before -- <>" \
		"$shell: a value may look like an option"
	is "$(forms - '$(id)' '`id`' "a${new_line}b" '"; exit; "' 'x  y' '*')" \
		'quiet no, 7 of 7 before -- <-> <$(id)> <`id`> <a b> <"; exit; "> <x  y> <*>' "$shell: special characters in an argument are kept"
	is "$(forms 1 2 3 4 5 6 7 8 9 -a 10 11)" "-a --all=flag quiet no, 11 of 11 before -- <1> <2> <3> <4> <5> <6> <7> <8> <9> <10> <11>" \
		"$shell: more than nine arguments"
	for bad in --stat --statess '--state NAME' '--json=' --json=x -z -qz -q- '--*' '-?' --output= -o -qo '--all  text' "--json$new_line"; do
		# shellcheck disable=SC2086  # two words
		refused '^forms: (unknown option|-?-[a-z]+ (needs a|takes no) value)' \
			"$shell: refused: $(printf '%s' "$bad" | tr '\n' ' ')" $shell forms "$bad"
		is "$status" 2 "$shell: a refused option gives status 2"
	done
done
done_testing
