"""One table of pins: what the pages show, what table.toml begins with and what the drivers take are the same."""

import re
import shlex
from pathlib import Path

import pytest

from companion.cli import read
from companion.config import kit_table, parse_table
from companion.config.loader import PARTS, READER, SEVERAL
from companion.config.sample import table_text
from companion.devices.gpio.header_pins import HEADER, KIT_ONE, POWER, SPI
from companion.devices.pcsc.settings import PcscSettings
from companion.devices.pn532.settings import Pn532Settings
from companion.devices.rc522.settings import Rc522Settings

ROOT = Path(__file__).parents[2]
OURS = (Rc522Settings, Pn532Settings, PcscSettings)
HARDWARE = ROOT / "hardware"
PAGES = [*sorted(HARDWARE.glob("*.md")), ROOT / "docs" / "build-it.md", ROOT / "docs" / "acceptance.md"]


def rows(page: Path, head: str) -> list[list[str]]:
    """The rows of the table that begins with this head."""
    lines = page.read_text(encoding="utf-8").splitlines()
    found = []
    for line in lines[lines.index(head) + 2 :]:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


PINS = rows(HARDWARE / "kit-one.md", "| part | its pin | GPIO | pin |")
WIRED = [row for row in PINS if row[2] != "–"]


# --- The header -----------------------------------------------------------------------------------------------


def test_every_pin_of_the_header_is_a_gpio_or_power_and_none_is_both() -> None:
    assert sorted([*HEADER.values(), *POWER]) == list(range(1, 41))


def test_a_bus_has_only_pins_that_there_are() -> None:
    assert {pin for bus in SPI.values() for pin in bus.values()} <= HEADER.keys()


# --- Kit one --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", WIRED, ids=lambda row: f"{row[0]} {row[1]}")
def test_what_the_page_says_of_a_pin_is_where_it_is_on_the_header(row: list[str]) -> None:
    _, _, gpio, pin = row
    if gpio.startswith("GPIO"):
        assert HEADER[int(gpio.removeprefix("GPIO"))] == int(pin)
    else:
        assert POWER[int(pin)] == gpio


def test_no_pin_of_the_header_has_two_wires() -> None:
    pins = [row[3] for row in WIRED]
    assert len(pins) == len(set(pins)) == len(WIRED)


def test_the_page_has_the_pins_that_companion_takes() -> None:
    shown = {(part, its): int(gpio.removeprefix("GPIO")) for part, its, gpio, _ in WIRED if gpio.startswith("GPIO")}
    bus = SPI[Rc522Settings().bus]
    assert shown == {
        ("reader", "RST"): KIT_ONE["reset"],
        ("reader", "MISO"): bus["MISO"],
        ("reader", "MOSI"): bus["MOSI"],
        ("reader", "SCK"): bus["SCLK"],
        ("reader", "SDA"): bus["CE0"],
        ("green button", "one leg"): KIT_ONE["green"],
        ("red button", "one leg"): KIT_ONE["red"],
        ("lamp", "anode, through 330 Ω"): KIT_ONE["lamp"],
        ("buzzer", "signal"): KIT_ONE["buzzer"],
    }


def test_nothing_of_kit_one_hangs_on_5_volts() -> None:
    assert "5 V" not in {row[2] for row in PINS}


def test_every_part_that_needs_ground_has_it() -> None:
    assert {part for part, _, gpio, _ in WIRED if gpio == "ground"} == {part for part, *_ in PINS}


def test_what_the_page_says_companion_config_writes_is_what_it_writes() -> None:
    shown = "\n".join(toml_of(HARDWARE / "kit-one.md"))
    assert parse_table(shown, "kit-one.md") == parse_table(table_text(kit_table("one")), "written") == kit_table("one")


def test_a_reader_without_settings_is_that_of_kit_one() -> None:
    assert parse_table("[[reader]]\n", "written").readers == kit_table("one").readers


# --- The full kit ---------------------------------------------------------------------------------------------

SATELLITE = {
    name: (label, what)
    for name, label, what in re.findall(
        r'PIN\((\w+),\s*\w, \d, "(\w+)",\s*\w+,\s*"([^"]*)"\)',
        (ROOT / "firmware/avr/board.h").read_text(encoding="utf-8"),
    )
}


def test_the_page_has_the_pins_of_the_firmware() -> None:
    shown = {name: (label, what) for name, label, what in rows(HARDWARE / "full-kit.md", "| name | pin | what |")}
    assert len(SATELLITE) == 20
    assert shown == SATELLITE


def test_the_level_shifter_carries_every_line_from_the_processor_to_the_readers() -> None:
    shifter = dict(rows(HARDWARE / "full-kit.md", "| 74LVC245 | to |"))
    wired = {
        "2 … 6 (A1 … A5)": ("SELECT0", "SELECT4"),
        "7 (A6)": ("RESET",),
        "8 (A7)": ("MOSI",),
        "9 (A8)": ("SCK",),
    }
    for legs, names in wired.items():
        assert shifter[legs].startswith(" … ".join(SATELLITE[name][0] for name in names))


# --- Pages ----------------------------------------------------------------------------------------------------


def toml_of(page: Path) -> list[str]:
    """The pieces of table.toml that a page shows."""
    return re.findall(r"^ *```toml\n(.*?)^ *```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_piece_of_table_toml_that_a_page_shows_is_one(page: Path) -> None:
    for shown in toml_of(page):
        parse_table(shown, page.name)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_pin_that_a_page_mentions_by_both_numbers_is_one(page: Path) -> None:
    for gpio, pin in re.findall(r"GPIO(\d+), pin (\d+)", page.read_text(encoding="utf-8")):
        assert HEADER[int(gpio)] == int(pin)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_page_leads_to_is_there(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_page_lists_every_key_of_table_toml() -> None:
    shown: dict[str, set[str]] = {}
    name = ""
    for table, keys, *_ in rows(ROOT / "docs" / "build-it.md", "| table | key | means | left out |"):
        name = table.strip("`") or name
        shown.setdefault(name, set()).update(re.findall(r"`(\w+)`", keys))
    known = {name: set(part.__struct_fields__) for name, part in PARTS.items()}
    known[READER] = {"kind"}.union(*(kind.__struct_fields__ for kind in OURS))
    assert shown == {f"[[{name}]]" if name in SEVERAL else f"[{name}]": each for name, each in known.items()}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_that_a_page_shows_is_one(page: Path) -> None:
    for shown in re.findall(r"(?:\.venv/bin/|`)companion ([^`\n]+)", page.read_text(encoding="utf-8")):
        read(["lascaux" if word == "GAME" else word for word in shlex.split(shown)])


def test_the_service_starts_a_command_that_there_is() -> None:
    started = re.findall(r'"\$COMPANION" (play .*?) && return$', (HARDWARE / "pi/kiosk").read_text(), re.MULTILINE)
    assert len(started) == 1
    assert read(shlex.split(started[0])).kiosk


def test_every_pin_of_the_header_is_there_once():
    """28 of the processor, the supply, and nothing else; as the Raspberry Pi's documentation has it."""
    assert sorted(HEADER) == [*range(28)]
    assert sorted([*HEADER.values(), *POWER]) == [*range(1, 41)]
    assert (HEADER[9], HEADER[10], HEADER[11]) == (21, 19, 23), "the SPI bus"
