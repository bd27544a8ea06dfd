/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Errors: the RAS trusted application that injects them, what the memory
 * controllers report of them, and poison, memory that whoever reads it must
 * not believe.
 * Documentation/hardware.rst, "Errors of the memory".
 */
#include <string.h>

#include "die.h"
#include "fabric.h"
#include <hw/discovery.h>
#include <hw/ih.h>
#include <hw/ta_ras.h>

#define STATUS(f)   MCA_UMC_UMC0_MCUMC_STATUST0__##f##_MASK

/* Blocks of MI250X that detect errors. */
#define BLOCKS      (1u << TA_RAS_BLOCK__UMC | 1u << TA_RAS_BLOCK__SDMA | \
                     1u << TA_RAS_BLOCK__GFX | 1u << TA_RAS_BLOCK__MMHUB | \
                     1u << TA_RAS_BLOCK__PCIE_BIF | \
                     1u << TA_RAS_BLOCK__HDP | \
                     1u << TA_RAS_BLOCK__XGMI_WAFL)

_Static_assert(sizeof(struct vgpu_ta_ras_shared_memory) <= VGPU_PSP_TA_SHARED,
               "the PSP copies it");
_Static_assert(UMC_V6_7_TOTAL_CHANNEL_NUM == ALDEBARAN_UMC_CHANNEL_NUM,
               "one report a channel");

/* -------------------------------------------------------------- reports */

static struct vgpu_umc_channel *channel_of(struct vgpu_die *d, uint64_t addr)
{
    static const uint8_t index[] = VGPU_UMC_CHANNEL_INDEX_TABLE;
    unsigned i = 0;

    while (index[i] != VGPU_UMC_CHANNEL_INDEX(addr)) {
        i++; /* the table has each of the 32 once */
    }
    return &d->s.ras.channel[i];
}

static void report(struct vgpu_die *d, uint64_t addr, uint64_t status)
{
    struct vgpu_umc_channel *c = channel_of(d, addr);

    status |= STATUS(Val) | STATUS(AddrV);
    if (c->status & STATUS(Val)) {
        status |= STATUS(Overflow);
    }
    c->addr = VGPU_UMC_CHANNEL_ADDR(addr) &
              MCA_UMC_UMC0_MCUMC_ADDRT0__ErrorAddr_MASK;
    if (status & STATUS(CECC)) {
        c->ce_addr = c->addr;
        c->ce_count++;
    }
    /* What cannot be corrected is not hidden by what can. */
    c->status |= status;
}

void vgpu_ras_take_ecc_info(struct vgpu_die *d, struct vgpu_ecc_info_table *t)
{
    unsigned i;

    memset(t, 0, sizeof(*t));
    for (i = 0; i < UMC_V6_7_TOTAL_CHANNEL_NUM; i++) {
        const struct vgpu_umc_channel *c = &d->s.ras.channel[i];

        t->ecc_info_v2[i] = (struct vgpu_ecc_info_v2) {
            .mca_umc_status = c->status,
            .mca_umc_addr = c->addr,
            .ce_count_lo_chip = c->ce_count < UINT16_MAX ?
                                c->ce_count : UINT16_MAX,
            .mca_ceumc_addr = c->ce_addr,
        };
    }
    memset(d->s.ras.channel, 0, sizeof(d->s.ras.channel));
}

/* --------------------------------------------------------------- poison */

/* What the peers that read this die's memory have to know. */
static void publish(struct vgpu_die *d)
{
    if (d->cfg.fabric) {
        vgpu_fabric_poison(d->cfg.fabric, d->cfg.node_id, d->s.ras.poison,
                           d->s.ras.num_poison);
    }
}

bool vgpu_ras_poison(struct vgpu_die *d, uint64_t addr)
{
    struct vgpu_ras_state *s = &d->s.ras;
    uint32_t i;

    addr -= addr % VGPU_POISON_LINE;
    for (i = 0; i < s->num_poison; i++) {
        if (s->poison[i] == addr) {
            return true;
        }
    }
    if (s->num_poison == VGPU_MAX_POISON) {
        return false;
    }
    s->poison[s->num_poison++] = addr;
    publish(d);
    /* Nobody reads on through a pointer from before. */
    vgpu_gmc_drop_all(d);
    return true;
}

