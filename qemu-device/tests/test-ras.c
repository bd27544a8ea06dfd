/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Errors: injected through the RAS application, reported through the table of
 * the power controller and by interrupts, and poison that an engine reads.
 * Expected values come from uapi/hw/ta_ras.h and uapi/hw/umc.h, and from how
 * umc_v6_7.c finds the address of an error.
 */
#include <stdlib.h>

#include "psp-rig.h"
#include "sdma-rig.h"
#include <hw/discovery.h>
#include <hw/reg/edc.h>
#include <hw/reg/gc.h>
#include <hw/reg/hdp.h>
#include <hw/reg/mmhub.h>
#include <hw/reg/mp.h>
#include <hw/reg/nbio.h>
#include <hw/reg/sdma_edc.h>
#include <hw/smu.h>
#include <hw/ta_ras.h>
#include <hw/umc.h>

#define N(array)    (sizeof(array) / sizeof((array)[0]))
#define STATUS(f)   MCA_UMC_UMC0_MCUMC_STATUST0__##f##_MASK
#define BIF_INT     VGPU_REG_ABS(NBIO, regBIF_DOORBELL_INT_CNTL_ALDE)
#define ATHUB(f)    BIF_DOORBELL_INT_CNTL__RAS_ATHUB_ERR_EVENT_INTERRUPT_##f
#define MP1(n)      VGPU_REG_ABS(MP1, regMP1_SMN_C2PMSG_##n)

#define ECC_TABLE   0x30000ull      /* in VRAM */
#define DATA        0x300000ull     /* in VRAM, nobody else's */

struct ras_rig {
    struct sdma_rig s;
    struct psp_rig p;
    uint32_t session;
};

static struct vgpu_ta_ras_shared_memory *mem(struct ras_rig *r)
{
    return mock_vram(&r->s.m, PSP_SHARED,
                     sizeof(struct vgpu_ta_ras_shared_memory));
}

static uint32_t ras(struct ras_rig *r, uint32_t cmd)
{
    mem(r)->ras_status = 0xdead;
    mem(r)->resp_id = 0;
    CHECK_EQ(rig_invoke(&r->p, r->session, cmd), TEE_SUCCESS);
    CHECK_EQ(mem(r)->resp_id, RSP_ID(cmd));
    CHECK_EQ(mem(r)->if_version, RAS_TA_HOST_IF_VER);
    return mem(r)->ras_status;
}

static uint32_t feature(struct ras_rig *r, uint32_t block, bool on)
{
    mem(r)->ras_in_message.enable_features =
        (struct vgpu_ta_ras_enable_features_input) {
            block, TA_RAS_ERROR__MULTI_UNCORRECTABLE,
        };
    return ras(r, on ? TA_RAS_COMMAND__ENABLE_FEATURES :
               TA_RAS_COMMAND__DISABLE_FEATURES);
}

static uint32_t inject(struct ras_rig *r, uint32_t block, uint32_t type,
                       uint64_t address)
{
    mem(r)->ras_in_message.trigger_error =
        (struct vgpu_ta_ras_trigger_error_input) {
            .block_id = block, .inject_error_type = type, .address = address,
        };
    return ras(r, TA_RAS_COMMAND__TRIGGER_ERROR);
}

static uint32_t inject_umc(struct ras_rig *r, uint32_t type, uint64_t address)
{
    return inject(r, TA_RAS_BLOCK__UMC, type, address);
}

/* As psp_ras_initialize() does it. */
static void load(struct ras_rig *r, bool poison_mode)
{
    memset(mem(r), 0, sizeof(*mem(r)));
    mem(r)->ras_in_message.init_flags.poison_mode_en = poison_mode;
    mem(r)->ras_in_message.init_flags.dgpu_mode = 1;
    mem(r)->ras_status = 0xdead;
    CHECK_EQ(rig_load_ta(&r->p, TA_FW_TYPE_PSP_RAS, &r->session), TEE_SUCCESS);
    CHECK_EQ(mem(r)->ras_status, TA_RAS_STATUS__SUCCESS);
    CHECK_EQ(mem(r)->ras_out_message.flags.ras_init_success_flag, 1);
}

static void start(struct ras_rig *r, bool poison_mode)
{
    rig_start(&r->s);
    rig_attach(&r->p, &r->s.m);
    rig_boot(&r->p);
    load(r, poison_mode);
    CHECK_EQ(feature(r, TA_RAS_BLOCK__UMC, true), 0);
}

static void stop(struct ras_rig *r)
{
    CHECK_EQ(r->p.unfenced, 0);
    rig_stop(&r->s);
}

/* The reports of all channels, as aldebaran_get_ecc_info() gets them. */
static struct vgpu_ecc_info_v2 *reports(struct ras_rig *r)
{
    struct mock *m = &r->s.m;

    mock_wreg(m, MP1(82), (PSP_VRAM + ECC_TABLE) >> 32);
    mock_wreg(m, MP1(66), PPSMC_MSG_SetDriverDramAddrHigh);
    mock_run(m);
    mock_wreg(m, MP1(82), (uint32_t)(PSP_VRAM + ECC_TABLE));
    mock_wreg(m, MP1(66), PPSMC_MSG_SetDriverDramAddrLow);
    mock_run(m);
    mock_wreg(m, MP1(90), 0);
    mock_wreg(m, MP1(82), TABLE_ECCINFO);
    mock_wreg(m, MP1(66), PPSMC_MSG_TransferTableSmu2Dram);
    mock_run(m);
    CHECK_EQ(mock_rreg(m, MP1(90)), PPSMC_Result_OK);
    return ((struct vgpu_ecc_info_table *)
            mock_vram(m, ECC_TABLE, sizeof(struct vgpu_ecc_info_table)))
           ->ecc_info_v2;
}

