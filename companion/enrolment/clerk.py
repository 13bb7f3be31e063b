"""Who keeps what an owner tells, and has the readers: what a screen needs to know of the world outside."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

from companion.enrolment.course import Course
from companion.table.effects import Cue
from companion.table.signals import Signal

Listen: TypeAlias = Callable[[Callable[[Signal], object]], Awaitable[None]]
"""Runs a device until cancelled, and gives what it says to a function."""


class Clerk(Protocol):
    @property
    def course(self) -> Course: ...

    @property
    def taken(self) -> Mapping[str, str]:
        """Tags of other games: UID → game."""
        ...

    @property
    def readers(self) -> Sequence[Listen]:
        """None: tags are made up, by a key."""
        ...

    def keep(self, course: Course) -> str:
        """From now on this is the course; when it returns, it is on the disk. Else: why it is not."""
        ...

    def cue(self, cue: Cue) -> None:
        """Let lamp and buzzer say it, where there are any."""
        ...
