"""What a bot gets: its seat's own view, as bytes. Nothing that others hide changes one of them."""

from random import Random

import msgspec
import pytest

from companion.gamekit.game import Seat
from companion.gamekit.parts import judgement_of
from companion.gamekit.search import CHANCE, LEVELS, Skill
from companion.session.evening import Evening
from companion.simulation.seat_position import SeatPosition, answer_of, decided, position_of
from tests.ours import GAMES
from tests.session.worlds import Evenings, Situation, worlds_of

EVENINGS, LONGEST, WORLDS = 4, 60, 3


def _situations(game: str) -> list[tuple[Situation, Random]]:
    chances = [Random(f"{game}/{seed}") for seed in range(EVENINGS)]
    return [(each, chance) for chance in chances for each in Evenings(game, chance).situations(LONGEST)]


@pytest.mark.parametrize("game", GAMES)
def test_tables_that_differ_only_in_what_others_hide_send_the_same_bytes_and_get_the_same_decision(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With corrections and undos on the way, and with what stands in for a hidden choice."""
    monkeypatch.setitem(LEVELS, "easy", Skill(3))
    compared = answered = 0
    for situation, chance in _situations(game):
        worlds = worlds_of(situation, chance, WORLDS)
        if len(worlds) == 1:
            continue
        for seat in range(worlds[0].players):
            if seat == situation.owner:
                continue
            sent = {position_of(world.evening, seat, None, "easy", 7, hurry=False) for world in worlds}
            assert len(sent) == 1, f"seat {seat} learns what seat {situation.owner} hides"
            compared += 1
            evening = worlds[0].evening
            if judgement_of(game).turn(evening.state) not in (None, CHANCE) and _is_asked(evening, seat):
                (position,) = sent
                answers = [decided(position) for _ in worlds]
                assert len({*answers}) == 1
                answered += answer_of(evening.game, seat, answers[0]) is not None
    assert compared > 10
    assert answered


def _is_asked(evening: Evening, seat: Seat) -> bool:
    game, state = evening.game, evening.state
    settled = game.settled(state) if game.settled else ()
    return seat in game.awaiting(state).seats and seat not in settled


@pytest.mark.parametrize("game", GAMES)
def test_the_seed_of_the_table_is_in_no_position(game: str) -> None:
    """From it all simulated hands could be computed."""
    evening = Evenings(game, Random(1)).evening
    seed = 3_141_592_653
    position = position_of(evening, 0, None, "easy", seed, hurry=False)
    assert str(seed).encode() not in position
    fields = {*msgspec.json.decode(position)}
    assert fields == {*SeatPosition.__struct_fields__}
    assert not fields & {"stack", "simulated", "levels"}


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"nonsense",
        b"[" * 100_000,
        b'{"action":null}',
        b'{"action":{"do":"unicorn"}}',
        b'{"action":{"do":"choose","seat":1,"colour":"white"}}',
        b'{"action":{"do":"draw","card":"mammoth-brown-green"}}',
    ],
)
def test_an_answer_that_is_no_action_of_its_seat_counts_as_none(answer: bytes) -> None:
    assert answer_of(Evenings("lascaux", Random(1)).game, 0, answer) is None
