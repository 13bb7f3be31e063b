"""Tags that are laid on the table's readers, one after the other, while a command runs."""

import asyncio
from collections.abc import Callable

from companion.config import TableSettings, find_table
from companion.devices.reader import Greet
from companion.doctor.owner_files import running
from companion.errors import UsageError
from companion.home.crash_log import keep_values_out
from companion.home.paths import home
from companion.processes.table_devices import equipment
from companion.table.signals import LinkUp, ReaderFault, Remarked, Signal
from companion.troubles import remedy


def readers() -> TableSettings:
    """The readers in table.toml that can do more than read a tag's number. Raises ConfigError, UsageError."""
    wired = TableSettings(readers=find_table(home()).readers)
    refuse_while_playing(wired)
    return wired


def refuse_while_playing(wired: TableSettings) -> None:
    played = running(home()) if wired.stations else []
    if played:
        raise UsageError(f"the referee of {', '.join(played)} uses the readers now: end that evening, then try again")


def visit_tags(wired: TableSettings, visit: Greet, finished: Callable[[], bool]) -> bool:
    """Call `visit` for every tag, in its reader's thread, until `finished`. False: the user pressed Ctrl-C."""
    keep_values_out()
    try:
        asyncio.run(_visit_tags(wired, visit, finished))
    except KeyboardInterrupt:
        print()
        return False
    return True


async def _visit_tags(wired: TableSettings, visit: Greet, finished: Callable[[], bool]) -> None:
    enough = asyncio.Event()

    def deliver(signal: Signal) -> None:
        _tell(signal)
        if finished():
            enough.set()

    tasks = [asyncio.create_task(device.run(deliver)) for device in equipment(wired, visit)]
    waiting = asyncio.create_task(enough.wait())
    try:
        done, _ = await asyncio.wait([waiting, *tasks], return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in (waiting, *tasks):
            task.cancel()
        await asyncio.gather(waiting, *tasks, return_exceptions=True)


def _tell(signal: Signal) -> None:
    match signal:
        case LinkUp(station):
            print(f"The reader of the {station} is ready.", flush=True)
        case ReaderFault(station, _, problem) | Remarked(station, _, problem):
            print(f"The reader of the {station}: {problem}; {remedy(problem)}", flush=True)
