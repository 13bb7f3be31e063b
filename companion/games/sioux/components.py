"""What is in a box of Sioux: a set of tribe cards for each player, prey, supply cards for three winters, the hunter."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct

from companion.gamekit import entry, is_name, problems_with_each, read_box

TRIBE_SETS = 5
"""Five players at most, each with the same set."""
TRIBE_CARDS = 11
PREY_CARDS = 56
PREY_VALUES = range(1, 6)
DEER = "deer"
DEER_VALUE = 3
WINTERS = range(1, 4)
SUPPLY_PER_WINTER = 5
HUNTER = "hunter"
"""The id of the consecrated hunter: one card, in no list of the box."""
KINDS = ("crow", "shaman")
"""What a tribe card may be instead of plain."""
CROW_VALUE = 1
LOWEST_PLAIN_VALUE = 2
SHAMAN_VALUES = (6, 7, 8)


class TribeCard(Struct, frozen=True, forbid_unknown_fields=True):
    """A plain card has a value; the crow and the shaman have a kind instead."""

    id: str
    value: int | None = None
    kind: str | None = None


class Prey(Struct, frozen=True, forbid_unknown_fields=True):
    animal: str
    value: int
    count: int


class Supply(Struct, frozen=True, forbid_unknown_fields=True):
    winter: int
    values: tuple[int, ...]


class Box(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    game: Literal["sioux"]
    provenance: Literal["stand-in", "enrolled"]
    tribe: tuple[TribeCard, ...]
    prey: tuple[Prey, ...]
    supply: tuple[Supply, ...]


def standin() -> str:
    """The text of the box that ships: playable, but not the printed values."""
    return Path(__file__).with_name("box.toml").read_text(encoding="utf-8")


def parse_box(text: str, origin: str) -> Box:
    """Read a box file's text. Raises BoxError, which names the origin, the entry and what was expected."""
    return read_box(text, origin, Box, _problems)


def _problems(box: Box) -> Iterator[str]:
    yield from _problems_with_tribe(box)
    yield from _problems_with_prey(box)
    yield from _problems_with_supply(box)


# --- Tribe cards ----------------------------------------------------------------------------------------------


def _problems_with_tribe(box: Box) -> Iterator[str]:
    yield from problems_with_each("tribe", box.tribe, _problems_with_card)
    values: dict[int, int] = {}
    for number, card in enumerate(box.tribe, 1):
        where = entry("tribe", number, card.id)
        if card.value is not None:
            if card.value in values:
                yield f"{where}: value: entry {values[card.value]} has {card.value}, too, expected every value once"
            values[card.value] = number
    if len(box.tribe) != TRIBE_CARDS:
        yield f"tribe: expected exactly {TRIBE_CARDS}, found {len(box.tribe)}"
    for kind in KINDS:
        found = sum(card.kind == kind for card in box.tribe)
        if found != 1:
            yield f"tribe: expected exactly 1 with kind = {kind!r}, found {found}"


def _problems_with_card(card: TribeCard) -> Iterator[str]:
    if card.id == HUNTER:
        yield f"id: expected another one, {HUNTER!r} is the hunter card, which is in no list"
    if card.kind not in (None, *KINDS):
        yield f"kind: expected {' or '.join(map(repr, KINDS))}, found {card.kind!r}"
    if card.kind is None and card.value is None:
        yield "'value' is missing, expected value for a plain card or kind for the crow and the shaman"
    if card.kind is not None and card.value is not None and (card.kind, card.value) != ("crow", CROW_VALUE):
        yield f"value: expected none, because kind = {card.kind!r} says what the card counts"
    if card.kind is None and card.value is not None and card.value < LOWEST_PLAIN_VALUE:
        yield f"value: expected {LOWEST_PLAIN_VALUE} or more, found {card.value}"


# --- Prey and supply ------------------------------------------------------------------------------------------


def _problems_with_prey(box: Box) -> Iterator[str]:
    animals: dict[str, int] = {}
    values: dict[int, int] = {}
    for number, prey in enumerate(box.prey, 1):
        where = f"{entry('prey', number)} ({prey.animal!r})"
        if not is_name(prey.animal):
            yield f"{where}: animal: expected a name without control characters"
        if prey.animal in animals:
            yield f"{where}: animal: entry {animals[prey.animal]} has the same, expected every animal once"
        if prey.value not in PREY_VALUES:
            yield f"{where}: value: expected 1 to {PREY_VALUES[-1]}, found {prey.value}"
        if prey.value in values:
            yield f"{where}: value: entry {values[prey.value]} has {prey.value}, too, expected every value once"
        if prey.count < 1:
            yield f"{where}: count: expected 1 or more, found {prey.count}"
        if (prey.animal == DEER) != (prey.value == DEER_VALUE):
            yield f"{where}: expected animal = {DEER!r} and value = {DEER_VALUE} together, found value = {prey.value}"
        animals[prey.animal] = values[prey.value] = number
    if len(box.prey) != len(PREY_VALUES):
        yield f"prey: expected exactly {len(PREY_VALUES)}, one for each value, found {len(box.prey)}"
    total = sum(prey.count for prey in box.prey)
    if total != PREY_CARDS:
        yield f"prey: expected counts that add up to {PREY_CARDS}, found {total}"


def _problems_with_supply(box: Box) -> Iterator[str]:
    winters: dict[int, int] = {}
    for number, supply in enumerate(box.supply, 1):
        where = entry("supply", number)
        if supply.winter not in WINTERS:
            yield f"{where}: winter: expected 1 to {WINTERS[-1]}, found {supply.winter}"
        if supply.winter in winters:
            yield f"{where}: winter: entry {winters[supply.winter]} has {supply.winter}, too, expected each once"
        winters[supply.winter] = number
        if len(supply.values) != SUPPLY_PER_WINTER:
            yield f"{where}: values: expected exactly {SUPPLY_PER_WINTER}, found {len(supply.values)}"
        for place, value in enumerate(supply.values, 1):
            if value < 1:
                yield f"{where}: values, number {place}: expected 1 or more, found {value}"
    if len(box.supply) != len(WINTERS):
        yield f"supply: expected exactly {len(WINTERS)}, one for each winter, found {len(box.supply)}"
