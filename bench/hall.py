"""A hall with 1,000 tables: the real hall and the real Mosquitto, each a process, with TLS, and four displays.

The tables are plain connections that publish what a real table does, a glance and a view 0.35 times a second (the most
that a table with people was seen to do). A bare MQTT round trip is measured through the same broker, in turn with the
way from a table to a display. Results go to two hall servers on one PostgreSQL.
"""

import asyncio
import hashlib
import math
import os
import re
import secrets
import shutil
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from bench.figures import WHOLE, Effort, Figure

TABLES, DISPLAYS = 1000, 4
A_SECOND = 0.35
"""Signals of a table."""
LOAD_S, SAMPLES = 20.0, 300
RESULTS_S = 8.0
REPORTERS = 32
"""Tables that report at the same time."""
HERE, CREDENTIAL = "127.0.0.1", "bench"
START_S = 60.0
NAMES = (
    "a hall's broker with 1,000 tables and 4 displays, percent of a core",
    "a hall with 1,000 tables and 4 displays, percent of a core",
    "a hall with 1,000 tables and 4 displays, MB of memory",
    "a new display is complete, seconds",
    "from a table to a display, p95 ÷ a bare MQTT round trip, p95",
    "results a second with two hall servers on PostgreSQL",
)
BOUNDS = ((10.0, False), (30.0, False), (150.0, False), (1.0, False), (5.0, False), (200.0, True))


def figures(effort: Effort = WHOLE) -> list[Figure]:
    live = asyncio.run(_live(effort)) if shutil.which("/usr/sbin/mosquitto") or shutil.which("mosquitto") else None
    found = [
        *(_of_live(live) if live else [(math.nan, "no mosquitto here")] * 5),
        _of_results(effort),
    ]
    return [
        Figure(name, ratio, bound, at_least, detail)
        for name, (bound, at_least), (ratio, detail) in zip(NAMES, BOUNDS, found, strict=True)
    ]


# --- A client of MQTT 5, as small as can be ---------------------------------------------------------------------


def _text(words: str) -> bytes:
    data = words.encode()
    return len(data).to_bytes(2, "big") + data


def _packet(kind: int, body: bytes) -> bytes:
    length, size = bytearray(), len(body)
    while True:
        size, digit = divmod(size, 128)
        length.append(digit | (128 if size else 0))
        if not size:
            return bytes([kind]) + bytes(length) + body


def connect(user: str, password: str) -> bytes:
    return _packet(0x10, _text("MQTT") + b"\x05\xc2\x00\x78\x00" + _text("") + _text(user) + _text(password))


def publish(topic: str, payload: bytes) -> bytes:
    """Retained, with QoS 1, as a table does."""
    return _packet(0x33, _text(topic) + b"\x00\x01" + b"\x00" + payload)


def subscribe(topic: str) -> bytes:
    return _packet(0x82, b"\x00\x01\x00" + _text(topic) + b"\x00")


async def _packets(reader: asyncio.StreamReader) -> AsyncIterator[tuple[int, bytes]]:
    while True:
        kind = (await reader.readexactly(1))[0]
        size, shift = 0, 0
        while True:
            digit = (await reader.readexactly(1))[0]
            size |= (digit & 127) << shift
            shift += 7
            if not digit & 128:
                break
        yield kind, await reader.readexactly(size)


class _Table:
    def __init__(self, number: int, hall: str, writer: asyncio.StreamWriter) -> None:
        self.name = f"t{number}"
        self._place, self.writer = f"companion/1/{hall}/tables/{self.name}", writer
        self.entry = 0

    def act(self) -> None:
        """As a real table: what is on its tile, and the view of its spectators."""
        self.entry += 1
        self.writer.write(publish(f"{self._place}/glance", glance(self.entry)))
        self.writer.write(publish(f"{self._place}/view", VIEW))

    def begin(self) -> None:
        self.act()
        self.writer.write(publish(f"{self._place}/presence", b"online"))


