/* SPDX-License-Identifier: MIT */
/*
 * Packets of the SDMA engine, version 4.  See Documentation/hardware.rst, "SDMA".
 *
 * A field F of packet P is in dword P_F_offset, is (dword >> P_F_shift) & P_F_mask, and the same
 * name in capitals takes a value to its place in the dword.  A field that fills its dword has
 * only the offset.
 */
#ifndef _HW_SDMA_H
#define _HW_SDMA_H

/* The field whose lower-case name is f, read from packet p, an array of dwords */
#define SDMA_PKT_GET(p, f)		(((p)[f##_offset] >> f##_shift) & f##_mask)

/* Operation, bits 7:0 of the header */
#define SDMA_OP_NOP					0
#define SDMA_OP_COPY					1
#define SDMA_OP_WRITE					2
#define SDMA_OP_INDIRECT				4
#define SDMA_OP_FENCE					5
#define SDMA_OP_TRAP					6
#define SDMA_OP_SEM					7
#define SDMA_OP_POLL_REGMEM				8
#define SDMA_OP_COND_EXE				9
#define SDMA_OP_ATOMIC					10
#define SDMA_OP_CONST_FILL				11
#define SDMA_OP_PTEPDE					12
#define SDMA_OP_TIMESTAMP				13
#define SDMA_OP_SRBM_WRITE				14
#define SDMA_OP_PRE_EXE					15
#define SDMA_OP_DUMMY_TRAP				16

/* Sub-operation, bits 15:8 of the header */
#define SDMA_SUBOP_TIMESTAMP_SET			0
#define SDMA_SUBOP_TIMESTAMP_GET			1
#define SDMA_SUBOP_TIMESTAMP_GET_GLOBAL			2
#define SDMA_SUBOP_COPY_LINEAR				0
#define SDMA_SUBOP_COPY_LINEAR_SUB_WIND			4
#define SDMA_SUBOP_COPY_TILED				1
#define SDMA_SUBOP_COPY_TILED_SUB_WIND			5
#define SDMA_SUBOP_COPY_T2T_SUB_WIND			6
#define SDMA_SUBOP_COPY_SOA				3
#define SDMA_SUBOP_COPY_DIRTY_PAGE			7
#define SDMA_SUBOP_COPY_LINEAR_PHY			8
#define SDMA_SUBOP_WRITE_LINEAR				0
#define SDMA_SUBOP_WRITE_TILED				1
#define SDMA_SUBOP_PTEPDE_GEN				0
#define SDMA_SUBOP_PTEPDE_COPY				1
#define SDMA_SUBOP_PTEPDE_RMW				2
#define SDMA_SUBOP_PTEPDE_COPY_BACKWARDS		3
#define SDMA_SUBOP_DATA_FILL_MULTI			1
#define SDMA_SUBOP_POLL_REG_WRITE_MEM			1
#define SDMA_SUBOP_POLL_DBIT_WRITE_MEM			2
#define SDMA_SUBOP_POLL_MEM_VERIFY			3

/* AQL packets in an SDMA user queue */
#define HEADER_AGENT_DISPATCH				4
#define HEADER_BARRIER					5
#define SDMA_OP_AQL_COPY				0
#define SDMA_OP_AQL_BARRIER_OR				0

/* Header of every packet */
#define SDMA_PKT_HEADER_op_offset						0
#define SDMA_PKT_HEADER_op_mask							0xff
#define SDMA_PKT_HEADER_op_shift						0
#define SDMA_PKT_HEADER_OP(x)							((x) & 0xff)
#define SDMA_PKT_HEADER_sub_op_offset						0
#define SDMA_PKT_HEADER_sub_op_mask						0xff
#define SDMA_PKT_HEADER_sub_op_shift						8
#define SDMA_PKT_HEADER_SUB_OP(x)						(((x) & 0xff) << 8)

/* SDMA_PKT_COPY_LINEAR: Linear copy; count is bytes - 1 */
#define SDMA_PKT_COPY_LINEAR_HEADER_op_offset					0
#define SDMA_PKT_COPY_LINEAR_HEADER_op_mask					0xff
#define SDMA_PKT_COPY_LINEAR_HEADER_op_shift					0
#define SDMA_PKT_COPY_LINEAR_HEADER_OP(x)					((x) & 0xff)
#define SDMA_PKT_COPY_LINEAR_HEADER_sub_op_offset				0
#define SDMA_PKT_COPY_LINEAR_HEADER_sub_op_mask					0xff
#define SDMA_PKT_COPY_LINEAR_HEADER_sub_op_shift				8
#define SDMA_PKT_COPY_LINEAR_HEADER_SUB_OP(x)					(((x) & 0xff) << 8)
#define SDMA_PKT_COPY_LINEAR_HEADER_encrypt_offset				0
#define SDMA_PKT_COPY_LINEAR_HEADER_encrypt_mask				0x1
#define SDMA_PKT_COPY_LINEAR_HEADER_encrypt_shift				16
#define SDMA_PKT_COPY_LINEAR_HEADER_ENCRYPT(x)					(((x) & 0x1) << 16)
#define SDMA_PKT_COPY_LINEAR_HEADER_tmz_offset					0
#define SDMA_PKT_COPY_LINEAR_HEADER_tmz_mask					0x1
#define SDMA_PKT_COPY_LINEAR_HEADER_tmz_shift					18
#define SDMA_PKT_COPY_LINEAR_HEADER_TMZ(x)					(((x) & 0x1) << 18)
#define SDMA_PKT_COPY_LINEAR_HEADER_broadcast_offset				0
#define SDMA_PKT_COPY_LINEAR_HEADER_broadcast_mask				0x1
#define SDMA_PKT_COPY_LINEAR_HEADER_broadcast_shift				27
#define SDMA_PKT_COPY_LINEAR_HEADER_BROADCAST(x)				(((x) & 0x1) << 27)
#define SDMA_PKT_COPY_LINEAR_COUNT_count_offset					1
#define SDMA_PKT_COPY_LINEAR_COUNT_count_mask					0x3fffff
#define SDMA_PKT_COPY_LINEAR_COUNT_count_shift					0
#define SDMA_PKT_COPY_LINEAR_COUNT_COUNT(x)					((x) & 0x3fffff)
#define SDMA_PKT_COPY_LINEAR_PARAMETER_dst_sw_offset				2
#define SDMA_PKT_COPY_LINEAR_PARAMETER_dst_sw_mask				0x3
#define SDMA_PKT_COPY_LINEAR_PARAMETER_dst_sw_shift				16
#define SDMA_PKT_COPY_LINEAR_PARAMETER_DST_SW(x)				(((x) & 0x3) << 16)
#define SDMA_PKT_COPY_LINEAR_PARAMETER_src_sw_offset				2
#define SDMA_PKT_COPY_LINEAR_PARAMETER_src_sw_mask				0x3
#define SDMA_PKT_COPY_LINEAR_PARAMETER_src_sw_shift				24
#define SDMA_PKT_COPY_LINEAR_PARAMETER_SRC_SW(x)				(((x) & 0x3) << 24)
#define SDMA_PKT_COPY_LINEAR_SRC_ADDR_LO_src_addr_31_0_offset			3
#define SDMA_PKT_COPY_LINEAR_SRC_ADDR_HI_src_addr_63_32_offset			4
#define SDMA_PKT_COPY_LINEAR_DST_ADDR_LO_dst_addr_31_0_offset			5
#define SDMA_PKT_COPY_LINEAR_DST_ADDR_HI_dst_addr_63_32_offset			6

/* SDMA_PKT_COPY_DIRTY_PAGE */
#define SDMA_PKT_COPY_DIRTY_PAGE_HEADER_op_offset				0
#define SDMA_PKT_COPY_DIRTY_PAGE_HEADER_op_mask					0xff
#define SDMA_PKT_COPY_DIRTY_PAGE_HEADER_op_shift				0
#define SDMA_PKT_COPY_DIRTY_PAGE_HEADER_OP(x)					((x) & 0xff)
#define SDMA_PKT_COPY_DIRTY_PAGE_HEADER_sub_op_offset				0
#define SDMA_PKT_COPY_DIRTY_PAGE_HEADER_sub_op_mask				0xff
#define SDMA_PKT_COPY_DIRTY_PAGE_HEADER_sub_op_shift				8
#define SDMA_PKT_COPY_DIRTY_PAGE_HEADER_SUB_OP(x)				(((x) & 0xff) << 8)
#define SDMA_PKT_COPY_DIRTY_PAGE_HEADER_tmz_offset				0
#define SDMA_PKT_COPY_DIRTY_PAGE_HEADER_tmz_mask				0x1
#define SDMA_PKT_COPY_DIRTY_PAGE_HEADER_tmz_shift				18
#define SDMA_PKT_COPY_DIRTY_PAGE_HEADER_TMZ(x)					(((x) & 0x1) << 18)
#define SDMA_PKT_COPY_DIRTY_PAGE_HEADER_all_offset				0
#define SDMA_PKT_COPY_DIRTY_PAGE_HEADER_all_mask				0x1
#define SDMA_PKT_COPY_DIRTY_PAGE_HEADER_all_shift				31
#define SDMA_PKT_COPY_DIRTY_PAGE_HEADER_ALL(x)					(((x) & 0x1u) << 31)
#define SDMA_PKT_COPY_DIRTY_PAGE_COUNT_count_offset				1
#define SDMA_PKT_COPY_DIRTY_PAGE_COUNT_count_mask				0x3fffff
#define SDMA_PKT_COPY_DIRTY_PAGE_COUNT_count_shift				0
#define SDMA_PKT_COPY_DIRTY_PAGE_COUNT_COUNT(x)					((x) & 0x3fffff)
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_dst_sw_offset			2
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_dst_sw_mask				0x3
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_dst_sw_shift				16
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_DST_SW(x)				(((x) & 0x3) << 16)
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_dst_gcc_offset			2
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_dst_gcc_mask				0x1
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_dst_gcc_shift			19
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_DST_GCC(x)				(((x) & 0x1) << 19)
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_dst_sys_offset			2
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_dst_sys_mask				0x1
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_dst_sys_shift			20
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_DST_SYS(x)				(((x) & 0x1) << 20)
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_dst_snoop_offset			2
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_dst_snoop_mask			0x1
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_dst_snoop_shift			22
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_DST_SNOOP(x)				(((x) & 0x1) << 22)
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_dst_gpa_offset			2
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_dst_gpa_mask				0x1
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_dst_gpa_shift			23
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_DST_GPA(x)				(((x) & 0x1) << 23)
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_src_sw_offset			2
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_src_sw_mask				0x3
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_src_sw_shift				24
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_SRC_SW(x)				(((x) & 0x3) << 24)
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_src_sys_offset			2
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_src_sys_mask				0x1
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_src_sys_shift			28
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_SRC_SYS(x)				(((x) & 0x1) << 28)
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_src_snoop_offset			2
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_src_snoop_mask			0x1
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_src_snoop_shift			30
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_SRC_SNOOP(x)				(((x) & 0x1) << 30)
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_src_gpa_offset			2
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_src_gpa_mask				0x1
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_src_gpa_shift			31
#define SDMA_PKT_COPY_DIRTY_PAGE_PARAMETER_SRC_GPA(x)				(((x) & 0x1u) << 31)
#define SDMA_PKT_COPY_DIRTY_PAGE_SRC_ADDR_LO_src_addr_31_0_offset		3
#define SDMA_PKT_COPY_DIRTY_PAGE_SRC_ADDR_HI_src_addr_63_32_offset		4
#define SDMA_PKT_COPY_DIRTY_PAGE_DST_ADDR_LO_dst_addr_31_0_offset		5
#define SDMA_PKT_COPY_DIRTY_PAGE_DST_ADDR_HI_dst_addr_63_32_offset		6

/* SDMA_PKT_COPY_PHYSICAL_LINEAR */
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_HEADER_op_offset				0
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_HEADER_op_mask				0xff
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_HEADER_op_shift				0
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_HEADER_OP(x)				((x) & 0xff)
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_HEADER_sub_op_offset			0
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_HEADER_sub_op_mask			0xff
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_HEADER_sub_op_shift			8
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_HEADER_SUB_OP(x)				(((x) & 0xff) << 8)
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_HEADER_tmz_offset				0
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_HEADER_tmz_mask				0x1
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_HEADER_tmz_shift				18
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_HEADER_TMZ(x)				(((x) & 0x1) << 18)
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_COUNT_count_offset			1
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_COUNT_count_mask				0x3fffff
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_COUNT_count_shift				0
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_COUNT_COUNT(x)				((x) & 0x3fffff)
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_dst_sw_offset			2
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_dst_sw_mask			0x3
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_dst_sw_shift			16
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_DST_SW(x)			(((x) & 0x3) << 16)
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_dst_gcc_offset			2
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_dst_gcc_mask			0x1
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_dst_gcc_shift			19
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_DST_GCC(x)			(((x) & 0x1) << 19)
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_dst_sys_offset			2
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_dst_sys_mask			0x1
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_dst_sys_shift			20
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_DST_SYS(x)			(((x) & 0x1) << 20)
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_dst_log_offset			2
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_dst_log_mask			0x1
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_dst_log_shift			21
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_DST_LOG(x)			(((x) & 0x1) << 21)
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_dst_snoop_offset		2
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_dst_snoop_mask			0x1
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_dst_snoop_shift			22
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_DST_SNOOP(x)			(((x) & 0x1) << 22)
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_dst_gpa_offset			2
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_dst_gpa_mask			0x1
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_dst_gpa_shift			23
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_DST_GPA(x)			(((x) & 0x1) << 23)
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_src_sw_offset			2
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_src_sw_mask			0x3
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_src_sw_shift			24
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_SRC_SW(x)			(((x) & 0x3) << 24)
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_src_gcc_offset			2
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_src_gcc_mask			0x1
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_src_gcc_shift			27
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_SRC_GCC(x)			(((x) & 0x1) << 27)
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_src_sys_offset			2
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_src_sys_mask			0x1
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_src_sys_shift			28
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_SRC_SYS(x)			(((x) & 0x1) << 28)
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_src_snoop_offset		2
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_src_snoop_mask			0x1
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_src_snoop_shift			30
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_SRC_SNOOP(x)			(((x) & 0x1) << 30)
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_src_gpa_offset			2
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_src_gpa_mask			0x1
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_src_gpa_shift			31
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_PARAMETER_SRC_GPA(x)			(((x) & 0x1u) << 31)
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_SRC_ADDR_LO_src_addr_31_0_offset		3
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_SRC_ADDR_HI_src_addr_63_32_offset		4
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_DST_ADDR_LO_dst_addr_31_0_offset		5
#define SDMA_PKT_COPY_PHYSICAL_LINEAR_DST_ADDR_HI_dst_addr_63_32_offset		6

