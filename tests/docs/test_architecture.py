"""docs/architecture.md describes the packages and files that exist."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PACKAGES = sorted(path.parent.name for path in (ROOT / "companion").glob("*/__init__.py"))


def sentences(package: str) -> tuple[str, str]:
    """The first two paragraphs of a package's docstring: what it is for, and what imports it."""
    source = (ROOT / "companion" / package / "__init__.py").read_text(encoding="utf-8")
    what, who, *_ = (ast.get_docstring(ast.parse(source)) or "").split("\n\n")
    return " ".join(what.split()), " ".join(who.split()).removeprefix("Imported by: ").removesuffix(".")


@pytest.mark.parametrize("package", PACKAGES)
def test_the_table_of_packages_agrees_with_their_docstrings(package: str) -> None:
    what, who = sentences(package)
    assert what
    assert f"| `{package}` | {what} | {who} |" in PAGE


def test_every_file_that_the_page_names_is_there() -> None:
    named = re.findall(r"`((?:companion|firmware|docs|examples)/[\w./-]+)`", PAGE)
    assert len(named) > 10
    assert [name for name in named if not (ROOT / name).exists()] == []
