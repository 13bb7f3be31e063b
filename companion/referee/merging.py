"""One cable is one complaint: what several stations say at the same moment, for the same reason, is one line."""

from collections import deque

from msgspec.structs import replace

from companion.gamekit.game import Ruling
from companion.gamekit.snapshot import Told
from companion.referee.notes import note
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
    """A cable that is out has to be put back in: the line says that and nothing else."""
    if told.what != "link down" or told.facts.get("problem") != LineTrouble.UNPLUGGED:
        return told
    station = str(told.facts.get("station"))
    if seat_at(station) is None:
        return _said(told, note("reader unplugged", station=station))
    return _said(told, note("pads unplugged", stations=(station,)))


def merged(before: Told, told: Told) -> Told | None:
    """Both as one line, with the newer number; None if they have nothing to do with each other."""
    what = _kind(told)
    if _kind(before) != what or before.facts.get("problem") != told.facts.get("problem"):
        return None
    stations = tuple(dict.fromkeys((*_stations(before), *_stations(told))))
    if len(stations) < 2 or any(seat_at(station) is None for station in stations):
        return None
    match what:
        case "links down":
            return _said(told, note("links down", stations=stations, problem=told.facts.get("problem")))
        case "links up":
            return _said(told, note("links up", stations=stations))
        case "links connecting":
            return _said(told, note("links connecting", stations=stations))
        case _:
            return _said(told, note("pads unplugged", stations=stations))


def _said(told: Told, ruling: Ruling) -> Told:
    return replace(told, what=ruling.what, facts=ruling.facts)


def _kind(told: Told) -> str:
    return TOGETHER.get(told.what, told.what)


def _stations(told: Told) -> tuple[str, ...]:
    """Those that a line is about, if it is one of ours."""
    if _kind(told) not in (*TOGETHER.values(), "pads unplugged"):
        return ()
    several = told.facts.get("stations")
    return tuple(map(str, several)) if isinstance(several, tuple) else (str(told.facts.get("station")),)
