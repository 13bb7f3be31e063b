"""The reveal, one step at a time. It is only drawn slowly: nothing waits for it."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.drawing.result_sheet import outcome, race, titles
from companion.drawing.shows import SCORING, last_highlight, show_steps
from companion.gamekit import discovery
from companion.gamekit.screen.face import Sight
from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.screen.letters import big, huge
from companion.language.screen_language import speak
from companion.screen.screens import show_dialog
from companion.screen.screens.question_dialogs import QuestionDialog
from companion.screen.screens.show_dialog import Show, is_left_behind
from companion.screen.screens.table_screen import TableScreen
from companion.table.signals import ReaderFault
from tests.ours import GAMES
from tests.referee.table import ALL_SIX, Table
from tests.screen.games import positions, seen
from tests.screen.real import RealEvening, at_the_table
from tests.screen.table import LARGE, SMALL, evening

SIZES = pytest.mark.parametrize("size", [SMALL, LARGE, (160, 45)])
COLOURS = ("pink", "pink", "brown")


def play(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(story())  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only keys go on."""
    for name in ("STEP_S", "HURRY_S", "LINGER_S"):
        monkeypatch.setattr(show_dialog, name, 600.0)


async def all_pass(tonight: RealEvening) -> None:
    for seat in (0, 1):
        tonight.table.act("pass", seat=seat)
    await tonight.see()


@SIZES
def test_who_reveals_what_they_take_and_why_is_shown_step_by_step(tmp_path: Path, size: tuple[int, int]) -> None:
    async def story() -> None:
        async with at_the_table(Table(tmp_path).to_bidding(*COLOURS), size) as tonight:
            await all_pass(tonight)
            assert isinstance(tonight.app.screen, Show)
            assert "Cleo is the last one left and reveals first" in tonight.text()
            assert "● brown →" not in " ".join(tonight.text().split())
            await tonight.press("space")
            assert "Cleo ● brown → aurochs ●+" in " ".join(tonight.text().split())
            await tonight.press("x")
            assert "Ben ◆ pink → aurochs ▲◆" in " ".join(tonight.text().split())
            await tonight.press("enter")
            assert "no card: Ben took them before" in tonight.text()
            await tonight.press("space", "space")
            assert "Anna passed first and starts the next round" in tonight.text()
            await tonight.press("space")
            assert isinstance(tonight.app.screen, TableScreen)
            assert tonight.talk.link.unanswered == ()

    play(story)


@SIZES
@pytest.mark.parametrize("code", ["en", "de"])
def test_each_marker_is_called_in_big_letters_with_the_cards_that_it_takes(
    tmp_path: Path, size: tuple[int, int], code: str
) -> None:
    words = {"en": ("brown", "pink"), "de": ("braun", "rosa")}[code]
    taken = {"en": ("", "+ blue", "▲ green", ""), "de": ("", "+ blau", "▲ grün", "")}[code]

    async def story() -> None:
        async with at_the_table(Table(tmp_path).to_bidding(*COLOURS), size, language=code) as tonight:
            await all_pass(tonight)
            calls = ("Cleo", f"Cleo: {words[0]}", f"Ben: {words[1]}", f"Anna: {words[1]}")
            for call, colour in zip(calls, taken, strict=True):
                rows = huge(call) if size == (160, 45) else big(call)
                assert rows is not None
                assert all(row.rstrip() in tonight.text() for row in rows), call
                shown = {colour for colour in taken if colour and colour in tonight.text()}
                assert shown == ({colour} if colour else set()), "the cards that the marker takes, and no others"
                assert "L1" in tonight.text(), "its ruling stands below, small"
                await tonight.press("space")

    play(story)


def test_where_no_player_sits_at_the_screen_it_goes_on_and_closes_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("STEP_S", "LINGER_S"):
        monkeypatch.setattr(show_dialog, name, 0.02)

    async def story() -> None:
        async with at_the_table(Table(tmp_path).to_bidding(*COLOURS), persons=()) as tonight:
            await all_pass(tonight)
            await tonight.until(lambda: isinstance(tonight.app.screen, TableScreen))

    play(story)


