/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MP0, the security processor: the mailboxes of its boot loader and of its
 * operating system (sOS), and the GPCOM ring with the commands of a driver.
 * Documentation/hardware.rst, "Firmware processors".
 *
 * A register write only posts a command; all of them run in one queue of the
 * scheduler, each to its end, since all are short.
 */
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include <hw/reg/mp.h>
#include <hw/reg/oss.h>
#include <hw/reg/vgpu.h>

#define MP0(name)   VGPU_REG_ABS(MP0, regMP0_SMN_##name)

/* Firmware sets it when VRAM works and the discovery binary is in place. */
#define C2PMSG_33_READY     0x80000000u
/* C2PMSG_35: ready for a command; the low byte is an error when not 0. */
#define BOOTLOADER_READY    0x80000000u
#define BOOTLOADER_ERROR    1u
/* C2PMSG_81 while the sOS runs: any value but 0 will do. */
#define SOS_ALIVE           1u

#define FRAME_DWORDS        (sizeof(struct vgpu_psp_gfx_rb_frame) / 4)
#define FRAME_COST          16      /* of a slice */
#define MAX_RING_BYTES      0x10000u
#define PAGE                0x1000u

_Static_assert(sizeof(struct vgpu_psp_gfx_rb_frame) == 64, "of the interface");
_Static_assert(sizeof(struct vgpu_psp_gfx_cmd_resp) == VGPU_PSP_CMD_RESP_SIZE,
               "of the interface");
_Static_assert(sizeof(struct vgpu_ta_image) == VGPU_TA_IMAGE_SIZE,
               "no holes");

static uint64_t addr64(uint32_t lo, uint32_t hi)
{
    return (uint64_t)hi << 32 | lo;
}

static struct vgpu_req psp_req(unsigned vmid)
{
    return (struct vgpu_req) {
        .hub = VGPU_HUB_MM, .vmid = vmid, .cid = VGPU_CID_MP0,
    };
}

/* The first and the last byte: an image that is there from end to end. */
static bool readable(struct vgpu_die *d, const struct vgpu_req *req,
                     uint64_t va, uint64_t len)
{
    uint8_t byte;

    return len && vgpu_gmc_read(d, req, va, &byte, 1) &&
           vgpu_gmc_read(d, req, va + len - 1, &byte, 1);
}

/* ---------------------------------------------------------- boot loader */

/* Images are signed on hardware. Here they are only read. */
static bool load_component(struct vgpu_die *d, struct vgpu_ta_image *image)
{
    struct vgpu_req req = psp_req(0);
    uint64_t va = (uint64_t)vgpu_reg_get(d, MP0(C2PMSG_36)) << 20;

    return vgpu_gmc_read(d, &req, va, image, sizeof(*image));
}

static void start_sos(struct vgpu_die *d, uint32_t version)
{
    vgpu_reg_set(d, MP0(C2PMSG_58), version);
    vgpu_reg_set(d, MP0(C2PMSG_81), SOS_ALIVE);
    vgpu_reg_set(d, MP0(C2PMSG_64), GFX_FLAG_RESPONSE);
}

static bool bootloader(struct vgpu_die *d, uint32_t cmd)
{
    struct vgpu_ta_image image;

    switch (cmd) {
    case PSP_BL__LOAD_SYSDRV:
    case PSP_BL__LOAD_KEY_DATABASE:
    case PSP_BL__LOAD_SOCDRV:
    case PSP_BL__LOAD_DBGDRV:
    case PSP_BL__LOAD_INTFDRV:
    case PSP_BL__LOAD_RASDRV:
    case PSP_BL__LOAD_IPKEYMGRDRV:
    case PSP_BL__LOAD_TOS_SPL_TABLE:
        return load_component(d, &image);
    case PSP_BL__LOAD_SOSDRV:
        if (!load_component(d, &image)) {
            return false;
        }
        start_sos(d, image.version);
        return true;
    case PSP_BL__DRAM_LONG_TRAIN:
    case PSP_BL__DRAM_SHORT_TRAIN:
        return true; /* the memory is trained */
    default:
        return false;
    }
}

