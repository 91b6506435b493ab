# SPDX-License-Identifier: GPL-2.0
ifneq ($(have_bpf),)
folders += $(extras)/who
programs_$(extras)/who = who
uses_$(extras)/who = probe read lib
bin/who: libs = $(bpf_libs)
$(extras)/who/who.o: $(extras)/who/who.skel.h
$(extras)/who/who.bpf.o: $(extras)/who/who.h
# The program uses compare-and-exchange, which the kernel supports since 5.12.
$(extras)/who/who.bpf.o: bpf_cpu = -mcpu=v3
else
without += wakelat_who:probe
endif
