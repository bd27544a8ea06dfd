/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The xGMI hive: "-object vgpu-hive,id=h0,segment=64G,nodes=2". Node n owns
 * the addresses from n * segment on; an access to them goes to its memory.
 * Documentation/architecture.rst, "The hive".
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "qemu/atomic.h"
#include "qemu/cutils.h"
#include "qemu/main-loop.h"
#include "qemu/module.h"
#include "qemu/units.h"
#include "qom/object_interfaces.h"

#include "core/vgpu-core.h"
#include "hive.h"

/* MC_VM_XGMI_LFB_SIZE counts in units of 16 MiB. */
#define SEGMENT_UNIT (16 * MiB)

struct VgpuHive {
    Object parent_obj;

    uint64_t segment;
    uint32_t nodes;
    uint64_t id;

    /* Written with the BQL, read under the lock of any member die. */
    VgpuHiveMember *member[VGPU_HIVE_MAX_NODES];
};

uint64_t vgpu_hive_segment(VgpuHive *hive)
{
    return hive->segment;
}

unsigned vgpu_hive_nodes(VgpuHive *hive)
{
    return hive->nodes;
}

uint64_t vgpu_hive_id(VgpuHive *hive)
{
    return hive->id;
}

bool vgpu_hive_check(VgpuHive *hive, unsigned node, uint64_t vram_size,
                     Error **errp)
{
    if (node >= hive->nodes) {
        error_setg(errp, "node %u does not exist: the hive has nodes 0 to %u",
                   node, hive->nodes - 1);
        return false;
    }
    if (hive->member[node]) {
        error_setg(errp, "node %u of the hive is taken by another die", node);
        return false;
    }
    if (vram_size > hive->segment) {
        g_autofree char *vram = size_to_str(vram_size);
        g_autofree char *segment = size_to_str(hive->segment);

        error_setg(errp, "%s of VRAM do not fit the hive's segment of %s",
                   vram, segment);
        return false;
    }
    return true;
}

/*
 * Taking and dropping the lock of each member orders the change of member[]
 * before whatever that die does next, and its caches are dropped.
 */
static void tell_members(VgpuHive *hive)
{
    unsigned i;

    for (i = 0; i < hive->nodes; i++) {
        if (hive->member[i]) {
            vgpu_die_guest_remapped(hive->member[i]->die);
        }
    }
}

void vgpu_hive_join(VgpuHive *hive, unsigned node, VgpuHiveMember *member)
{
    assert(bql_locked() && !hive->member[node]);
    qatomic_set(&hive->member[node], member);
    tell_members(hive);
}

void vgpu_hive_leave(VgpuHive *hive, unsigned node)
{
    assert(bql_locked() && hive->member[node]);
    qatomic_set(&hive->member[node], NULL);
    tell_members(hive);
}

void *vgpu_hive_map(VgpuHive *hive, uint64_t addr, uint64_t *len)
{
    uint64_t node = addr / hive->segment;
    uint64_t offset = addr % hive->segment;
    VgpuHiveMember *m;

    if (node >= hive->nodes) {
        return NULL;
    }
    m = qatomic_read(&hive->member[node]);
    if (!m || offset >= m->size) {
        return NULL;
    }
    *len = MIN(*len, m->size - offset);
    return m->ptr + offset;
}

VgpuHiveMember *vgpu_hive_owner(VgpuHive *hive, const void *ptr)
{
    const uint8_t *p = ptr;
    unsigned i;

    for (i = 0; i < hive->nodes; i++) {
        VgpuHiveMember *m = qatomic_read(&hive->member[i]);

        if (m && p >= m->ptr && p < m->ptr + m->size) {
            return m;
        }
    }
    return NULL;
}

/* ------------------------------------------------------------ the object */

