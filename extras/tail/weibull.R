# SPDX-License-Identifier: GPL-2.0
# weibull.R - likelihood of the excesses over a threshold if the tail is of the generalised Weibull kind (de Valk 2016,
# Extremes 19). The excess is scale * c * ((1 + s / c)^theta - 1) / theta. s is the negative
# logarithm of the probability of the excess, c that of the threshold. Normal (theta 1/2),
# exponential (1), gamma (about 1) and Weibull distributions (1 / their shape) are of this kind. A
# generalised Pareto distribution approximates them near the threshold, but errs far out: its shape
# is constant, and theirs approaches 0.
#
# Needs gpd.R. x: the excesses, a vector. Lengths of theta and scale: 1.

weibull_loglik <- function(x, theta, scale, c) {
	z <- x / (scale * c)
	if (abs(theta) < 1e-6)
		l <- z
	else {
		z <- theta * z
		if (min(z) <= -1)
			return(-1e300)
		l <- log1p(z) / theta
	}
	value <- (1 - theta) * sum(l) - c * sum(expm1(l)) - length(x) * log(scale)
	if (is.finite(value)) value else -1e300
}

# Return the excess that is exceeded with probability 1 / m.
weibull_level <- function(theta, scale, c, m) {
	grown <- log1p(log(m) / c)
	scale * c * (if (abs(theta) < 1e-6) grown else expm1(theta * grown) / theta)
}

weibull_fit <- function(x, c) {
	unit <- mean(x)
	x <- x / unit
	found <- optim(c(0, 1), function(p) -weibull_loglik(x, p[2], exp(p[1]), c), control = list(reltol = 1e-9))
	list(theta = found$par[2], scale = unit * exp(found$par[1]), loglik = -found$value - length(x) * log(unit))
}

# Return the likelihood ratio statistic of a level: how much worse is the best fit with this level?
weibull_ratio_level <- function(x, fit, level, c, m) {
	profile <- function(theta) weibull_loglik(x, theta, level / weibull_level(theta, 1, c, m), c)
	best <- optimize(profile, fit$theta + c(-3, 3), maximum = TRUE, tol = 1e-3)
	max(2 * (fit$loglik - best$objective), 0)
}
