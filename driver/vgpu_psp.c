// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The security processor (MP0 13.0.2): mailbox registers create a ring, frames in
 * the ring point to commands, commands load trusted applications and call them.
 * Documentation/hive.rst, "Firmware".
 */
#include <linux/delay.h>
#include <linux/sizes.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm_managed.h>

#include <hw/psp.h>
#include <hw/reg/mp.h>

#include "vgpu.h"

/* The parts of psp->bo */
#define PSP_RING_OFFSET		0
#define PSP_RING_BYTES		SZ_4K
#define PSP_CMD_OFFSET		SZ_4K
#define PSP_FENCE_OFFSET	SZ_8K
#define PSP_SHARED_OFFSET	SZ_16K
#define PSP_SHARED_BYTES	SZ_16K
#define PSP_BO_BYTES		(PSP_SHARED_OFFSET + VGPU_NUM_TAS * PSP_SHARED_BYTES)
static_assert(PSP_SHARED_BYTES == PSP_XGMI_SHARED_MEM_SIZE);

/* The parts of psp->vram_bo: images lie where their address can be said in MiB. */
#define PSP_IMAGE_BYTES		PSP_1_MEG
#define PSP_TMR_OFFSET		PSP_IMAGE_BYTES
#define PSP_TMR_BYTES		PSP_TMR_ALIGNMENT
#define PSP_VRAM_BYTES		(PSP_IMAGE_BYTES + PSP_TMR_BYTES)

#define PSP_FRAME_DW		(sizeof(struct vgpu_psp_gfx_rb_frame) / 4)
#define PSP_CMD_VERSION		1
#define PSP_IMAGE_VERSION	0x00010000

/* Of C2PMSG_35 */
#define PSP_BL_READY		0x80000000u
#define PSP_BL_ERROR_MASK	0xffu
/* Of C2PMSG_33: the boot loader has trained the memory. */
#define PSP_MEMORY_READY	0x80000000u

#define PSP_TIMEOUT_US		(2 * USEC_PER_SEC)
#define PSP_MODE1_TIMEOUT_US	(5 * USEC_PER_SEC)

/* @prepare: fill the shared memory before the application is loaded; or NULL */
static const struct {
	const char *name;
	u32 type;
	void (*prepare)(struct vgpu_device *vdev, void *shared);
} vgpu_tas[VGPU_NUM_TAS] = {
	[VGPU_TA_XGMI] = { "xgmi", TA_FW_TYPE_PSP_XGMI },
	[VGPU_TA_RAS] = { "ras", TA_FW_TYPE_PSP_RAS, vgpu_ras_prepare_ta },
};

/* ------------------------------------------------------------ boot loader */

/*
 * Real firmware is signed, and nobody may ship it. The emulated PSP takes a header
 * alone, see <hw/psp.h>.
 */
static void psp_put_image(struct vgpu_device *vdev, u32 ta_type)
{
	const struct vgpu_ta_image image = {
		.cookie = cpu_to_le32(VGPU_TA_IMAGE_COOKIE),
		.version = cpu_to_le32(PSP_IMAGE_VERSION),
		.ta_type = cpu_to_le32(ta_type),
	};

	memcpy_toio(vdev->psp.image, &image, sizeof(image));
	vgpu_hdp_flush(vdev);
}

/* Bit 31, and no error in the low byte */
static int psp_wait_bootloader(struct vgpu_device *vdev)
{
	u32 reg = vgpu_reg(vdev, VGPU_HWIP_MP0, regMP0_SMN_C2PMSG_35);
	int ret;

	ret = vgpu_wait_reg(vdev, reg, PSP_BL_READY, PSP_BL_READY, PSP_TIMEOUT_US);
	if (ret)
		return ret;
	return vgpu_rreg(vdev, reg) & PSP_BL_ERROR_MASK ? -EIO : 0;
}

static int psp_boot_one(struct vgpu_device *vdev, u32 cmd)
{
	psp_put_image(vdev, 0);
	WREG32(MP0, regMP0_SMN_C2PMSG_36, vdev->psp.vram_addr >> 20);
	WREG32(MP0, regMP0_SMN_C2PMSG_35, cmd);
	return psp_wait_bootloader(vdev);
}

/*
 * Boot the secure OS, one stage after the other. It runs until the die is reset: who
 * had the die before may have done it.
 */
