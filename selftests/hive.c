// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Dies of a hive: what they say of each other, and memory of one in the hands of
 * another. Documentation/hive.rst, "Memory of a peer".
 */
#include "harness.h"
#include "hive.h"
#include "shared.h"

#define SIZE		(1u << 20)
#define WORDS		(SIZE / 4)

FIXTURE(hive)
{
	struct die die[2];
	struct buf ib[2];
	struct buf mem[2];	/* VRAM of each */
	struct buf peer[2];	/* peer[i]: mem[1 - i] in the hands of die i */
};

FIXTURE_SETUP(hive)
{
	int i, fd;

	for (i = 0; i < 2; i++) {
		int ret = die_open(i, &self->die[i]);

		if (ret == -ENOENT)
			SKIP(return, "not two dies");
		ASSERT_EQ(0, ret);
		ASSERT_EQ(0, buf_alloc(&self->die[i], 16384, AMDGPU_GEM_DOMAIN_GTT, &self->ib[i]));
		ASSERT_EQ(0, buf_alloc(&self->die[i], SIZE, AMDGPU_GEM_DOMAIN_VRAM,
				       &self->mem[i]));
	}
	if (!hive_of(&self->die[0]))
		SKIP(return, "no hive");
	for (i = 0; i < 2; i++) {
		fd = buf_export(&self->mem[1 - i]);
		ASSERT_LE(0, fd);
		ASSERT_EQ(0, buf_import(&self->die[i], fd, &self->peer[i]));
		close(fd);
	}
}

FIXTURE_TEARDOWN(hive)
{
	int i;

	for (i = 0; i < 2; i++) {
		if (!self->die[i].dev)
			continue;
		buf_forget(&self->peer[i]);
	}
	for (i = 0; i < 2; i++) {
		if (!self->die[i].dev)
			continue;
		buf_free(&self->mem[i]);
		buf_free(&self->ib[i]);
		die_close(&self->die[i]);
	}
}

/* --------------------------------------------------------------- tests */

/* Numbers of one hive agree, those of a die differ. */
TEST_F(hive, tells_who_is_in_it)
{
	char a[64], b[64];
	int i;

	EXPECT_EQ(hive_of(&self->die[0]), hive_of(&self->die[1]));
	ASSERT_EQ(0, attribute(&self->die[0], "xgmi_device_id", a, sizeof(a)));
	ASSERT_EQ(0, attribute(&self->die[1], "xgmi_device_id", b, sizeof(b)));
	EXPECT_STRNE(a, b);
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, attribute(&self->die[i], "xgmi_physical_id", a, sizeof(a)));
		EXPECT_EQ(i, atoi(a));
		/* The two are neighbours, in a full mesh; members in the order they joined. */
		ASSERT_EQ(0, attribute(&self->die[i], "xgmi_num_hops", a, sizeof(a)));
		a[strcspn(a, "\n")] = '\0';
		EXPECT_STREQ(i ? "01 00 " : "00 01 ", a);
	}
	/* The mesh of two has one link, between the first ports of both. */
	ASSERT_EQ(0, attribute(&self->die[0], "xgmi_port_num", a, sizeof(a)));
	EXPECT_STREQ("01:00 ->  02:00\n", a);
	/* Each has a directory with everybody. */
	ASSERT_EQ(0, attribute(&self->die[0], "xgmi_hive_info/node2/xgmi_physical_id", a,
			       sizeof(a)));
	EXPECT_STREQ("1\n", a);
	ASSERT_EQ(0, attribute(&self->die[1], "xgmi_hive_info/node1/xgmi_physical_id", a,
			       sizeof(a)));
	EXPECT_STREQ("0\n", a);
}

/* Read and written by the peer, with both engines, and it never leaves VRAM. */
TEST_F(hive, peer_copies)
{
	static const unsigned int ip[] = { AMDGPU_HW_IP_DMA, AMDGPU_HW_IP_GFX };
	unsigned int i, e;
	char place[16];

	for (e = 0; e < 2; e++) {
		for (i = 0; i < 2; i++) {
			struct die *die = &self->die[i];

			fill(&self->mem[i], 0x1000 + e);
			fill(&self->mem[1 - i], 0x2000 + e);
			ASSERT_EQ(0, copy(die, &self->ib[i], ip[e], &self->mem[i],
					  &self->peer[i]));
			EXPECT_EQ(WORDS, differs(&self->mem[1 - i], 0x1000 + e));

			fill(&self->mem[1 - i], 0x3000 + e);
			ASSERT_EQ(0, copy(die, &self->ib[i], ip[e], &self->peer[i],
					  &self->mem[i]));
			EXPECT_EQ(WORDS, differs(&self->mem[i], 0x3000 + e));
		}
	}
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, place_of(&self->die[i], SIZE, place, sizeof(place)));
		EXPECT_STREQ("VRAM", place);
	}
}

