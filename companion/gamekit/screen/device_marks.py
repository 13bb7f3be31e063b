"""Readers and lamps of the table, as a screen tells of them: small, and never by a hue alone."""

from typing import TYPE_CHECKING

from textual.content import Content

from companion.gamekit.game import Seat
from companion.gamekit.snapshot import TYPED, Snapshot, Told
from companion.language.screen_language import _, language
from companion.language.wording import pad_of, plain
from companion.stations import CENTRE, PINS, pad, seat_at

if TYPE_CHECKING:
    from companion.gamekit.screen.face import Sight

LOSSES = ("reader fault", "link down", "links down", "pads unplugged", "reader unplugged")
"""What is said when a station is lost."""
LAMPS = {
    "turn": ("●", "bold $success"),
    "done": ("√", "bold $text-primary"),
    "question": ("?", "bold $warning"),
    "lost": ("×", "bold $error"),
}
"""What a lamp says (`companion/table/effects.py`): a shape for it, and its hue. One that is off has none."""
LAMP = 2
"""Cells behind a name."""


def lamp(snapshot: Snapshot, seat: Seat) -> Content:
    """The sign of this seat's lamp, in two cells; nothing at all where the table has no lamps."""
    sign = lamp_sign(snapshot, seat)
    return Content.assemble(" ", sign) if sign else Content("")


def lamp_sign(snapshot: Snapshot, seat: Seat) -> tuple[str, str] | None:
    """A shape and its style; None where the table has no lamps."""
    return LAMPS.get(snapshot.lights.get(pad(seat), ""), (" ", "")) if snapshot.lights else None


def lamps_help() -> str:
    """What the signs mean, for the help."""
    return _("The lamp behind each name:  ● your turn  √ done  ? a question is open  × not connected")


def buttons_help() -> str:
    return _("At the table, hold red to undo the last action. After the end, hold green to start the next game.")


# --- Readers --------------------------------------------------------------------------------------------------


def readers(sight: "Sight") -> list[tuple[str, str]]:
    """Words and their style. Those that are not ready by their names; the others are only counted, and so are several
    that are lost for the same reason."""
    snapshot = sight.snapshot
    parts: list[tuple[str, str]] = []
    ready = 0
    together = _lost_together(snapshot)
    if together:
        parts.append((_("× {count:pad|pads}: lost", count=len(together)), "bold $error"))
    for device in snapshot.devices:
        if device.station in together:
            continue
        name = _name(device.station, sight)
        if device.state == "ready":
            ready += device.station != PINS
        elif device.state == "unclear":
            parts.append((_("? {station}: a stack", station=name), "$warning"))
        elif device.state == "connecting":
            parts.append((_("… {station}: connecting", station=name), "$warning"))
        elif by_hand(snapshot, device.station):
            parts.append((_("► {station}: on screen", station=name), "bold $warning"))
        else:
            parts.append((_("× {station}: lost", station=name), "bold $error"))
    if ready:
        parts.append((_("● {count:reader|readers}", count=ready), ""))
    return parts


def _lost_together(snapshot: Snapshot) -> set[str]:
    """Pads that were lost for one reason, a cable perhaps, and for which nobody has played by hand since."""
    lost: dict[str, list[str]] = {}
    for device in snapshot.devices:
        if device.state == "lost" and seat_at(device.station) is not None and not by_hand(snapshot, device.station):
            lost.setdefault(device.problem, []).append(device.station)
    return {station for stations in lost.values() if len(stations) > 1 for station in stations}


def _name(station: str, sight: "Sight") -> str:
    seat = seat_at(station)
    if seat is not None and seat < len(sight.names):
        return pad_of(sight.name(seat), language())
    return {CENTRE: _("centre"), PINS: _("button unit")}.get(station, plain(station))


def by_hand(snapshot: Snapshot, station: str) -> bool:
    """Whether play has gone on by a screen or a phone since this station was lost, as far back as the history goes."""
    lines = snapshot.history
    losses = [n for n, told in enumerate(lines) if told.what in LOSSES and _at(told, station)]
    since = lines[losses[-1] :] if losses else lines
    return any(told.kind == "accepted" and told.how in TYPED and _spoke_for(told, station) for told in since)


def _at(told: Told, station: str) -> bool:
    several = told.facts.get("stations")
    return told.facts.get("station") == station or (isinstance(several, tuple) and station in several)


def _spoke_for(told: Told, station: str) -> bool:
    """A pad speaks for its own seat, everything else for anybody."""
    seat = seat_at(station)
    return seat is None or told.facts.get("seat") == seat
