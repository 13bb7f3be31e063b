"""`companion resume`: goes on with an evening. If its referee is still running, it is joined."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.errors import JournalError
from companion.home.paths import evenings_folder
from companion.journal import evening_folder
from companion.language.wording import plain
from companion.processes.arguments import add_looks, add_pace, add_phones, looks, pace, phones_wish
from companion.processes.evenings import find_evening, socket_of
from companion.processes.phone_server import TablePhones
from companion.processes.screen_process import need_a_terminal, show_evening
from companion.referee.link import answers


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("evening", nargs="?", help="which one (default: the newest that is not finished)")
    add_pace(parser)
    add_looks(parser)
    add_phones(parser)


def run(said: Namespace) -> int:
    """Raises UsageError, JournalError, LinkError."""
    phones = TablePhones(phones_wish(said), wanted=said.phones)
    if said.phones:
        phones.check()
    path = find_evening(said.evening) if said.evening else _newest_that_can_go_on()
    need_a_terminal()
    return show_evening(path, pace(said), looks(said), phones)


def _newest_that_can_go_on() -> Path:
    """A damaged evening is set aside, which is told, and the one before is tried."""
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
