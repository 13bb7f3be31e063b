"""Going through a box on the screen: by keys alone, by touch alone, in both sizes and languages; everything is kept."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from textual.pilot import Pilot
from textual.widgets import Button

from companion.devices.device import Device
from companion.enrolment import tapped_tag
from companion.enrolment.course import Course, finish, standing
from companion.gamekit import discovery
from companion.gamekit.catalogues import read_catalogue, update, write
from companion.gamekit.game import Thing
from companion.gamekit.parts import enrolment_plan, texts_of
from companion.home.box_files import find_box
from companion.home.enrolment_progress import resumed
from companion.home.paths import pack_path, progress_path
from companion.home.tag_packs import find_pack, store_pack, stored_pack
from companion.processes.enrolment_store import FileEnrolmentStore
from companion.processes.table_devices import equipment
from companion.screen.enrolment import enrolment_screen as module
from companion.screen.enrolment.enrolment_app import EnrollApp
from companion.screen.enrolment.enrolment_screen import EnrollScreen
from companion.screen.enrolment.enrolment_words import Wording
from companion.simulation.rig import Rig
from companion.table.effects import Effect
from companion.table.pieces import Pack
from companion.table.signals import LinkUp, ReaderFault, Signal, TagPlaced, TagRemoved
from tests import moles
from tests.ours import GAMES
from tests.screen.table import LARGE, SMALL, clicked, painted

SIZES = pytest.mark.parametrize("size", [SMALL, LARGE], ids=["66x20", "100x30"])
ONE, OTHER = "04A1B2C3D4E5F6", "04A1B2C3D4E5F7"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def tags_settle_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which tag was meant is tested on a clock of its own, in tests/enrolment."""
    monkeypatch.setattr(tapped_tag, "SETTLE_MS", 0)
    monkeypatch.setattr(module, "SETTLE_MS", 0)


class Quiet:
    """A reader that says what a test lets it say, and remembers the sounds that it was to make."""

    stations = ("centre",)

    def __init__(self) -> None:
        self.say: Callable[[Signal], object] = print
        self.shown: list[Effect] = []

    async def run(self, deliver: Callable[[Signal], object]) -> None:
        self.say = deliver
        await asyncio.Event().wait()

    def show(self, effect: Effect) -> None:
        self.shown.append(effect)


class Owner:
    """A player at the screen."""

    def __init__(self, app: EnrollApp, store: FileEnrolmentStore, pilot: Pilot[None]) -> None:
        self.app, self.store, self.pilot = app, store, pilot

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.app._press_keys([key])
            await self.pilot.pause()

    async def tap(self) -> None:
        """The simulated reader."""
        before = len(self.store.course.log)
        await self.press("a")
        await self.until(lambda: len(self.store.course.log) > before)

    async def click(self, label: str) -> None:
        buttons = [button for button in self.app.screen.query(Button) if label in str(button.label) and button.display]
        assert buttons, f"no button {label!r} among {[str(b.label) for b in self.app.screen.query(Button)]}"
        buttons[0].scroll_visible(animate=False)
        await self.pilot.pause()
        await clicked(self.pilot, buttons[0])
        await self.pilot.pause()

    async def put(self, course: Course) -> None:
        """As if all that had been done on this screen."""
        assert self.store.keep(course) == ""
        assert isinstance(self.app.screen, EnrollScreen)
        self.app.screen._begin(course)
        await self.pilot.pause()

    async def until(self, condition: Callable[[], object]) -> None:
        for _turn in range(500):
            if condition():
                await self.pilot.pause()  # and can be seen
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"it never happened:\n{self.text()}")

    def text(self) -> str:
        return "\n".join("".join(segment.text for segment in strip) for strip in painted(self.app))

    @property
    def at(self) -> str | None:
        step = standing(self.store.course).next
        return step.key if step else None


