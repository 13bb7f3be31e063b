"""Messages of screens that mean harm, or are only broken, to a referee at work: over sockets, in all four games."""

import asyncio
import contextlib
import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, get_args

import msgspec

from companion.gamekit import discovery
from companion.gamekit.game_start import Header
from companion.gamekit.parts import enrolment_plan
from companion.journal.store import Journal, read
from companion.messages.intentions import Act
from companion.messages.protocol import FROM_SCREEN, PROTOCOL, Knowledge, ScreenHello
from companion.processes.referee_process import seat_pads_of
from companion.referee.event_loop import Process
from companion.referee.link import LINE_LIMIT
from companion.referee.referee import Referee
from companion.session import seen_ids
from companion.session.evening import Evening, game_body
from companion.toml import read_toml
from tests.campaign.trial import Outcome
from tests.places import quick_place
from tests.referee.table import TONIGHT

TITLE = "Fuzzed messages"
HOW = (
    "Clients send the link of a live referee what no screen of ours would, over Unix sockets: actions with any values "
    "in any field, ids sent twice, every kind of message, rubbish. Each is parsed and answered; the fold of the "
    "journal is what was played, and a well-behaved screen beside them is served to the end."
)
FULL = 1_000_000
QUICK = 2_000

GAMES = ("lascaux", "sioux", "darwinci", "carnuta")
NAMES = ("Anna", "Ben", "Cleo")
TABLE = 5_000
"""Messages to one table; then a new evening begins."""
BURST = 50
"""Messages that are sent at once, and read then."""
PATIENCE_S = 300.0
SNAPSHOT = b'{"is":"snapshot"'

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 2, -1, 99, 2**31, 2**63, 2**64, 10**30, 0.5, 1e308),
    *("", "unicorn", "x" * 5000, "\u202e\x1b[2J", "\ud7ff", "{seat}", "[/b][@click=app.quit]x[/]"),
    *([], [1, [2]], {}, {"seat": 0}, [None] * 100),
)
RUBBISH = (
    *(b"rubbish", b"", b"{}", b"null", b"[]", b'{"is":"hack"}', b'{"is":"act","action":{}}', b'{"is":"undo","id":1}'),
    b'{"is":"undo","id":"' + b"x" * 100 + b'"}',
    *(b'{"is":"undo","id":"\xff"}', b"\0" * 500, b'{"is":"hello","protocol":-1}', b'{"is":"hello"}', b"[" * 30_000),
    *(b"x" * (LINE_LIMIT + 10), b'{"is":"act","id":"i","action":{"a":' + b"[" * 20_000 + b"]" * 20_000 + b"}}"),
)


HELLO = msgspec.json.encode(ScreenHello(PROTOCOL))
"""Said again, it is answered by a snapshot and by nothing else."""
KINDS: tuple[type[msgspec.Struct], ...] = tuple(kind for kind in get_args(FROM_SCREEN) if kind is not ScreenHello)
"""All that a screen may say, as the protocol has it: a kind that is new there is sent here, too."""
NUMBERS = (None, 0, 1, 2, 3, -1, -5, 99, 2**40)
MISTAKE = b"the referee made a mistake"

KNOWLEDGE = {kind.__struct_config__.tag for kind in get_args(Knowledge)}
"""The kinds of answers to inquiries."""


class Fuzz:
    """What is sent next: mostly what can be read as a message, seldom what is allowed."""

    def __init__(self, chance: Random, evening: Evening) -> None:
        self._chance, self._evening = chance, evening
        self._number = 0
        self._offered: tuple[int, list[dict[str, Any]]] = (-1, [])

    def burst(self) -> Iterator[bytes]:
        for _ in range(BURST - 1):
            yield self._message()
        yield self._chance.choice(RUBBISH) if self._chance.random() < 0.3 else self._message()

    def _message(self) -> bytes:
        self._number += 1
        old = self._chance.random() < 0.02
        id_ = f"m{self._chance.randrange(self._number) if old else self._number}"
        what = self._chance.random()
        if what < 0.001:
            return HELLO
        kind = Act if what < 0.85 else self._chance.choice(KINDS)
        said = {field.name: self._field(field.name) for field in msgspec.structs.fields(kind)}
        strange = {"more": self._chance.choice(VALUES)} if self._chance.random() < 0.05 else {}
        return _encoded({"is": kind.__struct_config__.tag, **said, **strange, "id": id_})

    def _field(self, name: str) -> Any:
        """What could be read, most of the time: so it is heeded."""
        if name == "action":
            return self._action()
        if name == "seat":
            return self._chance.randrange(-2, 7)
        if name in ("values", "until", "step"):
            return self._words(name)
        return self._chance.choice((*NUMBERS, self._evening.number))

    def _words(self, name: str) -> Any:
        """What is printed on a piece that joins the box, and what a jump to another place sends."""
        game = self._evening.game.name
        steps = [step for step in enrolment_plan(game).steps(read_toml(self._evening.header.box), {}) if step.fields]
        step = self._chance.choice(steps)
        if name == "step":
            return self._chance.choice((step.key, "", "unicorn"))
        if name == "until":
            return self._chance.choice(([], ["draws", "unicorn"], 7))
        return {key: self._chance.choice((value, *VALUES)) for key, value in step.values.items()}

    def _action(self) -> dict[str, Any]:
        """One that is offered, as it is now and then; else with a field that is changed, missing or new."""
        chance = self._chance
        action = dict(chance.choice(self._offers())) if self._offers() else {"do": "unicorn"}
        if chance.random() < 0.03:
            return action
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            field = chance.choice((*action, "seat", "do", "unicorn", ""))
            if chance.random() < 0.15:
                action.pop(field, None)
            else:
                action[field] = chance.choice(VALUES)
        return action

    def _offers(self) -> list[dict[str, Any]]:
        """Those of the newest state, looked up once: some games offer thousands."""
        evening = self._evening
        if self._offered[0] != evening.number:
            offered = evening.game.offered(evening.state)
            some = self._chance.sample(offered, min(20, len(offered)))
            self._offered = evening.number, [msgspec.to_builtins(action) for action in some]
        return self._offered[1]


