// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Events of /dev/kfd: what threads of a process sleep on until a queue, another
 * thread or an error wakes them. Documentation/queues.rst, "Events".
 */
#include <linux/kfd_ioctl.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "vgpu.h"

/* Ids of signal events are slots of a page; the others are far above them. */
#define EVENT_FIRST_OTHER	((INT_MAX >> 1) + 1)
/* As many as there can be of signals; amdkfd has no limit. */
#define EVENT_MAX_OTHER		KFD_SIGNAL_EVENT_LIMIT
/* More than a process has, for those that name one twice */
#define EVENT_MAX_WAIT		(2 * KFD_SIGNAL_EVENT_LIMIT)

/* Bits of the id of a signal event, and what is in its slot when nothing has happened */
#define EVENT_ID_BITS		12
#define EVENT_UNSIGNALED	U64_MAX

/* As the runtime knows them: KFD_HW_EXCEPTION_WHOLE_GPU_RESET and KFD_HW_EXCEPTION_GPU_HANG */
#define EVENT_RESET_WHOLE_GPU	0
#define EVENT_CAUSE_GPU_HANG	0

/* Time-outs that are no number of milliseconds */
#define EVENT_WAIT_NOT		0
#define EVENT_WAIT_FOR_EVER	U32_MAX

/* The first age of an event. 0 in a wait: ages do not matter. */
#define EVENT_FIRST_AGE		1

/**
 * struct vgpu_kfd_event - an event
 * @refs: its id, and each thread that waits for it
 * @waiters: threads that wait for it and have not seen it yet
 * @age: counts the times that it was set
 * @type: KFD_EVENT_TYPE_*
 * @auto_reset: setting it wakes who waits, and is remembered only if nobody does
 * @signaled: who comes now need not wait
 * @gone: its id is another's, or nobody's
 * @data: of the last memory or hardware exception
 *
 * All under vgpu_kfd_events.lock.
 */
struct vgpu_kfd_event {
	unsigned int refs;
	unsigned int waiters;
	u64 age;
	u32 type;
	bool auto_reset;
	bool signaled;
	bool gone;
	union {
		struct kfd_hsa_memory_exception_data memory;
		struct kfd_hsa_hw_exception_data hw;
	} data;
};

/**
 * struct kfd_wait - one event of a wait
 * @event: referenced
 * @age: of it when the wait began
 * @seen: it was signalled then, or has been set since
 * @tell_age: user space wants to know the age
 */
struct kfd_wait {
	struct vgpu_kfd_event *event;
	u64 age;
	bool seen;
	bool tell_age;
};

void vgpu_kfd_events_init(struct vgpu_kfd_events *events)
{
	spin_lock_init(&events->lock);
	idr_init(&events->idr);
	init_waitqueue_head(&events->wq);
}

/**
 * vgpu_kfd_events_end() - give back memory of the process, while its die is still there
 * @events: of a process that is dead, locked
 *
 * May sleep.
 */
void vgpu_kfd_events_end(struct vgpu_kfd_events *events)
{
	struct vgpu_bo *bo;

	spin_lock(&events->lock);
	bo = events->page_bo;
	events->page_bo = NULL;
	events->page = NULL;
	spin_unlock(&events->lock);
	vgpu_bo_free_kernel(bo);
}

/* Nobody waits: who waits has the file. */
void vgpu_kfd_events_fini(struct vgpu_kfd_events *events)
{
	struct vgpu_kfd_event *ev;
	int id;

	idr_for_each_entry(&events->idr, ev, id)
		kfree(ev);
	idr_destroy(&events->idr);
}

/* Where queues say which event it is: memory of the process, given with the first event. */
static int event_set_page(struct vgpu_kfd_process *p, u64 handle)
{
	const u64 size = KFD_SIGNAL_EVENT_LIMIT * sizeof(u64);
	struct vgpu_kfd_events *events = &p->events;
	struct vgpu_bo *bo;
	void *cpu;
	int ret = 0;

	mutex_lock(&p->lock);
	if (p->dead || events->page) {
		ret = -EINVAL;
		goto unlock;
	}
	bo = vgpu_kfd_memory_pin(p, handle, size, &cpu);
	if (IS_ERR(bo)) {
		ret = PTR_ERR(bo);
		goto unlock;
	}
	memset(cpu, 0xff, size);
	spin_lock(&events->lock);
	events->page_bo = bo;
	events->page = cpu;
	spin_unlock(&events->lock);
unlock:
	mutex_unlock(&p->lock);
	return ret;
}

