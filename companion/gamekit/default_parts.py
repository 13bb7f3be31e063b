"""Simulated players for a game that brings none: they pick from what is offered, and say it on the screen."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import msgspec
import tomli_w
from msgspec import Struct

from companion.gamekit.enrolment import Answers, Data, EnrolmentPlan, EnrolmentStep, piece_steps
from companion.gamekit.game import Game, Seat, Thing
from companion.gamekit.paper import (
    CARD,
    PURPLE,
    QUIET,
    Lettering,
    Paper,
    PaperMark,
    PaperPiece,
    below,
    ground,
    plain_back,
    set_mark,
)
from companion.gamekit.simulated import HandAct, NextAct, Say, chance
from companion.gamekit.snapshot import Snapshot
from companion.language.facts import Translate
from companion.stations import ReaderKit

# --- Enrolment: it asks for the tag of each piece, and for nothing else ---------------------------------------


def plain_plan(game: Game[Any, Any]) -> EnrolmentPlan:
    return EnrolmentPlan(steps=partial(_steps, game), box=_box)


def _steps(game: Game[Any, Any], base: Data, answers: Answers) -> list[EnrolmentStep]:
    return piece_steps(game.pieces(game.parse_box(tomli_w.dumps(base), "the box that is being enrolled")))


def _box(base: Data, answers: Answers) -> Data:
    """As it was: nothing printed was asked for. From now on it is the owner's."""
    return {**base, "provenance": "enrolled"} if "provenance" in base else base


# --- Paper: a card for each piece that may carry a tag, with its word, its set and its id ---------------------


def plain_paper(game: Game[Any, Any], title: str) -> Paper:
    return partial(_pieces, game, title)


def _pieces(game: Game[Any, Any], title: str, box: Any, _: Translate) -> Sequence[PaperPiece]:
    return [_card(game, title, box, piece, _) for piece in game.pieces(box)]


def _card(game: Game[Any, Any], title: str, box: Any, piece: Thing, _: Translate) -> PaperPiece:
    front = tuple(_front(game, box, piece, _))
    return PaperPiece(piece, piece.kind, CARD, front, plain_back(title, CARD, PURPLE), sticker=below(CARD))


def _front(game: Game[Any, Any], box: Any, piece: Thing, _: Translate) -> Iterator[PaperMark]:
    yield ground(CARD)
    middle = CARD.width / 2
    word = game.word(box, f"{piece.kind}s", piece.id, _) or _in_words(piece.id) or piece.kind
    yield Lettering(word, middle, 26, 11, CARD.width - 10, bold=True)
    yield Lettering(piece.kind, middle, 40, 3, CARD.width - 10, QUIET)
    if piece.owner is not None:
        yield from set_mark(piece.owner, 10, 10, 9)


def _in_words(name: str) -> str:
    """An id as a person would write it: bull-heads-5 is "bull heads 5". The small print has it as it is."""
    return " ".join(name.replace("-", " ").replace("_", " ").split())


THINK_MS = (900, 2500)


class Tried(Struct, frozen=True):
    """What was said in vain since the newest entry of the journal: not all that is offered is accepted."""

    entry: int = -1
    actions: tuple[bytes, ...] = ()


class AnyPlayers:
    """Each picks by chance. The same seed plays the same game."""

    def __init__(self, seed: int, seats: frozenset[Seat], kit: ReaderKit) -> None:
        self._seed, self._seats = seed, seats
        self.memory = Tried()

    def plan(self, snapshot: Snapshot) -> NextAct | None:
        awaiting = snapshot.awaiting
        waiting = self._waiting(snapshot) if awaiting else ()
        if not waiting:
            return None
        tried = self.memory.actions if self.memory.entry == snapshot.entry else ()
        mine = [
            action for action in map(msgspec.to_builtins, snapshot.offered) if action.get("seat", waiting[0]) in waiting
        ]
        fresh = [action for action in mine if _key(action) not in tried]
        if not fresh:
            return None
        luck = chance(self._seed, snapshot.entry, len(tried))
        action = luck.choice(fresh)
        self.memory = Tried(snapshot.entry, (*tried, _key(action)))
        decides = "seat" in action
        return NextAct(action.get("seat", waiting[0]), luck.randint(*THINK_MS), Say(action), decides=decides)

    def mistakes(self, snapshot: Snapshot, plan: NextAct) -> Sequence[HandAct]:
        return ()

    def _waiting(self, snapshot: Snapshot) -> tuple[Seat, ...]:
        """Those of us who are awaited. Those who have chosen already do not change their minds."""
        seats = snapshot.awaiting.seats if snapshot.awaiting else ()
        return tuple(seat for seat in seats if seat in self._seats and seat not in snapshot.settled)


def _key(action: Any) -> bytes:
    return msgspec.json.encode(action)
