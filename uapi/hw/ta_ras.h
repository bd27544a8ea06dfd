/* SPDX-License-Identifier: MIT */
/*
 * The RAS trusted application: error detection of the blocks, and injection of errors.
 * See Documentation/hardware.rst, "Firmware processors".
 *
 * The driver fills the input, invokes the command through the PSP and reads status and output.
 * All numbers are little endian.
 */
#ifndef _HW_TA_RAS_H
#define _HW_TA_RAS_H

#include <linux/types.h>

/* The highest if_version that a driver understands */
#define RAS_TA_HOST_IF_VER				0

#define TA_RAS_COMMAND__ENABLE_FEATURES			0
#define TA_RAS_COMMAND__DISABLE_FEATURES		1
#define TA_RAS_COMMAND__TRIGGER_ERROR			2
#define TA_RAS_COMMAND__QUERY_BLOCK_INFO		3
#define TA_RAS_COMMAND__QUERY_SUB_BLOCK_INFO		4
#define TA_RAS_COMMAND__QUERY_ADDRESS			5

#define TA_RAS_STATUS__SUCCESS				0x0000
#define TA_RAS_STATUS__RESET_NEEDED			0xA001
#define TA_RAS_STATUS__ERROR_INVALID_PARAMETER		0xA002
#define TA_RAS_STATUS__ERROR_RAS_NOT_AVAILABLE		0xA003
#define TA_RAS_STATUS__ERROR_RAS_DUPLICATE_CMD		0xA004
#define TA_RAS_STATUS__ERROR_INJECTION_FAILED		0xA005
#define TA_RAS_STATUS__ERROR_ASD_READ_WRITE		0xA006
#define TA_RAS_STATUS__ERROR_TOGGLE_DF_CSTATE		0xA007
#define TA_RAS_STATUS__ERROR_TIMEOUT			0xA008
#define TA_RAS_STATUS__ERROR_BLOCK_DISABLED		0xA009
#define TA_RAS_STATUS__ERROR_GENERIC			0xA00A
#define TA_RAS_STATUS__ERROR_RAS_MMHUB_INIT		0xA00B
#define TA_RAS_STATUS__ERROR_GET_DEV_INFO		0xA00C
#define TA_RAS_STATUS__ERROR_UNSUPPORTED_DEV		0xA00D
#define TA_RAS_STATUS__ERROR_NOT_INITIALIZED		0xA00E
#define TA_RAS_STATUS__ERROR_TEE_INTERNAL		0xA00F
#define TA_RAS_STATUS__ERROR_UNSUPPORTED_FUNCTION	0xA010
#define TA_RAS_STATUS__ERROR_SYS_DRV_REG_ACCESS		0xA011
#define TA_RAS_STATUS__ERROR_RAS_READ_WRITE		0xA012
#define TA_RAS_STATUS__ERROR_NULL_PTR			0xA013
#define TA_RAS_STATUS__ERROR_UNSUPPORTED_IP		0xA014
#define TA_RAS_STATUS__ERROR_PCS_STATE_QUIET		0xA015
#define TA_RAS_STATUS__ERROR_PCS_STATE_ERROR		0xA016
#define TA_RAS_STATUS__ERROR_PCS_STATE_HANG		0xA017
#define TA_RAS_STATUS__ERROR_PCS_STATE_UNKNOWN		0xA018
#define TA_RAS_STATUS__ERROR_UNSUPPORTED_ERROR_INJ	0xA019
#define TA_RAS_STATUS__TEE_ERROR_ACCESS_DENIED		0xA01A

#define TA_RAS_BLOCK__UMC				0
#define TA_RAS_BLOCK__SDMA				1
#define TA_RAS_BLOCK__GFX				2
#define TA_RAS_BLOCK__MMHUB				3
#define TA_RAS_BLOCK__ATHUB				4
#define TA_RAS_BLOCK__PCIE_BIF				5
#define TA_RAS_BLOCK__HDP				6
#define TA_RAS_BLOCK__XGMI_WAFL				7
#define TA_RAS_BLOCK__DF				8
#define TA_RAS_BLOCK__SMN				9
#define TA_RAS_BLOCK__SEM				10
#define TA_RAS_BLOCK__MP0				11
#define TA_RAS_BLOCK__MP1				12
#define TA_RAS_BLOCK__FUSE				13
#define TA_RAS_BLOCK__MCA				14
#define TA_RAS_BLOCK__VCN				15
#define TA_RAS_BLOCK__JPEG				16
#define TA_NUM_BLOCK_MAX				17

