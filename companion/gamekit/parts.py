"""The parts of a game, loaded when they are first needed; the kit makes those that a game leaves out."""

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from companion.gamekit.default_parts import AnyPlayers, plain_plan
from companion.gamekit.discovery import find, locale_folder, manifest, part, title
from companion.gamekit.enrolment import EnrolmentPlan, piece_steps
from companion.gamekit.game import Seat
from companion.gamekit.search import Judgement
from companion.gamekit.simulated import Players
from companion.language.facts import Translate
from companion.language.screen_language import OWN_TEXTS, Texts
from companion.stations import ReaderKit

if TYPE_CHECKING:
    from companion.gamekit.paper import Paper


def seat_players(name: str, seed: int, seats: frozenset[Seat], kit: ReaderKit) -> Players:
    """Simulated players of a game in these seats. Raises UsageError, GameError."""
    where = manifest(name).players
    players: Players = part(name, where)(seed, seats, kit) if where else AnyPlayers(seed, seats, kit)
    return players


def brings_players(name: str) -> bool:
    """Whether a game has simulated players of its own. Raises UsageError."""
    return bool(manifest(name).players)


def judgement_of(name: str) -> Judgement[Any, Any]:
    """How the search player thinks about this game. Raises UsageError, GameError."""
    where = manifest(name).judgement
    judgement: Judgement[Any, Any] = part(name, where)(find(name)) if where else Judgement(find(name))
    return judgement


@lru_cache(4)
def enrolment_plan(name: str) -> EnrolmentPlan:
    """How an owner goes through a box of this game. Raises UsageError, GameError."""
    where = manifest(name).enrolment
    plan: EnrolmentPlan = part(name, where) if where else plain_plan(find(name))
    return plan


@cache
def texts_of(name: str) -> Texts:
    """The texts of a game, in the language of this screen. Raises UsageError."""
    folder = locale_folder(name)
    return Texts(folder) if folder else OWN_TEXTS


@lru_cache(4)
def tags_only(name: str, base: str) -> EnrolmentPlan:
    """For a printed box, whose text says what is on each piece: only tags are asked for. A piece has the name of its
    small print. Raises UsageError, GameError, BoxError."""
    game = find(name)
    box = game.parse_box(base, "the printed box")
    pieces = game.pieces(box)

    def word(fact: str, value: int | str, _: Translate) -> str | None:
        if fact != "kind":
            return None
        return next((each.kind for each in paper_of(name)(box, _) if each.thing.kind == value), None)

    return EnrolmentPlan(steps=lambda _base, _answers: piece_steps(pieces), box=lambda data, _answers: data, word=word)


def paper_of(name: str) -> "Paper":
    """Describes the pieces of this game for printing. Raises UsageError, GameError."""
    from companion.gamekit.default_parts import plain_paper

    where = manifest(name).paper
    paper: Paper = part(name, where) if where else plain_paper(find(name), title(name))
    return paper
