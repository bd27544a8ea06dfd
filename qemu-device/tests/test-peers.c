/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dies that reach each other's memory: every kind of access of SDMA, of page
 * walks and of the interrupt handler, over links that work, break and cost
 * time. The command processor's are in test-peers-cp.c.
 * Documentation/hive.rst, "The fabric".
 */
#include <stdlib.h>

#include "sdma-rig.h"
#include "gmc.h"
#include "hw/pm4.h"
#include "hw/reg/hdp.h"
#include "hw/reg/nbio.h"
#include "hw/reg/smuio.h"
#include "hw/reg/vgpu.h"

#define MAX_DIES    4
#define SIZE        0x10000u

/* VRAM of node @n at offset @off, as VMID 0 of any die addresses it. */
#define AT(n, off)  (RIG_VRAM + (n) * MOCK_SEGMENT + (off))
#define HERE        0x400000ull
#define THERE       0x500000ull
#define DONE        (RIG_DATA + 0x1000)

#define COPY(dst, src, bytes) \
    LIST(SUBOP(COPY, COPY_LINEAR), (uint32_t)(bytes) - 1, 0, LO(src), \
         HI(src), LO(dst), HI(dst))
#define FENCE(va, val)  LIST(OP(FENCE), LO(va), HI(va), (val))
#define FILL(va, val, bytes) \
    LIST(OP(CONST_FILL) | SDMA_PKT_CONSTANT_FILL_HEADER_FILLSIZE(2), LO(va), \
         HI(va), (val), (uint32_t)(bytes) - 1)
#define ADD(va, val) \
    LIST(OP(ATOMIC) | SDMA_PKT_ATOMIC_HEADER_ATOMIC_OP(TC_OP_ATOMIC_ADD_64), \
         LO(va), HI(va), LO(val), HI(val), 0, 0, 0)
#define POLL(va, val) \
    LIST(OP(POLL_REGMEM) | SDMA_PKT_POLL_REGMEM_HEADER_MEM_POLL(1) | \
         SDMA_PKT_POLL_REGMEM_HEADER_FUNC(3), LO(va), HI(va), (val), ~0u, \
         SDMA_PKT_POLL_REGMEM_DW5_RETRY_COUNT(0xfffu))

static struct sdma_rig r[MAX_DIES];
static unsigned dies;

static void start(unsigned n, const struct vgpu_fabric_config *links)
{
    struct mock *m[MAX_DIES] = { NULL };
    unsigned i;

    dies = n;
    memset(r, 0, sizeof(r));
    for (i = 0; i < n; i++) {
        m[i] = &r[i].m;
        mock_init(m[i]);
    }
    m[0]->links = *links;
    mock_start_nodes(m, n, 5);
    for (i = 0; i < n; i++) {
        rig_setup(&r[i]);
    }
}

static void start_links(unsigned n, const char *links)
{
    struct vgpu_fabric_config cfg = { .links = links };

    start(n, &cfg);
}

static void stop(void)
{
    unsigned i;

    for (i = 0; i < dies; i++) {
        rig_stop(&r[i]);
    }
}

static void down(const char *links)
{
    char err[128];

    CHECK(vgpu_fabric_set_down(r[0].m.cfg.fabric, links, err, sizeof(err)));
}

static uint8_t *vram(unsigned n, uint64_t off)
{
    return mock_vram(&r[n].m, off, SIZE);
}

static void pattern(uint8_t *p, unsigned seed)
{
    unsigned i;

    for (i = 0; i < SIZE; i++) {
        p[i] = (i * 7 + (i >> 8) * 13 + seed) | 1;
    }
}

static bool all(const uint8_t *p, uint8_t val)
{
    unsigned i;

    for (i = 0; i < SIZE; i++) {
        if (p[i] != val) {
            return false;
        }
    }
    return true;
}

/* What the first link has counted, from its first node to its second. */
static uint64_t link_bytes(unsigned i, unsigned dir)
{
    struct vgpu_fabric_link l;

    vgpu_fabric_get_link(r[0].m.cfg.fabric, i, &l);
    return l.bytes[dir];
}

static uint64_t link_requests(unsigned i, unsigned dir)
{
    struct vgpu_fabric_link l;

    vgpu_fabric_get_link(r[0].m.cfg.fabric, i, &l);
    return l.requests[dir];
}

/* The latched fault of the MM hub, then cleared. */
static uint32_t take_fault(struct sdma_rig *die)
{
    uint32_t val = mock_rreg(&die->m, VGPU_REG_ABS(MMHUB,
                             regMMHUB_VM_L2_PROTECTION_FAULT_STATUS));

    rig_hub(die, regMMHUB_VM_L2_PROTECTION_FAULT_CNTL, 0x3ffffffd);
    return val;
}

/* A fault of that client at an address where nothing answers. */
static void check_nowhere(struct sdma_rig *die, unsigned cid, bool write,
                          unsigned walker)
{
    uint32_t status = take_fault(die), iv[8];

    CHECK_EQ(status >> 1 & 7, walker);
    CHECK_EQ(status >> 8 & 1, 1);           /* MAPPING_ERROR */
    CHECK_EQ(status >> 9 & 0x1ff, cid);
    CHECK_EQ(status >> 18 & 1, write);
    CHECK(rig_iv(die, iv));
    CHECK_EQ(IV_CLIENT(iv), SOC15_IH_CLIENTID_VMC);
    CHECK_EQ(IV_SOURCE(iv), 0);
}