/* Locked. */
static void event_put(struct vgpu_kfd_event *ev)
{
	if (!--ev->refs)
		kfree(ev);
}

/* Locked. */
static void event_set(struct vgpu_kfd_events *events, struct vgpu_kfd_event *ev)
{
	ev->signaled = !ev->auto_reset || !ev->waiters;
	ev->age++;
	wake_up_all(&events->wq);
}

static bool event_is_signal(u32 type)
{
	return type == KFD_IOC_EVENT_SIGNAL || type == KFD_IOC_EVENT_DEBUG_EVENT;
}

/* Locked, and preloaded. Return: the id, -ENOSPC, -ENOMEM. */
static int event_alloc_id(struct vgpu_kfd_events *events, struct vgpu_kfd_event *ev)
{
	if (event_is_signal(ev->type))
		return idr_alloc(&events->idr, ev, 0, KFD_SIGNAL_EVENT_LIMIT, GFP_NOWAIT);
	return idr_alloc(&events->idr, ev, EVENT_FIRST_OTHER, EVENT_FIRST_OTHER + EVENT_MAX_OTHER,
			 GFP_NOWAIT);
}

/**
 * vgpu_kfd_create_event() - AMDKFD_IOC_CREATE_EVENT
 * @p: the process
 * @data: struct kfd_ioctl_create_event_args
 *
 * Return: 0; -EINVAL: the memory given for slots of events is none, or there is some
 * already; -ENOSPC: too many events; -ENOMEM, -ERESTARTSYS.
 */
int vgpu_kfd_create_event(struct vgpu_kfd_process *p, void *data)
{
	struct kfd_ioctl_create_event_args *args = data;
	struct vgpu_kfd_events *events = &p->events;
	struct vgpu_kfd_event *ev;
	int id, ret;

	if (args->event_page_offset) {
		ret = event_set_page(p, args->event_page_offset);
		if (ret)
			return ret;
	}
	ev = kzalloc(sizeof(*ev), GFP_KERNEL_ACCOUNT);
	if (!ev)
		return -ENOMEM;
	ev->refs = 1;
	ev->age = EVENT_FIRST_AGE;
	ev->type = args->event_type;
	ev->auto_reset = args->auto_reset;

	idr_preload(GFP_KERNEL_ACCOUNT);
	spin_lock(&events->lock);
	id = event_alloc_id(events, ev);
	spin_unlock(&events->lock);
	idr_preload_end();
	if (id < 0) {
		kfree(ev);
		return id;
	}
	args->event_id = id;
	args->event_trigger_data = id;
	args->event_slot_index = event_is_signal(args->event_type) ? id : 0;
	return 0;
}

int vgpu_kfd_destroy_event(struct vgpu_kfd_process *p, void *data)
{
	const struct kfd_ioctl_destroy_event_args *args = data;
	struct vgpu_kfd_events *events = &p->events;
	struct vgpu_kfd_event *ev;

	spin_lock(&events->lock);
	ev = idr_remove(&events->idr, args->event_id);
	if (ev) {
		ev->gone = true;
		/* Who waits for it waits no more. */
		wake_up_all(&events->wq);
		event_put(ev);
	}
	spin_unlock(&events->lock);
	return ev ? 0 : -EINVAL;
}

int vgpu_kfd_set_event(struct vgpu_kfd_process *p, void *data)
{
	const struct kfd_ioctl_set_event_args *args = data;
	struct vgpu_kfd_events *events = &p->events;
	struct vgpu_kfd_event *ev;
	int ret = -EINVAL;

	spin_lock(&events->lock);
	ev = idr_find(&events->idr, args->event_id);
	/* The kernel alone knows when the others happen. */
	if (ev && ev->type == KFD_IOC_EVENT_SIGNAL) {
		event_set(events, ev);
		ret = 0;
	}
	spin_unlock(&events->lock);
	return ret;
}

