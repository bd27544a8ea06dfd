/* SPDX-License-Identifier: MIT */
/*
 * The power controller (SMU, MP1) of MI250X: its messages and the tables it exchanges.
 * See Documentation/hardware.rst, "Firmware processors".
 *
 * A message: 0 into the response register (MP1 C2PMSG_90), the argument into C2PMSG_82, the message
 * into C2PMSG_66.  The response becomes one of PPSMC_Result_*, and C2PMSG_82 holds the result.
 * Tables go through memory whose address was set by SetDriverDramAddrHigh and Low; the argument of
 * a transfer is the table.  All numbers are little endian.
 */
#ifndef _HW_SMU_H
#define _HW_SMU_H

#include <linux/types.h>

#define PPSMC_Result_OK						0x1
#define PPSMC_Result_Failed					0xFF
#define PPSMC_Result_UnknownCmd					0xFE
#define PPSMC_Result_CmdRejectedPrereq				0xFD
#define PPSMC_Result_CmdRejectedBusy				0xFC

#define PPSMC_MSG_TestMessage					0x1
#define PPSMC_MSG_GetSmuVersion					0x2
#define PPSMC_MSG_GfxDriverReset				0x3
#define PPSMC_MSG_GetDriverIfVersion				0x4
#define PPSMC_MSG_EnableAllSmuFeatures				0x7
#define PPSMC_MSG_DisableAllSmuFeatures				0x8
#define PPSMC_MSG_GetEnabledSmuFeaturesLow			0xD
#define PPSMC_MSG_GetEnabledSmuFeaturesHigh			0xE
#define PPSMC_MSG_SetDriverDramAddrHigh				0xF
#define PPSMC_MSG_SetDriverDramAddrLow				0x10
#define PPSMC_MSG_SetToolsDramAddrHigh				0x11
#define PPSMC_MSG_SetToolsDramAddrLow				0x12
#define PPSMC_MSG_TransferTableSmu2Dram				0x13
#define PPSMC_MSG_TransferTableDram2Smu				0x14
#define PPSMC_MSG_UseDefaultPPTable				0x15
#define PPSMC_MSG_SetSystemVirtualDramAddrHigh			0x16
#define PPSMC_MSG_SetSystemVirtualDramAddrLow			0x17
#define PPSMC_MSG_SetSoftMinByFreq				0x18
#define PPSMC_MSG_SetSoftMaxByFreq				0x19
#define PPSMC_MSG_SetHardMinByFreq				0x1A
#define PPSMC_MSG_SetHardMaxByFreq				0x1B
#define PPSMC_MSG_GetMinDpmFreq					0x1C
#define PPSMC_MSG_GetMaxDpmFreq					0x1D
#define PPSMC_MSG_GetDpmFreqByIndex				0x1E
#define PPSMC_MSG_SetWorkloadMask				0x1F
#define PPSMC_MSG_GetVoltageByDpm				0x20
#define PPSMC_MSG_GetVoltageByDpmOverdrive			0x21
#define PPSMC_MSG_SetPptLimit					0x22
#define PPSMC_MSG_GetPptLimit					0x23
#define PPSMC_MSG_PrepareMp1ForUnload				0x24
#define PPSMC_MSG_PrepareMp1ForReset				0x25
#define PPSMC_MSG_SoftReset					0x26
#define PPSMC_MSG_RunDcBtc					0x27
#define PPSMC_MSG_DramLogSetDramAddrHigh			0x28
#define PPSMC_MSG_DramLogSetDramAddrLow				0x29
#define PPSMC_MSG_DramLogSetDramSize				0x2A
#define PPSMC_MSG_GetDebugData					0x2B
#define PPSMC_MSG_WaflTest					0x2C
#define PPSMC_MSG_SetMemoryChannelEnable			0x2E
#define PPSMC_MSG_SetNumBadHbmPagesRetired			0x2F
#define PPSMC_MSG_DFCstateControl				0x32
#define PPSMC_MSG_GetGmiPwrDnHyst				0x33
#define PPSMC_MSG_SetGmiPwrDnHyst				0x34
#define PPSMC_MSG_GmiPwrDnControl				0x35
#define PPSMC_MSG_EnterGfxoff					0x36
#define PPSMC_MSG_ExitGfxoff					0x37
#define PPSMC_MSG_SetExecuteDMATest				0x38
#define PPSMC_MSG_EnableDeterminism				0x39
#define PPSMC_MSG_DisableDeterminism				0x3A
#define PPSMC_MSG_SetUclkDpmMode				0x3B
#define PPSMC_MSG_DumpSTBtoDram					0x3C
#define PPSMC_MSG_STBtoDramLogSetDramAddrHigh			0x3D
#define PPSMC_MSG_STBtoDramLogSetDramAddrLow			0x3E
#define PPSMC_MSG_STBtoDramLogSetDramSize			0x3F
#define PPSMC_MSG_SetSystemVirtualSTBtoDramAddrHigh		0x40
#define PPSMC_MSG_SetSystemVirtualSTBtoDramAddrLow		0x41
#define PPSMC_MSG_GfxDriverResetRecovery			0x42
#define PPSMC_MSG_BoardPowerCalibration				0x43
#define PPSMC_MSG_HeavySBR					0x45
#define PPSMC_MSG_SetBadHBMPagesRetiredFlagsPerChannel		0x46
#define PPSMC_Message_Count					0x47

