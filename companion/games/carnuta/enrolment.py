"""A box of Carnuta: 72 cards, each with deck, ingredient, symbols, cost and points; then the bonus ingredients and the
markers of the boards."""

from companion.gamekit import N_, Translate
from companion.gamekit.enrolment import (
    Answers,
    Data,
    EnrolmentPlan,
    EnrolmentStep,
    OneOf,
    Several,
    Values,
    chosen,
    numbers,
    one,
    several,
    unique,
)
from companion.games.carnuta.components import BOARDS, CARDS, FACES, INGREDIENTS, SALT
from companion.games.carnuta.sentences import face, ingredient

COSTS = ("flip sun", "flip moon", "remove sun", "remove moon")
MOST_SYMBOLS, MOST_COSTS, MOST_POINTS = 6, 8, 20


def _cards(base: Data, answers: Answers) -> list[EnrolmentStep]:
    points = numbers(0, MOST_POINTS, *(card["points"] for card in base["cards"]))
    fields = (
        OneOf("ingredient", N_("Ingredient"), (*INGREDIENTS, SALT)),
        OneOf("deck", N_("Deck"), FACES),
        Several("symbols", N_("Symbols"), INGREDIENTS, 1, MOST_SYMBOLS),
        Several("cost", N_("Cost"), COSTS, 0, MOST_COSTS),
        OneOf("points", N_("Points"), points),
        Several("per", N_("For each set of"), INGREDIENTS, 0, MOST_SYMBOLS),
    )
    title = N_("Card {number}", "big")
    sentence = N_("Take any card, {number} of {of}: what is printed on it? Then tap it.")
    return [
        EnrolmentStep(f"card {number}", title, sentence, {"number": number, "of": CARDS}, fields, _likely(card))
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
        "per": tuple(card.get("per") or ())[:MOST_SYMBOLS],
    }


def _bonus(kind: str) -> EnrolmentStep:
    title, sentence = N_("Bonus {ingredient}", "big"), N_("Tap this bonus ingredient: {ingredient}.")
    return EnrolmentStep(f"bonus {kind}", title, sentence, {"ingredient": kind})


def _marker(board: int) -> EnrolmentStep:
    title, sentence = N_("Marker {set}", "big"), N_("Tap the marker of board {set} of {of}.")
    return EnrolmentStep(f"marker {board}", title, sentence, {"set": board, "of": BOARDS})


def _steps(base: Data, answers: Answers) -> list[EnrolmentStep]:
    return [*_cards(base, answers), *map(_bonus, INGREDIENTS), *map(_marker, range(1, BOARDS + 1))]


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


def _word(fact: str, value: int | str, _: Translate) -> str | None:
    match fact, value:
        case "ingredient" | "symbols" | "per", str():
            return ingredient(value, _)
        case "deck", str():
            return face(value, _)
        case "cost", "flip sun":
            return _("turn a sun")
        case "cost", "flip moon":
            return _("turn a moon")
        case "cost", "remove sun":
            return _("remove a sun")
        case "cost", "remove moon":
            return _("remove a moon")
    return None


PLAN = EnrolmentPlan(_steps, _box, word=_word)
