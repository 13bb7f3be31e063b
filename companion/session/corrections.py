"""Candidates for a correction: which of the latest actions can be corrected, and what could have been done instead."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from msgspec.structs import replace

from companion.gamekit.game import Refusal
from companion.gamekit.snapshot import TYPED, Before, Past, PastDeed, Snapshot
from companion.messages.intentions import Reconsider
from companion.session.evening import Evening
from companion.session.played_game import CountedAction, PlayedGame
from companion.session.public_snapshot import first_line, seen
from companion.session.stand_ins import Fate, same_kind, seat_of
from companion.stations import Kit

DEEDS = 40
"""How many actions are listed: enough to hold the newest one of every player."""
TRIED = 9
"""For how many of them the rules try whether they can be corrected; undo is better for older ones."""
INSTEAD = 24
"""How many other actions the rules try, to find one that changes nothing else."""
FILTERED = 250
"""Up to this many alternatives, those that would change something else are left out. With more, they are refused
later."""


def past(evening: Evening, id_: str) -> Past:
    """The newest first."""
    played_game = evening.played_game
    newest = islice(zip(reversed(played_game.played), reversed(played_game.imagined.fates), strict=True), DEEDS)
    deeds = [_deed(evening, played, fate, tried=number < TRIED) for number, (played, fate) in enumerate(newest)]
    return Past(id_, evening.number, tuple(deeds))


def before(evening: Evening, asked: Reconsider, name: str, kit: Kit) -> Before:
    """What could have been done instead. If the choice is still hidden, only its player gets to know."""
    played_game = evening.played_game
    index = played_game.find(asked.entry)
    played = played_game.played[index] if index is not None else None
    if played is None or not _is_theirs(evening, played):
        return Before(asked.id, asked.entry, evening.number, asked.seat, None)
    seat = seat_of(played.action)
    fate = played_game.imagined.fates[index or 0]
    if fate == "open":
        offered = _instead(played, played_game.game.offered(played.before))
        return Before(
            asked.id,
            asked.entry,
            evening.number,
            seat,
            _then(evening, name, kit, played.before),
            offered=tuple(_harmless(played_game, played, offered)),
        )
    if fate == "replaced" or seat is None or seat != asked.seat:
        return Before(asked.id, asked.entry, evening.number, asked.seat, None)
    game = played_game.game
    hand = game.own_view(played.before, seat) if game.own_view else None
    own = _instead(played, game.own_offers(played.before, seat))
    return Before(
        asked.id, asked.entry, evening.number, seat, _then(evening, name, kit, played.before), hand, tuple(own)
    )


def _then(evening: Evening, name: str, kit: Kit, state: Any) -> Snapshot:
    """The table as it was, without the box, which a screen knows, and without offers, which `Before` has itself."""
    return replace(seen(evening, name, kit, state), box=None, offered=())


def _deed(evening: Evening, played: CountedAction, fate: Fate, *, tried: bool) -> PastDeed:
    played_game = evening.played_game
    free = tried and fate != "replaced" and not played_game.ended and _is_theirs(evening, played)
    if free and fate == "open":  # a hidden one is always free: nothing that others see depends on it
        others = list(islice(_instead(played, played_game.game.offered(played.before)), INSTEAD))
        free = any(not isinstance(played_game.judged(played.number, other), Refusal) for other in others)
    return PastDeed(played.number, first_line(played), seat_of(played.action), fate != "open", free)


def _is_theirs(evening: Evening, played: CountedAction) -> bool:
    """Whether a person entered it: simulated hands make no mistakes to correct."""
    simulated = evening.header.simulated
    seat = seat_of(played.action)
    return seat not in simulated if seat is not None else not simulated or played.how in TYPED


def _instead(played: CountedAction, offered: Sequence[Any]) -> list[Any]:
    """Other actions of the same kind by the same player."""
    return [other for other in same_kind(offered, played.action) if other != played.action]


def _harmless(played_game: PlayedGame, played: CountedAction, offered: Sequence[Any]) -> Sequence[Any]:
    """Those that change nothing else. If no action came after it, nothing else can change."""
    if played is played_game.played[-1] or len(offered) > FILTERED:
        return offered
    return [other for other in offered if not isinstance(played_game.judged(played.number, other), Refusal)]
