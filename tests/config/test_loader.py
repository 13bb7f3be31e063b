"""table.toml: what it means, and that whatever is wrong with it is told with file, line and what to do."""

import json
import os
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.config import (
    ButtonSettings,
    BuzzerSettings,
    GpioSettings,
    LampSettings,
    SatelliteSettings,
    TableSettings,
    find_table,
    kit_table,
    parse_table,
    read_table,
)
from companion.config.loader import SIZE_LIMIT
from companion.config.sample import table_text
from companion.devices.gpio.header_pins import HEADER, KIT_ONE, SPI, TAKEN
from companion.devices.rc522.settings import Rc522Settings
from companion.errors import ConfigError
from companion.stations import CENTRE, PADS


def complaint(text: str) -> str:
    """What is said about a table that is wrong."""
    with pytest.raises(ConfigError) as caught:
        parse_table(text, "table.toml")
    return str(caught.value)


# --- What it means --------------------------------------------------------------------------------------------


def test_nothing_written_is_nothing_wired() -> None:
    assert parse_table("", "table.toml") == TableSettings()
    assert TableSettings().kit == "none"


def test_what_is_left_out_of_a_reader_is_as_kit_one_is_wired() -> None:
    assert parse_table("[[reader]]", "table.toml").readers == (Rc522Settings("centre", 0, 0, KIT_ONE["reset"]),)


def test_everything_can_be_said() -> None:
    text = """
        [[reader]]
        station = "pad1"
        bus = 1
        device = 2
        reset = 24
        [[button]]
        colour = "red"
        pin = 12
        [[lamp]]
        pin = 22
        station = "pad1"
        [buzzer]
        pin = 23
        [gpio]
        backend = "gpiod"
        host = "localhost"
        port = 9999
        [satellite]
        port = "/dev/ttyUSB0"
        serial = 12648430
        pads = ["pad3", "pad2"]
    """
    assert parse_table(text, "table.toml") == TableSettings(
        readers=(Rc522Settings("pad1", 1, 2, 24),),
        buttons=(ButtonSettings("red", 12, "centre"),),
        lamps=(LampSettings(22, "pad1"),),
        buzzer=BuzzerSettings(23),
        gpio=GpioSettings("gpiod", "localhost", 9999),
        satellite=SatelliteSettings("/dev/ttyUSB0", 12648430, ("pad3", "pad2")),
    )


@pytest.mark.parametrize(
    ("text", "kit"),
    [
        ("", "none"),
        ("[gpio]\nbackend = 'pigpio'", "none"),
        ("[buzzer]\npin = 4", "none"),
        ("[[reader]]", "one"),
        ("[[button]]\ncolour = 'green'\npin = 5", "one"),
        ("[[reader]]\nstation = 'pad0'", "full"),
        ("[satellite]", "full"),
    ],
)
def test_the_kit_follows_from_what_is_wired(text: str, kit: str) -> None:
    assert parse_table(text, "table.toml").kit == kit


def test_pigpiod_is_asked_on_this_computer_at_its_usual_port_unless_another_is_named() -> None:
    gpio = parse_table("[gpio]\nbackend = 'pigpio'", "table.toml").gpio
    assert (gpio.host, gpio.port) == ("127.0.0.1", 8888)


def test_the_centre_comes_first_then_the_pads_in_their_order() -> None:
    table = parse_table("[satellite]\npads = ['pad2', 'pad0']\n[[reader]]\n", "table.toml")
    assert table.stations == (CENTRE, "pad0", "pad2")


# --- What can be wrong ----------------------------------------------------------------------------------------

