"""The table is drawn, and what is done on it reaches the referee."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from msgspec.structs import replace

from companion.gamekit.game import Awaiting, Move, Place, Thing
from companion.gamekit.screen.face import Command, Sight
from companion.gamekit.snapshot import Question, Result, Snapshot, StationState, Told
from companion.games.lascaux.screen.face import Lascaux
from companion.messages.intentions import Act, Agree, Decline, NextGame, Undo
from companion.screen import conversation
from companion.screen.screens.help_dialog import help_text
from companion.screen.screens.question_dialogs import QuestionDialog
from companion.screen.screens.table_screen import TableScreen
from companion.screen.widgets import notice
from tests.ours import GAMES
from tests.screen.games import positions, seen
from tests.screen.table import IDS, LARGE, SMALL, Evening, choosing, drawing, evening, over, snapshot, table

FIVE = ("Anna", "Benedikta", "Cleo", "Dora", "Emil")
STONE_BACK = Move(Thing("stone"), 1, Place("pot"), Place("supply", 0))


def play(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(story())  # type: ignore[arg-type]


# --- Drawing --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_everything_essential_of_a_full_table_is_in_sight(size: tuple[int, int]) -> None:
    async def story() -> None:
        full = table(5, pile=(3, 1), row=tuple(IDS[7 * n] for n in range(7)), pot=7)
        async with evening(snapshot(FIVE, table=full), size) as tonight:
            text = tonight.text()
            for words in (
                "Anna: lay a stone to stay in, or pass and take 7 stones",
                *FIVE,
                "deck 40",
                "pot 7",
                "round 2",
                "passed 1st",
                "passed 2nd",
            ):
                assert words in text
            for words in ("● brown", "■ yellow", "▲ green", "◆ pink", "▬ white", "+ blue", "mammoth", "▒ Dora"):
                assert words in text
            for words in ("s Stone", "p Pass", "u Undo", "F1 Help", "q Quit", "stand-in box", "Cleo lays a stone  L7"):
                assert words in text
            assert max(len(line) for line in text.splitlines()) == size[0]
            assert len(text.splitlines()) == size[1]

    play(story)


def test_the_stones_of_L20_are_not_shown_as_numbers() -> None:
    async def story() -> None:
        async with evening(snapshot(table=table(stones=(None, None, None)))) as tonight:
            line = next(line for line in tonight.text().splitlines() if "Anna" in line and "bids" in line)
            assert "—" in line

    play(story)


def test_a_reader_that_is_lost_is_named() -> None:
    async def story() -> None:
        devices = (StationState("centre", "lost", "unplugged"), StationState("pad 1", "ready"))
        async with evening(snapshot(devices=devices)) as tonight:
            assert "centre: lost" in tonight.text()
            assert "pad 1" not in tonight.text()

    play(story)


def test_a_burst_of_snapshots_is_drawn_once_with_the_newest() -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            before = tonight.talk.drawn
            for pot in range(20, 40):
                tonight.referee.show(snapshot(table=table(pot=pot)))
            await tonight.until(lambda: "pot 39" in tonight.text())
            assert tonight.talk.drawn - before < 10

    play(story)


def test_a_bigger_window_is_filled_at_once() -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            assert " hors " in tonight.text()
            await tonight.pilot.resize_terminal(*LARGE)
            await tonight.pilot.pause()
            assert " horse " in tonight.text()
            assert "Cleo lays a stone  L7" in tonight.text()

    play(story)


def test_a_game_that_this_screen_does_not_know_is_said_so() -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            await tonight.show(snapshot(game="chess"))
            assert "does not know the game chess" in tonight.text()
            await tonight.show(snapshot(table={"round": "no"}))
            assert "cannot be shown" in tonight.text()

    play(story)


# --- Acting ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "label", "do"), [("s", "Stone", "stone"), ("space", "Stone", "stone"), ("p", "Pass", "pass")]
)
def test_a_stone_or_a_pass_by_key_and_by_mouse(key: str, label: str, do: str) -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            await tonight.press(key)
            await tonight.heard(1)
            await tonight.show(snapshot())
            await tonight.click(label)
            heard = await tonight.heard(2)
            assert [message.action for message in heard] == [{"do": do, "seat": 0}] * 2
            assert heard[0].id != heard[1].id

    play(story)


def test_a_key_pressed_twice_speaks_only_once() -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            tonight.referee.answering = False
            await tonight.press("s", "s", "p")
            assert len(await tonight.heard()) == 1

    play(story)


def test_nothing_can_be_done_for_a_simulated_player_or_while_watching() -> None:
    async def story() -> None:
        async with evening(snapshot(simulated=(0,))) as tonight:
            assert "Stone" not in tonight.text()
            await tonight.press("s", "p")
            assert tonight.referee.heard == []
        async with evening(snapshot(), watch=True) as tonight:
            assert "Stone" not in tonight.text()
            await tonight.press("s", "u", "n")
            assert tonight.referee.heard == []

    play(story)


def test_a_card_is_drawn_by_hand_in_two_steps_by_key() -> None:
    async def story() -> None:
        async with evening(drawing()) as tonight:
            await tonight.press("d", "5")
            assert "Which mammoth?" in tonight.text()
            await tonight.press("2")
            (act,) = await tonight.heard()
            left = [card for card in IDS if card.startswith("mammoth") and card not in table().row]
            assert act == Act(act.id, {"do": "draw", "card": left[1]})
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


def test_a_card_is_drawn_by_hand_by_mouse_and_esc_leaves_without_a_draw() -> None:
    async def story() -> None:
        async with evening(drawing()) as tonight:
            await tonight.click("Draw")
            await tonight.press("escape")
            await tonight.click("Draw")
            await tonight.click("rhino")
            await tonight.click("3 rhino")
            (act,) = await tonight.heard()
            assert act.action == {"do": "draw", "card": [card for card in IDS if card.startswith("rhino")][2]}

    play(story)


def test_a_question_closes_itself_when_the_card_was_tapped_meanwhile() -> None:
    async def story() -> None:
        async with evening(drawing()) as tonight:
            await tonight.press("d", "5")
            await tonight.show(snapshot())
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


def test_the_end_of_a_stalemate_is_offered_only_then() -> None:
    async def story() -> None:
        stuck = choosing(False, False, False)
        async with evening(stuck) as tonight:
            await tonight.press("e")
            assert tonight.referee.heard == []
            await tonight.show(replace(stuck, offered=(*stuck.offered, {"do": "end"})))
            await tonight.press("e")
            await tonight.heard(1)
            await tonight.click("End")
            assert [message.action for message in await tonight.heard(2)] == [{"do": "end"}] * 2

    play(story)


class Many(Lascaux):
    """A game with eight kinds of action, and room for two of them."""

    def commands(self, sight: Sight) -> tuple[Command, ...]:
        return tuple(Command(f"do {key}", (key,), key.upper() * 3) for key in "abcdefgi")


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_every_kind_of_action_can_be_reached_by_key_and_by_touch(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversation, "find_face", lambda game: Many())
    offered = tuple({"do": f"do {key}", "seat": 0} for key in "abcdefgi")

    async def story() -> None:
        async with evening(snapshot(offered=offered), size) as tonight:
            for number, key in enumerate("abcdefgi", 1):
                await tonight.press(key)
                await tonight.heard(number)
                await tonight.pilot.pause()
                await tonight.show(snapshot(offered=offered))
            for number, key in enumerate("abcdefgi", 9):
                if key not in "ab":
                    await tonight.click("More")
                await tonight.click(key.upper() * 3)
                await tonight.heard(number)
                await tonight.show(snapshot(offered=offered))
            dos = [message.action["do"] for message in tonight.referee.heard]
            assert dos == [f"do {key}" for key in "abcdefgi"] * 2

    play(story)


# --- Taking back and agreeing ---------------------------------------------------------------------------------


def test_an_undo_is_confirmed_by_key_or_mouse_and_left_with_esc() -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            await tonight.press("u")
            assert "Cleo lays a stone" in tonight.text()
            await tonight.press("escape", "u", "n")
            assert tonight.referee.heard == []
            await tonight.press("u", "y")
            await tonight.heard(1)
            await tonight.click("Undo")
            await tonight.click("Undo it")
            assert [(type(message), message.entry) for message in await tonight.heard(2)] == [(Undo, 1)] * 2

    play(story)


def test_an_undo_that_is_no_longer_the_newest_is_not_asked_about_any_more() -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            await tonight.press("u")
            await tonight.show(snapshot(entry=2))
            assert isinstance(tonight.app.screen, TableScreen)
            assert "The table has changed in the meantime, so nothing was undone" in tonight.text()
            await tonight.press("y")
            assert tonight.referee.heard == []

    play(story)


def undone(shown: Snapshot) -> Snapshot:
    return replace(shown, history=(*shown.history, Told(2, "undone", "undone", moves=(STONE_BACK,))))


def test_the_pieces_to_put_back_stay_until_dismissed_or_until_a_player_plays_on() -> None:
    async def story() -> None:
        first = snapshot()
        async with evening(first) as tonight:
            back = undone(first)
            await tonight.show(back)
            assert "1 stone: pot → Anna's stones" in tonight.text()
            refused = Told(3, "refused", "out of turn", "L10", {"seat": 1, "turn": 0})
            await tonight.show(replace(back, history=(*back.history, refused)))
            assert "1 stone: pot → Anna's stones" in tonight.text()
            after = replace(back, history=(*back.history, Told(3, "accepted", "lays a stone", "L7", {"seat": 1})))
            await tonight.show(after)
            assert isinstance(tonight.app.screen, TableScreen)
        async with evening(first) as tonight:
            await tonight.show(back)
            await tonight.click("Done")
            await tonight.show(back)
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


@pytest.mark.parametrize(("key", "words"), [("u", "Undo the last action?"), ("q", "Leave the game?")])
def test_keys_are_heard_while_pieces_are_to_be_put_back(key: str, words: str) -> None:
    async def story() -> None:
        first = snapshot()
        async with evening(first) as tonight:
            await tonight.show(undone(first))
            await tonight.press(key)
            assert words in tonight.text()
            await tonight.press("escape", "escape")
            await tonight.press("s")
            assert (await tonight.heard())[0].action == {"do": "stone", "seat": 0}

    play(story)


def test_a_stone_may_be_laid_while_pieces_are_to_be_put_back() -> None:
    async def story() -> None:
        first = snapshot()
        async with evening(first) as tonight:
            await tonight.show(undone(first))
            await tonight.press("s")
            assert (await tonight.heard())[0].action == {"do": "stone", "seat": 0}

    play(story)


def test_every_player_is_asked_and_agrees_by_key_or_mouse() -> None:
    async def story() -> None:
        asked = snapshot(question=Question(1, "undo", (), (0, 1, 2), (STONE_BACK,)), simulated=(1,))
        async with evening(asked) as tonight:
            assert "Waiting for: Anna, Ben and Cleo" in tonight.text()
            assert "1 stone: pot → Anna's stones" in tonight.text()
            await tonight.press("2")
            assert tonight.referee.heard == [], "Ben is simulated and answers without us"
            await tonight.press("3")
            assert (await tonight.heard(1))[-1].seat == 2
            await tonight.show(replace(asked, question=Question(1, "undo", (1, 2), (0,), (STONE_BACK,))))
            assert "Agreed: Ben and Cleo" in tonight.text()
            await tonight.click("Anna")
            (first, second) = await tonight.heard(2)
            assert (first, second) == (Agree(first.id, 2, 1), Agree(second.id, 0, 1))
            await tonight.show(snapshot())
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


def test_one_no_is_posted_by_key_or_mouse_and_esc_answers_nothing() -> None:
    async def story() -> None:
        async with evening(snapshot(question=Question(7, "end", (0,), (1, 2)))) as tonight:
            await tonight.press("escape")
            assert isinstance(tonight.app.screen, QuestionDialog)
            await tonight.press("x")
            await tonight.heard(1)
            await tonight.click("Decline")
            assert [(type(message), message.question) for message in await tonight.heard(2)] == [(Decline, 7)] * 2

    play(story)


# --- Answers --------------------------------------------------------------------------------------------------


def test_a_complaint_is_prominent_and_goes_away_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notice, "LOW_SECONDS", 0.8)

    async def story() -> None:
        async with evening(snapshot()) as tonight:
            tonight.referee.reply = Told(2, "refused", "no stones left", "L9", {"seat": 0})
            await tonight.press("s")
            await tonight.until(lambda: "Anna has no stones left and must pass (L9)" in tonight.text())
            await tonight.until(lambda: "must pass" not in tonight.text())

    play(story)


def test_a_wrong_tag_is_complained_about_and_kept_in_the_history() -> None:
    async def story() -> None:
        first = snapshot()
        async with evening(first, LARGE) as tonight:
            wrong = Told(2, "refused", "out of turn", "L10", {"seat": 1, "turn": 0}, how="tag")
            await tonight.show(replace(first, history=(*first.history, wrong)))
            assert "It is Anna's turn, not Ben's (L10)" in tonight.text()
            await tonight.press("h")
            assert "! It is Anna's turn, not Ben's  L10" in tonight.text()

    play(story)


def test_a_sentence_without_its_facts_does_no_harm() -> None:
    async def story() -> None:
        lines = (Told(1, "accepted", "passes"), Told(2, "noted", "{0.__class__}"), Told(3, "noted", "never heard of"))
        async with evening(snapshot(history=lines), LARGE) as tonight:
            assert "passes" in tonight.text()
            assert "never heard of" in tonight.text()

    play(story)


# --- The end --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_the_result_shows_totals_parts_reasons_and_the_match(size: tuple[int, int]) -> None:
    async def story() -> None:
        async with evening(over(match=(Result((10, 20, 12), (1,)),)), size) as tonight:
            text = tonight.text()
            for words in (
                "Anna wins the game",
                "mammoth",
                "total",
                "Next game",
                "1 and 0  L17",
            ):
                assert words in text
            totals = next(line for line in text.splitlines() if "total" in line)
            assert totals.split() == ["total", "4", "2", "0"]
            match = next(line for line in text.splitlines() if line.strip().startswith("match"))
            assert match.split() == ["match", "14", "22", "12"]

    play(story)


def test_after_the_end_the_next_game_an_undo_and_leaving_are_possible() -> None:
    async def story() -> None:
        async with evening(over()) as tonight:
            await tonight.press("n", "n")
            await tonight.heard(1)
            await tonight.click("Next game")
            await tonight.press("enter")
            await tonight.press("u", "y")
            assert [type(message) for message in await tonight.heard(3)] == [NextGame, NextGame, Undo]
            await tonight.show(snapshot())
            assert "Anna: lay a stone to stay in, or pass and take 3 stones" in tonight.text()
            await tonight.show(over(winners=(0, 2)))
            assert "The scoring" in tonight.text()
            await tonight.press("escape")
            assert "Anna and Cleo share the victory" in tonight.text()
            await tonight.press("q")
            assert not tonight.app.is_running or tonight.app._exit

    play(story)


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_every_animal_that_may_be_drawn_says_how_many_are_left(size: tuple[int, int]) -> None:
    async def story() -> None:
        nothing = table(phase="draw", pot=0, chosen=(False,) * 3, row=())
        fresh = tuple({"do": "draw", "card": card} for card in IDS)
        async with evening(drawing(table=nothing, offered=fresh), size) as tonight:
            await tonight.press("d")
            assert tonight.text().count("9 left") == 6

    play(story)


# --- Around ---------------------------------------------------------------------------------------------------


def test_quitting_a_running_game_is_confirmed() -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            await tonight.press("q", "escape")
            assert isinstance(tonight.app.screen, TableScreen)
            await tonight.click("Quit")
            await tonight.press("y")
            assert tonight.app._exit

    play(story)


def test_help_and_history_open_and_close_by_key_and_mouse() -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            await tonight.press("f1")
            assert "undo the last action" in tonight.text()
            await tonight.press("down", "up", "pageup", *["pagedown"] * 7)
            assert "six stones are a point, too" in " ".join(tonight.text().replace("│", " ").split())
            await tonight.press("f1")
            await tonight.click("Why")
            assert "Cleo lays a stone  L7" in tonight.text()
            await tonight.press("up", "pagedown", "end")
            await tonight.click("Close")
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


@pytest.mark.parametrize("own", [True, False])
def test_help_names_every_key_of_the_table(own: bool) -> None:
    sight = Sight(snapshot(own=own), Lascaux())
    keys_told = next(part for part in help_text(sight).split("\n\n") if "undo the last action" in part)
    listed = [line.split("  ")[0].split() for line in keys_told.splitlines()]
    named = {"pgup": "pageup", "pgdn": "pagedown", "?": "question_mark"}
    told = {named.get(key.lower(), key if key == "V" else key.lower()) for keys in listed for key in keys}
    driving = ("demo_pause", "drive(2.0)", "drive(0.5)", "step")  # of simulated hands only
    keys = {key for key, action, _words in TableScreen.BINDINGS if action not in driving} - {"f1", "f4"}
    assert told >= (keys if own else keys - {"i"})
    assert ("i" in told) is own


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("code", ["en", "de"])
def test_one_key_says_what_the_signs_mean(name: str, code: str) -> None:
    async def story() -> None:
        async with evening(seen(name, positions(name, 2)[20]), SMALL, language=code) as tonight:
            await tonight.press("question_mark")
            words = {"en": "► the table waits for this player", "de": "► auf wen der Tisch wartet"}[code]
            assert words in " ".join(tonight.text().split())
            await tonight.press("escape")
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


def test_a_player_without_stones_is_told_to_pass() -> None:
    async def story() -> None:
        poor = snapshot(
            table=table(stones=(0, 10, 12)), awaiting=Awaiting((0,), ("pass",)), offered=({"do": "pass", "seat": 0},)
        )
        async with evening(poor) as tonight:
            assert "Anna has no stones left: pass" in tonight.text()
            assert "Stone" not in tonight.text()

    play(story)


def test_the_story_of_an_evening_is_scrolled_not_lost() -> None:
    async def story() -> None:
        lines = tuple(Told(n, "accepted", "lays a stone", "L7", {"seat": n % 3}) for n in range(1, 61))
        async with evening(snapshot(history=lines)) as tonight:
            await tonight.show(
                snapshot(history=(*lines[1:], Told(61, "accepted", "passes", "L8", {"seat": 1, "stones": 4})))
            )
            assert "Ben passes and takes 4 stones  L8" in tonight.text()
            assert isinstance(tonight, Evening)

    play(story)


@pytest.mark.parametrize("size", [(4, 4), (3, 2), (1, 1), (3, 30)])
def test_a_terminal_that_is_far_too_small_ends_nothing(size: tuple[int, int]) -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            await tonight.pilot.resize_terminal(*size)
            await tonight.pilot.pause()
            await tonight.pilot.resize_terminal(*SMALL)
            await tonight.pilot.pause()
            assert tonight.app.is_running

    asyncio.run(story())
