"""What the rules refused in a transcript: however many lines that were, they are in a file and not in memory."""

import weakref
from collections.abc import Callable, Iterator
from json import dumps, loads
from tempfile import SpooledTemporaryFile

from msgspec import Struct

from companion.gamekit.game import Refusal

IN_MEMORY = 1024 * 1024
"""Bytes; beyond that they go to a file without a name, which disappears with the process."""


class Refused(Struct, frozen=True):
    """A line that the rules do not allow, with its ruling and the reason."""

    line: int
    rule: str | None
    reason: str


class Refusals:
    """In the order of the lines. Once all are there, they can be read as often as anybody likes."""

    def __init__(self, say: Callable[[Refusal], str]) -> None:
        self._say = say
        self._newest: tuple[Refusal, str] | None = None
        """With its reason: in a file with thousands of refusals, one line is mostly refused like the next."""
        self._file = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - it lives as long as this does
        weakref.finalize(self, self._file.close)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, line: int, refusal: Refusal) -> None:
        """Raises OSError when the disk is full."""
        if self._newest is None or self._newest[0] != refusal:
            self._newest = refusal, self._say(refusal)
        said = dumps([line, refusal.rule, self._newest[1]])  # in ASCII: half a character may be quoted, too
        self._file.write(f"{said}\n".encode())
        self._count += 1

    def __iter__(self) -> Iterator[Refused]:
        self._file.seek(0)
        return (Refused(*loads(line)) for line in self._file)