WRONG = {
    "[reader]\n": "line 1: 'reader' is a table of its own: write [[reader]]",
    "gpio = 1": "line 1: 'gpio' is a table of its own: write [gpio]",
    "\nreader = [1]": "line 2: 'reader' is a table of its own: write [[reader]]",
    "\n[[raeder]]": "line 2: unknown key 'raeder'; a table.toml has only [[reader]], [[button]], [[lamp]]",
    "[[reader]]\n\nrest = 25": "line 3: unknown key 'rest'; [[reader]] has only station, bus, device, reset",
    "[satellite.port]\na = 1": 'line 1: port: expected "auto" or a path in quotes, as in "/dev/ttyUSB0", found {',
    "[[reader]]\n'a`b - at `$.c`' = 1": "line 2: unknown key 'a`b - at `$.c`'; [[reader]] has only",
    "'a`b - at `$.c' = 1": "line 1: unknown key 'a`b - at `$.c'; a table.toml has only",
    "[[reader]]\nbus = '0'": "line 2: bus: expected the number of an SPI bus: 0 or 1, found '0'",
    "[[reader]]\nbus = 0.0": "line 2: bus: expected the number of an SPI bus: 0 or 1, found 0.0",
    "[[reader]]\nreset = true": "line 2: reset: expected the BCM number of a pin, as in reset = 25, found true",
    "[[reader]]\nstation = 'center'": 'line 2: station: expected one of "centre", "pad0"',
    "[[button]]\npin = 5": 'line 1: \'colour\' is missing in [[button]]: "green" or "red"',
    "[[button]]\ncolour = 'blue'\npin = 5": 'line 2: colour: expected "green" or "red", found \'blue\'',
    "[buzzer]": "line 1: 'pin' is missing in [buzzer]: the BCM number of a pin",
    "[gpio]\nbackend = 'RPi.GPIO'": 'line 2: backend: expected "auto", "gpiod" or "pigpio", found',
    "[gpio]\nport = 0": "line 2: port: expected a number from 1 to 65535, found 0",
    "[satellite]\nserial = 0": "line 2: serial: expected a number from 1 to 4294967294, found 0",
    "[satellite]\nserial = 4294967295": "line 2: serial: expected a number from 1 to 4294967294, found 4294967295",
    "[satellite]\nport = 'COM3'": 'line 2: port: expected "auto" or a path that begins with /',
    "[satellite]\npads = 5": 'line 2: pads: expected a list of one to 5 stations, as in ["pad0", "pad1"], found 5',
    "[satellite]\npads = []": "line 2: pads: expected a list of one to 5 stations",
    "[satellite]\npads = [\n'pad0',\n'pad9']": "line 4: pads: expected a list of one to 5 stations",
    "[[reader]]\nbus = 2": "line 2: there is no SPI bus 2 for readers; take 0 or 1",
    "[[reader]]\ndevice = 2": "line 2: SPI bus 0 has no device 2; take one from 0 to 1",
    "[[reader]]\ndevice = -1": "line 2: device: expected the number of a chip-select: 0, 1 or 2, found -1",
    "[[lamp]]\npin = 28": "line 2: a Pi has no pin GPIO28; free are 4, 5, 6",
    "[[lamp]]\npin = -1": "line 2: pin: expected the BCM number of a pin, as in pin = 17, found -1",
    "[[lamp]]\npin = 15": "line 2: GPIO15 belongs to the serial console (RXD); free are",
    "[[lamp]]\npin = 9": "line 2: GPIO9 belongs to SPI bus 0 (MISO)",
    "[[lamp]]\npin = 18\n[[reader]]\nbus = 1": "line 2: GPIO18 belongs to SPI bus 1 (CE0), where",
    "a = [": "line 1: this is not valid TOML: Invalid value (at end of document)",
    "\n[[lamp]\n": "line 2: this is not valid TOML: Expected ']]' at the end of an array declaration, at column 7",
    "[gpio]\n[gpio]": "line 2: this is not valid TOML: Cannot declare ('gpio',) twice, at column 6",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_told_with_file_line_and_what_to_do(text: str) -> None:
    assert complaint(text).startswith(f"table.toml, {WRONG[text]}")


RED = "[[button]]\ncolour = 'red'\n"
TWICE = {
    "[[lamp]]\npin = 4\n[buzzer]\npin = 4": "line 4: GPIO4 has the lamp of the centre (line 2) already; free are 5, 6,",
    "[[reader]]\n[[lamp]]\npin = 25": "line 3: GPIO25 has the reset of the reader of the centre (line 1) already",
    "[[reader]]\n[[reader]]\nbus = 1\nreset = 24": "line 2: the reader of the centre is in line 1 already; name",
    "[[reader]]\n[[reader]]\nstation = 'pad0'\nreset = 24": "line 2: the reader of the centre (line 1) has this bus",
    f"{RED}pin = 4\n{RED}pin = 5": "line 4: the red button of the centre is in line 1",
    "[[lamp]]\nstation = 'pad3'\npin = 4\n[satellite]": "line 4: the lamp of pad3 is in line 2 already",
    "[satellite]\npads = ['pad1',\n'pad1']": "line 3: the reader of pad1 is in line 2 already",
}


@pytest.mark.parametrize("text", TWICE)
def test_what_is_used_twice_is_told_with_both_lines(text: str) -> None:
    assert complaint(text).startswith(f"table.toml, {TWICE[text]}")


def test_of_several_problems_the_first_line_is_told() -> None:
    assert complaint("[[lamp]]\npin = 99\n[[reader]]\nbus = 7").startswith("table.toml, line 2:")


def test_green_and_red_are_two_buttons() -> None:
    text = "[[button]]\ncolour = 'red'\npin = 4\n[[button]]\ncolour = 'green'\npin = 5"
    assert len(parse_table(text, "table.toml").buttons) == 2


def test_no_complaint_is_endless() -> None:
    assert len(complaint(f"[gpio]\nbackend = '{'x' * 10_000}'")) < 200


def test_a_number_of_thousands_of_digits_is_no_number() -> None:
    assert complaint(f"a = {'9' * 5000}").startswith("table.toml: this is not valid TOML")
    assert complaint(f"[buzzer]\npin = 0x{'F' * 5000}").endswith("found an endless number")


def test_what_is_nested_without_end_is_no_table() -> None:
    assert complaint("a = " + "[" * 20_000) == "table.toml: this is no table.toml: it is nested too deeply"


@given(st.recursive(st.integers() | st.text() | st.booleans() | st.floats(), st.lists, max_leaves=5), st.data())
def test_any_value_at_any_key_is_right_or_a_complaint(value: object, data: st.DataObject) -> None:
    table, keys = data.draw(
        st.sampled_from(
            [
                ("[[reader]]", Rc522Settings.__struct_encode_fields__),
                ("[[button]]", ButtonSettings.__struct_encode_fields__),
                ("[[lamp]]", LampSettings.__struct_encode_fields__),
                ("[buzzer]", BuzzerSettings.__struct_encode_fields__),
                ("[gpio]", GpioSettings.__struct_encode_fields__),
                ("[satellite]", SatelliteSettings.__struct_encode_fields__),
            ]
        )
    )
    text = f"{table}\n{data.draw(st.sampled_from(keys))} = {_toml(value)}\n"
    with suppress(ConfigError):
        assert parse_table(text, "table.toml").kit in ("none", "one", "full")
        return
    assert complaint(text).startswith(("table.toml, line 1: ", "table.toml, line 2: "))


def _toml(value: object) -> str:
    if isinstance(value, float):
        return str(value)
    return json.dumps(value).replace("NaN", "nan").replace("Infinity", "inf").replace("\\ud", "\\u0")


# --- What is written reads back -------------------------------------------------------------------------------

FREE = sorted(HEADER.keys() - TAKEN.keys() - set(SPI[1].values()))


@st.composite
def tables(draw: st.DrawFn) -> TableSettings:
    """Any table that is in order."""
    pins = iter(draw(st.permutations(FREE)))
    stations = iter(draw(st.permutations(PADS)))
    buses = draw(st.lists(st.sampled_from([(0, 0), (0, 1), (1, 0), (1, 1), (1, 2)]), max_size=2, unique=True))
    satellite = st.builds(
        SatelliteSettings,
        st.just("auto") | st.text(st.characters(codec="utf-8")).map(lambda name: f"/dev/{name}"),
        st.none() | st.integers(1, 0xFFFF_FFFE),
        st.just(tuple(next(stations) for _ in range(draw(st.integers(1, 3))))),
    )
    return TableSettings(
        readers=tuple(Rc522Settings(next(stations), bus, device, next(pins)) for bus, device in buses),  # type: ignore[arg-type]
        buttons=tuple(
            ButtonSettings(colour, next(pins)) for colour in draw(st.sets(st.sampled_from(["green", "red"])))
        ),  # type: ignore[arg-type]
        lamps=tuple(LampSettings(next(pins)) for _ in range(draw(st.integers(0, 1)))),
        buzzer=draw(st.none() | st.just(BuzzerSettings(next(pins)))),
        gpio=draw(st.builds(GpioSettings, port=st.integers(1, 65535), host=st.text(st.characters(codec="utf-8")))),
        satellite=draw(st.none() | satellite),
    )


@given(tables())
def test_a_table_that_was_written_reads_back_as_it_was(table: TableSettings) -> None:
    assert parse_table(table_text(table), "table.toml") == table


@pytest.mark.parametrize("table", [kit_table("one"), kit_table("full")])
def test_the_kits_read_back_as_they_are(table: TableSettings) -> None:
    assert parse_table(table_text(table), "table.toml") == table


def test_every_line_of_a_written_table_is_short_enough_for_a_terminal() -> None:
    assert max(map(len, table_text(kit_table("full")).splitlines())) <= 120


# --- Files ----------------------------------------------------------------------------------------------------


def test_a_home_without_a_table_has_nothing_wired(tmp_path: Path) -> None:
    assert find_table(tmp_path) == TableSettings()


def test_the_table_of_the_home_is_found_and_a_named_one_goes_before(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text("[[reader]]")
    (tmp_path / "other.toml").write_text("[satellite]")
    assert find_table(tmp_path).kit == "one"
    assert find_table(tmp_path, tmp_path / "other.toml").kit == "full"


def test_a_named_table_has_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none.toml: this table.toml is missing; `companion config` writes one"):
        find_table(tmp_path, tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"# fine\n# \xff\n", r"table.toml, line 2: this is not UTF-8"),
        (b"\xff", r"table.toml, line 1: this is not UTF-8"),
        (b"# fine\n\xff\n", r"table.toml, line 2: this is not UTF-8"),
        (b"# fine\n\n\xc3", r"table.toml, line 3: this is not UTF-8"),
        (b"#" * (SIZE_LIMIT + 1), r"table.toml: this is too long"),
        (b"\n\npin = 1", r"table.toml, line 3: unknown key 'pin'"),
    ],
)
def test_a_file_that_is_no_table_is_told_by_its_path(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "table.toml").write_bytes(content)
    with pytest.raises(ConfigError, match=words):
        read_table(tmp_path / "table.toml")


