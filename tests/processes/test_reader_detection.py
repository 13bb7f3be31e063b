"""A reader is plugged in: found without being touched, asked when a user agrees, and in table.toml from then on."""

from pathlib import Path

import pytest

from companion.config import read_table
from companion.devices.pcsc.settings import PcscSettings, lasting_name
from companion.devices.pcsc.simulated_reader import VirtualReader
from companion.devices.pn532.settings import Pn532Settings
from companion.devices.pn532.simulated_reader import SimulatedPn532
from companion.devices.reader_kinds import detected
from companion.devices.satellite.simulated_satellite import in_thread
from companion.devices.tag_field import ReaderError
from companion.errors import DeviceError
from companion.home.paths import home
from companion.messages.lobby import KitOffer, PluggedOffer
from companion.processes.reader_detection import adopt_reader
from companion.processes.screen_process import TableLobby
from companion.processes.simulation_settings import SimulationSettings
from tests.devices.usb_computer import ARDUINO, CH340, UsbComputer
from tests.pcsc import needs_pcscd


@pytest.fixture
def computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> UsbComputer:
    monkeypatch.setenv("PCSCLITE_CSOCK_NAME", str(tmp_path / "nowhere"))
    return UsbComputer(tmp_path / "root")


def test_without_a_reader_nothing_is_offered(computer: UsbComputer) -> None:
    computer.plug("ttyACM0", ARDUINO)
    assert detected(computer.root) is None
    assert TableLobby(SimulationSettings(), computer.root).plugged() is None
    with pytest.raises(DeviceError, match="no reader is plugged in any more"):
        adopt_reader(computer.root)


def test_a_converter_is_offered_as_what_it_is_and_nothing_is_said_to_it(computer: UsbComputer, tmp_path: Path) -> None:
    with SimulatedPn532(tmp_path / "board") as board:
        port = computer.plug("ttyUSB0", CH340, board.path, lasting="usb-1a86_A1-if00", number="A1")
        lobby = TableLobby(SimulationSettings(), computer.root)
        assert lobby.plugged() == PluggedOffer("CH340", is_certain=False)
        assert board.chip.commands == []
        lobby.adopt()
        assert read_table(home() / "table.toml").readers == (Pn532Settings(port=str(port)),)
        assert lobby.plugged() is None
        assert lobby.kits()[0] == KitOffer("one", simulated=False)


def test_a_reader_without_a_number_is_written_down_as_one_to_be_looked_for(
    computer: UsbComputer, tmp_path: Path
) -> None:
    """The name that it has in by-id is any CH340's, and it may be plugged into another socket tomorrow."""
    with SimulatedPn532(tmp_path / "board") as board:
        computer.plug("ttyUSB0", CH340, board.path, lasting="usb-1a86_USB_Serial-if00-port0")
        computer.call("dev/companion/socket-usb-0_1_1", computer.root / "dev/ttyUSB0")
        adopt_reader(computer.root)
    assert read_table(home() / "table.toml").readers == (Pn532Settings(),)


@pytest.mark.parametrize("name", ["dev/companion/socket-usb-0_1_2", "dev/serial/by-path/usb-0:1.2:1.0-port0"])
def test_beside_another_that_looks_alike_it_is_written_down_by_its_socket(
    computer: UsbComputer, tmp_path: Path, name: str
) -> None:
    with SimulatedPn532(tmp_path / "board") as board, in_thread(computer.converter("ttyUSB0", CH340)):
        reader = computer.plug("ttyUSB1", CH340, board.path, lasting="usb-1a86_USB_Serial-if00-port0")
        port = computer.call(name, reader)
        adopt_reader(computer.root)
    assert read_table(home() / "table.toml").readers == (Pn532Settings(port=str(port)),)


def test_what_does_not_answer_is_not_written_down(computer: UsbComputer, tmp_path: Path) -> None:
    with SimulatedPn532(tmp_path / "board") as board:
        board.faults.hung = True
        computer.plug("ttyUSB0", CH340, board.path)
        with pytest.raises(ReaderError, match="no PN532 answers"):
            adopt_reader(computer.root)
    assert not (home() / "table.toml").exists()


def test_a_port_that_another_program_has_is_not_offered(computer: UsbComputer) -> None:
    computer.opened_by(4711, computer.plug("ttyUSB0", CH340))
    assert detected(computer.root) is None


@pytest.mark.slow
def test_a_reader_behind_pcscd_is_certain_and_known_by_the_name_that_lasts(tmp_path: Path) -> None:
    needs_pcscd()
    with VirtualReader():
        lobby = TableLobby(SimulationSettings(), tmp_path)
        assert lobby.plugged() == PluggedOffer("Virtual PCD PICC 00 00", is_certain=True)
        lobby.adopt()
        assert read_table(home() / "table.toml").readers == (PcscSettings(name="Virtual PCD PICC"),)


@pytest.mark.parametrize(
    ("name", "lasting"),
    [
        ("ACS ACR122U PICC Interface 00 00", "ACS ACR122U PICC Interface"),
        ("ACS ACR122U PICC Interface (SN 1) 01 00", "ACS ACR122U PICC Interface (SN 1)"),
        ("NFC", "NFC"),
    ],
)
def test_the_numbers_of_pcscd_are_left_out(name: str, lasting: str) -> None:
    assert lasting_name(name) == lasting
