"""Writes the stand-in box of Carnuta: python -m tests.games.carnuta.make_standin > companion/games/carnuta/box.toml

The eight ingredients stand in a ring. Each has eight cards after the same plan, so that none is better than another:
flat ones, some that count one kind of symbol, some that count sets with the next ingredients of the ring. The first
four ingredients of the scoring sheet are the sun deck, the other four the moon deck; salt is in both. A card asks
mostly for the face of its own deck; the more points it can bring, the more it costs.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from companion.games.carnuta.components import INGREDIENTS

HEAD = """\
# A stand-in for the cards of Carnuta. These are NOT the printed cards.
#
# Known, and where from:
# - 72 ingredient cards, 22 runes, 8 padlocks, 8 sickles, 8 bonus ingredients, 4 boards (the publisher's contents).
# - The eight ingredients, salt as a joker, and what conditions look like: a number, so many for each symbol, so many
#   for each set of two kinds or with two of a kind (the short rules of SPIELEREI and H@LL9000).
# - Two decks, each with four ingredients of its own, which are shown on the backs (review on opinionatedgamers.com).
#
# Invented:
# - Which four ingredients are in which deck: here the first four of the scoring sheet are the sun's.
# - Where salt is, and how much of it: here 8 cards, 4 in each deck. Nobody says; with fewer than 8 the decks would not
#   come out even with 8 cards of each ingredient.
# - 8 cards of each ingredient, 36 in each deck; what each card costs, its small symbols, and what it brings. Costs rise
#   with the points.
#
# Enrol your own box to play with what is really printed. Made by tests/games/carnuta/make_standin.py.

game = "carnuta"
provenance = "stand-in"
"""


class Plan(NamedTuple):
    """A card of an ingredient. Kinds are steps along the ring: 0 the own one, 1 the next. Faces: own or other."""

    symbols: tuple[int, ...]
    cost: tuple[str, ...]
    points: int
    per: tuple[int, ...] = ()


PLANS = (
    Plan((0, 0), ("flip own", "flip own"), 1),
    Plan((0, 1), ("flip own", "remove own"), 2),
    Plan((0,), ("flip own", "remove own", "remove other"), 5),
    Plan((0, 0), ("remove own", "remove own"), 1, per=(0,)),
    Plan((0,), ("flip own", "flip own", "flip own"), 3, per=(1, 1)),
    Plan((0,), ("remove own", "remove other"), 2, per=(0, 1)),
    Plan((0,), ("flip own", "remove own", "remove other"), 3, per=(0, 2)),
    Plan((0,), ("remove own", "remove own", "remove own"), 4, per=(0, 1, 1)),
)
SALT = (
    Plan((), ("flip own",), 0),
    Plan((), ("flip own", "flip other"), 1),
    Plan((), ("flip own", "remove own"), 2),
    Plan((), ("remove own", "remove own", "flip other"), 4),
)


def of_its_own(place: int, number: int) -> str:
    """Four ingredients in each deck."""
    return "sun" if place < len(INGREDIENTS) // 2 else "moon"


def mixed(place: int, number: int) -> str:
    """Every ingredient in both decks: for tests, because the rules have to work with any box."""
    return ("sun", "moon")[(place + number) % 2]


def box(deck: Callable[[int, int], str] = of_its_own) -> str:
    return "\n".join((HEAD, *_ingredient_cards(deck), *_salt_cards()))


def _ingredient_cards(deck: Callable[[int, int], str]) -> Iterator[str]:
    for place, ingredient in enumerate(INGREDIENTS):
        ring = INGREDIENTS[place:] + INGREDIENTS[:place]
        for number, plan in enumerate(PLANS, 1):
            symbols = [ring[step] for step in plan.symbols]
            per = [ring[step] for step in plan.per]
            yield _card(f"{ingredient}-{number}", deck(place, number), symbols, plan, per)


def _salt_cards() -> Iterator[str]:
    for number in range(1, 9):
        deck = ("sun", "moon")[number % 2]
        yield _card(f"salt-{number}", deck, ["salt"], SALT[(number - 1) // 2], [])


def _card(id_: str, deck: str, symbols: list[str], plan: Plan, per: list[str]) -> str:
    faces = {"own": deck, "other": {"sun": "moon", "moon": "sun"}[deck]}
    cost = [f"{what} {faces[face]}" for what, face in (symbol.split() for symbol in plan.cost)]
    lines = [
        "[[cards]]",
        f'id = "{id_}"',
        f'deck = "{deck}"',
        f'ingredient = "{symbols[0]}"',
        f"symbols = {_listed(symbols)}",
        f"cost = {_listed(cost)}",
        f"points = {plan.points}",
    ]
    if per:
        lines.append(f"per = {_listed(per)}")
    return "\n".join(lines) + "\n"


def _listed(words: list[str]) -> str:
    return "[" + ", ".join(f'"{word}"' for word in words) + "]"


if __name__ == "__main__":
    print(box(), end="")
