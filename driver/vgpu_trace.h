/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Tracepoints: one for each step that a submission takes through the driver,
 * in the order they fire, and for what may happen beside it.
 * Documentation/submission.rst, "Watching a submission".
 */
#if !defined(_VGPU_TRACE_H_) || defined(TRACE_HEADER_MULTI_READ)
#define _VGPU_TRACE_H_

#include <linux/tracepoint.h>
#include <linux/types.h>

#undef TRACE_SYSTEM
#define TRACE_SYSTEM vgpu

/*
 * A job is known by the context and sequence number of its finished fence; a
 * ring by the die's PCI address and its name.
 */
DECLARE_EVENT_CLASS(vgpu_job,
	TP_PROTO(const struct vgpu_job *job),
	TP_ARGS(job),
	TP_STRUCT__entry(
		__string(dev, dev_name(job->ring->vdev->drm.dev))
		__string(ring, job->ring->name)
		__field(u64, context)
		__field(u64, seqno)
		__field(pid_t, pid)
		__field(u32, vmid)
		__field(u32, num_ibs)
	),
	TP_fast_assign(
		__assign_str(dev);
		__assign_str(ring);
		__entry->context = job->base.s_fence ? job->base.s_fence->finished.context : 0;
		__entry->seqno = job->base.s_fence ? job->base.s_fence->finished.seqno : 0;
		__entry->pid = job->pid;
		__entry->vmid = job->vmid;
		__entry->num_ibs = job->num_ibs;
	),
	TP_printk("dev=%s ring=%s job=%llu:%llu pid=%d vmid=%u ibs=%u",
		  __get_str(dev), __get_str(ring), __entry->context, __entry->seqno,
		  __entry->pid, __entry->vmid, __entry->num_ibs)
);

/* The CS ioctl is about to give a checked job to the scheduler (job armed). */
DEFINE_EVENT(vgpu_job, vgpu_cs_ioctl, TP_PROTO(const struct vgpu_job *job), TP_ARGS(job));

/* The scheduler has picked the job: its dependencies are met. */
DEFINE_EVENT(vgpu_job, vgpu_sched_run_job, TP_PROTO(const struct vgpu_job *job), TP_ARGS(job));

TRACE_EVENT(vgpu_vmid_grab,
	TP_PROTO(const struct vgpu_job *job),
	TP_ARGS(job),
	TP_STRUCT__entry(
		__string(dev, dev_name(job->ring->vdev->drm.dev))
		__string(ring, job->ring->name)
		__field(u64, pd_addr)
		__field(u32, vmid)
		__field(pid_t, pid)
		__field(bool, need_flush)
	),
	TP_fast_assign(
		__assign_str(dev);
		__assign_str(ring);
		__entry->pd_addr = job->pd_addr;
		__entry->vmid = job->vmid;
		__entry->pid = job->pid;
		__entry->need_flush = job->need_flush;
	),
	TP_printk("dev=%s ring=%s vmid=%u pid=%d pd=%#llx flush=%d",
		  __get_str(dev), __get_str(ring), __entry->vmid, __entry->pid,
		  __entry->pd_addr, __entry->need_flush)
);

/* A frame is complete in the ring; @start to ring->wptr are its dwords. */
TRACE_EVENT(vgpu_ring_write,
	TP_PROTO(const struct vgpu_ring *ring, u64 start),
	TP_ARGS(ring, start),
	TP_STRUCT__entry(
		__string(dev, dev_name(ring->vdev->drm.dev))
		__string(ring, ring->name)
		__field(u64, start)
		__field(u64, wptr)
	),
	TP_fast_assign(
		__assign_str(dev);
		__assign_str(ring);
		__entry->start = start;
		__entry->wptr = ring->wptr;
	),
	TP_printk("dev=%s ring=%s wptr=%llu dwords=%llu",
		  __get_str(dev), __get_str(ring), __entry->wptr,
		  __entry->wptr - __entry->start)
);

TRACE_EVENT(vgpu_doorbell,
	TP_PROTO(const struct vgpu_device *vdev, u32 index, u64 val),
	TP_ARGS(vdev, index, val),
	TP_STRUCT__entry(
		__string(dev, dev_name(vdev->drm.dev))
		__field(u32, index)
		__field(u64, val)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->index = index;
		__entry->val = val;
	),
	TP_printk("dev=%s index=%#x val=%#llx", __get_str(dev), __entry->index, __entry->val)
);

