# SPDX-License-Identifier: GPL-2.0
folders += $(extras)/tail
programs_$(extras)/tail = tail-strata
uses_$(extras)/tail = analyse lib
