# SPDX-License-Identifier: GPL-2.0
# model.awk - read a CPU model of an emulated machine, and the values that replace the model's. Set value[KEY], and at[KEY] to
# the place of its line. This is the first program that model-args gives to awk. From the environment: truth.

function fail(at, text) {
	printf "model-args: %s: %s\n", at, text | "cat >&2"
	failed = 1
	exit 1
}

# check_number KEY: refuse numbers of more than 15 digits, so that neither awk nor QEMU overflows
function check_number(key) {
	if (value[key] !~ /^[0-9]+$/ || length(value[key]) > 15)
		fail(at[key], key " = " value[key] ": not a number of at most 15 digits")
}

function check_switch(key) {
	if (value[key] !~ /^(on|off)$/)
		fail(at[key], key " = " value[key] ": neither on nor off")
}

function need(key, wanted_at) {
	if (!(key in value))
		fail(wanted_at, key " is missing")
}

function set_default(key, to) {
	if (!(key in value))
		value[key] = to
}

# number KEY DEFAULT: return the value of a key, which must be a number; make the key known
function number(key, otherwise) {
	known[key] = 1
	set_default(key, otherwise)
	check_number(key)
	return value[key]
}

# given KEY: return whether the model has the key; make it known
function given(key) {
	known[key] = 1
	return key in value
}

# both KEY KEY: return whether the model has both keys; fail if it has only one
function both(first, second, have) {
	have = given(first) + given(second)
	if (have == 1)
		fail(at[first in value ? first : second], (first in value ? second : first) " is missing")
	return have
}

function dashes(text) {
	gsub(/_/, "-", text)
	return text
}

# log_name MORE: return the name of the truth log with MORE before its last dot
function log_name(more, name) {
	name = ENVIRON["truth"]
	if (!sub(/\.[^.\/]*$/, more "&", name))
		name = name more
	return name
}

# check_known: fail if the model has a key that is not known
function check_known() {
	for (key in value)
		if (!(key in known)) {
			# Report the first key by name: the order of this loop can differ.
			if (unknown == "" || key < unknown)
				unknown = key
		}
	if (unknown != "")
		fail(at[unknown], "unknown key " unknown)
}

BEGIN {
	split("base machine cpu without tsc_hz seed prewake states nic", list, " ")
	for (i in list)
		known[list[i]] = 1
}

{
	where = (FILENAME == "-" ? "command line" : FILENAME ":" FNR)
	if (FILENAME != "-")
		model = FILENAME
}

/^[ \t]*(#|$)/ { next }

{
	split_at = index($0, "=")
	key = substr($0, 1, split_at - 1)
	text = substr($0, split_at + 1)
	gsub(/^[ \t]+|[ \t]+$/, "", key)
	gsub(/^[ \t]+|[ \t]+$/, "", text)
	if (!split_at || key !~ /^[A-Za-z][A-Za-z0-9_.]*$/)
		fail(where, "not KEY = VALUE: " $0)
	if (text == "")
		fail(where, key " has no value")
	if (text !~ /^[A-Za-z0-9_.+ \/-]+$/)
		fail(where, key " = " text ": has a character that is not allowed in a value")
	if (FILENAME == "-" && key ~ /^(base|machine)$/)
		fail(where, key " can be given in a model only")
	if (FILENAME != "-" && (key, FILENAME) in seen)
		fail(where, key " is given twice")
	seen[key, FILENAME] = 1
	value[key] = text
	at[key] = where
}