static int psp_boot(struct vgpu_device *vdev)
{
	static const u32 stages[] = {
		PSP_BL__LOAD_KEY_DATABASE, PSP_BL__LOAD_SYSDRV, PSP_BL__LOAD_SOSDRV,
	};
	unsigned int i;
	int ret;

	if (RREG32(MP0, regMP0_SMN_C2PMSG_81))
		return 0;
	ret = psp_wait_bootloader(vdev);
	for (i = 0; i < ARRAY_SIZE(stages) && !ret; i++)
		ret = psp_boot_one(vdev, stages[i]);
	if (ret)
		return ret;
	return RREG32(MP0, regMP0_SMN_C2PMSG_81) ? 0 : -ENODEV;
}

/* -------------------------------------------------------------- mailbox */

/* The response flag, and no error beside it */
static int psp_wait_mailbox(struct vgpu_device *vdev)
{
	u32 reg = vgpu_reg(vdev, VGPU_HWIP_MP0, regMP0_SMN_C2PMSG_64);
	int ret;

	ret = vgpu_wait_reg(vdev, reg, GFX_FLAG_RESPONSE, GFX_FLAG_RESPONSE, PSP_TIMEOUT_US);
	if (ret)
		return ret;
	return vgpu_rreg(vdev, reg) & GFX_CMD_STATUS_MASK ? -EIO : 0;
}

static int psp_ring_create(struct vgpu_device *vdev)
{
	struct vgpu_psp *psp = &vdev->psp;
	u64 addr = psp->addr + PSP_RING_OFFSET;
	int ret;

	ret = vgpu_wait_reg(vdev, vgpu_reg(vdev, VGPU_HWIP_MP0, regMP0_SMN_C2PMSG_64),
			    GFX_FLAG_RESPONSE, GFX_FLAG_RESPONSE, PSP_TIMEOUT_US);
	if (ret)
		return ret;

	memset(psp->cpu + PSP_RING_OFFSET, 0, PSP_RING_BYTES);
	psp->wptr = 0;
	WREG32(MP0, regMP0_SMN_C2PMSG_69, lower_32_bits(addr));
	WREG32(MP0, regMP0_SMN_C2PMSG_70, upper_32_bits(addr));
	WREG32(MP0, regMP0_SMN_C2PMSG_71, PSP_RING_BYTES);
	WREG32(MP0, regMP0_SMN_C2PMSG_64, PSP_RING_TYPE__KM << 16);
	return psp_wait_mailbox(vdev);
}

static void psp_ring_destroy(struct vgpu_device *vdev)
{
	WREG32(MP0, regMP0_SMN_C2PMSG_64, GFX_CTRL_CMD_ID_DESTROY_RINGS);
	if (psp_wait_mailbox(vdev) == -ETIMEDOUT)
		drm_err(&vdev->drm, "PSP: ring was not given up\n");
}

/* ------------------------------------------------------------- commands */

/* The command buffer, empty but for what each command has. Under the lock. */
static struct vgpu_psp_gfx_cmd_resp *psp_cmd(struct vgpu_psp *psp, u32 id)
{
	struct vgpu_psp_gfx_cmd_resp *cmd = psp->cpu + PSP_CMD_OFFSET;

	memset(cmd, 0, sizeof(*cmd));
	cmd->buf_size = cpu_to_le32(sizeof(*cmd));
	cmd->buf_version = cpu_to_le32(PSP_CMD_VERSION);
	cmd->cmd_id = cpu_to_le32(id);
	return cmd;
}

static int psp_wait_fence(struct vgpu_device *vdev)
{
	__le32 *fence = vdev->psp.cpu + PSP_FENCE_OFFSET;
	ktime_t end = ktime_add_us(ktime_get(), PSP_TIMEOUT_US);
	bool over;

	do {
		over = ktime_after(ktime_get(), end);
		if (le32_to_cpu(READ_ONCE(*fence)) == vdev->psp.fence) {
			/* The response was written before the fence. */
			dma_rmb();
			return 0;
		}
		if (drm_dev_is_unplugged(&vdev->drm) && READ_ONCE(vdev->teardown) != current)
			return -ENODEV;
		usleep_range(10, 50);
	} while (!over);
	return -ETIMEDOUT;
}

/*
 * Sends what is in the command buffer, and waits. The answer is beside it. Who does
 * not answer may do so when the buffer is somebody else's: it is not asked again.
 */
