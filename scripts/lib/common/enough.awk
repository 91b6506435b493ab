# SPDX-License-Identifier: GPL-2.0
# enough.awk - how many samples of a state it takes to see whether long wake-ups come in bursts. With fewer, verdicts on bursts that come
# once in 400 wake-ups are wrong in more than 5 % of recordings without a sign of it (how-it-works.md, Dependent samples): of a low
# percentile a burst is a small part.

function enough_for_bursts(percentile) { return percentile != "max" && percentile < 99 ? 5000 : 3000 }
