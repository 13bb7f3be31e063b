"""L6, L20 What is secret is on no screen. Two tables that differ only in secret choices look alike until the reveal."""

import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.gamekit.game import Thing
from companion.gamekit.snapshot import Snapshot, Told
from companion.messages.intentions import Act, Agree, Decline, Intention, Undo
from companion.session.evening import Evening
from companion.stations import CENTRE
from companion.table.presence import REPEAT_MS
from companion.table.signals import Held, Pressed, Signal, TagPlaced, TagRemoved
from tests.referee.table import LASCAUX, Table, telltale_box

BOX = telltale_box()
COLOURS = LASCAUX.parse_box(BOX, "the box").colours
PATIENCE = 3000
REVEALS = ("takes", "takes nothing")

kits = st.sampled_from(["none", "one", "full"])
table_options = st.fixed_dictionaries(
    {
        "stones": st.sampled_from(["open", "secret"]),
        "tie": st.sampled_from(["shared", "stones"]),
        "direction": st.sampled_from(["clockwise", "anticlockwise"]),
    }
)
evenings = st.fixed_dictionaries({"players": st.integers(3, 5), "kit": kits, "options": table_options})
played = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))


class Restless:
    """Hands that do anything: with the simulated players, against them, on readers and on a screen."""

    def __init__(self, seed: int, restlessness: float) -> None:
        self._chance = random.Random(seed)
        self._restlessness = restlessness
        self._said = 0

    def interfere(self, table: Table, seen: Snapshot) -> Iterator[Signal | Intention]:
        if seen.kit == "none" or self._chance.random() < self._restlessness:
            yield self._anything(table, seen)

    def _anything(self, table: Table, seen: Snapshot) -> Signal | Intention:
        self._said += 1
        what = self._chance.random()
        if seen.question or what < 0.05:
            answer: Intention = Agree(f"r{self._said}", self._chance.randrange(table.players))
            return answer if self._chance.random() < 0.8 else Decline(f"r{self._said}")
        if what < 0.1:
            return Undo(f"r{self._said}")
        if what < 0.5 or seen.kit == "none":
            return self._act(seen)
        return self._signal(table)

    def _act(self, seen: Snapshot) -> Intention:
        """Anything that is offered; but who has chosen mostly stays with it, so that games come to their end."""
        offered = list(seen.offered)
        if seen.table.phase == "choose" and self._chance.random() < 0.8:
            offered = [action for action in offered if not seen.table.chosen[getattr(action, "seat", 0)]]
        action = msgspec.to_builtins(self._chance.choice(offered)) if offered else {"do": "draw", "card": "unicorn"}
        return Act(f"r{self._said}", action)

    def _signal(self, table: Table) -> Signal:
        at_ms = table.now_ms
        station = self._chance.choice([CENTRE, *(f"pad{seat}" for seat in range(5))])
        button = self._chance.choice(["green", "red"])
        signals: list[Signal] = [
            *[TagPlaced(station, at_ms, uid) for uid in self._chance.sample(list(table.seat_pads.pack.tags), 4)],
            *[TagPlaced(station, at_ms, table.uid(self._marker(table))) for _ in range(8)],
            *[Pressed(station, at_ms, button)] * 2,
            Held(station, at_ms, button),
            TagPlaced(station, at_ms, "E0123456"),
        ]
        return self._chance.choice(signals)

    def _marker(self, table: Table) -> Thing:
        return Thing("marker", self._chance.choice(COLOURS), self._chance.randrange(table.players))


class Otherwise:
    """What is said at a table where, in one round, every player has other markers in mind."""

    def __init__(self, seed: int, table: Table) -> None:
        chance = random.Random(seed)
        self._other = [dict(zip(COLOURS, chance.sample(COLOURS, len(COLOURS)), strict=True)) for _ in range(5)]
        self._pieces = table.seat_pads.pack.tags
        self._uids = {piece: uid for uid, piece in self._pieces.items()}
        self._lying: dict[str, str] = {}
        self._tapped: TagPlaced | None = None

    def same(self, said: Signal | Intention) -> Signal | Intention:
        """Outside that round nothing differs."""
        self._tapped = said if isinstance(said, TagPlaced) else self._tapped
        return self._lifted(said)

    def other(self, said: Signal | Intention) -> Signal | Intention:
        match said:
            case Act(_, {"do": "choose", "seat": seat, "colour": colour}):
                return replace(said, action=said.action | {"colour": self._other[seat][colour]})
            case TagPlaced(_, at_ms, uid) if self._tapped and 0 <= at_ms - self._tapped.at_ms < REPEAT_MS:
                return said  # the second half of a double tap that ended the round before
            case TagPlaced(_, _, uid):
                self._lying[uid] = self._other_uid(uid)
                return replace(said, uid=self._lying[uid])
        return self._lifted(said)

    def _other_uid(self, uid: str) -> str:
        piece = self._pieces.get(uid)
        if piece is None or piece.owner is None:
            return uid
        return self._uids[replace(piece, id=self._other[piece.owner][piece.id])]

    def _lifted(self, said: Signal | Intention) -> Signal | Intention:
        """The piece that is lifted is the one that was laid."""
        if isinstance(said, TagRemoved):
            return replace(said, uid=self._lying.pop(said.uid, said.uid))
        if isinstance(said, TagPlaced):
            self._lying.pop(said.uid, None)
        return said