/* As umc_v6_7_convert_error_address() does it, without hash. */
static uint64_t error_pa(unsigned i, uint64_t err_addr)
{
    static const unsigned index[] = VGPU_UMC_CHANNEL_INDEX_TABLE;

    return ADDR_OF_8KB_BLOCK(err_addr) | ADDR_OF_256B_BLOCK(index[i]) |
           OFFSET_IN_256B_BLOCK(err_addr);
}

/* The channel that reports something; there must be one. */
static unsigned first(const struct vgpu_ecc_info_v2 *t)
{
    unsigned i = 0;

    while (i < UMC_V6_7_TOTAL_CHANNEL_NUM && !t[i].mca_umc_status) {
        i++;
    }
    CHECK(i < UMC_V6_7_TOTAL_CHANNEL_NUM);
    return i % UMC_V6_7_TOTAL_CHANNEL_NUM;
}

/* -------------------------------------------------------------- features */

static void features(void)
{
    static const uint8_t blocks[] = {
        TA_RAS_BLOCK__UMC, TA_RAS_BLOCK__SDMA, TA_RAS_BLOCK__GFX,
        TA_RAS_BLOCK__MMHUB, TA_RAS_BLOCK__PCIE_BIF, TA_RAS_BLOCK__HDP,
        TA_RAS_BLOCK__XGMI_WAFL,
    };
    struct ras_rig r;
    uint32_t block;
    bool known;
    size_t i;

    start(&r, false);
    for (block = 0; block < TA_NUM_BLOCK_MAX; block++) {
        for (known = false, i = 0; i < N(blocks); i++) {
            known = known || blocks[i] == block;
        }
        CHECK_EQ(feature(&r, block, true), known ? TA_RAS_STATUS__SUCCESS :
                 TA_RAS_STATUS__ERROR_UNSUPPORTED_IP);
        CHECK_EQ(feature(&r, block, false), known ? TA_RAS_STATUS__SUCCESS :
                 TA_RAS_STATUS__ERROR_UNSUPPORTED_IP);
        CHECK_EQ(inject(&r, block, TA_RAS_ERROR__MULTI_UNCORRECTABLE, DATA),
                 known ? TA_RAS_STATUS__ERROR_BLOCK_DISABLED :
                 TA_RAS_STATUS__ERROR_UNSUPPORTED_IP);
    }
    CHECK_EQ(feature(&r, TA_NUM_BLOCK_MAX, true),
             TA_RAS_STATUS__ERROR_INVALID_PARAMETER);
    CHECK_EQ(feature(&r, 0xffffffff, false),
             TA_RAS_STATUS__ERROR_INVALID_PARAMETER);
    CHECK_EQ(inject(&r, 0xffffffff, TA_RAS_ERROR__POISON, 0),
             TA_RAS_STATUS__ERROR_INVALID_PARAMETER);
    CHECK_EQ(ras(&r, TA_RAS_COMMAND__QUERY_BLOCK_INFO),
             TA_RAS_STATUS__ERROR_UNSUPPORTED_FUNCTION);
    CHECK_EQ(ras(&r, TA_RAS_COMMAND__QUERY_ADDRESS),
             TA_RAS_STATUS__ERROR_UNSUPPORTED_FUNCTION);
    CHECK_EQ(ras(&r, 0xffffffff), TA_RAS_STATUS__ERROR_UNSUPPORTED_FUNCTION);

    /* loaded anew, all are off */
    CHECK_EQ(feature(&r, TA_RAS_BLOCK__UMC, true), TA_RAS_STATUS__SUCCESS);
    load(&r, false);
    CHECK_EQ(inject_umc(&r, TA_RAS_ERROR__SINGLE_CORRECTABLE, DATA),
             TA_RAS_STATUS__ERROR_BLOCK_DISABLED);
    stop(&r);
}

/* --------------------------------------------------------------- reports */

/* Every channel: the report is where amdgpu looks, and names the address. */
static void correctable(void)
{
    struct vgpu_ecc_info_v2 *t;
    struct ras_rig r;
    unsigned i, found;
    uint64_t pa;

    start(&r, false);
    for (pa = DATA + 0x48; pa < DATA + 0x2000; pa += 0x100) {
        CHECK_EQ(inject_umc(&r, TA_RAS_ERROR__SINGLE_CORRECTABLE, pa),
                 TA_RAS_STATUS__SUCCESS);
        t = reports(&r);
        for (found = 0, i = 0; i < UMC_V6_7_TOTAL_CHANNEL_NUM; i++) {
            if (!t[i].mca_umc_status) {
                continue;
            }
            found++;
            CHECK_EQ(t[i].mca_umc_status,
                     STATUS(Val) | STATUS(AddrV) | STATUS(CECC));
            CHECK_EQ(error_pa(i, t[i].mca_ceumc_addr), pa);
            CHECK_EQ(t[i].ce_count_lo_chip, 1);
            CHECK_EQ(t[i].ce_count_hi_chip, 0);
        }
        CHECK_EQ(found, 1);
        /* what was read is gone */
        t = reports(&r);
        for (i = 0; i < UMC_V6_7_TOTAL_CHANNEL_NUM; i++) {
            CHECK_EQ(t[i].mca_umc_status, 0);
            CHECK_EQ(t[i].ce_count_lo_chip, 0);
        }
    }
    /* more than one before anybody looks */
    for (i = 0; i < 3; i++) {
        CHECK_EQ(inject_umc(&r, TA_RAS_ERROR__SINGLE_CORRECTABLE,
                            DATA + i * 0x2000), TA_RAS_STATUS__SUCCESS);
    }
    t = reports(&r);
    i = first(t);
    CHECK_EQ(t[i].ce_count_lo_chip, 3);
    CHECK(t[i].mca_umc_status & STATUS(Overflow));
    CHECK_EQ(error_pa(i, t[i].mca_ceumc_addr), DATA + 2 * 0x2000);
    CHECK_EQ(mock_rreg(&r.s.m, BIF_INT) & ATHUB(STATUS_MASK), 0);
    stop(&r);
}

