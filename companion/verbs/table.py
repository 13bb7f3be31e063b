"""`companion table`: the referee of one evening, with its devices, without a screen."""

import sys
from argparse import SUPPRESS, ArgumentParser, Namespace

from msgspec.structs import replace

from companion.processes.evenings import begin_evening, find_evening
from companion.processes.referee_process import run_referee
from companion.processes.referee_supervisor import FALLBACK
from companion.processes.simulation_settings import SimulationSettings
from companion.verbs.arguments import add_game, add_plan, add_simulation, game_plan, simulation_settings

SEED_LENGTH = 40


EXAMPLES = ("companion table sioux --players Anna Ben Cleo Dora --kit full",)


def arguments(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("--evening", help="resume this evening instead of starting one")
    parser.add_argument("--parent", type=int, help=SUPPRESS)
    parser.add_argument("--seed-follows", action="store_true", help=SUPPRESS)
    add_plan(parser)
    add_simulation(parser)


def run(said: Namespace) -> int:
    """Raises UsageError, BoxError, JournalError, ConfigError, DeviceError, LinkError."""
    path = find_evening(said.evening) if said.evening else begin_evening(game_plan(said))
    return run_referee(path, _simulation(said), parent=said.parent)


def _simulation(said: Namespace) -> SimulationSettings:
    """A screen that starts us sends the seed on standard input: other users can read a command line."""
    settings = simulation_settings(said)
    if not said.seed_follows:
        return settings
    text = sys.stdin.readline(SEED_LENGTH).strip()
    number = text.removesuffix(FALLBACK)
    seed = int(number) if number.isdecimal() else None
    return replace(settings, fallback_seed=seed) if text.endswith(FALLBACK) else replace(settings, seed=seed)
