"""`companion games`: lists the evenings so far, newest first; the games of a match below their evening."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from datetime import datetime

from companion.gamekit.ending import leaders
from companion.home.paths import evenings_folder
from companion.journal import shelf
from companion.journal.shelf import Summary
from companion.language.wording import counted, listed, plain

LENGTH = 1000
"""A line quotes names of files, and what is wrong with them."""


def arguments(parser: ArgumentParser) -> None:
    """All of them are listed."""


def run(said: Namespace) -> int:
    """Raises JournalError."""
    summaries = shelf.evenings(evenings_folder())
    if not summaries:
        print("No evening has been played yet. `companion play` begins one.")
    for summary in summaries:
        print(f"{plain(summary.id, LENGTH)}  {plain(_told(summary), LENGTH)}")
        for line in _match(summary):
            print(f"    {plain(line, LENGTH)}")
    return 0


def _told(summary: Summary) -> str:
    if summary.problem:
        return summary.problem
    if summary.begun_at is None or summary.standing == "empty":
        return "no game has begun"
    began = f"{datetime.fromtimestamp(summary.begun_at).astimezone():%d %b %Y, %H:%M}"
    which = f" (game {summary.games} of a match)" if summary.games > 1 else ""
    return f"{began}  {summary.game}{which}: {_standing(summary)}"


def _standing(summary: Summary) -> str:
    names = [plain(name) for name in summary.players]
    if summary.result is None:
        return f"{listed(names)}, {counted(summary.actions, 'action')} so far"
    return f"{_points(names, summary.result.totals)}; won by {listed([names[seat] for seat in summary.result.winners])}"


def _match(summary: Summary) -> Iterator[str]:
    """Every game before the newest, and the sums: who leads, or has won when the match has ended."""
    names = [plain(name) for name in summary.players]
    for number, ending in enumerate(summary.earlier, summary.games - len(summary.earlier)):
        won = f"won by {listed([names[seat] for seat in ending.winners])}" if ending.finished else "not finished"
        yield f"game {number}: {_points(names, ending.totals)}; {won}"
    played = [*summary.earlier, *([summary.result] if summary.result else [])]
    if summary.earlier:
        sums, best = leaders([ending.totals for ending in played])
        over = "it has ended, won by" if summary.ended else "led by"
        yield f"match: {_points(names, sums)}; {over} {listed([names[seat] for seat in best])}"


def _points(names: Sequence[str], totals: Sequence[int]) -> str:
    return ", ".join(f"{name} {total}" for name, total in zip(names, totals, strict=True))