static int psp_submit(struct vgpu_device *vdev, struct vgpu_psp_gfx_cmd_resp *cmd)
{
	struct vgpu_psp *psp = &vdev->psp;
	struct vgpu_psp_gfx_rb_frame *frame;
	u32 id = le32_to_cpu(cmd->cmd_id), status;
	int ret;

	if (!psp->up)
		return -ENODEV;

	frame = psp->cpu + PSP_RING_OFFSET + psp->wptr * 4;
	memset(frame, 0, sizeof(*frame));
	frame->cmd_buf_addr_lo = cpu_to_le32(lower_32_bits(psp->addr + PSP_CMD_OFFSET));
	frame->cmd_buf_addr_hi = cpu_to_le32(upper_32_bits(psp->addr + PSP_CMD_OFFSET));
	frame->cmd_buf_size = cpu_to_le32(sizeof(*cmd));
	frame->fence_addr_lo = cpu_to_le32(lower_32_bits(psp->addr + PSP_FENCE_OFFSET));
	frame->fence_addr_hi = cpu_to_le32(upper_32_bits(psp->addr + PSP_FENCE_OFFSET));
	frame->fence_value = cpu_to_le32(++psp->fence);

	psp->wptr = (psp->wptr + PSP_FRAME_DW) % (PSP_RING_BYTES / 4);
	/* Frame and command before the pointer that tells of them. */
	wmb();
	WREG32(MP0, regMP0_SMN_C2PMSG_67, psp->wptr);

	ret = psp_wait_fence(vdev);
	if (ret) {
		psp->up = false;
		if (ret == -ETIMEDOUT)
			drm_err(&vdev->drm, "PSP: command %#x was not answered\n", id);
		return ret;
	}
	status = le32_to_cpu(cmd->resp.status);
	if (status != TEE_SUCCESS) {
		drm_err(&vdev->drm, "PSP: command %#x refused: %#x\n", id, status);
		return status == TEE_ERROR_NOT_SUPPORTED || status == PSP_ERR_UNKNOWN_COMMAND ?
			-EOPNOTSUPP : -EIO;
	}
	return 0;
}

static int psp_setup_tmr(struct vgpu_device *vdev)
{
	struct vgpu_psp_gfx_cmd_resp *cmd = psp_cmd(&vdev->psp, GFX_CMD_ID_SETUP_TMR);
	struct vgpu_psp_gfx_cmd_setup_tmr *tmr = &cmd->cmd.cmd_setup_tmr;
	u64 addr = vdev->psp.vram_addr + PSP_TMR_OFFSET;

	tmr->buf_phy_addr_lo = cpu_to_le32(lower_32_bits(addr));
	tmr->buf_phy_addr_hi = cpu_to_le32(upper_32_bits(addr));
	tmr->buf_size = cpu_to_le32(PSP_TMR_BYTES);
	return psp_submit(vdev, cmd);
}

static void psp_destroy_tmr(struct vgpu_device *vdev)
{
	psp_submit(vdev, psp_cmd(&vdev->psp, GFX_CMD_ID_DESTROY_TMR));
}

static void psp_load_ta(struct vgpu_device *vdev, enum vgpu_ta_id id)
{
	struct vgpu_psp *psp = &vdev->psp;
	struct vgpu_psp_gfx_cmd_resp *cmd;
	struct vgpu_ta *ta = &psp->ta[id];

	psp_put_image(vdev, vgpu_tas[id].type);
	memset(ta->shared, 0, PSP_SHARED_BYTES);
	if (vgpu_tas[id].prepare)
		vgpu_tas[id].prepare(vdev, ta->shared);

	cmd = psp_cmd(psp, GFX_CMD_ID_LOAD_TA);
	cmd->cmd.cmd_load_ta = (struct vgpu_psp_gfx_cmd_load_ta) {
		.app_phy_addr_lo = cpu_to_le32(lower_32_bits(psp->vram_addr)),
		.app_phy_addr_hi = cpu_to_le32(upper_32_bits(psp->vram_addr)),
		.app_len = cpu_to_le32(sizeof(struct vgpu_ta_image)),
		.cmd_buf_phy_addr_lo = cpu_to_le32(lower_32_bits(ta->shared_addr)),
		.cmd_buf_phy_addr_hi = cpu_to_le32(upper_32_bits(ta->shared_addr)),
		.cmd_buf_len = cpu_to_le32(PSP_SHARED_BYTES),
	};
	if (psp_submit(vdev, cmd)) {
		drm_err(&vdev->drm, "PSP: no %s application\n", vgpu_tas[id].name);
		return;
	}
	ta->session = le32_to_cpu(cmd->resp.session_id);
	ta->loaded = true;
}

static void psp_unload_ta(struct vgpu_device *vdev, enum vgpu_ta_id id)
{
	struct vgpu_ta *ta = &vdev->psp.ta[id];
	struct vgpu_psp_gfx_cmd_resp *cmd;

	if (!ta->loaded)
		return;
	ta->loaded = false;
	cmd = psp_cmd(&vdev->psp, GFX_CMD_ID_UNLOAD_TA);
	cmd->cmd.cmd_unload_ta.session_id = cpu_to_le32(ta->session);
	psp_submit(vdev, cmd);
}

