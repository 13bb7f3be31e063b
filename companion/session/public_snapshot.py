"""Looks at an evening: what a snapshot shows of it."""

from typing import Any

import msgspec

from companion.gamekit.ending import broken_tie, shared_victory
from companion.gamekit.game import Awaiting, Refusal, Seat
from companion.gamekit.snapshot import Lying, Player, Result, Snapshot, Told
from companion.messages.intentions import Act, Intention
from companion.session import match
from companion.session.actions import CountedAction
from companion.session.evening import Evening
from companion.session.notes import note
from companion.stations import Kit


def seen(evening: Evening, name: str, kit: Kit, state: Any) -> Snapshot:
    """The table of the game that is played now, in one of its states, as everybody may see it. What may be done is
    told by what is offered: that betrays nothing."""
    game = evening.game
    offered = tuple(game.offered(state))
    kinds = tuple(map(kind_of, dict.fromkeys(map(type, offered))))
    awaiting = game.awaiting(state)
    return Snapshot(
        number=0,
        entry=evening.number,
        evening=name,
        game=game.name,
        players=players(evening),
        begun=evening.played_game.number,
        kit=kit,
        options=msgspec.to_builtins(evening.setup.options),
        box=evening.setup.box,
        table=game.view(state),
        awaiting=awaiting and Awaiting(awaiting.seats, kinds),
        settled=game.settled(state) if awaiting and game.settled else (),
        offered=offered,
        own=game.own_view is not None,
        secret=tuple(dict.fromkeys(kind_of(action) for action in offered if game.conceals(action) is not None)),
        scores=game.scores(state) if awaiting is None else (),
        winners=game.winners(state) if awaiting is None else (),
        tie_break=broken_tie(game, state) if awaiting is None else None,
        shared=shared_victory(game, state) if awaiting is None else None,
        match=tuple(Result(result.totals, result.winners) for result in evening.results),
        course=evening.played_game.course if awaiting is None else (),
        thought=evening.played_game.thinking.seconds,
    )


def kind_of(action: Any) -> str:
    """What an action does, or all actions of this type: its `do`."""
    return str(action.__struct_config__.tag)


def newest(evening: Evening) -> Told | None:
    """What an undo would take back: the end of the match, or what somebody did, without what followed from it."""
    if evening.played_game.ended:
        won = match.won(evening)
        return Told(0, "noted", won.what, won.rule, won.facts, (), "screen", evening.played_game.ended)
    played = evening.last_action
    if played is None:
        return None
    if correction := evening.played_game.newest_correction:
        said = note("a correction")
        return Told(0, "noted", said.what, how=played.how, entry=correction.number)
    return first_line(played)


def first_line(played: CountedAction) -> Told:
    """What somebody did, without what followed from it."""
    ruling = played.step.rulings[0]
    return Told(0, "accepted", ruling.what, ruling.rule, ruling.facts, (), played.how, played.entry)


def first_page(evening: Evening) -> int | None:
    """People are told once per game how its table is set up, unless they have begun to play; simulated players need not
    be."""
    prepare = evening.game.preparation
    told = prepare and has_persons(evening) and not evening.played_game.prepared and prepare(evening.setup)
    return 0 if told else None


def has_persons(evening: Evening) -> bool:
    return len(evening.header.simulated) < len(evening.header.players)


def layout(evening: Evening) -> tuple[Lying, ...]:
    """Made of what everybody can see, so it holds no secret."""
    game = evening.game
    lying = game.layout(game.view(evening.state)) if game.layout else {}
    return tuple(Lying(thing, count, place) for (thing, place), count in lying.items() if count > 0)


def players(evening: Evening) -> tuple[Player, ...]:
    simulated, people = evening.header.simulated, evening.played_game.people
    return tuple(Player(name, seat in simulated, people[seat]) for seat, name in enumerate(evening.header.players))


def how(intention: Intention) -> str:
    """How it was entered: whoever speaks for one seat alone does so on a phone."""
    return "phone" if isinstance(intention, Act) and intention.seat is not None else "screen"


def theirs(evening: Evening, action: Any, speaker: Seat | None, begun: int | None) -> Any:
    """The action, or why it is none; whoever speaks for one seat alone does what is that seat's: its own actions, and
    those that name nobody while the table waits for it. It has to be meant for this game: in the next one somebody
    else may sit there."""
    if isinstance(action, Refusal) or speaker is None:
        return action
    if begun != evening.played_game.number:
        return Refusal(None, "for another game")
    awaiting = evening.game.awaiting(evening.state)
    waited_for = awaiting.seats if awaiting else ()
    is_theirs = action.seat == speaker if hasattr(action, "seat") else speaker in waited_for
    return action if is_theirs else Refusal(None, "not yours to say")
