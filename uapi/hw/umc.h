/* SPDX-License-Identifier: MIT */
/*
 * The memory controllers (UMC 6.7): how a physical address is spread over the channels, and what an
 * error report holds.
 * See Documentation/hardware.rst, "Errors of the memory".
 *
 * An address within a die is a column of a channel: the channel is in [12:8] of it, and what is
 * left is the address within the channel, VGPU_UMC_CHANNEL_ADDR().  The hash of other bits into bit 12
 * is off.
 */
#ifndef _HW_UMC_H
#define _HW_UMC_H

#define UMC_V6_7_UMC_INSTANCE_NUM			4
#define UMC_V6_7_CHANNEL_INSTANCE_NUM			8
#define UMC_V6_7_TOTAL_CHANNEL_NUM	(UMC_V6_7_CHANNEL_INSTANCE_NUM * UMC_V6_7_UMC_INSTANCE_NUM)

/* Bits of an address that a driver varies to find all pages that an error may be in */
#define UMC_V6_7_NA_MAP_PA_NUM				8
#define UMC_V6_7_PA_C2_BIT				17
#define UMC_V6_7_PA_R14_BIT				34
#define UMC_V6_7_BAD_PAGE_NUM_PER_CHANNEL		(UMC_V6_7_NA_MAP_PA_NUM * 2)

/* From the address within a channel to that within the die: three parts to be or-ed */
#define ADDR_OF_8KB_BLOCK(addr)				(((addr) & ~0xffULL) << 5)
#define ADDR_OF_256B_BLOCK(channel_index)		((channel_index) << 8)
#define OFFSET_IN_256B_BLOCK(addr)			((addr) & 0xffULL)

/* And back */
#define VGPU_UMC_CHANNEL_INDEX(pa)			(((pa) >> 8) & 0x1f)
#define VGPU_UMC_CHANNEL_ADDR(pa)			((((pa) >> 13) << 8) | ((pa) & 0xffULL))

/*
 * Channel index of each channel of each UMC.  A report is found at UMC * 8 + channel, the index is
 * what the address holds.
 */
#define VGPU_UMC_CHANNEL_INDEX_TABLE				\
	{ 28, 20, 24, 16, 12,  4,  8,  0,			\
	   6, 30,  2, 26, 22, 14, 18, 10,			\
	  19, 11, 15,  7,  3, 27, 31, 23,			\
	   9,  1,  5, 29, 25, 17, 21, 13 }

/* MCA status of a channel; with AddrV its address register has the address within the channel */
#define MCA_UMC_UMC0_MCUMC_STATUST0__Poison_MASK	0x0000080000000000ULL
#define MCA_UMC_UMC0_MCUMC_STATUST0__Deferred_MASK	0x0000100000000000ULL
#define MCA_UMC_UMC0_MCUMC_STATUST0__UECC_MASK		0x0000200000000000ULL
#define MCA_UMC_UMC0_MCUMC_STATUST0__CECC_MASK		0x0000400000000000ULL
#define MCA_UMC_UMC0_MCUMC_STATUST0__TCC_MASK		0x0080000000000000ULL
#define MCA_UMC_UMC0_MCUMC_STATUST0__PCC_MASK		0x0200000000000000ULL
#define MCA_UMC_UMC0_MCUMC_STATUST0__AddrV_MASK		0x0400000000000000ULL
#define MCA_UMC_UMC0_MCUMC_STATUST0__UC_MASK		0x2000000000000000ULL
#define MCA_UMC_UMC0_MCUMC_STATUST0__Overflow_MASK	0x4000000000000000ULL
#define MCA_UMC_UMC0_MCUMC_STATUST0__Val_MASK		0x8000000000000000ULL
#define MCA_UMC_UMC0_MCUMC_ADDRT0__ErrorAddr_MASK	0x00ffffffffffffffULL

#endif /* _HW_UMC_H */
