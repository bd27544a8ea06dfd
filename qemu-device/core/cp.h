/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of a queue of the command processor, beyond its registers: of the
 * graphics ring, and of a hardware queue of the MEC (mec.h).
 * Documentation/hardware.rst, "Command processor".
 */
#ifndef VGPU_CP_H
#define VGPU_CP_H

/** The ring, an indirect buffer it calls (IB1), and one that IB1 calls (IB2) */
#define VGPU_CP_LEVELS      3
#define VGPU_CP_CONTEXT_REGS 0x400

/** struct vgpu_cp_ib - an indirect buffer in execution; sizes in dwords */
struct vgpu_cp_ib {
    uint64_t base;
    uint32_t pos;
    uint32_t size;
};

/** Why the queue stands still until it is reset: vgpu_pm4_state.halted */
enum vgpu_cp_halt {
    VGPU_CP_RUNS,
    VGPU_CP_BAD_OPCODE,     /* a header that no engine understands */
    VGPU_CP_RESERVED_BITS,  /* a field with a value it may not have */
    VGPU_CP_REG_VIOLATION,  /* a register that the packet may not reach */
    VGPU_CP_FETCH_FAULT,    /* the stream itself is not mapped */
    VGPU_CP_ILLEGAL_INST,   /* what it dispatched cannot be run */
    VGPU_CP_POISON,         /* it was about to read poisoned memory */
    VGPU_CP_NUM_HALTS
};

/**
 * struct vgpu_pm4_state - what of a stream of packets migrates
 * @rptr: dword in the ring of the packet that runs or comes next
 * @level: 0 ring, 1 IB1, 2 IB2
 * @ib: buffers of level 1 and 2
 * @ib_vmid: address space of both
 * @halted: enum vgpu_cp_halt
 * @skip: dwords of the ring that a COND_EXEC still discards
 * @type0_reg, @type0_left: a type 0 packet of the stream form, under way
 * @phase: of the packet that runs: 1 once its one-time part is done
 * @done: of the packet that runs: bytes copied so far
 * @waiting: the packet that runs has parked the queue
 * @busy: since the ring was last empty
 * @poll_off: the write pointer's shadow in memory is not there
 * @pred_fail: predicated packets are skipped
 * @preamble: between PREAMBLE_CNTL begin and end
 * @header: of the packet that runs, is waited for or halted the queue
 * @context_control: as last set
 * @base: of SET_BASE, by index
 */
struct vgpu_pm4_state {
    struct vgpu_cp_ib ib[VGPU_CP_LEVELS - 1];
    uint64_t done;
    uint64_t base[6];
    uint32_t rptr;
    uint32_t level;
    uint32_t ib_vmid;
    uint32_t halted;
    uint32_t skip;
    uint32_t type0_reg;
    uint32_t type0_left;
    uint32_t phase;
    uint32_t waiting;
    uint32_t busy;
    uint32_t poll_off;
    uint32_t pred_fail;
    uint32_t preamble;
    uint32_t header;
    uint32_t context_control[2];
};

#endif