/* Argument of GfxDriverReset */
#define PPSMC_RESET_TYPE_WARM_RESET				0x00
#define PPSMC_RESET_TYPE_DRIVER_MODE_1_RESET			0x01
#define PPSMC_RESET_TYPE_DRIVER_MODE_2_RESET			0x02
#define PPSMC_RESET_TYPE_PCIE_LINK_RESET			0x03
#define PPSMC_RESET_TYPE_BIF_LINK_RESET				0x04
#define PPSMC_RESET_TYPE_PF0_FLR_RESET				0x05

/* Version of the tables below */
#define SMU13_DRIVER_IF_VERSION_ALDE				0x08

/* Bits of the feature mask */
#define FEATURE_DATA_CALCULATIONS				0
#define FEATURE_DPM_GFXCLK_BIT					1
#define FEATURE_DPM_UCLK_BIT					2
#define FEATURE_DPM_SOCCLK_BIT					3
#define FEATURE_DPM_FCLK_BIT					4
#define FEATURE_DPM_LCLK_BIT					5
#define FEATURE_DPM_XGMI_BIT					6
#define FEATURE_DS_GFXCLK_BIT					7
#define FEATURE_DS_SOCCLK_BIT					8
#define FEATURE_DS_LCLK_BIT					9
#define FEATURE_DS_FCLK_BIT					10
#define FEATURE_DS_UCLK_BIT					11
#define FEATURE_GFX_SS_BIT					12
#define FEATURE_DPM_VCN_BIT					13
#define FEATURE_RSMU_SMN_CG_BIT					14
#define FEATURE_WAFL_CG_BIT					15
#define FEATURE_PPT_BIT						16
#define FEATURE_TDC_BIT						17
#define FEATURE_APCC_PLUS_BIT					18
#define FEATURE_APCC_DFLL_BIT					19
#define FEATURE_FW_CTF_BIT					20
#define FEATURE_THERMAL_BIT					21
#define FEATURE_OUT_OF_BAND_MONITOR_BIT				22
#define FEATURE_XGMI_PER_LINK_PWR_DWN				24
#define FEATURE_DF_CSTATE					25
#define FEATURE_FUSE_CG_BIT					26
#define FEATURE_MP1_CG_BIT					27
#define FEATURE_SMUIO_CG_BIT					28
#define FEATURE_THM_CG_BIT					29
#define FEATURE_CLK_CG_BIT					30
#define FEATURE_EDC_BIT						31

/* Bits of the throttler status */
#define THROTTLER_PPT0_BIT					0
#define THROTTLER_PPT1_BIT					1
#define THROTTLER_TDC_GFX_BIT					2
#define THROTTLER_TDC_SOC_BIT					3
#define THROTTLER_TDC_HBM_BIT					4
#define THROTTLER_TEMP_GPU_BIT					6
#define THROTTLER_TEMP_MEM_BIT					7
#define THROTTLER_TEMP_VR_GFX_BIT				11
#define THROTTLER_TEMP_VR_SOC_BIT				12
#define THROTTLER_TEMP_VR_MEM_BIT				13
#define THROTTLER_APCC_BIT					19

