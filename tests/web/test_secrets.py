"""A phone gets its own seat's view, never another's: looked at in the bytes of its WebSocket."""

import asyncio
from random import Random
from typing import NamedTuple

import msgspec
import pytest

from companion.gamekit.contract import GameContract
from companion.gamekit.contract.part_properties import seen
from companion.gamekit.game import Setup
from companion.gamekit.screen.face import Sight
from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.snapshot import OwnView
from companion.language.screen_language import LANGUAGES, speak
from companion.web.access_codes import WATCHING
from companion.web.phone_menus import offered, opened
from companion.web.phone_view import all_lines, view
from companion.web.seat_sight import SeatSight
from tests.games import test_contract as contract
from tests.ours import GAMES
from tests.web.evening import BarePhone, PhonesTable, evening

CELLS = (34, 100)


def _played(name: str, games: int) -> GameContract:
    """The game as its own contract plays it, so many times."""
    found = {
        each.name: each
        for each in (contract.TestLascaux, contract.TestSioux, contract.TestDarwinci, contract.TestCarnuta)
    }
    kind = type("Played", (found[name],), {"games": games, "looks": 0.15})
    played: GameContract = kind()
    return played


def _all_a_phone_gets(played: GameContract, setup: Setup, state: object, viewer: int) -> list[bytes]:
    """In every language and size: the view, all lines, and every menu that can be opened."""
    game, face = played.game, find_face(played.name)
    snapshot = seen(game, setup, state)
    if viewer == WATCHING:
        sight = Sight(snapshot, face, watching=True)
    else:
        hand = game.own_view(state, viewer) if game.own_view else None
        own = OwnView("", viewer, 1, hand, tuple(played._some(game.own_offers(state, viewer))))
        sight = SeatSight(snapshot, face, msgspec.json.decode(msgspec.json.encode(own), type=OwnView))
    told: list[object] = []
    for code in LANGUAGES:
        speak(code)
        told += [view(sight, cells, True) for cells in CELLS]
        told += [opened(sight, (number,)) for number, _command, _actions in offered(sight)]
        told.append(all_lines(sight))
    speak("en")
    return [msgspec.json.encode(each) for each in told]


@pytest.mark.parametrize("name", GAMES)
def test_whatever_one_player_hides_looks_the_same_on_every_other_players_phone(name):
    """All options, numbers of players and viewers: two tables that differ in one secret give the same bytes."""
    played = _played(name, 12)
    compared = differing = 0
    seen_enough: list[Setup] = []  # one moment of each game: all options are mixed in them
    for setup, moment, chance in played.looked_at():
        twins = played._twins(moment, chance)
        owner = played.game.conceals(moment.action)
        if twins is None or owner is None or setup in seen_enough:
            continue
        seen_enough.append(setup)
        for viewer in (*range(setup.players), WATCHING):
            one, other = (_all_a_phone_gets(played, setup, twin.state, viewer) for twin in twins[:2])
            if viewer != owner:
                assert one == other, f"{viewer} sees what {owner} hides"
                compared += 1
            else:
                differing += one != other
    assert compared > 0
    assert differing > 0, "not even its owner sees it: nothing was compared"


class Fork(NamedTuple):
    """A game up to a secret action, that action, another one in its place, and whose it is."""

    setup: Setup
    before: list[dict]
    one: dict
    other: dict
    owner: int


def _fork(name: str, number: int) -> Fork:
    """One of each game's setups that has secrets, early or later in the game."""
    played = _played(name, 12)
    found = [fork for seed, setup in enumerate(played.setups()) if (fork := _first_fork(played, setup, seed))]
    return found[number % len(found)]


def _first_fork(played: GameContract, setup: Setup, seed: int) -> Fork | None:
    chance, done = Random(seed), []
    for moment in played.played(setup, seed):
        owner = played.game.conceals(moment.action)
        if owner is not None and not moment.step.revealed and len(done) >= 4 * (seed % 3):
            others = [
                each
                for each in played.game.legal(moment.before)
                if type(each) is type(moment.action)
                and each != moment.action
                and played.game.conceals(each) == owner
                and played.alike(moment.before, moment.action, each)
            ]
            if others:
                one, other = msgspec.to_builtins(moment.action), msgspec.to_builtins(chance.choice(others))
                return Fork(setup, done, one, other, owner)
        done.append(msgspec.to_builtins(moment.action))
        if len(done) > 60:
            break
    return None


async def _bytes(
    table: PhonesTable, before: list[dict], secret: dict, owner: int, players: int
) -> dict[int, list[bytes]]:
    """Everything that was sent to all players since just before a player chose in secret."""
    table.prepared()
    for action in before:
        assert table.act(**action).kind == "accepted"
    phones = {chair: BarePhone(table, chair) for chair in (*range(players), WATCHING)}
    for phone in phones.values():
        await phone.sit()
    assert (await phones[owner].act(**secret))["kind"] == "accepted"
    entry = table.evening.number
    for phone in phones.values():
        await phone.see(lambda now: now["entry"] == entry)
        for number in range(6):
            await phone.say({"is": "open", "path": [number]})
            await phone.hear(lambda message: message["is"] == "menu")
        await phone.say({"is": "describe"})
        await phone.hear(lambda message: message["is"] == "words")
        await _touch(table, phone)
        await phone.say({"is": "why", "line": -1})
        await phone.hear(lambda message: message["is"] == "lines")
        await phone.leave()
    return {chair: phone.bytes for chair, phone in phones.items()}


async def _touch(table: PhonesTable, phone: BarePhone) -> None:
    """This phone touches some pieces of every player, and only asks what they are: it may, but it learns no secret."""
    pieces = table.referee.session._seat_pads.pack.tags.items() if phone.chair != WATCHING else ()
    owned = [uid for uid, piece in pieces if piece.owner is not None][::9] or [uid for uid, _piece in pieces]
    for uid in owned[:6]:
        table.now += 10
        await phone.say({"is": "tap", "id": uid, "uid": uid, "ask": True})
        await phone.hear(lambda message, uid=uid: message["is"] == "answer" and message["id"] == uid)


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("name", GAMES)
def test_on_the_wire_no_other_player_gets_a_byte_of_it(name, number):
    """The same through real sockets: two evenings that differ in one secret send the others the same bytes."""
    fork = _fork(name, number)
    options, players = msgspec.to_builtins(fork.setup.options), fork.setup.players

    async def play(secret: dict) -> dict[int, list[bytes]]:
        async with evening(name, players, options=options, first=fork.setup.first) as table:
            return await _bytes(table, fork.before, secret, fork.owner, players)

    first, second = asyncio.run(play(fork.one)), asyncio.run(play(fork.other))
    for chair in first:
        if chair != fork.owner:
            assert first[chair] == second[chair]
    assert first[fork.owner] != second[fork.owner]