static bool own_poison(const struct vgpu_die *d, uint64_t addr, uint64_t *len)
{
    const struct vgpu_ras_state *s = &d->s.ras;
    uint32_t i;

    for (i = 0; i < s->num_poison; i++) {
        if (addr - s->poison[i] < VGPU_POISON_LINE) {
            return true;
        }
        if (s->poison[i] - addr < *len) {
            *len = s->poison[i] - addr;
        }
    }
    return false;
}

bool vgpu_ras_consume(struct vgpu_die *d, const uint8_t *ptr, bool peer,
                      uint64_t *len)
{
    uint64_t addr = (uintptr_t)ptr - (uintptr_t)d->cfg.vram;

    if (addr < d->cfg.vram_size ? !own_poison(d, addr, len) :
        !peer || !vgpu_fabric_poisoned(d->cfg.fabric, ptr, len)) {
        return false;
    }
    d->poison_hit = true;
    d->slice_left = 0;
    return true;
}

/* ------------------------------------------------------------ injection */

/* The die cannot go on. */
static void fatal(struct vgpu_die *d)
{
    vgpu_nbio_ras_event(d);
}

/* Memory is found to be bad before anybody has used what it holds. */
static void created(struct vgpu_die *d)
{
    struct vgpu_iv iv = {
        .client_id = SOC15_IH_CLIENTID_DF, .source_id = VGPU_DF_SRCID_ECC,
    };

    vgpu_ih_post(d, &iv);
}

/* Memory of firmware: what the PSP keeps in the TMR, and the top of VRAM. */
static bool critical(struct vgpu_die *d, uint64_t addr)
{
    uint64_t base = d->cfg.cpu_base + d->cfg.node_id * d->cfg.segment_size;
    const struct vgpu_psp_state *psp = &d->s.psp;
    struct vgpu_xlat x;

    if (addr >= d->cfg.vram_size - DISCOVERY_TMR_OFFSET) {
        return true;
    }
    return psp->tmr_size &&
           vgpu_walk(d, VGPU_HUB_MM, 0, psp->tmr_base, psp->tmr_size,
                     VGPU_READ, &x) && !x.system &&
           base + addr - (x.pa + psp->tmr_base - x.va) < psp->tmr_size;
}

static uint32_t inject_umc(struct vgpu_die *d, uint64_t pa, uint32_t type)
{
    uint64_t addr = pa - d->cfg.node_id * d->cfg.segment_size;

    if (!d->s.ras.ecc) {
        return TA_RAS_STATUS__ERROR_RAS_NOT_AVAILABLE;
    }
    if (addr >= d->cfg.vram_size) {
        return TA_RAS_STATUS__ERROR_INVALID_PARAMETER;
    }
    if (critical(d, addr)) {
        return TA_RAS_STATUS__TEE_ERROR_ACCESS_DENIED;
    }
    switch (type) {
    case TA_RAS_ERROR__SINGLE_CORRECTABLE:
        report(d, addr, STATUS(CECC));
        return TA_RAS_STATUS__SUCCESS;
    case TA_RAS_ERROR__MULTI_UNCORRECTABLE:
        if (!d->s.ras.poison_mode) {
            report(d, addr, STATUS(UECC) | STATUS(UC) | STATUS(PCC));
            fatal(d);
            return TA_RAS_STATUS__SUCCESS;
        }
        break;
    case TA_RAS_ERROR__POISON:
        if (!d->s.ras.poison_mode) {
            return TA_RAS_STATUS__ERROR_UNSUPPORTED_ERROR_INJ;
        }
        break;
    default:
        return TA_RAS_STATUS__ERROR_UNSUPPORTED_ERROR_INJ;
    }
    if (!vgpu_ras_poison(d, addr)) {
        return TA_RAS_STATUS__ERROR_INJECTION_FAILED;
    }
    report(d, addr, STATUS(UECC) | STATUS(Deferred) | STATUS(Poison));
    created(d);
    return TA_RAS_STATUS__SUCCESS;
}

