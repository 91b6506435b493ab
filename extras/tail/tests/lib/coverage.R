# SPDX-License-Identifier: GPL-2.0
# coverage.R LIB EFFECTIVE SAMPLES REPETITIONS DIRECTORY [NAME,...] - measure how often the interval of wakelat tail contains the
# true level, for samples of known distributions. The horizon is 100 times the number of samples.
#
# Adds a row for each repetition to DIRECTORY/NAME.tsv. The repetition's number is its seed; after an interruption, existing rows
# are not computed again. All distributions advance together.

invisible(compiler::enableJIT(0))
arguments <- commandArgs(TRUE)
for (part in c("gpd.R", "weibull.R", "tail-fit.R"))
	source(file.path(arguments[1], part))
effective <- arguments[2]
n <- as.numeric(arguments[3])
repetitions <- as.numeric(arguments[4])
directory <- arguments[5]
horizon <- 100 * n

# Return n numbers with a uniform distribution from 0 to 1, computed from the moving maximum of two values with Frechet's
# distribution. The extremal index is 1/2: the largest numbers come in pairs.
paired <- function(n) {
	z <- -1 / log(runif(n + 1))
	exp(-2 / pmax(z[-1], z[-(n + 1)]))
}

# A share of the samples is normal with mean 90 us and standard deviation 1 us; the others have 30 us and 0.5 us.
modes <- function(share) list(function(n) ifelse(runif(n) < share, rnorm(n, 9e4, 1e3), rnorm(n, 3e4, 500)),
	qnorm(1 / horizon / share, 9e4, 1e3, lower.tail = FALSE))
# The mean of the exponential samples grows by half during the recording. The true level is computed for all samples together.
growing <- function(n) 1e4 * (1 + 0.5 * (seq_len(n) - 0.5) / n)

# A share of the samples is exponential with a mean of SLOW us; the others with 10 us. LENGTH: the slow ones come in episodes of so
# many samples on average.
slow <- function(n, share, length) {
	if (length == 1)
		return(runif(n) < share)
	spells <- rgeom(n, 1 / length) + 1
	between <- rgeom(n, share / (1 - share) / length) + 1
	inside <- rep(rep(c(TRUE, FALSE), n), c(rbind(spells, between)))
	inside[(if (runif(1) < share) 0 else spells[1]) + seq_len(n)]
}
two <- function(share, mean, length = 1) list(function(n) 1e4 * rexp(n) * ifelse(slow(n, share, length), mean / 10, 1),
	uniroot(function(q) (1 - share) * exp(-q / 1e4) + share * exp(-q / mean / 1e3) - 1 / horizon, c(1e4, 1e8), tol = 1)$root)
# A distribution that cannot exceed its own quantile 0.9994, as if a watchdog ended all longer ones.
cut_at <- function(quantile) list(function(n) quantile(0.9994 * runif(n)), quantile(0.9994 * (1 - 1 / horizon)))