/* ----------------------------------------------------------------- data */

static void sdma_copies_both_ways(void)
{
    struct vgpu_die_stats st;

    start_links(2, "");
    pattern(vram(0, HERE), 1);
    RUN(&r[0], 0, COPY(AT(1, THERE), AT(0, HERE), SIZE));
    CHECK(!memcmp(vram(0, HERE), vram(1, THERE), SIZE));
    CHECK_EQ(link_bytes(0, 0), SIZE);
    CHECK_EQ(link_bytes(0, 1), 0);
    pattern(vram(1, HERE), 2);
    RUN(&r[0], 1, COPY(AT(0, THERE), AT(1, HERE), SIZE));
    CHECK(!memcmp(vram(1, HERE), vram(0, THERE), SIZE));
    CHECK_EQ(link_bytes(0, 0), SIZE);
    CHECK_EQ(link_bytes(0, 1), SIZE);
    vgpu_die_stats(r[0].m.die, &st);
    CHECK_EQ(st.peer_reads, SIZE);
    CHECK_EQ(st.peer_writes, SIZE);
    /* The same, asked for by the other die. */
    RUN(&r[1], 0, COPY(AT(1, THERE + SIZE), AT(0, HERE), SIZE));
    CHECK(!memcmp(vram(0, HERE), vram(1, THERE + SIZE), SIZE));
    CHECK_EQ(link_bytes(0, 0), 2 * SIZE);
    /* Own memory, by its global address, is on no link. */
    RUN(&r[1], 0, COPY(AT(1, THERE), AT(1, HERE), SIZE));
    CHECK_EQ(link_bytes(0, 0) + link_bytes(0, 1), 3 * SIZE);
    stop();
}

/* Two thirds of the hive are neighbours: what goes on, goes over both links. */
static void two_hops(void)
{
    start_links(3, "0-1,1-2");
    pattern(vram(0, HERE), 3);
    RUN(&r[0], 0, COPY(AT(2, THERE), AT(0, HERE), SIZE));
    CHECK(!memcmp(vram(0, HERE), vram(2, THERE), SIZE));
    CHECK_EQ(link_bytes(0, 0), SIZE);
    CHECK_EQ(link_bytes(1, 0), SIZE);
    /* Between the other two, by the third. */
    RUN(&r[0], 0, COPY(AT(2, HERE), AT(1, THERE), SIZE));
    CHECK_EQ(link_bytes(0, 0), 2 * SIZE);
    CHECK_EQ(link_bytes(0, 1), SIZE);
    CHECK_EQ(link_bytes(1, 0), 2 * SIZE);
    stop();
}

/* A copy by pages on one side counts what was moved, not what was mapped. */
static void scattered_copies_count_once(void)
{
    unsigned i;

    start_links(2, "");
    pattern(vram(1, HERE), 4);
    for (i = 0; i < SIZE / 4096; i++) {
        rig_set_pte(&r[0], 2048 + i, (HERE + 2 * i * 4096ull) | RIG_PTE_RW);
        rig_set_pte(&r[0], 3000 + i,
                    (MOCK_SEGMENT + HERE + i * 4096ull) | RIG_PTE_RW);
    }
    IB(&r[0], 0, 1, COPY(2048 * 4096ull, 3000 * 4096ull, SIZE));
    for (i = 0; i < SIZE / 4096; i++) {
        CHECK(!memcmp(mock_vram(&r[0].m, HERE + 2 * i * 4096ull, 4096),
                      mock_vram(&r[1].m, HERE + i * 4096ull, 4096), 4096));
    }
    CHECK_EQ(link_bytes(0, 1), SIZE);
    CHECK_EQ(link_bytes(0, 0), 0);
    IB(&r[0], 0, 1, COPY(3000 * 4096ull, 2048 * 4096ull, SIZE));
    CHECK_EQ(link_bytes(0, 0), SIZE);
    CHECK_EQ(link_bytes(0, 1), SIZE);
    stop();
}

static void other_packets(void)
{
    uint64_t at = AT(1, THERE);

    start_links(2, "");
    RUN(&r[0], 0, FILL(at, 0x12345678, 4096), FENCE(at + 4, 77),
        SUBOP(WRITE, WRITE_LINEAR), LO(at + 8), HI(at + 8), 1, 88, 99);
    CHECK_EQ(mock_vram32(&r[1].m, THERE), 0x12345678);
    CHECK_EQ(mock_vram32(&r[1].m, THERE + 4), 77);
    CHECK_EQ(mock_vram32(&r[1].m, THERE + 8), 88);
    CHECK_EQ(mock_vram32(&r[1].m, THERE + 12), 99);
    CHECK_EQ(mock_vram32(&r[1].m, THERE + 16), 0x12345678);
    CHECK_EQ(link_bytes(0, 0), 4096 + 4 + 8);
    /* An atomic goes and comes back. */
    mock_set_vram64(&r[1].m, THERE + 64, 40);
    RUN(&r[0], 0, ADD(at + 64, 2ull));
    CHECK_EQ(mock_vram64(&r[1].m, THERE + 64), 42);
    CHECK_EQ(link_bytes(0, 0), 4096 + 4 + 8 + 8);
    CHECK_EQ(link_bytes(0, 1), 8);
    stop();
}

