/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A die as a user program sees it: opened through libdrm_amdgpu, with buffers
 * that have an address, and submissions that can be waited for. Shared by the
 * tools and the selftests. Documentation/tools.rst.
 */
#ifndef VGPU_TOOLS_DIE_H
#define VGPU_TOOLS_DIE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <amdgpu.h>
#include <amdgpu_drm.h>

#define DIE_MAX		16
#define DIE_WAIT_NS	(20ull * 1000 * 1000 * 1000)

/** struct die - an opened die; @pci is its address, @card its minor number */
struct die {
	int fd;
	int card;
	char pci[16];
	char path[64];
	amdgpu_device_handle dev;
	amdgpu_context_handle ctx;
	struct amdgpu_gpu_info info;
};

/**
 * die_open() - open the die with number @index, in the order of PCI addresses
 * Return: 0, -ENOENT when there are not so many, or another negative errno.
 */
int die_open(unsigned int index, struct die *die);
/** The same die once more: an address space of its own, as another process has. */
int die_open_again(const struct die *die, struct die *out);
void die_close(struct die *die);

/**
 * die_debugfs() - open a debugfs file of the die
 * Return: the stream, or NULL with errno set (EACCES: only root may).
 */
FILE *die_debugfs(const struct die *die, const char *name, const char *mode);

/** write_file() - write @text to a file of sysfs or procfs, in one piece */
int write_file(const char *path, const char *text);

/** struct buf - memory with an address on the die, mapped for the CPU too */
struct buf {
	amdgpu_bo_handle bo;
	amdgpu_va_handle va_handle;
	uint64_t va;
	uint64_t size;
	void *cpu;
};

/**
 * buf_alloc() - @size bytes in AMDGPU_GEM_DOMAIN_* @domain, mapped and zeroed
 * Return: 0 or a negative errno. buf_free() takes a zeroed struct too.
 */
int buf_alloc(struct die *die, uint64_t size, uint32_t domain, struct buf *buf);
void buf_free(struct buf *buf);

/** Return: a dma-buf of the buffer, a descriptor, or a negative errno. */
int buf_export(struct buf *buf);
/**
 * buf_import() - a descriptor as a buffer with an address, also of another die's buffer
 * It has no mapping for the CPU; buf_forget() frees it, and takes a zeroed struct too.
 */
int buf_import(struct die *die, int fd, struct buf *buf);
void buf_forget(struct buf *buf);

/* Dword @i as the GPU and the CPU share it: read or written once, now. */
static inline uint32_t buf_get(const struct buf *buf, uint64_t i)
{
	return __atomic_load_n((uint32_t *)buf->cpu + i, __ATOMIC_ACQUIRE);
}

static inline void buf_set(struct buf *buf, uint64_t i, uint32_t value)
{
	__atomic_store_n((uint32_t *)buf->cpu + i, value, __ATOMIC_RELEASE);
}

/** struct sub - a submission to be made, then waited for */
struct sub {
	unsigned int ip;		/* AMDGPU_HW_IP_* */
	unsigned int ring;
	struct buf *ib;			/* holds the packets */
	uint32_t offset;		/* bytes into it */
	uint32_t ndw;
	struct buf **bufs;		/* what else the packets touch; NULL ends */
	uint64_t seq;			/* result of sub_submit() */
};

/** Pads the IB as its engine wants it (it must have room for 8 dwords more). */
int sub_submit(struct die *die, struct sub *sub);
/** Return: 0, -ETIME when not done after @timeout_ns, or another errno. */
int sub_wait(struct die *die, struct sub *sub, uint64_t timeout_ns);
/** Submit and wait. */
int sub_run(struct die *die, struct sub *sub);

#endif
