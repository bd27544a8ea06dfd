/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets that set registers, and which stream may reach which of them.
 * Documentation/hardware.rst, "Packets": register packets.
 */
#include <string.h>

#include "pm4.h"

static const struct {
    uint32_t start, end;
} user_windows[] = {
    { PACKET3_SET_SH_REG_START, PACKET3_SET_SH_REG_END },
    { PACKET3_SET_CONTEXT_REG_START, PACKET3_SET_CONTEXT_REG_END },
    { PACKET3_SET_UCONFIG_REG_START, PACKET3_SET_UCONFIG_REG_END },
};

static bool in_user_window(uint32_t reg, uint32_t n)
{
    size_t i;

    for (i = 0; i < sizeof(user_windows) / sizeof(user_windows[0]); i++) {
        if (reg >= user_windows[i].start && reg < user_windows[i].end) {
            return n <= user_windows[i].end - reg;
        }
    }
    return false;
}

/*
 * VMID 0 is the kernel's. Every other stream gets at the state of shaders and
 * contexts and at the user configuration, and at nothing that could reach
 * another's memory.
 */
bool pm4_reg_allowed(const struct vgpu_cp *cp, uint32_t reg, uint32_t n)
{
    if (reg >= VGPU_NUM_REGS || n > VGPU_NUM_REGS - reg) {
        return false;
    }
    return cp->req.vmid == 0 || in_user_window(reg, n);
}

void pm4_reg_write(struct vgpu_cp *cp, uint32_t reg, uint32_t val)
{
    uint32_t *own = mec_compute_reg(cp, reg);

    if (own) {
        *own = val;
        return;
    }
    if (!in_user_window(reg, 1)) {
        /* It may move the ring, halt us or drop translations. */
        cp->sync = true;
    }
    vgpu_reg_write(cp->d, reg, val);
}

uint32_t pm4_reg_read(struct vgpu_cp *cp, uint32_t reg)
{
    const uint32_t *own = mec_compute_reg(cp, reg);

    return own ? *own : vgpu_reg_read(cp->d, reg);
}

enum pm4_result pm4_type0(struct vgpu_cp *cp, uint32_t reg, const uint32_t *dw,
                          unsigned n)
{
    unsigned i;

    if (!pm4_reg_allowed(cp, reg, n)) {
        return PM4_REGISTER;
    }
    for (i = 0; i < n; i++) {
        pm4_reg_write(cp, reg + i, dw[i]);
    }
    return PM4_NEXT;
}

/* SET_*_REG: offset in the window, values. The window ends where it ends. */
static enum pm4_result set_reg(struct vgpu_cp *cp, const uint32_t *dw,
                               unsigned n, uint32_t start, uint32_t end)
{
    uint32_t off = PACKET3_SET_REG_GET_OFFSET(dw[0]);

    if (off >= end - start || n - 1 > end - start - off) {
        return PM4_REGISTER;
    }
    return pm4_type0(cp, start + off, dw + 1, n - 1);
}

enum pm4_result pm4_set_config_reg(struct vgpu_cp *cp, const uint32_t *dw,
                                   unsigned n)
{
    return set_reg(cp, dw, n, PACKET3_SET_CONFIG_REG_START,
                   PACKET3_SET_CONFIG_REG_END);
}

enum pm4_result pm4_set_sh_reg(struct vgpu_cp *cp, const uint32_t *dw,
                               unsigned n)
{
    return set_reg(cp, dw, n, PACKET3_SET_SH_REG_START,
                   PACKET3_SET_SH_REG_END);
}

/* The index in [31:28] says how the hardware broadcasts; one die, one place. */
enum pm4_result pm4_set_uconfig_reg(struct vgpu_cp *cp, const uint32_t *dw,
                                    unsigned n)
{
    return set_reg(cp, dw, n, PACKET3_SET_UCONFIG_REG_START,
                   PACKET3_SET_UCONFIG_REG_END);
}

/*
 * Between PREAMBLE_CNTL begin and end the values are also what CLEAR_STATE
 * will restore.
 */
