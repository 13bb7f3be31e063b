"""Why? A line with its ruling in words, and with what led to it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from textual.content import Content

from companion.gamekit.game import Part, Ruling
from companion.gamekit.screen.face import Sight
from companion.gamekit.snapshot import Told
from companion.language.screen_language import _
from companion.language.wording import plain

# --- The lines of an evening, in words: what happened, and where everybody's points come from.

COMPLAINTS = ("refused", "unknown", "foreign")


class HistoryLine(NamedTuple):
    number: int
    sentence: str
    rule: str
    kind: str
    by_hand: bool = False
    """Said on a screen although there are readers."""
    of: Told | Part | Ruling | None = None
    """What the line tells."""


def told_lines(sight: Sight, history: Sequence[Told]) -> list[HistoryLine]:
    """What followed from an action by itself nobody did by hand: only its first line says so, if it may be read."""
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
    """What broke a tie, why a victory is shared, and why everybody has the points that they have: first what they are
    counted from."""
    ending = sight.snapshot.tie_break, sight.snapshot.shared
    said: list[Ruling | Part] = [each for each in ending if each]
    for score in sight.snapshot.scores:
        said += [*score.notes, *score.parts]
    return [
        HistoryLine(-number, sight.say(each), plain(each.rule or ""), "accepted", of=each)
        for number, each in enumerate(said, 1)
    ]


# --- What is new since the last snapshot, and what it asks for.

MOVES_ON = ("accepted", "undone", "corrected")
"""Lines after which nobody needs the complaint before them."""


TAKES_BACK = ("undone", "corrected")
"""Lines that say what no longer counts."""


class News:
    """Finds the lines that came since it was last asked."""

    def __init__(self) -> None:
        self._seen: int | None = None

    def heard(self, told: Told) -> None:
        """This line was dealt with when it came as a reply."""
        self._seen = max(self._seen or 0, told.number)

    def since(self, history: Sequence[Told]) -> list[Told]:
        """Nothing is news to a screen that has just come, or when the referee has, but an undo right before."""
        latest = history[-1].number if history else 0
        if self._seen is None or latest < self._seen:
            fresh = [told for told in history[-1:] if told.kind in TAKES_BACK]
        else:
            fresh = [told for told in history if told.number > (self._seen or 0)]
        self._seen = latest
        return fresh


def put_back(sight: Sight, fresh: Sequence[Told]) -> Told | None:
    """The newest undo or correction, if hands have to put pieces back and have not played on since."""
    for told in reversed(fresh):
        if told.kind in TAKES_BACK and told.moves and sight.persons and not played_since(sight, told):
            return told
    return None


def revealed(sight: Sight, fresh: Sequence[Told]) -> tuple[Told, ...]:
    """What the newest action that brought something to light said, from there on."""
    bright = sight.face.reveals
    entries = [told.entry for told in fresh if told.entry and told.kind == "accepted" and told.what in bright]
    lines = [told for told in fresh if entries and told.entry == entries[-1] and told.kind == "accepted"]
    first = next((number for number, told in enumerate(lines) if told.what in bright), 0)
    return tuple(lines[first:])


def last_reveal(sight: Sight) -> tuple[Told, ...]:
    """What came to light last, as far as it still counts and may still be read."""
    lines = counting(sight.history)
    bright = [told.entry for told in lines if told.what in sight.face.reveals]
    newest = [told for told in lines if bright and told.entry == bright[-1]]
    first = next((number for number, told in enumerate(newest) if told.what in sight.face.reveals), 0)
    return tuple(newest[first:])


def counting(history: Sequence[Told]) -> list[Told]:
    """The lines of actions that still count: each undo and each correction says which do not."""
    void: set[int] = set()
    for told in history:
        void = (void | set(told.voids)) - set(told.revives)
    return [told for told in history if told.kind == "accepted" and told.entry not in void]


def led_to(sight: Sight, told: Told) -> list[Told]:
    """What happened before this line in the same round, as far as the history goes."""
    before = [line for line in sight.history if line.number < told.number]
    starts = [n for n, line in enumerate(before) if line.what in sight.face.rounds or line.what == "a new game"]
    return counting(before[starts[-1] + 1 if starts else 0 :])


def behind(sight: Sight, told: Told) -> int:
    """How many actions were accepted after this line."""
    return len({line.entry for line in counting(sight.snapshot.history) if line.number > told.number})


def played_since(sight: Sight, told: Told) -> bool:
    """Whether an action was accepted after this line and what belongs to it."""
    return any(
        line.kind == "accepted" and line.number > told.number and (line.entry != told.entry or not line.entry)
        for line in sight.snapshot.history
    )


def explained(sight: Sight, line: HistoryLine) -> Content:
    """The line, its ruling, how it was said, and what led to it."""
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
        yield Content("\n".join(f"· {ground}" for ground in grounds))
    before = told_lines(sight, led_to(sight, line.of)) if isinstance(line.of, Told) else []
    if before:
        rows = [Content.assemble(f"· {each.sentence}  ", (each.rule, "$quiet")) for each in before]
        yield Content("\n").join([Content.styled(_("What led to it in this round:"), "bold"), *rows])


def _said_by(sight: Sight, line: HistoryLine) -> str:
    """By what it was said; without readers everything is said on a screen."""
    how = line.of.how if isinstance(line.of, Told) and sight.snapshot.kit != "none" else ""
    return {
        "tag": _("Entered with a piece on a reader."),
        "button": _("Entered with a button."),
        "screen": _("Entered on a screen."),
        "phone": _("Entered on a phone."),
    }.get(how, "")
