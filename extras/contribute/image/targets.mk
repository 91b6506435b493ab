# SPDX-License-Identifier: GPL-2.0
.PHONY: image

image: ## a USB image that boots and measures a machine: out/image/wakelat-VERSION.img, and a kernel and initrd for PXE (STICK=/dev/sdX: write it)
	@$(if $(STICK),extras/contribute/image/write '$(STICK)')
	@scripts/dev/packages record tools probe testbed kernel image
	@$(MAKE) -s -C tools
	@WAKELAT_PROGRESS=$${WAKELAT_PROGRESS-1} extras/contribute/image/build
	@$(if $(STICK),extras/contribute/image/write '$(STICK)' "out/image/wakelat-$$(cat VERSION).img")