/* SDMA_PKT_COPY_BROADCAST_LINEAR */
#define SDMA_PKT_COPY_BROADCAST_LINEAR_HEADER_op_offset				0
#define SDMA_PKT_COPY_BROADCAST_LINEAR_HEADER_op_mask				0xff
#define SDMA_PKT_COPY_BROADCAST_LINEAR_HEADER_op_shift				0
#define SDMA_PKT_COPY_BROADCAST_LINEAR_HEADER_OP(x)				((x) & 0xff)
#define SDMA_PKT_COPY_BROADCAST_LINEAR_HEADER_sub_op_offset			0
#define SDMA_PKT_COPY_BROADCAST_LINEAR_HEADER_sub_op_mask			0xff
#define SDMA_PKT_COPY_BROADCAST_LINEAR_HEADER_sub_op_shift			8
#define SDMA_PKT_COPY_BROADCAST_LINEAR_HEADER_SUB_OP(x)				(((x) & 0xff) << 8)
#define SDMA_PKT_COPY_BROADCAST_LINEAR_HEADER_encrypt_offset			0
#define SDMA_PKT_COPY_BROADCAST_LINEAR_HEADER_encrypt_mask			0x1
#define SDMA_PKT_COPY_BROADCAST_LINEAR_HEADER_encrypt_shift			16
#define SDMA_PKT_COPY_BROADCAST_LINEAR_HEADER_ENCRYPT(x)			(((x) & 0x1) << 16)
#define SDMA_PKT_COPY_BROADCAST_LINEAR_HEADER_tmz_offset			0
#define SDMA_PKT_COPY_BROADCAST_LINEAR_HEADER_tmz_mask				0x1
#define SDMA_PKT_COPY_BROADCAST_LINEAR_HEADER_tmz_shift				18
#define SDMA_PKT_COPY_BROADCAST_LINEAR_HEADER_TMZ(x)				(((x) & 0x1) << 18)
#define SDMA_PKT_COPY_BROADCAST_LINEAR_HEADER_broadcast_offset			0
#define SDMA_PKT_COPY_BROADCAST_LINEAR_HEADER_broadcast_mask			0x1
#define SDMA_PKT_COPY_BROADCAST_LINEAR_HEADER_broadcast_shift			27
#define SDMA_PKT_COPY_BROADCAST_LINEAR_HEADER_BROADCAST(x)			(((x) & 0x1) << 27)
#define SDMA_PKT_COPY_BROADCAST_LINEAR_COUNT_count_offset			1
#define SDMA_PKT_COPY_BROADCAST_LINEAR_COUNT_count_mask				0x3fffff
#define SDMA_PKT_COPY_BROADCAST_LINEAR_COUNT_count_shift			0
#define SDMA_PKT_COPY_BROADCAST_LINEAR_COUNT_COUNT(x)				((x) & 0x3fffff)
#define SDMA_PKT_COPY_BROADCAST_LINEAR_PARAMETER_dst2_sw_offset			2
#define SDMA_PKT_COPY_BROADCAST_LINEAR_PARAMETER_dst2_sw_mask			0x3
#define SDMA_PKT_COPY_BROADCAST_LINEAR_PARAMETER_dst2_sw_shift			8
#define SDMA_PKT_COPY_BROADCAST_LINEAR_PARAMETER_DST2_SW(x)			(((x) & 0x3) << 8)
#define SDMA_PKT_COPY_BROADCAST_LINEAR_PARAMETER_dst1_sw_offset			2
#define SDMA_PKT_COPY_BROADCAST_LINEAR_PARAMETER_dst1_sw_mask			0x3
#define SDMA_PKT_COPY_BROADCAST_LINEAR_PARAMETER_dst1_sw_shift			16
#define SDMA_PKT_COPY_BROADCAST_LINEAR_PARAMETER_DST1_SW(x)			(((x) & 0x3) << 16)
#define SDMA_PKT_COPY_BROADCAST_LINEAR_PARAMETER_src_sw_offset			2
#define SDMA_PKT_COPY_BROADCAST_LINEAR_PARAMETER_src_sw_mask			0x3
#define SDMA_PKT_COPY_BROADCAST_LINEAR_PARAMETER_src_sw_shift			24
#define SDMA_PKT_COPY_BROADCAST_LINEAR_PARAMETER_SRC_SW(x)			(((x) & 0x3) << 24)
#define SDMA_PKT_COPY_BROADCAST_LINEAR_SRC_ADDR_LO_src_addr_31_0_offset		3
#define SDMA_PKT_COPY_BROADCAST_LINEAR_SRC_ADDR_HI_src_addr_63_32_offset	4
#define SDMA_PKT_COPY_BROADCAST_LINEAR_DST1_ADDR_LO_dst1_addr_31_0_offset	5
#define SDMA_PKT_COPY_BROADCAST_LINEAR_DST1_ADDR_HI_dst1_addr_63_32_offset	6
#define SDMA_PKT_COPY_BROADCAST_LINEAR_DST2_ADDR_LO_dst2_addr_31_0_offset	7
#define SDMA_PKT_COPY_BROADCAST_LINEAR_DST2_ADDR_HI_dst2_addr_63_32_offset	8

/* SDMA_PKT_COPY_LINEAR_SUBWIN */
#define SDMA_PKT_COPY_LINEAR_SUBWIN_HEADER_op_offset				0
#define SDMA_PKT_COPY_LINEAR_SUBWIN_HEADER_op_mask				0xff
#define SDMA_PKT_COPY_LINEAR_SUBWIN_HEADER_op_shift				0
#define SDMA_PKT_COPY_LINEAR_SUBWIN_HEADER_OP(x)				((x) & 0xff)
#define SDMA_PKT_COPY_LINEAR_SUBWIN_HEADER_sub_op_offset			0
#define SDMA_PKT_COPY_LINEAR_SUBWIN_HEADER_sub_op_mask				0xff
#define SDMA_PKT_COPY_LINEAR_SUBWIN_HEADER_sub_op_shift				8
#define SDMA_PKT_COPY_LINEAR_SUBWIN_HEADER_SUB_OP(x)				(((x) & 0xff) << 8)
#define SDMA_PKT_COPY_LINEAR_SUBWIN_HEADER_tmz_offset				0
#define SDMA_PKT_COPY_LINEAR_SUBWIN_HEADER_tmz_mask				0x1
#define SDMA_PKT_COPY_LINEAR_SUBWIN_HEADER_tmz_shift				18
#define SDMA_PKT_COPY_LINEAR_SUBWIN_HEADER_TMZ(x)				(((x) & 0x1) << 18)
#define SDMA_PKT_COPY_LINEAR_SUBWIN_HEADER_elementsize_offset			0
#define SDMA_PKT_COPY_LINEAR_SUBWIN_HEADER_elementsize_mask			0x7
#define SDMA_PKT_COPY_LINEAR_SUBWIN_HEADER_elementsize_shift			29
#define SDMA_PKT_COPY_LINEAR_SUBWIN_HEADER_ELEMENTSIZE(x)			(((x) & 0x7u) << 29)
#define SDMA_PKT_COPY_LINEAR_SUBWIN_SRC_ADDR_LO_src_addr_31_0_offset		1
#define SDMA_PKT_COPY_LINEAR_SUBWIN_SRC_ADDR_HI_src_addr_63_32_offset		2
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_3_src_x_offset				3
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_3_src_x_mask				0x3fff
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_3_src_x_shift				0
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_3_SRC_X(x)				((x) & 0x3fff)
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_3_src_y_offset				3
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_3_src_y_mask				0x3fff
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_3_src_y_shift				16
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_3_SRC_Y(x)				(((x) & 0x3fff) << 16)
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_4_src_z_offset				4
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_4_src_z_mask				0x7ff
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_4_src_z_shift				0
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_4_SRC_Z(x)				((x) & 0x7ff)
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_4_src_pitch_offset			4
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_4_src_pitch_mask				0x7ffff
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_4_src_pitch_shift			13
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_4_SRC_PITCH(x)				(((x) & 0x7ffffu) << 13)
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_5_src_slice_pitch_offset			5
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_5_src_slice_pitch_mask			0xfffffff
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_5_src_slice_pitch_shift			0
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_5_SRC_SLICE_PITCH(x)			((x) & 0xfffffff)
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DST_ADDR_LO_dst_addr_31_0_offset		6
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DST_ADDR_HI_dst_addr_63_32_offset		7
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_8_dst_x_offset				8
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_8_dst_x_mask				0x3fff
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_8_dst_x_shift				0
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_8_DST_X(x)				((x) & 0x3fff)
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_8_dst_y_offset				8
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_8_dst_y_mask				0x3fff
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_8_dst_y_shift				16
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_8_DST_Y(x)				(((x) & 0x3fff) << 16)
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_9_dst_z_offset				9
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_9_dst_z_mask				0x7ff
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_9_dst_z_shift				0
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_9_DST_Z(x)				((x) & 0x7ff)
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_9_dst_pitch_offset			9
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_9_dst_pitch_mask				0x7ffff
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_9_dst_pitch_shift			13
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_9_DST_PITCH(x)				(((x) & 0x7ffffu) << 13)
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_10_dst_slice_pitch_offset		10
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_10_dst_slice_pitch_mask			0xfffffff
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_10_dst_slice_pitch_shift			0
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_10_DST_SLICE_PITCH(x)			((x) & 0xfffffff)
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_11_rect_x_offset				11
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_11_rect_x_mask				0x3fff
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_11_rect_x_shift				0
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_11_RECT_X(x)				((x) & 0x3fff)
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_11_rect_y_offset				11
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_11_rect_y_mask				0x3fff
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_11_rect_y_shift				16
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_11_RECT_Y(x)				(((x) & 0x3fff) << 16)
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_12_rect_z_offset				12
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_12_rect_z_mask				0x7ff
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_12_rect_z_shift				0
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_12_RECT_Z(x)				((x) & 0x7ff)
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_12_dst_sw_offset				12
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_12_dst_sw_mask				0x3
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_12_dst_sw_shift				16
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_12_DST_SW(x)				(((x) & 0x3) << 16)
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_12_src_sw_offset				12
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_12_src_sw_mask				0x3
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_12_src_sw_shift				24
#define SDMA_PKT_COPY_LINEAR_SUBWIN_DW_12_SRC_SW(x)				(((x) & 0x3) << 24)

/* SDMA_PKT_COPY_TILED */
#define SDMA_PKT_COPY_TILED_HEADER_op_offset					0
#define SDMA_PKT_COPY_TILED_HEADER_op_mask					0xff
#define SDMA_PKT_COPY_TILED_HEADER_op_shift					0
#define SDMA_PKT_COPY_TILED_HEADER_OP(x)					((x) & 0xff)
#define SDMA_PKT_COPY_TILED_HEADER_sub_op_offset				0
#define SDMA_PKT_COPY_TILED_HEADER_sub_op_mask					0xff
#define SDMA_PKT_COPY_TILED_HEADER_sub_op_shift					8
#define SDMA_PKT_COPY_TILED_HEADER_SUB_OP(x)					(((x) & 0xff) << 8)
#define SDMA_PKT_COPY_TILED_HEADER_encrypt_offset				0
#define SDMA_PKT_COPY_TILED_HEADER_encrypt_mask					0x1
#define SDMA_PKT_COPY_TILED_HEADER_encrypt_shift				16
#define SDMA_PKT_COPY_TILED_HEADER_ENCRYPT(x)					(((x) & 0x1) << 16)
#define SDMA_PKT_COPY_TILED_HEADER_tmz_offset					0
#define SDMA_PKT_COPY_TILED_HEADER_tmz_mask					0x1
#define SDMA_PKT_COPY_TILED_HEADER_tmz_shift					18
#define SDMA_PKT_COPY_TILED_HEADER_TMZ(x)					(((x) & 0x1) << 18)
#define SDMA_PKT_COPY_TILED_HEADER_mip_max_offset				0
#define SDMA_PKT_COPY_TILED_HEADER_mip_max_mask					0xf
#define SDMA_PKT_COPY_TILED_HEADER_mip_max_shift				20
#define SDMA_PKT_COPY_TILED_HEADER_MIP_MAX(x)					(((x) & 0xf) << 20)
#define SDMA_PKT_COPY_TILED_HEADER_detile_offset				0
#define SDMA_PKT_COPY_TILED_HEADER_detile_mask					0x1
#define SDMA_PKT_COPY_TILED_HEADER_detile_shift					31
#define SDMA_PKT_COPY_TILED_HEADER_DETILE(x)					(((x) & 0x1u) << 31)
#define SDMA_PKT_COPY_TILED_TILED_ADDR_LO_tiled_addr_31_0_offset		1
#define SDMA_PKT_COPY_TILED_TILED_ADDR_HI_tiled_addr_63_32_offset		2
#define SDMA_PKT_COPY_TILED_DW_3_width_offset					3
#define SDMA_PKT_COPY_TILED_DW_3_width_mask					0x3fff
#define SDMA_PKT_COPY_TILED_DW_3_width_shift					0
#define SDMA_PKT_COPY_TILED_DW_3_WIDTH(x)					((x) & 0x3fff)
#define SDMA_PKT_COPY_TILED_DW_4_height_offset					4
#define SDMA_PKT_COPY_TILED_DW_4_height_mask					0x3fff
#define SDMA_PKT_COPY_TILED_DW_4_height_shift					0
#define SDMA_PKT_COPY_TILED_DW_4_HEIGHT(x)					((x) & 0x3fff)
#define SDMA_PKT_COPY_TILED_DW_4_depth_offset					4
#define SDMA_PKT_COPY_TILED_DW_4_depth_mask					0x7ff
#define SDMA_PKT_COPY_TILED_DW_4_depth_shift					16
#define SDMA_PKT_COPY_TILED_DW_4_DEPTH(x)					(((x) & 0x7ff) << 16)
#define SDMA_PKT_COPY_TILED_DW_5_element_size_offset				5
#define SDMA_PKT_COPY_TILED_DW_5_element_size_mask				0x7
#define SDMA_PKT_COPY_TILED_DW_5_element_size_shift				0
#define SDMA_PKT_COPY_TILED_DW_5_ELEMENT_SIZE(x)				((x) & 0x7)
#define SDMA_PKT_COPY_TILED_DW_5_swizzle_mode_offset				5
#define SDMA_PKT_COPY_TILED_DW_5_swizzle_mode_mask				0x1f
#define SDMA_PKT_COPY_TILED_DW_5_swizzle_mode_shift				3
#define SDMA_PKT_COPY_TILED_DW_5_SWIZZLE_MODE(x)				(((x) & 0x1f) << 3)
#define SDMA_PKT_COPY_TILED_DW_5_dimension_offset				5
#define SDMA_PKT_COPY_TILED_DW_5_dimension_mask					0x3
#define SDMA_PKT_COPY_TILED_DW_5_dimension_shift				9
#define SDMA_PKT_COPY_TILED_DW_5_DIMENSION(x)					(((x) & 0x3) << 9)
#define SDMA_PKT_COPY_TILED_DW_5_epitch_offset					5
#define SDMA_PKT_COPY_TILED_DW_5_epitch_mask					0xffff
#define SDMA_PKT_COPY_TILED_DW_5_epitch_shift					16
#define SDMA_PKT_COPY_TILED_DW_5_EPITCH(x)					(((x) & 0xffffu) << 16)
#define SDMA_PKT_COPY_TILED_DW_6_x_offset					6
#define SDMA_PKT_COPY_TILED_DW_6_x_mask						0x3fff
#define SDMA_PKT_COPY_TILED_DW_6_x_shift					0
#define SDMA_PKT_COPY_TILED_DW_6_X(x)						((x) & 0x3fff)
#define SDMA_PKT_COPY_TILED_DW_6_y_offset					6
#define SDMA_PKT_COPY_TILED_DW_6_y_mask						0x3fff
#define SDMA_PKT_COPY_TILED_DW_6_y_shift					16
#define SDMA_PKT_COPY_TILED_DW_6_Y(x)						(((x) & 0x3fff) << 16)
#define SDMA_PKT_COPY_TILED_DW_7_z_offset					7
#define SDMA_PKT_COPY_TILED_DW_7_z_mask						0x7ff
#define SDMA_PKT_COPY_TILED_DW_7_z_shift					0
#define SDMA_PKT_COPY_TILED_DW_7_Z(x)						((x) & 0x7ff)
#define SDMA_PKT_COPY_TILED_DW_7_linear_sw_offset				7
#define SDMA_PKT_COPY_TILED_DW_7_linear_sw_mask					0x3
#define SDMA_PKT_COPY_TILED_DW_7_linear_sw_shift				16
#define SDMA_PKT_COPY_TILED_DW_7_LINEAR_SW(x)					(((x) & 0x3) << 16)
#define SDMA_PKT_COPY_TILED_DW_7_tile_sw_offset					7
#define SDMA_PKT_COPY_TILED_DW_7_tile_sw_mask					0x3
#define SDMA_PKT_COPY_TILED_DW_7_tile_sw_shift					24
#define SDMA_PKT_COPY_TILED_DW_7_TILE_SW(x)					(((x) & 0x3) << 24)
#define SDMA_PKT_COPY_TILED_LINEAR_ADDR_LO_linear_addr_31_0_offset		8
#define SDMA_PKT_COPY_TILED_LINEAR_ADDR_HI_linear_addr_63_32_offset		9
#define SDMA_PKT_COPY_TILED_LINEAR_PITCH_linear_pitch_offset			10
#define SDMA_PKT_COPY_TILED_LINEAR_PITCH_linear_pitch_mask			0x7ffff
#define SDMA_PKT_COPY_TILED_LINEAR_PITCH_linear_pitch_shift			0
#define SDMA_PKT_COPY_TILED_LINEAR_PITCH_LINEAR_PITCH(x)			((x) & 0x7ffff)
#define SDMA_PKT_COPY_TILED_LINEAR_SLICE_PITCH_linear_slice_pitch_offset	11
#define SDMA_PKT_COPY_TILED_COUNT_count_offset					12
#define SDMA_PKT_COPY_TILED_COUNT_count_mask					0xfffff
#define SDMA_PKT_COPY_TILED_COUNT_count_shift					0
#define SDMA_PKT_COPY_TILED_COUNT_COUNT(x)					((x) & 0xfffff)

