"""`companion replay`: pages through a played game on the table screen."""

import asyncio
from argparse import SUPPRESS, ArgumentParser, Namespace
from pathlib import Path

from companion.home.crash_log import keep_values_out
from companion.processes.replay_process import WantedReplay, prepare, serve, show_replay
from companion.processes.screen_process import require_terminal
from companion.verbs.arguments import add_screen, natural, screen_settings

EXAMPLES = ("companion replay", "companion replay 2026-11-18-1 --game 1 --open")


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("evening", nargs="?", help="which evening (default: the newest), or the path of a transcript")
    parser.add_argument("--game", type=natural, metavar="N", help="which game of a match (default: the newest)")
    parser.add_argument("--open", action="store_true", help="show all secrets at every step, once the game is over")
    parser.add_argument("--serve", type=Path, help=SUPPRESS)
    add_screen(parser)


def run(said: Namespace) -> int:
    """Raises UsageError, JournalError, TranscriptError, LinkError."""
    if said.serve:
        keep_values_out()
        asyncio.run(serve(prepare(WantedReplay(said.evening, said.game, said.open)), said.serve))
        return 0
    require_terminal()
    again = ["--game", str(said.game)] if said.game else []
    again += ["--open"] if said.open else []
    return show_replay([*again, *(["--", said.evening] if said.evening else [])], screen_settings(said))
