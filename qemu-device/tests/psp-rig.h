/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A die with its security processor booted and its ring set up as a driver
 * does it, for the tests and the fuzzer of the firmware processors.
 */
#ifndef VGPU_PSP_RIG_H
#define VGPU_PSP_RIG_H

#include "harness.h"
#include "hw/psp.h"
#include "hw/reg/mmhub.h"
#include "hw/reg/mp.h"

/* VMID 0 sees the VRAM of node 0 here without any set-up. */
#define PSP_VRAM        0x8000000000ull
/* Places in VRAM, by offset */
#define PSP_IMAGE       0x100000ull     /* a whole MiB, for the boot loader */
#define PSP_RING        0x10000ull
#define PSP_FENCE       0x12000ull
#define PSP_CMD         0x13000ull
#define PSP_SHARED      0x14000ull
#define PSP_TMR         0x800000ull
#define PSP_NOWHERE     0x7000000000ull /* in no aperture */

#define PSP_RING_BYTES  0x1000u
#define PSP_FRAME_DW    16u
#define PSP_SOS_VERSION 0x00170045u

#define MP0(n)          VGPU_REG_ABS(MP0, regMP0_SMN_C2PMSG_##n)

struct psp_rig {
    struct mock *m;
    uint64_t vram;          /* address of this die's VRAM */
    uint32_t fence;
    uint32_t unfenced;      /* frames whose fence did not come */
};

static inline uint32_t rig_control(struct psp_rig *r, uint32_t cmd)
{
    mock_wreg(r->m, MP0(64), cmd);
    mock_run(r->m);
    return mock_rreg(r->m, MP0(64));
}

static inline uint32_t rig_boot_cmd(struct psp_rig *r, uint64_t image,
                                    uint32_t cmd)
{
    mock_wreg(r->m, MP0(36), image >> 20);
    mock_wreg(r->m, MP0(35), cmd);
    mock_run(r->m);
    return mock_rreg(r->m, MP0(35));
}

static inline void rig_image(struct psp_rig *r, uint32_t type,
                             uint32_t version)
{
    struct vgpu_ta_image *image = mock_vram(r->m, PSP_IMAGE, sizeof(*image));

    memset(image, 0, sizeof(*image));
    image->cookie = VGPU_TA_IMAGE_COOKIE;
    image->version = version;
    image->ta_type = type;
}

static inline uint32_t rig_create_ring(struct psp_rig *r, uint64_t base,
                                       uint32_t bytes)
{
    mock_wreg(r->m, MP0(69), base);
    mock_wreg(r->m, MP0(70), base >> 32);
    mock_wreg(r->m, MP0(71), bytes);
    return rig_control(r, PSP_RING_TYPE__KM << 16);
}

/* What no aperture holds goes to the default page: let that be nowhere. */
static inline void rig_default_page(struct psp_rig *r)
{
    const uint32_t reg = regMMHUB_MC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_LSB;

    mock_wreg(r->m, VGPU_REG_ABS(MMHUB, reg), 0x0fffffff);
}

static inline void rig_attach(struct psp_rig *r, struct mock *m)
{
    *r = (struct psp_rig) {
        .m = m,
        .vram = PSP_VRAM + m->cfg.node_id * m->cfg.segment_size,
    };
    rig_default_page(r);
}

/* As psp_hw_start() of amdgpu does it. */
static inline void rig_boot(struct psp_rig *r)
{
    rig_default_page(r);
    rig_image(r, 0, PSP_SOS_VERSION);
    rig_boot_cmd(r, r->vram + PSP_IMAGE, PSP_BL__LOAD_KEY_DATABASE);
    rig_boot_cmd(r, r->vram + PSP_IMAGE, PSP_BL__LOAD_SYSDRV);
    rig_boot_cmd(r, r->vram + PSP_IMAGE, PSP_BL__LOAD_SOSDRV);
    rig_create_ring(r, r->vram + PSP_RING, PSP_RING_BYTES);
}

static inline struct vgpu_psp_gfx_cmd_resp *rig_cmd(struct psp_rig *r,
                                                    uint32_t id)
{
    struct vgpu_psp_gfx_cmd_resp *cmd = mock_vram(r->m, PSP_CMD, sizeof(*cmd));

    memset(cmd, 0, sizeof(*cmd));
    cmd->cmd_id = id;
    return cmd;
}

/* A frame for the command in its place, at the write pointer. */
static inline struct vgpu_psp_gfx_rb_frame *rig_frame(struct psp_rig *r)
{
    uint32_t wptr = mock_rreg(r->m, MP0(67));
    struct vgpu_psp_gfx_rb_frame *f =
        mock_vram(r->m, PSP_RING + 4 * wptr, sizeof(*f));

    memset(f, 0, sizeof(*f));
    f->cmd_buf_addr_lo = r->vram + PSP_CMD;
    f->cmd_buf_addr_hi = (r->vram + PSP_CMD) >> 32;
    f->fence_addr_lo = r->vram + PSP_FENCE;
    f->fence_addr_hi = (r->vram + PSP_FENCE) >> 32;
    f->fence_value = ++r->fence;
    return f;
}

static inline void rig_ring(struct psp_rig *r)
{
    mock_wreg(r->m, MP0(67), (mock_rreg(r->m, MP0(67)) + PSP_FRAME_DW) %
              (PSP_RING_BYTES / 4));
    mock_run(r->m);
}

/* Submit what rig_cmd() began; the status of the response. */
static inline uint32_t rig_submit(struct psp_rig *r)
{
    const struct vgpu_psp_gfx_cmd_resp *cmd =
        mock_vram(r->m, PSP_CMD, sizeof(*cmd));

    rig_frame(r);
    rig_ring(r);
    r->unfenced += mock_vram32(r->m, PSP_FENCE) != r->fence;
    return cmd->resp.status;
}

static inline uint32_t rig_load_ta(struct psp_rig *r, uint32_t type,
                                   uint32_t *session)
{
    struct vgpu_psp_gfx_cmd_resp *c = rig_cmd(r, GFX_CMD_ID_LOAD_TA);
    uint32_t status;

    rig_image(r, type, 1);
    c->cmd.cmd_load_ta.app_phy_addr_lo = r->vram + PSP_IMAGE;
    c->cmd.cmd_load_ta.app_phy_addr_hi = (r->vram + PSP_IMAGE) >> 32;
    c->cmd.cmd_load_ta.app_len = VGPU_TA_IMAGE_SIZE;
    c->cmd.cmd_load_ta.cmd_buf_phy_addr_lo = r->vram + PSP_SHARED;
    c->cmd.cmd_load_ta.cmd_buf_phy_addr_hi = (r->vram + PSP_SHARED) >> 32;
    c->cmd.cmd_load_ta.cmd_buf_len = PSP_XGMI_SHARED_MEM_SIZE;
    status = rig_submit(r);
    *session = c->resp.session_id;
    return status;
}

static inline uint32_t rig_invoke(struct psp_rig *r, uint32_t session,
                                  uint32_t ta_cmd)
{
    struct vgpu_psp_gfx_cmd_resp *c = rig_cmd(r, GFX_CMD_ID_INVOKE_CMD);

    c->cmd.cmd_invoke_cmd.session_id = session;
    c->cmd.cmd_invoke_cmd.ta_cmd_id = ta_cmd;
    return rig_submit(r);
}

#endif
