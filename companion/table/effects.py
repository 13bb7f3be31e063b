"""Effects: lights and sounds. A device shows them as well as it can."""

from typing import Literal, TypeAlias

from msgspec import Struct

Pattern: TypeAlias = Literal["off", "turn", "done", "question", "lost"]
"""What a light shows: nothing; it is your turn; you have done your part; you are asked something; this station does not
work."""

Cue: TypeAlias = Literal["accepted", "refused", "turn"]
"""A single flash and, if there is a buzzer, a sound."""


class Light(Struct, frozen=True):
    station: str
    pattern: Pattern


class Sound(Struct, frozen=True):
    station: str
    cue: Cue


Effect: TypeAlias = Light | Sound
