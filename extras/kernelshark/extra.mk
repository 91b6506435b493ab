# SPDX-License-Identifier: GPL-2.0
# The plugin of KernelShark. It adds a menu, so it needs the Qt that KernelShark was built with.
kernelshark = $(extras)/kernelshark
uses_$(kernelshark) = plugin read lib

have_kshark := $(shell $(PKG_CONFIG) --exists libkshark && echo yes)
kshark_gui = $(wildcard $(shell $(PKG_CONFIG) --variable=libdir libkshark)/libkshark-gui.so.*)
qt = $(if $(shell grep -aFl libQt6Widgets.so $(kshark_gui) /dev/null),Qt6Widgets,Qt5Widgets)
have_kshark := $(if $(have_kshark),$(shell command -v $(CXX) >/dev/null && $(PKG_CONFIG) --exists $(qt) gl glu && echo yes))
plugins += $(if $(have_kshark),bin/kernelshark/plugin-wakelat.so)
without += $(if $(have_kshark),,plugin_of_KernelShark:kernelshark)

# -isystem: the headers of KernelShark and Qt cause warnings with -Wextra.
kshark_cflags = $(patsubst -I%,-isystem %,$(shell $(PKG_CONFIG) --cflags libkshark))
kshark_parts = $(addprefix $(kernelshark)/,bars.pic.o kshark.pic.o kshark-draw.pic.o) $(plugin_parts) \
	$(addprefix read/,hrtimers.pic.o periods.pic.o trace.pic.o unpack.pic.o)

# Link this with libzstd only. KernelShark has the other libraries (and Debian 13's libkshark-gui.so is a dangling link).
bin/kernelshark/plugin-wakelat.so: $(kshark_parts)
	@mkdir -p bin/kernelshark
	$(CXX) $(LDFLAGS) -shared -o $@ $^ $(shell $(PKG_CONFIG) --libs libzstd)

$(kernelshark)/%.pic.o: private headers = $(call headers_of,$(kernelshark))
$(kernelshark)/bars.pic.o $(kernelshark)/kshark.pic.o: private extra = $(kshark_cflags)
$(kernelshark)/kshark-draw.pic.o: $(kernelshark)/kshark-draw.cpp
	$(CXX) -std=c++17 -Wall -Wextra -Werror $(CXXFLAGS) $(plugin_cflags) $(headers) $(kshark_cflags) \
		$(patsubst -I%,-isystem %,$(shell $(PKG_CONFIG) --cflags $(qt))) -MMD -MP -c -o $@ $<

-include $(wildcard $(kernelshark)/*.d)
