"""A PN532 is found among whatever else is plugged in, and nothing else is disturbed."""

import asyncio
import os
import tty
from collections.abc import Callable
from functools import reduce
from itertools import pairwise
from operator import xor
from pathlib import Path

import pytest

from companion.config import TableSettings
from companion.devices.pn532.commands import DIAGNOSE, ECHO, TOKENS, Pn532Link
from companion.devices.pn532.driver import Pn532, awake
from companion.devices.pn532.frames import command_frame
from companion.devices.pn532.ports import NAMED_SHUN_S, SHUN_S, Pn532Finder, pn532_on
from companion.devices.pn532.settings import Pn532Settings
from companion.devices.pn532.simulated_reader import SimulatedPn532
from companion.devices.pn532.source_readings import Pn532Reading
from companion.devices.satellite.simulated_satellite import in_thread
from companion.devices.satellite.wire import Splitter
from companion.devices.simulated.tags import Ntag
from companion.devices.tag_field import ReaderError
from companion.devices.usb_ports import is_open_elsewhere, usb_ports
from companion.processes.table_devices import equipment
from companion.table.signals import LinkUp, ReaderFault, TagFound, TagPlaced, TagRemoved
from companion.troubles import LineTrouble, Pn532Trouble
from tests.devices.pi import ANNA, BEN
from tests.devices.pn532.pn532_table import Pn532Bench
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


class Silent:
    """A line at whose other end something listens and never answers. It has a clock: waiting takes time."""

    def __init__(self) -> None:
        self.heard = bytearray()
        self._now_s = 0.0

    def clock(self) -> float:
        return self._now_s

    def sleep(self, seconds: float) -> None:
        self._now_s += seconds

    def opened(self, at: list[float]) -> Callable[[str], "Silent"]:
        """The way to open it, which notes when."""

        def open_line(_: str) -> "Silent":
            at.append(self._now_s)
            return self

        return open_line

    def write(self, data: bytes) -> None:
        self.heard += data

    def read(self, within_s: float) -> bytes:
        self.sleep(within_s + 1e-6)
        return b""

    def close(self) -> None:
        """There is nothing to close."""


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


def test_a_port_that_another_program_has_open_is_known(computer: UsbComputer) -> None:
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
    asked: list[float] = []
    stranger = Silent()
    computer.plug("ttyUSB0", CH340)
    finder = Pn532Finder(computer.root, stranger.opened(asked), stranger.clock)
    while stranger.clock() < 1000.0:
        with pytest.raises(ReaderError) as told:
            finder()
        assert told.value.problem is Pn532Trouble.NO_PN532
        stranger.sleep(0.5)
    assert not {0x0A, 0x0D, 0x03, 0x04, 0x1B} & set(stranger.heard)
    pauses = [round(later - earlier) for earlier, later in pairwise(asked)]
    assert pauses == pytest.approx([5, 10, 20, 40, 80, 160, 320], abs=3), "one attempt takes two seconds"
    assert SHUN_S == (5.0, 600.0)


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
        pn532_on(str(tmp_path / "nowhere"))()
    with SimulatedPn532(tmp_path / "board") as board:
        reader = pn532_on(str(board.path))()
        assert reader.version == "1.6"
        reader.close()


def test_a_named_port_without_a_pn532_is_left_alone_for_a_while_and_named_in_the_trouble(tmp_path: Path) -> None:
    """A reader that fails is tried again twice a second; a wrong port would be opened as often."""
    asked: list[float] = []
    stranger = Silent()
    port = tmp_path / "ttyUSB0"
    port.write_bytes(b"")
    finder = Pn532Finder(open_line=stranger.opened(asked), clock=stranger.clock, named=str(port))
    while stranger.clock() < 120.0:
        with pytest.raises(ReaderError, match=r"no PN532 answers on the port in table\.toml; check the port") as told:
            Pn532(finder)
        assert told.value.problem is Pn532Trouble.WRONG_PORT
        stranger.sleep(0.5)
    pauses = [round(later - earlier) for earlier, later in pairwise(asked)]
    assert pauses == pytest.approx([5, 10, 20, NAMED_SHUN_S, NAMED_SHUN_S], abs=3)


def test_what_is_plugged_into_a_named_port_instead_is_asked_at_once(tmp_path: Path) -> None:
    port = tmp_path / "ttyUSB0"
    finder = Pn532Finder(named=str(port))
    with Stranger() as stranger:
        port.symlink_to(stranger.path)
        with pytest.raises(ReaderError):
            Pn532(finder)
    port.unlink()
    with SimulatedPn532(tmp_path / "board") as board:
        port.symlink_to(board.path)
        Pn532(finder).close()