/* SDMA_PKT_COPY_L2T_BROADCAST */
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_op_offset				0
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_op_mask				0xff
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_op_shift				0
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_OP(x)				((x) & 0xff)
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_sub_op_offset			0
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_sub_op_mask				0xff
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_sub_op_shift				8
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_SUB_OP(x)				(((x) & 0xff) << 8)
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_encrypt_offset			0
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_encrypt_mask				0x1
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_encrypt_shift			16
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_ENCRYPT(x)				(((x) & 0x1) << 16)
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_tmz_offset				0
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_tmz_mask				0x1
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_tmz_shift				18
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_TMZ(x)				(((x) & 0x1) << 18)
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_mip_max_offset			0
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_mip_max_mask				0xf
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_mip_max_shift			20
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_MIP_MAX(x)				(((x) & 0xf) << 20)
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_videocopy_offset			0
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_videocopy_mask			0x1
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_videocopy_shift			26
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_VIDEOCOPY(x)				(((x) & 0x1) << 26)
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_broadcast_offset			0
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_broadcast_mask			0x1
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_broadcast_shift			27
#define SDMA_PKT_COPY_L2T_BROADCAST_HEADER_BROADCAST(x)				(((x) & 0x1) << 27)
#define SDMA_PKT_COPY_L2T_BROADCAST_TILED_ADDR_LO_0_tiled_addr0_31_0_offset	1
#define SDMA_PKT_COPY_L2T_BROADCAST_TILED_ADDR_HI_0_tiled_addr0_63_32_offset	2
#define SDMA_PKT_COPY_L2T_BROADCAST_TILED_ADDR_LO_1_tiled_addr1_31_0_offset	3
#define SDMA_PKT_COPY_L2T_BROADCAST_TILED_ADDR_HI_1_tiled_addr1_63_32_offset	4
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_5_width_offset				5
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_5_width_mask				0x3fff
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_5_width_shift				0
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_5_WIDTH(x)				((x) & 0x3fff)
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_6_height_offset				6
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_6_height_mask				0x3fff
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_6_height_shift				0
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_6_HEIGHT(x)				((x) & 0x3fff)
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_6_depth_offset				6
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_6_depth_mask				0x7ff
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_6_depth_shift				16
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_6_DEPTH(x)				(((x) & 0x7ff) << 16)
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_7_element_size_offset			7
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_7_element_size_mask			0x7
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_7_element_size_shift			0
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_7_ELEMENT_SIZE(x)			((x) & 0x7)
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_7_swizzle_mode_offset			7
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_7_swizzle_mode_mask			0x1f
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_7_swizzle_mode_shift			3
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_7_SWIZZLE_MODE(x)			(((x) & 0x1f) << 3)
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_7_dimension_offset			7
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_7_dimension_mask				0x3
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_7_dimension_shift			9
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_7_DIMENSION(x)				(((x) & 0x3) << 9)
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_7_epitch_offset				7
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_7_epitch_mask				0xffff
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_7_epitch_shift				16
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_7_EPITCH(x)				(((x) & 0xffffu) << 16)
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_8_x_offset				8
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_8_x_mask					0x3fff
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_8_x_shift				0
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_8_X(x)					((x) & 0x3fff)
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_8_y_offset				8
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_8_y_mask					0x3fff
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_8_y_shift				16
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_8_Y(x)					(((x) & 0x3fff) << 16)
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_9_z_offset				9
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_9_z_mask					0x7ff
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_9_z_shift				0
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_9_Z(x)					((x) & 0x7ff)
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_10_dst2_sw_offset			10
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_10_dst2_sw_mask				0x3
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_10_dst2_sw_shift				8
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_10_DST2_SW(x)				(((x) & 0x3) << 8)
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_10_linear_sw_offset			10
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_10_linear_sw_mask			0x3
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_10_linear_sw_shift			16
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_10_LINEAR_SW(x)				(((x) & 0x3) << 16)
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_10_tile_sw_offset			10
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_10_tile_sw_mask				0x3
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_10_tile_sw_shift				24
#define SDMA_PKT_COPY_L2T_BROADCAST_DW_10_TILE_SW(x)				(((x) & 0x3) << 24)
#define SDMA_PKT_COPY_L2T_BROADCAST_LINEAR_ADDR_LO_linear_addr_31_0_offset	11
#define SDMA_PKT_COPY_L2T_BROADCAST_LINEAR_ADDR_HI_linear_addr_63_32_offset	12
#define SDMA_PKT_COPY_L2T_BROADCAST_LINEAR_PITCH_linear_pitch_offset		13
#define SDMA_PKT_COPY_L2T_BROADCAST_LINEAR_PITCH_linear_pitch_mask		0x7ffff
#define SDMA_PKT_COPY_L2T_BROADCAST_LINEAR_PITCH_linear_pitch_shift		0
#define SDMA_PKT_COPY_L2T_BROADCAST_LINEAR_PITCH_LINEAR_PITCH(x)		((x) & 0x7ffff)
#define SDMA_PKT_COPY_L2T_BROADCAST_LINEAR_SLICE_PITCH_linear_slice_pitch_offset 14
#define SDMA_PKT_COPY_L2T_BROADCAST_COUNT_count_offset				15
#define SDMA_PKT_COPY_L2T_BROADCAST_COUNT_count_mask				0xfffff
#define SDMA_PKT_COPY_L2T_BROADCAST_COUNT_count_shift				0
#define SDMA_PKT_COPY_L2T_BROADCAST_COUNT_COUNT(x)				((x) & 0xfffff)

/* SDMA_PKT_COPY_T2T */
#define SDMA_PKT_COPY_T2T_HEADER_op_offset					0
#define SDMA_PKT_COPY_T2T_HEADER_op_mask					0xff
#define SDMA_PKT_COPY_T2T_HEADER_op_shift					0
#define SDMA_PKT_COPY_T2T_HEADER_OP(x)						((x) & 0xff)
#define SDMA_PKT_COPY_T2T_HEADER_sub_op_offset					0
#define SDMA_PKT_COPY_T2T_HEADER_sub_op_mask					0xff
#define SDMA_PKT_COPY_T2T_HEADER_sub_op_shift					8
#define SDMA_PKT_COPY_T2T_HEADER_SUB_OP(x)					(((x) & 0xff) << 8)
#define SDMA_PKT_COPY_T2T_HEADER_tmz_offset					0
#define SDMA_PKT_COPY_T2T_HEADER_tmz_mask					0x1
#define SDMA_PKT_COPY_T2T_HEADER_tmz_shift					18
#define SDMA_PKT_COPY_T2T_HEADER_TMZ(x)						(((x) & 0x1) << 18)
#define SDMA_PKT_COPY_T2T_HEADER_mip_max_offset					0
#define SDMA_PKT_COPY_T2T_HEADER_mip_max_mask					0xf
#define SDMA_PKT_COPY_T2T_HEADER_mip_max_shift					20
#define SDMA_PKT_COPY_T2T_HEADER_MIP_MAX(x)					(((x) & 0xf) << 20)
#define SDMA_PKT_COPY_T2T_SRC_ADDR_LO_src_addr_31_0_offset			1
#define SDMA_PKT_COPY_T2T_SRC_ADDR_HI_src_addr_63_32_offset			2
#define SDMA_PKT_COPY_T2T_DW_3_src_x_offset					3
#define SDMA_PKT_COPY_T2T_DW_3_src_x_mask					0x3fff
#define SDMA_PKT_COPY_T2T_DW_3_src_x_shift					0
#define SDMA_PKT_COPY_T2T_DW_3_SRC_X(x)						((x) & 0x3fff)
#define SDMA_PKT_COPY_T2T_DW_3_src_y_offset					3
#define SDMA_PKT_COPY_T2T_DW_3_src_y_mask					0x3fff
#define SDMA_PKT_COPY_T2T_DW_3_src_y_shift					16
#define SDMA_PKT_COPY_T2T_DW_3_SRC_Y(x)						(((x) & 0x3fff) << 16)
#define SDMA_PKT_COPY_T2T_DW_4_src_z_offset					4
#define SDMA_PKT_COPY_T2T_DW_4_src_z_mask					0x7ff
#define SDMA_PKT_COPY_T2T_DW_4_src_z_shift					0
#define SDMA_PKT_COPY_T2T_DW_4_SRC_Z(x)						((x) & 0x7ff)
#define SDMA_PKT_COPY_T2T_DW_4_src_width_offset					4
#define SDMA_PKT_COPY_T2T_DW_4_src_width_mask					0x3fff
#define SDMA_PKT_COPY_T2T_DW_4_src_width_shift					16
#define SDMA_PKT_COPY_T2T_DW_4_SRC_WIDTH(x)					(((x) & 0x3fff) << 16)
#define SDMA_PKT_COPY_T2T_DW_5_src_height_offset				5
#define SDMA_PKT_COPY_T2T_DW_5_src_height_mask					0x3fff
#define SDMA_PKT_COPY_T2T_DW_5_src_height_shift					0
#define SDMA_PKT_COPY_T2T_DW_5_SRC_HEIGHT(x)					((x) & 0x3fff)
#define SDMA_PKT_COPY_T2T_DW_5_src_depth_offset					5
#define SDMA_PKT_COPY_T2T_DW_5_src_depth_mask					0x7ff
#define SDMA_PKT_COPY_T2T_DW_5_src_depth_shift					16
#define SDMA_PKT_COPY_T2T_DW_5_SRC_DEPTH(x)					(((x) & 0x7ff) << 16)
#define SDMA_PKT_COPY_T2T_DW_6_src_element_size_offset				6
#define SDMA_PKT_COPY_T2T_DW_6_src_element_size_mask				0x7
#define SDMA_PKT_COPY_T2T_DW_6_src_element_size_shift				0
#define SDMA_PKT_COPY_T2T_DW_6_SRC_ELEMENT_SIZE(x)				((x) & 0x7)
#define SDMA_PKT_COPY_T2T_DW_6_src_swizzle_mode_offset				6
#define SDMA_PKT_COPY_T2T_DW_6_src_swizzle_mode_mask				0x1f
#define SDMA_PKT_COPY_T2T_DW_6_src_swizzle_mode_shift				3
#define SDMA_PKT_COPY_T2T_DW_6_SRC_SWIZZLE_MODE(x)				(((x) & 0x1f) << 3)
#define SDMA_PKT_COPY_T2T_DW_6_src_dimension_offset				6
#define SDMA_PKT_COPY_T2T_DW_6_src_dimension_mask				0x3
#define SDMA_PKT_COPY_T2T_DW_6_src_dimension_shift				9
#define SDMA_PKT_COPY_T2T_DW_6_SRC_DIMENSION(x)					(((x) & 0x3) << 9)
#define SDMA_PKT_COPY_T2T_DW_6_src_epitch_offset				6
#define SDMA_PKT_COPY_T2T_DW_6_src_epitch_mask					0xffff
#define SDMA_PKT_COPY_T2T_DW_6_src_epitch_shift					16
#define SDMA_PKT_COPY_T2T_DW_6_SRC_EPITCH(x)					(((x) & 0xffffu) << 16)
#define SDMA_PKT_COPY_T2T_DST_ADDR_LO_dst_addr_31_0_offset			7
#define SDMA_PKT_COPY_T2T_DST_ADDR_HI_dst_addr_63_32_offset			8
#define SDMA_PKT_COPY_T2T_DW_9_dst_x_offset					9
#define SDMA_PKT_COPY_T2T_DW_9_dst_x_mask					0x3fff
#define SDMA_PKT_COPY_T2T_DW_9_dst_x_shift					0
#define SDMA_PKT_COPY_T2T_DW_9_DST_X(x)						((x) & 0x3fff)
#define SDMA_PKT_COPY_T2T_DW_9_dst_y_offset					9
#define SDMA_PKT_COPY_T2T_DW_9_dst_y_mask					0x3fff
#define SDMA_PKT_COPY_T2T_DW_9_dst_y_shift					16
#define SDMA_PKT_COPY_T2T_DW_9_DST_Y(x)						(((x) & 0x3fff) << 16)
#define SDMA_PKT_COPY_T2T_DW_10_dst_z_offset					10
#define SDMA_PKT_COPY_T2T_DW_10_dst_z_mask					0x7ff
#define SDMA_PKT_COPY_T2T_DW_10_dst_z_shift					0
#define SDMA_PKT_COPY_T2T_DW_10_DST_Z(x)					((x) & 0x7ff)
#define SDMA_PKT_COPY_T2T_DW_10_dst_width_offset				10
#define SDMA_PKT_COPY_T2T_DW_10_dst_width_mask					0x3fff
#define SDMA_PKT_COPY_T2T_DW_10_dst_width_shift					16
#define SDMA_PKT_COPY_T2T_DW_10_DST_WIDTH(x)					(((x) & 0x3fff) << 16)
#define SDMA_PKT_COPY_T2T_DW_11_dst_height_offset				11
#define SDMA_PKT_COPY_T2T_DW_11_dst_height_mask					0x3fff
#define SDMA_PKT_COPY_T2T_DW_11_dst_height_shift				0
#define SDMA_PKT_COPY_T2T_DW_11_DST_HEIGHT(x)					((x) & 0x3fff)
#define SDMA_PKT_COPY_T2T_DW_11_dst_depth_offset				11
#define SDMA_PKT_COPY_T2T_DW_11_dst_depth_mask					0x7ff
#define SDMA_PKT_COPY_T2T_DW_11_dst_depth_shift					16
#define SDMA_PKT_COPY_T2T_DW_11_DST_DEPTH(x)					(((x) & 0x7ff) << 16)
#define SDMA_PKT_COPY_T2T_DW_12_dst_element_size_offset				12
#define SDMA_PKT_COPY_T2T_DW_12_dst_element_size_mask				0x7
#define SDMA_PKT_COPY_T2T_DW_12_dst_element_size_shift				0
#define SDMA_PKT_COPY_T2T_DW_12_DST_ELEMENT_SIZE(x)				((x) & 0x7)
#define SDMA_PKT_COPY_T2T_DW_12_dst_swizzle_mode_offset				12
#define SDMA_PKT_COPY_T2T_DW_12_dst_swizzle_mode_mask				0x1f
#define SDMA_PKT_COPY_T2T_DW_12_dst_swizzle_mode_shift				3
#define SDMA_PKT_COPY_T2T_DW_12_DST_SWIZZLE_MODE(x)				(((x) & 0x1f) << 3)
#define SDMA_PKT_COPY_T2T_DW_12_dst_dimension_offset				12
#define SDMA_PKT_COPY_T2T_DW_12_dst_dimension_mask				0x3
#define SDMA_PKT_COPY_T2T_DW_12_dst_dimension_shift				9
#define SDMA_PKT_COPY_T2T_DW_12_DST_DIMENSION(x)				(((x) & 0x3) << 9)
#define SDMA_PKT_COPY_T2T_DW_12_dst_epitch_offset				12
#define SDMA_PKT_COPY_T2T_DW_12_dst_epitch_mask					0xffff
#define SDMA_PKT_COPY_T2T_DW_12_dst_epitch_shift				16
#define SDMA_PKT_COPY_T2T_DW_12_DST_EPITCH(x)					(((x) & 0xffffu) << 16)
#define SDMA_PKT_COPY_T2T_DW_13_rect_x_offset					13
#define SDMA_PKT_COPY_T2T_DW_13_rect_x_mask					0x3fff
#define SDMA_PKT_COPY_T2T_DW_13_rect_x_shift					0
#define SDMA_PKT_COPY_T2T_DW_13_RECT_X(x)					((x) & 0x3fff)
#define SDMA_PKT_COPY_T2T_DW_13_rect_y_offset					13
#define SDMA_PKT_COPY_T2T_DW_13_rect_y_mask					0x3fff
#define SDMA_PKT_COPY_T2T_DW_13_rect_y_shift					16
#define SDMA_PKT_COPY_T2T_DW_13_RECT_Y(x)					(((x) & 0x3fff) << 16)
#define SDMA_PKT_COPY_T2T_DW_14_rect_z_offset					14
#define SDMA_PKT_COPY_T2T_DW_14_rect_z_mask					0x7ff
#define SDMA_PKT_COPY_T2T_DW_14_rect_z_shift					0
#define SDMA_PKT_COPY_T2T_DW_14_RECT_Z(x)					((x) & 0x7ff)
#define SDMA_PKT_COPY_T2T_DW_14_dst_sw_offset					14
#define SDMA_PKT_COPY_T2T_DW_14_dst_sw_mask					0x3
#define SDMA_PKT_COPY_T2T_DW_14_dst_sw_shift					16
#define SDMA_PKT_COPY_T2T_DW_14_DST_SW(x)					(((x) & 0x3) << 16)
#define SDMA_PKT_COPY_T2T_DW_14_src_sw_offset					14
#define SDMA_PKT_COPY_T2T_DW_14_src_sw_mask					0x3
#define SDMA_PKT_COPY_T2T_DW_14_src_sw_shift					24
#define SDMA_PKT_COPY_T2T_DW_14_SRC_SW(x)					(((x) & 0x3) << 24)

