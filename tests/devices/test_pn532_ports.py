"""A PN532 is found among whatever else is plugged in, and nobody else is disturbed."""

import asyncio
import os
import tty
from pathlib import Path

import pytest

from companion.config import ReaderSettings, TableSettings
from companion.devices.field import ReaderError
from companion.devices.plugged import is_open_elsewhere, usb_ports
from companion.devices.pn532 import Pn532
from companion.devices.pn532_ports import SHUN_S, Pn532Finder, open_link, pn532_on
from companion.services.equipment import equipment
from companion.simulation.hardware.pn532 import SimulatedPn532
from companion.simulation.hardware.satellite import in_thread
from companion.simulation.hardware.tags import Ntag
from companion.table.signals import LinkUp, ReaderFault, TagFound, TagPlaced, TagRemoved
from companion.troubles import LineTrouble, Pn532Trouble
from tests.devices.pi import ANNA, BEN
from tests.devices.test_reader_device import running
from tests.devices.usb_computer import ARDUINO, CH340, CP2102, UsbComputer


@pytest.fixture
def computer(tmp_path: Path) -> UsbComputer:
    return UsbComputer(tmp_path / "root")


END = b"<that is all>"


class Stranger:
    """Something at the other end of a port that never answers, and what it has heard."""

    def __enter__(self) -> "Stranger":
        self._own, self._hosts = os.openpty()
        tty.setraw(self._hosts)
        self.path = Path(os.ttyname(self._hosts))
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._own)
        os.close(self._hosts)

    def heard(self) -> bytes:
        """All of it: what the kernel still carries comes before a word of our own, sent down the same line."""
        os.write(self._hosts, END)
        heard = b""
        while not heard.endswith(END):
            heard += os.read(self._own, 4096)
        return heard.removesuffix(END)


# --- What is plugged in ---------------------------------------------------------------------------------------


def test_ports_are_listed_by_what_they_are_on_and_by_the_name_that_lasts(computer: UsbComputer) -> None:
    computer.plug("ttyUSB0", CH340, lasting="usb-1a86_A10K-if00-port0", number="A10K")
    computer.plug("ttyACM0", ARDUINO)
    (computer.root / "dev/ttyS0").write_bytes(b"")
    (computer.root / "sys/class/tty/ttyS0").mkdir()
    told = {Path(port.path).name: port.bridge for port in usb_ports(computer.root)}
    assert told == {"ttyACM0": "", "usb-1a86_A10K-if00-port0": "CH340"}


def test_our_own_names_come_before_those_that_every_linux_has(computer: UsbComputer) -> None:
    port = computer.plug("ttyUSB0", CP2102, lasting="usb-CP2102_A10K-if00-port0", number="A10K")
    computer.call("dev/serial/by-path/usb-0:1.1:1.0-port0", port)
    ours = computer.call("dev/companion/number-A10K", port)
    (found,) = usb_ports(computer.root)
    assert (found.path, found.is_numbered) == (str(ours), True)


@pytest.mark.parametrize(("ids", "number"), [(CH340, ""), (CP2102, "0001"), (CP2102, "A10K")])
def test_converters_that_look_alike_are_known_by_their_sockets(
    computer: UsbComputer, ids: tuple[int, int], number: str
) -> None:
    sockets = []
    for name in ("ttyUSB0", "ttyUSB1"):
        port = computer.plug(name, ids, lasting="usb-all-of-them", number=number)
        computer.call(f"dev/companion/number-{number}", port)
        sockets.append(computer.call(f"dev/serial/by-path/usb-{name}", computer.root / "dev" / name))
    found = usb_ports(computer.root)
    assert [(port.path, port.is_numbered) for port in found] == [(str(socket), False) for socket in sockets]


def test_a_number_that_every_cp2102_comes_with_is_no_name_even_of_the_only_one(computer: UsbComputer) -> None:
    port = computer.plug("ttyUSB0", CP2102, lasting="usb-CP2102_0001-if00-port0", number="0001")
    socket = computer.call("dev/companion/socket-usb-0_1_1", port)
    assert [each.path for each in usb_ports(computer.root)] == [str(socket)]


def test_a_computer_without_anything_is_told_so(tmp_path: Path) -> None:
    assert usb_ports(tmp_path) == []
    with pytest.raises(ReaderError) as told:
        Pn532Finder(tmp_path)()
    assert told.value.problem is LineTrouble.UNPLUGGED


def test_a_port_that_somebody_has_open_is_known(computer: UsbComputer) -> None:
    port = computer.plug("ttyUSB0", CH340)
    assert not is_open_elsewhere(str(port), computer.root)
    computer.opened_by(os.getpid(), port)
    assert not is_open_elsewhere(str(port), computer.root), "it is us"
    computer.opened_by(4711, port)
    assert is_open_elsewhere(str(port), computer.root)


