"""All that a bot gets: the table as its seat may know it, as bytes. Nothing else goes in, and an action comes out.

A bot is a player that searches. At a table it runs in a process of its own (`bot_process.py`), which reads one position
after another. Where no table waits, as in tests and in text, the same bytes are decided on in this process.
"""

import hashlib
from functools import lru_cache
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from companion.gamekit import discovery
from companion.gamekit.game import Game, Refusal, Seat, Setup
from companion.gamekit.game_start import Header, begin, read_action
from companion.gamekit.parts import judgement_of
from companion.gamekit.search import (
    Bandit,
    Hidden,
    SeatKnowledge,
    UnclearPastError,
    considered,
    knowledge_of,
    played_on,
    skill_of,
    steady,
)
from companion.gamekit.simulated import Expectation, Say
from companion.session.evening import Evening


class PastAction(Struct, frozen=True, omit_defaults=True):
    """An action that counts: as it was done, or only whose it was and of which kind, if that player still hides it."""

    action: dict[str, Any] | None = None
    kind: str = ""
    seat: Seat = 0


class SeatPosition(Struct, frozen=True):
    game: str
    players: int
    first: Seat
    options: dict[str, Any]
    box: str
    """The text of the box file."""
    seat: Seat
    view: Any
    """What all players see."""
    own: Any
    """What this player alone sees."""
    past: tuple[PastAction, ...]
    held: tuple[str, ...] | None
    """The pieces in this player's hand, where the rules do not know them."""
    skill: str
    """How well it plays: "strong", "easy:bold"."""
    hurry: bool
    """People are waiting, so the clock ends the search, too."""
    seed: str
    """Tells nothing about the seed of the table, from which all simulated hands could be computed."""

    def __repr__(self) -> str:
        """Without what this player hides: a repr ends up in logs."""
        return f"SeatPosition({self.game!r}, {self.seat})"


class Decided(Struct, frozen=True):
    """What a bot answers."""

    action: dict[str, Any] | None
    """None: the past is too muddled to think about."""
    expected: Expectation | None = None


def position_of(  # noqa: PLR0913 - who knows what, and how this player thinks
    evening: Evening, seat: Seat, held: frozenset[str] | None, skill: str, seed: int, *, hurry: bool
) -> bytes:
    """What this seat may know now. Two tables that differ only in what others hide give the same bytes."""
    played = evening.played_game
    known = knowledge_of(evening.game, evening.setup, played.state_for(seat), played.played.past(), seat)
    luck = f"{seed}/{len(evening.results)}/{evening.number}/{seat}"
    position = SeatPosition(
        game=evening.game.name,
        players=evening.setup.players,
        first=evening.setup.first,
        options=evening.header.options,
        box=played.box_text,
        seat=seat,
        view=known.view,
        own=known.own,
        past=tuple(map(_past_action, known.past)),
        held=None if held is None else tuple(sorted(held)),
        skill=skill,
        hurry=hurry,
        seed=hashlib.sha256(luck.encode()).hexdigest(),
    )
    return msgspec.json.encode(position, order="deterministic")


def _past_action(action: Any) -> PastAction:
    if isinstance(action, Hidden):
        return PastAction(kind=str(action.kind.__struct_config__.tag), seat=action.seat)  # type: ignore[attr-defined]
    return PastAction(msgspec.to_builtins(action))


def decided(position: bytes) -> bytes:
    """What a bot in this position does."""
    there = msgspec.json.decode(position, type=SeatPosition)
    skill = skill_of(there.skill)
    assert skill is not None
    try:
        game, knowledge = knowledge_in(there)
        skill = skill if there.hurry else steady(skill)
        action, learned = considered(game, judgement_of(game.name), knowledge, skill, there.seed)
    except UnclearPastError:
        return msgspec.json.encode(Decided(None))
    return msgspec.json.encode(Decided(msgspec.to_builtins(action), _expectation(action, learned, there.held or ())))


def _expectation(action: Any, learned: Bandit, held: tuple[str, ...]) -> Expectation:
    """The best of the others is the one that was tried most: a search tries again what looks good."""
    tried, won = learned.tried, learned.won
    worths = {each: round(won[each] / count, 3) for each, count in tried.items()}
    other = max((each for each in tried if each != action), key=lambda each: (tried[each], won[each]), default=None)
    if other is None:
        return Expectation(worths[action], held=held)
    return Expectation(worths[action], msgspec.to_builtins(other), worths[other], held)


def rehearse(position: bytes) -> None:
    """Play out a game like this one from its start: whatever a game imports late is imported then."""
    there = msgspec.json.decode(position, type=SeatPosition)
    game, known = knowledge_in(there)
    state = game.setup(known.setup)
    played_on(judgement_of(game.name), state, state, Random(0))


def knowledge_in(there: SeatPosition) -> tuple[Game[Any, Any], SeatKnowledge]:
    """As the search wants it. Raises UnclearPastError."""
    game = discovery.find(there.game)
    setup, state = _begun(there.game, there.players, there.first, msgspec.json.encode(there.options), there.box)
    view = msgspec.convert(there.view, type(game.view(state)), str_keys=True)
    own = msgspec.convert(there.own, type(game.own_view(state, there.seat)), str_keys=True) if game.own_view else None
    past = tuple(_read_past(game, each) for each in there.past)
    held = None if there.held is None else frozenset(there.held)
    return game, SeatKnowledge(setup, there.seat, view, own, past, held=held)


@lru_cache(2)
def _begun(name: str, players: int, first: Seat, options: bytes, box: str) -> tuple[Setup, Any]:
    """A box takes long to read, and stays the same for a game."""
    header = Header(name, tuple(map(str, range(players))), first, msgspec.json.decode(options))
    return begin(header, discovery.find(name).parse_box(box, "the box"))


def _read_past(game: Game[Any, Any], each: PastAction) -> Any:
    if each.action is None:
        kind = next(kind for kind in game.actions if kind.__struct_config__.tag == each.kind)
        return Hidden(each.seat, kind)
    action = read_action(game, each.action)
    if isinstance(action, Refusal):
        raise UnclearPastError(f"{game.name}: an action of the past cannot be read")
    return action


def answer_of(game: Game[Any, Any], seat: Seat, answer: bytes) -> Say | None:
    """The action that a bot has answered with; None: none, or one that is not its own."""
    try:
        said = msgspec.json.decode(answer, type=Decided)
    except (ValueError, RecursionError):
        return None
    action = read_action(game, said.action) if said.action is not None else None
    return Say(action, said.expected) if getattr(action, "seat", None) == seat else None
