"""Small texts around the table: what an undo would take back, what is wrong, which key does what."""

from collections.abc import Sequence

from textual.content import Content

from companion.drawing import remarks
from companion.gamekit.screen.device_marks import buttons_help, lamps_help
from companion.gamekit.screen.face import Sight
from companion.gamekit.screen.translated_widgets import language_help
from companion.language.screen_language import _
from companion.language.wording import plain
from companion.screen.screens.replay_controls import keys as replay_keys
from companion.screen.screens.replay_controls import standing


def leaving(sight: Sight) -> str:
    """What happens when people leave a game that is not over."""
    if sight.persons:
        return _("The game is saved. You can resume it at any time.")
    return _("You are only watching. Leaving doesn't affect the game.")


def waiting(late: bool, can_leave: bool) -> str:
    """While the referee is away. Whoever shows a table starts its referee again: that takes a moment, if it can be."""
    if not late:
        return _("Waiting for the referee …")
    if can_leave:
        return _("The referee is not responding. The game is saved. Leave, then run `companion resume`")
    return _("The referee is not responding. The game is saved. Switch the table off and on again")


def foot(sight: Sight, times: Sequence[str] = ()) -> Content:
    """A pause; where in a game somebody is looking back; how fast hands play, how long everybody has thought; and the
    remarks that phones have, too."""
    first = [(_("pause"), "bold reverse")] if sight.snapshot.paused and not sight.over else []
    first += [(standing(sight), "bold")] if sight.snapshot.replay else []
    then = [(f"×{sight.snapshot.speed:g}", "bold")] if sight.is_demo and sight.snapshot.speed != 1.0 else []
    if times:
        each = (f"{plain(name, 6)} {time}" for name, time in zip(sight.names, times, strict=False))
        then.append(("  ".join(each), ""))
    return remarks.foot(sight, first, then)


def help_text(sight: Sight | None) -> str:
    """Which key does what, and the rules of the game."""
    if sight is None:
        return _keys(sight)
    lamps = lamps_help() if sight.snapshot.lights else ""
    buttons = "" if sight.snapshot.kit == "none" else buttons_help()
    legend = sight.face.legend(sight).plain
    return "\n\n".join(text for text in (lamps, legend, _keys(sight), buttons, sight.face.rules()) if text)


def _keys(sight: Sight | None) -> str:
    if sight is not None and sight.snapshot.replay:
        return _listed([*replay_keys(), *_looking(sight)])
    lines = [
        (" / ".join(map(_key, command.keys)), command.label)
        for command in (sight.face.commands(sight) if sight else ())
    ]
    others = [
        *([("i", _("look at your own hand"))] if sight and sight.snapshot.own and sight.persons else []),
        ("u", _("undo the last action, or go back to your own")),
        ("w", _("correct a wrong card")),
        ("n", _("next game, when this one is over")),
        ("e", _("end the match, when a game of it is over")),
        ("r", _("the full result then; you can save it")),
        ("m", _("everything that has no button now")),
    ]
    return _listed([*lines, *others, *_looking(sight)])


def _looking(sight: Sight | None) -> list[tuple[str, str]]:
    """What changes nothing at the table."""
    hands = sight is not None and sight.snapshot.replay is not None and sight.snapshot.replay.open
    return [
        ("h", _("what happened, and why")),
        ("a", _("show the last reveal again")),
        *([("i", _("all players' hands"))] if hands else []),
        ("F2", _("who sits where; after a game, swap seats")),
        ("F3", _("thinking times; a reminder")),
        *([("z", _("pause and resume"))] if sight and sight.persons else []),
        *([("p + - .", _("pause, faster, slower, next step"))] if sight and sight.is_demo else []),
        ("v", _("what is spoken aloud")),
        ("l", language_help()),
        ("t", _("the next theme: dark, light, high contrast")),
        ("q", _("quit")),
        ("Esc", _("cancel a question")),
    ]


def _listed(lines: list[tuple[str, str]]) -> str:
    return "\n".join(f"{key:<14} {words}" for key, words in lines)


def _key(name: str) -> str:
    return _("space", "key") if name == "space" else name
