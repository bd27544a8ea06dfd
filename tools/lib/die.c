// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Dies, buffers and submissions by libdrm_amdgpu, which knows our driver no
 * better than the one it was written for. Documentation/tools.rst.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xf86drm.h>

#include <hw/pm4.h>
#include <hw/sdma.h>

#include "die.h"

/* Ours under either of the names it can be built with; never a real amdgpu. */
static bool is_ours(int fd)
{
	drmVersionPtr v = drmGetVersion(fd);
	bool ours = v && strstr(v->desc, "vgpu");

	drmFreeVersion(v);
	return ours;
}

static int by_address(const void *a, const void *b)
{
	const drmPciBusInfo *x = (*(drmDevicePtr *)a)->businfo.pci;
	const drmPciBusInfo *y = (*(drmDevicePtr *)b)->businfo.pci;

	if (x->domain != y->domain)
		return x->domain - y->domain;
	if (x->bus != y->bus)
		return x->bus - y->bus;
	return x->dev != y->dev ? x->dev - y->dev : x->func - y->func;
}

static int die_open_path(const char *path, struct die *die)
{
	uint32_t major, minor;
	int ret;

	memset(die, 0, sizeof(*die));
	die->fd = open(path, O_RDWR | O_CLOEXEC);
	if (die->fd < 0)
		return -errno;
	snprintf(die->path, sizeof(die->path), "%s", path);
	ret = is_ours(die->fd) ? 0 : -ENODEV;
	if (!ret)
		ret = amdgpu_device_initialize2(die->fd, false, &major, &minor, &die->dev);
	if (ret) {
		close(die->fd);
		return ret;
	}
	ret = amdgpu_query_gpu_info(die->dev, &die->info);
	if (!ret)
		ret = amdgpu_cs_ctx_create(die->dev, &die->ctx);
	if (ret) {
		amdgpu_device_deinitialize(die->dev);
		die->dev = NULL;
		close(die->fd);
	}
	return ret;
}

int die_open(unsigned int index, struct die *die)
{
	drmDevicePtr devs[64];
	int i, n, ret = -ENOENT;

	n = drmGetDevices2(0, devs, 64);
	if (n < 0)
		return n;
	for (i = 0; i < n;) {
		if (devs[i]->bustype == DRM_BUS_PCI &&
		    devs[i]->available_nodes & (1 << DRM_NODE_RENDER)) {
			i++;
			continue;
		}
		drmFreeDevice(&devs[i]);
		devs[i] = devs[--n];
	}
	qsort(devs, n, sizeof(devs[0]), by_address);

	for (i = 0; i < n; i++) {
		const drmPciBusInfo *pci = devs[i]->businfo.pci;
		int fd = open(devs[i]->nodes[DRM_NODE_RENDER], O_RDWR | O_CLOEXEC);
		bool ours = fd >= 0 && is_ours(fd);

		if (fd >= 0)
			close(fd);
		if (!ours || index--)
			continue;
		ret = die_open_path(devs[i]->nodes[DRM_NODE_RENDER], die);
		if (ret)
			break;
		snprintf(die->pci, sizeof(die->pci), "%04x:%02x:%02x.%u",
			 pci->domain, pci->bus, pci->dev, pci->func);
		die->card = -1;
		if (devs[i]->available_nodes & (1 << DRM_NODE_PRIMARY))
			sscanf(devs[i]->nodes[DRM_NODE_PRIMARY], "/dev/dri/card%d", &die->card);
		break;
	}
	drmFreeDevices(devs, n);
	return ret;
}

int die_open_again(const struct die *die, struct die *out)
{
	int ret = die_open_path(die->path, out);

	if (ret)
		return ret;
	memcpy(out->pci, die->pci, sizeof(out->pci));
	out->card = die->card;
	return 0;
}

void die_close(struct die *die)
{
	amdgpu_cs_ctx_free(die->ctx);
	amdgpu_device_deinitialize(die->dev);
	close(die->fd);
}

FILE *die_debugfs(const struct die *die, const char *name, const char *mode)
{
	char path[160];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%s/%s", die->pci, name);
	f = fopen(path, mode);
	if (f)
		return f;
	snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%d/%s", die->card, name);
	return fopen(path, mode);
}

int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), ret = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