/* Clocks */
#define PPCLK_GFXCLK						0
#define PPCLK_VCLK						1
#define PPCLK_DCLK						2
#define PPCLK_SOCCLK						3
#define PPCLK_UCLK						4
#define PPCLK_FCLK						5
#define PPCLK_LCLK						6
#define PPCLK_COUNT						7

/* Tables */
#define TABLE_PPTABLE						0
#define TABLE_AVFS_PSM_DEBUG					1
#define TABLE_AVFS_FUSE_OVERRIDE				2
#define TABLE_PMSTATUSLOG					3
#define TABLE_SMU_METRICS					4
#define TABLE_DRIVER_SMU_CONFIG					5
#define TABLE_I2C_COMMANDS					6
#define TABLE_ECCINFO						7
#define TABLE_COUNT						8

struct vgpu_smu_metrics {
	__le16 curr_clock[PPCLK_COUNT];			/* MHz */
	__le16 padding1;
	__le16 average_gfxclk_frequency;		/* MHz */
	__le16 average_socclk_frequency;
	__le16 average_uclk_frequency;
	__le16 average_gfx_activity;			/* percent */
	__le16 average_uclk_activity;
	__u8 curr_soc_voltage_offset;
	__u8 curr_gfx_voltage_offset;
	__u8 curr_mem_vid_offset;
	__u8 padding8;
	__le16 average_socket_power;			/* W */
	__le16 temperature_edge;			/* degrees Celsius */
	__le16 temperature_hotspot;
	__le16 temperature_hbm;
	__le16 temperature_vr_gfx;
	__le16 temperature_vr_soc;
	__le16 temperature_vr_mem;
	__le32 throttler_status;
	__le32 public_serial_num_lower32;
	__le32 public_serial_num_upper32;
	__le16 temperature_all_hbm[4];
	__le32 gfx_busy_acc;
	__le32 dram_busy_acc;
	__le32 energy_acc64bit_low;			/* 15.259 uJ */
	__le32 energy_acc64bit_high;
	__le32 time_stamp_low;				/* 10 ns */
	__le32 time_stamp_high;
	__le32 mmhub_padding[8];
};

/* ECC state of a memory channel, and of all: MCA status and address of the last errors, counts */
#define ALDEBARAN_UMC_CHANNEL_NUM				32

struct vgpu_ecc_info_v2 {
	__le64 mca_umc_status;
	__le64 mca_umc_addr;
	__le16 ce_count_lo_chip;
	__le16 ce_count_hi_chip;
	__le32 ecc_padding;
	__le64 mca_ceumc_addr;
};

struct vgpu_ecc_info_table {
	struct vgpu_ecc_info_v2 ecc_info_v2[ALDEBARAN_UMC_CHANNEL_NUM];
};

/*
 * I2C by the SMU: a list of bytes, each with its direction and what precedes or follows it.
 * TransferTableDram2Smu executes it and writes the bytes that were read to the same place.
 */
#define MAX_SW_I2C_COMMANDS					24
#define CMDCONFIG_STOP_BIT					0
#define CMDCONFIG_RESTART_BIT					1
#define CMDCONFIG_READWRITE_BIT					2
#define CMDCONFIG_STOP_MASK					(1 << CMDCONFIG_STOP_BIT)
#define CMDCONFIG_RESTART_MASK					(1 << CMDCONFIG_RESTART_BIT)
#define CMDCONFIG_READWRITE_MASK				(1 << CMDCONFIG_READWRITE_BIT)
#define I2C_CONTROLLER_PORT_0					0
#define I2C_CONTROLLER_PORT_1					1
#define I2C_CONTROLLER_PORT_COUNT				2
#define I2C_SPEED_FAST_50K					0
#define I2C_SPEED_FAST_100K					1
#define I2C_SPEED_FAST_400K					2
#define I2C_SPEED_FAST_PLUS_1M					3
#define I2C_SPEED_HIGH_1M					4
#define I2C_SPEED_HIGH_2M					5
#define I2C_SPEED_COUNT						6

struct vgpu_sw_i2c_cmd {
	__u8 read_write_data;
	__u8 cmd_config;
};

struct vgpu_sw_i2c_request {
	__u8 i2c_controller_port;
	__u8 i2c_speed;
	__u8 slave_address;				/* eight bits, [0] is 0 */
	__u8 num_cmds;
	struct vgpu_sw_i2c_cmd sw_i2c_cmds[MAX_SW_I2C_COMMANDS];
};

#endif /* _HW_SMU_H */