@pytest.mark.parametrize("length", [SIZE_LIMIT - 1, SIZE_LIMIT])
def test_a_file_as_long_as_it_may_be_is_read(tmp_path: Path, length: int) -> None:
    text = b"[[reader]]\nbus = 0\n"
    (tmp_path / "table.toml").write_bytes(text + b"#" * (length - len(text)))
    assert read_table(tmp_path / "table.toml").kit == "one"


def test_a_file_that_windows_wrote_is_read(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_bytes("\ufeff[[reader]]\r\nbus = 0\r\n".encode())
    assert read_table(tmp_path / "table.toml").kit == "one"


@pytest.mark.parametrize("name", ["", "a\0b", "x" * 300])
def test_a_name_that_is_no_file_is_told(name: str) -> None:
    with pytest.raises(ConfigError):
        read_table(Path(name))


def test_a_pipe_or_a_folder_in_place_of_the_table_is_reported_and_does_not_block(tmp_path: Path) -> None:
    away = "move it away, then `companion config` writes one"
    os.mkfifo(tmp_path / "table.toml")
    with pytest.raises(ConfigError, match=f"this is a pipe or a device, not a file; {away}"):
        find_table(tmp_path)
    (tmp_path / "table.toml").unlink()
    (tmp_path / "table.toml").mkdir()
    with pytest.raises(ConfigError, match=f"this is a folder, not a file; {away}"):
        find_table(tmp_path)
