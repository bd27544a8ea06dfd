# SPDX-License-Identifier: GPL-2.0-only OR MIT
# One command for each thing one wants of this tree; "make help" lists them. Whatever a command
# needs is provisioned first, into build/ or $VGPU_CACHE: see Documentation/development.rst.

JOBS ?= $(shell nproc)

# Strings for the scripts; TESTS picks tests, VGPU_DEVICES the dies of a guest, ACCEL kvm or tcg.
export VGPU_CACHE JOBS TESTS FUZZ_SECONDS VGPU_DEVICES ACCEL TIMEOUT QEMU_SRC VGPU_MIRROR V

.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

ifneq ($(KDIR),)

# Just the module, natively, against the headers of an installed kernel. Type information in the
# module would want pahole, which they do not bring.
.PHONY: all modules modules_install clean
all: modules
modules modules_install clean:
	@tools/check-kdir.sh $(KDIR)
	$(MAKE) -C $(KDIR) M=$(CURDIR) CONFIG_DEBUG_INFO_BTF_MODULES= $@

else

IN_ROOT := tools/in-root
OUT := build

hw := $(wildcard uapi/*/*.h uapi/*/*/*.h)
module_src := Kbuild $(wildcard driver/*.[ch] driver/Makefile) $(hw)
device_src := $(shell find qemu-device -name '[a-zA-Z]*' -type f ! -path '*/tests/*') $(hw)
tools_src := $(wildcard tools/*.[ch] tools/Makefile) $(hw)
selftests_src := $(wildcard selftests/*)
qemu_tools := tools/build-qemu.sh tools/check-qemu-src.sh tools/mkqemu.sh tools/qemu-devices.mak
guest_src := $(wildcard tools/guest/*) tools/mkinitramfs.sh

# Everything is built in the root and for its kernel. A new root makes all of it anew.
root := $(shell VGPU_CACHE='$(VGPU_CACHE)' bash -c '. tools/lib.sh; root_dir build')/.done
module := $(OUT)/module/vgpu.ko
qemu := $(OUT)/qemu/qemu-system-x86_64
initramfs := $(OUT)/guest/initramfs

guest := $(qemu) $(initramfs)

.PHONY: all help
all: $(guest)

help:
	@sed -n 's/^## //p' Makefile

$(root):
	@tools/provision.sh build

$(module): $(module_src) $(root)
	$(IN_ROOT) sh -c 'make -C /lib/modules/*/build M=$(CURDIR) -j$(JOBS) \
		CONFIG_DEBUG_INFO_BTF_MODULES= modules'
	@mkdir -p $(@D)
	@cp driver/vgpu.ko $@.new
	@mv $@.new $@

# QEMU_SRC is an input like the others.
ifneq ($(QEMU_SRC),$(file <$(OUT)/qemu/.source))
.PHONY: $(OUT)/qemu/.source
endif
$(OUT)/qemu/.source:
	@mkdir -p $(@D)
	@echo '$(QEMU_SRC)' >$@

$(qemu): $(device_src) $(qemu_tools) $(OUT)/qemu/.source $(root)
	@tools/build-qemu.sh

$(OUT)/tools/.done: $(tools_src) $(root)
	@mkdir -p $(@D)
	$(if $(wildcard tools/Makefile),$(IN_ROOT) make -s -C tools OUTPUT=$(CURDIR)/$(@D) -j$(JOBS))
	@touch $@

$(OUT)/selftests/.done: $(selftests_src) $(hw) $(root)
	@mkdir -p $(@D)
	$(if $(wildcard selftests/Makefile),tools/build-selftests.sh $(CURDIR)/$(@D))
	@touch $@

$(initramfs): $(module) $(OUT)/tools/.done $(guest_src)
	$(IN_ROOT) tools/mkinitramfs.sh $@ - $(dir $(module)) $(OUT)/tools:/usr/bin

## make run           boot two dies, load the driver, run the demo
.PHONY: run
run: $(guest)
	tools/boot.sh --log $(OUT)/run.log -- 'modprobe vgpu && demo'

## make shell         the same guest, interactive
.PHONY: shell
shell: $(guest)
	tools/boot.sh --shell

## make check         all that a change must pass: check-host, check-device, check-guest, lint
.PHONY: check
check: $(guest) $(OUT)/selftests/.done
	tools/check.sh check-host.sh check-device.sh check-guest.sh lint.sh

## make check-host    unit tests of the device and the tools under ASan and UBSan
.PHONY: check-host
check-host:
	tools/check-host.sh

## make check-device  what QEMU says to bad properties of the device, and to QMP
.PHONY: check-device
check-device: $(qemu)
	tools/check-device.sh

## make check-guest   kselftests in guests; TESTS="a b" picks some
.PHONY: check-guest
check-guest: $(guest) $(OUT)/selftests/.done
	tools/check-guest.sh

## make check-debug   the kselftests on a kernel with KASAN, lockdep, kmemleak, fault injection
.PHONY: check-debug
check-debug: $(qemu) $(OUT)/tools/.done $(OUT)/selftests/.done
	tools/check-guest.sh --debug

## make check-all     check and check-debug, with one sum
.PHONY: check-all
check-all: $(guest) $(OUT)/selftests/.done
	tools/check.sh check-host.sh check-device.sh check-guest.sh lint.sh "check-guest.sh --debug"

## make check-compat  third-party suites against the driver
.PHONY: check-compat
check-compat: $(guest)
	tools/check-compat.sh

## make fuzz          libFuzzer over the device, FUZZ_SECONDS=60 a target
.PHONY: fuzz
fuzz:
	tools/fuzz.sh

## make bench         the figures, each beside its control
.PHONY: bench
bench: $(guest)
	tools/bench.sh

## make lint          checkpatch, sparse, W=1, kernel-doc, shellcheck, register facts
.PHONY: lint
lint:
	tools/lint.sh

## make docs          HTML from Documentation/ in build/docs
.PHONY: docs
docs:
	tools/docs.sh

## make clean         remove what was built, keep what was provisioned
.PHONY: clean
clean:
	rm -rf $(OUT)/module $(OUT)/qemu $(OUT)/guest $(OUT)/tools $(OUT)/selftests
	find driver Kbuild -name '*.o' -o -name '*.ko' -o -name '.*.cmd' -o -name '*.mod*' | xargs -r rm -f

endif
