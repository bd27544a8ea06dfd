// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The firmware processors do not answer: who asks them is told so, nothing hangs,
 * jobs run on, the rest of the hive does as ever, and a reset of the function brings
 * them back. Documentation/hive.rst, "Firmware".
 *
 * Wants the guest of tools/boot.sh: the first die is the device gpu0.
 */
#include <errno.h>

#include <hw/reg/vgpu.h>

#include "harness.h"
#include "hive.h"

#define PSP	VGPU_DBG_STUCK__MP0_MASK
#define SMU	VGPU_DBG_STUCK__MP1_MASK

#define SIZE	65536u

/* The first two dies, which are one hive; it is the first whose firmware is broken. */
FIXTURE(firmware)
{
	struct die die[2];
	uint64_t hive;
	char pci[16];			/* of the first */
	int log;
};

FIXTURE_SETUP(firmware)
{
	if (access("/dev/vgpu-host", W_OK))
		SKIP(return, "needs the guest of tools/boot.sh");
	ASSERT_EQ(0, die_open(0, &self->die[0]));
	ASSERT_EQ(0, die_open(1, &self->die[1]));
	memcpy(self->pci, self->die[0].pci, sizeof(self->pci));
	self->hive = hive_of(&self->die[0]);
	ASSERT_NE(0, self->hive);
	ASSERT_EQ(self->hive, hive_of(&self->die[1]));
	self->log = log_open();
	ASSERT_LE(0, self->log);
}

static void close_die(struct die *die)
{
	if (die->dev)
		die_close(die);
	die->dev = NULL;
}

/* Return: 0, when the driver of the first die is gone, or came, without an error. */
static int release_die(FIXTURE_DATA(firmware) * self)
{
	close_die(&self->die[0]);
	return write_file("/sys/bus/pci/drivers/vgpu/unbind", self->pci);
}

static int take_die(FIXTURE_DATA(firmware) * self)
{
	int ret = write_file("/sys/bus/pci/drivers/vgpu/bind", self->pci);

	return ret ? ret : die_open(0, &self->die[0]);
}

static int reset_function(FIXTURE_DATA(firmware) * self)
{
	char path[80];

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/reset", self->pci);
	return write_file(path, "1");
}

/* Whatever has happened: after a reset of the function the die is as good as new. */
FIXTURE_TEARDOWN(firmware)
{
	if (!self->hive)
		return;
	EXPECT_EQ(0, release_die(self));
	EXPECT_EQ(0, reset_function(self));
	EXPECT_EQ(0, take_die(self));
	EXPECT_EQ(self->hive, hive_of(&self->die[0]));
	close_die(&self->die[0]);
	close_die(&self->die[1]);
	close(self->log);
}

static int ras_command(const struct die *die, const char *text)
{
	FILE *f = die_debugfs(die, "ras/ras_ctrl", "w");
	int ret;

	if (!f)
		return -errno;
	setvbuf(f, NULL, _IONBF, 0);
	ret = fwrite(text, strlen(text), 1, f) == 1 ? 0 : -errno;
	fclose(f);
	return ret;
}

