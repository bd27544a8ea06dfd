/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The security processor: boot loader, sOS mailbox, every command of the ring
 * and every malformed form of one, and the xGMI application. Expected values
 * come from uapi/hw/psp.h, and from what psp_v13_0.c and amdgpu_psp.c wait
 * for.
 */
#include <stdlib.h>

#include "psp-rig.h"
#include <hw/ta_xgmi.h>
#include <hw/reg/oss.h>
#include "hw/reg/vgpu.h"

#define PAGE        4096u
#define LO(x)       ((uint32_t)(x))
#define HI(x)       ((uint32_t)((uint64_t)(x) >> 32))
#define N(array)    (sizeof(array) / sizeof((array)[0]))

/* What amdgpu compares for "done, and without an error". */
#define DONE_MASK   0x8000ffffu
#define DONE        0x80000000u

static void start(struct psp_rig *r, struct mock *m)
{
    mock_default(m);
    rig_attach(r, m);
}

static void start_booted(struct psp_rig *r, struct mock *m)
{
    start(r, m);
    rig_boot(r);
}

/* ----------------------------------------------------------- boot loader */

static void reset_state(void)
{
    struct psp_rig r;
    struct mock m;

    start(&r, &m);
    CHECK_EQ(mock_rreg(&m, MP0(33)), 0x80000000);
    CHECK_EQ(mock_rreg(&m, MP0(35)), 0x80000000);
    CHECK_EQ(mock_rreg(&m, MP0(81)), 0);
    CHECK_EQ(mock_rreg(&m, MP0(58)), 0);
    CHECK_EQ(mock_rreg(&m, MP0(64)), 0);
    /* what firmware tells, nobody else can set */
    mock_wreg(&m, MP0(33), 0);
    mock_wreg(&m, MP0(81), 1);
    CHECK_EQ(mock_rreg(&m, MP0(33)), 0x80000000);
    CHECK_EQ(mock_rreg(&m, MP0(81)), 0);
    mock_stop(&m);
}

static void bootloader_loads(void)
{
    static const uint32_t cmds[] = {
        PSP_BL__LOAD_KEY_DATABASE, PSP_BL__LOAD_TOS_SPL_TABLE,
        PSP_BL__LOAD_SYSDRV, PSP_BL__LOAD_SOCDRV, PSP_BL__LOAD_INTFDRV,
        PSP_BL__LOAD_DBGDRV, PSP_BL__LOAD_RASDRV, PSP_BL__LOAD_IPKEYMGRDRV,
        PSP_BL__DRAM_LONG_TRAIN, PSP_BL__DRAM_SHORT_TRAIN,
    };
    struct psp_rig r;
    struct mock m;
    size_t i;

    start(&r, &m);
    rig_image(&r, 0, PSP_SOS_VERSION);
    for (i = 0; i < N(cmds); i++) {
        CHECK_EQ(rig_boot_cmd(&r, r.vram + PSP_IMAGE, cmds[i]), 0x80000000);
        CHECK_EQ(mock_rreg(&m, MP0(81)), 0);
    }
    /* the write only posts the command */
    mock_wreg(&m, MP0(35), PSP_BL__LOAD_SOSDRV);
    CHECK_EQ(mock_rreg(&m, MP0(35)), PSP_BL__LOAD_SOSDRV);
    CHECK_EQ(mock_rreg(&m, MP0(81)), 0);
    mock_run(&m);
    CHECK(mock_rreg(&m, MP0(81)) != 0);
    CHECK_EQ(mock_rreg(&m, MP0(58)), PSP_SOS_VERSION);
    CHECK_EQ(mock_rreg(&m, MP0(64)) & DONE_MASK, DONE);
    /* and now the boot loader is gone */
    CHECK_EQ(rig_boot_cmd(&r, r.vram + PSP_IMAGE, PSP_BL__LOAD_SYSDRV),
             PSP_BL__LOAD_SYSDRV);
    mock_stop(&m);
}

static void bootloader_errors(void)
{
    struct psp_rig r;
    struct mock m;
    uint32_t res;

    start(&r, &m);
    res = rig_boot_cmd(&r, PSP_NOWHERE, PSP_BL__LOAD_SYSDRV);
    CHECK(res & 0x80000000 && res & 0xff);
    res = rig_boot_cmd(&r, PSP_NOWHERE, PSP_BL__LOAD_SOSDRV);
    CHECK(res & 0x80000000 && res & 0xff);
    CHECK_EQ(mock_rreg(&m, MP0(81)), 0);
    res = rig_boot_cmd(&r, r.vram + PSP_IMAGE, 0x12340000);
    CHECK(res & 0x80000000 && res & 0xff);
    /* and it takes the next command */
    CHECK_EQ(rig_boot_cmd(&r, r.vram + PSP_IMAGE, PSP_BL__LOAD_SYSDRV),
             0x80000000);
    mock_stop(&m);
}

/* -------------------------------------------------------------- control */

static void control_commands(void)
{
    static const struct {
        uint32_t cmd;
        uint32_t status;
    } cmds[] = {
        { GFX_CTRL_CMD_ID_CAN_INIT_RINGS, TEE_SUCCESS },
        { GFX_CTRL_CMD_ID_DESTROY_RINGS, TEE_SUCCESS },
        { GFX_CTRL_CMD_ID_DESTROY_GPCOM_RING, TEE_SUCCESS },
        { GFX_CTRL_CMD_ID_INIT_RBI_RING, TEE_ERROR_NOT_SUPPORTED },
        { GFX_CTRL_CMD_ID_ENABLE_INT, TEE_ERROR_NOT_SUPPORTED },
        { GFX_CTRL_CMD_ID_DISABLE_INT, TEE_ERROR_NOT_SUPPORTED },
        { GFX_CTRL_CMD_ID_GBR_IH_SET, TEE_ERROR_NOT_SUPPORTED },
        { GFX_CTRL_CMD_ID_CONSUME_CMD, TEE_ERROR_NOT_SUPPORTED },
        { 0, PSP_ERR_UNKNOWN_COMMAND },
        { GFX_CTRL_CMD_ID_MAX, PSP_ERR_UNKNOWN_COMMAND },
    };
    struct psp_rig r;
    struct mock m;
    size_t i;

    start(&r, &m);
    /* nobody answers before there is an sOS */
    CHECK_EQ(rig_control(&r, GFX_CTRL_CMD_ID_CAN_INIT_RINGS),
             GFX_CTRL_CMD_ID_CAN_INIT_RINGS);
    rig_boot(&r);
    for (i = 0; i < N(cmds); i++) {
        uint32_t res = rig_control(&r, cmds[i].cmd);

        CHECK_EQ(res & GFX_CMD_RESPONSE_MASK, GFX_FLAG_RESPONSE);
        CHECK_EQ(res & GFX_CMD_ID_MASK, cmds[i].cmd);
        CHECK_EQ(res & GFX_CMD_STATUS_MASK, cmds[i].status & 0xffff);
    }
    mock_stop(&m);
}

