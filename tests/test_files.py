"""What was written is there after a power cut, whole; and nothing that is read lets us wait for ever."""

import os
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from companion.errors import BoxError
from companion.files import TooLongError, load, load_text, make_folder, store, store_all
from companion.gamekit.beginning import Header
from companion.games.lascaux.rules.game import GAME
from companion.home.looks import LooksFile
from companion.journal.evening import Evening, game_body
from companion.journal.export import write_export
from companion.journal.store import Journal
from companion.table.pieces import Pack


@pytest.fixture
def happened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """What went to the disk, and what took its place, in this order; files by their last names."""
    told: list[str] = []
    sync, replace, home = os.fsync, Path.replace, tmp_path

    def name(path: Path) -> str:
        return str(path.relative_to(home.parent)).replace(f".{os.getpid()}.new", "").replace("/.", "/")

    def fsync(descriptor: int) -> None:
        told.append(f"sync {name(Path(f'/proc/self/fd/{descriptor}').readlink())}")
        sync(descriptor)

    def take_place(self: Path, to: Path) -> Path:
        told.append(f"place {name(to)}")
        return replace(self, to)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Path, "replace", take_place)
    base = name(tmp_path)
    return lambda: [line.replace(base, "~") for line in told]


def test_every_folder_that_had_to_be_made_is_on_the_disk_before_the_file(
    tmp_path: Path, happened: Callable[[], list[str]]
) -> None:
    store(tmp_path / "home" / "tags" / "x.toml", "")
    assert happened() == [
        "sync ~",
        "sync ~/home",
        "sync ~/home/tags/x.toml",
        "place ~/home/tags/x.toml",
        "sync ~/home/tags",
    ]


def test_an_evening_begins_in_a_folder_that_stays_and_so_does_its_home(
    tmp_path: Path, happened: Callable[[], list[str]]
) -> None:
    Journal.create(tmp_path / "home" / "evenings", date=date(2026, 11, 16)).close()
    assert happened() == [
        "sync ~",
        "sync ~/home",
        "place ~/home/evenings/2026-11-16-1.journal",
        "sync ~/home/evenings",
        "sync ~/home/evenings/2026-11-16-1.journal-ledger",
        "place ~/home/evenings/2026-11-16-1.journal-ledger",
        "sync ~/home/evenings",
    ]
    assert (tmp_path / "home" / "evenings").stat().st_mode & 0o777 == 0o700


def test_an_export_is_on_the_disk_before_any_of_it_takes_its_place(
    tmp_path: Path, happened: Callable[[], list[str]]
) -> None:
    with Journal.create(tmp_path, date=date(2026, 11, 16)) as journal:
        header = Header("lascaux", ("Anna", "Ben", "Cleo"))
        evening = Evening([journal.append("game", game_body(header, GAME.standin()), "", "", 0.0)])
    before = len(happened())
    write_export(evening, tmp_path / "game.jsonl")
    assert happened()[before:] == [
        "sync ~/game.box.toml",
        "sync ~/game.jsonl",
        "place ~/game.box.toml",
        "place ~/game.jsonl",
        "sync ~",
    ]


def test_what_somebody_chose_on_a_screen_is_on_the_disk_before_it_takes_its_place(
    tmp_path: Path, happened: Callable[[], list[str]]
) -> None:
    LooksFile(tmp_path / "home" / "screen.toml").keep(theme="light")
    assert happened() == ["sync ~", "sync ~/home/screen.toml", "place ~/home/screen.toml", "sync ~/home"]
    assert (tmp_path / "home" / "screen.toml").read_text() == 'theme = "light"\n'


def test_of_several_files_none_is_changed_if_one_cannot_be_written(tmp_path: Path) -> None:
    store(tmp_path / "one", "old")
    with pytest.raises(FileNotFoundError):
        store_all({tmp_path / "one": "new", tmp_path / "nowhere" / "other": "new"})
    assert (tmp_path / "one").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


def test_a_link_or_a_pipe_under_the_name_of_the_draft_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("precious")
    draft = tmp_path / f".file.{os.getpid()}.new"
    draft.symlink_to(tmp_path / "precious")
    store(tmp_path / "file", "text")
    os.mkfifo(draft)
    store(tmp_path / "file", "new text")
    assert (tmp_path / "precious").read_text() == "precious"
    assert (tmp_path / "file").read_text() == "new text"


def test_a_file_in_the_place_of_a_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError, match="file is no folder"):
        make_folder(tmp_path / "file")
    with pytest.raises(NotADirectoryError):
        make_folder(tmp_path / "file" / "in it")


# --- Reading --------------------------------------------------------------------------------------------------


def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    assert load(tmp_path / "file", 5) == b"12345"
    with pytest.raises(TooLongError):
        load(tmp_path / "file", 4)


@pytest.mark.parametrize("kind", ["pipe", "folder", "device"])
def test_what_is_no_file_is_not_waited_for(tmp_path: Path, kind: str) -> None:
    path = Path("/dev/zero") if kind == "device" else tmp_path / kind
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    with pytest.raises(OSError, match="not a file"):
        load(path, 100)
    with pytest.raises(BoxError, match=f"{path}: cannot read this box: this is a .* not a file"):
        load_text(path, 100, "box", BoxError)


def test_a_screen_whose_choices_are_a_pipe_says_so_and_keeps_new_ones(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "screen.toml")
    looks = LooksFile(tmp_path / "screen.toml")
    looks.recall()
    assert looks.problem == "screen.toml: this is a pipe or a device, not a file"
    looks.keep(theme="light")
    assert LooksFile(tmp_path / "screen.toml").recall().theme == "light"


def test_a_pack_is_written_as_the_page_shows_it(tmp_path: Path) -> None:
    from companion.home.packs import read_pack, store_pack

    piece = GAME.pieces(GAME.parse_box(GAME.standin(), "the stand-in"))[0]
    store_pack(tmp_path / "pack.toml", Pack({"04A1B2C3D4E5F6": piece}))
    assert (tmp_path / "pack.toml").read_text().startswith('[[tags]]\nuid = "04A1B2C3D4E5F6"\nkind = "')
    assert read_pack(tmp_path / "pack.toml").tags == {"04A1B2C3D4E5F6": piece}
