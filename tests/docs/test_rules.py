"""docs/rules: every sentence of a rule book has a ruling, and every ruling has a test of its name."""

import re
from pathlib import Path

import pytest

from companion.gamekit.screen.face_discovery import find_face
from companion.language.screen_language import speaking

ROOT = Path(__file__).parents[2]
GAMES = {"lascaux": "L", "sioux": "S", "darwinci": "D", "carnuta": "C"}
HEADING = "## Every sentence of the book"
NOT_APPLICABLE = "not applicable: "
every_game = pytest.mark.parametrize("game", GAMES)


def page(game: str, language: str = "") -> str:
    return (ROOT / "docs" / "rules" / f"{game}{language}.md").read_text(encoding="utf-8")


def rulings(game: str, language: str = "") -> list[str]:
    """The numbers that the page explains, each once, in the order of counting."""
    told, _, _ = page(game, language).partition(HEADING)
    return sorted(set(re.findall(rf"\*\*({GAMES[game]}\d+)\*\*", told)), key=_count)


def _count(number: str) -> int:
    return int(number[1:])


def rows(game: str) -> list[tuple[str, str, str]]:
    """Sentence, what it says, ruling."""
    lines = page(game).partition(HEADING)[2].splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if re.match(r"\| [A-Z]+ \d", line)]
    return [(sentence, says, ruling) for sentence, says, ruling in cells]


def sentences(game: str) -> dict[str, list[int]]:
    """Which sentences of each book the table has, in its order; "1–3" is three of them."""
    found: dict[str, list[int]] = {}
    for sentence, _says, _ruling in rows(game):
        book, numbers = sentence.split()
        first, _, last = numbers.partition("–")
        found.setdefault(book, []).extend(range(int(first), int(last or first) + 1))
    return found


def silent(game: str) -> list[str]:
    """Rulings that rest on no sentence of the book."""
    (told,) = re.findall(r"^About these the book says nothing.*: (.*)\.$", page(game), re.MULTILINE)
    return str(told).split(", ")


def with_a_test(game: str) -> set[str]:
    """The rulings that tests of the game are named after."""
    files = (ROOT / "tests" / "games" / game).rglob("test_*.py")
    named = re.compile(r"^ *def test_([A-Z]\d+)_", re.MULTILINE)
    return {number for path in files for number in named.findall(path.read_text("utf-8"))}


@every_game
def test_the_rulings_are_numbered_without_a_gap_and_all_have_words_behind_f1(game: str) -> None:
    numbers = rulings(game)
    assert numbers == [f"{GAMES[game]}{count}" for count in range(1, len(numbers) + 1)]
    assert sorted(find_face(game).rulings, key=_count) == numbers


@every_game
def test_every_sentence_of_the_book_is_in_the_table_and_counted_once(game: str) -> None:
    told = page(game).partition(HEADING)[2].partition("|")[0]
    for book, numbers in sentences(game).items():
        assert numbers == list(range(1, len(numbers) + 1)), book
        assert re.search(rf"\({book}\),\s+{len(numbers)}\s+sentences", told), f"{book} has {len(numbers)} sentences"


@every_game
def test_every_sentence_has_a_ruling_or_a_reason_why_none_applies(game: str) -> None:
    known = rulings(game)
    for sentence, says, ruling in rows(game):
        assert says, sentence
        if ruling.startswith(NOT_APPLICABLE):
            assert ruling.removeprefix(NOT_APPLICABLE).strip(), sentence
        else:
            assert set(ruling.split(", ")) <= set(known), sentence


@every_game
def test_every_ruling_rests_on_a_sentence_or_is_named_as_resting_on_none(game: str) -> None:
    resting = {number for _sentence, _says, ruling in rows(game) for number in re.findall(r"\b[A-Z]\d+\b", ruling)}
    assert sorted(resting | set(silent(game)), key=_count) == rulings(game)
    assert not resting & set(silent(game))


@every_game
def test_every_ruling_has_a_test_of_its_name(game: str) -> None:
    assert set(rulings(game)) - with_a_test(game) == set()


@every_game
def test_the_german_page_has_the_same_rulings_and_the_same_options_with_the_same_values(game: str) -> None:
    assert rulings(game, ".de") == rulings(game)
    assert _options(page(game, ".de")) == _options(page(game))


def _options(text: str) -> list[tuple[str, str, list[str]]]:
    """Name, values and rulings of each row of the table."""
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
    rows = [row for row in cells if len(row) == 3 and re.fullmatch(r"`\w+`", row[0])]
    return [
        (name, ", ".join(re.findall(r"`\w+`", values)), re.findall(r"\*\*(\w\d+)\*\*", said))
        for name, values, said in rows
    ]


@every_game
def test_the_help_leads_to_the_page_in_its_own_language(game: str) -> None:
    for code, named in (("en", f"docs/rules/{game}.md"), ("de", f"docs/rules/{game}.de.md")):
        with speaking(code):
            assert named in find_face(game).rules()
        assert (ROOT / named).exists()
