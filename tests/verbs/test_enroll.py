"""`companion enroll`: what is kept, in which files, whatever happens meanwhile."""

import asyncio
import json
from argparse import ArgumentParser
from pathlib import Path

import pytest

from companion.devices.simulated.tags import Ntag
from companion.enrolment.course import Course, EnrolmentError, finish, outcome, standing, undo
from companion.errors import UsageError
from companion.gamekit import discovery
from companion.gamekit.game import Thing
from companion.home.box_files import find_box
from companion.home.enrolment_progress import note_print, resumed
from companion.home.paths import box_path, pack_path, progress_path
from companion.home.tag_packs import find_pack, store_pack, stored_pack
from companion.processes.enrolment_store import FileEnrolmentStore, alone, set_aside
from companion.processes.referee_process import introductions
from companion.processes.table_devices import equipment
from companion.simulation.rig import Rig
from companion.table.pieces import Pack
from companion.table.signals import Signal, TagFound, TagIntroduced, TagPlaced
from companion.verbs import enroll
from tests.table.old_stickers import piece_text
from tests.verbs.command import Command
from tests.verbs.terminal import Terminal

GAME = discovery.find("carnuta")


def done(course: Course, left: int = 0) -> Course:
    """Every piece has a tag, but for the last few."""
    while len(standing(course).waiting) > left:
        after = finish(course, standing(course).waiting[0].values, f"04A1{len(course.log):010X}")
        assert isinstance(after, Course)
        course = after
    return course


def back(course: Course) -> Course:
    before = undo(course)
    assert isinstance(before, Course)
    return before


# --- Files ----------------------------------------------------------------------------------------------------


def test_box_and_pack_are_written_as_soon_as_all_that_is_printed_is_known_and_not_before(home: Path) -> None:
    store = FileEnrolmentStore(GAME, [])
    assert store.keep(done(store.course, left=13)) == ""
    assert not (home / "boxes").exists()
    assert not pack_path("carnuta").exists()
    assert store.keep(done(store.course, left=12)) == ""
    assert find_box(GAME).box.provenance == "enrolled"
    assert len(stored_pack("carnuta").tags) == 72
    store.keep(done(store.course))
    assert len(find_pack(GAME, find_box(GAME).box).tags) == 84


def test_what_is_taken_back_goes_out_of_the_pack_and_tags_of_other_tables_stay() -> None:
    elsewhere = {"DEADBEEF": Thing("bonus", "egg")}
    store_pack(pack_path("carnuta"), Pack(elsewhere | {"DEADBEE0": Thing("card", "unicorn")}))
    store = FileEnrolmentStore(GAME, [])
    store.keep(done(store.course))
    assert len(stored_pack("carnuta").tags) == 85
    store.keep(back(store.course))
    kept = stored_pack("carnuta").tags
    assert len(kept) == 84
    assert kept["DEADBEEF"] == Thing("bonus", "egg")
    assert Thing("marker", "", 3) not in kept.values()


def test_after_a_power_cut_between_two_files_the_rest_is_written_when_it_goes_on(home: Path) -> None:
    store = FileEnrolmentStore(GAME, [])
    store.keep(done(store.course, left=1))
    store_before = pack_path("carnuta").read_text()
    store.keep(done(store.course))
    pack_path("carnuta").write_text(store_before)
    FileEnrolmentStore(GAME, [])
    assert len(stored_pack("carnuta").tags) == 84
    (home / "boxes" / "carnuta.toml").unlink()
    FileEnrolmentStore(GAME, [])
    assert find_box(GAME).box.provenance == "enrolled"


def test_a_box_that_was_changed_by_hand_stays_as_it_is(home: Path) -> None:
    store = FileEnrolmentStore(GAME, [])
    store.keep(done(store.course, left=1))
    path = home / "boxes" / "carnuta.toml"
    path.write_text(f"# mine\n{path.read_text()}")
    again = FileEnrolmentStore(GAME, [])
    again.keep(done(again.course))
    assert path.read_text().startswith("# mine\n")


