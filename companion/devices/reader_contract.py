"""What every kind of reader does, in this package or in another: subclass `ReaderContract` in its tests, and pytest
runs all of it on the simulated reader.

    class TestZaparoo(ReaderContract):
        kind = ZaparooSettings
"""

import asyncio
import inspect
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import ClassVar

import msgspec

from companion.devices import reader_kinds
from companion.devices.computer import System
from companion.devices.finding import findings
from companion.devices.reader import Reader
from companion.devices.reader_settings import FieldOpener, ReaderSettings, SimulatedReader
from companion.devices.tag_field import Failed, ReaderError, TagField
from companion.devices.wired_part import meaning
from companion.table.signals import Connecting, LinkUp, ReaderFault, Signal, TagFound, TagPlaced, TagRemoved
from companion.toml import read_toml
from companion.troubles import Trouble

ONE, OTHER = "04A1B2C3D4E5F6", "04F6E5D4C3B2A1"
LOOKING_S = 1.5
"""How long a fault lasts here, unless it is told earlier: longer than a tag has to be missed."""

_LACKING = """
import json, sys
path, module, name, lacking = json.loads(sys.argv[1])
sys.path[:] = path
sys.modules[lacking] = None
from importlib import import_module
from companion.devices.reader_settings import FieldOpener
from companion.devices.tag_field import ReaderError
try:
    FieldOpener(getattr(import_module(module), name).example())()
except ReaderError as error:
    print(json.dumps([str(error.problem), error.problem.remedy]))
"""
"""A process in which a library cannot be imported, and a reader that is opened there."""


class HeardSignals:
    """What a reader tells, and what follows from it."""

    def __init__(self, patience_s: float) -> None:
        self.signals: list[Signal] = []
        self._patience_s = patience_s
        self._news = asyncio.Event()

    def take(self, signal: Signal) -> None:
        self.signals.append(signal)
        self._news.set()

    @property
    def moves(self) -> list[tuple[type, str]]:
        """What was placed and removed, in order."""
        return [(type(each), each.uid) for each in self.signals if isinstance(each, TagPlaced | TagRemoved)]

    @property
    def problems(self) -> list[str]:
        return [each.problem for each in self.signals if isinstance(each, ReaderFault)]

    @property
    def there(self) -> set[str]:
        """The tags that lie there, as far as was told."""
        there: set[str] = set()
        for signal in self.signals:
            if isinstance(signal, TagFound | TagPlaced):
                there.add(signal.uid)
            elif isinstance(signal, TagRemoved):
                there.discard(signal.uid)
        return there

    @property
    def is_ready(self) -> bool:
        states = [each for each in self.signals if isinstance(each, Connecting | ReaderFault | LinkUp)]
        return bool(states) and isinstance(states[-1], LinkUp)

    async def until(self, so: Callable[[], bool], within_s: float | None = None) -> bool:
        """Wait until something is so. Whether it was in time; without a limit of its own, it has to be."""
        try:
            async with asyncio.timeout(within_s or self._patience_s):
                while not so():
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            assert within_s, f"not so within {self._patience_s} s: {inspect.getsource(so).strip()}, but {self.signals}"
            return False
        return True


