"""`companion games`: lists the evenings, newest first, with the games of a match below their evening; removes one.

Packages whose game cannot be played come last, with the reason.
"""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from datetime import datetime

from companion.errors import UsageError
from companion.gamekit import discovery
from companion.gamekit.ending import leaders
from companion.home.paths import evenings_folder, removed_folder
from companion.journal import evening_folder
from companion.journal.evening_folder import Summary
from companion.language.wording import counted, listed, numeral, plain

LENGTH = 1000
"""How many letters of a line are printed: it quotes names of files."""


EXAMPLES = ("companion games", "companion games --remove 2026-11-18-1")


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--remove", metavar="EVENING", help="move this evening to the folder for removed evenings")
    parser.add_argument("--yes", action="store_true", help="remove it without asking")


def run(said: Namespace) -> int:
    """Raises JournalError, UsageError."""
    if said.remove is not None:
        return _remove(said.remove, is_sure=said.yes)
    summaries = [
        summary for summary in evening_folder.evenings(evenings_folder()) if not evening_folder.is_idle(summary)
    ]
    if not summaries:
        print("No evening has been played yet. `companion play` starts one.")
    for summary in summaries:
        print(f"{plain(summary.id, LENGTH)}  {plain(_told(summary), LENGTH)}")
        for line in _match(summary):
            print(f"    {plain(line, LENGTH)}")
    for broken in discovery.found().unusable:
        print(plain(str(broken), LENGTH))
    return 0


def _remove(evening: str, *, is_sure: bool) -> int:
    path = evening_folder.find(evenings_folder(), evening)
    if not is_sure:
        if not sys.stdin.isatty():
            raise UsageError(f"to remove {plain(evening, LENGTH)} without a question, say --yes, too")
        print(f"{plain(evening, LENGTH)}  {plain(_told(evening_folder.summary(path)), LENGTH)}")
        if input("Remove this evening? [y/N] ").strip().lower() not in ("y", "yes"):
            print("Nothing has changed.")
            return 0
    kept = evening_folder.remove(path, removed_folder())
    print(f"Removed. It is kept as {plain(str(kept), LENGTH)}; move it back to list it again.")
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
    """Every game of a match before the newest, the sums, and who leads or has won."""
    names = [plain(name) for name in summary.players]
    for number, ending in enumerate(summary.earlier, summary.games - len(summary.earlier)):
        won = f"won by {listed([names[seat] for seat in ending.winners])}" if ending.finished else "not finished"
        yield f"game {number}: {_points(names, ending.totals)}; {won}"
    played = [*summary.earlier, *([summary.result] if summary.result else [])]
    if summary.earlier:
        sums, best = leaders([ending.totals for ending in played], summary.lowest_wins)
        over = "it has ended, won by" if summary.ended else "led by"
        yield f"match: {_points(names, sums)}; {over} {listed([names[seat] for seat in best])}"


def _points(names: Sequence[str], totals: Sequence[int]) -> str:
    return ", ".join(f"{name} {numeral(total)}" for name, total in zip(names, totals, strict=True))
