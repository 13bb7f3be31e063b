"""`make locale`: collects all texts, brings every language's catalogue up to date and compiles it.

A text is an English sentence of a game (`Game.sentences`) or of every table (`companion/table/words.py`), or it stands
in the source as `_("…")`, `_("…", "context")`, `plural("…", "…", n)` or `language.text("…")`. A text that is new gets
an empty entry in `companion/locale/<language>/LC_MESSAGES/companion.po`: fill it in and run `make locale` again.
"""

import ast
import io
from collections.abc import Iterator, Mapping, Sequence
from gettext import GNUTranslations
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import companion
from companion import games
from companion.table.words import SENTENCES as GENERAL

ROOT = Path(companion.__file__).parent
LOCALE = ROOT / "locale"
LANGUAGES = ("de",)
"""All but English, which needs no catalogue."""
WIDTH = 120


class Text(NamedTuple):
    """One text that a reader may see."""

    message: str
    context: str
    many: str
    where: str


class TextError(Exception):
    """A text that cannot be collected: it is put together at run time."""


# --- Collecting -----------------------------------------------------------------------------------------------


def texts(names: Sequence[str] = games.NAMES) -> list[Text]:
    """Every text of Companion with these games, in the order of the files; each once."""
    found: dict[tuple[str, str], Text] = {}
    for text in (*_sentences(GENERAL, "companion/table/words.py"), *_of_games(names), *_of_sources(names)):
        found.setdefault((text.context, text.message), text)
    return list(found.values())


def game_folders() -> list[str]:
    """All games, also those that are still being written."""
    return sorted(path.parent.name for path in (ROOT / "games").glob("*/words.py"))


def _of_games(names: Sequence[str]) -> Iterator[Text]:
    for name in names:
        module = import_module(f"companion.games.{name}.words")
        yield from _sentences(module.SENTENCES, f"companion/games/{name}/words.py")


def _sentences(sentences: Mapping[str, str], where: str) -> Iterator[Text]:
    return (Text(sentence, "", "", where) for sentence in sentences.values())


def _of_sources(names: Sequence[str]) -> Iterator[Text]:
    folders = [ROOT / "table", *(ROOT / "games" / name for name in names), ROOT / "screen"]
    for path in [ROOT / "wording.py", *(path for folder in folders for path in sorted(folder.rglob("*.py")))]:
        yield from in_source(path.read_text(encoding="utf-8"), path.relative_to(ROOT.parent).as_posix())


def in_source(source: str, where: str) -> Iterator[Text]:
    """The texts that are translated in this source. Raises TextError for one that is not written out."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    for node in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        name = _called(node)
        if name and where != "companion/screen/text.py":
            words = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
            if name == "plural" and len(words) > 1:
                yield Text(str(words[0]), "", str(words[1]), where)
            elif name != "plural" and words and len(words) == len(node.args):
                yield Text(str(words[0]), str(words[1]) if len(words) > 1 else "", "", where)
            elif where != "companion/wording.py":
                raise TextError(f"{where}:{node.lineno}: write the text out: {ast.unparse(node)}")


def _called(node: ast.Call) -> str:
    """`_`, `plural`, or `text` of a language."""
    match node:
        case ast.Call(ast.Name("_" | "plural" as name)):
            return name
        case ast.Call(ast.Attribute(ast.Name("self" | "language") | ast.Attribute(attr="language"), "text" as name)):
            return name
    return ""


# --- Catalogues -----------------------------------------------------------------------------------------------


def po_path(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / "companion.po"


def read_catalogue(language: str) -> Catalog:
    path = po_path(language)
    if not path.exists():
        return Catalog(language, project="Companion", version="1", fuzzy=False)
    return read_po(io.BytesIO(path.read_bytes()), language)


def compiled(catalogue: Catalog) -> bytes:
    file = io.BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def entries(mo: bytes) -> dict[object, str]:
    """What a compiled catalogue holds, without its header."""
    catalogue = GNUTranslations(io.BytesIO(mo))._catalog  # type: ignore[attr-defined]  # there is no public way
    return {message: words for message, words in catalogue.items() if message}


def strings(message: Message) -> tuple[str, ...]:
    """The translation, or one for each number that the language knows."""
    return message.string if isinstance(message.string, tuple) else (message.string or "",)


def main() -> None:
    template = Catalog(project="Companion")
    for text in texts(game_folders()):
        message = (text.message, text.many) if text.many else text.message
        template.add(message, context=text.context or None, locations=[(text.where, 0)])
    for language in LANGUAGES:
        catalogue = read_catalogue(language)
        catalogue.update(template, no_fuzzy_matching=True, update_header_comment=False, update_creation_date=False)
        path = po_path(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            write_po(file, catalogue, width=WIDTH, ignore_obsolete=True, include_lineno=False)
        path.with_suffix(".mo").write_bytes(compiled(catalogue))
        empty = [message.id for message in catalogue if message.id and not all(strings(message))]
        print(f"{path}: {len(catalogue)} texts, {len(empty)} to be translated")


if __name__ == "__main__":
    main()