/* The owner moves it, to and fro: the peer finds it wherever it is. */
TEST_F(hive, moves_under_the_peer)
{
	static const uint32_t domain[] = {
		AMDGPU_GEM_DOMAIN_GTT, AMDGPU_GEM_DOMAIN_VRAM, AMDGPU_GEM_DOMAIN_GTT,
		AMDGPU_GEM_DOMAIN_VRAM,
	};
	unsigned int i;
	char place[16];

	for (i = 0; i < 4; i++) {
		ASSERT_EQ(0, buf_place(&self->die[0], &self->mem[0], domain[i]));
		/* A job of the owner's brings it there; then one of the peer's. */
		fill(&self->mem[1], 7 * i);
		ASSERT_EQ(0, copy(&self->die[0], &self->ib[0], AMDGPU_HW_IP_DMA, &self->peer[0],
				  &self->mem[0]));
		ASSERT_EQ(0, place_of(&self->die[0], SIZE, place, sizeof(place)));
		EXPECT_STREQ(domain[i] == AMDGPU_GEM_DOMAIN_VRAM ? "VRAM" : "GTT", place);
		EXPECT_EQ(WORDS, differs(&self->mem[0], 7 * i));

		fill(&self->mem[1], 7 * i + 1);
		ASSERT_EQ(0, copy(&self->die[1], &self->ib[1], AMDGPU_HW_IP_DMA, &self->mem[1],
				  &self->peer[1]));
		EXPECT_EQ(WORDS, differs(&self->mem[0], 7 * i + 1));
	}
}

/* The exporter closes all it has: the memory lives as long as the peer. */
TEST_F(hive, outlives_its_owner)
{
	fill(&self->mem[0], 1);
	buf_free(&self->mem[0]);
	ASSERT_EQ(0, copy(&self->die[1], &self->ib[1], AMDGPU_HW_IP_DMA, &self->peer[1],
			  &self->mem[1]));
	EXPECT_EQ(WORDS, differs(&self->mem[1], 1));
}

static long errors_of(const struct die *die)
{
	char text[16];

	return attribute(die, "xgmi_error", text, sizeof(text)) ? -1 : atol(text);
}

/* Links of the hive that are broken; all others are mended. */
static int set_down(const char *links)
{
	char command[200];

	snprintf(command, sizeof(command),
		 "host qmp '{\"execute\":\"qom-set\",\"arguments\":{\"path\":\"/objects/h0\",\"property\":\"down\",\"value\":\"%s\"}}' >/dev/null",
		 links);
	return system(command);
}

/* Both ends count it, until it is read; what is one time counts once. */
TEST_F(hive, counts_errors_of_links)
{
	unsigned int i;

	if (access("/dev/vgpu-host", W_OK))
		SKIP(return, "needs the guest of tools/boot.sh");
	for (i = 0; i < 2; i++)
		ASSERT_LE(0, errors_of(&self->die[i]));
	ASSERT_EQ(0, set_down("0-1"));
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(1, errors_of(&self->die[i]));
		EXPECT_EQ(0, errors_of(&self->die[i]));
	}
	/* Hardware counts to two. */
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, set_down(""));
		ASSERT_EQ(0, set_down("0-1"));
	}
	ASSERT_EQ(0, set_down(""));
	for (i = 0; i < 2; i++)
		EXPECT_EQ(2, errors_of(&self->die[i]));
	fill(&self->mem[0], 4);
	ASSERT_EQ(0, copy(&self->die[0], &self->ib[0], AMDGPU_HW_IP_DMA, &self->mem[0],
			  &self->peer[0]));
	EXPECT_EQ(WORDS, differs(&self->mem[1], 4));
}

TEST_HARNESS_MAIN
