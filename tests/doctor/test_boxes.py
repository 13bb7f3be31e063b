"""Boxes and packs that a game would stumble over are told before it begins."""

import os
from pathlib import Path

import msgspec
import pytest

from companion.devices.finding import Finding
from companion.doctor.owner_files import box_checks
from companion.enrolment.course import Course, finish, standing
from companion.files import store
from companion.gamekit import discovery
from companion.gamekit.game import Thing
from companion.home.paths import pack_path, progress_path
from companion.home.tag_packs import store_pack
from companion.table.pieces import Pack
from tests.devices.computer import found
from tests.ours import GAMES


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    return tmp_path


def look() -> dict[str, Finding]:
    checks = box_checks([discovery.find(name) for name in GAMES])
    return {finding.subject: finding for finding in found(*checks)}


def test_without_boxes_and_packs_only_the_tags_have_to_be_checked() -> None:
    assert {subject: finding.verdict for subject, finding in look().items()} == {"tags": "check"}


def test_games_with_tags_are_named() -> None:
    store_pack(pack_path("sioux"), Pack({"DEADBEEF": Thing("hunter")}))
    assert list(look()) == ["tags"]
    assert look()["tags"].verdict == "ok"
    assert look()["tags"].words.startswith("there are packs for sioux;")


def test_stickers_without_a_token_are_named_with_how_to_renew_them() -> None:
    plain, opaque = "04A1B2C3D4E5F6", "04A1B2C3D4E5F7"
    tags = {plain: Thing("marker", "white", 2), opaque: Thing("marker", "blue", 2), "DEADBEEF": Thing("card", "x")}
    store_pack(pack_path("lascaux"), Pack(tags, {opaque: "c2l4dGVlbi1ieXRl"}))
    finding = look()["stickers of lascaux"]
    assert (finding.verdict, finding.words.split(" carry")[0]) == ("check", plain)
    assert "`companion tags write lascaux`" in finding.advice
    store_pack(pack_path("lascaux"), Pack({opaque: tags[opaque]}, {opaque: "c2l4dGVlbi1ieXRl"}))
    assert "stickers of lascaux" not in look()


@pytest.mark.parametrize("content", ["[[", "colours = 7", 'game = "sioux"'])
def test_a_box_that_cannot_be_played_with_is_wrong_and_named_with_its_file(home: Path, content: str) -> None:
    store(home / "boxes" / "lascaux.toml", content)
    finding = look()["box of lascaux"]
    assert finding.verdict == "problem"
    assert str(home / "boxes" / "lascaux.toml") in finding.words
    assert "stand-in" in finding.advice


@pytest.mark.parametrize("content", ["[[", "tags = 7", '[[tags]]\nuid = "XX"\nkind = "card"'])
def test_a_pack_that_cannot_be_read_is_wrong_and_named_with_its_file(content: str) -> None:
    store(pack_path("lascaux"), content)
    finding = look()["tags of lascaux"]
    assert finding.verdict == "problem"
    assert finding.words.startswith(str(pack_path("lascaux")))


def test_pipes_in_place_of_files_do_not_let_the_doctor_wait(home: Path) -> None:
    for folder in ("boxes", "tags"):
        (home / folder).mkdir()
        os.mkfifo(home / folder / "lascaux.toml")
    for subject in ("box of lascaux", "tags of lascaux"):
        assert "this is a pipe or a device, not a file" in look()[subject].words


def test_a_pack_without_a_tag_has_to_be_checked() -> None:
    store(pack_path("lascaux"), "")
    assert look()["tags of lascaux"].verdict == "check"
    assert look()["tags"].verdict == "check"


def test_a_tag_that_two_games_know_has_to_be_checked() -> None:
    store_pack(pack_path("lascaux"), Pack({f"DEADBEE{n}": Thing("marker", "white", n) for n in range(5)}))
    store_pack(pack_path("sioux"), Pack({f"DEADBEE{n}": Thing("card", "crow", n) for n in range(1, 5)}))
    finding = look()["tags of lascaux and sioux"]
    assert finding.verdict == "check"
    assert finding.words == "both know DEADBEE1, DEADBEE2, DEADBEE3 and 1 more; a tag sits on one piece"


def test_an_enrolment_that_was_not_ended_is_reported_and_so_is_one_that_cannot_be_gone_on_with() -> None:
    course = Course("carnuta", discovery.find("carnuta").standin())
    while (step := standing(course).next) is not None:
        store(progress_path("carnuta"), msgspec.json.encode(course).decode())
        after = finish(course, step.values)
        assert isinstance(after, Course)
        course = after
    finding = look()["box of carnuta"]
    assert finding.verdict == "check"
    assert finding.words == "the enrolment of carnuta is at 83 of 84 steps; `companion enroll carnuta` goes on"
    store(progress_path("carnuta"), msgspec.json.encode(course).decode())
    assert "box of carnuta" not in look()
    store(progress_path("carnuta"), "nonsense")
    assert "cannot be continued" in look()["box of carnuta"].words
