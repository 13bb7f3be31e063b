"""`companion resume`: resumes an evening. If its referee is still running, the screen joins it."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.errors import JournalError
from companion.home.paths import evenings_folder
from companion.journal import evening_folder
from companion.language.wording import plain
from companion.processes.evenings import find_evening, socket_of
from companion.processes.phone_server import TablePhones
from companion.processes.screen_process import print_saved, require_terminal, show_evening
from companion.referee.link import answers
from companion.verbs.arguments import (
    add_phones,
    add_screen,
    add_simulation,
    phone_settings,
    screen_settings,
    simulation_settings,
)

EXAMPLES = ("companion resume", "companion resume 2026-11-18-1 --phones")


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("evening", nargs="?", help="which one (default: the newest that is not finished)")
    add_simulation(parser)
    add_screen(parser)
    add_phones(parser)


def run(said: Namespace) -> int:
    """Raises UsageError, JournalError, LinkError."""
    phones = TablePhones(phone_settings(said), wanted=said.phones)
    if said.phones:
        phones.check()
    path = find_evening(said.evening) if said.evening else _newest_resumable()
    require_terminal()
    show_evening(path, screen_settings(said), simulation_settings(said), phones)
    print_saved(path)
    return 0


def _newest_resumable() -> Path:
    """The newest evening that can be resumed. A damaged one is set aside and reported, and the one before is tried."""
    while True:
        path = find_evening(None, unfinished=True)
        if answers(socket_of(path)):
            return path
        try:
            journal, _ = evening_folder.resume(path, folder=evenings_folder())
        except JournalError as error:
            if path.exists():
                raise  # it could not be set aside
            print(f"companion: {plain(str(error), 1000)}", file=sys.stderr)
        else:
            journal.close()
            return path
