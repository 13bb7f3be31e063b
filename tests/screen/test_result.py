"""The result: points as a sheet and as bars, who has the most, the stones' course, and files of it all."""

import asyncio
import re
import threading
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from companion.drawing.qr_code import code
from companion.drawing.result_sheet import _match_outcome, bars, sparks
from companion.errors import LinkError, UsageError
from companion.gamekit import discovery
from companion.gamekit.ending import leaders
from companion.gamekit.game import Part, Ruling, Score
from companion.gamekit.screen.face import Sight
from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.snapshot import Result, Snapshot
from companion.language.wording import listed, say
from companion.messages.phone_access import SPECTATORS, PhonesOffer
from companion.screen.screens.result_screen import ResultDialog
from tests.referee.table import Table
from tests.screen.games import positions, seen
from tests.screen.real import at_the_table
from tests.screen.table import LARGE, SMALL, evening, over, table
from tests.simulation.evening import Evening as Simulated

SIZES = pytest.mark.parametrize("size", [SMALL, LARGE, (160, 45)])


def play(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(story())  # type: ignore[arg-type]


@SIZES
def test_the_whole_result_can_be_read_at_every_size(tmp_path: Path, size: tuple[int, int]) -> None:
    async def story() -> None:
        played = Table(tmp_path).hurry().play_to_end()
        async with at_the_table(played, size) as tonight:
            assert "total" in tonight.text()
            await tonight.press("r")
            assert isinstance(tonight.app.screen, ResultDialog)
            read = ""
            for _page in range(6):
                read += tonight.text()
                await tonight.press("pagedown")
            for words in ("Points, by what gave them", "Who has the most", "stones (at most", "Every point, and why"):
                assert words in read
            for score in played.seen.scores:
                assert re.search(rf"{played.evening.header.players[score.seat]}.*\b{score.total} *[▁▂▃▄▅▆▇█]? *│", read)
            await tonight.press("escape")

    play(story)


def test_the_largest_screen_shows_all_of_it_at_once(tmp_path: Path) -> None:
    async def story() -> None:
        async with at_the_table(Table(tmp_path).hurry().play_to_end(), (160, 45)) as tonight:
            for words in ("total", "Points, by what gave them", "Who has the most", "stones (at most"):
                assert words in tonight.text()

    play(story)


def test_animals_stand_in_a_fixed_order_and_stones_come_last() -> None:
    async def story() -> None:
        parts = [("stones", 1), ("rhinoceros", 3), ("aurochs", 4)]
        anna = Score(0, tuple(Part(kind, points, "L17", "has the most", {}) for kind, points in parts))
        async with evening(over(scores=(anna, Score(1, ()), Score(2, ())))) as tonight:
            titles = [
                line.split()[0] for line in tonight.text().splitlines() if line.split()[1:2] in (["4"], ["3"], ["1"])
            ]
            assert titles == ["aurochs", "rhino", "stones"]

    play(story)


def test_L19_the_tie_break_is_named_and_a_shared_victory_is_explained() -> None:
    async def story() -> None:
        scores = tuple(Score(seat, (Part("goat", 4, "L17", "has the most", {}),)) for seat in (0, 1)) + (Score(2, ()),)
        stones = Ruling("L19", "most stones win", {"seats": (0, 1), "points": 4, "counts": (9, 5)})
        shown = table(phase="over", pot=0, chosen=(False,) * 3, stones=(9, 5, 22), row=(), deck=0)
        tied = over(table=shown, scores=scores, winners=(0,), options={"tie": "stones"}, tie_break=stones)
        async with evening(tied, LARGE) as tonight:
            assert "Anna wins the game (L19)" in tonight.text()
            assert "Anna and Ben have 4 points each, and 9 and 5 stones: the most stones win" in tonight.text()
            equal = Ruling("L19", "equal stones", {"seats": (0, 1), "points": 4, "stones": 9})
            await tonight.show(over(scores=scores, winners=(0, 1), shared=equal))
            assert "Anna and Ben share the victory (L19)" in tonight.text()
            assert "Anna and Ben have 4 points and 9 stones each: they share the victory" in tonight.text()

    play(story)


def test_the_match_is_added_up_and_while_a_game_goes_on_its_standing_is_shown(tmp_path: Path) -> None:
    async def story() -> None:
        played = Table(tmp_path).hurry().play_to_end()
        totals = [score.total for score in played.seen.scores]
        played.next_game()
        async with at_the_table(played) as tonight:
            standing = "  ".join(
                f"{'»' if total == max(totals) else ''}{name} {total}"
                for name, total in zip(("Anna", "Ben", "Cleo"), totals, strict=True)
            )
            assert f"game 2, so far: {standing}" in tonight.text()
            assert "↑ anticlock." in tonight.text()
            played.play_to_end(2)
            await tonight.see()
            await tonight.press("escape", "escape")  # the last reveal, and the scoring
            sums = [one + score.total for one, score in zip(totals, played.seen.scores, strict=True)]
            match = next(line for line in tonight.text().splitlines() if line.strip().startswith("match"))
            assert match.split() == ["match", *map(str, sums)]
            leading = [name for name, total in zip(("Anna", "Ben", "Cleo"), sums, strict=True) if total == max(sums)]
            assert f"match: {listed(leading)} with {max(sums)}" in tonight.text()
            assert played.seen.match[0] == Result(tuple(totals), played.seen.match[0].winners)

    play(story)


def test_L21_the_match_is_ended_on_the_result_by_button_and_by_key_and_then_has_a_winner(tmp_path: Path) -> None:
    async def story() -> None:
        played = Table(tmp_path).hurry().play_to_end()
        played.next_game()
        played.play_to_end(2)
        totals = [*(game.totals for game in played.seen.match), [score.total for score in played.seen.scores]]
        sums, best = leaders(totals)
        wins = "wins" if len(best) == 1 else "share"
        won = f"{listed([played.evening.header.players[seat] for seat in best])} {wins} the match with {max(sums)}"
        async with at_the_table(played, LARGE) as tonight:
            assert won not in tonight.text()
            await tonight.press("r")
            await tonight.click("End the match")
            await tonight.until(lambda: won in tonight.text())
            assert "End the match" not in tonight.text()
            await tonight.press("escape")
            assert won in tonight.text()
            assert "Next game" not in tonight.text()
            await tonight.press("u")
            assert "The match is over" in tonight.text()
            await tonight.click("Undo it")
            await tonight.until(lambda: "Next game" in tonight.text())
            await tonight.press("e")
            await tonight.until(lambda: won in tonight.text())

    play(story)


def test_the_result_of_a_single_game_is_its_end(tmp_path: Path) -> None:
    async def story() -> None:
        played = Table(tmp_path).hurry().play_to_end()
        async with at_the_table(played) as tonight:
            await tonight.press("e", "r")
            assert "End the match" not in tonight.text()
            assert not played.seen.ended

    play(story)


def test_the_course_begins_with_the_first_stones_and_ends_with_the_last(tmp_path: Path) -> None:
    played = Table(tmp_path, stones="secret").hurry()
    assert played.seen.course == ()
    played.to_bidding()
    assert played.seen.course == (), "what is secret stays so until the end"
    played.play_to_end()
    course = played.seen.course
    assert course[0] == (12, 12, 12)
    assert course[-1] == tuple(played.evening.state.stones)
    assert all(one != other for one, other in pairwise(course))


@pytest.mark.parametrize(
    ("numbers", "width", "drawn"),
    [((0, 4, 8), 3, "▁▅█"), ((8, 8, 0, 0), 2, "█▁"), ((8,), 3, "█  "), ((0, 0), 2, "▁▁")],
)
def test_a_course_is_drawn_as_wide_as_it_may_be(numbers: tuple[int, ...], width: int, drawn: str) -> None:
    assert sparks(numbers, width, 8) == drawn


# --- Files ----------------------------------------------------------------------------------------------------


def test_the_result_is_saved_as_text_and_as_a_picture_and_where_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")

    async def story() -> None:
        async with at_the_table(Table(tmp_path).hurry().play_to_end(), LARGE, language="de") as tonight:
            await tonight.press("r", "s")
            assert "Gespeichert:" in tonight.text()

    play(story)
    text, picture = sorted((tmp_path / "here").iterdir(), key=lambda path: path.suffix, reverse=True)
    assert text.name == "2026-11-16-1-lascaux-1.txt"
    assert "Punkte und wofür" in text.read_text(encoding="utf-8")
    assert "Jeder Punkt und warum" in text.read_text(encoding="utf-8")
    svg = picture.read_text(encoding="utf-8")
    assert svg.startswith("<svg")
    assert "Auerochs" in svg
    assert "https://" not in svg.replace("http://www.w3.org/2000/svg", "").replace("https://www.textualize.io", "")


def test_what_cannot_be_saved_is_reported_with_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "cwd", lambda: tmp_path / "nowhere")
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "nowhere")

    async def story() -> None:
        async with evening(over(), LARGE) as tonight:
            await tonight.press("r")
            await tonight.click("Save")
            assert "This could not be saved: No such file or directory" in tonight.text()

    play(story)