/* The same counters, as any die of the hive has them in registers. */
static void counters_in_registers(void)
{
    struct mock *m = &r[2].m;

    start_links(3, "0-1,2-1:6");
    CHECK_EQ(mock_rreg(m, VGPU_DBG_NUM_LINKS), 2);
    RUN(&r[0], 0, COPY(AT(2, THERE), AT(0, HERE), SIZE));
    RUN(&r[0], 0, COPY(AT(0, HERE), AT(1, THERE), 16));
    mock_wreg(m, VGPU_DBG_LINK_INDEX, 0);
    CHECK_EQ(mock_rreg(m, VGPU_DBG_LINK_ENDS), 0x80010100);
    CHECK_EQ(mock_rreg(m, VGPU_DBG_LINK_BYTES_LO), SIZE);
    CHECK_EQ(mock_rreg(m, VGPU_DBG_LINK_BYTES_HI), 0);
    CHECK_EQ(mock_rreg(m, VGPU_DBG_LINK_REQUESTS_LO), link_requests(0, 0));
    CHECK_EQ(mock_rreg(m, VGPU_DBG_LINK_REQUESTS_HI), 0);
    mock_wreg(m, VGPU_DBG_LINK_INDEX, VGPU_DBG_LINK_INDEX__BACK_MASK);
    CHECK_EQ(mock_rreg(m, VGPU_DBG_LINK_BYTES_LO), 16);
    CHECK_EQ(mock_rreg(m, VGPU_DBG_LINK_REQUESTS_LO), 1);
    down("1-2");
    mock_wreg(m, VGPU_DBG_LINK_INDEX, 1);
    CHECK_EQ(mock_rreg(m, VGPU_DBG_LINK_ENDS), 0x00060201);
    CHECK_EQ(mock_rreg(m, VGPU_DBG_LINK_BYTES_LO), SIZE);
    /* There is no third. */
    mock_wreg(m, VGPU_DBG_LINK_INDEX, ~0u);
    CHECK_EQ(mock_rreg(m, VGPU_DBG_LINK_INDEX), 0x1ff);
    CHECK_EQ(mock_rreg(m, VGPU_DBG_LINK_ENDS), 0);
    CHECK_EQ(mock_rreg(m, VGPU_DBG_LINK_BYTES_LO), 0);
    stop();

    rig_start(&r[0]);
    CHECK_EQ(mock_rreg(&r[0].m, VGPU_DBG_NUM_LINKS), 0);
    CHECK_EQ(mock_rreg(&r[0].m, VGPU_DBG_LINK_ENDS), 0);
    rig_stop(&r[0]);
}

/* ---------------------------------------------------------- error registers */

/* As drivers do it: the address into the index register of the pair. */
static uint32_t smn_read(unsigned n, uint32_t addr)
{
    mock_wreg(&r[n].m, VGPU_REG_ABS(NBIO, regPCIE_INDEX2), addr);
    return mock_rreg(&r[n].m, VGPU_REG_ABS(NBIO, regPCIE_DATA2));
}

static void smn_write(unsigned n, uint32_t addr, uint32_t val)
{
    mock_wreg(&r[n].m, VGPU_REG_ABS(NBIO, regPCIE_INDEX2), addr);
    mock_wreg(&r[n].m, VGPU_REG_ABS(NBIO, regPCIE_DATA2), val);
}

#define PCS(port) \
    (smnPCS_XGMI3X16_PCS_ERROR_STATUS + (port) * VGPU_XGMI_PCS_STRIDE)
#define FICA(name)  smnDF_PIE_AON_FabricIndirectConfigAccess##name

static uint64_t fica(unsigned n, uint32_t addr)
{
    smn_write(n, FICA(Address3), addr);
    return smn_read(n, FICA(DataLo3)) |
           (uint64_t)smn_read(n, FICA(DataHi3)) << 32;
}

/* Which ports of a die say that something is wrong */
static unsigned bad_ports(unsigned n)
{
    const uint32_t want = PCS_XGMI3X16_PCS_ERROR_STATUS__DataLossErr_MASK |
                          PCS_XGMI3X16_PCS_ERROR_STATUS__CRCErr_MASK;
    unsigned port, bad = 0;

    for (port = 0; port < VGPU_XGMI_NUM_PCS; port++) {
        uint32_t status = smn_read(n, PCS(port));

        CHECK(!status || status == want);
        bad |= !!status << port;
    }
    return bad;
}

