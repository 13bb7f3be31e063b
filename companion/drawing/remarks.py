"""What everybody is told before they answer: a question that needs all of them, a step of the preparation."""

from collections.abc import Sequence
from itertools import groupby
from typing import TypeAlias

from textual.content import Content

from companion.gamekit.game import Place
from companion.gamekit.screen.device_marks import readers
from companion.gamekit.screen.face import Sight
from companion.gamekit.snapshot import Lying, Preparation, Question, Told
from companion.language.screen_language import _, listed
from companion.language.wording import numeral, plain

# --- What should lie where, in words: place by place, and page by page.


def place_lines(layout: Sequence[Lying], sight: Sight) -> list[str]:
    """One for each place: what lies there."""
    lines = []
    for place, some in groupby(layout, key=lambda lying: lying.place):
        things = ", ".join(things_words(lying, sight) for lying in some)
        lines.append(_("· {place}: {things}", place=sight.face.place(place, sight), things=things))
    return lines


def pages(layout: Sequence[Lying]) -> list[list[Lying]]:
    """What belongs to nobody, then what belongs to each seat; places stay in the order in which they came."""
    order = list(dict.fromkeys(lying.place for lying in layout))

    def rank(lying: Lying) -> tuple[int, int]:
        return _seat(lying.place), order.index(lying.place)

    return [list(some) for _seat_of, some in groupby(sorted(layout, key=rank), key=lambda lying: _seat(lying.place))]


def _seat(place: Place) -> int:
    return -1 if place.seat is None else place.seat


def things_words(lying: Lying, sight: Sight) -> str:
    """Cards and tiles that nobody has named are only counted."""
    if not lying.thing.id and lying.thing.owner is None:
        if lying.thing.kind == "card":
            return _("{count:card|cards}", count=lying.count)
        if lying.thing.kind == "tile":
            return _("{count:tile|tiles}", count=lying.count)
    return sight.face.thing(lying.thing, lying.count, sight)


# --- Small texts around the table: what an undo would take back, what the referee answers, what is not as it should
# be.


def newest(sight: Sight) -> str:
    """What somebody did that an undo would take back."""
    return sight.say(sight.snapshot.newest) if sight.snapshot.newest else ""


def answer(sight: Sight, told: Told, now: bool) -> str:
    """What was said, with its ruling; and, if there is room for it, what to do `now`."""
    sentence = sight.say(told)
    said = _("{sentence} ({rule})", sentence=sentence, rule=plain(told.rule)) if told.rule else sentence
    todo = sight.face.headline(sight).sentence if now and not sight.over else ""
    return f"{said}\n► {todo}" if todo else said


Remarks: TypeAlias = Sequence[tuple[str, str]]
"""Words and their style."""


def foot(sight: Sight, first: Remarks = (), then: Remarks = ()) -> Content:
    """The readers, how the match stands, and whether the box is a stand-in. `first` and `then`: before the readers, and
    behind them, whatever else there is to say."""
    parts = [*first, *readers(sight), *then]
    if sight.snapshot.match and not sight.over:
        parts.append((_match(sight), "bold"))
    if getattr(sight.box, "provenance", "") == "stand-in":
        parts.append((_("stand-in box: your cards may differ"), "dim"))
    return Content("  ").join([Content.styled(words, style) for words, style in parts])


def _match(sight: Sight) -> str:
    """Which game of the match this is, and what everybody has from those before it."""
    match = sight.snapshot.match
    sums = [sum(result.totals[seat] for result in match) for seat in range(len(sight.names))]
    marks = ["◆" if total == max(sums) else "" for total in sums]
    standing = "  ".join(
        f"{mark}{plain(name, 6)} {numeral(points)}" for mark, name, points in zip(marks, sight.names, sums, strict=True)
    )
    return _("game {number}, so far: {standing}", number=len(match) + 1, standing=standing)


def question_words(sight: Sight, question: Question, how: str) -> str:
    """What is asked, `how` to agree, who has agreed, and which pieces would go back."""
    asked = [sight.face.asked(question.kind, sight)]
    if question.kind == "undo":
        asked = [newest(sight), _("Undo this? It already revealed a secret.")]
    elif question.kind == "correct":
        asked = [_("Correct this entry? It already revealed a secret.")]
    agreed = listed([sight.name(seat) for seat in question.agreed])
    missing = listed([sight.name(seat) for seat in question.missing])
    lines = [*asked, how, _("Waiting for: {names}", names=missing)]
    if question.agreed:
        lines.append(_("Agreed: {names}", names=agreed))
    if question.moves:
        lines += [_("These pieces would go back:"), *(f"· {sight.put_back(move)}" for move in question.moves)]
    return "\n".join(line for line in lines if line)


def preparation_title(shown: Preparation) -> str:
    return _("Setting up ({page}/{pages})", page=shown.page + 1, pages=shown.pages)


def preparation_words(sight: Sight, shown: Preparation) -> Content:
    if shown.page < len(shown.steps):
        step = shown.steps[shown.page]
        return Content.assemble((sight.say(step), "bold"), (f"  {plain(step.rule or '')}", "$quiet"))
    lying = [each for page in pages(shown.layout) for each in page]
    return Content("\n".join([_("The table should now look like this:"), *place_lines(lying, sight)]))


def preparation_next(shown: Preparation) -> str:
    """What the button to the next page is called."""
    return _("Begin") if shown.page + 1 == shown.pages else _("Next", "page")
