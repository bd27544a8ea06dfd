/* SPDX-License-Identifier: MIT */
/*
 * The list of bad pages in the EEPROM of a board, as amdgpu keeps it (version 1): a header, and one
 * record a page behind it.  All bytes of header and records, as 8-bit numbers, add up to 0.
 * See Documentation/ras.rst, "Bad pages".
 */
#ifndef _HW_RAS_EEPROM_H
#define _HW_RAS_EEPROM_H

#include <linux/types.h>

/* The address of the EEPROM on the bus and within it; 2 Mbit, written in pages of 256 bytes */
#define EEPROM_I2C_MADDR_0				0x0
#define EEPROM_PAGE_SIZE				256
#define RAS_TBL_SIZE_BYTES				(256 * 1024)

#define RAS_TABLE_HEADER_SIZE				20
#define RAS_TABLE_RECORD_SIZE				24

/* Header tags: in use, and "this GPU has too many bad pages" */
#define RAS_TABLE_HDR_VAL				0x414d4452
#define RAS_TABLE_HDR_BAD				0x42414447

#define RAS_TABLE_VER_V1				0x00010000

/* What an error was */
#define AMDGPU_RAS_EEPROM_ERR_NON_RECOVERABLE		2

struct vgpu_ras_table_header {
	__le32 header;					/* RAS_TABLE_HDR_* */
	__le32 version;
	__le32 first_rec_offset;			/* in bytes */
	__le32 tbl_size;				/* in bytes, with the header */
	__le32 checksum;
};

/* Numbers of several bytes have the low one first. */
struct vgpu_ras_table_record {
	__u8 err_type;
	__u8 bank;
	__u8 ts[8];					/* seconds since 1970 */
	__u8 offset[6];					/* address within the channel */
	__u8 mem_channel;
	__u8 mcumc_id;
	__u8 retired_page[6];				/* in units of 4 KiB */
};

#endif /* _HW_RAS_EEPROM_H */
