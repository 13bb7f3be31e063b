"""Small texts around the table: what an undo would take back, what is not as it should be, which key does what."""

from textual.content import Content

from companion.screen.face import Sight
from companion.screen.stations import buttons_help, lamps_help, readers
from companion.screen.text import _
from companion.screen.widgets.worded import language_help
from companion.snapshot import Told
from companion.wording import plain


def newest(sight: Sight) -> str:
    """What somebody did that an undo would take back."""
    return sight.say(sight.snapshot.newest) if sight.snapshot.newest else ""


def answer(sight: Sight, told: Told, now: bool) -> str:
    """What was said, with its ruling; and, if there is room for it, what to do `now`."""
    sentence = sight.say(told)
    said = _("{sentence} ({rule})").format(sentence=sentence, rule=plain(told.rule)) if told.rule else sentence
    todo = sight.face.headline(sight).sentence if now and not sight.over else ""
    return f"{said}\n► {todo}" if todo else said


def leaving(sight: Sight) -> str:
    """What happens when people leave a game that is not over."""
    if sight.persons:
        return _("Everything up to here is written down: the game can be resumed at any time.")
    return _("Nobody here is playing: nothing changes for those who do.")


def foot(sight: Sight) -> Content:
    """The readers, how the match stands, and whether the box is a stand-in."""
    parts = readers(sight.snapshot)
    if sight.snapshot.match and not sight.over:
        parts.append((_match(sight), "bold"))
    if getattr(sight.box, "provenance", "") == "stand-in":
        parts.append((_("stand-in box: your cards may differ"), "dim"))
    return Content("  ").join([Content.styled(words, style) for words, style in parts])


def _match(sight: Sight) -> str:
    """Which game of the match this is, and what everybody has from those before it."""
    match = sight.snapshot.match
    sums = [sum(result.totals[seat] for result in match) for seat in range(len(sight.names))]
    standing = "  ".join(f"{plain(name, 6)} {points}" for name, points in zip(sight.names, sums, strict=True))
    return _("game {number}: {standing}").format(number=len(match) + 1, standing=standing)


def help_text(sight: Sight | None) -> str:
    """Which key does what, and the rules of the game."""
    if sight is None:
        return _keys(sight)
    lamps = lamps_help() if sight.snapshot.lights else ""
    buttons = "" if sight.snapshot.kit == "none" else buttons_help()
    return "\n\n".join(text for text in (_keys(sight), lamps, buttons, sight.face.rules()) if text)


def _keys(sight: Sight | None) -> str:
    lines = [(" / ".join(map(_key, command.keys)), command.label) for command in (sight.face.commands if sight else ())]
    others = [
        ("u", _("take back the newest action")),
        ("h", _("what happened, and why")),
        ("n", _("next game, when this one is over")),
        ("r", _("the whole result then; it can be saved")),
        ("l", language_help()),
        ("t", _("the next theme: dark, light, high contrast")),
        ("q", _("quit")),
        ("Esc", _("leave a question, nothing changed")),
    ]
    return "\n".join(f"{key:<14} {words}" for key, words in [*lines, *others])


def _key(name: str) -> str:
    return _("space", "key") if name == "space" else name
