# SPDX-License-Identifier: GPL-2.0
# The C program of the extra: it compares machines.
folders += $(extras)/fleet
programs_$(extras)/fleet = fleet
uses_$(extras)/fleet = counts analyse lib
bin/fleet: libs = -lm
