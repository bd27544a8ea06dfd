/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The xGMI hive as an object: "-object vgpu-hive,id=h0,nodes=4,segment=64G,
 * links=0-1:4,1-2,2-3,latency=500,bandwidth=50". Its properties are those of a
 * fabric (core/fabric.h); "down" breaks links while the machine runs.
 * Documentation/hive.rst, "The fabric".
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "qemu/main-loop.h"
#include "qemu/module.h"
#include "qemu/units.h"
#include "qom/object_interfaces.h"
#include "trace.h"

#include "hive.h"

struct VgpuHive {
    Object parent_obj;

    /* Properties; what dies rely on once the fabric is there. */
    uint64_t segment;
    uint32_t nodes;
    uint32_t latency;
    uint32_t bandwidth;
    char *links;
    char *down;

    uint64_t id;
    struct vgpu_fabric *fabric;

    /* Memory of the members: written with the BQL, before one joins. */
    MemoryRegion *vram[VGPU_MAX_NODES];
};

struct vgpu_fabric *vgpu_hive_fabric(VgpuHive *hive)
{
    return hive->fabric;
}

uint64_t vgpu_hive_id(VgpuHive *hive)
{
    return hive->id;
}

bool vgpu_hive_check(VgpuHive *hive, unsigned node, uint64_t vram_size,
                     Error **errp)
{
    char err[128];

    if (!vgpu_fabric_check(hive->fabric, node, vram_size, err, sizeof(err))) {
        error_setg(errp, "%s", err);
        return false;
    }
    return true;
}

void vgpu_hive_join(VgpuHive *hive, unsigned node, struct vgpu_die *die,
                    MemoryRegion *vram)
{
    assert(bql_locked());
    hive->vram[node] = vram;
    vgpu_fabric_join(hive->fabric, node, die, memory_region_get_ram_ptr(vram),
                     memory_region_size(vram));
}

void vgpu_hive_leave(VgpuHive *hive, unsigned node)
{
    assert(bql_locked());
    vgpu_fabric_leave(hive->fabric, node);
    hive->vram[node] = NULL;
}

MemoryRegion *vgpu_hive_vram(VgpuHive *hive, const void *ptr)
{
    int owner = vgpu_fabric_owner(hive->fabric, ptr);

    return owner < 0 ? NULL : hive->vram[owner];
}

static const char *hive_name(VgpuHive *hive)
{
    return object_get_canonical_path_component(OBJECT(hive));
}

static void hive_trace(void *opaque, unsigned from, unsigned to, bool write,
                       uint64_t bytes, uint64_t ns)
{
    if (trace_event_get_state_backends(TRACE_VGPU_PEER)) {
        trace_vgpu_peer(hive_name(opaque), from, to, write ? "write" : "read",
                        bytes, ns);
    }
}

/* ------------------------------------------------------------ the object */

static void hive_complete(UserCreatable *uc, Error **errp)
{
    VgpuHive *hive = VGPU_HIVE(uc);
    struct vgpu_fabric_config cfg = {
        .nodes = hive->nodes,
        .segment = hive->segment,
        .links = hive->links,
        .latency = hive->latency,
        .bandwidth = hive->bandwidth,
        .trace = hive_trace,
        .opaque = hive,
    };
    const char *p;
    char err[128];

    hive->fabric = vgpu_fabric_new(&cfg, err, sizeof(err));
    if (!hive->fabric) {
        error_setg(errp, "%s", err);
        return;
    }
    if (hive->down && !vgpu_fabric_set_down(hive->fabric, hive->down, err,
                                            sizeof(err))) {
        error_setg(errp, "%s", err);
        return;
    }
    /* FNV-1a of the name: the same on both sides of a migration, not 0. */
    hive->id = 0xcbf29ce484222325ull;
    for (p = hive_name(hive); *p; p++) {
        hive->id = (hive->id ^ (uint8_t)*p) * 0x100000001b3ull;
    }
    hive->id |= 1;
}

static bool hive_can_be_deleted(UserCreatable *uc)
{
    VgpuHive *hive = VGPU_HIVE(uc);
    unsigned i;

    for (i = 0; i < vgpu_fabric_nodes(hive->fabric); i++) {
        if (vgpu_fabric_present(hive->fabric, i)) {
            return false;
        }
    }
    return true;
}

static void hive_init(Object *obj)
{
    VgpuHive *hive = VGPU_HIVE(obj);

    hive->segment = 64 * GiB;
    hive->nodes = 2;
}

static void hive_finalize(Object *obj)
{
    VgpuHive *hive = VGPU_HIVE(obj);

    vgpu_fabric_free(hive->fabric);
    g_free(hive->links);
    g_free(hive->down);
}

/* ------------------------------------------------------------ properties */

/* Once the fabric is made, dies rely on what it was made of. */
static bool hive_settable(VgpuHive *hive, const char *name, Error **errp)
{
    if (hive->fabric) {
        error_setg(errp, "cannot change %s of a hive that is in use", name);
        return false;
    }
    return true;
}

