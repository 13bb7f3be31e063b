"""`companion demo`: simulated players play, on the screen or as text as fast as possible. Nothing is kept."""

import os
import shutil
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, get_args

from companion.errors import UsageError
from companion.gamekit import discovery
from companion.gamekit.ending import broken_tie, shared_victory
from companion.gamekit.game import Part, Ruling
from companion.gamekit.game_start import usual_names
from companion.gamekit.snapshot import Told
from companion.home.paths import crashes_path
from companion.home.preferences import ScreenSettings
from companion.journal.store import Journal
from companion.language.wording import ENGLISH, Said, filled, listed, numeral, say
from companion.messages.intentions import Act
from companion.messages.lobby import GamePlan
from companion.processes.evenings import first_entry, new_evening, simulated_kit
from companion.processes.referee_process import seat_pads_of, simulated_table
from companion.processes.screen_process import require_terminal, show_evening
from companion.processes.simulation_settings import SIGNALS, SimulationSettings
from companion.referee.referee import Referee
from companion.session.evening import Evening
from companion.stations import ReaderKit
from companion.verbs.arguments import (
    add_game,
    add_hardware,
    add_options,
    add_screen,
    add_simulation,
    screen_settings,
    settle_hardware,
    simulation_settings,
)

DEMO_DAY = date(2000, 1, 1)
USUAL_PLAYERS = 4


EXAMPLES = ("companion demo sioux --seed 7 --speed 4", "companion demo lascaux --seed 7 --headless")


def arguments(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("--players", type=int, metavar="N", help="how many (default: 4, or as near as the game allows)")
    kits = get_args(ReaderKit)
    parser.add_argument("--kit", choices=kits, help="one shared reader, or a pad for each player (default)")
    add_options(parser)
    add_hardware(parser)
    parser.add_argument("--headless", action="store_true", help="print the game as text, as fast as possible")
    add_simulation(parser)
    add_screen(parser)


def run(said: Namespace) -> int:
    """Raises UsageError, BoxError, DeviceError, LinkError."""
    if said.headless and said.through != SIGNALS:
        raise UsageError("--headless tells a game without hardware: leave out --drivers and --firmware")
    if said.headless and said.language not in (None, "en"):
        raise UsageError("--headless tells the game in English: leave out --language")
    settle_hardware(said)
    plan, simulation = demo_plan(said.game, said.players, said.kit, dict(said.option)), simulation_settings(said)
    if said.headless:
        tell(plan, simulation)
    else:
        watch(plan, screen_settings(said), simulation)
    return 0


def demo_plan(game: str, players: int | None, kit: ReaderKit | None, options: dict[str, Any]) -> GamePlan:
    """A plan in which all players are simulated. `players` None: four, or as near to that as the game allows. Raises
    UsageError for a number of players that the game is not for."""
    span = discovery.find(game).players
    if players is None:
        players = min(max(USUAL_PLAYERS, span[0]), span[-1])
    if players not in span:
        raise UsageError(f"{game} is for {span[0]} to {span[-1]} players, you asked for {players}")
    seats = tuple(range(players))
    return GamePlan(game, usual_names(players), seats, options=options, kit=kit or simulated_kit(players))


# --- On the screen --------------------------------------------------------------------------------------------


def watch(plan: GamePlan, screen: ScreenSettings, simulation: SimulationSettings) -> None:
    """Watch simulated players."""
    entry = first_entry(plan)
    require_terminal()
    with temporary_home():
        show_evening(new_evening(entry), screen, simulation, is_kept=False)


@contextmanager
def temporary_home() -> Iterator[None]:
    """Evenings are stored in a temporary folder; a referee that is started meanwhile uses it, too. The folder is
    removed at the end, unless it holds the report of a crash: a message has said where that is."""
    before = os.environ.get("COMPANION_HOME")
    os.environ["COMPANION_HOME"] = folder = tempfile.mkdtemp(prefix="companion-demo-")
    try:
        yield
    finally:
        if not crashes_path().exists():
            shutil.rmtree(folder, ignore_errors=True)
        del os.environ["COMPANION_HOME"]
        if before is not None:
            os.environ["COMPANION_HOME"] = before


# --- In text --------------------------------------------------------------------------------------------------


def tell(plan: GamePlan, simulation: SimulationSettings) -> None:
    """Play the game at full speed and print it line by line, with the reason for every point."""
    entry = first_entry(plan)
    with tempfile.TemporaryDirectory() as folder, Journal.create(Path(folder), date=DEMO_DAY) as journal:
        evening = Evening([journal.append("game", entry, "", "", time.time())])
        for step in evening.game.preparation(evening.setup) if evening.game.preparation else ():
            print(f"{step.rule or '':>4}  {_said(step, evening)}")
        _play(Referee(journal, evening, seat_pads_of(evening)), evening, simulation)
        print()
        for line in result_lines(evening):
            print(line)


def _play(referee: Referee, evening: Evening, simulation: SimulationSettings) -> None:
    table = simulated_table(evening, seat_pads_of(evening), simulation)
    at_ms = told = 0
    snapshot = referee.snapshot()
    while deed := table.next(snapshot, at_ms):
        for wait_ms, given in deed.steps:
            at_ms += wait_ms
            if isinstance(given, Act):
                referee.heed(given, time.time())
            else:
                referee.hear(given, time.time())
        snapshot = referee.snapshot()
        for line in snapshot.history:
            if line.number > told and line.kind != "idle":
                print(_told(line, evening))
        told = snapshot.history[-1].number if snapshot.history else told


def _told(line: Told, evening: Evening) -> str:
    mark = "" if line.kind in ("accepted", "noted") else f"{line.kind}: "
    return f"{line.rule or '':>4}  {mark}{_said(line, evening)}"


def _said(said: Said, evening: Evening) -> str:
    word = partial(evening.game.word, evening.setup.box)
    return say(said, evening.game.sentences, evening.header.players, word=word)


def result_lines(evening: Evening) -> list[str]:
    """The scores, and why; what broke a tie; why the victory is shared; who won."""
    game, names = evening.game, evening.header.players
    lines: list[str] = []
    for score in game.scores(evening.state):
        lines.append(f"{names[score.seat]}: {filled(game.unit, {'total': score.total})}")
        told: list[tuple[str, Ruling | Part]] = [("", note) for note in score.notes]
        for points, each in [*told, *((numeral(part.points), part) for part in score.parts)]:
            lines.append(f"{points:>4}  {_said(each, evening)} ({each.rule})")
    tie = broken_tie(game, evening.state)
    if tie:
        lines.append(f"Tie-break: {_said(tie, evening)}" + (f" ({tie.rule})" if tie.rule else ""))
    shared = shared_victory(game, evening.state)
    if shared:
        lines.append(f"Shared: {_said(shared, evening)}" + (f" ({shared.rule})" if shared.rule else ""))
    winners = [names[seat] for seat in game.winners(evening.state)]
    return [*lines, f"{listed(winners)} {ENGLISH.plural('wins', 'win', len(winners))}."]