static void ring_create(void)
{
    static const struct {
        uint64_t base;
        uint32_t bytes;
    } bad[] = {
        { PSP_VRAM + PSP_RING, 0 },
        { PSP_VRAM + PSP_RING, 32 },
        { PSP_VRAM + PSP_RING, 100 },
        { PSP_VRAM + PSP_RING, 0x10000 + 64 },
        { PSP_VRAM + PSP_RING, 0xffffffc0 },
        { PSP_VRAM + PSP_RING + 64, PSP_RING_BYTES },
    };
    struct psp_rig r;
    struct mock m;
    size_t i;

    start_booted(&r, &m);
    for (i = 0; i < N(bad); i++) {
        CHECK_EQ(rig_create_ring(&r, bad[i].base, bad[i].bytes) & DONE_MASK,
                 DONE | (TEE_ERROR_BAD_PARAMETERS & 0xffff));
    }
    /* the ring from before goes on */
    rig_cmd(&r, GFX_CMD_ID_DESTROY_TMR);
    CHECK_EQ(rig_submit(&r), TEE_ERROR_BAD_STATE);
    CHECK_EQ(mock_rreg(&m, MP0(67)), PSP_FRAME_DW);

    /* a new one replaces it and begins at its start */
    CHECK_EQ(rig_create_ring(&r, r.vram + PSP_RING, 64) & DONE_MASK, DONE);
    CHECK_EQ(mock_rreg(&m, MP0(67)), 0);
    CHECK_EQ(rig_create_ring(&r, r.vram + PSP_RING, PSP_RING_BYTES) &
             DONE_MASK, DONE);
    rig_cmd(&r, GFX_CMD_ID_DESTROY_TMR);
    CHECK_EQ(rig_submit(&r), TEE_ERROR_BAD_STATE);
    CHECK_EQ(r.unfenced, 0);

    /* without one, nothing is fetched */
    CHECK_EQ(rig_control(&r, GFX_CTRL_CMD_ID_DESTROY_RINGS) & DONE_MASK, DONE);
    rig_cmd(&r, GFX_CMD_ID_DESTROY_TMR);
    rig_submit(&r);
    CHECK_EQ(r.unfenced, 1);
    mock_stop(&m);
}

/* --------------------------------------------------------------- frames */

/* All places of the ring are used, several frames at a time, in order. */
static void frames_wrap(void)
{
    struct psp_rig r;
    struct mock m;
    uint32_t ring_dw = PSP_RING_BYTES / 4;
    uint32_t wptr;
    unsigned i, n;

    start_booted(&r, &m);
    for (n = 1; n < PSP_RING_BYTES / 64; n += 7) {
        wptr = mock_rreg(&m, MP0(67));
        rig_cmd(&r, GFX_CMD_ID_DESTROY_TMR);
        for (i = 0; i < n; i++) {
            struct vgpu_psp_gfx_rb_frame *f = rig_frame(&r);

            /* rig_frame() writes where the pointer is: move it by hand */
            memcpy(mock_vram(&m, PSP_RING + 4 * wptr, 64), f, 64);
            wptr = (wptr + PSP_FRAME_DW) % ring_dw;
        }
        mock_wreg(&m, MP0(67), wptr);
        mock_run(&m);
        CHECK_EQ(mock_vram32(&m, PSP_FENCE), r.fence);
    }
    mock_stop(&m);
}

static void wptr_out_of_range(void)
{
    static const uint32_t bad[] = {
        1, 15, PSP_RING_BYTES / 4, PSP_RING_BYTES, 0xfffffff0,
    };
    struct psp_rig r;
    struct mock m;
    size_t i;

    start_booted(&r, &m);
    rig_cmd(&r, GFX_CMD_ID_DESTROY_TMR);
    rig_frame(&r);
    for (i = 0; i < N(bad); i++) {
        unsigned errors = m.logs[VGPU_LOG_GUEST_ERROR];

        mock_wreg(&m, MP0(67), bad[i]);
        mock_run(&m);
        CHECK_EQ(mock_vram32(&m, PSP_FENCE), 0);
        CHECK_EQ(m.logs[VGPU_LOG_GUEST_ERROR], errors + 1);
    }
    mock_wreg(&m, MP0(67), PSP_FRAME_DW);
    mock_run(&m);
    CHECK_EQ(mock_vram32(&m, PSP_FENCE), r.fence);
    mock_stop(&m);
}

/* Each is answered with a status and its fence; nothing is executed. */
static void frames_malformed(void)
{
    static const struct {
        const char *what;
        size_t offset;
        uint8_t val;
    } bad[] = {
        { "cmd_buf", offsetof(struct vgpu_psp_gfx_rb_frame, cmd_buf_addr_lo),
          0x04 },
        { "vmid", offsetof(struct vgpu_psp_gfx_rb_frame, vmid), 16 },
        { "vmid", offsetof(struct vgpu_psp_gfx_rb_frame, vmid), 255 },
        { "type", offsetof(struct vgpu_psp_gfx_rb_frame, frame_type), 1 },
        { "res1", offsetof(struct vgpu_psp_gfx_rb_frame, reserved1) + 1, 1 },
        { "res2", offsetof(struct vgpu_psp_gfx_rb_frame, reserved2), 1 },
        { "end", sizeof(struct vgpu_psp_gfx_rb_frame) - 1, 0x80 },
    };
    struct psp_rig r;
    struct mock m;
    size_t i;

    start_booted(&r, &m);
    for (i = 0; i < N(bad); i++) {
        struct vgpu_psp_gfx_cmd_resp *cmd = rig_cmd(&r, GFX_CMD_ID_BOOT_CFG);
        uint32_t shift = i ? 0 : bad[i].val;

        cmd->cmd.boot_cfg.sub_cmd = BOOTCFG_CMD_GET;
        ((uint8_t *)rig_frame(&r))[bad[i].offset] = bad[i].val;
        rig_ring(&r);
        CHECK_EQ(mock_vram32(&m, PSP_CMD + VGPU_PSP_RESP_OFFSET + shift),
                 TEE_ERROR_BAD_PARAMETERS);
        CHECK_EQ(cmd->resp.uresp.boot_cfg, 0);
        CHECK_EQ(mock_vram32(&m, PSP_FENCE), r.fence);
    }
    mock_stop(&m);
}

/* Where nothing can be written the page fault is the only notice. */
static void frames_unmapped(void)
{
    struct vgpu_psp_gfx_rb_frame *f;
    struct vgpu_die_stats stats;
    struct psp_rig r;
    struct mock m;

    start_booted(&r, &m);
    rig_cmd(&r, GFX_CMD_ID_DESTROY_TMR);
    f = rig_frame(&r);
    f->cmd_buf_addr_lo = LO(PSP_NOWHERE);
    f->cmd_buf_addr_hi = HI(PSP_NOWHERE);
    rig_ring(&r);
    CHECK_EQ(mock_vram32(&m, PSP_FENCE), r.fence);
    vgpu_die_stats(m.die, &stats);
    CHECK(stats.faults != 0);

    f = rig_frame(&r);
    f->fence_addr_hi = HI(PSP_NOWHERE);
    rig_ring(&r);
    CHECK_EQ(mock_vram32(&m, PSP_FENCE), r.fence - 1);
    rig_cmd(&r, GFX_CMD_ID_DESTROY_TMR);
    CHECK_EQ(rig_submit(&r), TEE_ERROR_BAD_STATE);
    CHECK_EQ(mock_vram32(&m, PSP_FENCE), r.fence);

    /* VMID 1 has no page table: neither the command nor the fence is there */
    f = rig_frame(&r);
    f->vmid = 1;
    rig_ring(&r);
    CHECK_EQ(mock_vram32(&m, PSP_FENCE), r.fence - 1);

    /* a ring that is not there is created, but no frame comes out of it */
    CHECK_EQ(rig_create_ring(&r, PSP_NOWHERE, PSP_RING_BYTES) & DONE_MASK,
             DONE);
    mock_wreg(&m, MP0(67), 2 * PSP_FRAME_DW);
    mock_run(&m);
    CHECK_EQ(mock_vram32(&m, PSP_FENCE), r.fence - 1);
    CHECK_EQ(rig_create_ring(&r, r.vram + PSP_RING, PSP_RING_BYTES) &
             DONE_MASK, DONE);
    rig_cmd(&r, GFX_CMD_ID_DESTROY_TMR);
    CHECK_EQ(rig_submit(&r), TEE_ERROR_BAD_STATE);
    CHECK_EQ(mock_vram32(&m, PSP_FENCE), r.fence);
    mock_stop(&m);
}

