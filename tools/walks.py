"""`make walks`: how far three things travel through our files, counted by running them and written into
docs/architecture.md.

A walk is what a newcomer follows with a debugger: which files are entered, in which order, and how often the path
crosses from one package into another and back. Each walk has a bound. A longer walk fails, here and in the tests.
"""

import asyncio
import os
import re
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import date
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import msgspec

import companion
from companion.enrolment.course import Course, finish, standing
from companion.gamekit import discovery
from companion.gamekit.snapshot import Snapshot
from companion.home.paths import evenings_folder
from companion.home.tag_packs import stored_pack
from companion.journal.store import Journal
from companion.messages.client import RefereeLink
from companion.messages.lobby import GamePlan
from companion.processes.enrolment_store import FileEnrolmentStore
from companion.processes.evenings import first_entry
from companion.processes.referee_process import seat_pads_of
from companion.referee.event_loop import Process
from companion.referee.referee import Referee
from companion.screen.app import CompanionApp
from companion.screen.enrolment.enrolment_app import EnrollApp
from companion.screen.enrolment.enrolment_screen import EnrollScreen
from companion.session.evening import Evening
from companion.simulation.simulated_table import SimulatedTable
from companion.stations import CENTRE
from companion.table.effects import Effect
from companion.table.pieces import simulated_pack
from companion.table.signals import LinkUp, Signal, TagPlaced

OURS = Path(companion.__file__).parent
PAGE = Path(__file__).parents[1] / "docs" / "architecture.md"
BEGIN, END = "<!-- walks: begin (written by `make walks`) -->", "<!-- walks: end -->"
HOME = "COMPANION_HOME"
PLAYERS = ("Anna", "Ben", "Cleo", "Dora")
SIZE = (100, 30)
WIDTH = 120
COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")


class Walk(NamedTuple):
    title: str
    files: tuple[str, ...]
    """Below companion/, in order of first entry."""
    changes: int
    """How often the next call enters another package than the call before it."""
    bound: int
    """How many files it may enter."""


class Tracer:
    """Notes which of our files run, from the first call of one function until another one returns."""

    def __init__(self, first: Callable[..., Any], last: Callable[..., Any] | None = None) -> None:
        self._first, self._last = _code(first), _code(last) if last else None
        self._began = self._ended = False
        self._path: list[str] = []

    @contextmanager
    def watch(self) -> Iterator[None]:
        before = sys.getprofile()
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(before)

    def walk(self, title: str, bound: int) -> Walk:
        assert self._ended if self._last else self._began, f"{title}: this was never done"
        rooms = [_package(file) for file in self._path]
        changes = sum(here != there for here, there in pairwise(rooms))
        return Walk(title, tuple(dict.fromkeys(self._path)), changes, bound)

    def _note(self, frame: FrameType, event: str, _argument: Any) -> None:
        """Called by Python at each call and each return. A comprehension is part of the function around it."""
        if event == "call" and not self._ended and frame.f_code.co_name not in COMPREHENSIONS:
            self._began = self._began or frame.f_code is self._first
            file = _ours(frame.f_code) if self._began else None
            if file is not None:
                self._path.append(file)
        elif event == "return" and self._began and frame.f_code is self._last:
            self._ended = True


def _code(function: Callable[..., Any]) -> CodeType:
    return function.__code__


_known: dict[str, str | None] = {}


def _ours(code: CodeType) -> str | None:
    """The file below companion/ that this belongs to; None: a library's."""
    name = code.co_filename
    if name not in _known:
        _known[name] = Path(name).relative_to(OURS).as_posix() if name.startswith(f"{OURS}{os.sep}") else None
    return _known[name]


def _package(file: str) -> str:
    """A folder of companion/, or one of the files beside them."""
    return file.split("/", maxsplit=1)[0]


# --- The three walks ------------------------------------------------------------------------------------------


def walks() -> list[Walk]:
    with tempfile.TemporaryDirectory(prefix="companion-walks-") as folder, _home(Path(folder)):
        return asyncio.run(_all_walks(Path(folder)))


async def _all_walks(folder: Path) -> list[Walk]:
    to_journal, before, after = await _stored(folder / "referee.sock")
    return [to_journal, await _drawn(folder / "screen.sock", before, after), await _enrolled()]


@contextmanager
def _home(folder: Path) -> Iterator[None]:
    """Nothing of the owner's is read or changed."""
    before = os.environ.get(HOME)
    os.environ[HOME] = str(folder)
    try:
        yield
    finally:
        os.environ.pop(HOME)
        if before is not None:
            os.environ[HOME] = before


def _chooses_marker(seen: Snapshot, signals: list[Any]) -> bool:
    """The third of four players lays a marker on a pad: the game goes on afterwards, and nothing is revealed yet."""
    return seen.table.phase == "choose" and sum(seen.table.chosen) == 2 and isinstance(signals[0], TagPlaced)


class Seated:
    """Anna and three simulated players at a full kit, just before a tag is laid. Hands play for Anna, too."""

    def __init__(self, moment: Callable[[Snapshot, list[Any]], bool]) -> None:
        self.journal = Journal.create(evenings_folder(), date=date(2026, 11, 16))
        plan = GamePlan("lascaux", PLAYERS, (1, 2, 3), kit="full", seed=7)
        evening = Evening([self.journal.append("game", first_entry(plan), "", "", time.time())])
        pack = simulated_pack(evening.game, evening.setup.box)
        self.table = SimulatedTable(7, range(len(PLAYERS)), "full", 0.0, pack)
        self.referee = Referee(self.journal, evening, seat_pads_of(evening))
        while not moment(self.referee.snapshot(), signals := self.next_signals()):
            for signal in signals:
                self.referee.hear(signal, time.time())
        self.signals = signals

    def next_signals(self) -> list[Any]:
        deed = self.table.next(self.referee.snapshot(), 0)
        assert deed, "the hands have nothing left to do"
        return [given for _wait, given in deed.steps]