# --- Finding it -----------------------------------------------------------------------------------------------


def test_it_is_found_on_the_port_that_it_is_on(computer: UsbComputer, tmp_path: Path) -> None:
    with SimulatedPn532(tmp_path / "board") as board, Stranger() as stranger:
        computer.plug("ttyUSB0", CH340, stranger.path)
        computer.plug("ttyUSB1", CH340, board.path)
        finder = Pn532Finder(computer.root)
        reader = Pn532(finder)
        assert reader.version == "1.6"
        assert finder.port.endswith("ttyUSB1")
        reader.close()


def test_what_is_not_on_such_a_converter_is_never_opened(computer: UsbComputer, tmp_path: Path) -> None:
    with Stranger() as stranger:
        computer.plug("ttyACM0", ARDUINO, stranger.path)
        with pytest.raises(ReaderError) as told:
            Pn532Finder(computer.root, open_line=lambda port: pytest.fail(f"{port} was opened"))()
        assert told.value.problem is LineTrouble.UNPLUGGED
        assert stranger.heard() == b""


def test_a_port_that_another_program_has_open_is_left_alone(computer: UsbComputer, tmp_path: Path) -> None:
    with Stranger() as stranger:
        computer.opened_by(4711, computer.plug("ttyUSB0", CH340, stranger.path))
        with pytest.raises(ReaderError) as told:
            Pn532Finder(computer.root)()
        assert told.value.problem is LineTrouble.IN_USE
        assert stranger.heard() == b""


def test_who_does_not_answer_hears_no_end_of_a_line_and_is_left_alone_for_longer_and_longer(
    computer: UsbComputer,
) -> None:
    now = [0.0]
    asked = []
    with Stranger() as stranger:
        computer.plug("ttyUSB0", CH340, stranger.path)
        finder = Pn532Finder(computer.root, clock=lambda: now[0])
        for _ in range(200):
            with pytest.raises(ReaderError) as told:
                finder()
            assert told.value.problem is Pn532Trouble.NO_PN532
            if heard := stranger.heard():
                asked.append(now[0])
                assert not {0x0A, 0x0D, 0x03, 0x04, 0x1B} & set(heard)
            now[0] += SHUN_S[0]
    assert asked == [0.0, 5.0, 15.0, 35.0, 75.0, 155.0, 315.0, 635.0]


def test_a_satellite_on_the_same_kind_of_converter_is_not_hurt(computer: UsbComputer, tmp_path: Path) -> None:
    with in_thread(tmp_path / "satellite") as satellite:
        computer.plug("ttyUSB0", CH340, tmp_path / "satellite")
        with pytest.raises(ReaderError) as told:
            Pn532Finder(computer.root)()
        assert told.value.problem is Pn532Trouble.NO_PN532
        satellite.do(lambda simulated: simulated.pads[0].press("green"))


def test_what_is_plugged_in_later_is_asked_at_once(computer: UsbComputer, tmp_path: Path) -> None:
    finder = Pn532Finder(computer.root)
    with pytest.raises(ReaderError):
        finder()
    with SimulatedPn532(tmp_path / "board") as board:
        computer.plug("ttyUSB7", CH340, board.path)
        finder().close()


def test_a_port_that_is_named_is_asked_and_no_other(tmp_path: Path) -> None:
    with pytest.raises(ReaderError, match=r"/nowhere: unplugged; plug it in"):
        open_link(str(tmp_path / "nowhere"))
    with SimulatedPn532(tmp_path / "board") as board:
        reader = pn532_on(str(board.path))()
        assert reader.version == "1.6"
        reader.close()


# --- At the table ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_reader_of_table_toml_works_in_real_time_with_the_real_pyserial(tmp_path: Path) -> None:
    async def evening() -> None:
        with SimulatedPn532(tmp_path / "board") as board:
            anna, ben = Ntag(ANNA), Ntag(BEN)
            board.field.place(anna)
            (reader,) = equipment(
                TableSettings(readers=(ReaderSettings(kind="pn532", station="pad2", port=str(board.path)),))
            )
            async with running(reader) as ears:  # type: ignore[arg-type]
                assert (await ears.hear(TagFound, "pad2")).uid == ANNA.hex().upper()
                await ears.hear(LinkUp, "pad2")
                board.field.place(ben)
                assert (await ears.hear(TagPlaced, "pad2")).uid == BEN.hex().upper()
                board.unplug()
                while (await ears.hear(ReaderFault, "pad2")).problem != LineTrouble.UNPLUGGED:
                    pass  # on a busy machine a chip may be late as well
                board.field.lift(ben)
                board.plug()
                assert (await ears.hear(TagRemoved, "pad2")).uid == BEN.hex().upper()
                await ears.hear(LinkUp, "pad2")

    asyncio.run(evening())
