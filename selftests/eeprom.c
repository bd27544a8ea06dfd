// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The table of bad pages in the board's EEPROM: read and spoilt past the driver, by
 * messages to the power controller while the driver is not bound. The bytes are those
 * that amdgpu writes. Documentation/ras.rst, "Bad pages".
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <hw/ras_eeprom.h>
#include <hw/reg/base.h>
#include <hw/reg/mmhub.h>
#include <hw/reg/mp.h>
#include <hw/smu.h>

#include "harness.h"
#include "lib/die.h"

#define DRIVER		"/sys/bus/pci/drivers/vgpu/"
#define WAIT_SPINS	100000000u

/* Of VRAM, while nobody uses it */
#define TABLE_OFFSET	0x400000u
/* What the chip has of its 256 KiB */
#define CHIP_BYTES	0x8000u

FIXTURE(eeprom)
{
	char pci[16];
	volatile uint32_t *regs;
	volatile uint8_t *vram;
	size_t regs_size, vram_size;
	uint64_t base;		/* address of the die's VRAM */
};

static void *map_bar(const char *pci, int bar, size_t *size)
{
	char path[96];
	void *map;
	int fd;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/resource%d", pci, bar);
	fd = open(path, O_RDWR);
	if (fd < 0)
		return MAP_FAILED;
	*size = lseek(fd, 0, SEEK_END);
	map = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return map;
}

/* ----------------------------------------------------- the power controller */

static uint32_t *reg(FIXTURE_DATA(eeprom) * self, uint32_t abs)
{
	return (uint32_t *)self->regs + abs;
}

#define MP1(n)	VGPU_REG_ABS(MP1, regMP1_SMN_C2PMSG_##n)

static int smu(FIXTURE_DATA(eeprom) * self, uint32_t msg, uint32_t arg)
{
	volatile uint32_t *response = reg(self, MP1(90));
	uint32_t i;

	*response = 0;
	*(volatile uint32_t *)reg(self, MP1(82)) = arg;
	*(volatile uint32_t *)reg(self, MP1(66)) = msg;
	for (i = 0; i < WAIT_SPINS && !*response; i++)
		;
	return *response == PPSMC_Result_OK ? 0 : -EIO;
}

static int transfer(FIXTURE_DATA(eeprom) * self, struct vgpu_sw_i2c_request *req)
{
	uint64_t addr = self->base + TABLE_OFFSET;
	volatile uint8_t *table = self->vram + TABLE_OFFSET;
	uint8_t *bytes = (uint8_t *)req;
	unsigned int i;
	int ret;

	for (i = 0; i < sizeof(*req); i++)
		table[i] = bytes[i];
	/* What is read back has left the CPU. */
	ret = table[0] == bytes[0] ? 0 : -EIO;
	if (!ret)
		ret = smu(self, PPSMC_MSG_SetDriverDramAddrHigh, addr >> 32);
	if (!ret)
		ret = smu(self, PPSMC_MSG_SetDriverDramAddrLow, addr);
	if (!ret)
		ret = smu(self, PPSMC_MSG_TransferTableDram2Smu, TABLE_I2C_COMMANDS);
	for (i = 0; i < sizeof(*req); i++)
		bytes[i] = table[i];
	return ret;
}

/* One byte at a time: nothing here knows how the driver cuts its bursts. */
static int eeprom(FIXTURE_DATA(eeprom) * self, uint32_t addr, uint8_t *data, size_t len, bool write)
{
	int ret = 0;

	for (; len && !ret; len--, addr++, data++) {
		struct vgpu_sw_i2c_request req = {
			.i2c_controller_port = I2C_CONTROLLER_PORT_0,
			.i2c_speed = I2C_SPEED_FAST_100K,
			.slave_address = 0xa0 | (addr >> 16 & 7) << 1,
			.num_cmds = 3,
			.sw_i2c_cmds = {
				{ addr >> 8, CMDCONFIG_READWRITE_MASK },
				{ addr, CMDCONFIG_READWRITE_MASK },
				{ *data, write ? CMDCONFIG_READWRITE_MASK | CMDCONFIG_STOP_MASK :
						 CMDCONFIG_RESTART_MASK | CMDCONFIG_STOP_MASK },
			},
		};

		ret = transfer(self, &req);
		if (!ret && !write)
			*data = req.sw_i2c_cmds[2].read_write_data;
	}
	return ret;
}

/* ----------------------------------------------------------------- fixture */

static int bind_die(FIXTURE_DATA(eeprom) * self)
{
	return write_file(DRIVER "bind", self->pci);
}

/* A driver that binds takes the mappings of BARs away: they are made each time. */
static int unbind_die(FIXTURE_DATA(eeprom) * self)
{
	int ret = write_file(DRIVER "unbind", self->pci);

	if (ret)
		return ret;
	if (self->regs)
		munmap((void *)self->regs, self->regs_size);
	if (self->vram)
		munmap((void *)self->vram, self->vram_size);
	self->regs = map_bar(self->pci, 5, &self->regs_size);
	self->vram = map_bar(self->pci, 0, &self->vram_size);
	if (self->regs == MAP_FAILED || self->vram == MAP_FAILED)
		return -errno;
	self->base = (uint64_t)*reg(self, VGPU_REG_ABS(MMHUB, regMMHUB_MC_VM_FB_LOCATION_BASE))
		     << 24;
	return 0;
}

