"""The PDF is read back: every piece of the box is on it once, in each language, on each sheet, as described."""

import io
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import hypot

import pytest
from msgspec.structs import replace
from pypdf import PageObject, PdfReader
from pypdf.generic import DecodedStreamObject, NameObject

from companion.gamekit import Thing, discovery
from companion.gamekit.default_parts import plain_paper
from companion.gamekit.figure import PathStep
from companion.gamekit.paper import CARD, STICKER, Extent, FigureMark, Lettering, PaperPiece, Plate, below, ground
from companion.gamekit.parts import paper_of
from companion.games.darwinci.paper import TILE, bone
from companion.language.screen_language import LANGUAGES, load
from companion.language.wording import ENGLISH
from companion.paper.book import PaperBox, PrintedBox, Printing, print_box
from companion.paper.pages import SHEETS
from tests.ours import GAMES
from tests.paper import layouts

POINT = 72 / 25.4


@cache
def pieces(game: str, code: str = "en") -> tuple[PaperPiece, ...]:
    known = discovery.find(game)
    box = known.parse_box(known.standin(), "the box that ships")
    return tuple(paper_of(game)(box, load(code, discovery.locale_folder(game)).text))


@cache
def book(game: str, code: str = "en", sheet: str = "a4", grey: bool = False, backs: bool = False) -> PrintedBox:
    content = PaperBox(discovery.title(game), pieces(game, code), standin=True)
    return print_box(content, load(code, discovery.locale_folder(game)), Printing(sheet, grey, backs))


def read(printed: PrintedBox) -> list[PageObject]:
    return list(PdfReader(io.BytesIO(printed.pdf)).pages)


def marks(page: PageObject) -> str:
    return page.get_contents().get_data().decode("latin-1")


def words(page: PageObject) -> str:
    """What is written there. Figures are left out first: pypdf would read all their numbers, for nothing."""
    written = [mark for mark in marks(page).split("\n") if mark in ("q", "Q") or mark.endswith(" cm") or "BT" in mark]
    contents = DecodedStreamObject()
    contents.set_data("\n".join(written).encode("latin-1"))
    without_figures = PageObject(page.pdf)
    without_figures.update(page)
    without_figures[NameObject("/Contents")] = contents
    return without_figures.extract_text()


def lines(page: PageObject) -> Counter[str]:
    return Counter(line.strip() for line in words(page).splitlines())


def small(*labels: str) -> list[PaperPiece]:
    return [PaperPiece(Thing("card", label), "card", CARD, (ground(CARD),), sticker=below(CARD)) for label in labels]


def print_some(some: list[PaperPiece], **how) -> PrintedBox:
    return print_box(PaperBox("Some", some, standin=False), ENGLISH, Printing(**how))


# --- Everything, once ---------------------------------------------------------------------------------------------


def every(game: str, *quick: str) -> list:
    """A game in each language on each sheet; `make fast` reads one of them back."""
    ways = [(game, code, sheet) for code in LANGUAGES for sheet in SHEETS]
    return [pytest.param(*way, marks=() if "-".join(way) in quick else pytest.mark.slow) for way in ways]


@pytest.mark.parametrize(
    ("game", "code", "sheet"), [way for game in GAMES for way in every(game, "lascaux-de-a4", "carnuta-en-letter")]
)
def test_every_piece_of_the_box_is_on_the_paper_once(game, code, sheet) -> None:
    printed = read(book(game, code, sheet))
    found = sum((lines(page) for page in printed[1:]), Counter())
    expected = [piece.label for piece in pieces(game, code)]
    assert {label: found[label] for label in expected} == dict.fromkeys(expected, 1)
    for page in printed:
        assert (float(page.mediabox.width), float(page.mediabox.height)) == pytest.approx(
            (SHEETS[sheet].width * POINT, SHEETS[sheet].height * POINT), abs=0.01
        )


def test_a_piece_that_is_left_out_or_printed_twice_is_noticed() -> None:
    """The planted fault: the count above can fail."""
    whole = pieces("lascaux")[50:60]
    for wrong in (whole[:-1], (*whole, whole[0])):
        printed = read(print_box(PaperBox("Lascaux", wrong, standin=True), ENGLISH, Printing()))
        found = sum((lines(page) for page in printed[1:]), Counter())
        assert {piece.label: found[piece.label] for piece in whole} != {piece.label: 1 for piece in whole}


