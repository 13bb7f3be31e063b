"""Collects the texts of a game from its source, for the catalogues.

A text is an English sentence of the rules (`Game.sentences`), the `Game.unit`, a paragraph of `rules.txt`, or it is in
the source as `_("…")`, `_("…", "context")` or, where it is translated later, `N_("…")`. A game without a face of its
own shows the names of its actions and fields, too.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from companion.errors import CompanionError, UsageError
from companion.gamekit.default_rules import returned_by
from companion.gamekit.discovery import find, locale_folder, manifest, part
from companion.gamekit.game import POINTS, Game
from companion.gamekit.game_start import action_names
from companion.gamekit.state_fields import called, declared, values_of

RULES = "rules.txt"
"""Beside the folder of a game's catalogues."""


class Text(NamedTuple):
    """One text that a reader may see."""

    message: str
    context: str = ""
    many: str = ""
    where: str = ""


FORMS = Text("0", many="1")
"""Every catalogue numbers the plural forms of its language with it: "0", "1", "2"… See `Language.form`."""


class TextError(CompanionError):
    """A text that cannot be collected: it is put together at run time."""


def of_game(name: str) -> list[Text]:
    """Every text of a game, each once. Raises UsageError, GameError, TextError."""
    known, game = manifest(name), find(name)
    where = (known.words or known.rules).partition(":")[0].replace(".", "/") + ".py"
    words = part(name, known.words) if known.words else {}
    sentences = {**words, **game.sentences}
    package = known.locale.replace(".", "/")
    unit = [] if game.unit == POINTS else [Text(game.unit, where=where)]
    names = [] if known.face else [Text(called(label), where=where) for label in labels(game)]
    folder = catalogues_of(name).parent
    rules = [Text(paragraph, where=f"{package}/{RULES}") for paragraph in rules_paragraphs(folder)]
    about = [Text(known.about, where=f"{package}/__init__.py")] if known.about else []
    return once((*about, *in_mapping(sentences, where), *unit, *names, *in_folder(folder, package), *rules))


@cache
def rules_paragraphs(folder: Path) -> tuple[str, ...]:
    """The rules that a game tells in its help, in English, paragraph by paragraph; empty if it has no such file."""
    path = folder / RULES
    return tuple(path.read_text(encoding="utf-8").strip().split("\n\n")) if path.exists() else ()


def labels(game: Game[Any, Any]) -> Iterator[str]:
    """What the kit's looks call the actions, the fields of the table and of a player's own view, and their values."""
    yield from action_names(game)
    shown = returned_by(game.table) or game.state
    if isinstance(shown, type) and issubclass(shown, Struct):
        yield from (field.name for field in declared(shown))
        yield from values_of(shown)


def catalogues_of(name: str) -> Path:
    """The folder for a game's catalogues. Raises UsageError."""
    folder = locale_folder(name)
    if folder is None:
        raise UsageError(f'{name} has no place for catalogues: name its package in the manifest, as "locale"')
    return folder


def once(texts: Iterable[Text]) -> list[Text]:
    """Each text where it was found first; the message that numbers plural forms comes before all."""
    found: dict[tuple[str, str], Text] = {}
    for text in (FORMS, *texts):
        found.setdefault((text.context, text.message), text)
    return list(found.values())


def in_mapping(sentences: Mapping[str, str], where: str) -> Iterator[Text]:
    return (Text(sentence, where=where) for sentence in sentences.values())


def in_folder(folder: Path, package: str, without: Path | None = None) -> Iterator[Text]:
    """The texts in the sources of a folder, but for one of its folders. Raises TextError."""
    for path in sorted(folder.rglob("*.py")):
        if without is None or not path.is_relative_to(without):
            yield from in_source(path.read_text(encoding="utf-8"), f"{package}/{path.relative_to(folder).as_posix()}")


def in_source(source: str, where: str) -> Iterator[Text]:
    """The texts in a source. Raises TextError for one that is not written out."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    for node in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        if not isinstance(node.func, ast.Name) or node.func.id not in ("_", "N_"):
            continue
        words = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
        if words and len(words) == len(node.args):
            yield Text(str(words[0]), str(words[1]) if words[1:] else "", where=where)
        else:
            raise TextError(f"{where}:{node.lineno}: write the text out: {ast.unparse(node)}")
