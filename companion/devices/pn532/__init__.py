"""The PN532 on a serial line: USB, or the Pi's UART.

`settings.py`: its keys in table.toml, and everything else that Companion asks of a kind of reader. `driver.py`: finds
tags, with `commands.py` in `frames.py`; `ports.py`: finds the line it is on. `check.py`: for the doctor.
`simulated_chip.py` in `simulated_reader.py`: the board without hardware, in every way that its sources can be read
(`source_readings.py`).
"""
