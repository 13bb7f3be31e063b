"""How the house is built: who may import whom, what is pure, and that nobody is left without words."""

import ast
import string
import sys
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pytest

from companion import games
from companion.table.words import SENTENCES as GENERAL
from tests.house import FILES, MODULES, called, functions, imports, is_within

FILE_LINES = 400
FUNCTION_LINES = 60

EVERYTHING = ("companion",)
ROOMS: dict[str, tuple[str, ...]] = {
    "companion.errors": (),
    "companion.games": ("companion.games", "companion.errors"),
    "companion.table": ("companion.table", "companion.games", "companion.errors"),
    "companion.devices": (
        *("companion.devices", "companion.table.signals", "companion.table.effects", "companion.errors"),
    ),
    "companion.config": ("companion.config", "companion.storage", "companion.errors"),
    "companion.doctor": (
        *("companion.doctor", "companion.config", "companion.devices", "companion.table.signals", "companion.errors"),
        *("companion.boxes", "companion.packs", "companion.progress", "companion.table.pieces", "companion.games"),
        "companion.journal",
    ),
    "companion.journal": ("companion.journal", "companion.table", "companion.games", "companion.errors"),
    "companion.enrolment": (
        *("companion.enrolment", "companion.games.game", "companion.games.*.components"),
        *("companion.table.pieces", "companion.table.signals", "companion.table.effects", "companion.errors"),
    ),
    "companion.snapshot": ("companion.games.game",),
    "companion.reception": (),
    "companion.wording": ("companion.games.game", "companion.table.words"),
    "companion.screen.enroll": (
        *("companion.screen", "companion.enrolment", "companion.wording", "companion.errors"),
        *("companion.table.signals", "companion.table.problems"),
        *(f"companion.games.*.{part}" for part in ("components", "words")),
    ),
    "companion.screen": (
        "companion.screen",
        "companion.snapshot",
        "companion.reception",
        "companion.wording",
        "companion.errors",
        *(f"companion.games.*.{part}" for part in ("view", "components", "words", "gesture_words")),
        *(f"companion.games.darwinci.{part}" for part in ("display", "allowance")),
    ),
    "companion.simulation": (
        "companion.config",
        *("companion.simulation", "companion.devices", "companion.table", "companion.games"),
        *("companion.snapshot", "companion.wording", "companion.errors"),
    ),
    "companion.boxes": ("companion.games", "companion.storage", "companion.errors"),
    "companion.storage": (),
    "companion.progress": (
        *("companion.boxes", "companion.storage", "companion.enrolment", "companion.games", "companion.errors"),
    ),
    "companion.packs": (
        *("companion.boxes", "companion.storage", "companion.table.pieces", "companion.games", "companion.errors"),
    ),
    "companion.transcript": ("companion.games", "companion.errors"),
    "companion.adjudicate": (
        *("companion.games", "companion.boxes", "companion.transcript", "companion.wording", "companion.errors"),
    ),
    "companion.referee": (
        *("companion.referee", "companion.journal", "companion.devices", "companion.table", "companion.games"),
        *("companion.snapshot", "companion.wording", "companion.errors"),
    ),
    "companion.verbs": EVERYTHING,
    "companion.arguments": (),
    "companion.cli": EVERYTHING,
    "companion.__main__": ("companion.cli",),
}
"""Each room of the house, and from where it may take something."""

LIBRARIES = {
    "companion.screen.enroll": ("msgspec", "textual", "rich"),
    "companion.screen": ("msgspec", "textual", "rich"),
    "companion.devices": ("msgspec", "mfrc522", "pigpio", "gpiozero", "serial", "serial_asyncio_fast", "ndef"),
}
"""What else than msgspec a room may import that is not in the standard library."""

IMPURE = (
    *("asyncio", "datetime", "glob", "io", "os", "pathlib", "random", "secrets", "select", "shutil", "signal"),
    *("socket", "sqlite3", "subprocess", "sys", "tempfile", "threading", "time", "uuid"),
)
"""Clocks, chance, files and the world outside."""


def room_of(module: str) -> str | None:
    return next((room for room in ROOMS if is_within(module, room)), None)


# --- Who may import whom --------------------------------------------------------------------------------------


def test_every_module_lies_in_a_room_that_has_a_rule() -> None:
    assert [module for module in MODULES if module != "companion" and room_of(module) is None] == []