def test_where_the_folder_cannot_be_written_a_result_is_saved_at_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").mkdir()
    monkeypatch.setattr(Path, "cwd", lambda: tmp_path / "nowhere")
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")

    async def story() -> None:
        async with evening(over(), LARGE) as tonight:
            await tonight.press("r")
            await tonight.click("Save")
            assert "could not be saved" not in tonight.text()

    play(story)
    assert {path.suffix for path in (tmp_path / "home").iterdir()} == {".txt", ".svg"}


def test_no_reason_is_cut_off_in_a_saved_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The longest reasons of all: what Carnuta's points are counted from."""
    monkeypatch.chdir(tmp_path)
    played = Simulated("carnuta", 1, 2).play().state
    game = discovery.find("carnuta")
    scores, winners = game.scores(played), game.winners(played)
    assert any(score.notes for score in scores)
    ended = seen("carnuta", played, scores=scores, winners=winners)

    async def story() -> None:
        async with evening(ended, LARGE) as tonight:
            await tonight.press("r", "s")

    play(story)
    (text,) = tmp_path.glob("*.txt")
    lines = text.read_text(encoding="utf-8").splitlines()
    assert max(map(len, lines)) <= 90
    told = " ".join(" ".join(lines).split())
    for said in (each for score in scores for each in (*score.notes, *score.parts)):
        words = say(said, game.sentences, ("Anna", "Ben", "Cleo", "Dora"), word=partial(game.word, played.box))
        assert words in told


