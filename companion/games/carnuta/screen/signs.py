"""Ingredients, runes, costs and conditions, drawn as small signs."""

from collections import Counter
from collections.abc import Iterable, Sequence
from textwrap import wrap

from rich.cells import cell_len
from textual.content import Content

from companion.gamekit.sign_table import BONUS, FLIP, LOCK, MARKER, NOTHING, REMOVE
from companion.games.carnuta import sentences
from companion.games.carnuta.colours import BLACK, FACE_HUES, FACE_SHAPES, HUES, Sign, ingredient_sign, ink_on
from companion.games.carnuta.components import BONUS_FIELDS, PADLOCK_FIELDS, SLOTS, TRACK, Card, Pair, Side
from companion.games.carnuta.screen import _

LONGEST = 16
"""No word for an ingredient has more letters."""
FIELDS = "".join(LOCK if n in PADLOCK_FIELDS else BONUS if n in BONUS_FIELDS else NOTHING for n in range(1, TRACK + 1))
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
    free = [Content.styled(NOTHING, "on $panel")] * (slots - len(lying))
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
        chips.append(Content.styled(FACE_SHAPES[face] + (FLIP if deed == "flip" else REMOVE), face_style(face)))
    return Content("").join(chips) if chips else Content(_("free", "cost"))


def suns(count: int) -> str:
    return _("{count:sun|suns}", count=count)


def moons(count: int) -> str:
    return _("{count:moon|moons}", count=count)


def condition(card: Card, *, worded: bool = False) -> Content:
    """A number, or so many for each set: in two letters on their hues, or in words on them."""
    if card.per is None:
        return Content(str(card.points))
    if not worded:
        return Content.assemble(f"{card.points}/", symbols(card.per))
    kinds = [Content.styled(f" {sign.word} ", sign.style) for sign in map(ingredient, card.per)]
    return Content.assemble(f"{card.points} {_('per', 'set')} ", Content(" ").join(kinds))


def condition_lines(card: Card, width: int, rows: int) -> list[str]:
    """What it brings, in so much room: in words, in fewer words, at last in shortened ones."""
    brief = f"{card.points} {_('per', 'set')} " if card.per else ""
    texts = [condition_words(card), *(brief + _brief_kinds(card.per or (), most) for most in range(LONGEST, 1, -1))]
    wrapped = [wrap(text, width) for text in (texts if card.per else texts[:1])]
    return next((lines for lines in wrapped if len(lines) <= rows), wrapped[-1][:rows])


def condition_words(card: Card) -> str:
    """4 for each egg + 2 mushrooms; or a number of points."""
    if card.per is None:
        return _("{count:point|points}", count=card.points)
    return f"{_('{points} for each', points=card.points)} {_kinds(card.per)}"


def _kinds(names: Iterable[str]) -> str:
    return " + ".join(_counted_words(names))


def _brief_kinds(names: Iterable[str], most: int) -> str:
    """With so many letters of each word."""
    return "+".join(_counted_words(names, most))


def _counted_words(names: Iterable[str], most: int = LONGEST) -> list[str]:
    return [
        shortened(ingredient(name).word, most) if n == 1 else f"{n} {shortened(sentences.several(name, _), most)}"
        for name, n in Counter(names).items()
    ]


def hued(names: Sequence[str], room: int) -> Content:
    """What is named, in words on their hues; where room is short, with the beginnings of the words."""
    counted = Counter(names)
    words = _counted_words(names)
    gap = " " if sum(map(cell_len, words)) + len(words) - 1 <= room else ""
    letters = (room - 2 * sum(n > 1 for n in counted.values())) // len(counted)
    if not gap and len(words) == 1:
        words = _counted_words(names, letters)
    elif not gap:
        words = [word[: letters + 2 * (n > 1)] for word, n in zip(words, counted.values(), strict=True)]
    return Content(gap).join(
        [Content.styled(word, ingredient(name).style) for name, word in zip(counted, words, strict=True)]
    )


def shortened(word: str, most: int) -> str:
    """The word in so many cells; a point says that it goes on."""
    return word if len(word) <= most else word[: most - 1] + "."


def symbol_words(card: Card) -> str:
    """What it adds to sets."""
    return _("symbols: {kinds}", kinds=_kinds(card.symbols)) if card.symbols else ""


def symbol_line(card: Card, width: int) -> str:
    """The same in one line of so much room, if there are any."""
    texts = [_kinds(card.symbols), *(_brief_kinds(card.symbols, most) for most in range(LONGEST, 1, -1))]
    return next((text for text in texts if cell_len(text) <= width), "")


def cost_words(card: Card) -> str:
    """turn 2 suns, remove 1 moon"""
    counted = Counter(card.cost).items()
    if not counted:
        return _("free", "cost")
    return ", ".join(_deed(symbol, count) for symbol, count in counted)


def _deed(symbol: str, count: int) -> str:
    deed, _space, face = symbol.partition(" ")
    runes = _("{count:sun|suns}", count=count) if face == "sun" else _("{count:moon|moons}", count=count)
    return _("turn {runes}", runes=runes) if deed == "flip" else _("remove {runes}", runes=runes)


def faces(face: Side) -> str:
    """Sun or moon, as a word."""
    return sentences.face(face, _)
