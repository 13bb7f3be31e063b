"""A phone does what its seat may do, once, and nothing else; what it is shown is what a screen shows."""

import asyncio
from random import Random

import msgspec
import pytest
from aiohttp import WSMsgType
from msgspec.structs import replace

from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.simulated import Expectation
from companion.gamekit.snapshot import OwnView, Snapshot
from companion.messages.intentions import Act, BotAct, NextGame, Peek
from companion.web.access_codes import WATCHING
from companion.web.phone_view import view
from companion.web.seat_sight import SeatSight
from tests.web.evening import BarePhone, evening


def _labels(buttons):
    return ["".join(run[0] for line in each["label"] for run in line).strip() for each in buttons]


def test_a_phone_shows_the_headline_the_table_and_what_its_seat_can_do():
    async def play() -> None:
        async with evening("lascaux") as table, BarePhone(table, 0) as anna, BarePhone(table, 1) as ben:
            table.prepared()
            await anna.sit()
            await ben.sit(language="de")
            assert anna.view["name"] == "Anna"
            assert anna.view["asked"]
            # "your turn" stands before it
            assert anna.view["headline"] == "draw a card, until 6 colours or 7 cards lie there"
            assert anna.view["menu"]["title"] == "Which animal was drawn?"
            assert "asked" not in ben.view  # it is left out where it is not so
            assert ben.view["language"] == "de"
            assert ben.view["headline"].startswith("Anna")
            assert "Karte" in ben.view["headline"]

    asyncio.run(play())


def test_a_menu_leads_step_by_step_to_an_action_and_the_action_counts():
    async def play() -> None:
        async with evening("lascaux") as table, BarePhone(table, 0) as anna:
            table.prepared()
            await anna.sit()
            choice = anna.view["menu"]["buttons"][0]
            await anna.say(choice["send"])
            menu = (await anna.hear(lambda message: message["is"] == "menu"))["menu"]
            answer = await anna.press(menu["buttons"][0]["send"])
            assert answer["kind"] == "accepted"
            assert len(table.evening.state.row) == 1
            assert table.evening.played_game.played[-1].how == "phone"

    asyncio.run(play())


def test_what_simulated_hands_do_for_every_player_no_phone_is_asked_for():
    """A simulated stack deals to persons, too: they would only be in its way."""

    async def play() -> None:
        async with evening("lascaux") as table, BarePhone(table, 0) as anna:
            table.prepared()
            await anna.sit()
            sight = table.hub.sight(table.hub.phones[0])
            assert isinstance(sight, SeatSight)
            assert {action["do"] for action in sight.actions} == {"draw"}
            own = table.referee.inform(Peek("", 0))
            dealt = replace(sight.snapshot, by_table=("draw",))
            assert SeatSight(dealt, sight.face, msgspec.convert(msgspec.to_builtins(own), OwnView)).actions == ()

    asyncio.run(play())


def test_a_menu_that_is_no_more_is_told_so():
    async def play() -> None:
        async with evening("lascaux") as table, BarePhone(table, 0) as anna:
            table.prepared()
            await anna.sit()
            for path in ([9], [0, 99], [0, 0, 99], [0] * 30):
                await anna.say({"is": "open", "path": path})
                assert (await anna.hear(lambda message: message["is"] == "menu"))["menu"] is None

    asyncio.run(play())


def test_what_is_said_twice_counts_once():
    async def play() -> None:
        async with evening("lascaux") as table, BarePhone(table, 0) as anna:
            table.prepared()
            await anna.sit()
            send = {"is": "act", "action": {"do": "draw", "card": table.legal()[0]["card"]}}
            assert (await anna.press(send, "once"))["kind"] == "accepted"
            entry = table.evening.number
            assert (await anna.press(send, "once"))["kind"] == "repeated"
            assert table.evening.number == entry

    asyncio.run(play())


