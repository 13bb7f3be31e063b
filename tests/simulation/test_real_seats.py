"""Bots at a real table: they say what to move, the hands of persons do it, and readers or the screen confirm it."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.errors import UsageError
from companion.gamekit.search import LEVELS, Skill
from companion.gamekit.snapshot import Snapshot, Told
from companion.journal.evening_folder import verify
from companion.journal.store import Journal, read
from companion.messages.intentions import Act, BotAct, Intention, RunErrand
from companion.messages.lobby import GamePlan
from companion.processes.evenings import first_entry
from companion.processes.referee_process import seat_pads_of
from companion.referee.referee import Referee
from companion.session.evening import Evening
from companion.simulation.real_seats import RealSeats
from companion.simulation.search_players import SearchPlayers
from companion.stations import CENTRE, pad
from companion.table.interpreter import Do, interpret
from companion.table.presence import Presence
from companion.table.signals import Held, Pressed, Signal, TagPlaced, TagRemoved
from tests.simulation.test_search_players import TONIGHT

NAMES = ("Anna", "Ben", "Cleo")
REAL_GAMES = ("lascaux", "sioux", "carnuta")
KITS = ("none", "full", "one")
LONGEST = 3000


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LEVELS, "easy", Skill(2, doubt=1.0))


def plan(game: str, kit: Any = "none", **how: Any) -> GamePlan:
    return GamePlan(game, NAMES, (1,), kit=kit, seed=3, levels={1: "easy"}, **{"real": True, **how})


class RealTable:
    """Anna and Cleo are persons and do anything that they may; Ben is a bot, and they move his pieces."""

    def __init__(self, folder: Path, game: str, kit: Any) -> None:
        self.journal = Journal.create(folder, date=TONIGHT)
        self.journal._ledger.durable = False
        self.evening = Evening([self.journal.append("game", first_entry(plan(game, kit)), "", "", 0.0)])
        self.referee = Referee(self.journal, self.evening, seat_pads_of(self.evening))
        self.seats = RealSeats(self.evening, SearchPlayers(self.evening, 3))
        self.luck, self.clock = Random(f"{game} {kit}"), 0
        self.errands = 0
        self.read_by_readers = self.dealt = 0

    def play(self) -> "RealTable":
        for _ in range(LONGEST):
            snapshot = self.referee.snapshot()
            if snapshot.awaiting is None:
                return self
            if snapshot.errand:
                self.run_errand(snapshot)
            elif (agreed := self.seats.answer(snapshot)) is not None:
                self.referee.heed(agreed, 0.0)
            elif (seat := self.seats.seat(snapshot)) is not None:
                said = self.seats._search.thought(seat, None, hurry=False)()
                assert self.referee.heed(self.seats.act(seat, said), 0.0).kind in ("accepted", "noted")
            else:
                self.persons_act()
        raise AssertionError("the game does not end")

    def persons_act(self) -> None:
        game, state = self.evening.game, self.evening.state
        settled = game.settled(state) if game.settled else ()
        legal = [each for each in game.legal(state) if not isinstance(each, game.communal)]
        theirs = [each for each in legal if getattr(each, "seat", 0) not in (1, *settled)]
        if not theirs:
            self.deal_to_ben(self.luck.choice(legal))
            return
        told = self.referee.heed(Act(f"p{self.evening.number}", msgspec.to_builtins(self.luck.choice(theirs))), 0.0)
        assert told.kind == "accepted"

    def deal_to_ben(self, dealt: Any) -> None:
        """A card that no person looks at: it is laid on a reader face down."""
        entry = self.evening.number
        for signal in self.signals(dealt):
            self.referee.hear(signal, 0.0)
        assert self.evening.number == entry + 1
        assert dealt.card not in str(self.referee.snapshot().history)
        self.dealt += 1

    def run_errand(self, snapshot: Snapshot) -> None:
        """With a piece on a reader or a button, if that can tell it; else on the screen."""
        self.errands += 1
        assert snapshot.errand
        assert snapshot.errand.seat == 1
        errand = self.referee.session._errand
        assert errand
        entry, signals = self.evening.number, self.signals(errand.action)
        if signals:
            self.read_by_readers += 1
            for signal in signals:
                self.referee.hear(signal, 0.0)
        else:
            assert self.referee.heed(RunErrand(f"e{entry}", entry), 0.0).kind == "accepted"
        assert self.evening.number == entry + 1, "what the hands did counts as Ben's action"
        assert self.evening.last_action
        assert self.evening.last_action.action.seat == 1

    def signals(self, action: Any) -> list[Signal]:
        """What hands can do so that readers understand this action; none if no single gesture says it."""
        seat_pads = self.referee.session._seat_pads
        if seat_pads.kit == "none":
            return []
        self.clock += 10_000
        stations = (pad(1), CENTRE) if seat_pads.kit == "full" else (CENTRE,)
        uids = list(seat_pads.pack.tags)
        for station in stations:
            buttons = [kind(station, self.clock, colour) for kind in (Pressed, Held) for colour in ("green", "red")]
            for signal in (*buttons, *(TagPlaced(station, self.clock, uid) for uid in uids)):
                meant = interpret(
                    seat_pads, Presence(), self.evening.game, self.evening.state, False, signal, None, False
                )[1]
                if isinstance(meant, Do) and meant.action == action:
                    tag = signal.uid if isinstance(signal, TagPlaced) else ""
                    return [signal, *([TagRemoved(station, self.clock + 400, tag)] if tag else [])]
        return []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "kit"), [(game, kit) for game in REAL_GAMES for kit in KITS if (game, kit) != ("carnuta", "none")]
)
def test_a_bot_with_real_pieces_plays_a_whole_game(game: str, kit: str, tmp_path: Path) -> None:
    table = RealTable(tmp_path, game, kit).play()
    table.journal.close()
    assert table.evening.played_game.finished
    assert table.errands > 2
    assert (table.read_by_readers > 0) == (kit != "none"), "readers confirm what they can tell"
    assert (table.dealt > 0) == (game == "carnuta")
    assert verify(table.journal.path).problems == ()
    assert Evening(read(table.journal.path)).state == table.evening.state


def to_errand(table: RealTable) -> Snapshot:
    while not (snapshot := table.referee.snapshot()).errand:
        seat = table.seats.seat(snapshot)
        if seat is None:
            table.persons_act()
        else:
            table.referee.heed(table.seats.act(seat, table.seats._search.thought(seat, None, hurry=False)()), 0.0)
    return snapshot


def test_an_errand_counts_when_it_is_done_and_nothing_else_is_done_for_the_bot(tmp_path: Path) -> None:
    table = RealTable(tmp_path, "lascaux", "none")
    snapshot = to_errand(table)
    errand = table.referee.session._errand
    assert errand
    assert snapshot.errand
    assert snapshot.errand.said.facts["seat"] == 1
    others = [each for each in table.evening.game.legal(table.evening.state) if each != errand.action]
    other = next(each for each in others if getattr(each, "seat", None) == 1)
    refused = table.referee.heed(Act("wrong", msgspec.to_builtins(other)), 0.0)
    assert (refused.kind, refused.what) == ("refused", "another errand")
    assert table.referee.heed(RunErrand("late", snapshot.entry - 1), 0.0).kind == "idle"
    assert table.referee.snapshot().errand == snapshot.errand, "nothing has changed"
    assert table.referee.heed(RunErrand("done", snapshot.entry), 0.0).kind == "accepted"
    assert table.referee.snapshot().errand is None
    assert table.referee.heed(RunErrand("done", snapshot.entry), 0.0).kind == "repeated", "sent twice, it counts once"
    table.journal.close()


def test_a_secret_choice_of_a_bot_needs_no_hands_and_no_screen_shows_it(tmp_path: Path) -> None:
    table = RealTable(tmp_path, "lascaux", "full")
    while table.evening.state.phase != "choose":
        table.persons_act()
    seat = table.seats.seat(table.referee.snapshot())
    assert seat == 1
    act = table.seats.act(seat, table.seats._search.thought(seat, None, hurry=False)())
    before = table.evening.number
    assert table.referee.heed(act, 0.0).kind == "accepted"
    snapshot = table.referee.snapshot()
    assert (snapshot.errand, table.evening.number) == (None, before + 1)
    assert act.action["colour"] not in str(snapshot.history[-1].facts)
    table.journal.close()


def test_a_bot_runs_beside_the_referee_until_an_errand_is_open(tmp_path: Path) -> None:
    table = RealTable(tmp_path, "lascaux", "none")
    while table.evening.state.phase != "choose":
        table.persons_act()
    heard: list[Intention] = []

    class Hears:
        snapshot = table.referee.snapshot()
        news = asyncio.Event()

        def heed(self, intention: Intention) -> Told:
            heard.append(intention)
            told = table.referee.heed(intention, 0.0)
            self.snapshot = table.referee.snapshot()
            return told

        def deliver(self, signal: Signal) -> Told:
            raise AssertionError("a bot has no hands")

        async def changed(self) -> None:
            self.news.set()
            await asyncio.Event().wait()

    async def scene() -> None:
        hears = Hears()
        playing = asyncio.ensure_future(table.seats.run(hears))
        await asyncio.wait_for(hears.news.wait(), 60)
        playing.cancel()

    asyncio.run(scene())
    assert [type(each) for each in heard] == [BotAct]
    table.journal.close()


# --- What is impossible ---------------------------------------------------------------------------------------


def test_a_bot_with_real_pieces_needs_a_person_and_cannot_hold_cards_that_the_rules_do_not_know() -> None:
    with pytest.raises(UsageError, match="darwinci: a bot cannot hold real cards that nobody else sees"):
        first_entry(plan("darwinci"))
    with pytest.raises(UsageError, match="carnuta: a bot's first card is read face down, so this needs a reader"):
        first_entry(plan("carnuta"))
    with pytest.raises(UsageError, match="need a person whose hands move them"):
        first_entry(msgspec.structs.replace(plan("lascaux"), simulated=(0, 1, 2)))
    with pytest.raises(UsageError, match="where Companion deals there are no real pieces"):
        first_entry(plan("lascaux", deals=True))


def test_without_readers_bots_have_real_pieces_and_elsewhere_if_you_say_so() -> None:
    assert msgspec.json.decode(first_entry(plan("lascaux", real=False)))["real"] is True
    assert "real" not in msgspec.json.decode(first_entry(plan("lascaux", "full", real=False)))
    assert "real" not in msgspec.json.decode(first_entry(GamePlan("lascaux", NAMES, kit="none")))
