/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets that move data, and how all packets reach memory.
 * Documentation/hardware.rst, "Packets": data packets.
 *
 * A fault has been reported by the memory controller when we hear of it: what
 * was to be read is what vgpu_gmc_fault_fill() says, what was to be written is
 * lost, the stream goes on.
 */
#include <string.h>

#include "pm4.h"

#define PAGE 4096ull

/* --------------------------------------------------------------- access */

void pm4_flush_writes(struct vgpu_cp *cp)
{
    if (cp->dirty_len) {
        vgpu_gmc_written(cp->d, cp->dirty, cp->dirty_len);
        cp->dirty_len = 0;
    }
}

/* Note a write; what follows on the one before is told together with it. */
static inline void dirty(struct vgpu_cp *cp, uint8_t *ptr, uint64_t len)
{
    if (cp->dirty_len && ptr >= cp->dirty &&
        ptr <= cp->dirty + cp->dirty_len) {
        len += ptr - cp->dirty;
        if (len > cp->dirty_len) {
            cp->dirty_len = len;
        }
        return;
    }
    pm4_flush_writes(cp);
    cp->dirty = ptr;
    cp->dirty_len = len;
    if (__builtin_expect(cp->d->gmc->slow_peers, 0)) {
        /* What takes time is to end this slice, before the next packet. */
        pm4_flush_writes(cp);
    }
}

/*
 * Single stores are made in one piece and after all that were made before:
 * whoever polls for a fence may then look at what it stands for.
 */
void pm4_write32(struct vgpu_cp *cp, uint64_t va, uint32_t val)
{
    uint64_t len = sizeof(val);
    uint8_t *ptr = vgpu_gmc_map(cp->d, &cp->req, va, &len, VGPU_WRITE);

    if (ptr && len == sizeof(val)) {
        __atomic_store_n((uint32_t *)ptr, val, __ATOMIC_RELEASE);
        dirty(cp, ptr, sizeof(val));
    }
}

void pm4_write64(struct vgpu_cp *cp, uint64_t va, uint64_t val)
{
    uint64_t len = sizeof(val);
    uint8_t *ptr = vgpu_gmc_map(cp->d, &cp->req, va, &len, VGPU_WRITE);

    if (ptr && len == sizeof(val)) {
        __atomic_store_n((uint64_t *)ptr, val, __ATOMIC_RELEASE);
        dirty(cp, ptr, sizeof(val));
    }
}

/* Dwords to consecutive addresses, each stored in one piece and in order. */
static void write_dwords(struct vgpu_cp *cp, uint64_t va, const uint32_t *data,
                         unsigned n)
{
    while (n) {
        uint64_t len = 4ull * n;
        uint8_t *ptr = vgpu_gmc_map(cp->d, &cp->req, va, &len, VGPU_WRITE);
        unsigned i, done;

        if (!ptr) {
            len = PAGE - (va & (PAGE - 1));     /* that page is lost */
            len = len < 4ull * n ? len : 4ull * n;
        }
        done = len / 4;
        if (ptr) {
            for (i = 0; i < done; i++) {
                __atomic_store_n((uint32_t *)ptr + i, data[i],
                                 __ATOMIC_RELEASE);
            }
            dirty(cp, ptr, len);
        }
        va += len;
        data += done;
        n -= done;
    }
}

static bool read_in_one(struct vgpu_cp *cp, uint64_t va, void *val,
                        uint64_t size)
{
    uint64_t len = size;
    void *ptr;

    memset(val, 0, size);
    ptr = vgpu_gmc_map(cp->d, &cp->req, va, &len, VGPU_READ);
    if (!ptr) {
        memset(val, vgpu_gmc_fault_fill(cp->d), size);
        return false;
    }
    if (len < size) {
        return false;
    }
    vgpu_gmc_was_read(cp->d, ptr, size);
    if (size == 4) {
        *(uint32_t *)val = __atomic_load_n((uint32_t *)ptr, __ATOMIC_ACQUIRE);
    } else {
        *(uint64_t *)val = __atomic_load_n((uint64_t *)ptr, __ATOMIC_ACQUIRE);
    }
    return true;
}

bool pm4_read32(struct vgpu_cp *cp, uint64_t va, uint32_t *val)
{
    return read_in_one(cp, va, val, 4);
}

bool pm4_read64(struct vgpu_cp *cp, uint64_t va, uint64_t *val)
{
    return read_in_one(cp, va, val, 8);
}

/* ----------------------------------------------------------- WRITE_DATA */

