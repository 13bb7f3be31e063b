"""The RC522 on the Pi's SPI bus.

`settings.py`: its keys in table.toml, and everything else that Companion asks of a kind of reader. `driver.py`: finds
tags, on `transceiver.py`, which is the chip. `reset_pin.py`: its RST line. `check.py`: for the doctor.
`simulated_chip.py` on `simulated_bus.py`, with hands at it in `simulated_reader.py`: the chip without hardware.
"""
