"""`companion config`: a table.toml to begin with, and what is in force."""

from pathlib import Path

import pytest

from companion.config import SatelliteSettings, TableSettings, kit_table, parse_table, read_table
from companion.devices import reader_kinds
from companion.devices.pn532.settings import Pn532Settings
from companion.devices.pn532.simulated_reader import SimulatedPn532
from companion.devices.rc522.simulated_bus import Board, WallClock
from companion.devices.rc522.simulated_chip import Chip
from companion.devices.satellite.simulated_satellite import in_thread
from companion.messages.lobby import GamePlan
from companion.processes.evenings import begin_evening
from companion.processes.referee_supervisor import RefereeSupervisor
from companion.processes.simulation_settings import SimulationSettings
from tests.devices.computer import PI_5, Computer
from tests.devices.usb_computer import CH340, UsbComputer
from tests.verbs.command import Command


@pytest.fixture
def companion(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


def test_it_writes_kit_one_and_says_where(companion: Command, home: Path, tmp_path: Path) -> None:
    said = companion("config", "--root", str(tmp_path))
    assert said.status == 0
    assert said.out.startswith(f"{home}/table.toml: written, as kit one is wired.\n")
    assert "companion doctor" in said.out
    assert read_table(home / "table.toml") == kit_table("one")


def test_what_it_writes_only_its_owner_reads(companion: Command, home: Path) -> None:
    """The password of the Wi-Fi may come in there."""
    companion("config", "--kit", "one")
    assert (home / "table.toml").stat().st_mode & 0o777 == 0o600


def test_an_evening_closes_a_table_toml_that_others_could_read(home: Path) -> None:
    evening = begin_evening(GamePlan("sioux", ("Anna", "Ben", "Cleo"), kit="none"))
    (home / "table.toml").write_text('[wifi]\nname = "Game night"\npassword = "mammoth"\n')
    (home / "table.toml").chmod(0o644)
    with RefereeSupervisor(evening, SimulationSettings()):
        assert (home / "table.toml").stat().st_mode & 0o777 == 0o600


def test_it_writes_the_full_kit_too(companion: Command, home: Path) -> None:
    assert companion("config", "--kit", "full").status == 0
    assert read_table(home / "table.toml") == kit_table("full")


@pytest.mark.parametrize("kind", ["pn532", "pcsc", "rc522"])
def test_it_writes_a_table_with_one_reader_of_a_kind(companion: Command, home: Path, kind: str) -> None:
    assert companion("config", "--reader", kind).out.startswith(f"{home}/table.toml: written, for one reader ({kind})")
    assert read_table(home / "table.toml").readers == (reader_kinds.find(kind)(),)
    assert companion("config", "--reader", kind, "--kit", "one").status == 2


def test_it_proposes_what_is_plugged_in_except_on_a_pi_that_is_wired(
    companion: Command, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PCSCLITE_CSOCK_NAME", str(tmp_path / "nowhere"))
    UsbComputer(tmp_path / "root").plug("ttyUSB0", CH340)
    root = ("--root", str(tmp_path / "root"), "--force")
    assert "because CH340 is plugged in, which may be a PN532" in companion("config", *root).out
    assert read_table(home / "table.toml") == TableSettings(readers=(Pn532Settings(),))
    (tmp_path / "root/dev/spidev0.0").write_bytes(b"")
    (tmp_path / "root/proc/device-tree").mkdir()
    (tmp_path / "root/proc/device-tree/model").write_text("Raspberry Pi 4 Model B")
    assert "as kit one is wired" in companion("config", *root).out


def test_it_never_writes_over_a_table_unless_forced(companion: Command, home: Path) -> None:
    home.mkdir()
    (home / "table.toml").write_text("# mine\n")
    said = companion("config")
    assert said.status == 2
    assert said.err == f"companion: {home}/table.toml is there already; --show prints it, --force overwrites it\n"
    assert (home / "table.toml").read_text() == "# mine\n"
    assert companion("config", "--kit", "one", "--force").status == 0
    assert read_table(home / "table.toml") == kit_table("one")
    assert sorted(path.name for path in home.iterdir()) == [".lock", "table.toml"]


def test_it_writes_where_it_is_told_to(companion: Command, home: Path, tmp_path: Path) -> None:
    assert companion("config", "--table", str(tmp_path / "second" / "table.toml")).status == 0
    assert read_table(tmp_path / "second" / "table.toml").kit == "one"
    assert not (home / "table.toml").exists()


@pytest.mark.parametrize("place", ["/proc/nothing/table.toml", "a\0b", ""])
def test_a_place_that_cannot_be_written_is_told(companion: Command, place: str) -> None:
    said = companion("config", "--table", place, "--force")
    assert said.status == 2
    assert "cannot write this" in said.err


def test_what_is_in_force_is_shown_as_toml(companion: Command, home: Path) -> None:
    companion("config", "--kit", "full")
    said = companion("config", "--show")
    assert said.status == 0
    assert f"from {home}/table.toml (kit: full)" in said.out
    assert parse_table(said.out, "shown") == kit_table("full")


def test_where_nothing_is_wired_that_is_shown(companion: Command, home: Path) -> None:
    said = companion("config", "--show")
    assert said.status == 0
    assert f"There is no {home}/table.toml" in said.out
    assert parse_table(said.out, "shown") == TableSettings()


def test_a_table_that_is_wrong_is_told_with_its_line(companion: Command, home: Path) -> None:
    home.mkdir()
    (home / "table.toml").write_text("\n[[lamp]]\npin = 99\n")
    said = companion("config", "--show")
    assert said.status == 2
    assert said.err.startswith(f"companion: {home}/table.toml, line 3: a Pi has no pin GPIO99; free are 4, 5, 6")


def test_a_home_that_is_a_file_is_named_as_what_it_is(companion: Command, home: Path) -> None:
    home.write_text("")
    said = companion("config")
    assert said.status == 2
    assert f"cannot write this: {home} is no folder" in said.err


def test_a_bus_that_leads_to_no_header_does_not_make_it_kit_one(
    companion: Command, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Pi 5 has /dev/spidev10.0 for itself, whether SPI is switched on or not."""
    monkeypatch.setenv("PCSCLITE_CSOCK_NAME", str(tmp_path / "nowhere"))
    computer = Computer(tmp_path / "root", PI_5)
    computer.write("/dev/spidev10.0")
    UsbComputer(computer.root).plug("ttyUSB0", CH340)
    companion("config", "--root", str(computer.root))
    assert read_table(home / "table.toml") == TableSettings(readers=(Pn532Settings(),))
    computer.write("/dev/spidev0.0")
    companion("config", "--root", str(computer.root), "--force")
    assert read_table(home / "table.toml") == kit_table("one")


# --- What is found --------------------------------------------------------------------------------------------


def test_a_reader_that_answers_is_written_down_as_kit_one(companion: Command, home: Path, tmp_path: Path) -> None:
    computer = Computer(tmp_path / "root")
    computer.write("/dev/spidev0.0")
    board = Board(WallClock())
    board.plug(Chip())
    with board.installed():
        said = companion("config", "--found", "--root", str(computer.root))
    assert said.out == f"{home}/table.toml: written, with centre.\n"
    assert read_table(home / "table.toml") == kit_table("one")


def test_a_satellite_that_answers_is_written_down_with_its_pads(companion: Command, home: Path, tmp_path: Path) -> None:
    computer = Computer(tmp_path / "root")
    with in_thread(UsbComputer(computer.root).converter("ttyUSB0", CH340), serial=7):
        said = companion("config", "--found", "--root", str(computer.root))
    assert said.status == 0
    assert read_table(home / "table.toml") == TableSettings(satellite=SatelliteSettings())


def test_a_pn532_that_answers_is_written_down_and_one_that_does_not_is_not(
    companion: Command, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PCSCLITE_CSOCK_NAME", str(tmp_path / "nowhere"))
    with SimulatedPn532(tmp_path / "board") as board:
        computer = UsbComputer(tmp_path / "root")
        computer.plug("ttyUSB0", CH340, board.path)
        board.faults.hung = True
        assert companion("config", "--found", "--root", str(computer.root)).out.startswith("Nothing answers")
        board.faults.clear()
        assert companion("config", "--found", "--root", str(computer.root)).status == 0
    assert read_table(home / "table.toml") == TableSettings(readers=(Pn532Settings(),))


def test_where_nothing_answers_nothing_is_written(companion: Command, home: Path, tmp_path: Path) -> None:
    said = companion("config", "--found", "--root", str(Computer(tmp_path / "root").root))
    assert said.status == 0
    assert said.out.startswith("Nothing answers")
    assert not (home / "table.toml").exists()
