/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One die as a PCI Express function: BARs, MSI-X, properties, the engine
 * thread, reset and migration. What the die does is in core/.
 * Documentation/architecture.rst, "The QEMU side".
 *
 * Threads and locks. The core has one lock a die, which serves in order of
 * arrival. A vCPU may hold the BQL when it takes it; whoever holds it never
 * takes the BQL. The engine thread raises MSI-X with the BQL and without the
 * die lock. So whoever has the BQL may wait for a slice of the engine to end
 * (vgpu_die_stop()), but not for the thread. Nor may it let go of the BQL to
 * do that: in the middle of an unplug a vCPU would find a function on its bus
 * that is half gone.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "qemu/error-report.h"
#include "qemu/event_notifier.h"
#include "qemu/log.h"
#include "qemu/main-loop.h"
#include "qemu/module.h"
#include "qemu/rcu.h"
#include "qemu/timer.h"
#include "qemu/units.h"
#include "exec/address-spaces.h"
#include "hw/pci/msix.h"
#include "hw/pci/pci_device.h"
#include "hw/pci/pcie.h"
#include "hw/qdev-properties.h"
#include "hw/resettable.h"
#include "migration/vmstate.h"
#include "system/runstate.h"
#include "trace.h"

#include "core/vgpu-core.h"
#include "hive.h"
#include "vgpu-dma.h"
#include <hw/pci.h>
#include <hw/reg/vgpu.h>

#define TYPE_VGPU_PCI "vgpu"
OBJECT_DECLARE_SIMPLE_TYPE(VgpuPci, VGPU_PCI)

#define VRAM_MIN            (16 * MiB)
#define VRAM_MAX            (1 * TiB)
#define PCIE_CAP_OFFSET     0x80
#define REVISION            1
/* Where firmware puts the memory of dies that are connected to the CPU. */
#define CPU_BASE            (256 * GiB)
#define CLASS_ACCELERATOR   0x1200  /* PCI: processing accelerator */

struct VgpuPci {
    PCIDevice parent_obj;

    /* Properties. */
    VgpuHive *hive;
    uint32_t node;
    uint64_t vram_size;
    uint64_t vram_bar_size;
    char *pm4_type0;
    uint32_t num_sdma;
    uint32_t num_cu;
    bool amd_ids;
    bool connected_to_cpu;

    MemoryRegion vram;
    uint8_t *vram_ptr;
    MemoryRegion vram_bar;
    MemoryRegion cpu_view;      /* of the VRAM, in system memory */
    MemoryRegion doorbells;
    MemoryRegion mmio;

    struct vgpu_die *die;
    bool joined;

    VgpuDma dma;

    /* The engine thread. */
    bool engine_started;
    EventNotifier wake;
    bool wake_ready;
    bool quit;                  /* atomic */
    VMChangeStateEntry *vmstate_change;

    /* Migration. */
    uint8_t *state;
    uint32_t state_len;
};

static const char *name_of(VgpuPci *s)
{
    DeviceState *dev = DEVICE(s);

    return dev->id ? dev->id : TYPE_VGPU_PCI;
}

/* ---------------------------------------------------------------- memory */

static void *host_map(void *opaque, uint64_t gpa, uint64_t *len, bool write)
{
    VgpuPci *s = opaque;

    return vgpu_dma_map(&s->dma, gpa, len, write);
}

static bool host_topology(void *opaque, struct vgpu_peer peer[VGPU_MAX_NODES])
{
    VgpuPci *s = opaque;

    return s->hive && vgpu_fabric_topology(vgpu_hive_fabric(s->hive), s->node,
                                           peer);
}

/*
 * Guests do not run code from VRAM, and nothing displays it: its dirty bits
 * matter to migration only.
 */
static void vram_written(MemoryRegion *vram, uint64_t offset, uint64_t len)
{
    if (memory_region_is_logging(vram, DIRTY_MEMORY_MIGRATION)) {
        memory_region_set_dirty(vram, offset, len);
    }
}

static void host_written(void *opaque, void *ptr, uint64_t len)
{
    VgpuPci *s = opaque;
    uint8_t *p = ptr;
    MemoryRegion *peer;

    if (p >= s->vram_ptr && p < s->vram_ptr + s->vram_size) {
        vram_written(&s->vram, p - s->vram_ptr, len);
        return;
    }
    peer = s->hive ? vgpu_hive_vram(s->hive, p) : NULL;
    if (peer) {
        vram_written(peer, p - (uint8_t *)memory_region_get_ram_ptr(peer),
                     len);
        return;
    }
    vgpu_dma_written(&s->dma, p, len);
}

