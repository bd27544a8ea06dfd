/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The xGMI hive: the fabric through which dies reach each other's memory.
 * Documentation/architecture.rst, "The hive".
 */
#ifndef HW_MISC_VGPU_HIVE_H
#define HW_MISC_VGPU_HIVE_H

#include "qom/object.h"
#include "exec/memory.h"

#define TYPE_VGPU_HIVE "vgpu-hive"
OBJECT_DECLARE_SIMPLE_TYPE(VgpuHive, VGPU_HIVE)

#define VGPU_HIVE_MAX_NODES 16

struct vgpu_die;

/**
 * struct VgpuHiveMember - one die as the fabric sees it
 * @die: to tell it when peers come and go
 * @vram: its memory, @ptr and @size what is in it
 */
typedef struct VgpuHiveMember {
    struct vgpu_die *die;
    MemoryRegion *vram;
    uint8_t *ptr;
    uint64_t size;
} VgpuHiveMember;

/** Bytes of the global address space that one node owns. */
uint64_t vgpu_hive_segment(VgpuHive *hive);
/** Nodes the hive was made for. */
unsigned vgpu_hive_nodes(VgpuHive *hive);
/** The hive's 64-bit id, never 0; the same for the same object name. */
uint64_t vgpu_hive_id(VgpuHive *hive);

/** Whether a die of @vram_size bytes may become node @node; with the BQL. */
bool vgpu_hive_check(VgpuHive *hive, unsigned node, uint64_t vram_size,
                     Error **errp);
/** Add a die as node @node, which vgpu_hive_check() has passed. */
void vgpu_hive_join(VgpuHive *hive, unsigned node, VgpuHiveMember *member);
/** Remove it: on return no other die uses a pointer into its memory. */
void vgpu_hive_leave(VgpuHive *hive, unsigned node);

/**
 * Host pointer for a global address, NULL where no node has memory. The caller
 * holds the lock of a die that is a member; that is what makes it safe.
 */
void *vgpu_hive_map(VgpuHive *hive, uint64_t addr, uint64_t *len);
/** The member whose memory @ptr lies in, or NULL; likewise. */
VgpuHiveMember *vgpu_hive_owner(VgpuHive *hive, const void *ptr);

#endif