static void hive_complete(UserCreatable *uc, Error **errp)
{
    VgpuHive *hive = VGPU_HIVE(uc);
    g_autofree char *name =
        g_strdup(object_get_canonical_path_component(OBJECT(hive)));
    const char *p;

    if (!hive->segment || hive->segment % SEGMENT_UNIT) {
        error_setg(errp, "segment must be a multiple of 16 MiB");
        return;
    }
    if (!hive->nodes || hive->nodes > VGPU_HIVE_MAX_NODES) {
        error_setg(errp, "nodes must be 1 to %u", VGPU_HIVE_MAX_NODES);
        return;
    }
    if (hive->segment > (1ull << 44) / hive->nodes) {
        error_setg(errp, "%u segments of that size exceed 44 address bits",
                   hive->nodes);
        return;
    }
    /* FNV-1a of the name: the same on both sides of a migration, not 0. */
    hive->id = 0xcbf29ce484222325ull;
    for (p = name; *p; p++) {
        hive->id = (hive->id ^ (uint8_t)*p) * 0x100000001b3ull;
    }
    hive->id |= 1;
}

static bool hive_can_be_deleted(UserCreatable *uc)
{
    VgpuHive *hive = VGPU_HIVE(uc);
    unsigned i;

    for (i = 0; i < hive->nodes; i++) {
        if (hive->member[i]) {
            return false;
        }
    }
    return true;
}

static void hive_get_segment(Object *obj, Visitor *v, const char *name,
                             void *opaque, Error **errp)
{
    uint64_t value = VGPU_HIVE(obj)->segment;

    visit_type_size(v, name, &value, errp);
}

/* Once complete() has looked at them, dies rely on the properties. */
static bool hive_settable(VgpuHive *hive, const char *name, Error **errp)
{
    if (hive->id) {
        error_setg(errp, "cannot change %s of a hive that is in use", name);
        return false;
    }
    return true;
}

static void hive_set_segment(Object *obj, Visitor *v, const char *name,
                             void *opaque, Error **errp)
{
    VgpuHive *hive = VGPU_HIVE(obj);
    uint64_t value;

    if (visit_type_size(v, name, &value, errp) &&
        hive_settable(hive, name, errp)) {
        hive->segment = value;
    }
}

static void hive_get_nodes(Object *obj, Visitor *v, const char *name,
                           void *opaque, Error **errp)
{
    uint32_t value = VGPU_HIVE(obj)->nodes;

    visit_type_uint32(v, name, &value, errp);
}

static void hive_set_nodes(Object *obj, Visitor *v, const char *name,
                           void *opaque, Error **errp)
{
    VgpuHive *hive = VGPU_HIVE(obj);
    uint32_t value;

    if (visit_type_uint32(v, name, &value, errp) &&
        hive_settable(hive, name, errp)) {
        hive->nodes = value;
    }
}

static void hive_init(Object *obj)
{
    VgpuHive *hive = VGPU_HIVE(obj);

    hive->segment = 64 * GiB;
    hive->nodes = 2;
}

static void hive_class_init(ObjectClass *oc, void *data)
{
    UserCreatableClass *ucc = USER_CREATABLE_CLASS(oc);

    ucc->complete = hive_complete;
    ucc->can_be_deleted = hive_can_be_deleted;
    object_class_property_add(oc, "segment", "size", hive_get_segment,
                              hive_set_segment, NULL, NULL);
    object_class_property_set_description(oc, "segment",
        "global address space that each node owns");
    object_class_property_add(oc, "nodes", "uint32", hive_get_nodes,
                              hive_set_nodes, NULL, NULL);
    object_class_property_set_description(oc, "nodes",
        "dies that the hive has places for");
}

static const TypeInfo hive_types[] = {
    {
        .name = TYPE_VGPU_HIVE,
        .parent = TYPE_OBJECT,
        .instance_size = sizeof(VgpuHive),
        .instance_init = hive_init,
        .class_init = hive_class_init,
        .interfaces = (InterfaceInfo[]) {
            { TYPE_USER_CREATABLE },
            { }
        },
    },
};

DEFINE_TYPES(hive_types)