def glance(entry: int) -> bytes:
    from companion.messages.live_tables import Glance, PublicRuling

    names = ("Anna", "Ben", "Cleo", "Dora")
    name = names[entry % 4]
    said = {"en": f"{name}: lay a stone or pass (7 in the pot)", "de": f"{name}: Stein legen oder passen (7 im Topf)"}
    ruling = {"en": "Anna has the most mammoths and takes 4 cards", "de": "Anna hat die meisten Mammuts, 4 Karten"}
    now = time.time()
    lamps: Any = tuple("turn" if seat == entry % 4 else "" for seat in range(4))
    times = tuple(12.5 + entry for _ in names)
    return msgspec.json.encode(
        Glance("lascaux", "Lascaux", names, "playing", (entry % 4,), said, (), (), (), lamps, times, now,
               PublicRuling(entry // 20, ruling, "L12"), entry, now)
    )  # fmt: skip


VIEW = zlib.compress(b"".join(hashlib.sha256(bytes([number])).hexdigest().encode() for number in range(64)))
"""2.5 KB: as long as a view is."""


# --- The hall ---------------------------------------------------------------------------------------------------


class _Hall(NamedTuple):
    process: "subprocess.Popen[bytes]"
    broker: int
    """Its process."""
    url: str
    code: str
    """Of displays."""
    topic: str
    port: int
    """Of the broker."""


@contextmanager
def _hall(home: Path, tables: int) -> Iterator[_Hall]:
    from companion.hall.credentials import credential_hash
    from companion.hall.hall_state import ClubFounded, LogEntry, TableJoined
    from companion.hall.hall_store import HallStore

    club, hashed = secrets.token_hex(8), credential_hash(CREDENTIAL)
    store = HallStore(str(home / "hall" / "hall.sqlite"))
    joined = [LogEntry(number + 2, 0.0, TableJoined(f"t{number}", hashed)) for number in range(tables + 1)]
    with store.writing():
        store.append([LogEntry(1, 0.0, ClubFounded(club, "Bench")), *joined])
    store.close()
    log = home / "said"
    words = ["hall", "Bench", "--address", HERE, "--port", str(_free()), "--broker-port", str(_free())]
    with log.open("wb") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "companion", *words],
            env=os.environ | {"COMPANION_HOME": str(home)},
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
        )
    try:
        deadline = time.monotonic() + START_S
        while "broker:" not in (told := log.read_text()):
            assert process.poll() is None, told
            assert time.monotonic() < deadline, told
            time.sleep(0.05)
        url, code = re.findall(r"display: +(http\S+)/in/(\S+)\?display", told)[0]
        port = int(re.findall(r"mqtts://[\d.]+:(\d+)", told)[0])
        broker = int((home / "hall" / "broker" / "mosquitto.pid").read_text())
        yield _Hall(process, broker, url, code, f"bench-{club[:4]}", port)
    finally:
        process.terminate()
        process.wait(START_S)


def _free() -> int:
    with socket.socket() as tried:
        tried.bind((HERE, 0))
        port: int = tried.getsockname()[1]
        return port


