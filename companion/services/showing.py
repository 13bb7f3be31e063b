"""A screen in this process, on a table whose referee is kept at work in another."""

import sys
from pathlib import Path

from companion.errors import LinkError
from companion.home.paths import evenings_folder
from companion.language.wording import plain
from companion.referee.link import answers
from companion.services.accounts import keep_values_out
from companion.services.arguments import Looks
from companion.services.evenings import socket_of
from companion.services.pace import Pace
from companion.services.phones import TablePhones
from companion.services.reception import TableReception

NAME_LENGTH = 200
"""Of an evening: its file may be called anything."""


def need_a_terminal() -> None:
    """Asked before an evening is begun that nobody could see. Raises LinkError."""
    answers(socket_of(evenings_folder()))  # raises if screens and referee cannot meet
    if not sys.stdin.isatty() or not sys.stdout.isatty():
        raise LinkError("the screen needs a terminal; `companion demo --headless` prints a game without one")


def show_hall(pace: Pace, looks: Looks, phones: TablePhones | None = None) -> int:
    """Let people decide on the screen what to play, as often as they like."""
    from companion.screen.app import run

    keep_values_out()
    reception = TableReception(pace, phones=phones)
    try:
        run(reception=reception, phones=reception.phones, results=evenings_folder(), **looks.of())
    finally:
        reception.leave()
    return 0


def show_evening(  # noqa: PLR0913 - what an evening may be, each by its name
    path: Path,
    pace: Pace,
    looks: Looks,
    phones: TablePhones | None = None,
    *,
    keep: bool = True,
    passing: bool = False,
) -> int:
    """Start the referee of this evening, or find the one that is at work, and show its table. Whoever shows a table
    keeps its referee at work, whoever started it. A `passing` evening is gone afterwards: what somebody saves is not
    put beside it. Raises LinkError."""
    from companion.screen.app import run

    keep_values_out()
    reception = TableReception(pace, phones=phones)
    try:
        reception.resume(str(path))
        results = None if passing else path.resolve().parent
        run(socket_of(path), phones=reception.phones, results=results, **looks.of())
    finally:
        problem = reception.problem
        reception.leave()
    if problem:
        raise LinkError(problem)
    if keep:
        name = plain(path.stem, NAME_LENGTH)
        print(f"This evening is saved as {name}. `companion resume` resumes it, `companion games` lists all.")
    return 0
