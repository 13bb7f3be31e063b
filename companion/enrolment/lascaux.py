"""A box of Lascaux: which six colours there are, then nine cards of each animal, then five sets of markers."""

from itertools import combinations

from companion.enrolment.step import Answers, Choice, Data, Facts, Plan, Several, Step, chosen, one, several, unique
from companion.games.lascaux.components import ANIMALS, CARDS_PER_ANIMAL, COLOURS, MARKER_SETS

KNOWN = ("brown", "yellow", "green", "pink", "white", "blue", "orange", "red", "purple", "grey")
"""Colours that have a word in every language."""


def _sheet(base: Data) -> Step:
    before = tuple(base["colours"])
    options = tuple(dict.fromkeys((*before, *KNOWN)))
    fields = (Several("colours", options, COLOURS, COLOURS, distinct=True),)
    return Step("colours", "lascaux colours", fields=fields, values={"colours": before}, tagged=False)


def _pairs(colours: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    return {f"{first}/{second}": (first, second) for first, second in combinations(colours, 2)}


def _colours(base: Data, answers: Answers) -> tuple[str, ...]:
    return several(chosen(_sheet(base), answers), "colours")


def _cards(base: Data, answers: Answers) -> list[Step]:
    pairs = _pairs(_colours(base, answers))
    field = Choice("pair", tuple(pairs))
    steps = []
    for animal in ANIMALS:
        cards = [card for card in base["cards"] if card["animal"] == animal]
        for number, card in enumerate(cards, 1):
            same = [label for label, pair in pairs.items() if set(pair) == set(card["colours"])]
            facts: Facts = {"animal": animal, "number": number, "of": CARDS_PER_ANIMAL}
            values = {"pair": (same or list(pairs))[0]}
            steps.append(Step(f"{animal} {number}", "lascaux card", facts, (field,), values))
    return steps


def _steps(base: Data, answers: Answers) -> list[Step]:
    markers = [
        Step(f"marker {owner} {number}", "lascaux marker", {"colour": colour, "set": owner + 1, "of": MARKER_SETS})
        for owner in range(MARKER_SETS)
        for number, colour in enumerate(_colours(base, answers), 1)
    ]
    return [_sheet(base), *_cards(base, answers), *markers]


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


PLAN = Plan(_steps, _box)
