# SPDX-License-Identifier: GPL-2.0
# gpd.R - likelihood of the generalised Pareto distribution for many samples at once: a matrix with
# a sample of excesses (above 0) in each column. The parametric bootstrap needs thousands of fits.
#
# The shape is at least -1. Below -1 the likelihood has no maximum (Smith 1985, Biometrika 72).

# Return yes where test holds, else no: ifelse for vectors of one length, in a third of the time.
pick <- function(test, yes, no) {
	no[test] <- yes[test]
	no
}

# Maximise f over each element's own interval [low, high]: a grid, then golden sections around the
# best point.
# f takes and returns vectors; where it is not defined it returns -Inf.
maximise <- function(f, low, high, points, sections) {
	step <- (high - low) / (points - 1)
	best <- low
	value <- f(low)
	for (i in seq_len(points - 1)) {
		at <- low + i * step
		v <- f(at)
		better <- v > value
		best[better] <- at[better]
		value[better] <- v[better]
	}
	ratio <- (sqrt(5) - 1) / 2
	a <- pmax(best - step, low)
	b <- pmin(best + step, high)
	p <- b - ratio * (b - a)
	q <- a + ratio * (b - a)
	vp <- f(p)
	vq <- f(q)
	for (i in seq_len(sections)) {
		left <- vp >= vq
		b <- pick(left, q, b)
		a <- pick(left, a, p)
		new <- pick(left, b - ratio * (b - a), a + ratio * (b - a))
		v <- f(new)
		kept <- pick(left, p, q)
		vkept <- pick(left, vp, vq)
		p <- pick(left, new, kept)
		vp <- pick(left, v, vkept)
		q <- pick(left, kept, new)
		vq <- pick(left, vkept, v)
	}
	at <- pick(vp >= vq, p, q)
	v <- pmax(vp, vq)
	list(at = pick(v >= value, at, best), value = pmax(v, value))
}

columns_max <- function(x) x[cbind(max.col(t(x), "first"), seq_len(ncol(x)))]

# Return the shape, scale and log likelihood of the maximum-likelihood fit to each column.
# Grimshaw's method searches in one dimension (1993, Technometrics 35): with b = shape / scale, the
# best shape is the mean of log(1 + b x).
gpd_fit <- function(x) gpd_search(x, rep_len(-14, ncol(x)), rep_len(16, ncol(x)), 31, 24)

# Return the same for samples of a known distribution. It is faster, as it searches near that
# distribution.
gpd_refit <- function(x, shape, scale) {
	s <- log1p(pmax(columns_max(x) * shape / scale, -1 + 1e-6))
	gpd_search(x, s - 4, s + 4, 11, 12)
}

gpd_search <- function(x, low, high, points, sections) {
	k <- nrow(x)
	top <- columns_max(x)
	# With a sample in each row, R multiplies it by its own factor without copies of that factor.
	x <- t(x) / top
	means <- rowMeans(x)
	shape_of <- function(b) rowMeans(log1p(x * b))
	profile <- function(s) {
		b <- expm1(s)
		shape <- shape_of(b)
		value <- -log(shape / b) - shape - 1
		flat <- abs(b) < 1e-9
		value[flat] <- -log(means[flat]) - 1
		value[shape < -1 | is.nan(value)] <- -Inf
		value
	}
	found <- maximise(profile, low, high, points, sections)
	b <- expm1(found$at)
	shape <- shape_of(b)
	scale <- ifelse(abs(b) < 1e-9, means, shape / b)
	# A shape of -1 is the uniform distribution up to the greatest value.
	edge <- found$value < 0
	list(shape = ifelse(edge, -1, shape), scale = ifelse(edge, 1, scale) * top,
		loglik = k * (pmax(found$value, 0) - log(top)))
}

# Return the log likelihood of each row of excesses. top: the greatest value of each row
gpd_loglik <- function(rows, top, shape, scale) {
	k <- ncol(rows)
	b <- shape / scale
	inside <- 1 + top * b
	b[inside < 0] <- 0
	value <- -k * log(scale) - (1 / shape + 1) * rowSums(log1p(rows * b))
	flat <- abs(shape) < 1e-7
	if (any(flat))
		value[flat] <- -k * log(scale[flat]) - rowSums(rows[flat, , drop = FALSE]) / scale[flat]
	uniform <- shape == -1
	value[uniform] <- -k * log(scale[uniform])
	value[inside < 0 | (inside == 0 & !uniform) | is.nan(value)] <- -Inf
	value
}

# Return the excess that is exceeded with probability 1 / m.
gpd_level <- function(shape, scale, m) {
	shape <- rep_len(shape, max(length(shape), length(m)))
	scale * ifelse(abs(shape) < 1e-7, log(m), expm1(shape * log(m)) / shape)
}

gpd_random <- function(k, times, shape, scale)
	matrix(gpd_level(rep_len(shape, k * times), scale, 1 / runif(k * times)), k)

gpd_probability <- function(x, shape, scale) {
	k <- nrow(x)
	shape <- rep(shape, each = k)
	z <- x / rep(scale, each = k)
	-expm1(ifelse(abs(shape) < 1e-7, -z, -log1p(pmax(shape * z, -1)) / shape))
}

# Return the likelihood ratio statistic of a level for each column: how much worse is the best fit
# with it?
gpd_ratio_level <- function(x, fit, level, m, low = -1, high = 3, points = 21, sections = 18) {
	top <- columns_max(x)
	rows <- t(x)
	profile <- function(shape) gpd_loglik(rows, top, shape, level / gpd_level(shape, 1, m))
	best <- maximise(profile, rep_len(low, ncol(x)), rep_len(high, ncol(x)), points, sections)
	pmax(2 * (fit$loglik - best$value), 0)
}

# Return the likelihood ratio statistic of a shape for one column.
gpd_ratio_shape <- function(x, fit, shape) {
	top <- max(x)
	low <- log(max(top * 1e-6, -shape * top))
	best <- optimize(function(s) gpd_loglik(t(x), top, shape, exp(s)), c(low + 1e-9, low + 20), maximum = TRUE, tol = 1e-3)
	max(2 * (fit$loglik - best$objective), 0)
}

# Return the Anderson-Darling distance between each column and its distribution.
gpd_distance <- function(x, shape, scale) {
	k <- nrow(x)
	p <- gpd_probability(x, shape, scale)
	p <- matrix(p[order(col(x), p)], k)
	p <- pmin(pmax(p, 1e-12), 1 - 1e-12)
	i <- 2 * seq_len(k) - 1
	-k - colSums(i * (log(p) + log1p(-p[k:1, , drop = FALSE]))) / k
}