def _seconds(pid: int) -> float:
    """Of a processor, so far."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def _megabytes(pid: int) -> float:
    (found,) = re.findall(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found) / 1024


class _Live(NamedTuple):
    broker: float
    hall: float
    """Shares of a core."""
    memory: float
    complete: float
    way: Sequence[float]
    bare: Sequence[float]
    published: float
    """Messages a second."""


def _of_live(live: _Live) -> list[tuple[float, str]]:
    way, bare = _p95(live.way), _p95(live.bare)
    load = f"{live.published:.0f} messages a second published"
    detail = f"{way:.1f} ms and {bare:.1f} ms (medians {_median(live.way):.1f} and {_median(live.bare):.1f})"
    return [
        (live.broker * 100, load),
        (live.hall * 100, load),
        (live.memory, "resident"),
        (live.complete, "from connecting until every table is there"),
        (way / bare, detail),
    ]


def _median(seconds: Sequence[float]) -> float:
    return statistics.median(seconds) * 1000


def _p95(seconds: Sequence[float]) -> float:
    return sorted(seconds)[int(len(seconds) * 0.95)] * 1000


async def _live(effort: Effort) -> _Live:
    tables = effort.of(TABLES)
    with tempfile.TemporaryDirectory(prefix="bench-hall-") as folder, _hall(Path(folder), tables) as hall:
        async with _tables(hall, tables) as connected, _displays(hall, tables) as (displays, complete):
            load = asyncio.create_task(_play(connected[1:]))
            try:
                await asyncio.sleep(effort.of(20) / 10)
                began, before = time.monotonic(), [_seconds(hall.broker), _seconds(hall.process.pid)]
                played = sum(table.entry for table in connected)
                way, bare = await _ways(hall, connected[0], displays[0], effort)
                await asyncio.sleep(max(0.0, began + LOAD_S * effort.part - time.monotonic()))
                took = time.monotonic() - began
                used = [_seconds(hall.broker) - before[0], _seconds(hall.process.pid) - before[1]]
                published = 2 * (sum(table.entry for table in connected) - played) / took
            finally:
                load.cancel()
                await asyncio.gather(load, return_exceptions=True)
            memory = _megabytes(hall.process.pid)
    return _Live(used[0] / took, used[1] / took, memory, complete, way, bare, published)


@asynccontextmanager
async def _connected(hall: _Hall, user: str) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    anyone = ssl.create_default_context()
    anyone.check_hostname, anyone.verify_mode = False, ssl.CERT_NONE
    reader, writer = await asyncio.open_connection(HERE, hall.port, ssl=anyone)
    writer.write(connect(user, CREDENTIAL))
    answer = await anext(_packets(reader))
    assert answer[1][1] == 0, f"the broker refuses {user}"
    try:
        yield reader, writer
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


@asynccontextmanager
async def _tables(hall: _Hall, count: int) -> AsyncIterator[list[_Table]]:
    found, readers = [], []
    async with AsyncExitStack() as stack:
        for number in range(count):
            reader, writer = await stack.enter_async_context(_connected(hall, f"t{number}"))
            found.append(_Table(number, hall.topic, writer))
            readers.append(asyncio.create_task(_ignore(reader)))
            found[-1].begin()
        try:
            yield found
        finally:
            for task in readers:
                task.cancel()
            await asyncio.gather(*readers, return_exceptions=True)


async def _ignore(reader: asyncio.StreamReader) -> None:
    while await reader.read(65536):
        pass


async def _play(tables: Sequence[_Table]) -> None:
    """All tables act in turn, evenly."""
    began, done = time.monotonic(), 0
    while tables:
        due = int((time.monotonic() - began) * A_SECOND * len(tables))
        for number in range(done, due):
            tables[number % len(tables)].act()
        done = due
        await asyncio.sleep(0.002)


class _Display:
    """A browser without a page: it reads what comes, and knows when a table's entry came."""

    def __init__(self) -> None:
        self.tables = 0
        self.waits: dict[tuple[str, int], asyncio.Future[float]] = {}

    def take(self, text: str) -> None:
        for message in msgspec.json.decode(text):
            if message["is"] == "all":
                self.tables = sum("entry" in tile for tile in message["tables"].values())
            elif message["is"] == "tile" and self.waits:
                wait = self.waits.pop((message["table"], message["change"].get("entry", 0)), None)
                if wait is not None and not wait.done():
                    wait.set_result(time.perf_counter())


@asynccontextmanager
async def _displays(hall: _Hall, tables: int) -> AsyncIterator[tuple[list[_Display], float]]:
    """Four, and how long one more took until it was complete."""
    import aiohttp

    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        await session.get(f"{hall.url}/in/{hall.code}?display")

        async def open_line() -> Any:
            return await session.ws_connect(f"{hall.url}/display/line", headers={"Origin": hall.url}, max_msg_size=0)

        while True:  # until the hall knows all tables
            began, last = time.perf_counter(), _Display()
            line = await open_line()
            last.take(await line.receive_str())
            complete = time.perf_counter() - began
            await line.close()
            if last.tables >= tables:
                break
            await asyncio.sleep(0.2)
        displays = [_Display() for _ in range(DISPLAYS)]
        lines = [await open_line() for _ in displays]
        reading = [asyncio.create_task(_read(*pair)) for pair in zip(displays, lines, strict=True)]
        try:
            yield displays, complete
        finally:
            for task in reading:
                task.cancel()
            await asyncio.gather(*reading, return_exceptions=True)
            for line in lines:
                await line.close()


async def _read(display: _Display, line: Any) -> None:
    async for message in line:
        display.take(message.data)


