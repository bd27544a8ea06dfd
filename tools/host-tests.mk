# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Programs that need no guest, made of qemu-device/core/ alone, in three flavours: test-*.c under the
# sanitizers of gcc, fuzz-*.c for libFuzzer, bench-*.c optimised. The test flavour has the test of
# the tools' packet text as well. Runs inside a build root; see check-host.sh and fuzz.sh.
#
#   make -f tools/host-tests.mk FLAVOUR=test|fuzz|bench

FLAVOUR ?= test
OUTPUT ?= build/host-$(FLAVOUR)
dir := qemu-device/tests

CFLAGS := -std=gnu11 -g -Wall -Wextra -Werror -MMD -MP -Iuapi -Iqemu-device/core -I$(dir)
ifeq ($(FLAVOUR),test)
CC := ccache gcc
CFLAGS += -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
else ifeq ($(FLAVOUR),fuzz)
CC := clang
CFLAGS += -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
LDFLAGS := -fsanitize=fuzzer
else
CC := ccache gcc
CFLAGS += -O2
endif
LDLIBS := -lpthread

programs := $(patsubst $(dir)/%.c,$(OUTPUT)/%,$(wildcard $(dir)/$(FLAVOUR)-*.c))
core := $(patsubst %.c,$(OUTPUT)/obj/%.o,$(wildcard qemu-device/core/*.c))
common := $(patsubst %.c,$(OUTPUT)/obj/%.o,\
	$(filter-out $(dir)/test-% $(dir)/fuzz-% $(dir)/bench-%,$(wildcard $(dir)/*.c)))

ifeq ($(FLAVOUR),test)
programs += $(OUTPUT)/test-packet-text
endif

.PHONY: all
.SECONDARY:
all: $(programs)

$(OUTPUT)/obj/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC      $<"
	@$(CC) $(CFLAGS) -c -o $@ $<

$(OUTPUT)/%: $(OUTPUT)/obj/$(dir)/%.o $(common) $(core)
	@echo "  LD      $@"
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

pm4 := $(patsubst %.c,$(OUTPUT)/obj/%.o,$(filter-out %/main.c,$(wildcard tools/pm4/*.c)))
$(OUTPUT)/test-packet-text: $(pm4)
	@echo "  LD      $@"
	@$(CC) $(CFLAGS) -o $@ $^
$(pm4): CFLAGS += -D_GNU_SOURCE -Wno-missing-field-initializers

-include $(shell find $(OUTPUT) -name '*.d' 2>/dev/null)
