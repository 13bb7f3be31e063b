"""Carnuta on the screen: every action by key and by mouse, everything in sight, nothing secret, in both languages."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from rich.cells import cell_len

from companion.gamekit.screen.face import Action, Menu, Sight
from companion.gamekit.sign_table import NOTHING
from companion.gamekit.snapshot import OwnView, Told
from companion.games.carnuta.screen import cards, menus, signs
from companion.games.carnuta.screen.face import FACE, payment
from companion.language.screen_language import speak
from companion.messages.intentions import Peek
from companion.screen.screens.replay_controls import _hands
from companion.screen.screens.table_screen import TableScreen
from tests.games.carnuta.screen.evening import (
    GAME,
    LARGE,
    MOMENTS,
    SMALL,
    STARTS,
    Moment,
    RefereedTable,
    begun,
    likely,
    phase,
    plain,
    play,
    refereed_table,
    screen,
)

TRACK = "···#·*·#·*·"
FIRST_BOARD = 11
"""The row of the first board: above it stands what its columns are."""


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    speak("en")


def body(sight: Sight, width: int, tall: bool = False) -> str:
    return "\n".join(panel.plain for panel in FACE.panels(sight, width, tall))


# --- Every action ---------------------------------------------------------------------------------------------


KINDS = ("start", "deal", "take", "flip", "sickle", "play", "salt", "runes", "discard", "done", "bonus")


@pytest.mark.parametrize("by_mouse", [False, True], ids=["by key", "by mouse"])
def test_every_kind_of_action_is_given_on_the_screen(by_mouse: bool) -> None:
    async def story() -> None:
        chance = Random(3)
        with refereed_table(3) as at:
            async with screen(at) as tonight:
                for kind in KINDS:
                    await tonight.skip(lambda state, kind=kind: bool(of_kind(kind, state)), chance)  # type: ignore[misc]
                    action = chance.choice(of_kind(kind, at.state))
                    assert await tonight.give(action, by_mouse=by_mouse) == action
                    assert isinstance(tonight.app.screen, TableScreen), kind
                    assert plain(at.evening.played_game.played[-1].action) == action

    play(story)


def of_kind(kind: str, state: Any) -> list[Action]:
    """The legal actions of a kind; salt is a card that is played, too."""
    legal = [plain(action) for action in GAME.legal(state)]
    if kind == "salt":
        return [each for each in legal if each["do"] == "play" and "as" in each]
    return [each for each in legal if each["do"] == kind]


@pytest.mark.parametrize(
    ("options", "moment", "wanted"),
    [
        ({"partial_runes": True}, lambda state: len(GAME.legal(state)) and _fewer(state), {"do": "runes", "count": 1}),
        ({"start_card": "played"}, phase("start"), {"do": "start", "card": "salt-4", "as": "moth"}),
        ({"start_card": "played"}, phase("start"), {"do": "start", "card": "moth-8"}),
    ],
    ids=["fewer runes", "salt as start card", "start card that is played"],
)
def test_options_bring_more_to_choose_from(options: Any, moment: Moment, wanted: Action) -> None:
    async def story() -> None:
        with refereed_table(2, **options) as at:
            at.wander(moment, 1)
            legal = [plain(action) for action in GAME.legal(at.state)]
            action = next(each for each in legal if wanted.items() <= each.items())
            async with screen(at) as tonight:
                assert await tonight.give(action) == action

    play(story)


def _fewer(state: Any) -> bool:
    return any("count" in plain(action) for action in GAME.legal(state))


def test_an_only_choice_needs_no_question() -> None:
    async def story() -> None:
        with refereed_table(2) as at:
            at.do(*begun(), {"do": "flip", "seat": 0, "face": "sun"})
            async with screen(at) as tonight:
                await tonight.press("f")
                await tonight.until(lambda: len(tonight.process.heard) == 1)
                await tonight.settle()
            assert at.state.actions_left == 0

    play(story)


def test_esc_leaves_every_question_and_nothing_has_changed() -> None:
    async def story() -> None:
        with refereed_table(2) as at:
            at.do(*begun())
            async with screen(at) as tonight:
                for key in ("c", "p", "f", "k"):
                    await tonight.press(key)
                    assert not isinstance(tonight.app.screen, TableScreen)
                    await tonight.press("escape")
                    assert isinstance(tonight.app.screen, TableScreen)
                assert tonight.process.heard == []

    play(story)


# --- A whole game ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_game_is_played_from_its_first_to_its_last_action_by_keys_alone() -> None:
    async def story() -> None:
        chance = Random(2)
        with refereed_table(2) as at:
            async with screen(at) as tonight:
                while not at.state.rows.sun:
                    await tonight.give(plain(likely(at.state, chance)))
                await tonight.skip(phase("act", 2), chance)
                while at.state.turn == 0:
                    await tonight.give(plain(likely(at.state, chance)))
                await tonight.skip(lambda state: state.last_round and state.turn == 1, chance)
                while at.state.phase != "over":
                    action = plain(likely(at.state, chance))
                    assert await tonight.give(action) == action
                assert "The scoring (1/" in tonight.text()
                await tonight.press("escape")
                text = tonight.text()
                assert "n Next game" in text
                totals = next(line for line in text.splitlines() if "total" in line).split()
                assert [str(score.total) for score in GAME.scores(at.state)] == totals[1:3]

    play(story)


def test_one_person_plays_against_simulated_neighbours_and_chooses_without_handing_over() -> None:
    async def story() -> None:
        with refereed_table(3, simulated=(1, 2)) as at:
            async with screen(at) as tonight:
                action = {"do": "start", "seat": 0, "card": "egg-3"}
                assert await tonight.give(action) == action
                assert "c Take" not in tonight.text()
                await tonight.press("s", "c", "p")
                assert isinstance(tonight.app.screen, TableScreen)

    play(story)


def test_a_spectator_can_do_nothing() -> None:
    async def story() -> None:
        with refereed_table(2) as at:
            at.do(*begun())
            async with screen(at, watch=True) as tonight:
                await tonight.press("c", "p", "r", "f", "k", "e", "d")
                assert isinstance(tonight.app.screen, TableScreen)
                assert "Take" not in tonight.text().splitlines()[-2]
                assert tonight.process.heard == []

    play(story)


# --- What can be seen -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["en", "de"])
def test_on_the_small_screen_everything_essential_is_in_sight_at_any_moment(code: str) -> None:
    async def story() -> None:
        chance = Random(4)
        with refereed_table(4) as at:
            async with screen(at, language=code) as tonight:
                for name, moment in MOMENTS.items():
                    await tonight.skip(moment, chance)
                    if name != "over":
                        _see(at, tonight.text().splitlines())

    play(story)


def _see(at: RefereedTable, lines: list[str]) -> None:
    assert len(lines) == SMALL[1]
    _see_rows(at, lines)
    _see_boards(at, lines)
    for number in (at.state.reserve.sun, at.state.reserve.moon):
        assert f" {number}" in lines[9]
    assert "runes" in lines[FIRST_BOARD - 1] or "Runen" in lines[FIRST_BOARD - 1]
    assert lines[15].strip() or at.state.phase == "start"  # what happened
    assert len(lines[-2].split()) >= 4  # an action, undo, more


def _see_rows(at: RefereedTable, lines: list[str]) -> None:
    """Cost and symbols of all open cards, and the decks."""
    state = at.state
    for top, face in ((4, "sun"), (6, "moon")):
        signs = {"flip sun": "☼↕", "flip moon": ")↕", "remove sun": "☼−", "remove moon": ")−"}
        for card in state.rows.of(face):
            assert "".join(signs[symbol] for symbol in state.cards[card].cost) in lines[top]
            assert str(state.cards[card].points) in lines[top + 1]
        assert re.search(rf"▒ {len(state.decks.of(face))}\b", lines[top + 1])


def _see_boards(at: RefereedTable, lines: list[str]) -> None:
    """Runes, padlocks, track, sickles and columns of all players."""
    for seat, player in enumerate(at.state.players):
        line = lines[FIRST_BOARD + seat]
        free = player.slots - player.runes.sun - player.runes.moon
        assert "☼" * player.runes.sun + ")" * player.runes.moon + "·" * free + "#" * (6 - player.slots) in line
        field = min(len(player.played), len(TRACK))
        assert TRACK[: max(0, field - 1)] + "@" * bool(field) + TRACK[field:] in line
        assert f"S{player.sickles}" in line
        for ingredient in {played.column for played in player.played}:
            count = sum(played.column == ingredient for played in player.played)
            assert f"{signs.ingredient(ingredient).short}{count}" in line


@pytest.mark.parametrize("code", ["en", "de"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_line_is_wider_than_the_screen_and_the_small_one_keeps_room_for_words(players: int, code: str) -> None:
    speak(code)
    chance = Random(players)
    with refereed_table(players, names=("Benedikta", "漢字" * 4, "[/b]", "W" * 16)) as at:
        while at.state.phase != "over":
            at.do(plain(likely(at.state, chance)))
            if chance.random() < 0.2 or at.state.phase == "bonus":
                sight = at.sight()
                width = chance.choice((66, 80, 100, 160))
                for tall in (False, True):
                    lines = body(sight, width, tall).splitlines()
                    assert max(map(cell_len, lines)) <= width
                    assert len(lines) <= (16 if tall else 10 + (players == 4)), (
                        "of four, the notices lie over the table"
                    )
                if at.state.turn != 3:
                    headline = FACE.headline(sight)
                    assert min(cell_len(words) for words in (headline.sentence, headline.yours) if words) <= 66


def test_cards_that_cannot_be_paid_are_marked_while_a_player_thinks() -> None:
    with refereed_table(2) as at:
        at.do(*begun(), {"do": "flip", "seat": 0, "face": "moon"})
        shown = [*at.sight().table.rows.sun, *at.sight().table.rows.moon, *at.sight().table.known[0]]
        assert len(at.sight().table.payable) == 3
        assert body(at.sight(), 66).count("!") == len(set(shown) - set(at.sight().table.payable))
        at.do({"do": "flip", "seat": 0, "face": "sun"})
        assert "!" not in body(at.sight(), 66)


def test_a_payment_says_which_runes_to_turn_and_which_to_remove() -> None:
    with refereed_table(2) as at:
        at.do(*begun(), {"do": "take", "seat": 0, "card": "skull-1"}, {"do": "deal", "row": "moon", "card": "moth-4"})
        at.do({"do": "play", "seat": 0, "card": "skull-1"})
        assert at.sight().say(at.sight().snapshot.history[-1]).endswith("marker on 1")
        at.do({"do": "done", "seat": 0}, {"do": "take", "seat": 1, "card": "moth-4"})
        at.do({"do": "deal", "row": "moon", "card": "moth-3"})
        assert "turn" not in FACE.headline(at.sight()).sentence
    with refereed_table(2) as at:
        at.do(*begun(2, ("moth-2", "egg-1")), {"do": "play", "seat": 0, "card": "moth-2"})
        assert FACE.headline(at.sight()).sentence == "Anna: turn 1 moon, remove 1 moon; 1 action"
        assert FACE.headline(at.sight()).yours == "turn 1 moon, remove 1 moon; 1 action"
        speak("de")
        assert FACE.headline(at.sight()).sentence == "Anna: 1 Mond drehen, 1 Mond entfernen; 1 Aktion"


def test_what_green_steps_through_is_a_question_on_the_screen() -> None:
    with refereed_table(2) as at:
        at.do(*begun())
        asked = set()
        for _press in range(14):
            at.press("green")
            asked.add(FACE.headline(at.sight()).sentence)
        assert "Anna: flip 2 runes showing the sun? Hold green" in asked
        assert "Anna: spend a sickle on the moon row? Hold green" in asked
        assert "Anna: take salt (0)? Hold green" in asked
        assert not any("egg (1)" in words for words in asked)  # the start card is no player's business
        at.press("green", held=True)
        assert at.sight().snapshot.draft is None


@pytest.mark.parametrize("size", [SMALL, LARGE, (160, 45)])
def test_the_hand_of_whose_turn_it_is_lies_open_but_for_the_start_card(size: tuple[int, int]) -> None:
    async def story() -> None:
        with refereed_table(2) as at:
            at.do(
                *begun(),
                {"do": "take", "seat": 0, "card": "mushroom-1"},
                {"do": "deal", "row": "moon", "card": "moth-4"},
            )
            async with screen(at, size) as tonight:
                line = next(line for line in tonight.text().splitlines() if line.lstrip().startswith("hand"))
                assert "start card" in line
                assert re.search("mushr", line)
                board = next(line for line in tonight.text().splitlines() if re.match("► *Anna", line))
                assert re.search(r"Mu\?|mushroom +\?", board)

    play(story)


# --- Secrets --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_two_tables_that_differ_only_in_a_start_card_look_alike(size: tuple[int, int]) -> None:
    looks: list[list[Any]] = []

    async def story(secret: str) -> None:
        seen: list[Any] = []
        with refereed_table(2) as at:
            at.do(*begun(2, (secret, "moth-2")))
            async with screen(at, size) as tonight:
                seen.append(tonight.painted())
                for keys in (("p",), ("4",), ("escape", "c"), ("escape", "h")):
                    await tonight.press(*keys)
                    seen.append(tonight.painted())
        looks.append(seen)

    for secret in ("egg-1", "salt-8"):
        play(lambda secret=secret: story(secret))  # type: ignore[misc]
    assert looks[0] == looks[1]


def test_the_screen_is_handed_over_before_a_start_card_is_named() -> None:
    async def story() -> None:
        with refereed_table(2) as at:
            async with screen(at) as tonight:
                await tonight.press("s")
                assert "Hand the screen to Anna" in tonight.text()
                assert "egg" not in tonight.text()
                await tonight.press("enter")
                assert "only you should see this" in tonight.text()
                await tonight.press("4", "3")
                await tonight.until(lambda: len(tonight.process.heard) == 1)
                await tonight.settle()
                assert at.state.players[0].secret == "egg-3"
                assert "egg" not in tonight.text()
                await tonight.press("s")
                assert "Hand the screen to Benedikta" in tonight.text()

    play(story)


# --- A hand without anything to play --------------------------------------------------------------------------

SEED = 7
"""Deals Anna a start card that asks for three suns."""


@pytest.mark.parametrize("simulated", [(1,), ()], ids=["against a simulated player", "two persons"])
def test_C17_playing_is_offered_with_an_unpaid_start_card_and_its_owner_is_told_that_nothing_can_be_played(
    simulated: tuple[int, ...],
) -> None:
    """Whether a start card can be paid is its owner's secret, so the button stays; what it opens is no empty menu."""

    async def story() -> None:
        with refereed_table(2, simulated=simulated, seed=SEED) as at:
            mine = at.referee.inform(Peek("", 0)).dealt[0].id
            theirs = next(card for card in STARTS if card != mine)
            rows = [card.id for face in ("sun", "moon") for card in _dealable(at.state, face, (mine, theirs))]
            at.do({"do": "start", "seat": 0, "card": mine}, {"do": "start", "seat": 1, "card": theirs})
            at.do(*({"do": "deal", "row": at.state.cards[card].deck, "card": card} for card in rows))
            assert at.state.players[0].hand == (mine,)
            kinds = [{type(action).__name__ for action in some(at.state)} for some in (GAME.legal, GAME.offered)]
            assert ["Play" in each for each in kinds] == [False, True], "it is offered, and it is not possible"
            async with screen(at) as tonight:
                entry = at.evening.number
                await tonight.press("p")
                if not simulated:
                    await tonight.press("enter")
                await tonight.until(lambda: "Nothing in your hand can be used for this now" in tonight.text())
                await tonight.press("escape")
                await tonight.press("c", "1")
                await tonight.until(lambda: at.evening.number > entry)

    play(story)


