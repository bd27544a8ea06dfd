/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * All rings of a die by one number, for tests that want each of them.
 */
#ifndef VGPU_SELFTESTS_RINGS_H
#define VGPU_SELFTESTS_RINGS_H

#include <amdgpu_drm.h>

#include "emit.h"

#define NUM_COMPUTE	8
#define NUM_SDMA	5
#define NUM_RINGS	(1 + NUM_COMPUTE + NUM_SDMA)

static inline unsigned int ring_ip(unsigned int i)
{
	return !i ? AMDGPU_HW_IP_GFX : i <= NUM_COMPUTE ? AMDGPU_HW_IP_COMPUTE : AMDGPU_HW_IP_DMA;
}

/* Number among those of its kind */
static inline unsigned int ring_nr(unsigned int i)
{
	return !i ? 0 : i <= NUM_COMPUTE ? i - 1 : i - 1 - NUM_COMPUTE;
}

static inline void ring_write(struct ibw *w, unsigned int ip, uint64_t va, uint32_t value)
{
	if (ip == AMDGPU_HW_IP_DMA)
		sdma_write(w, va, value);
	else
		pm4_write(w, va, value);
}

static inline void ring_wait_mem(struct ibw *w, unsigned int ip, uint64_t va, uint32_t value)
{
	if (ip == AMDGPU_HW_IP_DMA)
		sdma_wait_mem(w, va, value);
	else
		pm4_wait_mem(w, va, value);
}

static inline void ring_nop(struct ibw *w, unsigned int ip)
{
	emit(w, ip == AMDGPU_HW_IP_DMA ? SDMA_OP_NOP :
	     PACKET3(PACKET3_NOP, PACKET3_NOP_ONE_DWORD_COUNT));
}

#endif
