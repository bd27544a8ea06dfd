/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Guest memory for the engines: host pointers to what the PCI function may
 * master, with or without an IOMMU in between.
 * Documentation/architecture.rst, "The QEMU side".
 */
#ifndef HW_MISC_VGPU_DMA_H
#define HW_MISC_VGPU_DMA_H

#include "exec/memory.h"
#include "hw/pci/pci_device.h"
#include "qemu/queue.h"
#include "qemu/thread.h"

struct vgpu_die;
typedef struct VgpuRamTable VgpuRamTable;
typedef struct VgpuIommu VgpuIommu;

/**
 * struct VgpuDma - one function's view of guest memory
 * @ram: what is mastered directly; replaced as a whole with the BQL, read
 *       under the die lock
 * @mappings: what an IOMMU maps, iova to Mapping; under @lock, which is taken
 *            last of all
 */
typedef struct VgpuDma {
    PCIDevice *pci;
    struct vgpu_die *die;

    MemoryListener listener;
    bool listening;
    GArray *new_runs;
    bool changed;
    VgpuRamTable *ram;

    QLIST_HEAD(, VgpuIommu) iommus;
    QemuMutex lock;
    GTree *mappings;
    bool iommu_warned;
} VgpuDma;

void vgpu_dma_init(VgpuDma *dma);
void vgpu_dma_destroy(VgpuDma *dma);

/** Start and stop following the function's address space; with the BQL. */
void vgpu_dma_start(VgpuDma *dma, PCIDevice *pci, struct vgpu_die *die);
void vgpu_dma_stop(VgpuDma *dma);

/** As struct vgpu_host_ops has them; under the die lock. */
void *vgpu_dma_map(VgpuDma *dma, uint64_t addr, uint64_t *len, bool write);
void vgpu_dma_written(VgpuDma *dma, void *ptr, uint64_t len);

#endif
