"""The table of Sioux on the screen: every question by key and by mouse, reveals as moments, secrets kept."""

import asyncio
import gc
from collections.abc import Awaitable, Callable
from itertools import count
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from textual.content import Content

from companion.drawing.event_lines import told_lines
from companion.gamekit.screen.face import Menu, Sight
from companion.gamekit.screen.letters import big
from companion.gamekit.snapshot import OwnView, Snapshot, Told
from companion.games.sioux.screen.face import FACE
from companion.games.sioux.simulated import best_order
from companion.games.sioux.view import OwnHand
from companion.language.screen_language import speak
from companion.messages.intentions import Act, Agree, Undo
from companion.screen.screens.handover import Secret
from companion.screen.screens.show_dialog import Show
from companion.screen.screens.table_screen import TableScreen
from tests.games.sioux.screen.evening import (
    BOTH_LEVEL,
    DUEL,
    EMPTY_HANDED,
    GAME,
    LARGE,
    LEVEL,
    NAMES,
    SHAMAN,
    TIED,
    WINTER,
    Evening,
    crow,
    duel,
    evening,
    gifts,
    hunt,
    refereed_table,
)
from tests.games.sioux.screen.keys import QUICK, SEED, answer
from tests.games.sioux.table import Table
from tests.screen.games import seen


