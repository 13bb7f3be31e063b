"""Halls, their broker, their database and their tables are killed at random, and every result is stored once."""

import asyncio
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from companion.hall.credentials import credential_hash
from companion.hall.decisions import JoinTable, open_night, seat_next_round, sign_in, start_round
from companion.hall.hall import Hall
from companion.hall.hall_state import NightOpened, ResultReported
from companion.hall.hall_store import HallStore
from tests.campaign.trial import Outcome
from tests.hall.postgres import Postgres

TITLE = "kill -9 for hall servers, broker, database and tables"
HOW = "Two hall servers on one PostgreSQL, tables that report to either; each result has to be stored exactly once."
FULL, QUICK = 5_000, 24
TABLES = 3
CREDENTIAL = "campaign"
PAUSE_S = 0.4
WITHIN_S = 120.0
"""How long results may take to arrive once nothing is killed any more."""


class Club:
    """All the processes of a hall."""

    def __init__(self, folder: Path, count: int) -> None:
        self.folder = folder
        self.database = Postgres()
        self.club_id = asyncio.run(self._begin())
        self.ports = [_free_port() for _ in range(3)]
        self.halls: list[subprocess.Popen[bytes]] = [self._start_hall(number) for number in range(2)]
        self.keys = [secrets.token_hex(32) for _ in range(count)]
        for number, key in enumerate(self.keys):
            box = self.outbox(number % TABLES)
            box.mkdir(exist_ok=True)
            (box / key).touch()
        self.tables = [self._start_table(number) for number in range(min(TABLES, count))]

    async def _begin(self) -> str:
        store = HallStore(self.database.url)
        hall = Hall(store)
        await hall.open("Campaign")
        committing = asyncio.create_task(hall.run())
        joined = JoinTable("1", credential_hash(CREDENTIAL)).decide
        players = [sign_in(name) for name in ("A", "B", "C")]
        begun: list[Any] = [joined, open_night(NightOpened("lascaux")), *players, seat_next_round]
        for decide in (*begun, start_round(time.time())):
            await hall.change(decide)
        committing.cancel()
        await asyncio.gather(committing, return_exceptions=True)
        store.close()
        return hall.state.club_id

    def outbox(self, table: int) -> Path:
        return self.folder / f"outbox{table}"

    def _start_hall(self, number: int) -> "subprocess.Popen[bytes]":
        """The first has a broker."""
        home = self.folder / f"hall{number}"
        home.mkdir(exist_ok=True)
        live = ["--broker-port", str(self.ports[2])] if number == 0 else ["--no-live"]
        words = ["--address", "127.0.0.1", "--port", str(self.ports[number]), "--database", self.database.url, *live]
        return subprocess.Popen(
            [sys.executable, "-m", "companion", "hall", "Campaign", *words],
            env=os.environ | {"COMPANION_HOME": str(home)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def _start_table(self, number: int) -> "subprocess.Popen[bytes]":
        urls = [f"http://127.0.0.1:{port}" for port in self.ports[:2]]
        words = [str(self.outbox(number)), self.club_id, CREDENTIAL, "1", *urls]
        return subprocess.Popen([sys.executable, "-m", "tests.campaign.reporting_table", *words])

    # --- Killing ----------------------------------------------------------------------------------------------

    def kill(self, what: str, chance: Random) -> None:
        if what == "database":
            self.database.kill()
            self.database.start()
        elif what == "broker":
            with suppress(OSError, ValueError):
                os.kill(int((self.folder / "hall0" / "hall" / "broker" / "mosquitto.pid").read_text()), signal.SIGKILL)
        elif what == "table":
            number = chance.randrange(len(self.tables))
            _kill(self.tables[number])
            self.tables[number] = self._start_table(number)
        else:
            number = chance.randrange(2)
            _kill(self.halls[number])
            self.halls[number] = self._start_hall(number)

    def tend(self) -> None:
        """A hall that could not read its database when it started is started again, as systemd would."""
        for number, process in enumerate(self.halls):
            if process.poll() is not None:
                self.halls[number] = self._start_hall(number)

    @property
    def is_done(self) -> bool:
        return all(process.poll() is not None for process in self.tables) and not self.left

    @property
    def left(self) -> int:
        return sum(len([*self.outbox(number).iterdir()]) for number in range(len(self.tables)))

    def stored(self) -> Counter[str]:
        store = HallStore(self.database.url)
        found = Counter(entry.event.key for entry in store.entries(0) if isinstance(entry.event, ResultReported))
        store.close()
        return found

    def close(self) -> None:
        for process in (*self.tables, *self.halls):
            process.terminate()
        for process in (*self.tables, *self.halls):
            process.wait(30)
        self.database.close()


def run(count: int, seed: int) -> Outcome:
    chance = Random(seed)
    killed: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="halls-") as folder:
        club = Club(Path(folder), count)
        try:
            first = chance.sample(KINDS, len(KINDS))  # each at least once
            while first or not club.is_done:
                time.sleep(chance.random() * PAUSE_S)
                club.tend()
                if len(killed) and not first and chance.random() < 0.5:
                    continue
                if club.left or first:
                    what = first.pop() if first else chance.choice(KINDS)
                    club.kill(what, chance)
                    killed[what] += 1
                if sum(killed.values()) > count:
                    break
            _wait(club)
            stored = club.stored()
        finally:
            club.close()
    failures = [f"seed {seed}: a result was stored {stored[key]} times" for key in club.keys if stored[key] != 1]
    return Outcome(count, {f"× {what} killed": killed[what] for what in KINDS}, tuple(failures))


KINDS = ("hall", "broker", "database", "table")


def _wait(club: Club) -> None:
    """Nothing is killed any more."""
    until = time.monotonic() + WITHIN_S
    while not club.is_done and time.monotonic() < until:
        club.tend()
        time.sleep(0.1)


def _kill(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.wait()


def _free_port() -> int:
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        port: int = tried.getsockname()[1]
        return port