/* err_event_athub: a vector without an entry in the ring, and a bit. */
static void fatal_error(void)
{
    struct vgpu_ecc_info_v2 *t;
    struct ras_rig r;
    uint32_t iv[8];
    unsigned i, msix;

    start(&r, false);
    msix = r.s.m.msix[0];
    CHECK_EQ(inject_umc(&r, TA_RAS_ERROR__MULTI_UNCORRECTABLE, DATA),
             TA_RAS_STATUS__SUCCESS);
    CHECK_EQ(r.s.m.msix[0], msix + 1);
    CHECK(!rig_iv(&r.s, iv));
    CHECK(mock_rreg(&r.s.m, BIF_INT) & ATHUB(STATUS_MASK));
    /* the status cannot be written, only cleared */
    mock_wreg(&r.s.m, BIF_INT, 0);
    CHECK(mock_rreg(&r.s.m, BIF_INT) & ATHUB(STATUS_MASK));
    mock_wreg(&r.s.m, BIF_INT, ATHUB(CLEAR_MASK));
    CHECK_EQ(mock_rreg(&r.s.m, BIF_INT), 0);
    mock_wreg(&r.s.m, BIF_INT, ATHUB(STATUS_MASK));
    CHECK_EQ(mock_rreg(&r.s.m, BIF_INT), 0);

    t = reports(&r);
    i = first(t);
    CHECK_EQ(error_pa(i, t[i].mca_umc_addr), DATA);
    CHECK_EQ(t[i].mca_umc_status & (STATUS(UECC) | STATUS(UC) | STATUS(PCC) |
                                    STATUS(CECC) | STATUS(Deferred)),
             STATUS(UECC) | STATUS(UC) | STATUS(PCC));

    /* of any other block, and with the interrupt off */
    CHECK_EQ(feature(&r, TA_RAS_BLOCK__GFX, true), 0);
    mock_wreg(&r.s.m, BIF_INT, ATHUB(DISABLE_MASK));
    msix = r.s.m.msix[0];
    CHECK_EQ(inject(&r, TA_RAS_BLOCK__GFX, TA_RAS_ERROR__MULTI_UNCORRECTABLE,
                    0), TA_RAS_STATUS__SUCCESS);
    CHECK_EQ(r.s.m.msix[0], msix);
    CHECK(mock_rreg(&r.s.m, BIF_INT) & ATHUB(STATUS_MASK));
    stop(&r);
}

/* ------------------------------------------------- errors inside of blocks */

static uint32_t inject_in(struct ras_rig *r, uint32_t block, uint32_t sub,
                          uint32_t type)
{
    mem(r)->ras_in_message.trigger_error =
        (struct vgpu_ta_ras_trigger_error_input) {
            .block_id = block, .inject_error_type = type,
            .sub_block_index = sub,
        };
    return ras(r, TA_RAS_COMMAND__TRIGGER_ERROR);
}

#define CE  TA_RAS_ERROR__SINGLE_CORRECTABLE
#define UE  TA_RAS_ERROR__MULTI_UNCORRECTABLE

