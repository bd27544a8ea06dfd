/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of error detection: what the memory controllers report, and which
 * memory is poisoned.
 * Documentation/hardware.rst, "Errors of the memory". Included by die.h.
 */
#ifndef VGPU_RAS_H
#define VGPU_RAS_H

#include <hw/umc.h>

/**
 * struct vgpu_umc_channel - errors of a memory channel that were not read yet
 * @status, @addr: MCA registers of the last error
 * @ce_addr: address of the last one that was corrected
 * @ce_count: how many were
 */
struct vgpu_umc_channel {
    uint64_t status;
    uint64_t addr;
    uint64_t ce_addr;
    uint64_t ce_count;
};

/**
 * struct vgpu_ras_state - what of error detection migrates
 * @channel: by UMC * 8 + channel
 * @poison: addresses in VRAM, of the first @num_poison lines
 * @enabled: blocks whose errors are detected, 1 << TA_RAS_BLOCK__*
 * @poison_mode: 1 when bad memory is marked instead of being fatal
 * @ecc: 1 when the memory has ECC since the last boot
 */
struct vgpu_ras_state {
    struct vgpu_umc_channel channel[UMC_V6_7_TOTAL_CHANNEL_NUM];
    uint64_t poison[VGPU_MAX_POISON];
    uint32_t num_poison;
    uint32_t enabled;
    uint32_t poison_mode;
    uint32_t ecc;
};

struct vgpu_ecc_info_table;

/**
 * vgpu_edc_inject() - an error in a memory inside of a block (edc.c)
 * @block: TA_RAS_BLOCK__*, other than UMC
 * @sub_block_index: which memory of which instances, as TRIGGER_ERROR has it
 *
 * Return: TA_RAS_STATUS__*.
 */
uint32_t vgpu_edc_inject(struct vgpu_die *d, uint32_t block,
                         uint32_t sub_block_index, bool corrected);

/** Hand out the errors of all channels, which are forgotten thereby. */
void vgpu_ras_take_ecc_info(struct vgpu_die *d, struct vgpu_ecc_info_table *t);
/** Poison the line at @addr of VRAM; false: there are too many. */
bool vgpu_ras_poison(struct vgpu_die *d, uint64_t addr);
/**
 * vgpu_ras_consume() - an engine is about to read @len bytes at @ptr
 * @peer: of another die; the one that reads is told, not the owner
 * @len: shortened to what comes before a poisoned line
 *
 * Return: true when the first byte is poisoned. It must not be read then; the
 * running queue stops before its next packet.
 */
bool vgpu_ras_consume(struct vgpu_die *d, const uint8_t *ptr, bool peer,
                      uint64_t *len);

#endif
