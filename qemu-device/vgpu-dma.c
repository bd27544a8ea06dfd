/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Guest memory for the engines. They want pointers, not a call an access: so
 * this follows the address space that the function masters and keeps a sorted
 * table of the RAM in it; and where an IOMMU translates, the IOMMU's mappings.
 * Documentation/architecture.rst, "The QEMU side".
 *
 * Asking the IOMMU at the time of an access is no way: it may want to raise an
 * interrupt about it, for that take the BQL, and so deadlock with a vCPU that
 * has the BQL and waits for the die. Hence it has to tell us of what it maps,
 * which those of x86 do in "caching mode".
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/atomic.h"
#include "qemu/error-report.h"
#include "qemu/rcu.h"
#include "exec/address-spaces.h"

#include "core/vgpu-core.h"
#include "trace.h"
#include "vgpu-dma.h"

/*
 * A run of RAM in the address space of the function. @cache is QEMU's handle
 * for telling it what was written there.
 */
typedef struct RamRun {
    hwaddr addr;
    hwaddr size;
    uint8_t *host;
    bool readonly;
    MemoryRegion *mr;           /* referenced */
    MemoryRegionCache cache;    /* unless readonly */
} RamRun;

struct VgpuRamTable {
    unsigned num;
    unsigned last_hit;          /* of written(), under the die lock */
    RamRun run[];               /* sorted by address */
};

/* The addresses of one IOMMU region, and how to hear of its mappings. */
struct VgpuIommu {
    VgpuDma *dma;
    IOMMUMemoryRegion *mr;
    hwaddr offset;              /* from its addresses to the function's */
    IOMMUNotifier notifier;
    QLIST_ENTRY(VgpuIommu) next;
};

/* What an IOMMU maps: a run of addresses to a run of RAM. */
typedef struct Mapping {
    hwaddr first;
    hwaddr last;
    uint8_t *host;
    bool readonly;
    MemoryRegion *mr;           /* referenced */
} Mapping;

/* ------------------------------------------------------------ IOMMU */

/* Mappings do not overlap, so those that do are equal as keys. */
static gint mapping_compare(gconstpointer a, gconstpointer b, gpointer data)
{
    const Mapping *ma = a, *mb = b;

    return ma->last < mb->first ? -1 : ma->first > mb->last;
}

static void mapping_free(gpointer data)
{
    Mapping *m = data;

    memory_region_unref(m->mr);
    g_free(m);
}

static void mapping_insert(VgpuDma *dma, hwaddr first, hwaddr last,
                           uint8_t *host, bool readonly, MemoryRegion *mr)
{
    Mapping *m = g_new(Mapping, 1);

    *m = (Mapping) { first, last, host, readonly, mr };
    memory_region_ref(mr);
    g_tree_insert(dma->mappings, m, m);
}

/* Forget a range; what a mapping has outside of it stays. Under dma->lock. */
static bool mapping_remove(VgpuDma *dma, hwaddr first, hwaddr last)
{
    Mapping range = { .first = first, .last = last };
    bool any = false;
    Mapping *m;

    while ((m = g_tree_lookup(dma->mappings, &range))) {
        Mapping old = *m;

        any = true;
        memory_region_ref(old.mr);
        g_tree_remove(dma->mappings, m);
        if (old.first < first) {
            mapping_insert(dma, old.first, first - 1, old.host, old.readonly,
                           old.mr);
        }
        if (old.last > last) {
            mapping_insert(dma, last + 1, old.last,
                           old.host + (last + 1 - old.first), old.readonly,
                           old.mr);
        }
        memory_region_unref(old.mr);
    }
    return any;
}

/*
 * RAM behind what the IOMMU says, piece by piece: a large page of it may cover
 * several regions. Nothing for device memory. Inside RCU.
 */
static void mapping_add(VgpuDma *dma, const IOMMUTLBEntry *entry, hwaddr first,
                        hwaddr last)
{
    hwaddr at = first;

    for (;;) {
        hwaddr xlat, len = last - at + 1;
        MemoryRegion *mr = address_space_translate(
            entry->target_as, entry->translated_addr + (at - first), &xlat,
            &len, false, MEMTXATTRS_UNSPECIFIED);

        if (memory_region_is_ram(mr) && !memory_region_is_ram_device(mr)) {
            mapping_insert(dma, at, at + len - 1,
                           (uint8_t *)memory_region_get_ram_ptr(mr) + xlat,
                           !(entry->perm & IOMMU_WO) || mr->readonly ||
                           mr->rom_device, mr);
        }
        if (!len || len > last - at) {
            return;
        }
        at += len;
    }
}

/* A vCPU had the IOMMU change something: with the BQL. */
static void iommu_notify(IOMMUNotifier *n, IOMMUTLBEntry *entry)
{
    VgpuIommu *iommu = container_of(n, VgpuIommu, notifier);
    VgpuDma *dma = iommu->dma;
    hwaddr first = entry->iova + iommu->offset;
    hwaddr last = first + entry->addr_mask;
    bool removed;

    if (last < first) {
        last = HWADDR_MAX;
    }
    WITH_QEMU_LOCK_GUARD(&dma->lock) {
        RCU_READ_LOCK_GUARD();
        removed = mapping_remove(dma, first, last);
        if (entry->perm & IOMMU_RO) {
            mapping_add(dma, entry, first, last);
        }
    }
    if (removed) {
        vgpu_die_guest_remapped(dma->die);
    }
}

