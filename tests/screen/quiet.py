"""When an app has nothing left to do. Textual's own pilot asks every widget to answer once, sleeps for 20 ms at a time,
and takes a process that gets no processor for one that rests; this looks at the loop instead."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen

CALM = 3
"""Turns of the loop in which nothing happens: what was written to a socket is read in the next one."""
AWAY_S = 0.2
"""A thread that takes longer than that waits for an event."""
LATE_S = 30.0


async def loop_is_quiet(*_: Any, **__: Any) -> None:
    """Every task waits for a clock or for input, so no message is left to read."""
    loop: Any = asyncio.get_running_loop()
    patience = time.monotonic() + AWAY_S
    calm = 0
    while calm < CALM:
        await asyncio.sleep(0)
        calm = 0 if loop._ready else calm + 1
        if calm and _is_at_work(loop._default_executor) and time.monotonic() < patience:
            await asyncio.sleep(0.001)
            calm = 0


def _is_at_work(threads: ThreadPoolExecutor | None) -> bool:
    """Each thread that rests has raised the flag by one."""
    return threads is not None and threads._idle_semaphore._value < len(threads._threads)  # type: ignore[attr-defined]


async def pause(self: Pilot[None], delay: float | None = None) -> None:
    """Until all is drawn, too: what is drawn may move, and what moved is drawn again."""
    await loop_is_quiet()
    if delay is not None:
        await asyncio.sleep(delay)
        await loop_is_quiet()
    await self.app.animator.wait_until_complete()
    ends = time.monotonic() + LATE_S
    while not self.app._exit and (_is_on_its_way(self.app) or _is_behind(self.app.screen)):
        assert time.monotonic() < ends, f"{self.app.screen} is never drawn"
        if _is_on_its_way(self.app):
            await asyncio.sleep(0.001)
        else:
            self.app.screen._on_timer_update()
        await loop_is_quiet()


def _is_on_its_way(app: App[Any]) -> bool:
    """A dialog that is drawn when all of it is there, or another size, which Textual waits for to be the last."""
    return bool(app._batch_count) or app._resize_timer is not None


def _is_behind(screen: Screen[Any]) -> bool:
    return screen.is_current and bool(
        screen._layout_required
        or screen._scroll_required
        or screen._repaint_required
        or screen._dirty_widgets
        or screen._recompose_required
        or screen._callbacks
    )


async def screen_is_quiet(self: Pilot[None], timeout: float = 30.0) -> bool:
    """Whether it came to that without an error."""
    await loop_is_quiet()
    return self.app._exception is None
