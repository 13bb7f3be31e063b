"""What has no button of its own: a menu of the rest."""

from companion.drawing.news import last_reveal
from companion.gamekit.screen.face import Choice, Menu, Sight
from companion.gamekit.screen.worded import Words
from companion.language.speech import _
from companion.screen.screens.replaying import places
from companion.screen.screens.unlisted import can_join
from companion.screen.widgets.bar import GAME_SLOTS, ROOMIEST, Slot, crowded, placed


def more(sight: Sight | None, width: int, *, up: bool, can_undo: bool, way_out: Words | None) -> Menu:
    """All that can be done now besides what the bar shows. `up`: the referee is there."""
    slots = [
        *(_without_button(sight, width) if sight is not None and up else []),
        *([Slot("peek", _("In hand"), "i")] if sight is not None and up and has_hands(sight) else []),
        *([Slot("correct", _("Correct"), "w")] if can_undo else []),
        *([Slot("unlisted", _("New piece"), "0")] if sight is not None and up and can_join(sight) else []),
        Slot("history", _("Why"), "h"),
        *([Slot("again", _("Reveal"), "a")] if sight is not None and last_reveal(sight) else []),
        Slot("help", _("Help"), "F1"),
        *([Slot("quit", way_out(), "q")] if way_out else []),
    ]
    return Menu(_("More"), [Choice(slot.label, slot, key=slot.key) for slot in slots])


def _without_button(sight: Sight, width: int) -> list[Slot]:
    """What the game offers now that has no button of its own."""
    if sight.over or sight.snapshot.replay:
        return []
    slots, rest = placed(sight)
    last = slots[-1] if rest and not has_button(sight, width) else None
    return [last, *rest] if last else rest


def has_button(sight: Sight | None, width: int) -> bool:
    """Whether "more" is among the buttons of the evening."""
    room = places(sight) <= GAME_SLOTS or width >= ROOMIEST
    return crowded(width, places(sight)) or (room and sight is not None and has_hands(sight))


def has_hands(sight: Sight) -> bool:
    if sight.snapshot.replay:
        return sight.snapshot.replay.open
    return sight.snapshot.own and bool(sight.persons) and not sight.over
