# SPDX-License-Identifier: GPL-2.0
# The C program of the extra: it runs programs that read a stranger's files.
folders += $(extras)/audit
programs_$(extras)/audit = cage
