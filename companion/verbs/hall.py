"""`companion hall`: runs a club night for many tables."""

import asyncio
import sys
from argparse import SUPPRESS, ArgumentParser, Namespace
from pathlib import Path

from companion import crash
from companion.errors import LinkError
from companion.hall.hall_messages import PORT
from companion.messages.live_tables import TLS_PORT
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
    parser.add_argument("--broker-port", type=int, default=TLS_PORT, metavar="PORT", help=f"of our own ({TLS_PORT})")
    parser.add_argument("--piped", action="store_true", help=SUPPRESS)


def run(said: Namespace) -> int:
    """Raises LinkError, StoreError, ConfigError."""
    if said.piped:
        return _publish()
    try:
        from companion.processes.hall_broker import LiveOptions
        from companion.processes.hall_process import run_hall
    except ImportError as error:
        raise LinkError(f"a hall needs {error.name}: pip install 'companion-table[hall]'") from None
    live = None if said.no_live else LiveOptions(said.broker, said.broker_port, said.broker_certificate)
    asyncio.run(run_hall(said.name, said.database, phone_settings(said), live))
    return 0


def _publish() -> int:
    """Publish a table: `companion.processes.live_table` starts us, with its order on standard input."""
    try:
        from companion.web.live_publisher import publish_by_order
    except ImportError as error:
        print(f"a live table needs {error.name}: pip install 'companion-table[hall]'", flush=True)
        return 2
    sys.excepthook = lambda _kind, error, _trace: crash.tell(error)
    asyncio.run(publish_by_order())
    return 0
