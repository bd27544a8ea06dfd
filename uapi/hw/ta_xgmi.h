/* SPDX-License-Identifier: MIT */
/*
 * The xGMI trusted application: what a die knows about its hive.
 * See Documentation/hardware.rst, "Firmware processors".
 *
 * The driver fills the input, invokes the command through the PSP and reads status and output.
 * All numbers are little endian.
 */
#ifndef _HW_TA_XGMI_H
#define _HW_TA_XGMI_H

#include <linux/types.h>

#define TA_COMMAND_XGMI__INITIALIZE			0x00
#define TA_COMMAND_XGMI__GET_NODE_ID			0x01
#define TA_COMMAND_XGMI__GET_HIVE_ID			0x02
#define TA_COMMAND_XGMI__GET_TOPOLOGY_INFO		0x03
#define TA_COMMAND_XGMI__SET_TOPOLOGY_INFO		0x04
#define TA_COMMAND_XGMI__GET_PEER_LINKS			0x0B
#define TA_COMMAND_XGMI__GET_EXTEND_PEER_LINKS		0x0C

#define TA_XGMI_STATUS__SUCCESS				0x00
#define TA_XGMI_STATUS__GENERIC_FAILURE			0x01
#define TA_XGMI_STATUS__NULL_POINTER			0x02
#define TA_XGMI_STATUS__INVALID_PARAMETER		0x03
#define TA_XGMI_STATUS__NOT_INITIALIZED			0x04
#define TA_XGMI_STATUS__INVALID_NODE_NUM		0x05
#define TA_XGMI_STATUS__INVALID_NODE_ID			0x06
#define TA_XGMI_STATUS__INVALID_TOPOLOGY		0x07
#define TA_XGMI_STATUS__FAILED_ID_GEN			0x08
#define TA_XGMI_STATUS__FAILED_TOPOLOGY_INIT		0x09
#define TA_XGMI_STATUS__SET_SHARING_ERROR		0x0A

#define TA_XGMI__MAX_CONNECTED_NODES			64
#define TA_XGMI__MAX_PORT_NUM				8

/* caps_flag: GET_EXTEND_PEER_LINKS works */
#define EXTEND_PEER_LINK_INFO_CMD_FLAG			1

/* The SDMA engine meant for copies to a node */
#define TA_XGMI_ASSIGNED_SDMA_ENGINE__NOT_ASSIGNED	(-1)
#define TA_XGMI_ASSIGNED_SDMA_ENGINE__SDMA0		0
#define TA_XGMI_ASSIGNED_SDMA_ENGINE__SDMA1		1
#define TA_XGMI_ASSIGNED_SDMA_ENGINE__SDMA2		2
#define TA_XGMI_ASSIGNED_SDMA_ENGINE__SDMA3		3
#define TA_XGMI_ASSIGNED_SDMA_ENGINE__SDMA4		4
#define TA_XGMI_ASSIGNED_SDMA_ENGINE__SDMA5		5

/* num_hops: distance in [2:0], kind of the links in [7:6], of which MI250X has xGMI3 */
#define VGPU_TA_XGMI_NUM_HOPS_MASK			0x7
#define VGPU_TA_XGMI_LINK_TYPE_XGMI3			(1 << 6)

struct vgpu_ta_xgmi_node_info {
	__le64 node_id;
	__u8 num_hops;
	__u8 is_sharing_enabled;
	__le32 sdma_engine;
};

struct vgpu_ta_xgmi_peer_link_info {
	__le64 node_id;
	__u8 num_links;
};

struct vgpu_xgmi_connected_port_num {
	__u8 dst_xgmi_port_num;
	__u8 src_xgmi_port_num;
};

struct vgpu_ta_xgmi_extend_peer_link_info {
	__le64 node_id;
	__u8 num_links;
	struct vgpu_xgmi_connected_port_num port_num[TA_XGMI__MAX_PORT_NUM];
};

/* Input and output of GET_TOPOLOGY_INFO, input of SET_TOPOLOGY_INFO */
struct vgpu_ta_xgmi_topology_info {
	__le32 num_nodes;
	struct vgpu_ta_xgmi_node_info nodes[TA_XGMI__MAX_CONNECTED_NODES];
};

/* GET_PEER_LINKS: the node ids go in where the links come out */
struct vgpu_ta_xgmi_peer_links {
	__le32 num_nodes;
	struct vgpu_ta_xgmi_peer_link_info nodes[TA_XGMI__MAX_CONNECTED_NODES];
};

/* GET_EXTEND_PEER_LINKS, likewise */
struct vgpu_ta_xgmi_extend_peer_links {
	__le32 num_nodes;
	struct vgpu_ta_xgmi_extend_peer_link_info nodes[TA_XGMI__MAX_CONNECTED_NODES];
};

union vgpu_ta_xgmi_cmd_input {
	struct vgpu_ta_xgmi_topology_info get_topology_info;
	struct vgpu_ta_xgmi_topology_info set_topology_info;
};

union vgpu_ta_xgmi_cmd_output {
	__le32 status;
	__le64 node_id;
	__le64 hive_id;
	struct vgpu_ta_xgmi_topology_info get_topology_info;
	struct vgpu_ta_xgmi_peer_links get_link_info;
	struct vgpu_ta_xgmi_extend_peer_links get_extend_link_info;
};

/* flag_extend_link_record: 1 asks for the second half of a list that is longer than the TA's */
struct vgpu_ta_xgmi_shared_memory {
	__le32 cmd_id;
	__le32 resp_id;
	__le32 xgmi_status;
	__u8 flag_extend_link_record;
	__u8 caps_flag;
	__u8 reserved[2];
	union vgpu_ta_xgmi_cmd_input xgmi_in_message;
	union vgpu_ta_xgmi_cmd_output xgmi_out_message;
};

#endif /* _HW_TA_XGMI_H */