class ReaderContract:
    """All of it. Nothing here needs hardware."""

    kind: ClassVar[type[ReaderSettings]]
    patience_s: ClassVar[float] = 30.0
    """How long anything may take, on a computer that is busy."""

    @asynccontextmanager
    async def _watched(self, reader: SimulatedReader) -> AsyncIterator[HeardSignals]:
        """A reader as the referee has it."""
        settings = reader.settings
        heard = HeardSignals(self.patience_s)
        device = Reader(settings.station, FieldOpener(settings), pace=settings.pace)
        running = asyncio.create_task(device.run(heard.take))
        try:
            yield heard
        finally:
            reader.mend()
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    def _opened(self, reader: SimulatedReader) -> TagField:
        return FieldOpener(reader.settings)()

    # --- Tags -------------------------------------------------------------------------------------------------

    def test_a_tag_that_is_there_at_the_start_is_found_before_the_reader_is_ready(self, tmp_path: Path) -> None:
        async def scene() -> None:
            with self.kind.simulated(tmp_path) as reader:
                reader.lay(ONE)
                async with self._watched(reader) as heard:
                    await heard.until(lambda: heard.is_ready)
                    assert heard.there == {ONE}
                    assert heard.moves == []
                    assert isinstance(heard.signals[0], Connecting)

        asyncio.run(scene())

    def test_a_tag_is_placed_once_and_removed_once(self, tmp_path: Path) -> None:
        async def scene() -> None:
            with self.kind.simulated(tmp_path) as reader:
                async with self._watched(reader) as heard:
                    await heard.until(lambda: heard.is_ready)
                    for uid in (ONE, OTHER):
                        reader.lay(uid)
                        await heard.until(lambda uid=uid: heard.there == {uid})  # type: ignore[misc]
                        reader.lift(uid)
                        await heard.until(lambda: not heard.there)
                    assert heard.moves == [
                        *((TagPlaced, ONE), (TagRemoved, ONE)),
                        *((TagPlaced, OTHER), (TagRemoved, OTHER)),
                    ]

        asyncio.run(scene())

    def test_of_two_tags_the_one_that_stays_is_told(self, tmp_path: Path) -> None:
        """A reader that sees several tells both; one that shows one at a time tells the other when it is alone."""

        async def scene() -> None:
            with self.kind.simulated(tmp_path) as reader:
                async with self._watched(reader) as heard:
                    reader.lay(ONE)
                    await heard.until(lambda: heard.is_ready and heard.there == {ONE})
                    reader.lay(OTHER)
                    if self.kind.sees_several:
                        await heard.until(lambda: heard.there == {ONE, OTHER})
                    reader.lift(ONE)
                    await heard.until(lambda: heard.there == {OTHER})
                    reader.lift(OTHER)
                    await heard.until(lambda: not heard.there)
                    assert [move for move, _ in heard.moves].count(TagRemoved) == 2

        asyncio.run(scene())

    def test_memory_of_a_tag_that_is_not_there_is_a_failure_and_no_fault(self, tmp_path: Path) -> None:
        with self.kind.simulated(tmp_path) as reader:
            field = self._opened(reader)
            try:
                assert isinstance(field.read_page(bytes.fromhex(ONE), 4), Failed)
                assert isinstance(field.write_page(bytes.fromhex(ONE), 4, bytes(4)), Failed)
            finally:
                field.close()

    # --- Faults -----------------------------------------------------------------------------------------------

    def test_a_fault_is_never_a_removal(self, tmp_path: Path) -> None:
        async def scene() -> None:
            with self.kind.simulated(tmp_path) as reader:
                async with self._watched(reader) as heard:
                    reader.lay(ONE)
                    await heard.until(lambda: heard.is_ready and heard.there == {ONE})
                    faults = [fault for fault in reader.fault_names if fault not in reader.unseen_faults]
                    assert faults
                    for fault in faults:
                        await asyncio.to_thread(reader.spoil, fault)
                        await heard.until(lambda: not heard.is_ready, LOOKING_S)
                        await asyncio.to_thread(reader.mend)
                        await heard.until(lambda: heard.is_ready)
                        assert TagRemoved not in dict(heard.moves), fault
                    assert all(isinstance(problem, Trouble) for problem in heard.problems)
                    reader.lift(ONE)
                    await heard.until(lambda: not heard.there)

        asyncio.run(scene())

    def test_a_reader_that_is_not_there_is_a_fault_with_a_remedy(self, tmp_path: Path) -> None:
        with self.kind.simulated(tmp_path) as reader:
            settings = reader.settings
        problem = _problem_of_opening(settings)
        assert problem is not None
        assert problem.remedy

    def test_a_missing_library_is_a_fault_with_a_remedy(self) -> None:
        for library in self.kind.libraries:
            words = json.dumps([sys.path, self.kind.__module__, self.kind.__name__, library])
            done = subprocess.run([sys.executable, "-c", _LACKING, words], capture_output=True, text=True, check=False)
            assert done.stdout, f"without {library} it raises something else: {done.stderr}"
            problem, remedy = json.loads(done.stdout)
            assert problem == self.kind.no_library
            assert remedy

    def test_closing_twice_is_closing(self, tmp_path: Path) -> None:
        with self.kind.simulated(tmp_path) as reader:
            field = self._opened(reader)
            field.close()
            field.close()
            again = self._opened(reader)
            again.close()

    # --- table.toml and the doctor ----------------------------------------------------------------------------

    def test_it_is_found_by_its_entry_point(self) -> None:
        assert reader_kinds.find(self.kind.kind) is self.kind
        assert self.kind.title

    def test_its_settings_are_read_back_as_they_are_written(self, tmp_path: Path) -> None:
        with self.kind.simulated(tmp_path) as reader:
            simulated = reader.settings
        for settings in (self.kind.example(), simulated):
            said = read_toml("\n".join(settings.lines()))
            assert said.pop("kind") == self.kind.kind
            assert msgspec.convert(said, self.kind) == settings
            assert list(settings.mistakes()) == []

    def test_every_key_says_what_belongs_there(self) -> None:
        for key in self.kind.__struct_fields__:
            assert meaning(self.kind, key) != "another value", key

    def test_two_readers_with_the_same_settings_claim_the_same_things(self) -> None:
        first, second = self.kind.example(), self.kind.example()
        pairs = list(zip(first.claims(), second.claims(), strict=True))
        assert len(pairs) > 1, "only its station: two such readers could not be told apart"
        assert all(one.is_same(one.thing, other.thing) for one, other in pairs)

    def test_the_doctor_says_what_to_do_about_each_problem(self, tmp_path: Path) -> None:
        found = list(findings([self.kind.example().check(System(tmp_path))]))
        assert found
        assert all(finding.advice for finding in found if finding.verdict != "ok")
        assert not any("new to the doctor" in finding.advice for finding in found)

    def test_nothing_is_detected_where_nothing_is_plugged_in(self, tmp_path: Path) -> None:
        assert self.kind.detect(tmp_path) is None


def _problem_of_opening(settings: ReaderSettings) -> Trouble | None:
    try:
        FieldOpener(settings)().close()
    except ReaderError as error:
        return error.problem
    return None