/* Where amdgpu reads each error, and that only one that is fatal tells. */
static void counters(void)
{
#define GC(n)   VGPU_REG_ABS(GC, reg##n)
#define EA(n)   VGPU_REG_ABS(MMHUB, regMMEA##n##_EDC_CNT)
#define SDMA(n, r)  VGPU_SDMA_REG_ABS(n, regSDMA0_EDC_##r)
#define HDP_CNT     VGPU_REG_ABS(HDP, regHDP_EDC_CNT)
#define ENGINE(n)   (1u << (n) << AMDGPU_RAS_INST_SHIFT)
    static const struct {
        uint32_t block, sub, type;
        uint32_t reg, bit;
    } errors[] = {
        { TA_RAS_BLOCK__GFX, TA_RAS_BLOCK__GFX_CPC_SCRATCH, CE,
          GC(CPC_EDC_SCRATCH_CNT), 2 },
        { TA_RAS_BLOCK__GFX, TA_RAS_BLOCK__GFX_CPC_SCRATCH, UE,
          GC(CPC_EDC_SCRATCH_CNT), 0 },
        { TA_RAS_BLOCK__GFX, TA_RAS_BLOCK__GFX_CPC_UCODE, CE,
          GC(CPC_EDC_UCODE_CNT), 2 },
        { TA_RAS_BLOCK__GFX, TA_RAS_BLOCK__GFX_DC_STATE_ME1, UE,
          GC(DC_EDC_STATE_CNT), 0 },
        { TA_RAS_BLOCK__GFX, TA_RAS_BLOCK__GFX_DC_CSINVOC_ME1, CE,
          GC(DC_EDC_CSINVOC_CNT), 2 },
        { TA_RAS_BLOCK__GFX, TA_RAS_BLOCK__GFX_DC_RESTORE_ME1, UE,
          GC(DC_EDC_RESTORE_CNT), 0 },
        { TA_RAS_BLOCK__GFX, TA_RAS_BLOCK__GFX_CPF_ROQ_ME2, CE,
          GC(CPF_EDC_ROQ_CNT), 6 },
        { TA_RAS_BLOCK__GFX, TA_RAS_BLOCK__GFX_CPF_ROQ_ME1, UE,
          GC(CPF_EDC_ROQ_CNT), 0 },
        { TA_RAS_BLOCK__GFX, TA_RAS_BLOCK__GFX_CPF_TAG, CE,
          GC(CPF_EDC_TAG_CNT), 2 },
        { TA_RAS_BLOCK__GFX, TA_RAS_BLOCK__GFX_SPI_SR_MEM, CE,
          GC(SPI_EDC_CNT), 0 },
        { TA_RAS_BLOCK__GFX, TA_RAS_BLOCK__GFX_SPI_SR_MEM, UE,
          GC(SPI_EDC_CNT), 2 },
        { TA_RAS_BLOCK__MMHUB, 0, CE, EA(0), 0 },
        { TA_RAS_BLOCK__MMHUB, 0, UE, EA(0), 2 },
        { TA_RAS_BLOCK__MMHUB, 5, CE, EA(0),
          MMEA0_EDC_CNT__IOWR_DATAMEM_SEC_COUNT__SHIFT },
        { TA_RAS_BLOCK__MMHUB, 2 * 6 + 1, UE, EA(2),
          MMEA0_EDC_CNT__DRAMWR_CMDMEM_DED_COUNT__SHIFT },
        { TA_RAS_BLOCK__MMHUB, 35, UE, EA(5),
          MMEA0_EDC_CNT__IOWR_DATAMEM_DED_COUNT__SHIFT },
        { TA_RAS_BLOCK__SDMA, 0, UE, SDMA(0, COUNTER), 0 },
        { TA_RAS_BLOCK__SDMA, 15, UE, SDMA(0, COUNTER), 30 },
        { TA_RAS_BLOCK__SDMA, 16, UE, SDMA(0, COUNTER2), 0 },
        { TA_RAS_BLOCK__SDMA, 25, UE, SDMA(0, COUNTER2), 18 },
        { TA_RAS_BLOCK__SDMA, 1 | ENGINE(0), UE, SDMA(0, COUNTER), 2 },
        { TA_RAS_BLOCK__SDMA, 1 | ENGINE(4), UE, SDMA(4, COUNTER), 2 },
        { TA_RAS_BLOCK__HDP, 0, UE, HDP_CNT, 0 },
        { TA_RAS_BLOCK__HDP, 1, UE, HDP_CNT, 2 },
    };
    struct ras_rig r;
    unsigned times, msix;
    size_t i;

    start(&r, true);
    CHECK_EQ(feature(&r, TA_RAS_BLOCK__GFX, true), 0);
    CHECK_EQ(feature(&r, TA_RAS_BLOCK__MMHUB, true), 0);
    CHECK_EQ(feature(&r, TA_RAS_BLOCK__SDMA, true), 0);
    CHECK_EQ(feature(&r, TA_RAS_BLOCK__HDP, true), 0);
    for (i = 0; i < N(errors); i++) {
        CHECK_EQ(mock_rreg(&r.s.m, errors[i].reg), 0);
        for (times = 1; times <= 5; times++) {
            msix = r.s.m.msix[0];
            CHECK_EQ(inject_in(&r, errors[i].block, errors[i].sub,
                               errors[i].type), TA_RAS_STATUS__SUCCESS);
            /* two bits: it stops at 3 */
            CHECK_EQ(mock_rreg(&r.s.m, errors[i].reg),
                     (times < 3 ? times : 3) << errors[i].bit);
            CHECK_EQ(r.s.m.msix[0] - msix, errors[i].type == UE);
        }
        mock_wreg(&r.s.m, errors[i].reg, 0);
        CHECK_EQ(mock_rreg(&r.s.m, errors[i].reg), 0);
    }

    /* two engines at a time */
    CHECK_EQ(inject_in(&r, TA_RAS_BLOCK__SDMA, 3 | ENGINE(1) | ENGINE(2), UE),
             TA_RAS_STATUS__SUCCESS);
    CHECK_EQ(mock_rreg(&r.s.m, SDMA(0, COUNTER)), 0);
    CHECK_EQ(mock_rreg(&r.s.m, SDMA(1, COUNTER)), 1u << 6);
    CHECK_EQ(mock_rreg(&r.s.m, SDMA(2, COUNTER)), 1u << 6);

    /* mode 2 resets the engines, and their counters */
    CHECK_EQ(inject_in(&r, TA_RAS_BLOCK__MMHUB, 0, CE), 0);
    CHECK_EQ(inject_in(&r, TA_RAS_BLOCK__GFX, 0, CE), 0);
    mock_wreg(&r.s.m, MP1(82), PPSMC_RESET_TYPE_DRIVER_MODE_2_RESET);
    mock_wreg(&r.s.m, MP1(66), PPSMC_MSG_GfxDriverReset);
    mock_run(&r.s.m);
    CHECK_EQ(mock_rreg(&r.s.m, SDMA(1, COUNTER)), 0);
    CHECK_EQ(mock_rreg(&r.s.m, GC(CPC_EDC_SCRATCH_CNT)), 0);
    CHECK_EQ(mock_rreg(&r.s.m, EA(0)), 1);
    stop(&r);
}

/* Of a block that there is several times the index chooses which is read. */
static void counters_by_index(void)
{
    struct ras_rig r;

    start(&r, true);
    CHECK_EQ(feature(&r, TA_RAS_BLOCK__GFX, true), 0);
    CHECK_EQ(inject_in(&r, TA_RAS_BLOCK__GFX, TA_RAS_BLOCK__GFX_SPI_SR_MEM,
                       CE), TA_RAS_STATUS__SUCCESS);
    mock_wreg(&r.s.m, GC(GRBM_GFX_INDEX),
              1u << GRBM_GFX_INDEX__SE_INDEX__SHIFT);
    CHECK_EQ(mock_rreg(&r.s.m, GC(SPI_EDC_CNT)), 0);
    mock_wreg(&r.s.m, GC(SPI_EDC_CNT), 0);
    mock_wreg(&r.s.m, GC(GRBM_GFX_INDEX), 1);   /* instance 1 */
    CHECK_EQ(mock_rreg(&r.s.m, GC(SPI_EDC_CNT)), 0);
    mock_wreg(&r.s.m, GC(SPI_EDC_CNT), 0);
    mock_wreg(&r.s.m, GC(GRBM_GFX_INDEX), 0);
    CHECK_EQ(mock_rreg(&r.s.m, GC(SPI_EDC_CNT)), 1);
    mock_wreg(&r.s.m, GC(SPI_EDC_CNT), 0);
    mock_wreg(&r.s.m, GC(GRBM_GFX_INDEX),
              GRBM_GFX_INDEX__SE_BROADCAST_WRITES_MASK |
              GRBM_GFX_INDEX__INSTANCE_BROADCAST_WRITES_MASK);
    CHECK_EQ(mock_rreg(&r.s.m, GC(SPI_EDC_CNT)), 0);
    stop(&r);
}

