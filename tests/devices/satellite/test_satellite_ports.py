"""Finding the satellite among ports: which one, whose, and what is wrong in words that people can act upon."""

import asyncio
import errno
import os
import termios
import threading
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import serial

from companion.devices.satellite import driver, wire
from companion.devices.satellite import line as line_module
from companion.devices.satellite.driver import Satellite
from companion.devices.satellite.line import UNSENT_LIMIT, SerialLine
from companion.devices.satellite.simulated_satellite import SimulatedSatellite
from companion.devices.serial_port import LineError, line_trouble, open_port
from companion.table.signals import Connecting, LinkDown, LinkUp
from companion.troubles import LineTrouble, PadTrouble, SatelliteTrouble
from tests.devices.hasty import hastily, now_ms, until
from tests.devices.satellite.satellite_table import PADS, running
from tests.devices.usb_computer import ARDUINO, CH340, UsbComputer


class Stranger:
    """Something with a serial line that is no satellite: it keeps what it is told and says nothing."""

    def __init__(self, path: Path) -> None:
        self._ends: tuple[int, ...] = os.openpty()
        self._own, self._hosts = self._ends
        tty.setraw(self._hosts)
        settings = termios.tcgetattr(self._hosts)
        settings[2] |= termios.HUPCL  # as on a real line
        termios.tcsetattr(self._hosts, termios.TCSANOW, settings)
        os.set_blocking(self._own, False)
        self.path = path
        path.symlink_to(os.ttyname(self._hosts))

    def heard(self) -> bytes:
        try:
            return os.read(self._own, 65536)
        except BlockingIOError:
            return b""

    def close(self) -> None:
        """Twice is as good as once."""
        for end in self._ends:
            os.close(end)
        self._ends = ()


@contextmanager
def stranger(path: Path) -> Iterator[Stranger]:
    found = Stranger(path)
    try:
        yield found
    finally:
        found.close()
        path.unlink()


# --- A port that is named -------------------------------------------------------------------------------------


def test_a_port_that_is_not_there_yet_is_unplugged_and_found_when_it_comes(tmp_path: Path):
    async def evening() -> None:
        late = SimulatedSatellite(tmp_path / "late")
        async with running(Satellite(PADS, str(late.path), clock=now_ms)) as told:
            await told.becomes(LineTrouble.UNPLUGGED)
            await asyncio.sleep(30)
            assert [type(signal) for signal in told.signals] == [*[Connecting] * 5, *[LinkDown] * 5]
            plugged_ms = now_ms()
            async with late:
                await told.becomes("ready")
                assert now_ms() - plugged_ms <= driver.REST_MS[1] + 1000

    hastily(evening())


def test_a_port_that_comes_is_told_before_anything_has_answered(tmp_path: Path):
    async def evening() -> None:
        async with running(Satellite(PADS, str(tmp_path / "late"), clock=now_ms)) as told:
            await told.becomes(LineTrouble.UNPLUGGED)
            with stranger(tmp_path / "late"):
                await told.becomes("connecting")
                await told.becomes(SatelliteTrouble.NO_ANSWER)
                told.forget()
                await asyncio.sleep(20)
                assert told.signals == [], "who does not answer is no news"

    hastily(evening())


def test_a_port_in_use_by_another_program_is_left_to_it(tmp_path: Path):
    async def evening() -> None:
        async with SimulatedSatellite(tmp_path / "satellite") as simulated:
            other = serial.Serial(str(simulated.path), exclusive=True)
            async with running(Satellite(PADS, str(simulated.path), clock=now_ms)) as told:
                await told.becomes(LineTrouble.IN_USE)
                other.close()
                await told.becomes("ready")
                assert told.problems == [LineTrouble.IN_USE]

    hastily(evening())


def test_while_a_satellite_is_used_nothing_else_gets_its_port(tmp_path: Path):
    async def evening() -> None:
        async with SimulatedSatellite(tmp_path / "satellite") as simulated:
            async with running(Satellite(PADS, str(simulated.path), clock=now_ms)) as told:
                await told.becomes("ready")
                with pytest.raises(serial.SerialException, match="exclusively lock"):
                    serial.Serial(str(simulated.path), exclusive=True)
            serial.Serial(str(simulated.path), exclusive=True).close()

    hastily(evening())


