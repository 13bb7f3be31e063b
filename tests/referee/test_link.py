"""The link to the screens and the referee's process: a screen may come, go, hang or talk rubbish; the game goes on."""

import asyncio
import os
import signal
import socket
import stat
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.errors import LinkError
from companion.gamekit.snapshot import Snapshot
from companion.journal.store import Journal
from companion.messages.intentions import Act, Undo
from companion.messages.protocol import PROTOCOL, Fault, FromReferee, FromScreen, Reply, ScreenHello
from companion.referee import event_loop as process_module
from companion.referee import link as link_module
from companion.referee.event_loop import PlayHands, Process
from companion.referee.link import LINE_LIMIT, UNREAD_REPLIES, ScreenLink, answers
from companion.session.evening import Evening
from companion.table.signals import Pressed
from tests.referee.table import ALL_SIX, Table

PATIENCE_S = 20.0
"""More than any of this takes on a slow machine."""

_decoder: msgspec.json.Decoder[FromReferee] = msgspec.json.Decoder(FromReferee)


def within(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, PATIENCE_S))


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.002)


class Client:
    """A screen, or a client that pretends to be one."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self.writer = reader, writer

    @classmethod
    async def connect(cls, path: Path) -> "Client":
        return cls(*await asyncio.open_unix_connection(path, limit=1 << 24))

    @classmethod
    async def join(cls, path: Path) -> "Client":
        client = await cls.connect(path)
        client.say(ScreenHello(PROTOCOL))
        return client

    def say(self, message: FromScreen) -> None:
        self.writer.write(msgspec.json.encode(message) + b"\n")

    async def hear(self) -> FromReferee | None:
        """The next message; None when the referee has hung up."""
        try:
            line = await self._reader.readline()
        except ConnectionError:
            line = b""
        return _decoder.decode(line) if line else None

    async def snapshot(self) -> Snapshot:
        while not isinstance(message := await self.hear(), Snapshot):
            assert message is not None, "the referee has hung up"
        return message

    async def reply(self) -> Reply:
        while not isinstance(message := await self.hear(), Reply):
            assert message is not None, "the referee has hung up"
        return message

    async def rest(self) -> list[FromReferee]:
        """Everything up to the end."""
        messages: list[FromReferee] = []
        while message := await self.hear():
            messages.append(message)
        return messages

    async def close(self) -> None:
        self.writer.close()
        with suppress(ConnectionError):  # the referee was faster
            await self.writer.wait_closed()


@asynccontextmanager
async def serving(
    table: Table, path: Path, hands: PlayHands | None = None, parent: int | None = None
) -> AsyncIterator[Process]:
    process = Process(table.referee, table.journal, path)
    running = asyncio.create_task(process.run([], hands, parent=parent))
    try:
        await until(lambda: running.done() or answers(path))
        yield process
    finally:
        process._stop.set()
        await running


@asynccontextmanager
async def joined(path: Path) -> AsyncIterator[Client]:
    client = await Client.join(path)
    try:
        yield client
    finally:
        await client.close()


def draw(number: int = 0, name: str = "draw") -> Act:
    return Act(name, {"do": "draw", "card": ALL_SIX[number]})


# --- Coming in ------------------------------------------------------------------------------------------------


def test_who_says_hello_is_shown_the_table(table: Table, path: Path) -> None:
    async def evening() -> None:
        async with serving(table, path), joined(path) as screen:
            seen = await screen.snapshot()
            assert (seen.game, seen.entry, [player.name for player in seen.players]) == (
                "lascaux",
                1,
                ["Anna", "Ben", "Cleo"],
            )

    within(evening())


def test_a_screen_of_another_version_is_told_and_let_go(table: Table, path: Path) -> None:
    async def evening() -> None:
        async with serving(table, path):
            screen = await Client.connect(path)
            screen.say(ScreenHello(PROTOCOL + 1))
            assert await screen.rest() == [Fault(f"this referee speaks version {PROTOCOL}, the screen {PROTOCOL + 1}")]
            await screen.close()

    within(evening())


def test_who_does_not_say_hello_first_is_not_heard(table: Table, path: Path) -> None:
    async def evening() -> None:
        async with serving(table, path):
            screen = await Client.connect(path)
            screen.say(draw())
            assert await screen.rest() == [Fault("say hello first")]
            await screen.close()
        assert table.evening.number == 1

    within(evening())


def test_who_comes_late_is_shown_the_newest_table(table: Table, path: Path) -> None:
    async def evening() -> None:
        async with serving(table, path), joined(path) as early:
            for number in range(3):
                early.say(draw(number, f"draw-{number}"))
                assert (await early.reply()).told.kind == "accepted"
            async with joined(path) as late:
                seen = await late.snapshot()
                assert (seen.entry, seen.table["phase"], len(seen.table["row"])) == (4, "choose", 3)

    within(evening())


def test_who_says_hello_twice_stays_one_screen(table: Table, path: Path) -> None:
    async def evening() -> None:
        async with serving(table, path) as process, joined(path) as screen:
            screen.say(ScreenHello(PROTOCOL))
            screen.say(draw())
            assert (await screen.reply()).told.kind == "accepted"
            assert process._link.screens == 1

    within(evening())


# --- Rubbish --------------------------------------------------------------------------------------------------

RUBBISH = {
    "no JSON": b"rubbish\n",
    "an empty line": b"\n",
    "an empty object": b"{}\n",
    "nothing": b"null\n",
    "an unknown kind": b'{"is":"hack"}\n',
    "an action without an id": b'{"is":"act","action":{}}\n',
    "an action that is a list": b'{"is":"act","id":"i","action":[]}\n',
    "an agreement of no seat": b'{"is":"agree","id":"i","seat":"Anna"}\n',
    "an id that is a number": b'{"is":"undo","id":1}\n',
    "a version that is text": b'{"is":"hello","protocol":"one"}\n',
    "not UTF-8": b'{"is":"undo","id":"\xff\xfe"}\n',
    "a deep nest": b'{"is":"act","id":"i","action":{"a":' + b"[" * 20_000 + b"]" * 20_000 + b"}}\n",
    "a torn pair": b'{"is":"undo","id":"\\ud800"}\n',
    "a number without end": b'{"is":"agree","id":"i","seat":' + b"9" * 9000 + b"}\n",
    "a line without end": b"x" * (LINE_LIMIT * 4),
    "half a line": b'{"is":"undo","id":"u',
    "zeros": b"\0" * 500 + b"\n",
}


@pytest.mark.parametrize("greeted", [False, True], ids=["before hello", "after hello"])
@pytest.mark.parametrize("name", RUBBISH)
def test_rubbish_ends_one_screen_and_the_game_goes_on_for_the_others(
    table: Table, path: Path, name: str, greeted: bool
) -> None:
    async def evening() -> None:
        async with serving(table, path) as process, joined(path) as good:
            bad = await (Client.join(path) if greeted else Client.connect(path))
            bad.writer.write(RUBBISH[name])
            if name == "half a line":
                bad.writer.write_eof()
            ends = [message for message in await bad.rest() if not isinstance(message, Snapshot)]
            assert all(isinstance(message, Fault) for message in ends)
            if name != "a line without end":
                assert len(ends) == 1
            await bad.close()
            good.say(draw())
            assert (await good.reply()).told.kind == "accepted"
            await until(lambda: process._link.screens == 1)
        assert table.evening.number == 2

    within(evening())


def test_a_screen_that_goes_in_the_middle_of_a_word_is_not_missed(table: Table, path: Path) -> None:
    async def evening() -> None:
        async with serving(table, path) as process, joined(path) as good:
            for cut in range(1, 40, 3):
                bad = await Client.join(path)
                bad.writer.write(msgspec.json.encode(draw())[:cut])
                bad.writer.transport.abort()
            good.say(draw())
            assert (await good.reply()).told.kind == "accepted"
            await until(lambda: process._link.screens == 1)

    within(evening())


def test_what_comes_letter_by_letter_is_understood_and_so_is_what_comes_all_at_once(table: Table, path: Path) -> None:
    async def evening() -> None:
        async with serving(table, path):
            slow = await Client.connect(path)
            for letter in msgspec.json.encode(ScreenHello(PROTOCOL)) + b"\n" + msgspec.json.encode(draw(0)) + b"\n":
                slow.writer.write(bytes([letter]))
                await asyncio.sleep(0)
            assert (await slow.reply()).told.kind == "accepted"
            quick = await Client.connect(path)
            said: list[FromScreen] = [ScreenHello(PROTOCOL), draw(1, "a"), draw(2, "b")]
            quick.writer.write(b"".join(msgspec.json.encode(message) + b"\n" for message in said))
            assert [(await quick.reply()).id, (await quick.reply()).id] == ["a", "b"]
            await slow.close()
            await quick.close()

    within(evening())


# --- Answers --------------------------------------------------------------------------------------------------


def test_the_reply_comes_before_the_snapshot_that_shows_its_effect(table: Table, path: Path) -> None:
    async def evening() -> None:
        async with serving(table, path), joined(path) as screen, joined(path) as other:
            assert (await screen.snapshot()).entry == (await other.snapshot()).entry == 1
            screen.say(draw())
            reply, seen = await screen.hear(), await screen.hear()
            assert isinstance(reply, Reply)
            assert (reply.id, reply.told.what) == ("draw", "draws")
            assert isinstance(seen, Snapshot)
            assert (seen.entry, seen.history[-1]) == (2, reply.told)
            assert (await other.snapshot()).entry == 2

    within(evening())


def test_every_intention_of_a_burst_is_answered_once_and_in_order(table: Table, path: Path) -> None:
    async def evening() -> None:
        async with serving(table, path), joined(path) as screen:
            names = [f"undo-{number}" for number in range(UNREAD_REPLIES - 1)]
            for name in names:
                screen.say(Undo(name))
            assert [(await screen.reply()).id for _ in names] == names

    within(evening())


def test_the_same_intention_from_two_screens_counts_once(table: Table, path: Path) -> None:
    async def evening() -> None:
        async with serving(table, path), joined(path) as one, joined(path) as other:
            one.say(draw())
            other.say(draw())
            kinds = {(await one.reply()).told.kind, (await other.reply()).told.kind}
            assert kinds == {"accepted", "repeated"}
        assert table.evening.number == 2

    within(evening())


def test_a_secret_that_is_chosen_on_one_screen_is_sent_to_none(table: Table, path: Path) -> None:
    async def evening() -> None:
        table.to_choosing()
        async with serving(table, path), joined(path) as one, joined(path) as other:
            one.say(Act("c", {"do": "choose", "seat": 1, "colour": "white"}))
            reply = await one.reply()
            assert reply.told.what == "has chosen"
            assert b"white" not in msgspec.json.encode(reply)
            while not (seen := await other.snapshot()).table["chosen"][1]:
                pass
            assert b'"white"' not in msgspec.json.encode(msgspec.structs.replace(seen, box=None, offered=()))

    within(evening())


# --- Screens that do not listen -------------------------------------------------------------------------------


def test_a_screen_that_does_not_read_is_dropped_and_does_not_stall_the_others(
    table: Table, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_module, "PATIENCE_S", 0.2)
    table.hurry()

    async def evening() -> None:
        async with serving(table, path) as process, joined(path) as good:
            with socket.socket(socket.AF_UNIX) as deaf:
                deaf.connect(str(path))
                deaf.sendall(msgspec.json.encode(ScreenHello(PROTOCOL)) + b"\n")
                await until(lambda: process._link.screens == 2)
                said = 0
                while process._link.screens == 2:
                    said += 1
                    good.say(Undo(f"undo-{said}"))
                    begun = time.monotonic()
                    await good.reply()
                    assert time.monotonic() - begun < 5.0
                assert process._link.screens == 1
            good.say(draw())
            assert (await good.reply()).told.kind == "accepted"

    within(evening())


def test_a_screen_that_talks_and_does_not_read_is_dropped(table: Table, path: Path) -> None:
    async def evening() -> None:
        async with serving(table, path) as process, joined(path) as good:
            deaf = socket.socket(socket.AF_UNIX)
            deaf.connect(str(path))
            deaf.setblocking(False)
            deaf.send(msgspec.json.encode(ScreenHello(PROTOCOL)) + b"\n")
            await until(lambda: process._link.screens == 2)
            words = b"".join(msgspec.json.encode(Undo(f"u{number}")) + b"\n" for number in range(100))
            while process._link.screens == 2:
                with suppress(OSError):  # its own end is full, or it was thrown out
                    deaf.send(words)
                await asyncio.sleep(0.001)
            deaf.close()
            good.say(draw())
            assert (await good.reply()).told.kind == "accepted"

    within(evening())


def test_a_slow_screen_is_shown_the_newest_table_and_not_every_one(table: Table, path: Path) -> None:
    table.hurry()

    async def evening() -> None:
        async with serving(table, path) as process, joined(path) as slow:
            for number in range(2000):
                process.deliver(Pressed("pad0", number * 1000, "green"))
                if number % 100 == 0:
                    await asyncio.sleep(0)
            numbers = []
            while not numbers or numbers[-1] < process.snapshot.number:
                numbers.append((await slow.snapshot()).number)
            assert numbers == sorted(set(numbers))
            assert len(numbers) < 200

    within(evening())


# --- Listening ------------------------------------------------------------------------------------------------


def unused(_: Any) -> Any:
    raise AssertionError("no message comes here")


def test_the_socket_of_a_referee_that_was_killed_is_replaced(table: Table, path: Path) -> None:
    path.parent.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    assert path.exists()
    assert not answers(path)

    async def evening() -> None:
        async with serving(table, path), joined(path) as screen:
            assert (await screen.snapshot()).entry == 1

    within(evening())


def test_a_referee_that_lives_is_left_alone(table: Table, path: Path) -> None:
    async def evening() -> None:
        async with serving(table, path), joined(path) as screen:
            second = ScreenLink(path, unused, unused)
            with pytest.raises(LinkError, match=r"another referee is listening here already; `companion screen` joins"):
                await second.open()
            await second.close()
            screen.say(draw())
            assert (await screen.reply()).told.kind == "accepted"

    within(evening())


def test_a_file_that_is_no_socket_is_not_removed(path: Path) -> None:
    path.parent.mkdir(mode=0o700)
    path.write_text("a diary")

    async def evening() -> None:
        with pytest.raises(LinkError, match="is no socket"):
            await ScreenLink(path, unused, unused).open()

    within(evening())
    assert path.read_text() == "a diary"


@pytest.mark.parametrize("name", ["x" * 120 + ".sock", "not-a-folder/t.sock"])
def test_a_path_that_cannot_be_listened_on_is_told(path: Path, name: str) -> None:
    path.parent.mkdir(mode=0o700)
    (path.parent / "not-a-folder").touch()

    async def evening() -> None:
        with pytest.raises(LinkError, match="cannot listen for screens here"):
            await ScreenLink(path.parent / name, unused, unused).open()

    within(evening())


def test_only_this_user_may_listen_in(table: Table, path: Path) -> None:
    async def evening() -> None:
        async with serving(table, path):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
            assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700

    within(evening())


def test_a_folder_that_others_can_look_into_is_refused_with_what_to_do(path: Path) -> None:
    path.parent.mkdir()
    path.parent.chmod(0o755)

    async def evening() -> None:
        with pytest.raises(LinkError, match=r"others can look into this folder.*`chmod 700` it"):
            await ScreenLink(path, unused, unused).open()

    within(evening())
    assert not path.exists()


def test_a_folder_that_is_another_users_or_a_link_to_one_is_refused_with_what_to_do(path: Path) -> None:
    (elsewhere := path.parent.with_name("elsewhere")).mkdir(mode=0o700)
    path.parent.symlink_to(elsewhere)

    async def evening() -> None:
        with pytest.raises(LinkError, match=r"this is no folder of ours.*remove it"):
            await ScreenLink(path, unused, unused).open()

    within(evening())
    assert [*elsewhere.iterdir()] == []


def test_closing_removes_the_socket_and_lets_every_screen_go(path: Path) -> None:
    async def evening() -> None:
        link = ScreenLink(path, unused, unused)
        await link.open()
        link.publish(b'{"is":"fault","message":"so that there is something to see"}')
        async with joined(path) as screen:
            assert await screen.hear() is not None
            await link.close()
            assert await screen.rest() == []
        await link.close()
        assert not path.exists()
        assert not answers(path)
        await until(lambda: link.screens == 0)

    within(evening())


# --- The process ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_process_cleanly(table: Table, path: Path, number: int) -> None:
    async def evening() -> None:
        process = Process(table.referee, table.journal, path)
        running = asyncio.create_task(process.run([]))
        await until(lambda: answers(path))
        async with joined(path) as screen:
            screen.say(draw())
            await screen.reply()
            os.kill(os.getpid(), number)
            await running
            await screen.rest()

    within(evening())
    assert not path.exists()
    with Journal.open(table.journal.path) as journal:
        assert Evening(journal.entries()).number == 2


def test_hands_move_as_long_as_the_process(table: Table, path: Path) -> None:
    async def presses(process: Process) -> None:
        process.deliver(Pressed("pad1", 1000, "green"))
        await process.changed()
        await asyncio.Event().wait()

    async def evening() -> None:
        async with serving(table, path, presses) as process, joined(path) as screen:
            await screen.snapshot()
            assert [device.station for device in process.snapshot.devices] == ["pad1"]

    within(evening())


def test_hands_that_crash_leave_neither_socket_nor_lock_behind(table: Table, path: Path) -> None:
    async def crashes(_: Process) -> None:
        raise RuntimeError("smoke")

    async def evening() -> None:
        with pytest.raises(ExceptionGroup) as caught:
            await Process(table.referee, table.journal, path).run([], crashes)
        assert caught.group_contains(RuntimeError, match="smoke")

    within(evening())
    assert not path.exists()
    Journal.open(table.journal.path).close()


def test_a_second_referee_on_the_same_socket_leaves_no_lock_behind(table: Table, path: Path, tmp_path: Path) -> None:
    other = Table(tmp_path)

    async def evening() -> None:
        async with serving(table, path):
            with pytest.raises(LinkError, match="another referee"):
                await Process(other.referee, other.journal, path).run([])
            assert answers(path)

    within(evening())
    Journal.open(other.journal.path).close()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_module, "ORPHANED_S", 0.05)
    monkeypatch.setattr(process_module, "LOOK_ROUND_S", 0.01)


def test_an_orphaned_referee_leaves_when_the_last_screen_has_gone(
    table: Table, path: Path, request: pytest.FixtureRequest
) -> None:
    async def evening() -> None:
        process = Process(table.referee, table.journal, path)
        running = asyncio.create_task(process.run([], parent=os.getppid() + 1))
        await until(lambda: answers(path))
        async with joined(path) as screen:
            await screen.snapshot()
            request.getfixturevalue("quick")  # before, it had to wait for a screen
            await asyncio.sleep(0.3)  # several times as long as an orphan stays alone
            assert not running.done()
        await running
        assert not path.exists()

    within(evening())


@pytest.mark.usefixtures("quick")
def test_a_referee_whose_parent_lives_stays_also_without_screens(table: Table, path: Path) -> None:
    async def evening() -> None:
        async with serving(table, path, parent=os.getppid()):
            await asyncio.sleep(0.3)
            assert answers(path)

    within(evening())


@pytest.mark.usefixtures("quick")
def test_a_referee_without_a_parent_stays_until_it_is_told_to_stop(table: Table, path: Path) -> None:
    async def evening() -> None:
        async with serving(table, path):
            await asyncio.sleep(0.3)
            assert answers(path)

    within(evening())
