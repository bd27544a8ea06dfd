/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * IP discovery: the list of the die's hardware blocks, their versions and
 * register bases, which firmware leaves near the top of VRAM. Versions are
 * those that amdgpu_discovery.c gives Aldebaran, bases those of
 * aldebaran_ip_offset.h.
 * Documentation/hardware.rst, "IP discovery".
 */
#include <string.h>

#include "die.h"
#include <hw/discovery.h>

struct ip {
    uint16_t hw_id;
    uint8_t instance;
    uint8_t major, minor, revision;
    uint32_t base[VGPU_MAX_SEGMENT];    /* up to the last that is not 0 */
};

static const struct ip ips[] = {
    { GC_HWID, 0, 9, 4, 2, VGPU_BASE_LIST(GC) },
    { OSSSYS_HWID, 0, 4, 4, 0, VGPU_BASE_LIST(OSSSYS) },
    { MMHUB_HWID, 0, 9, 4, 2, VGPU_BASE_LIST(MMHUB) },
    { ATHUB_HWID, 0, 9, 4, 2, VGPU_BASE_LIST(ATHUB) },
    { NBIF_HWID, 0, 7, 4, 4, VGPU_BASE_LIST(NBIO) },
    { HDP_HWID, 0, 4, 4, 0, VGPU_BASE_LIST(HDP) },
    { MP0_HWID, 0, 13, 0, 2, VGPU_BASE_LIST(MP0) },
    { MP1_HWID, 0, 13, 0, 2, VGPU_BASE_LIST(MP1) },
    { DF_HWID, 0, 3, 6, 2, VGPU_BASE_LIST(DF) },
    { SMUIO_HWID, 0, 13, 0, 2, VGPU_BASE_LIST(SMUIO) },
    { THM_HWID, 0, 13, 0, 2, VGPU_BASE_LIST(THM) },
    { UMC_HWID, 0, 6, 7, 0, { 0x00014000, 0x00054000, 0x02425800 } },
    { UMC_HWID, 1, 6, 7, 0, { 0x00094000, 0x000d4000, 0x02425c00 } },
    { UMC_HWID, 2, 6, 7, 0, { 0x00114000, 0x00154000, 0x02426000 } },
    { UMC_HWID, 3, 6, 7, 0, { 0x00194000, 0x001d4000, 0x02426400 } },
    { XGMI_HWID, 0, 6, 1, 0, { 0x02438c00, 0x04680000, 0x04940000 } },
};

/* One hardware id, an instance an engine, as MI250X counts them. */
static const struct ip sdma_ips[VGPU_MAX_SDMA] = {
    { SDMA0_HWID, 0, 4, 4, 0, VGPU_BASE_LIST(SDMA0) },
    { SDMA0_HWID, 1, 4, 4, 0, VGPU_BASE_LIST(SDMA1) },
    { SDMA0_HWID, 2, 4, 4, 0, VGPU_BASE_LIST(SDMA2) },
    { SDMA0_HWID, 3, 4, 4, 0, VGPU_BASE_LIST(SDMA3) },
    { SDMA0_HWID, 4, 4, 4, 0, VGPU_BASE_LIST(SDMA4) },
};

/*
 * GC information, version 2.0, after its header. From the CDNA 2 documents: 8
 * shader engines of one array, 16 compute unit slots an array, 32 L2
 * channels, 512 vector registers a lane, waves of 64 lanes, 8 a SIMD, 64 KiB
 * of LDS. MI250X has no render back ends; the fields of the fixed-function
 * pipeline are those of its ancestor.
 */
static const uint32_t gc_info[] = {
    8,      /* gc_num_se */
    16,     /* gc_num_cu_per_sh */
    1,      /* gc_num_sh_per_se */
    4,      /* gc_num_rb_per_se */
    32,     /* gc_num_tccs */
    512,    /* gc_num_gprs */
    32,     /* gc_num_max_gs_thds */
    32,     /* gc_gs_table_depth */
    1792,   /* gc_gsprim_buff_depth */
    2048,   /* gc_parameter_cache_depth */
    1,      /* gc_double_offchip_lds_buffer */
    64,     /* gc_wave_size */
    8,      /* gc_max_waves_per_simd */
    32,     /* gc_max_scratch_slots_per_cu */
    64,     /* gc_lds_size, KiB */
    1,      /* gc_num_sc_per_se */
    4,      /* gc_num_packer_per_sc */
};

_Static_assert(sizeof(gc_info) == sizeof(struct vgpu_gc_info_v2_0) -
               sizeof(struct vgpu_gpu_info_header), "one value a field");

/* The binary is little endian on any host: it is put together bytewise. */
struct out {
    uint8_t *buf;
    size_t len;
};

static void put16(struct out *o, uint16_t v)
{
    o->buf[o->len++] = v;
    o->buf[o->len++] = v >> 8;
}

static void put32(struct out *o, uint32_t v)
{
    put16(o, v);
    put16(o, v >> 16);
}