static void counters_refused(void)
{
    static const struct {
        uint32_t block, sub, type;
        uint32_t status;
    } errors[] = {
#define BAD     TA_RAS_STATUS__ERROR_INVALID_PARAMETER
#define CANNOT  TA_RAS_STATUS__ERROR_UNSUPPORTED_ERROR_INJ
        /* no such memory */
        { TA_RAS_BLOCK__GFX, 5, CE, BAD },
        { TA_RAS_BLOCK__GFX, 0xfff, UE, BAD },
        { TA_RAS_BLOCK__MMHUB, 36, CE, BAD },
        { TA_RAS_BLOCK__SDMA, 26, UE, BAD },
        { TA_RAS_BLOCK__HDP, 2, UE, BAD },
        /* no such instance */
        { TA_RAS_BLOCK__SDMA, ENGINE(5), UE, BAD },
        { TA_RAS_BLOCK__SDMA, ENGINE(19) | ENGINE(0), UE, BAD },
        { TA_RAS_BLOCK__GFX, ENGINE(1), UE, BAD },
        { TA_RAS_BLOCK__PCIE_BIF, ENGINE(0) | ENGINE(1), UE, BAD },
        /* what these cannot correct */
        { TA_RAS_BLOCK__SDMA, 0, CE, CANNOT },
        { TA_RAS_BLOCK__HDP, 0, CE, CANNOT },
        { TA_RAS_BLOCK__PCIE_BIF, 0, CE, CANNOT },
        { TA_RAS_BLOCK__XGMI_WAFL, 0, CE, CANNOT },
        { TA_RAS_BLOCK__GFX, 0, TA_RAS_ERROR__POISON, CANNOT },
        { TA_RAS_BLOCK__SDMA, 0, TA_RAS_ERROR__PARITY, CANNOT },
    };
    struct ras_rig r;
    unsigned msix;
    size_t i;

    start(&r, true);
    for (i = 0; i < N(errors); i++) {
        CHECK_EQ(feature(&r, errors[i].block, true), 0);
    }
    msix = r.s.m.msix[0];
    for (i = 0; i < N(errors); i++) {
        CHECK_EQ(inject_in(&r, errors[i].block, errors[i].sub,
                           errors[i].type), errors[i].status);
    }
    CHECK_EQ(r.s.m.msix[0], msix);
    CHECK_EQ(mock_rreg(&r.s.m, BIF_INT) & ATHUB(STATUS_MASK), 0);
    stop(&r);
}

/* smu_v13_0_check_fw_status() asks whether the power controller runs. */
static void firmware_flags(void)
{
    struct mock m;

    mock_default(&m);
    mock_wreg(&m, VGPU_REG_ABS(NBIO, regPCIE_INDEX2),
              MP1_Public | smnMP1_FIRMWARE_FLAGS);
    CHECK_EQ(mock_rreg(&m, VGPU_REG_ABS(NBIO, regPCIE_DATA2)),
             MP1_FIRMWARE_FLAGS__INTERRUPTS_ENABLED_MASK);
    CHECK_EQ(m.die->stats.unclaimed_reads, 0);
    mock_stop(&m);
}

static void injection_refused(void)
{
    struct vgpu_psp_gfx_cmd_resp *c;
    struct ras_rig r;
    uint64_t tmr = PSP_VRAM + PSP_TMR;

    start(&r, false);
    CHECK_EQ(inject_umc(&r, TA_RAS_ERROR__NONE, DATA),
             TA_RAS_STATUS__ERROR_UNSUPPORTED_ERROR_INJ);
    CHECK_EQ(inject_umc(&r, TA_RAS_ERROR__PARITY, DATA),
             TA_RAS_STATUS__ERROR_UNSUPPORTED_ERROR_INJ);
    CHECK_EQ(inject_umc(&r, 3, DATA),
             TA_RAS_STATUS__ERROR_UNSUPPORTED_ERROR_INJ);
    /* poison only where memory may be poisoned */
    CHECK_EQ(inject_umc(&r, TA_RAS_ERROR__POISON, DATA),
             TA_RAS_STATUS__ERROR_UNSUPPORTED_ERROR_INJ);
    CHECK_EQ(inject_umc(&r, TA_RAS_ERROR__SINGLE_CORRECTABLE, MOCK_VRAM_SIZE),
             TA_RAS_STATUS__ERROR_INVALID_PARAMETER);
    CHECK_EQ(inject_umc(&r, TA_RAS_ERROR__SINGLE_CORRECTABLE, UINT64_MAX),
             TA_RAS_STATUS__ERROR_INVALID_PARAMETER);
    CHECK_EQ(inject_umc(&r, TA_RAS_ERROR__SINGLE_CORRECTABLE,
                        MOCK_VRAM_SIZE - DISCOVERY_TMR_OFFSET),
             TA_RAS_STATUS__TEE_ERROR_ACCESS_DENIED);
    /* memory of firmware, while it is that */
    CHECK_EQ(inject_umc(&r, TA_RAS_ERROR__SINGLE_CORRECTABLE, PSP_TMR),
             TA_RAS_STATUS__SUCCESS);
    c = rig_cmd(&r.p, GFX_CMD_ID_SETUP_TMR);
    c->cmd.cmd_setup_tmr.buf_phy_addr_lo = tmr;
    c->cmd.cmd_setup_tmr.buf_phy_addr_hi = tmr >> 32;
    c->cmd.cmd_setup_tmr.buf_size = 0x10000;
    CHECK_EQ(rig_submit(&r.p), TEE_SUCCESS);
    CHECK_EQ(inject_umc(&r, TA_RAS_ERROR__SINGLE_CORRECTABLE, PSP_TMR),
             TA_RAS_STATUS__TEE_ERROR_ACCESS_DENIED);
    CHECK_EQ(inject_umc(&r, TA_RAS_ERROR__SINGLE_CORRECTABLE,
                        PSP_TMR + 0xffff),
             TA_RAS_STATUS__TEE_ERROR_ACCESS_DENIED);
    CHECK_EQ(inject_umc(&r, TA_RAS_ERROR__SINGLE_CORRECTABLE,
                        PSP_TMR + 0x10000), TA_RAS_STATUS__SUCCESS);
    CHECK_EQ(inject_umc(&r, TA_RAS_ERROR__SINGLE_CORRECTABLE, PSP_TMR - 1),
             TA_RAS_STATUS__SUCCESS);
    stop(&r);
}