def test_what_is_likely_comes_from_the_box_that_the_owner_has(home: Path) -> None:
    (home / "boxes").mkdir(parents=True)
    (home / "boxes" / "carnuta.toml").write_text(GAME.standin().replace("points = 1\n", "points = 19\n"))
    assert standing(FileEnrolmentStore(GAME, []).course).steps[0].values["points"] == "19"


def test_a_box_that_was_already_played_with_is_enrolled_anew_and_the_old_tags_are_set_aside() -> None:
    store = FileEnrolmentStore(GAME, [])
    store.keep(done(store.course))
    set_aside("carnuta")
    assert progress_path("carnuta").with_name("carnuta.json.old").exists()
    assert pack_path("carnuta").with_name("carnuta.toml.old").exists()
    again = FileEnrolmentStore(GAME, [])
    assert again.course.log == ()
    assert stored_pack("carnuta") == Pack()
    set_aside("carnuta")  # there is nothing to set aside: that is no problem


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "cannot be continued: Input data was truncated"),
        ("\x00\x01", "cannot be continued"),
        ('{"game": "carnuta"}', "missing required field `base`"),
        ('{"game": "chess", "base": ""}', "this is an enrolment of 'chess'"),
        ('{"game": "carnuta", "base": "[["}', "the box that it began with: this is not valid TOML"),
        ('{"game": "carnuta", "base": "cards = 1", "log": [{"type": "skipped", "step": "card 1"}]}', "expected a list"),
    ],
)
def test_a_damaged_progress_is_told_with_what_to_do(text: str, says: str) -> None:
    path = progress_path("carnuta")
    path.parent.mkdir(parents=True)
    path.write_text(text)
    with pytest.raises(EnrolmentError) as raised:
        resumed(GAME)
    assert str(raised.value).startswith(f"{path}: ")
    assert says in str(raised.value)
    assert str(raised.value).endswith("`companion enroll carnuta --start-over` sets it aside and starts over")


def test_the_progress_of_one_game_is_not_gone_on_with_in_another() -> None:
    store = FileEnrolmentStore(discovery.find("sioux"), [])
    store.keep(store.course)
    path = progress_path("sioux")
    path.rename(progress_path("carnuta"))
    with pytest.raises(EnrolmentError, match=r"carnuta\.json: .* cannot be continued: this is an enrolment of 'sioux'"):
        resumed(GAME)


def test_what_was_enrolled_is_the_same_after_a_detour_through_its_file() -> None:
    store = FileEnrolmentStore(GAME, [])
    store.keep(done(store.course))
    assert resumed(GAME) == store.course
    found = outcome(resumed(GAME), GAME)
    assert found is not None
    assert found.pack == stored_pack("carnuta")


# --- Printed boxes --------------------------------------------------------------------------------------------


def test_a_box_that_was_printed_here_is_asked_for_its_tags_alone(home: Path) -> None:
    note_print("carnuta", GAME.standin())
    with Terminal("enroll", "carnuta") as terminal:
        terminal.until_painted("Tap piece 1 of 84: card honey-1")
        terminal.until_painted("0 of 84 done, 0 tags")
        assert "what is printed on it?" not in terminal.text
        terminal.press("a")
        terminal.until_painted("1 of 84 done, 1 tag")
        assert terminal.quit() == 0
    assert json.loads(kept(home))["printed"] is True
    assert box_path("carnuta").read_text() == GAME.standin()


@pytest.mark.parametrize(("printed", "said"), [(True, "--original"), (False, "--printed")])
def test_what_was_begun_as_one_kind_of_box_does_not_go_on_as_the_other(printed: bool, said: str) -> None:
    store = FileEnrolmentStore(GAME, [], printed=printed)
    store.keep(store.course)
    with pytest.raises(UsageError, match="is already being enrolled; --start-over sets that aside"):
        enroll._check_kind(resumed(GAME), said == "--printed")
    enroll._check_kind(resumed(GAME), None)


