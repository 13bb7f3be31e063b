"""Sentences of a hall, in the reader's language."""

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec import Struct

from companion.errors import CompanionError, UsageError
from companion.language.facts import Fact
from companion.language.wording import ENGLISH, Language

if TYPE_CHECKING:
    from companion.hall.seating import SeatingReason


class OrderRefusedError(UsageError):
    """Why a hall refuses an order: one or two sentences, marked with `N_`, and their facts."""

    def __init__(self, text: str, **facts: Fact) -> None:
        super().__init__(ENGLISH.text(text, **facts))
        self.text, self.facts = text, facts


class TableNote(Struct, frozen=True):
    """What is wrong at a table: a sentence, marked with `N_`, and its facts."""

    text: str
    facts: dict[str, Fact]


def note_line(notes: Iterable[TableNote], language: Language = ENGLISH) -> str:
    return " ".join(language.text(note.text, **note.facts) for note in notes)


def refusal_line(error: CompanionError, language: Language) -> str:
    """Why an order was refused. Faults of a database or a file have no translation."""
    return language.text(error.text, **error.facts) if isinstance(error, OrderRefusedError) else str(error)


def reason_line(reason: "SeatingReason", language: Language) -> str:
    """Why players sit together, or sit out: one sentence."""
    _, facts = language.text, reason.facts
    match reason.what:
        case "by lot":
            return _("First round, drawn by lot.")
        case "planned":
            return _("From a plan for this number of players: none of them have met before.")
        case "no repeats":
            return _("None of these players have met before.")
        case "newcomers":
            return _("Arrived late: {names}. None of these players have met before.", **facts)
        case "repeats":
            return _("Meeting again: {pairs}. For {players} players no better seating was found.", **facts)
        case "top table":
            return _("Top table: the leaders after round {round}.", **facts)
        case "byes":
            return _("Sitting out: {names}. There are {seats} seats for {players} players, and byes go round.", **facts)
        case _:
            return _("The director has changed this table.")


def points_text(points: Fraction, language: Language = ENGLISH) -> str:
    """5, 2.75 or 3.33; in German 2,75"""
    return decimal_text(points, language).rstrip("0").rstrip(".,")


def decimal_text(number: Fraction, language: Language = ENGLISH) -> str:
    """Two decimals: 0.40"""
    return f"{float(number):.2f}".replace(".", language.text(".", "decimal point"))