# --- Bars -----------------------------------------------------------------------------------------------------


def test_bars_have_one_scale_and_stay_in_their_room_though_points_are_lost() -> None:
    """In Darwinci what was lost is a line behind the bar, and jewellery of every kind is one piece of it."""
    points = ((12, 15, -7, 20, 17), (12, 0, -1, 24, 0), (0, 0, -30, 3, 0))
    opening = positions("darwinci", 5)[0]
    one_jewel, other_jewel, *_ = (
        discovery.find("darwinci").parse_box(discovery.find("darwinci").standin(), "the box").jewels
    )
    kinds = ("start", "creature", "minus", one_jewel, other_jewel)
    scores = tuple(
        Score(seat, tuple(Part(kind, worth, "D15", "", {}) for kind, worth in zip(kinds, some, strict=True)))
        for seat, some in enumerate(points)
    )
    shown = seen("darwinci", opening, scores=scores, winners=(0,))
    looks = find_face("darwinci")
    assert looks is not None
    sight = Sight(msgspec.json.decode(msgspec.json.encode(shown), type=Snapshot), looks)
    for width in (60, 92, 134):
        head, *rows = (line.plain for line in bars(sight, width).split("\n"))
        assert head == " Darwin, by what gave them"
        assert [row.split()[-1] for row in rows[:3]] == ["57", "35", "−27"]
        assert {len(row) for row in rows} == {width - 1}
        assert [row.count("jewellery") for row in rows[:2]] == [1, 1]
        assert "━" in rows[2]


@pytest.mark.parametrize("size", [SMALL, LARGE, (160, 45)])
def test_the_sheet_of_the_game_before_is_within_reach(tmp_path: Path, size: tuple[int, int]) -> None:
    async def story() -> None:
        table = Table(tmp_path).hurry().play_to_end(1)
        first = [score.total for score in table.seen.scores]
        table.next_game()
        async with at_the_table(table, size) as tonight:
            await tonight.press("x", "r")
            await tonight.until(lambda: isinstance(tonight.app.screen, ResultDialog))
            assert all(f" {total} " in tonight.text() for total in first)

    asyncio.run(story())


@pytest.mark.parametrize("size", [SMALL, LARGE, (160, 45)])
def test_every_game_of_the_match_has_its_full_sheet(tmp_path: Path, size: tuple[int, int]) -> None:
    async def story() -> None:
        table = Table(tmp_path).hurry().play_to_end(1)
        first = [score.total for score in table.seen.scores]
        table.next_game()
        async with at_the_table(table.play_to_end(2), size) as tonight:
            await tonight.press("r")
            assert "Game 2: " in tonight.text()
            await tonight.press("left")
            await tonight.until(lambda: "Game 1: " in tonight.text())
            assert all(f" {total} " in tonight.text() for total in first)
            await tonight.press("left", "right")
            await tonight.until(lambda: "Game 2: " in tonight.text())

    asyncio.run(story())


class OpenedPhones:
    """Lets phones in when it is asked to, or says why it cannot."""

    problem = ""
    url = "https://192.168.178.123:8137"

    def __init__(self, refusal: str = "") -> None:
        self._refusal, self._is_open = refusal, False

    def open(self) -> None:
        if self._refusal:
            raise LinkError(self._refusal)
        self._is_open = True

    def offer(self) -> PhonesOffer | None:
        links = {SPECTATORS: f"{self.url}/#{'c' * 22}"}
        return PhonesOffer(self.url, links, {0: 1, 1: 1, 2: 1}) if self._is_open else None

    def renew(self, person: int) -> None: ...


