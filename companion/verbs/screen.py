"""`companion screen`: one more screen for a referee that is running."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.errors import LinkError
from companion.home.paths import evenings_folder
from companion.journal.store import SUFFIX
from companion.referee.link import answers
from companion.services.arguments import add_looks, looks
from companion.services.evenings import find_evening, socket_of
from companion.services.pace import Pace
from companion.services.showing import need_a_terminal, show_evening


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("evening", nargs="?", help="which evening, if several are being played")
    add_looks(parser)


def run(said: Namespace) -> int:
    """Raises JournalError, LinkError."""
    path = find_evening(said.evening) if said.evening else _running()
    if not answers(socket_of(path)):
        raise LinkError(f"nobody is playing {path.stem} now; `companion resume {path.stem}` goes on with it")
    need_a_terminal()
    return show_evening(path, Pace(), looks(said), keep=False)


def _running() -> Path:
    running = [path for path in evenings_folder().glob(f"*{SUFFIX}") if answers(socket_of(path))]
    if not running:
        raise LinkError("no referee is running; `companion play` begins an evening, `companion resume` goes on")
    if len(running) > 1:
        raise LinkError(f"several referees are running, say which: {', '.join(sorted(path.stem for path in running))}")
    return running[0]