/* --------------------------------------------------------- engine thread */

static void host_kick(void *opaque)
{
    VgpuPci *s = opaque;

    event_notifier_set(&s->wake);
}

static uint64_t host_clock(void *opaque)
{
    return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

static void host_msix(void *opaque, unsigned vector)
{
    VgpuPci *s = opaque;
    PCIDevice *pci = PCI_DEVICE(s);

    BQL_LOCK_GUARD();
    trace_vgpu_irq(name_of(s), vector);
    if (msix_enabled(pci)) {
        msix_notify(pci, vector);
    }
}

static void host_log(void *opaque, enum vgpu_log_level level, const char *line)
{
    VgpuPci *s = opaque;

    switch (level) {
    case VGPU_LOG_GUEST_ERROR:
        trace_vgpu_guest_error(name_of(s), line);
        qemu_log_mask(LOG_GUEST_ERROR, "%s: %s\n", name_of(s), line);
        break;
    case VGPU_LOG_UNCLAIMED:
        trace_vgpu_unclaimed(name_of(s), line);
        qemu_log_mask(LOG_UNIMP, "%s: %s\n", name_of(s), line);
        break;
    case VGPU_LOG_INFO:
        trace_vgpu_info(name_of(s), line);
        break;
    }
}

static const struct vgpu_host_ops host_ops = {
    .map = host_map,
    .topology = host_topology,
    .written = host_written,
    .kick = host_kick,
    .msix = host_msix,
    .clock_ns = host_clock,
    .log = host_log,
};

static void engine_wait(VgpuPci *s, uint64_t deadline)
{
    GPollFD pfd = {
        .fd = event_notifier_get_fd(&s->wake),
        .events = G_IO_IN,
    };
    int64_t timeout = -1;

    if (deadline != VGPU_NO_DEADLINE) {
        timeout = MAX(0, (int64_t)(deadline - host_clock(s)));
    }
    qemu_poll_ns(&pfd, 1, timeout);
    event_notifier_test_and_clear(&s->wake);
}

/*
 * The thread has a reference to the device, and drops it as the last thing it
 * does: nobody waits for it to end.
 */
static void *engine_thread(void *opaque)
{
    VgpuPci *s = opaque;

    rcu_register_thread();
    while (!qatomic_read(&s->quit)) {
        engine_wait(s, vgpu_die_run(s->die));
    }
    bql_lock();
    object_unref(OBJECT(s));
    bql_unlock();
    rcu_unregister_thread();
    return NULL;
}

static void engine_start(VgpuPci *s)
{
    QemuThread thread;

    if (!runstate_is_running()) {
        vgpu_die_stop(s->die);
    }
    object_ref(OBJECT(s));
    s->engine_started = true;
    qemu_thread_create(&thread, "vgpu", engine_thread, s,
                       QEMU_THREAD_DETACHED);
}

static void engine_quit(VgpuPci *s)
{
    if (s->engine_started) {
        trace_vgpu_engine(name_of(s), "quit");
        vgpu_die_stop(s->die);
        qatomic_set(&s->quit, true);
        event_notifier_set(&s->wake);
    }
}

/* Time stands still for the guest, so it does for the engines. */
static void vm_state_changed(void *opaque, bool running, RunState state)
{
    VgpuPci *s = opaque;

    trace_vgpu_engine(name_of(s), running ? "resume" : "pause");
    if (running) {
        vgpu_die_start(s->die);
    } else {
        vgpu_die_stop(s->die);
    }
}

/* ------------------------------------------------------------------ BARs */

static uint64_t mmio_read(void *opaque, hwaddr offset, unsigned size)
{
    VgpuPci *s = opaque;
    uint64_t val = vgpu_mmio_read(s->die, offset, size);

    trace_vgpu_mmio_read(name_of(s), offset, size, val);
    return val;
}

static void mmio_write(void *opaque, hwaddr offset, uint64_t val,
                       unsigned size)
{
    VgpuPci *s = opaque;

    trace_vgpu_mmio_write(name_of(s), offset, size, val);
    vgpu_mmio_write(s->die, offset, val, size);
}

/* Doorbells are for writing; what hardware returns is not documented. */
static uint64_t doorbell_read(void *opaque, hwaddr offset, unsigned size)
{
    return 0;
}

static void doorbell_write(void *opaque, hwaddr offset, uint64_t val,
                           unsigned size)
{
    VgpuPci *s = opaque;

    trace_vgpu_doorbell(name_of(s), offset, size, val);
    vgpu_doorbell_write(s->die, offset, val, size);
}

/* The core sees every width: it counts those that hardware does not take. */
static const MemoryRegionOps mmio_ops = {
    .read = mmio_read,
    .write = mmio_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 8, .unaligned = true },
    .impl = { .min_access_size = 1, .max_access_size = 8, .unaligned = true },
};