def _dealable(state: Any, face: str, taken: tuple[str, ...]) -> list[Any]:
    return [card for card in state.box.cards if card.deck == face and card.id not in taken][:4]


def test_C17_every_player_sees_a_deck_to_choose_the_start_card_from_and_its_owner_sees_that_one_card() -> None:
    with refereed_table(2) as at:
        at.do(*begun(2))
        sight = at.sight()
        all_players = FACE.choices(sight, sight.doing("play"))
        assert all_players.title == "Which card is it?"
        assert all(isinstance(choice.value, Menu) for choice in all_players.choices), "an ingredient leads to its cards"
        mine = [action for action in sight.doing("play") if action["card"] == STARTS[0]]
        alone = FACE.choices(sight, mine)
        assert alone.title == "Which card do you play?"
        assert [choice.value for choice in alone.choices] == mine
        at.do({"do": "take", "seat": 0, "card": "honey-2"}, {"do": "deal", "row": "sun", "card": "honey-5"})
        sight = at.sight()
        both = FACE.choices(sight, sight.doing("play"))
        assert both.title == "Which card do you play?"
        taken, start_card = both.choices
        assert taken.value == {"do": "play", "seat": 0, "card": "honey-2"}
        assert isinstance(start_card.value, Menu)
        assert start_card.value.title == "Which card is it?"


