"""Effects: what the referee has lights and buzzers do. A device shows them as well as it can."""

from typing import Literal, TypeAlias

from msgspec import Struct

Pattern: TypeAlias = Literal["off", "turn", "done", "question", "lost"]
"""What a light says for as long as it lasts: nothing; it is up to you; you have done your part; a question is open;
this station cannot be relied on."""

Cue: TypeAlias = Literal["accepted", "refused", "turn"]
"""What is told once, by a flash and, where there is a buzzer, by a sound."""


class Light(Struct, frozen=True):
    station: str
    pattern: Pattern


class Sound(Struct, frozen=True):
    station: str
    cue: Cue


Effect: TypeAlias = Light | Sound
