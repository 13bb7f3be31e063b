"""One entry of a journal: its bodies, and the seal that tells a sound entry from a damaged one."""

import zlib
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct, structs

EntryKind: TypeAlias = Literal["game", "prepared", "action", "undo", "ended", "back", "corrected", "clock", "box"]


class Entry(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Something that was accepted at the table. Entries are numbered from 1, without gaps, and never change, except
    that a player's name is replaced when they want to be forgotten.

    Written as its fields in this order: as a row of the journal, and in a sector of its ledger."""

    number: int
    at: float
    """Unix time in seconds."""
    kind: EntryKind
    how: str
    """How it was entered: "tag", "button", "screen", "phone", or "" for the table itself."""
    cause: str
    """The id of the signal or the intention that caused it; "" if it has none."""
    body: bytes
    """JSON. It may hold a secret: only the rules may read it."""

    def __repr__(self) -> str:
        """Without the body: a repr ends up in logs."""
        return f"Entry({self.number}, {self.kind!r})"


_encode = msgspec.msgpack.Encoder().encode


def seal(previous: int, entry: Entry) -> int:
    """A CRC-32 over this entry and, through the seal before it, over all earlier ones.

    SQLite does not notice a flipped bit inside a value, so each entry carries its own proof.
    """
    sealed = entry if type(entry.at) is float else structs.replace(entry, at=float(entry.at))
    return zlib.crc32(_encode(sealed), previous)


# --- Bodies. That of a "game" entry is `JournalHeader` in played_game.py; "prepared" and "ended" have an empty one. ---


class Undoing(Struct, frozen=True):
    """The body of an "undo" entry: the number of the newest entry that counts, and now no longer does. It is an action,
    a correction or the end of a match."""

    undo: int


class GoingBack(Struct, frozen=True):
    """The body of a "back" entry: the number of an action. It and everything after it no longer counts; corrections of
    earlier actions stay."""

    back: int


class Replacement(Struct, frozen=True):
    """The body of a "corrected" entry: the number of an action's entry, and what was really done."""

    replaces: int
    action: dict[str, Any]


class Joining(Struct, frozen=True):
    """The body of a "box" entry: the box with a piece that it did not have, in the place of one not seen yet."""

    box: str
    """The text of the box file."""
    now: bool = True
    """It counts in the game that is being played; otherwise from the next one on."""


class Ticking(Struct, frozen=True):
    """The body of a "clock" entry: whether thinking time counts from now on. During a pause it does not."""

    runs: bool
    away: bool = False
    """After a restart: the time between this entry and the one before does not count as thinking either."""


def action_body(action: Any, beside: Mapping[str, Any] | None = None) -> bytes:
    """`beside`: what is stored with it (commitments.py)."""
    return msgspec.json.encode(msgspec.to_builtins(action) | beside if beside else action)


def undo_body(number: int) -> bytes:
    """Undoes the newest entry that counts, `Evening.to_undo`."""
    return msgspec.json.encode(Undoing(number))


def back_body(number: int) -> bytes:
    """Undoes this action and everything after it."""
    return msgspec.json.encode(GoingBack(number))


def correction_body(number: int, action: Any) -> bytes:
    """Puts an action in the place of the one with this number."""
    return msgspec.json.encode({"replaces": number, "action": action})


def box_body(text: str, *, now: bool) -> bytes:
    return msgspec.json.encode(Joining(text, now))


def clock_body(*, runs: bool, away: bool = False) -> bytes:
    return msgspec.json.encode(Ticking(runs, away))