/* Parts of GFX whose errors <hw/reg/edc.h> counts; the application knows more */
#define TA_RAS_BLOCK__GFX_CPC_SCRATCH			0
#define TA_RAS_BLOCK__GFX_CPC_UCODE			1
#define TA_RAS_BLOCK__GFX_DC_STATE_ME1			2
#define TA_RAS_BLOCK__GFX_DC_CSINVOC_ME1		3
#define TA_RAS_BLOCK__GFX_DC_RESTORE_ME1		4
#define TA_RAS_BLOCK__GFX_CPF_ROQ_ME2			8
#define TA_RAS_BLOCK__GFX_CPF_ROQ_ME1			9
#define TA_RAS_BLOCK__GFX_CPF_TAG			10
#define TA_RAS_BLOCK__GFX_SPI_SR_MEM			19

#define TA_RAS_ERROR__NONE				0
#define TA_RAS_ERROR__PARITY				1
#define TA_RAS_ERROR__SINGLE_CORRECTABLE		2
#define TA_RAS_ERROR__MULTI_UNCORRECTABLE		4
#define TA_RAS_ERROR__POISON				8

#define TA_RAS_MCA_TO_PA				0
#define TA_RAS_PA_TO_MCA				1

/* ENABLE_FEATURES, DISABLE_FEATURES */
struct vgpu_ta_ras_enable_features_input {
	__le32 block_id;
	__le32 error_type;
};

/* Of a sub_block_index */
#define AMDGPU_RAS_INST_MASK				0xfffff000
#define AMDGPU_RAS_INST_SHIFT				0xc

/*
 * TRIGGER_ERROR.  sub_block_index: a part of the block in [11:0], a mask of instances above.
 * address: for UMC, the physical address in the hive.  value: the method.
 */
struct vgpu_ta_ras_trigger_error_input {
	__le32 block_id;
	__le32 inject_error_type;
	__le32 sub_block_index;
	__le64 address;
	__le64 value;
};

/* What the driver leaves in the shared memory before it loads the TA */
struct vgpu_ta_ras_init_flags {
	__u8 poison_mode_en;
	__u8 dgpu_mode;
	__le16 xcc_mask;
	__u8 channel_dis_num;
};

struct vgpu_ta_ras_mca_addr {
	__le64 err_addr;
	__le32 ch_inst;
	__le32 umc_inst;
	__le32 node_inst;
	__le32 socket_id;
};

struct vgpu_ta_ras_phy_addr {
	__le64 pa;
	__le32 bank;
	__le32 channel_idx;
};

struct vgpu_ta_ras_query_address_input {
	__le32 addr_type;
	struct vgpu_ta_ras_mca_addr ma;
	struct vgpu_ta_ras_phy_addr pa;
};

struct vgpu_ta_ras_output_flags {
	__u8 ras_init_success_flag;
	__u8 err_inject_switch_disable_flag;
	__u8 reg_access_failure_flag;
};

struct vgpu_ta_ras_query_address_output {
	struct vgpu_ta_ras_output_flags flags;
	struct vgpu_ta_ras_mca_addr ma;
	struct vgpu_ta_ras_phy_addr pa;
};

union vgpu_ta_ras_cmd_input {
	struct vgpu_ta_ras_init_flags init_flags;
	struct vgpu_ta_ras_enable_features_input enable_features;
	struct vgpu_ta_ras_enable_features_input disable_features;
	struct vgpu_ta_ras_trigger_error_input trigger_error;
	struct vgpu_ta_ras_query_address_input address;
	__le32 reserve_pad[256];
};

union vgpu_ta_ras_cmd_output {
	struct vgpu_ta_ras_output_flags flags;
	struct vgpu_ta_ras_query_address_output address;
	__le32 reserve_pad[256];
};

struct vgpu_ta_ras_shared_memory {
	__le32 cmd_id;
	__le32 resp_id;
	__le32 ras_status;
	__le32 if_version;
	union vgpu_ta_ras_cmd_input ras_in_message;
	union vgpu_ta_ras_cmd_output ras_out_message;
};

#endif /* _HW_TA_RAS_H */
