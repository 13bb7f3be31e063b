"""One entry of a journal, and the seal that tells a sound entry from a damaged one."""

import zlib
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

EntryKind: TypeAlias = Literal["game", "prepared", "action", "undo", "ended", "back", "corrected", "clock", "box"]


class Entry(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Something that was accepted at the table. Entries are numbered from 1, without gaps, and never change.

    Written as its fields in this order: that is a row of the journal, and what a sector of its ledger holds."""

    number: int
    at: float
    """Unix time in seconds."""
    kind: EntryKind
    how: str
    """How it was entered: "tag", "button", "screen", "phone", or "" for the table itself."""
    cause: str
    """The id of the signal or the intention that caused it; "" if it has none."""
    body: bytes
    """JSON. It may hold a secret: for no eyes but the rules'."""

    def __repr__(self) -> str:
        """Without the body: a repr ends up in logs."""
        return f"Entry({self.number}, {self.kind!r})"


def seal(previous: int, entry: Entry) -> int:
    """A CRC-32 over this entry and, through the seal before it, over all earlier ones.

    SQLite does not notice a flipped bit inside a value, so each entry carries its own proof.
    """
    fields = (entry.number, float(entry.at), entry.kind, entry.how, entry.cause, entry.body)
    return zlib.crc32(msgspec.msgpack.encode(fields), previous)
