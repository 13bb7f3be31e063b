"""On a simulated table the simulated stack deals to persons, too: they see their hands, and choose from them."""

import random
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.gamekit import discovery
from companion.gamekit.game_start import Header
from companion.gamekit.screen.face import Sight
from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.snapshot import OwnView, Snapshot
from companion.journal import evening_folder
from companion.journal.store import Journal
from companion.messages.intentions import Act, Agree, LookAtTable, Peek, Undo
from companion.processes.referee_process import seat_pads_of, simulated_table
from companion.processes.simulation_settings import SimulationSettings
from companion.referee.referee import Referee
from companion.session.evening import Evening, game_body
from companion.stations import Kit
from companion.table.signals import ReaderFault
from tests.left_open import at_the_end
from tests.referee.table import NAMES, TONIGHT
from tests.strangers import example_installed, gops_installed

PERSON = 0


class Solo:
    """One person against simulated neighbours, without a clock."""

    def __init__(
        self,
        folder: Path,
        game: str,
        seed: int = 3,
        simulated: tuple[int, ...] = (1, 2),
        *,
        players: int = 3,
        kit: Kit = "full",
        **options: Any,
    ) -> None:
        rules = discovery.find(game)
        self.journal = Journal.create(folder, date=TONIGHT)
        at_the_end(self.close)
        self.journal._ledger.durable = False
        header = Header(game, NAMES[:players], 0, options)
        body = game_body(header, rules.standin(), simulated, kit, seed)
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

    def held(self, seat: int = PERSON) -> set[str]:
        return {piece.id for piece in self.own(seat).dealt}

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

    def choices(self, seat: int = PERSON) -> list[Any]:
        """What the person is offered: nothing that simulated hands do."""
        seen = self.seen
        awaited = seen.awaiting is not None and seat in seen.awaiting.seats
        offered = [action for action in self.own(seat).offered if _do(action) not in seen.by_table]
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


# --- Cards that are face down, which the rules do not know ----------------------------------------------------


def test_a_person_plays_from_a_hand_that_the_rules_do_not_know(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kit deals: the hand is as large as the table says, and it is the same after a restart and an undo."""
    with example_installed("sirtommy", tmp_path, monkeypatch):
        solo = Solo(tmp_path, "sirtommy")
        turns = 0
        while solo.seen.awaiting is not None:
            solo.wait()
            if not (choices := solo.choices()):
                break
            assert {action.card for action in choices} == solo.held()
            assert len(solo.held()) == solo.seen.table.held[PERSON]
            turns += 1
            if turns == 3:
                before = solo.held()
                solo.act(choices[0])
                assert solo.held() != before
                solo.referee.heed(Undo("undo", solo.seen.entry), 1.0)
                assert solo.held() == before
                solo.reopen()
                assert solo.held() == before
            solo.act(solo.chance.choice(solo.choices()))
        assert turns == 18
        assert not [told for told in solo.seen.history if told.kind in ("refused", "foreign")]
        solo.close()


def test_hands_that_the_rules_do_not_know_are_told_to_their_player_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with example_installed("sirtommy", tmp_path, monkeypatch):
        one, other = Solo(tmp_path / "1", "sirtommy", 1), Solo(tmp_path / "2", "sirtommy", 2)
        assert one.held() != other.held()
        seen = [msgspec.structs.replace(solo.seen, number=0, evening="") for solo in (one, other)]
        assert msgspec.json.encode(seen[0]) == msgspec.json.encode(seen[1])
        assert one.own(1).dealt == () == one.own(2).dealt
        one.close()
        other.close()


@pytest.mark.parametrize("simulated", [(), (1, 3)])
def test_the_card_that_is_turned_up_comes_from_the_stack_that_was_dealt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, simulated: tuple[int, ...]
) -> None:
    with example_installed("whist", tmp_path, monkeypatch):
        solo = Solo(tmp_path, "whist", 5, simulated, players=4)
        assert solo.seen.by_table == ("turn up",)
        solo.wait()
        hands = [{piece.id for piece in solo.own(seat).dealt} for seat in range(4)]
        if not simulated:
            assert solo.seen.table.turned_up in hands[3]
            assert sorted(map(len, hands)) == [13] * 4
            assert len({card for hand in hands for card in hand}) == 52
        assert {action.card for action in solo.choices()} == solo.held() == hands[PERSON]
        solo.close()


# --- Where there are no readers, and the players have no cards ------------------------------------------------


@pytest.mark.parametrize("game", ["lascaux", "darwinci", "carnuta", "sirtommy"])
def test_people_around_one_screen_play_a_whole_game_without_a_single_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    with example_installed(game, tmp_path, monkeypatch) if game == "sirtommy" else nullcontext():
        solo = Solo(tmp_path, game, 4, (), kit="none")
        assert solo.seen.preparation is None
        solo.wait()
        while solo.seen.awaiting is not None:
            seat = solo.chance.choice(solo.seen.awaiting.seats)
            if choices := solo.choices(seat):
                solo.act(solo.chance.choice(choices))
            solo.wait()
        assert not [told for told in solo.seen.history if told.kind in ("refused", "foreign", "idle")]
        solo.close()


def test_a_player_who_was_dealt_the_suit_that_was_led_is_offered_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No rule of Whist sees a hand: what all would know afterwards tells what a hand cannot do."""
    with example_installed("whist", tmp_path, monkeypatch):
        solo = Solo(tmp_path, "whist", 5, (), players=4, kit="none")
        solo.wait()
        solo.act(solo.choices(0)[0])
        led = solo.evening.state.cards[solo.seen.table.trick[0]].suit
        following = {card for card in solo.held(1) if card.startswith(led)}
        assert following
        assert following < solo.held(1)
        assert {action.card for action in solo.choices(1)} == following
        solo.close()


def test_a_dealt_hand_can_be_looked_at_when_it_is_another_players_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with example_installed("whist", tmp_path, monkeypatch):
        solo = Solo(tmp_path, "whist", 5, (), players=4, kit="none")
        solo.wait()
        seen = msgspec.convert(msgspec.to_builtins(solo.seen), Snapshot)
        assert seen.own
        assert seen.deals
        face = find_face("whist")
        own = msgspec.convert(msgspec.to_builtins(solo.own(2)), OwnView)
        sight = Sight(seen, face).looked_at_by(own)
        assert len(face.hand(sight, False).plain.split()) == 13
        assert len(face.hand_in_words(sight)) == 13
        assert " of " in face.hand_in_words(sight)[0]
        solo.close()
