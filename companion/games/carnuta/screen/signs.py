"""Ingredients, runes, costs and conditions, drawn as small signs."""

from collections.abc import Iterable

from textual.content import Content

from companion.games.carnuta import sentences
from companion.games.carnuta.colours import BLACK, FACE_HUES, FACE_SHAPES, HUES, Sign, ingredient_sign, ink_on
from companion.games.carnuta.components import BONUS_FIELDS, PADLOCK_FIELDS, SLOTS, TRACK, Card, Pair, Side, price
from companion.games.carnuta.screen import _

TURN, REMOVE = "►", "×"
EMPTY, LOCK, BONUS, MARKER = "·", "■", "◆", "▲"
FIELDS = "".join(LOCK if n in PADLOCK_FIELDS else BONUS if n in BONUS_FIELDS else EMPTY for n in range(1, TRACK + 1))
"""The track, a sign for each field."""


def ingredient(name: str) -> Sign:
    return ingredient_sign(name, _)


def symbols(names: Iterable[str]) -> Content:
    """Two letters for each, on their hues."""
    return Content("").join([Content.styled(sign.short, sign.style) for sign in map(ingredient, names)])


# --- Runes ----------------------------------------------------------------------------------------------------


def face_style(face: str) -> str:
    return f"{ink_on(face)} on {FACE_HUES[face]}"


def rune(face: str) -> Content:
    """One rune: its shape on its hue."""
    return Content.styled(FACE_SHAPES[face], face_style(face))


def counted(pair: Pair[int]) -> Content:
    """So many suns, so many moons."""
    return Content.assemble(rune("sun"), f" {pair.sun} ", rune("moon"), f" {pair.moon}")


def board(runes: Pair[int], slots: int, gap: str = "") -> Content:
    """The six places of a board: suns, moons, open ones, and those under a padlock."""
    lying = [rune("sun")] * runes.sun + [rune("moon")] * runes.moon
    free = [Content.styled(EMPTY, "on $panel")] * (slots - len(lying))
    return Content(gap).join([*lying, *free, *[Content.styled(LOCK, "$quiet")] * (SLOTS - slots)])


def track(marker: int, gap: str = "") -> Content:
    """The fields 1 to 11: what has been passed is filled, the marker stands on the last of it."""
    fields = []
    for number, sign in enumerate(FIELDS, 1):
        here = number == marker
        style = f"bold {BLACK} on {HUES['honey']}" if here else f"{BLACK} on {HUES['skull']}"
        fields.append(Content.styled(gap + (MARKER if here else sign), style if number <= marker else "$quiet"))
    return Content("").join(fields)


# --- What is printed on a card --------------------------------------------------------------------------------


def cost(card: Card) -> Content:
    """Each symbol: the face that a rune has to show, and whether it is turned or removed."""
    chips = []
    for symbol in card.cost:
        deed, face = symbol.split(" ")
        chips.append(Content.styled(FACE_SHAPES[face] + (TURN if deed == "flip" else REMOVE), face_style(face)))
    return Content("").join(chips) if chips else Content(_("free", "cost"))


def suns(count: int) -> str:
    return _("{count:sun|suns}", count=count)


def moons(count: int) -> str:
    return _("{count:moon|moons}", count=count)


def in_words(card: Card) -> str:
    """egg (3), turn 1 sun, remove 2 moons, symbols: egg"""
    to_turn, to_remove = _runes(price(card).flip), _runes(price(card).remove)
    said = [f"{ingredient(card.ingredient).word} ({sentences.points(card, _)})"]
    said += [_("turn {runes}", runes=to_turn)] if to_turn else []
    said += [_("remove {runes}", runes=to_remove)] if to_remove else []
    said += [] if card.cost else [_("free", "cost")]
    names = ", ".join(ingredient(name).word for name in card.symbols)
    return ", ".join([*said, _("symbols: {ingredients}", ingredients=names)])


def _runes(pair: Pair[int]) -> str:
    return " + ".join([suns(pair.sun)] * bool(pair.sun) + [moons(pair.moon)] * bool(pair.moon))


def condition(card: Card, long: bool, worded: bool = False) -> Content:
    """A number, or so many for each set; with words where there is much room."""
    if card.per is None:
        return Content(str(card.points))
    between = " " + _("per", "set") + " " if long else "/"
    kinds = [Content.styled(f" {sign.word} ", sign.style) for sign in map(ingredient, card.per)]
    return Content.assemble(f"{card.points}{between}", Content(" ").join(kinds) if worded else symbols(card.per))


def faces(face: Side) -> str:
    """Sun or moon, as a word."""
    return sentences.face(face, _)