/* SDMA_PKT_COPY_TILED_SUBWIN */
#define SDMA_PKT_COPY_TILED_SUBWIN_HEADER_op_offset				0
#define SDMA_PKT_COPY_TILED_SUBWIN_HEADER_op_mask				0xff
#define SDMA_PKT_COPY_TILED_SUBWIN_HEADER_op_shift				0
#define SDMA_PKT_COPY_TILED_SUBWIN_HEADER_OP(x)					((x) & 0xff)
#define SDMA_PKT_COPY_TILED_SUBWIN_HEADER_sub_op_offset				0
#define SDMA_PKT_COPY_TILED_SUBWIN_HEADER_sub_op_mask				0xff
#define SDMA_PKT_COPY_TILED_SUBWIN_HEADER_sub_op_shift				8
#define SDMA_PKT_COPY_TILED_SUBWIN_HEADER_SUB_OP(x)				(((x) & 0xff) << 8)
#define SDMA_PKT_COPY_TILED_SUBWIN_HEADER_tmz_offset				0
#define SDMA_PKT_COPY_TILED_SUBWIN_HEADER_tmz_mask				0x1
#define SDMA_PKT_COPY_TILED_SUBWIN_HEADER_tmz_shift				18
#define SDMA_PKT_COPY_TILED_SUBWIN_HEADER_TMZ(x)				(((x) & 0x1) << 18)
#define SDMA_PKT_COPY_TILED_SUBWIN_HEADER_mip_max_offset			0
#define SDMA_PKT_COPY_TILED_SUBWIN_HEADER_mip_max_mask				0xf
#define SDMA_PKT_COPY_TILED_SUBWIN_HEADER_mip_max_shift				20
#define SDMA_PKT_COPY_TILED_SUBWIN_HEADER_MIP_MAX(x)				(((x) & 0xf) << 20)
#define SDMA_PKT_COPY_TILED_SUBWIN_HEADER_mip_id_offset				0
#define SDMA_PKT_COPY_TILED_SUBWIN_HEADER_mip_id_mask				0xf
#define SDMA_PKT_COPY_TILED_SUBWIN_HEADER_mip_id_shift				24
#define SDMA_PKT_COPY_TILED_SUBWIN_HEADER_MIP_ID(x)				(((x) & 0xf) << 24)
#define SDMA_PKT_COPY_TILED_SUBWIN_HEADER_detile_offset				0
#define SDMA_PKT_COPY_TILED_SUBWIN_HEADER_detile_mask				0x1
#define SDMA_PKT_COPY_TILED_SUBWIN_HEADER_detile_shift				31
#define SDMA_PKT_COPY_TILED_SUBWIN_HEADER_DETILE(x)				(((x) & 0x1u) << 31)
#define SDMA_PKT_COPY_TILED_SUBWIN_TILED_ADDR_LO_tiled_addr_31_0_offset		1
#define SDMA_PKT_COPY_TILED_SUBWIN_TILED_ADDR_HI_tiled_addr_63_32_offset	2
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_3_tiled_x_offset				3
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_3_tiled_x_mask				0x3fff
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_3_tiled_x_shift				0
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_3_TILED_X(x)				((x) & 0x3fff)
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_3_tiled_y_offset				3
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_3_tiled_y_mask				0x3fff
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_3_tiled_y_shift				16
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_3_TILED_Y(x)				(((x) & 0x3fff) << 16)
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_4_tiled_z_offset				4
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_4_tiled_z_mask				0x7ff
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_4_tiled_z_shift				0
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_4_TILED_Z(x)				((x) & 0x7ff)
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_4_width_offset				4
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_4_width_mask				0x3fff
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_4_width_shift				16
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_4_WIDTH(x)				(((x) & 0x3fff) << 16)
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_5_height_offset				5
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_5_height_mask				0x3fff
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_5_height_shift				0
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_5_HEIGHT(x)				((x) & 0x3fff)
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_5_depth_offset				5
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_5_depth_mask				0x7ff
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_5_depth_shift				16
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_5_DEPTH(x)				(((x) & 0x7ff) << 16)
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_6_element_size_offset			6
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_6_element_size_mask			0x7
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_6_element_size_shift			0
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_6_ELEMENT_SIZE(x)				((x) & 0x7)
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_6_swizzle_mode_offset			6
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_6_swizzle_mode_mask			0x1f
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_6_swizzle_mode_shift			3
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_6_SWIZZLE_MODE(x)				(((x) & 0x1f) << 3)
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_6_dimension_offset			6
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_6_dimension_mask				0x3
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_6_dimension_shift				9
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_6_DIMENSION(x)				(((x) & 0x3) << 9)
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_6_epitch_offset				6
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_6_epitch_mask				0xffff
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_6_epitch_shift				16
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_6_EPITCH(x)				(((x) & 0xffffu) << 16)
#define SDMA_PKT_COPY_TILED_SUBWIN_LINEAR_ADDR_LO_linear_addr_31_0_offset	7
#define SDMA_PKT_COPY_TILED_SUBWIN_LINEAR_ADDR_HI_linear_addr_63_32_offset	8
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_9_linear_x_offset				9
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_9_linear_x_mask				0x3fff
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_9_linear_x_shift				0
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_9_LINEAR_X(x)				((x) & 0x3fff)
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_9_linear_y_offset				9
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_9_linear_y_mask				0x3fff
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_9_linear_y_shift				16
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_9_LINEAR_Y(x)				(((x) & 0x3fff) << 16)
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_10_linear_z_offset			10
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_10_linear_z_mask				0x7ff
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_10_linear_z_shift				0
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_10_LINEAR_Z(x)				((x) & 0x7ff)
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_10_linear_pitch_offset			10
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_10_linear_pitch_mask			0x3fff
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_10_linear_pitch_shift			16
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_10_LINEAR_PITCH(x)			(((x) & 0x3fff) << 16)
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_11_linear_slice_pitch_offset		11
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_11_linear_slice_pitch_mask		0xfffffff
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_11_linear_slice_pitch_shift		0
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_11_LINEAR_SLICE_PITCH(x)			((x) & 0xfffffff)
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_12_rect_x_offset				12
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_12_rect_x_mask				0x3fff
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_12_rect_x_shift				0
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_12_RECT_X(x)				((x) & 0x3fff)
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_12_rect_y_offset				12
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_12_rect_y_mask				0x3fff
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_12_rect_y_shift				16
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_12_RECT_Y(x)				(((x) & 0x3fff) << 16)
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_13_rect_z_offset				13
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_13_rect_z_mask				0x7ff
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_13_rect_z_shift				0
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_13_RECT_Z(x)				((x) & 0x7ff)
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_13_linear_sw_offset			13
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_13_linear_sw_mask				0x3
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_13_linear_sw_shift			16
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_13_LINEAR_SW(x)				(((x) & 0x3) << 16)
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_13_tile_sw_offset				13
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_13_tile_sw_mask				0x3
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_13_tile_sw_shift				24
#define SDMA_PKT_COPY_TILED_SUBWIN_DW_13_TILE_SW(x)				(((x) & 0x3) << 24)

/* SDMA_PKT_COPY_STRUCT */
#define SDMA_PKT_COPY_STRUCT_HEADER_op_offset					0
#define SDMA_PKT_COPY_STRUCT_HEADER_op_mask					0xff
#define SDMA_PKT_COPY_STRUCT_HEADER_op_shift					0
#define SDMA_PKT_COPY_STRUCT_HEADER_OP(x)					((x) & 0xff)
#define SDMA_PKT_COPY_STRUCT_HEADER_sub_op_offset				0
#define SDMA_PKT_COPY_STRUCT_HEADER_sub_op_mask					0xff
#define SDMA_PKT_COPY_STRUCT_HEADER_sub_op_shift				8
#define SDMA_PKT_COPY_STRUCT_HEADER_SUB_OP(x)					(((x) & 0xff) << 8)
#define SDMA_PKT_COPY_STRUCT_HEADER_tmz_offset					0
#define SDMA_PKT_COPY_STRUCT_HEADER_tmz_mask					0x1
#define SDMA_PKT_COPY_STRUCT_HEADER_tmz_shift					18
#define SDMA_PKT_COPY_STRUCT_HEADER_TMZ(x)					(((x) & 0x1) << 18)
#define SDMA_PKT_COPY_STRUCT_HEADER_detile_offset				0
#define SDMA_PKT_COPY_STRUCT_HEADER_detile_mask					0x1
#define SDMA_PKT_COPY_STRUCT_HEADER_detile_shift				31
#define SDMA_PKT_COPY_STRUCT_HEADER_DETILE(x)					(((x) & 0x1u) << 31)
#define SDMA_PKT_COPY_STRUCT_SB_ADDR_LO_sb_addr_31_0_offset			1
#define SDMA_PKT_COPY_STRUCT_SB_ADDR_HI_sb_addr_63_32_offset			2
#define SDMA_PKT_COPY_STRUCT_START_INDEX_start_index_offset			3
#define SDMA_PKT_COPY_STRUCT_COUNT_count_offset					4
#define SDMA_PKT_COPY_STRUCT_DW_5_stride_offset					5
#define SDMA_PKT_COPY_STRUCT_DW_5_stride_mask					0x7ff
#define SDMA_PKT_COPY_STRUCT_DW_5_stride_shift					0
#define SDMA_PKT_COPY_STRUCT_DW_5_STRIDE(x)					((x) & 0x7ff)
#define SDMA_PKT_COPY_STRUCT_DW_5_linear_sw_offset				5
#define SDMA_PKT_COPY_STRUCT_DW_5_linear_sw_mask				0x3
#define SDMA_PKT_COPY_STRUCT_DW_5_linear_sw_shift				16
#define SDMA_PKT_COPY_STRUCT_DW_5_LINEAR_SW(x)					(((x) & 0x3) << 16)
#define SDMA_PKT_COPY_STRUCT_DW_5_struct_sw_offset				5
#define SDMA_PKT_COPY_STRUCT_DW_5_struct_sw_mask				0x3
#define SDMA_PKT_COPY_STRUCT_DW_5_struct_sw_shift				24
#define SDMA_PKT_COPY_STRUCT_DW_5_STRUCT_SW(x)					(((x) & 0x3) << 24)
#define SDMA_PKT_COPY_STRUCT_LINEAR_ADDR_LO_linear_addr_31_0_offset		6
#define SDMA_PKT_COPY_STRUCT_LINEAR_ADDR_HI_linear_addr_63_32_offset		7

/* SDMA_PKT_WRITE_UNTILED: Linear write of data that follows; count is dwords - 1 */
#define SDMA_PKT_WRITE_UNTILED_HEADER_op_offset					0
#define SDMA_PKT_WRITE_UNTILED_HEADER_op_mask					0xff
#define SDMA_PKT_WRITE_UNTILED_HEADER_op_shift					0
#define SDMA_PKT_WRITE_UNTILED_HEADER_OP(x)					((x) & 0xff)
#define SDMA_PKT_WRITE_UNTILED_HEADER_sub_op_offset				0
#define SDMA_PKT_WRITE_UNTILED_HEADER_sub_op_mask				0xff
#define SDMA_PKT_WRITE_UNTILED_HEADER_sub_op_shift				8
#define SDMA_PKT_WRITE_UNTILED_HEADER_SUB_OP(x)					(((x) & 0xff) << 8)
#define SDMA_PKT_WRITE_UNTILED_HEADER_encrypt_offset				0
#define SDMA_PKT_WRITE_UNTILED_HEADER_encrypt_mask				0x1
#define SDMA_PKT_WRITE_UNTILED_HEADER_encrypt_shift				16
#define SDMA_PKT_WRITE_UNTILED_HEADER_ENCRYPT(x)				(((x) & 0x1) << 16)
#define SDMA_PKT_WRITE_UNTILED_HEADER_tmz_offset				0
#define SDMA_PKT_WRITE_UNTILED_HEADER_tmz_mask					0x1
#define SDMA_PKT_WRITE_UNTILED_HEADER_tmz_shift					18
#define SDMA_PKT_WRITE_UNTILED_HEADER_TMZ(x)					(((x) & 0x1) << 18)
#define SDMA_PKT_WRITE_UNTILED_DST_ADDR_LO_dst_addr_31_0_offset			1
#define SDMA_PKT_WRITE_UNTILED_DST_ADDR_HI_dst_addr_63_32_offset		2
#define SDMA_PKT_WRITE_UNTILED_DW_3_count_offset				3
#define SDMA_PKT_WRITE_UNTILED_DW_3_count_mask					0xfffff
#define SDMA_PKT_WRITE_UNTILED_DW_3_count_shift					0
#define SDMA_PKT_WRITE_UNTILED_DW_3_COUNT(x)					((x) & 0xfffff)
#define SDMA_PKT_WRITE_UNTILED_DW_3_sw_offset					3
#define SDMA_PKT_WRITE_UNTILED_DW_3_sw_mask					0x3
#define SDMA_PKT_WRITE_UNTILED_DW_3_sw_shift					24
#define SDMA_PKT_WRITE_UNTILED_DW_3_SW(x)					(((x) & 0x3) << 24)
#define SDMA_PKT_WRITE_UNTILED_DATA0_data0_offset				4

