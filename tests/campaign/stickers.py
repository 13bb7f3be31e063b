"""Stickers of every quality, some of them worse than ours will ever be.

A sound one always answers. Others are not heard now and then, do not hear now and then, or lose their power for a
while; how long they have it and how long they do not may be regular or a matter of chance. Some answer late, and some
have numbers that look like something else.
"""

from collections.abc import Callable
from random import Random

from companion.devices.simulated.tags import Answer, Classic, Flicker, Frame, Ntag, Tag

KINDS: dict[int, type[Tag]] = {4: Classic, 7: Ntag, 10: Tag}
LONGEST_OFF_MS = 150
"""A tag that has no power for longer may as well have been lifted."""


def sticker(chance: Random, number: int) -> Tag:
    """Half of them are sound."""
    uid = _uid(chance, number)
    traits = chance.choice((_sound, _sound, _sound, _sound, _unheard, _flickering, _deaf, _restless, _late))
    return traits(uid, chance)


def _uid(chance: Random, number: int) -> bytes:
    """Of any length, and in one of three there is a byte somewhere that might be taken for the cascade tag."""
    length = chance.choice((4, 7, 7, 10))
    uid = bytearray([4, number, *chance.randbytes(length - 2)])
    if chance.random() < 0.3:
        uid[chance.choice([0, *range(2, length)])] = 0x88
    return bytes(uid)


def _sound(uid: bytes, chance: Random) -> Tag:
    return KINDS[len(uid)](uid)


def _unheard(uid: bytes, chance: Random) -> Tag:
    """Only some of its answers reach the reader."""
    return KINDS[len(uid)](uid, reliability=chance.uniform(0.6, 1.0), chance=Random(chance.random()))


def _flickering(uid: bytes, chance: Random) -> Tag:
    return KINDS[len(uid)](uid, flicker=Flicker(chance.choice((60, 80, 200, 1500)), chance.choice((40, 60, 120))))


def _deaf(uid: bytes, chance: Random) -> Tag:
    return _Deaf(uid, chance.uniform(0.75, 1.0), Random(chance.random()))


def _restless(uid: bytes, chance: Random) -> Tag:
    return _Restless(uid, chance.choice((100, 400, 2000)), Random(chance.random()))


def _late(uid: bytes, chance: Random) -> Tag:
    return _Late(uid, chance.uniform(0, 250))


class _Deaf(Tag):
    """Only some of the questions reach it."""

    def __init__(self, uid: bytes, hearing: float, chance: Random) -> None:
        super().__init__(uid)
        self._hearing, self._ears = hearing, chance

    def hear(self, frame: Frame, now_us: float) -> Answer | None:
        return super().hear(frame, now_us) if self._ears.random() < self._hearing else None


class _Restless(Tag):
    """It loses its power and finds it again at chance moments."""

    def __init__(self, uid: bytes, mean_on_ms: float, chance: Random) -> None:
        super().__init__(uid)
        self._mean_on_ms, self._moments = mean_on_ms, chance
        self._is_on, self._until_us = True, 0.0

    def hear(self, frame: Frame, now_us: float) -> Answer | None:
        while now_us >= self._until_us:
            self._turn(now_us)
        return super().hear(frame, now_us) if self._is_on else None

    def _turn(self, now_us: float) -> None:
        self._is_on = not self._is_on or not self._until_us
        self.lose_power()
        lasts: Callable[[], float] = self._on_ms if self._is_on else self._off_ms
        self._until_us = max(self._until_us, now_us - 1000 * LONGEST_OFF_MS) + 1000 * lasts()

    def _on_ms(self) -> float:
        """Long enough to be read in, at least now and then."""
        return 30 + self._moments.expovariate(1 / self._mean_on_ms)

    def _off_ms(self) -> float:
        return self._moments.uniform(1, LONGEST_OFF_MS)


class _Late(Tag):
    """It thinks longer than the standard allows."""

    def __init__(self, uid: bytes, extra_us: float) -> None:
        super().__init__(uid)
        self._extra_us = extra_us

    def hear(self, frame: Frame, now_us: float) -> Answer | None:
        answer = super().hear(frame, now_us)
        return answer and Answer(answer.frame, answer.extra_us + self._extra_us)
