"""Effects: what lights and buzzers do, made of what everybody can see. So they cannot tell a secret."""

from collections.abc import Mapping

from companion.gamekit.game import Seat
from companion.gamekit.snapshot import Kind, Snapshot, Told
from companion.stations import CENTRE
from companion.table.effects import Cue, Effect, Light, Pattern, Sound
from companion.table.signals import Held, Missed, Pressed, Signal, TagPlaced, TagsUnclear

_CUES: dict[Kind, Cue] = {
    **dict.fromkeys(("accepted", "undone", "corrected", "noted"), "accepted"),
    **dict.fromkeys(("refused", "unknown", "foreign"), "refused"),
}


def lights(snapshot: Snapshot, pads: Mapping[str, Seat]) -> dict[str, Pattern]:
    """What each station's light says now."""
    seats = {station: seat for station, seat in pads.items() if seat < len(snapshot.players)}
    lost = {device.station for device in snapshot.devices if device.state == "lost"}
    shown: dict[str, Pattern] = {station: _pad(snapshot, seat) for station, seat in seats.items()}
    shown[CENTRE] = _centre(snapshot)
    return {station: "lost" if station in lost else pattern for station, pattern in shown.items()}


def changes(before: Mapping[str, Pattern], after: Mapping[str, Pattern]) -> list[Effect]:
    """The lights that are not as they were; a pad whose turn has come is told so by a sound, too."""
    told: list[Effect] = []
    for station, pattern in after.items():
        if before.get(station) != pattern:
            told.append(Light(station, pattern))
            if pattern == "turn" and station in before and station != CENTRE:
                told.append(Sound(station, "turn"))
    return told


def answer(signal: Signal, told: Told) -> list[Effect]:
    """The sound that answers what hands have done. What is already known is answered by silence."""
    if not isinstance(signal, TagPlaced | Pressed | Held | Missed | TagsUnclear):
        return []
    cue = _CUES.get(told.kind)
    return [Sound(signal.station, cue)] if cue else []


def _pad(snapshot: Snapshot, seat: Seat) -> Pattern:
    if snapshot.question:
        return "question" if seat in snapshot.question.missing else "done"
    if snapshot.awaiting is None:
        return "off"
    if seat in snapshot.awaiting.seats and seat not in snapshot.settled:
        return "turn"
    return "done" if snapshot.secret else "off"  # where all lay something secretly, this seat has done its part


def _centre(snapshot: Snapshot) -> Pattern:
    if snapshot.question:
        return "question"
    return "turn" if snapshot.awaiting and snapshot.kit == "one" else "off"