EVERYTHING = {
    "lascaux": {"card": 54, "marker": 30, "stone": 50},
    "sioux": {"card": 55 + 1, "prey": 56, "supply": 15},
    "darwinci": {"tile": 70, "jewel": 25, "stone": 45, "darwin": 86, "darwin card": 1, "counter": 1, "frame": 5},
    "carnuta": {
        "card": 72,
        "board": 4,
        "bonus": 8,
        "marker": 4,
        "rune": 22,
        "padlock": 8,
        "sickle": 8,
        "score sheet": 1,
    },
}
"""What a table needs, as the rule books count it; of Darwin they do not say how many there are."""


@pytest.mark.parametrize("game", GAMES)
def test_a_printed_box_has_all_that_a_table_needs(game) -> None:
    assert Counter(piece.thing.kind for piece in pieces(game)) == EVERYTHING[game]


@pytest.mark.parametrize("game", GAMES)
def test_every_mark_of_a_piece_is_where_it_was_when_a_page_was_last_looked_at(game) -> None:
    """After a change that is meant: `python -m tests.paper.layouts`, and look at a printed page."""
    assert layouts.layout(game) == (layouts.FOLDER / game / layouts.FILE).read_text(encoding="utf-8")


@pytest.mark.parametrize("game", GAMES)
def test_no_mark_reaches_over_the_edge_of_its_piece(game) -> None:
    """A bone of Darwinci runs on to the next tile; a line at the edge of a piece may be half outside."""
    for piece in pieces(game):
        for mark in (*piece.front, *piece.back):
            match mark:
                case FigureMark(_, x, y, size) if game != "darwinci":
                    corners = (x - size / 2, y - size / 2, x + size / 2, y + size / 2)
                case Lettering(_, x, y, height, width):
                    corners = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
                case Plate(x, y, width, height):
                    corners = (x, y, x + width, y + height)
                case _:
                    continue
            assert min(corners[:2]) >= 0, (piece.label, mark)
            assert corners[2] <= piece.size.width + 0.3, (piece.label, mark)
            assert corners[3] <= piece.size.height + 0.3, (piece.label, mark)


# --- What it looks like ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_as_many_dashed_frames_as_stickers_and_as_wide_as_one(game) -> None:
    dashed = sum(marks(page).count("[1.2 1] 0 d") for page in read(book(game))[1:])
    assert dashed == sum(piece.sticker is not None for piece in pieces(game))
    for piece in pieces(game):
        if piece.sticker:
            for place, size in zip(piece.sticker, (piece.size.width, piece.size.height), strict=True):
                assert STICKER / 2 <= place <= size - STICKER / 2


def test_a_sticker_of_darwinci_is_beside_the_bones_of_its_tile() -> None:
    """Whatever bones a tile may have, one group or two: a sticker on a bone could not be glued flat beside it."""
    sticker = next(piece.sticker for piece in pieces("darwinci") if piece.thing.kind == "tile")
    whole = ["".join(edges) for count in range(1, 5) for edges in combinations("NESW", count)]
    pairs = [(one, other) for one in whole for other in whole if not set(one) & set(other)]
    for groups in [*((edges,) for edges in whole), *pairs]:
        for edges in groups:
            for outline in bone(edges, len(groups) == 1).body:
                for x, y in along(outline.path):
                    across = hypot(x * TILE.width / 100 - sticker[0], y * TILE.height / 100 - sticker[1])
                    assert across - outline.pen * TILE.width / 200 >= STICKER / 2, (groups, x, y)


def along(path: tuple[PathStep, ...]) -> Iterator[tuple[float, float]]:
    """Points on an outline, near to each other."""
    here = (0.0, 0.0)
    for letter, numbers in path:
        points = [here, *zip(numbers[::2], numbers[1::2], strict=True)]
        for part in range(21 if letter == "C" else 0):
            t = part / 20
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
            yield tuple(sum(w * point[axis] for w, point in zip(weights, points, strict=True)) for axis in (0, 1))
        here = points[-1] if numbers else here
        yield here


def test_a_piece_that_has_only_an_id_is_printed_in_words() -> None:
    game = discovery.find("lascaux")
    nameless = replace(game, word=lambda box, kind, id_, _: "")
    printed = plain_paper(nameless, "Nameless")(game.parse_box(game.standin(), "the box"), ENGLISH.text)
    large = [mark.text for piece in printed for mark in piece.front if isinstance(mark, Lettering) and mark.height > 5]
    assert "mammoth brown green" in large
    assert not any("-" in text for text in large)