static const MemoryRegionOps doorbell_ops = {
    .read = doorbell_read,
    .write = doorbell_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 8, .unaligned = true },
    .impl = { .min_access_size = 1, .max_access_size = 8, .unaligned = true },
};

/* ------------------------------------------------------------ properties */

static bool check_properties(VgpuPci *s, bool *stream, Error **errp)
{
    if (s->vram_size < VRAM_MIN || s->vram_size > VRAM_MAX ||
        s->vram_size % MiB) {
        error_setg(errp, "vram must be 16M to 1T, in whole MiB");
        return false;
    }
    if (!s->vram_bar_size) {
        s->vram_bar_size = pow2floor(s->vram_size);
    }
    if (!is_power_of_2(s->vram_bar_size) || s->vram_bar_size < MiB ||
        s->vram_bar_size > s->vram_size) {
        error_setg(errp,
                   "vram-bar must be a power of two from 1M to the size of "
                   "vram");
        return false;
    }
    if (s->num_sdma < 1 || s->num_sdma > 5) {
        error_setg(errp, "sdma must be 1 to 5");
        return false;
    }
    if (s->num_cu < 1 || s->num_cu > 128) {
        error_setg(errp, "cu must be 1 to 128");
        return false;
    }
    if (!s->pm4_type0 || !strcmp(s->pm4_type0, "packet")) {
        *stream = false;
    } else if (!strcmp(s->pm4_type0, "stream")) {
        *stream = true;
    } else {
        error_setg(errp, "pm4-type0 must be 'packet' or 'stream', not '%s'",
                   s->pm4_type0);
        return false;
    }
    if (s->hive) {
        return vgpu_hive_check(s->hive, s->node, s->vram_size, errp);
    }
    if (s->node) {
        error_setg(errp, "node needs a hive: -object vgpu-hive,id=h0 and "
                   "hive=h0");
        return false;
    }
    return true;
}

/* ------------------------------------------------------------------ life */

static void vgpu_pci_unwind(VgpuPci *s)
{
    PCIDevice *pci = PCI_DEVICE(s);

    if (s->vmstate_change) {
        qemu_del_vm_change_state_handler(s->vmstate_change);
        s->vmstate_change = NULL;
    }
    engine_quit(s);
    if (s->joined) {
        vgpu_hive_leave(s->hive, s->node);
        s->joined = false;
    }
    vgpu_dma_stop(&s->dma);
    if (s->cpu_view.container) {
        memory_region_del_subregion(get_system_memory(), &s->cpu_view);
    }
    if (s->vram.ram_block) {
        vmstate_unregister_ram(&s->vram, DEVICE(s));
    }
    if (msix_present(pci)) {
        msix_unuse_all_vectors(pci);
        msix_uninit_exclusive_bar(pci);
    }
    if (pci->exp.exp_cap) {
        pcie_cap_exit(pci);
        pci->exp.exp_cap = 0;
    }
}

static void vgpu_pci_exit(PCIDevice *pci)
{
    vgpu_pci_unwind(VGPU_PCI(pci));
}

