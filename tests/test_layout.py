"""How the source is laid out: names, purity, one way to read and write files, and a sentence for each message.

Which package may import which is in pyproject.toml, as contracts of import-linter; `make check` checks them.
"""

import ast
import string
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import pytest

from companion.gamekit import discovery
from companion.language.general_sentences import SENTENCES as GENERAL
from tests.ours import GAMES
from tests.source_tree import FILES, MODULES, ROOT, called, calls, functions, imports, is_within, name_of

FUNCTION_LINES = 60

IMPURE = (
    *("asyncio", "datetime", "glob", "io", "os", "pathlib", "random", "secrets", "select", "shutil", "signal"),
    *("socket", "sqlite3", "subprocess", "sys", "tempfile", "threading", "time", "uuid"),
)
"""Clocks, random numbers, files and other processes."""


def test_modules_are_imported_by_a_name_that_is_put_together_only_where_a_verb_or_a_game_is_found() -> None:
    dynamic = {
        module for module in MODULES for node in calls(module) if called(node) in ("import_module", "__import__")
    }
    assert dynamic == {"companion.cli", "companion.gamekit.discovery"}


# --- Contracts name every package -----------------------------------------------------------------------------

PACKAGES = {".".join(module.split(".")[:2]) for module in MODULES if "." in module} - {"companion.__main__"}
LINTED = tomllib.loads((ROOT.parent / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
CONTRACTS = {contract["name"]: contract for contract in LINTED["contracts"]}


@pytest.mark.parametrize(
    ("name", "side", "without"),
    [
        ("A game imports companion.gamekit", "forbidden_modules", {"companion.games", "companion.gamekit"}),
        ("No package imports a game", "source_modules", {"companion.games"}),
        ("ReportLab draws on paper", "source_modules", {"companion.verbs", "companion.paper"}),
    ],
)
def test_a_contract_about_all_other_packages_names_every_one(name: str, side: str, without: set[str]) -> None:
    (contract,) = [each for title, each in CONTRACTS.items() if title.startswith(name)]
    assert set(contract[side]) == PACKAGES - without


def _rules() -> list[str]:
    parts = ("rules", "components", "options", "view", "sentences", "colours")
    places = [f"companion.games.*.{part}" for part in parts]
    return [module for module in MODULES if is_within(module, *places)]


@pytest.mark.parametrize("module", _rules())
def test_rules_import_the_standard_library_msgspec_and_the_kit_alone(module: str) -> None:
    game = ".".join(module.split(".")[:3])
    others = [name for name, _ in imports(module) if not is_within(name, "companion.gamekit", "msgspec", game)]
    assert [name for name in others if name.partition(".")[0] not in sys.stdlib_module_names] == []


# --- One name, one thing --------------------------------------------------------------------------------------

OF_EVERY_GAME = {"Action", "Players"}
"""Names that each game uses for its own type, and the kit for what they have in common."""


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


def test_the_name_of_a_type_means_one_thing_in_the_whole_tree() -> None:
    games = [game for game in map(game_of, MODULES) if game]
    assert {
        name: modules
        for name, modules in owners().items()
        if any(len([each for each in modules if game_of(each) in ("", game)]) > 1 for game in games)
        and name not in OF_EVERY_GAME
    } == {}


def role(module: str) -> str:
    """What parallel folders share: companion.games.sioux.rules.state → games.*.rules.state"""
    parts = module.split(".")[1:]
    if parts[0] in ("games", "devices") and len(parts) > 2:
        parts[1] = "*"
    return ".".join(parts)


def base_names(modules: Iterable[str]) -> dict[str, set[str]]:
    """Base name → the roles of the modules that have it.

    A verb's file is named like the verb. The kit's module that declares a part of a game is named like that part.
    """
    found: dict[str, set[str]] = {}
    for module in modules:
        if not is_within(module, "companion.verbs"):
            found.setdefault(module.rpartition(".")[2], set()).add(role(module))
    for roles in found.values():
        if any(each.startswith("games.*.") for each in roles):
            roles -= {each for each in roles if each.startswith("gamekit.")}
    return found


def test_the_base_name_of_a_module_means_one_thing_in_the_whole_tree() -> None:
    files = [name_of(path) for path in FILES if path.name != "__init__.py"]
    assert {name: sorted(roles) for name, roles in base_names(files).items() if len(roles) > 1} == {}


@pytest.mark.parametrize(
    ("modules", "is_clear"),
    [
        (("companion.games.sioux.rules.state", "companion.games.carnuta.rules.state"), True),
        (("companion.gamekit.screen.face", "companion.games.sioux.screen.face"), True),
        (("companion.devices.rc522.check", "companion.devices.gpio.check"), True),
        (("companion.verbs.tags", "companion.devices.simulated.tags"), True),
        (("companion.games.sioux.rules.state", "companion.games.carnuta.screen.state"), False),
        (("companion.devices.gpio.pins", "companion.config.pins"), False),
        (("companion.gamekit.box", "companion.home.box"), False),
    ],
)
def test_two_modules_share_a_base_name_only_in_the_same_role(modules: tuple[str, ...], is_clear: bool) -> None:
    assert all(len(roles) == 1 for roles in base_names(modules).values()) == is_clear


NOUNS = {"drawing", "ending", "evening", "finding", "scoring", "seating", "wording"}
"""Names that end in -ing and are nouns for what is inside."""
ALLEGORIES = {
    *("bench", "chronicle", "clerk", "desk", "door", "guest", "guests", "heard", "house", "keeper", "lookback"),
    *("looking", "porter", "reception", "room", "rooms", "shelf", "shop", "watch", "workbench"),
}


def test_the_name_of_a_module_is_a_plain_noun() -> None:
    names = {name for module in MODULES for name in module.split(".")}
    assert sorted(name for name in names if name.endswith("ing") and name not in NOUNS) == []
    assert sorted(name for name in names if set(name.split("_")) & ALLEGORIES) == []


# --- What is pure ---------------------------------------------------------------------------------------------


PURE = ("companion.games", "companion.table", "companion.session", "companion.enrolment", "companion.gamekit.game")


def _pure_modules() -> list[str]:
    return [
        module
        for module in MODULES
        if is_within(module, *PURE)
        and not is_within(
            module, "companion.games.*.screen", "companion.games.*.simulated", "companion.games.*.judgement"
        )
    ]


@pytest.mark.parametrize("module", _pure_modules())
def test_games_table_and_session_have_no_clock_no_chance_and_no_files(module: str) -> None:
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
    "companion.files": "the one way",
    "companion.import_trials": "tells the kernel, in /proc, which process to end first",
    "companion.journal.store": "creates a file under a name that is free; SQLite does the rest",
    "companion.journal.ledger": "writes into an existing file, sector by sector",
    "companion.voice": "the audio of an announcement, in a temporary folder",
}
"""Modules that write files without `companion.files`, and why."""
SIMULATED = ("companion.devices.satellite", "companion.devices.pcsc", "companion.devices.pn532")
"""Simulated hardware creates pseudo-terminals and sockets."""
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
def test_a_line_that_writes_a_file_is_recognised(line: str) -> None:
    (call,) = [node for node in ast.parse(line).body if isinstance(node, ast.Expr)]
    assert isinstance(call.value, ast.Call)
    assert _writes(call.value)


# --- One way to change a file ---------------------------------------------------------------------------------

REPLACING = {"store", "store_all", "store_pack", "move"}
"""Functions that replace a file."""
UNLOCKED = {
    "companion.files.store": "writes what it is given",
    "companion.hall.mosquitto.Mosquitto._start": "reads nothing: the newest broker counts",
    "companion.hall.mosquitto.Mosquitto._write": "reads nothing: made again at every start",
    "companion.home.tag_packs.store_pack": "writes what it is given",
    "companion.home.enrolment_progress.note_print": "reads nothing: the newest print counts",
    "companion.import_trials._kept": "reads nothing: any of two outcomes is true",
    "companion.gamekit.template.write_game": "a new folder of an author's",
    "companion.gamekit.catalogues.write": "an author's own source",
    "companion.journal.ledger.Ledger.begin": "the journal is locked",
    "companion.journal.store.Journal.create": "the journal is new, and has its name already",
    "companion.journal.store._rename": "the journal is locked",
    "companion.journal.store.rewrite": "the journal is locked",
    "companion.people.past_games.store_earlier": "its caller has locked the folder",
    "companion.journal.evening_folder.remove": "the journal is locked",
    "companion.verbs.export.write_export": "a file that the user named, not one of the owner's",
    "companion.verbs.export.write_results": "a file that the user named, not one of the owner's",
    "companion.verbs.replay._analyse": "an analysis is written once more, and is the same",
    "companion.verbs.tags.export": "a file that the user named, not one of the owner's",
    "companion.verbs.print.run": "a file that the user named, not one of the owner's",
    "companion.verbs.try._announce": "a temporary folder of its own",
    "companion.processes.certificate._make": "its caller has locked the folder",
    "companion.processes.enrolment_store.FileEnrolmentStore.keep": "one at a time: `alone` locks it",
    "companion.processes.phone_server.Codes._store": "one supervisor at a time: it holds the lock of the codes",
    "companion.files.opened_log": "the log of a process: nothing in it was said to be saved",
    "companion.screen.screens.result_screen.save": "a result is written once more, and is the same",
}
"""Functions that replace a file without `changing`, and why no change is lost."""


def _replacers(module: str) -> Iterator[str]:
    """Every function of a module that replaces a file outside `with changing(…)`."""

    def search(node: ast.AST, where: str, locked: bool) -> Iterator[str]:
        for child in ast.iter_child_nodes(node):
            inside = where
            if isinstance(child, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
                inside = f"{where}.{child.name}"
            held = locked or (isinstance(child, ast.With) and "changing(" in " ".join(map(ast.unparse, child.items)))
            if not held and isinstance(child, ast.Call) and ast.unparse(child.func) in REPLACING:
                yield where
            yield from search(child, inside, held)

    yield from search(MODULES[module], module, False)


def test_a_function_that_changes_an_owners_file_has_the_lock_or_a_reason() -> None:
    found = {function for module in MODULES for function in _replacers(module)}
    assert found == UNLOCKED.keys(), (sorted(found - UNLOCKED.keys()), sorted(UNLOCKED.keys() - found))


# --- One way to a file ----------------------------------------------------------------------------------------

OUR_OWN = (
    "components",
    "game_texts",
    "template",
    "catalogues",
    "game_texts",
    "screen_language",
    "emulated_board",
    "firmware_build",
)
"""Modules that read what ships with them, from beside themselves."""
READERS = {
    "companion.files": "the one way: a regular file, of a known size at most",
    "companion.devices.computer": "what the kernel reports in /proc and /sys",
    "companion.doctor.owner_files": "the kernel's list of locks",
    "companion.import_trials": "what pip recorded about a package; one line to the kernel",
    "companion.devices.usb_ports": "what the kernel reports about USB in /sys",
    "companion.hall.mosquitto": "the command line of a process in /proc",
    "companion.journal.ledger": "a journal's own marks, at fixed places",
    "companion.journal.lock": "a lock is opened, not read to its end",
    "companion.journal.store": "a journal is made; SQLite reads it",
    "companion.verbs.update": "what pip recorded about this program",
}
"""Other modules that open files, and why that is safe."""
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


def test_there_is_one_way_to_read_a_file_and_every_other_has_a_reason() -> None:
    """`companion.files` does not wait for a pipe, and reads a limited number of bytes."""
    found = {module for module in MODULES if any(map(_opens, calls(module)))}
    others = {module for module in found if module.rpartition(".")[2] not in OUR_OWN}
    assert others <= READERS.keys(), sorted(others - READERS.keys())
    assert READERS.keys() <= MODULES.keys(), sorted(READERS.keys() - MODULES.keys())


def test_there_is_one_way_to_read_toml_and_every_other_has_a_reason() -> None:
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


# --- Every message has a sentence ------------------------------------------------------------------------------


class Message(NamedTuple):
    """A message in the source: its id and the names of its facts (None: built at run time)."""

    what: str
    facts: frozenset[str] | None
    where: str


WHAT_AT = {"Ruling": 1, "Refusal": 1, "Aside": 1, "Draft": 1, "Part": 3, "note": 0}
"""Calls that make a message → which argument is the message id. The facts are the next one."""


def messages(module: str) -> Iterator[Message]:
    """All messages of this module, found in its source."""
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
    """`note` and `hear` pass on a message that was made elsewhere."""
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
    """The messages that have no sentence, or lack a fact for it."""
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
def test_each_message_of_a_game_has_a_sentence_and_all_the_facts_in_it(game: str) -> None:
    said = said_by(f"companion.games.{game}.rules")
    assert len(said) > 20
    assert unspoken(said, GENERAL | dict(discovery.find(game).sentences)) == []


@pytest.mark.parametrize("game", GAMES)
def test_each_message_of_any_table_has_a_sentence_and_all_the_facts_in_it(game: str) -> None:
    said = said_by(*SHARED)
    assert len(said) > 20
    assert unspoken(said, GENERAL | dict(discovery.find(game).sentences)) == []


@pytest.mark.parametrize("game", GAMES)
def test_there_is_no_sentence_without_a_message(game: str) -> None:
    said = {each.what for each in said_by(f"companion.games.{game}.rules", *SHARED)}
    sentences: dict[str, Any] = GENERAL | dict(discovery.find(game).sentences)
    assert sentences.keys() - said == set()


def test_messages_are_found_in_the_source_even_in_a_conditional_expression() -> None:
    whats = {each.what for each in said_by(*SHARED)}
    assert {"undo needs all players", "needs all players", "lies there already", "pressed already"} <= whats
