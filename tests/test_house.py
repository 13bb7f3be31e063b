"""How the house is built: what is pure, what is small, and that nobody is left without words.

Who may import whom stands in pyproject.toml, as contracts of import-linter that `make check` keeps.
"""

import ast
import string
import sys
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pytest

from companion.gamekit import discovery
from companion.language.general_sentences import SENTENCES as GENERAL
from tests.house import MODULES, ROOT, called, calls, functions, imports, is_within
from tests.ours import GAMES

FUNCTION_LINES = 60

IMPURE = (
    *("asyncio", "datetime", "glob", "io", "os", "pathlib", "random", "secrets", "select", "shutil", "signal"),
    *("socket", "sqlite3", "subprocess", "sys", "tempfile", "threading", "time", "uuid"),
)
"""Clocks, chance, files and the world outside."""


def test_modules_are_imported_by_a_name_that_is_put_together_only_where_a_verb_or_a_game_is_found() -> None:
    dynamic = {
        module for module in MODULES for node in calls(module) if called(node) in ("import_module", "__import__")
    }
    assert dynamic == {"companion.cli", "companion.gamekit.discovery"}


# --- Contracts name every room --------------------------------------------------------------------------------

ROOMS = {".".join(module.split(".")[:2]) for module in MODULES if "." in module} - {"companion.__main__"}
LINTED = tomllib.loads((ROOT.parent / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
CONTRACTS = {contract["name"]: contract for contract in LINTED["contracts"]}


@pytest.mark.parametrize(
    ("name", "side", "without"),
    [
        ("A game imports companion.gamekit", "forbidden_modules", {"companion.games", "companion.gamekit"}),
        ("Nobody imports a game", "source_modules", {"companion.games"}),
        ("ReportLab draws on paper", "source_modules", {"companion.verbs", "companion.paper"}),
    ],
)
def test_a_contract_about_everybody_else_names_every_room(name: str, side: str, without: set[str]) -> None:
    (contract,) = [each for title, each in CONTRACTS.items() if title.startswith(name)]
    assert set(contract[side]) == ROOMS - without


def _rules() -> list[str]:
    parts = ("rules", "components", "view", "sentences", "allowance")
    places = [f"companion.games.*.{part}" for part in parts]
    return [module for module in MODULES if is_within(module, *places)]


@pytest.mark.parametrize("module", _rules())
def test_rules_import_the_standard_library_msgspec_and_the_kit_alone(module: str) -> None:
    game = ".".join(module.split(".")[:3])
    others = [name for name, _ in imports(module) if not is_within(name, "companion.gamekit", "msgspec", game)]
    assert [name for name in others if name.partition(".")[0] not in sys.stdlib_module_names] == []


# --- One name, one thing --------------------------------------------------------------------------------------

OF_EVERY_GAME = {"Action", "Players"}
"""What each game calls its own, as the kit does what they have in common."""


def public_types(module: str) -> Iterator[str]:
    """The classes and type aliases at the top of a module."""
    for node in MODULES[module].body:
        match node:
            case ast.ClassDef(name=name) | ast.AnnAssign(ast.Name(name)) | ast.Assign([ast.Name(name)]):
                if name[0].isupper() and not name.isupper():
                    yield name


def owners() -> dict[str, list[str]]:
    """Name of a type → the modules that define one. All of a game's modules are one owner: games never meet."""
    found: dict[str, list[str]] = {}
    for module in MODULES:
        for name in public_types(module):
            found.setdefault(name, []).append(module)
    return found


def game_of(module: str) -> str:
    """companion.games.sioux.view → sioux; "" outside the games."""
    return module.split(".")[2] if is_within(module, "companion.games.*") else ""


def test_a_name_means_one_thing_in_the_whole_house() -> None:
    games = [game for game in map(game_of, MODULES) if game]
    assert {
        name: modules
        for name, modules in owners().items()
        if any(len([each for each in modules if game_of(each) in ("", game)]) > 1 for game in games)
        and name not in OF_EVERY_GAME
    } == {}


# --- What is pure ---------------------------------------------------------------------------------------------


def _pure_modules() -> list[str]:
    return [
        module
        for module in MODULES
        if is_within(module, "companion.games", "companion.table", "companion.enrolment", "companion.gamekit.game")
        and not is_within(
            module, "companion.games.*.screen", "companion.games.*.simulated", "companion.games.*.judgement"
        )
    ]


@pytest.mark.parametrize("module", _pure_modules())
def test_games_and_table_have_no_clock_no_chance_and_no_files(module: str) -> None:
    impure = {name for name, _ in imports(module) if name.partition(".")[0] in IMPURE}
    if module.endswith(".components"):
        impure -= {"pathlib"}  # see the next test
    assert impure == set()
    names = {called(node) for node in calls(module)}
    assert names & {"open", "input", "print", "exec", "eval"} == set()


@pytest.mark.parametrize("game", GAMES)
def test_the_only_file_that_a_game_reads_is_the_box_that_ships_with_it(game: str) -> None:
    tree = MODULES[f"companion.games.{game}.components"]
    (standin,) = [function for function in functions(tree) if function.name == "standin"]
    paths = [node for node in calls(f"companion.games.{game}.components") if called(node) == "Path"]
    inside = [node for node in ast.walk(standin) if isinstance(node, ast.Call) and called(node) == "Path"]
    assert paths == inside
    assert [ast.unparse(node) for node in inside] == ["Path(__file__)"]
    assert "box.toml" in ast.unparse(standin)


# --- One way to write a file ----------------------------------------------------------------------------------

WRITERS = {
    "companion.files": "this is the way",
    "companion.gamekit.import_trials": "asks the kernel, in /proc, to end it first",
    "companion.journal.store": "takes a name that nobody has yet; the rest is SQLite's",
    "companion.journal.ledger": "writes into a file that is there, sector by sector",
    "companion.processes.enrolment_store": "a lock, and nothing in it",
    "companion.voice": "what is said, in a folder of its own that goes with the voice",
}
"""Who writes to files, and why not by `companion.files`."""
SIMULATED = ("companion.devices.satellite", "companion.devices.pcsc", "companion.devices.pn532")
"""Simulated hardware names pseudo-terminals and sockets."""
WRITING = {"write_text", "write_bytes", "touch", "mkdir", "makedirs", "hardlink_to", "symlink_to", "copyfile"}
MOVING = {"rename", "replace", "renames", "move"}
OPENING = {"open", "fdopen"}
WRITE_FLAGS = ("O_WRONLY", "O_RDWR", "O_CREAT")


def _writes(node: ast.Call) -> bool:
    """Whether this call writes a file, or names one. (Texts are replaced with two arguments, structs by name.)"""
    name = called(node)
    if name in MOVING:
        of_os = isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) in ("os", "shutil")
        return of_os or (isinstance(node.func, ast.Attribute) and len(node.args) == 1 and not node.keywords)
    if name in OPENING:
        modes = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
        opened_to_write = any(mode and set(mode) <= set("rwaxbt+") and set(mode) & set("wax+") for mode in modes)
        return opened_to_write or any(flag in ast.unparse(node) for flag in WRITE_FLAGS)
    return name in WRITING and isinstance(node.func, ast.Attribute)


def test_there_is_one_way_to_write_a_file() -> None:
    writers = {module for module in MODULES if not is_within(module, *SIMULATED) and any(map(_writes, calls(module)))}
    assert writers == set(WRITERS)


@pytest.mark.parametrize(
    "line",
    [
        "path.write_text(text)",
        "path.open('w')",
        "open(path, 'ab')",
        "os.open(path, os.O_WRONLY | os.O_CREAT)",
        "draft.replace(path)",
        "os.rename(a, b)",
        "shutil.move(a, b)",
        "path.parent.mkdir()",
    ],
)
def test_a_line_that_writes_a_file_is_known(line: str) -> None:
    (call,) = [node for node in ast.parse(line).body if isinstance(node, ast.Expr)]
    assert isinstance(call.value, ast.Call)
    assert _writes(call.value)


# --- One way to change a file ---------------------------------------------------------------------------------

KEEPING = {"store", "store_all", "store_pack", "move"}
"""By which a file takes the place of another one."""
UNLOCKED = {
    "companion.files.store": "writes what it is given",
    "companion.home.tag_packs.store_pack": "writes what it is given",
    "companion.home.enrolment_progress.note_print": "reads nothing: the newest print counts",
    "companion.gamekit.import_trials._kept": "reads nothing: any of two outcomes is true",
    "companion.gamekit.template.write_game": "a new folder of an author's",
    "companion.gamekit.catalogues.write": "an author's own source",
    "companion.journal.ledger.Ledger.begin": "the journal is locked",
    "companion.journal.store.Journal.create": "the journal is new, and has its name already",
    "companion.journal.store._rename": "the journal is locked",
    "companion.journal.evening_folder.remove": "the journal is locked",
    "companion.session.transcript_export.write_export": "a file that somebody has named, not the owner's",
    "companion.verbs.tags.export": "a file that somebody has named, not the owner's",
    "companion.verbs.print.run": "a file that somebody has named, not the owner's",
    "companion.processes.certificate._make": "its caller has locked the folder",
    "companion.processes.enrolment_store.FileEnrolmentStore.keep": "one at a time: `alone` locks it",
    "companion.processes.phone_server.Codes._store": "one supervisor at a time: it holds the lock of the codes",
    "companion.files.opened_log": "the log of a process: nothing in it was said to be saved",
    "companion.screen.screens.result_screen.save": "a result is written once more, and is the same",
}
"""Who puts a file in the place of another one without `changing`, and why nobody's change is lost."""


def _keepers(module: str) -> Iterator[str]:
    """Every function of a module that does so, outside `with changing(…)`."""

    def search(node: ast.AST, where: str, locked: bool) -> Iterator[str]:
        for child in ast.iter_child_nodes(node):
            inside = where
            if isinstance(child, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
                inside = f"{where}.{child.name}"
            held = locked or (isinstance(child, ast.With) and "changing(" in " ".join(map(ast.unparse, child.items)))
            if not held and isinstance(child, ast.Call) and ast.unparse(child.func) in KEEPING:
                yield where
            yield from search(child, inside, held)

    yield from search(MODULES[module], module, False)


def test_whoever_changes_an_owners_file_has_the_lock_or_a_reason() -> None:
    found = {supervisor for module in MODULES for supervisor in _keepers(module)}
    assert found == UNLOCKED.keys(), (sorted(found - UNLOCKED.keys()), sorted(UNLOCKED.keys() - found))


# --- One way to a file ----------------------------------------------------------------------------------------

OUR_OWN = (
    "components",
    "words",
    "texts",
    "template",
    "catalogues",
    "game_texts",
    "screen_language",
    "face",
    "emulated_board",
    "firmware_build",
)
"""Modules that read what ships with them, from beside themselves."""
READERS = {
    "companion.files": "the one way: a regular file, of a known size at most",
    "companion.devices.computer": "what the kernel tells in /proc and /sys",
    "companion.doctor.owner_files": "the kernel's list of locks",
    "companion.gamekit.import_trials": "what pip has written about a package; a line to the kernel",
    "companion.devices.usb_ports": "what the kernel tells of USB in /sys",
    "companion.journal.ledger": "a journal's own marks, at fixed places",
    "companion.journal.lock": "a lock is opened, not read to its end",
    "companion.journal.store": "a journal is made; SQLite reads it",
    "companion.processes.enrolment_store": "a lock, as above",
}
"""Who opens files besides, and why that does no harm."""
PARSERS = {
    "companion.toml": "looks through a text before it is parsed",
    "companion.config.toml_lines": "single keys, out of a text that was read before",
    "companion.gamekit.contract.part_properties": "the box that ships, in a test",
}
PATHS = ("path", "file", "log", "folder", "draft", "os")


def _opens(node: ast.Call) -> bool:
    """Whether this is a call that opens or reads a file, as far as names tell."""
    if called(node) not in ("open", "read_text", "read_bytes"):
        return False
    owner, _, name = ast.unparse(node.func).lower().rpartition(".")
    if name in ("read_text", "read_bytes"):
        return owner != "" and not owner.endswith("ndef")
    return name == "open" and (owner == "" or any(part in owner for part in PATHS))


def test_there_is_one_way_to_read_a_file_and_whoever_has_another_has_a_reason() -> None:
    """`companion.files` waits for no pipe and reads nothing endless."""
    found = {module for module in MODULES if any(map(_opens, calls(module)))}
    others = {module for module in found if module.rpartition(".")[2] not in OUR_OWN}
    assert others <= READERS.keys(), sorted(others - READERS.keys())
    assert READERS.keys() <= MODULES.keys(), sorted(READERS.keys() - MODULES.keys())


def test_there_is_one_way_to_read_toml_and_whoever_has_another_has_a_reason() -> None:
    """`companion.toml` bounds depth and keys first: tomllib calls itself for each level."""
    found = {
        module
        for module, tree in MODULES.items()
        for node in ast.walk(tree)
        if "tomllib" in [alias.name for alias in getattr(node, "names", ()) if isinstance(alias, ast.alias)]
        or getattr(node, "module", None) == "tomllib"
    }
    assert found <= PARSERS.keys(), sorted(found - PARSERS.keys())


# --- What is small --------------------------------------------------------------------------------------------


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


WHAT_AT = {"Ruling": 1, "Refusal": 1, "Aside": 1, "Draft": 1, "Part": 3, "note": 0}
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
    """`note` makes a ruling of what it is given, and `hear` of an aside: said elsewhere."""
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
        case _:
            raise AssertionError(f"{where}: the message id cannot be found in the source")


def _facts(call: ast.Call, scope: ast.AST) -> frozenset[str] | None:
    if called(call) == "note":
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


SHARED = (
    "companion.gamekit.game_start",
    "companion.gamekit.default_rules",
    "companion.table.interpreter",
    "companion.journal",
    "companion.referee",
    "companion.session",
)


@pytest.mark.parametrize("game", GAMES)
def test_everything_that_a_game_says_has_a_sentence_and_all_the_facts_in_it(game: str) -> None:
    said = said_by(f"companion.games.{game}.rules")
    assert len(said) > 20
    assert unspoken(said, GENERAL | dict(discovery.find(game).sentences)) == []


@pytest.mark.parametrize("game", GAMES)
def test_everything_that_is_said_whatever_the_game_has_a_sentence_and_all_the_facts_in_it(game: str) -> None:
    said = said_by(*SHARED)
    assert len(said) > 20
    assert unspoken(said, GENERAL | dict(discovery.find(game).sentences)) == []


@pytest.mark.parametrize("game", GAMES)
def test_no_sentence_is_left_that_nobody_says(game: str) -> None:
    said = {each.what for each in said_by(f"companion.games.{game}.rules", *SHARED)}
    sentences: dict[str, Any] = GENERAL | dict(discovery.find(game).sentences)
    assert sentences.keys() - said == set()


def test_the_messages_of_the_source_are_found_even_where_one_of_two_is_said() -> None:
    whats = {each.what for each in said_by(*SHARED)}
    assert {"undo needs everybody", "needs everybody", "lies there already", "pressed already"} <= whats