static void commands_unknown(void)
{
    static const struct {
        uint32_t id;
        uint32_t status;
    } cmds[] = {
        { 0, PSP_ERR_UNKNOWN_COMMAND },
        { 0x10, PSP_ERR_UNKNOWN_COMMAND },
        { 0xffffffff, PSP_ERR_UNKNOWN_COMMAND },
        { GFX_CMD_ID_LOAD_ASD, TEE_ERROR_NOT_SUPPORTED },
        { GFX_CMD_ID_SAVE_RESTORE, TEE_ERROR_NOT_SUPPORTED },
        { GFX_CMD_ID_SETUP_VMR, TEE_ERROR_NOT_SUPPORTED },
        { GFX_CMD_ID_DESTROY_VMR, TEE_ERROR_NOT_SUPPORTED },
        { GFX_CMD_ID_GET_FW_ATTESTATION, TEE_ERROR_NOT_SUPPORTED },
        { GFX_CMD_ID_AUTOLOAD_RLC, TEE_ERROR_NOT_SUPPORTED },
        { GFX_CMD_ID_SRIOV_SPATIAL_PART, TEE_ERROR_NOT_SUPPORTED },
    };
    struct psp_rig r;
    struct mock m;
    size_t i;

    start_booted(&r, &m);
    for (i = 0; i < N(cmds); i++) {
        rig_cmd(&r, cmds[i].id);
        CHECK_EQ(rig_submit(&r), cmds[i].status);
    }
    CHECK_EQ(r.unfenced, 0);
    mock_stop(&m);
}

/* ------------------------------------------------- TMR, TOC, firmware */

static uint32_t setup_tmr(struct psp_rig *r, uint64_t base, uint32_t size)
{
    struct vgpu_psp_gfx_cmd_resp *c = rig_cmd(r, GFX_CMD_ID_SETUP_TMR);

    c->cmd.cmd_setup_tmr.buf_phy_addr_lo = LO(base);
    c->cmd.cmd_setup_tmr.buf_phy_addr_hi = HI(base);
    c->cmd.cmd_setup_tmr.buf_size = size;
    return rig_submit(r);
}

static uint32_t destroy_tmr(struct psp_rig *r)
{
    rig_cmd(r, GFX_CMD_ID_DESTROY_TMR);
    return rig_submit(r);
}

static void tmr(void)
{
    struct psp_rig r;
    struct mock m;
    uint64_t base;

    start_booted(&r, &m);
    base = r.vram + PSP_TMR;
    CHECK_EQ(destroy_tmr(&r), TEE_ERROR_BAD_STATE);
    CHECK_EQ(setup_tmr(&r, base + 64, VGPU_PSP_TMR_SIZE),
             TEE_ERROR_BAD_PARAMETERS);
    CHECK_EQ(setup_tmr(&r, base, 0), TEE_ERROR_BAD_PARAMETERS);
    CHECK_EQ(setup_tmr(&r, base, PAGE + 64), TEE_ERROR_BAD_PARAMETERS);
    CHECK_EQ(setup_tmr(&r, PSP_NOWHERE, PAGE), TEE_ERROR_BAD_PARAMETERS);
    /* begins in VRAM and ends behind it */
    CHECK_EQ(setup_tmr(&r, base, MOCK_VRAM_SIZE), TEE_ERROR_BAD_PARAMETERS);
    CHECK_EQ(setup_tmr(&r, base, 0xfffff000), TEE_ERROR_BAD_PARAMETERS);
    CHECK_EQ(setup_tmr(&r, base, VGPU_PSP_TMR_SIZE), TEE_SUCCESS);
    CHECK_EQ(setup_tmr(&r, base, VGPU_PSP_TMR_SIZE), TEE_ERROR_BAD_STATE);
    CHECK_EQ(destroy_tmr(&r), TEE_SUCCESS);
    CHECK_EQ(destroy_tmr(&r), TEE_ERROR_BAD_STATE);
    CHECK_EQ(setup_tmr(&r, base, PAGE), TEE_SUCCESS);
    CHECK_EQ(r.unfenced, 0);
    mock_stop(&m);
}

static uint32_t load_toc(struct psp_rig *r, uint64_t va, uint32_t size)
{
    struct vgpu_psp_gfx_cmd_resp *c = rig_cmd(r, GFX_CMD_ID_LOAD_TOC);

    c->cmd.cmd_load_toc.toc_phy_addr_lo = LO(va);
    c->cmd.cmd_load_toc.toc_phy_addr_hi = HI(va);
    c->cmd.cmd_load_toc.toc_size = size;
    return rig_submit(r);
}

static void toc(void)
{
    struct vgpu_psp_gfx_cmd_resp *c;
    struct psp_rig r;
    struct mock m;

    start_booted(&r, &m);
    c = mock_vram(&m, PSP_CMD, sizeof(*c));
    CHECK_EQ(load_toc(&r, r.vram + PSP_IMAGE, 0x200), TEE_SUCCESS);
    CHECK_EQ(c->resp.tmr_size, VGPU_PSP_TMR_SIZE);
    CHECK_EQ(load_toc(&r, r.vram + PSP_IMAGE, 0), TEE_ERROR_BAD_PARAMETERS);
    CHECK_EQ(c->resp.tmr_size, 0);
    CHECK_EQ(load_toc(&r, PSP_NOWHERE, 0x200), TEE_ERROR_BAD_PARAMETERS);
    mock_stop(&m);
}

static uint32_t load_fw(struct psp_rig *r, uint32_t type, uint64_t va,
                        uint32_t size, uint64_t *where)
{
    struct vgpu_psp_gfx_cmd_resp *c = rig_cmd(r, GFX_CMD_ID_LOAD_IP_FW);
    uint32_t status;

    c->cmd.cmd_load_ip_fw.fw_phy_addr_lo = LO(va);
    c->cmd.cmd_load_ip_fw.fw_phy_addr_hi = HI(va);
    c->cmd.cmd_load_ip_fw.fw_size = size;
    c->cmd.cmd_load_ip_fw.fw_type = type;
    status = rig_submit(r);
    *where = (uint64_t)c->resp.fw_addr_hi << 32 | c->resp.fw_addr_lo;
    return status;
}