# --- In a terminal --------------------------------------------------------------------------------------------


def test_a_user_enrols_a_piece_the_power_fails_and_it_goes_on_with_the_next(home: Path) -> None:
    with Terminal("enroll", "carnuta") as terminal:
        terminal.until_painted("0 of 84 done, 0 tags")
        terminal.press("a")
        terminal.until(lambda: len(json.loads(kept(home)).get("log", ())) == 1, "the first piece to be kept")
        terminal.kill()
    with Terminal("enroll", "carnuta") as terminal:
        terminal.until_painted("1 of 84 done, 1 tag")
        terminal.press("w")
        terminal.until_painted("2 of 84 done, 1 tag")
        assert terminal.quit() == 0
        assert "2 of 84 steps are done. `companion enroll carnuta` goes on where you were." in terminal.text


def test_the_old_name_of_start_over_still_works_and_is_not_listed() -> None:
    parser = ArgumentParser()
    enroll.arguments(parser)
    assert all(parser.parse_args(["carnuta", word]).start_over for word in ("--start-over", "--anew"))
    assert "--anew" not in parser.format_help()


def test_a_box_is_enrolled_in_one_place_at_a_time_and_the_second_leaves_everything_as_it_is(home: Path) -> None:
    with Terminal("enroll", "carnuta") as first:
        first.until_painted("0 of 84 done, 0 tags")
        first.press("w")
        first.until_painted("1 of 84 done")
        with Terminal("enroll", "carnuta", "--start-over") as second:
            second.until_painted("carnuta is being enrolled elsewhere")
        assert len(json.loads(kept(home))["log"]) == 1
        with alone("sioux"):  # another box is another matter
            first.press("w")
        first.until_painted("2 of 84 done")
        assert first.quit() == 0
    with alone("carnuta"):
        assert len(json.loads(kept(home))["log"]) == 2


def kept(home: Path) -> str:
    path = home / "enrolments" / "carnuta.json"
    return path.read_text() if path.exists() else "{}"


def test_at_the_end_it_says_what_to_do_next(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FileEnrolmentStore(GAME, [])
    store.keep(done(store.course))
    assert enroll._told(store) == (
        "The box of carnuta is enrolled. `companion tags check carnuta` looks for missing, doubled and weak tags."
    )
    said = Command(capsys)("tags", "check", "carnuta")
    assert said.status == 0


# --- A box at a table that has never seen it --------------------------------------------------------------------


def test_a_written_sticker_introduces_itself_before_the_referee_hears_of_it(tmp_path: Path) -> None:
    """The device's thread reads the text, and tells it; then the tag is told. What it means the referee says."""
    uid, text, pack = "04A1B2C3D4E5F6", piece_text("carnuta", Thing("bonus", "egg")), Pack({})
    heard: list[Signal] = []

    async def scene() -> None:
        async with Rig("one", tmp_path) as rig:
            rig.lay("centre", uid)
            write(rig._readers["centre"].field.tags[0], text)
            (reader, *_others) = equipment(rig.table, introductions(pack))
            running = asyncio.create_task(reader.run(heard.append))
            while not any(isinstance(signal, TagPlaced | TagFound) for signal in heard):
                await asyncio.sleep(0.01)
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    asyncio.run(scene())
    told = [signal for signal in heard if isinstance(signal, TagPlaced | TagFound | TagIntroduced)]
    assert [type(signal) in (TagPlaced, TagFound) for signal in told] == [False, True]
    assert isinstance(told[0], TagIntroduced)
    assert (told[0].station, told[0].uid, told[0].text) == ("centre", uid, text)
    assert pack.tags == {}


def write(tag: object, text: str) -> None:
    """As another table did, long ago."""
    from companion.devices.ndef import message_of

    assert isinstance(tag, Ntag)
    message = message_of(text)
    tag.memory[16 : 16 + len(message) + 3] = bytes([0x03, len(message)]) + message + b"\xfe"
