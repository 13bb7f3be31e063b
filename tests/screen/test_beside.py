"""Beside the table: who sits where, pauses, times, the tempo of simulated hands, and what is said aloud."""

import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec.structs import replace
from textual.content import Content
from textual.widgets import Button

from companion.drawing.table_frame import foot, plan, sides
from companion.gamekit.ending import partners
from companion.gamekit.game import Awaiting
from companion.gamekit.screen.controls import KeyButton
from companion.gamekit.screen.dialog import Reading
from companion.gamekit.screen.face import Sight
from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.sign_table import LEFT
from companion.gamekit.snapshot import Player, Result, Snapshot, Told
from companion.language.screen_language import LANGUAGES, _, speak, speaking
from companion.messages.intentions import Drive, NextGame, Pause
from companion.messages.lobby import Feat
from companion.messages.looks import SPEECH, TIMES, Preference
from companion.screen.announcements import announcements, new_turn, turn_words
from companion.screen.screens.result_screen import blocks
from companion.screen.screens.seat_dialogs import NextGameDialog, SeatsDialog
from companion.screen.screens.table_screen import TableScreen, speech_words, times_words
from companion.voice import Voice
from tests.screen.games import positions, seen
from tests.screen.table import LARGE, NEXT_OPTIONS, SMALL, choosing, drawing, evening, over, snapshot, table
from tests.voice import Ears, need_espeak

WALL = (160, 45)
NAMES = ("Anna", "Ben", "Cleo", "Dora", "Emil", "Fritz", "Gerda")
LIGHTS = {"pad0": "turn", "pad1": "done", "pad2": "lost"}


