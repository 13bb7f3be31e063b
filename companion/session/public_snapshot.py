"""The part of a snapshot that an evening alone tells: the table as every player may see it, in any of its states."""

from typing import Any

import msgspec

from companion.gamekit.ending import broken_tie, shared_victory
from companion.gamekit.game import Awaiting
from companion.gamekit.snapshot import Player, Result, Snapshot, Told
from companion.session import match
from companion.session.actions import CountedAction
from companion.session.evening import Evening
from companion.session.history import note
from companion.stations import Kit


def seen(evening: Evening, name: str, kit: Kit, state: Any) -> Snapshot:
    """The table of the current game, in one of its states, as all players may see it. What may be done is derived from
    what is offered, which reveals no secret."""
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
        per_player=game.per_player,
        seats=game.seats,
        awaiting=awaiting and Awaiting(awaiting.seats, kinds),
        settled=game.settled(state) if awaiting and game.settled else (),
        offered=offered,
        own=game.own_view is not None,
        secret=tuple(dict.fromkeys(kind_of(action) for action in offered if game.conceals(action) is not None)),
        scores=game.scores(state) if awaiting is None else (),
        winners=game.winners(state) if awaiting is None else (),
        lowest_wins=game.lowest_wins,
        tie_break=broken_tie(game, state) if awaiting is None else None,
        shared=shared_victory(game, state) if awaiting is None else None,
        match=tuple(Result(result.totals, result.winners) for result in evening.results),
        course=evening.played_game.course if awaiting is None else (),
        thought=evening.played_game.thinking.seconds,
    )


def kind_of(action: Any) -> str:
    """The `do` of an action, or of a type of actions."""
    return str(action.__struct_config__.tag)


def newest(evening: Evening) -> Told | None:
    """What an undo would undo: the end of the match, a correction, or an action, without what followed from it."""
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
    """What a player did, without what followed from it."""
    ruling = played.step.rulings[0]
    return Told(0, "accepted", ruling.what, ruling.rule, ruling.facts, (), played.how, played.entry)


def has_persons(evening: Evening) -> bool:
    return len(evening.header.simulated) < len(evening.header.players)


def players(evening: Evening) -> tuple[Player, ...]:
    simulated, people = evening.header.simulated, evening.played_game.people
    return tuple(Player(name, seat in simulated, people[seat]) for seat, name in enumerate(evening.header.players))
