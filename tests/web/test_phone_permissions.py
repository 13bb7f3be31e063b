"""What a phone may have said to the referee: decided for every kind of message, and held at the line itself."""

import asyncio
from typing import Any, get_args

import msgspec
import pytest
from aiohttp import WSMsgType

from companion.messages.intentions import (
    INQUIRIES,
    INTENTIONS,
    Act,
    Agree,
    AskWhy,
    BeCentre,
    Correct,
    Decline,
    Drive,
    EndMatch,
    Enlist,
    Go,
    Identify,
    LookAtGame,
    LookAtTable,
    LookBack,
    LookedOver,
    NextGame,
    Pause,
    Peek,
    Prepare,
    ReadBack,
    Reconsider,
    Request,
    RunErrand,
    TapTag,
    Undo,
    may_send,
)
from companion.messages.protocol import ScreenHello
from companion.web.access_codes import WATCHING
from companion.web.phone_connection import Settle
from tests.web.evening import BarePhone, PhonesTable, evening

ME, OTHER = 0, 1
MINE: dict[type, list[Any]] = {
    Act: [Act("x", {"do": "draw"}, ME, 1)],
    Undo: [Undo("x", 7)],
    Agree: [Agree("x", ME, 1)],
    Decline: [Decline("x", 1)],
    NextGame: [NextGame("x")],
    EndMatch: [EndMatch("x")],
    LookedOver: [LookedOver("x")],
    Prepare: [Prepare("x", 2)],
    Peek: [Peek("x", ME)],
    TapTag: [TapTag("x", ME, "04A1B2C3D4E5F6"), TapTag("x", ME, centre=True), TapTag("x", ME, ask=True)],
    BeCentre: [BeCentre("x", ME, True), BeCentre("x", ME, False)],
    Identify: [Identify("x", ME, "04A1B2C3D4E5F6")],
    Correct: [],
    Enlist: [],
    Go: [],
    Pause: [],
    Drive: [],
    LookBack: [],
    Reconsider: [],
    LookAtTable: [LookAtTable("x")],
    ReadBack: [],
    LookAtGame: [],
    RunErrand: [RunErrand("x", 7)],
    AskWhy: [AskWhy("x", 7)],
}
"""Every kind of message → what a phone at ME may have said. A new kind has to be put here, and be decided."""
NOT_MINE: dict[type, list[Any]] = {
    Act: [Act("x", {"do": "draw"}, OTHER, 1), Act("x", {"do": "draw"}, None, 1)],
    Undo: [Undo("x"), Undo("x", 7, 3), Undo("x", None, 3)],
    Agree: [Agree("x", OTHER, 1), Agree("x", ME)],
    Decline: [Decline("x")],
    NextGame: [NextGame("x", (1, 0, 2)), NextGame("x", first=1), NextGame("x", options={"tie": "shared"})],
    EndMatch: [],
    LookedOver: [],
    Prepare: [],
    Peek: [Peek("x", OTHER)],
    TapTag: [TapTag("x", OTHER, "04A1B2C3D4E5F6"), TapTag("x", OTHER, centre=True), TapTag("x", OTHER, ask=True)],
    BeCentre: [BeCentre("x", OTHER, True), BeCentre("x", OTHER, False)],
    Identify: [Identify("x", OTHER, "04A1B2C3D4E5F6")],
    Correct: [Correct("x", 3, 7, {"do": "draw"})],
    Enlist: [Enlist("x", "pieces", {})],
    Go: [Go("x", 3)],
    Pause: [Pause("x", True)],
    Drive: [Drive("x", 2.0)],
    LookBack: [LookBack("x")],
    Reconsider: [Reconsider("x", 3), Reconsider("x", 3, ME)],
    LookAtTable: [],
    ReadBack: [ReadBack("x", 9)],
    LookAtGame: [LookAtGame("x", 1)],
    RunErrand: [RunErrand("x")],
    AskWhy: [],
}
KINDS = (*INTENTIONS, *INQUIRIES)
SETTLING = get_args(msgspec.structs.fields(Settle)[1].type)


