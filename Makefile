# SPDX-License-Identifier: GPL-2.0-only
#
# Everything is built in build/. "make help" lists the targets.

# The kernel of demo and shell, and those that check boots: see tests/vm/kernel.sh.
KERNEL ?= 6.1
KERNELS ?= debian-6.1 debian-6.12
# What "make modules" builds against.
KDIR ?= /lib/modules/$(shell uname -r)/build

BUILD := $(CURDIR)/build
VM := tests/vm

# Programs that print TAP and run here, with a VM of their own if they need one;
# a new one is added here.
HOST_TESTS := $(VM)/test-tap.sh $(VM)/test-log.sh $(VM)/test-run.sh \
	$(VM)/test-busybox.py tests/format/run.py tests/buddystat/run.py \
	tests/oracle/test-compare.py \
	tests/style/run.sh
# Those of them, and those of tests/, that check-quick leaves out.
SLOW_TESTS := $(VM)/test-run.sh tests/style/run.sh trace_% module_life device_filter%

export KERNEL KERNELS BUILD
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif

.DEFAULT_GOAL := all

## all: module for the running kernel, and tool
all: modules tool

## modules: build/RELEASE/compactsnoop.ko for the kernel in KDIR=…; C=1, W=1, CC=…, LLVM=1 as for the kernel
modules:
	@test -e $(KDIR)/include/generated/utsrelease.h || { \
		echo "no kernel headers in $(KDIR): install linux-headers-$$(uname -r), or set KDIR=" >&2; \
		exit 1; }
	+@$(VM)/modules.sh $(KDIR) $(BUILD)

## tool: build/tool/compactsnoop and buddystat; STATIC=1 and CC=musl-gcc make it small and free of libraries
tool:
	+$(MAKE) -C tool O=$(BUILD)/tool

# What the VM gets: the same tool without libraries, the memory workload.
vm-tool:
	+@$(MAKE) -s -C tool O=$(BUILD)/tool-static STATIC=1

workload: $(BUILD)/workload
$(BUILD)/workload: tests/workload.c tests/workload_main.c tests/machine.c tests/workload.h tests/machine.h
	@mkdir -p $(BUILD)
	$(CC) -O2 -Wall -Wextra -static -D_GNU_SOURCE -o $@ $(filter %.c,$^)

packages-%:
	@$(VM)/packages.sh build vm $(subst +, ,$*)

vm-modules: $(KERNELS:%=vm-module-%)
vm-module-%:
	@echo "building the module for $*"
	+@kdir=$$($(VM)/kernel.sh $* KDIR) && $(MAKE) -s modules KDIR="$$kdir"

vm-ready: packages-vm
	+@$(MAKE) -s vm-module-$(KERNEL) vm-tool workload

## demo: live rows of every origin in a VM, from nothing, in a minute; KERNEL=6.12 for the other kernel
demo: vm-ready
	@$(VM)/guest.sh $(KERNEL) demo

## shell: a shell in that VM with the module loaded; "exit" leaves
shell: vm-ready
	@$(VM)/guest.sh $(KERNEL) shell

## check: all tests, in VMs with all KERNELS=…
check: packages-tests+checks+oracle
	+@$(MAKE) -s vm-modules vm-module-debian-6.1 vm-tool workload tool
	+@$(MAKE) -s -C tests OUTPUT=$(BUILD)/tests
	+@$(MAKE) -s run-check

## check-quick: what takes less than a minute of it, with one kernel
check-quick: packages-tests+checks
	+@$(MAKE) -s vm-module-$(KERNEL) vm-tool tool
	+@$(MAKE) -s -C tests OUTPUT=$(BUILD)/tests
	+@$(MAKE) -s run-check-quick

## check-oracle: bcc's compactsnoop and this one on the same compactions
check-oracle: packages-oracle
	+@$(MAKE) -s vm-module-debian-6.1 vm-tool workload
	@$(VM)/check.sh "" "" tests/oracle/run.sh

# These ask tests/Makefile what it built.
run-check:
	@$(VM)/check.sh "$(HOST_TESTS)" "$(TEST_PROGRAMS)" tests/oracle/run.sh

run-check-quick:
	@KERNELS=$(KERNEL) $(VM)/check.sh "$(filter-out $(SLOW_TESTS),$(HOST_TESTS))" \
		"$(filter-out $(SLOW_TESTS),$(TEST_PROGRAMS))"

TEST_PROGRAMS = $(notdir $(shell $(MAKE) -s -C tests OUTPUT=$(BUILD)/tests \
	--eval='names: ; @echo $$(TEST_GEN_PROGS) $$(TEST_PROGS)' names))

## clean: remove build/; downloaded kernels stay in the cache of kernel.sh
clean:
	rm -rf $(BUILD)

## help: this list
help:
	@sed -n 's/^## \([^:]*\): \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

.PHONY: all modules tool vm-tool workload vm-modules vm-ready demo shell check \
	check-quick check-oracle run-check run-check-quick clean help
