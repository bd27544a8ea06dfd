/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The device as the driver sees it: one struct vgpu_device a die, made of IP
 * blocks that the discovery table lists. Documentation/architecture.rst,
 * "Inside the driver", walks through it.
 */
#ifndef _VGPU_H_
#define _VGPU_H_

#include <linux/idr.h>
#include <linux/pci.h>
#include <linux/workqueue.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm_device.h>
#include <drm/drm_drv.h>
#include <drm/drm_print.h>
#include <drm/ttm/ttm_device.h>

#include <hw/reg/base.h>

#include "vgpu_fence.h"
#include "vgpu_gmc.h"
#include "vgpu_ih.h"
#include "vgpu_path.h"
#include "vgpu_ring.h"
#include "vgpu_ttm.h"
#include "vgpu_vm.h"

#define VGPU_DRIVER_NAME	KBUILD_MODNAME
#define VGPU_DRIVER_DESC	"vgpu chiplet GPU (GFX9 compute dies)"
#define VGPU_DRIVER_MAJOR	3	/* of the amdgpu uAPI */
#define VGPU_DRIVER_MINOR	59

#define VGPU_MAX_RINGS		16
#define VGPU_MAX_SDMA		5

struct vgpu_device;

/**
 * struct vgpu_ip_block - one IP block and its lifecycle
 * @name: as in the discovery table
 * @early_init: read what firmware and discovery say; no hardware is changed
 * @sw_init: allocate
 * @sw_fini: undoes @sw_init
 * @hw_init: program the hardware
 * @hw_fini: stops it (also on unplug, when the registers are gone:
 *           vgpu_hw_enter() guards them)
 * @late_init: after all blocks work: ring and IB tests, interrupts on
 * @suspend: stop the hardware, keep the software state; used by the recovery
 *           of a whole die too
 * @resume: undoes @suspend
 *
 * All may sleep. Any may be NULL. Each step is taken for all blocks before the
 * next one, in table order; they go down in reverse. sw_fini comes when the
 * last file is closed, long after hw_fini if the device was unplugged, and must
 * touch no hardware. A block whose step failed undoes that step itself.
 */
struct vgpu_ip_block {
	const char *name;
	int (*early_init)(struct vgpu_device *vdev);
	int (*sw_init)(struct vgpu_device *vdev);
	void (*sw_fini)(struct vgpu_device *vdev);
	int (*hw_init)(struct vgpu_device *vdev);
	void (*hw_fini)(struct vgpu_device *vdev);
	int (*late_init)(struct vgpu_device *vdev);
	int (*suspend)(struct vgpu_device *vdev);
	int (*resume)(struct vgpu_device *vdev);
};

/* In the order they come up. */
extern const struct vgpu_ip_block vgpu_nbio_block;	/* vgpu_nbio.c */
extern const struct vgpu_ip_block vgpu_ttm_block;	/* vgpu_ttm.c: VRAM, GTT */
extern const struct vgpu_ip_block vgpu_gmc_block;	/* vgpu_gmc.c: hubs, GART */
extern const struct vgpu_ip_block vgpu_ih_block;	/* vgpu_ih.c */
extern const struct vgpu_ip_block vgpu_ib_block;	/* vgpu_ib.c: IB pool, write-back page */
extern const struct vgpu_ip_block vgpu_gfx_block;	/* vgpu_gfx.c */
extern const struct vgpu_ip_block vgpu_sdma_block;	/* vgpu_sdma.c */
extern const struct vgpu_ip_block vgpu_vm_block;	/* vgpu_vm.c */

/**
 * struct vgpu_ip_info - an IP instance from the discovery table
 * @present: the die has it
 * @major: version
 * @minor: version
 * @rev: version
 * @base: dword offset of each register segment
 */
struct vgpu_ip_info {
	bool present;
	u8 major, minor, rev;
	u32 base[VGPU_MAX_SEGMENT];
};

