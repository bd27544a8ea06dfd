/* SPDX-License-Identifier: MIT */
/*
 * The security processor (PSP, MP0): its mailbox, the frames of its ring and the commands in them.
 * See Documentation/hardware.rst, "Firmware processors".
 *
 * All numbers are little endian, all addresses are GPU addresses in VMID 0.
 */
#ifndef _HW_PSP_H
#define _HW_PSP_H

#include <linux/types.h>

/*
 * The boot loader: the address of an image in C2PMSG_36, in MiB, then a command in C2PMSG_35.  Bit
 * 31 of C2PMSG_35 alone says that it is ready for one.  It is gone once the secure OS (sOS) runs,
 * which C2PMSG_81 shows by not being 0; C2PMSG_58 is the version of the sOS.
 */
#define PSP_BL__LOAD_SYSDRV			0x10000
#define PSP_BL__LOAD_SOSDRV			0x20000
#define PSP_BL__LOAD_KEY_DATABASE		0x80000
#define PSP_BL__LOAD_SOCDRV			0xB0000
#define PSP_BL__LOAD_DBGDRV			0xC0000
#define PSP_BL__LOAD_INTFDRV			0xD0000
#define PSP_BL__LOAD_RASDRV			0xE0000
#define PSP_BL__LOAD_IPKEYMGRDRV		0xF0000
#define PSP_BL__DRAM_LONG_TRAIN			0x100000
#define PSP_BL__DRAM_SHORT_TRAIN		0x200000
#define PSP_BL__LOAD_TOS_SPL_TABLE		0x10000000

/*
 * The sOS takes commands in C2PMSG_64.  It sets the response flag when it is done, and what is left
 * in [15:0] is an error code, 0 for none.  A ring is created with its address in C2PMSG_69 and _70,
 * its size in bytes in C2PMSG_71, and its type << 16 as the command.  C2PMSG_67 is the write pointer
 * of the GPCOM ring, in dwords; it wraps at the size.
 */
#define GFX_CMD_STATUS_MASK			0x0000FFFF
#define GFX_CMD_ID_MASK				0x000F0000
#define GFX_CMD_RESERVED_MASK			0x7FF00000
#define GFX_CMD_RESPONSE_MASK			0x80000000
#define GFX_FLAG_RESPONSE			0x80000000

#define GFX_CTRL_CMD_ID_INIT_RBI_RING		0x00010000
#define GFX_CTRL_CMD_ID_INIT_GPCOM_RING		0x00020000
#define GFX_CTRL_CMD_ID_DESTROY_RINGS		0x00030000
#define GFX_CTRL_CMD_ID_CAN_INIT_RINGS		0x00040000
#define GFX_CTRL_CMD_ID_ENABLE_INT		0x00050000
#define GFX_CTRL_CMD_ID_DISABLE_INT		0x00060000
#define GFX_CTRL_CMD_ID_MODE1_RST		0x00070000
#define GFX_CTRL_CMD_ID_GBR_IH_SET		0x00080000
#define GFX_CTRL_CMD_ID_CONSUME_CMD		0x00090000
#define GFX_CTRL_CMD_ID_DESTROY_GPCOM_RING	0x000C0000
#define GFX_CTRL_CMD_ID_MAX			0x000F0000

/* Ring types: user mode (RBI), kernel mode (GPCOM) */
#define PSP_RING_TYPE__INVALID			0
#define PSP_RING_TYPE__UM			1
#define PSP_RING_TYPE__KM			2

/* Commands of the ring */
#define GFX_CMD_ID_LOAD_TA			0x00000001
#define GFX_CMD_ID_UNLOAD_TA			0x00000002
#define GFX_CMD_ID_INVOKE_CMD			0x00000003
#define GFX_CMD_ID_LOAD_ASD			0x00000004
#define GFX_CMD_ID_SETUP_TMR			0x00000005
#define GFX_CMD_ID_LOAD_IP_FW			0x00000006
#define GFX_CMD_ID_DESTROY_TMR			0x00000007
#define GFX_CMD_ID_SAVE_RESTORE			0x00000008
#define GFX_CMD_ID_SETUP_VMR			0x00000009
#define GFX_CMD_ID_DESTROY_VMR			0x0000000A
#define GFX_CMD_ID_PROG_REG			0x0000000B
#define GFX_CMD_ID_GET_FW_ATTESTATION		0x0000000F
#define GFX_CMD_ID_LOAD_TOC			0x00000020
#define GFX_CMD_ID_AUTOLOAD_RLC			0x00000021
#define GFX_CMD_ID_BOOT_CFG			0x00000022
#define GFX_CMD_ID_SRIOV_SPATIAL_PART		0x00000027

