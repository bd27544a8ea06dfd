/* SPDX-License-Identifier: MIT */
/*
 * Entries of the interrupt ring: layout, clients and sources.
 * See Documentation/hardware.rst, "Interrupts".
 */
#ifndef _HW_IH_H
#define _HW_IH_H

/*
 * An entry ("interrupt vector", or cookie) is 8 dwords:
 *
 *   dword 0  client [7:0], source [15:8], ring [23:16], VMID [27:24], VMID of the MM hub [31]
 *   dword 1  time stamp [31:0]
 *   dword 2  time stamp [47:32] in [15:0], source of the time stamp [31]
 *   dword 3  PASID [15:0], node [23:16]
 *   dword 4  to 7: four words of the source
 */
#define VGPU_IV_DWORDS				8
#define VGPU_IV_BYTES				32

#define VGPU_IV_DW0_CLIENT__SHIFT		0
#define VGPU_IV_DW0_CLIENT_MASK			0x000000ff
#define VGPU_IV_DW0_SOURCE__SHIFT		8
#define VGPU_IV_DW0_SOURCE_MASK			0x0000ff00
#define VGPU_IV_DW0_RING__SHIFT			16
#define VGPU_IV_DW0_RING_MASK			0x00ff0000
#define VGPU_IV_DW0_VMID__SHIFT			24
#define VGPU_IV_DW0_VMID_MASK			0x0f000000
#define VGPU_IV_DW0_VMID_SRC__SHIFT		31
#define VGPU_IV_DW0_VMID_SRC_MASK		0x80000000
#define VGPU_IV_DW2_TIMESTAMP_HI__SHIFT		0
#define VGPU_IV_DW2_TIMESTAMP_HI_MASK		0x0000ffff
#define VGPU_IV_DW2_TIMESTAMP_SRC__SHIFT	31
#define VGPU_IV_DW2_TIMESTAMP_SRC_MASK		0x80000000
#define VGPU_IV_DW3_PASID__SHIFT		0
#define VGPU_IV_DW3_PASID_MASK			0x0000ffff
#define VGPU_IV_DW3_NODE__SHIFT			16
#define VGPU_IV_DW3_NODE_MASK			0x00ff0000

/*
 * The ring id of a CP interrupt names its queue: pipe [1:0], engine (me) [3:2], queue [6:4].
 */
#define VGPU_IV_CP_RING_PIPE(ring)		((ring) & 0x3)
#define VGPU_IV_CP_RING_ME(ring)		(((ring) >> 2) & 0x3)
#define VGPU_IV_CP_RING_QUEUE(ring)		(((ring) >> 4) & 0x7)
#define VGPU_IV_CP_RING(me, pipe, queue)	((pipe) | (me) << 2 | (queue) << 4)

/* Clients: who raised the interrupt */
#define SOC15_IH_CLIENTID_IH				0x00
#define SOC15_IH_CLIENTID_ACP				0x01
#define SOC15_IH_CLIENTID_ATHUB				0x02
#define SOC15_IH_CLIENTID_BIF				0x03
#define SOC15_IH_CLIENTID_DCE				0x04
#define SOC15_IH_CLIENTID_ISP				0x05
#define SOC15_IH_CLIENTID_PCIE0				0x06
#define SOC15_IH_CLIENTID_RLC				0x07
#define SOC15_IH_CLIENTID_SDMA0				0x08
#define SOC15_IH_CLIENTID_SDMA1				0x09
#define SOC15_IH_CLIENTID_SE0SH				0x0a
#define SOC15_IH_CLIENTID_SE1SH				0x0b
#define SOC15_IH_CLIENTID_SE2SH				0x0c
#define SOC15_IH_CLIENTID_SE3SH				0x0d
#define SOC15_IH_CLIENTID_UVD1				0x0e
#define SOC15_IH_CLIENTID_THM				0x0f
#define SOC15_IH_CLIENTID_UVD				0x10
#define SOC15_IH_CLIENTID_VCE0				0x11
#define SOC15_IH_CLIENTID_VMC				0x12
#define SOC15_IH_CLIENTID_XDMA				0x13
#define SOC15_IH_CLIENTID_GRBM_CP			0x14
#define SOC15_IH_CLIENTID_ATS				0x15
#define SOC15_IH_CLIENTID_ROM_SMUIO			0x16
#define SOC15_IH_CLIENTID_DF				0x17
#define SOC15_IH_CLIENTID_VCE1				0x18
#define SOC15_IH_CLIENTID_PWR				0x19
#define SOC15_IH_CLIENTID_RESERVED			0x1a
#define SOC15_IH_CLIENTID_UTCL2				0x1b
#define SOC15_IH_CLIENTID_EA				0x1c
#define SOC15_IH_CLIENTID_UTCL2LOG			0x1d
#define SOC15_IH_CLIENTID_MP0				0x1e
#define SOC15_IH_CLIENTID_MP1				0x1f
#define SOC15_IH_CLIENTID_VCN				0x10
#define SOC15_IH_CLIENTID_VCN1				0x0e
#define SOC15_IH_CLIENTID_SDMA2				0x01
#define SOC15_IH_CLIENTID_SDMA3				0x04
#define SOC15_IH_CLIENTID_SDMA4				0x05
#define SOC15_IH_CLIENTID_SDMA5				0x11
#define SOC15_IH_CLIENTID_SDMA6				0x13
#define SOC15_IH_CLIENTID_SDMA7				0x18
#define SOC15_IH_CLIENTID_VMC1				0x06

