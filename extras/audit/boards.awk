# SPDX-License-Identifier: GPL-2.0
# boards.awk - lines FILE, a byte of 1, TEXT of device tree sources, from grep: includes, and lines about idle
# states. Print one board (.dts) for each set of files with idle states that boards include. So all
# states are found without compiling each board.
#	part=boards	print the boards
#	part=left	print the files with idle states that no board includes

# Return PATH without DIR/.. in it.
function plain(path) {
	gsub(/\/\.\//, "/", path)
	while (match(path, /[^\/]+\/\.\.\//))
		path = substr(path, 1, RSTART - 1) substr(path, RSTART + RLENGTH)
	return path
}

# Return the numbers of the files with idle states among FILE and the files that it includes, in
# ascending order.
function reach(file,  stack, n, seen, i, part, k, list, next_file) {
	stack[n = 1] = file
	while (n > 0) {
		next_file = stack[n--]
		if (next_file in seen)
			continue
		seen[next_file] = 1
		k = split(includes[next_file], part, "\n")
		for (i = 1; i <= k; i++)
			stack[++n] = part[i]
	}
	for (i = 1; i <= bearers; i++)
		if (bearer[i] in seen) {
			list = list " " i
			included[bearer[i]] = 1
		}
	return list
}

{
	at = index($0, "\001")
	file = substr($0, 1, at - 1)
	text = substr($0, at + 1)
}

text ~ /^[ \t]*(#|\/)[ \t]*include/ {
	if (match(text, /"[^"]+"/)) {
		target = substr(text, RSTART + 1, RLENGTH - 2)
		match(file, /[^\/]*$/)
		target = plain(substr(file, 1, RSTART - 1) target)
	} else if (match(text, /<(arm|arm64|riscv)\/[^>]+>/)) {
		target = substr(text, RSTART + 1, RLENGTH - 2)
		sub(/^[a-z0-9]+/, "arch/&/boot/dts", target)
	} else
		next
	if (!included_by[file, target]++)
		includes[file] = includes[file] target "\n"
	if (file ~ /\.dts$/ && !known[file]++)
		board[++boards] = file
	next
}

{
	if (!bears[file]++)
		bearer[++bearers] = file
	if (text ~ /idle-state[a-z-]*"/)
		defines[file] = 1
	if (file ~ /\.dts$/ && !known[file]++)
		board[++boards] = file
}

END {
	for (i = 1; i <= boards; i++) {
		list = reach(board[i])
		if (list != "" && !taken[list]++ && part == "boards")
			print board[i]
	}
	for (i = 1; i <= bearers; i++)
		if (part == "left" && bearer[i] in defines && !(bearer[i] in included))
			print bearer[i]
}
