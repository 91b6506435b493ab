# SPDX-License-Identifier: GPL-2.0
folders += $(extras)/import-more
programs_$(extras)/import-more = perfscript
uses_$(extras)/import-more = read lib