static int debugfs_put(FIXTURE_DATA(eeprom) * self, const char *name, const char *text)
{
	char path[96];

	snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%s/ras/%s", self->pci, name);
	return write_file(path, text);
}

/* The list, as one line a page without its size; -1: there is none */
static int bad_pages(FIXTURE_DATA(eeprom) * self, uint64_t *pages, char *states, int most)
{
	unsigned long long page;
	char path[96], state;
	int n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/ras/gpu_vram_bad_pages", self->pci);
	f = fopen(path, "r");
	if (!f)
		return -1;
	while (n < most && fscanf(f, "0x%llx : 0x00001000 : %c\n", &page, &state) == 2) {
		pages[n] = page;
		states[n++] = state;
	}
	fclose(f);
	return n;
}

/* A new table with one page, and the driver unbound: bytes are there to be looked at. */
FIXTURE_SETUP(eeprom)
{
	struct die die;

	ASSERT_EQ(0, die_open(0, &die));
	memcpy(self->pci, die.pci, sizeof(self->pci));
	die_close(&die);
	ASSERT_EQ(0, debugfs_put(self, "ras_eeprom_reset", "1"));
	ASSERT_EQ(0, unbind_die(self));
	/* What was retired before is forgotten with the table. */
	ASSERT_EQ(0, bind_die(self));
	ASSERT_EQ(0, debugfs_put(self, "ras_ctrl", "retire_page 0x3000000"));
	ASSERT_EQ(0, debugfs_put(self, "ras_ctrl", "retire_page 0x3005678"));
	ASSERT_EQ(0, unbind_die(self));
}

/* Whatever the chip has then, it gets a new table. */
FIXTURE_TEARDOWN(eeprom)
{
	EXPECT_EQ(0, debugfs_put(self, "ras_eeprom_reset", "1"));
	EXPECT_EQ(0, unbind_die(self));
	EXPECT_EQ(0, bind_die(self));
}

static uint32_t le(const uint8_t *p, unsigned int bytes)
{
	uint32_t v = 0;

	while (bytes--)
		v = v << 8 | p[bytes];
	return v;
}

static uint8_t sum(const uint8_t *p, size_t len)
{
	uint8_t s = 0;

	while (len--)
		s += *p++;
	return s;
}

/* A header that is as it should be for that many records, the sum of whose bytes is @rest */
static void header(uint8_t *h, uint32_t tag, uint32_t version, uint32_t first, uint32_t size,
		   uint8_t rest)
{
	const uint32_t words[4] = { tag, version, first, size };
	unsigned int i;

	memset(h, 0, RAS_TABLE_HEADER_SIZE);
	for (i = 0; i < 16; i++)
		h[i] = words[i / 4] >> 8 * (i % 4);
	h[16] = -(sum(h, 16) + rest);
}

/* ------------------------------------------------------------------- tests */

/* The bytes are amdgpu's: __encode_table_header_to_buf(), __encode_table_record_to_buf(). */
TEST_F(eeprom, table_is_amdgpus)
{
	uint8_t b[20 + 2 * 24];
	uint64_t pages[4];
	char states[4];

	ASSERT_EQ(0, eeprom(self, 0, b, sizeof(b), false));
	EXPECT_EQ(0x414d4452, le(b, 4));
	EXPECT_EQ(0x00010000, le(b + 4, 4));
	EXPECT_EQ(20, le(b + 8, 4));
	EXPECT_EQ(sizeof(b), le(b + 12, 4));
	EXPECT_EQ(0, sum(b, sizeof(b)));
	EXPECT_EQ(2, b[20]);			/* not recoverable */
	EXPECT_NE(0, le(b + 22, 4));		/* when */
	EXPECT_EQ(0x3000000, le(b + 30, 4));	/* where */
	EXPECT_EQ(0x3000, le(b + 38, 4));	/* page */
	EXPECT_EQ(0, le(b + 42, 2));
	EXPECT_EQ(0x3005678, le(b + 54, 4));
	EXPECT_EQ(0x3005, le(b + 62, 4));

	/* and it is what the driver goes by */
	ASSERT_EQ(0, bind_die(self));
	ASSERT_EQ(2, bad_pages(self, pages, states, 4));
	EXPECT_EQ(0x3000, pages[0]);
	EXPECT_EQ(0x3005, pages[1]);
	EXPECT_EQ(0, memcmp(states, "RR", 2));
}

