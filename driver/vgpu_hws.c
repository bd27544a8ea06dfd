// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The hardware scheduler: a run list of the user queues of all processes, and the HSA
 * interface queue (HIQ) that hands it to the command processor, which gives out
 * address spaces and hardware queues. Documentation/queues.rst, "User queues".
 */
#include <drm/amdgpu_drm.h>
#include <drm/drm_drv.h>
#include <drm/drm_managed.h>
#include <drm/drm_print.h>

#include <hw/doorbell.h>
#include <hw/ih.h>
#include <hw/pm4.h>
#include <hw/reg/gc.h>

#include "vgpu.h"
#include "vgpu_cp.h"

/* Where amdkfd puts it: beside the KIQ */
#define HIQ_PIPE		1
#define HIQ_QUEUE		1

#define HWS_SET_RESOURCES_DW	8
#define HWS_RUN_LIST_DW		4
#define HWS_UNMAP_QUEUES_DW	6
#define HWS_MAP_PROCESS_DW	21
#define HWS_MAP_QUEUES_DW	7

/* A process has at least one queue. */
#define HWS_LIST_DW		(VGPU_HWS_MAX_QUEUES * HWS_MAP_QUEUES_DW + \
				 VGPU_HWS_MAX_PROCESSES * HWS_MAP_PROCESS_DW + HWS_RUN_LIST_DW)

/* What RUN_LIST has room for */
#define HWS_MAX_LIST_DW		0xfffff

/* Milliseconds that processes have at a time when not all find room */
#define HWS_QUANTUM_MS		10

/* ---------------------------------------------------------------- the list */

/**
 * struct hws_writer - a run list being written
 * @dw: the next dword
 * @hqds: compute queues in it
 * @sdma: queues in it, for each engine
 * @processes: in it
 */
struct hws_writer {
	u32 *dw;
	unsigned int hqds;
	unsigned int sdma[VGPU_MAX_SDMA];
	unsigned int processes;
};

static bool hws_process_runs(const struct vgpu_hws_process *process)
{
	struct vgpu_hws_queue *queue;

	if (process->evicted || process->lost)
		return false;
	list_for_each_entry(queue, &process->queues, node) {
		if (queue->active)
			return true;
	}
	return false;
}

static void hws_write_process(struct hws_writer *w, const struct vgpu_hws_process *process)
{
	const u32 dw[HWS_MAP_PROCESS_DW] = {
		PACKET3(PACKET3_MAP_PROCESS, HWS_MAP_PROCESS_DW - 2),
		PACKET3_MAP_PROCESS_PASID(process->pasid) |
		PACKET3_MAP_PROCESS_PROCESS_QUANTUM(HWS_QUANTUM_MS),
		lower_32_bits(process->pd_addr), upper_32_bits(process->pd_addr),
		process->sh_mem_bases, process->sh_mem_config,
		lower_32_bits(process->tba >> 8), upper_32_bits(process->tba >> 8),
		lower_32_bits(process->tma >> 8), upper_32_bits(process->tma >> 8),
		[13] = PACKET3_MAP_PROCESS_SDMA_ENABLE(1) |
		       PACKET3_MAP_PROCESS_NUM_QUEUES(process->num_queues),
	};

	memcpy(w->dw, dw, sizeof(dw));
	w->dw += ARRAY_SIZE(dw);
	w->processes++;
}

static void hws_write_queue(struct hws_writer *w, const struct vgpu_hws_queue *queue)
{
	u32 engine = queue->sdma == VGPU_HWS_COMPUTE ?
		     PACKET3_MAP_QUEUES_ENGINE_SEL(QUEUES_ENGINE_COMPUTE) :
		     PACKET3_MAP_QUEUES_EXT_ENGINE_SEL(QUEUES_EXT_SDMA0_TO_7) |
		     PACKET3_MAP_QUEUES_ENGINE_SEL(queue->sdma);
	const u32 dw[HWS_MAP_QUEUES_DW] = {
		PACKET3(PACKET3_MAP_QUEUES, HWS_MAP_QUEUES_DW - 2),
		PACKET3_MAP_QUEUES_QUEUE_SEL(MAP_QUEUES_SEL_HWS) |
		PACKET3_MAP_QUEUES_QUEUE_TYPE(MAP_QUEUES_TYPE_COMPUTE) |
		engine | PACKET3_MAP_QUEUES_NUM_QUEUES(1),
		PACKET3_MAP_QUEUES_DOORBELL_OFFSET(queue->doorbell),
		lower_32_bits(queue->mqd_addr), upper_32_bits(queue->mqd_addr),
		lower_32_bits(queue->wptr_addr), upper_32_bits(queue->wptr_addr),
	};

	memcpy(w->dw, dw, sizeof(dw));
	w->dw += ARRAY_SIZE(dw);
	if (queue->sdma == VGPU_HWS_COMPUTE)
		w->hqds++;
	else
		w->sdma[queue->sdma]++;
}

