"""`companion doctor` as a user types it, on computers that are laid out in a folder."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from companion.config import GpioSettings, SatelliteSettings, TableSettings, kit_table
from companion.config.sample import table_text
from companion.devices.gpio.simulated_header import GpioHeader
from companion.devices.gpio.simulated_pigpiod import Pigpiod
from companion.devices.rc522.simulated_bus import Board, WallClock
from companion.devices.rc522.simulated_chip import Chip
from companion.devices.satellite.simulated_satellite import in_thread
from companion.files import PRIVATE, store
from companion.gamekit.game import Thing
from companion.home.paths import pack_path
from companion.home.tag_packs import store_pack
from companion.journal.store import Journal
from companion.table.pieces import Pack
from tests.devices.computer import Computer
from tests.verbs.command import Command, Said


@pytest.fixture
def companion(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


@pytest.fixture
def computer(tmp_path: Path) -> Computer:
    computer = Computer(tmp_path / "root")
    computer.write("/dev/spidev0.0")
    computer.write("/dev/gpiochip0")
    return computer


@pytest.fixture
def chip() -> Iterator[Chip]:
    board = Board(WallClock())
    with board.installed():
        yield board.plug(Chip())


def wire(home: Path, table: TableSettings, port: int = 8888) -> None:
    home.mkdir(exist_ok=True)
    wired = TableSettings(
        table.readers,
        table.buttons,
        table.lamps,
        table.buzzer,
        GpioSettings("pigpio", port=port),
        satellite=table.satellite,
    )
    store(home / "table.toml", table_text(wired), PRIVATE)


def doctor(companion: Command, computer: Computer, *words: str) -> Said:
    return companion("doctor", "--root", str(computer.root), *words)


def test_when_all_is_well_it_says_so_device_by_device(
    companion: Command, home: Path, computer: Computer, chip: Chip
) -> None:
    store_pack(pack_path("lascaux"), Pack({"DEADBEEF": Thing("marker", "white", 2)}))
    satellite = in_thread(computer.root / "dev/ttyUSB0", serial=7)
    with Pigpiod() as daemon, satellite:
        full = TableSettings(*_fields(kit_table("full")), satellite=SatelliteSettings("/dev/ttyUSB0", 7))
        wire(home, full, daemon.port)
        said = doctor(companion, computer)
    assert said.status == 0, said.out
    assert said.out.startswith(f"{home}/table.toml: the full kit, with centre, pad0, pad1, pad2, pad3, pad4\n")
    assert said.out.endswith("Everything is ok.\n")
    for subject in (
        "reader of the centre",
        "red button of the centre",
        "lamp of the centre",
        "buzzer",
        "pad4",
        "phones",
    ):
        assert f"ok        {subject}: " in said.out


def test_a_healthy_kit_one_looks_as_the_page_says(
    companion: Command, home: Path, computer: Computer, chip: Chip
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "build-it.md").read_text(encoding="utf-8")
    shown = re.findall(r"^ +(ok        [^…\n]*)", page, re.MULTILINE)
    home.mkdir(exist_ok=True)
    (home / "table.toml").write_text(table_text(kit_table("one")))
    with GpioHeader().installed():
        said = doctor(companion, computer)
    assert len(shown) == 6
    assert [line for line in shown if line not in said.out] == []


def _fields(table: TableSettings) -> tuple[object, ...]:
    return table.readers, table.buttons, table.lamps, table.buzzer, table.gpio


def test_what_is_wrong_comes_with_what_to_do_and_status_1(
    companion: Command, home: Path, computer: Computer, chip: Chip
) -> None:
    chip.faults.gone = 0x00
    wire(home, kit_table("one"), port=1)
    said = doctor(companion, computer)
    assert said.status == 1
    assert "PROBLEM   reader of the centre: the chip answers 0x00\n" in said.out
    assert "→ check 3.3 V, ground, RST, MISO and SDA (chip select); " in said.out
    assert "PROBLEM   pins: pigpiod is not running\n" in said.out
    well = len(re.findall(r"^ok ", said.out, re.MULTILINE))
    assert well >= 4  # the home, the clock, phones, the games
    assert said.out.endswith(f"\n2 problems and 1 to check, {well} ok.\n")


def test_scripts_get_the_same_as_json(companion: Command, home: Path, computer: Computer, chip: Chip) -> None:
    wire(home, kit_table("one"), port=1)
    said = doctor(companion, computer, "--json")
    told = json.loads(said.out)
    assert said.status == 1
    assert (told["table"], told["kit"], told["verdict"]) == (f"{home}/table.toml", "one", "problem")
    assert told["findings"][0] == {
        "subject": "reader of the centre",
        "verdict": "ok",
        "words": "an RC522, version 2.0, answers",
        "advice": "",
    }


def test_a_table_that_cannot_be_read_is_status_2(companion: Command, home: Path, computer: Computer) -> None:
    home.mkdir()
    (home / "table.toml").write_text("[[reader]]\nbus = 9\n")
    said = doctor(companion, computer)
    assert said.status == 2
    assert said.err.startswith(f"companion: {home}/table.toml, line 2: there is no SPI bus 9")
    assert said.out == ""


def test_another_table_can_be_named(companion: Command, tmp_path: Path, computer: Computer) -> None:
    (tmp_path / "other.toml").write_text("[satellite]")
    said = doctor(companion, computer, "--table", str(tmp_path / "other.toml"))
    assert said.status == 1
    assert "no serial device is plugged in" in said.out


def test_where_nothing_is_wired_that_is_fine(companion: Command, home: Path, computer: Computer) -> None:
    said = doctor(companion, computer)
    assert said.status == 0
    assert said.out.startswith(f"{home}/table.toml: nothing is wired; `companion config` writes a table")


def test_devices_that_a_referee_has_are_left_alone(
    companion: Command, home: Path, computer: Computer, chip: Chip
) -> None:
    wire(home, kit_table("one"))
    with Journal.create(home / "evenings", date=date(2026, 11, 16)):
        said = doctor(companion, computer)
    assert said.status == 0
    assert "check     devices: not looked at: the referee of 2026-11-16" in said.out
    assert "reader" not in said.out


def test_what_a_device_says_cannot_paint_the_terminal(
    companion: Command, home: Path, computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "\x1b[31mred").mkdir(parents=True)
    monkeypatch.setenv("COMPANION_HOME", str(home / "\x1b[31mred"))
    assert "\x1b" not in doctor(companion, computer).out


HANGING = """
import sys, threading
from msgspec.structs import replace
from companion.cli import main
from companion.devices.rc522.simulated_bus import Board
from companion.devices.rc522.simulated_chip import Chip
from companion.verbs import doctor

board = Board()
chip = board.plug(Chip())
chip.faults.blocked = threading.Event()
checks = doctor.checks
doctor.checks = lambda *given: [replace(check, limit_s=0.2) for check in checks(*given)]
with board.installed():
    main(["doctor", "--root", sys.argv[1]])
sys.exit("the doctor waited for a device that hangs")
"""


def test_a_bus_that_hangs_for_ever_does_not_keep_the_doctor_from_leaving(home: Path, computer: Computer) -> None:
    home.mkdir()
    (home / "table.toml").write_text("[[reader]]")
    done = subprocess.run(
        [sys.executable, "-c", HANGING, str(computer.root)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 1, done.stderr
    assert "PROBLEM   reader of the centre: did not answer within 0.2 s" in done.stdout
    assert "ok        clock: " in done.stdout