def test_the_table_goes_on_behind_it_and_then_it_hurries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(show_dialog, "HURRY_S", 0.02)

    async def story() -> None:
        table = Table(tmp_path).to_bidding(*COLOURS)
        async with at_the_table(table) as tonight:
            await all_pass(tonight)
            for card in ("goat-pink-blue", "deer-brown-white"):
                assert table.card(card).kind == "accepted"
            await tonight.see()
            assert isinstance(tonight.app.screen, Show)
            table.card("mammoth-brown-green")
            await tonight.see()
            await tonight.until(lambda: isinstance(tonight.app.screen, TableScreen))
            assert "Anna draws mammoth brown/green" in tonight.text()

    play(story)


def test_where_companion_deals_it_waits_for_the_person_however_far_simulated_players_go_on(tmp_path: Path) -> None:
    table = Table(tmp_path).to_bidding(*COLOURS)
    for seat in (0, 1):
        table.act("pass", seat=seat)
    face = find_face("lascaux")
    highlight = last_highlight(Sight(table.referee.snapshot(), face))
    assert highlight is not None
    for card in ("goat-pink-blue", "deer-brown-white", "mammoth-brown-green"):
        assert table.card(card).kind == "accepted"
    now = table.referee.snapshot()
    real = replace(now, players=tuple(replace(player, simulated=player.name != "Anna") for player in now.players))
    assert is_left_behind(Sight(real, face), highlight)
    dealt = replace(real, deals=True)
    assert not is_left_behind(Sight(dealt, face), highlight)
    assert is_left_behind(Sight(dealt, face, watching=True), highlight), "a screen that only watches goes on"


def test_several_snapshots_at_once_are_caught_up_with(tmp_path: Path) -> None:
    async def story() -> None:
        table = Table(tmp_path).to_bidding(*COLOURS)
        async with at_the_table(table) as tonight:
            for seat in (0, 1):
                table.act("pass", seat=seat)
            table.card("goat-pink-blue")
            await tonight.see()
            assert isinstance(tonight.app.screen, Show)
            await tonight.press("escape")
            assert isinstance(tonight.app.screen, TableScreen)
            assert "Anna draws goat pink/blue" in tonight.text()

    play(story)


def test_a_question_to_every_player_comes_first(tmp_path: Path) -> None:
    async def story() -> None:
        table = Table(tmp_path).to_bidding(*COLOURS)
        async with at_the_table(table) as tonight:
            await all_pass(tonight)
            table.undo()
            await tonight.see()
            assert isinstance(tonight.app.screen, QuestionDialog)

    play(story)


def test_a_screen_that_has_just_come_is_shown_no_old_reveal(tmp_path: Path) -> None:
    async def story() -> None:
        async with at_the_table(Table(tmp_path).to_reveal()) as tonight:
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


# --- Where people turn the pieces over themselves, and once more ---


def without_readers(folder: Path) -> Table:
    table = Table(folder, kit="none")
    for card in ALL_SIX:
        table.act("draw", card=card)
    for seat, colour in enumerate(COLOURS):
        table.act("choose", seat=seat, colour=colour)
    return table


@pytest.mark.parametrize("readers", [True, False])
def test_a_show_waits_for_a_press(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, readers: bool) -> None:
    for name in ("STEP_S", "HURRY_S", "LINGER_S"):
        monkeypatch.setattr(show_dialog, name, 0.01)

    async def story() -> None:
        table = Table(tmp_path).to_bidding(*COLOURS) if readers else without_readers(tmp_path)
        async with at_the_table(table) as tonight:
            await all_pass(tonight)
            await asyncio.sleep(0.2)
            assert isinstance(tonight.app.screen, Show)
            assert "● brown →" not in " ".join(tonight.text().split())
            await tonight.press("space")
            assert "Cleo ● brown → aurochs ●+" in " ".join(tonight.text().split())

    play(story)


def test_the_last_reveal_is_shown_again_step_by_step_and_backwards(tmp_path: Path) -> None:
    async def story() -> None:
        async with at_the_table(Table(tmp_path).to_bidding(*COLOURS)) as tonight:
            await tonight.press("a")
            assert isinstance(tonight.app.screen, TableScreen)
            assert "Nothing has been revealed yet" in tonight.text()
            await all_pass(tonight)
            await tonight.press("escape", "a")
            assert isinstance(tonight.app.screen, Show)
            await tonight.press("space", "space")
            assert "Ben ◆ pink →" in " ".join(tonight.text().split())
            await tonight.press("left")
            assert "Ben ◆ pink →" not in " ".join(tonight.text().split())
            await tonight.press("escape", "h")
            await tonight.click("Last reveal")
            await tonight.until(lambda: isinstance(tonight.app.screen, Show))

    play(story)


