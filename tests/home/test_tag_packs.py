"""The owner's packs: found, kept whole, and fitted to the box that is played with."""

import os
import re
import shlex
from pathlib import Path

import pytest

from companion.cli import read
from companion.files import store
from companion.gamekit.game import Thing
from companion.games.lascaux.rules import GAME
from companion.home import tag_packs
from companion.home.paths import pack_path
from companion.home.tag_packs import find_pack, read_pack, store_pack, stored_pack
from companion.screen.enrolment.enrolment_screen import EnrollScreen
from companion.table.pieces import Pack, PackError, parse_pack, simulated_pack, token_in
from tests.table.old_stickers import piece_text

BOX = GAME.parse_box(GAME.standin(), "the stand-in")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    return tmp_path


def test_without_a_file_there_are_no_tags():
    assert find_pack(GAME, BOX) == Pack()


def test_what_was_stored_is_found():
    pack = simulated_pack(GAME, BOX)
    store_pack(pack_path("lascaux"), pack)
    assert find_pack(GAME, BOX) == pack


def test_a_tag_on_a_piece_that_this_box_does_not_have_is_left_out_and_the_rest_counts():
    known, other = Thing("marker", "white", 0), Thing("card", "unicorn-pink-white")
    store_pack(pack_path("lascaux"), Pack({"04A1B2C3": known, "04A1B2C4": other}))
    assert find_pack(GAME, BOX) == Pack({"04A1B2C3": known})
    assert stored_pack("lascaux").tags["04A1B2C4"] == other


def test_a_damaged_file_is_named(home: Path):
    pack_path("lascaux").parent.mkdir()
    pack_path("lascaux").write_bytes(b"\xff\xfe")
    with pytest.raises(PackError, match=r"lascaux\.toml: this pack of tags is not UTF-8 text"):
        find_pack(GAME, BOX)
    pack_path("lascaux").write_text("[[tags")
    with pytest.raises(PackError, match=r"lascaux\.toml: this is not valid TOML"):
        find_pack(GAME, BOX)


def test_a_file_that_is_too_long_is_not_read(home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tag_packs, "SIZE_LIMIT", 1024)
    (home / "long.toml").write_text("#" * 2000)
    with pytest.raises(PackError, match="too long for a pack of tags; one has at most 1 KiB"):
        read_pack(home / "long.toml")


def test_a_file_that_is_not_there_or_cannot_be_named_is_told(home: Path):
    with pytest.raises(PackError, match="this pack of tags is missing"):
        read_pack(home / "nowhere.toml")
    with pytest.raises(PackError, match="there is no file"):
        read_pack(home / "no\0where.toml")


def test_what_cannot_be_written_is_told_and_what_was_there_stays(home: Path):
    store_pack(pack_path("lascaux"), Pack({"04A1B2C3": Thing("marker", "white", 0)}))
    (home / "file").write_text("")
    with pytest.raises(PackError, match="cannot write this"):
        store_pack(home / "file" / "lascaux.toml", Pack())
    assert len(stored_pack("lascaux").tags) == 1


# --- Whole files ----------------------------------------------------------------------------------------------


def test_a_file_is_whole_or_as_it_was_before(home: Path, monkeypatch: pytest.MonkeyPatch):
    """As if the disk were full when the new text is to be made sure of."""
    path = home / "some" / "file.txt"
    store(path, "old")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        store(path, "new")
    assert path.read_text() == "old"
    assert [each.name for each in path.parent.iterdir()] == ["file.txt"]


def test_the_text_is_on_the_disk_before_it_takes_its_place(home: Path, monkeypatch: pytest.MonkeyPatch):
    """And the new name is on the disk before anything relies on it."""
    happened: list[str] = []
    sync, replace = os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda descriptor: (happened.append("sync"), sync(descriptor)))
    monkeypatch.setattr(Path, "replace", lambda self, to: (happened.append("replace"), replace(self, to)))
    store(home / "file.txt", "text")
    assert happened == ["sync", "replace", "sync"]


# --- What the page says -----------------------------------------------------------------------------------------

PAGE = Path(__file__).parents[2] / "docs" / "tags.md"


def test_the_pack_on_the_page_is_one():
    (shown,) = re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert parse_pack(shown, "tags.md", GAME.pieces(BOX)).tags == {"04A1B2C3D4E5F6": Thing("marker", "white", 2)}


def test_every_command_and_every_link_on_the_page_leads_somewhere():
    text = PAGE.read_text(encoding="utf-8")
    commands = re.findall(r"companion ((?:enroll|tags \w+) lascaux[^`\n…]*)", text)
    assert len(commands) >= 6
    for command in commands:
        assert read(shlex.split(command, comments=True)).game == "lascaux"
    pages = [link.partition("#")[0] for link in re.findall(r"\]\(([^)]+)\)", text)]
    assert [page for page in pages if not (PAGE.parent / page).exists()] == []


def test_the_texts_on_the_page_are_what_is_written_on_a_sticker():
    now, before = re.findall(r"`(companion:[^`]+)`", PAGE.read_text(encoding="utf-8"))
    assert token_in(now)
    assert before == piece_text("lascaux", Thing("marker", "white", 2))


def test_every_key_on_the_page_does_something_on_the_screen():
    rows = re.findall(r"^\|([^|]+)\|[^|]*\|[^|]+\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    shown = {key for row in rows[1:] for key in re.findall(r"F\d|\b[a-z]\b|\b\d\b", row)}
    bound = {key for keys, *_ in (*EnrollScreen.BINDINGS, ("l,t", "", "")) for key in keys.split(",")}
    assert {key.lower() for key in shown} - bound == set()
    assert {"n", "w", "s", "u", "a", "t", "q"} <= shown
