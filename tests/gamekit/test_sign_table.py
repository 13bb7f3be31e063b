"""One sign, one meaning: one module writes them down, docs/design.md explains them, the kiosk's font has them."""

import ast
import re
from itertools import chain
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from companion.gamekit import sign_table
from tests.source_tree import FILES, ROOT, is_within, name_of

SIGNS = [text for name, text in vars(sign_table).items() if name.isupper() and isinstance(text, str)]
ALL = "".join(SIGNS)
TEXT_TOO = "−"
"""Also a minus in a sum."""
DRAWING = ("companion.gamekit", "companion.games", "companion.screen", "companion.web", "companion.drawing")
FONT = Path("/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf")
FOREIGN = {sign for sign in ALL if not sign.isascii()} - set(TEXT_TOO)


def test_no_sign_has_two_meanings() -> None:
    assert sorted(ALL) == sorted(set(ALL))


def test_the_design_explains_exactly_these_signs() -> None:
    text = (ROOT.parent / "docs" / "design.md").read_text(encoding="utf-8")
    table = text.split("## One sign per meaning")[1].split("\n## ")[0]
    told = re.findall(r"^\| ([^|]+) \| [^|]+ \|$", table, re.MULTILINE)
    assert "".join(chain.from_iterable(cell.split() for cell in told[1:])) == ALL


def test_the_kiosks_font_has_every_sign() -> None:
    ttfonts = pytest.importorskip("reportlab.pdfbase.ttfonts")
    if not FONT.exists():
        pytest.skip("there are no letters to look into (Debian: fonts-dejavu-core)")
    assert [sign for sign in ALL if ord(sign) not in ttfonts.TTFont("Mono", FONT).face.charToGlyph] == []


def _written(path: Path) -> list[str]:
    """Every literal that is not a docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told
    ]


def test_only_the_table_of_signs_writes_a_sign() -> None:
    found = {
        f"{name_of(path)}: {text[:60]}"
        for path in FILES
        if is_within(name_of(path), *DRAWING) and name_of(path) != "companion.gamekit.sign_table"
        for text in _written(path)
        if FOREIGN & set(text)
    }
    assert found == set()


def test_no_translation_writes_a_sign_except_where_the_rules_explain_it() -> None:
    found = set()
    for path in ROOT.rglob("*.po"):
        with path.open("rb") as file:
            for message in read_po(file):
                said = f"{message.id} {message.string}"
                if FOREIGN & set(said) and not any(place.endswith("rules.txt") for place, _line in message.locations):
                    found.add(said[:60])
    assert found == set()
