# SPDX-License-Identifier: GPL-2.0
# The C programs of the extra: one wakes the CPUs and reads the meter, the other finds the break-even.
folders += $(extras)/residency
programs_$(extras)/residency = wakeups breakeven
uses_$(extras)/residency = lib
bin/wakeups: libs = -pthread
bin/breakeven: libs = -lm
