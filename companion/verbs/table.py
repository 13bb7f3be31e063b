"""`companion table`: the referee of one evening, with its devices, without a screen."""

import sys
from argparse import SUPPRESS, ArgumentParser, Namespace

from msgspec.structs import replace

from companion.processes.arguments import add_game, add_pace, add_plan, pace, plan
from companion.processes.evenings import begin_evening, find_evening
from companion.processes.referee_process import run_table
from companion.processes.referee_supervisor import OTHERWISE
from companion.processes.simulation_settings import Pace

SEED_LENGTH = 40


def arguments(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("--evening", help="resume this evening instead of starting one")
    parser.add_argument("--parent", type=int, help=SUPPRESS)
    parser.add_argument("--seed-follows", action="store_true", help=SUPPRESS)
    add_plan(parser)
    add_pace(parser)


def run(said: Namespace) -> int:
    """Raises UsageError, BoxError, JournalError, ConfigError, DeviceError, LinkError."""
    path = find_evening(said.evening) if said.evening else begin_evening(plan(said))
    return run_table(path, _seeded(said), parent=said.parent)


def _seeded(said: Namespace) -> Pace:
    """What whoever started us says on the standard input: a command line can be read by others."""
    if not said.seed_follows:
        return pace(said)
    text = sys.stdin.readline(SEED_LENGTH).strip()
    number = text.removesuffix(OTHERWISE)
    seed = int(number) if number.isdecimal() else None
    return replace(pace(said), otherwise=seed) if text.endswith(OTHERWISE) else replace(pace(said), seed=seed)
