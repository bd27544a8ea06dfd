/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The xGMI hive: the fabric through which dies reach each other's memory, as
 * an object of QEMU. What it does is in core/fabric.c.
 * Documentation/hive.rst, "The fabric".
 */
#ifndef HW_MISC_VGPU_HIVE_H
#define HW_MISC_VGPU_HIVE_H

#include "qom/object.h"
#include "exec/memory.h"

#include "core/fabric.h"

#define TYPE_VGPU_HIVE "vgpu-hive"
OBJECT_DECLARE_SIMPLE_TYPE(VgpuHive, VGPU_HIVE)

/** Links, routes and members; lives as long as the object. */
struct vgpu_fabric *vgpu_hive_fabric(VgpuHive *hive);
/** The hive's 64-bit id, never 0; the same for the same object name. */
uint64_t vgpu_hive_id(VgpuHive *hive);

/** Whether a die of @vram_size bytes may become node @node; with the BQL. */
bool vgpu_hive_check(VgpuHive *hive, unsigned node, uint64_t vram_size,
                     Error **errp);
/** Add a die as node @node, which vgpu_hive_check() has passed. */
void vgpu_hive_join(VgpuHive *hive, unsigned node, struct vgpu_die *die,
                    MemoryRegion *vram);
/** Remove it: on return no other die uses a pointer into its memory. */
void vgpu_hive_leave(VgpuHive *hive, unsigned node);

/**
 * The memory region that @ptr, which points to memory of a member, lies in;
 * NULL: of no member. Under the lock of a die that is one.
 */
MemoryRegion *vgpu_hive_vram(VgpuHive *hive, const void *ptr);

#endif