@pytest.mark.parametrize("name", ["a file", "a folder"])
def test_a_port_that_is_no_serial_line_is_told(tmp_path: Path, name: str):
    (tmp_path / "a file").write_text("hello")
    (tmp_path / "a folder").mkdir()

    async def evening() -> None:
        with pytest.raises(LineError, match=f"{name}: not a serial line; name the right port"):
            await SerialLine.open(str(tmp_path / name))

    hastily(evening())
    assert (tmp_path / "a file").read_text() == "hello"


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (serial.SerialException(errno.EACCES, "could not open"), LineTrouble.NO_PERMISSION),
        (serial.SerialException(errno.EPERM, "could not open"), LineTrouble.NO_PERMISSION),
        (serial.SerialException(errno.ENOENT, "could not open"), LineTrouble.UNPLUGGED),
        (serial.SerialException(errno.EBUSY, "could not open"), LineTrouble.IN_USE),
        (serial.SerialException(errno.EAGAIN, "could not lock"), LineTrouble.IN_USE),
        (termios.error(errno.EIO, "Input/output error"), LineTrouble.UNPLUGGED),
        (serial.SerialException("something else"), LineTrouble.CANNOT_OPEN),
        (OSError(errno.EMFILE, "too many open files"), LineTrouble.CANNOT_OPEN),
        (ValueError("no such baud rate"), LineTrouble.CANNOT_OPEN),
    ],
)
def test_what_the_library_says_becomes_one_of_our_words(error: Exception, problem: LineTrouble):
    assert line_trouble(error) == problem
    assert problem.remedy in str(LineError("/dev/ttyUSB0", problem))


@contextmanager
def other_user() -> Iterator[None]:
    """Root may open everything, so for a while we are another user."""
    own = os.geteuid()
    if own == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(own)


def test_a_port_without_permission_is_told_with_what_to_do(tmp_path: Path):
    (tmp_path / "closed").touch(mode=0)

    async def evening() -> None:
        with other_user(), pytest.raises(LineError, match=r"closed: no permission; .* dialout"):
            await SerialLine.open(str(tmp_path / "closed"))

    hastily(evening())


# --- Whose it is ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("identity", "problem"),
    [
        ({"version": 0}, SatelliteTrouble.TOO_OLD),
        ({"version": 2}, SatelliteTrouble.TOO_NEW),
        ({"serial": 5}, SatelliteTrouble.ANOTHER),
    ],
)
def test_a_satellite_that_will_not_do_is_told_once_and_asked_again(
    tmp_path: Path, identity: dict[str, int], problem: str
):
    async def evening() -> None:
        simulated = SimulatedSatellite(tmp_path / "satellite", **{"serial": 77, **identity})
        async with simulated, running(Satellite(PADS, str(simulated.path), 77, clock=now_ms)) as told:
            await told.becomes(problem)
            await asyncio.sleep(20)
            assert told.problems == [problem]
            simulated.reset(version=wire.VERSION, serial=77)
            await told.becomes("ready")
            assert [type(signal) for signal in told.signals[10:]] == [*[Connecting] * 5, *[LinkUp] * 5]

    hastily(evening())


def test_a_pad_that_this_satellite_does_not_have_is_told_and_the_others_work(tmp_path: Path):
    async def evening() -> None:
        simulated = SimulatedSatellite(tmp_path / "satellite", pads=3)
        async with simulated, running(Satellite(PADS, str(simulated.path), clock=now_ms)) as told:
            await told.becomes("ready", ["pad0", "pad1", "pad2"])
            await told.becomes(PadTrouble.NO_PAD, ["pad3", "pad4"])

    hastily(evening())


# --- A port that is looked for --------------------------------------------------------------------------------


def test_the_satellite_is_found_among_strangers_and_they_are_left_alone(tmp_path: Path):
    async def evening() -> None:
        computer = UsbComputer(tmp_path)
        simulated = SimulatedSatellite(computer.converter("ttyUSB1", CH340))
        with stranger(computer.converter("ttyUSB0", CH340)) as other:
            async with running(Satellite(PADS, root=tmp_path, clock=now_ms)) as told:
                await told.becomes(SatelliteTrouble.NO_ANSWER)
                assert wire.from_host(wire.unframe(other.heard().split(b"\0")[1])).version == wire.VERSION
                async with simulated:
                    await told.becomes("ready")
                    other.heard()
                    await asyncio.sleep(70)
                    assert other.heard() == b"", "with its satellite the host asks no other port"

    hastily(evening())