def play(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(story())  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def _everybody_takes_his_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Presses that come too fast are not heard; here a second passes between any two."""
    monkeypatch.setattr("companion.gamekit.screen.press_guard.clock", count(0.0).__next__)


async def hand_over(tonight: Evening, name: str, label: str) -> None:
    """By keys: the named one takes the screen and picks."""
    assert f"Hand the screen to {name}" in tonight.text()
    await tonight.take(name)
    await tonight.pick(label)


# --- Laying cards ---------------------------------------------------------------------------------------------


def test_S2_cards_are_laid_by_key_while_the_screen_goes_from_hand_to_hand() -> None:
    async def story() -> None:
        async with evening() as tonight:
            await tonight.press("p")
            await hand_over(tonight, "Anna", "shaman")
            await hand_over(tonight, "Ben", "13")
            await hand_over(tonight, "Cleo", "crow")
            assert await tonight.heard(3) == hunt("shaman", "13", "crow")
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


def test_S2_a_card_is_laid_by_mouse_by_the_only_person_without_handing_over() -> None:
    async def story() -> None:
        async with evening(simulated=(1, 2)) as tonight:
            await tonight.click("Skip")  # the set-up
            await tonight.until(lambda: isinstance(tonight.app.screen, TableScreen))
            await tonight.click("Lay")
            await tonight.click("12")
            assert await tonight.heard() == hunt("12")
            assert "The computer plays for Ben and Cleo. There is nothing to do." in tonight.text()

    play(story)


def test_S24_S25_cards_are_shown_only_to_who_took_the_screen_and_only_those_in_hand() -> None:
    async def story() -> None:
        async with evening(hunt("13", "12", "11")) as tonight:
            await tonight.press("p")
            assert "only you should see this" not in tonight.text()
            await tonight.take("Anna")
            below = tonight.text().split("only you should see this")[1]
            for card in ("crow", "2", "3", "4", "5", "shaman", "9", "10", "11", "12"):
                assert card in below.split()
            assert "13" not in below.split()
            assert "hunter" not in below

    play(story)


def test_a_card_with_a_number_is_laid_by_typing_that_number() -> None:
    async def story() -> None:
        async with evening(simulated=(1, 2)) as tonight:
            await tonight.press("p")
            await tonight.until(lambda: isinstance(tonight.app.screen, Secret))
            await tonight.press("1")
            assert "1_" in tonight.text(), "it is echoed, and waits: there are 10, 11, 12 and 13"
            await tonight.press("1")
            await tonight.until(lambda: any(isinstance(each, Act) for each in tonight.process.heard))
            assert await tonight.heard() == [{"do": "play", "seat": 0, "card": "11"}]

    play(story)


def test_the_own_hand_can_be_looked_at_and_is_gone_from_the_process_afterwards() -> None:
    async def story() -> None:
        async with evening(hunt("13", "12", "11")) as tonight:
            await tonight.do({"do": "play", "seat": 1, "card": "9"})
            await tonight.press("i")
            await tonight.pick("Ben")
            await tonight.pick("I am Ben")
            await tonight.until(lambda: "Face down: 9" in tonight.text())
            assert "In hand: crow, 2, 3, 4, 5, shaman, 10, 11, 13" in tonight.text()
            await tonight.press("escape")
            await tonight.pilot.pause()
            gc.collect()
            assert [each for each in gc.get_objects() if isinstance(each, OwnView | OwnHand)] == []
            assert "Face down" not in tonight.text()

    play(story)


def test_S9_the_hunter_is_offered_to_its_owner_only() -> None:
    async def story() -> None:
        async with evening([*WINTER, {"do": "dealt", "seats": [1, 2]}]) as tonight:
            await tonight.press("p")
            await hand_over(tonight, "Anna", "hunter")
            await tonight.take("Ben")
            assert "hunter" not in tonight.text().split("only you should see this")[1]
            assert (await tonight.heard())[-1] == {"do": "play", "seat": 0, "card": "hunter"}

    play(story)


# --- Answers --------------------------------------------------------------------------------------------------


def test_S7_the_shaman_is_named_by_the_key_of_its_value_or_by_mouse() -> None:
    async def story() -> None:
        async with evening(SHAMAN) as tonight:
            assert "Anna: what does the shaman count?" in tonight.text()
            await tonight.press("s", "7")
            assert await tonight.heard() == [{"do": "name", "seat": 0, "value": 7}]
        async with evening(SHAMAN) as tonight:
            await tonight.click("Shaman")
            await tonight.click("counts 8")
            assert await tonight.heard() == [{"do": "name", "seat": 0, "value": 8}]

    play(story)


def test_S13_both_are_asked_at_once_and_a_player_who_answers_says_who_they_are() -> None:
    async def story() -> None:
        async with evening(TIED) as tonight:
            assert "Anna and Ben: call the cunning crow before the swap?" in tonight.text()
            await tonight.press("x")
            assert "Who does not call the crow?" in tonight.text()
            await tonight.pick("Ben")
            await tonight.heard(1)
            assert "Anna: call the cunning crow before the swap with Ben?" in tonight.text()
            await tonight.press("c")
            assert await tonight.heard(2) == [crow(1, False), crow(0, True)]
        async with evening(TIED) as tonight:
            await tonight.click("Call crow")
            await tonight.click("Ben")
            assert await tonight.heard(1) == [crow(1, True)]

    play(story)


def test_S13_the_only_person_of_the_two_answers_with_one_key() -> None:
    async def story() -> None:
        async with evening(TIED, simulated=(0, 2)) as tonight:
            await tonight.press("x")
            assert await tonight.heard(1) == [crow(1, False)]

    play(story)


def test_S20_the_headline_names_the_dealer_and_not_the_tied() -> None:
    async def story() -> None:
        async with evening(WINTER) as tonight:
            assert "Anna shuffles and deals: who got the supply card 2?" in tonight.text()
            await tonight.press("l")
            assert "Anna mischt und teilt zu: Wer hat die Vorratskarte 2?" in tonight.text()

    play(story)


def test_S13_both_lay_one_more_card_for_the_duel_by_key_and_by_mouse() -> None:
    async def story() -> None:
        async with evening(DUEL) as tonight:
            await tonight.press("p")
            await hand_over(tonight, "Anna", "crow")
            await tonight.click("I am Ben")
            await tonight.click("9")
            assert await tonight.heard(2) == [duel(0, "crow"), duel(1, "9")]
            assert "Anna's crow breaks the tie: no swap" in tonight.text()
            assert "+ crow" in tonight.text()
            assert "+ 9" in tonight.text()

    play(story)


def test_S2_the_reveal_tells_each_card_in_the_order_of_the_seats() -> None:
    async def story() -> None:
        async with evening(hunt("11", "2", "11"), size=LARGE) as tonight:
            assert "Anna, Ben and Cleo played 11, 2" in tonight.text(), "the third is on the next line, beside the plan"

    play(story)


def test_S14_who_has_no_card_left_says_so() -> None:
    async def story() -> None:
        async with evening(EMPTY_HANDED) as tonight:
            await tonight.press("p")
            await hand_over(tonight, "Anna", "lay nothing")
            await tonight.take("Ben")
            await tonight.click("lay nothing")
            assert await tonight.heard(2) == [duel(0, None), duel(1, None)]

    play(story)


def test_S16_a_gift_is_claimed_or_not_by_key_and_by_mouse() -> None:
    async def story() -> None:
        async with evening(LEVEL) as tonight:
            assert "Anna → Ben" in tonight.text()
            await tonight.press("g")
            assert await tonight.heard() == [gifts(1, 0)]
        async with evening(LEVEL) as tonight:
            await tonight.click("No gift")
            assert await tonight.heard() == [gifts(1)]

    play(story)


@pytest.mark.parametrize(
    ("answers", "claimed"), [(("Yes", "Yes"), (0, 1)), (("Yes", "Not"), (0,)), (("Not", "Yes"), (1,))]
)
def test_S16_any_of_several_gifts_may_be_claimed(answers: tuple[str, str], claimed: tuple[int, ...]) -> None:
    async def story() -> None:
        async with evening(BOTH_LEVEL) as tonight:
            await tonight.press("g")
            assert "A gift from Anna?" in tonight.text()
            await tonight.pick(answers[0])
            assert "A gift from Ben?" in tonight.text()
            await tonight.click(answers[1])
            assert await tonight.heard() == [gifts(2, *claimed)]

    play(story)


def test_S20_who_got_which_supply_card_is_told_by_key_and_by_mouse() -> None:
    async def story() -> None:
        async with evening(WINTER) as tonight:
            await tonight.press("d")
            assert "Who got the supply card 2?" in tonight.text()
            await tonight.pick("Cleo")
            assert await tonight.heard() == [{"do": "dealt", "seats": [2, 1]}]
        async with evening(WINTER) as tonight:
            await tonight.click("Dealt")
            await tonight.click("Ben")
            assert await tonight.heard() == [{"do": "dealt", "seats": [1, 2]}]

    play(story)


def test_S20_what_hands_have_said_with_the_buttons_is_shown_and_the_screen_goes_on_from_there() -> None:
    async def story() -> None:
        winter = [*hunt("13", "2", "2", "2"), *hunt("12", "3", "3", "3")]
        async with evening(winter, NAMES[:4]) as tonight:
            tonight.table.press("pad2", "green")
            tonight.process._publish()
            await tonight.settle()
            assert "3  → Cleo    2  → ?    1  → ?" in tonight.text()
            assert "who got the supply card 2?" in tonight.text()
            await tonight.press("d")
            await tonight.pick("Dora")
            assert await tonight.heard() == [{"do": "dealt", "seats": [2, 3, 1]}]

    play(story)


# --- Moments --------------------------------------------------------------------------------------------------


def test_the_reveal_shows_all_cards_the_difference_and_the_animals() -> None:
    async def story() -> None:
        async with evening(hunt("13", "2", "4"), size=LARGE) as tonight:
            text = tonight.text()
            assert "13 − 4 = 9 → Anna  1 bison   1 bear" in text
            row = next(line for line in text.splitlines() if "highest" in line)
            assert row.index("highest") < row.index("second")

    play(story)


def test_after_a_swap_and_a_gift_it_is_told_which_animals_go_from_whom_to_whom() -> None:
    async def story() -> None:
        swap = [*hunt("5", "3", "2"), *hunt("13", "13", "3"), crow(0, False), crow(1, False)]
        async with evening(swap) as tonight:
            assert "Anna → Ben  1 turkey" in tonight.text()
            assert "Ben → Anna nothing" in tonight.text()
        async with evening([*LEVEL, gifts(1, 0)]) as tonight:
            assert "5 − 3 = 2 → Ben  1 turkey    Anna → Ben  1 turkey" in tonight.text()

    play(story)


def test_the_winter_tells_who_gets_which_supply_card_and_the_hunter() -> None:
    async def story() -> None:
        async with evening([*WINTER, {"do": "dealt", "seats": [2, 1]}]) as tonight:
            text = tonight.text()
            for words in ("3  → Anna", "2  → Cleo", "1  → Ben", "hunter  → Anna", "winter 2/3"):
                assert words in text
            anna = next(line for line in text.splitlines() if line.startswith(" ►Anna"))
            assert anna.split()[-2:] == ["3", "hunter"]

    play(story)


def test_S24_the_cards_of_a_hunt_are_gone_when_the_next_one_begins() -> None:
    async def story() -> None:
        async with evening(hunt("13", "2", "4"), size=LARGE) as tonight:
            assert "played 13, 2" in tonight.text()
            await tonight.do(*hunt("12"))
            assert not {"played", "less", "highest"} & set(tonight.text().split())
            assert "Anna wins prey worth 9: bison and bear" in tonight.text()
            await tonight.press("h")
            assert not {"played", "less", "highest"} & set(tonight.text().split())

    play(story)


def test_a_hunt_that_was_taken_back_is_not_shown() -> None:
    async def story() -> None:
        async with evening(hunt("13", "2", "4"), size=LARGE, simulated=(1, 2)) as tonight:
            for wanted in (Undo("undo"), *(Agree(f"yes {seat}", seat) for seat in range(3))):
                tonight.process.heed(wanted)
            await tonight.settle()
            await tonight.press("escape")
            assert "The computer plays for Cleo. There is nothing to do." in tonight.text()
            assert not {"played", "less", "highest"} & set(tonight.text().split())

    play(story)


# --- Secrets --------------------------------------------------------------------------------------------------


def test_S24_two_tables_that_differ_only_in_what_lies_face_down_look_alike() -> None:
    async def look(card: str, second: str) -> list[object]:
        async with evening([*TIED, crow(0, True), duel(0, second)], size=LARGE) as tonight:
            seen: list[object] = [tonight.painted()]
        async with evening(hunt(card, "9")) as tonight:
            await tonight.press("p")
            seen.append(tonight.painted())
            await tonight.press("escape", "h")
            return [*seen, tonight.painted()]

    assert asyncio.run(look("13", "crow")) == asyncio.run(look("crow", "9"))


# --- Names and languages --------------------------------------------------------------------------------------


def test_hostile_names_do_no_harm() -> None:
    names = ("[@click=app.quit]A[/b]", "\x1b[2JBen\x07", "C" * 60)

    async def story() -> None:
        async with evening(BOTH_LEVEL, names) as tonight:
            assert "[@click=app" in tonight.text()
            assert "\x1b" not in tonight.text()
            await tonight.press("g", "1", "1")
            assert await tonight.heard() == [gifts(2, 0, 1)]

    play(story)


def test_the_language_changes_while_a_question_is_open() -> None:
    async def story() -> None:
        async with evening(SHAMAN) as tonight:
            await tonight.press("s", "l")
            assert "Anna: Welchen Wert hat der Schamane?" in tonight.text()
            assert "zählt 8" in tonight.text()
            await tonight.press("escape", "f1")
            assert "Legen" in tonight.text()
            assert isinstance(tonight.app.screen.query_one(".title").render(), Content)

    play(story)


# --- Whole games ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_game_is_played_from_its_first_to_its_last_action_by_keys_alone() -> None:
    async def story() -> None:
        luck = Random(SEED)
        async with evening(box=QUICK) as tonight:
            phases = set()
            while tonight.state.phase != "over":
                phases.add(tonight.state.phase)
                before = len(tonight.process.heard)
                await answer(tonight, luck)
                await tonight.heard(before + 1)
                if isinstance(tonight.app.screen, TableScreen):
                    _says_what_is_asked(tonight)
            assert phases == {"play", "name", "crow", "duel", "gifts", "dealt"}
            while isinstance(tonight.app.screen, Show):
                await tonight.press("escape")
            text = tonight.text()
            assert "Next game" in text
            totals = next(line for line in text.splitlines() if "total" in line).split()
            assert totals[1:] == [str(score.total) for score in GAME.scores(tonight.state)]

    play(story)


def _says_what_is_asked(tonight: Evening) -> None:
    """At 66×20 nothing essential is clipped in any phase."""
    state, text = tonight.state, tonight.text()
    rows = text.splitlines()
    for seat, name in enumerate(NAMES[: len(state.laid)]):
        if state.phase != "over":
            row = next(line for line in reversed(rows) if line[2:].startswith(name))
            assert str(state.totals[seat]) in row.split()
            assert ("hunter" in row) == (state.hunter == seat)
    button = {"play": "p Lay", "name": "s Shaman", "crow": "c Call crow", "duel": "p Duel", "dealt": "d Dealt"}
    assert button.get(state.phase, "") in text
    if state.phase == "gifts":
        assert "g Gifts" in text
        assert "x No gift" in text


@pytest.mark.parametrize("players", [3, 4, 5])
def test_whole_games_fit_on_every_screen_in_both_languages_and_name_no_id(players: int) -> None:
    names = ("Benedikta", "Ö", "Maximiliane-Sophie", "[b]", "Emil")[:players]

    async def story() -> None:
        async with refereed_table(names, box=ENROLLED) as at:
            luck = Random(players)
            for turn in count():
                if at.state.phase == "over":
                    break
                code = ("en", "de")[turn % 2]
                speak(code)
                _fits(Sight(at.snapshot(), FACE), code)
                at.do(msgspec.to_builtins(luck.choice(GAME.legal(at.state))))
        speak("en")

    play(story)


def test_a_hunt_is_won_by_nobodys_hand_when_the_last_card_was_told_on_the_screen() -> None:
    """That a card was laid is not read any more once the cards are open."""

    async def story() -> None:
        async with refereed_table() as at:
            at.do(*hunt("2", "3", "13"))
            sight = Sight(msgspec.structs.replace(at.snapshot(), kit="full"), FACE)
            lines = told_lines(sight, sight.history)
            assert any("wins prey" in line.sentence for line in lines)
            assert [line for line in lines if line.by_hand] == []

    play(story)


def test_words_in_big_letters_have_a_gap_between_them() -> None:
    one, other, both = big("A") or (), big("B") or (), big("A B") or ()
    assert [f"{left}    {right}" for left, right in zip(one, other, strict=True)] == list(both)


def test_big_numbers_beside_each_other_stay_two() -> None:
    async def story() -> None:
        async with refereed_table(NAMES[:3]) as at:
            drawn = FACE.grown(Sight(at.snapshot(), FACE), 160)
            assert drawn is not None
            for nothing, twenty in zip(big("0") or (), big("20") or (), strict=True):
                assert f"{nothing}    {twenty}" in drawn[-1].plain

    play(story)


@pytest.mark.parametrize(("code", "players", "words"), [("en", 3, "bison 10"), ("de", 5, "Truthahn 1")])
def test_the_bank_is_in_words_where_there_is_room(code: str, players: int, words: str) -> None:
    async def story() -> None:
        async with refereed_table(NAMES[:players]) as at:
            speak(code)
            sight = Sight(at.snapshot(), FACE)
            assert words in FACE.panels(sight, 100, True)[0].plain
            assert words not in FACE.panels(sight, 66, False)[0].plain

    play(story)


ENROLLED = QUICK.replace('id = "crow"', 'id = "zzcrow"').replace('id = "1', 'id = "zz1').replace("stand-in", "enrolled")
"""Ids that no player should read."""


def _fits(sight: Sight, code: str) -> None:
    headline = FACE.headline(sight)
    assert cell_len(headline.sentence) <= 96
    assert any((rows := big(text)) and cell_len(rows[0]) <= 64 for text in headline.big)
    said = [FACE.headline(sight).sentence, *(sight.say(told) for told in sight.history)]
    for width, tall, room in ((66, False, 10), (100, True, 17), (140, True, 17)):
        panels = FACE.panels(sight, width, tall)
        assert sum(panel.plain.count("\n") + 1 for panel in panels) <= room
        for panel in panels:
            assert all(line.cell_length <= width for line in panel.split("\n")), panel.plain
            said.append(panel.plain)
    english = ("zz", *(("rabbit", "turkey", "deer", "bear", "crow", "shaman", "hunter") if code == "de" else ()))
    assert [text for text in said if any(word in text for word in english)] == []


# --- S19 Gifts in an order of one's own -----------------------------------------------------------------------


def level_at(total: str, *givers: str) -> Sight:
    """Anna has drawn level with Ben and Cleo, and a gift may end the hunting at once."""
    table = Table(4, gift_ends="at_once").with_prey(total, *givers, "").hunt("9", "5", "2", "2")
    assert table.awaiting == ((0,), ("gifts",))
    snapshot = seen("sioux", table.state, options={"gift_ends": "at_once"})
    return Sight(msgspec.json.decode(msgspec.json.encode(snapshot), type=Snapshot), FACE)


def ways(menu: Menu) -> dict[str, Any]:
    """Label → the givers in the end, or the ways through the next question."""
    return {
        str(choice.label): ways(choice.value) if isinstance(choice.value, Menu) else choice.value["from"]
        for choice in menu.choices
    }


def test_S19_where_a_gift_may_end_the_hunting_the_claimant_says_who_gives_first() -> None:
    sight = level_at("bison bison bear", "bison bison bear bear", "bison bison bison turkey rabbit")
    actions = [action for action in sight.doing("gifts") if action["from"]]
    first = ways(FACE.choices(sight, actions))
    (ben, cleo) = first
    assert (ben.startswith("From Ben: "), cleo.startswith("From Cleo: ")) == (True, True)
    assert first[ben] == [1], "a bear makes 22: Cleo's gift would lapse"
    (then_ben, no_more) = first[cleo]
    assert (then_ben.startswith("From Ben: "), no_more) == (True, "No more gifts")
    assert list(first[cleo].values()) == [[2, 1], [2]]


def test_S19_a_simulated_claimant_takes_the_smallest_gift_first_where_one_may_end_the_hunting() -> None:
    sight = level_at("bison bison bear", "bison bison bear bear", "bison bison bison turkey rabbit")
    snapshot = replace(sight.snapshot, table=sight.table, box=sight.box)
    assert best_order(snapshot) == (2, 1)
    assert best_order(replace(snapshot, options={})) == (1, 2)


@pytest.mark.parametrize("what", ["takes other prey", "steals other prey"])
def test_S10_prey_instead_of_a_deer_is_told_like_a_deer(what: str) -> None:
    table = Table(3, no_deer="other_prey").with_hunter(0).with_bank("turkey")
    table.hunt("hunter", "13", "crow" if what.startswith("steals") else "2")
    lines = [
        Told(number, "accepted", ruling.what, ruling.rule, ruling.facts) for number, ruling in enumerate(table.rulings)
    ]
    sight = Sight(
        msgspec.json.decode(msgspec.json.encode(seen("sioux", table.state, history=tuple(lines))), type=Snapshot),
        FACE,
    )
    taker = "Cleo" if what.startswith("steals") else "Anna"
    assert FACE.headline(sight).big[0] == f"{taker} +2"
    drawn = "\n".join(panel.plain for panel in FACE.panels(sight, 100, True))
    assert "takes prey" in drawn
    assert f"→ {taker}" in drawn
