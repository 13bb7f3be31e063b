"""A puzzle shows what its player could know then, takes any action of theirs, and says what that was worth."""

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.gamekit import discovery
from companion.gamekit.face_down import drawn, playable
from companion.gamekit.game import Refusal
from companion.gamekit.parts import judgement_of
from companion.gamekit.search import Skill
from companion.gamekit.snapshot import OwnView, Thoughts
from companion.journal.evening_folder import recall, resume
from companion.messages.intentions import Act, AskWhy, Go, Peek, Undo
from companion.messages.lobby import GamePlan
from companion.people.game_analysis import Alternative, Analyst, JudgedDecision, as_data
from companion.people.puzzle import PuzzleReplay
from companion.processes.analysis_process import analysed, analyst_of
from companion.processes.evenings import begin_evening
from companion.processes.referee_process import seat_pads_of, simulated_table
from companion.processes.simulation_settings import SimulationSettings
from companion.session.dealt_hands import PastOf
from companion.session.entry import Entry, action_body
from companion.session.evening import Evening
from companion.simulation.simulated_table import SimulatedTable
from tests.people.evenings import played
from tests.session.worlds import Evenings, Situation, worlds_of
from tests.strangers import example_installed

GAMES = ("lascaux", "sioux", "darwinci", "carnuta")
ANNA = ("Anna", "Ben", "Cleo")


def finished(folder: Path, game: str, seed: int = 1) -> Evening:
    return recall(played(folder, game, ANNA, seed).path).evening


def puzzle(evening: Evening, step: int, solved: Any = lambda step: None) -> PuzzleReplay:
    action = evening.played_game.played[step].counting
    done = Alternative(as_data(action), 0.2, {"deer": 1.0})
    others = list(evening.game.own_offers(evening.played_game.played[step].before, action.seat))
    other = next((each for each in others if each != action and getattr(each, "seat", None) == action.seat), action)
    decision = JudgedDecision(step, action.seat, done, Alternative(as_data(other), 0.6, {"deer": 3.0}), is_clear=True)
    analyst = Analyst(judgement_of(evening.game.name), Skill(12))
    return PuzzleReplay(evening, "e", decision, analyst, solved)


def steps(evening: Evening) -> list[int]:
    """Of actions that players have done, one for each kind."""
    kinds = {type(each.counting): step for step, each in enumerate(evening.played_game.played)}
    actions = evening.played_game.played
    return [step for kind, step in kinds.items() if hasattr(actions[step].counting, "seat")]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_action_that_is_offered_gets_an_answer(tmp_path: Path, game: str) -> None:
    evening = finished(tmp_path, game)
    asked = 0
    for step in steps(evening):
        replay = puzzle(evening, step)
        shown = replay.snapshot()
        for offered in shown.offered[:3]:
            assert offered.seat == evening.played_game.played[step].counting.seat
            said = replay.heed(Act("1", as_data(offered)))
            assert said.kind == "noted", (offered, said)
            found = replay.snapshot().replay.puzzle.solution  # type: ignore[union-attr]
            assert found is not None
            assert found.chosen.action == as_data(offered)
            assert 0 <= found.chosen.worth <= 1
            asked += 1
            assert found.number == 1 + shown.offered.index(offered)
    assert asked > 3


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_shown_of_what_came_later_before_there_is_an_answer(tmp_path: Path, game: str) -> None:
    evening = finished(tmp_path, game)
    actions = list(evening.played_game.played)[:-5]
    step = max(number for number, each in enumerate(actions) if hasattr(each.counting, "seat"))
    replay = puzzle(evening, step)
    for go in (Go("1", to=10_000), Go("2", by=1), Go("3", by=1, until=("wins",))):
        replay.heed(go)
        shown = replay.snapshot()
        assert shown.replay is not None
        assert (shown.replay.step, shown.replay.steps, shown.replay.asks) == (step, step, True)
        assert shown.table == evening.game.view(evening.played_game.played[step].before)
    replay.heed(Go("4", by=-1))
    earlier = replay.snapshot()
    assert earlier.offered == ()
    assert replay.heed(Act("5", {"do": "pass", "seat": 0})).kind == "refused"
    replay.heed(Go("6", to=step))
    assert replay.heed(Undo("7")).kind == "refused"
    replay.heed(Act("8", as_data(replay.snapshot().offered[0])))
    replay.heed(Go("9", to=10_000))
    assert replay.snapshot().replay.step == len(evening.played_game.played)  # type: ignore[union-attr]


def test_only_the_player_who_is_asked_is_shown_a_hand(tmp_path: Path) -> None:
    evening = finished(tmp_path, "sioux")
    step = next(step for step in steps(evening) if evening.played_game.played[step].counting.seat == 1)
    replay = puzzle(evening, step)
    own, other = replay.inform(Peek("1", 1)), replay.inform(Peek("2", 0))
    assert isinstance(own, OwnView)
    assert own.hand == evening.game.own_view(evening.played_game.played[step].before, 1)  # type: ignore[misc]
    assert own.offered == replay.snapshot().offered
    assert other == OwnView("2", 0, 0, None)
    assert [player.simulated for player in replay.snapshot().players] == [True, False, True]
    replay.heed(Go("3", by=-1))
    assert replay.inform(Peek("4", 1)) == OwnView("4", 1, 0, None)


