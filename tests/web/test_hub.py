"""Between one referee and many phones: views of several seats go out together, and all are drawn before any is sent."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from companion.gamekit.snapshot import OwnView, Told
from companion.messages.intentions import Peek
from companion.messages.protocol import Reply
from companion.web.hub import TOGETHER_S, Hub
from companion.web.phone_connection import Phone
from tests.web.evening import PhonesTable, evening


class Recorder:
    """Stands for a phone: tells when it was told of something new."""

    def __init__(self, guest: int, told: list[int]) -> None:
        self.guest, self._told = guest, told
        self.dropped = False

    def refresh(self) -> None:
        self._told.append(self.guest)


def hub_of(table: PhonesTable, told: list[int], phones: int = 3) -> Hub:
    """It has heard the newest snapshot, and has asked for every player's own view."""
    hub = Hub(Path("/nonexistent"))
    hub._phones = {Recorder(guest, told): None for guest in range(phones)}  # type: ignore[dict-item,misc]
    hub._heard(table.referee.snapshot())
    told.clear()
    return hub


def own_view(table: PhonesTable, hub: Hub, seat: int) -> OwnView:
    found = table.referee.inform(Peek(hub._peeked[seat][0], seat))
    assert isinstance(found, OwnView)
    return found


def test_views_wait_for_each_other_and_go_out_together() -> None:
    async def play() -> None:
        async with evening("lascaux", 3) as table:
            told: list[int] = []
            hub = hub_of(table, told)
            for seat in (0, 1):
                hub._heard(own_view(table, hub, seat))
                assert told == []
            hub._heard(own_view(table, hub, 2))
            assert sorted(told) == [0, 1, 2]

    asyncio.run(play())


def test_a_view_that_does_not_come_delays_no_phone_for_long() -> None:
    async def play() -> None:
        async with evening("lascaux", 3) as table:
            told: list[int] = []
            hub = hub_of(table, told)
            hub._heard(own_view(table, hub, 1))
            await asyncio.sleep(2 * TOGETHER_S)
            assert told == [1]

    asyncio.run(play())


def test_the_patience_for_one_entry_does_not_count_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    patience_s = 0.6  # long enough for a busy machine, too
    monkeypatch.setattr("companion.web.hub.TOGETHER_S", patience_s)

    async def play() -> None:
        async with evening("lascaux", 2 + 1) as table:
            told: list[int] = []
            hub = hub_of(table, told)
            for seat in range(3):
                hub._heard(own_view(table, hub, seat))
            await asyncio.sleep(patience_s * 0.8)
            table.prepared()
            table.act("draw", card=table.referee.snapshot().offered[0].card)
            hub._heard(table.referee.snapshot())
            told.clear()
            hub._heard(own_view(table, hub, 0))
            await asyncio.sleep(patience_s * 0.5)
            assert told == []

    asyncio.run(play())


class Line:
    """Stands for the sockets: tells what was drawn and sent, in order."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.closed = False

    def drawn(self, phone: Phone) -> bytes:
        self.done.append("draw")
        return f"picture {len(self.done)}".encode()

    def news(self, phone: Phone) -> bytes:
        return b""

    async def send_str(self, text: str) -> None:
        self.done.append("send")


def test_all_phones_that_have_read_everything_are_drawn_before_the_first_is_sent_anything() -> None:
    async def play() -> None:
        line: Any = Line()
        phones = [Phone(line, guest, line, lambda: None) for guest in range(3)]
        for phone in phones:
            phone._greeted = True
        sending = [asyncio.create_task(phone.send_all()) for phone in phones]
        await asyncio.sleep(0)
        for phone in phones:
            phone.refresh()
        while len(line.done) < 6:
            await asyncio.sleep(0)
        assert line.done == ["draw"] * 3 + ["send"] * 3
        for task in sending:
            task.cancel()

    asyncio.run(play())


def test_whoever_watches_the_phones_is_told_when_one_comes_and_when_it_goes() -> None:
    """The table's screen says who has a phone."""
    counts: list[int] = []
    hub = Hub(Path("/nonexistent"), changed=lambda: counts.append(len(hub.phones)))
    phone: Any = Recorder(0, [])
    hub.welcome(phone)
    hub.part(phone)
    assert counts == [1, 0]


def test_a_phone_is_told_in_words_what_was_refused_and_of_what_counts_it_sees_the_effect() -> None:
    async def play() -> None:
        async with evening("lascaux", 3) as table:
            answers: list[tuple[str, str]] = []
            hub = hub_of(table, [])
            for seat in range(3):
                hub._heard(own_view(table, hub, seat))
            phone: Any = next(iter(hub.phones))
            phone.language, phone.answer = "en", lambda _id, kind, text, *_more: answers.append((kind, text))
            for kind in ("accepted", "noted", "refused"):
                hub._asked[kind] = phone
                hub._heard(Reply(kind, Told(1, kind, "cannot be corrected")))  # type: ignore[arg-type]
            assert answers == [("accepted", ""), ("noted", ""), ("refused", "This can no longer be corrected")]

    asyncio.run(play())
