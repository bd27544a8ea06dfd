# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The devices our QEMU has: a q35 machine with hot-pluggable PCIe ports, virtio for results and
# disks, an IOMMU to test DMA through, and the GPU. Everything else only costs build time.
CONFIG_Q35=y
CONFIG_I440FX=n
CONFIG_ISAPC=n
CONFIG_MICROVM=n
CONFIG_PCIE_PORT=y
CONFIG_VIRTIO_PCI=y
CONFIG_VIRTIO_SERIAL=y
CONFIG_VIRTIO_BLK=y
CONFIG_VIRTIO_RNG=y
CONFIG_SERIAL_ISA=y
CONFIG_VTD=y
CONFIG_VGPU=y
