"""A code belongs to a player: whatever dies, and wherever people sit, it opens that player's hand and no other."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.gamekit.snapshot import OwnView
from companion.journal.store import read
from companion.messages.intentions import Act, NextGame, Peek
from companion.session.evening import Evening as Fold
from companion.web.access_codes import WATCHING, AccessCodes, new_code
from companion.web.hub import Hub
from companion.web.server import Listening, PhonesServer
from tests.web.evening import HERE, BarePhone, PhonesTable, evening

LAST = 2


def _play_to_the_end(table: PhonesTable, seed: int = 1) -> None:
    chance = Random(seed)
    while not table.over:
        table.play_on(chance)


def _next_game(table: PhonesTable, order: tuple[int, ...]) -> None:
    _play_to_the_end(table)
    assert table.heed(NextGame(f"next{table.evening.number}", order)).kind == "noted"
    table.seating = [table.seating[seat] for seat in order or range(len(table.seating))]
    table.prepared()


def _hands(table: PhonesTable) -> dict[int, str]:
    """Player → the card that they lay face down now: another one each, so that a phone shows whose hand it has. The
    last player does not: then all cards would be turned over."""
    laid = {}
    for seat, person in enumerate(table.seating):
        if person != LAST:
            laid[person] = ("9", "4")[person]
            assert table.act("play", seat=seat, card=laid[person]).kind == "accepted"
    return laid


async def _shows(phone: BarePhone) -> str:
    view = await phone.see(lambda view: view["entry"] == phone.table.evening.number)
    return str(view.get("hand"))


async def _kill(table: PhonesTable, talking: asyncio.Task[None]) -> None:
    """The phones' server has died, with all that it knew."""
    await table.server.close()
    talking.cancel()
    with suppress(asyncio.CancelledError):
        await talking


def _start(table: PhonesTable, port: int = 0) -> None:
    """Another one, with the codes that its keeper knows."""
    table.hub = Hub(table.link._path)
    table.server = PhonesServer(Listening(HERE, port), AccessCodes(table.codes), table.hub)


@asynccontextmanager
async def _restarted(table: PhonesTable) -> AsyncIterator[None]:
    """Another server, at the same place."""
    _start(table, table.server.place.port)
    await table.server.open()
    talking = asyncio.create_task(table.hub.link.run())
    try:
        yield
    finally:
        await _kill(table, talking)


def test_a_cookie_opens_its_players_hand_when_seats_were_changed_while_the_server_was_dead():
    async def play() -> None:
        async with evening("sioux", 3) as table, BarePhone(table, 0) as anna:
            await anna.sit()
            await table.server.close()
            _next_game(table, (1, 0, 2))  # Anna and Ben change seats, and no server hears of it
            async with _restarted(table):
                laid = _hands(table)
                await anna.come()
                assert anna.view["name"] == "Anna"
                shown = await _shows(anna)
                assert f"Face down: {laid[0]}" in shown
                assert f"Face down: {laid[1]}" not in shown

    asyncio.run(play())


@pytest.mark.parametrize("names", [("Anna", "Anna", "Ben"), ("Anna", "Anna", "Anna")])
def test_two_players_of_one_name_stay_two_wherever_they_sit(names, monkeypatch):
    monkeypatch.setattr("tests.web.evening.NAMES", names)

    async def play() -> None:
        async with evening("sioux", 3) as table, BarePhone(table, 0) as one, BarePhone(table, 1) as other:
            await one.sit()
            await other.sit()
            _next_game(table, (1, 0, 2))
            laid = _hands(table)
            assert f"Face down: {laid[0]}" in await _shows(one)
            assert f"Face down: {laid[1]}" in await _shows(other)

    asyncio.run(play())


def test_what_was_meant_for_one_game_does_not_count_in_the_next():
    """It was on its way while the others changed seats and began."""

    async def play() -> None:
        async with evening("sioux", 3) as table, BarePhone(table, 0) as anna:
            table.prepared()
            await anna.sit()
            before = table.evening.played_game.number
            _next_game(table, ())
            entry = table.evening.number
            late = {"is": "act", "action": {"do": "play", "seat": 0, "card": "9"}, "begun": before}
            answer = await anna.press(late)
            assert answer["kind"] == "refused"
            assert table.evening.number == entry
            assert (await anna.act(do="play", seat=0, card="9"))["kind"] == "accepted"

    asyncio.run(play())


def test_the_referee_refuses_what_a_phone_says_for_a_seat_of_another_game():
    """Even if the phones' server has not heard yet that people have changed seats."""

    async def play() -> None:
        async with evening("sioux", 3) as table:
            before = table.evening.played_game.number
            _next_game(table, (1, 0, 2))
            assert table.heed(Act("a", {"do": "play", "seat": 0, "card": "9"}, 0, before)).kind == "refused"
            assert table.heed(Act("b", {"do": "play", "seat": 0, "card": "9"}, 0)).kind == "refused"
            now = table.evening.played_game.number
            assert table.heed(Act("c", {"do": "play", "seat": 0, "card": "9"}, 0, now)).kind == "accepted"

    asyncio.run(play())


