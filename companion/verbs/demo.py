"""`companion demo --headless`: a simulated game, told in text as fast as it goes."""

import tempfile
import time
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from companion import games
from companion.errors import UsageError
from companion.games.game import Game
from companion.journal.evening import Evening
from companion.journal.store import Journal
from companion.referee.referee import Referee
from companion.snapshot import Act, Snapshot, Told
from companion.verbs.evenings import NAMES, Kit, Plan, agree
from companion.verbs.table import Pace, desk_of, simulated_table
from companion.wording import listed, say

DEMO_DAY = date(2000, 1, 1)


def plan(game: str, players: int, kit: Kit, options: dict[str, Any]) -> Plan:
    """Everybody is simulated. Raises UsageError for a number of players that the game is not for."""
    span = games.find(game).players
    if players not in span:
        raise UsageError(f"{game} is for {span[0]} to {span[-1]} players, you asked for {players}")
    return Plan(game, NAMES[:players], NAMES[:players], None, options, None, kit)


def tell(plan: Plan, pace: Pace) -> int:
    """Play the game in no time and tell it line by line, with the reason for every point."""
    agreed = agree(plan)
    with tempfile.TemporaryDirectory() as folder, Journal.create(Path(folder), date=DEMO_DAY) as journal:
        evening = Evening([journal.append("game", agreed.body(), "", "", time.time())])
        _play(Referee(journal, evening, desk_of(evening)), evening, pace)
        print()
        for line in result_lines(evening.game, evening):
            print(line)
    return 0


def _play(referee: Referee, evening: Evening, pace: Pace) -> None:
    table = simulated_table(evening, desk_of(evening), pace)
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
                print(_told(line, evening, snapshot))
        told = snapshot.history[-1].number if snapshot.history else told


def _told(line: Told, evening: Evening, snapshot: Snapshot) -> str:
    names = [player.name for player in snapshot.players]
    sentence = say(line, evening.game.sentences, names, word=partial(evening.game.word, evening.setup.box))
    mark = "" if line.kind in ("accepted", "noted") else f"{line.kind}: "
    return f"{line.rule or '':>4}  {mark}{sentence}"


def result_lines(game: Game[Any, Any], evening: Evening) -> list[str]:
    """The scores, and why."""
    names = evening.header.players
    word = partial(game.word, evening.setup.box)
    lines: list[str] = []
    for score in game.scores(evening.state):
        lines.append(f"{names[score.seat]}: {score.total} points")
        for part in score.parts:
            reason = say(part, game.sentences, names, word=word)
            lines.append(f"{part.points:>4}  {reason} ({part.rule})")
    winners = [names[seat] for seat in game.winners(evening.state)]
    return [*lines, f"{listed(winners)} {'wins' if len(winners) == 1 else 'win'}."]
