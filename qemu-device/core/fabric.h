/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The xGMI fabric of a hive: which die owns which addresses, the links between
 * dies, the way an access takes over them, what it costs and what is counted.
 * Documentation/hive.rst, "The fabric".
 *
 * A fabric is shared by the dies of a hive, each of which runs under a lock of
 * its own. Joining, leaving, breaking and mending a link are for one caller at
 * a time (QEMU: with the BQL), who holds no die's lock; they end by taking the
 * lock of every member, so that on return no engine goes by what was before.
 * Everything else may be called by any thread.
 */
#ifndef VGPU_FABRIC_H
#define VGPU_FABRIC_H

#include "vgpu-core.h"

#define VGPU_FABRIC_MAX_LINKS \
    (VGPU_MAX_NODES * (VGPU_MAX_NODES - 1) / 2)
#define VGPU_FABRIC_MAX_WIDTH 16

struct vgpu_fabric;

/**
 * struct vgpu_fabric_config - how a fabric is built; fixed for its life
 * @nodes: places for dies, 1 to VGPU_MAX_NODES
 * @segment: bytes of the global address space that each node owns, a multiple
 *           of 16 MiB that MC_VM_XGMI_LFB_SIZE can tell
 * @links: "0-1:4,1-2", the nodes and the width (1) of each link; NULL or "":
 *         every node to every other one
 * @latency: of each link, ns
 * @bandwidth: of each link, GB/s a unit of width and direction; 0: without end
 * @trace: called after each access to a peer; may be NULL. Under the lock of
 *         the die that asked, which must not be entered.
 */
struct vgpu_fabric_config {
    unsigned nodes;
    uint64_t segment;
    const char *links;
    uint32_t latency;
    uint32_t bandwidth;
    void (*trace)(void *opaque, unsigned from, unsigned to, bool write,
                  uint64_t bytes, uint64_t ns);
    void *opaque;
};

/**
 * struct vgpu_fabric_link - a link as it is now
 * @node: its ends, the lower number first
 * @width: of it
 * @up: not broken
 * @bytes, @requests: that went over it; [0] from node[0] to node[1]. Data
 *                    counts, in the direction it goes: what a read brings
 *                    comes from the owner.
 */
struct vgpu_fabric_link {
    uint8_t node[2];
    uint8_t width;
    bool up;
    uint64_t bytes[2];
    uint64_t requests[2];
};

/**
 * vgpu_fabric_new() - build a fabric without dies
 * @err: on failure one sentence that says what is wrong
 *
 * Return: the fabric, or NULL for a configuration out of range or no memory.
 */
struct vgpu_fabric *vgpu_fabric_new(const struct vgpu_fabric_config *cfg,
                                    char *err, size_t err_size);
/** No die may be a member any more. */
void vgpu_fabric_free(struct vgpu_fabric *f);

/** Whether a die of @vram_size bytes may join as @node; @err as above. */
bool vgpu_fabric_check(const struct vgpu_fabric *f, unsigned node,
                       uint64_t vram_size, char *err, size_t err_size);
/** Add a die, which vgpu_fabric_check() has passed, with its memory. */
void vgpu_fabric_join(struct vgpu_fabric *f, unsigned node,
                      struct vgpu_die *die, uint8_t *vram, uint64_t vram_size);
/** Remove it: on return nobody has a pointer into its memory. */
void vgpu_fabric_leave(struct vgpu_fabric *f, unsigned node);

unsigned vgpu_fabric_nodes(const struct vgpu_fabric *f);
uint64_t vgpu_fabric_segment(const struct vgpu_fabric *f);
/** Whether a die is there. */
bool vgpu_fabric_present(const struct vgpu_fabric *f, unsigned node);

/* ----------------------------------------------------------------- links */

unsigned vgpu_fabric_num_links(const struct vgpu_fabric *f);
/** Link @i, in the order in which they were given. */
void vgpu_fabric_get_link(const struct vgpu_fabric *f, unsigned i,
                          struct vgpu_fabric_link *l);
/**
 * vgpu_fabric_set_down() - break links, and mend all others
 * @links: as in the configuration, without widths; "": mend all
 * @err: what is wrong with @links; nothing has changed then
 */
bool vgpu_fabric_set_down(struct vgpu_fabric *f, const char *links, char *err,
                          size_t err_size);

/* ---------------------------------------------------------------- routes */

/**
 * vgpu_fabric_hops() - links on the way from one die to another
 *
 * The shortest way over links that are up and dies that are there; of several
 * the one whose next node has the lowest number, from each node on.
 * Return: 0 for the die itself, -1 without a way.
 */
int vgpu_fabric_hops(const struct vgpu_fabric *f, unsigned from, unsigned to);
/** What firmware finds out when it trains; see struct vgpu_peer. */
bool vgpu_fabric_topology(const struct vgpu_fabric *f, unsigned from,
                          struct vgpu_peer peer[VGPU_MAX_NODES]);

/* -------------------------------------------------------------- accesses */

/**
 * vgpu_fabric_map() - memory behind a global address, as seen by a die
 * @from: the die that asks; its caller holds its lock, which makes it safe
 * @len: bytes wanted, on return bytes there are, never more
 *
 * Return: NULL where no memory is, or no way to it.
 */
uint8_t *vgpu_fabric_map(const struct vgpu_fabric *f, unsigned from,
                         uint64_t addr, uint64_t *len);
/** Who owns the memory that @ptr points into; -1: no member. Likewise. */
int vgpu_fabric_owner(const struct vgpu_fabric *f, const void *ptr);

/**
 * vgpu_fabric_poison() - tell the members which memory of a die is poisoned
 * @node: the die, whose lock the caller holds
 * @line: @n addresses in its VRAM, of lines of VGPU_POISON_LINE bytes
 *
 * Replaces what it told before. Whoever reads at this moment may or may not
 * notice.
 */
void vgpu_fabric_poison(struct vgpu_fabric *f, unsigned node,
                        const uint64_t *line, uint32_t n);
/**
 * vgpu_fabric_poisoned() - whether memory of a member is poisoned
 * @ptr: what a die is about to read; its caller holds its lock
 * @len: shortened to what comes before a poisoned line
 *
 * Return: true when the first byte is.
 */
bool vgpu_fabric_poisoned(const struct vgpu_fabric *f, const void *ptr,
                          uint64_t *len);

/** Whether accesses take time. */
bool vgpu_fabric_has_cost(const struct vgpu_fabric *f);
/**
 * vgpu_fabric_access() - count an access, and say when it is over
 * @from: the die that asks; @to: the one that owns the memory
 * @now: host ns at which it begins
 *
 * The bytes go through all links of the way at once, at the pace of the
 * narrowest; a link is busy with what came before. Then each adds its latency.
 * Return: host ns at which it ends, @now if it costs nothing.
 */
uint64_t vgpu_fabric_access(struct vgpu_fabric *f, unsigned from, unsigned to,
                            bool write, uint64_t bytes, uint64_t now);

#endif