@contextmanager
def table_of(evening: dict[str, Any]) -> Iterator[Table]:
    with tempfile.TemporaryDirectory() as folder:
        table = Table(Path(folder), evening["players"], evening["kit"], BOX, **evening["options"]).hurry()
        try:
            yield table
        finally:
            table.journal.close()


def signals(table: Table, seed: int, mischief: float) -> Iterator[Signal | Intention]:
    """All that is said at a table, one after the other, until the game is over or patience ends."""
    players = table.simulation(seed, mischief)
    restless = Restless(seed, mischief / 4)
    for _ in range(PATIENCE):
        seen = table.seen
        if seen.awaiting is None:
            return
        yield from restless.interfere(table, seen)
        deed = None if seen.kit == "none" else players.next(table.seen, table.now_ms)
        yield from [signal for _, signal in deed.steps] if deed else []


def tell(table: Table, said: Signal | Intention) -> Told:
    return table.heed(said) if isinstance(said, Intention) else table.hear(said)


def tidy(table: Table) -> None:
    """All pieces are lifted: what lay there before the round is no secret, and must not make a difference."""
    for uid, station in dict(table.referee.session._presence.lying).items():
        table.hear(TagRemoved(station, 0, uid))


def public(seen: Snapshot, told: Told) -> bytes:
    """All that is shown; the numbers of snapshots say only how often a screen looked."""
    return msgspec.json.encode((replace(seen, number=0), told))


@played
@given(evenings, st.integers(0, 2**32), st.sampled_from([0.0, 0.3]), st.integers(1, 5))
@example({"players": 4, "kit": "one", "options": {"direction": "anticlockwise"}}, 10922, 0.3, 5)
def test_L6_tables_that_differ_only_in_secret_choices_look_alike_until_the_reveal(
    evening: dict[str, Any], seed: int, mischief: float, secret_round: int
) -> None:
    with table_of(evening) as table, table_of(evening) as double:
        otherwise = Otherwise(seed, table)
        was_in_secret_round = False
        for said in signals(table, seed, mischief):
            double.now = table.now  # how long a player thinks can be seen, and is the same
            in_secret_round = table.evening.state.round == secret_round
            if in_secret_round != was_in_secret_round:
                tidy(table)
                tidy(double)
            was_in_secret_round = in_secret_round
            saying = otherwise.other(said) if in_secret_round else otherwise.same(said)
            told, told_there = tell(table, said), tell(double, saying)
            if in_secret_round and table.evening.state.round > secret_round:
                assert told == told_there
                return
            assert public(table.seen, told) == public(double.seen, told_there)


@played
@given(evenings, st.integers(0, 2**32), st.sampled_from([0.0, 0.1, 0.5]))
def test_whole_evenings_tell_no_secret_have_words_for_everything_and_are_what_the_journal_tells(
    evening: dict[str, Any], seed: int, mischief: float
) -> None:
    with table_of(evening) as table:
        for said in signals(table, seed, mischief):
            told = tell(table, said)
            seen = table.seen
            assert "{" not in table.words(told)
            assert b"zz" not in _beside_reveals(seen, told)
            if seen.options["stones"] == "secret" and seen.awaiting is not None:
                _check_no_supply_is_told(seen)
        for line in table.seen.history:
            assert table.words(line) != line.what
        assert seen.awaiting is None, "the game never came to its end"
        refolded = Evening(table.entries)
        assert refolded.state == table.evening.state
        assert refolded.number == table.evening.number


def _beside_reveals(seen: Snapshot, told: Told) -> bytes:
    """All that is shown but the box and what it offers, which name every colour always, and what was revealed."""
    lines = tuple(line for line in (*seen.history, told) if line.what not in REVEALS)
    return msgspec.json.encode(replace(seen, box=None, offered=(), history=lines))


def _check_no_supply_is_told(seen: Snapshot) -> None:
    """L20 The pot is seen; what a player has is not."""
    assert set(seen.table.stones) == {None}
    assert (seen.scores, seen.winners) == ((), ())
    for line in seen.history:
        assert "stones" not in line.facts or line.what == "passes", "what a passer takes is the pot, which all see"
    if seen.table.phase == "bid":
        assert {type(action).__name__ for action in seen.offered} == {"Stone", "Pass"}


@pytest.mark.slow
@played
@given(evenings, st.integers(0, 2**32), st.sampled_from([0.0, 0.3]), st.randoms(use_true_random=False))
def test_L20_tables_that_differ_only_in_their_supplies_look_alike_until_the_end(
    evening: dict[str, Any], seed: int, mischief: float, chance: random.Random
) -> None:
    """On every screen, with all that was said before."""
    secret = evening | {"options": evening["options"] | {"stones": "secret"}}
    with table_of(secret) as table:
        for said in signals(table, seed, mischief):
            if table.seen.awaiting is None:
                return
            with with_other_supplies(table, chance):
                there = msgspec.json.encode(replace(table.seen, number=0))
            assert there == msgspec.json.encode(replace(table.seen, number=0))
            tell(table, said)


@contextmanager
def with_other_supplies(table: Table, chance: random.Random) -> Iterator[None]:
    """For a moment, stones have changed hands at the table, as if other people had passed before."""
    played_game = table.evening.played_game
    if not played_game.played:
        yield
        return
    newest = played_game.played[-1]
    state = newest.step.state
    stones = [chance.randrange(60) for _ in state.stones]
    played_game.played[-1] = replace(newest, step=replace(newest.step, state=replace(state, stones=tuple(stones))))
    try:
        yield
    finally:
        played_game.played[-1] = newest