/* BOOT_CFG: what to do, and the bits of the configuration */
#define BOOTCFG_CMD_SET				1
#define BOOTCFG_CMD_GET				2
#define BOOTCFG_CMD_INVALIDATE			3
#define BOOT_CONFIG_GECC			0x1

/* Kinds of firmware that LOAD_IP_FW takes */
#define GFX_FW_TYPE_NONE			0
#define GFX_FW_TYPE_CP_ME			1
#define GFX_FW_TYPE_CP_PFP			2
#define GFX_FW_TYPE_CP_CE			3
#define GFX_FW_TYPE_CP_MEC			4
#define GFX_FW_TYPE_CP_MEC_ME1			5
#define GFX_FW_TYPE_CP_MEC_ME2			6
#define GFX_FW_TYPE_RLC_V			7
#define GFX_FW_TYPE_RLC_G			8
#define GFX_FW_TYPE_SDMA0			9
#define GFX_FW_TYPE_SDMA1			10
#define GFX_FW_TYPE_DMCU_ERAM			11
#define GFX_FW_TYPE_DMCU_ISR			12
#define GFX_FW_TYPE_VCN				13
#define GFX_FW_TYPE_UVD				14
#define GFX_FW_TYPE_VCE				15
#define GFX_FW_TYPE_ISP				16
#define GFX_FW_TYPE_ACP				17
#define GFX_FW_TYPE_SMU				18
#define GFX_FW_TYPE_MMSCH			19
#define GFX_FW_TYPE_RLC_RESTORE_LIST_GPM_MEM	20
#define GFX_FW_TYPE_RLC_RESTORE_LIST_SRM_MEM	21
#define GFX_FW_TYPE_RLC_RESTORE_LIST_SRM_CNTL	22
#define GFX_FW_TYPE_UVD1			23
#define GFX_FW_TYPE_TOC				24
#define GFX_FW_TYPE_RLC_P			25
#define GFX_FW_TYPE_RLC_IRAM			26
#define GFX_FW_TYPE_GLOBAL_TAP_DELAYS		27
#define GFX_FW_TYPE_SE0_TAP_DELAYS		28
#define GFX_FW_TYPE_SE1_TAP_DELAYS		29
#define GFX_FW_TYPE_GLOBAL_SE0_SE1_SKEW_DELAYS	30
#define GFX_FW_TYPE_SDMA0_JT			31
#define GFX_FW_TYPE_SDMA1_JT			32
#define GFX_FW_TYPE_CP_MES			33
#define GFX_FW_TYPE_MES_STACK			34
#define GFX_FW_TYPE_RLC_SRM_DRAM_SR		35
#define GFX_FW_TYPE_RLCG_SCRATCH_SR		36
#define GFX_FW_TYPE_RLCP_SCRATCH_SR		37
#define GFX_FW_TYPE_RLCV_SCRATCH_SR		38
#define GFX_FW_TYPE_RLX6_DRAM_SR		39
#define GFX_FW_TYPE_SDMA0_PG_CONTEXT		40
#define GFX_FW_TYPE_SDMA1_PG_CONTEXT		41
#define GFX_FW_TYPE_GLOBAL_MUX_SELECT_RAM	42
#define GFX_FW_TYPE_SE0_MUX_SELECT_RAM		43
#define GFX_FW_TYPE_SE1_MUX_SELECT_RAM		44
#define GFX_FW_TYPE_ACCUM_CTRL_RAM		45
#define GFX_FW_TYPE_RLCP_CAM			46
#define GFX_FW_TYPE_RLC_SPP_CAM_EXT		47
#define GFX_FW_TYPE_RLC_DRAM_BOOT		48
#define GFX_FW_TYPE_VCN0_RAM			49
#define GFX_FW_TYPE_VCN1_RAM			50
#define GFX_FW_TYPE_DMUB			51
#define GFX_FW_TYPE_SDMA2			52
#define GFX_FW_TYPE_SDMA3			53
#define GFX_FW_TYPE_SDMA4			54
#define GFX_FW_TYPE_SDMA5			55
#define GFX_FW_TYPE_SDMA6			56
#define GFX_FW_TYPE_SDMA7			57
#define GFX_FW_TYPE_VCN1			58
#define GFX_FW_TYPE_CAP				62
#define GFX_FW_TYPE_SE2_TAP_DELAYS		65
#define GFX_FW_TYPE_SE3_TAP_DELAYS		66
#define GFX_FW_TYPE_REG_LIST			67
#define GFX_FW_TYPE_PPTABLE			73
#define GFX_FW_TYPE_P2S_TABLE			129