/* Addresses are those of the hive; a die reports its own. */
static void injection_in_hive(void)
{
    struct ras_rig r;
    struct vgpu_ecc_info_v2 *t;
    unsigned i;

    memset(&r, 0, sizeof(r));
    mock_init(&r.s.m);
    r.s.m.cfg.hive_id = 0x100;
    r.s.m.cfg.segment_size = MOCK_SEGMENT;
    r.s.m.cfg.num_nodes = 1;
    mock_start(&r.s.m);
    r.s.m.die->cfg.num_nodes = 2;   /* the other one is not needed */
    r.s.m.die->cfg.node_id = 1;
    vgpu_die_reset(r.s.m.die);
    r.s.m.cfg.node_id = 1;
    rig_attach(&r.p, &r.s.m);
    rig_boot(&r.p);
    load(&r, false);
    CHECK_EQ(feature(&r, TA_RAS_BLOCK__UMC, true), 0);
    CHECK_EQ(inject_umc(&r, TA_RAS_ERROR__SINGLE_CORRECTABLE, DATA),
             TA_RAS_STATUS__ERROR_INVALID_PARAMETER);
    CHECK_EQ(inject_umc(&r, TA_RAS_ERROR__SINGLE_CORRECTABLE,
                        MOCK_SEGMENT + DATA), TA_RAS_STATUS__SUCCESS);
    t = mock_vram(&r.s.m, ECC_TABLE, sizeof(struct vgpu_ecc_info_table));
    vgpu_lock(r.s.m.die);
    vgpu_ras_take_ecc_info(r.s.m.die, (struct vgpu_ecc_info_table *)t);
    vgpu_unlock(r.s.m.die);
    i = first(t);
    CHECK_EQ(error_pa(i, t[i].mca_ceumc_addr), DATA);
    mock_stop(&r.s.m);
}

/* ECC that the boot configuration turned off is off after the next reset. */
static void ecc_off(void)
{
    struct vgpu_psp_gfx_cmd_resp *c;
    struct ras_rig r;

    start(&r, false);
    c = rig_cmd(&r.p, GFX_CMD_ID_BOOT_CFG);
    c->cmd.boot_cfg.sub_cmd = BOOTCFG_CMD_SET;
    c->cmd.boot_cfg.boot_config_valid = BOOT_CONFIG_GECC;
    CHECK_EQ(rig_submit(&r.p), TEE_SUCCESS);
    CHECK_EQ(inject_umc(&r, TA_RAS_ERROR__SINGLE_CORRECTABLE, DATA), 0);
    CHECK_EQ(mem(&r)->ras_out_message.flags.err_inject_switch_disable_flag, 0);
    vgpu_die_reset(r.s.m.die);
    rig_boot(&r.p);
    load(&r, false);
    CHECK_EQ(mem(&r)->ras_out_message.flags.err_inject_switch_disable_flag, 1);
    CHECK_EQ(feature(&r, TA_RAS_BLOCK__UMC, true), 0);
    CHECK_EQ(inject_umc(&r, TA_RAS_ERROR__SINGLE_CORRECTABLE, DATA),
             TA_RAS_STATUS__ERROR_RAS_NOT_AVAILABLE);
    stop(&r);
}

/* ---------------------------------------------------------------- poison */

#define COPY(from, to, bytes) \
    OP(COPY), (bytes) - 1, 0, LO(from), HI(from), LO(to), HI(to)
#define FENCE(va, val)  OP(FENCE), LO(va), HI(va), (val)

static void check_iv(struct ras_rig *r, unsigned client, unsigned source)
{
    uint32_t iv[8];

    CHECK(rig_iv(&r->s, iv));
    CHECK_EQ(IV_CLIENT(iv), client);
    CHECK_EQ(IV_SOURCE(iv), source);
    CHECK(!rig_iv(&r->s, iv));
}