/* Die 1 has ports 0 to 2 to die 0, 3 and 4 to die 2; the rest is nobody's. */
static void link_errors(void)
{
    struct vgpu_peer peer[VGPU_MAX_NODES];
    unsigned i;

    start_links(3, "0-1:3,2-1:2");
    CHECK(vgpu_fabric_topology(r[0].m.cfg.fabric, 2, peer));
    CHECK_EQ(peer[1].port, 0);
    CHECK_EQ(peer[1].peer_port, 3);
    for (i = 0; i < 3; i++) {
        CHECK_EQ(bad_ports(i), 0);
        CHECK_EQ(fica(i, 0x456a01), 0x1f);
        CHECK_EQ(fica(i, 0x456a09), 0);
    }
    down("1-2");
    CHECK_EQ(bad_ports(0), 0);
    CHECK_EQ(bad_ports(1), 0x18);
    CHECK_EQ(bad_ports(2), 0x3);
    CHECK_EQ(fica(0, 0x456a09), 0);
    CHECK_EQ(fica(1, 0x456a09), 0x8000000000000002);
    /* It is mended, which is no error, and breaks again, with the other. */
    down("");
    CHECK_EQ(fica(1, 0x456a09), 0x8000000000000002);
    down("0-1,1-2");
    CHECK_EQ(bad_ports(1), 0x1f);
    CHECK_EQ(fica(1, 0x456a09), 0xc000000000000002);
    CHECK_EQ(fica(0, 0x456a09), 0x8000000000000002);
    /* What is broken stays so: nothing new. */
    smn_write(0, FICA(Address3), 0x456a09);
    smn_write(0, FICA(DataLo3), 0);
    smn_write(0, FICA(DataHi3), 0);
    down("0-1");
    CHECK_EQ(fica(0, 0x456a09), 0);

    /* Ones clear; the mask is only kept. */
    smn_write(1, PCS(0), 1);
    CHECK_EQ(smn_read(1, PCS(0)), 0x20);
    smn_write(1, PCS(0), ~0u);
    CHECK_EQ(bad_ports(1), 0x1e);
    smn_write(1, smnPCS_XGMI3X16_PCS_ERROR_NONCORRECTABLE_MASK, 5);
    CHECK_EQ(smn_read(1, smnPCS_XGMI3X16_PCS_ERROR_NONCORRECTABLE_MASK), 5);
    /* Not there */
    CHECK_EQ(smn_read(1, PCS(VGPU_XGMI_NUM_PCS)), 0);
    CHECK_EQ(smn_read(1, PCS(1) + 4), 0);
    CHECK_EQ(fica(1, 1), 0);
    smn_write(1, FICA(DataLo3), 7);
    CHECK_EQ(fica(1, 0x456a09), 0xc000000000000002);
    vgpu_die_reset(r[1].m.die);
    CHECK_EQ(bad_ports(1), 0);
    CHECK_EQ(fica(1, 0x456a09), 0);
    stop();
}

/* --------------------------------------------------------------- the CPU's way */

/* The index/data pair of NBIO, which goes where BAR0 goes */
static uint32_t cpu_read(unsigned n, uint64_t offset)
{
    mock_wreg(&r[n].m, VGPU_REG_ABS(NBIO, regMM_INDEX),
              MM_INDEX__MM_APER_MASK | (uint32_t)offset);
    mock_wreg(&r[n].m, VGPU_REG_ABS(NBIO, regMM_INDEX_HI), offset >> 31);
    return mock_rreg(&r[n].m, VGPU_REG_ABS(NBIO, regMM_DATA));
}

/* Wherever the host data path is said to lead, and no further than its memory */
static void cpu_reaches_own_memory(void)
{
    uint64_t bases[] = { AT(0, 0), AT(1, 0) };
    unsigned i, n;

    start_links(2, "");
    for (n = 0; n < 2; n++) {
        mock_set_vram32(&r[n].m, HERE, 0x100 + n);
        for (i = 0; i < 2; i++) {
            mock_wreg(&r[n].m, VGPU_REG_ABS(HDP, regHDP_NONSURFACE_BASE),
                      bases[i] >> 8);
            mock_wreg(&r[n].m, VGPU_REG_ABS(HDP, regHDP_NONSURFACE_BASE_HI),
                      bases[i] >> 40);
            CHECK_EQ(cpu_read(n, HERE), 0x100 + n);
            CHECK_EQ(cpu_read(n, MOCK_SEGMENT + HERE), ~0u);
        }
    }
    CHECK_EQ(link_bytes(0, 0) + link_bytes(0, 1), 0);
    stop();
}

/* ------------------------------------------------------ connected to the CPU */

#define CPU_BASE    0x4000000000ull