def test_whatever_does_not_answer_is_asked_less_and_less_often_until_it_is_plugged_in_anew(tmp_path: Path):
    async def evening() -> None:
        port = UsbComputer(tmp_path).converter("ttyACM0", ARDUINO)
        async with running(Satellite(PADS, root=tmp_path, clock=now_ms)) as told:
            with stranger(port) as other:
                await told.becomes(SatelliteTrouble.NO_ANSWER)
                first = len(other.heard())
                await asyncio.sleep(600)
                later = len(other.heard())
                assert first <= later <= 14 * first, "about ten seconds of every minute at first, then every one"
            await told.becomes(LineTrouble.UNPLUGGED)
            async with SimulatedSatellite(port):
                began_ms = now_ms()
                await told.becomes("ready")
                assert now_ms() - began_ms < driver.SHUN_MS[1] / 4

    hastily(evening(), stride_s=2.0)


def test_a_satellite_is_found_beside_a_converter_that_has_taken_its_name(tmp_path: Path):
    """All CH340 get the same name in by-id, and udev gives it to one of them."""

    async def evening() -> None:
        computer = UsbComputer(tmp_path)
        with stranger(computer.converter("ttyUSB1", CH340)) as other:
            computer.call("dev/serial/by-id/usb-1a86_USB_Serial-if00-port0", other.path)
            simulated = SimulatedSatellite(computer.converter("ttyUSB0", CH340))
            async with simulated, running(Satellite(PADS, root=tmp_path, clock=now_ms)) as told:
                await told.becomes("ready")

    hastily(evening())


def test_of_two_satellites_the_one_with_the_right_number_is_taken(tmp_path: Path):
    async def evening() -> None:
        ports = [UsbComputer(tmp_path).converter(name, CH340) for name in ("ttyUSB0", "ttyUSB1")]
        async with SimulatedSatellite(ports[0], serial=1), SimulatedSatellite(ports[1], serial=2):
            for number in (1, 2):
                async with running(Satellite(PADS, serial=number, root=tmp_path, clock=now_ms)) as told:
                    assert (await told.hears(LinkUp)).id.startswith(f"{number}.")
            async with running(Satellite(PADS, serial=3, root=tmp_path, clock=now_ms)) as told:
                await told.becomes(SatelliteTrouble.ANOTHER)

    hastily(evening())


def test_without_any_serial_line_it_is_unplugged(tmp_path: Path):
    async def evening() -> None:
        async with running(Satellite(PADS, root=tmp_path, clock=now_ms)) as told:
            await told.becomes(LineTrouble.UNPLUGGED)

    hastily(evening())


# --- The line -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("twice", [False, True])
def test_a_line_that_never_says_that_it_is_closed_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, twice: bool
) -> None:
    """As when everything is cancelled at once: nothing would look for the satellite any more."""
    monkeypatch.setattr(line_module, "CLOSE_S", 0.05)

    async def evening() -> None:
        with stranger(tmp_path / "hung"):
            line = await SerialLine.open(str(tmp_path / "hung"))
            assert line._transport is not None
            opened = line._transport.serial
            monkeypatch.setattr(line, "connection_lost", lambda _: None)
            for _ in range(2 if twice else 1):
                await asyncio.wait_for(line.close(), 10)
            await until(lambda: not opened.is_open)

    hastily(evening())


def test_a_line_that_hangs_when_it_is_closed_does_not_keep_the_program_from_ending(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_module, "CLOSE_S", 0.05)
    goes_on, closed = threading.Event(), threading.Event()

    async def evening() -> None:
        line = await SerialLine.open(str(tmp_path / "hung"))
        assert line._transport is not None
        close = line._transport.serial.close

        def hang() -> None:
            goes_on.wait(30)
            close()
            closed.set()

        monkeypatch.setattr(line._transport.serial, "close", hang)
        await line.close()

    with stranger(tmp_path / "hung"):
        hastily(evening())
        assert not closed.is_set()
        goes_on.set()
        assert closed.wait(30)


