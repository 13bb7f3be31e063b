"""The bytes of an evening are damaged, in every way: it is exact, or it is told and set aside."""

import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

from companion.errors import JournalError
from companion.gamekit import discovery
from companion.gamekit.game_start import NAMES, Header, begin
from companion.journal.evening_folder import evenings
from companion.journal.store import Journal, inspect, read
from companion.session.entry import Entry, action_body
from companion.session.evening import game_body
from tests.campaign.trial import Outcome
from tests.places import quick_place

TITLE = "damaged journals"
HOW = (
    "Evenings of all four games, left by a referee that was killed or that closed them: one or two of their files "
    "(journal, log, ledger) lose sectors or pages, have bytes flipped, are cut, filled up, mixed or deleted, or one "
    "is put back to an earlier state, or some are those of another evening. To list them changes no byte of any file. "
    "What is then read is exact, or the damage is reported and the evening set aside with its sound beginning; it is "
    "never silently shorter."
)
FULL = 10_000
QUICK = 150
GAMES = ("lascaux", "sioux", "darwinci", "carnuta")
DAY = date(2026, 11, 16)
Files = dict[str, bytes]
"""The ends of the names, and what is in them."""


# --- Evenings -------------------------------------------------------------------------------------------------


class _Played:
    """An evening as its files were at some moment, earlier, and what had been accepted by then."""

    def __init__(self, game: str, chance: random.Random, folder: Path) -> None:
        self.game = game
        self._rules: Any = discovery.find(game)
        self._chance = chance
        header = Header(game, NAMES[: max(3, self._rules.players[0])])
        journal = Journal.create(folder, date=DAY)
        journal.append("game", game_body(header, self._rules.standin()), "", "", 1.5)
        if chance.random() < 0.5:
            journal.close()
            journal = Journal.open(journal.path)  # with an empty log
        self.earlier = _files(journal.path)
        _setup, state = begin(header, self._rules.parse_box(self._rules.standin(), "the stand-in"))
        self._play(journal, state, chance.choice((3, 20, 80, 280, 300)))
        self.in_play = _files(journal.path)
        self.entries = read(journal.path)
        journal.close()
        self.at_rest = _files(journal.path)
        shutil.rmtree(folder)

    def _play(self, journal: Journal, state: Any, length: int) -> None:
        early = self._chance.randrange(length)
        for number in range(length):
            legal = self._rules.legal(state)
            if not legal:
                return
            action = self._chance.choice(legal)
            state = self._rules.apply(state, action).state
            journal.append("action", action_body(action), "tag", f"{number}", 1.5)
            if number == early:
                self.earlier = _files(journal.path)


def _files(path: Path) -> Files:
    beside = {end: path.with_name(path.name + end) for end in ("", "-wal", "-ledger")}
    return {end: file.read_bytes() for end, file in beside.items() if file.exists()}


# --- Damages --------------------------------------------------------------------------------------------------


