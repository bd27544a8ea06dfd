/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How fast core/ alone runs PM4 on one host core: packets a second of an IB,
 * beside a bare loop that only walks the same packets and makes the same
 * stores. Prints "name value unit" lines; asserts nothing.
 */
#include <stdlib.h>
#include <time.h>

#include "pm4-rig.h"

#define MIB     (1ull << 20)
#define IB_OFF  (4 * MIB)
#define IB_DW   0xfffffu
#define DST_OFF (8 * MIB)
#define ROUNDS  12

/* Of this thread: a busy machine does not make the code slower. */
static double seconds(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* The control: what the packets say, with nothing checked or translated. */
static uint32_t walk(struct rig *r, const uint32_t *ib, unsigned n)
{
    uint8_t *vram = r->m.vram;
    uint64_t fb = (uint64_t)vgpu_reg_get(r->m.die,
                                         GC(MC_VM_FB_LOCATION_BASE)) << 24;
    uint32_t seen = 0;
    unsigned i = 0, j;

    while (i < n) {
        uint32_t hdr = ib[i];
        uint32_t count = CP_PACKET_GET_COUNT(hdr);

        seen++;
        switch (CP_PACKET3_GET_OPCODE(hdr)) {
        case PACKET3_WRITE_DATA:
            for (j = 0; j + 2 < count; j++) {
                memcpy(vram + pm4_addr(ib[i + 2], ib[i + 3]) - fb + 4 * j,
                       &ib[i + 4 + j], 4);
            }
            break;
        case PACKET3_SET_UCONFIG_REG:
            for (j = 0; j < count; j++) {
                r->m.die->s.reg[PACKET3_SET_UCONFIG_REG_START + ib[i + 1] +
                                j] = ib[i + 2 + j];
            }
            break;
        }
        i += count == PACKET3_NOP_ONE_DWORD_COUNT ? 1 : count + 2;
    }
    return seen;
}

/* Fill the IB with a mix of @count packets and run it. */
static void mix(struct rig *r, const char *name, const uint32_t *dw,
                unsigned dwords, unsigned count, unsigned vmid)
{
    uint64_t va = rig_fb(r) + IB_OFF;
    unsigned n = IB_DW / dwords, i;
    uint32_t *ib = mock_vram(&r->m, IB_OFF, IB_DW * 4ull);
    double best = 0, plain = 0, start, speed;
    uint32_t seen;

    for (i = 0; i < n; i++) {
        memcpy(ib + i * dwords, dw, dwords * 4);
    }
    for (i = 0; i < ROUNDS; i++) {
        const uint32_t call[] = {
            PACKET3(PACKET3_INDIRECT_BUFFER, 2), LO(va), HI(va),
            n * dwords | vmid << 24,
        };

        rig_put(r, call, 4);
        start = seconds();
        rig_ring(r);
        speed = (double)n * count / (seconds() - start);
        best = speed > best ? speed : best;
        if (!rig_empty(r)) {
            printf("# %s did not run\n", name);
            exit(1);
        }

        start = seconds();
        seen = walk(r, ib, n * dwords);
        speed = (double)n * count / (seconds() - start);
        plain = speed > plain ? speed : plain;
        if (seen != n * count) {
            printf("# %s is not what it should be\n", name);
            exit(1);
        }
    }
    printf("pm4-packets-%s %.2f M/s\n", name, best / 1e6);
    printf("pm4-walk-%s %.2f M/s\n", name, plain / 1e6);
    printf("pm4-to-walk-%s %.2f ratio\n", name, best / plain);
}

#define MIX(r, name, count, ...) do { \
    const uint32_t dw_[] = { __VA_ARGS__ }; \
    mix((r), (name), dw_, sizeof(dw_) / 4, (count), 0); \
} while (0)

int main(void)
{
    static struct rig r;
    uint64_t dst;
    uint32_t wd = WRITE_DATA_DST_SEL(WRITE_DATA_DST_SEL_MEM) | WR_CONFIRM;
    uint32_t nop = PACKET3(PACKET3_NOP, PACKET3_NOP_ONE_DWORD_COUNT);

    rig_init(&r);
    dst = rig_fb(&r) + DST_OFF;

    MIX(&r, "nop", 1, nop);
    MIX(&r, "nop-payload", 1, PACKET3(PACKET3_NOP, 6), 0, 0, 0, 0, 0, 0, 0);
    MIX(&r, "write-data", 1,
        PACKET3(PACKET3_WRITE_DATA, 3), wd, LO(dst), HI(dst), 1);
    MIX(&r, "write-data-pages", 4,
        PACKET3(PACKET3_WRITE_DATA, 3), wd, LO(dst), HI(dst), 1,
        PACKET3(PACKET3_WRITE_DATA, 3), wd, LO(dst + 0x10000), HI(dst), 2,
        PACKET3(PACKET3_WRITE_DATA, 3), wd, LO(dst + 0x21000), HI(dst), 3,
        PACKET3(PACKET3_WRITE_DATA, 3), wd, LO(dst + 0x32000), HI(dst), 4);
    MIX(&r, "write-data-nop", 2,
        PACKET3(PACKET3_WRITE_DATA, 3), wd, LO(dst), HI(dst), 1, nop);
    MIX(&r, "write-data-16", 1,
        PACKET3(PACKET3_WRITE_DATA, 18), wd, LO(dst), HI(dst), 1, 2, 3, 4, 5,
        6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    MIX(&r, "set-uconfig-reg", 1, PACKET3(PACKET3_SET_UCONFIG_REG, 1),
        GC(SCRATCH_REG0) - PACKET3_SET_UCONFIG_REG_START, 1);
    MIX(&r, "release-mem", 1, PACKET3(PACKET3_RELEASE_MEM, 6),
        EVENT_TYPE(CACHE_FLUSH_AND_INV_TS_EVENT) |
        EVENT_INDEX(EVENT_INDEX_END_OF_PIPE), DATA_SEL(2u), LO(dst), HI(dst),
        1, 0, 0);
    rig_stop(&r);
    return 0;
}
