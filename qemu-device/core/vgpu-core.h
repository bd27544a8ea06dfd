/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The GPU as a library: what an embedder (the QEMU PCI function, a unit test,
 * a fuzzer) sees of one die. Nothing here or below it includes a QEMU header.
 * Documentation/architecture.rst explains the split.
 */
#ifndef VGPU_CORE_H
#define VGPU_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vgpu_die;
struct vgpu_fabric;

/** Size of the register BAR (BAR5), in bytes, as on MI250X. */
#define VGPU_MMIO_SIZE      (512u * 1024)
/** Size of the doorbell BAR (BAR2), in bytes. */
#define VGPU_DOORBELL_SIZE  (2u * 1024 * 1024)
/** MSI-X vectors a die has; the interrupt handler raises only the first. */
#define VGPU_MSIX_VECTORS   4
/** Returned by vgpu_die_run() when nothing is due before the next kick. */
#define VGPU_NO_DEADLINE    UINT64_MAX

enum vgpu_log_level {
    VGPU_LOG_GUEST_ERROR, /* the guest did what hardware does not allow */
    VGPU_LOG_UNCLAIMED,   /* a register that no block claims */
    VGPU_LOG_INFO,
};

/** Dies a hive has at most. */
#define VGPU_MAX_NODES      16
/** Lines that can be poisoned at a time in a die, and their size in bytes. */
#define VGPU_MAX_POISON     64
#define VGPU_POISON_LINE    64u

/**
 * struct vgpu_peer - what the links say about a die of the hive
 * @present: there is a die, and a path to it
 * @hops: links on the shortest path, 0 for the die itself
 * @links: width of the direct connection, 0 when there is none
 * @port: the first of the die's ports that it takes; as many as it is wide
 * @peer_port: likewise at the other end
 */
struct vgpu_peer {
    uint8_t present;
    uint8_t hops;
    uint8_t links;
    uint8_t port;
    uint8_t peer_port;
};

/**
 * struct vgpu_host_ops - what a die needs of the machine around it
 *
 * Every callback gets the opaque pointer of struct vgpu_die_config. Unless
 * said otherwise they are called with the die lock held, from whichever thread
 * entered the core, and must not call back into the same die.
 */
struct vgpu_host_ops {
    /**
     * @map: host pointer for DMA to guest-physical (PCI bus) address @gpa.
     * *@len is the bytes wanted, at most what was asked is returned. NULL when
     * there is no RAM (a bus abort). The pointer stays valid until the
     * embedder has called vgpu_die_guest_remapped().
     */
    void *(*map)(void *opaque, uint64_t gpa, uint64_t *len, bool write);
    /**
     * @topology: what the links of this die reach, by node id; firmware trains
     * the hive from it. Return: false while the die is in no hive. May be
     * NULL for a die without one.
     */
    bool (*topology)(void *opaque, struct vgpu_peer peer[VGPU_MAX_NODES]);
    /**
     * @written: the die wrote @len bytes at @ptr, which came from @map or lies
     * in its VRAM or that of another die of the hive. For dirty tracking.
     */
    void (*written)(void *opaque, void *ptr, uint64_t len);
    /**
     * @kick: work was posted; have some thread call vgpu_die_run() soon.
     * Called from any thread, with or without the die lock; must not block.
     */
    void (*kick)(void *opaque);
    /** @msix: raise MSI-X vector @vector. Called without the die lock. */
    void (*msix)(void *opaque, unsigned vector);
    /** @clock_ns: monotonic time of the machine, nanoseconds. */
    uint64_t (*clock_ns)(void *opaque);
    /** @log: one line without newline; may be NULL. */
    void (*log)(void *opaque, enum vgpu_log_level level, const char *line);
};

/**
 * struct vgpu_die_config - how one die is built; fixed for its life
 */
struct vgpu_die_config {
    const struct vgpu_host_ops *ops;
    void *opaque;
    /** @vram: the die's HBM, owned by the embedder; @vram_size bytes */
    uint8_t *vram;
    uint64_t vram_size;
    /** @hive_id: non-zero for a member of a hive */
    uint64_t hive_id;
    /** @node_id: physical node id in the hive, 0 without one */
    unsigned node_id;
    /** @num_nodes: dies in the hive, 1 without one */
    unsigned num_nodes;
    /** @segment_size: bytes of global address space a node owns; 0: no hive */
    uint64_t segment_size;
    /**
     * @cpu_base: physical address at which the CPU reaches the segment of node
     * 0, as coherent memory; 0: it does not. A multiple of 16 MiB.
     */
    uint64_t cpu_base;
    /** @fabric: of the hive (fabric.h), outlives the die; NULL: no peers */
    struct vgpu_fabric *fabric;
    /** @num_sdma: SDMA engines, 1 to 5 */
    unsigned num_sdma;
    /** @num_cu: compute units that discovery and the shader arrays report */
    unsigned num_cu;
    /** @pm4_type0_stream: type 0 packets run to the end of the IB */
    bool pm4_type0_stream;
};