static enum pm4_result write_regs(struct vgpu_cp *cp, uint32_t reg,
                                  const uint32_t *data, unsigned n,
                                  bool one_addr)
{
    unsigned i;

    if (!pm4_reg_allowed(cp, reg, one_addr ? 1 : n)) {
        return PM4_REGISTER;
    }
    for (i = 0; i < n; i++) {
        pm4_reg_write(cp, one_addr ? reg : reg + i, data[i]);
    }
    return PM4_NEXT;
}

enum pm4_result pm4_write_data(struct vgpu_cp *cp, const uint32_t *dw,
                               unsigned n)
{
    uint64_t va = pm4_addr(dw[1], dw[2]);
    bool one_addr = dw[0] & WR_ONE_ADDR;
    unsigned i;

    if (WRITE_DATA_GET_ENGINE_SEL(dw[0]) > WRITE_DATA_ENGINE_SEL_CE) {
        return PM4_RESERVED;
    }
    switch (WRITE_DATA_GET_DST_SEL(dw[0])) {
    case WRITE_DATA_DST_SEL_REG:
        return write_regs(cp, dw[1], dw + 3, n - 3, one_addr);
    case WRITE_DATA_DST_SEL_MEM_GRBM:
    case WRITE_DATA_DST_SEL_TC_L2:
    case WRITE_DATA_DST_SEL_MEM:
        break;
    default:
        return PM4_RESERVED;    /* GDS among them: this part has none */
    }
    if (va & 3) {
        return PM4_RESERVED;
    }
    if (one_addr) {
        for (i = 3; i < n; i++) {
            pm4_write32(cp, va, dw[i]);
        }
    } else {
        write_dwords(cp, va, dw + 3, n - 3);
    }
    if (n > 64) {
        vgpu_spend(cp->d, n / 64);
    }
    return PM4_NEXT;
}

/* ------------------------------------------------------------ COPY_DATA */

enum pm4_result pm4_copy_data(struct vgpu_cp *cp, const uint32_t *dw,
                              unsigned n)
{
    bool wide = dw[0] & PACKET3_COPY_DATA_COUNT_SEL;
    uint32_t width = wide ? 2 : 1, val32;
    uint64_t src = pm4_addr(dw[1], dw[2]), dst = pm4_addr(dw[3], dw[4]);
    uint64_t val = 0;
    unsigned dst_sel = PACKET3_COPY_DATA_GET_DST_SEL(dw[0]);

    (void)n;
    /* Check the destination first: a refused packet has no effect. */
    switch (dst_sel) {
    case PACKET3_COPY_DATA_DST_REG:
    case PACKET3_COPY_DATA_DST_PERF:
        if (!pm4_reg_allowed(cp, dw[3], width)) {
            return PM4_REGISTER;
        }
        break;
    case PACKET3_COPY_DATA_DST_MEM_GRBM:
    case PACKET3_COPY_DATA_DST_TC_L2:
    case PACKET3_COPY_DATA_DST_MEM:
        if (dst & (4 * width - 1)) {
            return PM4_RESERVED;
        }
        break;
    default:                    /* GDS among them: this part has none */
        return PM4_RESERVED;
    }

    switch (PACKET3_COPY_DATA_GET_SRC_SEL(dw[0])) {
    case PACKET3_COPY_DATA_SRC_REG:
    case PACKET3_COPY_DATA_SRC_PERF:
        if (!pm4_reg_allowed(cp, dw[1], width)) {
            return PM4_REGISTER;
        }
        val = pm4_reg_read(cp, dw[1]);
        if (wide) {
            val |= (uint64_t)pm4_reg_read(cp, dw[1] + 1) << 32;
        }
        break;
    case PACKET3_COPY_DATA_SRC_MEM:
    case PACKET3_COPY_DATA_SRC_TC_L2:
        if (src & (4 * width - 1)) {
            return PM4_RESERVED;
        }
        if (wide) {
            pm4_read64(cp, src, &val);
        } else {
            pm4_read32(cp, src, &val32);
            val = val32;
        }
        break;
    case PACKET3_COPY_DATA_SRC_IMM:
        val = src;
        break;
    case PACKET3_COPY_DATA_SRC_ATOMIC_RETURN:
        val = pm4_addr(cp->preop[0], cp->preop[1]);
        break;
    case PACKET3_COPY_DATA_SRC_GPU_CLOCK:
        val = vgpu_gpu_clock(cp->d);
        break;
    default:
        return PM4_RESERVED;
    }

    switch (dst_sel) {
    case PACKET3_COPY_DATA_DST_REG:
    case PACKET3_COPY_DATA_DST_PERF:
        pm4_reg_write(cp, dw[3], val);
        if (wide) {
            pm4_reg_write(cp, dw[3] + 1, val >> 32);
        }
        break;
    default:
        if (wide) {
            pm4_write64(cp, dst, val);
        } else {
            pm4_write32(cp, dst, val);
        }
    }
    return PM4_NEXT;
}

