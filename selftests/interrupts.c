// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * More interrupts than the ring of them holds: entries are lost, fences are not.
 * Documentation/interrupts.rst, "The ring".
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <linux/pci_regs.h>

#include "emit.h"
#include "harness.h"
#include "lib/die.h"

#define IH_ENTRIES	8192u		/* of the driver's ring */
#define IB_BYTES	(1u << 18)	/* of an engine */
#define ENGINES		5u
#define DONE		0xd09eu

FIXTURE(interrupts)
{
	struct die die;
	struct buf ib, gfx_ib, buf;
	struct buf *bufs[2];
	int config;			/* PCI configuration space */
	off_t msix;			/* its MSI-X capability */
};

static off_t find_msix(int config)
{
	uint8_t at = 0, id = 0;

	if (pread(config, &at, 1, PCI_CAPABILITY_LIST) != 1)
		return 0;
	while (at && pread(config, &id, 1, at) == 1 && id != PCI_CAP_ID_MSIX)
		if (pread(config, &at, 1, at + PCI_CAP_LIST_NEXT) != 1)
			return 0;
	return at;
}

/* The function keeps its interrupts to itself; what is pending comes afterwards. */
static int mask(struct _test_data_interrupts *self, bool on)
{
	uint16_t flags;

	if (pread(self->config, &flags, 2, self->msix + PCI_MSIX_FLAGS) != 2)
		return -EIO;
	flags &= ~PCI_MSIX_FLAGS_MASKALL;
	flags |= on ? PCI_MSIX_FLAGS_MASKALL : 0;
	return pwrite(self->config, &flags, 2, self->msix + PCI_MSIX_FLAGS) == 2 ? 0 : -EIO;
}

FIXTURE_SETUP(interrupts)
{
	char path[128];

	if (getuid())
		SKIP(return, "needs root");
	ASSERT_EQ(0, die_open(0, &self->die));
	ASSERT_EQ(0, buf_alloc(&self->die, ENGINES * IB_BYTES, AMDGPU_GEM_DOMAIN_GTT, &self->ib));
	ASSERT_EQ(0, buf_alloc(&self->die, 4096, AMDGPU_GEM_DOMAIN_GTT, &self->gfx_ib));
	ASSERT_EQ(0, buf_alloc(&self->die, 4096, AMDGPU_GEM_DOMAIN_GTT, &self->buf));
	self->bufs[0] = &self->buf;
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/config", self->die.pci);
	self->config = open(path, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->config);
	self->msix = find_msix(self->config);
	ASSERT_NE(0, self->msix);
}

FIXTURE_TEARDOWN(interrupts)
{
	if (!self->die.dev)
		return;
	EXPECT_EQ(0, mask(self, false));
	close(self->config);
	buf_free(&self->buf);
	buf_free(&self->gfx_ib);
	buf_free(&self->ib);
	die_close(&self->die);
}

static long count_overflows(struct die *die)
{
	FILE *f = die_debugfs(die, "vgpu_ih", "r");
	char line[256], *p;
	long n = -1;

	while (f && n < 0 && fgets(line, sizeof(line), f)) {
		p = strstr(line, "overflows: ");
		if (p)
			sscanf(p, "overflows: %ld", &n);
	}
	if (f)
		fclose(f);
	return n;
}

/* @count traps on an SDMA engine, then DONE in word @i */
static int traps(struct _test_data_interrupts *self, unsigned int ring, unsigned int count,
		 unsigned int i, struct sub *sub)
{
	struct ibw w = { .dw = (uint32_t *)self->ib.cpu + ring * IB_BYTES / 4 };

	while (count--) {
		emit(&w, SDMA_OP_TRAP);
		emit(&w, 0);
	}
	sdma_write(&w, self->buf.va + 4 * i, DONE);
	*sub = (struct sub){
		.ip = AMDGPU_HW_IP_DMA, .ring = ring, .ib = &self->ib,
		.offset = ring * IB_BYTES, .ndw = w.n, .bufs = self->bufs,
	};
	return sub_submit(&self->die, sub);
}

static bool in_time(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - start->tv_sec < 20;
}

/* The GPU has come so far, whatever the driver knows of it. */
static bool reached(struct _test_data_interrupts *self, unsigned int i)
{
	struct timespec start;

	clock_gettime(CLOCK_MONOTONIC, &start);
	while (buf_get(&self->buf, i) != DONE)
		if (!in_time(&start))
			return false;
	return true;
}

/* The interrupt thread has noticed; a fence may be found before it runs. */
static bool overflowed(struct die *die, long times)
{
	struct timespec start;

	clock_gettime(CLOCK_MONOTONIC, &start);
	while (count_overflows(die) < times)
		if (!in_time(&start))
			return false;
	return count_overflows(die) == times;
}

/* An end of pipe, and over it as many traps as push it out of the ring. */
TEST_F(interrupts, overflow_loses_no_fence)
{
	struct ibw w = { .dw = self->gfx_ib.cpu };
	struct sub gfx, sdma;
	unsigned int round;
	long before;

	pm4_write(&w, self->buf.va, DONE);
	for (round = 0; round < 2; round++) {
		memset(self->buf.cpu, 0, 4096);
		before = count_overflows(&self->die);
		ASSERT_LE(0, before);

		ASSERT_EQ(0, mask(self, true));
		gfx = (struct sub){
			.ip = AMDGPU_HW_IP_GFX, .ib = &self->gfx_ib, .ndw = w.n,
			.bufs = self->bufs,
		};
		ASSERT_EQ(0, sub_submit(&self->die, &gfx));
		ASSERT_TRUE(reached(self, 0));
		ASSERT_EQ(0, traps(self, 1, IH_ENTRIES + 100, 1, &sdma));
		ASSERT_TRUE(reached(self, 1));
		ASSERT_EQ(0, mask(self, false));

		EXPECT_EQ(0, sub_wait(&self->die, &gfx, DIE_WAIT_NS));
		EXPECT_EQ(0, sub_wait(&self->die, &sdma, DIE_WAIT_NS));
		/* The ring is in order again. */
		EXPECT_EQ(0, traps(self, 1, 1, 2, &sdma));
		EXPECT_EQ(0, sub_wait(&self->die, &sdma, DIE_WAIT_NS));
		EXPECT_TRUE(overflowed(&self->die, before + 1));
	}
}

/* All engines at once, faster than the driver may be: whatever is lost, all end. */
TEST_F(interrupts, storm)
{
	struct sub sub[ENGINES];
	unsigned int i;

	for (i = 0; i < ENGINES; i++)
		ASSERT_EQ(0, traps(self, i, 3 * IH_ENTRIES, i, &sub[i]));
	for (i = 0; i < ENGINES; i++)
		EXPECT_EQ(0, sub_wait(&self->die, &sub[i], DIE_WAIT_NS));
	for (i = 0; i < ENGINES; i++)
		EXPECT_EQ(DONE, buf_get(&self->buf, i));
}

TEST_HARNESS_MAIN