static void set16(struct out *o, size_t at, uint16_t v)
{
    o->buf[at] = v;
    o->buf[at + 1] = v >> 8;
}

static uint16_t checksum(const struct out *o, size_t from, size_t to)
{
    uint16_t sum = 0;

    while (from < to) {
        sum += o->buf[from++];
    }
    return sum;
}

static void put_ip(struct out *o, const struct ip *ip)
{
    unsigned n = VGPU_MAX_SEGMENT;
    unsigned i;

    while (n > 1 && !ip->base[n - 1]) {
        n--;
    }
    put16(o, ip->hw_id);
    o->buf[o->len++] = ip->instance;
    o->buf[o->len++] = n;
    o->buf[o->len++] = ip->major;
    o->buf[o->len++] = ip->minor;
    o->buf[o->len++] = ip->revision;
    o->buf[o->len++] = 0; /* not harvested */
    for (i = 0; i < n; i++) {
        put32(o, ip->base[i]);
    }
}

/* The table from @start to where @o is now, in the list of tables. */
static void set_table(struct out *o, unsigned id, size_t start)
{
    size_t at = offsetof(struct vgpu_binary_header, table_list) +
                id * sizeof(struct vgpu_table_info);

    set16(o, at + offsetof(struct vgpu_table_info, offset), start);
    set16(o, at + offsetof(struct vgpu_table_info, checksum),
          checksum(o, start, o->len));
    set16(o, at + offsetof(struct vgpu_table_info, size), o->len - start);
}

static void put_ip_table(struct out *o, unsigned num_sdma)
{
    size_t num = sizeof(ips) / sizeof(ips[0]);
    size_t start = o->len;
    size_t i;

    o->len += sizeof(struct vgpu_ip_discovery_header);
    set16(o, start + offsetof(struct vgpu_ip_discovery_header, die_info) +
          offsetof(struct vgpu_die_info, die_offset), o->len);
    put16(o, 0); /* die id */
    put16(o, num + num_sdma);
    for (i = 0; i < num; i++) {
        put_ip(o, &ips[i]);
    }
    for (i = 0; i < num_sdma; i++) {
        put_ip(o, &sdma_ips[i]);
    }

    set16(o, start + offsetof(struct vgpu_ip_discovery_header, signature),
          DISCOVERY_TABLE_SIGNATURE & 0xffff);
    set16(o, start + offsetof(struct vgpu_ip_discovery_header, signature) + 2,
          DISCOVERY_TABLE_SIGNATURE >> 16);
    set16(o, start + offsetof(struct vgpu_ip_discovery_header, version), 1);
    set16(o, start + offsetof(struct vgpu_ip_discovery_header, size),
          o->len - start);
    set16(o, start + offsetof(struct vgpu_ip_discovery_header, num_dies), 1);
    set_table(o, VGPU_TABLE_IP_DISCOVERY, start);
}

static void put_gc_table(struct out *o)
{
    size_t start = o->len;
    size_t i;

    put32(o, GC_TABLE_ID);
    put16(o, 2); /* version */
    put16(o, 0);
    put32(o, sizeof(struct vgpu_gc_info_v2_0));
    for (i = 0; i < sizeof(gc_info) / sizeof(gc_info[0]); i++) {
        put32(o, gc_info[i]);
    }
    set_table(o, VGPU_TABLE_GC, start);
}

/* Nothing is harvested as a whole block: fused-off CUs are in a register. */
static void put_harvest_table(struct out *o)
{
    size_t start = o->len;

    put32(o, HARVEST_TABLE_SIGNATURE);
    put32(o, 0); /* version */
    o->len = start + sizeof(struct vgpu_harvest_table);
    set_table(o, VGPU_TABLE_HARVEST_INFO, start);
}

static void write_binary(struct vgpu_die *d)
{
    static const size_t sum_end =
        offsetof(struct vgpu_binary_header, binary_checksum) + 2;
    uint8_t *place = d->cfg.vram + d->cfg.vram_size - DISCOVERY_TMR_OFFSET;
    uint8_t buf[DISCOVERY_TMR_SIZE] = { 0 };
    struct out o = { .buf = buf };

    put32(&o, BINARY_SIGNATURE);
    put16(&o, 1); /* version */
    put16(&o, 0);
    o.len = sizeof(struct vgpu_binary_header);
    put_ip_table(&o, d->cfg.num_sdma);
    put_gc_table(&o);
    put_harvest_table(&o);
    set16(&o, offsetof(struct vgpu_binary_header, binary_size), o.len);
    set16(&o, offsetof(struct vgpu_binary_header, binary_checksum),
          checksum(&o, sum_end, o.len));

    memcpy(place, buf, sizeof(buf));
    d->cfg.ops->written(d->cfg.opaque, place, sizeof(buf));
}

const struct vgpu_block vgpu_discovery_block = {
    .name = "discovery",
    .reset = write_binary,
};
