"""`companion replay`: pages through a played game on the table screen, or analyses it when it is over."""

import asyncio
import sys
from argparse import SUPPRESS, ArgumentParser, Namespace
from pathlib import Path

from companion.errors import UsageError
from companion.files import store_all
from companion.gamekit.game import Seat
from companion.home.crash_log import keep_values_out
from companion.home.paths import looks_path
from companion.home.preferences import LooksFile
from companion.language.screen_language import speak, spoken
from companion.language.wording import indented, listed, plain
from companion.people.analysis_files import analysis_path
from companion.processes.analysis_process import analysed, step_back
from companion.processes.evenings import find_evening
from companion.processes.replay_process import WantedReplay, evening_at, prepare, serve, show_replay
from companion.processes.screen_process import require_terminal
from companion.session.played_game import PlayedGame
from companion.verbs.arguments import add_screen, natural, screen_settings

EXAMPLES = ("companion replay", "companion replay 2026-11-18-1 --game 1 --open", "companion replay --analyse")
LENGTH = 1000
"""How many letters of a line are printed."""


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("evening", nargs="?", help="which evening (default: the newest), or the path of a transcript")
    parser.add_argument("--game", type=natural, metavar="N", help="which game of a match (default: the newest)")
    parser.add_argument("--open", action="store_true", help="show all secrets at every step, once the game is over")
    parser.add_argument("--analyse", action="store_true", help="print what decided a finished game, and save it")
    parser.add_argument("--player", metavar="NAME", help="with --analyse: only this player's decisions")
    parser.add_argument("--quietly", action="store_true", help=SUPPRESS)
    parser.add_argument("--puzzle", type=int, metavar="STEP", help=SUPPRESS)
    parser.add_argument("--serve", type=Path, help=SUPPRESS)
    add_screen(parser)


def run(said: Namespace) -> int:
    """Raises UsageError, JournalError, TranscriptError, LinkError."""
    if said.serve:
        keep_values_out()
        wanted = WantedReplay(said.evening, said.game, said.open, said.puzzle)
        asyncio.run(serve(prepare(wanted), said.serve))
        return 0
    if said.analyse:
        return _analyse(said)
    if said.player is not None:
        raise UsageError("--player belongs to --analyse")
    require_terminal()
    again = ["--game", str(said.game)] if said.game else []
    again += ["--open"] if said.open else []
    return show_replay([*again, *(["--", said.evening] if said.evening else [])], screen_settings(said))


# --- Analysing ------------------------------------------------------------------------------------------------


def _analyse(said: Namespace) -> int:
    """Print the analysis, and save it next to the evening."""
    if said.quietly:
        step_back()
    path = find_evening(said.evening)
    evening = evening_at(path)
    evening = evening.up_to_game(said.game or len(evening.played_games))
    played = evening.played_game
    player = _seat(said.player, played) if said.player is not None else None
    kept = analysed(path, evening, _progress)
    if said.quietly:
        return 0
    from companion.people.analysis_report import picture, report, whole_report  # noqa: PLC0415 — a face takes long to load

    speak(said.language or LooksFile(looks_path()).recall().language or spoken())
    print("\n".join(indented(line, LENGTH) for line in report(kept.analysis, played, player)))
    text = [indented(line, LENGTH) for line in whole_report(kept.analysis, played)]
    files = {
        analysis_path(path, kept.game, kept.number, "-analysis.txt"): "\n".join(text) + "\n",
        analysis_path(path, kept.game, kept.number, "-analysis.svg"): picture(kept.analysis, played),
    }
    try:
        store_all(files)
    except OSError as error:
        raise UsageError(f"{path.parent}: the analysis cannot be saved: {error.strerror}") from None
    print(f"\nSaved: {'  '.join(plain(str(each), LENGTH) for each in files)}")
    return 0


def _seat(name: str, played: PlayedGame) -> Seat:
    players = played.header.players
    for seat, each in enumerate(players):
        if each.casefold() == name.casefold():
            return seat
    raise UsageError(f"{plain(name)} did not play; there were {listed(list(players))}")


def _progress(done: int, count: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done} of {count} actions", end="\n" if done == count else "", file=sys.stderr, flush=True)