/**
 * struct vgpu_device - one die
 * @drm: the DRM device; its lifetime is that of the last open file
 * @pdev: the PCI function
 * @mmio: registers, BAR5; mapped until the driver is unbound
 * @mmio_size: bytes
 * @doorbell: BAR2
 * @num_doorbells: dwords
 * @index_lock: index/data pairs
 * @clock_lock: capture of the GPU clock
 * @ip: IP blocks by VGPU_HWIP_*
 * @info: what discovery, and later the hardware, say about the die
 * @blocks: the driver's blocks in the order they come up
 * @num_blocks: how many
 * @num_sw_up: blocks whose sw_init succeeded
 * @num_hw_up: blocks whose hw_init succeeded
 * @teardown: may touch the hardware though it is unplugged
 * @gone: nobody may touch it any more
 * @gmc: memory controller
 * @ih: interrupt handler
 * @mman: memory managers
 * @vm_manager: VMIDs
 * @ib_pool: kernel IBs
 * @wb: write-back page
 * @rings: in the order they came up; one whose test failed is not ready
 * @num_rings: how many
 * @gfx_ring: the CP's
 * @sdma: the engines
 * @reset: recovery
 * @path: the path of the last submissions
 *
 * After unplug, vgpu_hw_enter() fails and no register or VRAM is touched.
 */
struct vgpu_device {
	struct drm_device drm;
	struct pci_dev *pdev;

	/* BARs; managed. */
	void __iomem *mmio;		/* BAR5 */
	resource_size_t mmio_size;
	u32 __iomem *doorbell;		/* BAR2 */
	u32 num_doorbells;		/* dwords */
	spinlock_t index_lock;		/* index/data pairs */
	spinlock_t clock_lock;		/* capture of the GPU clock */

	/* vgpu_discovery.c */
	struct vgpu_ip_info ip[VGPU_HWIP_COUNT];
	struct {
		u32 num_se, num_sh_per_se, num_cu_per_sh, num_cu, num_sdma;
		u32 wave_size, max_waves_per_simd, simd_per_cu, lds_size;
		u32 num_rb_per_se, num_tccs, num_gprs, max_gs_threads, gs_table_depth;
		u32 gsprim_buff_depth, double_offchip_lds_buffer, max_scratch_slots_per_cu;
		u32 gpu_clock_khz;	/* reference clock of RLC_GPU_CLOCK_COUNT */
		/* vgpu_info.c */
		struct mutex grbm_lock;	/* GRBM_GFX_INDEX */
		u32 rev_id;
		u32 cu_bitmap[4][4];	/* as the uAPI arranges it */
		u32 rb_mask;
		u64 kernel_vram, kernel_visible_vram, kernel_gtt; /* bytes, at load */
		u64 hive_id;		/* 0: none */
		u32 node_id, num_nodes;
	} info;

	const struct vgpu_ip_block **blocks;
	unsigned int num_blocks;
	unsigned int num_sw_up;		/* blocks whose sw_init succeeded */
	unsigned int num_hw_up;		/* blocks whose hw_init succeeded */
	struct task_struct *teardown;	/* may touch the hardware though unplugged */
	bool gone;			/* nobody may touch it any more */

	struct vgpu_gmc gmc;		/* vgpu_gmc.h */
	struct vgpu_ih ih;		/* vgpu_ih.h */
	struct vgpu_mman mman;		/* vgpu_ttm.h */
	struct vgpu_vm_manager vm_manager; /* vgpu_vm.h */
	struct vgpu_ib_pool ib_pool;	/* vgpu_ring.h */
	struct vgpu_wb wb;		/* vgpu_ring.h */

	/* Rings in the order they came up; one whose test failed has !ready. */
	struct vgpu_ring *rings[VGPU_MAX_RINGS];
	unsigned int num_rings;
	struct vgpu_ring gfx_ring;
	struct vgpu_sdma_engine {
		struct vgpu_ring ring;
	} sdma[VGPU_MAX_SDMA];

	/* vgpu_reset.c */
	struct vgpu_reset {
		struct workqueue_struct *wq;	/* timeouts of all rings, ordered */
		atomic_t count;			/* recoveries since load */
		struct work_struct dump_work;	/* hands the text of a hang to devcoredump */
		atomic_t dump_busy;		/* it has not done so yet */
		char *dump;
		size_t dump_len;
	} reset;

	struct vgpu_path path;		/* vgpu_path.h */
};

static inline struct vgpu_device *to_vgpu(struct drm_device *drm)
{
	return container_of(drm, struct vgpu_device, drm);
}

/**
 * vgpu_reg() - absolute dword offset of a register
 * @vdev: the die
 * @ip: HWIP index (VGPU_HWIP_*)
 * @reg: VGPU_REG(seg, off) from uapi/hw/reg
 *
 * From the bases of the discovery table, never from constants.
 */