static bool create_die(VgpuPci *s, bool stream, Error **errp)
{
    struct vgpu_die_config cfg = {
        .ops = &host_ops,
        .opaque = s,
        .vram = s->vram_ptr,
        .vram_size = s->vram_size,
        .num_nodes = 1,
        .num_sdma = s->num_sdma,
        .num_cu = s->num_cu,
        .cpu_base = s->connected_to_cpu ? CPU_BASE : 0,
        .pm4_type0_stream = stream,
    };
    const char *err = NULL;

    if (s->hive) {
        cfg.hive_id = vgpu_hive_id(s->hive);
        cfg.node_id = s->node;
        cfg.fabric = vgpu_hive_fabric(s->hive);
        cfg.num_nodes = vgpu_fabric_nodes(cfg.fabric);
        cfg.segment_size = vgpu_fabric_segment(cfg.fabric);
    }
    s->die = vgpu_die_new(&cfg, &err);
    if (!s->die) {
        error_setg(errp, "%s", err);
        return false;
    }
    return true;
}

static bool init_function(VgpuPci *s, Error **errp)
{
    PCIDevice *pci = PCI_DEVICE(s);
    unsigned i;

    if (!pci_bus_is_express(pci_get_bus(pci))) {
        error_setg(errp, "a vgpu needs a PCI Express slot");
        return false;
    }
    if (pcie_endpoint_cap_init(pci, PCIE_CAP_OFFSET) < 0) {
        error_setg(errp, "no room for the PCI Express capability");
        return false;
    }
    pcie_cap_flr_init(pci);
    pcie_cap_deverr_init(pci);
    if (msix_init_exclusive_bar(pci, VGPU_MSIX_VECTORS, VGPU_BAR_MSIX, errp)) {
        return false;
    }
    for (i = 0; i < VGPU_MSIX_VECTORS; i++) {
        msix_vector_use(pci, i);
    }
    if (s->amd_ids) {
        pci_config_set_vendor_id(pci->config, VGPU_PCI_VENDOR_ID_AMD);
        pci_config_set_device_id(pci->config, VGPU_PCI_DEVICE_ID_MI250X);
        pci_config_set_class(pci->config, PCI_CLASS_DISPLAY_OTHER);
    }
    return true;
}

static void init_bars(VgpuPci *s)
{
    PCIDevice *pci = PCI_DEVICE(s);

    memory_region_init_alias(&s->vram_bar, OBJECT(s), "vgpu.vram-bar",
                             &s->vram, 0, s->vram_bar_size);
    pci_register_bar(pci, VGPU_BAR_VRAM, PCI_BASE_ADDRESS_SPACE_MEMORY |
                     PCI_BASE_ADDRESS_MEM_TYPE_64 |
                     PCI_BASE_ADDRESS_MEM_PREFETCH, &s->vram_bar);
    memory_region_init_io(&s->doorbells, OBJECT(s), &doorbell_ops, s,
                          "vgpu.doorbells", VGPU_DOORBELL_SIZE);
    pci_register_bar(pci, VGPU_BAR_DOORBELL, PCI_BASE_ADDRESS_SPACE_MEMORY |
                     PCI_BASE_ADDRESS_MEM_TYPE_64 |
                     PCI_BASE_ADDRESS_MEM_PREFETCH, &s->doorbells);
    memory_region_init_io(&s->mmio, OBJECT(s), &mmio_ops, s, "vgpu.mmio",
                          VGPU_MMIO_SIZE);
    pci_register_bar(pci, VGPU_BAR_MMIO, PCI_BASE_ADDRESS_SPACE_MEMORY,
                     &s->mmio);
}

/* Coherent memory of the machine, beside the BAR. */
static bool init_cpu_view(VgpuPci *s, Error **errp)
{
    uint64_t base = CPU_BASE;
    MemoryRegionSection there;

    if (!s->connected_to_cpu) {
        return true;
    }
    if (s->hive) {
        base += s->node * vgpu_fabric_segment(vgpu_hive_fabric(s->hive));
    }
    there = memory_region_find(get_system_memory(), base, s->vram_size);
    if (there.mr) {
        memory_region_unref(there.mr);
        error_setg(errp, "connected-to-cpu: the memory at 0x%" PRIx64
                   " is somebody else's", base);
        return false;
    }
    memory_region_init_alias(&s->cpu_view, OBJECT(s), "vgpu.cpu-view",
                             &s->vram, 0, s->vram_size);
    memory_region_add_subregion(get_system_memory(), base, &s->cpu_view);
    return true;
}