/* Physical addresses are the machine's: the hive begins where the CPU sees it. */
static void connected_to_cpu(void)
{
    struct mock *m[2] = { &r[0].m, &r[1].m };
    unsigned i;

    dies = 2;
    memset(r, 0, sizeof(r));
    for (i = 0; i < 2; i++) {
        mock_init(m[i]);
        m[i]->cfg.cpu_base = CPU_BASE;
    }
    mock_start_nodes(m, 2, 5);
    for (i = 0; i < 2; i++) {
        rig_setup(&r[i]);
        /* bit 0 of TOPOLOGY_ID, and the die's number in the package */
        CHECK_EQ(mock_rreg(m[i], VGPU_REG_ABS(SMUIO, regSMUIO_MCM_CONFIG)),
                 0x400 | i);
        CHECK_EQ(mock_rreg(m[i], VGPU_REG_ABS(MMHUB, regMMHUB_MC_VM_FB_OFFSET)),
                 CPU_BASE >> 24);
    }

    /* VMID 0: the aperture leads there. */
    pattern(vram(0, HERE), 3);
    RUN(&r[0], 0, COPY(AT(1, THERE), AT(0, HERE), SIZE));
    CHECK(!memcmp(vram(1, THERE), vram(0, HERE), SIZE));

    /* Page tables and entries have whole addresses. */
    rig_hub(&r[0], regMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32 + 2,
            HI(CPU_BASE));
    rig_set_pte(&r[0], 0, (CPU_BASE + MOCK_SEGMENT + THERE) | RIG_PTE_RW);
    rig_set_pte(&r[0], 1, (MOCK_SEGMENT + THERE) | RIG_PTE_RW);
    rig_invalidate(&r[0], 1);
    IB(&r[0], 0, 1, FILL(0, 0x11223344, 16));
    CHECK_EQ(mock_vram32(m[1], THERE), 0x11223344);
    CHECK_EQ(m[0]->die->stats.faults, 0);
    IB(&r[0], 0, 1, FILL(4096, 0x55667788, 16));
    CHECK_EQ(mock_vram32(m[1], THERE), 0x11223344);
    CHECK(m[0]->die->stats.faults > 0);
    stop();

    rig_start(&r[0]);
    CHECK_EQ(mock_rreg(&r[0].m, VGPU_REG_ABS(SMUIO, regSMUIO_MCM_CONFIG)), 0);
    rig_stop(&r[0]);
}

/* ----------------------------------------------- commands, tables, entries */

static void ib_of_a_peer(void)
{
    static const uint32_t dw[] = { FENCE(DONE, 0x55) };
    uint64_t at = AT(1, THERE);

    start_links(2, "");
    memcpy(mock_vram(&r[1].m, THERE, sizeof(dw)), dw, sizeof(dw));
    RUN(&r[0], 0, OP(INDIRECT), LO(at), HI(at), sizeof(dw) / 4, 0, 0);
    CHECK_EQ(mock_ram32(&r[0].m, DONE), 0x55);
    CHECK_EQ(link_bytes(0, 1), sizeof(dw));

    down("0-1");
    RUN(&r[0], 0, OP(INDIRECT), LO(at), HI(at), sizeof(dw) / 4, 0, 0);
    check_nowhere(&r[0], VGPU_CID_SDMA(0), false, VGPU_WALK_OK);
    CHECK(r[0].m.die->s.sdma[0].halted);
    stop();
}

/* The tables of VMID 1 of node 1 are those of node 0. */
static void page_table_of_a_peer(void)
{
    start_links(2, "");
    /* With the interrupts of its faults on. */
    rig_hub(&r[1], regMMHUB_VM_CONTEXT1_CNTL, 0x007ffe81);
    mock_set_ram32(&r[1].m, RIG_DATA, 0x1234);
    IB(&r[1], 0, 1, COPY(RIG_VA(DONE), RIG_VA(RIG_DATA), 4));
    CHECK_EQ(mock_ram32(&r[1].m, DONE), 0x1234);
    /* Entries are 8 bytes, and nothing else came that way. */
    CHECK(link_bytes(0, 0) > 0);
    CHECK_EQ(link_bytes(0, 0), 8 * link_requests(0, 0));
    CHECK_EQ(link_bytes(0, 1), 0);

    down("0-1");
    mock_set_ram32(&r[1].m, DONE, 0);
    IB(&r[1], 0, 1, COPY(RIG_VA(DONE), RIG_VA(RIG_DATA), 4));
    check_nowhere(&r[1], VGPU_CID_SDMA(0), false, VGPU_WALK_NACK);
    CHECK_EQ(mock_ram32(&r[1].m, DONE), 0);
    stop();
}

static void interrupt_ring_of_a_peer(void)
{
    uint64_t at = AT(1, THERE);

    start_links(2, "");
    mock_wreg(&r[0].m, VGPU_REG_ABS(OSSSYS, regIH_RB_BASE), LO(at >> 8));
    mock_wreg(&r[0].m, VGPU_REG_ABS(OSSSYS, regIH_RB_BASE_HI), HI(at >> 8));
    mock_wreg(&r[0].m, VGPU_REG_ABS(OSSSYS, regIH_RB_CNTL),
              IH_RB_CNTL__RB_ENABLE_MASK |
              14u << IH_RB_CNTL__RB_SIZE__SHIFT |
              4u << IH_RB_CNTL__MC_SPACE__SHIFT);
    RUN(&r[0], 0, OP(TRAP), 9);
    CHECK_EQ(mock_vram32(&r[1].m, THERE) & 0xff, SOC15_IH_CLIENTID_SDMA0);
    CHECK_EQ(mock_vram32(&r[1].m, THERE + 16), 9);
    CHECK_EQ(link_bytes(0, 0), 32);
    /* It is lost over a broken link, and the engine goes on. */
    down("0-1");
    RUN(&r[0], 0, OP(TRAP), 10, FENCE(DONE, 11));
    CHECK_EQ(mock_ram32(&r[0].m, DONE), 11);
    CHECK_EQ(mock_vram32(&r[1].m, THERE + 32), 0);
    CHECK_EQ(take_fault(&r[0]) >> 9 & 0x1ff, VGPU_CID_OSS);
    stop();
}

