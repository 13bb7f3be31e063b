"""A simulated table plays whole games through signals, and mischief never changes them."""

from collections import Counter

import pytest
from msgspec.structs import replace

from companion.gamekit.snapshot import Question
from companion.games.lascaux.options import Options
from companion.games.lascaux.rules import GAME
from companion.games.lascaux.rules.engine import Choose, End, Pass, Stone
from companion.stations import CENTRE
from companion.table.signals import Held, Pressed, TagPlaced, TagRemoved
from tests.games.lascaux.driver import BOX, PACK, Evening, Table, simulated

SEEDS = range(20)


# --- Whole games ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("kit", ["one", "full"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_whole_games_end_and_mischief_changes_nothing(players, kit):
    best = []
    for seed in SEEDS:
        plain = Evening(seed, players, kit).play().table
        spoiled = Evening(seed, players, kit, mischief=0.3).play().table
        assert plain.state.phase == "over"
        assert GAME.table(plain.state) == GAME.table(spoiled.state)
        assert plain.accepted == spoiled.accepted
        best.append(max(score.total for score in GAME.scores(plain.state)))
    assert 12 <= sum(best) / len(best) <= 26
    assert max(best) < 40


@pytest.mark.parametrize("kit", ["one", "full"])
def test_without_mischief_nothing_is_refused(kit):
    answers = Counter(Evening(3, 4, kit).play().answers)
    assert set(answers) == {"accepted", "idle"}


@pytest.mark.parametrize("kit", ["one", "full"])
def test_nothing_but_mischief_does_not_change_the_game_either(kit):
    assert Evening(5, 4, kit, mischief=1.0).play().table.accepted == Evening(5, 4, kit).play().table.accepted


def test_mischief_is_of_many_kinds():
    told = Counter()
    for kit in ("one", "full"):
        for seed in range(4):
            table = Evening(seed, 4, kit, mischief=0.5).play().table
            told.update(line.what for line in table.history if line.kind != "accepted")
    assert set(told) >= {
        "unknown tag", "lies there already", "pressed already", "chosen already", "in the row already",
        "too many cards", "foreign pad", "nobody's marker", "not the chosen marker", "out of turn",
        "has passed already", "cards are drawn", "markers are chosen",
    }  # fmt: skip


def test_the_same_seed_and_mischief_give_the_same_signals():
    first, second, other = (Evening(seed, 4, "full", mischief=0.3).play() for seed in (7, 7, 8))
    assert first.signals == second.signals
    assert first.signals != other.signals


def test_the_kit_does_not_change_the_game():
    assert Evening(7, 3, "one").play().table.accepted == Evening(7, 3, "full").play().table.accepted


def test_a_player_changes_their_mind_now_and_then():
    accepted = [line.what for seed in range(5) for line in Evening(seed, 4, "one").play().table.history]
    assert 0 < accepted.count("chose again") < accepted.count("has chosen") / 10


def test_L20_secret_stones_are_played_to_the_end():
    for seed in range(5):
        state = Evening(seed, 3, "full", options=Options(stones="secret")).play().table.state
        assert state.phase == "over"


@pytest.mark.parametrize("stones", ["open", "secret"])
@pytest.mark.parametrize("kit", ["one", "full"])
def test_L7_who_has_to_lay_the_first_stone_does_and_mischief_changes_nothing(kit, stones):
    options = Options(first_stone="must", stones=stones)
    for seed in range(6):
        plain = Evening(seed, 3, kit, options=options).play().table
        spoiled = Evening(seed, 3, kit, mischief=0.4, options=options).play().table
        assert plain.state.phase == "over"
        assert plain.accepted == spoiled.accepted
        assert "first stone" not in [line.what for line in plain.history]


def test_time_runs_forward_even_if_the_clock_stands_still():
    evening = Evening(1, 3, "one").play()
    times = [signal.at_ms for signal in evening.signals]
    assert times == sorted(times)


# --- Hands ----------------------------------------------------------------------------------------------------


def test_with_one_reader_everything_happens_at_the_centre():
    assert {signal.station for signal in Evening(2, 3, "one", mischief=0.3).play().signals} == {CENTRE}


