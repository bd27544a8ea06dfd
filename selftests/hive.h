/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Dies of a hive as tests see them: what sysfs says of them, memory filled with
 * patterns, and copies between them. Documentation/hive.rst.
 */
#ifndef VGPU_SELFTESTS_HIVE_H
#define VGPU_SELFTESTS_HIVE_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emit.h"
#include "lib/die.h"

/* What an attribute of the PCI function says. Return: 0 or a negative errno. */
static inline int attribute(const struct die *die, const char *name, char *text, size_t size)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/%s", die->pci, name);
	f = fopen(path, "r");
	if (!f)
		return -errno;
	text = fgets(text, size, f);
	fclose(f);
	return text ? 0 : -EIO;
}

/* The hive's id, 0: none. */
static inline uint64_t hive_of(const struct die *die)
{
	char id[64];

	if (attribute(die, "xgmi_hive_info/xgmi_hive_id", id, sizeof(id)))
		return 0;
	return strtoull(id, NULL, 10);
}

/* Resets and recoveries of the die so far; a negative errno. */
static inline long resets_of(const struct die *die)
{
	FILE *f = die_debugfs(die, "vgpu_hive_reset", "r");
	long count = -EIO;

	if (!f)
		return -errno;
	if (fscanf(f, "%ld", &count) != 1)
		count = -EIO;
	fclose(f);
	return count;
}

/* Returns when it is over. */
static inline int reset(const struct die *die, int mode)
{
	FILE *f = die_debugfs(die, "vgpu_hive_reset", "w");

	if (!f)
		return -errno;
	fprintf(f, "%d\n", mode);
	return fclose(f) ? -errno : 0;
}

/*
 * Fault injection: parts of the die that is the device gpu0 and so on, as VGPU_DBG_STUCK has
 * them, stand still. Return: 0 when the host did so.
 */
static inline int stick(unsigned int device, unsigned int parts)
{
	char command[200];

	snprintf(command, sizeof(command),
		 "host qmp '{\"execute\":\"qom-set\",\"arguments\":{\"path\":\"/machine/peripheral/gpu%u\",\"property\":\"stuck\",\"value\":%u}}' >/dev/null",
		 device, parts);
	return system(command);
}

/* The kernel's log, from now on. Return: a descriptor, -1: no. */
static inline int log_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd;
}

/* Until it says so; a message that must come has a minute. Return: whether it did. */
static inline bool log_says(int fd, const char *text)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	char record[8192];
	ssize_t n;

	while (poll(&pfd, 1, 60000) > 0) {
		n = read(fd, record, sizeof(record) - 1);
		if (n < 0 && errno != EPIPE)
			return false;
		record[n < 0 ? 0 : n] = '\0';
		if (strstr(record, text))
			return true;
	}
	return false;
}

/* In which memory is the only buffer of @bytes bytes that the die's files have made? */
static inline int place_of(const struct die *die, unsigned long bytes, char *place, size_t size)
{
	FILE *f = die_debugfs(die, "vgpu_gem", "r");
	char line[160], where[16];
	unsigned long have;
	int ret = -ENOENT;

	if (!f)
		return -errno;
	while (ret && fgets(line, sizeof(line), f)) {
		if (sscanf(line, " %*u: %lu bytes in %15s", &have, where) != 2 ||
		    have != bytes || strstr(line, "imported"))
			continue;
		snprintf(place, size, "%s", where);
		ret = 0;
	}
	fclose(f);
	return ret;
}

/* Word @i of the pattern with number @seed */
static inline uint32_t word(uint32_t seed, uint32_t i)
{
	return (seed + i) * 2654435761u ^ seed;
}

/* Words from @at on */
static inline void fill_part(struct buf *buf, uint32_t at, uint32_t words, uint32_t seed)
{
	uint32_t i;

	for (i = 0; i < words; i++)
		buf_set(buf, at + i, word(seed, i));
}

static inline void fill(struct buf *buf, uint32_t seed)
{
	fill_part(buf, 0, buf->size / 4, seed);
}

/* Return: the first of @words words that is not of the pattern, @words: all are. */
static inline uint32_t differs_part(struct buf *buf, uint32_t at, uint32_t words, uint32_t seed)
{
	uint32_t i;

	for (i = 0; i < words && buf_get(buf, at + i) == word(seed, i); i++)
		;
	return i;
}

static inline uint32_t differs(struct buf *buf, uint32_t seed)
{
	return differs_part(buf, 0, buf->size / 4, seed);
}

/* A copy on the first ring of @ip, into @sub; its packets are at @offset of the IB. */
static inline void copy_job(struct sub *sub, struct buf *ib, uint32_t offset, unsigned int ip,
			    uint64_t src, uint64_t dst, uint32_t bytes)
{
	struct ibw w = { .dw = (uint32_t *)((char *)ib->cpu + offset) };

	if (ip == AMDGPU_HW_IP_GFX)
		pm4_dma(&w, src, dst, bytes);
	else
		sdma_copy(&w, src, dst, bytes);
	*sub = (struct sub){ .ip = ip, .ib = ib, .offset = offset, .ndw = w.n };
}

/* All of a buffer to another of its size; over when it returns. */
static inline int copy(struct die *die, struct buf *ib, unsigned int ip, struct buf *src,
		       struct buf *dst)
{
	struct buf *bufs[] = { src, dst, NULL };
	struct sub sub;

	copy_job(&sub, ib, 0, ip, src->va, dst->va, src->size);
	sub.bufs = bufs;
	return sub_run(die, &sub);
}

#endif
