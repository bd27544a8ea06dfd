/* SPDX-License-Identifier: MIT */
/*
 * The emulator's own registers. No hardware has them: they let a student and
 * the demo see inside the device (path trace, counters), and a test break an
 * engine; nothing else may depend on them. They live in a hole of the MI250X register BAR, and not in its
 * last page, which a process may map to flush HDP.
 * Documentation/architecture.rst, "Looking inside".
 */
#ifndef VGPU_HW_REG_VGPU_H
#define VGPU_HW_REG_VGPU_H

/* Absolute dword offsets; there is no IP block behind them. */
#define VGPU_DBG_ID			0x1f000	/* reads VGPU_DBG_ID_MAGIC */
#define VGPU_DBG_ID_MAGIC		0x55504756	/* "VGPU" */
#define VGPU_DBG_TRACE_CNTL		0x1f001	/* bit 0: on; writing 1 to bit 1 empties */
#define VGPU_DBG_TRACE_CNTL__ENABLE_MASK	0x1
#define VGPU_DBG_TRACE_CNTL__CLEAR_MASK	0x2
#define VGPU_DBG_TRACE_COUNT		0x1f002	/* entries ever written since the last clear */
#define VGPU_DBG_TRACE_INDEX		0x1f003	/* which entry DATA0..3 show: count modulo ENTRIES */
#define VGPU_DBG_TRACE_STEP		0x1f004	/* VGPU_STEP_*, queue number in bits 15:8 */
#define VGPU_DBG_TRACE_DATA		0x1f005	/* step's own datum, see the steps */
#define VGPU_DBG_TRACE_TIME_LO		0x1f006	/* GPU clocks */
#define VGPU_DBG_TRACE_TIME_HI		0x1f007
#define VGPU_DBG_UNCLAIMED_READS	0x1f008
#define VGPU_DBG_UNCLAIMED_WRITES	0x1f009
#define VGPU_DBG_PM4_PACKETS		0x1f00a
#define VGPU_DBG_SDMA_PACKETS		0x1f00b
#define VGPU_DBG_FAULTS			0x1f00c
#define VGPU_DBG_IH_ENTRIES		0x1f00d
#define VGPU_DBG_INTERRUPTS		0x1f00e
#define VGPU_DBG_LOST_DOORBELLS		0x1f00f

/* Links of the hive, as Documentation/hive.rst, "What is counted" has them. */
#define VGPU_DBG_NUM_LINKS		0x1f010	/* 0 without a hive */
#define VGPU_DBG_LINK_INDEX		0x1f011	/* which link and direction the rest shows */
#define VGPU_DBG_LINK_INDEX__LINK_MASK	0xff
#define VGPU_DBG_LINK_INDEX__BACK_MASK	0x100	/* from the end with the higher number */
#define VGPU_DBG_LINK_ENDS		0x1f012
#define VGPU_DBG_LINK_ENDS__LOW_MASK	0xff	/* node numbers of its ends */
#define VGPU_DBG_LINK_ENDS__HIGH_MASK	0xff00
#define VGPU_DBG_LINK_ENDS__WIDTH_MASK	0xff0000
#define VGPU_DBG_LINK_ENDS__UP_MASK	0x80000000
#define VGPU_DBG_LINK_BYTES_LO		0x1f013
#define VGPU_DBG_LINK_BYTES_HI		0x1f014
#define VGPU_DBG_LINK_REQUESTS_LO	0x1f015
#define VGPU_DBG_LINK_REQUESTS_HI	0x1f016

/*
 * Fault injection: an engine whose bit is set has lost its way for good. It runs
 * nothing, is never idle, and no reset of its ring reaches it; mode 2 does. The
 * firmware processors answer nothing more, and mode 2 does not reach them. Written
 * ones set bits, only a reset of the die clears them.
 */
#define VGPU_DBG_STUCK			0x1f017
#define VGPU_DBG_STUCK__GFX_MASK	0x1
#define VGPU_DBG_STUCK__SDMA_MASK(n)	(0x2u << (n))
#define VGPU_DBG_STUCK__MP0_MASK	0x40
#define VGPU_DBG_STUCK__MP1_MASK	0x80
#define VGPU_DBG_STUCK__ALL_MASK	0xff

#define VGPU_TRACE_ENTRIES		1024

/* Queue numbers of trace entries */
#define VGPU_TRACE_QUEUE_GFX		0
#define VGPU_TRACE_QUEUE_SDMA(n)	(1 + (n))	/* gfx queue of engine n */
#define VGPU_TRACE_QUEUE_HQD(n)		(0x40 + (n))	/* queue + 8 pipe + 32 (me - 1) */
#define VGPU_TRACE_QUEUE_RLC(n, k)	(0x80 + 8 * (n) + (k))	/* user queue k of engine n */

#define VGPU_STEP_DOORBELL	1	/* doorbell reached the engine; data: new WPTR, dwords */
#define VGPU_STEP_FETCH		2	/* first packet fetched after idle; data: RPTR, dwords */
#define VGPU_STEP_IB_START	3	/* data: IB size, dwords */
#define VGPU_STEP_IB_END	4	/* data: IB size, dwords */
#define VGPU_STEP_FENCE		5	/* fence value written; data: its low dword */
#define VGPU_STEP_IH_ENTRY	6	/* entry in the IH ring; data: client id << 8 | source id */
#define VGPU_STEP_MSIX		7	/* vector raised; data: the vector */
#define VGPU_STEP_PARK		8	/* a wait packet parked its queue */
#define VGPU_STEP_WAKE		9	/* it runs again, its condition true */
#define VGPU_STEP_FAULT		10	/* page fault; data: VMID */
#define VGPU_STEP_HALT		11	/* queue stopped by an error */

#endif
