"""What the evening around the game costs a tap: announcements, and a player who looks at their own hand."""

import tempfile
import time
from contextlib import closing
from pathlib import Path

import msgspec

from bench.figures import WHOLE, Effort, Figure, median, medians, ratio
from bench.screen import OURS, Live, Terminal, in_memory, tables
from companion.messages.intentions import Peek

ROUNDS = 40
BOUND = 1.05

SPEAKING = """
import sys
from pathlib import Path
from companion.screen.app import CompanionApp
CompanionApp(Path(sys.argv[1]), speech="full").show()
"""
"""Whatever happens is said aloud: each frame has something to say, so the voice is never done."""


def figures(effort: Effort = WHOLE) -> list[Figure]:
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder:
        with closing(Live(Path(folder))) as table:
            announcing = _announcing(Path(folder), table, effort)
        with closing(Live(Path(folder))) as table:
            return [announcing, _looking(table, effort)]


def _announcing(folder: Path, table: Live, effort: Effort) -> Figure:
    """From the signal at the referee until the last byte at the terminal, on two screens in turn."""
    shown = tables(folder)
    quiet, speaking = Terminal(OURS, folder / "quiet"), Terminal(SPEAKING, folder / "speaking")
    for screen in (quiet, speaking):
        screen.say(next(shown))
    try:
        turns = medians(
            effort.of(ROUNDS),
            lambda: speaking.frame(next(shown), table.planned().hear),
            lambda: quiet.frame(next(shown), table.planned().hear),
        )
    finally:
        quiet.end()
        speaking.end()
    detail = f"{median(turns, 0) * 1000:.1f} ms against {median(turns, 1) * 1000:.1f} ms, signal until bytes"
    return Figure("a tap while everything is said aloud ÷ in silence", ratio(turns, 0, 1), BOUND, False, detail)


def _looking(table: Live, effort: Effort) -> Figure:
    """The referee takes, judges, stores and shows an action, with and without a player who has just looked at their
    hand."""

    def tap(*, looking: bool) -> float:
        table.planned()
        if looking:
            msgspec.json.encode(table.referee.inform(Peek("look", 0)))
        began = time.perf_counter()
        table.hear()
        return time.perf_counter() - began

    turns = medians(effort.of(ROUNDS), lambda: tap(looking=True), lambda: tap(looking=False))
    detail = f"{median(turns, 0) * 1e6:.0f} µs against {median(turns, 1) * 1e6:.0f} µs, at the referee"
    return Figure("a tap right after a look at one's own hand ÷ without", ratio(turns, 0, 1), BOUND, False, detail)
