/* SPDX-License-Identifier: MIT */
/*
 * Page-table entries of the GFX9 VM.  See Documentation/hardware.rst, "Memory".
 *
 * A virtual address is translated by up to four levels, PDB2, PDB1, PDB0 and PTB, of 64-bit
 * entries.  A directory entry (PDE) holds the address of the next table, or is itself the last
 * translation when VGPU_PDE_PTE is set; a PTE that has VGPU_PTE_TF is walked on as a PDE.
 */
#ifndef _HW_PTE_H
#define _HW_PTE_H

#include <linux/types.h>

#define VGPU_PTE_VALID			(1ULL << 0)
#define VGPU_PTE_SYSTEM			(1ULL << 1)	/* system memory, not VRAM */
#define VGPU_PTE_SNOOPED		(1ULL << 2)
#define VGPU_PTE_TMZ			(1ULL << 3)
#define VGPU_PTE_EXECUTABLE		(1ULL << 4)
#define VGPU_PTE_READABLE		(1ULL << 5)
#define VGPU_PTE_WRITEABLE		(1ULL << 6)
#define VGPU_PTE_FRAG(x)		(((x) & 0x1fULL) << 7)	/* log2 of 4 KiB pages */
#define VGPU_PTE_GET_FRAG(pte)		(((pte) >> 7) & 0x1f)
#define VGPU_PTE_PRT			(1ULL << 51)	/* partially resident: reads 0, drops writes */
#define VGPU_PDE_PTE			(1ULL << 54)
#define VGPU_PTE_LOG			(1ULL << 55)
#define VGPU_PTE_TF			(1ULL << 56)	/* translate further */
#define VGPU_PDE_BFS(x)			((__u64)(x) << 59)	/* log2 of 4 KiB pages a PTE covers */
#define VGPU_PDE_GET_BFS(pde)		((pde) >> 59)

/* Physical address, page aligned; a PDE of the hardware may hold one aligned to 64 bytes */
#define VGPU_PTE_ADDR_MASK		0x0000fffffffff000ULL
#define VGPU_PDE_ADDR_MASK		0x0000ffffffffffc0ULL

/* Memory type, [58:57] */
#define VGPU_PTE_MTYPE_SHIFT(mtype)	((__u64)(mtype) << 57)
#define VGPU_PTE_MTYPE_MASK		VGPU_PTE_MTYPE_SHIFT(3ULL)
#define VGPU_PTE_GET_MTYPE(pte)		(((pte) >> 57) & 3)
#define MTYPE_NC			0	/* not coherent */
#define MTYPE_RW			1	/* cached for reads and writes, local memory */
#define MTYPE_CC			2	/* cache coherent */
#define MTYPE_UC			3	/* uncached */

/* Flags that make the VM fault at once and not retry */
#define VGPU_VM_NORETRY_FLAGS		(VGPU_PTE_EXECUTABLE | VGPU_PDE_PTE | VGPU_PTE_TF)
#define VGPU_VM_NORETRY_FLAGS_TF	(VGPU_PTE_VALID | VGPU_PTE_SYSTEM | VGPU_PTE_PRT)

/* Levels of the walk */
#define VGPU_VM_PDB2			0
#define VGPU_VM_PDB1			1
#define VGPU_VM_PDB0			2
#define VGPU_VM_PTB			3

/* A GPU page, and the contexts of a hub */
#define VGPU_GPU_PAGE_SHIFT		12
#define VGPU_GPU_PAGE_SIZE		(1 << VGPU_GPU_PAGE_SHIFT)
#define VGPU_NUM_VMID			16

/* Entries that one SDMA command can write */
#define VGPU_VM_MAX_UPDATE_SIZE		0x3FFFF

/* The hole: bits 63:48 of a virtual address repeat bit 47 */
#define VGPU_GMC_HOLE_START		0x0000800000000000ULL
#define VGPU_GMC_HOLE_END		0xffff800000000000ULL
#define VGPU_GMC_HOLE_MASK		0x0000ffffffffffffULL

#endif /* _HW_PTE_H */