# For each distribution: samples in ns (rounded later), and the value that is exceeded with probability 1 / horizon.
distributions <- list(
	normal = list(function(n) rnorm(n, 1e5, 1e4), qnorm(1 / horizon, 1e5, 1e4, lower.tail = FALSE)),
	lognormal = list(function(n) 1e4 * rlnorm(n, 0, 0.5), 1e4 * qlnorm(1 / horizon, 0, 0.5, lower.tail = FALSE)),
	exponential = list(function(n) 1e4 * rexp(n), 1e4 * log(horizon)),
	gamma_4 = list(function(n) 1e4 * rgamma(n, 4), 1e4 * qgamma(1 / horizon, 4, lower.tail = FALSE)),
	weibull_0.5 = list(function(n) 1e4 * rweibull(n, 0.5), 1e4 * qweibull(1 / horizon, 0.5, lower.tail = FALSE)),
	beta_2_5 = list(function(n) 1e5 * rbeta(n, 2, 5), 1e5 * qbeta(1 / horizon, 2, 5, lower.tail = FALSE)),
	uniform = list(function(n) 1e5 * runif(n), 1e5 * (1 - 1 / horizon)),
	pareto_3 = list(function(n) 1e3 * runif(n)^(-1 / 3), 1e3 * horizon^(1 / 3)),
	mode_20_pct = list(function(n) ifelse(runif(n) < 0.2, 6e4 + 5e3 * rexp(n), rnorm(n, 2e4, 1e3)), 6e4 + 5e3 * log(0.2 * horizon)),
	mode_1_pct = modes(0.01),
	mode_0.1_pct = modes(0.001),
	pareto_pairs = list(function(n) 1e3 * (1 - paired(n))^(-1 / 3), 1e3 * horizon^(1 / 3)),
	normal_ar_0.9 = list(function(n) 1e5 + 1e4 * sqrt(1 - 0.9^2) * as.vector(arima.sim(list(ar = 0.9), n)),
		qnorm(1 / horizon, 1e5, 1e4, lower.tail = FALSE)),
	drifting = list(function(n) growing(n) * rexp(n),
		uniroot(function(q) mean(exp(-q / growing(1000))) * horizon - 1, 1e4 * c(1, 100))$root),
	clock_1_us = list(function(n) 1e3 * round(10 * rgamma(n, 4)), 1e4 * qgamma(1 / horizon, 4, lower.tail = FALSE)),
	# The shorter samples change slowly: samples depend on each other, the longest ones do not.
	slow_body = list(function(n) ifelse(runif(n) < 0.2, 6e4 + 5e3 * rexp(n), 2e4 + 100 * as.vector(arima.sim(list(ar = 0.99), n))),
		6e4 + 5e3 * log(0.2 * horizon)),
	two_5_pct = two(0.05, 50), two_0.5_pct = two(0.005, 100), episodes_1_pct = two(0.01, 50, 50), episodes_10_pct = two(0.1, 50, 200),
	lognormal_cut = cut_at(function(p) 1e4 * qlnorm(p, 0, 0.5)), pareto_cut = cut_at(function(p) 1e3 * (1 - p)^(-1 / 3)),
	t_4 = list(function(n) 1e5 + 1e4 * rt(n, 4), 1e5 + 1e4 * qt(1 / horizon, 4, lower.tail = FALSE)))

if (length(arguments) > 5)
	distributions <- distributions[strsplit(arguments[6], ",")[[1]]]

rows_of <- function(name) max(length(readLines(file.path(directory, paste0(name, ".tsv")))) - 1, 0)
or_none <- function(x) if (length(x) != 1 || is.na(x)) "-" else sprintf("%.0f", x)

# Compute one repetition.
repeat_once <- function(name, i) {
	set.seed(i, "Mersenne-Twister", "Inversion", "Rejection")
	x <- round(distributions[[name]][[1]](n))
	writeLines(sprintf("%.0f", x), series)
	r <- tail_analyse(x, horizon, function(threshold) dependence_above(effective, series, threshold))
	write(c(i, or_none(r$chosen$k), or_none(distributions[[name]][[2]]), if (length(r$failed)) r$failed[1] else "-", or_none(r$level[1]),
		or_none(r$level[2]), or_none(r$level[3])), file.path(directory, paste0(name, ".tsv")), 7, TRUE, "\t")
}

# Compute all repetitions of NAMES.
repeat_all <- function(names) {
	for (name in names)
		if (!file.exists(file.path(directory, paste0(name, ".tsv"))))
			writeLines("repetition\texceedances\ttruth\tfailed\tlevel\tlow\thigh", file.path(directory, paste0(name, ".tsv")))
	at <- vapply(names, rows_of, 0)
	while (any(at < repetitions))
		for (name in names[at == min(at)]) {
			repeat_once(name, at[name] + 1)
			at[name] <- at[name] + 1
		}
}

cores <- as.numeric(Sys.getenv("COVERAGE_CORES", parallel::detectCores()))
series <- tempfile()
lines <- parallel::mclapply(seq_len(cores), function(core) {
	series <<- tempfile()
	repeat_all(names(distributions)[seq_along(distributions) %% cores == core %% cores])
}, mc.cores = cores)
if (any(vapply(lines, inherits, TRUE, "try-error")))
	quit(status = 1)