static void iommu_add(VgpuDma *dma, MemoryRegionSection *section)
{
    VgpuIommu *iommu = g_new0(VgpuIommu, 1);
    hwaddr start = section->offset_within_region;
    hwaddr end = start + int128_get64(int128_sub(section->size, int128_one()));
    Error *err = NULL;

    iommu->dma = dma;
    iommu->mr = IOMMU_MEMORY_REGION(section->mr);
    iommu->offset = section->offset_within_address_space - start;
    iommu_notifier_init(&iommu->notifier, iommu_notify,
                        IOMMU_NOTIFIER_IOTLB_EVENTS, start, end,
                        memory_region_iommu_attrs_to_index(iommu->mr,
                            MEMTXATTRS_UNSPECIFIED));
    if (memory_region_register_iommu_notifier(section->mr, &iommu->notifier,
                                              &err)) {
        /* Then the engines find no memory at all, and fault. */
        if (!dma->iommu_warned) {
            dma->iommu_warned = true;
            warn_reportf_err(err, "vgpu cannot follow the IOMMU, DMA fails: ");
        } else {
            error_free(err);
        }
        g_free(iommu);
        return;
    }
    QLIST_INSERT_HEAD(&dma->iommus, iommu, next);
    memory_region_iommu_replay(iommu->mr, &iommu->notifier);
}

static void iommu_remove(VgpuIommu *iommu)
{
    VgpuDma *dma = iommu->dma;

    memory_region_unregister_iommu_notifier(MEMORY_REGION(iommu->mr),
                                            &iommu->notifier);
    WITH_QEMU_LOCK_GUARD(&dma->lock) {
        mapping_remove(dma, iommu->notifier.start + iommu->offset,
                       iommu->notifier.end + iommu->offset);
    }
    QLIST_REMOVE(iommu, next);
    g_free(iommu);
    vgpu_die_guest_remapped(dma->die);
}

static void iommu_del(VgpuDma *dma, MemoryRegionSection *section)
{
    VgpuIommu *iommu, *next;

    QLIST_FOREACH_SAFE(iommu, &dma->iommus, next, next) {
        if (MEMORY_REGION(iommu->mr) == section->mr &&
            iommu->notifier.start == section->offset_within_region) {
            iommu_remove(iommu);
        }
    }
}

static void *iommu_map(VgpuDma *dma, uint64_t addr, uint64_t *len, bool write)
{
    Mapping key = { .first = addr, .last = addr };
    Mapping *m;

    QEMU_LOCK_GUARD(&dma->lock);
    m = g_tree_lookup(dma->mappings, &key);
    if (!m || (write && m->readonly)) {
        return NULL;
    }
    *len = MIN(*len, m->last - addr + 1);
    return m->host + (addr - m->first);
}

/* -------------------------------------------------------------------- RAM */

static void ram_table_free(VgpuRamTable *t)
{
    unsigned i;

    for (i = 0; t && i < t->num; i++) {
        if (!t->run[i].readonly) {
            address_space_cache_destroy(&t->run[i].cache);
        }
        memory_region_unref(t->run[i].mr);
    }
    g_free(t);
}

/* Publish @t; on return no engine uses a pointer from the table before it. */
static void ram_publish(VgpuDma *dma, VgpuRamTable *t)
{
    VgpuRamTable *old = dma->ram;

    qatomic_set(&dma->ram, t);
    vgpu_die_guest_remapped(dma->die);
    ram_table_free(old);
}

static void listener_begin(MemoryListener *listener)
{
    VgpuDma *dma = container_of(listener, VgpuDma, listener);

    g_array_set_size(dma->new_runs, 0);
    dma->changed = false;
}

/* Of what the device masters only plain memory can be had by a pointer. */
static void listener_nop(MemoryListener *listener, MemoryRegionSection *section)
{
    VgpuDma *dma = container_of(listener, VgpuDma, listener);

    dma->changed = true;
    if (memory_region_is_ram(section->mr) &&
        !memory_region_is_ram_device(section->mr)) {
        g_array_append_val(dma->new_runs, *section);
    }
}

static void listener_add(MemoryListener *listener, MemoryRegionSection *section)
{
    VgpuDma *dma = container_of(listener, VgpuDma, listener);

    listener_nop(listener, section);
    if (memory_region_is_iommu(section->mr)) {
        iommu_add(dma, section);
    }
}

static void listener_del(MemoryListener *listener, MemoryRegionSection *section)
{
    VgpuDma *dma = container_of(listener, VgpuDma, listener);

    dma->changed = true;
    if (memory_region_is_iommu(section->mr)) {
        iommu_del(dma, section);
    }
}

