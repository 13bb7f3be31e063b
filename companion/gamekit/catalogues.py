"""`python -m companion.gamekit.catalogues GAME [LANGUAGE …]`: brings the catalogues of a game up to date.

A text (`companion/gamekit/game_texts.py` says what that is) that is new gets an empty entry in
`locale/<language>/LC_MESSAGES/companion.po` of the game's package: fill it in, and run the command again to see what is
left. Without languages, it goes through those that have a catalogue already. Only this module needs Babel.
"""

import io
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from companion.errors import CompanionError
from companion.files import store
from companion.gamekit.discovery import title
from companion.gamekit.game_texts import FORMS, Text, catalogues_of, of_game
from companion.language.screen_language import LOCALE, claimed, po_path

WIDTH = 120


# --- Catalogues -----------------------------------------------------------------------------------------------


def read_catalogue(folder: Path, language: str, project: str = "Companion") -> Catalog:
    """The catalogue of a language in a folder; an empty one if there is none yet."""
    path = po_path(folder, language)
    if path.exists():
        return read_po(io.BytesIO(path.read_bytes()), language)
    new = Catalog(language, project=project, version="1", msgid_bugs_address="", fuzzy=False)
    new.last_translator, new.language_team, new.revision_date = project, language, new.creation_date
    new.header_comment = f"# {new.locale.english_name if new.locale else language} for {project}."
    return new


def strings(message: Message) -> tuple[str, ...]:
    """The translation, or one for each number that the language knows."""
    return tuple(message.string) if isinstance(message.string, tuple | list) else (message.string or "",)


def unfinished(catalogue: Catalog) -> list[str]:
    """The texts that have no translation yet, or an uncertain one."""
    messages = (message for message in catalogue if message.id)
    return [_first(message) for message in messages if message.fuzzy or not all(strings(message))]


def _first(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def updated(catalogue: Catalog, texts: Iterable[Text], memory: Sequence[Catalog] = ()) -> Catalog:
    """The catalogue with these texts and no others. What it does not know yet may stand in `memory`."""
    template = Catalog(project=catalogue.project)
    for text in texts:
        message = (text.message, text.many) if text.many else text.message
        template.add(message, context=text.context or None, locations=[(text.where, 0)] if text.where else ())
    catalogue.update(template, no_fuzzy_matching=True, update_header_comment=False, update_creation_date=False)
    for entry in catalogue:
        if _first(entry) == FORMS.message and entry.pluralizable:
            entry.string = tuple(str(number) for number in range(catalogue.num_plurals))
        elif entry.id and not all(strings(entry)):
            entry.string = _remembered(entry, memory) or entry.string
    return catalogue


def _remembered(entry: Message, memory: Sequence[Catalog]) -> str | tuple[str, ...]:
    for catalogue in memory:
        known = catalogue.get(entry.id, entry.context)
        if known and all(strings(known)) and known.pluralizable == entry.pluralizable:
            return strings(known) if known.pluralizable else strings(known)[0]
    return ""


def write(catalogue: Catalog, folder: Path, language: str) -> str:
    """What there is to say about the file."""
    path = po_path(folder, language)
    text = io.BytesIO()
    write_po(text, catalogue, width=WIDTH, ignore_obsolete=True, include_lineno=False)
    store(path, text.getvalue())
    return f"{path}: {len(catalogue)} texts, {len(unfinished(catalogue))} to be translated"


def update(name: str, languages: Sequence[str] = (), memory: Mapping[str, Sequence[Catalog]] | None = None) -> str:
    """Brings a game's catalogues up to date; by language, `memory` knows other translations. What there is to say.
    Raises UsageError, GameError, TextError."""
    folder, texts = catalogues_of(name), of_game(name)
    told = []
    for language in languages or claimed(folder):
        known = (memory or {}).get(language) or [read_catalogue(LOCALE, language)]
        catalogue = updated(read_catalogue(folder, language, title(name)), texts, known)
        told.append(write(catalogue, folder, language))
    return "\n".join(told) or f"{name} has no catalogue yet: name the languages that it should have"


def main(arguments: Sequence[str]) -> int:
    if not arguments:
        sys.stderr.write("companion.gamekit.catalogues: name a game, and the languages that are new\n")
        return 2
    try:
        sys.stdout.write(update(arguments[0], arguments[1:]) + "\n")
    except CompanionError as error:
        sys.stderr.write(f"companion.gamekit.catalogues: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