/* SDMA_PKT_WRITE_TILED */
#define SDMA_PKT_WRITE_TILED_HEADER_op_offset					0
#define SDMA_PKT_WRITE_TILED_HEADER_op_mask					0xff
#define SDMA_PKT_WRITE_TILED_HEADER_op_shift					0
#define SDMA_PKT_WRITE_TILED_HEADER_OP(x)					((x) & 0xff)
#define SDMA_PKT_WRITE_TILED_HEADER_sub_op_offset				0
#define SDMA_PKT_WRITE_TILED_HEADER_sub_op_mask					0xff
#define SDMA_PKT_WRITE_TILED_HEADER_sub_op_shift				8
#define SDMA_PKT_WRITE_TILED_HEADER_SUB_OP(x)					(((x) & 0xff) << 8)
#define SDMA_PKT_WRITE_TILED_HEADER_encrypt_offset				0
#define SDMA_PKT_WRITE_TILED_HEADER_encrypt_mask				0x1
#define SDMA_PKT_WRITE_TILED_HEADER_encrypt_shift				16
#define SDMA_PKT_WRITE_TILED_HEADER_ENCRYPT(x)					(((x) & 0x1) << 16)
#define SDMA_PKT_WRITE_TILED_HEADER_tmz_offset					0
#define SDMA_PKT_WRITE_TILED_HEADER_tmz_mask					0x1
#define SDMA_PKT_WRITE_TILED_HEADER_tmz_shift					18
#define SDMA_PKT_WRITE_TILED_HEADER_TMZ(x)					(((x) & 0x1) << 18)
#define SDMA_PKT_WRITE_TILED_HEADER_mip_max_offset				0
#define SDMA_PKT_WRITE_TILED_HEADER_mip_max_mask				0xf
#define SDMA_PKT_WRITE_TILED_HEADER_mip_max_shift				20
#define SDMA_PKT_WRITE_TILED_HEADER_MIP_MAX(x)					(((x) & 0xf) << 20)
#define SDMA_PKT_WRITE_TILED_DST_ADDR_LO_dst_addr_31_0_offset			1
#define SDMA_PKT_WRITE_TILED_DST_ADDR_HI_dst_addr_63_32_offset			2
#define SDMA_PKT_WRITE_TILED_DW_3_width_offset					3
#define SDMA_PKT_WRITE_TILED_DW_3_width_mask					0x3fff
#define SDMA_PKT_WRITE_TILED_DW_3_width_shift					0
#define SDMA_PKT_WRITE_TILED_DW_3_WIDTH(x)					((x) & 0x3fff)
#define SDMA_PKT_WRITE_TILED_DW_4_height_offset					4
#define SDMA_PKT_WRITE_TILED_DW_4_height_mask					0x3fff
#define SDMA_PKT_WRITE_TILED_DW_4_height_shift					0
#define SDMA_PKT_WRITE_TILED_DW_4_HEIGHT(x)					((x) & 0x3fff)
#define SDMA_PKT_WRITE_TILED_DW_4_depth_offset					4
#define SDMA_PKT_WRITE_TILED_DW_4_depth_mask					0x7ff
#define SDMA_PKT_WRITE_TILED_DW_4_depth_shift					16
#define SDMA_PKT_WRITE_TILED_DW_4_DEPTH(x)					(((x) & 0x7ff) << 16)
#define SDMA_PKT_WRITE_TILED_DW_5_element_size_offset				5
#define SDMA_PKT_WRITE_TILED_DW_5_element_size_mask				0x7
#define SDMA_PKT_WRITE_TILED_DW_5_element_size_shift				0
#define SDMA_PKT_WRITE_TILED_DW_5_ELEMENT_SIZE(x)				((x) & 0x7)
#define SDMA_PKT_WRITE_TILED_DW_5_swizzle_mode_offset				5
#define SDMA_PKT_WRITE_TILED_DW_5_swizzle_mode_mask				0x1f
#define SDMA_PKT_WRITE_TILED_DW_5_swizzle_mode_shift				3
#define SDMA_PKT_WRITE_TILED_DW_5_SWIZZLE_MODE(x)				(((x) & 0x1f) << 3)
#define SDMA_PKT_WRITE_TILED_DW_5_dimension_offset				5
#define SDMA_PKT_WRITE_TILED_DW_5_dimension_mask				0x3
#define SDMA_PKT_WRITE_TILED_DW_5_dimension_shift				9
#define SDMA_PKT_WRITE_TILED_DW_5_DIMENSION(x)					(((x) & 0x3) << 9)
#define SDMA_PKT_WRITE_TILED_DW_5_epitch_offset					5
#define SDMA_PKT_WRITE_TILED_DW_5_epitch_mask					0xffff
#define SDMA_PKT_WRITE_TILED_DW_5_epitch_shift					16
#define SDMA_PKT_WRITE_TILED_DW_5_EPITCH(x)					(((x) & 0xffffu) << 16)
#define SDMA_PKT_WRITE_TILED_DW_6_x_offset					6
#define SDMA_PKT_WRITE_TILED_DW_6_x_mask					0x3fff
#define SDMA_PKT_WRITE_TILED_DW_6_x_shift					0
#define SDMA_PKT_WRITE_TILED_DW_6_X(x)						((x) & 0x3fff)
#define SDMA_PKT_WRITE_TILED_DW_6_y_offset					6
#define SDMA_PKT_WRITE_TILED_DW_6_y_mask					0x3fff
#define SDMA_PKT_WRITE_TILED_DW_6_y_shift					16
#define SDMA_PKT_WRITE_TILED_DW_6_Y(x)						(((x) & 0x3fff) << 16)
#define SDMA_PKT_WRITE_TILED_DW_7_z_offset					7
#define SDMA_PKT_WRITE_TILED_DW_7_z_mask					0x7ff
#define SDMA_PKT_WRITE_TILED_DW_7_z_shift					0
#define SDMA_PKT_WRITE_TILED_DW_7_Z(x)						((x) & 0x7ff)
#define SDMA_PKT_WRITE_TILED_DW_7_sw_offset					7
#define SDMA_PKT_WRITE_TILED_DW_7_sw_mask					0x3
#define SDMA_PKT_WRITE_TILED_DW_7_sw_shift					24
#define SDMA_PKT_WRITE_TILED_DW_7_SW(x)						(((x) & 0x3) << 24)
#define SDMA_PKT_WRITE_TILED_COUNT_count_offset					8
#define SDMA_PKT_WRITE_TILED_COUNT_count_mask					0xfffff
#define SDMA_PKT_WRITE_TILED_COUNT_count_shift					0
#define SDMA_PKT_WRITE_TILED_COUNT_COUNT(x)					((x) & 0xfffff)
#define SDMA_PKT_WRITE_TILED_DATA0_data0_offset					9

/* SDMA_PKT_PTEPDE_COPY */
#define SDMA_PKT_PTEPDE_COPY_HEADER_op_offset					0
#define SDMA_PKT_PTEPDE_COPY_HEADER_op_mask					0xff
#define SDMA_PKT_PTEPDE_COPY_HEADER_op_shift					0
#define SDMA_PKT_PTEPDE_COPY_HEADER_OP(x)					((x) & 0xff)
#define SDMA_PKT_PTEPDE_COPY_HEADER_sub_op_offset				0
#define SDMA_PKT_PTEPDE_COPY_HEADER_sub_op_mask					0xff
#define SDMA_PKT_PTEPDE_COPY_HEADER_sub_op_shift				8
#define SDMA_PKT_PTEPDE_COPY_HEADER_SUB_OP(x)					(((x) & 0xff) << 8)
#define SDMA_PKT_PTEPDE_COPY_HEADER_ptepde_op_offset				0
#define SDMA_PKT_PTEPDE_COPY_HEADER_ptepde_op_mask				0x1
#define SDMA_PKT_PTEPDE_COPY_HEADER_ptepde_op_shift				31
#define SDMA_PKT_PTEPDE_COPY_HEADER_PTEPDE_OP(x)				(((x) & 0x1u) << 31)
#define SDMA_PKT_PTEPDE_COPY_SRC_ADDR_LO_src_addr_31_0_offset			1
#define SDMA_PKT_PTEPDE_COPY_SRC_ADDR_HI_src_addr_63_32_offset			2
#define SDMA_PKT_PTEPDE_COPY_DST_ADDR_LO_dst_addr_31_0_offset			3
#define SDMA_PKT_PTEPDE_COPY_DST_ADDR_HI_dst_addr_63_32_offset			4
#define SDMA_PKT_PTEPDE_COPY_MASK_DW0_mask_dw0_offset				5
#define SDMA_PKT_PTEPDE_COPY_MASK_DW1_mask_dw1_offset				6
#define SDMA_PKT_PTEPDE_COPY_COUNT_count_offset					7
#define SDMA_PKT_PTEPDE_COPY_COUNT_count_mask					0x7ffff
#define SDMA_PKT_PTEPDE_COPY_COUNT_count_shift					0
#define SDMA_PKT_PTEPDE_COPY_COUNT_COUNT(x)					((x) & 0x7ffff)

/* SDMA_PKT_PTEPDE_COPY_BACKWARDS */
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_HEADER_op_offset				0
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_HEADER_op_mask				0xff
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_HEADER_op_shift				0
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_HEADER_OP(x)				((x) & 0xff)
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_HEADER_sub_op_offset			0
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_HEADER_sub_op_mask			0xff
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_HEADER_sub_op_shift			8
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_HEADER_SUB_OP(x)				(((x) & 0xff) << 8)
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_HEADER_pte_size_offset			0
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_HEADER_pte_size_mask			0x3
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_HEADER_pte_size_shift			28
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_HEADER_PTE_SIZE(x)			(((x) & 0x3) << 28)
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_HEADER_direction_offset			0
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_HEADER_direction_mask			0x1
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_HEADER_direction_shift			30
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_HEADER_DIRECTION(x)			(((x) & 0x1) << 30)
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_HEADER_ptepde_op_offset			0
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_HEADER_ptepde_op_mask			0x1
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_HEADER_ptepde_op_shift			31
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_HEADER_PTEPDE_OP(x)			(((x) & 0x1u) << 31)
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_SRC_ADDR_LO_src_addr_31_0_offset		1
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_SRC_ADDR_HI_src_addr_63_32_offset	2
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_DST_ADDR_LO_dst_addr_31_0_offset		3
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_DST_ADDR_HI_dst_addr_63_32_offset	4
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_MASK_BIT_FOR_DW_mask_first_xfer_offset	5
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_MASK_BIT_FOR_DW_mask_first_xfer_mask	0xff
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_MASK_BIT_FOR_DW_mask_first_xfer_shift	0
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_MASK_BIT_FOR_DW_MASK_FIRST_XFER(x)	((x) & 0xff)
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_MASK_BIT_FOR_DW_mask_last_xfer_offset	5
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_MASK_BIT_FOR_DW_mask_last_xfer_mask	0xff
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_MASK_BIT_FOR_DW_mask_last_xfer_shift	8
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_MASK_BIT_FOR_DW_MASK_LAST_XFER(x)	(((x) & 0xff) << 8)
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_COUNT_IN_32B_XFER_count_offset		6
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_COUNT_IN_32B_XFER_count_mask		0x1ffff
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_COUNT_IN_32B_XFER_count_shift		0
#define SDMA_PKT_PTEPDE_COPY_BACKWARDS_COUNT_IN_32B_XFER_COUNT(x)		((x) & 0x1ffff)

/* SDMA_PKT_PTEPDE_RMW */
#define SDMA_PKT_PTEPDE_RMW_HEADER_op_offset					0
#define SDMA_PKT_PTEPDE_RMW_HEADER_op_mask					0xff
#define SDMA_PKT_PTEPDE_RMW_HEADER_op_shift					0
#define SDMA_PKT_PTEPDE_RMW_HEADER_OP(x)					((x) & 0xff)
#define SDMA_PKT_PTEPDE_RMW_HEADER_sub_op_offset				0
#define SDMA_PKT_PTEPDE_RMW_HEADER_sub_op_mask					0xff
#define SDMA_PKT_PTEPDE_RMW_HEADER_sub_op_shift					8
#define SDMA_PKT_PTEPDE_RMW_HEADER_SUB_OP(x)					(((x) & 0xff) << 8)
#define SDMA_PKT_PTEPDE_RMW_HEADER_gcc_offset					0
#define SDMA_PKT_PTEPDE_RMW_HEADER_gcc_mask					0x1
#define SDMA_PKT_PTEPDE_RMW_HEADER_gcc_shift					19
#define SDMA_PKT_PTEPDE_RMW_HEADER_GCC(x)					(((x) & 0x1) << 19)
#define SDMA_PKT_PTEPDE_RMW_HEADER_sys_offset					0
#define SDMA_PKT_PTEPDE_RMW_HEADER_sys_mask					0x1
#define SDMA_PKT_PTEPDE_RMW_HEADER_sys_shift					20
#define SDMA_PKT_PTEPDE_RMW_HEADER_SYS(x)					(((x) & 0x1) << 20)
#define SDMA_PKT_PTEPDE_RMW_HEADER_snp_offset					0
#define SDMA_PKT_PTEPDE_RMW_HEADER_snp_mask					0x1
#define SDMA_PKT_PTEPDE_RMW_HEADER_snp_shift					22
#define SDMA_PKT_PTEPDE_RMW_HEADER_SNP(x)					(((x) & 0x1) << 22)
#define SDMA_PKT_PTEPDE_RMW_HEADER_gpa_offset					0
#define SDMA_PKT_PTEPDE_RMW_HEADER_gpa_mask					0x1
#define SDMA_PKT_PTEPDE_RMW_HEADER_gpa_shift					23
#define SDMA_PKT_PTEPDE_RMW_HEADER_GPA(x)					(((x) & 0x1) << 23)
#define SDMA_PKT_PTEPDE_RMW_ADDR_LO_addr_31_0_offset				1
#define SDMA_PKT_PTEPDE_RMW_ADDR_HI_addr_63_32_offset				2
#define SDMA_PKT_PTEPDE_RMW_MASK_LO_mask_31_0_offset				3
#define SDMA_PKT_PTEPDE_RMW_MASK_HI_mask_63_32_offset				4
#define SDMA_PKT_PTEPDE_RMW_VALUE_LO_value_31_0_offset				5
#define SDMA_PKT_PTEPDE_RMW_VALUE_HI_value_63_32_offset				6

