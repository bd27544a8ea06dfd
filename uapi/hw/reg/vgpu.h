/* SPDX-License-Identifier: MIT */
/*
 * The emulator's own registers. No hardware has them: they let a student and
 * the demo see inside the device (path trace, counters), and nothing else may
 * depend on them. They live in a hole of the MI250X register BAR.
 * Documentation/architecture.rst, "Looking inside".
 */
#ifndef VGPU_HW_REG_VGPU_H
#define VGPU_HW_REG_VGPU_H

/* Absolute dword offsets; there is no IP block behind them. */
#define VGPU_DBG_ID			0x1ff00	/* reads VGPU_DBG_ID_MAGIC */
#define VGPU_DBG_ID_MAGIC		0x55504756	/* "VGPU" */
#define VGPU_DBG_TRACE_CNTL		0x1ff01	/* bit 0: on; writing 1 to bit 1 empties */
#define VGPU_DBG_TRACE_CNTL__ENABLE_MASK	0x1
#define VGPU_DBG_TRACE_CNTL__CLEAR_MASK	0x2
#define VGPU_DBG_TRACE_COUNT		0x1ff02	/* entries ever written since the last clear */
#define VGPU_DBG_TRACE_INDEX		0x1ff03	/* which entry DATA0..3 show: count modulo ENTRIES */
#define VGPU_DBG_TRACE_STEP		0x1ff04	/* VGPU_STEP_*, queue number in bits 15:8 */
#define VGPU_DBG_TRACE_DATA		0x1ff05	/* step's own datum, see the steps */
#define VGPU_DBG_TRACE_TIME_LO		0x1ff06	/* GPU clocks */
#define VGPU_DBG_TRACE_TIME_HI		0x1ff07
#define VGPU_DBG_UNCLAIMED_READS	0x1ff08
#define VGPU_DBG_UNCLAIMED_WRITES	0x1ff09
#define VGPU_DBG_PM4_PACKETS		0x1ff0a
#define VGPU_DBG_SDMA_PACKETS		0x1ff0b
#define VGPU_DBG_FAULTS			0x1ff0c
#define VGPU_DBG_IH_ENTRIES		0x1ff0d
#define VGPU_DBG_INTERRUPTS		0x1ff0e
#define VGPU_DBG_LOST_DOORBELLS		0x1ff0f

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