static uint32_t trigger(struct vgpu_die *d,
                        const struct vgpu_ta_ras_trigger_error_input *in)
{
    uint32_t status;

    if (in->block_id >= TA_NUM_BLOCK_MAX) {
        return TA_RAS_STATUS__ERROR_INVALID_PARAMETER;
    }
    if (!(BLOCKS & 1u << in->block_id)) {
        return TA_RAS_STATUS__ERROR_UNSUPPORTED_IP;
    }
    if (!(d->s.ras.enabled & 1u << in->block_id)) {
        return TA_RAS_STATUS__ERROR_BLOCK_DISABLED;
    }
    if (in->block_id == TA_RAS_BLOCK__UMC) {
        return inject_umc(d, in->address, in->inject_error_type);
    }
    switch (in->inject_error_type) {
    case TA_RAS_ERROR__SINGLE_CORRECTABLE:
        return vgpu_edc_inject(d, in->block_id, in->sub_block_index, true);
    case TA_RAS_ERROR__MULTI_UNCORRECTABLE:
        status = vgpu_edc_inject(d, in->block_id, in->sub_block_index, false);
        if (status == TA_RAS_STATUS__SUCCESS) {
            fatal(d);
        }
        return status;
    default:
        return TA_RAS_STATUS__ERROR_UNSUPPORTED_ERROR_INJ;
    }
}

/* ------------------------------------------------------- the application */

static uint32_t enable(struct vgpu_die *d,
                       const struct vgpu_ta_ras_enable_features_input *in,
                       bool on)
{
    if (in->block_id >= TA_NUM_BLOCK_MAX) {
        return TA_RAS_STATUS__ERROR_INVALID_PARAMETER;
    }
    if (!(BLOCKS & 1u << in->block_id)) {
        return TA_RAS_STATUS__ERROR_UNSUPPORTED_IP;
    }
    if (on) {
        d->s.ras.enabled |= 1u << in->block_id;
    } else {
        d->s.ras.enabled &= ~(1u << in->block_id);
    }
    return TA_RAS_STATUS__SUCCESS;
}

static uint32_t execute(struct vgpu_die *d, uint32_t cmd,
                        const union vgpu_ta_ras_cmd_input *in)
{
    switch (cmd) {
    case TA_RAS_COMMAND__ENABLE_FEATURES:
        return enable(d, &in->enable_features, true);
    case TA_RAS_COMMAND__DISABLE_FEATURES:
        return enable(d, &in->disable_features, false);
    case TA_RAS_COMMAND__TRIGGER_ERROR:
        return trigger(d, &in->trigger_error);
    default:
        return TA_RAS_STATUS__ERROR_UNSUPPORTED_FUNCTION;
    }
}

static void answer(struct vgpu_die *d, struct vgpu_ta_ras_shared_memory *m,
                   uint32_t status)
{
    struct vgpu_ta_ras_output_flags *flags = &m->ras_out_message.flags;

    m->ras_status = status;
    m->if_version = RAS_TA_HOST_IF_VER;
    memset(&m->ras_out_message, 0, sizeof(m->ras_out_message));
    flags->ras_init_success_flag = 1;
    flags->err_inject_switch_disable_flag = !d->s.ras.ecc;
}

static void ras_load(struct vgpu_die *d, void *mem)
{
    struct vgpu_ta_ras_shared_memory *m = mem;

    d->s.ras.poison_mode = m->ras_in_message.init_flags.poison_mode_en != 0;
    d->s.ras.enabled = 0;
    answer(d, m, TA_RAS_STATUS__SUCCESS);
}

static void ras_invoke(struct vgpu_die *d, uint32_t cmd, void *mem)
{
    struct vgpu_ta_ras_shared_memory *m = mem;

    answer(d, m, execute(d, cmd, &m->ras_in_message));
    m->resp_id = RSP_ID(cmd);
}

const struct vgpu_ta vgpu_ras_ta = {
    .shared = sizeof(struct vgpu_ta_ras_shared_memory),
    .load = ras_load,
    .invoke = ras_invoke,
};

/* ---------------------------------------------------------------- block */

/* The boot configuration counts from here on; poison went with the reset. */
static void ras_reset(struct vgpu_die *d)
{
    d->s.ras.ecc = (d->s.nv.boot_cfg & BOOT_CONFIG_GECC) != 0;
    publish(d);
}

static bool ras_valid(const struct vgpu_die *d,
                      const struct vgpu_die_state *state)
{
    const struct vgpu_ras_state *s = &state->ras;
    uint32_t i;

    if (s->num_poison > VGPU_MAX_POISON || s->poison_mode > 1 || s->ecc > 1) {
        return false;
    }
    for (i = 0; i < s->num_poison; i++) {
        if (s->poison[i] >= d->cfg.vram_size ||
            s->poison[i] % VGPU_POISON_LINE) {
            return false;
        }
    }
    return true;
}

const struct vgpu_block vgpu_ras_block = {
    .name = "ras",
    .reset = ras_reset,
    .valid = ras_valid,
    .loaded = publish,
};
