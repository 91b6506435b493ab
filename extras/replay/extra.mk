# SPDX-License-Identifier: GPL-2.0
# The C program of the extra, which loads the governors that the command compiles.
folders += $(extras)/replay
programs_$(extras)/replay = replay
uses_$(extras)/replay = read lib
bin/replay: libs = $(shell $(PKG_CONFIG) --libs libtracecmd libzstd) -ldl
$(extras)/replay/%.o: private extra = $(trace_cflags)
