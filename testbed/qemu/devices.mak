# The devices of the virtual Xeon, and nothing else: a small binary builds in
# minutes. configure takes this file by --with-devices-x86_64=wakelat.

# q35: a PCI Express root complex; it brings the LAPIC, IOAPIC, PIT, CMOS
# clock and the 16550 UART with it.
CONFIG_Q35=y
CONFIG_HPET=y

# Files come out of the guest through a virtio console port; a virtio disk for
# input that is too large for an initramfs.
CONFIG_VIRTIO_PCI=y
CONFIG_VIRTIO_SERIAL=y
CONFIG_VIRTIO_BLK=y

# isa-debug-exit: the guest ends QEMU with a status of its own.
CONFIG_ISA_DEBUG=y

# An i210 with a clock of its own, behind a root port.
CONFIG_I210_PCI_EXPRESS=y
CONFIG_PCIE_PORT=y
