"""Reads a catalogue, a `.po` file as translators write it, at run time: nothing has to be compiled before.

What is read is put into gettext's own binary form in memory, so that the standard library looks texts up and counts.
Entries that are marked `fuzzy`, or have an empty translation, are left out: their texts stay English.
"""

import io
import re
import struct
from collections.abc import Iterator
from functools import lru_cache
from gettext import GNUTranslations
from pathlib import Path

from companion.errors import CompanionError
from companion.files import load

FILE_BYTES = 4 * 1024 * 1024
LINE = re.compile(r'(?:(msgctxt|msgid|msgid_plural|msgstr|msgstr\[\d\])[ \t]+)?"([^"\\]*(?:\\.[^"\\]*)*)"')
"""A keyword and its text, or one more line of the text before."""
ESCAPED = re.compile(r"\\(.)")
LETTERS = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}
MAGIC, HEAD = 0x950412DE, struct.Struct("<7I")


class CatalogueError(CompanionError):
    """A catalogue that cannot be read: which file, which line, and why."""


def read_po(path: Path) -> GNUTranslations:
    """Raises CatalogueError, OSError."""
    try:
        return GNUTranslations(io.BytesIO(_compiled(load(path, FILE_BYTES), str(path))))
    except ValueError as error:  # bytes that are no text, or a rule for plurals that gettext cannot read
        raise CatalogueError(f"{path}: {error}") from None


@lru_cache(8)
def _compiled(po: bytes, origin: str) -> bytes:
    """Every game asks for Companion's own texts, too: they are parsed once."""
    messages = {key.encode(): text.encode() for key, text in _messages(po.decode("utf-8-sig"), origin)}
    if b"charset=utf-8" not in messages.get(b"", b"").lower():
        raise CatalogueError(f"{origin}: its head has to say Content-Type: text/plain; charset=utf-8")
    return _binary(messages)


def _messages(text: str, origin: str) -> Iterator[tuple[str, str]]:
    """Each text with its translation, as gettext joins context, text and plural forms into one key."""
    entry: dict[str, str] = {}
    keyword, fuzzy, next_is_fuzzy = "msgstr", False, False
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        if line.startswith("#"):
            next_is_fuzzy |= line.startswith("#,") and "fuzzy" in line
            continue
        found = LINE.fullmatch(line.rstrip())
        if found is None or not (found[1] or entry):
            raise CatalogueError(f"{origin}, line {number}: expected msgid, msgstr or a text in quotes: {line[:60]}")
        if found[1] in ("msgctxt", "msgid") and keyword.startswith("msgstr"):
            yield from _joined(entry, fuzzy)
            entry, fuzzy, next_is_fuzzy = {}, next_is_fuzzy, False
        keyword = found[1] or keyword
        if found[1] in entry or (keyword.startswith("msgstr") and "msgid" not in entry):
            raise CatalogueError(f"{origin}, line {number}: this {keyword} belongs to no msgid")
        entry[keyword] = entry.get(keyword, "") + _unescaped(found[2])
    yield from _joined(entry, fuzzy)


def _joined(entry: dict[str, str], fuzzy: bool) -> Iterator[tuple[str, str]]:
    key = entry.get("msgid", "")
    texts = [text for keyword, text in sorted(entry.items()) if keyword.startswith("msgstr")]
    if not texts or not all(texts) or (fuzzy and key):
        return
    key += f"\0{entry['msgid_plural']}" if "msgid_plural" in entry else ""
    yield f"{entry['msgctxt']}\x04{key}" if "msgctxt" in entry else key, "\0".join(texts)


def _unescaped(text: str) -> str:
    return ESCAPED.sub(lambda found: LETTERS.get(found[1], found[0]), text) if "\\" in text else text


def _binary(messages: dict[bytes, bytes]) -> bytes:
    """As GNU gettext's manual has it: a head, where each key and each text begins, then all of them."""
    keys = sorted(messages)
    parts = [*keys, *(messages[key] for key in keys)]
    begin = HEAD.size + 8 * len(parts)
    places, texts = [], bytearray()
    for part in parts:
        places += [len(part), begin + len(texts)]
        texts += part + b"\0"
    head = HEAD.pack(MAGIC, 0, len(keys), HEAD.size, HEAD.size + 8 * len(keys), 0, 0)
    return head + struct.pack(f"<{len(places)}I", *places) + texts
