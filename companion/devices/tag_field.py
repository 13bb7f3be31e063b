"""What a reader's driver does: it says which tags are in the field, and reads and writes their memory."""

from collections.abc import Collection
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

from companion.errors import DeviceError
from companion.troubles import Trouble

Uid: TypeAlias = bytes
"""All of it: 4, 7 or 10 bytes."""


class ReaderError(DeviceError):
    """A reader fails. Never says anything about tags."""

    def __init__(self, problem: Trouble, where: str, detail: str = "") -> None:
        self.problem = problem
        told = f" ({detail})" if detail else ""
        super().__init__(f"{where}: {problem}{told}; {problem.remedy}")


class Look(Struct, frozen=True):
    """What one look into the field has shown. A reader that fails shows nothing: it raises `ReaderError`."""

    seen: tuple[Uid, ...] = ()
    """Tags that gave their whole UID: newcomers, and known ones that answered."""
    missed: tuple[Uid, ...] = ()
    """Known tags that were called by their UID, or by all, and kept silent."""
    unclear: bool = False
    """A tag answered, and could not be understood: too many tags, too close, or interference."""
    hardly: tuple[Uid, ...] = ()
    """Known tags among those seen that left a question unanswered, or had lost their power: they may be weak."""
    is_inventory: bool = False
    """All tags had to answer from the beginning, though no inventory was asked for: some readers always do so."""


class Pages(Struct, frozen=True):
    """Four pages of a tag's memory, sixteen bytes."""

    first: int
    data: bytes


class Written(Struct, frozen=True):
    page: int


class Failed(Struct, frozen=True):
    """The tag is gone or too weak; something disturbs it; or it refuses: there is no such page, or it is locked."""

    why: Literal["no answer", "garbled", "refused"]


class TagField(Protocol):
    """A reader that can be asked. Every call may raise `ReaderError`; then only `restart` and `close` make sense."""

    def look(self, known: Collection[Uid]) -> Look:
        """Which tags have come, and which of the known ones are still there."""
        ...

    def inventory(self, known: Collection[Uid]) -> Look:
        """The same, but from the beginning: the field goes off and on, and all tags have to answer again."""
        ...

    def read_page(self, uid: Uid, page: int) -> Pages | Failed:
        """Four pages of a tag's memory, beginning with this one."""
        ...

    def write_page(self, uid: Uid, page: int, data: bytes) -> Written | Failed:
        """The four bytes of one page."""
        ...

    def restart(self) -> None:
        """As if it had just been plugged in."""
        ...

    def close(self) -> None:
        """Idempotent, and never raises."""
        ...
