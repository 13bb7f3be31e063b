"""What everybody is told before they answer: a question that needs all of them, a step of the preparation."""

from textual.content import Content

from companion.drawing.layout import pages, place_lines
from companion.drawing.remarks import newest
from companion.gamekit.screen.face import Sight
from companion.gamekit.snapshot import Preparation, Question
from companion.language.speech import _, listed
from companion.language.wording import plain


def question_words(sight: Sight, question: Question, how: str) -> str:
    """What is asked, `how` to agree, who has agreed, and which pieces would go back."""
    asked = [sight.face.asked(question.kind, sight)]
    if question.kind == "undo":
        asked = [newest(sight), _("Undo this? It already revealed a secret.")]
    elif question.kind == "correct":
        asked = [_("Correct this entry? It already revealed a secret.")]
    agreed = listed([sight.name(seat) for seat in question.agreed])
    missing = listed([sight.name(seat) for seat in question.missing])
    lines = [*asked, how, _("Waiting for: {names}").format(names=missing)]
    if question.agreed:
        lines.append(_("Agreed: {names}").format(names=agreed))
    if question.moves:
        lines += [_("These pieces would go back:"), *(f"· {sight.put_back(move)}" for move in question.moves)]
    return "\n".join(line for line in lines if line)


def preparation_title(shown: Preparation) -> str:
    return _("Setting up ({page}/{pages})").format(page=shown.page + 1, pages=shown.pages)


def preparation_words(sight: Sight, shown: Preparation) -> Content:
    if shown.page < len(shown.steps):
        step = shown.steps[shown.page]
        return Content.assemble((sight.say(step), "bold"), (f"  {plain(step.rule or '')}", "$quiet"))
    lying = [each for page in pages(shown.layout) for each in page]
    return Content("\n".join([_("The table should now look like this:"), *place_lines(lying, sight)]))


def preparation_next(shown: Preparation) -> str:
    """What the button to the next page is called."""
    return _("Begin") if shown.page + 1 == shown.pages else _("Next", "page")