def test_an_id_of_one_seat_does_not_use_up_another_s():
    async def play() -> None:
        async with evening("lascaux") as table, BarePhone(table, 0) as anna, BarePhone(table, 1) as ben:
            table.prepared()
            await anna.sit()
            await ben.sit()
            send = {"is": "act", "action": {"do": "draw", "card": table.legal()[0]["card"]}}
            assert (await ben.press(send, "same"))["kind"] == "refused"
            assert (await anna.press(send, "same"))["kind"] == "accepted"

    asyncio.run(play())


FOREIGN = [
    {"do": "choose", "seat": 1, "colour": "brown"},
    {"do": "stone", "seat": 2},
    {"do": "draw", "card": "horse-brown-green", "seat": 1},
    {"do": "choose", "seat": True, "colour": "brown"},
    {"do": "choose", "colour": "brown"},
    {"do": "fly"},
    {},
]


@pytest.mark.parametrize("action", FOREIGN, ids=range(len(FOREIGN)))
def test_another_seat_s_action_is_refused_whatever_a_phone_sends(action):
    """In every phase: nothing that is another player's, nor what names no player while the table waits for others."""

    async def play() -> None:
        async with evening("lascaux") as table, BarePhone(table, 0) as anna, BarePhone(table, 1) as ben:
            table.prepared()
            await anna.sit()
            await ben.sit()
            entry = table.evening.number
            phone = ben if action.get("do") == "draw" else anna
            answer = await phone.act(**action)
            assert answer["kind"] == "refused"
            assert answer["text"]
            while table.evening.state.phase == "draw":
                table.act(**table.legal()[0])
            entry = table.evening.number
            assert (await phone.act(**action))["kind"] == "refused"
            assert table.evening.number == entry

    asyncio.run(play())


def test_a_screen_may_still_speak_for_every_player():
    async def play() -> None:
        async with evening("lascaux") as table:
            table.prepared()
            assert table.heed(Act("screen", table.legal()[0])).kind == "accepted"

    asyncio.run(play())


def test_a_spectator_sees_the_table_and_can_do_nothing():
    async def play() -> None:
        async with evening("sioux", 4) as table, BarePhone(table, WATCHING) as guest:
            table.prepared()
            await guest.sit()
            assert guest.view["name"] == ""
            assert guest.view["panels"]
            for nothing in ("buttons", "menu", "hand", "evening", "box"):
                assert not guest.view.get(nothing)
            await guest.say({"is": "act", "id": "x", "action": {"do": "play", "seat": 0, "card": "9"}})
            assert guest.socket is not None
            while (message := await asyncio.wait_for(guest.socket.receive(), 20)).type is WSMsgType.TEXT:
                pass
            assert message.type in (WSMsgType.CLOSED, WSMsgType.CLOSE, WSMsgType.ERROR)  # no page of ours says that
            assert len(table.evening.played_game.played) == 0

    asyncio.run(play())


def test_a_simulated_players_seat_has_nothing_to_say():
    async def play() -> None:
        async with evening("lascaux", simulated=(1,), kit="full") as table, BarePhone(table, 1) as ben:
            await ben.sit()
            assert not ben.view.get("buttons")
            assert not ben.view.get("menu")
            assert not ben.view.get("box")

    asyncio.run(play())


def test_the_preparation_is_leafed_through_on_a_phone_and_two_fingers_turn_one_page():
    async def play() -> None:
        async with evening("sioux", 3) as table, BarePhone(table, 0) as anna, BarePhone(table, 1) as ben:
            await anna.sit()
            await ben.sit()
            forward = anna.view["box"]["buttons"][0]["send"]
            assert ben.view["box"]["buttons"][0]["send"] == forward
            await anna.press(forward)
            await ben.press(forward)
            assert table.referee.snapshot().preparation.page == 1
            await anna.see(lambda view: _labels(view["box"]["buttons"])[1:] == ["Back", "Skip"])
            await anna.press(anna.view["box"]["buttons"][1]["send"])
            assert table.referee.snapshot().preparation.page == 0
            await anna.see(lambda view: len(view["box"]["buttons"]) == 2)  # nothing is before the first page
            skip = next(each for each in anna.view["box"]["buttons"] if _labels([each]) == ["Skip"])
            await anna.press(skip["send"])
            await anna.see(lambda view: "box" not in view)

    asyncio.run(play())