/* Not everybody can run at the same time. */
static bool hws_oversubscribed(const struct hws_writer *w)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(w->sdma); i++) {
		if (w->sdma[i] > VGPU_HWS_SDMA_QUEUES)
			return true;
	}
	return w->processes > VGPU_HWS_NUM_VMIDS || w->hqds > VGPU_HWS_NUM_HQDS;
}

static void hws_run_list_packet(struct vgpu_hws *hws, u32 *dw, u32 ndw, unsigned int processes,
				bool chain)
{
	dw[0] = PACKET3(PACKET3_RUN_LIST, HWS_RUN_LIST_DW - 2);
	dw[1] = lower_32_bits(hws->list_addr);
	dw[2] = upper_32_bits(hws->list_addr);
	dw[3] = PACKET3_RUN_LIST_IB_SIZE(ndw) | PACKET3_RUN_LIST_CHAIN(chain) |
		PACKET3_RUN_LIST_VALID(1) |
		PACKET3_RUN_LIST_PROCESS_CNT(min_t(u32, processes, VGPU_HWS_NUM_VMIDS));
}

/* All who may run. @packet: hands the list over. Return: there is somebody. */
static bool hws_write_list(struct vgpu_hws *hws, u32 *packet)
{
	struct hws_writer w = { .dw = hws->list };
	struct vgpu_hws_process *process;
	struct vgpu_hws_queue *queue;
	u32 ndw;

	list_for_each_entry(process, &hws->processes, node) {
		if (!hws_process_runs(process))
			continue;
		hws_write_process(&w, process);
		list_for_each_entry(queue, &process->queues, node) {
			if (queue->active)
				hws_write_queue(&w, queue);
		}
	}
	ndw = w.dw - hws->list;
	if (!ndw)
		return false;
	if (hws_oversubscribed(&w)) {
		/* The next round begins where the list does. */
		ndw += HWS_RUN_LIST_DW;
		hws_run_list_packet(hws, w.dw, ndw, w.processes, true);
	}
	hws_run_list_packet(hws, packet, ndw, w.processes, false);
	return true;
}

/* ---------------------------------------------------------- all on, all off */

/* Nobody knows what the queues do. With the reset comes vgpu_hws_suspend(). */
static void hws_lost(struct vgpu_device *vdev, int err)
{
	vdev->hws.ready = false;
	if (drm_dev_is_unplugged(&vdev->drm))
		return;
	vdev->hws.lost = true;
	drm_err(&vdev->drm, "user queues cannot be managed: %d\n", err);
	vgpu_reset_request(vdev, VGPU_RESET_MODE2);
}

static int hws_unmap(struct vgpu_device *vdev)
{
	struct vgpu_hws *hws = &vdev->hws;
	const u32 dw[HWS_UNMAP_QUEUES_DW] = {
		PACKET3(PACKET3_UNMAP_QUEUES, HWS_UNMAP_QUEUES_DW - 2),
		PACKET3_UNMAP_QUEUES_ACTION(UNMAP_QUEUES_PREEMPT) |
		PACKET3_UNMAP_QUEUES_QUEUE_SEL(UNMAP_QUEUES_SEL_ALL_DYNAMIC) |
		PACKET3_UNMAP_QUEUES_ENGINE_SEL(QUEUES_ENGINE_COMPUTE),
	};

	lockdep_assert_held(&hws->lock);
	if (!hws->ready || !hws->running)
		return 0;
	hws->running = false;
	return vgpu_manager_run(vdev, &hws->hiq, dw, ARRAY_SIZE(dw));
}

/* Their descriptors are up to date, and they run no more, when it returns. */
static void hws_all_off(struct vgpu_device *vdev)
{
	int ret = hws_unmap(vdev);

	if (ret)
		hws_lost(vdev, ret);
}

