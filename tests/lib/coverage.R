# SPDX-License-Identifier: GPL-2.0
# coverage.R LIB SAMPLES REPETITIONS [REPLICATES [NAME,...]] - how often the interval of wakelat tail holds the truth, for samples
# of known distributions: a table on stdout. HORIZON wake-ups are 100 times as many as the samples.

invisible(compiler::enableJIT(0))
arguments <- commandArgs(TRUE)
for (part in c("gpd.R", "tail-fit.R"))
	source(file.path(arguments[1], part))
n <- as.numeric(arguments[2])
repetitions <- as.numeric(arguments[3])
if (length(arguments) > 3) {
	TAIL_REPLICATES <- as.numeric(arguments[4])
	TAIL_TRIES <- 99
}
horizon <- 100 * n

# Uniform from 0 to 1, each the larger of two that it shares with its neighbours (a moving maximum of Frechet's distribution):
# extremal index 1/2, the longest come in pairs.
paired <- function(n) {
	z <- -1 / log(runif(n + 1))
	exp(-2 / pmax(z[-1], z[-(n + 1)]))
}

# ns, rounded to whole ones; and the value that is exceeded with probability 1 / horizon.
mixture <- function(u, body) ifelse(u > 0.8, 6e4 - 5e3 * log((1 - u) / 0.2), body)
distributions <- list(
	exponential = list(function(n) 1e4 * rexp(n), 1e4 * log(horizon)),
	uniform = list(function(n) 1e5 * runif(n), 1e5 * (1 - 1 / horizon)),
	pareto = list(function(n) 1e3 * runif(n)^(-1 / 3), 1e3 * horizon^(1 / 3)),
	# Two states in one, as where one is not always reached: around 20 us, or from 60 us on.
	mixture = list(function(n) ifelse(runif(n) < 0.2, 6e4 + 5e3 * rexp(n), rnorm(n, 2e4, 1e3)),
		6e4 + 5e3 * log(0.2 * horizon)),
	# The same, in pairs, of twice as many samples.
	exponential_pairs = list(function(n) -1e4 * log(1 - paired(2 * n)), 1e4 * log(horizon)),
	uniform_pairs = list(function(n) 1e5 * paired(2 * n), 1e5 * (1 - 1 / horizon)),
	pareto_pairs = list(function(n) 1e3 * (1 - paired(2 * n))^(-1 / 3), 1e3 * horizon^(1 / 3)),
	mixture_pairs = list(function(n) mixture(paired(2 * n), rnorm(2 * n, 2e4, 1e3)), 6e4 + 5e3 * log(0.2 * horizon)),
	# Slow changes in what is not long: the samples depend on each other, the longest do not.
	slow_body = list(function(n) ifelse(runif(n) < 0.2, 6e4 + 5e3 * rexp(n), 2e4 + 100 * as.vector(arima.sim(list(ar = 0.99), n))),
		6e4 + 5e3 * log(0.2 * horizon)))

if (length(arguments) > 4)
	distributions <- distributions[strsplit(arguments[5], ",")[[1]]]

# A line of the table.
covered_by <- function(name) {
	set.seed(1, "Mersenne-Twister", "Inversion", "Rejection")
	truth <- distributions[[name]][[2]]
	covered <- above <- below <- 0
	failed <- c()
	for (i in seq_len(repetitions)) {
		if (i %% 100 == 0)
			message(name, ": ", i, " of ", repetitions)
		r <- tail_analyse(round(distributions[[name]][[1]](n)), horizon)
		if (length(r$failed)) {
			failed <- c(failed, r$failed[1])
			next
		}
		# A bound that is not there is infinite.
		is_above <- !is.na(r$level[2]) && r$level[2] > truth
		is_below <- !is.na(r$level[3]) && r$level[3] < truth
		above <- above + is_above
		below <- below + is_below
		covered <- covered + !(is_above || is_below)
	}
	estimable <- repetitions - length(failed)
	counts <- table(failed)
	paste(name, repetitions, estimable, covered, sprintf("%.3f", covered / estimable), above, below,
		if (length(failed)) paste(names(counts), counts, sep = ":", collapse = ",") else "-", sep = "\t")
}

lines <- parallel::mclapply(names(distributions), covered_by, mc.cores = as.numeric(Sys.getenv("COVERAGE_CORES", parallel::detectCores())), mc.preschedule = FALSE)
if (any(vapply(lines, inherits, TRUE, "try-error")))
	quit(status = 1)
writeLines(c("distribution\trepetitions\testimable\tcovered\tshare\tabove\tbelow\tfailed", unlist(lines)))
