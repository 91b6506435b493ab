# SPDX-License-Identifier: GPL-2.0
# tail-fit.R - what can be said about the tail of a series of latencies: gates first, then a generalised Pareto
# distribution fitted to the excesses over a threshold. Needs gpd.R.
#
# tail_analyse(x, horizon) is the way in; x in the order of recording.

TAIL_TRIES <- 199	# replicates of the parametric bootstrap, to choose the threshold
TAIL_REPLICATES <- 499	# and at the chosen one
TAIL_MOST <- 500	# excesses
TAIL_LEAST <- 50
TAIL_VALUES <- 20	# different ones among the longest tenth
TAIL_TABLE <- 30	# the fewest in the threshold-stability table
# Probabilities of each gate to fail although nothing is wrong.
TAIL_ERROR_TIME <- 0.01	# stationarity; and that the longest are declustered though they do not cluster
TAIL_ERROR_FIT <- 0.05
TAIL_ERROR_STABILITY <- 0.05

# Of all samples, ranked, so that no two are equal: reported, and no gate. Latencies may depend on those before them as long as
# the longest do not.
dependence <- function(x) {
	ranks <- order(order(x))
	lags <- 20
	r <- acf(ranks, lag.max = lags, plot = FALSE)$acf[-1]
	list(lag1 = r[1], p = Box.test(ranks, lags, "Ljung-Box")$p.value)
}

# Do the samples above a threshold cluster? Their extremal index is 1 if not, and 1 over the mean size of a cluster if so:
# estimated from the gaps between them (Ferro and Segers, 2003). p: of so many short gaps, no longer than a tenth of the mean gap,
# or of 1, by chance.
clustering <- function(x, threshold) {
	at <- which(x > threshold)
	gaps <- diff(at)
	share <- length(at) / length(x)
	width <- max(1, floor(0.1 / share))
	p <- binom.test(sum(gaps <= width), length(gaps), 1 - (1 - share)^width, "greater")$p.value
	index <- if (max(gaps) > 2) 2 * sum(gaps - 1)^2 / (length(gaps) * sum((gaps - 1) * (gaps - 2))) else
		2 * sum(gaps)^2 / (length(gaps) * sum(gaps^2))
	list(index = min(1, index), p = p, at = at, gaps = gaps)
}

# The longest of each cluster, where it is. As many of the longest gaps as the extremal index says separate clusters; of equal
# ones all or none.
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

# Both halves: how many of the longest (or of their clusters, of each the one at which it is longest) are in them, and how long
# those are.
gate_stationarity <- function(x, at) {
	n <- length(x)
	first <- seq_len(n) <= n / 2
	in_first <- at <= n / 2
	count <- binom.test(sum(in_first), length(at), sum(first) / n)$p.value
	excess <- 1
	if (min(sum(in_first), sum(!in_first)) > 9)
		excess <- suppressWarnings(ks.test(x[at][in_first], x[at][!in_first], exact = FALSE))$p.value
	# Two tests: Bonferroni.
	p <- min(1, 2 * min(count, excess))
	list(p = p, failed = p < TAIL_ERROR_TIME)
}

# Clocks count in steps. Spread over their step, equal values are no longer equal, and no value moves further than
# the clock left open.
resolution <- function(decreasing) {
	steps <- -diff(decreasing)
	min(steps[steps > 0])
}

# Numbers of excesses to try: MOST, then fewer by a factor of sqrt(2).
ladder <- function(most) {
	k <- round(most / sqrt(2)^(0:20))
	k[k >= TAIL_TABLE]
}

# The k greatest values over the one below them, which is the threshold. decreasing: sorted so.
excesses <- function(decreasing, k)
	list(threshold = decreasing[k + 1], k = k, x = matrix(decreasing[seq_len(k)] - decreasing[k + 1]))

fitted_excesses <- function(decreasing, k) {
	e <- excesses(decreasing, k)
	e$fit <- gpd_fit(e$x)
	e
}