static void hws_all_on(struct vgpu_device *vdev)
{
	struct vgpu_hws *hws = &vdev->hws;
	u32 dw[HWS_RUN_LIST_DW];
	int ret;

	lockdep_assert_held(&hws->lock);
	if (!hws->ready || !hws_write_list(hws, dw))
		return;
	ret = vgpu_manager_run(vdev, &hws->hiq, dw, ARRAY_SIZE(dw));
	hws->running = true;
	if (ret)
		hws_lost(vdev, ret);
}

/* ------------------------------------------------------ processes and queues */

static void hws_renew(struct vgpu_device *vdev)
{
	hws_all_off(vdev);
	hws_all_on(vdev);
}

/**
 * vgpu_hws_init_process() - a process without queues
 * @process: its part; the caller fills in what is constant about it
 * @evicted: it begins evicted
 */
void vgpu_hws_init_process(struct vgpu_hws_process *process, bool evicted)
{
	INIT_LIST_HEAD(&process->queues);
	process->evicted = evicted;
}

/**
 * vgpu_hws_add_queue() - a user queue begins to run
 * @vdev: the die
 * @process: whose
 * @queue: the queue, its descriptor written
 *
 * Return: 0; -EPERM: there are too many, as amdkfd says it; -EIO: the die was reset under
 * the process; -ENODEV: nothing runs on the die.
 */
int vgpu_hws_add_queue(struct vgpu_device *vdev, struct vgpu_hws_process *process,
		       struct vgpu_hws_queue *queue)
{
	struct vgpu_hws *hws = &vdev->hws;
	int ret = 0;

	mutex_lock(&hws->lock);
	if (process->lost)
		ret = -EIO;
	else if (!hws->ready)
		ret = -ENODEV;
	else if (hws->num_queues == VGPU_HWS_MAX_QUEUES ||
		 (!process->num_queues && hws->num_processes == VGPU_HWS_MAX_PROCESSES))
		ret = -EPERM;
	if (ret)
		goto unlock;

	hws_all_off(vdev);
	if (!process->num_queues++) {
		list_add_tail(&process->node, &hws->processes);
		hws->num_processes++;
	}
	list_add_tail(&queue->node, &process->queues);
	hws->num_queues++;
	hws_all_on(vdev);
unlock:
	mutex_unlock(&hws->lock);
	return ret;
}

/**
 * vgpu_hws_remove_queue() - a user queue is no more
 * @vdev: the die, it may be gone
 * @process: whose
 * @queue: the queue; nothing of it is used any more when it returns
 *
 * When the die does not answer, after its reset.
 */
void vgpu_hws_remove_queue(struct vgpu_device *vdev, struct vgpu_hws_process *process,
			   struct vgpu_hws_queue *queue)
{
	struct vgpu_hws *hws = &vdev->hws;
	bool lost;

	mutex_lock(&hws->lock);
	hws_all_off(vdev);
	list_del(&queue->node);
	if (!--process->num_queues) {
		list_del(&process->node);
		hws->num_processes--;
	}
	hws->num_queues--;
	hws_all_on(vdev);
	lost = hws->lost;
	mutex_unlock(&hws->lock);
	if (lost)
		vgpu_reset_wait(vdev);
}

/**
 * vgpu_hws_change_queue() - change a user queue while it is off
 * @vdev: the die
 * @process: whose
 * @queue: the queue
 * @change: may write the descriptor, and the members of @queue
 * @arg: for @change
 *
 * Return: 0; -EIO: the die was reset under the process; -ENODEV: nothing runs on the die.
 */
int vgpu_hws_change_queue(struct vgpu_device *vdev, struct vgpu_hws_process *process,
			  struct vgpu_hws_queue *queue,
			  void (*change)(struct vgpu_hws_queue *queue, void *arg), void *arg)
{
	struct vgpu_hws *hws = &vdev->hws;
	int ret = 0;

	mutex_lock(&hws->lock);
	hws_all_off(vdev);
	if (process->lost)
		ret = -EIO;
	else if (!hws->ready)
		ret = -ENODEV;
	else
		change(queue, arg);
	hws_all_on(vdev);
	mutex_unlock(&hws->lock);
	return ret;
}

/**
 * vgpu_hws_evict() - keep a process off the die, or let it run again
 * @vdev: the die
 * @process: the process
 * @evict: none of its queues runs when it returns true, until it is called with false
 *
 * Return: false: the die did not answer, and they may run until its reset, after which
 * vgpu_kfd_reset_done() has it done again.
 */
