# SPDX-License-Identifier: GPL-2.0
# tail-fit.R - analyse the tail of a series of latencies: run the gates, then fit a generalised
# Pareto distribution to the excesses over a threshold. Needs gpd.R, weibull.R.
#
# tail_analyse() is the entry point.

TAIL_TRIES <- 199	# replicates of the parametric bootstrap, to choose the threshold
TAIL_REPLICATES <- 499	# replicates at the chosen threshold
TAIL_MOST <- 500	# maximum number of excesses
TAIL_LEAST <- 50	# minimum number of independent excesses
TAIL_VALUES <- 20	# minimum number of different values among the longest tenth, or TAIL_MOST
TAIL_TABLE <- 30	# minimum number of excesses in the threshold-stability table
# The probability that a gate fails although nothing is wrong:
TAIL_ERROR_TIME <- 0.01	# of the gate stationarity; also of the test whether the longest samples cluster
TAIL_ERROR_FIT <- 0.05
TAIL_ERROR_STABILITY <- 0.05
TAIL_ERROR_MAXIMUM <- 0.02
TAIL_HEAVIEST <- 1	# from this shape on the distribution has no mean
TAIL_WIDEST <- 10	# the largest ratio of the interval's ends
TAIL_SHAPES <- 0.02	# step between the shapes of references
# Each end of the interval misses the truth with this probability, if the fitted kind of tail is the
# true one.
TAIL_ERROR_END <- 0.025
TAIL_NEAR <- 0.5	# negative logarithm of the threshold's probability in a distribution that begins just below it
TAIL_WORSE <- 9	# a likelihood ratio statistic that chance does not explain

# Measure the dependence of all samples on earlier ones, by ranks without ties. It is reported, but
# it is not a gate: latencies may depend on earlier ones as long as the longest do not.
dependence <- function(x) {
	ranks <- order(order(x))
	lags <- 20
	r <- acf(ranks, lag.max = lags, plot = FALSE)$acf[-1]
	list(lag1 = r[1], p = Box.test(ranks, lags, "Ljung-Box")$p.value)
}

# Return p of the test for dependence that all commands use (tools/analyse/dependence.h): the
# probability that chance puts so many of the samples above the threshold together, or more. file:
# the samples, in the order of recording.
dependence_above <- function(effective, file, threshold) {
	said <- system2(effective, c("-l", sprintf("%.0f", floor(threshold)), shQuote(file)), stdout = TRUE)
	p <- read.delim(text = said, colClasses = "character")$p
	if (p == "-") 1 else as.numeric(p)
}

# Estimate the extremal index of the samples above a threshold from the gaps between them (Ferro and
# Segers, 2003). It is 1 if they do not cluster, and 1 over the mean size of a cluster if they do.
extremal_index <- function(x, threshold) {
	at <- which(x > threshold)
	gaps <- diff(at)
	index <- if (max(gaps) > 2) 2 * sum(gaps - 1)^2 / (length(gaps) * sum((gaps - 1) * (gaps - 2))) else
		2 * sum(gaps)^2 / (length(gaps) * sum(gaps^2))
	list(index = min(1, index), at = at, gaps = gaps)
}

# Return the position of the longest sample of each cluster. The longest gaps separate clusters;
# their number follows from the extremal index. Of equal gaps, either all separate clusters or none
# does.
cluster_maxima <- function(x, c) {
	wanted <- floor(c$index * length(c$at))
	sorted <- sort(c$gaps, decreasing = TRUE)
	limit <- if (wanted < 1) Inf else sorted[min(wanted, length(sorted))]
	if (wanted < length(sorted) && wanted >= 1 && sorted[wanted + 1] == limit)
		separates <- c$gaps > limit
	else
		separates <- c$gaps >= limit
	cluster <- cumsum(c(1, separates))
	at <- tapply(c$at, cluster, function(i) i[which.max(x[i])])
	as.vector(at)
}

# Compare both halves of the recording: how many of the longest samples each has, and how long they
# are. at: the positions of the longest samples, or of the longest sample of each cluster.
gate_stationarity <- function(x, at) {
	n <- length(x)
	first <- seq_len(n) <= n / 2
	in_first <- at <= n / 2
	count <- binom.test(sum(in_first), length(at), sum(first) / n)$p.value
	excess <- 1
	if (min(sum(in_first), sum(!in_first)) > 9)
		excess <- suppressWarnings(ks.test(x[at][in_first], x[at][!in_first], exact = FALSE))$p.value
	# Bonferroni correction for two tests.
	p <- min(1, 2 * min(count, excess))
	list(p = p, failed = p < TAIL_ERROR_TIME)
}

# Return the step of the clock. The caller spreads values over this step, so equal values become
# different, and no value moves further than the resolution of the clock.
resolution <- function(decreasing) {
	steps <- -diff(decreasing)
	min(steps[steps > 0])
}

