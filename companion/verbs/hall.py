"""`companion hall`: runs a club night for many tables."""

import asyncio
from argparse import ArgumentParser, Namespace

from companion.errors import LinkError
from companion.hall.hall_messages import PORT
from companion.verbs.arguments import add_phone_address, game_name, natural, phone_settings

EXAMPLES = (
    "companion hall Tuesdays --game sioux",
    "companion hall Tuesdays --game lascaux --minutes 45 --top-table",
    "companion hall --database postgresql://hall@db.example/club",
)
USUAL_NAME = "Club night"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", default=USUAL_NAME, help=f"the name of the club (default: {USUAL_NAME})")
    parser.add_argument("--game", type=game_name, default="", help="open a night of this game (default: you do that)")
    parser.add_argument("--minutes", type=natural, default=60, help="of a round (default: 60)")
    parser.add_argument("--top-table", action="store_true", help="the leaders play at one table")
    parser.add_argument("--plain-points", action="store_true", help="rank ties by points, not by shares of them")
    parser.add_argument(
        "--database", default="", metavar="URL", help="a PostgreSQL database, for several servers (default: a file)"
    )
    add_phone_address(parser, "tables and phones", PORT)


def run(said: Namespace) -> int:
    """Raises LinkError, StoreError, UsageError."""
    try:
        from companion.processes.hall_process import HallSettings, checked_club, run_hall
    except ImportError as error:
        raise LinkError(f"a hall needs {error.name}: pip install 'companion-table[hall]'") from None
    settings = HallSettings(
        checked_club(said.name),
        phone_settings(said),
        said.database,
        said.game,
        said.minutes,
        said.top_table,
        said.plain_points,
    )
    asyncio.run(run_hall(settings))
    return 0