def test_C17_a_start_card_that_lies_in_a_row_too_is_marked_once_in_its_players_hand_with_a_remark() -> None:
    with refereed_table(2, simulated=()) as at:
        at.do({"do": "start", "seat": 0, "card": "honey-2"}, {"do": "start", "seat": 1, "card": STARTS[1]})
        row = ["honey-2", *(card.id for card in _dealable(at.state, "sun", ("honey-2", STARTS[1]))[:3])]
        at.do(*({"do": "deal", "row": "sun", "card": card} for card in row))
        at.do(*({"do": "deal", "row": "moon", "card": card.id} for card in _dealable(at.state, "moon", STARTS)))
        remark = "This card is elsewhere, too. Play the one that you really hold."
        for taken in ([], [{"do": "take", "seat": 0, "card": "honey-2"}]):
            at.do(*taken)
            looks = [at.referee.inform(Peek("", seat)) for seat in range(2)]
            hands = [str(menus.hand(Sight(at.sight().snapshot, FACE, own_view=_sent(look)))) for look in looks]
            assert [(hand.count("the start card"), hand.count(remark)) for hand in hands] == [(1, 1), (1, 0)]
            open_hands = str(_hands(Sight(at.sight().snapshot, FACE), tuple(map(_sent, looks))))
            assert all(hand in open_hands for hand in hands), "a replay shows them one below the other"