bool vgpu_hws_evict(struct vgpu_device *vdev, struct vgpu_hws_process *process, bool evict)
{
	bool lost;

	mutex_lock(&vdev->hws.lock);
	if (process->evicted != evict) {
		process->evicted = evict;
		if (process->num_queues)
			hws_renew(vdev);
	}
	lost = vdev->hws.lost;
	mutex_unlock(&vdev->hws.lock);
	return !lost;
}

/**
 * vgpu_hws_fault() - a process has reached for what is not there
 * @vdev: the die
 * @pasid: of the process, of any other: nothing happens
 *
 * As on amdkfd, its queues are off for good. Return: there is such a process.
 */
bool vgpu_hws_fault(struct vgpu_device *vdev, u32 pasid)
{
	struct vgpu_hws *hws = &vdev->hws;
	struct vgpu_hws_process *process;
	bool found = false;

	mutex_lock(&hws->lock);
	list_for_each_entry(process, &hws->processes, node) {
		if (process->pasid != pasid)
			continue;
		found = true;
		if (!process->lost && process->num_queues) {
			process->lost = true;
			hws_renew(vdev);
		}
	}
	mutex_unlock(&hws->lock);
	return found;
}

bool vgpu_hws_is_hiq(struct vgpu_device *vdev, u32 ring_id)
{
	const struct vgpu_hqd *hqd = &vdev->hws.hiq.q.hqd;

	return ring_id == VGPU_IV_CP_RING(hqd->me, hqd->pipe, hqd->queue);
}

/**
 * vgpu_hws_bad_packet() - the command processor does not understand the run list
 * @vdev: the die
 * @what: it says
 *
 * IH thread.
 */
void vgpu_hws_bad_packet(struct vgpu_device *vdev, const char *what)
{
	drm_err_ratelimited(&vdev->drm, "hiq: %s\n", what);
	vgpu_reset_request(vdev, VGPU_RESET_MODE2);
}

/* ------------------------------------------------------------------ the HIQ */

/* The queues of the first MEC that are none of the kernel's */
static u64 hws_queue_mask(struct vgpu_device *vdev)
{
	u64 mask = GENMASK_ULL(31, 0);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(vdev->compute); i++)
		mask &= ~BIT_ULL(vgpu_hqd_number(&vdev->compute[i].hqd));
	return mask;
}

static int hiq_start(struct vgpu_ring *ring)
{
	struct vgpu_device *vdev = ring->vdev;
	u64 mask = hws_queue_mask(vdev);
	const u32 dw[HWS_SET_RESOURCES_DW] = {
		PACKET3(PACKET3_SET_RESOURCES, HWS_SET_RESOURCES_DW - 2),
		PACKET3_SET_RESOURCES_QUEUE_TYPE(PACKET3_SET_RESOURCES_TYPE_HIQ) |
		PACKET3_SET_RESOURCES_VMID_MASK(GENMASK(VGPU_NUM_VMIDS - 1, VGPU_VMID_LAST + 1)),
		lower_32_bits(mask), upper_32_bits(mask),
	};
	int ret;

	BUILD_BUG_ON(VGPU_NUM_VMIDS - VGPU_VMID_LAST - 1 != VGPU_HWS_NUM_VMIDS);
	BUILD_BUG_ON(32 - VGPU_NUM_COMPUTE != VGPU_HWS_NUM_HQDS);

	vgpu_ring_rewind(ring);
	vgpu_mqd_fill(ring);
	ret = vgpu_kiq_map(ring, QUEUES_ENGINE_HIQ);
	if (ret)
		return ret;
	return vgpu_manager_run(vdev, &vdev->hws.hiq, dw, ARRAY_SIZE(dw));
}

static const struct vgpu_ring_funcs hiq_funcs = {
	.hw_ip = AMDGPU_HW_IP_NUM,	/* no user's */
	.align_mask = 0xff,
	.nop = PACKET3(PACKET3_NOP, PACKET3_NOP_ONE_DWORD_COUNT),
	.get_rptr = vgpu_cp_get_rptr,
	.set_wptr = vgpu_cp_set_wptr,
	.insert_nop = vgpu_cp_insert_nop,
	.test_ring = vgpu_manager_test_ring,
	.start = hiq_start,
	.stop = vgpu_kiq_stop_queue,
	.decode = vgpu_cp_decode,
	.decode_at = vgpu_decode_pm4,
	.show_state = vgpu_manager_show_state,
};

