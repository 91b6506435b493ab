# SPDX-License-Identifier: GPL-2.0
# enough.awk - how many samples of a state are needed to see whether long wake-ups come in bursts.
# With fewer samples, if one burst comes in 400 samples, more than 5 % of the verdicts are wrong
# without a sign of it (how-it-works.md, Dependent samples). A low percentile needs more samples,
# because a burst is a small part of the samples that decide it.

function enough_for_bursts(percentile) { return percentile != "max" && percentile < 99 ? 5000 : 3000 }
