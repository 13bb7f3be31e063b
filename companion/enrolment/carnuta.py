"""A box of Carnuta: 72 cards, each with deck, ingredient, symbols, cost and points; then the bonus ingredients and the
markers of the boards."""

from companion.enrolment.step import (
    Answers,
    Choice,
    Data,
    Plan,
    Several,
    Step,
    Values,
    chosen,
    numbers,
    one,
    several,
    unique,
)
from companion.games.carnuta.components import BOARDS, CARDS, FACES, INGREDIENTS, SALT

COSTS = ("flip sun", "flip moon", "remove sun", "remove moon")
MOST_SYMBOLS, MOST_COSTS, MOST_POINTS = 6, 8, 20


def _cards(base: Data, answers: Answers) -> list[Step]:
    points = numbers(0, MOST_POINTS, *(card["points"] for card in base["cards"]))
    fields = (
        Choice("ingredient", (*INGREDIENTS, SALT)),
        Choice("deck", FACES),
        Several("symbols", INGREDIENTS, 1, MOST_SYMBOLS),
        Several("cost", COSTS, 0, MOST_COSTS),
        Choice("points", points),
        Several("per", INGREDIENTS, 0, MOST_SYMBOLS),
    )
    return [
        Step(f"card {number}", "carnuta card", {"number": number, "of": CARDS}, fields, _likely(card))
        for number, card in enumerate(base["cards"], 1)
    ]


def _likely(card: Data) -> Values:
    symbols = tuple(symbol for symbol in card["symbols"] if symbol in INGREDIENTS)[:MOST_SYMBOLS]
    return {
        "ingredient": card["ingredient"],
        "deck": card["deck"],
        "symbols": symbols or INGREDIENTS[:1],
        "cost": tuple(card["cost"])[:MOST_COSTS],
        "points": str(card["points"]),
        "per": tuple(card.get("per", ()))[:MOST_SYMBOLS],
    }


def _steps(base: Data, answers: Answers) -> list[Step]:
    bonus = [Step(f"bonus {each}", "carnuta bonus", {"ingredient": each}) for each in INGREDIENTS]
    markers = [
        Step(f"marker {board}", "carnuta marker", {"set": board, "of": BOARDS}) for board in range(1, BOARDS + 1)
    ]
    return [*_cards(base, answers), *bonus, *markers]


def _box(base: Data, answers: Answers) -> Data:
    told = [chosen(step, answers) for step in _cards(base, answers)]
    ids = unique(one(values, "ingredient") for values in told)
    cards = [_card(id_, values) for id_, values in zip(ids, told, strict=True)]
    return {"game": "carnuta", "provenance": "enrolled", "cards": cards}


def _card(id_: str, values: Values) -> Data:
    """The symbol of a salt card is salt, whatever was said of it."""
    salt = one(values, "ingredient") == SALT
    card: Data = {
        "id": id_,
        "deck": one(values, "deck"),
        "ingredient": one(values, "ingredient"),
        "symbols": [SALT] if salt else list(several(values, "symbols")),
        "cost": list(several(values, "cost")),
        "points": int(one(values, "points")),
    }
    return card | {"per": list(several(values, "per"))} if values["per"] else card


PLAN = Plan(_steps, _box)
