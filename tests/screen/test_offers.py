"""Whatever is offered has a choice: every button, key and menu of every game, on the screen and on phones."""

import asyncio
import shutil
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.gamekit import discovery
from companion.gamekit.contract.played_games import options_of
from companion.gamekit.game import Refusal
from companion.gamekit.game_start import read_action
from companion.gamekit.screen.face import Choice, Menu, Sight, next_menu
from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.snapshot import OwnView, Snapshot
from companion.referee.event_loop import Process
from companion.screen.app import CompanionApp
from companion.screen.screens.table_screen import TableScreen
from companion.screen.widgets.button_bar import keys_now
from companion.web import phone_menus
from companion.web.seat_sight import SeatSight
from tests.places import short_folder
from tests.screen.games import positions, seen
from tests.screen.table import SMALL, looked
from tests.session.test_dealt_hands import PERSON, Solo

GAMES = ("lascaux", "sioux", "darwinci", "carnuta")
PRESSES = 120
SEEDS = (3, 4, 5)
every_game = pytest.mark.parametrize("game", GAMES)


def test_a_menu_without_choices_is_refused_by_its_name() -> None:
    with pytest.raises(ValueError, match="'Which card do you play\\?' has no choices"):
        Menu("Which card do you play?", [])


# --- Menus, whichever the screen -------------------------------------------------------------------------------------


def option_sets(game: str, chance: Random) -> Iterator[dict[str, Any]]:
    """Some of all combinations of table options, the usual one first."""
    known = options_of(discovery.find(game).options)
    combined = [dict(zip(known, values, strict=True)) for values in product(*known.values())]
    yield {}
    yield from chance.sample(combined, min(5, len(combined)))


def leaves(menu: Menu, chance: Random) -> Iterator[Any]:
    """What is chosen in the end, on some of the ways through a menu; all of its first choices are looked at."""
    for choice in menu.choices:
        assert str(choice.label).strip()
    possible = [choice for choice in menu.choices if not choice.refused]
    for choice in chance.sample(possible, min(3, len(possible))):
        below = next_menu(choice.value)
        yield from leaves(below, chance) if below else [choice.value]


def asked(sight: Sight, chance: Random) -> Iterator[Any]:
    """All that a face asks a screen's persons."""
    for command in sight.face.commands(sight):
        actions = command.of(sight)
        if actions and sight.face.dialog(sight, actions, lambda _action: None) is None:
            yield from leaves(sight.face.choices(sight, actions), chance) if len(actions) > 1 else [actions[0]]


@every_game
def test_every_question_has_an_answer_in_every_state_and_with_all_options(game: str) -> None:
    chance, rules = Random(5), discovery.find(game)
    for number, options in enumerate(option_sets(game, chance)):
        for state in positions(game, number, **options)[::7]:
            snapshot = seen(game, state, options=options)
            snapshot = msgspec.json.decode(msgspec.json.encode(snapshot), type=Snapshot)
            assert all(isinstance(leaf, dict) for leaf in asked(Sight(snapshot, find_face(game)), chance))
            for seat in range(len(snapshot.players)):
                own = rules.own_view(state, seat) if rules.own_view else None
                view = OwnView("", seat, 1, own, tuple(rules.own_offers(state, seat)))
                view = msgspec.json.decode(msgspec.json.encode(view), type=OwnView)
                on_phone = SeatSight(snapshot, find_face(game), view)
                list(phone_menus.buttons(on_phone))
                for _number, _command, actions in phone_menus.offered(on_phone):
                    menu = on_phone.face.phone_menu(on_phone, actions)
                    assert all(isinstance(leaf, dict) for leaf in (leaves(menu, chance) if menu else actions[:1]))


# --- A phone that presses anything ----------------------------------------------------------------------------


def through(menu: Menu, chance: Random) -> Any:
    """Some way through a menu, to what is chosen."""
    value = menu
    while isinstance(value, Menu):
        choice: Choice = chance.choice([each for each in value.choices if not each.refused])
        value = next_menu(choice.value) or choice.value
    return value


@pytest.mark.parametrize("number", range(3))
@every_game
def test_a_person_who_presses_anything_on_a_phone_plays_on_and_is_never_refused(
    tmp_path: Path, game: str, number: int
) -> None:
    """On a simulated table everything that is behind a button of one's own phone is accepted."""
    chance = Random(number)
    options = list(option_sets(game, chance))[number]
    rules, solo = discovery.find(game), Solo(tmp_path, game, number, **options)
    for _press in range(60):
        solo.wait()
        snapshot = msgspec.json.decode(msgspec.json.encode(solo.seen), type=Snapshot)
        own = msgspec.json.decode(msgspec.json.encode(solo.own()), type=OwnView)
        sight = SeatSight(snapshot, find_face(game), own)
        found = phone_menus.offered(sight)
        if not found:
            assert snapshot.awaiting is None or PERSON not in snapshot.awaiting.seats
            break
        _number, _command, actions = chance.choice(found)
        menu = sight.face.phone_menu(sight, actions)
        action = through(menu, chance) if menu else actions[0]
        outcome = rules.at_table(solo.evening.state, read_action(rules, action))
        assert not isinstance(outcome, Refusal), (action, outcome)
        solo.act(action)


# --- A person who presses any key -----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
@every_game
def test_a_person_who_presses_any_key_never_brings_the_screen_down(tmp_path: Path, game: str, seed: int) -> None:
    """Every key that begins an action now, and whatever a question asks for."""

    async def story() -> None:
        chance = Random(seed)
        solo = Solo(tmp_path, game, seed, **chance.choice(list(option_sets(game, chance))))
        solo.wait()
        folder = short_folder()
        process = Process(solo.referee, solo.journal, folder / "s")
        serving = asyncio.create_task(process.run([]))
        app = CompanionApp(folder / "s")
        try:
            async with app.run_test(size=SMALL) as pilot:
                while app.conversation is None or not app.conversation.drawn:
                    await asyncio.sleep(0.001)
                pressed: set[str] = set()
                for _press in range(PRESSES):
                    if isinstance(app.screen, TableScreen):
                        solo.wait()
                        process._publish()
                        await pilot.pause()
                    key = chance.choice(_keys(app, pressed))
                    pressed.add(key)
                    await pilot.press(key)
                    await looked(app, pilot)
                assert len(pressed) > 10
        finally:
            serving.cancel()
            await asyncio.wait([serving])
            shutil.rmtree(folder)

    asyncio.run(story())


def _keys(app: CompanionApp, pressed: set[str]) -> list[str]:
    """On the table what begins an action, first what was not pressed yet; in a dialog what it may listen to."""
    sight = app.conversation.screen._sight if app.conversation else None
    if isinstance(app.screen, TableScreen) and sight is not None:
        now = sorted(keys_now(sight))
        return [key for key in now if key not in pressed] or [*now, "i", "h", "m", "u", "w"]
    return [*"1234567890abcdxy", "enter", "enter", "escape", "tab", "up", "down", "left", "right", "space"]
