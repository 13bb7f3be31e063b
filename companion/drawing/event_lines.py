"""The lines of an evening in words: what happened, what is new since the last snapshot, and why."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from textual.content import Content

from companion.gamekit.game import Part, Ruling
from companion.gamekit.screen.face import Sight
from companion.gamekit.snapshot import Told
from companion.language.screen_language import _
from companion.language.wording import plain

# --- Lines ----------------------------------------------------------------------------------------------------

COMPLAINTS = ("refused", "unknown", "foreign")


class HistoryLine(NamedTuple):
    number: int
    sentence: str
    rule: str
    kind: str
    by_hand: bool = False
    """Entered on a screen although there are readers."""
    of: Told | Part | Ruling | None = None
    """What the line is about."""


def told_lines(sight: Sight, history: Sequence[Told]) -> list[HistoryLine]:
    """Only the first line of an action can be marked as entered by hand: the others followed from it."""
    first: dict[int, int] = {}
    for told in sight.snapshot.history:
        first.setdefault(told.entry, told.number)
    readers = sight.snapshot.kit != "none"
    return [
        HistoryLine(
            told.number,
            sight.say(told),
            plain(told.rule or ""),
            told.kind,
            readers and told.how == "screen" and told.kind == "accepted" and first.get(told.entry) == told.number,
            told,
        )
        for told in history
    ]


def reasons(sight: Sight) -> list[HistoryLine]:
    """What broke a tie, why a victory is shared, and where each player's points come from, with what was counted
    first."""
    ending = sight.snapshot.tie_break, sight.snapshot.shared
    said: list[Ruling | Part] = [each for each in ending if each]
    for score in sight.snapshot.scores:
        said += [*score.notes, *score.parts]
    return [
        HistoryLine(-number, sight.say(each), plain(each.rule or ""), "accepted", of=each)
        for number, each in enumerate(said, 1)
    ]


# --- What is new ----------------------------------------------------------------------------------------------

MOVES_ON = ("accepted", "undone", "corrected")
"""Kinds of lines that clear the refusal before them."""


TAKES_BACK = ("undone", "corrected")
"""Kinds of lines that take earlier lines back."""


class News:
    """Finds the lines that are new since the last call."""

    def __init__(self) -> None:
        self._seen: int | None = None

    def heard(self, told: Told) -> None:
        """This line was already shown, as the reply to an action."""
        self._seen = max(self._seen or 0, told.number)

    def since(self, history: Sequence[Told]) -> list[Told]:
        """Nothing is new to a screen that has just connected, or after a restart of the referee, except an undo right
        before."""
        latest = history[-1].number if history else 0
        if self._seen is None or latest < self._seen:
            fresh = [told for told in history[-1:] if told.kind in TAKES_BACK]
        else:
            fresh = [told for told in history if told.number > (self._seen or 0)]
        self._seen = latest
        return fresh


def put_back(sight: Sight, fresh: Sequence[Told]) -> Told | None:
    """The newest undo or correction, if players have to put pieces back and have not played on since."""
    for told in reversed(fresh):
        if told.kind in TAKES_BACK and told.moves and sight.persons and not played_since(sight, told):
            return told
    return None


def revealed(sight: Sight, fresh: Sequence[Told]) -> tuple[Told, ...]:
    """The lines of the newest action that revealed something, from the reveal on."""
    bright = sight.face.reveals
    entries = [told.entry for told in fresh if told.entry and told.kind == "accepted" and told.what in bright]
    lines = [told for told in fresh if entries and told.entry == entries[-1] and told.kind == "accepted"]
    first = next((number for number, told in enumerate(lines) if told.what in bright), 0)
    return tuple(lines[first:])


def last_reveal(sight: Sight) -> tuple[Told, ...]:
    """The last reveal that still counts and may still be read."""
    lines = counting(sight.history)
    bright = [told.entry for told in lines if told.what in sight.face.reveals]
    newest = [told for told in lines if bright and told.entry == bright[-1]]
    first = next((number for number, told in enumerate(newest) if told.what in sight.face.reveals), 0)
    return tuple(newest[first:])


def counting(history: Sequence[Told]) -> list[Told]:
    """The lines of actions that still count. Each undo and each correction lists those that do not."""
    void: set[int] = set()
    for told in history:
        void = (void | set(told.voids)) - set(told.revives)
    return [told for told in history if told.kind == "accepted" and told.entry not in void]


def led_to(sight: Sight, told: Told) -> list[Told]:
    """The lines before this one in the same round, as far back as the history goes."""
    before = [line for line in sight.history if line.number < told.number]
    starts = [n for n, line in enumerate(before) if line.what in sight.face.rounds or line.what == "a new game"]
    return counting(before[starts[-1] + 1 if starts else 0 :])


def round_starts(sight: Sight) -> dict[int, int]:
    """The number of the first line of each round → which round of the game that is. Empty if the game has none."""
    ends, begins = sight.face.leaps or sight.face.rounds, sight.face.rounds if sight.face.leaps else None
    starts: dict[int, int] = {}
    ended: int | None = 0
    for told in sight.history:
        if told.kind != "accepted" or not ends:
            continue
        if ended is not None and told.entry != ended and (begins is None or not starts or told.what in begins):
            starts[told.number] = len(starts) + 1
            ended = None
        if told.what in ends:
            ended = told.entry
    return starts


def behind(sight: Sight, told: Told) -> int:
    """How many actions were accepted after this line."""
    return len({line.entry for line in counting(sight.snapshot.history) if line.number > told.number})


def played_since(sight: Sight, told: Told) -> bool:
    """Whether another action was accepted after this line."""
    return any(
        line.kind == "accepted" and line.number > told.number and (line.entry != told.entry or not line.entry)
        for line in sight.snapshot.history
    )


def explained(sight: Sight, line: HistoryLine) -> Content:
    """The line, its ruling, how it was entered, and what led to it."""
    return Content("\n\n").join(list(_paragraphs(sight, line)))


def _paragraphs(sight: Sight, line: HistoryLine) -> Iterator[Content]:
    yield Content.styled(line.sentence, "bold")
    if line.rule:
        yield Content.assemble((line.rule, "bold $text-primary"), "  ", sight.face.ruling(line.rule))
    said = _said_by(sight, line)
    if said:
        yield Content(said)
    grounds = sight.face.grounds(sight, line.of) if line.of is not None else ()
    if grounds:
        yield Content("\n".join(f"– {ground}" for ground in grounds))
    before = told_lines(sight, led_to(sight, line.of)) if isinstance(line.of, Told) else []
    if before:
        rows = [Content.assemble(f"– {each.sentence}  ", (each.rule, "$quiet")) for each in before]
        yield Content("\n").join([Content.styled(_("What led to it in this round:"), "bold"), *rows])


def _said_by(sight: Sight, line: HistoryLine) -> str:
    """How it was entered; "" without readers, where everything is entered on a screen."""
    how = line.of.how if isinstance(line.of, Told) and sight.snapshot.kit != "none" else ""
    return {
        "tag": _("Entered with a piece on a reader."),
        "button": _("Entered with a button."),
        "screen": _("Entered on a screen."),
        "phone": _("Entered on a phone."),
    }.get(how, "")
