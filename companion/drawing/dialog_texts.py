"""Texts of the dialogs that screens and phones share: questions to all players, the set-up, where pieces go."""

from collections.abc import Sequence
from itertools import groupby

from textual.content import Content

from companion.drawing.table_frame import headline
from companion.gamekit.game import Place
from companion.gamekit.screen.face import Sight
from companion.gamekit.sign_table import TURN
from companion.gamekit.snapshot import Lying, Preparation, Question, SetTable, Told
from companion.language.screen_language import _, listed
from companion.language.wording import plain

# --- Which pieces are where -----------------------------------------------------------------------------------


def place_lines(layout: Sequence[Lying], sight: Sight) -> list[str]:
    """One line for each place: the pieces that should be there."""
    lines = []
    for place, some in groupby(layout, key=lambda lying: lying.place):
        things = ", ".join(things_words(lying, sight) for lying in some)
        lines.append(_("– {place}: {things}", place=sight.face.place(place, sight), things=things))
    return lines


def pages(layout: Sequence[Lying]) -> list[list[Lying]]:
    """The shared places first, then one page for each seat. Places keep their order."""
    order = list(dict.fromkeys(lying.place for lying in layout))

    def rank(lying: Lying) -> tuple[int, int]:
        return _seat(lying.place), order.index(lying.place)

    return [list(some) for _seat_of, some in groupby(sorted(layout, key=rank), key=lambda lying: _seat(lying.place))]


def _seat(place: Place) -> int:
    return -1 if place.seat is None else place.seat


def things_words(lying: Lying, sight: Sight) -> str:
    """Cards and tiles without a name are only counted."""
    if not lying.thing.id and lying.thing.owner is None:
        if lying.thing.kind == "card":
            return _("{count:card|cards}", count=lying.count)
        if lying.thing.kind == "tile":
            return _("{count:tile|tiles}", count=lying.count)
    return sight.face.thing(lying.thing, lying.count, sight)


# --- Answers and questions ------------------------------------------------------------------------------------


def newest(sight: Sight) -> str:
    """The action that an undo would take back."""
    return sight.say(sight.snapshot.newest) if sight.snapshot.newest else ""


def answer(sight: Sight, told: Told, now: bool) -> str:
    """The referee's answer with its ruling and, if there is room (`now`), what to do next."""
    sentence = sight.say(told)
    said = _("{sentence} ({rule})", sentence=sentence, rule=plain(told.rule)) if told.rule else sentence
    todo = headline(sight).sentence if now and not sight.over else ""
    return f"{said}\n{TURN} {todo}" if todo else said


def question_words(sight: Sight, question: Question, how: str) -> str:
    """The question, `how` to agree, who has agreed, and which pieces would go back."""
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
        lines += [_("These pieces would go back:"), *(f"– {sight.put_back(move)}" for move in question.moves)]
    return "\n".join(line for line in lines if line)


# --- The set-up -----------------------------------------------------------------------------------------------


def preparation_title(shown: Preparation) -> str:
    return _("Setting up ({page}/{pages})", page=shown.page + 1, pages=shown.pages)


def preparation_words(sight: Sight, shown: Preparation) -> Content:
    if shown.page < len(shown.steps):
        step = shown.steps[shown.page]
        return Content.assemble((sight.say(step), "bold"), (f"  {plain(step.rule or '')}", "$quiet"))
    lying = [each for page in pages(shown.layout) for each in page]
    return Content("\n".join([_("The table should now look like this:"), *place_lines(lying, sight)]))


def set_table_words(sight: Sight, table: SetTable) -> Content:
    """All steps of the set-up, and what should be where now."""
    steps = [
        Content.assemble(f"{number}. {sight.say(step)}", (f"  {plain(step.rule or '')}", "$quiet"))
        for number, step in enumerate(table.steps, 1)
    ]
    lying = [each for page in pages(table.layout) for each in page]
    now = [Content.styled(_("The table now:"), "bold"), *map(Content, place_lines(lying, sight))] if lying else []
    return Content("\n").join([*steps, *([Content("")] if steps and now else []), *now])


def preparation_next(shown: Preparation) -> str:
    """The label of the button to the next page."""
    return _("Begin") if shown.page + 1 == shown.pages else _("Next", "page")
