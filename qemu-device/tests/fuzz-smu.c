/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer target of the power controller. The input is a script: messages,
 * the memory behind its tables, registers of the engines that it looks at and
 * resets, time, and migration with a state that was tampered with. Nothing
 * may crash, and a message is always answered.
 *
 * `make fuzz` builds and runs it. By hand, see fuzz-sdma.c.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "fuzz-input.h"
#include "hw/reg/mp.h"
#include "hw/smu.h"

#define RAM_SIZE    0x10000ull
#define VRAM_SIZE   (1ull << 20)
#define VRAM        0x8000000000ull
#define TABLE       0x1000ull       /* in VRAM */
#define MAX_STEPS   64

#define MP1(n)      VGPU_REG_ABS(MP1, regMP1_SMN_C2PMSG_##n)

static struct mock mock;
static uint8_t *state;
static size_t state_len;

static void send(uint32_t msg, uint32_t arg)
{
    mock_wreg(&mock, MP1(90), 0);
    mock_wreg(&mock, MP1(82), arg);
    mock_wreg(&mock, MP1(66), msg);
    mock_run(&mock);
    if (!mock_rreg(&mock, MP1(90))) {
        abort();
    }
}

static void set_table(uint64_t va)
{
    send(PPSMC_MSG_SetDriverDramAddrHigh, va >> 32);
    send(PPSMC_MSG_SetDriverDramAddrLow, va);
}

static void i2c(struct input *in)
{
    struct vgpu_sw_i2c_request *r = mock_vram(&mock, TABLE, sizeof(*r));
    uint8_t *p = (uint8_t *)r;
    size_t i;

    r->i2c_controller_port = 0;
    r->i2c_speed = I2C_SPEED_FAST_400K;
    r->slave_address = 0xa0;
    r->num_cmds = get8(in);
    for (i = 4; i < sizeof(*r); i++) {
        p[i] = get8(in);
    }
    if (r->num_cmds & 0x80) {
        p[get8(in) % 4] = get8(in);
    }
    send(PPSMC_MSG_TransferTableDram2Smu, TABLE_I2C_COMMANDS);
}

static void tamper(struct input *in)
{
    struct vgpu_die_state *s;
    unsigned n = get8(in) % 24;

    vgpu_die_state_save(mock.die, state);
    s = (void *)(state + state_len - sizeof(*s));
    while (n--) {
        ((uint8_t *)&s->smu)[get32(in) % sizeof(s->smu)] = get8(in);
    }
    vgpu_die_state_load(mock.die, state, state_len);
}

static void step(struct input *in)
{
    uint8_t what = get8(in);
    uint64_t hi;

    switch (what & 7) {
    case 0:
    case 1:
    case 2:
        send(get8(in) % (PPSMC_Message_Count + 2), get_number(in));
        break;
    case 3:
        i2c(in);
        break;
    case 4:
        hi = get_number(in);
        set_table(what & 0x80 ? hi << 32 | get32(in) :
                  VRAM + TABLE + (what >> 3));
        break;
    case 5:
        mock_wreg(&mock, get32(in) % VGPU_NUM_REGS, get32(in));
        break;
    case 6:
        mock.now += get32(in);
        break;
    default:
        tamper(in);
        mock_run(&mock);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = { .p = data, .left = size };
    static struct vgpu_die_state *fresh;
    unsigned i;

    if (!mock.die) {
        mock_init(&mock);
        mock.ram_size = RAM_SIZE;
        mock.cfg.vram_size = VRAM_SIZE;
        mock_start(&mock);
        state_len = vgpu_die_state_size(mock.die);
        state = malloc(state_len);
        fresh = malloc(sizeof(*fresh));
        if (!state || !fresh) {
            abort();
        }
        *fresh = mock.die->s;
    }
    fuzz_restore(mock.die, fresh);
    set_table(VRAM + TABLE);
    for (i = 0; in.left && i < MAX_STEPS; i++) {
        step(&in);
    }
    return 0;
}