def test_a_line_that_nothing_reads_takes_no_more_than_a_little_and_never_blocks(tmp_path: Path):
    async def evening() -> None:
        with stranger(tmp_path / "hung"):
            line = await SerialLine.open(str(tmp_path / "hung"))
            for _ in range(1000):
                line.write(bytes(1000))
            assert line._transport is not None
            assert line._transport.get_write_buffer_size() < UNSENT_LIMIT + 1000
            await line.close()
            await line.close()

    hastily(evening())


def test_a_line_that_goes_while_something_is_written_is_unplugged_and_no_error_of_the_program(tmp_path: Path):
    async def evening() -> None:
        with stranger(tmp_path / "line") as other:
            line = await SerialLine.open(str(tmp_path / "line"))
            other.close()
            line.write(b"hello")
            with pytest.raises(LineError, match="unplugged; plug it in"):
                await line.read(1000)
            await line.close()

    hastily(evening())


def test_time_limits_that_are_set_later_do_not_touch_the_line(tmp_path: Path):
    """The transport sets some. The line may have gone by then, or its converter may hang."""
    with stranger(tmp_path / "line") as other:
        opened = open_port(str(tmp_path / "line"), wire.BAUD)
        other.close()
        opened.timeout = opened.write_timeout = 0
        opened.close()


def test_dtr_stays_as_it_is_when_the_line_is_closed(tmp_path: Path):
    """So a referee that dies and comes back does not reset the satellite, which keeps events for it."""

    async def evening() -> None:
        with stranger(tmp_path / "line") as other:
            line = await SerialLine.open(str(tmp_path / "line"))
            assert not termios.tcgetattr(other._hosts)[2] & termios.HUPCL
            await line.close()

    hastily(evening())


def test_a_line_whose_opener_has_been_cancelled_is_closed_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    opened: list[serial.Serial] = []
    monkeypatch.setattr(line_module, "open_port", lambda *at: opened.append(open_port(*at)) or opened[-1])

    async def evening() -> None:
        with stranger(tmp_path / "line"):
            opening = asyncio.create_task(SerialLine.open(str(tmp_path / "line")))
            await asyncio.sleep(0)
            opening.cancel()
            with pytest.raises(asyncio.CancelledError):
                await opening
            await until(lambda: bool(opened) and not opened[0].is_open)

    hastily(evening())


# --- A line whose opening hangs -------------------------------------------------------------------------------


class Hanging:
    """In place of `open_port`: the first ones who try hang until they are let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._let_go = threading.Event()
        self.tried = self.done = 0
        monkeypatch.setattr(line_module, "open_port", self._open)

    def _open(self, port: str, baud: int) -> serial.Serial:
        self.tried += 1
        self._let_go.wait(10)
        self.done += 1
        return open_port(port, baud)

    def let_go(self) -> None:
        self._let_go.set()


def test_a_line_that_hangs_is_told_and_tried_again_only_when_it_has_come_to_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    hanging = Hanging(monkeypatch)
    monkeypatch.setattr(line_module, "OPEN_S", 0.1)

    async def evening() -> None:
        path = tmp_path / "satellite"
        async with SimulatedSatellite(path), running(Satellite(PADS, str(path), clock=now_ms)) as told:
            await told.becomes(LineTrouble.CANNOT_OPEN)
            await asyncio.sleep(30)
            assert (hanging.tried, told.problems) == (1, [LineTrouble.CANNOT_OPEN])
            monkeypatch.setattr(line_module, "OPEN_S", 10)
            hanging.let_go()
            await told.becomes("ready")

    hastily(evening())


def test_a_line_that_hangs_does_not_keep_the_program_from_ending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    hanging = Hanging(monkeypatch)

    async def evening() -> None:
        running = asyncio.create_task(Satellite(PADS, str(tmp_path / "line")).run(lambda _: None))
        await until(lambda: hanging.tried > 0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    with stranger(tmp_path / "line"):
        asyncio.run(evening())
        assert (hanging.tried, hanging.done) == (1, 0)
        hanging.let_go()
        for thread in threading.enumerate():
            if thread.name == "a line":
                thread.join()
        assert hanging.done == 1
