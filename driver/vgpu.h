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
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm_device.h>
#include <drm/drm_drv.h>
#include <drm/drm_print.h>
#include <drm/ttm/ttm_device.h>

#include <hw/reg/base.h>

#include "vgpu_fence.h"
#include "vgpu_gmc.h"
#include "vgpu_hws.h"
#include "vgpu_ih.h"
#include "vgpu_kfd.h"
#include "vgpu_kiq.h"
#include "vgpu_mqd.h"
#include "vgpu_path.h"
#include "vgpu_psp.h"
#include "vgpu_ras.h"
#include "vgpu_ring.h"
#include "vgpu_smu.h"
#include "vgpu_topology.h"
#include "vgpu_ttm.h"
#include "vgpu_vm.h"
#include "vgpu_xgmi.h"

#define VGPU_DRIVER_NAME	KBUILD_MODNAME
#define VGPU_DRIVER_DESC	"vgpu chiplet GPU (GFX9 compute dies)"
#define VGPU_DRIVER_MAJOR	3	/* of the amdgpu uAPI */
#define VGPU_DRIVER_MINOR	59

/*
 * Peak clocks and memory width of an MI250X die, from the product's data: the
 * emulator has no clocks of its own, and there is no power management to ask.
 */
#define VGPU_ENGINE_CLOCK_KHZ	1700000
#define VGPU_MEMORY_CLOCK_KHZ	1600000
#define VGPU_VRAM_WIDTH		4096

#define VGPU_MAX_RINGS		16
#define VGPU_MAX_SDMA		5
#define VGPU_NUM_COMPUTE	8	/* rings, all the uAPI can name */

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
 * @mode2: a mode-2 reset resets it; a mode-1 reset resets everything
 * @suspend: before such a reset: stop the hardware, keep the software state
 * @resume: after it: program the hardware anew. Both are in the path of fences, and
 *          allocate nothing
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
	bool mode2;
	int (*suspend)(struct vgpu_device *vdev);
	int (*resume)(struct vgpu_device *vdev);
};

/* In the order they come up. */
extern const struct vgpu_ip_block vgpu_nbio_block;	/* vgpu_nbio.c */
extern const struct vgpu_ip_block vgpu_ttm_block;	/* vgpu_ttm.c: VRAM, GTT */
extern const struct vgpu_ip_block vgpu_gmc_block;	/* vgpu_gmc.c: hubs, GART */
extern const struct vgpu_ip_block vgpu_ih_block;	/* vgpu_ih.c */
extern const struct vgpu_ip_block vgpu_psp_block;	/* vgpu_psp.c */
extern const struct vgpu_ip_block vgpu_smu_block;	/* vgpu_smu.c */
extern const struct vgpu_ip_block vgpu_ib_block;	/* vgpu_ib.c: IB pool, write-back page */
extern const struct vgpu_ip_block vgpu_gfx_block;	/* vgpu_gfx.c */
extern const struct vgpu_ip_block vgpu_kiq_block;	/* vgpu_kiq.c */
extern const struct vgpu_ip_block vgpu_compute_block;	/* vgpu_compute.c */
extern const struct vgpu_ip_block vgpu_hws_block;	/* vgpu_hws.c */
extern const struct vgpu_ip_block vgpu_sdma_block;	/* vgpu_sdma.c */
extern const struct vgpu_ip_block vgpu_vm_block;	/* vgpu_vm.c */
extern const struct vgpu_ip_block vgpu_xgmi_block;	/* vgpu_xgmi.c: the hive */
extern const struct vgpu_ip_block vgpu_ras_block;	/* vgpu_ras.c: errors */

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

/* How a die is reset, by the names that hardware gives it. */
enum vgpu_reset_mode {
	VGPU_RESET_NONE,
	VGPU_RESET_MODE1,	/* all of it; VRAM is lost */
	VGPU_RESET_MODE2,	/* the engines; the rest is kept */
	VGPU_RESET_FUNCTION,	/* by the PCI core, as much as mode 1 */
};

/**
 * struct vgpu_reset_run - one reset
 * @mode: how
 * @hive: whose members it resets, its lock held until all parts are over; NULL: a
 *        die alone
 * @lock: guards the rest
 * @all_here: woken when the last one has come
 * @expected: parties: a part for each die; for a function's, also who has started it
 * @waiting: of these, who has come
 * @round: times that all had come
 *
 * Each party comes to the barrier the same number of times, whatever happened to
 * its die: nobody waits for somebody who has left.
 */