# Return the numbers of excesses to try: MOST, then each smaller by a factor of sqrt(2).
ladder <- function(most) {
	k <- round(most / sqrt(2)^(0:20))
	k[k >= TAIL_TABLE]
}

# Return the excesses of the k greatest values over the next one, the threshold. decreasing: the
# sorted values.
excesses <- function(decreasing, k)
	list(threshold = decreasing[k + 1], k = k, x = matrix(decreasing[seq_len(k)] - decreasing[k + 1]))

fitted_excesses <- function(decreasing, k) {
	e <- excesses(decreasing, k)
	e$fit <- gpd_fit(e$x)
	e
}

# --- references: samples of the generalised Pareto distribution with a shape and scale 1, fitted
# like the data

# Seed the generator, so that a reference has the same random numbers each time it is made.
repeatable <- function() set.seed(1, "Mersenne-Twister", "Inversion", "Rejection")

reference_samples <- function(shape, k, times) {
	repeatable()
	gpd_random(k, times, shape, 1)
}

# References are kept. Shapes that round to the same multiple of TAIL_SHAPES share one.
references <- new.env()

reference_of <- function(shape, k, times) {
	shape <- max(-1, round(shape / TAIL_SHAPES) * TAIL_SHAPES)
	key <- paste(shape, k, times)
	if (is.null(references[[key]])) {
		r <- list(key = key, shape = shape, k = k, times = times)
		samples <- reference_samples(shape, k, times)
		r$refit <- gpd_refit(samples, shape, 1)
		r$distances <- gpd_distance(samples, r$refit$shape, r$refit$scale)
		references[[key]] <- r
	}
	references[[key]]
}

# Return make(samples, reference) for a reference. It is computed once, and kept under the name
# WHAT.
of_reference <- function(r, what, make) {
	key <- paste(r$key, what)
	if (is.null(references[[key]]))
		references[[key]] <- make(reference_samples(r$shape, r$k, r$times), r)
	references[[key]]
}

# Fit the excesses, and compare the fit with those of a reference. index: the extremal index. k
# excesses are worth k * index independent ones, and their distance from the fit is multiplied by
# the index, too.
candidate <- function(decreasing, k, index, times) {
	e <- fitted_excesses(decreasing, k)
	e$alike <- max(round(k * index), 1)
	e$index <- index
	e$reference <- reference_of(e$fit$shape, e$alike, times)
	e$distance <- gpd_distance(e$x, e$fit$shape, e$fit$scale) * index
	e$ad_p <- (1 + sum(e$reference$distances >= e$distance)) / (times + 1)
	e
}

# Return the excesses of the k greatest values of each sorted column over the next value.
top_of <- function(sorted, k) sorted[seq_len(k), , drop = FALSE] - rep(sorted[k + 1, ], each = k)

# Test whether the shape changes more with fewer excesses than it would if the fit were true. p is the
# share of replicates whose drift over all higher thresholds is at least as far from the replicates'
# mean as the drift of the data (Mahalanobis distance).
stability <- function(decreasing, e, ks) {
	ks <- ks[ks < e$k]
	alike <- round(ks * e$index)
	ks <- ks[alike >= TAIL_TABLE]
	alike <- alike[alike >= TAIL_TABLE]
	if (!length(ks))
		return(list(p = NA, ks = ks, low = NULL, high = NULL))
	shapes <- vapply(ks, function(k) gpd_fit(excesses(decreasing, k)$x)$shape, 0)
	drift <- of_reference(e$reference, paste("drift", paste(alike, collapse = " ")), function(samples, r) {
		sorted <- matrix(samples[order(col(samples), -samples)], r$k)
		matrix(vapply(alike, function(k) gpd_refit(top_of(sorted, k), r$refit$shape, r$refit$scale +
			r$refit$shape * sorted[k + 1, ])$shape - r$refit$shape, r$refit$shape), ncol = length(alike))
	})
	centre <- colMeans(drift)
	covariance <- cov(drift) + diag(1e-10, length(ks))
	far <- mahalanobis(rbind(shapes - e$fit$shape, drift), centre, covariance)
	p <- (1 + sum(far[-1] >= far[1])) / length(far)
	band <- apply(drift, 2, quantile, c(0.025, 0.975)) + e$fit$shape
	list(p = p, ks = ks, low = band[1, ], high = band[2, ])
}

# Return how many of the excesses are expected beyond the longest one.
beyond_longest <- function(x, shape, scale, alike) alike * (1 - as.vector(gpd_probability(t(columns_max(x)), shape, scale)))

