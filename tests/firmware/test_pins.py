"""firmware/avr/board.h is the only pin map: the pages show the same, and the ATmega328P can do it."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from companion.devices.satellite import wire
from tests.firmware.tools import FIRMWARE, ROOT


class Pin(NamedTuple):
    name: str
    port: str
    bit: int
    label: str
    begins: str
    what: str


ROW = re.compile(r'PIN\((\w+),\s*([BCD]),\s*(\d),\s*"(\w+)",\s*(\w+),\s*"([^"]*)"\)')
BOARD = (FIRMWARE / "avr" / "board.h").read_text()
PINS = [Pin(name, port, int(bit), label, begins, what) for name, port, bit, label, begins, what in ROW.findall(BOARD)]
BY_NAME = {pin.name: pin for pin in PINS}


def test_every_line_of_the_map_is_understood() -> None:
    assert len(PINS) == len(re.findall(r"^    PIN\(", BOARD, re.MULTILINE)) == 20


def test_no_pin_is_used_twice() -> None:
    assert len({(pin.port, pin.bit) for pin in PINS}) == len({pin.name for pin in PINS}) == len(PINS)


def test_labels_are_those_of_an_arduino() -> None:
    printed = {("D", bit): f"D{bit}" for bit in range(8)}
    printed |= {("B", bit): f"D{bit + 8}" for bit in range(6)}
    printed |= {("C", bit): f"A{bit}" for bit in range(6)}
    assert {(pin.port, pin.bit): pin.label for pin in PINS} == printed


def test_what_the_processor_has_wired_inside_is_where_it_is() -> None:
    fixed = {"RXD": "D0", "TXD": "D1", "MOSI": "B3", "MISO": "B4", "SCK": "B5"}
    assert {name: f"{BY_NAME[name].port}{BY_NAME[name].bit}" for name in fixed} == fixed


def test_the_select_of_the_spi_is_an_output() -> None:
    """SS as an input that goes low would end master mode (ATmega328P, 18.3.2)."""
    (pin,) = [pin for pin in PINS if (pin.port, pin.bit) == ("B", 2)]
    assert pin.begins in ("LOW", "HIGH")


@pytest.mark.parametrize("kind", ["SELECT", "LAMP"])
def test_pins_of_pads_follow_one_another(kind: str) -> None:
    """pins.c counts from that of pad 0 on."""
    names = [pin.name for pin in PINS]
    first = names.index(f"{kind}0")
    assert names[first : first + wire.PADS] == [f"{kind}{pad}" for pad in range(wire.PADS)]


def test_no_reader_is_selected_and_all_are_in_reset_at_the_start() -> None:
    assert {BY_NAME[f"SELECT{pad}"].begins for pad in range(wire.PADS)} == {"HIGH"}
    assert BY_NAME["RESET"].begins == "LOW"


@pytest.mark.parametrize(
    "page", [FIRMWARE / "README.md", ROOT / "hardware" / "full-kit.md"], ids=lambda page: page.name
)
def test_the_pages_show_the_same_table(page: Path) -> None:
    rows = re.findall(r"^\| (\w+) \| ([AD]\d+) \| (.+) \|$", page.read_text(), re.MULTILINE)
    assert rows == [(pin.name, pin.label, pin.what) for pin in PINS]
