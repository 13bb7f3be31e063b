"""One cable is one complaint: what several stations say at the same moment, for the same reason, is one line."""

from collections import deque

from msgspec.structs import replace

from companion.gamekit.snapshot import Told
from companion.language.facts import Fact
from companion.stations import seat_at
from companion.troubles import LineTrouble

TOGETHER = {"link down": "links down", "link up": "links up", "connecting": "links connecting"}


def remember(history: deque[Told], told: Told) -> Told:
    """The newest line; together with the one before it, where both tell of one cable."""
    both = merged(history[-1], told) if history else None
    if both is not None:
        history.pop()
    history.append(both or told)
    return both or told


def told_plainly(told: Told) -> Told:
    """A cable that is out has to be put in: that is said, and nothing else."""
    if told.what != "link down" or told.facts.get("problem") != LineTrouble.UNPLUGGED:
        return told
    is_pad = seat_at(str(told.facts.get("station"))) is not None
    return replace(told, what="pads unplugged" if is_pad else "reader unplugged")


def merged(before: Told, told: Told) -> Told | None:
    """Both as one line, with the newer number; None if they have nothing to do with each other."""
    several = _stations(before)
    if not several or _kind(before) != _kind(told) or before.facts.get("problem") != told.facts.get("problem"):
        return None
    stations = tuple(dict.fromkeys((*several, *_stations(told))))
    if any(seat_at(station) is None for station in stations) or len(stations) < 2:
        return None
    facts: dict[str, Fact] = {"stations": stations}
    if "problem" in told.facts:
        facts["problem"] = told.facts["problem"]
    return replace(told, what=_kind(told), facts=facts)


def _kind(told: Told) -> str:
    return TOGETHER.get(told.what, told.what)


def _stations(told: Told) -> tuple[str, ...]:
    """Those that a line is about, if it is one of ours."""
    if _kind(told) not in (*TOGETHER.values(), "pads unplugged"):
        return ()
    several = told.facts.get("stations")
    return tuple(map(str, several)) if isinstance(several, tuple) else (str(told.facts.get("station")),)