def _sent(look: OwnView) -> OwnView:
    """As a screen gets it."""
    return msgspec.json.decode(msgspec.json.encode(look), type=OwnView)


def test_C10_with_flip_any_every_number_of_runes_is_a_choice_of_its_own() -> None:
    with refereed_table(2, flip="any") as at:
        at.do(*begun(2))
        sight = at.sight()
        menu = FACE.choices(sight, sight.doing("flip"))
        assert [str(choice.label) for choice in menu.choices] == [
            *("2 × ☼ sun ↕ moon", "1 × ☼ sun ↕ moon", "2 × ) moon ↕ sun", "1 × ) moon ↕ sun")
        ]
        assert [choice.value.get("count") for choice in menu.choices] == [None, 1, None, 1]


def test_C9_C10_without_the_options_a_count_is_an_extra_field_on_the_screen_too() -> None:
    chance, seen = Random(4), set[str]()
    with refereed_table(2) as at:
        while seen != {"flip", "runes"}:
            at.do(plain(likely(at.state, chance)))
            sight = at.sight()
            for offered in filter(None, map(sight.doing, ("flip", "runes"))):
                seen.add(offered[0]["do"])
                counted = [action | {"count": 1} for action in offered]
                menus = [FACE.choices(sight, actions) for actions in (offered, counted)]
                labels = [[str(choice.label) for choice in menu.choices] for menu in menus]
                assert labels[0] == labels[1]


def test_C5_runes_of_both_faces_are_asked_for_in_the_order_of_the_rulings() -> None:
    """Suns before moons, as they were told."""
    with refereed_table(2) as at:
        sight = at.sight()
        facts = [{"seat": 0, "count": count, "face": face} for face, count in (("sun", 2), ("moon", 1))]
        for what, asked in (("turns runes", "turn {}"), ("removes runes", "remove {}")):
            told = [Told(number, "accepted", what, "C5", each) for number, each in enumerate(facts, 2)]
            history = (Told(1, "accepted", "plays a card", "C5", {"seat": 0}), *told)
            runes = [payment(sight.with_history((history[0], each))).split(" ", 1)[1] for each in told]
            assert payment(sight.with_history(history)) == asked.format(" + ".join(runes))


def test_a_place_that_waits_for_a_card_has_a_line_on_its_ground() -> None:
    assert [line.plain for line in cards.empty(4, 3)] == ["    ", "    ", NOTHING * 4]
