"""Why? A line with its ruling in words, and with what led to it."""

from collections.abc import Iterator

from textual.content import Content

from companion.drawing.lines import HistoryLine, told_lines
from companion.drawing.news import led_to
from companion.gamekit.screen.face import Sight
from companion.gamekit.snapshot import Told
from companion.language.speech import _


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