static void vgpu_pci_realize(PCIDevice *pci, Error **errp)
{
    VgpuPci *s = VGPU_PCI(pci);
    bool stream = false;

    if (!check_properties(s, &stream, errp)) {
        return;
    }
    if (!memory_region_init_ram_flags_nomigrate(&s->vram, OBJECT(s),
                                                "vgpu.vram", s->vram_size,
                                                RAM_NORESERVE, errp)) {
        return;
    }
    s->vram_ptr = memory_region_get_ram_ptr(&s->vram);
    vmstate_register_ram(&s->vram, DEVICE(s));

    if (event_notifier_init(&s->wake, false) < 0) {
        error_setg(errp, "no event notifier for the engine");
        goto fail;
    }
    s->wake_ready = true;
    if (!create_die(s, stream, errp) || !init_function(s, errp) ||
        !init_cpu_view(s, errp)) {
        goto fail;
    }
    init_bars(s);

    vgpu_dma_start(&s->dma, pci, s->die);
    if (s->hive) {
        vgpu_hive_join(s->hive, s->node, s->die, &s->vram);
        s->joined = true;
    }
    engine_start(s);
    s->vmstate_change = qdev_add_vm_change_state_handler(DEVICE(s),
                                                         vm_state_changed, s);
    return;

fail:
    vgpu_pci_unwind(s);
}

static void vgpu_pci_init(Object *obj)
{
    VgpuPci *s = VGPU_PCI(obj);

    vgpu_dma_init(&s->dma);
    PCI_DEVICE(obj)->cap_present |= QEMU_PCI_CAP_EXPRESS;
}

/*
 * Only here, when no memory region of ours is in any flat view any more, is it
 * sure that no vCPU is inside one of our handlers.
 */
static void vgpu_pci_finalize(Object *obj)
{
    VgpuPci *s = VGPU_PCI(obj);

    vgpu_die_free(s->die);
    if (s->wake_ready) {
        event_notifier_cleanup(&s->wake);
    }
    vgpu_dma_destroy(&s->dma);
    g_free(s->state);
}

static void vgpu_pci_reset_hold(Object *obj, ResetType type)
{
    VgpuPci *s = VGPU_PCI(obj);

    trace_vgpu_reset(name_of(s));
    vgpu_die_reset(s->die);
}

static void vgpu_pci_config_write(PCIDevice *pci, uint32_t addr, uint32_t val,
                                  int len)
{
    pci_default_write_config(pci, addr, val, len);
    pcie_cap_flr_write_config(pci, addr, val, len);
}

/* ------------------------------------------------------------- migration */

static void state_alloc(VgpuPci *s)
{
    g_free(s->state);
    s->state_len = vgpu_die_state_size(s->die);
    s->state = g_malloc0(s->state_len);
}

static int vgpu_pre_save(void *opaque)
{
    VgpuPci *s = opaque;

    state_alloc(s);
    vgpu_die_state_save(s->die, s->state);
    return 0;
}

static int vgpu_post_save(void *opaque)
{
    VgpuPci *s = opaque;

    g_clear_pointer(&s->state, g_free);
    return 0;
}

static int vgpu_pre_load(void *opaque)
{
    state_alloc(opaque);
    return 0;
}

static int vgpu_post_load(void *opaque, int version_id)
{
    VgpuPci *s = opaque;
    bool ok = vgpu_die_state_load(s->die, s->state, s->state_len);

    g_clear_pointer(&s->state, g_free);
    if (!ok) {
        error_report("%s: the state of the die does not fit this one",
                     name_of(s));
        return -EINVAL;
    }
    return 0;
}

static const VMStateDescription vgpu_vmstate = {
    .name = TYPE_VGPU_PCI,
    .version_id = 1,
    .minimum_version_id = 1,
    .pre_save = vgpu_pre_save,
    .post_save = vgpu_post_save,
    .pre_load = vgpu_pre_load,
    .post_load = vgpu_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_PCI_DEVICE(parent_obj, VgpuPci),
        VMSTATE_MSIX(parent_obj, VgpuPci),
        VMSTATE_UINT32_EQUAL(state_len, VgpuPci,
                             "the die's state has another size"),
        VMSTATE_VBUFFER_UINT32(state, VgpuPci, 0, NULL, state_len),
        VMSTATE_END_OF_LIST()
    }
};

/* ------------------------------------------------------------------ type */