static void run_bootloader(struct vgpu_die *d)
{
    uint32_t cmd = vgpu_reg_get(d, MP0(C2PMSG_35));
    uint32_t answer = BOOTLOADER_READY;

    d->s.psp.bootloader_cmd = 0;
    /* It handed over to the sOS: nobody answers any more. */
    if (vgpu_reg_get(d, MP0(C2PMSG_81))) {
        return;
    }
    if (!bootloader(d, cmd)) {
        vgpu_log(d, VGPU_LOG_GUEST_ERROR, "PSP boot loader command 0x%x", cmd);
        answer |= BOOTLOADER_ERROR;
    }
    vgpu_reg_set(d, MP0(C2PMSG_35), answer);
    vgpu_wake_parked(d);
}

/* ------------------------------------------------------ sOS: control */

static void drop_ring(struct vgpu_die *d)
{
    d->s.psp.ring_dwords = 0;
    d->s.psp.rptr = 0;
    vgpu_reg_set(d, MP0(C2PMSG_67), 0);
}

static uint32_t create_ring(struct vgpu_die *d)
{
    struct vgpu_psp_state *s = &d->s.psp;
    uint64_t base = addr64(vgpu_reg_get(d, MP0(C2PMSG_69)),
                           vgpu_reg_get(d, MP0(C2PMSG_70)));
    uint32_t bytes = vgpu_reg_get(d, MP0(C2PMSG_71));

    if (!bytes || bytes > MAX_RING_BYTES || bytes % (4 * FRAME_DWORDS) ||
        base % PAGE) {
        return TEE_ERROR_BAD_PARAMETERS;
    }
    /* One that is there already is replaced: its driver may have died. */
    drop_ring(d);
    s->ring_base = base;
    s->ring_dwords = bytes / 4;
    return TEE_SUCCESS;
}

static uint32_t control(struct vgpu_die *d, uint32_t cmd)
{
    switch (cmd & GFX_CMD_ID_MASK) {
    case GFX_CTRL_CMD_ID_INIT_GPCOM_RING:
        return create_ring(d);
    case GFX_CTRL_CMD_ID_DESTROY_RINGS:
    case GFX_CTRL_CMD_ID_DESTROY_GPCOM_RING:
        drop_ring(d);
        return TEE_SUCCESS;
    case GFX_CTRL_CMD_ID_CAN_INIT_RINGS:
        return TEE_SUCCESS;
    case GFX_CTRL_CMD_ID_MODE1_RST:
        vgpu_die_request_reset(d, VGPU_RESET_MODE1);
        return TEE_SUCCESS;
    case GFX_CTRL_CMD_ID_INIT_RBI_RING:
    case GFX_CTRL_CMD_ID_ENABLE_INT:
    case GFX_CTRL_CMD_ID_DISABLE_INT:
    case GFX_CTRL_CMD_ID_GBR_IH_SET:
    case GFX_CTRL_CMD_ID_CONSUME_CMD:
        return TEE_ERROR_NOT_SUPPORTED;
    default:
        return PSP_ERR_UNKNOWN_COMMAND;
    }
}

static void run_control(struct vgpu_die *d)
{
    uint32_t cmd = vgpu_reg_get(d, MP0(C2PMSG_64));
    uint32_t status;

    d->s.psp.control_cmd = 0;
    if (!vgpu_reg_get(d, MP0(C2PMSG_81))) {
        return; /* there is no sOS yet */
    }
    status = control(d, cmd);
    if (status) {
        vgpu_log(d, VGPU_LOG_GUEST_ERROR, "PSP control command 0x%x: 0x%x",
                 cmd, status);
    }
    /* What fits of a status goes into the mailbox. */
    vgpu_reg_set(d, MP0(C2PMSG_64), (cmd & GFX_CMD_ID_MASK) |
                 GFX_FLAG_RESPONSE | (status & GFX_CMD_STATUS_MASK));
    vgpu_wake_parked(d);
}

/* ------------------------------------------------- sOS: trusted memory */