@pytest.mark.parametrize("start_us", [0, 100_000, 500_000])
@pytest.mark.parametrize("dtr", ["nothing", "resets once", "resets always"])
def test_a_chip_that_is_reset_when_its_port_is_opened_is_found_at_the_first_attempt(dtr: str, start_us: int) -> None:
    bench = Pn532Bench(Pn532Reading(dtr=dtr, start_us=start_us))
    reader = bench.open()
    assert reader.version == "1.6"
    bench.lay(ANNA)
    assert reader.inventory(()).seen == (ANNA,)
    reader.restart()
    assert reader.inventory((ANNA,)).seen == (ANNA,)


# --- What strangers hear --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def probes() -> list[bytes]:
    """All that something hears that is asked forty times, by each of the numbers that are to be echoed."""
    heard = []
    for _ in range(2):
        line = Silent()
        link = Pn532Link(line, "a stranger", line.clock)
        for _ in range(20):
            with pytest.raises(ReaderError):
                awake(link)
        heard.append(bytes(line.heard))
    assert {token for token in TOKENS if ECHO + bytes([token]) in heard[0]} == set(TOKENS)
    return heard


class _Znp:
    """What TI's Zigbee sticks make of bytes (Z-Stack Monitor and Test API, 2.1): FE, length, two bytes of command,
    data, and the exclusive or of all but the first as a check."""

    def __init__(self) -> None:
        self._frame = bytearray()
        self.frames: list[bytes] = []

    @property
    def is_half_way(self) -> bool:
        return bool(self._frame)

    def feed(self, data: bytes) -> None:
        for octet in data:
            if self._frame or octet == 0xFE:
                self._frame.append(octet)
            if len(self._frame) > 1 and len(self._frame) == self._frame[1] + 5:
                if reduce(xor, self._frame[1:]) == 0:
                    self.frames.append(bytes(self._frame))
                self._frame.clear()


def test_the_small_parser_of_zigbee_frames_knows_one() -> None:
    znp = _Znp()
    znp.feed(bytes.fromhex("00FE0021012000FE0021022300"))
    assert znp.frames == [bytes.fromhex("FE00210120"), bytes.fromhex("FE00210223")]  # SYS_PING, SYS_VERSION
    znp.feed(command_frame(0x02))
    assert znp.is_half_way, "GetFirmwareVersion would begin a frame, which swallows 212 bytes of others"


def test_a_zigbee_stick_of_ti_hears_no_frame_and_is_left_half_way_in_none(probes: list[bytes]) -> None:
    for heard in probes:
        znp = _Znp()
        znp.feed(heard)
        assert (znp.frames, znp.is_half_way) == ([], False)
        znp.feed(bytes.fromhex("FE00210120"))
        assert len(znp.frames) == 1, "the owner of the stick is heard at once"


def test_no_byte_means_something_to_printers_prompts_modems_and_other_framed_protocols(probes: list[bytes]) -> None:
    """Line ends and keys that interrupt; 7E, 7D, 11, 13, 18, 1A (Silicon Labs' ASH, XBee, PPP); C0, DB (SLIP)."""
    forbidden = bytes.fromhex("0304 0A0D1B 7E7D1113181A C0DB FE")
    for heard in probes:
        assert not set(forbidden) & set(heard)
        assert {chr(octet) for octet in heard if 0x20 <= octet < 0x7F} == {"U"}
    assert 0x05 not in command_frame(DIAGNOSE, ECHO + bytes([TOKENS[0]])), "the first question begins no pasting"


def test_a_satellite_and_a_reader_that_sends_lines_hear_nothing_they_understand(probes: list[bytes]) -> None:
    for heard in probes:
        assert Splitter().feed(heard) == []
        assert heard.splitlines() == [heard]
        assert b"SCAN" not in heard


# --- At the table ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_reader_of_table_toml_works_in_real_time_with_the_real_pyserial(tmp_path: Path) -> None:
    async def evening() -> None:
        with SimulatedPn532(tmp_path / "board") as board:
            anna, ben = Ntag(ANNA), Ntag(BEN)
            board.field.place(anna)
            (reader,) = equipment(TableSettings(readers=(Pn532Settings(station="pad2", port=str(board.path)),)))
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
