"""`companion play`: starts an evening and shows it. If nothing is said about the game, the start screen asks."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from companion.processes.evenings import first_entry, new_evening
from companion.processes.phone_server import TablePhones
from companion.processes.screen_process import print_saved, require_terminal, show_evening, show_start_screen
from companion.verbs.arguments import (
    add_hardware,
    add_phones,
    add_plan,
    add_screen,
    add_simulation,
    game_name,
    game_plan,
    hall_table_plan,
    is_planned,
    phone_settings,
    screen_settings,
    settle_hardware,
    simulation_settings,
)
from companion.verbs.parser import answer_to

if TYPE_CHECKING:
    from companion.processes.hall_link import HallLink

EXAMPLES = (
    "companion play",
    "companion play lascaux --players Anna Ben Cleo --simulated Ben Cleo",
    "companion play sioux --option last_card=at_once",
    "companion play lascaux --drivers pn532",
    "companion play --hall 192.0.2.7",
)


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("game", type=game_name, nargs="?", help="which game (default: the screen asks)")
    add_plan(parser)
    add_hardware(parser)
    add_simulation(parser)
    add_screen(parser)
    add_phones(parser)
    parser.add_argument(
        "--hall",
        metavar="ADDRESS",
        help="a table of a club night: take players from this hall and send it results (docs/hall.md); --simulated "
        "without names lets the computer play all of them",
    )


def run(said: Namespace) -> int:
    """Raises UsageError, BoxError, ConfigError, JournalError, LinkError."""
    settle_hardware(said)
    screen, simulation = screen_settings(said), simulation_settings(said)
    phones = TablePhones(phone_settings(said), wanted=said.phones)
    if said.phones:
        phones.check()
    if said.hall:
        require_terminal()
        show_start_screen(screen, simulation, phones, _link(said))
        return 0
    if not is_planned(said):
        require_terminal()
        show_start_screen(screen, simulation, phones)
        return 0
    entry = first_entry(game_plan(said))
    require_terminal()
    path = new_evening(entry)
    show_evening(path, screen, simulation, phones)
    print_saved(path)
    return 0


def _link(said: Namespace) -> "HallLink":
    """The table's link to its hall. The first time it asks for the code that the hall shows. Raises LinkError."""
    from companion.processes.hall_link import HallLink, join_hall

    plan = hall_table_plan(said)
    return HallLink(join_hall(said.hall, answer_to), plan)
