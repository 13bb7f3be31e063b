"""What was written is there after a power cut, whole; and nothing that is read lets us wait for ever."""

import errno
import fcntl
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from companion import files
from companion.devices.computer import System
from companion.doctor.owner_files import home_checks
from companion.errors import BoxError, JournalError
from companion.files import (
    TooLongError,
    UnfitError,
    changing,
    load,
    load_text,
    make_folder,
    store,
    store_all,
    sync_folder,
)
from companion.gamekit.game_start import Header
from companion.games.lascaux.rules import GAME
from companion.home.preferences import LooksFile
from companion.home.tag_packs import store_pack, stored_pack
from companion.journal.store import Journal
from companion.session.evening import Evening, game_body
from companion.table.pieces import Pack
from companion.verbs.export import write_export


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


def test_what_a_user_chose_on_a_screen_is_on_the_disk_before_it_takes_its_place(
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
    from companion.home.tag_packs import read_pack, store_pack

    piece = GAME.pieces(GAME.parse_box(GAME.standin(), "the stand-in"))[0]
    store_pack(tmp_path / "pack.toml", Pack({"04A1B2C3D4E5F6": piece}))
    assert (tmp_path / "pack.toml").read_text().startswith('[[tags]]\nuid = "04A1B2C3D4E5F6"\nkind = "')
    assert read_pack(tmp_path / "pack.toml").tags == {"04A1B2C3D4E5F6": piece}


# --- Changing -------------------------------------------------------------------------------------------------

MERGING = """
import sys
from pathlib import Path
from companion.cli import main
print("ready", flush=True)
sys.stdin.readline()
for file in sys.argv[2:]:
    assert main(["tags", "merge", sys.argv[1], file]) == 0
"""


def test_tags_that_several_merge_at_once_are_all_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Real processes, which begin in one moment: each adds twelve packs of one tag, and says that they are kept."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    piece = GAME.pieces(GAME.parse_box(GAME.standin(), "the stand-in"))[0]
    packs: list[list[str]] = []
    for table in range(3):
        packs.append([])
        for number in range(12):
            path = tmp_path / f"{table}-{number}.toml"
            store_pack(path, Pack({f"04A1B2C3D4{table:02X}{number:02X}": piece}))
            packs[-1].append(str(path))
    mergers = [
        subprocess.Popen(
            [sys.executable, "-c", MERGING, "lascaux", *each], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for each in packs
    ]
    for merger in mergers:
        assert merger.stdout is not None
        assert merger.stdout.readline() == "ready\n"
    for merger in mergers:
        assert merger.stdin is not None
        merger.stdin.write("\n")
        merger.stdin.flush()
    for merger in mergers:
        merger.communicate()
        assert merger.returncode == 0
    assert len(stored_pack("lascaux").tags) == 36


def test_what_several_choose_at_once_is_all_kept(tmp_path: Path) -> None:
    choosing = (
        "import sys; from pathlib import Path; from companion.home.preferences import LooksFile\n"
        "for _ in range(40): LooksFile(Path(sys.argv[1])).keep(**{sys.argv[2]: sys.argv[3]})"
    )
    chosen = {"language": "de", "theme": "light", "speech": "off"}
    path = tmp_path / "home" / "screen.toml"
    for _ in range(2):
        running = [subprocess.Popen([sys.executable, "-c", choosing, path, *each]) for each in chosen.items()]
        assert [each.wait() for each in running] == [0, 0, 0]
    found = LooksFile(path).recall()
    assert (found.language, found.theme, found.speech) == ("de", "light", "off")


def test_a_change_waits_for_another_one_and_a_killed_process_blocks_no_other(tmp_path: Path) -> None:
    holding = (
        "import sys, time; from pathlib import Path; from companion.files import changing\n"
        "with changing(Path(sys.argv[1])): print('held', flush=True); time.sleep(600)"
    )
    holder = subprocess.Popen([sys.executable, "-c", holding, tmp_path], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    done: list[str] = []

    def change() -> None:
        with changing(tmp_path):
            done.append("changed")

    waiting = threading.Thread(target=change)
    waiting.start()
    assert not done
    holder.kill()
    waiting.join()
    assert done == ["changed"]
    holder.communicate()


def test_a_process_that_never_stops_changing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LOCK_S", 0.0)
    with (
        changing(tmp_path),
        pytest.raises(TimeoutError, match="another Companion has been changing the files"),
        changing(tmp_path),
    ):
        raise AssertionError


# --- File systems that lack something -------------------------------------------------------------------------

LOCKLESS = [errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL]


def refuse_locks(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def flock(_descriptor: int, _how: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", flock)


def refuse_folders(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    sync = os.fsync

    def fsync(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(number, os.strerror(number))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)


@pytest.mark.parametrize("number", LOCKLESS)
def test_without_locks_nothing_is_changed_and_people_are_told_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    looks = LooksFile(tmp_path / "screen.toml")
    looks.keep(theme="light")
    refuse_locks(monkeypatch, number)
    with pytest.raises(UnfitError, match=r"has no locks, so two Companions could write over.*COMPANION_HOME"):
        looks.keep(theme="dark")
    assert looks.recall().theme == "light"
    with pytest.raises(JournalError, match=r"has no locks.*COMPANION_HOME"):
        Journal.create(tmp_path / "evenings", date=date(2026, 11, 16))
    assert list((tmp_path / "evenings").iterdir()) == []


def test_a_folder_that_cannot_be_flushed_is_told_with_what_to_do() -> None:
    """A real file system that cannot: the kernel's own."""
    with pytest.raises(UnfitError, match=r"cannot flush a folder, so a power cut could take .* COMPANION_HOME"):
        sync_folder(Path("/proc"))


def test_an_evening_does_not_begin_where_a_power_cut_could_take_its_name_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_folders(monkeypatch, errno.EINVAL)
    with pytest.raises(JournalError, match=r"cannot flush a folder.*COMPANION_HOME"):
        Journal.create(tmp_path, date=date(2026, 11, 16))
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fails_is_not_taken_for_a_file_system_that_cannot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_folders(monkeypatch, errno.EIO)
    with pytest.raises(OSError, match="Input/output error") as failed:
        store(tmp_path / "x", "")
    assert not isinstance(failed.value, UnfitError)


def test_the_doctor_tries_locks_and_folders_where_the_owners_files_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found() -> list[tuple[str, str, str]]:
        (check, *_) = home_checks(tmp_path, datetime(2026, 11, 18, tzinfo=UTC), Anywhere(Path("/")))
        return [(finding.verdict, finding.words, finding.advice) for finding in check.look()]

    ((verdict, words, _),) = found()
    assert verdict == "ok"
    assert "can be written, flushed and locked" in words
    assert list(tmp_path.iterdir()) == [], "nothing is left behind"
    refuse_folders(monkeypatch, errno.EINVAL)
    refuse_locks(monkeypatch, errno.ENOLCK)
    one, other = found()
    assert one[0] == other[0] == "problem"
    assert "cannot flush a folder" in one[1]
    assert "has no locks" in other[1]
    assert "COMPANION_HOME" in one[2]
    assert one[2] == other[2]


class Anywhere(System):
    """Files in memory will do."""

    def file_system(self, path: Path) -> str:
        return "ext4"


# --- Processes of our own -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("flag", "status"), [("-P", 0), ("-E", 1)])
def test_a_process_of_ours_takes_no_module_of_the_current_folder_if_we_do_not(
    tmp_path: Path, flag: str, status: int
) -> None:
    """`companion` is started as with -P; `python -m companion` takes what lies there, and so do its processes."""
    (tmp_path / "tomllib.py").write_text("raise SystemExit(1)")
    code = (
        "import subprocess; from companion.files import PYTHON\n"
        "raise SystemExit(subprocess.run([*PYTHON, '-c', 'import tomllib']).returncode)"
    )
    assert subprocess.run([sys.executable, flag, "-c", code], cwd=tmp_path, check=False).returncode == status


def test_every_process_of_ours_is_started_in_that_way() -> None:
    for path in Path(files.__file__).parent.rglob("*.py"):
        started = "[sys.executable, " in path.read_text(encoding="utf-8")
        assert not started or path.name == "reader_contract.py", path  # which is a test
