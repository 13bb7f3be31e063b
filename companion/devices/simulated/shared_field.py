"""The field of one simulated reader: the tags in it, what the reader receives when they answer all at once, and hands
that lay stickers there and lift them."""

from math import inf
from typing import NamedTuple

from companion.devices.simulated.tags import POWER_UP_US, Answer, Flicker, Frame, Stickers, Tag


class Received(NamedTuple):
    frame: Frame
    collision: int | None
    """The first bit in which answers differ, counted from 0."""
    delay_us: float
    """From the end of the question to the beginning of the answer."""


class SimulatedField:
    """Tags can be laid down and lifted at any moment, from any thread."""

    def __init__(self) -> None:
        self._lying: tuple[tuple[Tag, float], ...] = ()
        self._on_since_us = inf
        self._off_since_us = -inf
        self.now_us = 0.0

    @property
    def tags(self) -> tuple[Tag, ...]:
        return tuple(tag for tag, _since in self._lying)

    def place(self, *tags: Tag, at_us: float | None = None) -> None:
        """Lay tags into the field, now or at a moment to come. One that lies there already stays as it is."""
        for tag in tags:
            if tag not in self.tags:
                tag.lose_power()
                self._lying = (*self._lying, (tag, self.now_us if at_us is None else at_us))

    def lift(self, *tags: Tag) -> None:
        """Take tags away; without any: all of them."""
        self._lying = tuple(each for each in self._lying if tags and each[0] not in tags)

    def switch(self, on: bool, now_us: float) -> None:
        """Tags lose what they know when the field was off for long enough."""
        if not on and self._on_since_us < inf:
            self._on_since_us, self._off_since_us = inf, now_us
        elif on and self._on_since_us == inf:
            self._on_since_us = now_us
            if now_us - self._off_since_us >= POWER_UP_US:
                for tag in self.tags:
                    tag.lose_power()

    def ask(self, frame: Frame, now_us: float) -> Received | None:
        """What comes back when a frame ends at this moment."""
        since = self._on_since_us
        awake = [tag for tag, placed in self._lying if now_us - max(since, placed) >= POWER_UP_US]
        answers = [answer for tag in awake if (answer := tag.hear(frame, now_us))]
        return _together(answers, frame.delay_us) if answers else None


def _together(answers: list[Answer], delay_us: float) -> Received:
    """Where answers differ, both halves of a bit are modulated: that is a collision (ISO 14443-3, 6.2.3)."""
    merged, bits, differing = 0, 0, 0
    for frame, _ in answers:
        overlap = (1 << min(bits, frame.bits)) - 1
        differing |= (merged ^ frame.value) & overlap
        merged |= frame.value
        bits = max(bits, frame.bits)
    collision = (differing & -differing).bit_length() - 1 if differing else None
    return Received(Frame(merged, bits), collision, delay_us + min(extra for _, extra in answers))


TRAITS: dict[str, tuple[float, Flicker | None]] = {"weak": (0.7, None), "flicker": (1.0, Flicker(80, 60))}
"""How likely a tag's answer arrives, and how its power comes and goes. Source: none, what hands and metal do."""
WELL: tuple[float, Flicker | None] = (1.0, None)
"""Every answer arrives. Source: none, ours."""


class StickerHands:
    """Base of the simulated readers that have a field of simulated tags."""

    def __init__(self, field: SimulatedField) -> None:
        self.field = field
        self._stickers = Stickers()
        self._trait = WELL

    def lay(self, uid: str) -> None:
        sticker = self._stickers[uid]
        sticker.reliability, sticker.flicker = self._trait
        self.field.place(sticker)

    def lift(self, uid: str) -> None:
        self.field.lift(self._stickers[uid])

    def weaken(self, trait: str) -> None:
        """From now on tags answer badly, one of TRAITS; or well again, for any other word."""
        self._trait = TRAITS.get(trait, WELL)
        for tag in self.field.tags:
            tag.reliability, tag.flicker = self._trait
