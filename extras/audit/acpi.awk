# SPDX-License-Identifier: GPL-2.0
# acpi.awk - convert evaluated _CST and _LPI objects, as acpiexec prints them, to rows (see
# states.sh).
#	-v origin=TEXT	the first column

# Return the value of a hexadecimal number.
function hex(text,  i, n) {
	text = tolower(text)
	for (i = 1; i <= length(text); i++)
		n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return n
}

# Return the hint of a state: the address in a Generic Register Descriptor of FFixedHW. "-" without
# one.
function register(bytes,  part, i, text) {
	if (split(bytes, part, " ") < 15 || part[1] != "82" || part[4] != "7F")
		return "-"
	for (i = 8; i >= 1; i--)
		text = text part[7 + i]
	sub(/^0+/, "", text)
	return "0x" tolower(text == "" ? "00" : length(text) == 1 ? "0" text : text)
}

# End an object. A caller must not take one without states for one without faults.
function end_object() {
	finish()
	if (object ~ /_(CST|LPI)$/ && !rows)
		print origin, object, "acpi", object, "-", "-", "-", "-", "-", "-", "-", "-", "-", 1, "-", "-", "-", "-", "unread: it returns no idle state"
	rows = 0
}

# Print the row of the package whose end was read.
function finish() {
	if (object ~ /_CST$/ && values == 3)
		row("C" number, value[2], "-")
	# _LPI has residency, wake-up latency, flags. Bit 0 of the flags is set if the state is
	# enabled.
	else if (object ~ /_LPI$/ && values >= 6)
		row(text == "" ? "LPI" number : text, value[2], value[1])
	bytes = text = ""
	values = 0
}

function row(name, latency, residency) {
	rows++
	print origin, object, "acpi", object, number, name, latency, residency, "-", "-", "-", register(bytes), "-", 1,
		object ~ /_LPI$/ && value[3] % 2 == 0 ? "yes" : "no", "-", "-", "-", "-"
}

BEGIN { OFS = "\t" }

/^Evaluating / {
	end_object()
	object = $2
	number = 0
}

/^ *\[Package\] Contains/ {
	match($0, /\[/)
	if (RSTART == 5) {
		finish()
		number++
	}
	next
}

/^ *\[Integer\] = / {
	match($0, /\[/)
	if (number && RSTART == 7)
		value[++values] = hex($3)
}

/^ *\[String\] Length/ && number {
	text = $0
	sub(/^[^"]*"/, "", text)
	sub(/"[^"]*$/, "", text)
}

/^ *\[Buffer\] Length/ { buffer = bytes == "" }
/^ +0[0-9A-F]+: / && number && buffer {
	sub(/^ *[0-9A-F]+: /, "")
	sub(/ *\/\/.*/, "")
	bytes = bytes " " $0
}

/^Evaluation of .* failed/ {
	rows++
	print origin, object, "acpi", object, "-", "-", "-", "-", "-", "-", "-", "-", "-", 1, "-", "-", "-", "-", "not_evaluated"
}

END { end_object() }