def permitted(said: Request, seat: int) -> bool:
    return may_send(said, "phone", seat)


def test_every_kind_of_message_is_decided():
    assert set(MINE) == set(NOT_MINE) == set(KINDS)
    assert {kind for kind, some in MINE.items() if some} == {kind for kind in KINDS if "phone" in kind.senders}


def test_a_phone_can_say_every_intention_that_it_may_send():
    """One that is new is missing here until the page of a phone offers it."""
    sent = {kind.__struct_config__.tag for kind in INTENTIONS if "phone" in kind.senders}
    assert {"act", "tap", *SETTLING} == sent


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_seat_may_say_what_is_its_own_and_nothing_else(kind):
    assert all(permitted(said, ME) for said in MINE[kind])
    assert not any(permitted(said, ME) for said in NOT_MINE[kind])
    assert MINE[kind] or NOT_MINE[kind]


async def _gone(phone: BarePhone) -> bool:
    """Whether it is let go. It stays if it is answered, or shown what it asked for."""
    assert phone.socket is not None
    message = await asyncio.wait_for(phone.socket.receive(), 20)
    return message.type is not WSMsgType.TEXT


@pytest.mark.parametrize("kind", [*KINDS, ScreenHello], ids=lambda kind: kind.__name__)
def test_whatever_a_screen_could_say_a_phone_says_in_its_own_name_or_not_at_all(kind):
    """The very bytes that a screen sends. Only an action and a tap are understood, and the phone does not say
    whose they are."""
    messages = [ScreenHello(9)] if kind is ScreenHello else [*MINE[kind], *NOT_MINE[kind]]

    async def play() -> None:
        async with evening("sioux", 3) as table:
            table.prepared()
            for said in messages:
                async with BarePhone(table, ME) as phone:
                    await phone.sit()
                    entry = table.evening.number
                    await phone.say(said)
                    assert await _gone(phone) == (kind not in (Act, TapTag, ScreenHello))
                    assert table.evening.number == entry
            heard = [each for each in table.heard if not each.id.startswith("screen")]
            assert all(isinstance(each, Act | TapTag) and each.seat == ME for each in heard)
            assert len(heard) == (len(messages) if kind in (Act, TapTag) else 0)
            asked = {(Peek, ME), (Identify, ME)} if kind is TapTag else {(Peek, ME)}
            assert {(type(each), getattr(each, "seat", None)) for each in table.asked} == asked

    asyncio.run(play())


def test_an_action_that_does_not_say_for_which_game_it_is_meant_is_not_passed_on():
    assert not permitted(Act("x", {"do": "draw"}, ME), ME)


@pytest.mark.parametrize("what", SETTLING)
def test_what_is_settled_on_a_phone_is_said_for_its_seat_alone(what):
    async def play() -> None:
        async with evening("sioux", 3) as table, BarePhone(table, OTHER) as phone:
            await phone.sit()
            await phone.press({"is": "settle", "what": what, "number": 1, "seat": ME, "to": 1, "seats": [2, 1, 0]})
            (heard,) = table.heard
            assert permitted(heard, OTHER)

    asyncio.run(play())


async def _settles_nothing(table: PhonesTable, chair: int, what: str) -> None:
    async with BarePhone(table, chair) as phone:
        assert await phone.join() == 204
        phone.socket = await phone.session.ws_connect(f"{table.url}/table", headers=phone.origin)
        await phone.say({"is": "settle", "id": "x", "what": what})
        assert await _gone(phone)
    assert table.heard == []


@pytest.mark.parametrize("what", SETTLING)
def test_a_spectator_settles_nothing(what):
    """A spectator, a simulated player's seat, and a seat that this game does not have."""

    async def play() -> None:
        async with evening("lascaux", 3, simulated=(1,), kit="full") as table, BarePhone(table, 0) as anna:
            await anna.sit()  # so the server knows who plays
            table.codes[7] = "seven"
            table.server.renew(7, "seven")
            for chair in (WATCHING, 1, 7):
                await _settles_nothing(table, chair, what)

    asyncio.run(play())
