"""The real pcscd with the virtual reader of vsmartcard-vpcd, the real pyscard, and simulated tags behind them."""

import asyncio
import gc
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.config import TableSettings
from companion.devices.ndef import read_text, write_text
from companion.devices.pcsc.settings import PcscSettings
from companion.devices.pcsc.simulated_reader import VirtualReader
from companion.devices.simulated.tags import Classic, Flicker, Ntag, Tag, sticker
from companion.devices.tag_field import Failed, Pages, ReaderError, Written
from companion.processes.table_devices import equipment
from companion.table.signals import LinkUp, ReaderFault, TagFound, TagPlaced, TagRemoved
from companion.troubles import PcscTrouble, ReaderTrouble
from tests.devices.pi import ANNA, BEN, KEY_RING, LONG
from tests.devices.test_reader_device import running
from tests.pcsc import chance_evening, needs_pcscd

pytestmark = pytest.mark.slow
WAIT_S = 10.0
OPEN_FILES = Path("/proc/self/fd")


@pytest.fixture(scope="module")
def daemon() -> Iterator[VirtualReader]:
    needs_pcscd()
    with VirtualReader() as reader:
        yield reader


@pytest.fixture
def behind(daemon: VirtualReader) -> Iterator[VirtualReader]:
    """All is well, and nothing lies there."""
    daemon.field.lift()
    daemon.spoil("")
    yield daemon
    daemon.field.lift()


@pytest.fixture
def reader(behind: VirtualReader):
    from companion.devices.pcsc.driver import Pcsc

    reader = Pcsc("virtual")
    wait_for(lambda: reader.inventory(()).seen == ())
    yield reader
    reader.close()


def wait_for(true) -> None:
    until = time.monotonic() + WAIT_S
    while not true():
        assert time.monotonic() < until, "it never came"


def laid(behind: VirtualReader, reader, tag: Tag) -> Any:
    behind.field.place(tag)
    wait_for(lambda: reader.look(()).seen == (tag.uid,))
    return tag


# --- Who is there ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("uid", [ANNA, KEY_RING, LONG], ids=len)
def test_a_tag_tells_its_whole_number_and_is_missed_when_it_is_lifted(behind, reader, uid: bytes) -> None:
    laid(behind, reader, sticker(uid.hex()))
    assert reader.look((uid,)).seen == (uid,)
    assert reader.inventory((uid,)).seen == (uid,)
    behind.field.lift()
    wait_for(lambda: reader.look((uid,)).missed == (uid,))


def test_one_tag_at_a_time_and_the_next_when_the_first_is_lifted(behind, reader) -> None:
    anna = laid(behind, reader, Ntag(ANNA))
    behind.field.place(Ntag(BEN))
    assert reader.inventory((ANNA,)).seen == (ANNA,)
    behind.field.lift(anna)
    wait_for(lambda: reader.look((ANNA,)).seen == (BEN,))


def test_an_idle_reader_waits_for_news_and_hears_them_at_once(behind, reader) -> None:
    began, cpu = time.monotonic(), time.thread_time()
    for _ in range(5):
        reader.look(())
    assert time.monotonic() - began > 3 * 0.39, "though pcscd may have had old news to tell"
    assert time.thread_time() - cpu < 0.02 * (time.monotonic() - began)  # the figure itself is in bench/usb.py


# --- Memory ---------------------------------------------------------------------------------------------------


def test_pages_are_read_and_written(behind, reader) -> None:
    anna = laid(behind, reader, Ntag(ANNA))
    anna.lock(5)
    assert reader.write_page(ANNA, 4, b"mine") == Written(4)
    assert reader.read_page(ANNA, 4) == Pages(4, b"mine" + bytes(12))
    assert reader.write_page(ANNA, 5, b"nono") == Failed("refused")
    assert reader.read_page(ANNA, 200) == Failed("refused")
    assert reader.read_page(BEN, 4) == Failed("no answer")
    with pytest.raises(ValueError, match="a page has 4 bytes"):
        reader.write_page(ANNA, 4, b"")


def test_a_text_is_written_on_a_sticker_and_read_from_it(behind, reader) -> None:
    laid(behind, reader, Ntag(ANNA))
    assert write_text(reader, ANNA, "companion:sioux card 7") == "written"
    assert read_text(reader, ANNA) == "companion:sioux card 7"
    behind.field.lift()
    wait_for(lambda: not reader.look(()).seen)
    laid(behind, reader, Classic(KEY_RING))
    assert write_text(reader, KEY_RING, "x") == "number only"