/* Bad memory is announced when it is found, and kills only who reads it. */
static void poison_consumed(void)
{
    static const uint32_t types[] = {
        TA_RAS_ERROR__MULTI_UNCORRECTABLE, TA_RAS_ERROR__POISON,
    };
    const uint64_t bad = DATA + 0x1040;
    const uint64_t from = RIG_VRAM + DATA, to = RIG_VRAM + DATA + 0x10000;
    struct ras_rig r;
    uint32_t iv[8];
    size_t i;

    for (i = 0; i < N(types); i++) {
        start(&r, true);
        memset(mock_vram(&r.s.m, DATA, 0x3000), 0x77, 0x3000);
        rig_wreg(&r.s, 1, regSDMA0_EDC_CONFIG,
                 SDMA0_EDC_CONFIG__ECC_INT_ENABLE_MASK);
        /* a translation that is cached before */
        RUN(&r.s, 1, COPY(from, to, 0x3000));
        CHECK_EQ(mock_vram32(&r.s.m, DATA + 0x10000 + 0x1040), 0x77777777);
        memset(mock_vram(&r.s.m, DATA + 0x10000, 0x3000), 0, 0x3000);

        CHECK_EQ(inject_umc(&r, types[i], bad + 0x15), TA_RAS_STATUS__SUCCESS);
        check_iv(&r, SOC15_IH_CLIENTID_DF, VGPU_DF_SRCID_ECC);
        CHECK_EQ(mock_rreg(&r.s.m, BIF_INT) & ATHUB(STATUS_MASK), 0);

        /* around it nothing is wrong */
        RUN(&r.s, 1, COPY(from, to, 0x1040));
        RUN(&r.s, 1, COPY(from + 0x1080, to + 0x1080, 0x1000));
        CHECK_EQ(mock_vram32(&r.s.m, DATA + 0x10000 + 0x103c), 0x77777777);
        CHECK_EQ(mock_vram32(&r.s.m, DATA + 0x10000 + 0x1080), 0x77777777);
        CHECK(!rig_iv(&r.s, iv));

        RUN(&r.s, 1, COPY(from, to, 0x3000), FENCE(RIG_DATA, 0x1234));
        check_iv(&r, SOC15_IH_CLIENTID_SDMA1, SDMA0_4_0__SRCID__SDMA_ECC);
        /* nothing of it is passed on, and what waits for the fence waits */
        CHECK_EQ(mock_vram32(&r.s.m, DATA + 0x10000 + 0x1040),
                 VGPU_POISON * 0x01010101u);
        CHECK_EQ(mock_ram32(&r.s.m, RIG_DATA), 0);
        /* the other engines go on */
        RUN(&r.s, 0, COPY(from, to, 0x1000), FENCE(RIG_DATA, 0x55));
        CHECK_EQ(mock_ram32(&r.s.m, RIG_DATA), 0x55);
        /* and so does this one after its reset */
        rig_ring_off(&r.s, 1);
        r.s.wptr[1] = 0;
        rig_ring_on(&r.s, 1);
        RUN(&r.s, 1, FENCE(RIG_DATA, 0x66));
        CHECK_EQ(mock_ram32(&r.s.m, RIG_DATA), 0x66);
        CHECK(!rig_iv(&r.s, iv));
        stop(&r);
    }
}

/* Commands themselves, and an engine whose interrupt is off. */
static void poison_fetched(void)
{
    const uint64_t ib = DATA + 0x40;
    const uint32_t dw[] = { FENCE(RIG_DATA, 0x77) };
    struct ras_rig r;
    uint32_t iv[8];

    start(&r, true);
    memcpy(mock_vram(&r.s.m, ib, sizeof(dw)), dw, sizeof(dw));
    CHECK_EQ(inject_umc(&r, TA_RAS_ERROR__POISON, ib), TA_RAS_STATUS__SUCCESS);
    CHECK(rig_iv(&r.s, iv));
    RUN(&r.s, 0, OP(INDIRECT), LO(RIG_VRAM + ib), HI(RIG_VRAM + ib), N(dw), 0,
        0, FENCE(RIG_DATA + 4, 0x88));
    CHECK_EQ(mock_ram32(&r.s.m, RIG_DATA), 0);
    CHECK_EQ(mock_ram32(&r.s.m, RIG_DATA + 4), 0);
    CHECK(!rig_iv(&r.s, iv));
    CHECK_EQ(r.s.m.die->s.sdma[0].halted, 1);
    stop(&r);
}

/* Who reads is told, whoever owns the memory; the owner's engines go on. */
static void poison_of_peer(void)
{
    const uint64_t bad = MOCK_SEGMENT + DATA + 0x40;
    const uint64_t from = RIG_VRAM + MOCK_SEGMENT + DATA;
    const uint64_t to = RIG_VRAM + DATA + 0x10000;
    struct ras_rig r[2];
    struct mock *m[2] = { &r[0].s.m, &r[1].s.m };
    uint32_t iv[8];
    size_t len;
    uint8_t *state;
    unsigned i;

    memset(r, 0, sizeof(r));
    for (i = 0; i < 2; i++) {
        mock_init(m[i]);
    }
    mock_start_nodes(m, 2, 5);
    for (i = 0; i < 2; i++) {
        rig_setup(&r[i].s);
        rig_attach(&r[i].p, m[i]);
        rig_boot(&r[i].p);
        load(&r[i], true);
        CHECK_EQ(feature(&r[i], TA_RAS_BLOCK__UMC, true), 0);
        rig_wreg(&r[i].s, 0, regSDMA0_EDC_CONFIG,
                 SDMA0_EDC_CONFIG__ECC_INT_ENABLE_MASK);
    }
    memset(mock_vram(m[1], DATA, 0x1000), 0x77, 0x1000);
    /* a translation that is cached before */
    RUN(&r[0].s, 0, COPY(from, to, 0x1000), FENCE(RIG_DATA, 1));
    CHECK_EQ(mock_ram32(m[0], RIG_DATA), 1);
    memset(mock_vram(m[0], DATA + 0x10000, 0x1000), 0, 0x1000);

    CHECK_EQ(inject_umc(&r[1], TA_RAS_ERROR__POISON, bad),
             TA_RAS_STATUS__SUCCESS);
    check_iv(&r[1], SOC15_IH_CLIENTID_DF, VGPU_DF_SRCID_ECC);
    /* up to it, and from behind it */
    RUN(&r[0].s, 0, COPY(from, to, 0x40), COPY(from + 0x80, to + 0x80, 0x40),
        FENCE(RIG_DATA, 2));
    CHECK_EQ(mock_ram32(m[0], RIG_DATA), 2);
    CHECK_EQ(mock_vram32(m[0], DATA + 0x10000), 0x77777777);
    CHECK_EQ(mock_vram32(m[0], DATA + 0x10080), 0x77777777);
    /* writing to it harms nobody */
    RUN(&r[0].s, 0, COPY(to, from, 0x80), FENCE(RIG_DATA, 3));
    CHECK_EQ(mock_ram32(m[0], RIG_DATA), 3);
    CHECK(!rig_iv(&r[0].s, iv));

    RUN(&r[0].s, 0, COPY(from, to, 0x1000), FENCE(RIG_DATA, 4));
    CHECK_EQ(mock_ram32(m[0], RIG_DATA), 3);
    check_iv(&r[0], SOC15_IH_CLIENTID_SDMA0, SDMA0_4_0__SRCID__SDMA_ECC);
    CHECK(!rig_iv(&r[1].s, iv));
    /* the other engines, and the owner's */
    RUN(&r[0].s, 1, COPY(from, to, 0x40), FENCE(RIG_DATA, 5));
    CHECK_EQ(mock_ram32(m[0], RIG_DATA), 5);
    RUN(&r[1].s, 0, COPY(from, from + 0x2000, 0x40), FENCE(RIG_DATA, 6));
    CHECK_EQ(mock_ram32(m[1], RIG_DATA), 6);

    /* the owner's mode 1 trains its memory */
    len = vgpu_die_state_size(m[1]->die);
    state = malloc(len);
    vgpu_die_state_save(m[1]->die, state);
    vgpu_die_reset(m[1]->die);
    RUN(&r[0].s, 1, COPY(from, to, 0x1000), FENCE(RIG_DATA, 7));
    CHECK_EQ(mock_ram32(m[0], RIG_DATA), 7);
    /* and where it migrates to, peers are told */
    CHECK(vgpu_die_state_load(m[1]->die, state, len));
    RUN(&r[0].s, 1, COPY(from, to, 0x1000), FENCE(RIG_DATA, 8));
    CHECK_EQ(mock_ram32(m[0], RIG_DATA), 7);
    free(state);
    for (i = 0; i < 2; i++) {
        CHECK_EQ(r[i].p.unfenced, 0);
        rig_stop(&r[i].s);
    }
}

