# SPDX-License-Identifier: GPL-2.0
.PHONY: image

image: ## a USB image that boots and measures a machine: out/image/wakelat-VERSION.img, and a kernel and initrd for PXE
	@scripts/dev/packages record tools probe testbed kernel image
	@$(MAKE) -s -C tools
	@WAKELAT_PROGRESS=$${WAKELAT_PROGRESS-1} extras/contribute/image/build
