"""Looks at an evening: what a snapshot shows of it."""

from collections.abc import Sequence
from itertools import groupby

from companion.gamekit.game import Seat
from companion.gamekit.snapshot import Lying, Player, Told
from companion.journal.evening import Evening
from companion.referee import match


def newest(evening: Evening) -> Told | None:
    """What an undo would take back: the end of the match, or what somebody did, without what followed from it."""
    if evening.sitting.ended:
        won = match.won(evening)
        return Told(0, "noted", won.what, won.rule, won.facts, (), "screen", evening.sitting.ended)
    played = evening.last_action
    if played is None:
        return None
    ruling = played.step.rulings[0]
    return Told(0, "accepted", ruling.what, ruling.rule, ruling.facts, (), played.how, played.number)


def course(evening: Evening) -> tuple[tuple[int, ...], ...]:
    """What the game looks back at, each time that it changed."""
    look = evening.game.course
    if look is None:
        return ()
    states = (evening.sitting.start.state, *(played.step.state for played in evening.sitting.played))
    return tuple(numbers for numbers, _same in groupby(map(look, states)))


def first_page(evening: Evening) -> int | None:
    """People are told once a game how its table is set up, unless they have begun to play; nobody else has to be."""
    prepare = evening.game.preparation
    told = prepare and has_persons(evening) and not evening.sitting.prepared and prepare(evening.setup)
    return 0 if told else None


def has_persons(evening: Evening) -> bool:
    return len(evening.opening.get("simulated", ())) < len(evening.header.players)


def layout(evening: Evening) -> tuple[Lying, ...]:
    """Made of what everybody can see, so it holds no secret."""
    game = evening.game
    lying = game.layout(game.view(evening.state)) if game.layout else {}
    return tuple(Lying(thing, count, place) for (thing, place), count in lying.items() if count > 0)


def players(names: Sequence[str], simulated: Sequence[Seat]) -> tuple[Player, ...]:
    return tuple(Player(name, seat in simulated) for seat, name in enumerate(names))