static void firmware_loads(void)
{
    static const uint32_t types[] = {
        GFX_FW_TYPE_SDMA0, GFX_FW_TYPE_SDMA1, GFX_FW_TYPE_SDMA2,
        GFX_FW_TYPE_SDMA3, GFX_FW_TYPE_SDMA4, GFX_FW_TYPE_CP_ME,
        GFX_FW_TYPE_CP_PFP, GFX_FW_TYPE_CP_CE, GFX_FW_TYPE_CP_MEC,
        GFX_FW_TYPE_CP_MEC_ME1, GFX_FW_TYPE_CP_MEC_ME2, GFX_FW_TYPE_RLC_G,
        GFX_FW_TYPE_RLC_V, GFX_FW_TYPE_RLC_RESTORE_LIST_SRM_CNTL,
        GFX_FW_TYPE_RLC_RESTORE_LIST_GPM_MEM,
        GFX_FW_TYPE_RLC_RESTORE_LIST_SRM_MEM, GFX_FW_TYPE_VCN,
        GFX_FW_TYPE_VCN1, GFX_FW_TYPE_REG_LIST,
    };
    const uint32_t size = 5 * PAGE + 12;
    uint64_t where[N(types)], again;
    struct psp_rig r;
    struct mock m;
    size_t i, j;

    start_booted(&r, &m);
    CHECK_EQ(load_fw(&r, GFX_FW_TYPE_SMU, r.vram + PSP_IMAGE, size, &again),
             TEE_SUCCESS);
    CHECK_EQ(load_fw(&r, GFX_FW_TYPE_SDMA0, r.vram + PSP_IMAGE, size, &again),
             TEE_ERROR_BAD_STATE);
    CHECK_EQ(setup_tmr(&r, r.vram + PSP_TMR, VGPU_PSP_TMR_SIZE), TEE_SUCCESS);
    for (i = 0; i < N(types); i++) {
        CHECK_EQ(load_fw(&r, types[i], r.vram + PSP_IMAGE, size, &where[i]),
                 TEE_SUCCESS);
        CHECK(where[i] >= r.vram + PSP_TMR && where[i] + size <=
              r.vram + PSP_TMR + VGPU_PSP_TMR_SIZE);
        for (j = 0; j < i; j++) {
            CHECK(where[i] >= where[j] + size || where[j] >= where[i] + size);
        }
    }
    /* as after a mode 2 reset: any number of times */
    for (i = 0; i < 2000; i++) {
        CHECK_EQ(load_fw(&r, types[i % 3], r.vram + PSP_IMAGE, size, &again),
                 TEE_SUCCESS);
        CHECK_EQ(again, where[i % 3]);
    }
    CHECK_EQ(load_fw(&r, GFX_FW_TYPE_REG_LIST, r.vram + PSP_IMAGE, size,
                     &again), TEE_ERROR_CANCEL);
    CHECK_EQ(destroy_tmr(&r), TEE_SUCCESS);
    CHECK_EQ(setup_tmr(&r, r.vram + PSP_TMR, VGPU_PSP_TMR_SIZE), TEE_SUCCESS);
    CHECK_EQ(load_fw(&r, GFX_FW_TYPE_REG_LIST, r.vram + PSP_IMAGE, size,
                     &again), TEE_SUCCESS);
    CHECK_EQ(r.unfenced, 0);
    mock_stop(&m);
}

static void firmware_malformed(void)
{
    static const uint32_t types[] = {
        GFX_FW_TYPE_NONE, GFX_FW_TYPE_UVD, GFX_FW_TYPE_CP_MES,
        GFX_FW_TYPE_SDMA5, GFX_FW_TYPE_P2S_TABLE, 68, 0x80000000, 0xffffffff,
    };
    struct psp_rig r;
    struct mock m;
    uint64_t where, image;
    size_t i;

    start_booted(&r, &m);
    image = r.vram + PSP_IMAGE;
    CHECK_EQ(setup_tmr(&r, r.vram + PSP_TMR, 4 * PAGE), TEE_SUCCESS);
    for (i = 0; i < N(types); i++) {
        CHECK_EQ(load_fw(&r, types[i], image, PAGE, &where),
                 TEE_ERROR_NOT_SUPPORTED);
    }
    CHECK_EQ(load_fw(&r, GFX_FW_TYPE_RLC_G, image, 0, &where),
             TEE_ERROR_BAD_PARAMETERS);
    CHECK_EQ(load_fw(&r, GFX_FW_TYPE_RLC_G, image + 256, PAGE, &where),
             TEE_ERROR_BAD_PARAMETERS);
    CHECK_EQ(load_fw(&r, GFX_FW_TYPE_RLC_G, PSP_NOWHERE, PAGE, &where),
             TEE_ERROR_BAD_PARAMETERS);
    CHECK_EQ(load_fw(&r, GFX_FW_TYPE_RLC_G, image, 0xffffffff, &where),
             TEE_ERROR_BAD_PARAMETERS);
    CHECK_EQ(load_fw(&r, GFX_FW_TYPE_RLC_G, image, 4 * PAGE + 1, &where),
             TEE_ERROR_OUT_OF_MEMORY);
    CHECK_EQ(where, 0);
    CHECK_EQ(load_fw(&r, GFX_FW_TYPE_RLC_G, image, 4 * PAGE, &where),
             TEE_SUCCESS);
    CHECK_EQ(where, r.vram + PSP_TMR);
    CHECK_EQ(load_fw(&r, GFX_FW_TYPE_SDMA0, image, 4, &where),
             TEE_ERROR_OUT_OF_MEMORY);
    CHECK_EQ(r.unfenced, 0);
    mock_stop(&m);
}

static void registers_programmed(void)
{
    static const uint32_t regs[] = {
        VGPU_REG_ABS(OSSSYS, regIH_RB_CNTL),
        VGPU_REG_ABS(OSSSYS, regIH_RB_CNTL_RING1),
        VGPU_REG_ABS(OSSSYS, regIH_RB_CNTL_RING2),
    };
    struct vgpu_psp_gfx_cmd_resp *c;
    struct psp_rig r;
    struct mock m;
    uint32_t i;

    start_booted(&r, &m);
    for (i = 0; i < N(regs); i++) {
        c = rig_cmd(&r, GFX_CMD_ID_PROG_REG);
        c->cmd.cmd_setup_reg_prog.reg_id = i;
        c->cmd.cmd_setup_reg_prog.reg_value = 0x20 + 2 * i;
        CHECK_EQ(rig_submit(&r), TEE_SUCCESS);
        CHECK_EQ(mock_rreg(&m, regs[i]), 0x20 + 2 * i);
    }
    c = rig_cmd(&r, GFX_CMD_ID_PROG_REG);
    c->cmd.cmd_setup_reg_prog.reg_id = 3;
    CHECK_EQ(rig_submit(&r), TEE_ERROR_BAD_PARAMETERS);
    mock_stop(&m);
}

static uint32_t boot_cfg(struct psp_rig *r, uint32_t sub_cmd, uint32_t val,
                         uint32_t valid)
{
    struct vgpu_psp_gfx_cmd_resp *c = rig_cmd(r, GFX_CMD_ID_BOOT_CFG);

    c->cmd.boot_cfg.sub_cmd = sub_cmd;
    c->cmd.boot_cfg.boot_config = val;
    c->cmd.boot_cfg.boot_config_valid = valid;
    return rig_submit(r);
}

static void boot_config(void)
{
    struct vgpu_psp_gfx_cmd_resp *c;
    struct psp_rig r;
    struct mock m;

    start_booted(&r, &m);
    c = mock_vram(&m, PSP_CMD, sizeof(*c));
    CHECK_EQ(boot_cfg(&r, BOOTCFG_CMD_GET, 0, 0), TEE_SUCCESS);
    CHECK_EQ(c->resp.uresp.boot_cfg, BOOT_CONFIG_GECC);
    CHECK_EQ(boot_cfg(&r, BOOTCFG_CMD_SET, 0, BOOT_CONFIG_GECC), TEE_SUCCESS);
    CHECK_EQ(boot_cfg(&r, BOOTCFG_CMD_GET, 0, 0), TEE_SUCCESS);
    CHECK_EQ(c->resp.uresp.boot_cfg, 0);
    /* it is for the next boot, so a reset does not touch it */
    vgpu_die_reset(m.die);
    rig_boot(&r);
    CHECK_EQ(boot_cfg(&r, BOOTCFG_CMD_GET, 0, 0), TEE_SUCCESS);
    CHECK_EQ(c->resp.uresp.boot_cfg, 0);
    CHECK_EQ(boot_cfg(&r, BOOTCFG_CMD_INVALIDATE, 0, 0), TEE_SUCCESS);
    CHECK_EQ(boot_cfg(&r, BOOTCFG_CMD_GET, 0, 0), TEE_SUCCESS);
    CHECK_EQ(c->resp.uresp.boot_cfg, BOOT_CONFIG_GECC);

    CHECK_EQ(boot_cfg(&r, 0, 0, 0), TEE_ERROR_BAD_PARAMETERS);
    CHECK_EQ(boot_cfg(&r, 4, 0, 0), TEE_ERROR_BAD_PARAMETERS);
    CHECK_EQ(boot_cfg(&r, BOOTCFG_CMD_SET, 2, 2), TEE_ERROR_BAD_PARAMETERS);
    CHECK_EQ(boot_cfg(&r, BOOTCFG_CMD_SET, 1, 0), TEE_ERROR_BAD_PARAMETERS);
    mock_stop(&m);
}

