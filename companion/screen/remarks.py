"""Small texts around the table: what happens when people leave, what is waited for, which key does what."""

from companion.gamekit.screen.face import Sight
from companion.gamekit.screen.stations import buttons_help, lamps_help
from companion.gamekit.screen.worded import language_help
from companion.language.speech import _


def leaving(sight: Sight) -> str:
    """What happens when people leave a game that is not over."""
    if sight.persons:
        return _("Everything up to here is written down: the game can be resumed at any time.")
    return _("Nobody here is playing: nothing changes for those who do.")


def waiting(late: bool, can_leave: bool) -> str:
    """While the referee is away. Whoever shows a table starts its referee again: that takes a moment, if it can be."""
    if not late:
        return _("Waiting for the referee …")
    if can_leave:
        return _("The referee does not answer. Nothing is lost: leave the table, then `companion resume` goes on")
    return _("The referee does not answer. Nothing is lost: switch the table off and on again")


def help_text(sight: Sight | None) -> str:
    """Which key does what, and the rules of the game."""
    if sight is None:
        return _keys(sight)
    lamps = lamps_help() if sight.snapshot.lights else ""
    buttons = "" if sight.snapshot.kit == "none" else buttons_help()
    return "\n\n".join(text for text in (_keys(sight), lamps, buttons, sight.face.rules()) if text)


def _keys(sight: Sight | None) -> str:
    lines = [
        (" / ".join(map(_key, command.keys)), command.label)
        for command in (sight.face.commands(sight) if sight else ())
    ]
    others = [
        *([("i", _("look at your own hand"))] if sight and sight.snapshot.own and sight.persons else []),
        ("u", _("take back the newest action")),
        ("h", _("what happened, and why")),
        ("n", _("next game, when this one is over")),
        ("e", _("end the match, when a game of it is over")),
        ("r", _("the whole result then; it can be saved")),
        ("m", _("whatever has no button of its own now")),
        ("l", language_help()),
        ("t", _("the next theme: dark, light, high contrast")),
        ("q", _("quit")),
        ("Esc", _("leave a question, nothing changed")),
    ]
    return "\n".join(f"{key:<14} {words}" for key, words in [*lines, *others])


def _key(name: str) -> str:
    return _("space", "key") if name == "space" else name