/* ------------------------------------------------------------- DMA_DATA */

/* Bytes moved before the slice is asked for more. */
#define DMA_CHUNK   65536u
/* What 1 unit of vgpu_spend() buys. */
#define DMA_UNIT    256u

struct dma {
    uint64_t src;
    uint64_t dst;
    uint32_t data;      /* of a fill */
    bool fill;
    bool src_reg;
    bool dst_reg;
    bool src_fixed;
    bool dst_fixed;
};

/* The pattern repeats from the first byte of the destination. */
static void fill(uint8_t *p, uint64_t len, uint32_t data, uint64_t done)
{
    uint64_t i;

    for (i = 0; i < len; i++) {
        p[i] = data >> (8 * ((done + i) & 3));
    }
}

static void fill_dwords(uint32_t *p, uint64_t n, uint32_t data)
{
    uint64_t i;

    for (i = 0; i < n; i++) {
        p[i] = data;
    }
}

/* Memory to memory or a fill of memory, both addresses advancing. */
static uint64_t dma_bulk(struct vgpu_cp *cp, const struct dma *m,
                         uint64_t done, uint64_t len)
{
    uint64_t dst_len = len, src_len;
    const void *src = NULL;
    uint8_t *dst;

    dst = vgpu_gmc_map(cp->d, &cp->req, m->dst + done, &dst_len, VGPU_WRITE);
    if (!dst) {
        /* That page is lost. */
        dst_len = PAGE - ((m->dst + done) & (PAGE - 1));
        return dst_len < len ? dst_len : len;
    }
    len = dst_len;
    if (m->fill) {
        if (((uintptr_t)dst | len | done) & 3) {
            fill(dst, len, m->data, done);
        } else {
            fill_dwords((uint32_t *)dst, len / 4, m->data);
        }
    } else {
        src_len = len;
        src = vgpu_gmc_map(cp->d, &cp->req, m->src + done, &src_len,
                           VGPU_READ);
        if (!src) {
            src_len = PAGE - ((m->src + done) & (PAGE - 1));
        }
        len = src_len < len ? src_len : len;
        if (src) {
            memmove(dst, src, len);
            vgpu_gmc_was_read(cp->d, src, len);
        } else {
            memset(dst, vgpu_gmc_fault_fill(cp->d), len);
        }
    }
    vgpu_gmc_written(cp->d, dst, len);
    return len;
}

/* Registers, or an address that stays: a dword at a time. */
static void dma_dword(struct vgpu_cp *cp, const struct dma *m, uint64_t done)
{
    uint64_t src = m->src, dst = m->dst;
    uint32_t val;

    if (!m->src_fixed) {
        src += m->src_reg ? done / 4 : done;
    }
    if (!m->dst_fixed) {
        dst += m->dst_reg ? done / 4 : done;
    }
    if (m->fill) {
        val = m->data;
    } else if (m->src_reg) {
        val = pm4_reg_read(cp, src);
    } else {
        pm4_read32(cp, src, &val);
    }
    if (m->dst_reg) {
        pm4_reg_write(cp, dst, val);
    } else {
        pm4_write32(cp, dst, val);
    }
}