/* ------------------------------------------------- trusted applications */

/* LOAD_TA of what is at PSP_IMAGE. */
static uint32_t load_ta(struct psp_rig *r, uint64_t va, uint32_t len,
                        uint64_t shared, uint32_t shared_len)
{
    struct vgpu_psp_gfx_cmd_resp *c = rig_cmd(r, GFX_CMD_ID_LOAD_TA);

    c->cmd.cmd_load_ta = (struct vgpu_psp_gfx_cmd_load_ta) {
        LO(va), HI(va), len, LO(shared), HI(shared), shared_len,
    };
    return rig_submit(r);
}

static void ta_images(void)
{
    static const struct {
        uint32_t type;
        uint32_t status;
    } types[] = {
        { 0, TEE_ERROR_SECURITY },
        { TA_FW_TYPE_PSP_ASD, TEE_ERROR_NOT_SUPPORTED },
        { TA_FW_TYPE_PSP_XGMI, TEE_SUCCESS },
        { TA_FW_TYPE_PSP_HDCP, TEE_ERROR_NOT_SUPPORTED },
        { TA_FW_TYPE_PSP_DTM, TEE_ERROR_NOT_SUPPORTED },
        { TA_FW_TYPE_PSP_RAP, TEE_ERROR_NOT_SUPPORTED },
        { TA_FW_TYPE_PSP_SECUREDISPLAY, TEE_ERROR_NOT_SUPPORTED },
        { 8, TEE_ERROR_SECURITY },
        { 0xffffffff, TEE_ERROR_SECURITY },
    };
    const uint32_t len = VGPU_TA_IMAGE_SIZE, shlen = PSP_XGMI_SHARED_MEM_SIZE;
    struct vgpu_psp_gfx_cmd_resp *c;
    uint64_t image, shared;
    struct psp_rig r;
    struct mock m;
    uint32_t id;
    size_t i;

    start_booted(&r, &m);
    c = mock_vram(&m, PSP_CMD, sizeof(*c));
    image = r.vram + PSP_IMAGE;
    shared = r.vram + PSP_SHARED;
    for (i = 0; i < N(types); i++) {
        CHECK_EQ(rig_load_ta(&r, types[i].type, &id), types[i].status);
        CHECK_EQ(id != 0, types[i].status == TEE_SUCCESS);
    }
    rig_image(&r, TA_FW_TYPE_PSP_XGMI, 1);
    CHECK_EQ(load_ta(&r, image, len - 1, shared, shlen), TEE_ERROR_SECURITY);
    CHECK_EQ(load_ta(&r, image, 0, shared, shlen), TEE_ERROR_SECURITY);
    CHECK_EQ(load_ta(&r, image + 16, len, shared, shlen),
             TEE_ERROR_BAD_PARAMETERS);
    CHECK_EQ(load_ta(&r, PSP_NOWHERE, len, shared, shlen),
             TEE_ERROR_BAD_PARAMETERS);
    CHECK_EQ(load_ta(&r, image, len, shared + 16, shlen),
             TEE_ERROR_BAD_PARAMETERS);
    CHECK_EQ(load_ta(&r, image, len, shared, shlen + 16),
             TEE_ERROR_BAD_PARAMETERS);
    /* the cookie, and no other */
    mock_set_vram32(&m, PSP_IMAGE + 0x10, 0x31535025);
    CHECK_EQ(load_ta(&r, image, len, shared, shlen), TEE_ERROR_SECURITY);
    mock_set_vram32(&m, PSP_IMAGE + 0x10, 0x31535024);
    CHECK_EQ(load_ta(&r, image, len, shared, shlen), TEE_SUCCESS);
    CHECK_EQ(r.unfenced, 0);
    mock_stop(&m);
}

static uint32_t unload_ta(struct psp_rig *r, uint32_t id)
{
    struct vgpu_psp_gfx_cmd_resp *c = rig_cmd(r, GFX_CMD_ID_UNLOAD_TA);

    c->cmd.cmd_unload_ta.session_id = id;
    return rig_submit(r);
}

static void ta_sessions(void)
{
    struct vgpu_psp_gfx_cmd_resp *c;
    struct vgpu_psp_gfx_buf_list *buf;
    struct psp_rig r;
    struct mock m;
    uint32_t id;

    start_booted(&r, &m);
    CHECK_EQ(rig_invoke(&r, TA_FW_TYPE_PSP_XGMI, 0), TEE_ERROR_ITEM_NOT_FOUND);
    CHECK_EQ(unload_ta(&r, TA_FW_TYPE_PSP_XGMI), TEE_ERROR_ITEM_NOT_FOUND);
    CHECK_EQ(rig_load_ta(&r, TA_FW_TYPE_PSP_XGMI, &id), TEE_SUCCESS);
    CHECK_EQ(rig_invoke(&r, id, TA_COMMAND_XGMI__INITIALIZE), TEE_SUCCESS);
    CHECK_EQ(mock_vram32(&m, PSP_SHARED + 4), RSP_ID(0));
    CHECK_EQ(rig_invoke(&r, id + 1, 0), TEE_ERROR_ITEM_NOT_FOUND);
    CHECK_EQ(rig_invoke(&r, 0xffffffff, 0), TEE_ERROR_ITEM_NOT_FOUND);

    /* a buffer of the command's own */
    c = rig_cmd(&r, GFX_CMD_ID_INVOKE_CMD);
    c->cmd.cmd_invoke_cmd.session_id = id;
    c->cmd.cmd_invoke_cmd.ta_cmd_id = TA_COMMAND_XGMI__GET_HIVE_ID;
    buf = &c->cmd.cmd_invoke_cmd.buf;
    buf->num_desc = 1;
    buf->total_size = PSP_XGMI_SHARED_MEM_SIZE;
    buf->buf_desc[0].buf_phy_addr_lo = LO(r.vram + 0x20000);
    buf->buf_desc[0].buf_phy_addr_hi = HI(r.vram + 0x20000);
    buf->buf_desc[0].buf_size = PSP_XGMI_SHARED_MEM_SIZE;
    CHECK_EQ(rig_submit(&r), TEE_SUCCESS);
    CHECK_EQ(mock_vram32(&m, 0x20004), RSP_ID(TA_COMMAND_XGMI__GET_HIVE_ID));
    buf->num_desc = 2;
    CHECK_EQ(rig_submit(&r), TEE_ERROR_NOT_SUPPORTED);
    buf->num_desc = 1;
    buf->buf_desc[0].buf_size = 16;
    CHECK_EQ(rig_submit(&r), TEE_ERROR_BAD_PARAMETERS);
    buf->buf_desc[0].buf_size = PSP_XGMI_SHARED_MEM_SIZE;
    buf->buf_desc[0].buf_phy_addr_lo += 4;
    CHECK_EQ(rig_submit(&r), TEE_ERROR_BAD_PARAMETERS);
    buf->buf_desc[0].buf_phy_addr_lo -= 4;
    buf->buf_desc[0].buf_phy_addr_hi = HI(PSP_NOWHERE);
    CHECK_EQ(rig_submit(&r), TEE_ERROR_BAD_PARAMETERS);

    /* loaded again, it is one session; without memory, none to work on */
    CHECK_EQ(load_ta(&r, r.vram + PSP_IMAGE, VGPU_TA_IMAGE_SIZE, 0, 0),
             TEE_SUCCESS);
    CHECK_EQ(rig_invoke(&r, id, TA_COMMAND_XGMI__INITIALIZE),
             TEE_ERROR_BAD_PARAMETERS);
    CHECK_EQ(unload_ta(&r, id), TEE_SUCCESS);
    CHECK_EQ(unload_ta(&r, id), TEE_ERROR_ITEM_NOT_FOUND);
    CHECK_EQ(rig_invoke(&r, id, 0), TEE_ERROR_ITEM_NOT_FOUND);
    CHECK_EQ(r.unfenced, 0);
    mock_stop(&m);
}

