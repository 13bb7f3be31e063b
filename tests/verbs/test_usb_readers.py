"""The command line with a reader on USB: a demo on it, and what is written on stickers with it."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.devices.pcsc.simulated_reader import VirtualReader
from companion.devices.pn532.simulated_reader import SimulatedPn532
from companion.devices.simulated.tags import Ntag
from companion.errors import LinkError
from companion.gamekit.game import Thing
from companion.games.lascaux.rules.engine import Choose
from companion.home.paths import pack_path
from companion.home.tag_packs import store_pack
from companion.journal import evening_folder
from companion.messages.lobby import GamePlan
from companion.processes import evenings
from companion.processes.evenings import begin_evening
from companion.processes.fault_console import _answer, _connected
from companion.table.pieces import Pack
from tests.pcsc import needs_pcscd
from tests.verbs.command import Command

ONE, WHITE = "04A1B2C3D4E5F6", Thing("marker", "white", 2)


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


# --- Stickers -------------------------------------------------------------------------------------------------


def written(command: Command) -> None:
    told = command("tags", "write", "lascaux")
    assert told.out.splitlines()[-1].startswith("1 of 1 tag "), told
    assert (told.status, told.err) == (0, "")
    assert "does not answer" not in told.out
    assert "written before" in command("tags", "write", "lascaux").out


def test_stickers_are_written_with_a_pn532(command: Command, home: Path, tmp_path: Path) -> None:
    store_pack(pack_path("lascaux"), Pack({ONE: WHITE}))
    with SimulatedPn532(tmp_path / "pn532") as board:
        (home / "table.toml").write_text(f'[[reader]]\nkind = "pn532"\nport = "{board.path}"\n')
        sticker = Ntag(bytes.fromhex(ONE))
        board.field.place(sticker)
        written(command)
    assert b"companion:2;" in sticker.memory
    assert b"white" not in sticker.memory, "a neighbour's phone could read it"


@pytest.mark.slow
def test_stickers_are_written_behind_pcscd(command: Command, home: Path) -> None:
    needs_pcscd()
    store_pack(pack_path("lascaux"), Pack({ONE: WHITE}))
    (home / "table.toml").write_text('[[reader]]\nkind = "pcsc"\n')
    with VirtualReader() as reader:
        reader.field.place(Ntag(bytes.fromhex(ONE)))
        written(command)


# --- The demo -------------------------------------------------------------------------------------------------


def test_a_demo_on_a_usb_reader_is_one_for_kit_one(command: Command) -> None:
    told = command("demo", "--drivers", "pn532", "--kit", "full")
    assert told.status == 2
    assert "--drivers pn532 plays on one reader: leave out --kit, or say --kit one" in told.err
    assert "--drivers: 'nfc' is not one of pi, pcsc, pn532" in command("demo", "--drivers", "nfc").err
    assert "--headless tells a game without hardware" in command("demo", "--headless", "--drivers", "pcsc").err


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pn532", "pcsc"])
def test_a_referee_plays_on_it_and_faults_can_be_typed(kind: str, home: Path) -> None:
    """What `companion demo --drivers` starts, without its screen."""
    if kind == "pcsc":
        needs_pcscd()
    path = begin_evening(GamePlan("lascaux", ("Anna", "Ben", "Cleo"), (0, 1, 2), kit="one"))
    words = ["table", "--evening", str(path), "--through", kind, "--speed", "50", "--seed", "1"]
    referee = subprocess.Popen([sys.executable, "-m", "companion", *words], stderr=subprocess.PIPE)
    try:
        with connected() as line:
            assert _answer(line) == b"lascaux with Anna, Ben, Cleo"
            for typed, answer in {"centre weak": b"done", "centre well": b"done", "centre what": b"Unknown"}.items():
                line.sendall(f"{typed}\n".encode())
                assert _answer(line).startswith(answer)
        assert referee.poll() is None
    finally:
        referee.terminate()
        referee.communicate()


@pytest.mark.slow
def test_a_person_plays_on_a_simulated_usb_reader_by_tapping_pieces(home: Path) -> None:
    """What `companion play --drivers pn532` starts, without its screen; `companion faults` taps."""
    path = begin_evening(GamePlan("lascaux", ("Anna", "Ben", "Cleo"), (1, 2), kit="one"))
    words = ["table", "--evening", str(path), "--through", "pn532", "--speed", "50", "--seed", "1"]
    referee = subprocess.Popen([sys.executable, "-m", "companion", *words], stderr=subprocess.PIPE)

    def said(typed: str) -> str:
        line.sendall(f"{typed}\n".encode())
        return _answer(line).decode()

    try:
        with connected() as line:
            assert _answer(line) == b"lascaux with Anna, Ben, Cleo"
            pieces = said("pieces").splitlines()
            assert "marker white 1" in pieces
            assert said("centre tap marker mauve 1") == "there is no such piece; `pieces` lists them"
            assert said("pad4 tap marker white 1") == "there is no reader 'pad4'; there is centre"
            drawn = next(piece for piece in pieces if piece.startswith("card "))
            tap_until(said, drawn, lambda: has_chosen(path, 1))  # the game begins, and simulated hands draw the rest
            tap_until(said, "marker white 1", lambda: has_chosen(path, 0))
    finally:
        referee.terminate()
        referee.communicate()


def has_chosen(path: Path, seat: int) -> bool:
    played = evening_folder.recall(path).evening.played_game.played
    return any(isinstance(each.action, Choose) and each.action.seat == seat for each in played)


def tap_until(say: Callable[[str], str], piece: str, is_so: Callable[[], bool]) -> None:
    """A reader that is still connecting misses a tap: then it is tapped again, as people do."""
    until = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < until, "no tap was understood"
        assert say(f"centre tap {piece}") == "done"
        seen = time.monotonic() + 3
        while not is_so() and time.monotonic() < seen:
            time.sleep(0.05)


def connected():
    until = time.monotonic() + 30
    while True:
        try:
            return _connected(evenings.runtime_folder())
        except LinkError:
            assert time.monotonic() < until, "the table does not listen"
            time.sleep(0.05)
