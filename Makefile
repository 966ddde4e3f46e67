# SPDX-License-Identifier: GPL-2.0-only
#
# Everything is built in build/. "make help" lists the targets.

# The kernel of demo, shell and check-quick, and those that check boots; see
# tests/vm/kernel.sh. A KERNEL that is asked for is check's only one.
ifdef KERNEL
KERNELS ?= $(KERNEL)
endif
KERNEL ?= debian-6.1
KERNELS ?= debian-6.1 debian-6.12 6.12-debug 6.12-embedded
# check-lockdown has the one that takes no unsigned module.
MATRIX = $(filter-out 6.12-signed,$(shell $(VM)/kernel.sh --list | cut -f 1))
# What "make modules" builds against.
KDIR ?= /lib/modules/$(shell uname -r)/build

BUILD := $(CURDIR)/build
VM := tests/vm

# Programs that print TAP and run here, with a VM of their own if they need one;
# a new one is added here.
HOST_TESTS := $(VM)/test-tap.sh $(VM)/test-log.sh $(VM)/test-run.sh \
	$(VM)/test-busybox.py tests/format/run.py tests/buddystat/run.py \
	tests/plot/run.py tests/oracle/test-compare.py tests/bench/page_cost.py \
	tests/style/run.sh tests/style/builds.sh
# Those of them, and those of tests/, that check-quick leaves out.
SLOW_TESTS := $(VM)/test-run.sh tests/plot/run.py tests/bench/page_cost.py tests/style/% trace_% module_life device_filter%

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

## dkms-install: have DKMS build the module for all kernels here, now and later, in place of other versions
## dkms-remove: unload it and remove what dkms-install installed
dkms-install dkms-remove:
	@scripts/dkms.sh $(@:dkms-%=%)

# For any machine: tests/vm/programs.sh sets CC and BUILD.
$(BUILD)/workload: tests/workload.c tests/workload_main.c tests/machine.c \
		tests/workload.h tests/machine.h
	@mkdir -p $(@D)
	$(CC) -O2 -Wall -Wextra -static -D_GNU_SOURCE -o $@ $(filter %.c,$^)

# For the VM of the bench.
$(BUILD)/page_cost: tests/bench/page_cost.c tests/csn.c tests/csn.h \
		include/uapi/linux/compactsnoop.h
	@mkdir -p $(@D)
	$(CC) -O2 -Wall -Wextra -static -D_GNU_SOURCE -Iinclude/uapi -Itests -o $@ $(filter %.c,$^)

packages-%:
	@$(VM)/packages.sh build vm $(subst +, ,$*)

vm-module-%:
	@echo "building the module for $*"
	+@parts=$$($(VM)/kernel.sh $*) && eval "$$parts" && \
		$(MAKE) -s modules KDIR="$$KDIR" $$KMAKE

# A module that allocates pages as a test says.
vm-allocator-%: vm-module-%
	+@parts=$$($(VM)/kernel.sh $*) && eval "$$parts" && \
		$(MAKE) -s allocator KDIR="$$KDIR" $$KMAKE

allocator:
	+@$(VM)/modules.sh $(KDIR) $(BUILD) tests/allocator

# Module and programs for a VM with that kernel, and the tests.
vm-ready-%: vm-module-%
	+@$(VM)/programs.sh $$($(VM)/kernel.sh $* KARCH) tool workload >/dev/null

vm-tests-%: vm-ready-% vm-allocator-%
	+@$(VM)/programs.sh $$($(VM)/kernel.sh $* KARCH) tests >/dev/null

## demo: live rows of every origin in a VM, from nothing, in a minute; KERNEL=debian-6.12 for another kernel
demo: packages-vm
	+@$(MAKE) -s vm-ready-$(KERNEL)
	@$(VM)/guest.sh $(KERNEL) demo

## shell: a shell in that VM with the module loaded; "exit" leaves
shell: packages-vm
	+@$(MAKE) -s vm-ready-$(KERNEL)
	@$(VM)/guest.sh $(KERNEL) shell

## check: all tests, in VMs with all KERNELS=…, or only KERNEL=…
check: packages-tests+checks+oracle+plots
	+@$(MAKE) -s vm-tests-debian-6.1 vm-module-debian-6.12 tool $(BUILD)/page_cost
	+@$(MAKE) -s run-check

## check-quick: what takes less than a minute of it, with one kernel
check-quick: packages-tests+checks
	+@$(MAKE) -s vm-tests-$(KERNEL) vm-module-debian-6.1 tool
	+@$(MAKE) -s run-check-quick

## check-matrix: the test programs in VMs with every kernel below; MINUTES=… starts no other after that
check-matrix: packages-tests
	+@KERNELS="$(MATRIX)" $(MAKE) -s run-check-matrix

## check-oracle: bcc's compactsnoop and this one on the same compactions
check-oracle: packages-oracle
	+@$(MAKE) -s vm-ready-debian-6.1
	@$(VM)/check.sh "" "" tests/oracle/run.sh

## check-dkms: DKMS in a clean Debian with two kernels, one of which boots in a VM; for root
check-dkms: packages-checks+dkms
	+@$(MAKE) -s vm-ready-debian-6.1
	@$(VM)/check.sh tests/dkms/run.sh ""

## check-boot: the capture from boot with an initramfs of a clean Debian, booted in a VM; for root
check-boot: packages-checks+dkms
	+@$(MAKE) -s vm-ready-debian-6.1
	@$(VM)/check.sh tests/boot/run.sh ""

## check-lockdown: what compactsnoop and others can do under lockdown, and with signed modules alone
check-lockdown: packages-checks+dkms+oracle
	+@$(MAKE) -s vm-ready-debian-6.12
	@$(VM)/check.sh tests/lockdown/run.sh ""

## bench: instructions that an allocation costs, ours and ftrace's; how fast buddystat reads trace text, MB=1000 of it
bench: packages-vm
	+@$(MAKE) -s vm-module-debian-6.1 vm-module-debian-6.12 tool $(BUILD)/page_cost
	@tests/bench/page_cost.py debian-6.1 debian-6.12
	@tests/bench/text.py $(MB)

# These ask tests/Makefile what it builds.
run-check:
	@$(VM)/check.sh "$(HOST_TESTS)" "$(TEST_PROGRAMS)" tests/oracle/run.sh

run-check-matrix:
	@$(VM)/check.sh tests/style/builds.sh "$(TEST_PROGRAMS)"

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
	@echo; echo "Kernels, for KERNEL= and KERNELS=:"
	@$(VM)/kernel.sh --list | expand -t 24 | sed 's/^/  /'

.PHONY: all modules allocator tool dkms-install dkms-remove demo shell check check-quick check-matrix \
	check-oracle check-dkms check-boot check-lockdown bench run-check run-check-matrix run-check-quick clean help
