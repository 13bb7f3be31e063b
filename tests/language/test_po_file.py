"""Catalogues are read as translators leave them; what cannot be read is named with its file and line."""

import io
import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.language.po_file import CatalogueError, read_po
from companion.language.screen_language import load

HEAD = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n<5 ? 1 : 2);\\n"
"""


def written(folder: Path, text: str | bytes, head: str = HEAD) -> Path:
    path = folder / "pl" / "LC_MESSAGES" / "companion.po"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else (head + text).encode())
    return path


def test_texts_contexts_plurals_and_long_texts_are_found(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        """
# by hand
#: moles/rules.py:3
msgid "mole"
msgstr "kret"

msgctxt "big"
msgid "mole"
msgstr "KRET"

#, python-brace-format
msgid "{count} hole"
msgid_plural "{count} holes"
msgstr[0] "{count} jama"
msgstr[1] "{count} jamy"
msgstr[2] "{count} jam"

msgid ""
"a long "
"text"
msgstr ""
"d\u0142ugi\\n"
"\\"tekst\\"\\t\\\\"
#~ msgid "old"
#~ msgstr "stare"
""",
    )
    found = read_po(path)
    assert (found.gettext("mole"), found.pgettext("big", "mole")) == ("kret", "KRET")
    assert [found.ngettext("{count} hole", "{count} holes", count) for count in (1, 2, 5)] == [
        *("{count} jama", "{count} jamy", "{count} jam"),
    ]
    assert found.gettext("a long text") == 'd\u0142ugi\n"tekst"\t\\'
    assert found.gettext("old") == "old"
    assert load("pl", tmp_path).text("mole", "big") == "KRET"


def test_what_is_not_translated_yet_or_uncertain_stays_english(tmp_path: Path) -> None:
    text = """
msgid "mole"
msgstr ""

#, fuzzy, python-brace-format
msgid "hole"
msgstr "jama?"

msgid "one"
msgid_plural "many"
msgstr[0] "jeden"
msgstr[1] ""
msgstr[2] ""

msgid "shovel"
msgstr "szpadel"
"""
    found = read_po(written(tmp_path, text))
    assert [found.gettext(each) for each in ("mole", "hole", "shovel")] == ["mole", "hole", "szpadel"]
    assert found.ngettext("one", "many", 1) == "one"


@pytest.mark.parametrize("ending", ["\r\n", "\n"])
def test_other_ends_of_lines_and_a_mark_at_the_beginning_are_read(tmp_path: Path, ending: str) -> None:
    text = (HEAD + '\nmsgid "mole"\nmsgstr "kret"').replace("\n", ending)
    assert read_po(written(tmp_path, b"\xef\xbb\xbf" + text.encode())).gettext("mole") == "kret"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('msgid "mole\nmsgstr "kret"', 'line 6: expected msgid, msgstr or a text in quotes: msgid "mole'),
        ('msgid "mole"\nmsgstr "kr"et"', "line 7: expected msgid"),
        ('msgid "mole"\nmsgid "hole"\nmsgstr ""', "line 7: this msgid belongs to no msgid"),
        ('msgid "mole"\nmsgstr "a"\nmsgstr "b"', "line 8: this msgstr belongs to no msgid"),
        ('msgctxt "big"\nmsgstr "kret"', "line 7: this msgstr belongs to no msgid"),
        ("kret", "line 6: expected msgid"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(tmp_path: Path, text: str, why: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(CatalogueError, match=re.escape(f"{path}, {why}")):
        read_po(path)


@pytest.mark.parametrize(
    ("po", "why"),
    [
        (b'"lost"\n', "line 1: expected msgid"),
        (b'msgid "mole"\nmsgstr "kret"\n', "charset=utf-8"),
        (HEAD.replace("UTF-8", "latin-1").encode(), "charset=utf-8"),
        (HEAD.encode() + b'msgid "mole"\nmsgstr "\xff"\n', "utf-8"),
        (HEAD.replace("n==1", "import os").encode(), "plural"),
    ],
)
def test_a_catalogue_that_is_not_utf_8_or_cannot_count_is_refused(tmp_path: Path, po: bytes, why: str) -> None:
    path = written(tmp_path, po)
    with pytest.raises(CatalogueError, match=rf"{re.escape(str(path))}.*{why}"):
        read_po(path)


TEXTS = st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\0\x04"), min_size=1)


@given(st.dictionaries(TEXTS, TEXTS, max_size=5))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_babel_writes_is_read_as_it_was(tmp_path: Path, texts: dict[str, str]) -> None:
    catalogue = Catalog("pl")
    for text, translation in texts.items():
        catalogue.add(text, translation)
    file = io.BytesIO()
    write_po(file, catalogue, width=60)
    found = read_po(written(tmp_path, file.getvalue()))
    assert {text: found.gettext(text) for text in texts} == texts