def _blank(data: bytes, chance: random.Random) -> bytes:
    size = chance.choice((512, 512, 4096))
    place = chance.randrange(max(1, len(data) // size)) * size
    return data[:place] + bytes(len(data[place : place + size])) + data[place + size :]


def _garble(data: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(max(1, len(data) // 512)) * 512
    return data[:place] + chance.randbytes(len(data[place : place + 512])) + data[place + 512 :]


def _flip(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 50))):
        if changed:
            changed[chance.randrange(len(changed))] ^= chance.randrange(1, 256)
    return bytes(changed)


def _cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.choice((chance.randrange(len(data) + 1), len(data) // 512 // 2 * 512, 0, 32))]


def _fill_up(data: bytes, chance: random.Random) -> bytes:
    return data + chance.choice((bytes(512), chance.randbytes(512), data[-512:]))


def _mix(data: bytes, chance: random.Random) -> bytes:
    sectors = [data[start : start + 512] for start in range(0, len(data), 512)]
    if len(sectors) > 1:
        one, other = chance.sample(range(len(sectors)), 2)
        sectors[one] = sectors[other]
    return b"".join(sectors)


def _blank_the_beginning(data: bytes, chance: random.Random) -> bytes:
    return bytes(min(512, len(data))) + data[512:]


def _blank_the_end(data: bytes, chance: random.Random) -> bytes:
    size = min(chance.choice((512, 1024, 4120)), len(data))
    return data[: len(data) - size] + bytes(size)


DAMAGES: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _blank, _garble, _flip, _cut, _fill_up, _mix, _blank_the_beginning, _blank_the_end,
)  # fmt: skip


def _damaged(played: _Played, other: _Played, chance: random.Random) -> tuple[Files, str]:
    """One file put back to how it was, some of another evening, or one or two with any other damage, or gone."""
    in_play = chance.random() < 0.7
    files = dict(played.in_play if in_play else played.at_rest)
    if chance.random() < 0.1:
        ends = chance.choice((["-wal"], ["-ledger"], ["-wal", "-ledger"]))
        foreign = {end: chance.choice((other.in_play, other.earlier)).get(end, b"") for end in ends}
        return files | foreign, f"{' and '.join(ends)} of another evening"
    if in_play and chance.random() < 0.1:
        end = chance.choice(sorted(files))
        return files | {end: played.earlier.get(end, b"")}, f"{end or 'journal'} as it was"
    words = []
    for end in chance.sample(sorted(files), min(len(files), chance.choice((1, 1, 2)))):
        if end and chance.random() < 0.15:
            del files[end]
            words.append(f"no {end}")
            continue
        damage = chance.choice(DAMAGES)
        files[end] = damage(files[end], chance)
        words.append(f"{end or 'journal'}{damage.__name__}")
    return files, ("in play: " if in_play else "at rest: ") + ", ".join(words)


# --- The trial ------------------------------------------------------------------------------------------------


def run(count: int, seed: int) -> Outcome:
    chance = random.Random(seed)
    seen: Counter[str] = Counter()
    failures: list[str] = []
    with tempfile.TemporaryDirectory(dir=quick_place()) as place:
        folder = Path(place) / "evenings"
        played = _Played(GAMES[-1], chance, folder)
        for number in range(count):
            if number % 25 == 0:
                other, played = played, _Played(GAMES[number // 25 % len(GAMES)], chance, folder)
            files, words = _damaged(played, other, chance)
            folder.mkdir()
            for end, data in files.items():
                (folder / f"2026-11-16-1.journal{end}").write_bytes(data)
            outcome, problem = _outcome(folder, played.entries)
            seen[outcome] += 1
            if problem:
                failures.append(f"{number} (seed {seed}), {played.game}, {words}: {problem}")
            shutil.rmtree(folder)
    return Outcome(count, dict(seen), tuple(failures))


def _outcome(folder: Path, right: list[Entry]) -> tuple[str, str]:
    """What came of it, and what is wrong with that."""
    path = folder / "2026-11-16-1.journal"
    before = {file: file.read_bytes() for file in folder.iterdir()}
    listed = evenings(folder)
    if {file: file.read_bytes() for file in folder.iterdir()} != before:
        return "changed", "a file was changed by listing it"
    try:
        with Journal.open(path, folder=folder) as journal:
            found = list(journal.entries())
    except JournalError as error:
        aside = folder / "2026-11-16-1.journal.set-aside"
        if "a newer Companion wrote this" in str(error):
            return "told as a newer format, and left alone", ""
        if not aside.exists():
            return "refused", f"not set aside: {error}"
        if not listed or not listed[0].problem:
            return "set aside and told", "the list does not say that it is damaged"
        sound = list(inspect(aside).entries)
        return "set aside and told", "" if sound == right[: len(sound)] else "what was never played is told as sound"
    return "exact", "" if found == right else f"{len(found)} of {len(right)} entries, in silence"
