"""`companion table`: the referee of one evening, with its devices, without a screen."""

import sys
from argparse import SUPPRESS, ArgumentParser, Namespace

from msgspec.structs import replace

from companion.services.arguments import add_game, add_pace, add_plan, pace, plan
from companion.services.evenings import begin_evening, find_evening
from companion.services.refereeing import run_table

SEED_LENGTH = 40


def arguments(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("--evening", help="go on with this evening instead of beginning one")
    parser.add_argument("--parent", type=int, help=SUPPRESS)
    parser.add_argument("--seed-follows", action="store_true", help=SUPPRESS)
    add_plan(parser)
    add_pace(parser)


def run(said: Namespace) -> int:
    """Raises UsageError, BoxError, JournalError, ConfigError, DeviceError, LinkError."""
    path = find_evening(said.evening) if said.evening else begin_evening(plan(said))
    return run_table(path, replace(pace(said), seed=_seed(said)), parent=said.parent)


def _seed(said: Namespace) -> int | None:
    """What whoever started us says on the standard input: a command line can be read by others."""
    if not said.seed_follows:
        return pace(said).seed
    text = sys.stdin.readline(SEED_LENGTH).strip()
    return int(text) if text.isdecimal() else None
