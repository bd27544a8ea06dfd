/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer target of the security processor. The input is a script for a die
 * of a hive: mailbox registers, frames with commands that are nearly right,
 * memory of a trusted application, topologies, and migration with a state
 * that was tampered with. Nothing may crash, and every run must end.
 *
 * `make fuzz` builds and runs it. By hand, see fuzz-sdma.c.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "fuzz-input.h"
#include "psp-rig.h"
#include "hw/ta_ras.h"
#include "hw/ta_xgmi.h"

#define RAM_SIZE    0x10000ull
#define VRAM_SIZE   (2ull << 20)
#define MAX_STEPS   64
#define HIVE_ID     0x100

static struct mock mock;
static struct psp_rig rig;
static uint8_t *state;
static size_t state_len;

/* Most often where something is, most often aligned as it must be. */
static uint64_t get_addr(struct input *in)
{
    static const uint64_t places[] = {
        PSP_IMAGE, PSP_RING, PSP_FENCE, PSP_CMD, PSP_SHARED, VRAM_SIZE - 4096,
    };
    uint8_t how = get8(in);

    if (how < 0xe0) {
        return PSP_VRAM + places[how % 6] + (how & 0x80 ? get8(in) : 0);
    }
    return (uint64_t)get32(in) << 32 | get32(in);
}

static void put_addr(struct input *in, __le32 *lo, __le32 *hi)
{
    uint64_t va = get_addr(in);

    *lo = va;
    *hi = va >> 32;
}

static void fill_command(struct input *in, struct vgpu_psp_gfx_cmd_resp *c)
{
    union vgpu_psp_gfx_commands *u = &c->cmd;
    unsigned i;

    switch (c->cmd_id) {
    case GFX_CMD_ID_LOAD_TA:
        rig_image(&rig, get8(in) & 7, get8(in));
        put_addr(in, &u->cmd_load_ta.app_phy_addr_lo,
                 &u->cmd_load_ta.app_phy_addr_hi);
        u->cmd_load_ta.app_len = get_number(in) << 1;
        put_addr(in, &u->cmd_load_ta.cmd_buf_phy_addr_lo,
                 &u->cmd_load_ta.cmd_buf_phy_addr_hi);
        u->cmd_load_ta.cmd_buf_len = get_number(in) << 12;
        break;
    case GFX_CMD_ID_INVOKE_CMD:
        u->cmd_invoke_cmd.session_id = get_number(in);
        u->cmd_invoke_cmd.ta_cmd_id = get_number(in);
        u->cmd_invoke_cmd.buf.num_desc = get8(in) & 1;
        put_addr(in, &u->cmd_invoke_cmd.buf.buf_desc[0].buf_phy_addr_lo,
                 &u->cmd_invoke_cmd.buf.buf_desc[0].buf_phy_addr_hi);
        u->cmd_invoke_cmd.buf.buf_desc[0].buf_size = get_number(in) << 8;
        break;
    case GFX_CMD_ID_SETUP_TMR:
        put_addr(in, &u->cmd_setup_tmr.buf_phy_addr_lo,
                 &u->cmd_setup_tmr.buf_phy_addr_hi);
        u->cmd_setup_tmr.buf_size = get_number(in) << 12;
        break;
    case GFX_CMD_ID_LOAD_TOC:
    case GFX_CMD_ID_LOAD_IP_FW:
        put_addr(in, &u->cmd_load_ip_fw.fw_phy_addr_lo,
                 &u->cmd_load_ip_fw.fw_phy_addr_hi);
        u->cmd_load_ip_fw.fw_size = get_number(in) << 4;
        u->cmd_load_ip_fw.fw_type = get_number(in);
        break;
    default:
        for (i = 0; i < 4; i++) {
            ((__le32 *)u)[i] = get_number(in);
        }
    }
}

