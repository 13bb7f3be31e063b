"""Looking back at a game: every player sees what they could see then, and no more."""

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.gamekit import discovery
from companion.gamekit.game_start import Header
from companion.gamekit.snapshot import Before, OwnView, Past
from companion.messages.intentions import Act, Go, LookBack, Peek, Reconsider, Undo
from companion.session.entry import Entry, action_body
from companion.session.evening import Evening, game_body
from companion.session.game_replay import Replay
from tests.referee.table import NAMES, Table, telltale_box

GAMES = ("lascaux", "sioux", "darwinci", "carnuta")


def played(game: str, actions: int, seed: int = 5) -> Evening:
    chance = random.Random(seed)
    rules = discovery.find(game)
    evening = Evening([Entry(1, 0.0, "game", "", "", game_body(Header(game, NAMES[:3]), rules.standin()))])
    for _ in range(actions):
        if legal := rules.legal(evening.state):
            body = action_body(chance.choice(legal))
            evening.take(Entry(evening.number + 1, 0.0, "action", "screen", "", body))
    return evening


def go(replay: Replay, **where: Any) -> Any:
    replay.heed(Go("1", **where))
    return replay.snapshot()


@pytest.mark.parametrize("game", GAMES)
def test_every_step_shows_what_every_player_could_see_then(game: str) -> None:
    evening = played(game, 40)
    replay = Replay(evening, "e")
    rules, played_game = evening.game, evening.played_game
    for step in range(replay.steps + 1):
        shown = go(replay, to=step)
        state = played_game.played[step - 1].step.state if step else played_game.first_state
        assert shown.table == rules.view(state)
        assert shown.offered == ()
        assert shown.entry == (played_game.played[step - 1].entry if step else played_game.number)
        assert not shown.ended
        assert shown.replay is not None
        assert (shown.replay.step, shown.replay.steps, shown.replay.open) == (step, replay.steps, False)


@pytest.mark.parametrize("game", GAMES)
def test_forwards_and_backwards_show_the_same(game: str) -> None:
    replay = Replay(played(game, 40), "e")

    def shown(**where: Any) -> bytes:
        return msgspec.json.encode(msgspec.structs.replace(go(replay, **where), number=0))

    there = [shown(to=0), *(shown(by=1) for _ in range(replay.steps))]
    assert [shown(to=replay.steps), *(shown(by=-1) for _ in range(replay.steps))] == there[::-1]
    assert shown(by=-1) == there[0]
    assert shown(to=10**6) == there[-1]


def test_a_secret_is_in_no_snapshot_before_the_step_that_reveals_it(tmp_path: Path) -> None:
    """With colours that occur nowhere else: where one is seen, a marker was told."""
    table = Table(tmp_path, box=telltale_box()).hurry()
    table.play_to_end()
    evening = table.evening
    replay = Replay(evening, "e")
    hidden: dict[int, str] = {}
    for step, done in enumerate(evening.played_game.played, 1):
        if hasattr(done.action, "colour"):
            hidden[done.action.seat] = done.action.colour
        for seat in done.step.revealed:
            hidden.pop(seat, None)
        lines = msgspec.json.encode([line for line in go(replay, to=step).history if line.facts.get("seat") in hidden])
        newest = lines.rpartition(b"has chosen")[2]
        assert not any(colour.encode() in newest for colour in hidden.values())


def test_rounds_are_leapt_by_what_begins_them() -> None:
    replay = Replay(played("lascaux", 60), "e")
    ids = ("starts the next round",)
    rounds = [go(replay, by=1, until=ids).table.round for _ in range(3)]
    assert rounds == [2, 3, 4]
    assert [go(replay, by=-1, until=ids).table.round for _ in range(3)] == [3, 2, 1]
    assert go(replay, by=-1, until=ids).replay.step == 0


def test_what_the_very_first_action_began_is_found_on_the_way_back() -> None:
    evening = played("sioux", 30)
    replay = Replay(evening, "e")
    first = evening.played_game.played[0].rulings[0].what
    steps = [step for step, done in enumerate(evening.played_game.played, 1) if first in {r.what for r in done.rulings}]
    go(replay, to=replay.steps + 1)
    found = [go(replay, by=-1, until=(first,)).replay.step for _ in range(len(steps) + 2)]
    assert found == [*(step for step in reversed(steps) if step < replay.steps), 0, 0, 0][: len(found)]
    assert 1 in found


def test_nothing_in_it_can_be_changed(tmp_path: Path) -> None:
    table = Table(tmp_path).to_bidding()
    replay = Replay(table.evening, "e", is_open=True)
    before = table.entries, table.evening.state
    for intention in (Act("1", {"do": "pass", "seat": 0}), Undo("2")):
        assert replay.heed(intention).kind == "refused"
    assert replay.inform(LookBack("3")) == Past("3", 0, ())
    assert replay.inform(Reconsider("4", 2, 1)) == Before("4", 2, 0, 1, None)
    assert (table.entries, table.evening.state) == before


@pytest.mark.parametrize("is_open", [False, True])
def test_what_a_player_held_is_told_only_when_it_is_over_and_open(is_open: bool) -> None:
    running, over = played("sioux", 30), played("sioux", 100_000)
    assert over.played_game.finished
    for evening, may in ((running, False), (over, is_open)):
        replay = Replay(evening, "e", is_open=is_open)
        go(replay, by=1)
        found = replay.inform(Peek("1", 0))
        assert isinstance(found, OwnView)
        assert (found.hand is not None) == may
        assert replay.snapshot().own == may