/* ------------------------------------------------------------------ xGMI */

#define HIVE_ID     0x1122334455667700ull
#define DIES        4u

struct hive {
    struct mock m[DIES];
    struct psp_rig r[DIES];
    uint32_t session[DIES];
    uint64_t id[DIES];      /* as firmware says */
};

static struct vgpu_ta_xgmi_shared_memory *shared(struct hive *h, unsigned i)
{
    return mock_vram(&h->m[i], PSP_SHARED,
                     sizeof(struct vgpu_ta_xgmi_shared_memory));
}

static uint32_t xgmi(struct hive *h, unsigned i, uint32_t cmd)
{
    struct vgpu_ta_xgmi_shared_memory *s = shared(h, i);

    s->xgmi_status = 0xdead;
    s->resp_id = 0;
    CHECK_EQ(rig_invoke(&h->r[i], h->session[i], cmd), TEE_SUCCESS);
    CHECK_EQ(s->resp_id, RSP_ID(cmd));
    return s->xgmi_status;
}

/* A chain 0-1-2-3 with links of 4, 2 and 1. */
static void hive_start(struct hive *h)
{
    static const uint8_t links[DIES - 1] = { 4, 2, 1 };
    unsigned i, j;

    for (i = 0; i < DIES; i++) {
        mock_init(&h->m[i]);
    }
    mock_start_hive(h->m, DIES, HIVE_ID);
    for (i = 0; i < DIES; i++) {
        for (j = 0; j < DIES; j++) {
            struct vgpu_peer *p = &h->m[i].peer[j];

            p->hops = i < j ? j - i : i - j;
            p->links = p->hops == 1 ? links[i < j ? i : j] : 0;
            /* Of a die, first those to the one before it. */
            p->port = i < j && i ? links[i - 1] : 0;
            p->peer_port = j < i && j ? links[j - 1] : 0;
        }
        rig_attach(&h->r[i], &h->m[i]);
        rig_boot(&h->r[i]);
        CHECK_EQ(rig_load_ta(&h->r[i], TA_FW_TYPE_PSP_XGMI, &h->session[i]),
                 TEE_SUCCESS);
        memset(shared(h, i), 0, sizeof(*shared(h, i)));
        CHECK_EQ(xgmi(h, i, TA_COMMAND_XGMI__GET_NODE_ID),
                 TA_XGMI_STATUS__NOT_INITIALIZED);
        CHECK_EQ(xgmi(h, i, TA_COMMAND_XGMI__INITIALIZE),
                 TA_XGMI_STATUS__SUCCESS);
        CHECK_EQ(xgmi(h, i, TA_COMMAND_XGMI__GET_NODE_ID),
                 TA_XGMI_STATUS__SUCCESS);
        h->id[i] = shared(h, i)->xgmi_out_message.node_id;
    }
}

static void hive_stop(struct hive *h)
{
    unsigned i;

    for (i = 0; i < DIES; i++) {
        CHECK_EQ(h->r[i].unfenced, 0);
        mock_stop(&h->m[i]);
    }
}

static void xgmi_ids(void)
{
    struct hive h;
    unsigned i, j;

    hive_start(&h);
    for (i = 0; i < DIES; i++) {
        CHECK(h.id[i] != 0);
        for (j = 0; j < i; j++) {
            CHECK(h.id[i] != h.id[j]);
        }
        CHECK_EQ(xgmi(&h, i, TA_COMMAND_XGMI__GET_HIVE_ID), 0);
        CHECK_EQ(shared(&h, i)->xgmi_out_message.hive_id, HIVE_ID);
        CHECK_EQ(shared(&h, i)->caps_flag, EXTEND_PEER_LINK_INFO_CMD_FLAG);
    }
    CHECK_EQ(xgmi(&h, 0, 5), TA_XGMI_STATUS__INVALID_PARAMETER);
    CHECK_EQ(xgmi(&h, 0, 0xffffffff), TA_XGMI_STATUS__INVALID_PARAMETER);
    hive_stop(&h);
}

/* As psp_xgmi_get_topology_info() asks; the order of nodes is the driver's. */
static void ask_topology(struct hive *h, unsigned i, uint8_t extended)
{
    struct vgpu_ta_xgmi_shared_memory *s = shared(h, i);
    unsigned j;

    memset(s, 0, sizeof(*s));
    s->flag_extend_link_record = extended;
    s->xgmi_in_message.get_topology_info.num_nodes = DIES;
    for (j = 0; j < DIES; j++) {
        s->xgmi_in_message.get_topology_info.nodes[j].node_id =
            h->id[DIES - 1 - j];
    }
    CHECK_EQ(xgmi(h, i, TA_COMMAND_XGMI__GET_TOPOLOGY_INFO), 0);
}

static void ask_links(struct hive *h, unsigned i, uint8_t extended)
{
    struct vgpu_ta_xgmi_shared_memory *s = shared(h, i);
    unsigned j;

    memset(s, 0, sizeof(*s));
    s->flag_extend_link_record = extended;
    s->xgmi_out_message.get_link_info.num_nodes = DIES;
    for (j = 0; j < DIES; j++) {
        s->xgmi_out_message.get_link_info.nodes[j].node_id = h->id[j];
    }
    CHECK_EQ(xgmi(h, i, TA_COMMAND_XGMI__GET_PEER_LINKS), 0);
}

static void xgmi_topology(void)
{
    static const uint8_t links[DIES][DIES] = {
        { 0, 4, 0, 0 }, { 4, 0, 2, 0 }, { 0, 2, 0, 1 }, { 0, 0, 1, 0 },
    };
    struct vgpu_ta_xgmi_shared_memory *s;
    struct hive h;
    unsigned i, j;

    hive_start(&h);
    for (i = 0; i < DIES; i++) {
        s = shared(&h, i);
        ask_topology(&h, i, 0);
        CHECK_EQ(s->xgmi_out_message.get_topology_info.num_nodes, DIES);
        for (j = 0; j < DIES; j++) {
            const struct vgpu_ta_xgmi_node_info *n =
                &s->xgmi_out_message.get_topology_info.nodes[DIES - 1 - j];
            unsigned hops = abs((int)i - (int)j);

            CHECK_EQ(n->node_id, h.id[j]);
            CHECK_EQ(n->num_hops & VGPU_TA_XGMI_NUM_HOPS_MASK, hops);
            /* xGMI3, in the upper two bits */
            CHECK_EQ(n->num_hops >> 6, hops ? 1 : 0);
            CHECK_EQ(n->is_sharing_enabled, 0);
            CHECK_EQ(n->sdma_engine,
                     (uint32_t)TA_XGMI_ASSIGNED_SDMA_ENGINE__NOT_ASSIGNED);
        }
        ask_links(&h, i, 0);
        for (j = 0; j < DIES; j++) {
            CHECK_EQ(s->xgmi_out_message.get_link_info.nodes[j].num_links,
                     links[i][j]);
        }
        /* the second half of the list is empty: amdgpu adds both up */
        ask_topology(&h, i, 1);
        for (j = 0; j < DIES; j++) {
            CHECK_EQ(s->xgmi_out_message.get_topology_info.nodes[j].num_hops,
                     0);
        }
        ask_links(&h, i, 1);
        for (j = 0; j < DIES; j++) {
            CHECK_EQ(s->xgmi_out_message.get_link_info.nodes[j].num_links, 0);
        }
    }
    /* a die that no path leads to, and a path longer than the field */
    h.m[0].peer[3] = (struct vgpu_peer) { 0 };
    h.m[0].peer[2].hops = 9;
    ask_topology(&h, 0, 0);
    s = shared(&h, 0);
    CHECK_EQ(s->xgmi_out_message.get_topology_info.nodes[0].num_hops, 0);
    CHECK_EQ(s->xgmi_out_message.get_topology_info.nodes[1].num_hops & 7, 7);
    hive_stop(&h);
}

