"""The line of each key in a TOML text, which `tomllib` does not tell.

Made for text that tomllib has read. It refuses what is not TOML; this module only walks over the text.
"""

import re
import tomllib
from bisect import bisect_right
from collections.abc import Mapping

from companion.devices.wired_part import KeyPath

_BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_KEY = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'""")
_DOT = re.compile(r"[ \t]*(\.)?[ \t]*")
_TEXT = re.compile(
    r'"""(?:[^\\]|\\.)*?"""(?:"{0,2})'  # up to two quotes may stand right before the three that end it
    r"|'''.*?'''(?:'{0,2})"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_PLAIN = re.compile(r"[^,\]}#\n]*")


def lines(text: str) -> dict[KeyPath, int]:
    """Each path in the text, and the line (counted from 1) where it is named first. The empty path is line 1."""
    walk = _Walk(text.replace("\r\n", "\n"))
    walk.document()
    return walk.found


def line_of(path: KeyPath, found: Mapping[KeyPath, int]) -> int:
    """The line of a path, or of the nearest one around it: what was left out has no line of its own."""
    while path not in found:
        path = path[:-1]
    return found[path]


def _unquoted(part: str) -> str:
    """A part of a key as tomllib reads it; what it does not read, it has refused before."""
    if part[0] not in "\"'":
        return part
    try:
        return str(tomllib.loads(f"key = {part}")["key"])
    except tomllib.TOMLDecodeError:
        return part


class _Walk:
    """Walks over the text once, from left to right."""

    def __init__(self, text: str) -> None:
        self.found: dict[KeyPath, int] = {(): 1}
        self._text = text
        self._at = 0
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._lengths: dict[KeyPath, int] = {}
        """How many [[tables]] of a name there have been."""

    def document(self) -> None:
        table: KeyPath = ()
        while self._next():
            before = self._at
            if self._next() == "[":
                table = self._header()
            else:
                self._pair(table)
            if self._at == before:  # no TOML; tomllib has said so
                return

    def _header(self) -> KeyPath:
        """[table] or [[one of several]]: the path that the keys below it belong to."""
        several = self._text.startswith("[[", self._at)
        self._at += 2 if several else 1
        here = self._at
        self._next()
        *around, last = self._key()
        path: KeyPath = ()
        for name in around:
            path = self._newest(self._note((*path, name), here))
        path = self._note((*path, last), here)
        if several:
            self._lengths[path] = self._lengths.get(path, 0) + 1
            path = self._note(self._newest(path), here)
        self._next()
        self._at += 2 if several else 1
        return path

    def _newest(self, path: KeyPath) -> KeyPath:
        """A name of [[tables]] alone means the one that was begun last."""
        return (*path, self._lengths[path] - 1) if path in self._lengths else path

    def _pair(self, table: KeyPath) -> None:
        """key = value"""
        here = self._at
        path = table
        for name in self._key():
            path = self._note((*path, name), here)
        self._take("=")
        self._value(path)

    def _key(self) -> list[str]:
        """A key, which may be dotted, and its parts quoted."""
        parts = []
        while part := _KEY.match(self._text, self._at):
            parts.append(_unquoted(part[0]))
            dot = _DOT.match(self._text, part.end())
            self._at = dot.end() if dot else part.end()
            if not dot or not dot[1]:
                break
        return parts or [""]

    def _value(self, path: KeyPath) -> None:
        match self._next():
            case "[":
                self._array(path)
            case "{":
                self._inline(path)
            case '"' | "'":
                self._skip(_TEXT)
            case _:
                self._skip(_PLAIN)

    def _array(self, path: KeyPath) -> None:
        self._at += 1
        number = 0
        while self._next() not in ("]", ""):
            before = self._at
            self._value(self._note((*path, number), self._at))
            number += 1
            self._take(",")
            if self._at == before:
                return
        self._at += 1

    def _inline(self, path: KeyPath) -> None:
        self._at += 1
        while self._next() not in ("}", ""):
            before = self._at
            self._pair(path)
            self._take(",")
            if self._at == before:
                return
        self._at += 1

    def _note(self, path: KeyPath, at: int) -> KeyPath:
        self.found.setdefault(path, bisect_right(self._starts, at))
        return path

    def _next(self) -> str:
        """The next character that means something; "" at the end."""
        self._skip(_BLANK)
        return self._text[self._at : self._at + 1]

    def _take(self, mark: str) -> None:
        if self._next() == mark:
            self._at += 1

    def _skip(self, what: re.Pattern[str]) -> None:
        if match := what.match(self._text, self._at):
            self._at = match.end()
