// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Interrupt sources: who handles which client and source of the IH ring.
 * Documentation/interrupts.rst, "Sources".
 */
#include <drm/drm_print.h>

#include "vgpu.h"
#include "vgpu_trace.h"

/**
 * vgpu_irq_add() - register for a source
 * @vdev: the die
 * @client_id: SOC15_IH_CLIENTID_*
 * @source_id: of that client
 * @name: for debugfs; static
 * @handler: called in the IH thread
 *
 * From a block's sw_init. Return: 0, -EBUSY when it is taken, -ENOSPC.
 */
int vgpu_irq_add(struct vgpu_device *vdev, u8 client_id, u8 source_id, const char *name,
		 vgpu_irq_handler handler)
{
	struct vgpu_ih *ih = &vdev->ih;
	struct vgpu_irq_source *src;
	unsigned int i;

	for (i = 0; i < ih->num_sources; i++) {
		src = &ih->source[i];
		if (src->client_id == client_id && src->source_id == source_id)
			return -EBUSY;
	}
	if (ih->num_sources == ARRAY_SIZE(ih->source))
		return -ENOSPC;

	src = &ih->source[ih->num_sources++];
	src->client_id = client_id;
	src->source_id = source_id;
	src->name = name;
	src->handler = handler;
	atomic64_set(&src->count, 0);
	return 0;
}

/**
 * vgpu_irq_dispatch() - hand an entry to its source's handler
 * @vdev: the die
 * @iv: decoded entry
 *
 * IH thread.
 */
void vgpu_irq_dispatch(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv)
{
	struct vgpu_ih *ih = &vdev->ih;
	unsigned int i;

	trace_vgpu_iv(vdev, iv);
	ih->entries++;
	for (i = 0; i < ih->num_sources; i++) {
		struct vgpu_irq_source *src = &ih->source[i];

		if (src->client_id == iv->client_id && src->source_id == iv->source_id) {
			atomic64_inc(&src->count);
			src->handler(vdev, iv);
			return;
		}
	}

	ih->unhandled++;
	drm_dbg_ratelimited(&vdev->drm,
			    "interrupt nobody handles: client %#x source %u ring %#x vmid %u data %#x %#x %#x %#x\n",
			    iv->client_id, iv->source_id, iv->ring_id, iv->vmid, iv->src_data[0],
			    iv->src_data[1], iv->src_data[2], iv->src_data[3]);
}

/**
 * vgpu_irq_show() - print the sources and how often each fired
 * @vdev: the die
 * @p: where to
 */
void vgpu_irq_show(struct vgpu_device *vdev, struct drm_printer *p)
{
	const struct vgpu_ih *ih = &vdev->ih;
	unsigned int i;

	drm_printf(p, "client source count name\n");
	for (i = 0; i < ih->num_sources; i++) {
		const struct vgpu_irq_source *src = &ih->source[i];

		drm_printf(p, "%#6x %6u %5lld %s\n", src->client_id, src->source_id,
			   atomic64_read(&src->count), src->name);
	}
}