def test_a_reveal_that_was_taken_back_is_not_shown_again(tmp_path: Path) -> None:
    table = Table(tmp_path).to_reveal(*COLOURS)

    async def story() -> None:
        async with at_the_table(table) as tonight:
            table.undo()
            for seat in range(3):
                table.agree(seat)
            await tonight.see()
            await tonight.press("escape", "a")
            assert "Nothing has been revealed yet" in tonight.text()

    play(story)


@SIZES
def test_a_reveal_never_hides_a_fault(tmp_path: Path, size: tuple[int, int]) -> None:
    async def story() -> None:
        async with at_the_table(Table(tmp_path).to_bidding(*COLOURS), size) as tonight:
            await all_pass(tonight)
            assert isinstance(tonight.app.screen, Show)
            before = tonight.app.screen.query_one(".fault").display
            tonight.table.hear(ReaderFault("pad1", tonight.table.now_ms, "the cable"))
            await tonight.see()
            assert isinstance(tonight.app.screen, Show)
            assert not before
            assert tonight.app.screen.query_one(".fault").display
            assert "!" in tonight.text().partition("Revealed")[2].splitlines()[1]

    play(story)


# --- The scoring of any game ----------------------------------------------------------------------------------


def finished(game: str) -> Sight:
    """A finished game, as its screen sees it."""
    for seed in range(60):
        states = positions(game, seed, turns=4000)
        if discovery.find(game).awaiting(states[-1]) is None:
            return Sight(seen(game, states[-1]), find_face(game))
    raise AssertionError("no game ends")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("code", ["en", "de"])
def test_the_scoring_of_every_game_is_a_race_that_ends_with_the_totals(game: str, code: str) -> None:
    sight = finished(game)
    speak(code)
    try:
        steps = show_steps(sight, SCORING, 62, False)
        shares = [part.points for score in sight.snapshot.scores for part in score.parts]
        assert len(steps) == len(titles(sight)) + 1
        assert [lane.total for lane in steps[-1].race] == [score.total for score in sight.snapshot.scores]
        assert {lane.most for step in steps for lane in step.race} == {steps[0].race[0].most}
        said = "\n".join(step.words.plain for step in steps)
        assert all(sight.say(part) in said for score in sight.snapshot.scores for part in score.parts)
        assert outcome(sight).sentence in steps[-1].words.plain
        assert not any(lane.won for step in steps[:-2] for lane in step.race), "the winner is told last"
        for before, after in pairwise(steps[:-1]):
            earned = [late.total - early.total for early, late in zip(before.race, after.race, strict=True)]
            assert any(earned) or 0 in shares
        for step in steps:
            drawn = race(sight, step.race, 62)
            assert all(line.cell_length <= 62 for line in drawn.split("\n"))
    finally:
        speak("en")


def test_bars_grow_unless_the_players_want_no_motion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(show_dialog, "FRAME_S", 600.0)

    async def story(motion: str) -> tuple[str, str]:
        async with evening(sight.snapshot, motion=motion) as tonight:
            await tonight.press("a")
            assert isinstance(tonight.app.screen, Show)
            first = tonight.text()
            tonight.app.screen._frame = show_dialog.FRAMES
            tonight.app.screen._draw()
            await tonight.pilot.pause()
            return first, tonight.text()

    sight = finished("lascaux")
    first, grown = asyncio.run(story("on"))
    assert first != grown
    first, grown = asyncio.run(story("off"))
    assert first == grown


def test_motion_is_a_setting_that_is_kept() -> None:
    async def story() -> None:
        async with evening(finished("sioux").snapshot) as tonight:
            await tonight.press("f6")
            assert tonight.app.motion == "off"
            assert "Motion: off" in tonight.text()

    play(story)


@SIZES
@pytest.mark.parametrize("game", GAMES)
def test_the_scoring_is_shown_again_on_a_key_step_by_step(game: str, size: tuple[int, int]) -> None:
    async def story() -> None:
        sight = finished(game)
        async with evening(sight.snapshot, size, motion="off") as tonight:
            await tonight.press("a")
            shown = tonight.app.screen
            assert isinstance(shown, Show)
            count = len(shown._steps)
            for number in range(1, count + 1):
                text = tonight.text()
                assert f"The scoring ({number}/{count})" in text
                assert all(lane.name in text for lane in shown._step.race)
                assert "Go on" in text or number == count
                await tonight.press("space")
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)
