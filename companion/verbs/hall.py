"""`companion hall`: runs a club night for many tables."""

import asyncio
from argparse import ArgumentParser, Namespace

from companion.errors import LinkError
from companion.hall.hall_messages import PORT
from companion.messages.lobby import USUAL_GAME
from companion.verbs.arguments import add_phone_address, game_name, phone_settings

EXAMPLES = (
    "companion hall Tuesdays --game sioux",
    "companion hall --database postgresql://hall@db.example/club",
)
USUAL_NAME = "Club night"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", default=USUAL_NAME, help=f"the name of the club ({USUAL_NAME})")
    parser.add_argument("--game", type=game_name, default=USUAL_GAME, help=f"what is played ({USUAL_GAME})")
    parser.add_argument(
        "--database", default="", metavar="URL", help="a PostgreSQL database, for two or more servers (default: a file)"
    )
    add_phone_address(parser, "tables and phones", PORT)


def run(said: Namespace) -> int:
    """Raises LinkError, StoreError, ConfigError."""
    try:
        from companion.processes.hall_process import run_hall
    except ImportError as error:
        raise LinkError(f"a hall needs {error.name}: pip install 'companion-table[hall]'") from None
    asyncio.run(run_hall(said.name, said.database, phone_settings(said)))
    return 0