def test_an_undo_across_a_reveal_asks_every_player_each_on_their_phone():
    async def play() -> None:
        async with evening("sioux", 3) as table:
            table.prepared()
            phones = [await BarePhone(table, seat).sit() for seat in range(3)]
            for seat, card in enumerate(("9", "5", "4")):
                assert (await phones[seat].act(do="play", seat=seat, card=card))["kind"] == "accepted"
            anna = phones[0]
            await anna.see(lambda view: view["entry"] == table.evening.number)
            undo = next(each for each in anna.view["evening"] if _labels([each]) == ["Undo"])
            assert undo["confirm"]
            await anna.press(undo["send"])
            for phone in phones:
                view = await phone.see(lambda view: "box" in view)
                agree, decline = view["box"]["buttons"]
                assert _labels([agree, decline]) == ["Agree", "Decline"]
                await phone.press(agree["send"])
            await anna.see(lambda view: view.get("moves"))
            assert table.evening.state.phase == "play"
            for phone in phones:
                await phone.leave()

    asyncio.run(play())


def test_why_all_lines_and_the_rules_are_told_on_demand():
    async def play() -> None:
        async with evening("sioux", 3) as table, BarePhone(table, 0) as anna:
            table.prepared()
            for seat, card in enumerate(("9", "5", "4")):
                table.act("play", seat=seat, card=card)
            await anna.sit()
            number = next(line["number"] for line in anna.view["lines"] if line["rule"] == "S3")
            await anna.say({"is": "why", "line": number})
            why = await anna.hear(lambda message: message["is"] == "why")
            assert any("S3" in run[0] for line in why["text"] for run in line)
            await anna.say({"is": "why", "line": -1})
            assert len((await anna.hear(lambda message: message["is"] == "lines"))["lines"]) >= 2
            await anna.say({"is": "help"})
            assert (await anna.hear(lambda message: message["is"] == "why"))["title"] == "Sioux"

    asyncio.run(play())


def test_a_phone_asks_why_a_bot_did_something_and_learns_it_after_the_reveal():
    async def play() -> None:
        async with evening("sioux", 3, simulated=(1, 2)) as table, BarePhone(table, 0) as anna:
            table.prepared()
            thought = Expectation(0.41, {"do": "play", "seat": 1, "card": "13"}, 0.38)
            table.heed(BotAct("bot", {"do": "play", "seat": 1, "card": "5"}, thought=thought))
            await anna.sit()

            async def why() -> str:
                number = next(line["number"] for line in anna.view["lines"][::-1] if "Ben" in line["text"])
                await anna.say({"is": "why", "line": number})
                told = await anna.hear(lambda message: message["is"] == "why")
                return " ".join(run[0] for line in told["text"] for run in line)

            assert "Ben still hides something that led to this" in await why()
            for seat, card in ((0, "9"), (2, "4")):
                table.act("play", seat=seat, card=card)
            await anna.see(lambda view: view["entry"] == table.evening.number)
            told = await why()
            assert "Ben saw a chance of about 41 % in this." in told
            assert "The best alternative promised about 38 %." in told
            assert "13" not in told, "Sioux is played from memory"

    asyncio.run(play())


def test_a_phone_that_comes_back_has_the_whole_state_and_its_hand():
    async def play() -> None:
        async with evening("sioux", 3) as table, BarePhone(table, 0) as anna:
            table.prepared()
            await anna.sit()
            await anna.act(do="play", seat=0, card="9")
            await anna.see(lambda view: view["entry"] == table.evening.number)
            before = anna.view
            assert anna.socket is not None
            await anna.socket.close()
            anna.socket = await anna.session.ws_connect(f"{table.url}/table", headers=anna.origin)
            anna.view = {}
            await anna.say({"is": "hello", "language": "en", "cells": 34})
            assert await anna.see(lambda view: True) == before
            assert "Face down: 9" in str(before["hand"])

    asyncio.run(play())


