"""The power fails: by every state that a disk may be in then, and by a guest that is killed and started again."""

import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from companion.journal.entry import Entry
from companion.journal.soundness import EMPTY, Soundness
from companion.journal.store import inspect
from tools.virtual_pi import blocks, image
from tools.virtual_pi.machine import USER, Start
from tools.virtual_pi.scenes.installing import INSTALLED
from tools.virtual_pi.stage import PATIENCE_S, Stage

CUTS = 2_000
KILLS = 20
GAMES = ("lascaux", "sioux")
DATA_MB, FS_MB = 33, 32
"""The last megabyte is for marks."""
SEED = 15
Played = dict[str, tuple[Entry, ...]]
LEAN = Start(words="init=/opt/lean", slower=1)
"""A start without anything that a game does not need…"""


def _lean(stage: Stage) -> None:
    """…for which a file is put on the disk first."""
    with stage.on(Start(kept=INSTALLED)) as guest:
        guest.must(f"install -m 755 {stage.carry('lean')} /opt/lean; sync")
        guest.switch_off()


def replayed(stage: Stage) -> None:
    """Two games on a disk of their own, all of whose writes are logged; 2,000 power cuts are made of that log."""
    disk, written = stage.place / "data.raw", stage.place / "data.log"
    for path in (disk, written):
        path.unlink(missing_ok=True)
        path.touch()
    with disk.open("r+b") as raw:
        raw.truncate(DATA_MB << 20)
    image.run("mke2fs", "-q", "-t", "ext4", disk, f"{FS_MB}M")
    before = disk.read_bytes()
    logged = (
        "driver=blklogwrites,node-name=data,log-sector-size=512,"
        f"file.driver=file,file.filename={disk},log.driver=file,log.filename={written}"
    )
    wired = ("-blockdev", logged, "-device", "virtio-blk-pci,drive=data,addr=0x1e")  # behind all others: vdc
    _lean(stage)
    with stage.on(LEAN._replace(disks=wired)) as guest:
        guest.must(f"mkdir -p /data && mount /dev/vdc /data && chown {USER}: /data && chmod 666 /dev/vdc")
        hands = stage.carry("hands.py")
        for game in GAMES:
            guest.must(
                f"COMPANION_HOME=/data/home /opt/companion/bin/python {hands} {game} full --signals --speed 1000"
                " --mark /dev/vdc",
                USER,
                within_s=PATIENCE_S,
            )
        guest.must("umount /data")
        guest.switch_off()
    seen = _judged(blocks.log(written), before)
    torn = f" {seen['repaired']} tore the file system's own first block, which fsck mended as it does on a Pi's start."
    stage.saw(
        f"{CUTS:,} power cuts in a log of {seen['writes']} writes, in which {seen['entries']} entries were accepted: "
        f"all that was accepted is there, none doubled; {seen['more']} times also an entry not yet told, being "
        f"written; {seen['before']} fell before the first entry. No journal was told to be another "
        f"program's.{torn if seen['repaired'] else ''}",
        line="T2",
    )


def _whole(log: list[blocks.Written], before: bytes) -> bytes:
    """The disk when everything has been written."""
    disk = bytearray(before)
    for each in log:
        disk[each.at : each.at + len(each.data)] = each.data
    return bytes(disk)


def _judged(log: list[blocks.Written], before: bytes) -> Counter[str]:
    chance = Random(SEED)
    disk = blocks.Disk(before)
    moments = sorted(chance.randrange(1, len(log)) for _ in range(CUTS))
    accepted: dict[str, int] = {}
    seen = Counter(writes=len(log))
    played = {name: finding.entries for name, finding in _evenings(_whole(log, before), seen).items()}
    at = 0
    for number, written in enumerate(log, 1):
        disk.follow(written)
        if written.at >= FS_MB << 20:
            evening, entry = written.data.rstrip(b"\0").decode().split()
            accepted[evening] = int(entry)
        while at < CUTS and moments[at] == number:
            evenings = _evenings(disk.left(chance), seen)
            seen[_judge(evenings, accepted, played, f"cut {at} of seed {SEED}, after write {number}")] += 1
            at += 1
    seen["entries"] = sum(accepted.values())
    return seen


def _evenings(disk: bytes, seen: Counter[str]) -> dict[str, Soundness]:
    with mounted(disk, seen) as folder:
        return {path.stem: inspect(path) for path in (folder / "home/evenings").glob("*.journal")}