/* -------------------------------------------------------------------- block */

static int vgpu_hws_sw_init(struct vgpu_device *vdev)
{
	struct vgpu_hws *hws = &vdev->hws;
	void *cpu;
	int ret;

	BUILD_BUG_ON(HWS_LIST_DW > HWS_MAX_LIST_DW);

	INIT_LIST_HEAD(&hws->processes);
	ret = drmm_mutex_init(&vdev->drm, &hws->lock);
	if (ret)
		return ret;
	hws->bo = vgpu_bo_create_kernel(vdev, PAGE_ALIGN(HWS_LIST_DW * sizeof(u32)),
					AMDGPU_GEM_DOMAIN_GTT, &hws->list_addr, &cpu);
	if (IS_ERR(hws->bo))
		return PTR_ERR(hws->bo);
	hws->list = cpu;
	ret = vgpu_manager_init(vdev, &hws->hiq, HIQ_PIPE, HIQ_QUEUE, &hiq_funcs,
				VGPU_DOORBELL_DWORD_OFFSET(AMDGPU_VEGA20_DOORBELL_HIQ), "hiq");
	if (ret)
		vgpu_bo_free_kernel(hws->bo);
	return ret;
}

static void vgpu_hws_sw_fini(struct vgpu_device *vdev)
{
	struct vgpu_hws *hws = &vdev->hws;

	WARN_ON_ONCE(!list_empty(&hws->processes));
	vgpu_manager_fini(vdev, &hws->hiq);
	vgpu_bo_free_kernel(hws->bo);
}

/* Without it there are no user queues: not an error of the die. */
static int vgpu_hws_hw_init(struct vgpu_device *vdev)
{
	struct vgpu_ring *ring = &vdev->hws.hiq.q.ring;
	int ret;

	ret = ring->funcs->start(ring);
	if (ret) {
		drm_err(&vdev->drm, "%s: does not start: %d\n", ring->name, ret);
		ring->dead = true;
	}
	return 0;
}

static int vgpu_hws_late_init(struct vgpu_device *vdev)
{
	int ret = vgpu_ring_test(&vdev->hws.hiq.q.ring);

	mutex_lock(&vdev->hws.lock);
	vdev->hws.ready = !ret && !vdev->hws.closed;
	mutex_unlock(&vdev->hws.lock);
	return 0;
}

/* Nothing of a process runs on the die any more, and none that has been there does again. */
static void hws_end(struct vgpu_device *vdev)
{
	struct vgpu_hws *hws = &vdev->hws;
	struct vgpu_hws_process *process;

	mutex_lock(&hws->lock);
	/* If it does not answer, so be it: the reset that comes is what ends it. */
	hws_unmap(vdev);
	hws->ready = false;
	hws->lost = false;
	list_for_each_entry(process, &hws->processes, node)
		process->lost = true;
	mutex_unlock(&hws->lock);
}

void vgpu_hws_close(struct vgpu_device *vdev)
{
	mutex_lock(&vdev->hws.lock);
	/* And a reset that is going on brings none back. */
	vdev->hws.closed = true;
	mutex_unlock(&vdev->hws.lock);
	hws_end(vdev);
}

static void vgpu_hws_hw_fini(struct vgpu_device *vdev)
{
	hws_end(vdev);
	vgpu_ring_stop(&vdev->hws.hiq.q.ring);
}

static int vgpu_hws_suspend(struct vgpu_device *vdev)
{
	hws_end(vdev);
	vgpu_ring_suspend(&vdev->hws.hiq.q.ring);
	return 0;
}

static int vgpu_hws_resume(struct vgpu_device *vdev)
{
	int ret = vgpu_ring_resume(&vdev->hws.hiq.q.ring);

	mutex_lock(&vdev->hws.lock);
	vdev->hws.ready = !ret && !vdev->hws.closed;
	mutex_unlock(&vdev->hws.lock);
	return 0;
}

const struct vgpu_ip_block vgpu_hws_block = {
	.name = "hws",
	.sw_init = vgpu_hws_sw_init,
	.sw_fini = vgpu_hws_sw_fini,
	.hw_init = vgpu_hws_hw_init,
	.late_init = vgpu_hws_late_init,
	.hw_fini = vgpu_hws_hw_fini,
	.mode2 = true,
	.suspend = vgpu_hws_suspend,
	.resume = vgpu_hws_resume,
};
