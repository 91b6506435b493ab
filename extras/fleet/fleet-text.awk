# SPDX-License-Identifier: GPL-2.0
# fleet-text.awk - texts that the table and the page share.

# Return "1 machine" or "2 machines".
function machines(n) { return n " machine" (n == 1 ? "" : "s") }

# Return the answer in sentences, from the numbers of all machines and of those with each answer.
function answer_text(all, different, alone, nothing,  text) {
	text = (different ? different : "None") " of " machines(all) (different > 1 ? " are" : " is") " different."
	if (alone)
		text = text " " alone " " (alone > 1 ? "are" : "is") " the only one of " (alone > 1 ? "their kinds" : "its kind") "."
	if (nothing)
		text = text " " nothing " gave no usable counts."
	return text
}

# Return the sentences about the uncertainty of launch times. LIST: states, each with its uncertainty.
function uncertain_text(list) {
	return "Launch times may be wrong by up to " list ". The intervals are wider by this, and MADs are without the part of a difference that it may explain."
}

# Return the rule in two sentences.
function rule_text() {
	return "A machine is called different if a median or p99 is farther from the median of its kind than the limit, or if it lacks a state that nine of ten of the other machines have. " \
		"The limit grows with the number of comparisons, so that one fleet in twenty has a machine called different by chance, if machines scatter like Student's t distribution with five degrees of freedom."
}
