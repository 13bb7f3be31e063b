"""Sentences of a hall, in the reader's language."""

from fractions import Fraction

from companion.hall.seating import SeatingReason
from companion.language.wording import Language


def reason_line(reason: SeatingReason, language: Language) -> str:
    """Why players sit together, or sit out: one sentence."""
    _, facts = language.text, reason.facts
    match reason.what:
        case "by lot":
            return _("First round, drawn by lot.")
        case "planned":
            return _("From a plan for this number of players: none of them has met before.")
        case "no repeats":
            return _("None of these players has met before.")
        case "newcomers":
            return _("Arrived late: {names}. None of these players has met before.", **facts)
        case "repeats":
            return _("Meeting again: {pairs}. For {players} players no better seating was found.", **facts)
        case "top table":
            return _("Top table: the leaders after round {round}.", **facts)
        case "byes":
            return _("Sitting out: {names}. There are {seats} seats for {players} players, and byes go round.", **facts)
        case _:
            return _("The director has changed this table.")


def points_text(points: Fraction) -> str:
    """5, 2.75 or 3.33"""
    return f"{float(points):.2f}".rstrip("0").rstrip(".")