/* SDMA_PKT_WRITE_INCR */
#define SDMA_PKT_WRITE_INCR_HEADER_op_offset					0
#define SDMA_PKT_WRITE_INCR_HEADER_op_mask					0xff
#define SDMA_PKT_WRITE_INCR_HEADER_op_shift					0
#define SDMA_PKT_WRITE_INCR_HEADER_OP(x)					((x) & 0xff)
#define SDMA_PKT_WRITE_INCR_HEADER_sub_op_offset				0
#define SDMA_PKT_WRITE_INCR_HEADER_sub_op_mask					0xff
#define SDMA_PKT_WRITE_INCR_HEADER_sub_op_shift					8
#define SDMA_PKT_WRITE_INCR_HEADER_SUB_OP(x)					(((x) & 0xff) << 8)
#define SDMA_PKT_WRITE_INCR_DST_ADDR_LO_dst_addr_31_0_offset			1
#define SDMA_PKT_WRITE_INCR_DST_ADDR_HI_dst_addr_63_32_offset			2
#define SDMA_PKT_WRITE_INCR_MASK_DW0_mask_dw0_offset				3
#define SDMA_PKT_WRITE_INCR_MASK_DW1_mask_dw1_offset				4
#define SDMA_PKT_WRITE_INCR_INIT_DW0_init_dw0_offset				5
#define SDMA_PKT_WRITE_INCR_INIT_DW1_init_dw1_offset				6
#define SDMA_PKT_WRITE_INCR_INCR_DW0_incr_dw0_offset				7
#define SDMA_PKT_WRITE_INCR_INCR_DW1_incr_dw1_offset				8
#define SDMA_PKT_WRITE_INCR_COUNT_count_offset					9
#define SDMA_PKT_WRITE_INCR_COUNT_count_mask					0x7ffff
#define SDMA_PKT_WRITE_INCR_COUNT_count_shift					0
#define SDMA_PKT_WRITE_INCR_COUNT_COUNT(x)					((x) & 0x7ffff)

/* SDMA_PKT_INDIRECT: Indirect buffer; base is 32-byte aligned, size in dwords */
#define SDMA_PKT_INDIRECT_HEADER_op_offset					0
#define SDMA_PKT_INDIRECT_HEADER_op_mask					0xff
#define SDMA_PKT_INDIRECT_HEADER_op_shift					0
#define SDMA_PKT_INDIRECT_HEADER_OP(x)						((x) & 0xff)
#define SDMA_PKT_INDIRECT_HEADER_sub_op_offset					0
#define SDMA_PKT_INDIRECT_HEADER_sub_op_mask					0xff
#define SDMA_PKT_INDIRECT_HEADER_sub_op_shift					8
#define SDMA_PKT_INDIRECT_HEADER_SUB_OP(x)					(((x) & 0xff) << 8)
#define SDMA_PKT_INDIRECT_HEADER_vmid_offset					0
#define SDMA_PKT_INDIRECT_HEADER_vmid_mask					0xf
#define SDMA_PKT_INDIRECT_HEADER_vmid_shift					16
#define SDMA_PKT_INDIRECT_HEADER_VMID(x)					(((x) & 0xf) << 16)
#define SDMA_PKT_INDIRECT_BASE_LO_ib_base_31_0_offset				1
#define SDMA_PKT_INDIRECT_BASE_HI_ib_base_63_32_offset				2
#define SDMA_PKT_INDIRECT_IB_SIZE_ib_size_offset				3
#define SDMA_PKT_INDIRECT_IB_SIZE_ib_size_mask					0xfffff
#define SDMA_PKT_INDIRECT_IB_SIZE_ib_size_shift					0
#define SDMA_PKT_INDIRECT_IB_SIZE_IB_SIZE(x)					((x) & 0xfffff)
#define SDMA_PKT_INDIRECT_CSA_ADDR_LO_csa_addr_31_0_offset			4
#define SDMA_PKT_INDIRECT_CSA_ADDR_HI_csa_addr_63_32_offset			5

/* SDMA_PKT_SEMAPHORE: Semaphore signal or wait */
#define SDMA_PKT_SEMAPHORE_HEADER_op_offset					0
#define SDMA_PKT_SEMAPHORE_HEADER_op_mask					0xff
#define SDMA_PKT_SEMAPHORE_HEADER_op_shift					0
#define SDMA_PKT_SEMAPHORE_HEADER_OP(x)						((x) & 0xff)
#define SDMA_PKT_SEMAPHORE_HEADER_sub_op_offset					0
#define SDMA_PKT_SEMAPHORE_HEADER_sub_op_mask					0xff
#define SDMA_PKT_SEMAPHORE_HEADER_sub_op_shift					8
#define SDMA_PKT_SEMAPHORE_HEADER_SUB_OP(x)					(((x) & 0xff) << 8)
#define SDMA_PKT_SEMAPHORE_HEADER_write_one_offset				0
#define SDMA_PKT_SEMAPHORE_HEADER_write_one_mask				0x1
#define SDMA_PKT_SEMAPHORE_HEADER_write_one_shift				29
#define SDMA_PKT_SEMAPHORE_HEADER_WRITE_ONE(x)					(((x) & 0x1) << 29)
#define SDMA_PKT_SEMAPHORE_HEADER_signal_offset					0
#define SDMA_PKT_SEMAPHORE_HEADER_signal_mask					0x1
#define SDMA_PKT_SEMAPHORE_HEADER_signal_shift					30
#define SDMA_PKT_SEMAPHORE_HEADER_SIGNAL(x)					(((x) & 0x1) << 30)
#define SDMA_PKT_SEMAPHORE_HEADER_mailbox_offset				0
#define SDMA_PKT_SEMAPHORE_HEADER_mailbox_mask					0x1
#define SDMA_PKT_SEMAPHORE_HEADER_mailbox_shift					31
#define SDMA_PKT_SEMAPHORE_HEADER_MAILBOX(x)					(((x) & 0x1u) << 31)
#define SDMA_PKT_SEMAPHORE_ADDR_LO_addr_31_0_offset				1
#define SDMA_PKT_SEMAPHORE_ADDR_HI_addr_63_32_offset				2

/* SDMA_PKT_FENCE: Write a dword */
#define SDMA_PKT_FENCE_HEADER_op_offset						0
#define SDMA_PKT_FENCE_HEADER_op_mask						0xff
#define SDMA_PKT_FENCE_HEADER_op_shift						0
#define SDMA_PKT_FENCE_HEADER_OP(x)						((x) & 0xff)
#define SDMA_PKT_FENCE_HEADER_sub_op_offset					0
#define SDMA_PKT_FENCE_HEADER_sub_op_mask					0xff
#define SDMA_PKT_FENCE_HEADER_sub_op_shift					8
#define SDMA_PKT_FENCE_HEADER_SUB_OP(x)						(((x) & 0xff) << 8)
#define SDMA_PKT_FENCE_ADDR_LO_addr_31_0_offset					1
#define SDMA_PKT_FENCE_ADDR_HI_addr_63_32_offset				2
#define SDMA_PKT_FENCE_DATA_data_offset						3

/* SDMA_PKT_SRBM_WRITE: Write a register; address in dwords */
#define SDMA_PKT_SRBM_WRITE_HEADER_op_offset					0
#define SDMA_PKT_SRBM_WRITE_HEADER_op_mask					0xff
#define SDMA_PKT_SRBM_WRITE_HEADER_op_shift					0
#define SDMA_PKT_SRBM_WRITE_HEADER_OP(x)					((x) & 0xff)
#define SDMA_PKT_SRBM_WRITE_HEADER_sub_op_offset				0
#define SDMA_PKT_SRBM_WRITE_HEADER_sub_op_mask					0xff
#define SDMA_PKT_SRBM_WRITE_HEADER_sub_op_shift					8
#define SDMA_PKT_SRBM_WRITE_HEADER_SUB_OP(x)					(((x) & 0xff) << 8)
#define SDMA_PKT_SRBM_WRITE_HEADER_byte_en_offset				0
#define SDMA_PKT_SRBM_WRITE_HEADER_byte_en_mask					0xf
#define SDMA_PKT_SRBM_WRITE_HEADER_byte_en_shift				28
#define SDMA_PKT_SRBM_WRITE_HEADER_BYTE_EN(x)					(((x) & 0xfu) << 28)
#define SDMA_PKT_SRBM_WRITE_ADDR_addr_offset					1
#define SDMA_PKT_SRBM_WRITE_ADDR_addr_mask					0x3ffff
#define SDMA_PKT_SRBM_WRITE_ADDR_addr_shift					0
#define SDMA_PKT_SRBM_WRITE_ADDR_ADDR(x)					((x) & 0x3ffff)
#define SDMA_PKT_SRBM_WRITE_DATA_data_offset					2

/* SDMA_PKT_PRE_EXE: Execute exec_count dwords on the engines in dev_sel */
#define SDMA_PKT_PRE_EXE_HEADER_op_offset					0
#define SDMA_PKT_PRE_EXE_HEADER_op_mask						0xff
#define SDMA_PKT_PRE_EXE_HEADER_op_shift					0
#define SDMA_PKT_PRE_EXE_HEADER_OP(x)						((x) & 0xff)
#define SDMA_PKT_PRE_EXE_HEADER_sub_op_offset					0
#define SDMA_PKT_PRE_EXE_HEADER_sub_op_mask					0xff
#define SDMA_PKT_PRE_EXE_HEADER_sub_op_shift					8
#define SDMA_PKT_PRE_EXE_HEADER_SUB_OP(x)					(((x) & 0xff) << 8)
#define SDMA_PKT_PRE_EXE_HEADER_dev_sel_offset					0
#define SDMA_PKT_PRE_EXE_HEADER_dev_sel_mask					0xff
#define SDMA_PKT_PRE_EXE_HEADER_dev_sel_shift					16
#define SDMA_PKT_PRE_EXE_HEADER_DEV_SEL(x)					(((x) & 0xff) << 16)
#define SDMA_PKT_PRE_EXE_EXEC_COUNT_exec_count_offset				1
#define SDMA_PKT_PRE_EXE_EXEC_COUNT_exec_count_mask				0x3fff
#define SDMA_PKT_PRE_EXE_EXEC_COUNT_exec_count_shift				0
#define SDMA_PKT_PRE_EXE_EXEC_COUNT_EXEC_COUNT(x)				((x) & 0x3fff)

/* SDMA_PKT_COND_EXE: Skip exec_count dwords unless memory equals the reference */
#define SDMA_PKT_COND_EXE_HEADER_op_offset					0
#define SDMA_PKT_COND_EXE_HEADER_op_mask					0xff
#define SDMA_PKT_COND_EXE_HEADER_op_shift					0
#define SDMA_PKT_COND_EXE_HEADER_OP(x)						((x) & 0xff)
#define SDMA_PKT_COND_EXE_HEADER_sub_op_offset					0
#define SDMA_PKT_COND_EXE_HEADER_sub_op_mask					0xff
#define SDMA_PKT_COND_EXE_HEADER_sub_op_shift					8
#define SDMA_PKT_COND_EXE_HEADER_SUB_OP(x)					(((x) & 0xff) << 8)
#define SDMA_PKT_COND_EXE_ADDR_LO_addr_31_0_offset				1
#define SDMA_PKT_COND_EXE_ADDR_HI_addr_63_32_offset				2
#define SDMA_PKT_COND_EXE_REFERENCE_reference_offset				3
#define SDMA_PKT_COND_EXE_EXEC_COUNT_exec_count_offset				4
#define SDMA_PKT_COND_EXE_EXEC_COUNT_exec_count_mask				0x3fff
#define SDMA_PKT_COND_EXE_EXEC_COUNT_exec_count_shift				0
#define SDMA_PKT_COND_EXE_EXEC_COUNT_EXEC_COUNT(x)				((x) & 0x3fff)

/* SDMA_PKT_CONSTANT_FILL: Fill memory; count is bytes - 1, fillsize 2 for dwords */
#define SDMA_PKT_CONSTANT_FILL_HEADER_op_offset					0
#define SDMA_PKT_CONSTANT_FILL_HEADER_op_mask					0xff
#define SDMA_PKT_CONSTANT_FILL_HEADER_op_shift					0
#define SDMA_PKT_CONSTANT_FILL_HEADER_OP(x)					((x) & 0xff)
#define SDMA_PKT_CONSTANT_FILL_HEADER_sub_op_offset				0
#define SDMA_PKT_CONSTANT_FILL_HEADER_sub_op_mask				0xff
#define SDMA_PKT_CONSTANT_FILL_HEADER_sub_op_shift				8
#define SDMA_PKT_CONSTANT_FILL_HEADER_SUB_OP(x)					(((x) & 0xff) << 8)
#define SDMA_PKT_CONSTANT_FILL_HEADER_sw_offset					0
#define SDMA_PKT_CONSTANT_FILL_HEADER_sw_mask					0x3
#define SDMA_PKT_CONSTANT_FILL_HEADER_sw_shift					16
#define SDMA_PKT_CONSTANT_FILL_HEADER_SW(x)					(((x) & 0x3) << 16)
#define SDMA_PKT_CONSTANT_FILL_HEADER_fillsize_offset				0
#define SDMA_PKT_CONSTANT_FILL_HEADER_fillsize_mask				0x3
#define SDMA_PKT_CONSTANT_FILL_HEADER_fillsize_shift				30
#define SDMA_PKT_CONSTANT_FILL_HEADER_FILLSIZE(x)				(((x) & 0x3u) << 30)
#define SDMA_PKT_CONSTANT_FILL_DST_ADDR_LO_dst_addr_31_0_offset			1
#define SDMA_PKT_CONSTANT_FILL_DST_ADDR_HI_dst_addr_63_32_offset		2
#define SDMA_PKT_CONSTANT_FILL_DATA_src_data_31_0_offset			3
#define SDMA_PKT_CONSTANT_FILL_COUNT_count_offset				4
#define SDMA_PKT_CONSTANT_FILL_COUNT_count_mask					0x3fffff
#define SDMA_PKT_CONSTANT_FILL_COUNT_count_shift				0
#define SDMA_PKT_CONSTANT_FILL_COUNT_COUNT(x)					((x) & 0x3fffff)

/* SDMA_PKT_DATA_FILL_MULTI */
#define SDMA_PKT_DATA_FILL_MULTI_HEADER_op_offset				0
#define SDMA_PKT_DATA_FILL_MULTI_HEADER_op_mask					0xff
#define SDMA_PKT_DATA_FILL_MULTI_HEADER_op_shift				0
#define SDMA_PKT_DATA_FILL_MULTI_HEADER_OP(x)					((x) & 0xff)
#define SDMA_PKT_DATA_FILL_MULTI_HEADER_sub_op_offset				0
#define SDMA_PKT_DATA_FILL_MULTI_HEADER_sub_op_mask				0xff
#define SDMA_PKT_DATA_FILL_MULTI_HEADER_sub_op_shift				8
#define SDMA_PKT_DATA_FILL_MULTI_HEADER_SUB_OP(x)				(((x) & 0xff) << 8)
#define SDMA_PKT_DATA_FILL_MULTI_HEADER_memlog_clr_offset			0
#define SDMA_PKT_DATA_FILL_MULTI_HEADER_memlog_clr_mask				0x1
#define SDMA_PKT_DATA_FILL_MULTI_HEADER_memlog_clr_shift			31
#define SDMA_PKT_DATA_FILL_MULTI_HEADER_MEMLOG_CLR(x)				(((x) & 0x1u) << 31)
#define SDMA_PKT_DATA_FILL_MULTI_BYTE_STRIDE_byte_stride_offset			1
#define SDMA_PKT_DATA_FILL_MULTI_DMA_COUNT_dma_count_offset			2
#define SDMA_PKT_DATA_FILL_MULTI_DST_ADDR_LO_dst_addr_31_0_offset		3
#define SDMA_PKT_DATA_FILL_MULTI_DST_ADDR_HI_dst_addr_63_32_offset		4
#define SDMA_PKT_DATA_FILL_MULTI_BYTE_COUNT_count_offset			5
#define SDMA_PKT_DATA_FILL_MULTI_BYTE_COUNT_count_mask				0x3ffffff
#define SDMA_PKT_DATA_FILL_MULTI_BYTE_COUNT_count_shift				0
#define SDMA_PKT_DATA_FILL_MULTI_BYTE_COUNT_COUNT(x)				((x) & 0x3ffffff)