static uint32_t setup_tmr(struct vgpu_die *d, const struct vgpu_req *req,
                          const struct vgpu_psp_gfx_cmd_setup_tmr *c)
{
    struct vgpu_psp_state *s = &d->s.psp;
    uint64_t base = addr64(c->buf_phy_addr_lo, c->buf_phy_addr_hi);

    if (s->tmr_size) {
        return TEE_ERROR_BAD_STATE;
    }
    if (base % PAGE || c->buf_size % PAGE ||
        !readable(d, req, base, c->buf_size)) {
        return TEE_ERROR_BAD_PARAMETERS;
    }
    s->tmr_base = base;
    s->tmr_size = c->buf_size;
    s->tmr_used = 0;
    return TEE_SUCCESS;
}

static uint32_t destroy_tmr(struct vgpu_die *d)
{
    struct vgpu_psp_state *s = &d->s.psp;

    if (!s->tmr_size) {
        return TEE_ERROR_BAD_STATE;
    }
    s->tmr_size = 0;
    s->tmr_used = 0;
    memset(s->fw, 0, sizeof(s->fw));
    return TEE_SUCCESS;
}

static uint32_t load_toc(struct vgpu_die *d, const struct vgpu_req *req,
                         const struct vgpu_psp_gfx_cmd_load_toc *c,
                         struct vgpu_psp_gfx_resp *resp)
{
    if (!readable(d, req, addr64(c->toc_phy_addr_lo, c->toc_phy_addr_hi),
                  c->toc_size)) {
        return TEE_ERROR_BAD_PARAMETERS;
    }
    resp->tmr_size = VGPU_PSP_TMR_SIZE;
    return TEE_SUCCESS;
}

/* Firmware of the blocks of MI250X, and of the graphics ring that vgpu has. */
static bool is_fw_type(uint32_t type)
{
    static const uint8_t types[] = {
        GFX_FW_TYPE_CP_ME, GFX_FW_TYPE_CP_PFP, GFX_FW_TYPE_CP_CE,
        GFX_FW_TYPE_CP_MEC, GFX_FW_TYPE_CP_MEC_ME1, GFX_FW_TYPE_CP_MEC_ME2,
        GFX_FW_TYPE_RLC_V, GFX_FW_TYPE_RLC_G, GFX_FW_TYPE_SDMA0,
        GFX_FW_TYPE_SDMA1, GFX_FW_TYPE_SDMA2, GFX_FW_TYPE_SDMA3,
        GFX_FW_TYPE_SDMA4, GFX_FW_TYPE_SMU, GFX_FW_TYPE_VCN,
        GFX_FW_TYPE_VCN1, GFX_FW_TYPE_RLC_RESTORE_LIST_GPM_MEM,
        GFX_FW_TYPE_RLC_RESTORE_LIST_SRM_MEM,
        GFX_FW_TYPE_RLC_RESTORE_LIST_SRM_CNTL, GFX_FW_TYPE_REG_LIST,
    };
    size_t i;

    for (i = 0; i < sizeof(types); i++) {
        if (types[i] == type) {
            return true;
        }
    }
    return false;
}

/* Room in the TMR; firmware that is loaded again goes where it was. */
static bool tmr_place(struct vgpu_psp_state *s, struct vgpu_psp_fw *fw,
                      uint32_t size)
{
    uint64_t room = ((uint64_t)size + PAGE - 1) / PAGE * PAGE;

    if (fw->size >= size) {
        return true;
    }
    if (room > s->tmr_size - s->tmr_used) {
        return false;
    }
    fw->tmr_offset = s->tmr_used;
    s->tmr_used += room;
    return true;
}

/* There is no microcode to run: what is kept is that it was loaded. */
static uint32_t load_ip_fw(struct vgpu_die *d, const struct vgpu_req *req,
                           const struct vgpu_psp_gfx_cmd_load_ip_fw *c,
                           struct vgpu_psp_gfx_resp *resp)
{
    struct vgpu_psp_state *s = &d->s.psp;
    uint64_t va = addr64(c->fw_phy_addr_lo, c->fw_phy_addr_hi);
    struct vgpu_psp_fw *fw;