static gint section_compare(gconstpointer a, gconstpointer b)
{
    const MemoryRegionSection *sa = a, *sb = b;

    return sa->offset_within_address_space < sb->offset_within_address_space ?
           -1 : 1;
}

static void run_init(VgpuDma *dma, RamRun *r, MemoryRegionSection *section)
{
    r->addr = section->offset_within_address_space;
    r->size = int128_get64(section->size);
    r->host = (uint8_t *)memory_region_get_ram_ptr(section->mr) +
              section->offset_within_region;
    r->readonly = section->readonly || section->mr->rom_device;
    r->mr = section->mr;
    memory_region_ref(r->mr);
    if (!r->readonly &&
        (address_space_cache_init(&r->cache, pci_get_address_space(dma->pci),
                                  r->addr, r->size, true) < (int64_t)r->size ||
         !r->cache.ptr)) {
        /* Not what the section promised: then only for reading. */
        address_space_cache_destroy(&r->cache);
        r->readonly = true;
    }
    trace_vgpu_ram(dma->pci->name, r->addr, r->size, r->readonly);
}

static void listener_commit(MemoryListener *listener)
{
    VgpuDma *dma = container_of(listener, VgpuDma, listener);
    VgpuRamTable *t;
    unsigned i;

    if (!dma->changed) {
        return;
    }
    g_array_sort(dma->new_runs, section_compare);
    t = g_malloc0(sizeof(*t) + dma->new_runs->len * sizeof(t->run[0]));
    t->num = dma->new_runs->len;
    for (i = 0; i < t->num; i++) {
        run_init(dma, &t->run[i],
                 &g_array_index(dma->new_runs, MemoryRegionSection, i));
    }
    ram_publish(dma, t);
}

static RamRun *ram_find(VgpuRamTable *t, hwaddr addr)
{
    unsigned lo = 0, hi = t ? t->num : 0;

    while (lo < hi) {
        unsigned mid = lo + (hi - lo) / 2;
        RamRun *r = &t->run[mid];

        if (addr < r->addr) {
            hi = mid;
        } else if (addr - r->addr >= r->size) {
            lo = mid + 1;
        } else {
            return r;
        }
    }
    return NULL;
}

/* ------------------------------------------------------------ for the die */

void *vgpu_dma_map(VgpuDma *dma, uint64_t addr, uint64_t *len, bool write)
{
    RamRun *r = ram_find(qatomic_read(&dma->ram), addr);

    if (!r) {
        return iommu_map(dma, addr, len, write);
    }
    if (write && r->readonly) {
        return NULL;
    }
    *len = MIN(*len, r->size - (addr - r->addr));
    return r->host + (addr - r->addr);
}

/* Memory that an IOMMU mapped; QEMU finds out what it is. */
static void written_behind_iommu(void *ptr, uint64_t len)
{
    MemoryRegion *mr;
    ram_addr_t offset;

    RCU_READ_LOCK_GUARD();
    mr = memory_region_from_host(ptr, &offset);
    if (mr) {
        /* Marks dirty, drops translated code, and drops this reference. */
        memory_region_ref(mr);
        address_space_unmap(&address_space_memory, ptr, len, true, len);
    }
}

void vgpu_dma_written(VgpuDma *dma, void *ptr, uint64_t len)
{
    VgpuRamTable *t = qatomic_read(&dma->ram);
    uint8_t *p = ptr;
    unsigned i, n;

    for (i = 0; t && i < t->num; i++) {
        RamRun *r;

        n = (t->last_hit + i) % t->num;
        r = &t->run[n];
        if (!r->readonly && p >= r->host &&
            (uint64_t)(p - r->host) < r->size) {
            t->last_hit = n;
            address_space_cache_invalidate(&r->cache, p - r->host, len);
            return;
        }
    }
    written_behind_iommu(ptr, len);
}

void vgpu_dma_init(VgpuDma *dma)
{
    dma->new_runs = g_array_new(false, false, sizeof(MemoryRegionSection));
    dma->mappings = g_tree_new_full(mapping_compare, NULL, NULL,
                                    mapping_free);
    qemu_mutex_init(&dma->lock);
    QLIST_INIT(&dma->iommus);
}

void vgpu_dma_destroy(VgpuDma *dma)
{
    g_array_free(dma->new_runs, true);
    g_tree_destroy(dma->mappings);
    qemu_mutex_destroy(&dma->lock);
}

void vgpu_dma_start(VgpuDma *dma, PCIDevice *pci, struct vgpu_die *die)
{
    dma->pci = pci;
    dma->die = die;
    dma->listener = (MemoryListener) {
        .name = "vgpu",
        .begin = listener_begin,
        .region_add = listener_add,
        .region_nop = listener_nop,
        .region_del = listener_del,
        .commit = listener_commit,
    };
    memory_listener_register(&dma->listener, pci_get_address_space(pci));
    dma->listening = true;
}

void vgpu_dma_stop(VgpuDma *dma)
{
    if (!dma->listening) {
        return;
    }
    /* Has region_del called for each section, and so ends the IOMMUs. */
    memory_listener_unregister(&dma->listener);
    dma->listening = false;
    ram_publish(dma, NULL);
}
