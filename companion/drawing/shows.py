"""Shows: great moments, step by step, on a screen, a phone or a wall. Each step waits for its viewer.

    highlight (the lines of one action, or a finished game) ─► `steps` ─► words, big letters, a picture, a race of bars

Everything comes from the lines and the scores of a snapshot, which all players may read: a show has no secrets. A
game's face says which lines begin one (`Face.reveals`), and words and draws its steps (`Face.steps`, `Face.calls`).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from textual.content import Content

from companion.drawing.event_lines import last_reveal
from companion.drawing.result_sheet import Lane, lanes, outcome, titles
from companion.gamekit.game import Part, Ruling
from companion.gamekit.screen.face import Call, Sight
from companion.gamekit.snapshot import Told
from companion.language.screen_language import _
from companion.language.wording import numeral, plain


class Highlight(NamedTuple):
    """What is shown: the lines of one action; none for the scoring of a finished game."""

    lines: tuple[Told, ...] = ()

    @property
    def title(self) -> str:
        return _("Revealed") if self.lines else _("The scoring")


class ShowStep(NamedTuple):
    """What is to be seen at one step."""

    words: Content
    """With those of the steps before it, if they belong together."""
    big: tuple[str, ...] = ()
    """For the big letters, the longest first."""
    picture: Content = Content("")
    race: Sequence[Lane] = ()
    """Each player's points so far."""


SCORING = Highlight()


def last_highlight(sight: Sight) -> Highlight | None:
    """The newest show: it can be repeated at any time."""
    if sight.over:
        return SCORING if sight.snapshot.scores else None
    lines = last_reveal(sight)
    return Highlight(lines) if lines else None


def highlight_number(sight: Sight) -> int:
    """Tells the newest show from those before it; 0 if there is none."""
    highlight = last_highlight(sight)
    if highlight is None:
        return 0
    return highlight.lines[-1].number if highlight.lines else -sight.snapshot.begun - 1


def show_steps(sight: Sight, highlight: Highlight, width: int, tall: bool) -> list[ShowStep]:
    """There is always one."""
    return list(_told(sight, highlight.lines, width, tall) if highlight.lines else _scored(sight))


# --- What an action revealed ----------------------------------------------------------------------------------


def _told(sight: Sight, lines: Sequence[Told], width: int, tall: bool) -> Iterator[ShowStep]:
    """The words are added line by line. What is large stays until something else is."""
    said, calls = sight.face.steps(sight, lines), sight.face.calls(sight, lines, width, tall)
    call = Call(())
    for number in range(len(said)):
        call = (calls[number] if number < len(calls) else None) or call
        yield ShowStep(Content("\n").join(list(said[: number + 1])), call.big, call.picture)


# --- The scoring of a game ------------------------------------------------------------------------------------


def _scored(sight: Sight) -> Iterator[ShowStep]:
    """A step for each kind of points: who gets how many for what, and how far each player is; at last who has won."""
    kinds = titles(sight)
    for number, kind in enumerate(kinds, 1):
        yield ShowStep(_reasons(sight, kind), (kind,), race=lanes(sight, number))
    won = outcome(sight)
    yield ShowStep(_ending(sight, won.sentence), won.big, race=lanes(sight, len(kinds)))


def _reasons(sight: Sight, kind: str) -> Content:
    found = []
    for score in sorted(sight.snapshot.scores, key=lambda score: score.seat):
        for part in score.parts:
            if sight.face.part(part.for_) == kind:
                found += [_line(sight, part, numeral(part.points)), *_grounds(sight, part)]
    return Content("\n").join(found)


def _line(sight: Sight, said: Part | Ruling, points: str = "") -> Content:
    counted = (f"{points:>4}  ", "bold") if points else ""
    return Content.assemble(counted, sight.say(said), (f"  {plain(said.rule or '')}", "$quiet"))


def _grounds(sight: Sight, part: Part) -> list[Content]:
    return [Content.styled(f"      {plain(ground, 200)}", "$quiet") for ground in sight.face.grounds(sight, part)]


def _ending(sight: Sight, sentence: str) -> Content:
    why = [said for said in (sight.snapshot.tie_break, sight.snapshot.shared) if said]
    return Content("\n").join([Content.styled(sentence, "bold"), *(_line(sight, said) for said in why)])