def play(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(story())  # type: ignore[arg-type]


def sight(shown: Snapshot) -> Sight:
    return Sight(shown, find_face(shown.game))


def rows(drawn: Content) -> list[str]:
    return drawn.plain.split("\n")


class Memory:
    """Keeps what is chosen on the screen."""

    problem = ""

    def __init__(self, kept: dict[str, str]) -> None:
        self._kept = kept

    def recall(self) -> Any: ...

    def keep(self, **chosen: str) -> None:
        self._kept.update(chosen)


# --- Who sits where -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(1, 8))
def test_seats_go_clockwise_around_the_table_from_the_left_of_this_screen(players: int) -> None:
    left, top, right, bottom = sides(players)
    assert not bottom
    assert [*left, *top, *right] == list(range(players))
    beside = 0 if players == 1 else 1 if players <= 5 else 2
    assert (len(left), len(right)) == (beside, beside), "three have room behind it"


@pytest.mark.parametrize(("players", "height"), list(itertools.product((2, 3, 4, 5), (3, 5, 9))))
def test_the_plan_shows_where_every_player_sits(players: int, height: int) -> None:
    shown = rows(plan(sight(snapshot(NAMES[:players])), 42, height))
    assert len(shown) == height
    assert all(len(row) <= 42 for row in shown)
    names = NAMES[:players]
    assert [name for name in names if name in "\n".join(shown)] == list(names)
    places = {name: next((y, row.index(name)) for y, row in enumerate(shown) if name in row) for name in names}
    assert places["Anna"][1] < 14, "at the left"
    assert places[names[-1]][1] > 28, "at the right"
    along = [places[name] for name in names[1:-1]]
    assert all(y == 0 for y, _x in along)
    assert [x for _y, x in along] == sorted(x for _y, x in along)
    assert "this screen" in shown[-1]


def test_of_two_pairs_of_partners_each_sits_opposite_the_other() -> None:
    """In a plan that is too low for that, they sit as in other games."""
    whist = replace(snapshot(NAMES[:4]), teams=partners(4))
    shown = rows(plan(sight(whist), 42, 7))
    assert len(shown) == 7
    middle = next(row for row in shown if "Anna" in row)
    assert middle.index("Anna") < 14
    assert middle.index("Cleo") > 28
    assert "Ben" in shown[0]
    assert "Dora" in shown[-1]
    assert abs(shown[0].index("Ben") - shown[-1].index("Dora")) <= 1
    assert "this screen" in shown[-2]
    assert len(rows(plan(sight(whist), 42, 3))) == 3


def test_the_plan_tells_turn_direction_lamps_and_a_pause() -> None:
    speak("en")
    bidding = snapshot(lights=LIGHTS)
    text = plan(sight(bidding), 42, 7).plain
    assert "►Anna ►" in text
    assert "Ben √" in text
    assert "Cleo !" in text
    assert "→ clockwise →" in text
    other = replace(bidding, table=table(direction="anticlockwise"), paused=True)
    text = plan(sight(other), 42, 7).plain
    assert "← anticlockwise ←" in text
    assert "pause" in text


def test_where_all_choose_at_once_those_who_have_chosen_are_not_awaited() -> None:
    text = plan(sight(choosing(True, False, True)), 42, 7).plain
    assert "►Ben" in text
    assert "►Anna" not in text


@pytest.mark.parametrize(("size", "drawn"), [(SMALL, False), ((100, 29), False), (LARGE, True), (WALL, True)])
def test_the_plan_is_drawn_where_there_is_room_and_elsewhere_on_request(size: tuple[int, int], drawn: bool) -> None:
    async def story() -> None:
        async with evening(snapshot(lights=LIGHTS), size) as tonight:
            assert ("this screen" in tonight.text()) is drawn
            await tonight.press("f2")
            assert isinstance(tonight.app.screen, SeatsDialog)
            for words in ("Who sits where", "this screen", "►Anna ►", "clockwise"):
                assert words in tonight.text()
            await tonight.show(snapshot(lights=LIGHTS, awaiting=Awaiting((1,), ("stone",)), number=2))
            assert "►Ben" in tonight.text(), "it goes with the game"
            await tonight.press("2", "n")
            assert tonight.referee.heard == [], "no player changes seats during a game"
            await tonight.press("f2")
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


@pytest.mark.parametrize("game", ["lascaux", "sioux", "darwinci", "carnuta"])
def test_at_100x30_and_more_every_game_has_its_plan_and_still_tells_what_happened(game: str) -> None:
    async def story() -> None:
        states = positions(game, 3)
        for size, state in itertools.product((LARGE, WALL), states[:: max(1, len(states) // 2)]):
            shown = seen(game, state)
            if shown.awaiting is None:
                continue
            async with evening(shown, size) as tonight:
                assert "this screen" in tonight.text()
                assert tonight.app.screen.query_one("#lately").size.height >= 2

    play(story)


def test_after_a_game_two_change_seats_and_the_next_game_begins_so() -> None:
    async def story() -> None:
        async with evening(over(), LARGE) as tonight:
            await tonight.press("f2", "1")
            assert "Anna swaps seats with …" in tonight.text()
            await tonight.press("3", "l")
            assert "Plätze tauschen:" in tonight.text()
            await tonight.press("l", "n")
            (told,) = await tonight.heard()
            assert isinstance(told, NextGame)
            assert told.seats == (2, 1, 0)
            assert told.first == 1, "Ben starts, wherever he sits"
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


def test_who_moves_back_has_not_moved() -> None:
    async def story() -> None:
        async with evening(over()) as tonight:
            await tonight.press("f2", "1", "2", "1", "2", "n")
            (told,) = await tonight.heard()
            assert told.seats == ()

    play(story)


@pytest.mark.parametrize("size", [SMALL, LARGE, WALL])
def test_what_the_game_proposes_for_the_next_one_is_seen_and_changed_before_it_begins(size: tuple[int, int]) -> None:
    async def story() -> None:
        async with evening(over(options=NEXT_OPTIONS | {"direction": "clockwise"}), size) as tonight:
            await tonight.press("n")
            assert isinstance(tonight.app.screen, NextGameDialog)
            for words in ("Game 2: seats, starter, options", "Ben ⌂ starts", "anticlockwise", "(changes)"):
                assert words in tonight.text(), words
            await tonight.press("s")
            assert "Cleo ⌂ starts" in tonight.text()
            for button in tonight.app.screen.query(".option").results(KeyButton):
                if "anticlockwise" in str(button.label):
                    button.focus()
            await tonight.press("enter")
            assert "◄" not in tonight.text()
            await tonight.press("n")
            (told,) = await tonight.heard()
            assert (told.seats, told.first, told.options["direction"]) == ((), 2, "clockwise")

    play(story)


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_word_on_the_seat_plan_or_at_the_foot_is_cut(code: str) -> None:
    earlier = (Result((24, 31, 18), (1,)),)
    names = ("Annabelle", "Bartholomew", "Clementine")
    looked = sight(snapshot(names, table=table(direction="anticlockwise"), match=earlier))
    with speaking(code):
        directions = {word for long in ("clockwise", "anticlockwise") for word in _(long).split()}
        for width in (30, 36, 42, 56, 70):
            drawn = plan(looked, width, 6, ("12:34", "0:05", "1:00")).plain
            edge = next(line for line in drawn.splitlines() if "┏" in line)
            assert set(edge.partition("┏")[2].partition("┓")[0].replace("━", " ").split()) <= {LEFT, *directions}
        assert foot(looked, (), (("12:34  0:05  1:00", ""),), 64).cell_length <= 64


def test_the_next_game_can_wait() -> None:
    async def story() -> None:
        async with evening(over()) as tonight:
            await tonight.press("n", "escape")
            assert isinstance(tonight.app.screen, TableScreen)
            assert tonight.referee.heard == []

    play(story)


# --- Larger on the wall ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["lascaux", "sioux", "darwinci", "carnuta"])
def test_at_160x45_headline_and_table_grow_and_nothing_is_wider_than_the_screen(game: str) -> None:
    async def story() -> None:
        states = [state for state in positions(game, 3) if seen(game, state).awaiting is not None]
        higher: list[bool] = []
        for state in states[:: max(1, len(states) // 4)]:
            looked = sight(seen(game, state))
            grown = looked.face.grown(looked, WALL[0])
            usual = looked.face.panels(looked, WALL[0], True)
            assert grown is not None
            heights = [sum(panel.plain.count("\n") + 1 for panel in panels if panel.plain) for panels in (grown, usual)]
            assert heights[0] >= heights[1]
            higher.append(heights[0] > heights[1])
            assert all(len(row) <= WALL[0] for panel in grown for row in rows(panel))
            async with evening(looked.snapshot, WALL) as tonight:
                headline = tonight.app.screen.query_one("#headline")
                assert headline.size.height >= 8
                assert "██" in tonight.text().split("\n")[3]
        assert any(higher)

    play(story)


# --- Pauses and simulated hands -------------------------------------------------------------------------------


def test_people_pause_and_go_on_with_one_key() -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            await tonight.press("z")
            (told,) = await tonight.heard()
            assert (type(told), told.on) == (Pause, True)
            await tonight.show(snapshot(paused=True, number=2))
            assert "pause" in tonight.text()
            await tonight.press("z")
            assert [each.on for each in await tonight.heard(2)] == [True, False]
            await tonight.press("plus", "full_stop")
            assert len(tonight.referee.heard) == 2, "these are for demos"

    play(story)


@pytest.mark.parametrize("size", [SMALL, LARGE, WALL])
def test_a_demo_is_paused_hurried_slowed_and_stepped_by_key_and_by_button(size: tuple[int, int]) -> None:
    async def story() -> None:
        demo = snapshot(simulated=(0, 1, 2))
        async with evening(demo, size) as tonight:
            for words in ("p Pause", "- Slower", "+ Faster", ". Step"):
                assert words in tonight.text()
            await tonight.press("space", "plus", "minus")
            pause, faster, slower = await tonight.heard(3)
            assert (type(pause), pause.on) == (Pause, True)
            assert [(type(each), each.speed) for each in (faster, slower)] == [(Drive, 2.0), (Drive, 0.5)]
            await tonight.show(replace(demo, paused=True, speed=4.0, number=2))
            assert "p Go on" in tonight.text()
            assert "×4" in tonight.text()
            await tonight.press("full_stop")
            assert (await tonight.heard(4))[-1] == Drive(tonight.referee.heard[-1].id, 4.0, True)
            await tonight.click("Go on")
            assert (await tonight.heard(5))[-1].on is False

    play(story)


def test_a_spectator_drives_no_simulated_player() -> None:
    async def story() -> None:
        async with evening(snapshot(simulated=(0, 1, 2)), watch=True) as tonight:
            await tonight.press("space", "p", "plus", "minus", "full_stop", "z")
            assert tonight.referee.heard == []

    play(story)


# --- Times ----------------------------------------------------------------------------------------------------


def thinking(**changed: Any) -> Snapshot:
    return snapshot(**{"thought": (65.0, 5.0, 0.0), "since": time.time()} | changed)


def test_where_companion_deals_no_one_is_told_that_their_cards_may_differ() -> None:
    speak("en")
    face = find_face("lascaux")
    assert "stand-in box" in foot(Sight(snapshot(), face)).plain
    assert "stand-in box" not in foot(Sight(snapshot(deals=True), face)).plain


def test_times_are_shown_only_where_people_want_them_and_that_is_kept() -> None:
    async def story() -> None:
        kept: dict[str, str] = {}
        async with evening(thinking(), LARGE, memory=Memory(kept)) as tonight:
            assert "1:05" not in tonight.text()
            await tonight.press("f3")
            assert "Times: shown" in tonight.text()
            assert "Ben 0:05" in tonight.text()
            assert kept == {"times": "shown"}
            await tonight.press("f3")
            assert "reminder after 1 min" in tonight.text()

    play(story)


def test_language_theme_and_voice_are_kept_for_the_next_evening() -> None:
    async def story() -> None:
        kept: dict[str, str] = {}
        async with evening(thinking(), LARGE, memory=Memory(kept)) as tonight:
            app = tonight.app
            for choose in (app.action_language, app.action_theme, app.choose_speech):
                choose()
            assert kept == {"language": "de", "theme": app.theme, "speech": app.speech}

    play(story)


class Recorder:
    """Hears what would be spoken."""

    def __init__(self) -> None:
        self.spoken: list[tuple[list[str], str]] = []

    def say(self, texts: Sequence[str], language: str) -> None:
        self.spoken.append((list(texts), language))

    def hush(self) -> None: ...


def test_speech_can_have_its_own_language() -> None:
    async def story() -> None:
        recorder = Recorder()
        async with evening(thinking(), LARGE) as tonight:
            app = tonight.app
            app._speech, app._voice = "brief", cast("Any", recorder)
            await tonight.press("V", "V")
            assert app.speech_language == "de"
            assert "Spoken: Deutsch" in tonight.text()
            await tonight.show(over())
            assert recorder.spoken == [(["Anna gewinnt das Spiel"], "de")]
            await tonight.press("escape")  # the scoring, step by step
            assert "Anna wins the game" in tonight.text(), "the screen stays English"

    play(story)


def test_the_screen_speaks_for_the_player_who_wants_to_hear_the_most_and_calls_each_in_their_language() -> None:
    """Ben wants to hear turns, and German. Nothing of it is stored: at the next table another choice may count."""
    kept: dict[str, str] = {}
    asked: list[tuple[str, tuple[str, ...]]] = []

    def look(evening: str, names: Sequence[str]) -> Sequence[Preference]:
        asked.append((evening, tuple(names)))
        return Preference(), Preference("de", "brief"), Preference("de", "off")

    async def story() -> None:
        async with evening(drawing(), LARGE, preferences=look, memory=Memory(kept)) as tonight:
            recorder = Recorder()
            tonight.app._voice = cast("Any", recorder)
            await tonight.until(lambda: "Speech: turns and results, because Ben wants it" in tonight.text())
            await tonight.show(snapshot(number=2, awaiting=Awaiting((1,), ("stone", "pass"))))
            await tonight.show(snapshot(number=3))
            await tonight.show(over(number=4))
            assert [(" ".join(texts[0].split()[:3]), code) for texts, code in recorder.spoken] == [
                ("Ben: Stein legen", "de"),
                ("Anna: lay a", "en"),
                ("Anna wins the", "en"),
            ]
            assert asked == [("e", ("Anna", "Ben", "Cleo"))]
            tonight.app.choose_speech()
            assert kept == {"speech": "full"}
            assert tonight.app.speech == "full"

    play(story)


def test_players_who_switch_speech_off_are_not_overruled_in_the_next_game() -> None:
    async def story() -> None:
        wanted = [Preference("de", "brief")] * 3
        async with evening(drawing(), LARGE, preferences=lambda *_: wanted) as tonight:
            await tonight.until(lambda: tonight.app.speech == "brief")
            tonight.app.choose_speech()
            tonight.app.choose_speech()
            assert tonight.app.speech == "off"
            talk = tonight.talk
            talk.preferences = ()
            await tonight.show(snapshot(number=2, begun=40))
            await tonight.until(lambda: bool(talk.preferences))
            assert tonight.app.speech == "off"

    play(story)


def test_for_a_simulated_player_of_that_name_nothing_is_spoken() -> None:
    async def story() -> None:
        wanted = [Preference("de", "full")] * 3
        async with evening(
            drawing(simulated=(1, 2)), LARGE, preferences=lambda *_: [Preference(), *wanted[1:]]
        ) as tonight:
            await tonight.until(lambda: bool(tonight.app.conversation and tonight.app.conversation.preferences))
            assert tonight.app.speech == "off"

    play(story)


@pytest.mark.parametrize(
    ("feat", "words"),
    [
        (Feat("streak", "Cleo", 4), "Cleo's fourth win in a row"),
        (Feat("streak", "Cleo", 5), "Cleo's fifth win in a row"),
        (Feat("streak", "Cleo", 6), "Cleo has won 6 games in a row"),
        (Feat("streak", "Cleo", 12), "Cleo has won 12 games in a row"),
        (Feat("record", "Ben", 41), "Ben's 41 are a new record"),
        (Feat("first win", "[/b]", 1), "[/b]'s first win"),
        (None, "Anna wins the game"),
    ],
)
def test_after_a_result_the_screen_says_what_is_special_about_it(feat: Feat | None, words: str) -> None:
    async def story() -> None:
        asked: list[tuple[str, int]] = []

        def look(evening: str, game: int) -> Feat | None:
            asked.append((evening, game))
            return feat

        async with evening(thinking(), LARGE, feat=look) as tonight:
            await tonight.show(over())
            await tonight.press("escape")  # the scoring, step by step
            await tonight.until(lambda: words in tonight.text())
            assert asked == [("e", 1)]

    play(story)


def test_while_simulated_hands_deal_no_player_is_asked_to_draw() -> None:
    async def story() -> None:
        dealt = drawing(simulated=(1, 2), by_table=("draw",))
        async with evening(dealt, LARGE) as tonight:
            assert "Companion deals the cards. You have nothing to do." in tonight.text()
            assert "Draw" not in tonight.text()

    play(story)


def test_a_limit_only_reminds_and_only_once_for_each_thought() -> None:
    async def story() -> None:
        shown = thinking(since=time.time() - 130)
        async with evening(shown, LARGE, times="2") as tonight:
            assert isinstance(tonight.app.screen, TableScreen)
            tonight.app.screen._tick()
            await tonight.pilot.pause()
            assert "Anna has been thinking for 2 minutes" in tonight.text()
            tonight.app.screen._clock._reminded = shown.since
            assert tonight.app.screen._clock.overdue(sight(shown), 2) is None
            assert tonight.referee.heard == [], "it only reminds"

    play(story)


def test_the_clocks_of_the_plan_go_on_with_those_at_the_foot() -> None:
    async def story() -> None:
        async with evening(thinking(), LARGE, times="shown") as tonight:
            assert isinstance(tonight.app.screen, TableScreen)
            assert tonight.text().count("Anna 1:") == 2
            tonight.app.screen._clock._began -= 600
            tonight.app.screen._tick()
            await tonight.pilot.pause()
            assert tonight.text().count("Anna 11:") == 2

    play(story)


def test_the_result_has_everybodys_time() -> None:
    speak("en")
    shown = sight(over(thought=(125.0, 61.0, 3.0)))
    text = "\n".join(block.plain for block in blocks(shown, 90))
    assert [word for word in ("2:05", "1:01", "0:03") if word in text] == ["2:05", "1:01", "0:03"]
    assert "time" not in "\n".join(block.plain for block in blocks(sight(over()), 90)).split("\n")[-1]


# --- Aloud ----------------------------------------------------------------------------------------------------

REFUSED = Told(2, "refused", "not your turn", "L10", {"seat": 1, "turn": 0})


def test_a_turn_is_called_once_and_in_the_words_of_the_screen() -> None:
    speak("en")
    before, now = sight(snapshot(awaiting=Awaiting((2,), ("stone", "pass")))), sight(snapshot())
    assert new_turn(before, now) == (0,)
    assert turn_words(now) == [now.face.headline(now).sentence]
    assert new_turn(now, now) == ()
    assert new_turn(None, now) == (), "a new screen announces only what comes next"


def test_simulated_neighbours_are_not_called_and_for_watchers_every_player_is() -> None:
    mine = sight(snapshot(simulated=(1, 2)))
    theirs = sight(snapshot(simulated=(1, 2), awaiting=Awaiting((1,), ("stone", "pass"))))
    assert new_turn(mine, theirs) == ()
    assert new_turn(theirs, mine) == (0,)
    watching = [Sight(each.snapshot, each.face, watching=True) for each in (mine, theirs)]
    assert new_turn(watching[0], watching[1]) == (1,)


def test_refusals_and_reveals_are_said_only_where_everything_is() -> None:
    speak("en")
    now = sight(snapshot())
    takes = Told(3, "accepted", "takes", "L12", {"seat": 0, "colour": "white", "cards": ()}, entry=7)
    follows = Told(4, "accepted", "starts the next round", "L14", {"seat": 1}, entry=7)
    said = announcements(now, now, [REFUSED, takes, follows], "full")
    assert said == [now.say(REFUSED), now.say(takes), now.say(follows)]
    assert announcements(now, now, [REFUSED, takes, follows], "brief") == []
    assert announcements(None, now, [REFUSED, takes, follows], "full") == [], "a new screen announces what comes next"


def test_the_result_is_said_once() -> None:
    speak("en")
    before, after = sight(snapshot()), sight(over())
    assert announcements(before, after, [], "brief") == ["Anna wins the game"]
    assert announcements(after, after, [], "brief") == []
    assert announcements(before, after, [], "off") == []
    assert new_turn(before, after) == ()


@pytest.mark.parametrize("game", ["lascaux", "sioux", "darwinci", "carnuta"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_nothing_is_said_that_the_screen_does_not_say(game: str, language: str) -> None:
    """The property behind "never a secret": every announcement is a sentence of the headline, the history or the
    result, all of which every player may read."""
    speak(language)
    try:
        shown = [sight(seen(game, state)) for state in positions(game, 3)]
        for before, now in itertools.pairwise(shown):
            readable = {now.face.headline(now).sentence} if not now.over else set()
            readable |= {now.say(told) for told in now.history}
            if now.over:
                from companion.drawing.result_sheet import outcome

                readable.add(outcome(now).sentence)
            turn = turn_words(now) if new_turn(before, now) else []
            assert {*announcements(before, now, now.history, "full"), *turn} <= readable
    finally:
        speak("en")


def test_the_next_player_is_really_called(tmp_path: Path) -> None:
    need_espeak()

    async def story() -> None:
        ears = Ears(tmp_path)
        async with evening(drawing(), speech="brief") as tonight:
            problems: list[str] = []
            voice = tonight.app._voice = Voice(problems.append, ears.play)
            await tonight.show(snapshot(awaiting=Awaiting((1,), ("stone", "pass")), number=2))
            assert await asyncio.to_thread(voice.wait_until_quiet, 60)
            assert len(ears.heard) == 1
            assert ears.heard[0].loudest > 1000
            await tonight.press("v", "v")
            assert "Speech: off" in tonight.text()
            await tonight.show(snapshot(number=3))
            assert await asyncio.to_thread(voice.wait_until_quiet, 60)
            assert len(ears.heard) == 1
            assert problems == []

    play(story)


def test_a_missing_voice_is_told_on_the_screen_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    async def story() -> None:
        async with evening(drawing(), LARGE, speech="full") as tonight:
            await tonight.show(snapshot(number=2))
            await tonight.until(lambda: "program espeak-ng is" in tonight.text())

    play(story)


# --- Help -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shown", "keys"),
    [(snapshot(), ("u",)), (snapshot(), ("h",)), (snapshot(), ("f2",)), (drawing(), ("d",))],
)
def test_F1_helps_over_every_question_which_stays(shown: Snapshot, keys: tuple[str, ...]) -> None:
    async def story() -> None:
        async with evening(shown, LARGE) as tonight:
            await tonight.press(*keys)
            asked = tonight.app.screen
            await tonight.press("f1")
            assert isinstance(tonight.app.screen, Reading)
            assert "undo the last action" in tonight.text()
            await tonight.press("f1")
            assert tonight.app.screen is asked

    play(story)


def test_a_question_that_makes_no_sense_any_more_goes_when_the_help_over_it_does() -> None:
    async def story() -> None:
        async with evening(snapshot(), LARGE) as tonight:
            await tonight.press("u", "f1")
            await tonight.show(snapshot(entry=2, number=2))
            await tonight.press("escape")
            await tonight.until(lambda: isinstance(tonight.app.screen, TableScreen))

    play(story)


def test_what_followed_by_itself_was_done_by_nobodys_hand() -> None:
    async def story() -> None:
        lines = (
            Told(1, "accepted", "passes", "L8", {"seat": 1, "stones": 2}, how="screen", entry=5),
            Told(2, "accepted", "is the last", "L12", {"seat": 0}, how="screen", entry=5),
        )
        async with evening(snapshot(kit="full", history=lines), LARGE) as tonight:
            text = tonight.text()
            assert text.count("on screen") == 1
            assert "on screen" in next(row for row in text.split("\n") if "Ben passes" in row)

    play(story)


def test_the_own_hand_has_a_button_and_so_has_a_player_who_is_alone() -> None:
    async def story() -> None:
        for size in (SMALL, LARGE, WALL):
            async with evening(snapshot(own=True), size) as tonight:
                assert "i Hand" in tonight.text()
            async with evening(snapshot(players=(Player("Anna"), Player("Ben"), Player("Cleo"))), size) as tonight:
                assert "i Hand" not in tonight.text()

    play(story)


def test_what_is_beside_the_game_is_reached_by_touch_and_no_label_touches_another() -> None:
    async def story() -> None:
        for size, language in itertools.product((SMALL, LARGE, WALL), LANGUAGES):
            async with evening(snapshot(own=True), size, language=language) as tonight:
                buttons = tonight.app.screen.query("#bar Button").results(Button)
                shown = [button for button in buttons if button.display and button.visible]
                assert all(len(str(button.label)) < button.region.width for button in shown)
                await tonight.click({"en": "More", "de": "Mehr"}[language])
                for key in ("w ", "F2 ", "z ", "F3 ", "v ", "q "):
                    assert key in tonight.text()

    play(story)


def test_what_is_set_can_be_read_on_its_button_on_the_small_screen() -> None:
    settings = list(itertools.zip_longest(TIMES, SPEECH, fillvalue="brief"))

    async def story() -> None:
        for language in LANGUAGES:
            async with evening(snapshot(own=True), SMALL, language=language) as tonight:
                for tonight.app.times, tonight.app._speech in settings:
                    await tonight.press("m")
                    for words in (
                        times_words(tonight.app.times, short=True),
                        speech_words(tonight.app.speech, short=True),
                    ):
                        assert words in tonight.text()
                    await tonight.press("escape")

    play(story)
