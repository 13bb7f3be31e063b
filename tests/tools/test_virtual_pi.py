"""What `make virtual-pi` rests on: the disks that a power cut may leave, how pictures are read, where sights stand."""

import contextlib
import os
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.trixie import ROOT, clear
from tools.virtual_pi import blocks, image, report, system
from tools.virtual_pi.bench import Bench
from tools.virtual_pi.blocks import SECTOR, Disk, Written
from tools.virtual_pi.image import CLOCK, INSIDE
from tools.virtual_pi.scenes.gaming import SEEDS, whole
from tools.virtual_pi.slot import Slot
from tools.virtual_pi.workshop import Workshop, run

SECTORS = 6
"""Of a small disk."""
FLUSH = Written(0, b"", True, False)
FONTS = Path("/usr/share/fonts/truetype/dejavu")


def write(sector: int, letters: str, *, flushes: bool = False, through: bool = False) -> Written:
    return Written(sector * SECTOR, b"".join(letter.encode() * SECTOR for letter in letters), flushes, through)


WRITES = st.builds(
    write,
    st.integers(0, SECTORS - 2),
    st.text("abc", min_size=1, max_size=2),
    flushes=st.booleans(),
    through=st.booleans(),
)


def letters(disk: bytes | bytearray) -> str:
    """What stands in each sector."""
    return "".join(chr(disk[start]) for start in range(0, len(disk), SECTOR)).replace("\0", ".")


def followed(log: Sequence[Written]) -> Disk:
    disk = Disk(bytes(SECTORS * SECTOR))
    for each in log:
        disk.follow(each)
    return disk


# --- Disks ----------------------------------------------------------------------------------------------------


@given(st.lists(WRITES | st.just(FLUSH), max_size=12), st.lists(WRITES, max_size=6), st.integers(0, 2**32))
def test_what_was_flushed_is_there_unless_something_was_written_over_it(
    before: list[Written], since: list[Written], seed: int
) -> None:
    sure = letters(followed([*before, FLUSH]).left(Random(seed)))
    since = [each._replace(flushes=False) for each in since]
    left = letters(followed([*before, FLUSH, *since]).left(Random(seed)))
    for sector, letter in enumerate(left):
        written = {chr(each.data[sector * SECTOR - each.at]) for each in since if _holds(each, sector)}
        assert letter in {sure[sector], *written}


def _holds(written: Written, sector: int) -> bool:
    return written.at <= sector * SECTOR < written.at + len(written.data)


def test_a_cut_tears_what_is_open_in_every_way() -> None:
    disk = followed([write(0, "ab"), FLUSH, write(0, "xy"), write(3, "z")])
    assert {letters(disk.left(Random(seed)))[:4] for seed in range(200)} >= {
        "ab..",
        "xb..",
        "ay..",
        "xy..",
        "xy.z",
        "ab.z",
    }


def test_what_is_written_through_is_there_and_takes_nothing_else_along() -> None:
    disk = followed([write(0, "a"), write(1, "b", through=True)])
    assert {letters(disk.left(Random(seed)))[:2] for seed in range(50)} == {".b", "ab"}


def test_a_flush_makes_sure_of_what_came_before_it_and_not_of_what_it_carries() -> None:
    disk = followed([write(0, "a"), write(1, "b", flushes=True)])
    assert {letters(disk.left(Random(seed)))[:2] for seed in range(50)} == {"a.", "ab"}


def test_a_log_is_read_as_qemu_writes_it(tmp_path: Path) -> None:
    file = tmp_path / "log"
    entries = [(2, 1, 0, b"a" * SECTOR), (0, 0, blocks.FLUSH, b""), (4, 1, blocks.THROUGH, b"b" * SECTOR)]
    sectors = [blocks.HEAD.pack(blocks.MAGIC, 1, len(entries), SECTOR)]
    for sector, count, kind, data in entries:
        sectors += [struct.pack("<QQQQ", sector, count, kind, 0), *([data] if data else [])]
    file.write_bytes(b"".join(each.ljust(SECTOR, b"\0") for each in sectors))
    assert blocks.log(file) == [write(2, "a"), FLUSH, write(4, "b", through=True)]


