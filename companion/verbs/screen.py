"""`companion screen`: one more screen for a running referee."""

from argparse import ArgumentParser, Namespace

from companion.errors import LinkError
from companion.processes.evenings import find_evening, running_evening, socket_of
from companion.processes.screen_process import require_terminal, show_evening
from companion.processes.simulation_settings import SimulationSettings
from companion.referee.link import answers
from companion.verbs.arguments import add_screen, screen_settings

EXAMPLES = ("companion screen --language de",)


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("evening", nargs="?", help="which evening, if several are being played")
    add_screen(parser)


def run(said: Namespace) -> int:
    """Raises JournalError, LinkError."""
    path = find_evening(said.evening) if said.evening else running_evening()
    if not answers(socket_of(path)):
        raise LinkError(f"{path.stem} is not being played now; `companion resume {path.stem}` resumes it")
    require_terminal()
    show_evening(path, screen_settings(said), SimulationSettings())
    return 0
