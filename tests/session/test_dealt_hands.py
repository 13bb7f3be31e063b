"""On a simulated table the simulated stack deals to persons, too: they see their hands, and choose from them."""

import random
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.gamekit import discovery
from companion.gamekit.game_start import Header
from companion.gamekit.snapshot import Snapshot
from companion.journal import evening_folder
from companion.journal.store import Journal
from companion.messages.intentions import Act, Agree, LookAtTable, Peek, Undo
from companion.processes.referee_process import seat_pads_of, simulated_table
from companion.processes.simulation_settings import SimulationSettings
from companion.referee.referee import Referee
from companion.session.evening import Evening, game_body
from companion.table.signals import ReaderFault
from tests.left_open import at_the_end
from tests.referee.table import NAMES, TONIGHT
from tests.strangers import gops_installed

PERSON = 0


class Solo:
    """One person against simulated neighbours, without a clock."""

    def __init__(
        self, folder: Path, game: str, seed: int = 3, simulated: tuple[int, ...] = (1, 2), **options: Any
    ) -> None:
        rules = discovery.find(game)
        self.journal = Journal.create(folder, date=TONIGHT)
        at_the_end(self.close)
        self.journal._ledger.durable = False
        header = Header(game, NAMES[:3], 0, options)
        body = game_body(header, rules.standin(), simulated, "full", seed)
        self.evening = Evening([self.journal.append("game", body, "", "", 1.0)])
        self.chance = random.Random(seed)
        self._ids = count(1)
        self._sit_down()

    def _sit_down(self, *, resumed: bool = False) -> None:
        seat_pads = seat_pads_of(self.evening)
        self.table = simulated_table(self.evening, seat_pads, SimulationSettings(), deals=True)
        self.referee = Referee(self.journal, self.evening, seat_pads, resumed=resumed, dealer=self.table)

    def close(self) -> None:
        """The journal that is open now."""
        self.journal.close()

    def reopen(self) -> None:
        self.close()
        self.journal, self.evening = evening_folder.resume(self.journal.path)
        self.journal._ledger.durable = False
        self._sit_down(resumed=True)

    @property
    def seen(self) -> Snapshot:
        return self.referee.snapshot()

    def own(self, seat: int = PERSON) -> Any:
        return self.referee.inform(Peek("peek", seat))

    def held(self) -> set[str]:
        return {piece.id for piece in self.own().dealt}

    def wait(self) -> None:
        """Simulated hands do what is theirs to do."""
        for _ in range(400):
            deed = self.table.next(self.seen, 0)
            if deed is None:
                return
            for _wait_ms, given in deed.steps:
                if isinstance(given, Act):
                    self.referee.heed(given, 1.0)
                else:
                    self.referee.hear(given, 1.0)
        raise AssertionError("they never stop")

    def choices(self) -> list[Any]:
        """What the person is offered: nothing that simulated hands do."""
        seen = self.seen
        awaited = seen.awaiting is not None and PERSON in seen.awaiting.seats
        offered = [action for action in self.own().offered if _do(action) not in seen.by_table]
        return offered if awaited else []

    def act(self, action: Any) -> None:
        told = self.referee.heed(Act(f"act-{next(self._ids)}", msgspec.to_builtins(action)), 1.0)
        assert told.kind == "accepted", told


def _do(action: Any) -> str:
    return str(action.__struct_config__.tag)


@pytest.mark.parametrize("game", ["lascaux", "sioux", "darwinci", "carnuta"])
def test_on_a_simulated_table_no_person_sets_up_or_checks_pieces_but_may_look(tmp_path: Path, game: str) -> None:
    solo = Solo(tmp_path, game)
    assert solo.seen.preparation is None
    solo.wait()
    solo.act(solo.choices()[0])
    solo.reopen()
    assert solo.seen.layout == ()
    table = solo.referee.inform(LookAtTable("look"))
    assert table.steps
    assert any(lying.place.seat is None for lying in table.layout)


@pytest.mark.parametrize("game", ["lascaux", "carnuta"])
def test_cards_are_dealt_even_if_no_player_is_simulated(tmp_path: Path, game: str) -> None:
    solo = Solo(tmp_path, game, simulated=())
    solo.wait()
    assert solo.choices()
    assert not {_do(action) for action in solo.seen.offered} <= set(solo.seen.by_table)


