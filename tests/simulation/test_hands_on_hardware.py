"""What simulated hands hear from the devices that they touch."""

import asyncio
import sys

from companion.simulation.hands_on_hardware import Ears
from companion.table.signals import Pressed, Signal, TagPlaced


def is_placed(signal: Signal) -> bool:
    return isinstance(signal, TagPlaced)


def test_hands_hear_the_first_signal_that_tells_what_they_wait_for() -> None:
    async def scene() -> None:
        ears = Ears()
        ears.hear(TagPlaced("centre", 1, "too early"))
        expected = ears.listen(is_placed)
        ears.hear(Pressed("centre", 2, "green"))
        assert await expected.within(0.0) is None
        ears.hear(TagPlaced("centre", 3, "this one"))
        ears.hear(TagPlaced("centre", 4, "too late"))
        assert await expected.within(0.0) == TagPlaced("centre", 3, "this one")

    asyncio.run(scene())


def test_hands_can_wait_again_for_what_is_late() -> None:
    async def scene() -> None:
        ears = Ears()
        expected = ears.listen(is_placed)
        assert await expected.within(0.0) is None
        asyncio.get_running_loop().call_soon(ears.hear, TagPlaced("centre", 1, "late"))
        assert await expected.within(60.0) == TagPlaced("centre", 1, "late")

    asyncio.run(scene())


def test_what_no_hand_waits_for_is_not_remembered() -> None:
    """However long hands play, they need no more memory."""

    async def scene() -> None:
        ears, signal = Ears(), Pressed("centre", 1, "green")
        before = sys.getrefcount(signal)
        forgotten = ears.listen(lambda said: said is signal)
        forgotten.forget()
        ears.listen(is_placed)
        ears.hear(signal)
        assert sys.getrefcount(signal) == before
        assert await forgotten.within(0.0) is None

    asyncio.run(scene())
