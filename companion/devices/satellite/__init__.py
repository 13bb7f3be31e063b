"""A satellite on USB with up to five pads.

`settings.py`: [satellite] in table.toml. `driver.py`: finds its line and keeps it; `line.py`, `wire_session.py` and
`wire.py` speak the protocol of docs/wire.md, and `pads.py` turns events into signals. `check.py`: for the doctor.
`simulated_*.py`: a satellite in Python. `emulated_*.py`, `emulator_*.py`, `avr_emulator.py` and `firmware_build.py`:
the real firmware on an emulated microcontroller. `fault_words.py`: commands that make the simulated one fail.
"""
