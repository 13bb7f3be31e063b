"""Every message is answered, in every situation, with what it says here."""

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.gamekit.snapshot import Told
from companion.messages.intentions import (
    Act,
    Agree,
    BeCentre,
    Correct,
    Decline,
    Drive,
    EndMatch,
    Enlist,
    Go,
    Intention,
    LookedOver,
    NextGame,
    Pause,
    Prepare,
    RunErrand,
    TapTag,
    Undo,
)
from companion.session.session import Wanted
from tests.referee.table import ALL_SIX, LASCAUX, STANDIN, Table

ANOTHER = next(card.id for card in LASCAUX.parse_box(STANDIN, "the box").cards if card.id not in ALL_SIX)


def reach(table: Table, situation: str) -> Table:
    match situation:
        case "choosing":
            table.to_choosing()
        case "bidding":
            table.to_bidding()
        case "revealed" | "asked":
            table.to_reveal()
        case "over" | "ended":
            table.play_to_end()
    if situation == "asked":
        assert table.undo().what == "undo needs all players"
    if situation == "ended":
        assert table.heed(EndMatch("ended")).kind == "noted"
    return table


MESSAGES: dict[str, Callable[[int], Intention]] = {
    "draw": lambda _: Act("m", {"do": "draw", "card": ANOTHER}),
    "pass": lambda _: Act("m", {"do": "pass", "seat": 0}),
    "no action": lambda _: Act("m", {"do": "fly"}),
    "another player's": lambda _: Act("m", {"do": "pass", "seat": 1}, seat=0, begun=1),
    "another game's": lambda _: Act("m", {"do": "pass", "seat": 0}, seat=0, begun=99),
    "undo": lambda _: Undo("m"),
    "undo what was newest": lambda newest: Undo("m", entry=newest - 1),
    "correct": lambda newest: Correct("m", 2, newest, {"do": "draw", "card": ANOTHER}),
    "correct, too late": lambda newest: Correct("m", 2, newest - 1, {"do": "draw", "card": ANOTHER}),
    "agree": lambda _: Agree("m", 0),
    "agree to another question": lambda _: Agree("m", 0, 99),
    "agree from the last seat": lambda _: Agree("m", 2),
    "agree from no seat": lambda _: Agree("m", 3),
    "decline": lambda _: Decline("m"),
    "decline another question": lambda _: Decline("m", 99),
    "prepare": lambda _: Prepare("m", 1),
    "tap": lambda _: TapTag("m", 0, "DEADBEEF"),
    "centre": lambda _: BeCentre("m", 0, True),
    "looked over": lambda _: LookedOver("m"),
    "next game": lambda _: NextGame("m"),
    "next game on other seats": lambda _: NextGame("m", (2, 0, 1)),
    "next game on no seats": lambda _: NextGame("m", (0, 0, 1)),
    "end match": lambda _: EndMatch("m"),
    "enlist": lambda _: Enlist("m", "nothing", {}),
    "pause": lambda _: Pause("m", True),
    "go on": lambda _: Pause("m", False),
    "drive": lambda _: Drive("m", 2.0),
    "errand": lambda _: RunErrand("m", 1),
    "go": lambda _: Go("m"),
}
USUALLY = {
    "draw": "refused: too many cards",
    "pass": "refused: bidding has not begun",
    "no action": "refused: unknown action",
    "another player's": "refused: not yours to say",
    "another game's": "refused: for another game",
    "undo": "wants undo",
    "undo what was newest": "refused: the table has changed",
    "correct": "refused: rests on it",
    "correct, too late": "refused: the table has changed",
    **dict.fromkeys([each for each in MESSAGES if each.startswith(("agree", "decline"))], "idle: no question is open"),
    "prepare": "noted: set up already",
    "looked over": "noted: looked over",
    "tap": "unknown: unknown sticker",
    "centre": "noted: phone is the centre",
    **dict.fromkeys([each for each in MESSAGES if each.startswith("next game")], "refused: the game is not over"),
    "end match": "refused: the game is not over",
    "enlist": "refused: no such piece",
    "pause": "wants clock",
    "go on": "noted: no pause",
    "drive": "noted: hands",
    "errand": "idle: no errand",
    "go": "refused: no replay",
}
ASKED = "refused: a question is open"
ENDED = "refused: the match has ended"
OVER = {"draw": "refused: the game is over", "pass": "refused: the game is over", "pause": "noted: paused"}
HERE: dict[str, dict[str, str]] = {
    "drawing": {
        "draw": "wants action",
        "undo": "refused: nothing to undo",
        "correct": "refused: cannot be corrected",
    },
    "choosing": {},
    "bidding": {"pass": "wants action"},
    "revealed": {"draw": "wants action", "undo": "noted: undo needs all players"},
    "asked": {
        **dict.fromkeys(["draw", "pass", "undo", "correct", "correct, too late", "enlist", "end match"], ASKED),
        **dict.fromkeys([each for each in MESSAGES if each.startswith("next game")], ASKED),
        "agree": "noted: agrees",
        "agree from the last seat": "noted: agrees",
        "agree from no seat": "refused: no such seat",
        "decline": "noted: declined",
    },
    "over": OVER
    | {
        "undo": "noted: undo needs all players",
        "next game": "wants game",
        "next game on other seats": "wants game",
        "next game on no seats": "refused: no such seats",
        "end match": "wants ended",
    },
    "ended": OVER
    | dict.fromkeys([each for each in MESSAGES if each.startswith("next game")], ENDED)
    | {"end match": ENDED, "correct": "refused: cannot be corrected"},
}


@pytest.mark.parametrize("situation", HERE)
def test_every_message_is_answered_in_every_situation(situation: str, tmp_path: Path) -> None:
    answers: dict[str, str] = {}
    for message, make in MESSAGES.items():
        folder = tmp_path / message.replace(" ", "-")
        folder.mkdir()
        table = reach(Table(folder).hurry(), situation)
        before = table.evening.number
        decision = table.referee.session.heed(make(before), table.now)
        answers[message] = f"wants {decision.kind}" if isinstance(decision, Wanted) else said(decision)
        assert table.evening.number == before, "nothing is written yet"
        table.close()
    assert answers == USUALLY | HERE[situation]


def said(told: Told) -> str:
    return f"{told.kind}: {told.what}"


def test_every_kind_of_intention_is_among_them() -> None:
    assert {type(make(1)) for make in MESSAGES.values()} == set(Intention.__subclasses__())