def test_another_file_is_no_log(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(bytes(SECTOR))
    with pytest.raises(ValueError, match="is no log"):
        blocks.log(tmp_path / "log")


def formatted(folder: Path, label: str) -> bytes:
    """A disk with one file of this name. Skips where none can be made or mounted."""
    if os.geteuid() or not shutil.which("mke2fs"):
        pytest.skip("only root can mount a disk, and mke2fs makes one (Debian: e2fsprogs)")
    try:
        run("losetup", "-f")
    except (OSError, RuntimeError):
        pytest.skip("files cannot be mounted here")
    (files := folder / f"files-{label}").mkdir()
    (files / label).touch()
    disk = folder / f"disk-{label}"
    disk.write_bytes(bytes(16 << 20))
    run("mke2fs", "-q", "-t", "ext4", "-d", files, disk)
    return disk.read_bytes()


def test_a_disk_whose_first_block_is_torn_is_repaired_as_when_a_pi_starts(tmp_path: Path) -> None:
    sound = formatted(tmp_path, "anna")
    torn = bytearray(sound)
    torn[2 * SECTOR : 3 * SECTOR] = b"\xff" * SECTOR
    with Slot(len(sound)) as slot:
        for disk, repaired in ((sound, 0), (torn, 1), (sound, 1)):
            with slot.mounted(disk) as folder:
                assert (folder / "anna").exists()
            assert slot.repaired == repaired


def test_a_slot_shows_the_next_disk_whichever_process_has_taken_a_copy_of_all_mounts(tmp_path: Path) -> None:
    """As a container does that starts while the disk before is mounted."""
    disks = {label: formatted(tmp_path, label) for label in ("anna", "ben")}
    go, copied = tmp_path / "go", tmp_path / "copied"
    keep = f"until [ -e {go} ]; do sleep 0.05; done; exec unshare --mount sh -c 'touch {copied}; exec sleep 60'"
    with contextlib.ExitStack() as until_the_end:
        other = subprocess.Popen(["sh", "-c", keep])
        until_the_end.callback(other.wait)
        until_the_end.callback(other.kill)
        slot = until_the_end.enter_context(Slot(len(disks["anna"])))
        with slot.mounted(disks["anna"]):
            go.touch()
            while not copied.exists():
                assert other.poll() is None, "`unshare --mount` does not work here"
                time.sleep(0.01)
        with slot.mounted(disks["ben"]) as folder:
            assert (folder / "ben").exists()


# --- What runs inside ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["init.c", "cable.c", "lean.c"])
def test_a_program_of_the_guest_compiles_without_a_warning(name: str) -> None:
    if shutil.which("cc") is None:
        pytest.skip("there is no compiler (Debian: gcc libc6-dev)")
    run("cc", "-fsyntax-only", "-O2", "-Wall", "-Wextra", "-Werror", INSIDE / name)


def test_hands_that_have_gone_are_not_waited_for(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.told += ["evening e begins 0", "ended 256"]
    assert bench.hears("evening", 0, within_s=60) == "evening e begins 0"
    with pytest.raises(AssertionError, match="have gone"):
        bench.hears("entry", 0, within_s=60)


# --- What it is made of ---------------------------------------------------------------------------------------


def test_what_earlier_recipes_made_is_forgotten_and_nothing_else(tmp_path: Path) -> None:
    kept = (system.archive(tmp_path).name, "disk.raw", "card.raw")
    for name in (*kept, "29a88a489963.tar", "system-000000000000.tar"):
        (tmp_path / name).touch()
    for name in (Workshop.name(), "workshop-000000000000", "fonts"):
        (tmp_path / name).mkdir()
    image.forget_others(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {*kept, Workshop.name(), "fonts"}


def test_packages_scripts_get_the_workshops_programs_but_none_that_thinks_of_its_processor(tmp_path: Path) -> None:
    for place in ("root", "shop"):
        (folder := tmp_path / place / "usr/bin").mkdir(parents=True)
        (tmp_path / place / "usr/sbin").mkdir()
        for name, begins in {"dash": system.ELF, "dpkg-query": system.ELF, "adduser": b"#!/usr/bin/perl"}.items():
            (folder / name).write_bytes(begins)
        (folder / "sh").symlink_to("dash")
    (tmp_path / "shop/usr/bin/gcc").write_bytes(system.ELF)
    assert system.shared(tmp_path / "root", tmp_path / "shop") == ["usr/bin/dash"]


def test_a_whole_game_of_every_title_of_ours_is_a_scene_that_says_what_it_shows() -> None:
    ours = {path.name for path in (ROOT / "companion/games").iterdir() if (path / "rules").is_dir()}
    assert set(SEEDS) == ours
    assert all(game.capitalize() in (whole(game).__doc__ or "") for game in ours)


# --- The report -----------------------------------------------------------------------------------------------


def test_what_was_seen_stands_in_its_own_line_and_column_and_nowhere_else() -> None:
    page = (
        "| | do | must | simulated | virtual | seen |\n| R1 | a | b | c | – | not yet |\n| R10 | a | b | c | – | x |\n"
    )
    filled = report.filled_in(page, {"R1": "17 Nov 2026: 3 | 4"})
    assert filled == page.replace("| c | – | not", "| c | 17 Nov 2026: 3 / 4 | not")


def test_what_is_no_longer_known_is_not_claimed() -> None:
    page = "| T5 | a | b | c | 16 Nov 2026: seen | not yet |\n| T6 | a | b | c | – | not yet |\n"
    assert report.filled_in(page, {}) == page.replace("16 Nov 2026: seen", "not seen")


def test_a_page_that_tells_of_more_scenes_is_not_written_over() -> None:
    page = "# Seen\n\n## Install\n\nA fresh system.\n\n## Touch\n\nA game.\n"
    assert report.not_played(page, {"touch": {}}, ("install", "touch", "card")) == ["install"]
    assert report.not_played(page, {"install": {}, "touch": {}, "card": {}}, ("install", "touch", "card")) == []


def test_every_line_that_a_scene_fills_in_is_there() -> None:
    scenes = "".join(path.read_text() for path in (ROOT / "tools/virtual_pi/scenes").glob("*.py"))
    named = {word for word in scenes.replace('"', " ").split() if word[:1] in "RUBST" and word[1:].isdecimal()}
    assert named
    assert named <= {line.split()[1] for line in report.ACCEPTANCE.read_text().splitlines() if line.startswith("| ")}


# --- Pictures -------------------------------------------------------------------------------------------------


def test_the_start_screen_is_read_from_its_picture_letter_by_letter() -> None:
    pytest.importorskip("PIL", reason="there is no Pillow to read pictures with")
    if not FONTS.is_dir():
        pytest.skip("there are no letters to compare with (Debian: fonts-dejavu-core)")
    from tools.virtual_pi import reading
    from tools.virtual_pi.stage import CELL, LETTERS_PX

    lines = reading.text(ROOT / "docs/pictures/virtual-pi/start.png", reading.Grid(LETTERS_PX, *CELL, FONTS)).split(
        "\n"
    )
    assert any(line.strip().startswith("A referee for real tables") for line in lines)
    assert "Play Lascaux against Ben and Cleo" in [line.strip() for line in lines]


# --- The slow clock -------------------------------------------------------------------------------------------

UNDER_IT = """\
import ctypes, time
class Span(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("ns", ctypes.c_long)]
began_s, by_date_s = time.monotonic(), time.time()
ctypes.CDLL(None).ppoll(None, 0, ctypes.byref(Span(0, 50_000_000)), None)
print(time.monotonic() - began_s, time.time() - by_date_s)
"""


def test_a_guests_clock_goes_slower_and_what_waits_by_it_waits_longer(tmp_path: Path) -> None:
    if shutil.which("cc") is None:
        pytest.skip("there is no compiler (Debian: gcc libc6-dev)")
    shim = tmp_path / "slow_clock.so"
    run("cc", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", shim, CLOCK)
    said = run("env", f"LD_PRELOAD={shim}", "SLOWER=8", sys.executable, "-c", UNDER_IT)
    by_its_clock_s, by_date_s = map(float, said.split())
    assert by_date_s >= 0.4
    assert by_its_clock_s == pytest.approx(by_date_s / 8, rel=0.05)


def test_what_is_still_mounted_in_a_system_that_was_being_made_is_not_removed_with_it(tmp_path: Path) -> None:
    """As /proc and /dev are, after Ctrl-C."""
    ours, made = tmp_path / "ours", tmp_path / "made"
    (made / "dev/pts").mkdir(parents=True)
    ours.mkdir()
    (ours / "file").write_text("ours")
    if os.geteuid() or subprocess.run(["mount", "--bind", ours, made / "dev"], check=False).returncode:
        pytest.skip("only root can mount a folder")
    clear(made)
    assert not made.exists()
    assert (ours / "file").read_text() == "ours"
