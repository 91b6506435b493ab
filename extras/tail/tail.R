# SPDX-License-Identifier: GPL-2.0
# tail.R LIB STRATA.TSV DIRECTORY HORIZON OUTPUT EFFECTIVE - fits the tail of each stratum
# (tools/tail-strata) and writes tail.tsv, tail-stability.tsv and tail-qq.tsv into OUTPUT. Prints the
# number of the current stratum.

if (!requireNamespace("evd", quietly = TRUE))
	quit(status = 4)
# Most time goes into vector operations: compiling the loops around them takes longer than it saves.
invisible(compiler::enableJIT(0))
arguments <- commandArgs(TRUE)
for (part in c("gpd.R", "weibull.R", "tail-fit.R"))
	source(file.path(arguments[1], part))
# A name may contain quotes.
strata <- read.delim(arguments[2], colClasses = "character", quote = "", na.strings = character())
directory <- arguments[3]
horizon <- as.numeric(arguments[4])
output <- arguments[5]
effective <- arguments[6]

absent <- function(x) is.null(x) || length(x) != 1 || is.na(x)
tenths <- function(x) if (absent(x)) "-" else sub("\\.0$", "", sprintf("%.1f", x))
digits <- function(x) if (absent(x)) "-" else sprintf("%.4f", x)
# A double cannot resolve a probability below 1e-16.
probability <- function(x)
	if (absent(x)) "-" else if (x < 1e-16) "0" else if (x < 1e-4) sprintf("%.0e", x) else sprintf("%.4f", x)
count <- function(x) if (absent(x)) "-" else sprintf("%.0f", x)

# uncertainty: the largest error of a sample, in ns; NA: not recorded. It moves no level by more than itself.
row_of <- function(key, cpus, r, uncertainty) {
	e <- r$chosen
	if (!absent(r$level[1]) && !is.na(uncertainty))
		r$level <- r$level + c(0, -uncertainty, uncertainty)
	shape <- if (is.null(e)) NULL else as.list(shape_interval(e, r$index))
	c(key, n = count(r$n), max_ns = tenths(r$max), horizon = count(horizon),
		result = if (length(r$failed)) "NOT ESTIMABLE" else "estimable",
		failed = if (length(r$failed)) paste(r$failed, collapse = ",") else "-",
		distinct = count(r$distinct), lag1 = digits(r$dependence$lag1), ljung_box_p = probability(r$dependence$p),
		clusters_p = probability(r$clusters_p), extremal_index = digits(r$index), clusters = count(r$clusters),
		halves_p = probability(r$stationarity$p), threshold_ns = tenths(e$threshold), exceedances = count(e$k),
		shape = digits(shape$shape), shape_low = digits(shape$low), shape_high = digits(shape$high),
		scale_ns = tenths(shape$scale), ad_p = probability(e$ad_p), stability_p = probability(r$stability$p),
		maximum_p = probability(r$maximum_p),
		level_ns = tenths(r$level[1]), level_low_ns = tenths(r$level[2]), level_high_ns = tenths(r$level[3]),
		uncertainty_ns = count(uncertainty), cpus = cpus)
}

stability_rows <- function(key, r) {
	lapply(r$ks, function(k) {
		e <- fitted_excesses(r$decreasing, k)
		shape <- as.list(shape_interval(e, r$index))
		above <- match(k, r$stability$ks)
		c(key, threshold_ns = tenths(e$threshold), exceedances = count(k), shape = digits(shape$shape),
			shape_low = digits(shape$low), shape_high = digits(shape$high),
			expected_low = digits(r$stability$low[above]), expected_high = digits(r$stability$high[above]),
			ad_p = probability(r$tried[match(k, r$ks)]), chosen = count(k == r$chosen$k))
	})
}

# Return the quantiles of the fit and of the samples, and the interval that contains 95 % of the
# quantiles of the replicates.
qq_rows <- function(key, r) {
	e <- r$chosen
	ranks <- unique(round(seq(1, e$k, length.out = min(e$k, 500))))
	model <- gpd_level(e$fit$shape, e$fit$scale, 1 / (1 - (ranks - 0.5) / e$k))
	# Clustered excesses vary as much as a smaller number of independent excesses.
	samples <- reference_samples(e$reference$shape, e$reference$k, e$reference$times) * e$fit$scale
	samples <- apply(samples, 2, quantile, (ranks - 0.5) / e$k, names = FALSE, type = 5)
	band <- apply(samples, 1, quantile, c(0.025, 0.975))
	data <- sort(e$x)[ranks]
	lapply(seq_along(ranks), function(i) c(key, rank = count(ranks[i]), model_ns = tenths(e$threshold + model[i]),
		sample_ns = tenths(e$threshold + data[i]), low_ns = tenths(e$threshold + band[1, i]),
		high_ns = tenths(e$threshold + band[2, i])))
}

write_rows <- function(name, header, rows) {
	lines <- vapply(rows, paste, "", collapse = "\t")
	out <- file(file.path(output, name), "w")
	writeLines(c(paste(header, collapse = "\t"), lines), out)
	close(out)
}

keys <- c("state", "source", "reached", "metric")
tails <- stabilities <- quantiles <- list()
for (i in seq_len(nrow(strata))) {
	s <- strata[i, ]
	cat(i, "of", nrow(strata), s$name, "\n")
	key <- c(s$name, s$source, s$reached, s$metric)
	file <- file.path(directory, s$file)
	repeatable()
	r <- tail_analyse(scan(file, quiet = TRUE), horizon, function(threshold) dependence_above(effective, file, threshold))
	tails <- c(tails, list(row_of(key, s$cpus, r, suppressWarnings(as.numeric(s$uncertainty)))))
	if (is.null(r$chosen))
		next
	stabilities <- c(stabilities, stability_rows(key, r))
	quantiles <- c(quantiles, qq_rows(key, r))
}
write_rows("tail.tsv", c(keys, names(tails[[1]])[-(1:4)]), tails)
write_rows("tail-stability.tsv", c(keys, "threshold_ns", "exceedances", "shape", "shape_low", "shape_high", "expected_low",
	"expected_high", "ad_p", "chosen"), stabilities)
write_rows("tail-qq.tsv", c(keys, "rank", "model_ns", "sample_ns", "low_ns", "high_ns"), quantiles)
