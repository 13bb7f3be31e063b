"""Damaged and hostile files: every reader of ours says what is wrong, and soon."""

import contextlib
import os
import shutil
import socket
import tempfile
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from companion.config import kit_table
from companion.config.loader import read_table
from companion.config.sample import table_text
from companion.enrolment.course import Course
from companion.errors import CompanionError
from companion.gamekit import discovery
from companion.home.box_files import find_box
from companion.home.enrolment_progress import resumed
from companion.home.preferences import LooksFile
from companion.home.tag_packs import read_pack
from companion.language.wording import plain
from companion.table.pieces import Pack, pack_text, simulated_pack
from companion.verbs.adjudicate import adjudicate
from tests.campaign.trial import Outcome
from tests.places import quick_place

TITLE = "Damaged and hostile files"
HOW = (
    "Boxes, packs of tags, enrolments, screen.toml, table.toml and transcripts of all games, with bytes flipped, cut "
    "out, doubled, put in: nests, long keys, huge numbers, escape sequences; pipes, devices, folders, sockets, loops "
    "and endless files in their place. Each is read, or refused within 2 s in a sentence that can be printed."
)
FULL = 40_000
QUICK = 300
LONGEST_S = 2.0
GAMES = ("lascaux", "sioux", "darwinci", "carnuta")
DATA = Path(__file__).parents[2] / "data"

DOTTED = b".".join([b"a"] * 5000)
HOSTILE = (
    *(b"[" * 5000, b"a = " + b"[" * 5000, b"{" * 3000, DOTTED + b" = 1\n", b"[" + DOTTED),
    *(b"9" * 5000, b"1e999999", b"-" * 1000, b"nan", b"inf", b"= = =", b"]]]]", b"'" * 3, b'"' * 3, b'{"do":'),
    *(b"\x1b[2J\x1b]0;x\x07", b"\xff\xfe", b"\0" * 50, b"\xef\xbb\xbf", b"\r", b"\\ud800", b"\xe2\x80\xae"),
    *(b"\xf0\x9f\x92\xa9" * 100, b"#" * 3000, b"\n" * 3000),
)


class Reader(Struct, frozen=True):
    """What is read: a whole one, its name in a home, and how."""

    what: str
    whole: bytes
    place: str
    read: Callable[[Path], Any]


def readers() -> list[Reader]:
    found = [
        Reader("screen.toml", b'language = "de"\ntheme = "dark"\n', "screen.toml", _looks),
        Reader("table.toml", table_text(kit_table("full")).encode(), "table.toml", read_table),
    ]
    return [*found, *(reader for name in GAMES for reader in _of_game(name))]


def _of_game(name: str) -> Iterator[Reader]:
    game = discovery.find(name)
    box = game.parse_box(game.standin(), "the stand-in")
    pack = Pack(dict(list(simulated_pack(game, box).tags.items())[:30]))
    course = msgspec.json.encode(Course(name, game.standin()))
    lines = min((DATA / name).glob("*.jsonl")).read_bytes().split(b"\n")[:60]
    yield Reader(f"box of {name}", game.standin().encode(), f"{name}.toml", lambda path: find_box(game, path))
    yield Reader(f"pack of {name}", pack_text(pack).encode(), f"tags/{name}.toml", read_pack)
    yield Reader(f"enrolment of {name}", course, f"enrolments/{name}.json", lambda _path: resumed(game))
    yield Reader(f"transcript of {name}", b"\n".join(lines), "game.jsonl", adjudicate)


def _looks(path: Path) -> None:
    looks = LooksFile(path)
    looks.recall()
    if looks.problem:
        raise CompanionError(looks.problem)


# --- Damage ---------------------------------------------------------------------------------------------------


def damaged(whole: bytes, chance: Random) -> bytes:
    data = bytearray(whole)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        at = chance.randrange(len(data) + 1)
        to = min(len(data), at + chance.choice((1, 2, 10, 300)))
        match chance.randrange(6):
            case 0:
                data[at:to] = bytes(chance.randrange(256) for _ in range(to - at))
            case 1:
                del data[at:to]
            case 2:
                data[at:at] = data[at:to] * chance.choice((1, 1, 50))
            case 3:
                data[at:at] = chance.choice(HOSTILE)
            case 4:
                del data[at:]
            case 5 if at < len(data):
                data[at] ^= 1 << chance.randrange(8)
    return bytes(data)


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as listening, contextlib.chdir(path.parent):
        listening.bind(path.name)


def _endless(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)


STRANGE: dict[str, Callable[[Path], object]] = {
    "pipes": _pipe,
    "sockets": _socket,
    "folders": lambda path: path.mkdir(),
    "devices": lambda path: path.symlink_to("/dev/zero"),
    "loops of links": lambda path: path.symlink_to(path.name),
    "endless files": _endless,
}


# --- Trying ---------------------------------------------------------------------------------------------------


class Trying:
    def __init__(self, home: Path, seed: int) -> None:
        self.home, self.seed = home, seed
        self.readers = readers()
        self.seen: Counter[str] = Counter()
        self.failures: list[str] = []

    def one(self, number: int) -> None:
        reader = self.readers[number % len(self.readers)]
        chance = Random(f"{self.seed} {number}")
        path = self.home / reader.place
        path.parent.mkdir(parents=True, exist_ok=True)
        if chance.random() < 0.02:
            kind = chance.choice(list(STRANGE))
            STRANGE[kind](path)
        else:
            kind = "damaged files"
            path.write_bytes(damaged(reader.whole, chance))
        self.seen[kind] += 1
        self._read(reader, path, number)
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()

    def _read(self, reader: Reader, path: Path, number: int) -> None:
        began = time.thread_time()
        try:
            reader.read(path)
        except CompanionError as error:
            self.seen["refused"] += 1
            told = plain(str(error), 1000)
            if not told or any(unicodedata.category(char) in ("Cc", "Cf", "Cs") for char in told):
                self.failures.append(f"{reader.what} {number}: {told!r} cannot be printed")
        except Exception as error:
            self.failures.append(f"{reader.what} {number}: {type(error).__name__}: {str(error)[:200]}")
        else:
            self.seen["read"] += 1
        if (took := time.thread_time() - began) > LONGEST_S:
            self.failures.append(f"{reader.what} {number}: {took:.1f} s")


def run(count: int, seed: int) -> Outcome:
    before = os.environ.get("COMPANION_HOME")
    home = Path(tempfile.mkdtemp(prefix="cf", dir=quick_place()))
    os.environ["COMPANION_HOME"] = str(home)
    try:
        trying = Trying(home, seed)
        for number in range(count):
            trying.one(number)
    finally:
        shutil.rmtree(home)
        os.environ.pop("COMPANION_HOME")
        if before is not None:
            os.environ["COMPANION_HOME"] = before
    return Outcome(count, {"readers": len(trying.readers), **trying.seen}, tuple(trying.failures))
