# SPDX-License-Identifier: GPL-2.0
# The devices of arm64's machine "virt", and nothing else: see testbed/qemu/devices.mak. configure takes
# this file by --with-devices-aarch64=wakelat.

# The machine brings its GICs, PL011, PL031, virtio-mmio and a PCI Express root complex with it.
CONFIG_ARM_VIRT=y

# Files come out of the guest through a virtio console port.
CONFIG_VIRTIO_SERIAL=y
CONFIG_VIRTIO_BLK=y
