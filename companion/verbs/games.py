"""`companion games`: lists the evenings, newest first, with the games of a match below their evening; removes one, or
verifies them.

Packages whose game cannot be played come last, with the reason. `--available` lists the games of an index instead.
"""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from companion.errors import JournalError, UsageError
from companion.gamekit import discovery
from companion.gamekit.ending import leaders
from companion.gamekit.game_index import available, read_index
from companion.home.paths import evenings_folder, removed_folder
from companion.journal import evening_folder
from companion.journal.evening_folder import Summary
from companion.language.wording import counted, listed, numeral, plain
from companion.session.played_game import Ending
from companion.verbs.parser import answer_to

LENGTH = 1000
"""How many letters of a line are printed: it quotes names of files."""


EXAMPLES = (
    "companion games",
    "companion games --remove 2026-11-18-1",
    "companion games --verify",
    "companion games --available index.json",
)


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--remove", metavar="EVENING", help="move this evening to the folder for removed evenings")
    parser.add_argument("--yes", action="store_true", help="remove it without asking")
    parser.add_argument(
        "--verify",
        nargs="?",
        const="",
        metavar="EVENING",
        help="check that a journal (default: each of them) is sound, and that no bot's secret choice was changed",
    )
    parser.add_argument(
        "--available", type=Path, metavar="FILE", help="list the games of this index, and how to install each of them"
    )


def run(said: Namespace) -> int:
    """Raises JournalError, UsageError."""
    if said.remove is not None:
        return _remove(said.remove, is_sure=said.yes)
    if said.verify is not None:
        return _verify(said.verify)
    if said.available is not None:
        return _list_available(said.available)
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


def _verify(evening: str) -> int:
    """1 if something is wrong with one of them."""
    folder, status = evenings_folder(), 0
    for path in [evening_folder.find(folder, evening)] if evening else evening_folder.journals(folder):
        try:
            found = evening_folder.verify(path)
            lines = [*found.problems] or [_sound(found)]
            status = 1 if found.problems else status
        except JournalError as error:
            lines, status = [str(error)], 1
        for line in lines:
            print(f"{plain(evening_folder.evening_id(path), LENGTH)}  {plain(line, LENGTH)}")
    return status


def _sound(found: evening_folder.Verified) -> str:
    words = f"sound: {counted(found.entries, 'entry', 'entries')}"
    if not found.committed:
        return words
    hidden = found.committed - found.opened
    still = f"; {hidden} of them not revealed" if hidden else ""
    return f"{words}; {counted(found.committed, 'secret choice')} of bots, each as it was committed{still}"


def _list_available(file: Path) -> int:
    games = list(available(read_index(file)))
    for game, advice in games:
        print(f"{plain(game, LENGTH)}\n    {plain(advice, LENGTH)}")
    if not games:
        print("The index lists no game.")
    return 0


def _remove(evening: str, *, is_sure: bool) -> int:
    path = evening_folder.find(evenings_folder(), evening)
    if not is_sure:
        if not sys.stdin.isatty():
            raise UsageError(f"to remove {plain(evening, LENGTH)} without a question, say --yes, too")
        print(f"{plain(evening, LENGTH)}  {plain(_told(evening_folder.summary(path)), LENGTH)}")
        if answer_to("Remove this evening? [y/N] ").strip().lower() not in ("y", "yes"):
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
    return f"{_points(names, summary.result.totals)}; {_won(names, summary.result)}"


def _won(names: Sequence[str], ending: Ending) -> str:
    """No winner: all players lost together."""
    if not ending.finished:
        return "not finished"
    return f"won by {listed([names[seat] for seat in ending.winners])}" if ending.winners else "lost together"


def _match(summary: Summary) -> Iterator[str]:
    """Every game of a match before the newest, the sums, and who leads or has won."""
    names = [plain(name) for name in summary.players]
    for number, ending in enumerate(summary.earlier, summary.games - len(summary.earlier)):
        yield f"game {number}: {_points(names, ending.totals)}; {_won(names, ending)}"
    played = [*summary.earlier, *([summary.result] if summary.result else [])]
    if summary.earlier and any(ending.finished and not ending.winners for ending in played):
        yield f"match: {sum(bool(ending.winners) for ending in played)} of {counted(len(played), 'game')} won together"
    elif summary.earlier:
        sums, best = leaders([ending.totals for ending in played], summary.lowest_wins)
        over = "it has ended, won by" if summary.ended else "led by"
        yield f"match: {_points(names, sums)}; {over} {listed([names[seat] for seat in best])}"


def _points(names: Sequence[str], totals: Sequence[int]) -> str:
    return ", ".join(f"{name} {numeral(total)}" for name, total in zip(names, totals, strict=True))
