/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The paths into memory that must cost only a few instructions: the fetch of
 * packets, and the look at whether a peer is concerned. Included at the end of die.h.
 * Documentation/hardware.rst, "Memory".
 */
#ifndef VGPU_GMC_INLINE_H
#define VGPU_GMC_INLINE_H

static inline void vgpu_gmc_was_read(struct vgpu_die *d, const void *ptr,
                                     uint64_t len)
{
    if (__builtin_expect(d->gmc->peers, 0)) {
        vgpu_gmc_peer_access(d, ptr, len, false);
    }
}

/** The rest of vgpu_gmc_fetch(): translate, and point the window there. */
bool vgpu_gmc_fetch_miss(struct vgpu_die *d, const struct vgpu_req *req,
                         struct vgpu_window *w, uint64_t va, uint32_t *dst,
                         unsigned ndw);

/**
 * vgpu_gmc_window() - dwords at @va that the window holds
 *
 * Return: pointer to at least @ndw dwords of live guest memory (load each
 * once), or NULL when the window does not hold them: use vgpu_gmc_fetch().
 */
static inline const uint32_t *vgpu_gmc_window(const struct vgpu_die *d,
                                              const struct vgpu_req *req,
                                              const struct vgpu_window *w,
                                              uint64_t va, unsigned ndw)
{
    uint64_t off = va - w->va;

    /* Generations differ between hubs and VMIDs: no need to compare those. */
    if (w->gen != d->gmc->gen[req->hub][req->vmid] || off >= w->len ||
        4ull * ndw > w->len - off) {
        return NULL;
    }
    return (const uint32_t *)(w->ptr + off);
}

/** Copy @ndw dwords at @va (4-byte aligned) through a window; false: fault. */
static inline bool vgpu_gmc_fetch(struct vgpu_die *d,
                                  const struct vgpu_req *req,
                                  struct vgpu_window *w, uint64_t va,
                                  uint32_t *dst, unsigned ndw)
{
    const uint32_t *p = vgpu_gmc_window(d, req, w, va, ndw);

    if (__builtin_expect(!p, 0)) {
        return vgpu_gmc_fetch_miss(d, req, w, va, dst, ndw);
    }
    if (ndw == 1) {
        __builtin_memcpy(dst, p, 4);
    } else {
        __builtin_memcpy(dst, p, 4ull * ndw);
    }
    return true;
}

#endif
