"""The Pi's own buttons, lamps and buzzer.

`settings.py`: their tables in table.toml; `header_pins.py`: which pins there are, and kit one's wiring. `driver.py`:
the device, with `buttons.py` and `lamps.py`; two ways to the pins (`pins.py`), `gpiod_pins.py` and `pigpio_pins.py`.
`check.py`: for the doctor. `simulated_pins.py` under `simulated_header.py` (the kernel) and `simulated_pigpiod.py`.
"""