def _encoded(message: dict[str, Any]) -> bytes:
    return json.dumps(message).encode()


class Fuzzed:
    """One table, and all that is sent to it."""

    def __init__(self, folder: Path, game: str, seed: int) -> None:
        self.seed = seed
        self.chance = Random(seed)
        self.journal = Journal.create(folder, date=TONIGHT)
        known = discovery.find(game)
        body = game_body(Header(game, NAMES[: known.players[-1]]), known.standin(), (), "none")
        self.evening = Evening([self.journal.append("game", body, "", "", 0.0)])
        self.referee = Referee(self.journal, self.evening, seat_pads_of(self.evening))
        self.process = Process(self.referee, self.journal, folder / "s" / "t")
        self.seen: Counter[str] = Counter()
        self.failures: list[str] = []

    async def run(self, count: int) -> None:
        running = asyncio.create_task(self.process.run())
        while not self.process.socket_path.exists():
            await asyncio.sleep(0.001)
        try:
            good = await _connected(self.process.socket_path)
            fuzz = Fuzz(self.chance, self.evening)
            while sum(self.seen.values()) < count and not running.done():
                await self._send(list(fuzz.burst()))
            await self._still_served(*good)
        finally:
            self.process._stop.set()
            try:
                await running
            except Exception as error:
                self.failures.append(f"table {self.seed}: the referee failed: {error!r}")
        if Evening(read(self.journal.path)).state != self.evening.state:
            self.failures.append(f"table {self.seed}: the journal tells another game than was played")
        if len(self.referee.session._answered._ids) > seen_ids.KEPT:
            self.failures.append(f"table {self.seed}: ids are kept for ever")

    async def _send(self, messages: list[bytes]) -> None:
        """A burst on a connection of its own. Each is answered once, by its id, and in order; rubbish ends it."""
        reader, writer = await _connected(self.process.socket_path)
        writer.write(b"".join(message + b"\n" for message in messages))
        writer.write_eof()
        messages = [message for message in messages if message != HELLO]
        answers = [line async for line in reader if not line.startswith(SNAPSHOT)]
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
        for message, answer in zip(messages, answers, strict=False):
            self._judge(message, answer)
        whole = len(answers) == len(messages) or messages[len(answers)].startswith(b"x" * LINE_LIMIT)
        if not whole and b'"fault"' not in (answers or [b""])[-1]:
            lost = messages[len(answers)][:60]
            self.failures.append(f"table {self.seed}: {len(answers)} answers to {len(messages)}; none to {lost!r}")

    def _judge(self, message: bytes, answer: bytes) -> None:
        told = json.loads(answer)
        if MISTAKE in answer:
            self.failures.append(f"table {self.seed}: {message[:200]!r} was a mistake of the referee's")
        if told["is"] == "fault":
            self.seen["told that it cannot be read"] += 1
        elif told["id"] != json.loads(message)["id"]:
            self.failures.append(f"table {self.seed}: {message[:200]!r} was answered by {answer[:200]!r}")
        elif told["is"] in KNOWLEDGE:
            self.seen["looks at one's own, or back"] += 1
        else:
            kind = told["told"]["kind"]
            self.seen[kind if kind in ("accepted", "refused", "repeated") else "answered otherwise"] += 1

    async def _still_served(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'{"is":"act","id":"the good one","action":{"do":"unicorn"}}\n')
        while line := await reader.readline():
            if b'"the good one"' in line[:60]:
                break
        else:
            self.failures.append(f"table {self.seed}: the good screen was not served any more")
        writer.close()


async def _connected(path: Path) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_unix_connection(path, limit=1 << 24)
    writer.write(msgspec.json.encode(ScreenHello(PROTOCOL)) + b"\n")
    return reader, writer


def run(count: int, seed: int) -> Outcome:
    seen: Counter[str] = Counter()
    failures: list[str] = []
    number = 0
    while sum(seen.values()) < count:
        folder = Path(tempfile.mkdtemp(prefix="cf", dir=quick_place()))
        table = Fuzzed(folder, GAMES[number % len(GAMES)], seed * 1_000_000 + number)
        try:
            asyncio.run(asyncio.wait_for(table.run(min(TABLE, count - sum(seen.values()))), PATIENCE_S))
        except TimeoutError:
            failures.append(f"table {table.seed}: the referee no longer answered")
        finally:
            table.journal.close()
            shutil.rmtree(folder)
        seen += table.seen
        failures += table.failures
        number += 1
        if not table.seen:
            break
    return Outcome(sum(seen.values()), {"tables": number, **seen}, tuple(failures))