@pytest.mark.parametrize("game", GAMES)
def test_what_others_hid_is_in_no_puzzle(game: str) -> None:
    """Games that differ only in what another player hid make the same puzzle."""
    compared = 0
    for situation, chance in situations(game):
        worlds = [world.evening for world in worlds_of(situation, chance, 3)]
        asked = worlds[0].game.awaiting(worlds[0].state)
        for seat in asked.seats if asked and len(worlds) > 1 else ():
            offers = [set(each.game.own_offers(each.state, seat)) for each in worlds]
            common = sorted(set.intersection(*offers), key=repr)
            done = next((each for each in common if getattr(each, "seat", None) == seat), None)
            if seat == situation.owner or done is None:
                continue
            shown = set()
            for evening in worlds:
                if isinstance(evening.game.apply(evening.state, done), Refusal):
                    break
                evening.take(Entry(evening.number + 1, 1.0, "action", "screen", "", action_body(done)))
                replay = puzzle(evening, len(evening.played_game.played) - 1)
                shown.add(msgspec.json.encode((replay.snapshot(), replay.inform(Peek("1", seat)))))
            else:
                assert len(shown) == 1, f"seat {seat} learns what seat {situation.owner} hides"
                compared += 1
            break
    assert compared > 1


def situations(game: str) -> list[tuple[Situation, Random]]:
    chances = [Random(f"{game}/{seed}") for seed in range(3)]
    return [(each, chance) for chance in chances for each in Evenings(game, chance).situations(50)]


def test_what_bots_thought_waits_for_an_answer(tmp_path: Path) -> None:
    """It may tell what they hid."""
    evening = finished(tmp_path, "lascaux")
    step = steps(evening)[0]
    replay = puzzle(evening, step)
    assert replay.inform(AskWhy("1", evening.played_game.played[0].number)) == Thoughts("1")


def test_an_action_that_the_rules_refuse_is_refused_in_their_words(tmp_path: Path) -> None:
    evening = finished(tmp_path, "sioux")
    step = next(step for step in steps(evening) if type(evening.played_game.played[step].counting).__name__ == "Play")
    seat = evening.played_game.played[step].counting.seat
    told: list[int] = []
    replay = puzzle(evening, step, told.append)
    assert replay.heed(Act("1", {"do": "play", "seat": seat, "card": "no such card"})).kind == "refused"
    assert replay.heed(Act("2", {"do": "play", "seat": (seat + 1) % 3, "card": "1"})).kind == "refused"
    assert replay.heed(Act("3", {"what": 1})).kind == "refused"
    assert replay.snapshot().replay.puzzle.solution is None  # type: ignore[union-attr]
    assert told == []
    for number in ("4", "5"):
        replay.heed(Act(number, as_data(replay.snapshot().offered[0])))
    assert told == [step]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["gops", "whist"])
def test_games_of_strangers_make_puzzles_of_what_was_dealt(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Whist the rules do not know the hands: what Companion has dealt is known again when the game is over."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    with example_installed(game, tmp_path, monkeypatch):
        names = ("Anna", "Ben", "Cleo", "Dora")[: discovery.find(game).players[0]]
        path = begin_evening(GamePlan(game, names, (1,), seed=7))
        journal, evening = resume(path)
        table = simulated_table(evening, seat_pads_of(evening), SimulationSettings(), deals=True)
        chance = Random(3)
        with journal:
            journal._ledger.durable = False
            while evening.game.awaiting(evening.state) is not None:
                evening.take(
                    journal.append("action", action_body(any_action(evening, table, chance)), "screen", "", 1.0)
                )
        monkeypatch.setattr("companion.processes.analysis_process.THOROUGH", Skill(3))
        monkeypatch.setattr("companion.people.game_analysis.PLAYOUTS", 1)
        monkeypatch.setattr("companion.people.game_analysis.CLEAR", -1.0)  # all are compared twice
        monkeypatch.setattr("companion.people.game_analysis.BATCHES", 2)
        monkeypatch.setattr("companion.people.game_analysis.BATCH", 2)
        kept = analysed(path, evening, lambda done, count: None)
        assert {each.seat for each in kept.analysis.decisions} == {0, 2, 3}.intersection(range(len(names)))
        decision = kept.analysis.decisions[0]
        replay = PuzzleReplay(evening, "e", decision, analyst_of(evening))
        offered = replay.snapshot().offered
        own = replay.inform(Peek("1", decision.seat))
        assert isinstance(own, OwnView)
        assert {*map(str, map(as_data, offered))} >= {str(decision.done.action), str(decision.other.action)}
        if game == "whist":
            assert len(own.dealt) == 13
            assert len(offered) == 13, "all cards of the hand may be led, and no other"
        assert replay.heed(Act("2", decision.done.action)).kind == "noted"


def any_action(evening: Evening, table: SimulatedTable, chance: Random) -> Any:
    """Anything that is possible with the hands that Companion has dealt."""
    legal = [each for each in evening.game.legal(evening.state) if not isinstance(each, evening.game.communal)]
    if evening.game.face_down is None:
        return chance.choice(legal)
    past = PastOf(evening.played_game.played)
    now = table._dealing(evening.game.name).lying(len(evening.results), past, evening.state)  # type: ignore[union-attr]
    shown = drawn(evening.game.legal(evening.state), now)
    if shown is not None:
        return shown
    seat = next(each.seat for each in legal if hasattr(each, "seat"))
    return chance.choice(playable(evening.game, evening.state, seat, now.hands[seat], legal))