/* The write pointer may be anywhere by now, but frames go into the ring. */
static void put_wptr_back(void)
{
    if (mock_rreg(&mock, MP0(67)) > PSP_RING_BYTES / 4 - PSP_FRAME_DW) {
        rig_create_ring(&rig, rig.vram + PSP_RING, PSP_RING_BYTES);
        mock_wreg(&mock, MP0(67), 0);
    }
}

static void command(struct input *in)
{
    struct vgpu_psp_gfx_rb_frame *f;
    uint8_t odd;

    put_wptr_back();
    fill_command(in, rig_cmd(&rig, get8(in)));
    f = rig_frame(&rig);
    odd = get8(in);
    if (odd < 64) {
        ((uint8_t *)f)[odd] = get8(in);
    }
    rig_ring(&rig);
}

static void ta_command(struct input *in)
{
    unsigned n = get8(in);
    uint32_t *mem = mock_vram(&mock, PSP_SHARED, PSP_XGMI_SHARED_MEM_SIZE);
    uint32_t session;

    put_wptr_back();
    rig_load_ta(&rig, get8(in) & 7, &session);
    while (n--) {
        mem[(get8(in) | get8(in) << 8) % 1024] = get_number(in);
    }
    put_wptr_back();
    rig_invoke(&rig, session, get_number(in));
}

static void tamper(struct input *in)
{
    struct vgpu_die_state *s;
    unsigned n = get8(in) % 24;

    vgpu_die_state_save(mock.die, state);
    s = (void *)(state + state_len - sizeof(*s));
    while (n--) {
        ((uint8_t *)&s->psp)[get32(in) % sizeof(s->psp)] = get8(in);
    }
    vgpu_die_state_load(mock.die, state, state_len);
}

static void step(struct input *in)
{
    static const uint32_t regs[] = {
        MP0(33), MP0(35), MP0(36), MP0(58), MP0(64), MP0(67), MP0(69),
        MP0(70), MP0(71), MP0(81),
    };
    uint8_t what = get8(in);
    struct vgpu_peer *peer;
    unsigned i;

    switch (what & 7) {
    case 0:
    case 1:
        command(in);
        break;
    case 2:
    case 3:
        ta_command(in);
        break;
    case 4:
        mock_wreg(&mock, regs[(what >> 3) % 10], get_number(in));
        break;
    case 5:
        for (i = get8(in); i; i--) {
            mock_set_vram32(&mock, PSP_RING + (get32(in) % 0x2000) * 4,
                            get_number(in));
        }
        break;
    case 6:
        peer = &mock.peer[get8(in) % VGPU_MAX_NODES];
        *peer = (struct vgpu_peer) { get8(in) & 1, get8(in), get8(in) };
        mock.untrained = what & 0x80;
        break;
    default:
        if (what & 0x80) {
            tamper(in);
        }
        mock_run(&mock);
    }
}

static void start(void)
{
    static struct vgpu_peer peers[VGPU_MAX_NODES];
    static struct vgpu_die_state *fresh;

    if (!mock.die) {
        mock_init(&mock);
        mock.ram_size = RAM_SIZE;
        mock.cfg.vram_size = VRAM_SIZE;
        mock_start_hive(&mock, 1, HIVE_ID);
        state_len = vgpu_die_state_size(mock.die);
        state = malloc(state_len);
        fresh = malloc(sizeof(*fresh));
        if (!state || !fresh) {
            abort();
        }
        rig_attach(&rig, &mock);
        rig_boot(&rig);
        *fresh = mock.die->s;
        memcpy(peers, mock.peer, sizeof(peers));
    }
    fuzz_restore(mock.die, fresh);
    memset(mock.vram, 0, VRAM_SIZE);
    memcpy(mock.peer, peers, sizeof(peers));
    mock.untrained = false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = { .p = data, .left = size };
    unsigned i;

    start();
    for (i = 0; in.left && i < MAX_STEPS; i++) {
        step(&in);
    }
    mock_run(&mock);
    return 0;
}