    if (!is_fw_type(c->fw_type)) {
        return TEE_ERROR_NOT_SUPPORTED;
    }
    fw = &s->fw[c->fw_type];
    /* The list of registers is fixed once it is there. */
    if (c->fw_type == GFX_FW_TYPE_REG_LIST && fw->size) {
        return TEE_ERROR_CANCEL;
    }
    if (va % PAGE || !readable(d, req, va, c->fw_size)) {
        return TEE_ERROR_BAD_PARAMETERS;
    }
    /* The power controller's comes before the TMR and has memory of its own. */
    if (c->fw_type != GFX_FW_TYPE_SMU) {
        uint64_t place;

        if (!s->tmr_size) {
            return TEE_ERROR_BAD_STATE;
        }
        if (!tmr_place(s, fw, c->fw_size)) {
            return TEE_ERROR_OUT_OF_MEMORY;
        }
        place = s->tmr_base + fw->tmr_offset;
        resp->fw_addr_lo = place;
        resp->fw_addr_hi = place >> 32;
    }
    fw->size = c->fw_size;
    return TEE_SUCCESS;
}

/* -------------------------------------------- sOS: trusted applications */

static const struct vgpu_ta *const tas[VGPU_PSP_TA_TYPES] = {
    [TA_FW_TYPE_PSP_XGMI] = &vgpu_xgmi_ta,
    [TA_FW_TYPE_PSP_RAS] = &vgpu_ras_ta,
};

/* Have a TA work on a copy of the structure it shares with the driver. */
static uint32_t run_ta(struct vgpu_die *d, const struct vgpu_req *req,
                       const struct vgpu_ta *ta, uint64_t va, bool load,
                       uint32_t cmd)
{
    _Alignas(8) uint8_t mem[VGPU_PSP_TA_SHARED];

    if (!vgpu_gmc_read(d, req, va, mem, ta->shared)) {
        return TEE_ERROR_BAD_PARAMETERS;
    }
    if (load) {
        ta->load(d, mem);
    } else {
        ta->invoke(d, cmd, mem);
    }
    return vgpu_gmc_write(d, req, va, mem, ta->shared) ?
           TEE_SUCCESS : TEE_ERROR_BAD_PARAMETERS;
}

static uint32_t load_ta(struct vgpu_die *d, const struct vgpu_req *req,
                        const struct vgpu_psp_gfx_cmd_load_ta *c,
                        struct vgpu_psp_gfx_resp *resp)
{
    uint64_t va = addr64(c->app_phy_addr_lo, c->app_phy_addr_hi);
    uint64_t shared = addr64(c->cmd_buf_phy_addr_lo, c->cmd_buf_phy_addr_hi);
    struct vgpu_ta_image image;
    const struct vgpu_ta *ta;

    if (va % PAGE || shared % PAGE || c->cmd_buf_len % PAGE) {
        return TEE_ERROR_BAD_PARAMETERS;
    }
    if (c->app_len < sizeof(image)) {
        return TEE_ERROR_SECURITY;
    }
    if (!vgpu_gmc_read(d, req, va, &image, sizeof(image))) {
        return TEE_ERROR_BAD_PARAMETERS;
    }
    if (image.cookie != VGPU_TA_IMAGE_COOKIE || !image.ta_type ||
        image.ta_type >= VGPU_PSP_TA_TYPES) {
        return TEE_ERROR_SECURITY;
    }
    ta = tas[image.ta_type];
    if (!ta) {
        return TEE_ERROR_NOT_SUPPORTED;
    }
    if (c->cmd_buf_len && c->cmd_buf_len < ta->shared) {
        return TEE_ERROR_BAD_PARAMETERS;
    }
    if (ta->load && c->cmd_buf_len) {
        uint32_t status = run_ta(d, req, ta, shared, true, 0);

        if (status) {
            return status;
        }
    }
    /* One that is loaded already is replaced: its driver may have died. */
    d->s.psp.ta[image.ta_type] = (struct vgpu_psp_ta) {
        .shared = shared, .shared_len = c->cmd_buf_len,
        .version = image.version, .vmid = req->vmid, .loaded = 1,
    };
    resp->session_id = image.ta_type;
    return TEE_SUCCESS;
}

static struct vgpu_psp_ta *session(struct vgpu_die *d, uint32_t id)
{
    struct vgpu_psp_ta *ta = id < VGPU_PSP_TA_TYPES ? &d->s.psp.ta[id] : NULL;

    return ta && ta->loaded ? ta : NULL;
}