@SIZES
def test_a_code_leads_phones_to_the_result_and_fits_every_screen(size: tuple[int, int]) -> None:
    async def story() -> None:
        shown = over(match=(Result((1, 2, 3), (2,)),))
        async with evening(shown, size, phones=OpenedPhones()) as tonight:
            await tonight.press("escape", "r")  # the scoring, step by step
            assert "“Code” lets phones open this result" in tonight.text()
            await tonight.press("c")
            await tonight.until(lambda: "This result on your phone" in tonight.text())
            drawn = code(f"{OpenedPhones.url}/?2#{'c' * 22}").plain.split("\n")
            rows = tonight.text().split("\n")
            first = next(number for number, row in enumerate(rows) if drawn[1] in row) - 1
            assert len(rows) >= first + len(drawn)
            assert all(part in row for part, row in zip(drawn, rows[first:], strict=False))

    play(story)


def test_the_largest_screen_has_the_code_beside_the_reasons() -> None:
    async def story() -> None:
        phones = OpenedPhones()
        phones.open()
        async with evening(over(), (160, 45), phones=phones) as tonight:
            await tonight.press("escape")
            assert "This result on your phone" in tonight.text()
            assert code(f"{OpenedPhones.url}/?1#{'c' * 22}").plain.split("\n")[3] in tonight.text()

    play(story)


def test_where_phones_cannot_be_let_in_the_result_says_why_and_what_else_can_be_done() -> None:
    async def story() -> None:
        async with evening(over(), phones=OpenedPhones("this computer is not in a network")) as tonight:
            await tonight.press("escape", "r", "c")
            await tonight.until(lambda: "this computer is not in a network" in tonight.text())
        async with evening(over()) as tonight:  # a screen that lets no phones in
            await tonight.press("escape", "r")
            assert "companion export --format html" in tonight.text()
            assert "c Code" not in tonight.text()

    play(story)


def test_the_set_up_can_be_looked_at_at_any_time(tmp_path: Path) -> None:
    async def story() -> None:
        async with at_the_table(Table(tmp_path).to_bidding(), LARGE) as tonight:
            await tonight.press("f5")
            await tonight.until(lambda: "The table now:" in tonight.text())
            assert "1. " in tonight.text()

    asyncio.run(story())


class FakeAnalyses:
    """Says its lines when it is told to."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int, str]] = []
        self.ready, self.stopped = threading.Event(), 0
        self.problem = ""

    def report(self, evening: str, game: int, language: str) -> list[str]:
        self.asked.append((evening, game, language))
        self.ready.wait(20)
        if self.problem:
            raise UsageError(self.problem)
        return ["Chances to win", "  Action 3 of 9: Anna passes (20 %)"] if language == "en" else ["Gewinnchancen"]

    def stop(self) -> None:
        self.stopped += 1
        self.ready.set()


@SIZES
def test_a_finished_game_is_analysed_from_its_result(size: tuple[int, int]) -> None:
    async def story() -> None:
        analyses = FakeAnalyses()
        async with evening(over(), size=size, analyses=analyses) as tonight:
            await tonight.press("r")
            assert "Analysis" in tonight.text()
            await tonight.press("a")
            assert "This game is being analysed" in tonight.text()
            analyses.ready.set()
            await tonight.until(lambda: "Anna passes (20 %)" in tonight.text())
            await tonight.press("l")
            await tonight.until(lambda: "Gewinnchancen" in tonight.text())
            name = tonight.talk.screen._sight.snapshot.evening  # type: ignore[union-attr]
            assert analyses.asked == [(name, 1, "en"), (name, 1, "de")]
            await tonight.press("escape")
            assert analyses.stopped
            assert isinstance(tonight.app.screen, ResultDialog)

    play(story)


def test_an_analysis_that_fails_says_why_and_one_that_is_left_ends() -> None:
    async def story() -> None:
        analyses = FakeAnalyses()
        async with evening(over(), analyses=analyses) as tonight:
            await tonight.press("r", "a")
            await tonight.press("escape")
            assert (len(analyses.asked), analyses.stopped) == (1, 1)
            analyses.problem = "there is no game 1 in this evening"
            await tonight.press("a")
            await tonight.until(lambda: "there is no game 1" in tonight.text())

    play(story)


def test_without_a_journal_there_is_no_analysis() -> None:
    async def story() -> None:
        async with evening(over()) as tonight:
            await tonight.press("r")
            assert "Analysis" not in tonight.text()

    play(story)


def test_of_a_match_that_all_played_together_is_said_how_many_games_were_won(tmp_path: Path) -> None:
    snapshot = Table(tmp_path).hurry().play_to_end().referee.snapshot()
    all_of_them = (0, 1, 2)
    earlier = (Result((9, 9, 9), all_of_them), Result((3, 3, 3), ()))
    ended = replace(snapshot, teams=(all_of_them,), match=earlier, winners=all_of_them, ended=4)
    assert _match_outcome(Sight(ended, find_face("lascaux"))).sentence == "match: 2 of 3 games won"