struct vgpu_reset_run {
	enum vgpu_reset_mode mode;
	struct vgpu_hive *hive;
	spinlock_t lock;		/* see above */
	wait_queue_head_t all_here;
	unsigned int expected;
	unsigned int waiting;
	unsigned int round;
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
 * @psp: security processor
 * @smu: power controller
 * @xgmi: its place in the hive
 * @ras: its errors
 * @topology: its place in the topology for user space
 * @mman: memory managers
 * @vm_manager: VMIDs
 * @ib_pool: kernel IBs
 * @wb: write-back page
 * @rings: in the order they came up; one whose test failed is not ready
 * @num_rings: how many
 * @gfx_ring: the CP's
 * @kiq: maps the compute rings
 * @compute: the compute rings
 * @hws: runs user queues
 * @sdma: the engines
 * @reset: recovery
 * @kfd: memory and doorbells of processes that came by /dev/kfd
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
		u32 node_id, num_nodes;	/* of the hive, as the registers have it */
	} info;

	const struct vgpu_ip_block **blocks;
	unsigned int num_blocks;
	unsigned int num_sw_up;		/* blocks whose sw_init succeeded */
	unsigned int num_hw_up;		/* blocks whose hw_init succeeded */
	struct task_struct *teardown;	/* may touch the hardware though unplugged */
	bool gone;			/* nobody may touch it any more */

	struct vgpu_gmc gmc;		/* vgpu_gmc.h */
	struct vgpu_ih ih;		/* vgpu_ih.h */
	struct vgpu_psp psp;		/* vgpu_psp.h */
	struct vgpu_smu smu;		/* vgpu_smu.h */
	struct vgpu_xgmi xgmi;		/* vgpu_xgmi.h */
	struct vgpu_ras ras;		/* vgpu_ras.h */
	struct vgpu_topology_die topology; /* vgpu_topology.h */
	struct vgpu_mman mman;		/* vgpu_ttm.h */
	struct vgpu_vm_manager vm_manager; /* vgpu_vm.h */
	struct vgpu_ib_pool ib_pool;	/* vgpu_ring.h */
	struct vgpu_wb wb;		/* vgpu_ring.h */

	/* Rings in the order they came up; one whose test failed has !ready. */
	struct vgpu_ring *rings[VGPU_MAX_RINGS];
	unsigned int num_rings;
	struct vgpu_ring gfx_ring;
	struct vgpu_kiq kiq;		/* vgpu_kiq.h */
	struct vgpu_mec_ring compute[VGPU_NUM_COMPUTE];
	struct vgpu_hws hws;		/* vgpu_hws.h */
	struct vgpu_sdma_engine {
		struct vgpu_ring ring;
	} sdma[VGPU_MAX_SDMA];

	/* vgpu_reset.c, vgpu_reset_hive.c */
	struct vgpu_reset {
		/* Timeouts of all rings, and the die's part in a reset of its hive; ordered. */
		struct workqueue_struct *wq;
		struct work_struct part;
		struct vgpu_reset_run *run;	/* what @part is part of */
		struct vgpu_reset_run function;	/* between prepare and done */
		struct work_struct request;	/* starts a reset of the die and its hive */
		atomic_t wanted;		/* enum vgpu_reset_mode: what was asked for */
		int result;			/* of the last one; written by @part */
		atomic_t count;			/* recoveries since load */
		atomic_t vram_lost;		/* those that lost VRAM */
		struct work_struct dump_work;	/* hands the text of a hang to devcoredump */
		atomic_t dump_busy;		/* it has not done so yet */
		char *dump;
		size_t dump_len;
	} reset;

	struct vgpu_kfd_device kfd;	/* vgpu_kfd.h */
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
/* Around a reset: all blocks, or those that mode 2 resets. */
void vgpu_device_suspend(struct vgpu_device *vdev, bool all);
int vgpu_device_resume(struct vgpu_device *vdev, bool all);

/* vgpu_discovery.c */
int vgpu_discovery_init(struct vgpu_device *vdev);
void vgpu_discovery_show(struct vgpu_device *vdev, struct drm_printer *p);

/* vgpu_nbio.c */
void vgpu_hdp_flush(struct vgpu_device *vdev);	/* CPU writes to VRAM become visible */
u32 vgpu_nbio_rev_id(struct vgpu_device *vdev);
/* The page of the register BAR that flushes HDP and does nothing else */
resource_size_t vgpu_nbio_hdp_page(struct vgpu_device *vdev);
bool vgpu_nbio_fatal_error(struct vgpu_device *vdev);	/* there was one: forget it */

/* vgpu_sdma.c */
u32 vgpu_sdma_reg(const struct vgpu_device *vdev, u32 n, u32 reg);

/* vgpu_info.c */
int vgpu_info_init(struct vgpu_device *vdev);
/* Compute units that are not switched off, a bit each, in an array of an engine */
u32 vgpu_info_active_cus(const struct vgpu_device *vdev, u32 se, u32 sh);
int vgpu_info_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

/* vgpu_debugfs.c */
void vgpu_debugfs_init(struct drm_minor *minor);

/* vgpu_sysfs.c */
extern const struct attribute_group *vgpu_sysfs_groups[];

/* vgpu_reset.c: called from a ring's timeout; recovers that ring, or asks for more. */
void vgpu_reset_ring(struct vgpu_ring *ring, struct drm_sched_job *guilty);
/* In the die's ordered queue, for the reset of a whole die. */
void vgpu_reset_stop_sched(struct vgpu_ring *ring, struct drm_sched_job *bad);
void vgpu_reset_start_sched(struct vgpu_ring *ring);
void vgpu_reset_give_up(struct vgpu_ring *ring, int error);
void vgpu_reset_resubmit(struct vgpu_ring *ring, struct vgpu_job *guilty);

/* vgpu_reset_hive.c: the die and, if it is in one, its hive */
void vgpu_reset_request(struct vgpu_device *vdev, enum vgpu_reset_mode mode);
int vgpu_reset_wait(struct vgpu_device *vdev);
/* Around a reset of the PCI function. */
void vgpu_reset_prepare(struct vgpu_device *vdev);
void vgpu_reset_done(struct vgpu_device *vdev);
void vgpu_reset_hive_init(struct vgpu_device *vdev);
int vgpu_reset_module_init(void);
void vgpu_reset_module_exit(void);

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
 * @kfd: process that has acquired @vm through /dev/kfd, NULL: none; by cmpxchg()
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
	struct vgpu_kfd_process *kfd;
};

/* vgpu_drv.c */
struct vgpu_fpriv *vgpu_file_to_fpriv(struct file *file);

#endif