static uint32_t unload_ta(struct vgpu_die *d,
                          const struct vgpu_psp_gfx_cmd_unload_ta *c)
{
    struct vgpu_psp_ta *ta = session(d, c->session_id);

    if (!ta) {
        return TEE_ERROR_ITEM_NOT_FOUND;
    }
    *ta = (struct vgpu_psp_ta) { 0 };
    return TEE_SUCCESS;
}

/* The buffer of the command, in one piece, or that of the session. */
static uint32_t invoke_ta(struct vgpu_die *d, const struct vgpu_req *req,
                          const struct vgpu_psp_gfx_cmd_invoke_cmd *c)
{
    struct vgpu_psp_ta *s = session(d, c->session_id);
    const struct vgpu_psp_gfx_buf_desc *buf = &c->buf.buf_desc[0];
    struct vgpu_req ta_req = *req;
    uint64_t va;
    uint32_t len;

    if (!s) {
        return TEE_ERROR_ITEM_NOT_FOUND;
    }
    if (c->buf.num_desc > 1) {
        return TEE_ERROR_NOT_SUPPORTED;
    }
    if (c->buf.num_desc) {
        va = addr64(buf->buf_phy_addr_lo, buf->buf_phy_addr_hi);
        len = buf->buf_size;
    } else {
        va = s->shared;
        len = s->shared_len;
        ta_req.vmid = s->vmid;
    }
    if (va % PAGE || len < tas[c->session_id]->shared) {
        return TEE_ERROR_BAD_PARAMETERS;
    }
    return run_ta(d, &ta_req, tas[c->session_id], va, false, c->ta_cmd_id);
}

/* ----------------------------------------------------- sOS: other commands */

static uint32_t prog_reg(struct vgpu_die *d,
                         const struct vgpu_psp_gfx_cmd_reg_prog *c)
{
    static const uint32_t regs[] = {
        [PSP_REG_IH_RB_CNTL] = VGPU_REG_ABS(OSSSYS, regIH_RB_CNTL),
        [PSP_REG_IH_RB_CNTL_RING1] =
            VGPU_REG_ABS(OSSSYS, regIH_RB_CNTL_RING1),
        [PSP_REG_IH_RB_CNTL_RING2] =
            VGPU_REG_ABS(OSSSYS, regIH_RB_CNTL_RING2),
    };

    if (c->reg_id >= sizeof(regs) / sizeof(regs[0])) {
        return TEE_ERROR_BAD_PARAMETERS;
    }
    vgpu_reg_write(d, regs[c->reg_id], c->reg_value);
    return TEE_SUCCESS;
}

static uint32_t boot_cfg(struct vgpu_die *d,
                         const struct vgpu_psp_gfx_cmd_boot_cfg *c,
                         struct vgpu_psp_gfx_resp *resp)
{
    uint32_t *cfg = &d->s.nv.boot_cfg;

    switch (c->sub_cmd) {
    case BOOTCFG_CMD_SET:
        if (c->boot_config & ~c->boot_config_valid ||
            c->boot_config_valid & ~(uint32_t)BOOT_CONFIG_GECC) {
            return TEE_ERROR_BAD_PARAMETERS;
        }
        *cfg = (*cfg & ~c->boot_config_valid) | c->boot_config;
        return TEE_SUCCESS;
    case BOOTCFG_CMD_GET:
        resp->uresp.boot_cfg = *cfg;
        return TEE_SUCCESS;
    case BOOTCFG_CMD_INVALIDATE:
        *cfg = VGPU_BOOT_CFG_DEFAULT;
        return TEE_SUCCESS;
    default:
        return TEE_ERROR_BAD_PARAMETERS;
    }
}

/* -------------------------------------------------------- sOS: the ring */

