"""`companion play`: begins an evening and shows it; if nothing was said about it, the screen asks."""

from argparse import ArgumentParser, Namespace

from companion.processes.arguments import (
    add_looks,
    add_pace,
    add_phones,
    add_plan,
    game_name,
    looks,
    nothing_planned,
    pace,
    phones_wish,
    plan,
)
from companion.processes.evenings import agree, write_down
from companion.processes.phone_server import TablePhones
from companion.processes.screen_process import need_a_terminal, show_evening, show_hall


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("game", type=game_name, nargs="?", help="which game (default: the screen asks)")
    add_plan(parser)
    add_pace(parser)
    add_looks(parser)
    add_phones(parser)


def run(said: Namespace) -> int:
    """Raises UsageError, BoxError, ConfigError, JournalError, LinkError."""
    phones = TablePhones(phones_wish(said), wanted=said.phones)
    if said.phones:
        phones.check()
    if nothing_planned(said):
        need_a_terminal()
        return show_hall(pace(said), looks(said), phones)
    agreed = agree(plan(said))
    need_a_terminal()
    return show_evening(write_down(agreed), pace(said), looks(said), phones)
