"""docs/add-a-game.md is true: its blocks, taken step by step, make a game that plays and keeps its contract, and at the
end they are examples/gops."""

import ast
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.strangers import announce, run_in

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "add-a-game.md"
EXAMPLE = ROOT / "examples" / "gops"


MOST_LINES, MOST_NAMES = 70, 8
"""Of the smallest game: its lines of Python, and the names of the kit that it uses."""


class Block(NamedTuple):
    """What goes into a file; or, between two of them, the names that a sentence tells the reader to delete there."""

    file: str
    text: str
    deletes: tuple[str, ...] = ()


def steps() -> list[list[Block]]:
    """The blocks of each section that belong to a file."""
    sections = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return [list(blocks(section)) for section in sections]


def blocks(section: str) -> Iterator[Block]:
    fenced = r"^```\w+ (?P<file>\S+)\n(?P<text>.*?)^```$"
    told = r"Delete (?P<names>`\w+`(?: and `\w+`)*)\sfrom\s`(?P<where>[^`]+)`"
    for found in re.finditer(f"{fenced}|{told}", section, re.MULTILINE | re.DOTALL):
        if found["file"]:
            yield Block(found["file"], found["text"])
        else:
            yield Block(found["where"], "", tuple(re.findall(r"\w+(?=`)", found["names"])))


# --- Blocks become files --------------------------------------------------------------------------------------


def amended(before: str, block: str) -> str:
    """What a reader does with a block: a definition that is there already is replaced, a class is added below the one
    before it in the block, all else at the end, imports on top."""
    old, new = ast.parse(before), ast.parse(block)
    known = {name_of(node): place for place, node in enumerate(old.body) if name_of(node)}
    above = ""
    for node in new.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            old.body.insert(1, node)
        elif name_of(node) in known:
            old.body[known[name_of(node)]] = node
        elif isinstance(node, ast.ClassDef) and above in known:
            old.body.insert(known[above] + 1, node)
        else:  # above the record that is made of it all
            old.body.insert(len(old.body) - (name_of(old.body[-1]) == "GAME"), node)
        known = {name_of(each): place for place, each in enumerate(old.body) if name_of(each)}
        above = name_of(node)
    return ast.unparse(old)


def name_of(node: ast.stmt) -> str:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
    return ""


def without(before: str, names: tuple[str, ...]) -> str:
    tree = ast.parse(before)
    kept = [node for node in tree.body if name_of(node) not in names]
    assert len(tree.body) == len(kept) + len(names)
    tree.body = kept
    return ast.unparse(tree)


def build(folder: Path, blocks: list[Block]) -> None:
    for file, text, deletes in blocks:
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        known = path.read_text() if path.exists() and path.suffix == ".py" else ""
        path.write_text(without(known, deletes) if deletes else amended(known, text) if known else text)
        if file == "write_box.py":
            run_in(folder, file)


# --- The page -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_step_plays_and_keeps_its_contract(tmp_path: Path) -> None:
    sections = steps()
    build(tmp_path, [block for section in sections[:3] for block in section])
    announce(tmp_path, "gops", "gops")
    for section in (*sections[3:8], []):
        told = run_in(tmp_path, "-m", "companion", "demo", "gops", "--headless", "--seed", "1", "--players", "3")
        assert told.rstrip().endswith(("wins.", "win."))
        tested = run_in(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "tests")
        assert re.search(r"^\d\d passed", tested, re.MULTILINE)
        build(tmp_path, section)


def test_the_smallest_game_has_few_lines_and_uses_few_names_of_the_kit(tmp_path: Path) -> None:
    texts = [block.text for section in steps()[:2] for block in section if block.file.endswith(".py")]
    assert sum(bool(line.strip()) for text in texts for line in text.splitlines()) <= MOST_LINES
    nodes = [node for text in texts for node in ast.parse(text).body if isinstance(node, ast.ImportFrom)]
    names = [alias.name for node in nodes if (node.module or "").startswith("companion") for alias in node.names]
    assert 0 < len(set(names)) <= MOST_NAMES


def test_its_texts_are_collected_for_another_language(tmp_path: Path) -> None:
    build(tmp_path, [block for section in steps() for block in section])
    announce(tmp_path, "gops", "gops")
    told = run_in(tmp_path, "-m", "companion.gamekit.catalogues", "gops", "pl")
    assert re.search(r"companion\.po: \d+ texts, [1-9]\d+ to be translated", told)
    catalogue = (tmp_path / "gops" / "locale" / "pl" / "LC_MESSAGES" / "companion.po").read_text()
    assert all(text in catalogue for text in ('msgid "{seat} has bid"', 'msgctxt "card"', 'msgid "Turn up"'))


def test_a_game_of_rules_alone_is_played_with_all_defaults(tmp_path: Path) -> None:
    build(tmp_path, [block for section in steps()[:3] for block in section])
    announce(tmp_path, "gops", "gops")
    manifest = run_in(tmp_path, "-c", "import gops; print(*gops.MANIFEST)").split()
    assert manifest == ["name", "title", "api", "rules", "words"]
    told = run_in(tmp_path, "-m", "companion", "demo", "gops", "--headless", "--seed", "1")
    assert re.search(r"^ +\d+  \w+ has \d+ points?$", told, re.MULTILINE)
    asked = "from companion.gamekit.screen.face_discovery import find_face; print(type(find_face('gops')).__name__)"
    assert run_in(tmp_path, "-c", asked).strip() == "PlainFace"


def test_the_box_that_the_page_writes_is_that_of_the_example(tmp_path: Path) -> None:
    build(tmp_path, [block for section in steps()[:5] for block in section])
    written, shipped = (folder / "gops" / "box.toml" for folder in (tmp_path, EXAMPLE))
    assert tomllib.loads(written.read_text()) == tomllib.loads(shipped.read_text())


@pytest.mark.parametrize("file", sorted(path.name for path in (EXAMPLE / "gops").glob("*.py")))
def test_at_the_end_it_is_the_example(tmp_path: Path, file: str) -> None:
    """Definition by definition; the order, and comments, may differ."""
    build(tmp_path, [block for section in steps() for block in section])
    assert definitions(tmp_path / "gops" / file) == definitions(EXAMPLE / "gops" / file)


def definitions(path: Path) -> dict[str, str]:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return {name_of(node): ast.dump(node) for node in body if name_of(node)}


def test_the_example_imports_the_kit_and_nothing_else_of_ours() -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in (EXAMPLE / "gops").glob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    named = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    named |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    ours = {name for name in named if name.split(".")[0] == "companion"}
    assert ours
    assert all(name.split(".")[:2] == ["companion", "gamekit"] for name in ours)


def test_the_blocks_that_are_whole_files_are_those_of_the_example() -> None:
    whole = {block.file: block.text for section in steps() for block in section if not block.file.endswith(".py")}
    figures = [f"gops/figures/{path.name}" for path in (EXAMPLE / "gops" / "figures").iterdir()]
    files = ("pyproject.toml", "gops/rules.txt", *figures)
    assert whole == {name: (EXAMPLE / name).read_text(encoding="utf-8") for name in files}