/* ------------------------------------------------------------- no way there */

/* Of what is broken nothing is heard but a fault and ones. */
static void check_cut_off(unsigned from, unsigned to)
{
    struct sdma_rig *die = &r[from];

    memset(vram(from, HERE), 0, SIZE);
    RUN(die, 2, COPY(AT(from, HERE), AT(to, THERE), SIZE), FENCE(DONE, 1));
    CHECK(all(vram(from, HERE), 0xff));
    CHECK_EQ(mock_ram32(&die->m, DONE), 1);
    check_nowhere(die, VGPU_CID_SDMA(2), false, VGPU_WALK_OK);

    RUN(die, 3, COPY(AT(to, THERE), AT(from, HERE), SIZE), FENCE(DONE, 2));
    CHECK_EQ(mock_ram32(&die->m, DONE), 2);
    check_nowhere(die, VGPU_CID_SDMA(3), true, VGPU_WALK_OK);

    /* What an atomic returns, and what a poll sees. */
    RUN(die, 0, OP(ATOMIC) |
        SDMA_PKT_ATOMIC_HEADER_ATOMIC_OP(TC_OP_ATOMIC_ADD_RTN_64),
        LO(AT(to, THERE)), HI(AT(to, THERE)), 1, 0, 0, 0, 0);
    CHECK_EQ(rig_rreg(die, 0, regSDMA0_ATOMIC_PREOP_LO), ~0u);
    CHECK_EQ(rig_rreg(die, 0, regSDMA0_ATOMIC_PREOP_HI), ~0u);
    check_nowhere(die, VGPU_CID_SDMA(0), true, VGPU_WALK_OK);
    RUN(die, 0, POLL(AT(to, THERE), ~0u), FENCE(DONE, 3));
    CHECK_EQ(mock_ram32(&die->m, DONE), 3);
    check_nowhere(die, VGPU_CID_SDMA(0), false, VGPU_WALK_OK);
}

static void broken_link(void)
{
    start_links(2, "");
    pattern(vram(1, THERE), 5);
    /* The translations are there when it breaks. */
    RUN(&r[0], 2, COPY(AT(0, HERE), AT(1, THERE), SIZE));
    RUN(&r[0], 3, COPY(AT(1, THERE), AT(0, HERE), SIZE));
    down("0-1");
    check_cut_off(0, 1);
    CHECK_EQ(link_bytes(0, 0), SIZE);
    CHECK_EQ(link_bytes(0, 1), SIZE);
    pattern(vram(0, HERE), 5);
    CHECK(!memcmp(vram(0, HERE), vram(1, THERE), SIZE));
    down("");
    memset(vram(0, HERE), 0, SIZE);
    RUN(&r[0], 2, COPY(AT(0, HERE), AT(1, THERE), SIZE));
    CHECK(!memcmp(vram(0, HERE), vram(1, THERE), SIZE));
    CHECK_EQ(take_fault(&r[0]), 0);
    stop();
}

static void die_unplugged(void)
{
    start_links(3, "");
    RUN(&r[0], 2, COPY(AT(0, HERE), AT(1, THERE), SIZE));
    mock_leave(&r[1].m);
    check_cut_off(0, 1);
    /* The one that went has no way to the others either. */
    RUN(&r[1], 2, COPY(AT(1, HERE), AT(0, THERE), SIZE));
    CHECK(all(vram(1, HERE), 0xff));
    /* The others have. */
    pattern(vram(2, THERE), 6);
    RUN(&r[0], 2, COPY(AT(0, HERE), AT(2, THERE), SIZE));
    CHECK(!memcmp(vram(0, HERE), vram(2, THERE), SIZE));
    stop();
}

/* A segment's end, behind the die's memory, and a node the hive has not. */
static void no_memory_there(void)
{
    start_links(2, "");
    memset(vram(0, HERE), 0, SIZE);
    RUN(&r[0], 0, COPY(AT(0, HERE), AT(1, MOCK_VRAM_SIZE), SIZE));
    CHECK(all(vram(0, HERE), 0xff));
    check_nowhere(&r[0], VGPU_CID_SDMA(0), false, VGPU_WALK_OK);
    rig_set_pte(&r[0], 2048, 7 * MOCK_SEGMENT | RIG_PTE_RW);
    mock_set_ram32(&r[0].m, DONE, 0);
    IB(&r[0], 0, 1, COPY(RIG_VA(DONE), 2048 * 4096ull, 4));
    CHECK_EQ(mock_ram32(&r[0].m, DONE), ~0u);
    stop();
}

/* Memory outlives a reset, and so do the accesses of others. */
static void reset_of_a_peer(void)
{
    start_links(2, "");
    pattern(vram(1, THERE), 7);
    vgpu_die_reset(r[1].m.die);
    RUN(&r[0], 0, COPY(AT(0, HERE), AT(1, THERE), SIZE));
    CHECK(!memcmp(vram(0, HERE), vram(1, THERE), SIZE));
    CHECK_EQ(take_fault(&r[0]), 0);
    stop();
}