async def _stored(socket: Path) -> tuple[Walk, Snapshot, Snapshot]:
    """A marker on a pad: from the device's signal until it is in the journal. And the snapshots before and after it."""
    seated = Seated(_chooses_marker)
    pad = Reader(seated.signals[0].station)
    process = Process(seated.referee, seated.journal, socket, {pad.stations[0]: 0})
    serving = asyncio.create_task(process.run([pad]))
    await pad.ready.wait()
    before = process.snapshot
    tracer = Tracer(Process.deliver, Journal.append)
    with tracer.watch():
        pad.deliver(seated.signals[0])
    after = process.snapshot
    assert after.entry > before.entry
    serving.cancel()
    await asyncio.wait([serving])
    return tracer.walk("a tag: from the device's signal into the journal", 20), before, after


async def _drawn(socket: Path, before: Snapshot, after: Snapshot) -> Walk:
    """From the arrival of a snapshot at a screen that shows the one before it, until all of it is painted."""
    lines: asyncio.Queue[Snapshot | None] = asyncio.Queue()

    async def send(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer):
            while (shown := await lines.get()) is not None:
                writer.write(msgspec.json.encode(shown) + b"\n")

    server = await asyncio.start_unix_server(send, socket)
    app = CompanionApp(socket)
    tracer = Tracer(RefereeLink._hear)
    async with server, app.run_test(size=SIZE) as pilot:
        lines.put_nowait(before)
        while app.conversation is None or not app.conversation.drawn:
            await pilot.pause(0.02)
        await pilot.pause(0.2)
        with tracer.watch():
            lines.put_nowait(after)
            while app.conversation.drawn < 2:
                await asyncio.sleep(0.005)
            await pilot.pause(0.1)
        lines.put_nowait(None)
    return tracer.walk("a redraw: from the snapshot's arrival at the screen until it is painted", 20)


class Reader:
    """A reader that is ready, and passes on what the walk lays on it."""

    def __init__(self, station: str) -> None:
        self.stations = (station,)
        self.ready = asyncio.Event()
        self.deliver: Callable[[Signal], object] = print

    async def run(self, deliver: Callable[[Signal], object]) -> None:
        self.deliver = deliver
        deliver(LinkUp(self.stations[0], 0))
        self.ready.set()
        await asyncio.Event().wait()

    def show(self, effect: Effect) -> None:
        """It has neither lamps nor sounds."""


async def _enrolled() -> Walk:
    """The tag of a marker, when all cards are known: progress and pack are written."""
    reader = Reader(CENTRE)
    store = FileEnrolmentStore(discovery.find("lascaux"), [reader])
    store.keep(_cards_done(store.course))
    app = EnrollApp(store)
    tracer = Tracer(EnrollScreen.hear, FileEnrolmentStore.keep)
    kept = store.course
    async with app.run_test(size=SIZE) as pilot:
        await reader.ready.wait()
        await pilot.pause(0.2)
        with tracer.watch():
            reader.deliver(TagPlaced(CENTRE, int(time.monotonic() * 1000), "04A1B2C3D4E5F6"))
            while store.course is kept:
                await asyncio.sleep(0.005)
    assert "04A1B2C3D4E5F6" in stored_pack("lascaux").tags
    return tracer.walk("an enrolled tag: from the reader's signal until it is stored", 16)


def _cards_done(course: Course) -> Course:
    """All that is printed is told, as in the box that ships; what is left are pieces without any print."""
    while (step := standing(course).next) and not standing(course).told:
        done = finish(course, step.values)
        assert isinstance(done, Course)
        course = done
    return course


# --- The page -------------------------------------------------------------------------------------------------


def block(found: list[Walk]) -> str:
    """What stands in the page between the two marks."""
    rows = [f"| {walk.title} | {len(walk.files)} | {walk.bound} | {walk.changes} |" for walk in found]
    table = ["| walk | our files | at most | changes of package |", "|---|---|---|---|", *rows]
    lists = [_listed(walk) for walk in found]
    return "\n\n".join([BEGIN, "\n".join(table), *lists, END])


def _listed(walk: Walk) -> str:
    text = f"{walk.title[0].upper()}{walk.title[1:]}, in order of first entry: "
    text += " → ".join(f"`{file.removesuffix('.py')}`" for file in walk.files)
    return "\n".join(textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False))


def written(page: str, text: str) -> str:
    """The page with this block in the place of the old one; at the end, if it had none."""
    old = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)
    if old.search(page):
        return old.sub(lambda _match: text, page)
    return f"{page.rstrip()}\n\n## Three walks, counted\n\n{text}\n"


def too_long(found: list[Walk]) -> list[str]:
    return [
        f"{walk.title}: {len(walk.files)} files, at most {walk.bound}" for walk in found if len(walk.files) > walk.bound
    ]


def main() -> int:
    found = walks()
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), block(found)), encoding="utf-8")
    for walk in found:
        print(f"{walk.title}: {len(walk.files)} files (at most {walk.bound}), {walk.changes} changes of package")
        print("".join(f"    {file}\n" for file in walk.files))
    for problem in too_long(found):
        print(f"companion: too long: {problem}", file=sys.stderr)
    return 1 if too_long(found) else 0


if __name__ == "__main__":
    sys.exit(main())
