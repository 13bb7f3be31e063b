"""A PN532 on USB, with random faults: the reported tags are those on the reader."""

from collections import Counter
from random import Random

from companion.devices.pn532.simulated_reader import Pn532Faults
from companion.devices.pn532.source_readings import any_reading, told
from companion.devices.simulated.tags import Flicker, Tag
from companion.table.signals import Connecting, LinkUp, ReaderFault, TagRemoved
from tests.campaign.trial import Outcome
from tests.devices.believing import believed, is_ready
from tests.devices.pi import ANNA, BEN, CLEO, KEY_RING, LONG, tag_of
from tests.devices.pn532.pn532_table import WatchedPn532

TITLE = "readers on USB: a PN532"
HOW = (
    "Up to three of five tags, some of them weak, some flickering (all three only if the chip is quick), are laid and "
    "lifted at random moments on a simulated PN532 at 115,200 baud, which meanwhile hangs, is reset or unplugged, "
    "loses frames or garbles them in noise. Where the sources on the chip disagree or are silent, each run draws one "
    "of their readings: ACKs up to 100 ms late, tags that take 150 ms to be found, boards that reset it when their "
    "port is opened, and more. No tag is placed twice, no removal is reported that no hand made, an empty table has "
    "no fault of its own, and at the end the reported tags are on the reader, and no others."
)
FULL = 5000
QUICK = 5

UIDS = (ANNA, BEN, CLEO, KEY_RING, LONG)
MOST = 3
TRAITS = ({}, {}, {"reliability": 0.8}, {"flicker": Flicker(90, 40)})
QUICK_LATE_US = (200, 15_000)
MOST_FLICKERING = 2
"""…of all that are there, unless the chip is quick. It lists two tags at a time; three that lose their power together
have forgotten that two of them were listed, before a slow chip can be asked for the third."""
SETTLE_S = 12.0
"""By then everything is known, whatever was wrong before."""
EMPTY_S = 6.0


def run(count: int, seed: int) -> Outcome:
    seen: Counter[str] = Counter()
    failures = []
    for number in range(count):
        try:
            _evening(Random(f"{seed} {number}"), seen)
        except AssertionError as wrong:
            failures.append(f"seed {seed}, evening {number}: {wrong}")
    return Outcome(count, dict(seen), tuple(failures))


def _evening(chance: Random, seen: Counter[str]) -> None:
    reading = any_reading(chance)
    table = WatchedPn532(reading=reading, chance=chance).begin().run(EMPTY_S)
    table.faults.chance = chance
    assert [type(each) for each in table.told] == [Connecting, LinkUp], f"an empty table, and {told(reading)}"
    tags = [tag_of(uid, chance=chance, **chance.choice(TRAITS)) for uid in UIDS]
    lifted: Counter[bytes] = Counter()
    for _ in range(chance.randrange(4, 16)):
        _something_happens(table, tags, lifted, chance, seen)
        table.run(chance.choice((0.0, 0.02, 0.2, 1.0)))
    table.faults.clear()
    table.line.is_plugged = True
    table.run(SETTLE_S)
    seen["faults told"] += sum(isinstance(signal, ReaderFault) for signal in table.told)
    seen["removals told"] += sum(isinstance(signal, TagRemoved) for signal in table.told)
    lying = {tag.uid.hex().upper() for tag in table.field.tags}
    assert believed(table.told) == lying, f"believed {believed(table.told)}, there lie {lying}; {told(reading)}"
    assert is_ready(table.told), f"it never came back; {told(reading)}"
    removed = Counter(bytes.fromhex(signal.uid) for signal in table.told if isinstance(signal, TagRemoved))
    assert removed <= lifted, f"a removal was told that no hand made; {told(reading)}"


def _something_happens(
    table: WatchedPn532, tags: list[Tag], lifted: Counter[bytes], chance: Random, seen: Counter[str]
) -> None:
    tag = chance.choice(tags)
    match chance.choice(("lay", "lay", "lift", "fault", "well")):
        case "lay" if tag not in table.field.tags and len(table.field.tags) < MOST and _can_be_found(table, tag):
            table.field.now_us = table.clock.now_us
            table.field.place(tag)
            seen["tags laid"] += 1
        case "lift":
            lifted[tag.uid] += tag in table.field.tags
            table.field.lift(tag)
        case "fault":
            seen["faults made"] += 1
            _spoil(table, chance.choice([*Pn532Faults.NAMES, "reset", "unplug"]))
        case "well":
            table.faults.clear()
            table.line.is_plugged = True


def _can_be_found(table: WatchedPn532, tag: Tag) -> bool:
    reading = table.chip.reading
    is_quick = reading.late_us in QUICK_LATE_US and not reading.activation_us
    flickering = sum(each.flicker is not None for each in (*table.field.tags, tag))
    return is_quick or tag.flicker is None or flickering <= MOST_FLICKERING


def _spoil(table: WatchedPn532, fault: str) -> None:
    if fault == "reset":
        table.chip.reset(table.clock.now_us)
    elif fault == "unplug":
        table.line.is_plugged = False
        table.chip.reset(table.clock.now_us)
    else:
        setattr(table.faults, fault, True)