/* ------------------------------------------------------------------ cost */

static void a_copy_takes_its_time(void)
{
    struct vgpu_fabric_config cfg = { .latency = 700, .bandwidth = 2 };
    uint64_t now;

    start(2, &cfg);
    now = atomic_load(&r[0].m.now);
    RING(&r[0], 0, COPY(AT(1, THERE), AT(0, HERE), SIZE), FENCE(DONE, 1));
    rig_commit(&r[0], 0);
    CHECK_EQ(mock_run(&r[0].m), now + SIZE / 2 + 700);
    CHECK_EQ(mock_ram32(&r[0].m, DONE), 0);
    /* Another engine does not wait with it. */
    RING(&r[0], 1, FENCE(DONE + 8, 2));
    rig_commit(&r[0], 1);
    CHECK_EQ(mock_run(&r[0].m), now + SIZE / 2 + 700);
    CHECK_EQ(mock_ram32(&r[0].m, DONE + 8), 2);
    CHECK_EQ(mock_ram32(&r[0].m, DONE), 0);
    /* Not a nanosecond early. */
    CHECK_EQ(mock_advance(&r[0].m, SIZE / 2 + 699), now + SIZE / 2 + 700);
    CHECK_EQ(mock_ram32(&r[0].m, DONE), 0);
    CHECK_EQ(mock_advance(&r[0].m, 1), VGPU_NO_DEADLINE);
    CHECK_EQ(mock_ram32(&r[0].m, DONE), 1);
    stop();
}

/* Pieces follow each other at the pace of the link, woken up late or not. */
static void a_long_copy_keeps_the_pace(void)
{
    struct vgpu_fabric_config cfg = { .latency = 100, .bandwidth = 1 };
    const uint64_t piece = 256 * 1024, pieces = 4;
    uint64_t now, end;
    unsigned i;

    start(2, &cfg);
    now = atomic_load(&r[0].m.now);
    end = now + pieces * (piece + 100);
    RING(&r[0], 0, COPY(AT(1, THERE), AT(0, HERE), pieces * piece),
         FENCE(DONE, 1));
    rig_commit(&r[0], 0);
    for (i = 1; i <= pieces; i++) {
        uint64_t due = mock_run(&r[0].m);

        CHECK_EQ(due, now + i * (piece + 100));
        CHECK_EQ(mock_ram32(&r[0].m, DONE), 0);
        /* Somewhat late, but for the last. */
        atomic_store(&r[0].m.now, due + (i < pieces ? 50 : 0));
    }
    CHECK_EQ(atomic_load(&r[0].m.now), end);
    CHECK_EQ(mock_run(&r[0].m), VGPU_NO_DEADLINE);
    CHECK_EQ(mock_ram32(&r[0].m, DONE), 1);
    stop();
}

/* Two dies write to a third, both through the same last link. */
static void a_link_is_shared(void)
{
    struct vgpu_fabric_config cfg = { .links = "0-1,1-2", .bandwidth = 1 };
    uint64_t now;

    start(3, &cfg);
    now = atomic_load(&r[0].m.now);
    RING(&r[0], 0, COPY(AT(2, THERE), AT(0, HERE), SIZE));
    rig_commit(&r[0], 0);
    CHECK_EQ(mock_run(&r[0].m), now + SIZE);
    RING(&r[1], 0, COPY(AT(2, THERE + SIZE), AT(1, HERE), SIZE));
    rig_commit(&r[1], 0);
    CHECK_EQ(mock_run(&r[1].m), now + 2 * SIZE);
    /* The way back is free. */
    RING(&r[2], 0, COPY(AT(1, THERE), AT(2, HERE), SIZE));
    rig_commit(&r[2], 0);
    CHECK_EQ(mock_run(&r[2].m), now + SIZE);
    stop();
}

/* A poll of a peer's memory is an access too; it neither spins nor is lost. */
static void a_poll_over_a_slow_link(void)
{
    struct vgpu_fabric_config cfg = { .latency = 1000000 };
    uint64_t next, polls;

    start(2, &cfg);
    RING(&r[0], 0, POLL(AT(1, THERE), 5), FENCE(DONE, 1));
    rig_commit(&r[0], 0);
    next = mock_run(&r[0].m);
    CHECK_EQ(link_requests(0, 1), 1);
    CHECK_EQ(mock_run(&r[0].m), next);
    CHECK_EQ(link_requests(0, 1), 1);
    CHECK(!mock_settle(&r[0].m, 100000000));
    polls = link_requests(0, 1);
    CHECK(polls > 1 && polls <= 100);
    mock_set_vram32(&r[1].m, THERE, 5);
    CHECK(mock_settle(&r[0].m, 100000000));
    CHECK_EQ(mock_ram32(&r[0].m, DONE), 1);
    stop();
}

/* A reset forgets what a queue waited for. */
static void reset_ends_a_stall(void)
{
    struct vgpu_fabric_config cfg = { .latency = 1000000000 };

    start(2, &cfg);
    RUN(&r[0], 0, COPY(AT(1, THERE), AT(0, HERE), SIZE), FENCE(DONE, 1));
    vgpu_die_reset(r[0].m.die);
    rig_setup(&r[0]);
    RUN(&r[0], 0, FENCE(DONE, 2));
    CHECK_EQ(mock_ram32(&r[0].m, DONE), 2);
    stop();
}