def test_with_pads_markers_lie_on_their_own_and_leave_when_the_round_ends():
    evening = Evening(2, 3, "full")
    while evening.step():
        lying = {pad: evening.table.presence.at(pad) for pad in ("pad0", "pad1", "pad2")}
        for seat, (pad, tags) in enumerate(lying.items()):
            assert len(tags) <= 1, pad
            assert all(PACK.tags[tag].owner == seat for tag in tags)
        if evening.table.state.phase == "bid":
            chosen = {seat: evening.table.state.choices[seat] for seat in evening.table.state.bidders}
            for seat, colour in chosen.items():
                assert [PACK.tags[tag].id for tag in lying[f"pad{seat}"]] == [colour]
        if evening.table.state.phase == "draw" and evening.table.state.row:
            assert evening.table.presence.at(CENTRE) == ()


def test_what_is_placed_is_removed_before_it_is_placed_again():
    lying: dict[str, str] = {}
    for signal in Evening(4, 4, "full").play().signals:
        if isinstance(signal, TagPlaced):
            assert signal.uid not in lying
            lying[signal.uid] = signal.station
        elif isinstance(signal, TagRemoved):
            assert lying.pop(signal.uid) == signal.station


# --- With persons ---------------------------------------------------------------------------------------------


def test_the_simulated_neighbour_deals_for_a_person_and_then_waits_for_their_choice():
    evening = Evening(1, 3, "full", seats=(1, 2))
    evening.play()
    assert evening.table.state.phase == "choose"
    assert GAME.table(evening.table.state).chosen == (False, True, True)


def test_a_person_at_the_table_only_has_to_choose_and_bid():
    evening = Evening(6, 3, "one", mischief=0.3, seats=(1, 2))
    while evening.play().table.state.phase != "over":
        state = evening.table.state
        if state.phase == "choose":
            evening.table.do(Choose(0, state.row[0].colours[0]))
        else:
            evening.table.do(Stone(0) if state.stones[0] and state.pot < 3 else Pass(0))


@pytest.mark.parametrize("kit", ["one", "full"])
def test_a_table_of_new_hands_plays_on_from_any_moment(kit):
    """As after a power cut: no player remembers a marker, and the readers have told nothing yet."""
    first = Evening(9, 3, kit)
    for number in range(120):
        first.step()
        if number % 7 == 0:
            again = Evening(9, 3, kit, mischief=0.2, state=first.table.state)
            assert again.play().table.state.phase == "over"


def test_a_player_who_forgot_their_marker_passes_with_the_red_button():
    evening = Evening(9, 3, "full")
    while evening.table.state.phase != "bid":
        evening.step()
    while evening.table.state.phase == "bid":
        new_hands = simulated(9, 3, "full")
        signals = [signal for _, signal in new_hands.next(evening.table.snapshot(), 0).steps]
        assert [type(signal) for signal in signals] == [Pressed]
        evening.table.presence = replace(evening.table.presence, pressed={})
        evening.table.hear(signals[0])


def test_a_player_who_remembers_wrongly_is_told_and_presses_red():
    evening = Evening(9, 3, "one")
    while "foreign" not in evening.answers:
        before = evening.table.state
        evening.step()
        if before.phase == "choose" and evening.table.state.phase == "bid":
            swapped = tuple(BOX.colours[BOX.colours.index(choice) - 1] for choice in evening.table.state.choices)
            evening.table.state = replace(evening.table.state, choices=swapped)
    turn = evening.table.state.bidders[0]
    evening.step()
    assert isinstance(evening.signals[-1], Pressed)
    assert evening.table.accepted[-1] == Pass(turn)


# --- Questions ------------------------------------------------------------------------------------------------


def question(*missing: int) -> Question:
    return Question(1, "undo", (), missing)


def deed(kit: str, missing: tuple[int, ...], seats=(1, 2)):
    snapshot = replace(Table(3, kit).snapshot(), question=question(*missing))
    return simulated(1, 3, kit, seats=seats).next(snapshot, 1000)


