/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of one SDMA engine, beyond its registers.
 * Documentation/hardware.rst, "SDMA".
 */
#ifndef VGPU_SDMA_H
#define VGPU_SDMA_H

/** Dwords of the longest packet without its payload (COPY sub-window). */
#define VGPU_SDMA_MAX_HEAD  13

/** Rings of an engine: gfx, page, user queues RLC0 to RLC7 */
#define VGPU_SDMA_RINGS     10

/**
 * struct vgpu_sdma_state - where a ring is: in itself, in its IB and packet
 * @rptr, @wptr: bytes, never wrapped; the ring position is modulo its size
 * @ib_base: GPU virtual address of the IB, 32-byte aligned
 * @done: progress of the packet in @pkt, in units of that packet (bytes,
 *        dwords, entries)
 * @deadline: GPU clock at which the wait in @pkt gives up, 0 for never
 * @ts_offset: what the local time stamp counter is ahead of the GPU clock
 * @pkt: copy of the packet that is being executed, when @in_packet
 * @ib_size, @ib_pos: dwords of the IB, and those consumed, when @in_ib
 * @skip: dwords still to be skipped in the IB when @in_ib, else in the ring
 * @ib_vmid: address space of the IB
 * @halted: stopped by an error until the ring is disabled
 * @parked: the packet is a wait that did not hold when last tested
 * @wptr_bad: the present @wptr has been reported as out of range
 * @mqd, @pasid, @flags: of a user queue that a run list mapped: descriptor,
 *                       process, VGPU_HQD_DYNAMIC or _STATIC
 */
struct vgpu_sdma_state {
    uint64_t rptr;
    uint64_t wptr;
    uint64_t ib_base;
    uint64_t done;
    uint64_t deadline;
    uint64_t ts_offset;
    uint32_t pkt[VGPU_SDMA_MAX_HEAD];
    uint32_t ib_size;
    uint32_t ib_pos;
    uint32_t skip;
    uint8_t ib_vmid;
    uint8_t in_ib;
    uint8_t in_packet;
    uint8_t halted;
    uint8_t parked;
    uint8_t wptr_bad;
    uint8_t pad[2];
    uint32_t pasid;
    uint32_t flags;
    uint64_t mqd;
};

#endif
