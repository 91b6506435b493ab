# SPDX-License-Identifier: GPL-2.0
# fleet-text.awk - texts that the table and the page share.

# Return "1 machine" or "2 machines".
function machines(n) { return n " machine" (n == 1 ? "" : "s") }

function are(n) { return n == 1 ? "is" : "are" }

# Return the answer in sentences, from the numbers of all, odd, undecided machines and of those that gave nothing.
function answer_text(all, odd, undecided, nothing,  text) {
	if (odd)
		text = odd " of " machines(all) " " are(odd) " odd."
	else if (undecided)
		text = "Undecided: " undecided " of " machines(all) " cannot be judged."
	else
		text = "None of " machines(all) " is odd."
	if (odd && undecided)
		text = text " Undecided: " undecided "."
	if (nothing)
		text = text " " nothing " gave no usable counts."
	return text
}

# Return a percentage with its sign.
function signed(pct) { return pct == "-" ? "-" : sprintf("%+.1f", pct) }