@asynccontextmanager
async def owner(
    game: str = "lascaux", size: tuple[int, int] = SMALL, code: str = "en", devices: list[Device] | None = None
) -> AsyncIterator[Owner]:
    store = FileEnrolmentStore(discovery.find(game), devices or [])
    app = EnrollApp(store, language=code)
    async with app.run_test(size=size) as pilot:
        someone = Owner(app, store, pilot)
        await someone.until(lambda: isinstance(app.screen, EnrollScreen) and app.screen.is_mounted)
        await pilot.pause()
        yield someone


def play(scene: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(scene())


# --- What is seen ---------------------------------------------------------------------------------------------


@SIZES
def test_every_button_says_what_it_does_and_nothing_is_cut_off(size: tuple[int, int]) -> None:
    bars = (
        "n Next,a Tap,s Later,u Undo,F1 Help,l DE,q Stop,No reader: made-up tags",
        "n Weiter,a Auflegen,s Später,u Rückgängig,F1 Hilfe,l EN,q Ende,Kein Lesegerät: Sticker sind",
    )

    async def scene() -> None:
        async with owner("lascaux", size) as someone:
            for bar in bars:
                for label in bar.split(","):
                    assert label in someone.text()
                await someone.press("l")

    play(scene)


@SIZES
@pytest.mark.parametrize("game", GAMES)
def test_what_is_asked_can_be_read_at_every_kind_of_step_in_both_languages(game: str, size: tuple[int, int]) -> None:
    """Each sentence whole, and each field with its name."""

    async def scene() -> None:
        words = Wording(game)
        async with owner(game, size) as someone:
            while step := standing(someone.store.course).next:
                for _language in range(2):
                    text = someone.text()
                    assert words.headline(step).sentence in text
                    for number, field in enumerate(step.fields, 1):
                        assert f"{number} {words.label(field)[:14]}" in text
                    await someone.press("l")
                await someone.put(finished(someone.store.course, step.sentence))
            assert "The box and its 0 tags count from the next game on." in someone.text()

    play(scene)


def finished(course: Course, sentence: str) -> Course:
    """Without tags, up to the first step that is asked for in another way."""
    while (step := standing(course).next) and step.sentence == sentence:
        after = finish(course, step.values)
        assert isinstance(after, Course)
        course = after
    return course


# --- A third-party game ------------------------------------------------------------------------------------------


@pytest.fixture
def strangers_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where its catalogues belong. It is installed for this test alone."""
    folder = moles.install(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    forget_the_stranger()
    yield folder
    forget_the_stranger()


def forget_the_stranger() -> None:
    """Also one that another test has met."""
    for cache in (discovery.found, texts_of, enrolment_plan):
        cache.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "moles"]:
        del sys.modules[name]


def test_a_strangers_game_brings_its_own_sentences_words_and_complaints(strangers_game: Path) -> None:
    async def scene() -> None:
        async with owner("moles") as someone:
            assert "How many holes are there? 5 holes at most." in someone.text()
            assert "1 Holes: the lawn" in someone.text()
            await someone.press("1", "6", "enter")
            assert "half a dozen" in someone.text()
            await someone.press("n")
            assert "That is more than 5 holes." in someone.text()
            await someone.press("1", "4", "enter", "n")
            assert "Tap piece 1 of 3: mole blind" in someone.text()
            await someone.tap()
            assert "mole blind: tag 04000000000001" in someone.text()
            await someone.tap()
            assert "Tap piece 3 of 3, from set 2: shovel" in someone.text()
            await someone.tap()
            assert "4 of 4 done, 3 tags" in someone.text()
            assert set(stored_pack("moles").tags.values()) == {Thing("mole", "blind"), Thing("shovel", "", 1)}

    play(scene)


def test_a_strangers_game_speaks_its_own_catalogue_and_where_it_is_silent_the_houses(strangers_game: Path) -> None:
    update("moles", ["de"])
    catalogue = read_catalogue(strangers_game, "de")
    known = catalogue.get("nothing")
    assert known is not None
    assert known.string == "nichts"  # Companion has it translated
    german = {"How many holes are there? {most:hole|holes} at most.": "Wie viele Löcher? Höchstens {most:Loch|Löcher}."}
    for text, words in {**german, "mole": "Maulwurf"}.items():
        entry = catalogue.get(text)
        assert entry is not None
        entry.string = words
    write(catalogue, strangers_game, "de")

    async def scene() -> None:
        async with owner("moles", code="de") as someone:
            assert "Wie viele Löcher? Höchstens 5 Löcher." in someone.text()
            assert "1 Holes: the lawn" in someone.text()
            await someone.press("n")
            assert "Leg Teil 1 von 3 auf: Maulwurf blind" in someone.text()

    play(scene)


# --- By keys --------------------------------------------------------------------------------------------------


def test_a_box_that_is_finished_by_keys_alone_is_the_one_that_is_played_with() -> None:
    async def scene() -> None:
        async with owner("sioux") as someone:
            await someone.press("n", "n", "n")
            await someone.put(nearly_done(someone.store.course, 5))
            while someone.at is not None:
                await someone.tap()
            assert "59 of 59 done, 56 tags" in someone.text()

    play(scene)
    game = discovery.find("sioux")
    found = find_box(game)
    assert found.box.provenance == "enrolled"
    assert len(find_pack(game, found.box).tags) == 56


def nearly_done(course: Course, left: int) -> Course:
    """Every piece has a tag, but for the last few."""
    while len(standing(course).waiting) > left:
        after = finish(course, standing(course).waiting[0].values, f"04A1{len(course.log):010X}")
        assert isinstance(after, Course)
        course = after
    return course


def test_what_is_printed_is_changed_by_keys_and_counts_when_the_piece_is_tapped() -> None:
    async def scene() -> None:
        async with owner("lascaux") as someone:
            await someone.press("n", "1", "right", "right", "down", "enter")
            assert "yellow/blue" not in someone.text()
            assert "green/white" in someone.text()
            await someone.tap()
            assert someone.store.course.log[-1].values == {"pair": "green/white"}  # type: ignore[union-attr]
            assert "aurochs 1: tag 04000000000001" in someone.text()

    play(scene)


def test_a_number_is_found_by_typing_it() -> None:
    async def scene() -> None:
        async with owner("darwinci") as someone:
            await someone.press("1", "4", "2", "enter")
            assert "42" in someone.text()
            await someone.press("n", "2", "-", "3", "enter")
            await someone.tap()
            assert someone.store.course.log[-1].values["value"] == "-3"  # type: ignore[union-attr]
            assert "of 42" in someone.text()

    play(scene)


def test_several_things_are_collected_and_only_as_many_as_are_asked_for_are_taken() -> None:
    async def scene() -> None:
        async with owner("sioux") as someone:
            await someone.press("1", "backspace")
            assert "8 of 9" in someone.text()
            await someone.press("d")
            assert "8 of 9" in someone.text()  # not enough: it stays open
            await someone.press("1", "5", "enter", "d")
            assert "2, 3, 4, 5, 9, 10, 11, 12, 15" in someone.text()
            await someone.press("1", "escape", "n")
            assert someone.store.course.log[-1].values["values"][-1] == "15"  # type: ignore[union-attr,index]

    play(scene)


def test_one_of_different_things_is_taken_away_by_choosing_it_again() -> None:
    async def scene() -> None:
        async with owner("lascaux") as someone:
            await someone.press("0")
            assert "of 6" not in someone.text(), "fields are numbered from 1"
            await someone.press("1", "enter")
            assert "5 of 6" in someone.text()
            await someone.press("enter")
            assert "6 of 6" in someone.text()

    play(scene)


def test_prey_that_does_not_add_up_is_told_and_stays_to_be_changed() -> None:
    async def scene() -> None:
        async with owner("sioux", code="de") as someone:
            await someone.press("n", "1", "1", "enter", "n")
            assert "Es gibt 56 Beutekarten, das hier sind 44." in someone.text()
            assert someone.at == "prey"

    play(scene)


def test_later_undo_and_no_tag() -> None:
    async def scene() -> None:
        async with owner("lascaux") as someone:
            await someone.press("s")
            assert "You can't leave this for later" in someone.text()
            await someone.press("n", "s")
            assert someone.at == "aurochs 2"
            await someone.press("w")
            assert (someone.at, stored_pack("lascaux").tags) == ("aurochs 3", {})
            await someone.press("u", "u")
            assert someone.at == "aurochs 1"
            await someone.press("u", "u")
            assert "There is nothing to undo." in someone.text()

    play(scene)


def test_help_and_another_language_change_nothing_else() -> None:
    async def scene() -> None:
        async with owner("lascaux") as someone:
            await someone.press("n", "1", "right", "enter", "l")
            assert "gelb/grün" in someone.text()
            await someone.press("1", "l")
            assert "yellow/pink" in someone.text()
            await someone.press("escape", "f1")
            assert "q quits. Every piece is saved at once" in someone.text()
            await someone.press("escape", "t")
            assert someone.app.theme == "light"
            await someone.press("q")
            assert not someone.app.is_running

    play(scene)


# --- By touch -------------------------------------------------------------------------------------------------


@SIZES
def test_everything_can_be_done_by_touch(size: tuple[int, int]) -> None:
    async def scene() -> None:
        async with owner("carnuta", size) as someone:
            await someone.click("Ingredient")
            await someone.click("salt")
            await someone.click("Cost")
            await someone.click("Remove last")
            await someone.click("remove a sun")
            await someone.click("Done")
            await someone.click("Points")
            await someone.click("17")
            await someone.click("Tap")
            await someone.until(lambda: someone.at == "card 2")
            values = someone.store.course.log[0].values  # type: ignore[union-attr]
            assert (values["ingredient"], values["points"]) == ("salt", "17")
            assert values["cost"] == ("flip sun", "remove sun")
            await someone.click("Later")
            await someone.click("No tag")
            await someone.click("Undo")
            assert someone.at == "card 3"
            await someone.click("Help")
            await someone.click("Close")
            await someone.click("Stop")
            assert not someone.app.is_running

    play(scene)


# --- Tags -----------------------------------------------------------------------------------------------------


def test_a_tag_on_another_piece_is_refused_by_name_and_with_a_sound() -> None:
    reader = Quiet()

    async def scene() -> None:
        async with owner("lascaux", devices=[reader]) as someone:
            reader.say(LinkUp("centre", 0))
            await someone.pilot.pause()
            assert "The reader is ready." in someone.text()
            await someone.press("n")
            for _time in range(2):
                reader.say(TagPlaced("centre", 0, ONE))
                reader.say(TagRemoved("centre", 0, ONE))
                await someone.pilot.pause(0.1)
            await someone.until(lambda: "is already on another piece: aurochs 1" in someone.text())
            assert someone.at == "aurochs 2"
            assert [effect.cue for effect in reader.shown] == ["accepted", "refused"]  # type: ignore[union-attr]

    play(scene)


def test_two_tags_at_once_are_named_and_none_counts() -> None:
    reader = Quiet()

    async def scene() -> None:
        async with owner("lascaux", LARGE, devices=[reader]) as someone:
            await someone.press("n")
            reader.say(TagPlaced("centre", 0, OTHER))
            reader.say(TagPlaced("centre", 0, ONE))
            await someone.pilot.pause(0.1)
            assert f"Two tags at once: {ONE}, {OTHER}." in someone.text()
            assert someone.at == "aurochs 1"

    play(scene)


def test_a_tag_of_another_game_is_refused() -> None:
    store_pack(pack_path("sioux"), Pack({ONE: Thing("card", "crow", 1)}))
    reader = Quiet()

    async def scene() -> None:
        async with owner("lascaux", devices=[reader]) as someone:
            await someone.press("n")
            reader.say(TagPlaced("centre", 0, ONE))
            await someone.until(lambda: "This tag is already on a piece of Sioux." in someone.text())
            assert someone.at == "aurochs 1"

    play(scene)


def test_a_tag_means_nothing_while_something_is_being_chosen_or_printed_values_are_asked_for() -> None:
    reader = Quiet()

    async def scene() -> None:
        async with owner("lascaux", devices=[reader]) as someone:
            reader.say(TagPlaced("centre", 0, ONE))
            await someone.until(lambda: "There is nothing to tap now" in someone.text())
            reader.say(TagRemoved("centre", 0, ONE))
            await someone.press("n", "1")
            reader.say(TagPlaced("centre", 0, ONE))
            await someone.pilot.pause(0.1)
            assert someone.at == "aurochs 1"

    play(scene)


@pytest.fixture
def tags_take_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Longer than a hand needs for some keys, on a slow machine too."""
    monkeypatch.setattr(tapped_tag, "SETTLE_MS", 600)
    monkeypatch.setattr(module, "SETTLE_MS", 600)


@pytest.mark.usefixtures("tags_take_a_moment")
def test_no_key_overtakes_a_tag_which_belongs_to_the_piece_that_was_asked_for_when_it_was_laid_down() -> None:
    async def scene() -> None:
        async with owner("lascaux") as someone:
            await someone.press("n")
            await someone.app._press_keys(["a", "w", "s", "a"])
            await someone.until(lambda: len(someone.store.course.log) == 5)
            told = [(type(entry).__name__, entry.step, getattr(entry, "uid", "")) for entry in someone.store.course.log]
            assert told[1:] == [
                ("Completed", "aurochs 1", "04000000000001"),
                ("Completed", "aurochs 2", None),
                ("Skipped", "aurochs 3", ""),
                ("Completed", "aurochs 4", "04000000000002"),
            ]
            await someone.app._press_keys(["a", "u"])
            await someone.pilot.pause(1.0)
            assert (len(someone.store.course.log), someone.at) == (5, "aurochs 5")

    play(scene)


@pytest.mark.usefixtures("tags_take_a_moment")
def test_keys_after_a_tag_that_does_not_count_do_not_meet_the_piece_before_but_who_stops_stops() -> None:
    reader = Quiet()

    async def scene() -> None:
        async with owner("lascaux", devices=[reader]) as someone:
            await someone.press("n")
            reader.say(TagPlaced("centre", 0, ONE))
            await someone.app._press_keys(["w"])
            reader.say(TagPlaced("centre", 0, OTHER))
            await someone.until(lambda: "Two tags at once" in someone.text())
            await someone.pilot.pause(0.8)
            assert someone.at == "aurochs 1"
            reader.say(TagRemoved("centre", 0, ONE))
            reader.say(TagRemoved("centre", 0, OTHER))
            reader.say(TagPlaced("centre", 0, ONE))
            await someone.app._press_keys(["q", "s"])
            reader.say(ReaderFault("centre", 0, "the bus fails"))
            await someone.until(lambda: not someone.app.is_running)
            assert someone.at == "aurochs 1"

    play(scene)


@pytest.mark.usefixtures("tags_take_a_moment")
def test_a_tag_counts_although_help_was_asked_for_and_not_if_it_came_while_something_was_chosen() -> None:
    reader = Quiet()

    async def scene() -> None:
        async with owner("lascaux", devices=[reader]) as someone:
            await someone.press("n")
            reader.say(TagPlaced("centre", 0, ONE))
            reader.say(TagRemoved("centre", 0, ONE))
            await someone.press("f1")
            await someone.until(lambda: someone.at == "aurochs 2")
            await someone.press("escape", "1")
            reader.say(TagPlaced("centre", 0, OTHER))
            await someone.press("escape")
            await someone.until(lambda: "Lift it and lay it down again" in someone.text())
            assert someone.at == "aurochs 2"

    play(scene)


def test_when_all_is_enrolled_only_what_still_does_something_has_a_button() -> None:
    async def scene() -> None:
        async with owner("carnuta") as someone:
            await someone.put(nearly_done(someone.store.course, 1))
            assert "a Tap" in someone.text()
            await someone.tap()
            text = someone.text()
            assert [label for label in ("Next", "No tag", "Tap", "Later", "Undo", "Stop") if label in text] == [
                "Undo",
                "Stop",
            ]
            await someone.press("u")
            assert "a Tap" in someone.text()

    play(scene)


def test_what_is_wrong_with_the_reader_is_told_and_pieces_without_tags_go_on() -> None:
    reader = Quiet()

    async def scene() -> None:
        async with owner("lascaux", code="de", devices=[reader]) as someone:
            assert "Das Lesegerät wird verbunden" in someone.text()
            reader.say(ReaderFault("centre", 0, "the bus fails"))
            await someone.pilot.pause()
            assert "Das Lesegerät funktioniert nicht: der Bus versagt" in someone.text()
            await someone.press("n", "a")
            assert someone.at == "aurochs 1"  # nothing is made up where there is a reader
            await someone.press("w")
            assert someone.at == "aurochs 2"

    play(scene)


def test_real_drivers_on_simulated_chips_enrol_a_piece(tmp_path: Path) -> None:
    async def scene() -> None:
        async with Rig("one", tmp_path) as rig, owner("lascaux", devices=equipment(rig.table)) as someone:
            await someone.until(lambda: "The reader is ready." in someone.text())
            await someone.press("n")
            for uid in (ONE, "12345678"):
                before = len(someone.store.course.log)
                rig.lay("centre", uid)
                await someone.until(lambda before=before: len(someone.store.course.log) > before)
                rig.lift("centre", uid)
                await someone.until(lambda: not someone.app.screen._hearing.lying)  # type: ignore[attr-defined]
            assert [entry.uid for entry in someone.store.course.log[1:]] == [ONE, "12345678"]  # type: ignore[union-attr]

    play(scene)


# --- Kept -----------------------------------------------------------------------------------------------------


def test_stopping_at_any_time_and_going_on_another_day_is_where_one_was() -> None:
    async def first() -> None:
        async with owner("lascaux") as someone:
            await someone.press("n")
            await someone.tap()
            await someone.press("s")
            assert resumed(discovery.find("lascaux")) == someone.store.course  # as if the power were cut now

    async def second() -> None:
        async with owner("lascaux") as someone:
            assert someone.at == "aurochs 3"
            assert "2 of 85 done, 1 tag" in someone.text()
            await someone.tap()
            assert set(standing(someone.store.course).tags) == {"04000000000001", "04000000000002"}

    play(first)
    play(second)


def test_what_cannot_be_kept_does_not_go_on(home: Path) -> None:
    async def scene() -> None:
        async with owner("lascaux") as someone:
            home.mkdir()
            (home / "enrolments").write_text("")
            await someone.press("n")
            assert "This could not be saved: " in someone.text()
            assert someone.at == "colours"

    play(scene)


def test_names_from_a_box_are_shown_as_they_are_and_do_nothing(home: Path) -> None:
    text = discovery.find("lascaux").standin().replace('"white"', '"[@click=app.exit]w[/b]"')
    (home / "boxes").mkdir(parents=True)
    (home / "boxes" / "lascaux.toml").write_text(text)

    async def scene() -> None:
        async with owner("lascaux", LARGE) as someone:
            assert "[@click=app.exit]w[/b]" in someone.text()
            await someone.press("1", "escape", "n", "1", "escape")
            assert someone.at == "aurochs 1"

    play(scene)


def test_progress_is_a_file_that_can_be_read() -> None:
    async def scene() -> None:
        async with owner("carnuta") as someone:
            await someone.tap()

    play(scene)
    kept = msgspec.json.decode(progress_path("carnuta").read_bytes())
    assert kept["log"][0]["uid"] == "04000000000001"