# With replicates: samples of the fitted distribution, fitted like the data.
candidate <- function(decreasing, k, replicates) {
	e <- fitted_excesses(decreasing, k)
	e$samples <- gpd_random(k, replicates, e$fit$shape, e$fit$scale)
	e$refit <- gpd_refit(e$samples, e$fit$shape, e$fit$scale)
	e$distance <- gpd_distance(e$x, e$fit$shape, e$fit$scale)
	distances <- gpd_distance(e$samples, e$refit$shape, e$refit$scale)
	e$ad_p <- (1 + sum(distances >= e$distance)) / (replicates + 1)
	e
}

# Of a sample of excesses in each column, the k greatest, over the next.
top_of <- function(sorted, k) sorted[seq_len(k), , drop = FALSE] - rep(sorted[k + 1, ], each = k)

# Does the shape stay, for fewer excesses, where it would if the fit were true? Its drift over all thresholds above, as
# far (Mahalanobis) from the mean of the replicates' as few of those are?
stability <- function(decreasing, e, ks) {
	ks <- ks[ks < e$k]
	if (!length(ks))
		return(list(p = NA, ks = ks, low = NULL, high = NULL))
	sorted <- matrix(e$samples[order(col(e$samples), -e$samples)], e$k)
	shapes <- vapply(ks, function(k) gpd_fit(excesses(decreasing, k)$x)$shape, 0)
	drift <- matrix(vapply(ks, function(k) gpd_refit(top_of(sorted, k), e$refit$shape, e$refit$scale +
		e$refit$shape * sorted[k + 1, ])$shape - e$refit$shape, e$refit$shape), ncol = length(ks))
	centre <- colMeans(drift)
	covariance <- cov(drift) + diag(1e-10, length(ks))
	far <- mahalanobis(rbind(shapes - e$fit$shape, drift), centre, covariance)
	p <- (1 + sum(far[-1] >= far[1])) / length(far)
	band <- apply(drift, 2, quantile, c(0.025, 0.975)) + e$fit$shape
	list(p = p, ks = ks, low = band[1, ], high = band[2, ])
}

# The cuts of a likelihood ratio at both ends of the interval, each of which misses the truth with 2.5 %: from the
# replicates, because a level far out is rather estimated too low than too high, and because below a shape of -1/2 no
# theorem says that the cut is that of chi-squared. The share of samples beyond the threshold is random as well.
calibrated <- function(e, n, horizon) {
	shape <- e$fit$shape
	m <- horizon * e$k / n
	# A cluster counts once.
	alike <- e$above / e$k
	truth <- gpd_level(shape, e$fit$scale, horizon * rbeta(ncol(e$samples), e$k + 1, n / alike - e$k))
	width <- 6 / sqrt(e$k)
	ratios <- gpd_ratio_level(e$samples, e$refit, truth, m, max(-1, shape - width), shape + width + 0.1, 11, 14)
	roots <- sign(gpd_level(e$refit$shape, e$refit$scale, m) - truth) * sqrt(ratios)
	# Type 6: a further root is beyond it with this probability.
	ends <- quantile(roots, c(0.975, 0.025), names = FALSE, type = 6)
	list(low = max(ends[1], 0)^2, high = min(ends[2], 0)^2)
}

# Where a function of one number that is 0 at its centre reaches the cut.
reach <- function(f, centre, bound, cut) {
	if (f(centre) >= cut)
		return(centre)
	if (f(bound) <= cut)
		return(NA)
	uniroot(function(x) f(x) - cut, sort(c(centre, bound)), tol = 1e-3 * abs(centre - bound))$root
}

level_interval <- function(e, m, cuts) {
	level <- gpd_level(e$fit$shape, e$fit$scale, m)
	ratio <- function(y) gpd_ratio_level(e$x, e$fit, y, m)
	high <- level
	for (i in 1:40) {
		high <- high * 1.5
		if (ratio(high) > cuts$high)
			break
	}
	c(reach(ratio, level, level * 1e-3, cuts$low), reach(ratio, level, high, cuts$high))
}

