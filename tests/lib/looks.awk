# SPDX-License-Identifier: GPL-2.0
# looks.awk - recordings that end when they have decided, made by chance: THRESHOLDS, a line for each look with the number of
# samples and the most, and the least, that are longer than the limit for it to be kept, and exceeded.
#	-v seed=N -v repetitions=N
#	-v share=Q	of the samples is longer than the limit
# Prints kept, exceeded, undecided, looks and samples on average.

{
	n[NR] = $1
	most[NR] = $2
	least[NR] = $3
}

# How many of COUNT samples are longer: from one to the next it takes a number of samples with a geometric distribution.
function longer(count,  i, over) {
	for (i = gap(); i <= count; i += gap())
		over++
	return over + 0
}

function gap() { return 1 + int(log(1 - rand()) / log(1 - share)) }

function repetition(  look, over) {
	for (look = 1; look <= NR; look++) {
		over += longer(n[look] - (look == 1 ? 0 : n[look - 1]))
		looks++
		if (over <= most[look])
			kept++
		else if (over >= least[look])
			exceeded++
		else if (look < NR)
			continue
		samples += n[look]
		return
	}
}

END {
	srand(seed)
	for (r = 1; r <= repetitions; r++)
		repetition()
	printf "%d\t%d\t%d\t%.2f\t%.0f\n", kept, exceeded, repetitions - kept - exceeded, looks / repetitions, samples / repetitions
}
