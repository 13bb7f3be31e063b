"""How long a signal at the referee takes to the terminal, and what a screen costs that has nothing to do."""

import asyncio
import fcntl
import os
import pty
import select
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count, pairwise
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace

from bench.figures import WHOLE, Effort, Figure, median, medians, ratio
from companion.gamekit.snapshot import Snapshot
from companion.journal.store import Journal
from companion.messages.intentions import Act
from companion.messages.lobby import GamePlan
from companion.processes.evenings import first_entry
from companion.processes.referee_process import seat_pads_of, simulated_table
from companion.processes.simulation_settings import SimulationSettings
from companion.referee.referee import Referee
from companion.screen.app import CompanionApp
from companion.session.evening import Evening
from companion.session.history import HISTORY
from companion.verbs.demo import DEMO_DAY

ROUNDS = 25
SIZE = (100, 30)
QUIET_S = 0.08
"""A frame is over when the terminal has heard nothing for this long."""
IDLE_S = 8.0
IDLE_PERCENT = 1.0

OURS = """
import sys
from pathlib import Path
from companion.screen.app import run
run(Path(sys.argv[1]))
"""

ALONE = """
import asyncio, json, sys
from textual.app import App
from textual.content import Content
from textual.widgets import Static

class Alone(App):
    CSS = "Static { width: 100%; text-wrap: nowrap; }"

    async def on_ready(self):
        reader, self.writer = await asyncio.open_unix_connection(sys.argv[1], limit=1 << 24)
        pictures = json.loads(await reader.readline())
        self.parts = list(zip(*([Content.assemble(*map(tuple, part)) for part in parts] for parts in pictures)))
        await self.mount(*(Static(one, markup=False) for one, other in self.parts))
        for static, (one, other) in zip(self.query(Static), self.parts):
            static.styles.height = one.plain.count(chr(10)) + 1
        self.run_worker(self.listen(reader))

    async def listen(self, reader):
        changing = [(s, part) for s, part in zip(self.query(Static), self.parts) if not part[0].is_same(part[1])]
        while number := await reader.read(1):
            with self.batch_update():
                for static, part in changing:
                    static.update(part[int(number)], layout=False)

Alone().run()
"""
"""The same cells, painted by Textual without anything of ours: as many widgets, their content ready."""

PARTS = ("#headline", "#body Panel", "#lately", "#foot", "#bar")
"""The widgets of the table, from top to bottom."""


def figures(effort: Effort = WHOLE) -> list[Figure]:
    idle_s = IDLE_S * effort.part
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder, closing(Live(Path(folder))) as table:
        shown = tables(Path(folder))
        ours = Terminal(OURS, Path(folder) / "ours")
        ours.say(next(shown))
        alone = Terminal(ALONE, Path(folder) / "alone")
        alone.say(msgspec.json.encode(asyncio.run(_painted([next(shown), next(shown)]))) + b"\n")
        try:
            idle = ours.idle_percent(idle_s)
            turns = medians(
                effort.of(ROUNDS),
                lambda: ours.frame(next(shown), table.planned().hear),
                lambda: alone.frame(b"%d" % alone.turn()),
            )
        finally:
            ours.end()
            alone.end()
    detail = (
        f"{median(turns, 0) * 1000:.0f} ms against {median(turns, 1) * 1000:.0f} ms, whole table, {SIZE[0]}×{SIZE[1]}"
    )
    return [
        Figure("signal at the referee until bytes at the terminal ÷ Textual", ratio(turns, 0, 1), 1.5, False, detail),
        Figure("idle screen ÷ 1 % of a core", idle / IDLE_PERCENT, 1, False, f"{idle:.2f} % in {idle_s:.0f} s"),
    ]