# Test whether the longest sample contradicts the fit, because it is too short or too long for so many
# excesses. Latencies that cannot exceed a limit end too early; those with a second, rarer cause too late.
maximum_p <- function(e) {
	expected <- of_reference(e$reference, "maximum", function(samples, r)
		beyond_longest(samples, r$refit$shape, r$refit$scale, r$k))
	found <- beyond_longest(e$x, e$fit$shape, e$fit$scale, e$alike)
	min(1, 2 * (1 + min(sum(expected <= found), sum(expected >= found))) / (length(expected) + 1))
}

# Return the cuts: the likelihood ratios at the lower and the upper end of the interval. They come from
# the reference for two reasons. A level far out is estimated too low more often than too high. Below
# a shape of -1/2 no theorem says that chi-squared gives the cut. The simulation also draws the share
# of samples beyond the threshold, because this share is random, too.
calibrated <- function(e, n, m) {
	roots <- of_reference(e$reference, paste("roots", n, m), function(samples, r) {
		times <- ncol(samples)
		truth <- gpd_level(r$shape, 1, m * n / e$k * rbeta(times, r$k + 1, n * e$index - r$k))
		width <- 6 / sqrt(r$k)
		ratios <- gpd_ratio_level(samples, r$refit, truth, m, max(-1, r$shape - width), r$shape + width + 0.1, 11, 14)
		sign(gpd_level(r$refit$shape, r$refit$scale, m) - truth) * sqrt(ratios)
	})
	# Type 6: one more root would be beyond the quantile with this probability.
	ends <- quantile(roots, c(1 - TAIL_ERROR_END, TAIL_ERROR_END), names = FALSE, type = 6)
	list(low = max(ends[1], 0)^2, high = min(ends[2], 0)^2)
}

# Return where f, which is 0 at the centre, reaches the cut; NA if that is beyond the bound.
reach <- function(f, centre, bound, cut) {
	if (f(centre) >= cut)
		return(centre)
	if (f(bound) <= cut)
		return(NA)
	uniroot(function(x) f(x) - cut, sort(c(centre, bound)), tol = 1e-3 * abs(centre - bound))$root
}

# Return the interval of levels whose likelihood ratio is below the cuts.
interval_of <- function(level, ratio, cuts) {
	high <- level
	for (i in 1:40) {
		high <- high * 1.5
		if (ratio(high) > cuts$high)
			break
	}
	c(reach(ratio, level, level * 1e-3, cuts$low), reach(ratio, level, high, cuts$high))
}

# Return the interval of the level for a Pareto tail. Clustered excesses contain less information
# than as many independent ones, so their likelihood ratio is multiplied by the extremal index.
level_interval <- function(e, m, cuts, index = 1) {
	top <- max(e$x)
	row <- t(e$x)
	profile <- function(level) {
		width <- 0.5 + 6 / sqrt(length(e$x))
		best <- optimize(function(shape) max(gpd_loglik(row, top, shape, level / gpd_level(shape, 1, m)), -1e300),
			c(max(-1, e$fit$shape - width), e$fit$shape + width), maximum = TRUE, tol = 1e-3)
		max(2 * (e$fit$loglik - best$objective), 0)
	}
	interval_of(gpd_level(e$fit$shape, e$fit$scale, m), function(y) index * profile(y), cuts)
}

# Return the interval for a generalised Weibull tail, or NULL if the tail certainly is not of that
# kind.
weibull_interval <- function(e, m, cuts, index, c) {
	x <- e$x[, 1]
	fit <- weibull_fit(x, c)
	if (2 * index * (e$fit$loglik - fit$loglik) > TAIL_WORSE)
		return(NULL)
	interval_of(weibull_level(fit$theta, fit$scale, c, m), function(y) index * weibull_ratio_level(x, fit, y, c, m), cuts)
}

# Return shape and scale with the interval of the shape. evd computes them if the excesses are
# independent and its theory holds. Otherwise our own likelihood does, whose shape is at least -1.
shape_interval <- function(e, index) {
	if (e$fit$shape > -0.5 && index == 1) {
		found <- tryCatch(evd_shape(e$x[, 1], e$fit), error = function(problem) NULL)
		if (!is.null(found) && !anyNA(found) && abs(found["shape"] - e$fit$shape) < 0.01)
			return(found)
	}
	ratio <- function(shape) index * gpd_ratio_shape(e$x, e$fit, shape)
	cut <- qchisq(0.95, 1)
	low <- if (e$fit$shape > -1) reach(ratio, e$fit$shape, -1, cut) else NA
	high <- reach(ratio, e$fit$shape, e$fit$shape + 4, cut)
	c(shape = e$fit$shape, low = if (is.na(low)) -1 else low, high = high, scale = e$fit$scale)
}

