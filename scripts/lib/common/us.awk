# SPDX-License-Identifier: GPL-2.0
# us.awk - print ns as us with three decimals. In a whole number only the decimal point moves,
# because awk's arithmetic would lose digits of a long one. An asterisk behind the number stays.
# LOW..HIGH is an interval, whose HIGH may be "-".

function us(ns,  sign, ends) {
	if (ns == "-")
		return ns
	if (split(ns, ends, "[.][.]") == 2)
		return us(ends[1]) ".." us(ends[2])
	if (sub(/\*$/, "", ns))
		return us(ns) "*"
	if (index(ns, "."))
		return sprintf("%.3f", ns / 1000)
	sign = sub(/^-/, "", ns) ? "-" : ""
	while (length(ns) < 4)
		ns = "0" ns
	return sign substr(ns, 1, length(ns) - 3) "." substr(ns, length(ns) - 2)
}