/* Each link of the chain, from both ends. */
static void xgmi_extend_peer_links(void)
{
    static const struct {
        uint8_t from, to, links, src, dst;
    } want[] = {
        { 0, 1, 4, 0, 0 }, { 1, 0, 4, 0, 0 }, { 1, 2, 2, 4, 0 },
        { 2, 1, 2, 0, 4 }, { 2, 3, 1, 2, 0 }, { 3, 2, 1, 0, 2 },
        { 0, 2, 0, 0, 0 }, { 3, 3, 0, 0, 0 },
    };
    struct vgpu_ta_xgmi_extend_peer_link_info *info;
    struct vgpu_ta_xgmi_shared_memory *s;
    struct hive h;
    unsigned i, k;

    hive_start(&h);
    for (i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
        s = shared(&h, want[i].from);
        memset(s, 0, sizeof(*s));
        info = &s->xgmi_out_message.get_extend_link_info.nodes[0];
        s->xgmi_out_message.get_extend_link_info.num_nodes = 1;
        info->node_id = h.id[want[i].to];
        CHECK_EQ(xgmi(&h, want[i].from,
                      TA_COMMAND_XGMI__GET_EXTEND_PEER_LINKS), 0);
        CHECK_EQ(info->num_links, want[i].links);
        for (k = 0; k < TA_XGMI__MAX_PORT_NUM; k++) {
            bool there = k < want[i].links;

            CHECK_EQ(info->port_num[k].src_xgmi_port_num,
                     there ? want[i].src + k : 0);
            CHECK_EQ(info->port_num[k].dst_xgmi_port_num,
                     there ? want[i].dst + k : 0);
        }
    }
    /* The second half of the list, more ports than there is room for */
    s = shared(&h, 0);
    info = &s->xgmi_out_message.get_extend_link_info.nodes[0];
    info->node_id = h.id[1];
    h.m[0].peer[1].links = 16;
    CHECK_EQ(xgmi(&h, 0, TA_COMMAND_XGMI__GET_EXTEND_PEER_LINKS), 0);
    CHECK_EQ(info->num_links, TA_XGMI__MAX_PORT_NUM);
    s->flag_extend_link_record = 1;
    CHECK_EQ(xgmi(&h, 0, TA_COMMAND_XGMI__GET_EXTEND_PEER_LINKS), 0);
    CHECK_EQ(info->num_links, 0);
    /* malformed */
    info->node_id = 1;
    CHECK_EQ(xgmi(&h, 0, TA_COMMAND_XGMI__GET_EXTEND_PEER_LINKS),
             TA_XGMI_STATUS__INVALID_NODE_ID);
    s->xgmi_out_message.get_extend_link_info.num_nodes =
        TA_XGMI__MAX_CONNECTED_NODES + 1;
    CHECK_EQ(xgmi(&h, 0, TA_COMMAND_XGMI__GET_EXTEND_PEER_LINKS),
             TA_XGMI_STATUS__INVALID_NODE_NUM);
    hive_stop(&h);
}

static void xgmi_set_topology(void)
{
    struct vgpu_ta_xgmi_topology_info *in, *out;
    struct hive h;

    hive_start(&h);
    in = &shared(&h, 1)->xgmi_in_message.set_topology_info;
    out = &shared(&h, 1)->xgmi_out_message.get_topology_info;
    in->num_nodes = 2;
    in->nodes[0].node_id = h.id[1];
    in->nodes[1].node_id = h.id[3];
    in->nodes[1].is_sharing_enabled = 1;
    in->nodes[1].sdma_engine = TA_XGMI_ASSIGNED_SDMA_ENGINE__SDMA3;
    CHECK_EQ(xgmi(&h, 1, TA_COMMAND_XGMI__SET_TOPOLOGY_INFO), 0);
    ask_topology(&h, 1, 0);
    CHECK_EQ(out->nodes[0].is_sharing_enabled, 1);
    CHECK_EQ(out->nodes[0].sdma_engine, TA_XGMI_ASSIGNED_SDMA_ENGINE__SDMA3);
    CHECK_EQ(out->nodes[1].is_sharing_enabled, 0);

    /* a list with one unknown node changes nothing */
    in->num_nodes = 2;
    in->nodes[0].node_id = h.id[3];
    in->nodes[0].is_sharing_enabled = 0;
    in->nodes[1].node_id = h.id[DIES - 1] + 1;
    CHECK_EQ(xgmi(&h, 1, TA_COMMAND_XGMI__SET_TOPOLOGY_INFO),
             TA_XGMI_STATUS__INVALID_NODE_ID);
    CHECK_EQ(xgmi(&h, 1, TA_COMMAND_XGMI__GET_TOPOLOGY_INFO),
             TA_XGMI_STATUS__INVALID_NODE_ID);
    in->num_nodes = TA_XGMI__MAX_CONNECTED_NODES + 1;
    CHECK_EQ(xgmi(&h, 1, TA_COMMAND_XGMI__SET_TOPOLOGY_INFO),
             TA_XGMI_STATUS__INVALID_NODE_NUM);
    CHECK_EQ(xgmi(&h, 1, TA_COMMAND_XGMI__GET_TOPOLOGY_INFO),
             TA_XGMI_STATUS__INVALID_NODE_NUM);
    shared(&h, 1)->xgmi_out_message.get_link_info.num_nodes = 0xffffffff;
    CHECK_EQ(xgmi(&h, 1, TA_COMMAND_XGMI__GET_PEER_LINKS),
             TA_XGMI_STATUS__INVALID_NODE_NUM);
    shared(&h, 1)->xgmi_out_message.get_link_info.num_nodes = 1;
    shared(&h, 1)->xgmi_out_message.get_link_info.nodes[0].node_id = 0;
    CHECK_EQ(xgmi(&h, 1, TA_COMMAND_XGMI__GET_PEER_LINKS),
             TA_XGMI_STATUS__INVALID_NODE_ID);
    ask_topology(&h, 1, 0);
    CHECK_EQ(out->nodes[0].is_sharing_enabled, 1);
    hive_stop(&h);
}

/* A die by itself, and one whose links do not train. */
static void xgmi_without_hive(void)
{
    struct psp_rig r;
    struct mock m;
    struct hive h;
    uint32_t id;

    start_booted(&r, &m);
    CHECK_EQ(rig_load_ta(&r, TA_FW_TYPE_PSP_XGMI, &id), TEE_SUCCESS);
    CHECK_EQ(rig_invoke(&r, id, TA_COMMAND_XGMI__INITIALIZE), TEE_SUCCESS);
    CHECK_EQ(mock_vram32(&m, PSP_SHARED + 8),
             TA_XGMI_STATUS__FAILED_TOPOLOGY_INIT);
    CHECK_EQ(rig_invoke(&r, id, TA_COMMAND_XGMI__GET_HIVE_ID), TEE_SUCCESS);
    CHECK_EQ(mock_vram32(&m, PSP_SHARED + 8), TA_XGMI_STATUS__NOT_INITIALIZED);
    mock_stop(&m);

    hive_start(&h);
    h.m[2].untrained = true;
    CHECK_EQ(xgmi(&h, 2, TA_COMMAND_XGMI__GET_NODE_ID),
             TA_XGMI_STATUS__NOT_INITIALIZED);
    CHECK_EQ(xgmi(&h, 2, TA_COMMAND_XGMI__INITIALIZE),
             TA_XGMI_STATUS__FAILED_TOPOLOGY_INIT);
    h.m[2].untrained = false;
    CHECK_EQ(xgmi(&h, 2, TA_COMMAND_XGMI__INITIALIZE), 0);
    hive_stop(&h);
}