static void hive_get_segment(Object *obj, Visitor *v, const char *name,
                             void *opaque, Error **errp)
{
    visit_type_size(v, name, &VGPU_HIVE(obj)->segment, errp);
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

/* Of the properties that are a uint32_t, @opaque is the offset. */
static uint32_t *hive_field(Object *obj, void *opaque)
{
    return (uint32_t *)((uint8_t *)obj + (uintptr_t)opaque);
}

static void hive_get_uint32(Object *obj, Visitor *v, const char *name,
                            void *opaque, Error **errp)
{
    visit_type_uint32(v, name, hive_field(obj, opaque), errp);
}

static void hive_set_uint32(Object *obj, Visitor *v, const char *name,
                            void *opaque, Error **errp)
{
    uint32_t value;

    if (visit_type_uint32(v, name, &value, errp) &&
        hive_settable(VGPU_HIVE(obj), name, errp)) {
        *hive_field(obj, opaque) = value;
    }
}

static char *hive_get_links(Object *obj, Error **errp)
{
    return g_strdup(VGPU_HIVE(obj)->links);
}

static void hive_set_links(Object *obj, const char *value, Error **errp)
{
    VgpuHive *hive = VGPU_HIVE(obj);

    if (hive_settable(hive, "links", errp)) {
        g_free(hive->links);
        hive->links = g_strdup(value);
    }
}

static char *hive_get_down(Object *obj, Error **errp)
{
    return g_strdup(VGPU_HIVE(obj)->down);
}

/* At any time: links that are not in the list are mended. */
static void hive_set_down(Object *obj, const char *value, Error **errp)
{
    VgpuHive *hive = VGPU_HIVE(obj);
    char err[128];

    if (hive->fabric &&
        !vgpu_fabric_set_down(hive->fabric, value, err, sizeof(err))) {
        error_setg(errp, "%s", err);
        return;
    }
    if (hive->fabric) {
        trace_vgpu_links_down(hive_name(hive), value);
    }
    g_free(hive->down);
    hive->down = g_strdup(value);
}

/* One link, as a member of a list that is being visited. */
static bool hive_visit_link(Visitor *v, const struct vgpu_fabric_link *l,
                            Error **errp)
{
    uint8_t a = l->node[0], b = l->node[1], width = l->width;
    struct vgpu_fabric_link c = *l;
    bool ok;

    if (!visit_start_struct(v, NULL, NULL, 0, errp)) {
        return false;
    }
    ok = visit_type_uint8(v, "a", &a, errp) &&
         visit_type_uint8(v, "b", &b, errp) &&
         visit_type_uint8(v, "width", &width, errp) &&
         visit_type_bool(v, "up", &c.up, errp) &&
         visit_type_uint64(v, "bytes-ab", &c.bytes[0], errp) &&
         visit_type_uint64(v, "bytes-ba", &c.bytes[1], errp) &&
         visit_type_uint64(v, "requests-ab", &c.requests[0], errp) &&
         visit_type_uint64(v, "requests-ba", &c.requests[1], errp) &&
         visit_check_struct(v, errp);
    visit_end_struct(v, NULL);
    return ok;
}

static void hive_get_link_state(Object *obj, Visitor *v, const char *name,
                                void *opaque, Error **errp)
{
    VgpuHive *hive = VGPU_HIVE(obj);
    struct vgpu_fabric_link l;
    unsigned i, n = hive->fabric ? vgpu_fabric_num_links(hive->fabric) : 0;

    if (!visit_start_list(v, name, NULL, 0, errp)) {
        return;
    }
    for (i = 0; i < n; i++) {
        vgpu_fabric_get_link(hive->fabric, i, &l);
        if (!hive_visit_link(v, &l, errp)) {
            break;
        }
    }
    visit_end_list(v, NULL);
}

static void hive_add_uint32(ObjectClass *oc, const char *name, size_t offset,
                            const char *what)
{
    object_class_property_add(oc, name, "uint32", hive_get_uint32,
                              hive_set_uint32, NULL, (void *)offset);
    object_class_property_set_description(oc, name, what);
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
    hive_add_uint32(oc, "nodes", offsetof(VgpuHive, nodes),
                    "dies that the hive has places for, 1 to 16");
    hive_add_uint32(oc, "latency", offsetof(VgpuHive, latency),
                    "of each link, ns");
    hive_add_uint32(oc, "bandwidth", offsetof(VgpuHive, bandwidth),
                    "of each link, GB/s a unit of width; 0: without end");
    object_class_property_add_str(oc, "links", hive_get_links, hive_set_links);
    object_class_property_set_description(oc, "links",
        "as in 0-1:4,1-2: ends, and the width if it is not 1 (default: "
        "every node to every other)");
    object_class_property_add_str(oc, "down", hive_get_down, hive_set_down);
    object_class_property_set_description(oc, "down",
        "links that are broken, as in 0-1,1-2; may change at any time");
    object_class_property_add(oc, "link-state", "list", hive_get_link_state,
                              NULL, NULL, NULL);
    object_class_property_set_description(oc, "link-state",
        "of each link: ends, width, whether it is up, and what went over it");
}

static const TypeInfo hive_types[] = {
    {
        .name = TYPE_VGPU_HIVE,
        .parent = TYPE_OBJECT,
        .instance_size = sizeof(VgpuHive),
        .instance_init = hive_init,
        .instance_finalize = hive_finalize,
        .class_init = hive_class_init,
        .interfaces = (InterfaceInfo[]) {
            { TYPE_USER_CREATABLE },
            { }
        },
    },
};

DEFINE_TYPES(hive_types)