/* SDMA_PKT_POLL_REGMEM: Wait for a register or memory; HDP flush when hdp_flush is set */
#define SDMA_PKT_POLL_REGMEM_HEADER_op_offset					0
#define SDMA_PKT_POLL_REGMEM_HEADER_op_mask					0xff
#define SDMA_PKT_POLL_REGMEM_HEADER_op_shift					0
#define SDMA_PKT_POLL_REGMEM_HEADER_OP(x)					((x) & 0xff)
#define SDMA_PKT_POLL_REGMEM_HEADER_sub_op_offset				0
#define SDMA_PKT_POLL_REGMEM_HEADER_sub_op_mask					0xff
#define SDMA_PKT_POLL_REGMEM_HEADER_sub_op_shift				8
#define SDMA_PKT_POLL_REGMEM_HEADER_SUB_OP(x)					(((x) & 0xff) << 8)
#define SDMA_PKT_POLL_REGMEM_HEADER_hdp_flush_offset				0
#define SDMA_PKT_POLL_REGMEM_HEADER_hdp_flush_mask				0x1
#define SDMA_PKT_POLL_REGMEM_HEADER_hdp_flush_shift				26
#define SDMA_PKT_POLL_REGMEM_HEADER_HDP_FLUSH(x)				(((x) & 0x1) << 26)
#define SDMA_PKT_POLL_REGMEM_HEADER_func_offset					0
#define SDMA_PKT_POLL_REGMEM_HEADER_func_mask					0x7
#define SDMA_PKT_POLL_REGMEM_HEADER_func_shift					28
#define SDMA_PKT_POLL_REGMEM_HEADER_FUNC(x)					(((x) & 0x7) << 28)
#define SDMA_PKT_POLL_REGMEM_HEADER_mem_poll_offset				0
#define SDMA_PKT_POLL_REGMEM_HEADER_mem_poll_mask				0x1
#define SDMA_PKT_POLL_REGMEM_HEADER_mem_poll_shift				31
#define SDMA_PKT_POLL_REGMEM_HEADER_MEM_POLL(x)					(((x) & 0x1u) << 31)
#define SDMA_PKT_POLL_REGMEM_ADDR_LO_addr_31_0_offset				1
#define SDMA_PKT_POLL_REGMEM_ADDR_HI_addr_63_32_offset				2
#define SDMA_PKT_POLL_REGMEM_VALUE_value_offset					3
#define SDMA_PKT_POLL_REGMEM_MASK_mask_offset					4
#define SDMA_PKT_POLL_REGMEM_DW5_interval_offset				5
#define SDMA_PKT_POLL_REGMEM_DW5_interval_mask					0xffff
#define SDMA_PKT_POLL_REGMEM_DW5_interval_shift					0
#define SDMA_PKT_POLL_REGMEM_DW5_INTERVAL(x)					((x) & 0xffff)
#define SDMA_PKT_POLL_REGMEM_DW5_retry_count_offset				5
#define SDMA_PKT_POLL_REGMEM_DW5_retry_count_mask				0xfff
#define SDMA_PKT_POLL_REGMEM_DW5_retry_count_shift				16
#define SDMA_PKT_POLL_REGMEM_DW5_RETRY_COUNT(x)					(((x) & 0xfff) << 16)

/* SDMA_PKT_POLL_REG_WRITE_MEM */
#define SDMA_PKT_POLL_REG_WRITE_MEM_HEADER_op_offset				0
#define SDMA_PKT_POLL_REG_WRITE_MEM_HEADER_op_mask				0xff
#define SDMA_PKT_POLL_REG_WRITE_MEM_HEADER_op_shift				0
#define SDMA_PKT_POLL_REG_WRITE_MEM_HEADER_OP(x)				((x) & 0xff)
#define SDMA_PKT_POLL_REG_WRITE_MEM_HEADER_sub_op_offset			0
#define SDMA_PKT_POLL_REG_WRITE_MEM_HEADER_sub_op_mask				0xff
#define SDMA_PKT_POLL_REG_WRITE_MEM_HEADER_sub_op_shift				8
#define SDMA_PKT_POLL_REG_WRITE_MEM_HEADER_SUB_OP(x)				(((x) & 0xff) << 8)
#define SDMA_PKT_POLL_REG_WRITE_MEM_SRC_ADDR_addr_31_2_offset			1
#define SDMA_PKT_POLL_REG_WRITE_MEM_SRC_ADDR_addr_31_2_mask			0x3fffffff
#define SDMA_PKT_POLL_REG_WRITE_MEM_SRC_ADDR_addr_31_2_shift			2
#define SDMA_PKT_POLL_REG_WRITE_MEM_SRC_ADDR_ADDR_31_2(x)			(((x) & 0x3fffffffu) << 2)
#define SDMA_PKT_POLL_REG_WRITE_MEM_DST_ADDR_LO_addr_31_0_offset		2
#define SDMA_PKT_POLL_REG_WRITE_MEM_DST_ADDR_HI_addr_63_32_offset		3

/* SDMA_PKT_POLL_DBIT_WRITE_MEM */
#define SDMA_PKT_POLL_DBIT_WRITE_MEM_HEADER_op_offset				0
#define SDMA_PKT_POLL_DBIT_WRITE_MEM_HEADER_op_mask				0xff
#define SDMA_PKT_POLL_DBIT_WRITE_MEM_HEADER_op_shift				0
#define SDMA_PKT_POLL_DBIT_WRITE_MEM_HEADER_OP(x)				((x) & 0xff)
#define SDMA_PKT_POLL_DBIT_WRITE_MEM_HEADER_sub_op_offset			0
#define SDMA_PKT_POLL_DBIT_WRITE_MEM_HEADER_sub_op_mask				0xff
#define SDMA_PKT_POLL_DBIT_WRITE_MEM_HEADER_sub_op_shift			8
#define SDMA_PKT_POLL_DBIT_WRITE_MEM_HEADER_SUB_OP(x)				(((x) & 0xff) << 8)
#define SDMA_PKT_POLL_DBIT_WRITE_MEM_HEADER_ea_offset				0
#define SDMA_PKT_POLL_DBIT_WRITE_MEM_HEADER_ea_mask				0x3
#define SDMA_PKT_POLL_DBIT_WRITE_MEM_HEADER_ea_shift				16
#define SDMA_PKT_POLL_DBIT_WRITE_MEM_HEADER_EA(x)				(((x) & 0x3) << 16)
#define SDMA_PKT_POLL_DBIT_WRITE_MEM_DST_ADDR_LO_addr_31_0_offset		1
#define SDMA_PKT_POLL_DBIT_WRITE_MEM_DST_ADDR_HI_addr_63_32_offset		2
#define SDMA_PKT_POLL_DBIT_WRITE_MEM_START_PAGE_addr_31_4_offset		3
#define SDMA_PKT_POLL_DBIT_WRITE_MEM_START_PAGE_addr_31_4_mask			0xfffffff
#define SDMA_PKT_POLL_DBIT_WRITE_MEM_START_PAGE_addr_31_4_shift			4
#define SDMA_PKT_POLL_DBIT_WRITE_MEM_START_PAGE_ADDR_31_4(x)			(((x) & 0xfffffffu) << 4)
#define SDMA_PKT_POLL_DBIT_WRITE_MEM_PAGE_NUM_page_num_31_0_offset		4

/* SDMA_PKT_POLL_MEM_VERIFY */
#define SDMA_PKT_POLL_MEM_VERIFY_HEADER_op_offset				0
#define SDMA_PKT_POLL_MEM_VERIFY_HEADER_op_mask					0xff
#define SDMA_PKT_POLL_MEM_VERIFY_HEADER_op_shift				0
#define SDMA_PKT_POLL_MEM_VERIFY_HEADER_OP(x)					((x) & 0xff)
#define SDMA_PKT_POLL_MEM_VERIFY_HEADER_sub_op_offset				0
#define SDMA_PKT_POLL_MEM_VERIFY_HEADER_sub_op_mask				0xff
#define SDMA_PKT_POLL_MEM_VERIFY_HEADER_sub_op_shift				8
#define SDMA_PKT_POLL_MEM_VERIFY_HEADER_SUB_OP(x)				(((x) & 0xff) << 8)
#define SDMA_PKT_POLL_MEM_VERIFY_HEADER_mode_offset				0
#define SDMA_PKT_POLL_MEM_VERIFY_HEADER_mode_mask				0x1
#define SDMA_PKT_POLL_MEM_VERIFY_HEADER_mode_shift				31
#define SDMA_PKT_POLL_MEM_VERIFY_HEADER_MODE(x)					(((x) & 0x1u) << 31)
#define SDMA_PKT_POLL_MEM_VERIFY_PATTERN_pattern_offset				1
#define SDMA_PKT_POLL_MEM_VERIFY_CMP0_ADDR_START_LO_cmp0_start_31_0_offset	2
#define SDMA_PKT_POLL_MEM_VERIFY_CMP0_ADDR_START_HI_cmp0_start_63_32_offset	3
#define SDMA_PKT_POLL_MEM_VERIFY_CMP0_ADDR_END_LO_cmp1_end_31_0_offset		4
#define SDMA_PKT_POLL_MEM_VERIFY_CMP0_ADDR_END_HI_cmp1_end_63_32_offset		5
#define SDMA_PKT_POLL_MEM_VERIFY_CMP1_ADDR_START_LO_cmp1_start_31_0_offset	6
#define SDMA_PKT_POLL_MEM_VERIFY_CMP1_ADDR_START_HI_cmp1_start_63_32_offset	7
#define SDMA_PKT_POLL_MEM_VERIFY_CMP1_ADDR_END_LO_cmp1_end_31_0_offset		8
#define SDMA_PKT_POLL_MEM_VERIFY_CMP1_ADDR_END_HI_cmp1_end_63_32_offset		9
#define SDMA_PKT_POLL_MEM_VERIFY_REC_ADDR_LO_rec_31_0_offset			10
#define SDMA_PKT_POLL_MEM_VERIFY_REC_ADDR_HI_rec_63_32_offset			11
#define SDMA_PKT_POLL_MEM_VERIFY_RESERVED_reserved_offset			12

/* SDMA_PKT_ATOMIC: Atomic operation, TC_OP_* in atomic_op */
#define SDMA_PKT_ATOMIC_HEADER_op_offset					0
#define SDMA_PKT_ATOMIC_HEADER_op_mask						0xff
#define SDMA_PKT_ATOMIC_HEADER_op_shift						0
#define SDMA_PKT_ATOMIC_HEADER_OP(x)						((x) & 0xff)
#define SDMA_PKT_ATOMIC_HEADER_loop_offset					0
#define SDMA_PKT_ATOMIC_HEADER_loop_mask					0x1
#define SDMA_PKT_ATOMIC_HEADER_loop_shift					16
#define SDMA_PKT_ATOMIC_HEADER_LOOP(x)						(((x) & 0x1) << 16)
#define SDMA_PKT_ATOMIC_HEADER_tmz_offset					0
#define SDMA_PKT_ATOMIC_HEADER_tmz_mask						0x1
#define SDMA_PKT_ATOMIC_HEADER_tmz_shift					18
#define SDMA_PKT_ATOMIC_HEADER_TMZ(x)						(((x) & 0x1) << 18)
#define SDMA_PKT_ATOMIC_HEADER_atomic_op_offset					0
#define SDMA_PKT_ATOMIC_HEADER_atomic_op_mask					0x7f
#define SDMA_PKT_ATOMIC_HEADER_atomic_op_shift					25
#define SDMA_PKT_ATOMIC_HEADER_ATOMIC_OP(x)					(((x) & 0x7fu) << 25)
#define SDMA_PKT_ATOMIC_ADDR_LO_addr_31_0_offset				1
#define SDMA_PKT_ATOMIC_ADDR_HI_addr_63_32_offset				2
#define SDMA_PKT_ATOMIC_SRC_DATA_LO_src_data_31_0_offset			3
#define SDMA_PKT_ATOMIC_SRC_DATA_HI_src_data_63_32_offset			4
#define SDMA_PKT_ATOMIC_CMP_DATA_LO_cmp_data_31_0_offset			5
#define SDMA_PKT_ATOMIC_CMP_DATA_HI_cmp_data_63_32_offset			6
#define SDMA_PKT_ATOMIC_LOOP_INTERVAL_loop_interval_offset			7
#define SDMA_PKT_ATOMIC_LOOP_INTERVAL_loop_interval_mask			0x1fff
#define SDMA_PKT_ATOMIC_LOOP_INTERVAL_loop_interval_shift			0
#define SDMA_PKT_ATOMIC_LOOP_INTERVAL_LOOP_INTERVAL(x)				((x) & 0x1fff)

/* SDMA_PKT_TIMESTAMP_SET: Set the local time stamp */
#define SDMA_PKT_TIMESTAMP_SET_HEADER_op_offset					0
#define SDMA_PKT_TIMESTAMP_SET_HEADER_op_mask					0xff
#define SDMA_PKT_TIMESTAMP_SET_HEADER_op_shift					0
#define SDMA_PKT_TIMESTAMP_SET_HEADER_OP(x)					((x) & 0xff)
#define SDMA_PKT_TIMESTAMP_SET_HEADER_sub_op_offset				0
#define SDMA_PKT_TIMESTAMP_SET_HEADER_sub_op_mask				0xff
#define SDMA_PKT_TIMESTAMP_SET_HEADER_sub_op_shift				8
#define SDMA_PKT_TIMESTAMP_SET_HEADER_SUB_OP(x)					(((x) & 0xff) << 8)
#define SDMA_PKT_TIMESTAMP_SET_INIT_DATA_LO_init_data_31_0_offset		1
#define SDMA_PKT_TIMESTAMP_SET_INIT_DATA_HI_init_data_63_32_offset		2

/* SDMA_PKT_TIMESTAMP_GET: Write the local time stamp to memory */
#define SDMA_PKT_TIMESTAMP_GET_HEADER_op_offset					0
#define SDMA_PKT_TIMESTAMP_GET_HEADER_op_mask					0xff
#define SDMA_PKT_TIMESTAMP_GET_HEADER_op_shift					0
#define SDMA_PKT_TIMESTAMP_GET_HEADER_OP(x)					((x) & 0xff)
#define SDMA_PKT_TIMESTAMP_GET_HEADER_sub_op_offset				0
#define SDMA_PKT_TIMESTAMP_GET_HEADER_sub_op_mask				0xff
#define SDMA_PKT_TIMESTAMP_GET_HEADER_sub_op_shift				8
#define SDMA_PKT_TIMESTAMP_GET_HEADER_SUB_OP(x)					(((x) & 0xff) << 8)
#define SDMA_PKT_TIMESTAMP_GET_WRITE_ADDR_LO_write_addr_31_3_offset		1
#define SDMA_PKT_TIMESTAMP_GET_WRITE_ADDR_LO_write_addr_31_3_mask		0x1fffffff
#define SDMA_PKT_TIMESTAMP_GET_WRITE_ADDR_LO_write_addr_31_3_shift		3
#define SDMA_PKT_TIMESTAMP_GET_WRITE_ADDR_LO_WRITE_ADDR_31_3(x)			(((x) & 0x1fffffffu) << 3)
#define SDMA_PKT_TIMESTAMP_GET_WRITE_ADDR_HI_write_addr_63_32_offset		2

