# SPDX-License-Identifier: GPL-2.0
# The Makefile only names things; the work is in scripts/, testbed/ and tests/.

.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# make patch KSRC=TREE names the user's tree; everything else takes KSRC as the source to build from.
export KSRC

# What extras add.
extra_targets := $(wildcard extras/*/*/targets.mk)

.PHONY: help demo check check-all stress conditions bench documents shown results lint shell tools install uninstall patch unpatch tree upstream kernel kernel-deb qemu packages clean

help: ## this list
	@printf 'make TARGET, where TARGET is one of\n'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile $(extra_targets) | expand -t 14

demo: ## measure C1, C1E and C6 of a virtual Xeon: a table and figures in out/demo (QEMU=stock: Debian's QEMU, artificial states)
	@testbed/demo $(if $(QEMU),--qemu '$(QEMU)')

check: ## the tests that show that it works; leaves out/check/errors.tsv, times.tsv
	@tests/check

check-all: ## all tests (50 minutes on two cores from an empty cache; again, 30 minutes)
	@tests/check --all

stress: ## an hour of everything at once, on kernels that watch themselves (MINUTES=10, STRESS=kasan): out/stress/*.tsv
	@scripts/dev/packages testbed kernel qemu
	@tests/stress --minutes '$(or $(MINUTES),60)' $(STRESS)

conditions: ## the conditions of real machines, Debian's kernel configuration among them (KERNEL=7.3: on that): out/check/conditions.tsv
	@scripts/dev/packages record tools testbed kernel qemu test-all
	@$(MAKE) -C tools
	@ALL_CONDITIONS=yes KERNEL='$(KERNEL)' prove --verbose tests/testbed/conditions.t

bench: ## what the measurement costs; leaves out/bench/*.tsv
	@scripts/dev/packages tools testbed kernel qemu
	@status=0; for bench in tests/bench/*; do [ ! -x "$$bench" ] || "$$bench" || status=1; done; exit $$status

documents: ## the tables of columns in the documents, from scripts/lib/common/schema.tsv
	@scripts/dev/formats

shown: ## bring the numbers of the testbed that the documents show up to date
	@scripts/dev/refresh-shown

results: ## the data sets in results/ anew; their recordings stay in out/results
	@for make in results/*/make; do "$$make" || exit 1; done

shell: ## a shell in the virtual Xeon (Ctrl-A X ends it)
	@scripts/dev/packages tools testbed kernel qemu
	@$(MAKE) -s -C tools
	@testbed/run --interactive --tools

tools: ## the C programs in tools/
	@$(MAKE) -C tools

install: tools ## commands, tools and manual pages below PREFIX (/usr/local), or below DESTDIR for a package
	@scripts/dev/install

uninstall: ## take out what make install has put there, and nothing else
	@scripts/dev/install --uninstall

patch: ## apply the series to your kernel: make patch KSRC=TREE
	@scripts/dev/patch-tree "$(KSRC)"

unpatch: ## take it out again: make unpatch KSRC=TREE
	@scripts/dev/patch-tree --reverse "$(KSRC)"

tree: ## the series as a git tree to work on: make tree DIR=out/linux
	@scripts/dev/series expand "$(or $(DIR),out/linux)"

lint: ## checkpatch, W=1, sparse, each prefix of the series builds; other compilers, configurations, architectures
	@scripts/dev/packages kernel test lint
	@WAKELAT_PROGRESS=$${WAKELAT_PROGRESS-1} scripts/dev/lint --kernel all
	@WAKELAT_PROGRESS=$${WAKELAT_PROGRESS-1} scripts/dev/lint-objects

upstream: ## the series as mails with a cover letter, for git send-email, in out/upstream; sends nothing
	@scripts/dev/packages kernel
	@scripts/dev/upstream

kernel: ## the testbed's kernel; prints its path
	@scripts/dev/packages kernel
	@scripts/dev/build-kernel

kernel-deb: ## a patched kernel for this machine, as .deb: scripts/dev/kernel-deb -h
	@scripts/dev/packages kernel kernel-deb
	@scripts/dev/kernel-deb

qemu: ## the testbed's QEMU; prints its path
	@scripts/dev/packages qemu testbed
	@testbed/build-qemu

packages: ## every Debian package that any of these needs (installs them if root)
	@scripts/dev/packages record tools probe man plot extras testbed kernel qemu test-all

clean: ## remove out/ and the built tools (the cache stays)
	@$(MAKE) -C tools clean
	@rm -rf out

include $(extra_targets)
