"""Lights and sounds say what every player can see, and nothing else."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.device import Deliver
from companion.gamekit.snapshot import Snapshot, StationState, Told
from companion.referee import event_loop
from companion.referee.event_loop import Process
from companion.stations import CENTRE
from companion.table.effects import Effect, Light, Sound
from companion.table.presence import DeviceStatus
from companion.table.signals import (
    Connecting,
    LinkDown,
    LinkUp,
    Pressed,
    ReaderFault,
    Remarked,
    Signal,
    TagFound,
    TagPlaced,
    TagRemoved,
    TagsUnclear,
)
from tests.referee.table import Table

PADS = {"pad0": 0, "pad1": 1, "pad2": 2, "pad3": 3, "pad4": 4}


def lights(table: Table) -> dict[str, str]:
    return dict(event_loop.lights(table.seen, PADS))


# --- Lights ---------------------------------------------------------------------------------------------------


def test_only_taken_seats_and_the_centre_have_a_light(table: Table) -> None:
    assert lights(table).keys() == {"pad0", "pad1", "pad2", CENTRE}


def test_the_player_whose_turn_it_is_sees_it_on_their_pad(table: Table) -> None:
    assert lights(table) == {"pad0": "turn", "pad1": "off", "pad2": "off", CENTRE: "off"}


def test_L6_a_player_who_has_chosen_has_done_their_part_and_what_they_chose_makes_no_difference(tmp_path: Path) -> None:
    shown = []
    for colour in ("white", "brown"):
        table = Table(tmp_path / colour)
        table.to_choosing().act("choose", seat=1, colour=colour)
        shown.append(lights(table))
    assert shown[0] == shown[1] == {"pad0": "turn", "pad1": "done", "pad2": "turn", CENTRE: "off"}


def test_L7_while_stones_are_laid_only_the_one_whose_turn_it_is_has_a_light(table: Table) -> None:
    table.to_bidding()
    assert lights(table) == {"pad0": "turn", "pad1": "off", "pad2": "off", CENTRE: "off"}
    table.act("stone", seat=0)
    assert lights(table) == {"pad0": "off", "pad1": "turn", "pad2": "off", CENTRE: "off"}


def test_with_one_reader_the_centre_speaks_for_all(tmp_path: Path) -> None:
    assert lights(Table(tmp_path, kit="one"))[CENTRE] == "turn"


def test_an_open_question_blinks_where_an_answer_is_missing(table: Table) -> None:
    table.to_reveal().undo()
    table.agree(1)
    assert lights(table) == {"pad0": "question", "pad1": "done", "pad2": "question", CENTRE: "question"}


def test_a_lost_station_is_lost_no_matter_who_is_asked(table: Table) -> None:
    table.hear(ReaderFault("pad0", 1, "no chip answers"))
    assert lights(table)["pad0"] == "lost"


def test_a_light_is_shown_once_and_a_turn_that_has_come_is_heard() -> None:
    assert event_loop.changes({}, {"pad0": "turn"}) == [Light("pad0", "turn")]
    assert event_loop.changes({"pad0": "turn"}, {"pad0": "turn"}) == []
    assert event_loop.changes({"pad0": "off"}, {"pad0": "turn"}) == [Light("pad0", "turn"), Sound("pad0", "turn")]


@pytest.mark.parametrize(
    ("kind", "cue"),
    [("accepted", "accepted"), ("undone", "accepted"), ("refused", "refused"), ("unknown", "refused"), ("idle", None)],
)
def test_every_answer_has_its_sound(kind, cue) -> None:
    heard = event_loop.answer(TagPlaced("pad1", 0, "00"), Told(1, kind, "x"))
    assert heard == ([Sound("pad1", cue)] if cue else [])


@pytest.mark.parametrize("signal", [TagRemoved("pad1", 0, "00"), LinkUp("pad1", 0), LinkDown("pad1", 0, "x")])
def test_what_no_hand_has_done_makes_no_sound(signal: Signal) -> None:
    assert event_loop.answer(signal, Told(1, "noted", "x")) == []


# --- Devices at a running table -------------------------------------------------------------------------------


class Bell:
    """A device that remembers what it was to show."""

    stations = ("pad0", "pad1")

    def __init__(self, *said: Signal | Exception) -> None:
        self._said = list(said)
        self.shown: list[Effect] = []
        self.runs = 0

    async def run(self, deliver: Deliver) -> None:
        self.runs += 1
        while self._said:
            said = self._said.pop(0)
            if isinstance(said, Exception):
                raise said
            deliver(said)
            await asyncio.sleep(0)
        await asyncio.Event().wait()

    def show(self, effect: Effect) -> None:
        self.shown.append(effect)


def serve(table: Table, path: Path, *bells: Bell, until=lambda _: True) -> Snapshot:
    async def evening() -> Snapshot:
        process = Process(table.referee, table.journal, path / "s", PADS)
        serving = asyncio.create_task(process.run(bells))
        async with asyncio.timeout(60):
            while not (until(process.snapshot) and all(not bell._said for bell in bells)):
                await asyncio.sleep(0.001)
                if serving.done():
                    break
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        if not serving.cancelled() and serving.exception():
            raise serving.exception()
        return process.snapshot

    return asyncio.run(evening())


def test_devices_show_the_lights_of_the_snapshot_and_answer_signals(table: Table, tmp_path: Path) -> None:
    bell = Bell(LinkUp("pad0", 1), Pressed("pad1", 2, "green"))
    seen = serve(table, tmp_path, bell)
    assert seen.lights == {"pad0": "turn", "pad1": "off", "pad2": "off", CENTRE: "off"}
    assert [Light("pad0", "turn"), Light("pad1", "off")] == bell.shown[:2]
    assert {effect.station for effect in bell.shown if isinstance(effect, Sound)} <= {"pad1"}


def test_a_table_without_devices_has_no_lights(table: Table, tmp_path: Path) -> None:
    assert serve(table, tmp_path).lights == {}


def test_a_driver_that_fails_loses_its_stations_is_started_again_and_stops_nothing_else(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(event_loop, "RESTS_S", (0.0,))
    bad = Bell(LinkUp("pad0", 1), RuntimeError("smoke"), LinkUp("pad0", 3), LinkUp("pad1", 3))
    good = Bell(LinkUp(CENTRE, 1))
    good.stations = (CENTRE,)
    seen = serve(table, tmp_path, bad, good, until=lambda seen: len(seen.devices) == 3)
    assert bad.runs == 2
    assert {device.station: device.state for device in seen.devices} == dict.fromkeys(("pad0", "pad1", CENTRE), "ready")
    lost = [line for line in seen.history if line.what == "links down"]
    assert [line.facts["stations"] for line in lost] == [("pad0", "pad1")]
    told = capsys.readouterr().err
    assert "RuntimeError" in told
    assert "smoke" not in told, "a value, which could be a secret"


def test_a_lamp_that_fails_darkens_no_other_and_ends_no_game(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bad, good = Bell(LinkUp("pad0", 1)), Bell(LinkUp("pad1", 1))
    monkeypatch.setattr(bad, "show", lambda _: 1 // 0)
    seen = serve(table, tmp_path, bad, good, until=lambda seen: len(seen.devices) == 2)
    assert [device.state for device in seen.devices] == ["ready", "ready"]
    assert Light("pad0", "turn") in good.shown
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_a_referee_that_fails_is_not_taken_for_a_broken_device(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(table.referee, "hear", lambda *_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        serve(table, tmp_path, Bell(LinkUp("pad0", 1), LinkUp("pad0", 2)), until=lambda _: False)
    assert "ZeroDivisionError" in capsys.readouterr().err


# --- Watching -------------------------------------------------------------------------------------------------


def states(table: Table) -> dict[str, str]:
    return {device.station: device.state for device in table.seen.devices}


def test_a_station_is_connecting_until_it_says_that_it_is_ready(table: Table) -> None:
    table.hear(Connecting("pad0", 1))
    assert states(table) == {"pad0": "connecting"}
    table.hear(TagFound("pad0", 2, "E0E0E0E0"))
    assert states(table) == {"pad0": "connecting"}
    table.hear(LinkUp("pad0", 3))
    assert states(table) == {"pad0": "ready"}


def test_a_station_that_fails_while_connecting_is_lost(table: Table) -> None:
    table.hear(Connecting("pad0", 1))
    table.hear(ReaderFault("pad0", 2, "no chip answers"))
    assert table.seen.devices == (StationState("pad0", "lost", "no chip answers"),)


SAID = {
    "up": LinkUp("pad0", 0),
    "down": LinkDown("pad0", 0, "x"),
    "fault": ReaderFault("pad0", 0, "x"),
    "connecting": Connecting("pad0", 0),
}


def test_neither_a_press_nor_a_tag_proves_that_what_was_lost_is_back(table: Table) -> None:
    table.hear(ReaderFault("pad0", 1, "the green button is stuck"))
    table.hear(Pressed("pad0", 2, "red"))
    table.hear(TagRemoved("pad0", 3, "E0E0E0E0"))
    table.hear(TagsUnclear("pad0", 4))
    assert states(table) == {"pad0": "lost"}


def test_a_stack_is_a_state_until_something_is_laid_there_or_lifted(table: Table) -> None:
    table.hear(LinkUp("pad0", 1))
    table.hear(TagsUnclear("pad0", 2))
    table.hear(Pressed("pad0", 3, "red"))
    assert states(table) == {"pad0": "unclear"}
    table.hear(TagRemoved("pad0", 4, "E0E0E0E0"))
    assert states(table) == {"pad0": "ready"}


@given(st.lists(st.sampled_from([*SAID]), max_size=12))
def test_a_remark_on_a_station_changes_nothing_in_its_state(words: list[str]) -> None:
    """Not even of one that has never said anything else."""
    watch = DeviceStatus()
    for word in words:
        watch = watch.after(SAID[word])
        assert watch.after(Remarked("pad0", 0, "x")) == watch
    assert watch.after(Remarked("pad1", 0, "x")) == watch


@given(st.lists(st.sampled_from([*SAID]), max_size=12))
def test_the_newest_word_of_a_station_counts(words: list[str]) -> None:
    watch = DeviceStatus()
    for word in words:
        watch = watch.after(SAID[word])
    expected = {"up": "ready", "down": "lost", "fault": "lost", "connecting": "connecting"}
    assert [device.state for device in watch.devices] == ([expected[words[-1]]] if words else [])
