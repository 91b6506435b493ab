# SPDX-License-Identifier: GPL-2.0
folders += $(extras)/governor
programs_$(extras)/governor = governor
uses_$(extras)/governor = read lib
bin/governor: libs = $(shell $(PKG_CONFIG) --libs libtracecmd libzstd)
$(extras)/governor/%.o: private extra = $(trace_cflags)