static inline u32 vgpu_reg(const struct vgpu_device *vdev, unsigned int ip, u32 reg)
{
	return vdev->ip[ip].base[VGPU_REG_SEG(reg)] + VGPU_REG_OFF(reg);
}

/* vgpu_device.c: guards of every hardware access, see vgpu_hw_enter(). */
bool vgpu_hw_enter(struct vgpu_device *vdev, int *idx);
void vgpu_hw_exit(int idx);

/* vgpu_device.c: registers by absolute dword offset; 0xffffffff once unplugged. */
u32 vgpu_rreg(struct vgpu_device *vdev, u32 reg);
void vgpu_wreg(struct vgpu_device *vdev, u32 reg, u32 val);

/* RREG32(GC, regCP_RB0_CNTL): the form most code uses; needs a local vdev. */
#define RREG32(ip, reg)		vgpu_rreg(vdev, vgpu_reg(vdev, VGPU_HWIP_##ip, reg))
#define WREG32(ip, reg, val)	vgpu_wreg(vdev, vgpu_reg(vdev, VGPU_HWIP_##ip, reg), val)
#define REG_FIELD_PREP(reg, field, val) \
	(((u32)(val) << reg##__##field##__SHIFT) & reg##__##field##_MASK)
#define REG_FIELD_GET(reg, field, val) \
	(((val) & reg##__##field##_MASK) >> reg##__##field##__SHIFT)
#define REG_FIELD_SET(orig, reg, field, val) \
	(((orig) & ~reg##__##field##_MASK) | REG_FIELD_PREP(reg, field, val))

/* Until (reg & mask) == val: 0, -ETIMEDOUT, -ENODEV when unplugged. May sleep. */
int vgpu_wait_reg(struct vgpu_device *vdev, u32 reg, u32 mask, u32 val, u32 timeout_us);
/* 64-bit doorbell at dword @index; dropped once unplugged. Any context. */
void vgpu_doorbell(struct vgpu_device *vdev, u32 index, u64 val);
u64 vgpu_gpu_clock(struct vgpu_device *vdev);

int vgpu_device_init(struct vgpu_device *vdev);
void vgpu_device_fini_hw(struct vgpu_device *vdev);

/* vgpu_discovery.c */
int vgpu_discovery_init(struct vgpu_device *vdev);
void vgpu_discovery_show(struct vgpu_device *vdev, struct drm_printer *p);

/* vgpu_nbio.c */
void vgpu_hdp_flush(struct vgpu_device *vdev);	/* CPU writes to VRAM become visible */
u32 vgpu_nbio_rev_id(struct vgpu_device *vdev);

/* vgpu_info.c */
int vgpu_info_init(struct vgpu_device *vdev);
int vgpu_info_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

/* vgpu_debugfs.c */
void vgpu_debugfs_init(struct drm_minor *minor);

/* vgpu_sysfs.c */
extern const struct attribute_group *vgpu_sysfs_groups[];

/* vgpu_reset.c: called from a ring's timeout; recovers that ring only. */
int vgpu_reset_ring(struct vgpu_ring *ring, struct drm_sched_job *guilty);

/**
 * struct vgpu_fpriv - what an open file owns
 * @vdev: the die
 * @vm: its address space
 * @ctx_lock: guards @ctx
 * @ctx: struct vgpu_ctx by handle (vgpu_ctx.h)
 * @time_spent: nanoseconds that jobs took which no context remembers, by
 *              AMDGPU_HW_IP_*
 * @bo_list_lock: guards @bo_lists
 * @bo_lists: BO lists by handle
 * @pid: process that opened it
 * @comm: its name
 */
struct vgpu_fpriv {
	struct vgpu_device *vdev;
	struct vgpu_vm *vm;		/* its address space */
	struct mutex ctx_lock;		/* guards ctx */
	struct idr ctx;			/* struct vgpu_ctx by handle (vgpu_ctx.h) */
	atomic64_t time_spent[AMDGPU_HW_IP_NUM];
	struct mutex bo_list_lock;	/* guards bo_lists */
	struct idr bo_lists;
	pid_t pid;
	char comm[TASK_COMM_LEN];
};

/* vgpu_drv.c */
struct vgpu_fpriv *vgpu_file_to_fpriv(struct file *file);

#endif