/* Nothing of a table that is not as it should be is believed, and nothing of it changes. */
TEST_F(eeprom, wrong_checksum)
{
	uint8_t b[20 + 3 * 24], now[20 + 3 * 24];
	uint64_t pages[4];
	char states[4];

	ASSERT_EQ(0, eeprom(self, 0, b, sizeof(b), false));
	b[39] ^= 0x10;
	ASSERT_EQ(0, eeprom(self, 39, b + 39, 1, true));
	ASSERT_EQ(0, bind_die(self));
	EXPECT_EQ(0, bad_pages(self, pages, states, 4));
	/* A page that turns out bad now is kept from use, but not written down. */
	EXPECT_EQ(0, debugfs_put(self, "ras_ctrl", "retire_page 0x3008000"));
	ASSERT_EQ(1, bad_pages(self, pages, states, 4));
	EXPECT_EQ(0x3008, pages[0]);
	ASSERT_EQ(0, unbind_die(self));
	ASSERT_EQ(0, eeprom(self, 0, now, sizeof(now), false));
	EXPECT_EQ(0, memcmp(b, now, sizeof(b)));
	ASSERT_EQ(0, bind_die(self));
}

TEST_F(eeprom, header_is_not_trusted)
{
	static const struct {
		uint32_t version, first, size;
	} headers[] = {
		{ 0x00021000, 20, 20 },		/* another version */
		{ 0x00010000, 44, 20 },		/* records begin elsewhere */
		{ 0x00010000, 20, 0 },
		{ 0x00010000, 20, 19 },
		{ 0x00010000, 20, 21 },		/* part of a record */
		{ 0x00010000, 20, 20 + 24 * 10922 },	/* more than the chip */
		{ 0x00010000, 20, 0xfffffffc },
	};
	uint8_t h[RAS_TABLE_HEADER_SIZE], now[RAS_TABLE_HEADER_SIZE];
	uint64_t pages[4];
	char states[4];
	unsigned int i;

	for (i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		header(h, RAS_TABLE_HDR_VAL, headers[i].version, headers[i].first,
		       headers[i].size, 0);
		ASSERT_EQ(0, eeprom(self, 0, h, sizeof(h), true));
		ASSERT_EQ(0, bind_die(self));
		EXPECT_EQ(0, bad_pages(self, pages, states, 4));
		ASSERT_EQ(0, unbind_die(self));
		ASSERT_EQ(0, eeprom(self, 0, now, sizeof(now), false));
		EXPECT_EQ(0, memcmp(h, now, sizeof(h)));
	}

	/* No table at all: a new one. */
	memset(h, 0xff, sizeof(h));
	ASSERT_EQ(0, eeprom(self, 0, h, sizeof(h), true));
	ASSERT_EQ(0, bind_die(self));
	ASSERT_EQ(0, unbind_die(self));
	header(h, RAS_TABLE_HDR_VAL, 0x00010000, 20, 20, 0);
	ASSERT_EQ(0, eeprom(self, 0, now, sizeof(now), false));
	EXPECT_EQ(0, memcmp(h, now, sizeof(h)));
	ASSERT_EQ(0, bind_die(self));
}

/* Records may say anything: what is no page of this die is left out. */
TEST_F(eeprom, records_are_not_trusted)
{
	uint8_t b[20 + 2 * 24];
	uint64_t pages[4];
	char states[4];

	ASSERT_EQ(0, eeprom(self, 0, b, sizeof(b), false));
	memset(b + 38, 0xff, 6);
	memcpy(b + 62, "\x05\x30\0\0\0\0", 6);
	header(b, RAS_TABLE_HDR_VAL, 0x00010000, 20, sizeof(b), sum(b + 20, sizeof(b) - 20));
	ASSERT_EQ(0, eeprom(self, 0, b, sizeof(b), true));
	ASSERT_EQ(0, bind_die(self));
	ASSERT_EQ(1, bad_pages(self, pages, states, 4));
	EXPECT_EQ(0x3005, pages[0]);
}

/* As many records as the chip has room for: one more is not written, and does no harm. */
TEST_F(eeprom, full_chip)
{
	const uint32_t records = (CHIP_BYTES - 20) / 24;
	uint8_t h[RAS_TABLE_HEADER_SIZE], now[RAS_TABLE_HEADER_SIZE], *b = malloc(CHIP_BYTES);
	uint64_t pages[4];
	char states[4];

	ASSERT_NE(NULL, b);
	ASSERT_EQ(0, eeprom(self, 20, b, 24 * records, false));
	header(h, RAS_TABLE_HDR_VAL, 0x00010000, 20, 20 + 24 * records, sum(b, 24 * records));
	ASSERT_EQ(0, eeprom(self, 0, h, sizeof(h), true));
	ASSERT_EQ(0, bind_die(self));
	ASSERT_LE(2, bad_pages(self, pages, states, 4));
	EXPECT_EQ(0, debugfs_put(self, "ras_ctrl", "retire_page 0x3010000"));
	ASSERT_EQ(0, unbind_die(self));
	ASSERT_EQ(0, eeprom(self, 12, now, 4, false));
	EXPECT_EQ(20 + 24 * records, le(now, 4));
	ASSERT_EQ(0, bind_die(self));
	EXPECT_LE(2, bad_pages(self, pages, states, 4));
	free(b);
}

TEST_HARNESS_MAIN