/* Reading it makes the power controller tell. Return: 0 or a negative errno. */
static int ask_umc(const struct die *die)
{
	char path[96], text[64];
	int fd, ret = 0;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/ras/umc_err_count", die->pci);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return -errno;
	if (read(fd, text, sizeof(text)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

/* In a new context: memory, and what was to be done with it, may have been lost. */
static int try_copy(struct die *die)
{
	struct buf ib = { 0 }, from = { 0 }, to = { 0 };
	struct die user;
	int ret = die_open_again(die, &user);

	if (ret)
		return ret;
	ret = buf_alloc(&user, 4096, AMDGPU_GEM_DOMAIN_GTT, &ib);
	if (!ret)
		ret = buf_alloc(&user, SIZE, AMDGPU_GEM_DOMAIN_GTT, &from);
	if (!ret)
		ret = buf_alloc(&user, SIZE, AMDGPU_GEM_DOMAIN_GTT, &to);
	if (!ret) {
		fill(&from, 0xf1);
		ret = copy(&user, &ib, AMDGPU_HW_IP_DMA, &from, &to);
	}
	if (!ret && differs(&to, 0xf1) != SIZE / 4)
		ret = -EILSEQ;
	buf_free(&to);
	buf_free(&from);
	buf_free(&ib);
	die_close(&user);
	return ret;
}

static uint64_t reset_flags(struct die *die)
{
	uint64_t flags = ~0ull;

	if (amdgpu_cs_query_reset_state2(die->ctx, &flags))
		return ~0ull;
	return flags;
}

/* Mode 2 is this one's work: without it, the die that has none takes mode 1. */
TEST_F(firmware, power_controller_is_silent)
{
	struct die *die = self->die;

	ASSERT_EQ(0, ask_umc(&die[0]));
	ASSERT_EQ(0, stick(0, SMU));
	EXPECT_EQ(-ETIMEDOUT, ask_umc(&die[0]));
	/* Injection is the PSP's, and it answers; other counters are registers. */
	EXPECT_EQ(0, ras_command(&die[0], "inject mmhub ce 0 0 0"));
	EXPECT_EQ(0, try_copy(&die[0]));

	EXPECT_EQ(0, reset(&die[1], 2));
	EXPECT_TRUE(log_says(self->log, "mode-2 reset: -110, trying mode 1"));
	EXPECT_TRUE(reset_flags(&die[0]) & AMDGPU_CTX_QUERY2_FLAGS_VRAMLOST);
	EXPECT_FALSE(reset_flags(&die[1]) & AMDGPU_CTX_QUERY2_FLAGS_VRAMLOST);
	EXPECT_EQ(0, ask_umc(&die[0]));
	EXPECT_EQ(0, try_copy(&die[0]));
	EXPECT_EQ(0, try_copy(&die[1]));
}

/* One that did not answer once is not asked again, until it was reset. */
TEST_F(firmware, security_processor_is_silent)
{
	struct die *die = self->die;

	ASSERT_EQ(0, ras_command(&die[0], "enable mmhub ue"));
	ASSERT_EQ(0, stick(0, PSP));
	EXPECT_EQ(-ETIMEDOUT, ras_command(&die[0], "enable mmhub ue"));
	EXPECT_EQ(-ENODEV, ras_command(&die[0], "enable mmhub ue"));
	EXPECT_EQ(-ENODEV, ras_command(&die[0], "inject mmhub ce 0 0 0"));
	EXPECT_EQ(0, ask_umc(&die[0]));
	EXPECT_EQ(0, try_copy(&die[0]));
	/* Mode 2 does without it, and the others learn their ways from their own. */
	EXPECT_EQ(0, reset(&die[1], 2));
	EXPECT_EQ(-ENODEV, ras_command(&die[0], "enable mmhub ue"));
	EXPECT_EQ(0, try_copy(&die[0]));
	EXPECT_EQ(0, try_copy(&die[1]));

	EXPECT_EQ(0, reset_function(self));
	EXPECT_EQ(0, ras_command(&die[0], "enable mmhub ue"));
	EXPECT_EQ(0, ras_command(&die[0], "inject mmhub ce 0 0 0"));
	EXPECT_EQ(0, try_copy(&die[0]));
}

/* Nobody can reset the die: it is left out, and the others go on without it. */
TEST_F(firmware, both_are_silent)
{
	struct die *die = self->die;

	ASSERT_EQ(0, stick(0, PSP | SMU));
	EXPECT_EQ(0, reset(&die[1], 2));
	EXPECT_TRUE(log_says(self->log, "reset failed: -110"));
	EXPECT_EQ(0, try_copy(&die[1]));
	EXPECT_NE(0, try_copy(&die[0]));

	EXPECT_EQ(0, reset_function(self));
	EXPECT_EQ(0, try_copy(&die[0]));
	EXPECT_EQ(0, try_copy(&die[1]));
}

/* The driver takes the die, and says what it has to do without. */
static void load_without(struct __test_metadata *_metadata, FIXTURE_DATA(firmware) * self,
			 unsigned int stuck, const char *message, bool member)
{
	struct die *die = self->die;

	ASSERT_EQ(0, release_die(self));
	ASSERT_EQ(0, stick(0, stuck));
	ASSERT_EQ(0, take_die(self));
	EXPECT_TRUE(log_says(self->log, message));
	EXPECT_EQ(member ? self->hive : 0, hive_of(&die[0]));
	EXPECT_EQ(0, try_copy(&die[0]));
	EXPECT_EQ(self->hive, hive_of(&die[1]));
	EXPECT_EQ(0, reset(&die[1], 2));
	EXPECT_EQ(0, try_copy(&die[1]));
}

TEST_F(firmware, load_without_security_processor)
{
	load_without(_metadata, self, PSP, "PSP: -110; the die is in no hive", false);
}

TEST_F(firmware, load_without_power_controller)
{
	load_without(_metadata, self, SMU, "SMU: -110; the die cannot be reset", true);
}

TEST_HARNESS_MAIN