/* --------------------------------------------------------------- threads */

#define ROUNDS      200u
#define COUNTER     0x700000ull

struct worker {
    struct sdma_rig *die;
    atomic_bool over;
};

static void *engine(void *arg)
{
    struct worker *w = arg;

    while (!atomic_load(&w->over)) {
        vgpu_die_run(w->die->m.die);
    }
    vgpu_die_run(w->die->m.die);
    return NULL;
}

/* Every die, and a vCPU, add to one counter in the memory of one of them. */
static void atomics_are_atomic(void)
{
    struct worker w[3];
    pthread_t thread[3];
    uint64_t *counter;
    unsigned i, k;

    start_links(3, "");
    counter = mock_vram(&r[1].m, COUNTER, 8);
    for (i = 0; i < 3; i++) {
        for (k = 0; k < ROUNDS / 4; k++) {
            RING(&r[i], 0, ADD(AT(1, COUNTER), 3ull));
            RING(&r[i], 1, ADD(AT(1, COUNTER), 4ull));
        }
        w[i] = (struct worker) { .die = &r[i] };
        pthread_create(&thread[i], NULL, engine, &w[i]);
        rig_commit(&r[i], 0);
        rig_commit(&r[i], 1);
    }
    for (k = 0; k < ROUNDS; k++) {
        __atomic_fetch_add(counter, 5, __ATOMIC_SEQ_CST);
    }
    for (i = 0; i < 3; i++) {
        atomic_store(&w[i].over, true);
        pthread_join(thread[i], NULL);
    }
    CHECK_EQ(*counter, 3 * (ROUNDS / 4) * 7 + ROUNDS * 5);
    stop();
}

/* Links break, a die is reset and another goes, while all of them copy. */
static void traffic_through_it_all(void)
{
    struct worker w[MAX_DIES];
    pthread_t thread[MAX_DIES];
    unsigned i, k;

    start_links(MAX_DIES, "0-1,1-2,2-3,3-0");
    for (i = 0; i < MAX_DIES; i++) {
        w[i] = (struct worker) { .die = &r[i] };
        pthread_create(&thread[i], NULL, engine, &w[i]);
    }
    for (k = 0; k < ROUNDS; k++) {
        for (i = 0; i < MAX_DIES; i++) {
            unsigned to = (i + 1 + k % 3) % MAX_DIES;

            /* Into a ring that has been run to its end, or nearly. */
            if (r[i].wptr[0] - rig_rptr(&r[i], 0) < RIG_RING_BYTES / 2) {
                RING(&r[i], 0, COPY(AT(to, THERE + i * SIZE), AT(i, HERE),
                                    SIZE),
                     COPY(AT(i, HERE), AT(to, THERE + i * SIZE), SIZE));
                rig_commit(&r[i], 0);
            }
        }
        switch (k % 8) {
        case 1:
            down("0-1");
            break;
        case 3:
            down("0-1,2-3");
            break;
        case 5:
            vgpu_die_reset(r[2].m.die);
            rig_memory(&r[2]);
            rig_ih(&r[2]);
            rig_ring_on(&r[2], 0);
            break;
        case 7:
            down("");
            break;
        }
        if (k == ROUNDS / 2) {
            mock_leave(&r[3].m);
        }
    }
    down("");
    for (i = 0; i < MAX_DIES; i++) {
        atomic_store(&w[i].over, true);
        pthread_join(thread[i], NULL);
    }
    /* Who is left works, and they reach each other. */
    for (i = 0; i < 3; i++) {
        unsigned to = (i + 1) % 3;

        take_fault(&r[i]);
        pattern(vram(to, HERE), i);
        if (i == 2) {
            rig_ring_on(&r[i], 1);
        }
        RUN(&r[i], 1, COPY(AT(i, THERE), AT(to, HERE), SIZE), FENCE(DONE, 9));
        CHECK_EQ(mock_ram32(&r[i].m, DONE), 9);
        CHECK(!memcmp(vram(to, HERE), vram(i, THERE), SIZE));
        CHECK_EQ(take_fault(&r[i]), 0);
    }
    stop();
}

static const struct test tests[] = {
    TEST(sdma_copies_both_ways),
    TEST(two_hops),
    TEST(scattered_copies_count_once),
    TEST(other_packets),
    TEST(counters_in_registers),
    TEST(link_errors),
    TEST(cpu_reaches_own_memory),
    TEST(connected_to_cpu),
    TEST(ib_of_a_peer),
    TEST(page_table_of_a_peer),
    TEST(interrupt_ring_of_a_peer),
    TEST(broken_link),
    TEST(die_unplugged),
    TEST(no_memory_there),
    TEST(reset_of_a_peer),
    TEST(a_copy_takes_its_time),
    TEST(a_long_copy_keeps_the_pace),
    TEST(a_link_is_shared),
    TEST(a_poll_over_a_slow_link),
    TEST(reset_ends_a_stall),
    TEST(atomics_are_atomic),
    TEST(traffic_through_it_all),
};
TEST_MAIN(tests)
