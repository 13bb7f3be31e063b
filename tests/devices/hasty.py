"""An event loop that does not wait: when nothing arrives, its clock jumps to the next time at which something is due.

Real lines, real threads and real libraries run on it; only waiting takes no time.
"""

import asyncio
import gc
import os
import time
import tty
from collections.abc import Callable, Coroutine
from typing import Any

LISTEN_S = 0.002
"""How long it really listens before it jumps."""
STRIDE_S = 0.1
"""How far it jumps at most: what one end of a pseudo-terminal writes the other one has soon, but not at once. It is a
thread of the kernel that carries it, which on a busy machine has to wait for its turn as all others."""
PATIENCE_S = 60.0
"""More than any of this takes."""


class HastyLoop(asyncio.SelectorEventLoop):
    def __init__(self, stride_s: float) -> None:
        super().__init__()
        self._stride_s = stride_s
        self._skipped_s = 0.0
        self._busy_threads = 0
        self._own_line: tuple[int, ...] = os.openpty()
        tty.setraw(self._own_line[1])
        self._really_select = self._selector.select  # type: ignore[attr-defined]
        self._selector.select = self._select  # type: ignore[attr-defined]

    def time(self) -> float:
        return time.monotonic() + self._skipped_s

    def run_in_executor(self, *what: Any) -> Any:
        """A thread takes its time: until it is done the clock does not jump."""
        done = super().run_in_executor(*what)
        self._busy_threads += 1
        done.add_done_callback(self._thread_done)
        return done

    def _thread_done(self, _: object) -> None:
        self._busy_threads -= 1

    def _select(self, timeout_s: float | None = None) -> Any:
        if timeout_s is None or timeout_s <= LISTEN_S or self._busy_threads:
            return self._really_select(timeout_s)
        self._wait_for_the_kernel()
        if events := self._really_select(LISTEN_S):
            return events
        self._skipped_s += min(timeout_s, self._stride_s) - LISTEN_S
        return []

    def _wait_for_the_kernel(self) -> None:
        """Until a byte of ours has come through a line of ours: what was written before it has come, or is about to."""
        os.write(self._own_line[0], b".")
        os.read(self._own_line[1], 1)

    def close(self) -> None:
        super().close()
        for end in self._own_line:
            os.close(end)
        self._own_line = ()


def now_ms() -> int:
    return int(asyncio.get_running_loop().time() * 1000)


def hastily(work: Coroutine[Any, Any, None], stride_s: float = STRIDE_S) -> None:
    """Run it to its end on a hasty loop, on which nothing may go wrong unseen."""
    unseen: list[Any] = []
    with asyncio.Runner(loop_factory=lambda: HastyLoop(stride_s)) as runner:
        runner.get_loop().set_exception_handler(lambda _, problem: unseen.append(problem))
        runner.run(work)
    gc.collect()
    assert unseen == []


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await asyncio.sleep(0.02)
