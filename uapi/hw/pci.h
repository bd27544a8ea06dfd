/* SPDX-License-Identifier: MIT */
/*
 * PCI identity of a die and what its BARs are.  See Documentation/hardware.rst, "PCI function".
 *
 * By default the function has an id of its own, so that no other driver binds to it; the device
 * can be told to carry that of an MI250X die instead.
 */
#ifndef _HW_PCI_H
#define _HW_PCI_H

#define VGPU_PCI_VENDOR_ID		0x1234
#define VGPU_PCI_DEVICE_ID		0x7667	/* "vg" */

/* The ids of MI250X, Aldebaran */
#define VGPU_PCI_VENDOR_ID_AMD		0x1002
#define VGPU_PCI_DEVICE_ID_MI250X	0x740c
#define VGPU_PCI_DEVICE_ID_MI250X_ALT	0x7408

#define VGPU_BAR_VRAM			0
#define VGPU_BAR_DOORBELL		2
#define VGPU_BAR_MSIX			4
#define VGPU_BAR_MMIO			5

#endif /* _HW_PCI_H */
