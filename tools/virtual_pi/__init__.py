"""`make virtual-pi`: a guest with a real kernel, in which the table is installed and used as on a Pi. It needs root.

Today's Debian with systemd, a panel, a header and an SPI bus whose chips are played by a process in the guest: above
them everything is what a Pi has, from the kernel's own character devices to the program that `make install` puts there.
"""
