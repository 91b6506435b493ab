# SPDX-License-Identifier: GPL-2.0
# simulate.awk - repetitions of the measurement without a machine: draw points from a model, with the counter's step and update, and
# ask breakeven for the next intervals and the answer, as the command does. Prints a row for each repetition: true, result,
# interval, low, high (ns), seconds, points.
#	-v breakeven=PROGRAM -v file=POINTS -v n=N -v seed=N -v ms=N (of a point) -v limit=S
#	-v cpus=N -v pa=W -v pb=W -v ea=UJ -v eb=UJ (all CPUs and the package together; a visit with its exit and its awake time)
#	-v step=UJ -v update=NS -v drift=PPM (per second) -v awake=NS

function energy(t) { return t + drift * 1e-6 * t * t / 2 }

# point STATE INTERVAL: add a point. The window begins and ends at the counter's update.
function point(state, interval, from, to, power, joules, first) {
	now += 0.01
	from = int(now * 1e9 / update + 1) * update / 1e9
	to = from + int(ms * 1e6 / update + 0.999999) * update / 1e9
	power = state == "a" ? pa + ea * 1e-6 * 1e9 / interval : pb + eb * 1e-6 * 1e9 / interval
	first = rand() * step
	joules = power * (energy(to) - energy(from))
	# Changes of the meter are seen up to 10 us late.
	joules += (rand() - rand()) * 10e-6 * power
	joules = int((first + joules * 1e6) / step) * step / 1e6
	printf "%s\t%d\t%d\t%.9f\t%.9f\t%.3f\t0\t0\t1\t%d\t-\t0\t0\t%d\n", state, round, interval, to - from, joules, 1e9 / interval, awake,
		update >>file
	points++
	now = to + 0.005
}

# ask OPTION: set result, intervals and the facts
function ask(option, line, part) {
	close(file)
	split("", of)
	while ((breakeven " " option " -w 10 10000 20000000 " file) | getline line)
		if (split(line, part, "\t") > 1)
			of[part[1]] = part[2]
	close(breakeven " " option " -w 10 10000 20000000 " file)
}

function shuffled(list, n, i, k, t) {
	n = split(of["intervals"], list, ",")
	for (i = n; i > 1; i--) {
		k = int(rand() * i) + 1
		t = list[i]
		list[i] = list[k]
		list[k] = t
	}
	return n
}

BEGIN {
	srand(seed)
	true_ns = pa > pb ? (eb - ea) / (pa - pb) * 1e3 : 0
	for (i = 0; i < n; i++) {
		printf "" >file
		now = rand()
		points = round = 0
		of["result"] = ""
		for (;;) {
			ask(now < limit ? "" : "-e")
			if (of["result"] != "next")
				break
			nr = shuffled(list)
			for (k = 1; k <= nr; k++) {
				first = (k + round) % 2 ? "a" : "b"
				point(first, list[k])
				point(first == "a" ? "b" : "a", list[k])
			}
			round++
		}
		printf "%.0f\t%s\t%s\t%s\t%s\t%.1f\t%d\t%s\n", true_ns, of["result"], of["interval_ns"], of["interval_low_ns"], of["interval_high_ns"], now, points, of["why"]
		fflush()
	}
}