def test_asked_at_their_pads_they_press_green():
    assert [signal for _, signal in deed("full", (0, 1, 2)).steps] == [Pressed("pad1", 2200, "green")]


def test_asked_with_one_reader_they_tap_a_marker_so_that_no_player_speaks_for_a_person():
    placed = deed("one", (0, 2)).steps[0][1]
    assert isinstance(placed, TagPlaced)
    assert PACK.tags[placed.uid].owner == 2


def test_they_wait_when_only_a_person_is_missing():
    assert deed("full", (0,)) is None


def stuck(kit: str, **others) -> Evening:
    evening = Evening(11, 3, kit, **others)
    while evening.table.state.phase != "choose":
        evening.step()
    evening.table.state = replace(evening.table.state, deck=frozenset(), stalemate=True)
    return evening


@pytest.mark.parametrize("kit", ["one", "full"])
def test_L16_in_a_stalemate_a_player_proposes_the_end_and_all_agree(kit):
    ends = 0
    for seed in range(10):
        evening = stuck(kit)
        evening.simulation = simulated(seed, 3, kit)
        evening.play()
        ends += End() in evening.table.accepted
    assert 0 < ends < 10


def test_L16_when_a_person_declines_they_play_on():
    evening = stuck("full", seats=(1, 2))
    evening.simulation = next(
        table
        for table in (simulated(seed, 3, "full", seats=(1, 2)) for seed in range(20))
        if isinstance(table.next(evening.table.snapshot(), 0).steps[-1][1], Held) and not table.abandon()
    )
    evening.play()
    assert evening.table.asked == {1, 2}
    evening.table.hear(Pressed("pad0", 0, "red"))
    evening.play()
    assert GAME.table(evening.table.state).chosen == (False, True, True)


# --- The runner's side ----------------------------------------------------------------------------------------


def test_the_same_snapshot_is_answered_once():
    snapshot, table = Table(3).snapshot(), simulated(1, 3, "full")
    assert table.next(snapshot, 0)
    assert table.next(snapshot, 0) is None


def test_a_deed_that_was_not_begun_is_planned_again():
    evening = Evening(3, 3, "full", mischief=0.5)
    for _ in range(40):
        snapshot = evening.table.snapshot()
        first = evening.simulation.next(snapshot, 0)
        evening.simulation.abandon()
        second = evening.simulation.next(snapshot, 0)
        assert first == second
        for _, signal in second.steps:
            evening.table.hear(signal)
    assert evening.table.accepted == Evening(3, 3, "full").play().table.accepted[: len(evening.table.accepted)]


def test_the_hands_look_at_the_public_table_only():
    """Two tables that look alike but hide different choices are played alike."""
    evening = Evening(9, 3, "full", seats=(1, 2))
    evening.play()
    white, pink = (
        replace(evening.table.state, choices=(c, *evening.table.state.choices[1:])) for c in ("white", "pink")
    )
    steps = []
    for state in (white, pink):
        table = Table(3, "full", state=replace(state, phase="bid", bidders=(1, 2, 0)))
        steps.append(simulated(9, 3, "full").next(table.snapshot(), 0))
    assert steps[0] == steps[1]


def test_all_thinking_comes_before_the_first_signal_so_that_a_deed_can_be_abandoned():
    evening = Evening(5, 4, "full", mischief=0.5)
    while deed := evening.simulation.next(evening.table.snapshot(), 0):
        (think_ms, first), *others = deed.steps
        assert think_ms >= 700
        assert all(wait_ms <= 600 for wait_ms, _ in others)
        for signal in (first, *(signal for _, signal in others)):
            evening.table.hear(signal)
    assert evening.table.state.phase == "over"


def test_after_a_mistake_a_question_is_answered_before_anything_else():
    evening = Evening(5, 3, "full", mischief=1.0)
    while "refused" not in evening.answers:
        evening.step()
    snapshot = replace(evening.table.snapshot(), question=question(1))
    signals = [signal for _, signal in evening.simulation.next(snapshot, 0).steps if isinstance(signal, Pressed)]
    assert {(signal.station, signal.button) for signal in signals} <= {("pad1", "green")}