@pytest.mark.parametrize("module", [module for module in MODULES if module != "companion"])
def test_a_module_imports_only_what_its_room_may(module: str) -> None:
    room = room_of(module)
    assert room is not None
    strangers = [
        f"line {line}: {name}"
        for name, line in imports(module)
        if not is_within(name, *ROOMS[room]) and not _is_library(name, room)
    ]
    assert strangers == []


def _is_library(name: str, room: str) -> bool:
    top = name.partition(".")[0]
    if name == "companion":  # __version__, the one thing that is there
        return room in ("companion.cli", "companion.arguments")
    return top in sys.stdlib_module_names or top in LIBRARIES.get(room, ("msgspec",))


@pytest.mark.parametrize("game", games.NAMES)
def test_games_do_not_import_one_another(game: str) -> None:
    own = [module for module in MODULES if is_within(module, f"companion.games.{game}")]
    folders = {
        module.split(".")[2] for module in MODULES if module.count(".") >= 3 and is_within(module, "companion.games")
    }
    assert game in folders
    others = tuple(f"companion.games.{other}" for other in folders - {game})
    assert [name for module in own for name, _ in imports(module) if is_within(name, *others)] == []


def test_what_all_games_share_knows_none_of_them() -> None:
    shared = [module for module in MODULES if is_within(module, "companion.games") and module.count(".") < 3]
    shared = [module for module in shared if module.rpartition(".")[2] not in games.NAMES]
    known = tuple(f"companion.games.{game}" for game in games.NAMES)
    assert [name for module in shared for name, _ in imports(module) if is_within(name, *known)] == []


def test_modules_are_imported_by_a_name_that_is_put_together_only_where_a_game_is_found() -> None:
    dynamic = {
        module
        for module, tree in MODULES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and called(node) in ("import_module", "__import__")
    }
    assert dynamic <= {"companion.games", "companion.simulation.players", "companion.screen.face"}


# --- What is pure ---------------------------------------------------------------------------------------------


def _pure_modules() -> list[str]:
    return [
        module for module in MODULES if is_within(module, "companion.games", "companion.table", "companion.enrolment")
    ]


@pytest.mark.parametrize("module", _pure_modules())
def test_games_and_table_have_no_clock_no_chance_and_no_files(module: str) -> None:
    impure = {name for name, _ in imports(module) if name.partition(".")[0] in IMPURE}
    if module.endswith(".components"):
        impure -= {"pathlib"}  # see the next test
    assert impure == set()
    calls = {called(node) for node in ast.walk(MODULES[module]) if isinstance(node, ast.Call)}
    assert calls & {"open", "input", "print", "exec", "eval"} == set()


@pytest.mark.parametrize("game", games.NAMES)
def test_the_only_file_that_a_game_reads_is_the_box_that_ships_with_it(game: str) -> None:
    tree = MODULES[f"companion.games.{game}.components"]
    (standin,) = [function for function in functions(tree) if function.name == "standin"]
    paths = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and called(node) == "Path"]
    inside = [node for node in ast.walk(standin) if isinstance(node, ast.Call) and called(node) == "Path"]
    assert paths == inside
    assert [ast.unparse(node) for node in inside] == ["Path(__file__)"]
    assert "box.toml" in ast.unparse(standin)


# --- What is small --------------------------------------------------------------------------------------------


def test_no_file_is_too_long_to_be_read_in_one_go() -> None:
    lengths = {str(path): len(path.read_text(encoding="utf-8").splitlines()) for path in FILES}
    assert {name: lines for name, lines in lengths.items() if lines > FILE_LINES} == {}


def test_no_function_is_too_long_to_be_understood() -> None:
    lengths = {
        f"{module}:{function.lineno} {function.name}": (function.end_lineno or 0) - function.lineno + 1
        for module, tree in MODULES.items()
        for function in functions(tree)
    }
    assert {name: lines for name, lines in lengths.items() if lines > FUNCTION_LINES} == {}


# --- Nobody is left without words -----------------------------------------------------------------------------


class Message(NamedTuple):
    """Something that is said in the source: the message id and the names of its facts (None: they are put together)."""

    what: str
    facts: frozenset[str] | None
    where: str


WHAT_AT = {"Ruling": 1, "Refusal": 1, "Aside": 1, "Draft": 1, "Part": 3, "_note": 0}
"""Who says something, and which of its arguments is the message id. The facts come next."""