/**
 * vgpu_die_new() - build a die in its reset state
 * @cfg: copied; the VRAM behind it is not.
 * @err: on failure one sentence that says what is wrong; static storage.
 *
 * Writes the IP discovery binary to the top of VRAM.
 * Return: the die, or NULL for a configuration out of range or no memory.
 */
struct vgpu_die *vgpu_die_new(const struct vgpu_die_config *cfg,
                              const char **err);
void vgpu_die_free(struct vgpu_die *die);

/**
 * vgpu_die_reset() - every block back to its reset values (bus reset, FLR)
 *
 * VRAM is kept, as HBM is across a function reset, but for the discovery
 * binary, which is written anew. Takes the die lock.
 */
void vgpu_die_reset(struct vgpu_die *die);

/**
 * vgpu_mmio_read() / vgpu_mmio_write() - an access to the register BAR
 * @offset: in bytes, below VGPU_MMIO_SIZE
 * @size: 4 (anything else is a counted guest error; reads give ~0)
 *
 * Any thread; takes the die lock.
 */
uint64_t vgpu_mmio_read(struct vgpu_die *die, uint64_t offset, unsigned size);
void vgpu_mmio_write(struct vgpu_die *die, uint64_t offset, uint64_t val,
                     unsigned size);

/**
 * vgpu_doorbell_write() - a store to the doorbell BAR
 * @offset: in bytes, aligned to @size
 * @size: 4 or 8
 *
 * Any thread, lock-free: the value is posted and the die kicked. The newest
 * value of a doorbell wins, as in the hardware's doorbell controller.
 */
void vgpu_doorbell_write(struct vgpu_die *die, uint64_t offset, uint64_t val,
                         unsigned size);

/**
 * vgpu_die_run() - run every runnable queue until none is left
 *
 * Called from the one engine thread of the die (or by a test). Takes the die
 * lock and hands it to MMIO callers between slices.
 * Return: host clock, ns, at which it wants to be called again even without a
 * kick (a parked queue is to be polled), or VGPU_NO_DEADLINE.
 */
uint64_t vgpu_die_run(struct vgpu_die *die);

/**
 * vgpu_die_stop() - no queue runs from now on until vgpu_die_start()
 *
 * Any thread; takes the die lock. A vgpu_die_run() in progress returns soon,
 * and does not touch memory of guest or peers any more when this returns.
 */
void vgpu_die_stop(struct vgpu_die *die);
void vgpu_die_start(struct vgpu_die *die);

/**
 * vgpu_die_guest_remapped() - pointers that @map gave may be stale, or
 * those to memory of peers
 *
 * Takes the die lock, so that on return no engine uses an old pointer.
 */
void vgpu_die_guest_remapped(struct vgpu_die *die);

/**
 * vgpu_die_link_lost() - a link of the die has broken
 * @port: the first of its ports, @num: how many
 *
 * Its error registers tell of it. Takes the die lock.
 */
void vgpu_die_link_lost(struct vgpu_die *die, unsigned port, unsigned num);

/**
 * vgpu_die_state_size() / _save() / _load() - the die's state for migration
 *
 * A versioned blob, VRAM not included; all caches are rebuilt after a load.
 * Load validates everything it uses as an index, length or enum and keeps the
 * state before it when it refuses. Return (load): true when taken.
 */
size_t vgpu_die_state_size(const struct vgpu_die *die);
void vgpu_die_state_save(struct vgpu_die *die, void *buf);
bool vgpu_die_state_load(struct vgpu_die *die, const void *buf, size_t len);

/** struct vgpu_die_stats - counters since the die was made */
struct vgpu_die_stats {
    uint64_t unclaimed_reads;
    uint64_t unclaimed_writes;
    uint64_t bad_accesses;      /* wrong width or alignment */
    uint64_t doorbells;
    uint64_t lost_doorbells;    /* rang where no queue listens */
    uint64_t pm4_packets;
    uint64_t sdma_packets;
    uint64_t faults;
    uint64_t ih_entries;
    uint64_t ih_overflows;
    uint64_t interrupts;
    uint64_t peer_reads;        /* bytes that this die asked others for */
    uint64_t peer_writes;       /* bytes */
};
void vgpu_die_stats(struct vgpu_die *die, struct vgpu_die_stats *out);

#endif
