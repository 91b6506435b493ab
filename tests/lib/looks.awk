# SPDX-License-Identifier: GPL-2.0
# looks.awk - simulate recordings that end when a look decides. A look is a test of the samples so far. Each line of the input
# THRESHOLDS is a look: its number of samples, the largest number of samples above the limit for "kept", and the smallest
# for "exceeded".
#	-v seed=N -v repetitions=N
#	-v share=Q	share of the samples that are longer than the limit
# Prints how often the answer was kept, exceeded and undecided, and the average numbers of looks and samples.

{
	n[NR] = $1
	most[NR] = $2
	least[NR] = $3
}

# Return how many of COUNT samples are longer than the limit. The distance from one to the next has a geometric distribution.
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