int vgpu_kfd_reset_event(struct vgpu_kfd_process *p, void *data)
{
	const struct kfd_ioctl_reset_event_args *args = data;
	struct vgpu_kfd_events *events = &p->events;
	struct vgpu_kfd_event *ev;
	int ret = -EINVAL;

	spin_lock(&events->lock);
	ev = idr_find(&events->idr, args->event_id);
	if (ev && ev->type == KFD_IOC_EVENT_SIGNAL) {
		ev->signaled = false;
		ret = 0;
	}
	spin_unlock(&events->lock);
	return ret;
}

/* ------------------------------------------------------------------ waiting */

/* Locked. An event that is there already is taken, unless it is to stay. */
static int wait_begin(struct vgpu_kfd_events *events, struct kfd_wait *w,
		      const struct kfd_event_data *data)
{
	struct vgpu_kfd_event *ev = idr_find(&events->idr, data->event_id);
	u64 last = data->signal_event_data.last_event_age;

	if (!ev)
		return -EINVAL;
	ev->refs++;
	w->event = ev;
	w->age = ev->age;
	w->seen = ev->signaled;
	if (ev->auto_reset)
		ev->signaled = false;
	if (ev->type == KFD_IOC_EVENT_SIGNAL && last) {
		w->tell_age = true;
		w->seen |= ev->age != last;
	}
	if (!w->seen)
		ev->waiters++;
	return 0;
}

/* Locked. A call that is to be made once more has to find what it has taken. */
static void wait_end(struct vgpu_kfd_events *events, struct kfd_wait *w, bool again)
{
	struct vgpu_kfd_event *ev = w->event;
	/* Set after the last look: nobody has been told. */
	bool late = !w->seen && ev->age != w->age;

	if (!w->seen)
		ev->waiters--;
	if ((late || (w->seen && again)) && ev->auto_reset && !ev->gone)
		event_set(events, ev);
	event_put(ev);
}

/* Locked. */
static u32 wait_look(struct kfd_wait *wait, u32 num, bool all)
{
	u32 i, seen = 0;

	for (i = 0; i < num; i++) {
		struct kfd_wait *w = &wait[i];

		if (w->event->gone)
			return KFD_IOC_WAIT_RESULT_FAIL;
		if (!w->seen && w->event->age != w->age) {
			w->seen = true;
			w->event->waiters--;
		}
		seen += w->seen;
	}
	return (all ? seen == num : seen > 0) ? KFD_IOC_WAIT_RESULT_COMPLETE :
						KFD_IOC_WAIT_RESULT_TIMEOUT;
}

static bool wait_is_over(struct vgpu_kfd_events *events, struct kfd_wait *wait,
			 struct kfd_ioctl_wait_events_args *args)
{
	spin_lock(&events->lock);
	args->wait_result = wait_look(wait, args->num_events, args->wait_for_all);
	spin_unlock(&events->lock);
	return args->wait_result != KFD_IOC_WAIT_RESULT_TIMEOUT;
}

/* In jiffies, where 0 is not to wait at all */
static long wait_timeout(u32 ms)
{
	if (ms == EVENT_WAIT_NOT)
		return 0;
	if (ms == EVENT_WAIT_FOR_EVER)
		return MAX_SCHEDULE_TIMEOUT;
	/* Longer would count as infinite. */
	return msecs_to_jiffies(min_t(u32, ms, INT_MAX)) + 1;
}

static int wait_sleep(struct vgpu_kfd_events *events, struct kfd_wait *wait,
		      struct kfd_ioctl_wait_events_args *args)
{
	long left = wait_timeout(args->timeout);
	unsigned long end = jiffies + left;

	if (wait_is_over(events, wait, args) || !left)
		return 0;
	left = wait_event_interruptible_timeout(events->wq, wait_is_over(events, wait, args),
						left);
	/* When the call is made once more, it is for what is left. */
	if (left < 0 && args->timeout != EVENT_WAIT_FOR_EVER)
		args->timeout = time_before(jiffies, end) ? jiffies_to_msecs(end - jiffies) : 0;
	return left < 0 ? left : 0;
}