int buf_alloc(struct die *die, uint64_t size, uint32_t domain, struct buf *buf)
{
	struct amdgpu_bo_alloc_request req = {
		.alloc_size = (size + 4095) & ~4095ull,
		.phys_alignment = 4096,
		.preferred_heap = domain,
		.flags = AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED,
	};
	int ret;

	memset(buf, 0, sizeof(*buf));
	buf->size = req.alloc_size;
	ret = amdgpu_bo_alloc(die->dev, &req, &buf->bo);
	if (ret)
		return ret;
	ret = amdgpu_va_range_alloc(die->dev, amdgpu_gpu_va_range_general, buf->size, 2 << 20, 0,
				    &buf->va, &buf->va_handle, 0);
	if (ret)
		goto free_bo;
	ret = amdgpu_bo_va_op(buf->bo, 0, buf->size, buf->va, 0, AMDGPU_VA_OP_MAP);
	if (ret)
		goto free_va;
	ret = amdgpu_bo_cpu_map(buf->bo, &buf->cpu);
	if (ret)
		goto unmap;
	memset(buf->cpu, 0, buf->size);
	return 0;

unmap:
	amdgpu_bo_va_op(buf->bo, 0, buf->size, buf->va, 0, AMDGPU_VA_OP_UNMAP);
free_va:
	amdgpu_va_range_free(buf->va_handle);
free_bo:
	amdgpu_bo_free(buf->bo);
	memset(buf, 0, sizeof(*buf));
	return ret;
}

void buf_free(struct buf *buf)
{
	if (!buf->bo)
		return;
	amdgpu_bo_cpu_unmap(buf->bo);
	amdgpu_bo_va_op(buf->bo, 0, buf->size, buf->va, 0, AMDGPU_VA_OP_UNMAP);
	amdgpu_va_range_free(buf->va_handle);
	amdgpu_bo_free(buf->bo);
	memset(buf, 0, sizeof(*buf));
}

int buf_export(struct buf *buf)
{
	uint32_t fd;
	int ret = amdgpu_bo_export(buf->bo, amdgpu_bo_handle_type_dma_buf_fd, &fd);

	return ret ? ret : (int)fd;
}

int buf_import(struct die *die, int fd, struct buf *buf)
{
	struct amdgpu_bo_import_result res;
	int ret;

	memset(buf, 0, sizeof(*buf));
	ret = amdgpu_bo_import(die->dev, amdgpu_bo_handle_type_dma_buf_fd, fd, &res);
	if (ret)
		return ret;
	buf->bo = res.buf_handle;
	buf->size = res.alloc_size;
	ret = amdgpu_va_range_alloc(die->dev, amdgpu_gpu_va_range_general, buf->size, 0, 0,
				    &buf->va, &buf->va_handle, 0);
	if (!ret)
		ret = amdgpu_bo_va_op(buf->bo, 0, buf->size, buf->va, 0, AMDGPU_VA_OP_MAP);
	return ret;
}

void buf_forget(struct buf *buf)
{
	if (!buf->bo)
		return;
	amdgpu_bo_va_op(buf->bo, 0, buf->size, buf->va, 0, AMDGPU_VA_OP_UNMAP);
	amdgpu_va_range_free(buf->va_handle);
	amdgpu_bo_free(buf->bo);
	memset(buf, 0, sizeof(*buf));
}

int sub_submit(struct die *die, struct sub *sub)
{
	struct amdgpu_cs_ib_info ib = { .ib_mc_address = sub->ib->va + sub->offset };
	struct amdgpu_cs_request req = {
		.ip_type = sub->ip, .ring = sub->ring, .number_of_ibs = 1, .ibs = &ib,
	};
	uint32_t *dw = (uint32_t *)((char *)sub->ib->cpu + sub->offset);
	uint32_t nop = sub->ip == AMDGPU_HW_IP_DMA ? SDMA_OP_NOP :
		       PACKET3(PACKET3_NOP, PACKET3_NOP_ONE_DWORD_COUNT);
	amdgpu_bo_handle list[64];
	unsigned int n = 0;
	int ret;

	while (sub->ndw % 8)
		dw[sub->ndw++] = nop;
	ib.size = sub->ndw;

	list[n++] = sub->ib->bo;
	while (sub->bufs && sub->bufs[n - 1]) {
		if (n == 64)
			return -E2BIG;
		list[n] = sub->bufs[n - 1]->bo;
		n++;
	}
	ret = amdgpu_bo_list_create(die->dev, n, list, NULL, &req.resources);
	if (ret)
		return ret;
	ret = amdgpu_cs_submit(die->ctx, 0, &req, 1);
	sub->seq = req.seq_no;
	amdgpu_bo_list_destroy(req.resources);
	return ret;
}

int sub_wait(struct die *die, struct sub *sub, uint64_t timeout_ns)
{
	struct amdgpu_cs_fence fence = {
		.context = die->ctx, .ip_type = sub->ip, .ring = sub->ring, .fence = sub->seq,
	};
	uint32_t expired = 0;
	int ret = amdgpu_cs_query_fence_status(&fence, timeout_ns, 0, &expired);

	if (ret)
		return ret;
	return expired ? 0 : -ETIME;
}

int sub_run(struct die *die, struct sub *sub)
{
	int ret = sub_submit(die, sub);

	return ret ? ret : sub_wait(die, sub, DIE_WAIT_NS);
}
