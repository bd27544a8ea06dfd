/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The xGMI trusted application: the id of the hive and of the die in it, and
 * what the links reach. A hive trains in firmware, so that the topology of
 * the moment is asked for each time (ops->topology).
 * Documentation/hardware.rst, "Firmware processors".
 */
#include <string.h>

#include "die.h"
#include <hw/ta_xgmi.h>

_Static_assert(sizeof(struct vgpu_ta_xgmi_shared_memory) <= VGPU_PSP_TA_SHARED,
               "the PSP copies it");

/*
 * A node id names a die for as long as it exists. Ids of one hive are next to
 * each other; 0 is nobody's.
 */
static uint64_t node_id(const struct vgpu_die *d, unsigned node)
{
    return d->cfg.hive_id ? d->cfg.hive_id + 1 + node : 0;
}

/* The place of a die in the hive, or -1; there need be no path to it. */
static int node_of(const struct vgpu_die *d, uint64_t id)
{
    uint64_t node = id - node_id(d, 0);

    return d->cfg.hive_id && node < d->cfg.num_nodes ? (int)node : -1;
}

static bool train(struct vgpu_die *d, struct vgpu_peer *peer)
{
    memset(peer, 0, VGPU_MAX_NODES * sizeof(*peer));
    return d->cfg.hive_id && d->cfg.ops->topology &&
           d->cfg.ops->topology(d->cfg.opaque, peer);
}

static uint32_t initialize(struct vgpu_die *d)
{
    struct vgpu_xgmi_state *s = &d->s.psp.xgmi;
    struct vgpu_peer peer[VGPU_MAX_NODES];
    unsigned i;

    memset(s, 0, sizeof(*s));
    if (!train(d, peer)) {
        return TA_XGMI_STATUS__FAILED_TOPOLOGY_INIT;
    }
    for (i = 0; i < VGPU_MAX_NODES; i++) {
        s->sdma_engine[i] = TA_XGMI_ASSIGNED_SDMA_ENGINE__NOT_ASSIGNED;
    }
    s->initialized = 1;
    return TA_XGMI_STATUS__SUCCESS;
}

static uint8_t num_hops(const struct vgpu_peer *p)
{
    if (!p->hops) {
        return 0;
    }
    return VGPU_TA_XGMI_LINK_TYPE_XGMI3 |
           (p->hops < VGPU_TA_XGMI_NUM_HOPS_MASK ? p->hops :
            VGPU_TA_XGMI_NUM_HOPS_MASK);
}

/* All nodes of a list must be known, or nothing of it is taken. */
static uint32_t check_nodes(const struct vgpu_die *d,
                            const struct vgpu_ta_xgmi_topology_info *t)
{
    uint32_t i;

    if (t->num_nodes > TA_XGMI__MAX_CONNECTED_NODES) {
        return TA_XGMI_STATUS__INVALID_NODE_NUM;
    }
    for (i = 0; i < t->num_nodes; i++) {
        if (node_of(d, t->nodes[i].node_id) < 0) {
            return TA_XGMI_STATUS__INVALID_NODE_ID;
        }
    }
    return TA_XGMI_STATUS__SUCCESS;
}

static uint32_t get_topology(struct vgpu_die *d, const struct vgpu_peer *peer,
                             struct vgpu_ta_xgmi_shared_memory *m)
{
    const struct vgpu_xgmi_state *s = &d->s.psp.xgmi;
    const struct vgpu_ta_xgmi_topology_info *in =
        &m->xgmi_in_message.get_topology_info;
    struct vgpu_ta_xgmi_topology_info *out =
        &m->xgmi_out_message.get_topology_info;
    uint32_t status = check_nodes(d, in);
    uint32_t i;

    if (status) {
        return status;
    }
    memset(out, 0, sizeof(*out));
    out->num_nodes = in->num_nodes;
    for (i = 0; i < in->num_nodes; i++) {
        int node = node_of(d, in->nodes[i].node_id);

        out->nodes[i].node_id = in->nodes[i].node_id;
        /* All records fit the first half of the list. */
        out->nodes[i].num_hops = m->flag_extend_link_record ?
                                 0 : num_hops(&peer[node]);
        out->nodes[i].is_sharing_enabled = s->sharing[node];
        out->nodes[i].sdma_engine = s->sdma_engine[node];
    }
    return TA_XGMI_STATUS__SUCCESS;
}

static uint32_t set_topology(struct vgpu_die *d,
                             const struct vgpu_ta_xgmi_topology_info *in)
{
    struct vgpu_xgmi_state *s = &d->s.psp.xgmi;
    uint32_t status = check_nodes(d, in);
    uint32_t i;

    if (status) {
        return status;
    }
    for (i = 0; i < in->num_nodes; i++) {
        int node = node_of(d, in->nodes[i].node_id);

        s->sharing[node] = in->nodes[i].is_sharing_enabled != 0;
        s->sdma_engine[node] = in->nodes[i].sdma_engine;
    }
    return TA_XGMI_STATUS__SUCCESS;
}

