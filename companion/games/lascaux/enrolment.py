"""A box of Lascaux: which six colours there are, then nine cards of each animal, then five sets of markers."""

from itertools import combinations

from companion.gamekit import N_, Facts, Translate
from companion.gamekit.enrolment import (
    Answers,
    Data,
    EnrolmentPlan,
    EnrolmentStep,
    OneOf,
    Several,
    chosen,
    one,
    several,
    unique,
)
from companion.games.lascaux import sentences
from companion.games.lascaux.colours import HANDPRINTS, colour_word
from companion.games.lascaux.components import ANIMALS, CARDS_PER_ANIMAL, COLOURS, MARKER_SETS


def _sheet(base: Data) -> EnrolmentStep:
    before = tuple(base["colours"])
    options = tuple(dict.fromkeys((*before, *HANDPRINTS)))
    fields = (Several("colours", N_("Colours"), options, COLOURS, COLOURS, distinct=True),)
    sentence = N_("Which six colours are your markers?")
    return EnrolmentStep("colours", N_("Colours", "big"), sentence, {}, fields, {"colours": before}, tagged=False)


def _pairs(colours: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    return {f"{first}/{second}": (first, second) for first, second in combinations(colours, 2)}


def _colours(base: Data, answers: Answers) -> tuple[str, ...]:
    return several(chosen(_sheet(base), answers), "colours")


def _cards(base: Data, answers: Answers) -> list[EnrolmentStep]:
    pairs = _pairs(_colours(base, answers))
    field = OneOf("pair", N_("Colours"), tuple(pairs))
    title = N_("{animal} {number}", "big")
    sentence = N_("{animal}, card {number} of {of}: which colours does it show? Then tap it.")
    steps = []
    for animal in ANIMALS:
        cards = [card for card in base["cards"] if card["animal"] == animal]
        for number, card in enumerate(cards, 1):
            same = [label for label, pair in pairs.items() if set(pair) == set(card["colours"])]
            facts: Facts = {"animal": animal, "number": number, "of": CARDS_PER_ANIMAL}
            values = {"pair": (same or list(pairs))[0]}
            steps.append(EnrolmentStep(f"{animal} {number}", title, sentence, facts, (field,), values))
    return steps


def _markers(base: Data, answers: Answers) -> list[EnrolmentStep]:
    title, sentence = N_("{colour} {set}", "big"), N_("Tap the {colour} marker from set {set} of {of}.")
    return [
        EnrolmentStep(
            f"marker {owner} {number}", title, sentence, {"colour": colour, "set": owner + 1, "of": MARKER_SETS}
        )
        for owner in range(MARKER_SETS)
        for number, colour in enumerate(_colours(base, answers), 1)
    ]


def _steps(base: Data, answers: Answers) -> list[EnrolmentStep]:
    return [_sheet(base), *_cards(base, answers), *_markers(base, answers)]


def _box(base: Data, answers: Answers) -> Data:
    colours = _colours(base, answers)
    pairs = _pairs(colours)
    steps = _cards(base, answers)
    looks = [(str(step.facts["animal"]), pairs[one(chosen(step, answers), "pair")]) for step in steps]
    ids = unique(f"{animal}-{first}-{second}" for animal, (first, second) in looks)
    cards = [
        {"id": id_, "animal": animal, "colours": list(pair)} for id_, (animal, pair) in zip(ids, looks, strict=True)
    ]
    return {"game": "lascaux", "provenance": "enrolled", "colours": list(colours), "cards": cards}


def _word(fact: str, value: int | str, _: Translate) -> str | None:
    match fact, value:
        case "animal", str():
            return sentences.animal(value, _)
        case "colour" | "colours", str():
            return colour_word(value, _)
        case "pair", str():
            return "/".join(colour_word(name, _) for name in value.split("/"))
    return None


PLAN = EnrolmentPlan(_steps, _box, word=_word)