def messages(module: str) -> Iterator[Message]:
    """All that this module can say, found in its source."""
    for scope in (MODULES[module], *functions(MODULES[module])):
        for node in _own_nodes(scope):
            if isinstance(node, ast.Call) and called(node) in WHAT_AT and not _passes_on(node):
                where = f"{module}:{node.lineno}"
                facts = _facts(node, scope)
                yield from (Message(what, facts, where) for what in _whats(node, where))


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function or a module, without those of the functions in it."""
    for child in ast.iter_child_nodes(scope):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield child
            yield from _own_nodes(child)


def _passes_on(call: ast.Call) -> bool:
    """`_note` makes a ruling of what it is given, and `hear` of an aside: said elsewhere."""
    what = _argument(call, "what", WHAT_AT[called(call)])
    return isinstance(what, ast.Name) and what.id == "what"


def _argument(call: ast.Call, name: str, position: int) -> ast.expr | None:
    named = [keyword.value for keyword in call.keywords if keyword.arg == name]
    return named[0] if named else call.args[position] if len(call.args) > position else None


def _whats(call: ast.Call, where: str) -> list[str]:
    return list(_texts(_argument(call, "what", WHAT_AT[called(call)]), where))


def _texts(node: ast.expr | None, where: str) -> Iterator[str]:
    match node:
        case ast.Constant(str(text)):
            yield text
        case ast.IfExp(_, body, orelse):
            yield from _texts(body, where)
            yield from _texts(orelse, where)
        case ast.JoinedStr([ast.FormattedValue(ast.Attribute(attr="kind")), ast.Constant(str(rest))]):
            yield from (kind + rest for kind in question_kinds())
        case _:
            raise AssertionError(f"{where}: the message id cannot be found in the source")


def question_kinds() -> set[str]:
    """What everybody may be asked: "undo", or an action of a game that everybody has to agree to."""
    communal = {str(kind.__struct_config__.tag) for name in games.NAMES for kind in games.find(name).communal}
    return {"undo"} | communal


def _facts(call: ast.Call, scope: ast.AST) -> frozenset[str] | None:
    if called(call) == "_note":
        return frozenset(str(keyword.arg) for keyword in call.keywords)
    node = _argument(call, "facts", WHAT_AT[called(call)] + 1)
    if isinstance(node, ast.Name):
        values = [each.value for each in _own_nodes(scope) if isinstance(each, ast.AnnAssign | ast.Assign)]
        node = next((value for value in values if isinstance(value, ast.Dict)), None)
        return None if node is None else _keys(node)
    return frozenset() if node is None else _keys(node)


def _keys(node: ast.expr) -> frozenset[str] | None:
    keys = [key.value for key in node.keys if isinstance(key, ast.Constant)] if isinstance(node, ast.Dict) else [None]
    return None if None in keys else frozenset(map(str, keys))


def braces(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


def unspoken(said: list[Message], sentences: Mapping[str, str]) -> list[str]:
    """What is wrong with the words for these messages."""
    wrong = [f"{each.where}: no sentence for {each.what!r}" for each in said if each.what not in sentences]
    return wrong + [
        f"{each.where}: {each.what!r} is not given {', '.join(missing)}"
        for each in said
        if each.facts is not None and (missing := sorted(braces(sentences.get(each.what, "")) - each.facts))
    ]


def said_by(*places: str) -> list[Message]:
    return [said for module in MODULES if is_within(module, *places) for said in messages(module)]


SHARED = ("companion.games.beginning", "companion.table.interpreter", "companion.referee")


@pytest.mark.parametrize("game", games.NAMES)
def test_everything_that_a_game_says_has_a_sentence_and_all_the_facts_in_it(game: str) -> None:
    said = said_by(f"companion.games.{game}")
    assert len(said) > 20
    assert unspoken(said, GENERAL | dict(games.find(game).sentences)) == []


@pytest.mark.parametrize("game", games.NAMES)
def test_everything_that_is_said_whatever_the_game_has_a_sentence_and_all_the_facts_in_it(game: str) -> None:
    said = said_by(*SHARED)
    assert len(said) > 20
    assert unspoken(said, GENERAL | dict(games.find(game).sentences)) == []


@pytest.mark.parametrize("game", games.NAMES)
def test_no_sentence_is_left_that_nobody_says(game: str) -> None:
    said = {each.what for each in said_by(f"companion.games.{game}", *SHARED)}
    sentences: dict[str, Any] = GENERAL | dict(games.find(game).sentences)
    assert sentences.keys() - said == set()


def test_the_messages_of_the_source_are_found_also_where_they_are_put_together() -> None:
    whats = {each.what for each in said_by(*SHARED)}
    assert {"undo needs everybody", "end needs everybody", "lies there already", "pressed already"} <= whats
