"""`companion replay`: a played game on the table screen. As at a table there are two processes: one that reads the
journal and takes the referee's place, and a screen that gets only what is public.
"""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.errors import CompanionError, JournalError, LinkError, UsageError
from companion.files import PYTHON, load_start
from companion.gamekit.snapshot import Told
from companion.home.crash_log import keep_values_out
from companion.home.preferences import ScreenSettings
from companion.home.transcript_files import box_of, read_transcript
from companion.journal import evening_folder
from companion.journal.store import SUFFIX
from companion.language.wording import plain
from companion.messages.intentions import Intention
from companion.people.analysis_files import keep_solved, kept_analysis
from companion.people.puzzle import PuzzleReplay
from companion.processes.analysis_process import analyst_of
from companion.processes.evenings import find_evening, runtime_folder
from companion.referee.link import ScreenLink, answers
from companion.session.entry import Entry
from companion.session.evening import Evening, game_body
from companion.session.game_replay import Replay

START_S = 30.0
"""How long it may take to read an evening on a slow machine."""
WORDS = 4000
"""How many letters of a problem are shown."""
SQLITE = b"SQLite format 3\x00"
"""The first bytes of a journal. Any other file is a transcript, or not ours."""


class WantedReplay(Struct, frozen=True):
    """What was said on the command line."""

    evening: str | None
    game: int | None
    is_open: bool
    puzzle: int | None = None
    """The step of a decision that is to be made again."""


# --- The process that reads the journal ---------------------------------------------------------------------------


def prepare(wanted: WantedReplay) -> Replay:
    """Read the game without changing its file. Raises UsageError, JournalError, TranscriptError."""
    path = find_evening(wanted.evening)
    evening = evening_at(path)
    number = wanted.game or len(evening.played_games)
    evening = evening.up_to_game(number)
    _check(evening, wanted)
    if wanted.puzzle is not None:
        return _puzzle(path, evening, wanted.puzzle)
    return Replay(evening, plain(path.stem, 200), is_open=wanted.is_open)


def _puzzle(path: Path, evening: Evening, step: int) -> Replay:
    """Raises UsageError if there is none."""
    kept = kept_analysis(path, evening.played_game, len(evening.played_games))
    decision = next((each for each in kept.analysis.decisions if each.step == step), None) if kept else None
    if kept is None or decision is None:
        raise UsageError("this puzzle is not there any more: its game has changed")
    solved = partial(keep_solved, path, kept)
    return PuzzleReplay(evening, plain(path.stem, 200), decision, analyst_of(evening), solved)


def evening_at(path: Path) -> Evening:
    """The evening of a journal or a transcript. Raises UsageError, JournalError, TranscriptError."""
    try:
        begins = load_start(path, len(SQLITE))
    except OSError as error:
        raise JournalError(f"{path}: this evening cannot be read: {error.strerror}") from None
    if begins and begins != SQLITE and SUFFIX not in path.name:
        return _of_transcript(path)
    recalled = evening_folder.recall(path)
    if not recalled.evening.played_games:
        raise UsageError(recalled.problem or f"{path.stem}: no game has begun in this evening")
    return recalled.evening


def _of_transcript(path: Path) -> Evening:
    """A transcript as if it had been played here. Lines that the rules refuse are left out."""
    transcript = read_transcript(path)
    found = box_of(transcript, path)
    evening = Evening([Entry(1, 0.0, "game", "", "", game_body(transcript.header, found.text))])
    for line in transcript.lines:
        with suppress(JournalError):
            evening.take(Entry(evening.number + 1, 0.0, "action", "", "", msgspec.json.encode(line.action)))
    return evening


def _check(evening: Evening, wanted: WantedReplay) -> None:
    """Raises UsageError if the replay would show what is still secret."""
    played_game = evening.played_game
    if played_game.finished:
        return
    if wanted.is_open:
        raise UsageError("this game is not over: --open would reveal secrets before its end")
    if played_game.game.from_memory:
        raise UsageError(
            f"{played_game.game.name} is not over, and remembering what was revealed is part of it: "
            "you can replay it when it is over"
        )


async def serve(replay: Replay, socket_path: Path) -> None:
    """Serve screens until a signal stops us, or until our standard input ends because our parent has died."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def heed(intention: Intention) -> Told:
        told = replay.heed(intention)
        link.publish(msgspec.json.encode(replay.snapshot()))
        return told

    link = ScreenLink(socket_path, heed, replay.inform)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    loop.add_reader(sys.stdin.fileno(), lambda: None if os.read(sys.stdin.fileno(), 1) else stop.set())
    await link.open()
    try:
        link.publish(msgspec.json.encode(replay.snapshot()))
        await stop.wait()
    finally:
        loop.remove_reader(sys.stdin.fileno())
        await link.close()


# --- The screen's process -----------------------------------------------------------------------------------------


def show_replay(arguments: Sequence[str], screen: ScreenSettings) -> int:
    """Start the process that reads the journal, and show its table. Raises LinkError, and UsageError with the last line
    that the process printed."""
    from companion.processes.screen_process import EveningAnalyses
    from companion.screen.app import run

    keep_values_out()
    reader, socket_path = start_replay(arguments)
    with reader:
        try:
            run(socket_path, watch=True, exit_with_referee=True, analyses=EveningAnalyses(), **screen.arguments())
        finally:
            reader.terminate()
    return 0


def start_replay(arguments: Sequence[str]) -> "tuple[subprocess.Popen[bytes], Path]":
    """The process that reads the journal, and the socket where it listens by now. Raises LinkError, and UsageError with
    the last line that the process printed."""
    socket_path = runtime_folder() / f"replay-{os.getpid()}.sock"
    command = [*PYTHON, "-m", "companion", "replay", "--serve", str(socket_path), *arguments]
    reader = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    try:
        _wait_for(reader, socket_path)
    except CompanionError:
        with reader:
            reader.terminate()
        raise
    return reader, socket_path


def _wait_for(reader: "subprocess.Popen[bytes]", socket_path: Path) -> None:
    deadline = time.monotonic() + START_S
    while not answers(socket_path):
        if reader.poll() is not None:
            assert reader.stderr is not None  # it is a pipe of ours
            words = reader.stderr.read(WORDS).decode(errors="replace").strip()
            raise UsageError(words.rpartition("companion: ")[2] or "this evening cannot be shown")
        if time.monotonic() > deadline:
            raise LinkError(f"this evening could not be read within {START_S:g} s")
        time.sleep(0.01)