# The output of evd is discarded. Its optimiser needs numbers near 1 and a start near the maximum.
# Its search for the end of the profile must stop at -1, because the likelihood grows without bound
# below.
evd_shape <- function(x, near) {
	unit <- mean(x)
	capture.output(suppressWarnings({
		fit <- evd::fpot(x / unit, 0, start = list(scale = near$scale / unit, shape = near$shape), npp = 1)
		interval <- confint(profile(fit, which = "shape", conf = 0.99, xmin = -1, xmax = near$shape + 4))
	}))
	c(fit$estimate["shape"], low = interval[1], high = interval[2], unit * fit$estimate["scale"])
}

# Return the p-values of fits to fewer and fewer excesses, up to the first good fit.
try_fits <- function(decreasing, ks, index) {
	p <- c()
	for (k in ks[round(ks * index) >= TAIL_LEAST]) {
		# A few replicates suffice to reject a bad fit: it is further off than all of them.
		# A good fit hardly ever is (one of 650: 0.95^50 / 50).
		few <- TAIL_TRIES %/% 4
		found <- candidate(decreasing, k, index, few)$ad_p
		if (found * (few + 1) > 1.5)
			found <- candidate(decreasing, k, index, TAIL_TRIES)$ad_p
		p <- c(p, found)
		if (found >= TAIL_ERROR_FIT)
			break
	}
	p
}

# Analyse the tail of x, for the latency that is exceeded once in HORIZON wake-ups.
# clusters(threshold) calls dependence_above() for these samples.
tail_analyse <- function(x, horizon, clusters) {
	n <- length(x)
	decreasing <- sort(x, decreasing = TRUE)
	r <- list(n = n, max = decreasing[1], distinct = sum(diff(decreasing) != 0) + 1, horizon = horizon)
	if (max(abs(x)) > 2^53)
		return(c(r, failed = "range"))
	if (r$distinct < 2)
		return(c(r, failed = "spread"))
	if (n < 20 * TAIL_LEAST)
		return(c(r, failed = "samples"))
	most <- min(n %/% 10, TAIL_MOST)
	tail_distinct <- length(unique(decreasing[seq_len(most)]))
	x <- x + (runif(n) - 0.5) * resolution(decreasing)
	r$dependence <- dependence(x)
	r$decreasing <- sort(x, decreasing = TRUE)
	r$clusters_p <- clusters(r$decreasing[most + 1])
	c <- extremal_index(x, r$decreasing[most + 1])
	clustered <- r$clusters_p < TAIL_ERROR_TIME
	r$index <- if (clustered) c$index else 1
	# Keep one sample of each cluster.
	at <- if (clustered) cluster_maxima(x, c) else c$at
	r$clusters <- length(at)
	if (length(at) < TAIL_LEAST)
		return(c(r, failed = "clusters"))
	r$ks <- ladder(most)
	r$stationarity <- gate_stationarity(x, at)
	r$failed <- c(if (tail_distinct < TAIL_VALUES) "spread", if (r$stationarity$failed) "stationarity")
	if (tail_distinct < TAIL_VALUES)
		return(r)
	# Without a good fit, take the best one.
	r$tried <- try_fits(r$decreasing, r$ks, r$index)
	e <- candidate(r$decreasing, r$ks[which.max(r$tried)], r$index, TAIL_REPLICATES)
	r$stability <- stability(r$decreasing, e, r$ks)
	r$chosen <- e
	m <- horizon * e$k / n
	r$maximum_p <- maximum_p(e)
	r$failed <- c(r$failed, if (e$ad_p < TAIL_ERROR_FIT / 2) "fit",
		if (!is.na(r$stability$p) && r$stability$p < TAIL_ERROR_STABILITY) "stability",
		if (r$maximum_p < TAIL_ERROR_MAXIMUM) "maximum", if (e$fit$shape >= TAIL_HEAVIEST) "shape", if (m <= 1) "horizon")
	if (length(r$failed))
		return(r)
	cuts <- calibrated(e, n, m)
	r$pareto <- level_interval(e, m, cuts, r$index)
	r$weibull <- weibull_interval(e, m, cuts, r$index, log(n / e$k))
	# At a lower threshold the fit was bad, so another distribution lies below. It is unknown
	# where the tail's own distribution begins, so also let it begin just below the threshold.
	if (e$k < r$ks[1])
		r$weibull <- rbind(r$weibull, weibull_interval(e, m, cuts, r$index, TAIL_NEAR))
	# The data do not distinguish the kinds of tail, so the interval extends from the lowest end
	# to the highest.
	ends <- rbind(r$pareto, r$weibull)
	level <- e$threshold + c(gpd_level(e$fit$shape, e$fit$scale, m), min(ends[, 1]), max(ends[, 2]))
	if (anyNA(level) || level[3] > TAIL_WIDEST * abs(level[2]))
		return(c(r, failed = "interval"))
	r$level <- level
	r
}
