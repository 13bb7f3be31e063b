"""The emulator behaves as the chip does, shown with small programs (firmware/emulator/tests)."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from companion.devices.satellite.avr_emulator import Emulator, EmulatorError, PinChanged
from tests.firmware.tools import FIRMWARE, compiled, emulator_library

PROGRAMS = FIRMWARE / "emulator" / "tests"
BYTE_US = 40.0
"""Ten bits at 250 kBaud."""

Start = Callable[[str], Emulator]


@pytest.fixture(scope="module")
def library() -> Path:
    return emulator_library()


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("programs")
    for source in PROGRAMS.glob("*.c"):
        compiled(source, folder)
    return folder


@pytest.fixture
def start(library: Path, programs: Path) -> Iterator[Start]:
    """Switch a program on and let it get ready."""
    running: list[Emulator] = []

    def started(name: str) -> Emulator:
        running.append(Emulator(programs / f"{name}.elf", library))
        running[-1].run(2_000)
        return running[-1]

    yield started
    for each in running:
        each.close()


def said(emulator: Emulator) -> bytes:
    return bytes(byte for byte, _ in emulator.received())


# --- The line -------------------------------------------------------------------------------------------------


def test_a_byte_takes_ten_bits_each_way(start: Start) -> None:
    echo = start("echo")
    began = echo.now_us
    echo.send(b"a")
    echo.run(200)
    ((byte, at_us),) = echo.received()
    assert byte == ord("a")
    assert 2 * BYTE_US <= at_us - began <= 2 * BYTE_US + 5


def test_bytes_follow_one_another_without_a_gap_and_without_loss(start: Start) -> None:
    echo = start("echo")
    text = bytes(range(256)) * 4
    echo.send(text)
    echo.run(len(text) * BYTE_US + 1_000)
    received = echo.received()
    assert bytes(byte for byte, _ in received) == text
    gaps_us = [later - sooner for (_, sooner), (_, later) in pairwise(received)]
    assert all(abs(gap - BYTE_US) < 0.3 for gap in gaps_us)
    assert abs(sum(gaps_us) / len(gaps_us) - BYTE_US) < 0.01
    assert echo.counts().overruns == 0


def test_a_receiver_that_nothing_reads_keeps_two_bytes_and_one_in_its_shift_register(start: Start) -> None:
    slow = start("slow")
    slow.received()
    slow.send(b"abc")
    slow.run(3_000)
    assert said(slow) == b"\0a\0b\0c"
    assert slow.counts().overruns == 0


def test_the_fourth_byte_is_one_too_many_and_the_program_is_told_by_DOR(start: Start) -> None:
    slow = start("slow")
    slow.received()
    slow.send(b"abcdef")
    slow.run(3_000)
    assert said(slow) == b"\0a\0b\x08f"
    assert (slow.counts().overruns, slow.counts().overruns_seen) == (3, 1)


def test_a_line_of_another_speed_brings_nothing(library: Path, programs: Path) -> None:
    with Emulator(programs / "echo.elf", library, baud=115_200) as echo:
        echo.run(1_000)
        echo.send(b"hello")
        echo.run(2_000)
        assert echo.baud == 250_000
        assert said(echo) == b""
        assert echo.counts().wrong_speed == 5


def test_a_reset_does_not_stop_what_the_host_is_sending(start: Start) -> None:
    echo = start("echo")
    echo.send(bytes(range(100)))
    echo.run(1_000)
    echo.reset()
    echo.run(5_000)
    heard = said(echo)
    assert heard.startswith(bytes(range(23)))
    assert heard.endswith(bytes(range(27, 100)))


# --- The bus --------------------------------------------------------------------------------------------------


class Answering:
    """Two chips that answer with the byte before, and keep what they heard."""

    def __init__(self) -> None:
        self.heard: list[tuple[int, int, bool]] = []
        self.times: list[float] = []

    def __call__(self, chip: int, mosi: int, fresh: bool, now_us: float) -> int:
        self.heard.append((chip, mosi, fresh))
        self.times.append(now_us)
        return (mosi + chip + 1) & 0xFF


@pytest.fixture
def bus(start: Start) -> tuple[Emulator, Answering]:
    emulator, chips = start("bus"), Answering()
    emulator.connect([("B", 2), ("B", 1)], chips)
    emulator.watch(("D", 2))
    return emulator, chips


def command(emulator: Emulator, letters: bytes) -> bytes:
    emulator.send(letters)
    emulator.run(1_000)
    return said(emulator)


def lasted(edges: list[PinChanged]) -> list[float]:
    return [low.at_us - high.at_us for high, low in zip(edges[::2], edges[1::2], strict=True)]


def test_the_chip_that_is_selected_hears_every_byte_and_answers(bus: tuple[Emulator, Answering]) -> None:
    emulator, chips = bus
    assert command(emulator, b"01") == bytes([0x13, 0x35, 0x14, 0x36])
    assert chips.heard == [(0, 0x12, True), (0, 0x34, False), (1, 0x12, True), (1, 0x34, False)]
    counts = emulator.counts()
    assert counts.spi_bytes == 4
    wrong = counts.two_selected, counts.wrong_mode, counts.collisions, counts.cut_short, counts.select_unguarded
    assert wrong == (0, 0, 0, 0, 0)


@pytest.mark.parametrize(("letters", "byte_us"), [(b"0", 2.0), (b"f0", 1.0), (b"s0", 32.0), (b"sf0", 16.0)])
def test_a_byte_on_the_bus_takes_eight_of_its_clocks(
    bus: tuple[Emulator, Answering], letters: bytes, byte_us: float
) -> None:
    emulator, _ = bus
    command(emulator, letters)
    for took in lasted(emulator.edges()):
        assert byte_us <= took <= byte_us + 1.0


@pytest.mark.parametrize(
    ("letter", "name"),
    [
        (b"b", "two_selected"),
        (b"m0", "wrong_mode"),
        (b"c", "collisions"),
        (b"x", "cut_short"),
        (b"u", "select_unguarded"),
    ],
)
def test_what_is_wrong_on_the_bus_is_counted(bus: tuple[Emulator, Answering], letter: bytes, name: str) -> None:
    emulator, _ = bus
    command(emulator, letter)
    assert getattr(emulator.counts(), name) > 0


def test_what_a_chip_raises_ends_the_run_and_is_raised_again(start: Start) -> None:
    emulator = start("bus")

    def fails(*_: object) -> int:
        raise ZeroDivisionError("a bug in a chip")

    emulator.connect([("B", 2)], fails)
    emulator.send(b"0")
    with pytest.raises(ZeroDivisionError, match="a bug in a chip"):
        emulator.run(1_000)
    emulator.connect([("B", 2)], Answering())
    emulator.run(1_000)
    assert command(emulator, b"0") == bytes([0xFF, 0x35, 0x13, 0x35])


# --- Pins -----------------------------------------------------------------------------------------------------


def test_a_held_button_stays_held_whatever_is_written_to_its_port(start: Start) -> None:
    pins = start("pins")
    assert (pins.level(("D", 3)), pins.level(("D", 5))) == (True, True)
    pins.drive(("D", 3), False)
    pins.run(10)
    pins.watch(("D", 5))
    pins.run(10_000)
    assert pins.level(("D", 5)) is False
    assert pins.edges() == []
    pins.drive(("D", 3), None)
    pins.run(10)
    assert pins.level(("D", 5)) is True


def test_a_held_button_is_still_held_after_a_reset(start: Start) -> None:
    pins = start("pins")
    pins.drive(("D", 3), False)
    pins.reset()
    assert pins.level(("D", 5)) is None
    pins.run(1_000)
    assert pins.level(("D", 5)) is False


def test_one_bit_can_be_toggled_without_the_others(start: Start) -> None:
    pins = start("pins")
    pins.watch(("D", 4))
    pins.run(100)
    assert len(pins.edges()) > 50
    assert pins.level(("D", 3)) is True


def test_a_button_in_a_matrix_is_seen_only_while_its_row_is_low(start: Start) -> None:
    pins = start("pins")
    pins.switch(("D", 3), ("D", 4), True)  # D4 is toggled all the time
    pins.watch(("D", 5))
    pins.run(100)
    assert len(pins.edges()) > 50
    pins.switch(("D", 3), ("D", 4), False)
    pins.run(10)
    pins.edges()
    pins.run(100)
    assert pins.edges() == []
    assert pins.level(("D", 5)) is True


def test_a_line_that_nothing_drives_is_low(start: Start) -> None:
    pins = start("pins")
    heard: list[bool] = []
    pins.listen(("D", 3), lambda level, _: heard.append(level))  # an input, and pulled up too weakly
    pins.run(20)
    assert heard == [False]


def test_who_listens_to_a_line_hears_of_every_change_and_its_error_is_raised(start: Start) -> None:
    pins = start("pins")
    heard: list[tuple[bool, float]] = []
    pins.listen(("D", 4), lambda level, now_us: heard.append((level, now_us)))
    pins.run(20)
    assert len(heard) > 10
    assert [level for level, _ in heard[:4]] in ([True, False] * 2, [False, True] * 2)

    def fails(*_: object) -> None:
        raise ZeroDivisionError

    pins.listen(("D", 4), fails)
    with pytest.raises(ZeroDivisionError):
        pins.run(20)


# --- Life and death -------------------------------------------------------------------------------------------


POWER_ON, EXTERNAL, WATCHDOG = 0x01, 0x02, 0x08


def test_eeprom_and_ram_outlive_a_reset_and_the_program_knows_its_cause(start: Start) -> None:
    life = start("life")
    life.run(10_000)
    assert said(life)[:2] == bytes([0, POWER_ON])  # 0xFF + 1
    life.reset()
    life.run(10_000)
    assert said(life) == bytes([1, EXTERNAL, 0x42])
    assert life.read_eeprom(7, 1) == b"\1"
    life.write_eeprom(7, b"\x63")
    life.reset()
    life.run(10_000)
    assert said(life) == bytes([0x64, EXTERNAL, 0x42])


def test_the_watchdog_starts_a_program_that_hangs_anew(start: Start) -> None:
    life = start("life")
    life.run(10_000)
    life.received()
    life.send(b"w")
    life.run(40_000)
    assert said(life) == b""
    life.run(60_000)
    assert said(life) == bytes([1, WATCHDOG, 0x42])
    assert (life.counts().resets, life.counts().watchdog_resets) == (1, 1)


def test_a_program_can_be_made_to_hang_and_is_whole_again_after_a_reset(start: Start) -> None:
    life = start("life")
    life.run(10_000)
    life.received()
    life.hang()
    life.send(b"d")
    life.run(10_000)
    assert said(life) == b""
    life.reset()
    life.run(10_000)
    assert said(life) == bytes([1, EXTERNAL, 0x42])


@pytest.mark.parametrize("letter", [b"i", b"j"])
def test_a_crash_is_an_error_and_a_reset_ends_it(start: Start, letter: bytes) -> None:
    life = start("life")
    life.run(10_000)
    life.send(letter)
    with pytest.raises(EmulatorError, match="crashed"):
        life.run(10_000)
    life.received()
    life.reset()
    life.run(10_000)
    assert said(life)[:2] == bytes([1, EXTERNAL])


def test_a_program_that_sleeps_for_ever_is_an_error(start: Start) -> None:
    life = start("life")
    life.run(10_000)
    life.send(b"s")
    with pytest.raises(EmulatorError, match="nothing can wake it"):
        life.run(10_000)


def test_the_stack_margin_shrinks_with_the_deepest_call(start: Start) -> None:
    life = start("life")
    life.run(10_000)
    before = life.stack_margin
    assert before > life.ram - life.static_ram - 40
    life.send(b"d")
    life.run(10_000)
    assert 9 * 64 < before - life.stack_margin < 9 * 90


def test_the_same_run_twice_is_the_same_to_the_cycle(start: Start) -> None:
    def one() -> list[tuple[int, float]]:
        echo = start("echo")
        echo.send(b"the same again")
        echo.run(5_000)
        return echo.received()

    assert one() == one()


def test_what_is_no_program_is_refused_with_its_name(library: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.elf"
    with pytest.raises(EmulatorError, match="there is no program"):
        Emulator(wrong, library)
    wrong.write_bytes(b"no ELF at all")
    with pytest.raises(EmulatorError, match=r"wrong\.elf"):
        Emulator(wrong, library)


def test_without_the_library_it_says_how_to_build_it(tmp_path: Path) -> None:
    with pytest.raises(EmulatorError, match="make emulator"):
        Emulator(tmp_path, tmp_path / "nothing.so")
