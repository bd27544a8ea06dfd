/* SPDX-License-Identifier: MIT */
/*
 * Where the register blocks of one MI250X die are, and how a register is named.
 * See Documentation/hardware.rst, "Register space".
 *
 * A register is written VGPU_REG(segment, dword offset): the offset within one of the address
 * segments of its IP block, as in the hardware's own register lists.  The place in the register
 * BAR is base(IP block, segment) + offset, in dwords, and VGPU_REG_ABS() computes it.
 */
#ifndef _HW_REG_BASE_H
#define _HW_REG_BASE_H

/* Segments in the base list of an IP block, and the size of the register BAR in dwords */
#define VGPU_MAX_SEGMENT			6
#define VGPU_MMIO_DWORDS			0x20000

#define VGPU_REG(seg, off)			(((seg) << 24) | (off))
#define VGPU_REG_SEG(r)				(((r) >> 24) & 0xf)
#define VGPU_REG_OFF(r)				((r) & 0xffffff)

/* Register number n of an equally spaced series of which r0 and r1 are the first two */
#define VGPU_REG_N(r0, r1, n)			((r0) + (n) * ((r1) - (r0)))

/* Base of one segment of an IP block: VGPU_BASE(GC, 1).  A constant when seg is. */
#define VGPU_BASE(ip, seg)							\
	((seg) == 0 ? VGPU_BASE_##ip##0 : (seg) == 1 ? VGPU_BASE_##ip##1 :	\
	 (seg) == 2 ? VGPU_BASE_##ip##2 : (seg) == 3 ? VGPU_BASE_##ip##3 :	\
	 (seg) == 4 ? VGPU_BASE_##ip##4 : VGPU_BASE_##ip##5)

/* Initialiser of a table with the VGPU_MAX_SEGMENT segments of an IP block */
#define VGPU_BASE_LIST(ip)							\
	{ VGPU_BASE_##ip##0, VGPU_BASE_##ip##1, VGPU_BASE_##ip##2,		\
	  VGPU_BASE_##ip##3, VGPU_BASE_##ip##4, VGPU_BASE_##ip##5 }

/* Absolute dword offset of a register: VGPU_REG_ABS(GC, regCP_RB0_BASE) */
#define VGPU_REG_ABS(ip, r)			(VGPU_BASE(ip, VGPU_REG_SEG(r)) + VGPU_REG_OFF(r))

/* IP blocks of a die; an index of ours, not the hardware id of the discovery table */
enum vgpu_hwip {
	VGPU_HWIP_GC,
	VGPU_HWIP_SDMA0,
	VGPU_HWIP_SDMA1,
	VGPU_HWIP_SDMA2,
	VGPU_HWIP_SDMA3,
	VGPU_HWIP_SDMA4,
	VGPU_HWIP_OSSSYS,
	VGPU_HWIP_MMHUB,
	VGPU_HWIP_ATHUB,
	VGPU_HWIP_NBIO,
	VGPU_HWIP_HDP,
	VGPU_HWIP_MP0,
	VGPU_HWIP_MP1,
	VGPU_HWIP_DF,
	VGPU_HWIP_SMUIO,
	VGPU_HWIP_THM,
	VGPU_HWIP_COUNT
};

/* Segments of the MI250X die; a segment that a block does not have is 0 */
#define VGPU_BASE_GC0				0x00002000
#define VGPU_BASE_GC1				0x0000a000
#define VGPU_BASE_GC2				0x02402c00
#define VGPU_BASE_GC3				0x00000000
#define VGPU_BASE_GC4				0x00000000
#define VGPU_BASE_GC5				0x00000000
#define VGPU_BASE_SDMA00			0x00001260
#define VGPU_BASE_SDMA01			0x00012540
#define VGPU_BASE_SDMA02			0x0040a800
#define VGPU_BASE_SDMA03			0x00000000
#define VGPU_BASE_SDMA04			0x00000000
#define VGPU_BASE_SDMA05			0x00000000
#define VGPU_BASE_SDMA10			0x00001860
#define VGPU_BASE_SDMA11			0x00012560
#define VGPU_BASE_SDMA12			0x0040ac00
#define VGPU_BASE_SDMA13			0x00000000
#define VGPU_BASE_SDMA14			0x00000000
#define VGPU_BASE_SDMA15			0x00000000
#define VGPU_BASE_SDMA20			0x00013760
#define VGPU_BASE_SDMA21			0x0001e000
#define VGPU_BASE_SDMA22			0x0042ec00
#define VGPU_BASE_SDMA23			0x00000000
#define VGPU_BASE_SDMA24			0x00000000
#define VGPU_BASE_SDMA25			0x00000000
#define VGPU_BASE_SDMA30			0x00013780
#define VGPU_BASE_SDMA31			0x0001e400
#define VGPU_BASE_SDMA32			0x0042f000
#define VGPU_BASE_SDMA33			0x00000000
#define VGPU_BASE_SDMA34			0x00000000
#define VGPU_BASE_SDMA35			0x00000000
#define VGPU_BASE_SDMA40			0x000137a0
#define VGPU_BASE_SDMA41			0x0001e800
#define VGPU_BASE_SDMA42			0x0042f400
#define VGPU_BASE_SDMA43			0x00000000
#define VGPU_BASE_SDMA44			0x00000000
#define VGPU_BASE_SDMA45			0x00000000
#define VGPU_BASE_OSSSYS0			0x000010a0
#define VGPU_BASE_OSSSYS1			0x0240a000
#define VGPU_BASE_OSSSYS2			0x00000000
#define VGPU_BASE_OSSSYS3			0x00000000
#define VGPU_BASE_OSSSYS4			0x00000000
#define VGPU_BASE_OSSSYS5			0x00000000
#define VGPU_BASE_MMHUB0			0x0001a000
#define VGPU_BASE_MMHUB1			0x02408800
#define VGPU_BASE_MMHUB2			0x00000000
#define VGPU_BASE_MMHUB3			0x00000000
#define VGPU_BASE_MMHUB4			0x00000000
#define VGPU_BASE_MMHUB5			0x00000000
#define VGPU_BASE_ATHUB0			0x00000c20
#define VGPU_BASE_ATHUB1			0x02408c00
#define VGPU_BASE_ATHUB2			0x00000000
#define VGPU_BASE_ATHUB3			0x00000000
#define VGPU_BASE_ATHUB4			0x00000000
#define VGPU_BASE_ATHUB5			0x00000000
#define VGPU_BASE_NBIO0				0x00000000
#define VGPU_BASE_NBIO1				0x00000014
#define VGPU_BASE_NBIO2				0x00000d20
#define VGPU_BASE_NBIO3				0x00010400
#define VGPU_BASE_NBIO4				0x0241b000
#define VGPU_BASE_NBIO5				0x04040000
#define VGPU_BASE_HDP0				0x00000f20
#define VGPU_BASE_HDP1				0x0240a400
#define VGPU_BASE_HDP2				0x00000000
#define VGPU_BASE_HDP3				0x00000000
#define VGPU_BASE_HDP4				0x00000000
#define VGPU_BASE_HDP5				0x00000000
#define VGPU_BASE_MP00				0x00016000
#define VGPU_BASE_MP01				0x00dc0000
#define VGPU_BASE_MP02				0x00e00000
#define VGPU_BASE_MP03				0x00e40000
#define VGPU_BASE_MP04				0x0243fc00
#define VGPU_BASE_MP05				0x00000000
#define VGPU_BASE_MP10				0x00016000
#define VGPU_BASE_MP11				0x00dc0000
#define VGPU_BASE_MP12				0x00e00000
#define VGPU_BASE_MP13				0x00e40000
#define VGPU_BASE_MP14				0x0243fc00
#define VGPU_BASE_MP15				0x00000000
#define VGPU_BASE_DF0				0x00007000
#define VGPU_BASE_DF1				0x0240b800
#define VGPU_BASE_DF2				0x07c00000
#define VGPU_BASE_DF3				0x00000000
#define VGPU_BASE_DF4				0x00000000
#define VGPU_BASE_DF5				0x00000000
#define VGPU_BASE_SMUIO0			0x00016800
#define VGPU_BASE_SMUIO1			0x00016a00
#define VGPU_BASE_SMUIO2			0x02401000
#define VGPU_BASE_SMUIO3			0x03440000
#define VGPU_BASE_SMUIO4			0x00000000
#define VGPU_BASE_SMUIO5			0x00000000
#define VGPU_BASE_THM0				0x00016600
#define VGPU_BASE_THM1				0x02400c00
#define VGPU_BASE_THM2				0x00000000
#define VGPU_BASE_THM3				0x00000000
#define VGPU_BASE_THM4				0x00000000
#define VGPU_BASE_THM5				0x00000000

#endif /* _HW_REG_BASE_H */