def in_memory() -> str:
    """What the disk costs is measured in bench/journal.py, and would be most of the noise here."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else "/tmp"


# --- Tables ---------------------------------------------------------------------------------------------------


class Live:
    """A referee at work, with its journal on the disk: each signal is heard, judged and written down."""

    def __init__(self, folder: Path) -> None:
        names = ("Anna", "Ben", "Cleo", "Dora", "Emil")
        self._journal = Journal.create(folder, date=DEMO_DAY)
        self.referee, self._table = _seated(self._journal, GamePlan("lascaux", names, tuple(range(len(names)))), 1)
        self._given: list[Any] = []

    def close(self) -> None:
        self._journal.close()

    def planned(self) -> "Live":
        """Hands make up their mind; that is not measured."""
        if not self._given:
            deed = self._table.next(self.referee.snapshot(), 0)
            assert deed, "the game is over before the measurement"
            self._given = [given for _wait, given in deed.steps]
        return self

    def hear(self) -> bytes:
        _give(self.referee, self._given.pop(0))
        return msgspec.json.encode(self.referee.snapshot())


def _seated(journal: Journal, plan: GamePlan, seed: int) -> tuple[Referee, Any]:
    evening = Evening([journal.append("game", first_entry(plan), "", "", 0.0)])
    seat_pads = seat_pads_of(evening)
    return Referee(journal, evening, seat_pads), simulated_table(evening, seat_pads, SimulationSettings(seed=seed))


def _give(referee: Referee, given: Any) -> None:
    referee.heed(given, time.time()) if isinstance(given, Act) else referee.hear(given, time.time())


def tables(folder: Path) -> Iterator[bytes]:
    """Snapshots, one after the other: all that is there is different, and the story goes on by two lines."""
    moments = [_moment(folder, seed) for seed in (7, 8)]
    lines = [told for told in moments[0].history if told.what == "lays a stone"]
    for number in count():
        told = tuple(replace(lines[n % len(lines)], number=n) for n in range(2 * number, 2 * number + HISTORY))
        yield msgspec.json.encode(replace(moments[number % 2], number=number, history=told)) + b"\n"


def _moment(folder: Path, seed: int) -> Snapshot:
    """A table in the middle of a game; with another seed nothing in it is the same."""
    names = ("Anna", "Ben", "Cleo", "Dora")
    with closing(Journal.create(folder, date=DEMO_DAY)) as journal:
        referee, table = _seated(journal, GamePlan("lascaux", names, tuple(range(len(names)))), seed)
        seen = referee.snapshot()
        while seen.table.round < 4 + seed % 2 or seen.table.phase != "bid" or len(seen.table.pile) != seed % 2 + 1:
            for _wait, given in table.next(seen, 0).steps:
                _give(referee, given)
            seen = referee.snapshot()
        return seen


Parts: TypeAlias = list[list[tuple[str, str]]]
"""The content of each widget: text and style, piece by piece."""


async def _painted(shown: list[bytes]) -> list[Parts]:
    """What our screen makes of these snapshots: every cell with its colours."""
    app = CompanionApp(Path("/nonexistent"))
    pictures = []
    async with app.run_test(size=SIZE) as pilot:
        while app.conversation is None:
            await pilot.pause(0.05)
        for line in shown:
            app.conversation._heard(msgspec.json.decode(line, type=Snapshot))
            await pilot.pause(0.3)
            widgets = [widget for part in PARTS for widget in app.screen.query(part) if widget.region.height]
            tops = [0, *sorted(widget.region.y for widget in widgets)[1:], SIZE[1]]
            strips = app.screen._compositor.render_strips()
            pictures.append([_cells(strips[top:bottom]) for top, bottom in pairwise(tops)])
    return pictures


def _cells(strips: list[Any]) -> list[tuple[str, str]]:
    lines = [[(segment.text, _style(segment.style)) for segment in strip] for strip in strips]
    return [part for line in lines for part in (("\n", ""), *line)][1:]


def _style(style: Any) -> str:
    words = [name for name in ("bold", "italic", "reverse") if getattr(style, name)]
    words += [style.color.triplet.hex] if style.color else []
    words += ["on", style.bgcolor.triplet.hex] if style.bgcolor else []
    return " ".join(words)


# --- Terminals ------------------------------------------------------------------------------------------------


class Terminal:
    """A program in a terminal of its own, and the line to it."""

    def __init__(self, program: str, path: Path) -> None:
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(path))
        listener.listen()
        self._terminal, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))
        environment = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANGUAGE": "en"}
        self._process = subprocess.Popen(
            [sys.executable, "-c", program, str(path)],
            stdin=inner, stdout=inner, stderr=inner, start_new_session=True, env=os.environ | environment,
        )  # fmt: skip
        os.close(inner)
        while not select.select([listener], [], [], 0.05)[0]:
            self.swallow(0.0)
        self._line, _ = listener.accept()
        listener.close()
        self._turn = 0

    @property
    def process_id(self) -> int:
        return self._process.pid

    def turn(self) -> int:
        """0, 1, 0, 1 …"""
        self._turn = 1 - self._turn
        return self._turn

    def send(self, message: bytes) -> None:
        self._line.sendall(message)

    def say(self, message: bytes) -> None:
        """And wait until all of it is drawn."""
        self.send(message)
        self.swallow(1.0)

    def frame(self, message: bytes, before: Callable[[], object] = lambda: None) -> float:
        """From what happens before a message is sent to the last byte of what it changes on the terminal."""
        began = time.perf_counter()
        before()
        self.send(message)
        return self.swallow(QUIET_S, first_s=5.0) - began

    def idle_percent(self, idle_s: float) -> float:
        """What the process uses while nothing happens."""
        self.swallow(1.0)
        before, began = self._used_s(), time.monotonic()
        while time.monotonic() - began < idle_s:
            self.swallow(0.2)
        return (self._used_s() - before) / (time.monotonic() - began) * 100

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        self._line.close()
        os.close(self._terminal)

    def _used_s(self) -> float:
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def swallow(self, quiet_s: float, first_s: float = 0.0) -> float:
        """Read until nothing comes for this long; when the last of it came."""
        last, patience = time.perf_counter(), max(first_s, quiet_s)
        while select.select([self._terminal], [], [], patience)[0]:
            os.read(self._terminal, 1 << 16)
            last, patience = time.perf_counter(), quiet_s
        return last