enum pm4_result pm4_set_context_reg(struct vgpu_cp *cp, const uint32_t *dw,
                                    unsigned n)
{
    enum pm4_result res = set_reg(cp, dw, n, PACKET3_SET_CONTEXT_REG_START,
                                  PACKET3_SET_CONTEXT_REG_END);

    if (res == PM4_NEXT && cp->s->preamble) {
        memcpy(&cp->d->s.cp_clear[PACKET3_SET_REG_GET_OFFSET(dw[0])], dw + 1,
               (n - 1) * sizeof(*dw));
    }
    return res;
}

enum pm4_result pm4_preamble_cntl(struct vgpu_cp *cp, const uint32_t *dw,
                                  unsigned n)
{
    (void)n;
    switch (dw[0] & (0xfu << 28)) {
    case 0:
    case 1u << 28:
        /* Begin and end of a preamble IB: matters to a preempted one only. */
        return PM4_NEXT;
    case PACKET3_PREAMBLE_BEGIN_CLEAR_STATE:
    case PACKET3_PREAMBLE_END_CLEAR_STATE:
        /* What the kernel defines as cleared is not a user's to change. */
        if (cp->req.vmid == 0) {
            cp->s->preamble = (dw[0] & (0xfu << 28)) ==
                              PACKET3_PREAMBLE_BEGIN_CLEAR_STATE;
        }
        return PM4_NEXT;
    default:
        return PM4_RESERVED;
    }
}

enum pm4_result pm4_clear_state(struct vgpu_cp *cp, const uint32_t *dw,
                                unsigned n)
{
    (void)n;
    if (PACKET3_CLEAR_STATE_GET_CMD(dw[0]) != PACKET3_CLEAR_STATE_CLEAR) {
        return PM4_RESERVED;    /* there is no stack of contexts */
    }
    memcpy(&cp->d->s.reg[PACKET3_SET_CONTEXT_REG_START], cp->d->s.cp_clear,
           sizeof(cp->d->s.cp_clear));
    return PM4_NEXT;
}

/*
 * Which state the hardware loads from and shadows to memory on a context
 * switch. There is one context here, so there is nothing to load.
 */
enum pm4_result pm4_context_control(struct vgpu_cp *cp, const uint32_t *dw,
                                    unsigned n)
{
    (void)n;
    cp->s->context_control[0] = dw[0];
    cp->s->context_control[1] = dw[1];
    return PM4_NEXT;
}

enum pm4_result pm4_set_base(struct vgpu_cp *cp, const uint32_t *dw,
                             unsigned n)
{
    uint32_t index = PACKET3_SET_BASE_GET_BASE_INDEX(dw[0]);

    (void)n;
    if (index > PACKET3_SET_BASE_INDIRECT_DATA) {
        return PM4_RESERVED;
    }
    cp->s->base[index] = pm4_addr(dw[1], dw[2]);
    return PM4_NEXT;
}

/*
 * REG_RMW: register [17:0], then an AND and an OR mask. Bit 31 and bit 30 say
 * that the AND and the OR mask are not given but in the register named there.
 */
enum pm4_result pm4_reg_rmw(struct vgpu_cp *cp, const uint32_t *dw, unsigned n)
{
    uint32_t reg = dw[0] & 0x3ffff, and_mask = dw[1], or_mask = dw[2];

    (void)n;
    if (!pm4_reg_allowed(cp, reg, 1)) {
        return PM4_REGISTER;
    }
    if (dw[0] & (1u << 31)) {
        if (!pm4_reg_allowed(cp, dw[1] & 0x3ffff, 1)) {
            return PM4_REGISTER;
        }
        and_mask = pm4_reg_read(cp, dw[1] & 0x3ffff);
    }
    if (dw[0] & (1u << 30)) {
        if (!pm4_reg_allowed(cp, dw[2] & 0x3ffff, 1)) {
            return PM4_REGISTER;
        }
        or_mask = pm4_reg_read(cp, dw[2] & 0x3ffff);
    }
    pm4_reg_write(cp, reg, (pm4_reg_read(cp, reg) & and_mask) | or_mask);
    return PM4_NEXT;
}