# Shape and scale with the interval of the shape: by evd where the theory holds that it uses, otherwise by our own
# likelihood, whose shape ends at -1.
shape_interval <- function(e) {
	if (e$fit$shape > -0.5) {
		found <- tryCatch(evd_shape(e$x[, 1], e$fit), error = function(problem) NULL)
		if (!is.null(found) && !anyNA(found) && abs(found["shape"] - e$fit$shape) < 0.01)
			return(found)
	}
	ratio <- function(shape) gpd_ratio_shape(e$x, e$fit, shape)
	cut <- qchisq(0.95, 1)
	low <- if (e$fit$shape > -1) reach(ratio, e$fit$shape, -1, cut) else NA
	high <- reach(ratio, e$fit$shape, e$fit$shape + 4, cut)
	c(shape = e$fit$shape, low = if (is.na(low)) -1 else low, high = high, scale = e$fit$scale)
}

# evd prints what it does; its optimiser wants numbers near 1, and stops early if it starts far off.
# Its search for the end of the profile has none below -1, where the likelihood grows for ever.
evd_shape <- function(x, near) {
	unit <- mean(x)
	capture.output(suppressWarnings({
		fit <- evd::fpot(x / unit, 0, start = list(scale = near$scale / unit, shape = near$shape), npp = 1)
		interval <- confint(profile(fit, which = "shape", conf = 0.99, xmin = -1, xmax = near$shape + 4))
	}))
	c(fit$estimate["shape"], low = interval[1], high = interval[2], unit * fit$estimate["scale"])
}

# p-values of fits to fewer and fewer excesses, up to the first that is good.
try_fits <- function(decreasing, ks) {
	p <- c()
	for (k in ks[ks >= TAIL_LEAST]) {
		# A bad fit is further off than each of a few replicates; a good one hardly ever (one of 650: 0.95^50 / 50).
		few <- TAIL_TRIES %/% 4
		found <- candidate(decreasing, k, few)$ad_p
		if (found * (few + 1) > 1.5)
			found <- candidate(decreasing, k, TAIL_TRIES)$ad_p
		p <- c(p, found)
		if (found >= TAIL_ERROR_FIT)
			break
	}
	p
}

tail_analyse <- function(x, horizon) {
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
	all_decreasing <- sort(x, decreasing = TRUE)
	c <- clustering(x, all_decreasing[most + 1])
	r$clusters_p <- c$p
	r$index <- if (c$p < TAIL_ERROR_TIME) c$index else 1
	r$decreasing <- all_decreasing
	at <- c$at
	if (c$p < TAIL_ERROR_TIME) {
		# One of each cluster, and one below to be the threshold.
		at <- cluster_maxima(x, c)
		r$decreasing <- c(sort(x[at], decreasing = TRUE), all_decreasing[most + 1])
		most <- length(at)
	}
	r$clusters <- length(at)
	if (most < TAIL_LEAST)
		return(c(r, failed = "clusters"))
	r$ks <- ladder(most)
	r$stationarity <- gate_stationarity(x, at)
	r$failed <- c(if (tail_distinct < TAIL_VALUES) "spread", if (r$stationarity$failed) "stationarity")
	if (tail_distinct < TAIL_VALUES)
		return(r)
	# The best of them, if none is good.
	r$tried <- try_fits(r$decreasing, r$ks)
	e <- candidate(r$decreasing, r$ks[which.max(r$tried)], TAIL_REPLICATES)
	e$above <- sum(x > e$threshold)
	r$stability <- stability(r$decreasing, e, r$ks)
	r$chosen <- e
	m <- horizon * e$above / n
	r$failed <- c(r$failed, if (e$ad_p < TAIL_ERROR_FIT / 2) "fit",
		if (!is.na(r$stability$p) && r$stability$p < TAIL_ERROR_STABILITY) "stability", if (m <= 1) "horizon")
	if (length(r$failed))
		return(r)
	cuts <- calibrated(e, n, horizon)
	r$level <- e$threshold + c(gpd_level(e$fit$shape, e$fit$scale, m), level_interval(e, m, cuts))
	r
}