# --- What goes wrong ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "problem"), [("killed", PcscTrouble.NO_SERVICE), ("unplugged", PcscTrouble.NO_READER)]
)
def test_what_is_wrong_is_told_and_mends_itself(behind, reader, fault: str, problem: PcscTrouble) -> None:
    behind.spoil(fault)
    with pytest.raises(ReaderError):
        reader.look(())
    with pytest.raises(ReaderError) as told:
        reader.restart()
    assert told.value.problem is problem
    behind.spoil("")
    reader.restart()
    laid(behind, reader, Ntag(ANNA))


def test_a_card_that_tells_nothing_is_unclear_and_nothing_is_missed(behind, reader) -> None:
    laid(behind, reader, Ntag(ANNA))
    behind.spoil("failing")
    look = reader.inventory((ANNA,))
    assert (look.unclear, look.missed, look.seen) == (True, (), ())
    assert reader.read_page(ANNA, 4) == Failed("no answer")


def test_another_reader_than_the_one_that_is_wanted_is_not_taken(behind) -> None:
    from companion.devices.pcsc.driver import Pcsc

    with pytest.raises(ReaderError, match="The PC/SC reader ACR122: pcscd knows no such reader; plug it in"):
        Pcsc("ACR122")


def test_a_reader_that_is_looked_for_in_vain_leaves_nothing_open(behind) -> None:
    """pcscd has room for some two hundred connections, and a table may wait for its reader all evening."""
    from companion.devices.pcsc.driver import Pcsc

    gc.collect()  # what others have not closed yet
    before = len(list(OPEN_FILES.iterdir()))
    for _ in range(5):
        with pytest.raises(ReaderError):
            Pcsc("a reader that does not exist")
    assert len(list(OPEN_FILES.iterdir())) <= before  # others may have closed what they had


@pytest.mark.parametrize(
    ("names", "wanted", "taken"),
    [
        (["Alcor Link AK9563 00 00", "ACS ACR122U PICC Interface 01 00"], "", "ACS ACR122U PICC Interface 01 00"),
        (["Alcor Link AK9563 00 00"], "", "Alcor Link AK9563 00 00"),
        (["HID OMNIKEY 5422 (OMNIKEY 5422CL Smartcard Reader) 01 00", "x"], "5422cl", None),
        ([], "", None),
    ],
)
def test_readers_without_contacts_are_preferred(names: list[str], wanted: str, taken: str | None) -> None:
    pytest.importorskip("smartcard", reason="needs the library pyscard: `make usb`")
    from companion.devices.pcsc.driver import chosen

    assert chosen(names, wanted) == (taken or (names[0] if names else None))


# --- At the table ---------------------------------------------------------------------------------------------

PCSC = TableSettings(readers=(PcscSettings(),))


def test_a_table_plays_through_pcscd_whatever_happens_to_it(behind: VirtualReader) -> None:
    async def evening() -> None:
        anna = Ntag(ANNA)
        behind.field.place(anna)
        async with running(*equipment(PCSC)) as ears:  # type: ignore[arg-type]
            there = await ears.hear(TagFound | TagPlaced)  # pcscd looks by itself, on a busy machine after we do
            assert there.uid == ANNA.hex().upper()
            await ears.hear(LinkUp)
            for fault, problem in {
                "killed": PcscTrouble.NO_SERVICE,
                "unplugged": PcscTrouble.NO_READER,
                "silent": ReaderTrouble.STALLED,
            }.items():
                await asyncio.to_thread(behind.spoil, fault)
                while (await ears.hear(ReaderFault)).problem != problem:
                    pass  # what is told of a daemon that is just going
                await asyncio.to_thread(behind.spoil, "")
                await ears.hear(LinkUp)
            assert not [each for each in ears.told if isinstance(each, TagRemoved | TagPlaced)]
            behind.field.lift(anna)
            assert (await ears.hear(TagRemoved)).uid == ANNA.hex().upper()

    asyncio.run(evening())


@pytest.mark.parametrize("traits", [{"reliability": 0.95}, {"flicker": Flicker(400, 20)}])
def test_a_weak_or_flickering_tag_is_not_removed(behind: VirtualReader, traits) -> None:
    """As weak as a reader can hold it: one that the reader itself loses for seconds has been lifted, says pcscd."""

    async def evening() -> None:
        behind.field.place(Ntag(ANNA, **traits))
        async with running(*equipment(PCSC)) as ears:  # type: ignore[arg-type]
            await ears.hear(LinkUp)
            await asyncio.sleep(3)
            assert not [each for each in ears.told if isinstance(each, TagRemoved)]

    asyncio.run(evening())


def test_what_is_believed_equals_what_lies_there_whatever_happened(behind: VirtualReader) -> None:
    asyncio.run(chance_evening(behind, Random(18)))