def _judge(evenings: dict[str, Soundness], accepted: dict[str, int], played: Played, where: str) -> str:
    """What else there is to say about this cut."""
    for name, entries in accepted.items():
        finding = evenings.get(name)
        assert finding is not None, f"{where}: {name} is not there, with {entries} entries"
        assert not finding.problem, f"{where}: {name}: {finding.problem}"
        count = len(finding.entries)
        assert entries <= count, f"{where}: {name} has {count} entries of {entries}"
        assert finding.entries == played[name][:count], f"{where}: {name} has what was never played"
    for name, finding in evenings.items():
        assert name in accepted or finding.problem in ("", EMPTY), f"{where}: {name}: {finding.problem}"
    more = any(len(evenings[name].entries) > entries for name, entries in accepted.items())
    return "more" if more else "before" if not accepted else ""


@contextmanager
def mounted(disk: bytes, seen: Counter[str]) -> Iterator[Path]:
    """Where it cannot be, it is repaired first: Raspberry Pi OS starts with fsck.repair=yes."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        file, folder = Path(name) / "disk", Path(name) / "mounted"
        file.write_bytes(disk)
        folder.mkdir()
        try:
            image.run("mount", "-o", "loop", file, folder)
        except RuntimeError:
            seen["repaired"] += 1
            subprocess.run(["e2fsck", "-y", file], capture_output=True, check=False)  # what it finds is its status
            image.run("mount", "-o", "loop", file, folder)
        try:
            yield folder
        finally:
            image.run("umount", folder)


# --- Killed ---------------------------------------------------------------------------------------------------


def killed(stage: Stage) -> None:
    """Twenty times the guest is killed in the middle of a game, started again from its disk, and goes on."""
    _lean(stage)
    chance = Random(SEED)
    kept = 0
    for number in range(KILLS + 1):
        with stage.on(LEAN):
            if number:
                kept = _goes_on(stage, kept)
            if number < KILLS:
                kept = max(kept, _played_until_killed(stage, chance, "--go-on" if number else ""))
    stage.saw(f"{KILLS} times killed and started again: all of {kept} entries are there, each once.", line="T2")


def comes_back(stage: Stage) -> None:
    """Killed in the middle of a game, and switched on again: the panel offers to go on, and nobody touched anything."""
    with stage.on(Start(kept=INSTALLED, slower=1)):
        _played_until_killed(stage, Random(SEED), "")
    with stage.on() as guest:
        stage.reads("A referee for real tables", "Go on: Lascaux with Anna")
        stage.at_rest()
        up_s = float(guest.must("cat /proc/uptime").split()[0])
        stage.saw(
            f"The power is back: the start screen offers to go on, {up_s:.0f} s after the kernel began, by the guest's "
            "clock and without a card's slowness; nobody has touched anything.",
            stage.keep_picture("after-a-power-cut"),
            "T5",
        )


def _played_until_killed(stage: Stage, chance: Random, going: str) -> int:
    """How far the journal had come for sure when the power was cut."""
    hands, since = stage.carry("hands.py"), len(stage.bench.told)
    stage.guest.must(
        f"systemctl stop companion@{USER}; setsid runuser -u {USER} -- env HOME=/home/{USER} /opt/companion/bin/python"
        f" {hands} lascaux full --signals --speed 1.5 {going} >/tmp/hands.log 2>&1 &"
    )
    stage.bench.hears("entry", since, PATIENCE_S)
    time.sleep(chance.uniform(0, 8))
    stage.guest.cut_power()
    return stage.bench.reached(since)


def _goes_on(stage: Stage, kept: int) -> int:
    """What the journal has now."""
    count = "import sys; from pathlib import Path; from companion.journal.store import inspect; "
    count += "f = inspect(max(Path('/home/anna/.local/share/companion/evenings').glob('*.journal'))); "
    count += "print(f.problem or len(f.entries), len({e.cause for e in f.entries if e.cause}), "
    count += "len([e for e in f.entries if e.cause]))"
    said = stage.guest.must(f'/opt/companion/bin/python -c "{count}"', USER).split()
    entries, once, sources = map(int, said)
    assert entries >= kept, f"{entries} entries are there, {kept} were accepted"
    assert once == sources, f"{sources - once} entries are there twice"
    return entries
