# SPDX-License-Identifier: GPL-2.0
# stick.sh - contribute --from: check what the image of a USB stick has left, and say what to attach.
# shellcheck shell=sh
#
# Needs message.sh, trust.sh. Everything on the stick is data of others: safe-copy copies it first.

: "${here?the command}" "${extra?the command}" "${shown?message.sh}"
tools=$here/../tools/bin
stick_copy=
# The characters of a text in QR codes, at most.
stick_text=100000

# bad_results MESSAGE: warn of a folder that is not to be sent, and note it for the exit status
bad_results() {
	stick_bad=yes
	warn "$*"
}

# check_block NAME FILE: succeed if FILE is the text of block.txt. Otherwise print what is wrong.
check_block() {
	if [ ! -s "$2" ]; then
		printf '%s is empty or missing: nothing was measured\n' "$1"
	elif LC_ALL=C grep -q '[^ -~]' "$2"; then
		printf '%s has bytes that are not text, so it is damaged: measure again\n' "$1"
	elif awk 'length($0) > 72 { exit 1 }' "$2"; then
		return 0
	else
		printf '%s has a line of more than 72 columns, so wakelat did not write it\n' "$1"
	fi
	return 1
}

# check_results DIR: check the files of one measurement, and print which of them to attach
check_results() {
	rm -rf "$stick_copy/files"
	stick_said=$("$tools/safe-copy" take "$1" "$stick_copy/files" block.txt '*.counts' 2>&1) || {
		bad_results "${stick_said#safe-copy: }"
		return
	}
	stick_said=$(check_block "$1/block.txt" "$stick_copy/files/block.txt") || {
		bad_results "$stick_said"
		return
	}
	set -- "$1" "$stick_copy"/files/*.counts
	stick_counts=
	if [ -e "$2" ]; then
		for stick_file; do
			[ "$stick_file" != "$1" ] || continue
			"$here/commands/merge" -q -o "$stick_copy/merged" "$stick_file" >/dev/null 2>&1 || {
				bad_results "$1/${stick_file##*/} is damaged: attach the others, or measure again"
				return
			}
			stick_counts="$stick_counts ${stick_file##*/}"
		done
	fi
	show "$1"
	printf '%s\n' "$shown"
	sed -n 's/^CPU  */  CPU: /p' "$stick_copy/files/block.txt" | head -n 1
	printf '  paste:  block.txt\n  attach:%s\n' "${stick_counts:- nothing, because nothing was measured (block.txt says why)}"
	stick_good=$((stick_good + 1))
}

# print_codes FILE: print the text whose parts are in FILE, as a phone reads them from the codes on the screen: WAKELAT 1/3 DATA
print_codes() {
	"$tools/safe-copy" file "$1" "$stick_copy/codes" 2>"$stick_copy/err" || die "cannot read $1: $(sed 's/.*: //' "$stick_copy/err")"
	head -c "$stick_text" "$stick_copy/codes" | grep -o 'WAKELAT [0-9]*/[0-9]* [A-Z2-7]*' | sort -u -t / -k 1.9n >"$stick_copy/parts"
	stick_parts=$(sed -n '1s/.*\/\([0-9]*\) .*/\1/p' "$stick_copy/parts")
	[ -n "$stick_parts" ] || die "$1 has no line 'WAKELAT 1/3 ...' of a code: copy each code's text into it"
	stick_missing=$(awk -v parts="$stick_parts" '{ split($2, at, "/"); there[at[1] + 0] = 1; if (at[2] != parts) exit }
		END { for (i = 1; i <= parts && i < 1000; i++) if (!(i in there)) printf " %d", i }' "$stick_copy/parts")
	[ -z "$stick_missing" ] || die "$1: of $stick_parts codes these are missing:$stick_missing: read them from the screen, too"
	# A length that is no multiple of 8 was padded with "=", which takes more room in a code.
	(
		ulimit -f 2000
		awk '{ all = all $3 } END { while (length(all) % 8) all = all "="; print all }' "$stick_copy/parts" | base32 -d |
			gzip -dc >"$stick_copy/block.txt"
	) 2>/dev/null || die "$1: the codes do not fit together: read all of them again from one screen"
	stick_said=$(check_block "the text of the codes" "$stick_copy/block.txt") || die "$stick_said"
	cat "$stick_copy/block.txt"
}

# check_stick STICK: the action of --from
check_stick() {
	need_tools safe-copy merge
	stick_copy=$(mktemp -d "${TMPDIR:-/tmp}/wakelat.XXXXXX" 2>/dev/null) || cannot_write_temporary
	trap 'rm -rf "$stick_copy"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	stick_good=0
	stick_bad=no
	[ ! -f "$1" ] || {
		print_codes "$1"
		return
	}
	for stick_dir in "$1" "$1"/* "$1"/results/*; do
		[ ! -e "$stick_dir/block.txt" ] && [ ! -e "$stick_dir/log.txt" ] || check_results "$stick_dir"
	done
	[ "$stick_bad" = no ] || exit 1
	[ "$stick_good" -gt 0 ] || die "$1 has no results/*/block.txt: mount the stick, and name the directory"
	printf 'Read them first. %s/README.md says where to send them, and where a row of the atlas stands.\n' "$extra"
}
