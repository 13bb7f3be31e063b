"""The words of an enrolment, in the screen's language. A game's own sentences come with its plan."""

from collections import Counter
from collections.abc import Mapping

from companion.enrolment.course import Standing
from companion.gamekit import discovery
from companion.gamekit.enrolment import BIG, NONE, Complaint, EnrolmentPlan, EnrolmentStep, Field, Several, Value
from companion.gamekit.parts import enrolment_plan, texts_of
from companion.gamekit.screen.controls import Words
from companion.gamekit.screen.face import Headline
from companion.language.facts import N_, Fact, Translate
from companion.language.screen_language import OWN_TEXTS, _
from companion.language.wording import filled, plain
from companion.messages.phone_access import EnrolmentTexts

LENGTH, SHORT = 60, 24
"""How many letters of facts and options are shown: in sentences, and in titles and labels."""

COMPLAINTS = {
    "all done": N_("Everything is enrolled already."),
    "no tag here": N_("There is nothing to tap now. First enter what is printed, then press Next."),
    "tag on another piece": N_("This tag is already on another piece: {piece}."),
    "tag of another game": N_("This tag is already on a piece of {game}."),
    "cannot be": N_("{field}: choose as many as are asked for."),
    "sheets come first": N_("You can't leave this for later. Everything that follows depends on it."),
    "the last one": N_("You can't leave this for later. It is the last one."),
    "nothing to take back": N_("There is nothing to undo."),
    "two tags": N_("Two tags at once: {uids}. Lift both, then lay down the one you mean."),
    "unclear": N_("Several tags are too close together to tell apart. Lay down only one."),
    "lay it again": N_("A tag was already there. Lift it and lay it down again."),
    "no number": N_("This sticker has no number of its own. Use an NTAG sticker."),
    "moved on": N_("The screen has moved on. See which piece is next, then touch its sticker again."),
    "dialog open": N_("A dialog is open on the screen. Close it, then touch the sticker again."),
    "check first": N_("First touch the last sticker once more, so that its text is checked."),
}
"""What the owner of any game may be told; a game has more of its own."""


class Wording:
    """The words of one game's plan."""

    def __init__(self, game: str, plan: EnrolmentPlan | None = None) -> None:
        self._texts, self._word = texts_of(game), (plan or enrolment_plan(game)).word

    # --- Steps ---

    def headline(self, step: EnrolmentStep) -> Headline:
        return Headline((self.title(step),), self._filled(step.sentence, step.facts))

    def title(self, step: EnrolmentStep) -> str:
        """A short title for the big letters and for notices."""
        return self._filled(step.title, step.facts, BIG)

    def _filled(self, text: str, facts: Mapping[str, Fact], context: str = "") -> str:
        return filled(self._texts.text(text, context), facts, self._texts.language(), self._short).strip()

    def _short(self, fact: str, value: int | str, translate: Translate) -> str:
        """Names from a box may have any length."""
        return plain(self._word(fact, value, translate) or str(value), SHORT)

    # --- Fields ---

    def label(self, field: Field) -> str:
        """The question."""
        return self._filled(field.label, field.facts)

    def told(self, field: Field, value: Value) -> str:
        """The chosen value in one line."""
        if isinstance(value, str):
            return self.option(field, value)
        words = Counter(self.option(field, each) for each in value).items()
        return ", ".join(word if count == 1 else f"{count} × {word}" for word, count in words) or _("none", "printed")

    def option(self, field: Field, value: str) -> str:
        if value == NONE:
            return _("none", "printed")
        return plain(self._word(field.key, value, self._texts.text) or value, LENGTH)

    # --- Complaints ---

    def complaint(self, said: Complaint, now: Standing) -> str:
        if said.sentence:
            return self._filled(said.sentence, said.facts)
        facts = {name: plain(str(fact), LENGTH) for name, fact in said.facts.items()}
        if "step" in facts:
            facts["piece"] = self.title(now.step(str(said.facts["step"])))
        if "field" in facts:
            asked = next(field for step in now.waiting[:1] for field in step.fields if field.key == said.facts["field"])
            facts["field"] = self.label(asked)
        if "game" in facts:
            facts["game"] = plain(discovery.title(str(said.facts["game"])), LENGTH)
        return OWN_TEXTS.text(COMPLAINTS[said.what], **facts) if said.what in COMPLAINTS else said.what


# --- For phones -------------------------------------------------------------------------------------------------


def phone_texts(words: Wording, now: Standing, values: Mapping[str, Value], notice: Words | None) -> EnrolmentTexts:
    """What a phone shows and says, in the current language."""
    step = now.next
    done = progress(now)
    if step is None:
        return EnrolmentTexts(_("All enrolled", "big"), "", done, notice=notice() if notice else "")
    head = words.headline(step)
    printed = tuple(f"{words.label(field)}: {words.told(field, values[field.key])}" for field in step.fields)
    said = notice() if notice else ""
    return EnrolmentTexts(" ".join(head.big), head.sentence, done, printed, said, next_label(step))


def progress(now: Standing) -> str:
    done = _("{done} of {all} done", done=len(now.steps) - len(now.waiting), all=len(now.steps))
    return f"{done}, {_('{count:tag|tags}', count=len(now.tags))}"


def next_label(step: EnrolmentStep | None) -> str:
    """What goes on without a tag."""
    return _("No tag") if step and step.tagged else _("Next", "step")


def how_many(field: Several, value: tuple[str, ...]) -> str:
    """How many options are chosen, and how many are needed."""
    if field.least == field.most:
        return _("{chosen} of {most}", chosen=len(value), most=field.most)
    return _("{chosen}, at most {most}", chosen=len(value), most=field.most)