def test_a_game_whose_players_deal_nothing_is_dealt_by_chance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with gops_installed(tmp_path, monkeypatch):
        solo = Solo(tmp_path, "gops", simulated=(2,))
        assert solo.seen.by_table == ("prize",)
        solo.wait()
        assert solo.seen.by_table == ()
        assert {_do(action) for action in solo.seen.offered} == {"bid"}
        solo.close()


@pytest.mark.parametrize("game", ["lascaux", "darwinci", "carnuta"])
def test_a_person_plays_a_whole_game_from_what_they_were_dealt(tmp_path: Path, game: str) -> None:
    """No other player ever has what the person holds, and every player can count it."""
    solo = Solo(tmp_path, game)
    chosen = 0
    while solo.seen.awaiting is not None:
        solo.wait()
        if not (choices := solo.choices()):
            assert solo.seen.awaiting is None
            break
        action = solo.chance.choice(choices)
        if _do(action) in solo.seen.dealt:
            named = getattr(action, "tile", None) or getattr(action, "card", None)
            assert named in solo.held()
            chosen += 1
        if game == "darwinci":
            assert len(solo.held()) - solo.seen.table.hands[PERSON] in (0, 2)
        solo.act(action)
    assert chosen or game == "lascaux"
    refused = [told for told in solo.seen.history if told.kind in ("refused", "foreign")]
    assert not refused


def test_cards_that_simulated_hands_draw_are_not_asked_of_the_person(tmp_path: Path) -> None:
    solo = Solo(tmp_path, "lascaux")
    assert solo.seen.by_table == ("draw",)
    solo.referee.hear(ReaderFault("centre", 1, "gone"), 1.0)
    assert solo.seen.by_table == (), "when the reader is lost it can be said on the screen"


def test_the_start_card_of_carnuta_is_dealt(tmp_path: Path) -> None:
    solo = Solo(tmp_path, "carnuta")
    assert {"start", "deal"} <= set(solo.seen.by_table)
    promised = solo.held()
    solo.wait()
    assert solo.seen.table.phase == "act"
    assert {solo.own().hand.secret} == promised
    plays = {action.card for action in solo.own().offered if _do(action) == "play"}
    assert plays <= promised


def test_a_start_card_that_is_played_at_once_is_chosen_by_its_player(tmp_path: Path) -> None:
    solo = Solo(tmp_path, "carnuta", start_card="played")
    solo.wait()
    assert solo.seen.by_table == ("deal",)
    assert {action.card for action in solo.choices()} == solo.held()


@pytest.mark.parametrize("game", ["darwinci", "carnuta"])
def test_people_find_their_hand_again_after_a_restart_and_after_an_undo(tmp_path: Path, game: str) -> None:
    solo = Solo(tmp_path, game)
    for _ in range(6):
        solo.wait()
        before, entry = solo.held(), solo.evening.number
        assert before
        solo.act(solo.chance.choice(solo.choices()))
        to = next(played.number for played in solo.evening.played_game.played if played.number > entry)
        solo.referee.heed(Undo(f"back-{entry}", None, to), 1.0)
        for seat in range(3 if solo.seen.question else 0):
            solo.referee.heed(Agree(f"agree-{entry}-{seat}", seat), 1.0)
        assert solo.held() == before
        solo.reopen()
        assert solo.held() == before
        solo.act(solo.chance.choice(solo.choices()))


def test_no_snapshot_and_no_other_players_view_tells_what_a_person_was_dealt(tmp_path: Path) -> None:
    """Two tables whose stacks lie otherwise look alike before anything is done."""
    one, other = Solo(tmp_path / "1", "darwinci", 1), Solo(tmp_path / "2", "darwinci", 2)
    assert one.held() != other.held()

    def told(solo: Solo) -> bytes:
        return msgspec.json.encode(msgspec.structs.replace(solo.seen, number=0, evening=""))

    assert told(one) == told(other)
    for seat in (1, 2, 9):
        assert one.own(seat).dealt == ()


def test_at_a_real_table_no_player_is_dealt_to(tmp_path: Path) -> None:
    solo = Solo(tmp_path, "darwinci")
    real = Referee(solo.journal, solo.evening, seat_pads_of(solo.evening))
    own = real.inform(Peek("1", PERSON))
    assert own.dealt == ()
    assert len({action.tile for action in own.offered}) == len(solo.evening.setup.box.tiles)
    assert (real.snapshot().by_table, real.snapshot().dealt) == ((), ())