/* The list of nodes is where the answer goes, not in the input. */
static uint32_t peer_links(struct vgpu_die *d, const struct vgpu_peer *peer,
                           struct vgpu_ta_xgmi_shared_memory *m)
{
    struct vgpu_ta_xgmi_peer_links *l = &m->xgmi_out_message.get_link_info;
    uint32_t i;

    if (l->num_nodes > TA_XGMI__MAX_CONNECTED_NODES) {
        return TA_XGMI_STATUS__INVALID_NODE_NUM;
    }
    for (i = 0; i < l->num_nodes; i++) {
        int node = node_of(d, l->nodes[i].node_id);

        if (node < 0) {
            return TA_XGMI_STATUS__INVALID_NODE_ID;
        }
        l->nodes[i].num_links = m->flag_extend_link_record ?
                                0 : peer[node].links;
    }
    return TA_XGMI_STATUS__SUCCESS;
}

/* Likewise, with the ports at both ends of each link. */
static uint32_t extend_peer_links(struct vgpu_die *d,
                                  const struct vgpu_peer *peer,
                                  struct vgpu_ta_xgmi_shared_memory *m)
{
    struct vgpu_ta_xgmi_extend_peer_links *l =
        &m->xgmi_out_message.get_extend_link_info;
    uint32_t i, k;

    if (l->num_nodes > TA_XGMI__MAX_CONNECTED_NODES) {
        return TA_XGMI_STATUS__INVALID_NODE_NUM;
    }
    for (i = 0; i < l->num_nodes; i++) {
        struct vgpu_ta_xgmi_extend_peer_link_info *info = &l->nodes[i];
        int node = node_of(d, info->node_id);
        const struct vgpu_peer *p;

        if (node < 0) {
            return TA_XGMI_STATUS__INVALID_NODE_ID;
        }
        p = &peer[node];
        memset(info->port_num, 0, sizeof(info->port_num));
        info->num_links = m->flag_extend_link_record ? 0 :
                          p->links < TA_XGMI__MAX_PORT_NUM ? p->links :
                          TA_XGMI__MAX_PORT_NUM;
        for (k = 0; k < info->num_links; k++) {
            info->port_num[k].src_xgmi_port_num = p->port + k;
            info->port_num[k].dst_xgmi_port_num = p->peer_port + k;
        }
    }
    return TA_XGMI_STATUS__SUCCESS;
}

static uint32_t execute(struct vgpu_die *d, uint32_t cmd,
                        struct vgpu_ta_xgmi_shared_memory *m)
{
    struct vgpu_peer peer[VGPU_MAX_NODES];

    if (cmd == TA_COMMAND_XGMI__INITIALIZE) {
        return initialize(d);
    }
    if (!d->s.psp.xgmi.initialized || !train(d, peer)) {
        return TA_XGMI_STATUS__NOT_INITIALIZED;
    }
    switch (cmd) {
    case TA_COMMAND_XGMI__GET_NODE_ID:
        m->xgmi_out_message.node_id = node_id(d, d->cfg.node_id);
        return TA_XGMI_STATUS__SUCCESS;
    case TA_COMMAND_XGMI__GET_HIVE_ID:
        m->xgmi_out_message.hive_id = d->cfg.hive_id;
        return TA_XGMI_STATUS__SUCCESS;
    case TA_COMMAND_XGMI__GET_TOPOLOGY_INFO:
        return get_topology(d, peer, m);
    case TA_COMMAND_XGMI__SET_TOPOLOGY_INFO:
        return set_topology(d, &m->xgmi_in_message.set_topology_info);
    case TA_COMMAND_XGMI__GET_PEER_LINKS:
        return peer_links(d, peer, m);
    case TA_COMMAND_XGMI__GET_EXTEND_PEER_LINKS:
        return extend_peer_links(d, peer, m);
    default:
        return TA_XGMI_STATUS__INVALID_PARAMETER;
    }
}

static void invoke(struct vgpu_die *d, uint32_t cmd, void *mem)
{
    struct vgpu_ta_xgmi_shared_memory *m = mem;

    m->xgmi_status = execute(d, cmd, m);
    m->resp_id = RSP_ID(cmd);
    m->caps_flag = EXTEND_PEER_LINK_INFO_CMD_FLAG;
}

const struct vgpu_ta vgpu_xgmi_ta = {
    .shared = sizeof(struct vgpu_ta_xgmi_shared_memory),
    .invoke = invoke,
};
