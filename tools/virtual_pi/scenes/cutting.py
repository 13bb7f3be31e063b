"""The power fails: by every state that a disk may be in then, and by a guest that is killed and started again."""

import time
from collections import Counter
from random import Random

from companion.journal.soundness import EMPTY, Soundness
from companion.journal.store import inspect
from companion.session.entry import Entry
from tools.virtual_pi import blocks
from tools.virtual_pi.machine import USER, Start
from tools.virtual_pi.scenes.installing import FULL, HANDS, PYTHON
from tools.virtual_pi.slot import Slot
from tools.virtual_pi.stage import PATIENCE_S, Stage
from tools.virtual_pi.workshop import run

CUTS = 2_000
KILLS = 20
GAMES = ("lascaux", "sioux")
DATA_MB, FS_MB = 17, 16
"""The last megabyte is for marks. In half of it ext4 would keep no second copy of its first block, for fsck to find."""
SEED = 15
Played = dict[str, tuple[Entry, ...]]
MOST_S, SPEED = 2.0, 6
"""How long a guest plays before it is killed, at most, and how many times as quickly as people."""
COUNT = """\
from pathlib import Path
from companion.journal.store import inspect
found = inspect(max(Path('/home/anna/.local/share/companion/evenings').glob('*.journal')))
assert not found.problem, found.problem
causes = [entry.cause for entry in found.entries if entry.cause]
print(len(found.entries), len(causes) - len(set(causes)))
"""
"""How many entries the newest evening has, and how many of them twice."""
PLAYED = f"{HANDS} lascaux full --signals --speed {SPEED}"
UNUSED = "lsm=capability audit=0 ipv6.disable=1 initcall_blacklist=jent_mod_init,load_system_certificate_list"
LEAN = Start(words=f"init=/opt/vm/lean quiet nokaslr rodata=off {UNUSED}", slower=1, bare=True)
"""A start without anything that a game does not need."""


def replayed(stage: Stage) -> None:
    """Two games on a disk of their own, all of whose writes are logged; 2,000 power cuts are made of that log."""
    disk, written = stage.place / "data.raw", stage.place / "data.log"
    for path in (disk, written):
        path.unlink(missing_ok=True)
        path.touch()
    with disk.open("r+b") as raw:
        raw.truncate(DATA_MB << 20)
    run("mke2fs", "-q", "-t", "ext4", disk, f"{FS_MB}M")
    before = disk.read_bytes()
    logged = (
        "driver=blklogwrites,node-name=data,log-sector-size=512,"
        f"file.driver=file,file.filename={disk},log.driver=file,log.filename={written}"
    )
    wired = ("-blockdev", logged, "-device", "virtio-blk-pci,drive=data,addr=0x1e")  # behind all others: vdc
    with stage.on(LEAN._replace(disks=wired)) as guest:
        guest.must(f"mkdir -p /data && mount /dev/vdc /data && chown {USER}: /data && chmod 666 /dev/vdc")
        for game in GAMES:
            guest.must(
                f"COMPANION_HOME=/data/home {HANDS} {game} full --signals --speed 1000 --mark /dev/vdc",
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
    moments = Counter(chance.randrange(1, len(log)) for _ in range(CUTS))
    accepted: dict[str, int] = {}
    seen = Counter(writes=len(log))
    with Slot(len(before)) as slot:
        played = {name: finding.entries for name, finding in _evenings(slot, _whole(log, before)).items()}
        for number, written in enumerate(log, 1):
            disk.follow(written)
            if written.at >= FS_MB << 20:
                evening, entry = written.data.rstrip(b"\0").decode().split()
                accepted[evening] = int(entry)
            for _ in range(moments[number]):
                evenings = _evenings(slot, disk.left(chance))
                seen[_judge(evenings, accepted, played, f"a cut of seed {SEED}, after write {number}")] += 1
        seen["repaired"] = slot.repaired
    seen["entries"] = sum(accepted.values())
    return seen


def _evenings(slot: Slot, disk: bytes | bytearray) -> dict[str, Soundness]:
    with slot.mounted(disk) as folder:
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


# --- Killed ---------------------------------------------------------------------------------------------------


def killed(stage: Stage) -> None:
    """Twenty times the guest is killed in the middle of a game, started again from its disk, and goes on."""
    chance = Random(SEED)
    kept = 0
    for number in range(KILLS):
        begun, going = len(stage.bench.told), "--go-on" if number else ""
        with stage.on(LEAN._replace(words=f"{LEAN.words} -- {PLAYED} {going}", listens=False)):
            kept = _until_killed(stage, chance, begun, kept)
    with stage.on(LEAN) as guest:
        entries, doubled = map(int, guest.must(f'{PYTHON} -c "{COUNT}"', USER).split())
    assert entries >= kept, f"{entries} entries are there, {kept} were accepted"
    assert not doubled, f"{doubled} entries are there twice"
    stage.saw(f"{KILLS} times killed and started again: all of {entries} entries are there, each once.", line="T2")


def comes_back(stage: Stage) -> None:
    """Killed in the middle of a game, and switched on again without a keyboard: the panel offers to go on by itself."""
    with stage.on(Start(kept=FULL, slower=1)) as guest:
        guest.must(f"setsid runuser -u {USER} -- env HOME=/home/{USER} {PLAYED} >/tmp/hands.log 2>&1 &")
        _until_killed(stage, Random(SEED))
    with stage.on(Start(keyboard=False)) as guest:
        stage.reads("A referee for real tables", "Resume: Lascaux with Anna")
        stage.at_rest()
        up_s = float(guest.must("cat /proc/uptime").split()[0])
        stage.saw(
            f"The power is back: the start screen offers to go on, {up_s:.0f} s after the kernel began, by the guest's "
            "clock and without a card's slowness; there is no keyboard and no mouse, and nothing was touched.",
            stage.keep_picture("after-a-power-cut"),
            "T5",
        )


def _until_killed(stage: Stage, chance: Random, begun: int = 0, kept: int = 0) -> int:
    """How far the journal had come for sure when the power was cut, as told behind so many lines. It has to begin with
    all that was kept before."""
    bench = stage.bench
    entries = int(bench.hears("evening", begun, PATIENCE_S).split()[-1])
    assert entries >= kept, f"{entries} entries are there, {kept} were accepted"
    bench.hears("entry", begun, PATIENCE_S)
    time.sleep(chance.uniform(0, MOST_S))
    stage.guest.cut_power()
    return max(entries, bench.reached(begun))