/* Sources of SOC15_IH_CLIENTID_GRBM_CP, _SE0SH and so on: the graphics core */
#define GFX_9_0__SRCID__CP_RB_INTERRUPT_PKT			176
#define GFX_9_0__SRCID__CP_IB1_INTERRUPT_PKT			177
#define GFX_9_0__SRCID__CP_IB2_INTERRUPT_PKT			178
#define GFX_9_0__SRCID__CP_PM4_PKT_RSVD_BIT_ERROR		180
#define GFX_9_0__SRCID__CP_EOP_INTERRUPT			181
#define GFX_9_0__SRCID__CP_BAD_OPCODE_ERROR			183
#define GFX_9_0__SRCID__CP_PRIV_REG_FAULT			184
#define GFX_9_0__SRCID__CP_PRIV_INSTR_FAULT			185
#define GFX_9_0__SRCID__CP_WAIT_MEM_SEM_FAULT			186
#define GFX_9_0__SRCID__CP_CTX_EMPTY_INTERRUPT			187
#define GFX_9_0__SRCID__CP_CTX_BUSY_INTERRUPT			188
#define GFX_9_0__SRCID__CP_ME_WAIT_REG_MEM_POLL_TIMEOUT		192
#define GFX_9_0__SRCID__CP_SIG_INCOMPLETE			193
#define GFX_9_0__SRCID__CP_PREEMPT_ACK				194
#define GFX_9_0__SRCID__CP_GPF					195
#define GFX_9_0__SRCID__CP_GDS_ALLOC_ERROR			196
#define GFX_9_0__SRCID__CP_ECC_ERROR				197
#define GFX_9_0__SRCID__CP_COMPUTE_QUERY_STATUS			199
#define GFX_9_0__SRCID__CP_VM_DOORBELL				200
#define GFX_9_0__SRCID__CP_FUE_ERROR				201
#define GFX_9_0__SRCID__RLC_STRM_PERF_MONITOR_INTERRUPT		202
#define GFX_9_0__SRCID__GRBM_RD_TIMEOUT_ERROR			232
#define GFX_9_0__SRCID__GRBM_REG_GUI_IDLE			233
#define GFX_9_0__SRCID__SQ_INTERRUPT_ID				239

/* Sources of SOC15_IH_CLIENTID_SDMA0 and so on, the same for every engine */
#define SDMA0_4_0__SRCID__SDMA_ATOMIC_RTN_DONE			217
#define SDMA0_4_0__SRCID__SDMA_ATOMIC_TIMEOUT			218
#define SDMA0_4_0__SRCID__SDMA_IB_PREEMPT			219
#define SDMA0_4_0__SRCID__SDMA_ECC				220
#define SDMA0_4_0__SRCID__SDMA_PAGE_FAULT			221
#define SDMA0_4_0__SRCID__SDMA_PAGE_NULL			222
#define SDMA0_4_0__SRCID__SDMA_XNACK				223
#define SDMA0_4_0__SRCID__SDMA_TRAP				224
#define SDMA0_4_0__SRCID__SDMA_SEM_INCOMPLETE_TIMEOUT		225
#define SDMA0_4_0__SRCID__SDMA_SEM_WAIT_FAIL_TIMEOUT		226
#define SDMA0_4_0__SRCID__SDMA_SRAM_ECC				228
#define SDMA0_4_0__SRCID__SDMA_PREEMPT				240
#define SDMA0_4_0__SRCID__SDMA_VM_HOLE				242
#define SDMA0_4_0__SRCID__SDMA_CTXEMPTY				243
#define SDMA0_4_0__SRCID__SDMA_DOORBELL_INVALID			244
#define SDMA0_4_0__SRCID__SDMA_FROZEN				245
#define SDMA0_4_0__SRCID__SDMA_POLL_TIMEOUT			246
#define SDMA0_4_0__SRCID__SDMA_SRBMWRITE			247
/*
 * The list of SDMA 4 leaves 241 out; on SDMA 2.4 and 3.0 it is what amdgpu takes for an illegal
 * instruction (sdma_v2_4.c, sdma_v3_0.c), and so we raise it here.
 */
#define VGPU_SDMA_SRCID_ILLEGAL_INST				241

/* Sources of SOC15_IH_CLIENTID_VMC (MM hub) and _UTCL2 (GC hub) */
#define VMC_1_0__SRCID__VM_FAULT				0
#define VMC_1_0__SRCID__VM_CONTEXT0_ALL				256
#define VMC_1_0__SRCID__VM_CONTEXT1_ALL				257
#define UTCL2_1_0__SRCID__FAULT					0

/* The source of SOC15_IH_CLIENTID_DF: the memory has an error that could not be corrected */
#define VGPU_DF_SRCID_ECC					0

/* Sources of SOC15_IH_CLIENTID_BIF */
#define NBIF_7_4__SRCID__CHIP_ERR_INT_EVENT			0x5E
#define NBIF_7_4__SRCID__DOORBELL_INTERRUPT			0x5F
#define NBIF_7_4__SRCID__RAS_CONTROLLER_INTERRUPT		0x60
#define NBIF_7_4__SRCID__ERREVENT_ATHUB_INTERRUPT		0x61
#define NBIF_7_4__SRCID__PF_VF_MSGBUF_VALID			0x87
#define NBIF_7_4__SRCID__PF_VF_MSGBUF_ACK			0x88
#define NBIF_7_4__SRCID__VF_PF_MSGBUF_VALID			0x89
#define NBIF_7_4__SRCID__VF_PF_MSGBUF_ACK			0x8A
#define NBIF_7_4__SRCID__CHIP_DPA_INT_EVENT			0xA0
#define NBIF_7_4__SRCID__CHIP_SLOT_POWER_CHG_INT_EVENT		0xA1
#define NBIF_7_4__SRCID__ATOMIC_UR_OPCODE			0xCE
#define NBIF_7_4__SRCID__ATOMIC_REQESTEREN_LOW			0xCF

#endif /* _HW_IH_H */