def test_when_the_referee_goes_phones_are_told_and_when_it_comes_back_they_see_it():
    async def play() -> None:
        async with evening("lascaux") as table, BarePhone(table, 0) as anna:
            table.prepared()
            await anna.sit()
            await table.link.close()
            await anna.see(lambda view: view.get("up") is False)
            await table.link.open()
            table.publish()
            await anna.see(lambda view: view.get("up", True))

    asyncio.run(play())


def test_the_end_of_a_game_and_the_next_one():
    async def play() -> None:
        async with evening("lascaux") as table, BarePhone(table, 0) as anna, BarePhone(table, WATCHING) as guest:
            table.prepared()
            await anna.sit()
            await guest.sit()
            chance = Random(1)
            while not table.over:
                table.play_on(chance)
            view = await anna.see(lambda view: "win" in view["headline"] or "share" in view["headline"])
            assert any(line["rule"] == "L17" for line in view["lines"])
            again = next(each for each in view["evening"] if _labels([each]) == ["Next game"])
            assert not guest.view.get("evening")
            assert (await anna.press(again["send"]))["kind"] == "noted"
            await anna.see(lambda view: "box" in view)

    asyncio.run(play())


def test_the_next_game_is_offered_when_one_is_over_and_no_more_when_the_evening_has_ended():
    async def play() -> None:
        async with evening("lascaux") as table:
            table.prepared()
            snapshot = table.referee.snapshot()
            chance = Random(1)
            while not table.over:
                table.play_on(chance)
            over = table.referee.snapshot()
            for shown, wanted in ((snapshot, False), (over, True), (replace(over, ended=True), False)):
                sight = SeatSight(_on_the_wire(shown), find_face("lascaux"), OwnView("", 0, 0, None))
                buttons = msgspec.to_builtins(view(sight, 34, True).evening)
                assert ("Next game" in _labels(buttons)) == wanted

    asyncio.run(play())


def _on_the_wire(snapshot):
    return msgspec.json.decode(msgspec.json.encode(snapshot), type=Snapshot)


def test_who_changes_seats_takes_their_phone_along_and_sees_no_other_players_hand():
    async def play() -> None:
        async with evening("sioux", 3) as table, BarePhone(table, 0) as anna, BarePhone(table, 2) as late:
            await anna.sit()
            chance = Random(1)
            while not table.over:
                table.play_on(chance)
            table.heed(NextGame("moved", (1, 0, 2)))  # Ben and Anna change seats
            table.prepared()
            table.act("play", seat=0, card="9")  # Ben's
            view = await anna.see(lambda view: view["entry"] == table.evening.number)
            assert view["name"] == "Anna"
            assert "Face down: 9" not in str(view.get("hand"))
            assert (await anna.act(do="play", seat=0, card="8"))["kind"] == "refused"
            hers = next(each for each in table.legal() if each["seat"] == 1)
            assert (await anna.act(**hers))["kind"] == "accepted"
            assert await late.join(table.codes[1]) == 204  # the code that was Ben's is Ben's
            assert (await late.come())["name"] == "Ben"

    asyncio.run(play())


def test_a_wide_phone_gets_what_a_screen_draws_and_a_narrow_one_what_fits():
    async def play() -> None:
        async with evening("lascaux") as table, BarePhone(table, 0) as narrow, BarePhone(table, 1) as wide:
            table.prepared()
            await narrow.sit(cells=34)
            await wide.sit(cells=100)
            assert _width(narrow.view) <= 34
            assert 66 <= _width(wide.view) <= 100

    asyncio.run(play())


def _width(view):
    return max(sum(len(run[0]) for run in line) for panel in view["panels"] for line in panel)
