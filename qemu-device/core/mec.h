/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of the compute queues: the hardware queues (HQD) of both MECs, and the
 * scheduler of run lists. Documentation/queues.rst. Included by die.h.
 */
#ifndef VGPU_MEC_H
#define VGPU_MEC_H

#define VGPU_MEC_PIPES      4
#define VGPU_MEC_QUEUES     8
#define VGPU_NUM_HQDS       (2 * VGPU_MEC_PIPES * VGPU_MEC_QUEUES)
/** Number of a hardware queue; @me is 1 or 2 */
#define VGPU_HQD(me, pipe, queue) \
    (((me) - 1) * VGPU_MEC_PIPES * VGPU_MEC_QUEUES + \
     (pipe) * VGPU_MEC_QUEUES + (queue))

/** Registers of a hardware queue: CP_MQD_BASE_ADDR to CP_HQD_PQ_WPTR_HI */
#define VGPU_HQD_REGS       56
/** COMPUTE_DISPATCH_INITIATOR to COMPUTE_USER_DATA_15 */
#define VGPU_COMPUTE_REGS   80

/* Bits of vgpu_hqd_state.flags */
#define VGPU_HQD_DYNAMIC    1u  /* mapped by a run list, which may unmap it */
#define VGPU_HQD_STATIC     2u  /* likewise, but it stays through its rounds */

/**
 * struct vgpu_hqd_state - a hardware queue
 * @pm4: the stream; @pm4.rptr and its IB are what the registers of the same
 *       meaning read while the queue is active
 * @read_index: AQL: packets taken, ever
 * @reg: registers, in the order of a descriptor's; see HQD() in mec_priv.h
 * @compute: COMPUTE_* registers, which every queue has of its own
 * @pasid: of the process that a run list mapped it for
 * @flags: VGPU_HQD_*
 * @in_packet: AQL: the packet at @read_index is under way
 * @seen: AQL: dependencies of a barrier that have been seen satisfied
 */
struct vgpu_hqd_state {
    struct vgpu_pm4_state pm4;
    uint64_t read_index;
    uint32_t reg[VGPU_HQD_REGS];
    uint32_t compute[VGPU_COMPUTE_REGS];
    uint32_t pasid;
    uint32_t flags;
    uint32_t in_packet;
    uint32_t seen;
};

/** No process is being mapped: vgpu_hws_state.process */
#define VGPU_HWS_NONE   (~0u)

enum vgpu_hws_round {
    VGPU_HWS_EMPTY,     /* a round is to begin */
    VGPU_HWS_MAPPING,   /* it is being mapped, a slice at a time */
    VGPU_HWS_MAPPED,    /* it is on the hardware */
};

/**
 * struct vgpu_hws_state - the scheduler of run lists
 * @base, @size: buffer that is being read: address, dwords
 * @first, @first_size: the buffer the run list began with
 * @round: the buffer that the round on the hardware began with, if it began
 *         there, else ~0
 * @deadline: GPU clock at which the round is over
 * @queue_mask: hardware queues that run lists may use
 * @vmid_mask: address spaces that they may use
 * @pos: dword of the next packet
 * @process: dword of the MAP_PROCESS that the next queue belongs to, or
 *           VGPU_HWS_NONE
 * @max_processes: at a time
 * @active: there is a run list
 * @mapped: enum vgpu_hws_round
 * @chained: buffers that this round was chained to
 * @vmids: address spaces that this round has mapped
 * @rotate: the round is not the whole list: it ends at @deadline
 * @pasid: whose each VMID is, 0 for nobody
 * @off: processes, a bit each, that were unmapped since the list was given
 */
struct vgpu_hws_state {
    uint64_t base;
    uint64_t first;
    uint64_t round;
    uint64_t deadline;
    uint64_t queue_mask;
    uint32_t size;
    uint32_t first_size;
    uint32_t vmid_mask;
    uint32_t pos;
    uint32_t process;
    uint32_t max_processes;
    uint32_t active;
    uint32_t mapped;
    uint32_t chained;
    uint32_t vmids;
    uint32_t rotate;
    uint32_t pasid[16];
    uint32_t off[0x10000 / 32];
};

struct vgpu_mec_state {
    struct vgpu_hqd_state hqd[VGPU_NUM_HQDS];
    struct vgpu_hws_state hws;
};

#endif
