"""The help: what the lamps and the game's signs mean, which key does what, and the rules of the game."""

from collections.abc import Callable
from textwrap import wrap

from textual.content import Content

from companion.gamekit.screen.controls import language_help
from companion.gamekit.screen.dialog import Reading
from companion.gamekit.screen.face import Sight
from companion.gamekit.sign_table import (
    DONE,
    DOWN,
    FACE_DOWN,
    LEADS,
    LEFT,
    NOTHING,
    QUESTION,
    REMOVE,
    RIGHT,
    SHAPES,
    SIMULATED,
    STARTS,
    TURN,
    UP,
    WRONG,
)
from companion.language.screen_language import _
from companion.screen.screens.replay_controls import replay_keys

WORDS = 41
"""Cells of what a key does, beside its name: so many are there on the smallest screen."""


def help_dialog(sight: Sight | None) -> Reading:
    return Reading(lambda: _("Help"), lambda: help_text(sight), large=True)


def legend_dialog(sight: Sight, seen: Callable[[], str]) -> Reading:
    """What the signs on the table mean: on a small screen there is no room for their words. `seen`: what the table
    shows."""
    return Reading(lambda: _("Signs"), lambda: legend(sight, seen()))


def legend(sight: Sight, seen: str) -> Content:
    """One line for each: those of all tables, as far as they are seen, then the game's own."""
    own = sight.face.legend(sight)
    shapes = "".join(shape for shape in SHAPES if shape in seen and shape not in own.plain)
    general = {sign: words for sign, words in general_signs().items() if any(each in seen for each in sign.split())}
    lines = [(sign, words) for sign, words in general.items() if sign not in own.plain]
    lines += [(shapes, _("colours of players"))] if shapes else []
    shown = [Content.assemble((sign, "bold"), " ", words) for sign, words in lines]
    shown += own.split("  ") if own else []
    lamps = [Content(""), Content(lamps_help())] if sight.snapshot.lights else []
    return Content("\n").join([*shown, *lamps])


def general_signs() -> dict[str, str]:
    """What the signs of all tables mean."""
    return {
        TURN: _("the table waits for this player, or for this row"),
        DONE: _("done: has chosen, is connected, is complete"),
        QUESTION: _("a question is open, or a piece is not known"),
        WRONG: _("refused, lost, impossible"),
        LEADS: _("leads, wins, is the best"),
        STARTS: _("starts the round or the game"),
        SIMULATED: _("a simulated player"),
        FACE_DOWN: _("face down"),
        NOTHING: _("none, empty, free"),
        REMOVE: _("minus"),
        " ".join((UP, RIGHT, DOWN, LEFT)): _("in this direction"),
    }


def lamps_help() -> str:
    """What the signs of the lamps mean."""
    signs = {"turn": TURN, "done": DONE, "question": QUESTION, "wrong": WRONG}
    return _(
        "The lamp behind each name:  {turn} your turn  {done} done  {question} a question  {wrong} not connected",
        **signs,
    )


def _buttons_help() -> str:
    return _("At the table, hold red to undo the last action. After the end, hold green to start the next game.")


def help_text(sight: Sight | None) -> str:
    if sight is None:
        return _keys(sight)
    lamps = lamps_help() if sight.snapshot.lights else ""
    buttons = "" if sight.snapshot.kit == "none" else _buttons_help()
    signs = sight.face.legend(sight).plain
    return "\n\n".join(text for text in (lamps, signs, _keys(sight), buttons, sight.face.rules()) if text)


def _keys(sight: Sight | None) -> str:
    lines = [
        (" / ".join(map(_key, command.keys)), command.label)
        for command in (sight.face.commands(sight) if sight else ())
    ]
    if sight is not None and sight.snapshot.replay:
        return _listed([*(lines if sight.snapshot.replay.asks else ()), *replay_keys(), *_looking(sight)])
    others = [
        *([("i", _("look at your own hand"))] if sight and sight.snapshot.own and sight.persons else []),
        ("u", _("undo the last action, or go back to your own")),
        ("w", _("correct a wrong card")),
        ("n", _("next game, when this one is over: seats, starter, options")),
        ("e", _("end the match, when a game of it is over")),
        ("r", _("the full result then; before, the earlier games of the match")),
        ("F5", _("how the table is set up")),
        ("F7", _("what to move for a bot")),
        ("m", _("everything that has no button now")),
    ]
    return _listed([*lines, *others, *_looking(sight)])


def _looking(sight: Sight | None) -> list[tuple[str, str]]:
    """Keys that change nothing in the game."""
    hands = sight is not None and sight.snapshot.replay is not None and sight.snapshot.replay.open
    return [
        ("h", _("what happened, and why")),
        *([] if sight is not None and sight.snapshot.replay else [("PgUp PgDn", _("the same, page by page"))]),
        ("a", _("the last show again, step by step")),
        ("?", _("what the signs mean")),
        *([("i", _("all players' hands"))] if hands else []),
        ("F2", _("who sits where; after a game, swap seats")),
        ("F3", _("thinking times; a reminder")),
        *([("z", _("pause and resume"))] if sight and sight.persons else []),
        *([("p + - .", _("pause, faster, slower, next step"))] if sight and sight.is_demo else []),
        ("v", _("what is spoken aloud")),
        ("F6", _("whether bars grow in a show")),
        ("V", _("in which language")),
        ("l", language_help()),
        ("t", _("the next theme: dark, light, high contrast")),
        ("q", _("quit")),
        ("Esc", _("cancel a question")),
    ]


def _listed(lines: list[tuple[str, str]]) -> str:
    return "\n".join(line for key, words in lines for line in _hung(key, words))


def _hung(key: str, words: str) -> list[str]:
    """Words that go on below stand below the words above."""
    below = wrap(words, WORDS) or [""]
    return [f"{key:<14} {below[0]}", *(" " * 15 + line for line in below[1:])]


def _key(name: str) -> str:
    return _("space", "key") if name == "space" else name