async def _ways(hall: _Hall, table: _Table, display: _Display, effort: Effort) -> tuple[list[float], list[float]]:
    """From a table to a display, and through the broker alone, in turn."""
    way, bare = [], []
    async with _connected(hall, "t0") as (reader, writer):  # it only reads: two small answers would wait for each other
        topic = f"companion/1/{hall.topic}/tables/t0/presence"
        writer.write(subscribe(topic))
        incoming = _packets(reader)
        while (await anext(incoming))[0] != 0x90:
            pass
        for number in range(effort.of(SAMPLES)):
            shown: asyncio.Future[float] = asyncio.get_running_loop().create_future()
            display.waits[table.name, table.entry + 1] = shown
            began = time.perf_counter()
            table.act()
            async with asyncio.timeout(START_S):
                way.append(await shown - began)
            payload = b"online" if number % 2 else b"online "
            began = time.perf_counter()
            table.writer.write(publish(topic, payload))
            async with asyncio.timeout(START_S):
                while not (packet := await anext(incoming))[1].endswith(payload) or packet[0] & 0xF0 != 0x30:
                    pass
            bare.append(time.perf_counter() - began)
            await asyncio.sleep(0.02)
    return way, bare


# --- Results ----------------------------------------------------------------------------------------------------


def _of_results(effort: Effort) -> tuple[float, str]:
    try:
        from tests.hall.postgres import PROGRAMS, Postgres
    except ImportError:
        return math.nan, "no pytest here"
    if not PROGRAMS:
        return math.nan, "no PostgreSQL here"
    server = Postgres()
    try:
        return asyncio.run(_results(server.url, effort))
    finally:
        server.close()


async def _results(database: str, effort: Effort) -> tuple[float, str]:
    """Each result is another one, and counts when a server has answered 200: then it is committed."""
    import aiohttp

    from companion.hall.hall import Hall
    from companion.hall.hall_store import HallStore

    with tempfile.TemporaryDirectory(prefix="bench-hall-") as folder:
        first = HallStore(database)
        hall = Hall(first)
        await hall.open("Bench")
        club = await _begin_night(hall)
        with _server(Path(folder, "one"), database) as one, _server(Path(folder, "two"), database) as two:
            async with aiohttp.ClientSession(headers={"Companion-Hall": "1"}) as session:
                session.headers["Authorization"] = f"Bearer 1:{CREDENTIAL}"
                urls = (one, two) * (REPORTERS // 2)
                stored = await asyncio.gather(*(_report(session, url, club, effort) for url in urls))
        kept = sum('"result"' in msgspec.json.encode(entry.event).decode() for entry in first.entries(0))
        first.close()
    assert kept == sum(stored), f"{sum(stored)} were confirmed, {kept} are stored"
    return sum(stored) / (
        RESULTS_S * effort.part
    ), f"{sum(stored)} results in {RESULTS_S * effort.part:.1f} s, each once"


async def _begin_night(hall: Any) -> str:
    """With one table that has players. The id of the club."""
    from companion.hall.credentials import credential_hash
    from companion.hall.decisions import JoinTable, open_night, seat_next_round, sign_in, start_round
    from companion.hall.hall_state import NightOpened

    committing = asyncio.create_task(hall.run())
    players = [sign_in(name) for name in ("A", "B", "C")]
    joined = JoinTable("1", credential_hash(CREDENTIAL)).decide
    for decide in (joined, open_night(NightOpened("lascaux")), *players, seat_next_round, start_round(time.time())):
        await hall.change(decide)
    committing.cancel()
    await asyncio.gather(committing, return_exceptions=True)
    club: str = hall.state.club_id
    return club


async def _report(session: Any, url: str, club: str, effort: Effort) -> int:
    from companion.hall.hall_messages import GameReport
    from companion.hall.hall_state import ReportedSeat

    seats = tuple(ReportedSeat(name, points, rank) for name, points, rank in (("A", 9, 1), ("B", 7, 2), ("C", 3, 3)))
    until, done = time.monotonic() + RESULTS_S * effort.part, 0
    while time.monotonic() < until:
        report = GameReport(club, 1, 1, 1, "lascaux", time.time(), seats)
        async with session.put(f"{url}/results/{secrets.token_hex(32)}", data=msgspec.json.encode(report)) as answer:
            assert answer.status == 200, await answer.text()
            done += 1
    return done


@contextmanager
def _server(home: Path, database: str) -> Iterator[str]:
    """A hall server on this database."""
    home.mkdir()
    log = home / "said"
    words = ["hall", "Bench", "--address", HERE, "--port", str(_free()), "--database", database, "--no-live"]
    with log.open("wb") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "companion", *words],
            env=os.environ | {"COMPANION_HOME": str(home)},
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
        )
    try:
        deadline = time.monotonic() + START_S
        while not (found := re.findall(r"is at (http\S+)", log.read_text())):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.05)
        yield found[0]
        assert process.poll() is None, log.read_text()
    finally:
        process.terminate()
        process.wait(START_S)
