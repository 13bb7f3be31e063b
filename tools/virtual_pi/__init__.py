"""`make virtual-pi`: a virtual machine with a real kernel, in which the table is installed and used as on a Pi. It
needs root.

An arm64 Debian of today with systemd, the device tree of a Pi 5, a panel, a header and an SPI bus whose chips are
simulated outside. Above them everything is what a Pi has, from the kernel's own character devices to the program that
`make install` puts there.
"""
