"""The Pi's 40 pins: which there are, what they belong to, and what kit one uses.

`KIT_ONE` is the one source of its wiring. hardware/kit-one.md shows it; tests/config/test_wiring.py keeps both alike.
"""

# fmt: off
HEADER = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22,
    11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}
# fmt: on
"""BCM number → where it is on the header, on every Pi that has 40 pins."""

POWER = {1: "3.3 V", 2: "5 V", 4: "5 V", 17: "3.3 V"} | dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), "ground")
"""The pins of the header that are not GPIO."""

SPI = {
    0: {"MOSI": 10, "MISO": 9, "SCLK": 11, "CE0": 8, "CE1": 7},
    1: {"MOSI": 20, "MISO": 19, "SCLK": 21, "CE0": 18, "CE1": 17, "CE2": 16},
}
"""Bus → its signals and their BCM numbers. Bus 1 has to be switched on by a line in config.txt."""

TAKEN = {
    0: "the memory of add-on boards (ID_SD)",
    1: "the memory of add-on boards (ID_SC)",
    2: "I²C (SDA), which has a pull-up of its own",
    3: "I²C (SCL), which has a pull-up of its own",
    14: "the serial console (TXD)",
    15: "the serial console (RXD)",
    **{pin: f"SPI bus 0 ({signal})" for signal, pin in SPI[0].items()},
}
"""Pins that are never free, and what has them. Those of SPI bus 1 are taken only where a reader is on it."""

KIT_ONE = {"reset": 25, "green": 5, "red": 6, "lamp": 17, "buzzer": 18}
"""What is wired to which BCM pin, besides the reader's SPI bus 0 with CE0."""


def selects(bus: int) -> int:
    """How many devices a bus can tell apart."""
    return sum(signal.startswith("CE") for signal in SPI[bus])