/* Status of a command; those of the trusted execution environment are GlobalPlatform's */
#define TEE_SUCCESS				0x00000000
#define PSP_ERR_UNKNOWN_COMMAND			0x00000100
#define TEE_ERROR_GENERIC			0xFFFF0000
#define TEE_ERROR_CANCEL			0xFFFF0002
#define TEE_ERROR_BAD_PARAMETERS		0xFFFF0006
#define TEE_ERROR_NOT_SUPPORTED			0xFFFF000A
#define TEE_ERROR_OUT_OF_MEMORY			0xFFFF000C
#define TEE_ERROR_BAD_STATE			0xFFFF0007
#define TEE_ERROR_ITEM_NOT_FOUND		0xFFFF0008
#define TEE_ERROR_SECURITY			0xFFFF000F

/* Sizes that the driver allocates: shared memory of a TA, and the trusted memory region */
#define PSP_XGMI_SHARED_MEM_SIZE		0x4000
#define PSP_RAS_SHARED_MEM_SIZE			0x4000
#define PSP_TMR_ALIGNMENT			0x100000
#define PSP_1_MEG				0x100000
#define VGPU_PSP_TMR_SIZE			0x800000

/* A frame of the ring: where a command is, and what to write where when it is done */
struct vgpu_psp_gfx_rb_frame {
	__le32 cmd_buf_addr_lo;
	__le32 cmd_buf_addr_hi;
	__le32 cmd_buf_size;
	__le32 fence_addr_lo;
	__le32 fence_addr_hi;
	__le32 fence_value;
	__le32 sid_lo;
	__le32 sid_hi;
	__u8 vmid;
	__u8 frame_type;
	__u8 reserved1[2];
	__le32 reserved2[7];
};

/* LOAD_TA, LOAD_ASD: the image, and the memory that the driver and the TA share */
struct vgpu_psp_gfx_cmd_load_ta {
	__le32 app_phy_addr_lo;
	__le32 app_phy_addr_hi;
	__le32 app_len;
	__le32 cmd_buf_phy_addr_lo;
	__le32 cmd_buf_phy_addr_hi;
	__le32 cmd_buf_len;
};

struct vgpu_psp_gfx_cmd_unload_ta {
	__le32 session_id;
};

struct vgpu_psp_gfx_buf_desc {
	__le32 buf_phy_addr_lo;
	__le32 buf_phy_addr_hi;
	__le32 buf_size;
};

#define GFX_BUF_MAX_DESC			64

struct vgpu_psp_gfx_buf_list {
	__le32 num_desc;
	__le32 total_size;
	struct vgpu_psp_gfx_buf_desc buf_desc[GFX_BUF_MAX_DESC];
};

/* INVOKE_CMD: with no buffer, the TA works on the shared memory that it was loaded with */
struct vgpu_psp_gfx_cmd_invoke_cmd {
	__le32 session_id;
	__le32 ta_cmd_id;
	struct vgpu_psp_gfx_buf_list buf;
};

/* SETUP_TMR; tmr_flags: SR-IOV in [0], the system address is given too in [1] */
struct vgpu_psp_gfx_cmd_setup_tmr {
	__le32 buf_phy_addr_lo;
	__le32 buf_phy_addr_hi;
	__le32 buf_size;
	__le32 tmr_flags;
	__le32 system_phy_addr_lo;
	__le32 system_phy_addr_hi;
};

struct vgpu_psp_gfx_cmd_load_ip_fw {
	__le32 fw_phy_addr_lo;
	__le32 fw_phy_addr_hi;
	__le32 fw_size;
	__le32 fw_type;
};

