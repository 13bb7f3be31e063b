"""`companion hall`: runs a club night for many tables."""

import asyncio
import sys
from argparse import SUPPRESS, ArgumentParser, Namespace
from pathlib import Path

from companion import crash
from companion.errors import LinkError
from companion.hall.hall_messages import PORT, USUAL_CLUB
from companion.hall.hall_state import USUAL_MINUTES
from companion.messages.live_tables import TLS_PORT
from companion.troubles import to_add
from companion.verbs.arguments import add_phone_address, game_name, natural, phone_settings, port_number

EXAMPLES = (
    "companion hall Tuesdays --game sioux --option last_card=at_once",
    "companion hall Tuesdays --game lascaux --minutes 45 --top-table",
    "companion hall --database postgresql://hall@db.example/club",
)


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", default="", help=f"the name of the club ({USUAL_CLUB}, or as last time)")
    parser.add_argument("--game", type=game_name, default="", help="open a night of this game (default: you do that)")
    listed = "a table option of this game; `companion play GAME --help` lists them"
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help=listed)
    parser.add_argument("--minutes", type=natural, default=USUAL_MINUTES, help=f"of a round (default: {USUAL_MINUTES})")
    parser.add_argument("--top-table", action="store_true", help="the leaders play at one table")
    parser.add_argument("--plain-points", action="store_true", help="rank ties by points, not by shares of them")
    parser.add_argument(
        "--database", default="", metavar="URL", help="a PostgreSQL database, for several servers (default: a file)"
    )
    add_phone_address(parser, "tables and phones", PORT)
    parser.add_argument(
        "--screen", action="store_true", help="show all tables in this terminal, instead of lines to direct the night"
    )
    parser.add_argument("--no-live", action="store_true", help="start no broker: tables are not shown live")
    parser.add_argument(
        "--broker",
        default="",
        metavar="URL",
        help="another broker: mqtts://hall@broker.example (default: our own)",
    )
    parser.add_argument(
        "--broker-certificate", type=Path, metavar="FILE", help="its certificate, if this computer does not know it"
    )
    parser.add_argument(
        "--broker-port", type=port_number, default=TLS_PORT, metavar="PORT", help=f"of our own ({TLS_PORT})"
    )
    parser.add_argument("--piped", action="store_true", help=SUPPRESS)


def run(said: Namespace) -> int:
    """Raises LinkError, StoreError, UsageError."""
    if said.piped:
        return _publish()
    try:
        from companion.processes.hall_broker import LiveOptions
        from companion.processes.hall_process import HallSettings, checked_club, run_hall
        from companion.processes.screen_process import require_terminal
    except ImportError as error:
        raise LinkError(f"a hall needs {error.name}: {to_add('hall')}") from None
    if said.screen:
        require_terminal()
    settings = HallSettings(
        checked_club(said.name),
        phone_settings(said),
        said.database,
        said.game,
        tuple(said.option),
        said.minutes,
        said.top_table,
        said.plain_points,
        None if said.no_live else LiveOptions(said.broker, said.broker_port, said.broker_certificate),
        said.screen,
    )
    asyncio.run(run_hall(settings))
    return 0


def _publish() -> int:
    """Publish a table: `companion.processes.live_table` starts us, with its order on standard input."""
    try:
        from companion.web.live_publisher import publish_by_order
    except ImportError as error:
        print(f"a live table needs {error.name}: {to_add('hall')}", flush=True)
        return 2
    sys.excepthook = lambda _kind, error, _trace: crash.tell(error)
    asyncio.run(publish_by_order())
    return 0