static const Property vgpu_properties[] = {
    DEFINE_PROP_LINK("hive", VgpuPci, hive, TYPE_VGPU_HIVE, VgpuHive *),
    DEFINE_PROP_UINT32("node", VgpuPci, node, 0),
    DEFINE_PROP_SIZE("vram", VgpuPci, vram_size, 256 * MiB),
    DEFINE_PROP_SIZE("vram-bar", VgpuPci, vram_bar_size, 0),
    DEFINE_PROP_STRING("pm4-type0", VgpuPci, pm4_type0),
    DEFINE_PROP_UINT32("sdma", VgpuPci, num_sdma, 5),
    DEFINE_PROP_UINT32("cu", VgpuPci, num_cu, 110),
    DEFINE_PROP_BOOL("amd-ids", VgpuPci, amd_ids, false),
    DEFINE_PROP_BOOL("connected-to-cpu", VgpuPci, connected_to_cpu, false),
};

/* Fault injection: a register of the emulator's own, from outside the guest. */
static void get_stuck(Object *obj, Visitor *v, const char *name, void *opaque,
                      Error **errp)
{
    VgpuPci *s = VGPU_PCI(obj);
    uint32_t bits = s->die ? vgpu_mmio_read(s->die, VGPU_DBG_STUCK * 4, 4) : 0;

    visit_type_uint32(v, name, &bits, errp);
}

static void set_stuck(Object *obj, Visitor *v, const char *name, void *opaque,
                      Error **errp)
{
    VgpuPci *s = VGPU_PCI(obj);
    uint32_t bits;

    if (!visit_type_uint32(v, name, &bits, errp)) {
        return;
    }
    if (!s->die) {
        error_setg(errp, "only engines of a die that is there get stuck");
        return;
    }
    vgpu_mmio_write(s->die, VGPU_DBG_STUCK * 4, bits, 4);
}

static void vgpu_pci_class_init(ObjectClass *oc, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);
    PCIDeviceClass *pc = PCI_DEVICE_CLASS(oc);
    ResettableClass *rc = RESETTABLE_CLASS(oc);

    pc->realize = vgpu_pci_realize;
    pc->exit = vgpu_pci_exit;
    pc->config_write = vgpu_pci_config_write;
    pc->vendor_id = VGPU_PCI_VENDOR_ID;
    pc->device_id = VGPU_PCI_DEVICE_ID;
    pc->revision = REVISION;
    pc->class_id = CLASS_ACCELERATOR;
    rc->phases.hold = vgpu_pci_reset_hold;
    dc->desc = "One die of an emulated MI250X";
    dc->vmsd = &vgpu_vmstate;
    set_bit(DEVICE_CATEGORY_DISPLAY, dc->categories);
    device_class_set_props(dc, vgpu_properties);

    object_class_property_add(oc, "stuck", "uint32", get_stuck, set_stuck,
                              NULL, NULL);
    object_class_property_set_description(oc, "stuck",
        "fault injection while the machine runs: engines that only a reset "
        "of the die gets to run again; 1: graphics, 2, 4, ...: SDMA, 64: PSP, "
        "128: SMU");
    object_class_property_set_description(oc, "hive",
        "vgpu-hive object of which the die is a member");
    object_class_property_set_description(oc, "node",
        "physical node id in the hive");
    object_class_property_set_description(oc, "vram", "size of the HBM");
    object_class_property_set_description(oc, "vram-bar",
        "part of it that the CPU sees, a power of two (default: the most)");
    object_class_property_set_description(oc, "pm4-type0",
        "'packet': a type 0 packet has a count, as in hardware (default); "
        "'stream': it runs to the end of the IB");
    object_class_property_set_description(oc, "sdma", "SDMA engines, 1 to 5");
    object_class_property_set_description(oc, "cu",
        "compute units, 1 to 128");
    object_class_property_set_description(oc, "amd-ids",
        "carry the PCI ids of MI250X");
    object_class_property_set_description(oc, "connected-to-cpu",
        "the VRAM is coherent memory of the machine, too");
}

static const TypeInfo vgpu_types[] = {
    {
        .name = TYPE_VGPU_PCI,
        .parent = TYPE_PCI_DEVICE,
        .instance_size = sizeof(VgpuPci),
        .instance_init = vgpu_pci_init,
        .instance_finalize = vgpu_pci_finalize,
        .class_init = vgpu_pci_class_init,
        .interfaces = (InterfaceInfo[]) {
            { INTERFACE_PCIE_DEVICE },
            { }
        },
    },
};

DEFINE_TYPES(vgpu_types)
