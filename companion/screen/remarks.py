"""Small texts around the table: what an undo would take back, what is not as it should be, which key does what."""

from textual.content import Content

from companion.screen.face import Sight
from companion.screen.text import _
from companion.screen.widgets.history import Line, part_lines, told_lines
from companion.wording import plain


def newest(sight: Sight) -> str:
    """The newest line that an undo would take back, as far as the history tells."""
    lines = [told for told in sight.snapshot.history if told.kind == "accepted"]
    return sight.say(lines[-1]) if lines else ""


def past(sight: Sight) -> list[Line]:
    return told_lines(sight, sight.snapshot.history) + part_lines(sight)


def foot(sight: Sight) -> Content:
    """What is not as it should be: a stand-in box, a reader that is not there."""
    parts: list[str | tuple[str, str]] = []
    if getattr(sight.box, "provenance", "") == "stand-in":
        parts.append((_("stand-in box: your cards may differ"), "dim"))
    for device in sight.snapshot.devices:
        if device.state != "ready":
            words = {"connecting": _("{station}: connecting …"), "lost": _("{station}: lost")}[device.state]
            style = "bold $error" if device.state == "lost" else "$warning"
            parts += ["  " if parts else "", (words.format(station=plain(device.station)), style)]
    return Content.assemble(*parts)


def keys(sight: Sight | None) -> str:
    lines = [f"{' / '.join(command.keys):<10} {command.label}" for command in (sight.face.commands if sight else ())]
    others = [
        ("u", _("take back the newest action")),
        ("h", _("what happened, and why")),
        ("n", _("next game, when this one is over")),
        ("q", _("quit")),
        ("Esc", _("leave a question, nothing changed")),
    ]
    return "\n".join([*lines, *(f"{key:<10} {words}" for key, words in others)])
