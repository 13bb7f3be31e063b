"""Codes on the table's screen: each is shown for the player whose it is, wherever they sit."""

import asyncio
from random import Random

from companion.drawing.qr_code import code
from companion.gamekit.screen.face import Sight
from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.sign_table import DONE
from companion.messages.intentions import NextGame
from companion.messages.phone_access import SPECTATORS, PhonesOffer
from companion.screen.screens.phone_codes import Ticket, _drawn, all_here, tickets
from tests.web.evening import PhonesTable, evening


def _sight(table: PhonesTable) -> Sight:
    return Sight(table.referee.snapshot(), find_face("sioux"), False)


def test_a_code_is_shown_with_the_name_of_its_player_when_people_have_changed_seats() -> None:
    async def play() -> None:
        async with evening("sioux", 3) as table:
            links = {person: f"http://here/#{person}" for person in (0, 1, 2, SPECTATORS)}
            offer = PhonesOffer("http://here", links, {1: 2})
            chance = Random(1)
            while not table.over:
                table.play_on(chance)
            table.heed(NextGame("moved", (1, 2, 0)))  # Ben, Cleo, Anna
            shown = tickets(offer, _sight(table))
            assert [(each.title, each.text, each.guest, each.taken) for each in shown] == [
                ("Ben", "http://here/#1", 1, 2),
                ("Cleo", "http://here/#2", 2, 0),
                ("Anna", "http://here/#0", 0, 0),
                ("Only watching", "http://here/#-1", SPECTATORS, 0),
            ]
            assert not all_here(offer, _sight(table))
            assert all_here(PhonesOffer("http://here", links, {0: 1, 1: 1, 2: 1}), _sight(table))

    asyncio.run(play())


def test_the_spectators_code_can_be_replaced_like_any_other() -> None:
    async def play() -> None:
        async with evening("sioux", 3) as table:
            offer = PhonesOffer("http://here", {SPECTATORS: "x"})
            assert tickets(offer, _sight(table))[-1].guest == SPECTATORS

    asyncio.run(play())


def test_a_free_seat_shows_its_code_and_one_that_is_taken_how_many_phones_it_has() -> None:
    free = Ticket("Anna", "http://192.0.2.1:8137/#code", 0)
    assert _drawn(free).plain == f"Anna\n{code(free.text).plain}"
    assert _drawn(free._replace(taken=2)).plain == f"Anna\n\n{DONE} 2 phones connected"