@pytest.mark.parametrize("game", GAMES)
def test_grey_has_no_colour_at_all(game) -> None:
    for page in read(book(game, grey=True)):
        for red, green, blue in re.findall(r"([\d.]+) ([\d.]+) ([\d.]+) (?:rg|RG)\b", marks(page)):
            assert red == green == blue
    coloured = "".join(marks(page) for page in read(book(game)))
    assert any(r != g for r, g, b in re.findall(r"([\d.]+) ([\d.]+) ([\d.]+) rg", coloured))


@pytest.mark.parametrize("game", GAMES)
def test_backs_come_behind_their_fronts_and_name_no_piece(game) -> None:
    """The cover has a sheet of its own: on paper that is printed on both sides, a front is never behind something."""
    with_backs = read(book(game, backs=True))
    assert len(with_backs) == 2 * len(read(book(game))) == book(game, backs=True).pages
    labels = {piece.label for piece in pieces(game)}
    for number, page in enumerate(with_backs[2:]):
        assert bool(labels & lines(page).keys()) == (number % 2 == 0)


@pytest.mark.parametrize("game", GAMES)
def test_with_backs_no_page_is_empty(game) -> None:
    """A piece that brings no back gets a plain one; behind what is folded stands why there is nothing."""
    for page in read(book(game, backs=True)):
        assert re.search(r"\b(?:f|B|S|Tj)\b", marks(page))
    bare = PaperPiece(Thing("card", "1"), "card", CARD, (ground(CARD),))
    folded = PaperPiece(Thing("card", "2"), "card", CARD, (ground(CARD),), (ground(CARD),), folded=True)
    assert "Some" in words(read(print_some([bare], backs=True))[-1])
    assert "folded and glued" in words(read(print_some([folded], backs=True))[-1])


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_first_page_tells_how_to_print_it_and_what_is_in_it(code) -> None:
    text = words(read(book("carnuta", code))[0])
    assert "Carnuta" in text
    assert "100 %" in text
    assert "127" in text
    assert {"en": "stand-in", "de": "Ersatzschachtel"}[code] in text
    assert {"en": "22 × rune", "de": "22 × Rune"}[code] in text


def test_words_are_in_the_language_that_was_asked_for_with_its_letters() -> None:
    text = "\n".join(words(page) for page in read(book("lascaux", "de"))[6:8])
    assert "grün" in text
    assert "weiß" in text
    assert "Nashorn" in text


def test_the_same_box_gives_the_same_bytes() -> None:
    assert book.__wrapped__("lascaux").pdf == book("lascaux").pdf


def test_every_colour_of_lascaux_has_another_shape() -> None:
    """A hue alone fails too many eyes: two markers of a set differ in more than their hues and words."""
    fronts = [piece.front for piece in pieces("lascaux") if piece.thing.kind == "marker" and piece.thing.owner == 0]
    assert len({front[1].figure for front in fronts}) == len(fronts) == 6


# --- Texts from boxes -----------------------------------------------------------------------------------------------


def test_two_ids_that_differ_in_their_last_letter_stay_two() -> None:
    long = "a-very-long-name-of-a-card-that-somebody-has-typed-into-a-box-file-by-hand-"
    text = "\n".join(words(page) for page in read(print_some(small(long + "1", long + "2"))))
    assert text.count(long + "1") == text.count(long + "2") == 1


def test_other_letters_than_latin_are_printed_where_a_font_has_them_and_told_where_none_has() -> None:
    printed = print_some(small("зубр", "\U0001f9ac"))
    assert "\U0001f9ac" in printed.unknown
    text = "\n".join(words(page) for page in read(printed))
    assert ("зубр" in text) != ("з" in printed.unknown)


def test_control_characters_never_reach_the_paper() -> None:
    piece = small("x")[0]
    evil = Lettering("a\x00b\x1b[31mc", 10, 10, 3, 40)
    text = words(read(print_some([PaperPiece(piece.thing, "card", CARD, (evil,))]))[1])
    assert "ab[31mc" in text


def test_a_piece_that_fits_on_no_sheet_is_refused() -> None:
    with pytest.raises(ValueError, match="300 × 20 mm fits on no sheet"):
        print_some([PaperPiece(Thing("snake"), "snake", Extent(300, 20), ())])