static uint32_t execute(struct vgpu_die *d, const struct vgpu_req *req,
                        const struct vgpu_psp_gfx_cmd_resp *c,
                        struct vgpu_psp_gfx_resp *resp)
{
    switch (c->cmd_id) {
    case GFX_CMD_ID_LOAD_TA:
        return load_ta(d, req, &c->cmd.cmd_load_ta, resp);
    case GFX_CMD_ID_UNLOAD_TA:
        return unload_ta(d, &c->cmd.cmd_unload_ta);
    case GFX_CMD_ID_INVOKE_CMD:
        return invoke_ta(d, req, &c->cmd.cmd_invoke_cmd);
    case GFX_CMD_ID_SETUP_TMR:
        return setup_tmr(d, req, &c->cmd.cmd_setup_tmr);
    case GFX_CMD_ID_DESTROY_TMR:
        return destroy_tmr(d);
    case GFX_CMD_ID_LOAD_TOC:
        return load_toc(d, req, &c->cmd.cmd_load_toc, resp);
    case GFX_CMD_ID_LOAD_IP_FW:
        return load_ip_fw(d, req, &c->cmd.cmd_load_ip_fw, resp);
    case GFX_CMD_ID_PROG_REG:
        return prog_reg(d, &c->cmd.cmd_setup_reg_prog);
    case GFX_CMD_ID_BOOT_CFG:
        return boot_cfg(d, &c->cmd.boot_cfg, resp);
    /* Displays, virtual functions, and what other products do at boot. */
    case GFX_CMD_ID_LOAD_ASD:
    case GFX_CMD_ID_SAVE_RESTORE:
    case GFX_CMD_ID_SETUP_VMR:
    case GFX_CMD_ID_DESTROY_VMR:
    case GFX_CMD_ID_GET_FW_ATTESTATION:
    case GFX_CMD_ID_AUTOLOAD_RLC:
    case GFX_CMD_ID_SRIOV_SPATIAL_PART:
        return TEE_ERROR_NOT_SUPPORTED;
    default:
        return PSP_ERR_UNKNOWN_COMMAND;
    }
}

static bool frame_valid(const struct vgpu_psp_gfx_rb_frame *f)
{
    uint32_t set = f->frame_type | f->reserved1[0] | f->reserved1[1];
    size_t i;

    for (i = 0; i < sizeof(f->reserved2) / sizeof(f->reserved2[0]); i++) {
        set |= f->reserved2[i];
    }
    return !set && f->vmid < VGPU_NUM_VMIDS && f->cmd_buf_addr_lo % PAGE == 0;
}

static void run_command(struct vgpu_die *d, const struct vgpu_req *req,
                        uint64_t va, bool valid)
{
    struct vgpu_psp_gfx_resp resp = { 0 };
    struct vgpu_psp_gfx_cmd_resp cmd;

    if (!vgpu_gmc_read(d, req, va, &cmd, sizeof(cmd))) {
        return; /* nowhere to say so but in the fault */
    }
    resp.status = valid ? execute(d, req, &cmd, &resp) :
                  TEE_ERROR_BAD_PARAMETERS;
    if (resp.status) {
        vgpu_log(d, VGPU_LOG_GUEST_ERROR, "PSP command 0x%x: 0x%x",
                 cmd.cmd_id, resp.status);
    }
    vgpu_gmc_write(d, req, va + VGPU_PSP_RESP_OFFSET, &resp, sizeof(resp));
}

/* Whatever becomes of a frame, its fence is written. */
static void run_frame(struct vgpu_die *d)
{
    struct vgpu_psp_state *s = &d->s.psp;
    struct vgpu_req req = psp_req(0);
    struct vgpu_psp_gfx_rb_frame f;
    bool valid;

    if (!vgpu_gmc_read(d, &req, s->ring_base + 4ull * s->rptr, &f,
                       sizeof(f))) {
        return;
    }
    valid = frame_valid(&f);
    if (valid) {
        req.vmid = f.vmid;
    }
    run_command(d, &req, addr64(f.cmd_buf_addr_lo, f.cmd_buf_addr_hi), valid);
    vgpu_gmc_write(d, &req, addr64(f.fence_addr_lo, f.fence_addr_hi),
                   &f.fence_value, sizeof(f.fence_value));
}

/* A frame is ahead; a write pointer that cannot be one is as good as none. */
static bool frame_ahead(struct vgpu_die *d)
{
    struct vgpu_psp_state *s = &d->s.psp;
    uint32_t wptr = vgpu_reg_get(d, MP0(C2PMSG_67));

    return wptr < s->ring_dwords && wptr % FRAME_DWORDS == 0 &&
           wptr != s->rptr;
}

