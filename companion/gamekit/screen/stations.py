"""Readers and lamps of the table, as a screen tells of them: small, and never by a hue alone."""

from textual.content import Content

from companion.gamekit.game import Seat
from companion.gamekit.snapshot import Snapshot, Told
from companion.language.speech import _, plural
from companion.language.wording import plain
from companion.stations import CENTRE, PINS, pad, seat_at

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
    if not snapshot.lights:
        return Content("")
    sign, style = LAMPS.get(snapshot.lights.get(pad(seat), ""), (" ", ""))
    return Content.assemble(" ", (sign, style))


def lamps_help() -> str:
    """What the signs mean, for the help."""
    return _("Behind a name, what its lamp says:  ● it is your turn  √ done  ? a question is open  × lost")


def buttons_help() -> str:
    return _("At the table, red held takes the newest action back; green held after the end begins the next game.")


# --- Readers --------------------------------------------------------------------------------------------------


def readers(snapshot: Snapshot) -> list[tuple[str, str]]:
    """Words and their style. Those that are not ready by their names; the others are only counted."""
    parts: list[tuple[str, str]] = []
    ready = 0
    for device in snapshot.devices:
        name = _name(device.station)
        if device.state == "ready":
            ready += device.station != PINS
        elif device.state == "unclear":
            parts.append((_("? {station}: a stack").format(station=name), "$warning"))
        elif device.state == "connecting":
            parts.append((_("… {station}: connecting").format(station=name), "$warning"))
        elif by_hand(snapshot, device.station):
            parts.append((_("► {station}: by hand").format(station=name), "bold $warning"))
        else:
            parts.append((_("× {station}: lost").format(station=name), "bold $error"))
    if ready:
        parts.append((plural("● {count} reader", "● {count} readers", ready), ""))
    return parts


def _name(station: str) -> str:
    return {CENTRE: _("centre"), PINS: _("button unit")}.get(station, plain(station))


def by_hand(snapshot: Snapshot, station: str) -> bool:
    """Whether play has gone on by a screen since this station was lost, as far back as the history goes."""
    lines = snapshot.history
    losses = [n for n, told in enumerate(lines) if told.what in ("reader fault", "link down") and _at(told, station)]
    since = lines[losses[-1] :] if losses else lines
    return any(told.kind == "accepted" and told.how == "screen" and _spoke_for(told, station) for told in since)


def _at(told: Told, station: str) -> bool:
    return told.facts.get("station") == station


def _spoke_for(told: Told, station: str) -> bool:
    """A pad speaks for its own seat, everything else for anybody."""
    seat = seat_at(station)
    return seat is None or told.facts.get("seat") == seat
