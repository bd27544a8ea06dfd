/* SPDX-License-Identifier: MIT */
/*
 * The IP discovery binary: the list of the IP blocks of the device, which firmware leaves in VRAM.
 * See Documentation/hardware.rst, "IP discovery".
 *
 * It is DISCOVERY_TMR_SIZE bytes, DISCOVERY_TMR_OFFSET below the end of VRAM; the size of VRAM is
 * in RCC_CONFIG_MEMSIZE, in MiB.  All numbers are little endian.  A checksum is the 16-bit sum of
 * the bytes: the one of the binary header covers what follows the field up to binary_size, the one
 * of a table_info covers the table.  An address is 32 bits, in dwords.
 */
#ifndef _HW_DISCOVERY_H
#define _HW_DISCOVERY_H

#include <linux/types.h>

#define DISCOVERY_TMR_SIZE		(10 << 10)
#define DISCOVERY_TMR_OFFSET		(64 << 10)

#define BINARY_SIGNATURE		0x28211407
#define DISCOVERY_TABLE_SIGNATURE	0x53445049	/* "IPDS" */
#define GC_TABLE_ID			0x4347		/* "GC" */
#define HARVEST_TABLE_SIGNATURE		0x56524148	/* "HARV" */
#define VCN_INFO_TABLE_ID		0x004E4356	/* "VCN" */

/* Places in the table list */
#define VGPU_TABLE_IP_DISCOVERY		0
#define VGPU_TABLE_GC			1
#define VGPU_TABLE_HARVEST_INFO		2
#define VGPU_TABLE_VCN_INFO		3
#define VGPU_TABLE_MALL_INFO		4
#define VGPU_TABLE_NPS_INFO		5
#define VGPU_TABLE_COUNT		6

#define VGPU_DISCOVERY_MAX_DIES		16

struct vgpu_table_info {
	__le16 offset;
	__le16 checksum;
	__le16 size;
	__le16 padding;
} __attribute__((packed));

struct vgpu_binary_header {
	__le32 binary_signature;
	__le16 version_major;
	__le16 version_minor;
	__le16 binary_checksum;
	__le16 binary_size;
	struct vgpu_table_info table_list[VGPU_TABLE_COUNT];
} __attribute__((packed));

struct vgpu_die_info {
	__le16 die_id;
	__le16 die_offset;
} __attribute__((packed));

struct vgpu_ip_discovery_header {
	__le32 signature;
	__le16 version;
	__le16 size;
	__le32 id;
	__le16 num_dies;
	struct vgpu_die_info die_info[VGPU_DISCOVERY_MAX_DIES];
	__le16 padding[1];
} __attribute__((packed));

struct vgpu_die_header {
	__le16 die_id;
	__le16 num_ips;
} __attribute__((packed));

/* An IP block, in tables of version 1 and 2; the last byte has harvest in [3:0] */
struct vgpu_ip {
	__le16 hw_id;
	__u8 number_instance;
	__u8 num_base_address;
	__u8 major;
	__u8 minor;
	__u8 revision;
	__u8 harvest;
	__le32 base_address[];
} __attribute__((packed));

/* An IP block, in tables of version 3; the last byte has sub_revision in [3:0], variant above */
struct vgpu_ip_v3 {
	__le16 hw_id;
	__u8 instance_number;
	__u8 num_base_address;
	__u8 major;
	__u8 minor;
	__u8 revision;
	__u8 sub_revision;
	__le32 base_address[];
} __attribute__((packed));

struct vgpu_gpu_info_header {
	__le32 table_id;
	__le16 version_major;
	__le16 version_minor;
	__le32 size;
} __attribute__((packed));

/* The graphics core, GC table version 2.0: what GFX9 parts have */
struct vgpu_gc_info_v2_0 {
	struct vgpu_gpu_info_header header;
	__le32 gc_num_se;
	__le32 gc_num_cu_per_sh;
	__le32 gc_num_sh_per_se;
	__le32 gc_num_rb_per_se;
	__le32 gc_num_tccs;
	__le32 gc_num_gprs;
	__le32 gc_num_max_gs_thds;
	__le32 gc_gs_table_depth;
	__le32 gc_gsprim_buff_depth;
	__le32 gc_parameter_cache_depth;
	__le32 gc_double_offchip_lds_buffer;
	__le32 gc_wave_size;
	__le32 gc_max_waves_per_simd;
	__le32 gc_max_scratch_slots_per_cu;
	__le32 gc_lds_size;
	__le32 gc_num_sc_per_se;
	__le32 gc_num_packer_per_sc;
} __attribute__((packed));

struct vgpu_harvest_info_header {
	__le32 signature;
	__le32 version;
} __attribute__((packed));

struct vgpu_harvest_info {
	__le16 hw_id;
	__u8 number_instance;
	__u8 reserved;
} __attribute__((packed));

struct vgpu_harvest_table {
	struct vgpu_harvest_info_header header;
	struct vgpu_harvest_info list[32];
} __attribute__((packed));

/* Hardware ids of the IP blocks of MI250X */
#define MP1_HWID			1
#define THM_HWID			3
#define SMUIO_HWID			4
#define FUSE_HWID			5
#define CLKA_HWID			6
#define GC_HWID				11
#define UVD_HWID			12
#define VCN_HWID			12
#define MMHUB_HWID			34
#define ATHUB_HWID			35
#define OSSSYS_HWID			40
#define HDP_HWID			41
#define SDMA0_HWID			42
#define SDMA1_HWID			43
#define SDMA2_HWID			68
#define SDMA3_HWID			69
#define DBGU_IO_HWID			45
#define DF_HWID				46
#define L2IMU_HWID			28
#define L1IMU_PCIE_HWID			50
#define L1IMU_IOAGR_HWID		52
#define WAFLC_HWID			66
#define PCIE_HWID			70
#define IOHC_HWID			24
#define IOAGR_HWID			100
#define NBIF_HWID			108
#define IOAPIC_HWID			124
#define UMC_HWID			150
#define XGMI_HWID			200
#define MP0_HWID			255

#endif /* _HW_DISCOVERY_H */