/* PROG_REG: a register by its number, see PSP_REG_* */
struct vgpu_psp_gfx_cmd_reg_prog {
	__le32 reg_value;
	__le32 reg_id;
};

struct vgpu_psp_gfx_cmd_load_toc {
	__le32 toc_phy_addr_lo;
	__le32 toc_phy_addr_hi;
	__le32 toc_size;
};

struct vgpu_psp_gfx_cmd_boot_cfg {
	__le32 timestamp;
	__le32 sub_cmd;
	__le32 boot_config;
	__le32 boot_config_valid;
};

union vgpu_psp_gfx_commands {
	struct vgpu_psp_gfx_cmd_load_ta cmd_load_ta;
	struct vgpu_psp_gfx_cmd_unload_ta cmd_unload_ta;
	struct vgpu_psp_gfx_cmd_invoke_cmd cmd_invoke_cmd;
	struct vgpu_psp_gfx_cmd_setup_tmr cmd_setup_tmr;
	struct vgpu_psp_gfx_cmd_load_ip_fw cmd_load_ip_fw;
	struct vgpu_psp_gfx_cmd_reg_prog cmd_setup_reg_prog;
	struct vgpu_psp_gfx_cmd_load_toc cmd_load_toc;
	struct vgpu_psp_gfx_cmd_boot_cfg boot_cfg;
};

union vgpu_psp_gfx_uresp {
	__le32 reserved[8];
	__le32 boot_cfg;
};

struct vgpu_psp_gfx_resp {
	__le32 status;
	__le32 session_id;
	__le32 fw_addr_lo;
	__le32 fw_addr_hi;
	__le32 tmr_size;
	__le32 reserved[11];
	union vgpu_psp_gfx_uresp uresp;
};

#define VGPU_PSP_RESP_OFFSET			864
#define VGPU_PSP_CMD_RESP_SIZE			1024

/* The command buffer that a frame points to: the command, and room for the response */
struct vgpu_psp_gfx_cmd_resp {
	__le32 buf_size;
	__le32 buf_version;
	__le32 cmd_id;
	__le32 resp_buf_addr_lo;
	__le32 resp_buf_addr_hi;
	__le32 resp_offset;
	__le32 resp_buf_size;
	union vgpu_psp_gfx_commands cmd;
	__u8 reserved_1[VGPU_PSP_RESP_OFFSET - 28 - sizeof(union vgpu_psp_gfx_commands)];
	struct vgpu_psp_gfx_resp resp;
	__u8 reserved_2[VGPU_PSP_CMD_RESP_SIZE - VGPU_PSP_RESP_OFFSET -
			sizeof(struct vgpu_psp_gfx_resp)];
};

/* Registers of PROG_REG */
#define PSP_REG_IH_RB_CNTL			0
#define PSP_REG_IH_RB_CNTL_RING1		1
#define PSP_REG_IH_RB_CNTL_RING2		2

/* A TA answers with the command's id and bit 31 */
#define RSP_ID_MASK				(1U << 31)
#define RSP_ID(cmd_id)				(((__u32)(cmd_id)) | RSP_ID_MASK)

/*
 * Emulator.  The images of real trusted applications are signed, and nobody may ship them.  What
 * the emulated PSP takes for one is a header alone, in the form of the PSP's own: the cookie where
 * theirs is, the version where theirs is, and the type that hardware has inside the encrypted part.
 * Everything else fails to authenticate.
 */
#define VGPU_TA_IMAGE_COOKIE			0x31535024	/* "$PS1" */
#define VGPU_TA_IMAGE_SIZE			0x100

struct vgpu_ta_image {
	__u8 reserved1[0x10];
	__le32 cookie;
	__u8 reserved2[0x4c];
	__le32 version;
	__u8 reserved3[0x18];
	__le32 ta_type;
	__u8 reserved4[0x80];
};

/* Types of trusted applications */
#define TA_FW_TYPE_PSP_ASD			1
#define TA_FW_TYPE_PSP_XGMI			2
#define TA_FW_TYPE_PSP_RAS			3
#define TA_FW_TYPE_PSP_HDCP			4
#define TA_FW_TYPE_PSP_DTM			5
#define TA_FW_TYPE_PSP_RAP			6
#define TA_FW_TYPE_PSP_SECUREDISPLAY		7

#endif /* _HW_PSP_H */
