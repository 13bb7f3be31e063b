"""No answer tells what is still hidden from the asker: to no message, at no table, after whatever was corrected."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Struct

from companion.gamekit import discovery
from companion.gamekit.game import named
from companion.messages.intentions import BotAct, Correct, LookBack
from companion.messages.protocol import FROM_SCREEN, ScreenHello
from companion.stations import CENTRE
from companion.table.signals import Held, Pressed, Signal, TagPlaced, TagRemoved
from tests.session import worlds
from tests.session.worlds import KINDS, Asker, Evenings, Situation, World, asked, bits, worlds_of
from tests.strangers import gops_installed

GAMES = ("lascaux", "sioux", "darwinci", "carnuta")
LONGEST = 45
"""Entries of an evening: enough for several rounds."""


def situations(game: str, seed: int) -> list[Situation]:
    """Of one evening, up to three."""
    chance = Random(f"{game} {seed}")
    found = list(Evenings(game, chance).situations(LONGEST))
    return chance.sample(found, min(3, len(found)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
def test_tables_that_differ_in_one_hidden_action_answer_alike_until_it_is_revealed(
    game: str, kind: type[Struct], seed: int
) -> None:
    """Whatever is said, by anyone but its player; and all look alike then, to all players and to each of the others."""
    for situation in situations(game, seed):
        for answer in asked(situation, kind, Random(seed), most=4):
            assert answer.bits == 0, f"{answer.message!r} tells something about {situation.secrets[0]}"


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
def test_nor_do_they_answer_differently_to_hands_at_other_pads_and_to_buttons(game: str, seed: int) -> None:
    """A piece that belongs to no player, on a pad of another player; green and red anywhere, pressed or held. What lies
    on the owner's own pad, or on the centre, is in a player's hand: that it is, tells nothing that they do not see."""
    for situation in situations(game, seed):
        worlds = worlds_of(situation, Random(seed), 4)
        for signal in signals(worlds[0], Random(seed)):
            answers = [
                msgspec.json.encode((world.referee.hear(signal, world.now), world.looks(closely=False)))
                for world in worlds
            ]
            revealed = [world.is_revealed for world in worlds]
            if all(revealed):
                break
            assert not any(revealed), f"{signal} reveals {situation.secrets[0]} or another, but not each of them"
            assert len({*answers}) == 1, f"{signal} tells something about {situation.secrets[0]}"


def signals(world: World, chance: Random) -> Iterator[Signal]:
    names = {name for secret in world.situation.secrets for name in named(secret)}
    pads = [f"pad{seat}" for seat in range(world.players) if seat != world.situation.owner]
    pieces = [
        (uid, piece) for uid, piece in world.seat_pads.pack.tags.items() if piece.id in names and piece.owner is None
    ]
    shown = [(pad, uid) for uid, _piece in chance.sample(pieces, min(8, len(pieces))) for pad in pads]
    for at, (pad, uid) in enumerate(shown):
        yield TagPlaced(pad, 10_000 * at, uid)
        yield TagRemoved(pad, 10_000 * at + 5_000, uid)
    for at, station in enumerate((CENTRE, *pads), len(shown)):
        for colour in ("green", "red"):
            yield Pressed(station, 10_000 * at, colour)
            yield Held(station, 10_000 * at + 5_000, colour)


def test_a_bot_s_errand_that_brings_secrets_to_light_does_not_tell_them_before_it_is_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In Lascaux the last pass but one reveals all markers, and where each card goes."""
    monkeypatch.setattr(worlds, "BOTS", 1.0)
    monkeypatch.setitem(worlds.OFTEN, "lascaux", 1.0)
    revealing = 0
    for seed in range(12):
        for situation in Evenings("lascaux", Random(seed)).situations(40):
            if situation.dealt:  # no piece is real
                continue
            tables = worlds_of(situation, Random(seed), 3)
            evening = tables[0].evening
            for action in evening.game.offered(evening.state):
                step = evening.game.apply(evening.state, action)
                if action.seat in evening.header.simulated and situation.owner in getattr(step, "revealed", ()):
                    revealing += 1
                    asks = BotAct("bot", dict(msgspec.to_builtins(action)))
                    answers = [(table.said(asks), table.referee.snapshot().errand) for table in tables]
                    assert answers[0][1] is not None
                    assert all(answer == answers[0] for answer in answers)
    assert revealing


def test_nor_does_a_game_from_elsewhere_tell_anything_which_has_no_line_about_corrections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with gops_installed(tmp_path, monkeypatch):
        for seed, kind in enumerate(KINDS * 2):
            for situation in situations("gops", seed):
                for answer in asked(situation, kind, Random(seed), most=4):
                    assert answer.bits == 0, f"{answer.message!r} tells something about {situation.secrets[0]}"


def test_every_kind_of_message_is_said() -> None:
    """Also one that the protocol has only since today."""
    assert {*KINDS} == {*get_args(FROM_SCREEN)} - {ScreenHello}


def test_a_message_that_cannot_be_made_up_fails_the_test() -> None:
    class Whisper(Struct):
        to_whom: complex

    situation = next(found for seed in range(99) for found in situations("sioux", seed))
    asker = Asker(World(situation, situation.secrets[0]), situation.secrets, Random(1))
    with pytest.raises(AssertionError, match=r"Whisper\.to_whom is a .*complex.* which Asker cannot make up: say in"):
        asker.message(Whisper)


def test_an_answer_that_tells_a_secret_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were every player shown what lies face down in Sioux, each message would tell it."""
    situation = next(found for seed in range(99) for found in situations("sioux", seed))
    game = discovery.find("sioux")
    monkeypatch.setattr(
        World, "looks", lambda world, closely: (str(game.own_view(world.evening.state, situation.owner)),)
    )
    answer, *_others = asked(situation, KINDS[0], Random(1))
    assert answer.bits > 0


def test_a_message_that_reveals_a_secret_at_one_table_and_not_at_another_tells_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    situation = next(found for seed in range(99) for found in situations("sioux", seed))
    monkeypatch.setattr(World, "is_revealed", property(lambda world: world.secret == situation.secrets[0]))
    *_others, answer = asked(situation, LookBack, Random(1))
    assert answer.bits > 0
    assert answer.found
    monkeypatch.setattr(World, "is_revealed", True)
    assert not [*asked(situation, LookBack, Random(1))], "what is revealed at all of them is no secret any more"


@pytest.mark.parametrize("game", ["sioux", "darwinci"])
def test_a_correction_that_clashes_on_purpose_meets_a_stand_in(game: str) -> None:
    found = (
        answer
        for seed in range(30)
        for situation in situations(game, seed)
        for answer in asked(situation, Correct, Random(seed), most=4)
    )
    assert any(answer.stands_in for answer in found)


@pytest.mark.parametrize(
    ("answers", "told"), [("aaaa", 0.0), ("aabb", 1.0), ("abcd", 2.0), ("aaab", 0.8112781244591328), ("a", 0.0)]
)
def test_bits_are_counted_as_shannon_counts_them(answers: Any, told: float) -> None:
    assert bits(list(answers)) == pytest.approx(told)
