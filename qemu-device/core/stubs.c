/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Weak stand-ins for hardware blocks, so that the core links without them;
 * the real definition of a block replaces its stand-in by merely existing.
 */
#include "die.h"

#define WEAK __attribute__((weak))

WEAK const struct vgpu_block vgpu_gmc_block = { .name = "gmc" };
WEAK const struct vgpu_block vgpu_ih_block = { .name = "ih" };
WEAK const struct vgpu_block vgpu_cp_block = { .name = "cp" };
WEAK const struct vgpu_block vgpu_sdma_block = { .name = "sdma" };

WEAK bool vgpu_cp_doorbell(struct vgpu_die *d, uint32_t index, uint64_t val)
{
    (void)d;
    (void)index;
    (void)val;
    return false;
}

WEAK bool vgpu_sdma_doorbell(struct vgpu_die *d, unsigned engine,
                             uint32_t index, uint64_t val)
{
    (void)d;
    (void)engine;
    (void)index;
    (void)val;
    return false;
}

WEAK bool vgpu_ih_doorbell(struct vgpu_die *d, uint32_t index, uint64_t val)
{
    (void)d;
    (void)index;
    (void)val;
    return false;
}

WEAK void vgpu_ih_post(struct vgpu_die *d, const struct vgpu_iv *iv)
{
    (void)d;
    (void)iv;
}

WEAK void vgpu_cp_soft_reset(struct vgpu_die *d, uint32_t val)
{
    (void)d;
    (void)val;
}

WEAK bool vgpu_cp_busy(struct vgpu_die *d)
{
    (void)d;
    return false;
}

WEAK void *vgpu_gmc_map(struct vgpu_die *d, const struct vgpu_req *req,
                        uint64_t va, uint64_t *len, unsigned access)
{
    (void)d;
    (void)req;
    (void)va;
    (void)len;
    (void)access;
    return NULL;
}

WEAK void vgpu_gmc_written(struct vgpu_die *d, void *ptr, uint64_t len)
{
    d->mem_written = true;
    d->cfg.ops->written(d->cfg.opaque, ptr, len);
}

WEAK bool vgpu_gmc_read(struct vgpu_die *d, const struct vgpu_req *req,
                        uint64_t va, void *buf, uint64_t len)
{
    (void)d;
    (void)req;
    (void)va;
    __builtin_memset(buf, 0, len);
    return false;
}

WEAK bool vgpu_gmc_write(struct vgpu_die *d, const struct vgpu_req *req,
                         uint64_t va, const void *buf, uint64_t len)
{
    (void)d;
    (void)req;
    (void)va;
    (void)buf;
    (void)len;
    return false;
}

WEAK bool vgpu_gmc_fetch(struct vgpu_die *d, const struct vgpu_req *req,
                         struct vgpu_window *w, uint64_t va, uint32_t *dst,
                         unsigned ndw)
{
    (void)d;
    (void)req;
    (void)w;
    (void)va;
    __builtin_memset(dst, 0, ndw * 4ull);
    return false;
}

WEAK int vgpu_gmc_atomic(struct vgpu_die *d, const struct vgpu_req *req,
                         uint64_t va, unsigned op, uint64_t src, uint64_t cmp,
                         uint64_t *old)
{
    (void)d;
    (void)req;
    (void)va;
    (void)op;
    (void)src;
    (void)cmp;
    (void)old;
    return -1;
}
