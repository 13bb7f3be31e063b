"""The power fails: all states that a disk may be in then, rebuilt, and opened by the journal."""

import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from companion.errors import JournalError
from companion.journal.soundness import EMPTY
from companion.journal.store import Journal, inspect, read
from companion.session.entry import Entry
from tests import disk
from tests.campaign.trial import Outcome
from tests.disk.cut import Disk
from tests.places import at_home, quick_place

TITLE = "power cuts"
HOW = (
    "A new home is used: looks and tags are saved, and an evening of each of the four games is begun, played, left, "
    "resumed and exported. Every write, flush, rename and new folder of that run is recorded; at any moment disks are "
    "rebuilt that have all up to the last flushes, and any part of the rest, in sectors of 512 bytes. Whatever was "
    "reported as saved is there, whole, and at most the one entry more that was being written."
)
FULL = 20_000
QUICK = 120
GAMES = ("lascaux", "sioux", "darwinci", "carnuta")
ACTIONS = 240
QUICK_ACTIONS = 24
GONE_ON_WITH = 8
"""Every so many, an evening is played on after the cut."""


def run(count: int, seed: int) -> Outcome:
    seen: Counter[str] = Counter()
    failures: list[str] = []
    each = -(-count // len(GAMES))
    for number, game in enumerate(GAMES):
        cuts = _Cuts(game, seed * 100 + number, QUICK_ACTIONS if count < 1000 else ACTIONS)
        failures += [f"{game}, seed {seed}: {failure}" for failure in cuts.run(each)]
        seen += cuts.seen
        cuts.close()
    return Outcome(each * len(GAMES), dict(seen), tuple(failures))


class _Cuts:
    """The record of one life, and what was kept at each moment of it."""

    def __init__(self, game: str, seed: int, actions: int) -> None:
        self.seen: Counter[str] = Counter()
        self._chance = random.Random(seed)
        self._place = Path(tempfile.mkdtemp(dir=quick_place()))
        self._root = self._place / "disk"
        self._root.mkdir()
        self._disk = Disk(self._root)
        log = self._place / "log"
        home = self._root / "owner" / "home"
        with at_home(home):
            disk.run("tests.disk.living", game, str(seed), str(actions), log=log)
        self._lines = log.read_text(encoding="utf-8").splitlines()
        self._played = {path.name: read(path) for path in (home / "evenings").glob("*.journal")}
        self._entries: Counter[str] = Counter()
        self._files: Counter[str] = Counter()
        """How often each was kept."""
        self._contents = _contents(self._lines)

    def close(self) -> None:
        shutil.rmtree(self._place)

    def run(self, count: int) -> Iterator[str]:
        """Follow the record, and cut at moments that are spread evenly over it."""
        moments = Counter(sorted(self._chance.randrange(len(self._lines)) for _ in range(count)))
        for moment, line in enumerate(self._lines):
            for _ in range(moments[moment]):
                if failure := self._cut():
                    yield f"line {moment}: {failure}"
            if line.startswith("kept "):
                self._note(*line.split(" ", 2)[1:])
            else:
                self._disk.follow(line)

    def _note(self, what: str, words: str) -> None:
        if what == "entry":
            evening, number = words.split(" ")
            self._entries[f"{evening}.journal"] = int(number)
        else:
            self._files[words.partition("\t")[0]] += 1

    def _cut(self) -> str:
        found = self._place / "found"
        found.mkdir()
        self._disk.left(found, self._chance)
        try:
            problems = [*self._wrong_evenings(found), *self._wrong_files(found)]
        except JournalError as error:
            problems = [str(error)]
        if not self._entries:
            self.seen["before the first entry"] += 1
        shutil.rmtree(found)
        return "; ".join(problems)

    # --- Evenings ---------------------------------------------------------------------------------------------

    def _wrong_evenings(self, found: Path) -> Iterator[str]:
        folder = found / "owner" / "home" / "evenings"
        for name, played in self._played.items():
            kept = self._entries[name]
            if not (folder / name).exists():
                if kept:
                    yield f"{name} is not there, with {kept} entries"
                continue
            finding = inspect(folder / name)
            if finding.problem:
                if kept or finding.problem != EMPTY:
                    yield f"{name}: {finding.problem}"
                continue
            yield from self._wrong_entries(folder / name, list(finding.entries), kept, played)

    def _wrong_entries(self, path: Path, entries: list[Entry], kept: int, played: list[Entry]) -> Iterator[str]:
        if entries != played[: len(entries)]:
            yield f"{path.name}: what is there was never played"
        elif not kept <= len(entries) <= kept + 1:
            yield f"{path.name}: {len(entries)} entries, {kept} were kept"
        elif self._chance.randrange(GONE_ON_WITH) == 0:
            self.seen["resumed"] += 1
            with Journal.open(path, folder=path.parent) as journal:
                one_more = journal.append("action", b"one more", "", "", 2.5)
            if read(path) != [*entries, one_more]:
                yield f"{path.name}: it cannot be resumed"
        self.seen["with the entry that was being written"] += len(entries) > kept

    # --- Files ------------------------------------------------------------------------------------------------

    def _wrong_files(self, found: Path) -> Iterator[str]:
        """Each is as it was kept last, or as it is kept next: that one is being written."""
        for name, times in self._files.items():
            path = found / Path(name).relative_to(self._root)
            if not path.exists():
                yield f"{path.name} is not there"
            elif path.read_bytes().hex() not in self._contents[name][times - 1 : times + 1]:
                yield f"{path.name} is not what was kept"


def _contents(lines: list[str]) -> dict[str, list[str]]:
    """Of each file that is kept, all that was ever in it."""
    contents: dict[str, list[str]] = {}
    for line in lines:
        if line.startswith("kept file "):
            path, _, content = line.removeprefix("kept file ").partition("\t")
            contents.setdefault(path, []).append(content)
    return contents