/* ------------------------------------------------- trusted applications */

/**
 * vgpu_psp_ta_begin() - begin a command of a TA
 * @vdev: the die
 * @id: which TA
 *
 * May sleep. Return: the shared memory, zeroed, and the lock is held until
 * vgpu_psp_ta_end(); NULL when the TA is not there.
 */
void *vgpu_psp_ta_begin(struct vgpu_device *vdev, enum vgpu_ta_id id)
{
	struct vgpu_psp *psp = &vdev->psp;

	mutex_lock(&psp->lock);
	if (!psp->up || !psp->ta[id].loaded) {
		mutex_unlock(&psp->lock);
		return NULL;
	}
	memset(psp->ta[id].shared, 0, PSP_SHARED_BYTES);
	return psp->ta[id].shared;
}

/**
 * vgpu_psp_ta_invoke() - send it
 * @vdev: the die
 * @id: which TA
 * @cmd: its command
 *
 * After vgpu_psp_ta_begin(); once or several times. Whether the TA is content is
 * for the caller to see, in the shared memory. May sleep.
 * Return: 0; -ETIMEDOUT, -ENODEV, -EIO: the PSP did not pass it on.
 */
int vgpu_psp_ta_invoke(struct vgpu_device *vdev, enum vgpu_ta_id id, u32 cmd)
{
	struct vgpu_psp_gfx_cmd_resp *buf = psp_cmd(&vdev->psp, GFX_CMD_ID_INVOKE_CMD);

	lockdep_assert_held(&vdev->psp.lock);
	buf->cmd.cmd_invoke_cmd.session_id = cpu_to_le32(vdev->psp.ta[id].session);
	buf->cmd.cmd_invoke_cmd.ta_cmd_id = cpu_to_le32(cmd);
	return psp_submit(vdev, buf);
}

void vgpu_psp_ta_end(struct vgpu_device *vdev)
{
	mutex_unlock(&vdev->psp.lock);
}

/* ---------------------------------------------------------------- reset */

/**
 * vgpu_psp_mode1_reset() - reset the whole die
 * @vdev: the die, its blocks suspended
 *
 * May sleep. Return: 0, -ETIMEDOUT when the die does not come back, -ENODEV.
 */
int vgpu_psp_mode1_reset(struct vgpu_device *vdev)
{
	int ret;

	ret = vgpu_wait_reg(vdev, vgpu_reg(vdev, VGPU_HWIP_MP0, regMP0_SMN_C2PMSG_64),
			    GFX_FLAG_RESPONSE, GFX_FLAG_RESPONSE, PSP_TIMEOUT_US);
	if (ret)
		return ret;
	WREG32(MP0, regMP0_SMN_C2PMSG_64, GFX_CTRL_CMD_ID_MODE1_RST);
	/* First the secure OS goes, then the boot loader brings the memory up. */
	ret = vgpu_wait_reg(vdev, vgpu_reg(vdev, VGPU_HWIP_MP0, regMP0_SMN_C2PMSG_81), ~0u, 0,
			    PSP_MODE1_TIMEOUT_US);
	if (!ret)
		ret = vgpu_wait_reg(vdev, vgpu_reg(vdev, VGPU_HWIP_MP0, regMP0_SMN_C2PMSG_33),
				    PSP_MEMORY_READY, PSP_MEMORY_READY, PSP_MODE1_TIMEOUT_US);
	if (ret)
		drm_err(&vdev->drm, "PSP: mode-1 reset: the die does not come back: %d\n", ret);
	return ret;
}

/* ---------------------------------------------------------------- block */

/* Under the lock. Undone when it fails: nothing is left with the PSP. */
static int psp_start(struct vgpu_device *vdev)
{
	struct vgpu_psp *psp = &vdev->psp;
	enum vgpu_ta_id id;
	int ret;

	ret = psp_boot(vdev);
	if (ret)
		return ret;
	psp->sos_version = RREG32(MP0, regMP0_SMN_C2PMSG_58);

	ret = psp_ring_create(vdev);
	if (ret)
		return ret;
	psp->up = true;
	ret = psp_setup_tmr(vdev);
	if (ret == -EIO) {
		/* Whoever had the die before went without a word, as in the middle of a reset. */
		psp_destroy_tmr(vdev);
		ret = psp_setup_tmr(vdev);
	}
	if (ret) {
		psp_ring_destroy(vdev);
		psp->up = false;
		return ret;
	}
	/* One that is refused is done without. */
	for (id = 0; id < VGPU_NUM_TAS; id++)
		psp_load_ta(vdev, id);
	return 0;
}

