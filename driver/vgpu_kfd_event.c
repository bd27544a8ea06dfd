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

/* Nobody waits: who waits has the file. */
void vgpu_kfd_events_fini(struct vgpu_kfd_events *events)
{
	struct vgpu_kfd_event *ev;
	int id;

	idr_for_each_entry(&events->idr, ev, id)
		kfree(ev);
	idr_destroy(&events->idr);
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
 * Return: 0; -EINVAL: a page for the slots of events was given, which there is no use
 * for; -ENOSPC: too many events; -ENOMEM.
 */
int vgpu_kfd_create_event(struct vgpu_kfd_process *p, void *data)
{
	struct kfd_ioctl_create_event_args *args = data;
	struct vgpu_kfd_events *events = &p->events;
	struct vgpu_kfd_event *ev;
	int id;

	if (args->event_page_offset)
		return -EINVAL;
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

	if (!w->seen)
		ev->waiters--;
	else if (again && ev->auto_reset && !ev->gone)
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

static u32 wait_look_locked(struct vgpu_kfd_events *events, struct kfd_wait *wait, u32 num,
			    bool all)
{
	u32 result;

	spin_lock(&events->lock);
	result = wait_look(wait, num, all);
	spin_unlock(&events->lock);
	return result;
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

	args->wait_result = wait_look_locked(events, wait, args->num_events, args->wait_for_all);
	if (args->wait_result != KFD_IOC_WAIT_RESULT_TIMEOUT || !left)
		return 0;
	left = wait_event_interruptible_timeout(events->wq,
		(args->wait_result = wait_look_locked(events, wait, args->num_events,
						      args->wait_for_all)) !=
		KFD_IOC_WAIT_RESULT_TIMEOUT, left);
	return left < 0 ? left : 0;
}

/* Ages of what has been seen, as user space is to give them the next time */
static int wait_tell(struct vgpu_kfd_events *events, const struct kfd_wait *wait,
		     const struct kfd_ioctl_wait_events_args *args)
{
	struct kfd_event_data __user *user = u64_to_user_ptr(args->events_ptr);
	u32 i;

	for (i = 0; i < args->num_events; i++) {
		u64 age;

		if (!wait[i].seen || !wait[i].tell_age)
			continue;
		spin_lock(&events->lock);
		age = wait[i].event->age;
		spin_unlock(&events->lock);
		if (put_user(age, &user[i].signal_event_data.last_event_age))
			return -EFAULT;
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