enum pm4_result pm4_dma_data(struct vgpu_cp *cp, const uint32_t *dw,
                             unsigned n)
{
    struct vgpu_pm4_state *s = cp->s;
    unsigned src_sel = PACKET3_DMA_DATA_GET_SRC_SEL(dw[0]);
    unsigned dst_sel = PACKET3_DMA_DATA_GET_DST_SEL(dw[0]);
    uint32_t cmd = dw[5];
    uint64_t bytes = PACKET3_DMA_DATA_CMD_GET_BYTE_COUNT(cmd), step;
    bool by_dword;
    struct dma m = {
        .src = pm4_addr(dw[1], dw[2]),
        .dst = pm4_addr(dw[3], dw[4]),
        .data = dw[1],
        .fill = src_sel == PACKET3_DMA_DATA_SRC_SEL_DATA,
        .src_reg = src_sel == PACKET3_DMA_DATA_SEL_ADDR &&
                   (cmd & PACKET3_DMA_DATA_CMD_SAS),
        .dst_reg = dst_sel == PACKET3_DMA_DATA_SEL_ADDR &&
                   (cmd & PACKET3_DMA_DATA_CMD_DAS),
        .src_fixed = cmd & PACKET3_DMA_DATA_CMD_SAIC,
        .dst_fixed = cmd & PACKET3_DMA_DATA_CMD_DAIC,
    };

    (void)n;
    if (src_sel == PACKET3_DMA_DATA_SEL_GDS ||
        dst_sel == PACKET3_DMA_DATA_SEL_GDS) {
        return PM4_RESERVED;    /* this part has no GDS */
    }
    if (dst_sel == PACKET3_DMA_DATA_DST_SEL_NOWHERE) {
        return PM4_NEXT;        /* warms a cache that we do not have */
    }
    by_dword = m.src_reg || m.dst_reg || m.dst_fixed ||
               (m.src_fixed && !m.fill);
    if (by_dword) {
        if ((bytes & 3) || (!m.fill && !m.src_reg && (m.src & 3)) ||
            (!m.dst_reg && (m.dst & 3))) {
            return PM4_RESERVED;
        }
        /* A register address is a dword offset. */
        m.src = m.src_reg ? dw[1] : m.src;
        m.dst = m.dst_reg ? dw[3] : m.dst;
        if (bytes &&
            ((m.src_reg &&
              !pm4_reg_allowed(cp, m.src, m.src_fixed ? 1 : bytes / 4)) ||
             (m.dst_reg &&
              !pm4_reg_allowed(cp, m.dst, m.dst_fixed ? 1 : bytes / 4)))) {
            return PM4_REGISTER;
        }
    } else {
        pm4_flush_writes(cp);
    }

    while (s->done < bytes) {
        step = bytes - s->done;
        if (by_dword) {
            step = 4;
            dma_dword(cp, &m, s->done);
        } else {
            step = dma_bulk(cp, &m, s->done,
                            step < DMA_CHUNK ? step : DMA_CHUNK);
        }
        s->done += step;
        if (vgpu_spend(cp->d, by_dword ? 1 : step / DMA_UNIT) &&
            s->done < bytes) {
            return PM4_MORE;
        }
    }
    s->done = 0;
    return PM4_NEXT;
}

/* ----------------------------------------------------------- ATOMIC_MEM */

#define TC_OP_MASK_64       0x20
#define TC_OP_MASK_NO_RTN   0x40

static bool is_cmpswap(unsigned op)
{
    return (op & ~(TC_OP_MASK_64 | TC_OP_MASK_NO_RTN)) ==
           TC_OP_ATOMIC_CMPSWAP_RTN_32;
}

/*
 * The loop form repeats a compare-and-swap until it swaps: a lock. The value
 * before goes to the pre-op registers, where COPY_DATA finds it.
 */
enum pm4_result pm4_atomic_mem(struct vgpu_cp *cp, const uint32_t *dw,
                               unsigned n)
{
    unsigned op = PACKET3_ATOMIC_MEM_GET_ATOMIC(dw[0]);
    unsigned command = PACKET3_ATOMIC_MEM_GET_COMMAND(dw[0]);
    uint64_t mask = op & TC_OP_MASK_64 ? UINT64_MAX : UINT32_MAX;
    uint64_t va = pm4_addr(dw[1], dw[2]), src = pm4_addr(dw[3], dw[4]);
    uint64_t cmp = pm4_addr(dw[5], dw[6]), old = 0, now;
    uint32_t now32;

    (void)n;
    if (command > PACKET3_ATOMIC_MEM_COMMAND_LOOP ||
        (command == PACKET3_ATOMIC_MEM_COMMAND_LOOP && !is_cmpswap(op)) ||
        (va & (op & TC_OP_MASK_64 ? 7 : 3))) {
        return PM4_RESERVED;
    }
    if (command == PACKET3_ATOMIC_MEM_COMMAND_LOOP) {
        /* Look first: an attempt that fails must not count as a write. */
        if (op & TC_OP_MASK_64) {
            pm4_read64(cp, va, &now);
        } else {
            pm4_read32(cp, va, &now32);
            now = now32;
        }
        if (now != (cmp & mask)) {
            return pm4_park(cp);
        }
    }
    pm4_flush_writes(cp);
    if (vgpu_gmc_atomic(cp->d, &cp->req, va, op, src, cmp, &old) == -2) {
        return PM4_RESERVED;
    }
    if (command == PACKET3_ATOMIC_MEM_COMMAND_LOOP &&
        (old & mask) != (cmp & mask)) {
        return pm4_park(cp);
    }
    cp->preop[0] = old & mask;
    cp->preop[1] = (old & mask) >> 32;
    return pm4_wait_over(cp);
}