static enum vgpu_run psp_run(struct vgpu_die *d, struct vgpu_queue *q)
{
    struct vgpu_psp_state *s = &d->s.psp;

    (void)q;
    if (vgpu_reg_get(d, VGPU_DBG_STUCK) & VGPU_DBG_STUCK__MP0_MASK) {
        return VGPU_RUN_IDLE;
    }
    if (s->bootloader_cmd) {
        run_bootloader(d);
    }
    if (s->control_cmd) {
        run_control(d);
    }
    while (d->reset_wanted == VGPU_RESET_NONE && frame_ahead(d)) {
        run_frame(d);
        s->rptr = (s->rptr + FRAME_DWORDS) % s->ring_dwords;
        if (vgpu_spend(d, FRAME_COST)) {
            return VGPU_RUN_MORE;
        }
    }
    return VGPU_RUN_IDLE;
}

/* ------------------------------------------------------------ registers */

static void bootloader_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    vgpu_reg_set(d, reg, val);
    d->s.psp.bootloader_cmd = 1;
    vgpu_queue_kick(d, d->psp->queue);
}

static void control_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    vgpu_reg_set(d, reg, val);
    d->s.psp.control_cmd = 1;
    vgpu_queue_kick(d, d->psp->queue);
}

static void wptr_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    vgpu_reg_set(d, reg, val);
    vgpu_queue_kick(d, d->psp->queue);
    if (d->s.psp.ring_dwords &&
        (val >= d->s.psp.ring_dwords || val % FRAME_DWORDS)) {
        vgpu_log(d, VGPU_LOG_GUEST_ERROR, "PSP ring write pointer 0x%x", val);
    }
}

#define R(n, ...) { .reg = MP0(n), .name = "MP0_SMN_" #n, __VA_ARGS__ }

static const struct vgpu_reg_desc regs[] = {
    R(C2PMSG_33, .reset = C2PMSG_33_READY),
    R(C2PMSG_35, .reset = BOOTLOADER_READY, .wmask = ~0u,
      .write = bootloader_write),
    R(C2PMSG_36, .wmask = ~0u),
    R(C2PMSG_58),
    R(C2PMSG_64, .wmask = ~0u, .write = control_write),
    R(C2PMSG_67, .wmask = ~0u, .write = wptr_write),
    R(C2PMSG_69, .wmask = ~0u),
    R(C2PMSG_70, .wmask = ~0u),
    R(C2PMSG_71, .wmask = ~0u),
    R(C2PMSG_81),
};

/* ---------------------------------------------------------------- block */

static bool psp_init(struct vgpu_die *d)
{
    d->psp = calloc(1, sizeof(*d->psp));
    if (!d->psp) {
        return false;
    }
    d->psp->queue = vgpu_queue_add(d, "psp", psp_run, 0);
    return d->psp->queue &&
           vgpu_regs_claim(d, regs, sizeof(regs) / sizeof(regs[0]));
}

static bool psp_valid(const struct vgpu_die *d,
                      const struct vgpu_die_state *state)
{
    const struct vgpu_psp_state *s = &state->psp;
    unsigned i;

    (void)d;
    for (i = 0; i < VGPU_PSP_TA_TYPES; i++) {
        if (s->ta[i].loaded > 1 || (s->ta[i].loaded && !tas[i]) ||
            s->ta[i].vmid >= VGPU_NUM_VMIDS) {
            return false;
        }
    }
    return s->ring_dwords <= MAX_RING_BYTES / 4 &&
           s->ring_dwords % FRAME_DWORDS == 0 && s->rptr % FRAME_DWORDS == 0 &&
           (s->rptr < s->ring_dwords || !s->rptr) &&
           s->tmr_used <= s->tmr_size && s->bootloader_cmd <= 1 &&
           s->control_cmd <= 1 && s->xgmi.initialized <= 1;
}

static void psp_fini(struct vgpu_die *d)
{
    free(d->psp);
    d->psp = NULL;
}

const struct vgpu_block vgpu_psp_block = {
    .name = "psp",
    .init = psp_init,
    .valid = psp_valid,
    .fini = psp_fini,
};
