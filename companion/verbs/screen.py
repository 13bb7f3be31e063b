"""`companion screen`: one more screen for a referee that is running."""

from argparse import ArgumentParser, Namespace

from companion.errors import LinkError
from companion.processes.arguments import add_looks, looks
from companion.processes.evenings import find_evening, running_evening, socket_of
from companion.processes.screen_process import need_a_terminal, show_evening
from companion.processes.simulation_settings import Pace
from companion.referee.link import answers


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("evening", nargs="?", help="which evening, if several are being played")
    add_looks(parser)


def run(said: Namespace) -> int:
    """Raises JournalError, LinkError."""
    path = find_evening(said.evening) if said.evening else running_evening()
    if not answers(socket_of(path)):
        raise LinkError(f"{path.stem} is not being played now; `companion resume {path.stem}` resumes it")
    need_a_terminal()
    return show_evening(path, Pace(), looks(said), keep=False)