static void psp_stop(struct vgpu_device *vdev)
{
	struct vgpu_psp *psp = &vdev->psp;
	enum vgpu_ta_id id;

	for (id = 0; id < VGPU_NUM_TAS; id++)
		psp_unload_ta(vdev, id);
	psp_destroy_tmr(vdev);
	psp_ring_destroy(vdev);
	psp->up = false;
}

static int vgpu_psp_sw_init(struct vgpu_device *vdev)
{
	struct vgpu_psp *psp = &vdev->psp;
	enum vgpu_ta_id id;
	struct vgpu_bo *bo;
	void *image;
	int ret;

	ret = drmm_mutex_init(&vdev->drm, &psp->lock);
	if (ret)
		return ret;
	bo = vgpu_bo_create_kernel(vdev, PSP_BO_BYTES, AMDGPU_GEM_DOMAIN_GTT, &psp->addr,
				   &psp->cpu);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	psp->bo = bo;
	/* A block of that size begins at a multiple of it. */
	bo = vgpu_bo_create_kernel(vdev, PSP_VRAM_BYTES, AMDGPU_GEM_DOMAIN_VRAM,
				   &psp->vram_addr, &image);
	if (IS_ERR(bo)) {
		vgpu_bo_free_kernel(psp->bo);
		psp->bo = NULL;
		return PTR_ERR(bo);
	}
	psp->vram_bo = bo;
	psp->image = (void __iomem __force *)image;
	for (id = 0; id < VGPU_NUM_TAS; id++) {
		psp->ta[id].shared = psp->cpu + PSP_SHARED_OFFSET + id * PSP_SHARED_BYTES;
		psp->ta[id].shared_addr = psp->addr + PSP_SHARED_OFFSET + id * PSP_SHARED_BYTES;
	}
	return 0;
}

static void vgpu_psp_sw_fini(struct vgpu_device *vdev)
{
	vgpu_bo_free_kernel(vdev->psp.vram_bo);
	vdev->psp.vram_bo = NULL;
	vgpu_bo_free_kernel(vdev->psp.bo);
	vdev->psp.bo = NULL;
}

/* A die without it works, alone. */
static int vgpu_psp_hw_init(struct vgpu_device *vdev)
{
	struct vgpu_psp *psp = &vdev->psp;
	int ret;

	mutex_lock(&psp->lock);
	ret = psp_start(vdev);
	mutex_unlock(&psp->lock);
	if (ret)
		drm_err(&vdev->drm, "PSP: %d; the die is in no hive\n", ret);
	return 0;
}

static void vgpu_psp_hw_fini(struct vgpu_device *vdev)
{
	struct vgpu_psp *psp = &vdev->psp;

	mutex_lock(&psp->lock);
	if (psp->up)
		psp_stop(vdev);
	mutex_unlock(&psp->lock);
}

/* The die is about to be reset, and the PSP with it. */
static int vgpu_psp_suspend(struct vgpu_device *vdev)
{
	struct vgpu_psp *psp = &vdev->psp;
	enum vgpu_ta_id id;

	mutex_lock(&psp->lock);
	psp->up = false;
	for (id = 0; id < VGPU_NUM_TAS; id++)
		psp->ta[id].loaded = false;
	mutex_unlock(&psp->lock);
	return 0;
}

/**
 * vgpu_psp_show() - for debugfs
 * @vdev: the die
 * @p: where to print
 */
void vgpu_psp_show(struct vgpu_device *vdev, struct drm_printer *p)
{
	struct vgpu_psp *psp = &vdev->psp;
	enum vgpu_ta_id id;

	mutex_lock(&psp->lock);
	drm_printf(p, "sOS %#x, %s, ring at %#llx, wptr %#x, commands %u\n", psp->sos_version,
		   psp->up ? "up" : "down", psp->addr + PSP_RING_OFFSET, psp->wptr, psp->fence);
	for (id = 0; id < VGPU_NUM_TAS; id++)
		if (psp->ta[id].loaded)
			drm_printf(p, "%s application: session %#x, shared memory at %#llx\n",
				   vgpu_tas[id].name, psp->ta[id].session,
				   psp->ta[id].shared_addr);
	mutex_unlock(&psp->lock);
}

const struct vgpu_ip_block vgpu_psp_block = {
	.name = "psp",
	.sw_init = vgpu_psp_sw_init,
	.sw_fini = vgpu_psp_sw_fini,
	.hw_init = vgpu_psp_hw_init,
	.hw_fini = vgpu_psp_hw_fini,
	.suspend = vgpu_psp_suspend,
	.resume = vgpu_psp_hw_init,
};