/* ----------------------------------------------------- reset, migration */

/* Broken for a test: nothing is answered, until all of the die is reset. */
static void stuck(void)
{
    struct psp_rig r;
    struct mock m;

    start_booted(&r, &m);
    mock_wreg(&m, VGPU_DBG_STUCK, VGPU_DBG_STUCK__MP0_MASK);
    rig_cmd(&r, GFX_CMD_ID_DESTROY_TMR);
    rig_submit(&r);
    CHECK_EQ(r.unfenced, 1);
    CHECK_EQ(rig_control(&r, GFX_CTRL_CMD_ID_MODE1_RST),
             GFX_CTRL_CMD_ID_MODE1_RST);
    CHECK_EQ(mock_rreg(&m, VGPU_DBG_STUCK), VGPU_DBG_STUCK__MP0_MASK);

    vgpu_die_reset(m.die);
    rig_boot(&r);
    rig_cmd(&r, GFX_CMD_ID_DESTROY_TMR);
    CHECK_EQ(rig_submit(&r), TEE_ERROR_BAD_STATE);
    CHECK_EQ(r.unfenced, 1);
    mock_stop(&m);
}

static void mode1_reset(void)
{
    struct psp_rig r;
    struct mock m;
    uint32_t id;

    start_booted(&r, &m);
    CHECK_EQ(rig_load_ta(&r, TA_FW_TYPE_PSP_XGMI, &id), TEE_SUCCESS);
    CHECK_EQ(boot_cfg(&r, BOOTCFG_CMD_SET, 0, BOOT_CONFIG_GECC), TEE_SUCCESS);
    mock_wreg(&m, VGPU_REG_ABS(OSSSYS, regIH_RB_BASE), 0x1234);
    mock_set_vram32(&m, 0x30000, 0x600df00d);
    mock_wreg(&m, MP0(64), GFX_CTRL_CMD_ID_MODE1_RST);
    /* posted: it happens between two slices of the engine thread */
    CHECK_EQ(mock_rreg(&m, VGPU_REG_ABS(OSSSYS, regIH_RB_BASE)), 0x1234);
    mock_run(&m);
    CHECK_EQ(mock_rreg(&m, VGPU_REG_ABS(OSSSYS, regIH_RB_BASE)), 0);
    CHECK_EQ(mock_rreg(&m, MP0(33)), 0x80000000);
    CHECK_EQ(mock_rreg(&m, MP0(35)), 0x80000000);
    CHECK_EQ(mock_rreg(&m, MP0(64)), 0);
    CHECK_EQ(mock_rreg(&m, MP0(81)), 0);
    CHECK_EQ(mock_vram32(&m, 0x30000), 0x600df00d);
    rig_boot(&r);
    CHECK_EQ(rig_invoke(&r, id, 0), TEE_ERROR_ITEM_NOT_FOUND);
    CHECK_EQ(destroy_tmr(&r), TEE_ERROR_BAD_STATE);
    CHECK_EQ(boot_cfg(&r, BOOTCFG_CMD_GET, 0, 0), TEE_SUCCESS);
    CHECK_EQ(mock_vram32(&m, PSP_CMD + VGPU_PSP_RESP_OFFSET + 64), 0);
    mock_stop(&m);
}

/* What waits in a mailbox or in the ring is done where the state goes. */
static void migration(void)
{
    struct psp_rig r, to;
    struct mock m, n;
    uint8_t *buf;
    size_t len;
    uint32_t id;

    start_booted(&r, &m);
    CHECK_EQ(rig_load_ta(&r, TA_FW_TYPE_PSP_XGMI, &id), TEE_SUCCESS);
    rig_cmd(&r, GFX_CMD_ID_UNLOAD_TA)->cmd.cmd_unload_ta.session_id = id;
    rig_frame(&r);
    mock_wreg(&m, MP0(67), mock_rreg(&m, MP0(67)) + PSP_FRAME_DW);
    mock_wreg(&m, MP0(64), GFX_CTRL_CMD_ID_CAN_INIT_RINGS);
    len = vgpu_die_state_size(m.die);
    buf = malloc(len);
    vgpu_die_state_save(m.die, buf);

    start(&to, &n);
    memcpy(n.vram, m.vram, MOCK_VRAM_SIZE);
    CHECK(vgpu_die_state_load(n.die, buf, len));
    mock_run(&n);
    CHECK_EQ(mock_rreg(&n, MP0(64)) & DONE_MASK, DONE);
    CHECK_EQ(mock_vram32(&n, PSP_FENCE), r.fence);
    to.fence = r.fence;
    CHECK_EQ(unload_ta(&to, id), TEE_ERROR_ITEM_NOT_FOUND);
    free(buf);
    mock_stop(&m);
    mock_stop(&n);
}

static void state_refused(void)
{
#define FIELD(f, v) { offsetof(struct vgpu_psp_state, f), v }
    static const struct {
        size_t offset;
        uint32_t bad;
    } fields[] = {
        FIELD(ring_dwords, 0x10000), FIELD(ring_dwords, 8),
        FIELD(rptr, 8), FIELD(rptr, PSP_RING_BYTES / 4), FIELD(tmr_used, 1),
        FIELD(bootloader_cmd, 2), FIELD(control_cmd, 2),
        FIELD(xgmi.initialized, 2), FIELD(ta[2].loaded, 2),
        FIELD(ta[2].vmid, 16), FIELD(ta[4].loaded, 1),
    };
    struct psp_rig r;
    struct mock m;
    uint8_t *buf;
    size_t len, state, i;

    start_booted(&r, &m);
    len = vgpu_die_state_size(m.die);
    buf = malloc(len);
    state = len - sizeof(struct vgpu_die_state) +
            offsetof(struct vgpu_die_state, psp);
    for (i = 0; i < N(fields); i++) {
        vgpu_die_state_save(m.die, buf);
        memcpy(buf + state + fields[i].offset, &fields[i].bad, 4);
        CHECK(!vgpu_die_state_load(m.die, buf, len));
    }
    vgpu_die_state_save(m.die, buf);
    CHECK(vgpu_die_state_load(m.die, buf, len));
    free(buf);
    mock_stop(&m);
}

static const struct test tests[] = {
    TEST(reset_state),
    TEST(bootloader_loads),
    TEST(bootloader_errors),
    TEST(control_commands),
    TEST(ring_create),
    TEST(frames_wrap),
    TEST(wptr_out_of_range),
    TEST(frames_malformed),
    TEST(frames_unmapped),
    TEST(commands_unknown),
    TEST(tmr),
    TEST(toc),
    TEST(firmware_loads),
    TEST(firmware_malformed),
    TEST(registers_programmed),
    TEST(boot_config),
    TEST(ta_images),
    TEST(ta_sessions),
    TEST(xgmi_ids),
    TEST(xgmi_topology), TEST(xgmi_extend_peer_links),
    TEST(xgmi_set_topology),
    TEST(xgmi_without_hive),
    TEST(stuck),
    TEST(mode1_reset),
    TEST(migration),
    TEST(state_refused),
};

TEST_MAIN(tests)