/* SDMA_PKT_TIMESTAMP_GET_GLOBAL: Write the GPU clock to memory */
#define SDMA_PKT_TIMESTAMP_GET_GLOBAL_HEADER_op_offset				0
#define SDMA_PKT_TIMESTAMP_GET_GLOBAL_HEADER_op_mask				0xff
#define SDMA_PKT_TIMESTAMP_GET_GLOBAL_HEADER_op_shift				0
#define SDMA_PKT_TIMESTAMP_GET_GLOBAL_HEADER_OP(x)				((x) & 0xff)
#define SDMA_PKT_TIMESTAMP_GET_GLOBAL_HEADER_sub_op_offset			0
#define SDMA_PKT_TIMESTAMP_GET_GLOBAL_HEADER_sub_op_mask			0xff
#define SDMA_PKT_TIMESTAMP_GET_GLOBAL_HEADER_sub_op_shift			8
#define SDMA_PKT_TIMESTAMP_GET_GLOBAL_HEADER_SUB_OP(x)				(((x) & 0xff) << 8)
#define SDMA_PKT_TIMESTAMP_GET_GLOBAL_WRITE_ADDR_LO_write_addr_31_3_offset	1
#define SDMA_PKT_TIMESTAMP_GET_GLOBAL_WRITE_ADDR_LO_write_addr_31_3_mask	0x1fffffff
#define SDMA_PKT_TIMESTAMP_GET_GLOBAL_WRITE_ADDR_LO_write_addr_31_3_shift	3
#define SDMA_PKT_TIMESTAMP_GET_GLOBAL_WRITE_ADDR_LO_WRITE_ADDR_31_3(x)		(((x) & 0x1fffffffu) << 3)
#define SDMA_PKT_TIMESTAMP_GET_GLOBAL_WRITE_ADDR_HI_write_addr_63_32_offset	2

/* SDMA_PKT_TRAP: Raise the trap interrupt with a context number */
#define SDMA_PKT_TRAP_HEADER_op_offset						0
#define SDMA_PKT_TRAP_HEADER_op_mask						0xff
#define SDMA_PKT_TRAP_HEADER_op_shift						0
#define SDMA_PKT_TRAP_HEADER_OP(x)						((x) & 0xff)
#define SDMA_PKT_TRAP_HEADER_sub_op_offset					0
#define SDMA_PKT_TRAP_HEADER_sub_op_mask					0xff
#define SDMA_PKT_TRAP_HEADER_sub_op_shift					8
#define SDMA_PKT_TRAP_HEADER_SUB_OP(x)						(((x) & 0xff) << 8)
#define SDMA_PKT_TRAP_INT_CONTEXT_int_context_offset				1
#define SDMA_PKT_TRAP_INT_CONTEXT_int_context_mask				0xfffffff
#define SDMA_PKT_TRAP_INT_CONTEXT_int_context_shift				0
#define SDMA_PKT_TRAP_INT_CONTEXT_INT_CONTEXT(x)				((x) & 0xfffffff)

/* SDMA_PKT_DUMMY_TRAP: A trap that raises no interrupt */
#define SDMA_PKT_DUMMY_TRAP_HEADER_op_offset					0
#define SDMA_PKT_DUMMY_TRAP_HEADER_op_mask					0xff
#define SDMA_PKT_DUMMY_TRAP_HEADER_op_shift					0
#define SDMA_PKT_DUMMY_TRAP_HEADER_OP(x)					((x) & 0xff)
#define SDMA_PKT_DUMMY_TRAP_HEADER_sub_op_offset				0
#define SDMA_PKT_DUMMY_TRAP_HEADER_sub_op_mask					0xff
#define SDMA_PKT_DUMMY_TRAP_HEADER_sub_op_shift					8
#define SDMA_PKT_DUMMY_TRAP_HEADER_SUB_OP(x)					(((x) & 0xff) << 8)
#define SDMA_PKT_DUMMY_TRAP_INT_CONTEXT_int_context_offset			1
#define SDMA_PKT_DUMMY_TRAP_INT_CONTEXT_int_context_mask			0xfffffff
#define SDMA_PKT_DUMMY_TRAP_INT_CONTEXT_int_context_shift			0
#define SDMA_PKT_DUMMY_TRAP_INT_CONTEXT_INT_CONTEXT(x)				((x) & 0xfffffff)

/* SDMA_PKT_NOP: Nothing; count dwords of payload are skipped */
#define SDMA_PKT_NOP_HEADER_op_offset						0
#define SDMA_PKT_NOP_HEADER_op_mask						0xff
#define SDMA_PKT_NOP_HEADER_op_shift						0
#define SDMA_PKT_NOP_HEADER_OP(x)						((x) & 0xff)
#define SDMA_PKT_NOP_HEADER_sub_op_offset					0
#define SDMA_PKT_NOP_HEADER_sub_op_mask						0xff
#define SDMA_PKT_NOP_HEADER_sub_op_shift					8
#define SDMA_PKT_NOP_HEADER_SUB_OP(x)						(((x) & 0xff) << 8)
#define SDMA_PKT_NOP_HEADER_count_offset					0
#define SDMA_PKT_NOP_HEADER_count_mask						0x3fff
#define SDMA_PKT_NOP_HEADER_count_shift						16
#define SDMA_PKT_NOP_HEADER_COUNT(x)						(((x) & 0x3fff) << 16)
#define SDMA_PKT_NOP_DATA0_data0_offset						1

/* SDMA_AQL_PKT_HEADER */
#define SDMA_AQL_PKT_HEADER_HEADER_format_offset				0
#define SDMA_AQL_PKT_HEADER_HEADER_format_mask					0xff
#define SDMA_AQL_PKT_HEADER_HEADER_format_shift					0
#define SDMA_AQL_PKT_HEADER_HEADER_FORMAT(x)					((x) & 0xff)
#define SDMA_AQL_PKT_HEADER_HEADER_barrier_offset				0
#define SDMA_AQL_PKT_HEADER_HEADER_barrier_mask					0x1
#define SDMA_AQL_PKT_HEADER_HEADER_barrier_shift				8
#define SDMA_AQL_PKT_HEADER_HEADER_BARRIER(x)					(((x) & 0x1) << 8)
#define SDMA_AQL_PKT_HEADER_HEADER_acquire_fence_scope_offset			0
#define SDMA_AQL_PKT_HEADER_HEADER_acquire_fence_scope_mask			0x3
#define SDMA_AQL_PKT_HEADER_HEADER_acquire_fence_scope_shift			9
#define SDMA_AQL_PKT_HEADER_HEADER_ACQUIRE_FENCE_SCOPE(x)			(((x) & 0x3) << 9)
#define SDMA_AQL_PKT_HEADER_HEADER_release_fence_scope_offset			0
#define SDMA_AQL_PKT_HEADER_HEADER_release_fence_scope_mask			0x3
#define SDMA_AQL_PKT_HEADER_HEADER_release_fence_scope_shift			11
#define SDMA_AQL_PKT_HEADER_HEADER_RELEASE_FENCE_SCOPE(x)			(((x) & 0x3) << 11)
#define SDMA_AQL_PKT_HEADER_HEADER_reserved_offset				0
#define SDMA_AQL_PKT_HEADER_HEADER_reserved_mask				0x7
#define SDMA_AQL_PKT_HEADER_HEADER_reserved_shift				13
#define SDMA_AQL_PKT_HEADER_HEADER_RESERVED(x)					(((x) & 0x7) << 13)
#define SDMA_AQL_PKT_HEADER_HEADER_op_offset					0
#define SDMA_AQL_PKT_HEADER_HEADER_op_mask					0xf
#define SDMA_AQL_PKT_HEADER_HEADER_op_shift					16
#define SDMA_AQL_PKT_HEADER_HEADER_OP(x)					(((x) & 0xf) << 16)
#define SDMA_AQL_PKT_HEADER_HEADER_subop_offset					0
#define SDMA_AQL_PKT_HEADER_HEADER_subop_mask					0x7
#define SDMA_AQL_PKT_HEADER_HEADER_subop_shift					20
#define SDMA_AQL_PKT_HEADER_HEADER_SUBOP(x)					(((x) & 0x7) << 20)

/* SDMA_AQL_PKT_COPY_LINEAR */
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_format_offset				0
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_format_mask				0xff
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_format_shift				0
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_FORMAT(x)				((x) & 0xff)
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_barrier_offset				0
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_barrier_mask				0x1
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_barrier_shift				8
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_BARRIER(x)				(((x) & 0x1) << 8)
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_acquire_fence_scope_offset		0
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_acquire_fence_scope_mask		0x3
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_acquire_fence_scope_shift		9
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_ACQUIRE_FENCE_SCOPE(x)			(((x) & 0x3) << 9)
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_release_fence_scope_offset		0
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_release_fence_scope_mask		0x3
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_release_fence_scope_shift		11
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_RELEASE_FENCE_SCOPE(x)			(((x) & 0x3) << 11)
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_reserved_offset				0
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_reserved_mask				0x7
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_reserved_shift				13
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_RESERVED(x)				(((x) & 0x7) << 13)
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_op_offset				0
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_op_mask					0xf
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_op_shift				16
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_OP(x)					(((x) & 0xf) << 16)
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_subop_offset				0
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_subop_mask				0x7
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_subop_shift				20
#define SDMA_AQL_PKT_COPY_LINEAR_HEADER_SUBOP(x)				(((x) & 0x7) << 20)
#define SDMA_AQL_PKT_COPY_LINEAR_RESERVED_DW1_reserved_dw1_offset		1
#define SDMA_AQL_PKT_COPY_LINEAR_RETURN_ADDR_LO_return_addr_31_0_offset		2
#define SDMA_AQL_PKT_COPY_LINEAR_RETURN_ADDR_HI_return_addr_63_32_offset	3
#define SDMA_AQL_PKT_COPY_LINEAR_COUNT_count_offset				4
#define SDMA_AQL_PKT_COPY_LINEAR_COUNT_count_mask				0x3fffff
#define SDMA_AQL_PKT_COPY_LINEAR_COUNT_count_shift				0
#define SDMA_AQL_PKT_COPY_LINEAR_COUNT_COUNT(x)					((x) & 0x3fffff)
#define SDMA_AQL_PKT_COPY_LINEAR_PARAMETER_dst_sw_offset			5
#define SDMA_AQL_PKT_COPY_LINEAR_PARAMETER_dst_sw_mask				0x3
#define SDMA_AQL_PKT_COPY_LINEAR_PARAMETER_dst_sw_shift				16
#define SDMA_AQL_PKT_COPY_LINEAR_PARAMETER_DST_SW(x)				(((x) & 0x3) << 16)
#define SDMA_AQL_PKT_COPY_LINEAR_PARAMETER_src_sw_offset			5
#define SDMA_AQL_PKT_COPY_LINEAR_PARAMETER_src_sw_mask				0x3
#define SDMA_AQL_PKT_COPY_LINEAR_PARAMETER_src_sw_shift				24
#define SDMA_AQL_PKT_COPY_LINEAR_PARAMETER_SRC_SW(x)				(((x) & 0x3) << 24)
#define SDMA_AQL_PKT_COPY_LINEAR_SRC_ADDR_LO_src_addr_31_0_offset		6
#define SDMA_AQL_PKT_COPY_LINEAR_SRC_ADDR_HI_src_addr_63_32_offset		7
#define SDMA_AQL_PKT_COPY_LINEAR_DST_ADDR_LO_dst_addr_31_0_offset		8
#define SDMA_AQL_PKT_COPY_LINEAR_DST_ADDR_HI_dst_addr_63_32_offset		9
#define SDMA_AQL_PKT_COPY_LINEAR_RESERVED_DW10_reserved_dw10_offset		10
#define SDMA_AQL_PKT_COPY_LINEAR_RESERVED_DW11_reserved_dw11_offset		11
#define SDMA_AQL_PKT_COPY_LINEAR_RESERVED_DW12_reserved_dw12_offset		12
#define SDMA_AQL_PKT_COPY_LINEAR_RESERVED_DW13_reserved_dw13_offset		13
#define SDMA_AQL_PKT_COPY_LINEAR_COMPLETION_SIGNAL_LO_completion_signal_31_0_offset 14
#define SDMA_AQL_PKT_COPY_LINEAR_COMPLETION_SIGNAL_HI_completion_signal_63_32_offset 15

/* SDMA_AQL_PKT_BARRIER_OR */
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_format_offset				0
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_format_mask				0xff
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_format_shift				0
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_FORMAT(x)				((x) & 0xff)
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_barrier_offset				0
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_barrier_mask				0x1
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_barrier_shift				8
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_BARRIER(x)				(((x) & 0x1) << 8)
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_acquire_fence_scope_offset		0
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_acquire_fence_scope_mask			0x3
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_acquire_fence_scope_shift		9
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_ACQUIRE_FENCE_SCOPE(x)			(((x) & 0x3) << 9)
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_release_fence_scope_offset		0
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_release_fence_scope_mask			0x3
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_release_fence_scope_shift		11
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_RELEASE_FENCE_SCOPE(x)			(((x) & 0x3) << 11)
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_reserved_offset				0
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_reserved_mask				0x7
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_reserved_shift				13
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_RESERVED(x)				(((x) & 0x7) << 13)
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_op_offset				0
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_op_mask					0xf
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_op_shift					16
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_OP(x)					(((x) & 0xf) << 16)
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_subop_offset				0
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_subop_mask				0x7
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_subop_shift				20
#define SDMA_AQL_PKT_BARRIER_OR_HEADER_SUBOP(x)					(((x) & 0x7) << 20)
#define SDMA_AQL_PKT_BARRIER_OR_RESERVED_DW1_reserved_dw1_offset		1
#define SDMA_AQL_PKT_BARRIER_OR_DEPENDENT_ADDR_0_LO_dependent_addr_0_31_0_offset 2
#define SDMA_AQL_PKT_BARRIER_OR_DEPENDENT_ADDR_0_HI_dependent_addr_0_63_32_offset 3
#define SDMA_AQL_PKT_BARRIER_OR_DEPENDENT_ADDR_1_LO_dependent_addr_1_31_0_offset 4
#define SDMA_AQL_PKT_BARRIER_OR_DEPENDENT_ADDR_1_HI_dependent_addr_1_63_32_offset 5
#define SDMA_AQL_PKT_BARRIER_OR_DEPENDENT_ADDR_2_LO_dependent_addr_2_31_0_offset 6
#define SDMA_AQL_PKT_BARRIER_OR_DEPENDENT_ADDR_2_HI_dependent_addr_2_63_32_offset 7
#define SDMA_AQL_PKT_BARRIER_OR_DEPENDENT_ADDR_3_LO_dependent_addr_3_31_0_offset 8
#define SDMA_AQL_PKT_BARRIER_OR_DEPENDENT_ADDR_3_HI_dependent_addr_3_63_32_offset 9
#define SDMA_AQL_PKT_BARRIER_OR_DEPENDENT_ADDR_4_LO_dependent_addr_4_31_0_offset 10
#define SDMA_AQL_PKT_BARRIER_OR_DEPENDENT_ADDR_4_HI_dependent_addr_4_63_32_offset 11
#define SDMA_AQL_PKT_BARRIER_OR_RESERVED_DW12_reserved_dw12_offset		12
#define SDMA_AQL_PKT_BARRIER_OR_RESERVED_DW13_reserved_dw13_offset		13
#define SDMA_AQL_PKT_BARRIER_OR_COMPLETION_SIGNAL_LO_completion_signal_31_0_offset 14
#define SDMA_AQL_PKT_BARRIER_OR_COMPLETION_SIGNAL_HI_completion_signal_63_32_offset 15

#endif /* _HW_SDMA_H */