static void poison_bounded(void)
{
    struct ras_rig r;
    unsigned i;

    start(&r, true);
    for (i = 0; i < VGPU_MAX_POISON; i++) {
        CHECK_EQ(inject_umc(&r, TA_RAS_ERROR__POISON, DATA + i * 64),
                 TA_RAS_STATUS__SUCCESS);
    }
    CHECK_EQ(inject_umc(&r, TA_RAS_ERROR__POISON, DATA + i * 64),
             TA_RAS_STATUS__ERROR_INJECTION_FAILED);
    /* one that is poisoned already takes no place */
    CHECK_EQ(inject_umc(&r, TA_RAS_ERROR__POISON, DATA + 63),
             TA_RAS_STATUS__SUCCESS);
    stop(&r);
}

static void poison_and_reset(void)
{
    const uint64_t from = RIG_VRAM + DATA, to = RIG_VRAM + DATA + 0x1000;
    struct ras_rig r;

    start(&r, true);
    CHECK_EQ(inject_umc(&r, TA_RAS_ERROR__POISON, DATA), 0);
    mock_wreg(&r.s.m, MP1(82), PPSMC_RESET_TYPE_DRIVER_MODE_2_RESET);
    mock_wreg(&r.s.m, MP1(66), PPSMC_MSG_GfxDriverReset);
    mock_run(&r.s.m);
    CHECK_EQ(r.s.m.die->s.ras.num_poison, 1);
    r.s.wptr[0] = 0;
    rig_wreg(&r.s, 0, regSDMA0_F32_CNTL, 0);
    rig_ring_on(&r.s, 0);
    RUN(&r.s, 0, COPY(from, to, 0x100));
    CHECK_EQ(r.s.m.die->s.sdma[0].halted, 1);

    /* mode 1 trains the memory, which writes all of it */
    mock_wreg(&r.s.m, MP1(82), PPSMC_RESET_TYPE_DRIVER_MODE_1_RESET);
    mock_wreg(&r.s.m, MP1(66), PPSMC_MSG_GfxDriverReset);
    mock_run(&r.s.m);
    CHECK_EQ(r.s.m.die->s.ras.num_poison, 0);
    CHECK_EQ(r.s.m.die->s.ras.enabled, 0);
    rig_stop(&r.s);
}

static void migration(void)
{
#define FIELD(f, v) { offsetof(struct vgpu_ras_state, f), v }
    static const struct {
        size_t offset;
        uint64_t bad;
    } fields[] = {
        FIELD(num_poison, VGPU_MAX_POISON + 1), FIELD(poison_mode, 2),
        FIELD(ecc, 2), FIELD(poison[0], MOCK_VRAM_SIZE), FIELD(poison[0], 1),
    };
    struct ras_rig r, to;
    uint8_t *buf, *state;
    size_t len, i;

    start(&r, true);
    CHECK_EQ(inject_umc(&r, TA_RAS_ERROR__POISON, DATA), 0);
    len = vgpu_die_state_size(r.s.m.die);
    buf = malloc(len);
    state = buf + len - sizeof(struct vgpu_die_state) +
            offsetof(struct vgpu_die_state, ras);
    start(&to, true);
    for (i = 0; i < N(fields); i++) {
        vgpu_die_state_save(r.s.m.die, buf);
        memcpy(state + fields[i].offset, &fields[i].bad,
               fields[i].offset < offsetof(struct vgpu_ras_state, num_poison) ?
               8 : 4);
        CHECK(!vgpu_die_state_load(to.s.m.die, buf, len));
    }
    vgpu_die_state_save(r.s.m.die, buf);
    CHECK(vgpu_die_state_load(to.s.m.die, buf, len));
    RUN(&to.s, 0, COPY(RIG_VRAM + DATA, RIG_VRAM + DATA + 0x1000, 0x100));
    CHECK_EQ(to.s.m.die->s.sdma[0].halted, 1);
    free(buf);
    stop(&r);
    rig_stop(&to.s);
}

static const struct test tests[] = {
    TEST(features),
    TEST(correctable),
    TEST(fatal_error),
    TEST(counters),
    TEST(counters_by_index),
    TEST(counters_refused),
    TEST(firmware_flags),
    TEST(injection_refused),
    TEST(injection_in_hive),
    TEST(ecc_off),
    TEST(poison_consumed),
    TEST(poison_fetched),
    TEST(poison_of_peer),
    TEST(poison_bounded),
    TEST(poison_and_reset),
    TEST(migration),
};
TEST_MAIN(tests)
