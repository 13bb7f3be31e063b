"""A satellite on USB with up to five pads: driver, wire protocol, doctor check, and a simulated and an emulated one."""