/* What user space is told of an event. The ages are what it is to give the next time. */
static int wait_tell_one(struct vgpu_kfd_events *events, const struct kfd_wait *w,
			 struct kfd_event_data __user *user)
{
	struct vgpu_kfd_event copy;

	spin_lock(&events->lock);
	copy = *w->event;
	spin_unlock(&events->lock);
	switch (copy.type) {
	case KFD_IOC_EVENT_MEMORY:
		return copy_to_user(&user->memory_exception_data, &copy.data.memory,
				    sizeof(copy.data.memory)) ? -EFAULT : 0;
	case KFD_IOC_EVENT_HW_EXCEPTION:
		return copy_to_user(&user->hw_exception_data, &copy.data.hw,
				    sizeof(copy.data.hw)) ? -EFAULT : 0;
	default:
		return w->tell_age ?
		       put_user(copy.age, &user->signal_event_data.last_event_age) : 0;
	}
}

static int wait_tell(struct vgpu_kfd_events *events, const struct kfd_wait *wait,
		     const struct kfd_ioctl_wait_events_args *args)
{
	struct kfd_event_data __user *user = u64_to_user_ptr(args->events_ptr);
	int ret;
	u32 i;

	for (i = 0; i < args->num_events; i++) {
		if (!wait[i].seen)
			continue;
		ret = wait_tell_one(events, &wait[i], &user[i]);
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * vgpu_kfd_wait_events() - AMDKFD_IOC_WAIT_EVENTS
 * @p: the process
 * @data: struct kfd_ioctl_wait_events_args
 *
 * Return: 0, with the result in the arguments; -EINVAL: no such event; -EIO: one of them
 * was destroyed meanwhile; -EFAULT; -ENOMEM, also for too many; -ERESTARTSYS.
 */
int vgpu_kfd_wait_events(struct vgpu_kfd_process *p, void *data)
{
	struct kfd_ioctl_wait_events_args *args = data;
	struct vgpu_kfd_events *events = &p->events;
	struct kfd_event_data *list;
	struct kfd_wait *wait;
	u32 i, begun = 0;
	int ret = 0;

	args->wait_result = KFD_IOC_WAIT_RESULT_FAIL;
	if (args->num_events > EVENT_MAX_WAIT)
		return -ENOMEM;
	list = vmemdup_array_user(u64_to_user_ptr(args->events_ptr), args->num_events,
				  sizeof(*list));
	if (IS_ERR(list))
		return PTR_ERR(list);
	wait = kvcalloc(max(args->num_events, 1u), sizeof(*wait), GFP_KERNEL_ACCOUNT);
	if (!wait) {
		kvfree(list);
		return -ENOMEM;
	}

	spin_lock(&events->lock);
	for (; begun < args->num_events && !ret; begun += !ret)
		ret = wait_begin(events, &wait[begun], &list[begun]);
	spin_unlock(&events->lock);

	if (!ret)
		ret = wait_sleep(events, wait, args);
	if (!ret && args->wait_result == KFD_IOC_WAIT_RESULT_COMPLETE)
		ret = wait_tell(events, wait, args);

	spin_lock(&events->lock);
	for (i = 0; i < begun; i++)
		wait_end(events, &wait[i], ret == -ERESTARTSYS);
	spin_unlock(&events->lock);
	kvfree(wait);
	kvfree(list);

	if (ret)
		args->wait_result = KFD_IOC_WAIT_RESULT_FAIL;
	else if (args->wait_result == KFD_IOC_WAIT_RESULT_FAIL)
		ret = -EIO;
	return ret;
}

/* --------------------------------------------------------------- interrupts */

/**
 * struct event_signal - an interrupt of a queue
 * @id: lower bits of the event it is for
 * @bits: how many of them count
 */
struct event_signal {
	u32 id;
	unsigned int bits;
};

/* The slot says which of several it was. Locked. */
static bool event_take_slot(struct vgpu_kfd_events *events, u32 id)
{
	u64 *slots = events->page;

	if (!slots || READ_ONCE(slots[id]) == EVENT_UNSIGNALED)
		return false;
	WRITE_ONCE(slots[id], EVENT_UNSIGNALED);
	return true;
}

static void event_signal_process(struct vgpu_kfd_process *p, void *arg)
{
	const struct event_signal *signal = arg;
	struct vgpu_kfd_events *events = &p->events;
	struct vgpu_kfd_event *ev;
	bool found = false;
	int id;

	spin_lock(&events->lock);
	if (signal->id && signal->bits >= EVENT_ID_BITS && signal->id < KFD_SIGNAL_EVENT_LIMIT &&
	    event_take_slot(events, signal->id)) {
		ev = idr_find(&events->idr, signal->id);
		if (ev) {
			event_set(events, ev);
			found = true;
		}
	}
	/* It names none, or one that is not it: whoever has something in his slot. */
	if (!found) {
		idr_for_each_entry(&events->idr, ev, id) {
			if (id >= KFD_SIGNAL_EVENT_LIMIT)
				break;
			if (event_take_slot(events, id))
				event_set(events, ev);
		}
	}
	spin_unlock(&events->lock);
}

/**
 * vgpu_kfd_signal() - a queue of a process has raised an interrupt
 * @pasid: of the process
 * @id: what is known of the id of the event it is for
 * @bits: how many of its bits are known
 *
 * IH thread.
 */
void vgpu_kfd_signal(u32 pasid, u32 id, unsigned int bits)
{
	struct event_signal signal = { .id = id, .bits = bits };

	vgpu_kfd_with_process(pasid, event_signal_process, &signal);
}

/* All events of a kind, of an exception. @data: as in vgpu_kfd_event.data */
static void event_set_all(struct vgpu_kfd_events *events, u32 type, const void *data, size_t size)
{
	struct vgpu_kfd_event *ev;
	int id;

	spin_lock(&events->lock);
	idr_for_each_entry(&events->idr, ev, id) {
		if (ev->type != type)
			continue;
		memcpy(&ev->data, data, size);
		event_set(events, ev);
	}
	spin_unlock(&events->lock);
}

static void event_memory_process(struct vgpu_kfd_process *p, void *arg)
{
	event_set_all(&p->events, KFD_IOC_EVENT_MEMORY, arg,
		      sizeof(struct kfd_hsa_memory_exception_data));
}

/**
 * vgpu_kfd_memory_fault() - a process has reached for what it may not
 * @vdev: on this die
 * @pasid: of the process; of none of /dev/kfd: nothing happens
 * @addr: for this
 * @write: to write
 * @exec: to run it
 * @present: there is something, but it has no right to that
 *
 * Its queues on the die are off for good. IH thread.
 */
void vgpu_kfd_memory_fault(struct vgpu_device *vdev, u32 pasid, u64 addr, bool write, bool exec,
			   bool present)
{
	struct kfd_hsa_memory_exception_data data = {
		.va = addr,
		.gpu_id = vdev->topology.gpu_id,
		.failure.NotPresent = !present,
		.failure.ReadOnly = write,
		.failure.NoExecute = exec,
	};

	if (vgpu_hws_fault(vdev, pasid))
		vgpu_kfd_with_process(pasid, event_memory_process, &data);
}

static void event_reset_process(struct vgpu_kfd_process *p, void *arg)
{
	event_set_all(&p->events, KFD_IOC_EVENT_HW_EXCEPTION, arg,
		      sizeof(struct kfd_hsa_hw_exception_data));
	/* Somebody may wait for queues that could not be stopped, and now have been. */
	vgpu_kfd_stop_queues_soon(p);
}

/**
 * vgpu_kfd_reset_done() - a die was reset: queues that were there never run again
 * @vdev: the die
 * @memory_lost: what was in its memory is not there any more
 */
void vgpu_kfd_reset_done(struct vgpu_device *vdev, bool memory_lost)
{
	struct kfd_hsa_hw_exception_data data = {
		.reset_type = EVENT_RESET_WHOLE_GPU,
		.reset_cause = EVENT_CAUSE_GPU_HANG,
		.memory_lost = memory_lost,
		.gpu_id = vdev->topology.gpu_id,
	};

	vgpu_kfd_with_processes(event_reset_process, &data);
}