def test_a_hand_that_was_asked_for_before_seats_were_changed_is_not_shown_after_it():
    """The answer may be made after the change, and come before the snapshot that tells of it."""

    async def play() -> None:
        async with evening("sioux", 3) as table:
            hub = Hub(table.link._path)

            class Anna:
                guest, dropped, language = 0, False, "en"

                def refresh(self) -> None: ...

            hub._phones = {Anna(): None}  # type: ignore[dict-item]
            hub._heard(table.referee.snapshot())
            asked = hub._peeked[0][0]
            _next_game(table, (1, 0, 2))
            _hands(table)
            own = table.referee.inform(Peek(asked, 0))  # Anna's seat then, Ben's now
            assert isinstance(own, OwnView)
            hub._heard(own)
            assert hub._sight(0) is None
            hub._heard(table.referee.snapshot())
            assert hub._sight(0) is None
            own = table.referee.inform(Peek(hub._peeked[0][0], 1))
            assert isinstance(own, OwnView)
            hub._heard(own)
            sight = hub._sight(0)
            assert sight is not None
            assert sight.name(sight.seat) == "Anna"  # type: ignore[attr-defined]

    asyncio.run(play())


# --- Whatever happens -----------------------------------------------------------------------------------------

PLAYERS = 3
STEPS = st.one_of(
    st.just(("kill", 0)),
    st.just(("start", 0)),
    st.tuples(st.just("game"), st.permutations(range(PLAYERS))),
    st.tuples(st.just("renew"), st.sampled_from([0, 1, 2, WATCHING])),
    st.tuples(st.just("come"), st.sampled_from([0, 1, 2])),
)


class Evening:
    """A table, its server that comes and goes, and one phone for each player."""

    def __init__(self, table: PhonesTable) -> None:
        self.table = table
        self.phones = {person: BarePhone(table, person) for person in range(PLAYERS)}
        self.valid: dict[int, bool] = dict.fromkeys(range(PLAYERS), False)
        """Whether its cookie was made of the code that counts."""
        self.laid: dict[int, str] = {}
        self.running: AsyncExitStack | None = None

    async def kill(self, _: Any) -> None:
        if self.running is not None:
            await self.running.aclose()
            self.running = None

    async def start(self, _: Any) -> None:
        if self.running is None:
            self.running = AsyncExitStack()
            await self.running.enter_async_context(_restarted(self.table))

    async def game(self, order: list[int]) -> None:
        _next_game(self.table, tuple(order))
        self.laid = _hands(self.table)

    async def renew(self, guest: int) -> None:
        self.table.codes[guest] = new_code()
        if self.running is not None:
            self.table.server.renew(guest, self.table.codes[guest])
        if guest in self.valid:
            self.valid[guest] = False

    async def come(self, person: int) -> None:
        """Again with the cookie that it has, if that still counts; else with the code on the screen."""
        phone = self.phones[person]
        if self.running is None:
            return
        async with phone.session.get(f"{self.table.url}/seat") as answer:
            assert (answer.status != 401) == self.valid[person]
        if not self.valid[person]:
            assert await phone.join() == 204
            self.valid[person] = True
        await phone.come()

    async def check(self) -> None:
        """Every player who can look sees what is theirs, and nothing of the others."""
        for person, phone in self.phones.items():
            if self.running is None or not self.valid[person]:
                continue
            await self.come(person)
            shown = await _shows(phone)
            assert phone.view["name"] == f"{'ABC'[person]}"
            for other, card in self.laid.items():
                assert (f"Face down: {card}" in shown) == (other == person)

    async def leave(self) -> None:
        await self.kill(0)
        for phone in self.phones.values():
            await phone.leave()


@pytest.fixture
def many_comings(monkeypatch: pytest.MonkeyPatch) -> None:
    """One address for all phones, and no person is in such a hurry."""
    monkeypatch.setattr("companion.web.server.COMINGS", 10_000)
    monkeypatch.setattr("tests.web.evening.NAMES", ("A", "B", "C"))


@pytest.mark.usefixtures("many_comings")
@settings(max_examples=12, deadline=None)
@given(steps=st.lists(STEPS, min_size=3, max_size=9))
def test_whatever_happens_a_cookie_shows_the_hand_of_the_player_it_was_given_to(steps):
    async def play() -> None:
        async with evening("sioux", PLAYERS) as table:
            await table.server.close()
            world = Evening(table)
            try:
                table.prepared()
                world.laid = _hands(table)
                await world.start(0)
                for person in range(PLAYERS):
                    await world.come(person)
                for name, what in [*steps, ("start", 0)]:
                    await getattr(world, name)(what)
                    await world.check()
            finally:
                await world.leave()

    asyncio.run(play())


# --- How it is written down -----------------------------------------------------------------------------------


def test_a_resumed_evening_still_knows_who_is_who():
    async def play() -> None:
        async with evening("sioux", 3) as table:
            _next_game(table, (1, 2, 0))
            _next_game(table, (1, 0, 2))
            snapshot = table.referee.snapshot()
            assert [player.person for player in snapshot.players] == [2, 1, 0]
            assert [player.name for player in snapshot.players] == ["Cleo", "Ben", "Anna"]
            again = Fold(read(table.journal.path))
            assert again.played_game.people == (2, 1, 0)
            assert msgspec.json.decode(msgspec.json.encode(snapshot))["begun"] == again.played_game.number

    asyncio.run(play())


def test_results_follow_players_of_one_name_to_their_new_seats(monkeypatch):
    monkeypatch.setattr("tests.web.evening.NAMES", ("Anna", "Anna", "Ben"))

    async def play() -> None:
        async with evening("sioux", 3) as table:
            _play_to_the_end(table, seed=3)
            totals = table.evening.played_game.result.totals
            assert totals[0] != totals[1]
            _next_game(table, (1, 0, 2))
            assert table.evening.results[0].totals == (totals[1], totals[0], totals[2])

    asyncio.run(play())