/* The MSI-X vector fired (hard interrupt). */
TRACE_EVENT(vgpu_irq,
	TP_PROTO(const struct vgpu_device *vdev),
	TP_ARGS(vdev),
	TP_STRUCT__entry(
		__string(dev, dev_name(vdev->drm.dev))
	),
	TP_fast_assign(
		__assign_str(dev);
	),
	TP_printk("dev=%s", __get_str(dev))
);

/* The IH thread took an entry from the ring. */
TRACE_EVENT(vgpu_iv,
	TP_PROTO(const struct vgpu_device *vdev, const struct vgpu_iv_entry *iv),
	TP_ARGS(vdev, iv),
	TP_STRUCT__entry(
		__string(dev, dev_name(vdev->drm.dev))
		__field(u8, client_id)
		__field(u8, source_id)
		__field(u8, ring_id)
		__field(u8, vmid)
		__field(bool, vmid_mm)
		__field(u16, pasid)
		__field(u64, timestamp)
		__array(u32, src_data, 4)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->client_id = iv->client_id;
		__entry->source_id = iv->source_id;
		__entry->ring_id = iv->ring_id;
		__entry->vmid = iv->vmid;
		__entry->vmid_mm = iv->vmid_mm;
		__entry->pasid = iv->pasid;
		__entry->timestamp = iv->timestamp;
		memcpy(__entry->src_data, iv->src_data, sizeof(iv->src_data));
	),
	TP_printk("dev=%s client=%#x source=%u ring=%#x vmid=%u%s pasid=%u clock=%llu data=%08x %08x %08x %08x",
		  __get_str(dev), __entry->client_id, __entry->source_id, __entry->ring_id,
		  __entry->vmid, __entry->vmid_mm ? "(mm)" : "", __entry->pasid,
		  __entry->timestamp, __entry->src_data[0], __entry->src_data[1],
		  __entry->src_data[2], __entry->src_data[3])
);

/* A ring fence is signalled. */
TRACE_EVENT(vgpu_fence_signal,
	TP_PROTO(const struct vgpu_ring *ring, u64 seqno),
	TP_ARGS(ring, seqno),
	TP_STRUCT__entry(
		__string(dev, dev_name(ring->vdev->drm.dev))
		__string(ring, ring->name)
		__field(u64, seqno)
	),
	TP_fast_assign(
		__assign_str(dev);
		__assign_str(ring);
		__entry->seqno = seqno;
	),
	TP_printk("dev=%s ring=%s seqno=%llu", __get_str(dev), __get_str(ring), __entry->seqno)
);

TRACE_EVENT(vgpu_vm_fault,
	TP_PROTO(const struct vgpu_device *vdev, u32 hub, u32 vmid, u32 pasid, u64 addr,
		 u32 status),
	TP_ARGS(vdev, hub, vmid, pasid, addr, status),
	TP_STRUCT__entry(
		__string(dev, dev_name(vdev->drm.dev))
		__field(u32, hub)
		__field(u32, vmid)
		__field(u32, pasid)
		__field(u64, addr)
		__field(u32, status)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->hub = hub;
		__entry->vmid = vmid;
		__entry->pasid = pasid;
		__entry->addr = addr;
		__entry->status = status;
	),
	TP_printk("dev=%s hub=%s vmid=%u pasid=%u addr=%#llx status=%#x",
		  __get_str(dev), __entry->hub == VGPU_GCHUB ? "gc" : "mm", __entry->vmid,
		  __entry->pasid, __entry->addr, __entry->status)
);

/* A buffer moves; the places are TTM_PL_*. */
TRACE_EVENT(vgpu_bo_move,
	TP_PROTO(const struct vgpu_device *vdev, const struct vgpu_bo *bo, u32 from, u32 to),
	TP_ARGS(vdev, bo, from, to),
	TP_STRUCT__entry(
		__string(dev, dev_name(vdev->drm.dev))
		__field(const void *, bo)
		__field(u64, size)
		__field(u32, from)
		__field(u32, to)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->bo = bo;
		__entry->size = bo->tbo.base.size;
		__entry->from = from;
		__entry->to = to;
	),
	TP_printk("dev=%s bo=%p size=%llu from=%u to=%u",
		  __get_str(dev), __entry->bo, __entry->size, __entry->from, __entry->to)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE vgpu_trace
#include <trace/define_trace.h>
