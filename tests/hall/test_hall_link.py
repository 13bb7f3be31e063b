"""A table takes its players from the hall, plays on alone when the hall is away, and shares the club's boxes."""

import pytest

from companion.cli import parser_of
from companion.errors import CompanionError, LinkError, UsageError
from companion.files import store
from companion.gamekit import discovery
from companion.hall.decisions import close_night, end_round, seat_next_round, start_round
from companion.hall.hall_client import HallRefusedError
from companion.hall.hall_texts import note_line
from companion.home.box_files import find_box
from companion.home.paths import box_path, evenings_folder, pack_path
from companion.home.tag_packs import find_pack, store_pack
from companion.journal.evening_folder import evenings
from companion.language.screen_language import speaking
from companion.messages.lobby import GamePlan, HallTablePlan
from companion.processes.evenings import begin_evening
from companion.processes.hall_link import HallLink, join_hall
from companion.processes.screen_process import TableLobby
from companion.processes.simulation_settings import SimulationSettings
from companion.table.pieces import Pack, pack_text, simulated_pack
from companion.verbs.arguments import hall_table_plan
from tests.hall.halls import BEGIN, RunningHall
from tests.people.evenings import ReopenedEvening

NAMES = ("Anna", "Ben", "Cleo")


@pytest.fixture
def hall(tmp_path, run_hall) -> RunningHall:
    return run_hall(str(tmp_path / "hall.sqlite"))


def link(hall: RunningHall, *simulated: str) -> HallLink:
    """This home's table."""
    plan = HallTablePlan(computer=dict.fromkeys(simulated, ""))
    return HallLink(join_hall(f"{hall.url}#{hall.hall.table_code}", str), plan, lambda: BEGIN)


def test_a_table_takes_game_and_seats_with_one_press_and_delivers_the_result(hall: RunningHall) -> None:
    table = link(hall, "Ben")
    hall.night(NAMES)
    assert table.offer().club == "Café"
    path = table.take(begin_evening)
    (summary,) = evenings(evenings_folder())
    assert (summary.game, summary.players) == ("lascaux", hall.state.nights[0].rounds[0].seats["1"])
    ReopenedEvening(path, seed=1).play().close()
    table.deliver()
    assert table.problem == ""
    assert len([*hall.state.results_of(1)]) == 1
    with pytest.raises(LinkError, match=r"Table 1 has finished round 1\. Wait for the next one\."):
        table.take(begin_evening)


def test_a_table_plays_on_alone_when_the_hall_is_away_and_delivers_when_it_is_back(tmp_path, hall, run_hall) -> None:
    table = link(hall)
    hall.night(NAMES)
    path = table.take(begin_evening)
    hall.close()
    ReopenedEvening(path, seed=1).play().close()
    table.deliver()
    assert "does not answer" in table.problem
    with pytest.raises(LinkError, match="you can play on alone"):
        table.take(begin_evening)
    back = run_hall(str(tmp_path / "hall.sqlite"))
    again = HallLink(join_hall(back.url, str), now=lambda: BEGIN)
    again.deliver()
    assert again.problem == ""
    assert len([*back.state.results_of(1)]) == 1


def test_before_a_round_is_seated_there_is_nothing_to_take(hall: RunningHall) -> None:
    table = link(hall)
    with pytest.raises(LinkError, match="The hall has not seated a round yet"):
        table.take(begin_evening)
    with speaking("de"), pytest.raises(LinkError, match="Es ist noch keine Runde"):
        table.take(begin_evening)


def test_a_table_without_players_in_this_round_is_told_so(hall: RunningHall) -> None:
    hall.table("Bar")
    table = link(hall)
    hall.night(NAMES)
    with pytest.raises(LinkError, match="No one plays at table 1 in this round"):
        table.take(begin_evening)


def test_a_game_that_cannot_begin_leaves_no_assignment(hall: RunningHall) -> None:
    table = link(hall)
    hall.night(NAMES)

    def fail(_plan: object):
        raise LinkError("no")

    with pytest.raises(LinkError, match="no"):
        table.take(fail)
    assert [*table._outbox.assignments()] == []


def test_the_lobby_offers_the_hall(hall: RunningHall) -> None:
    assert TableLobby(SimulationSettings()).hall() is None
    offer = TableLobby(SimulationSettings(), hall=link(hall)).hall()
    assert offer is not None
    assert (offer.club, offer.table) == ("Café", "1")


# --- Boxes of the club ----------------------------------------------------------------------------------------


def enrol(game: str = "lascaux") -> Pack:
    """This home's table has a box of its own, with tags."""
    found = discovery.find(game)
    pack = simulated_pack(found, find_box(found).box)
    tags = {uid.replace(uid[:2], "04", 1): piece for uid, piece in pack.tags.items()}
    store(box_path(game), found.standin())
    store_pack(pack_path(game), Pack(tags))
    return Pack(tags)


def at_another_table(monkeypatch: pytest.MonkeyPatch, home) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(home) + "-other")


def test_a_box_that_was_enrolled_at_one_table_works_at_all(hall: RunningHall, monkeypatch, home) -> None:
    pack, one = enrol(), link(hall)
    at_another_table(monkeypatch, home)
    other = link(hall)
    hall.night((*NAMES, "Dora", "Emil", "Finn"))
    monkeypatch.setenv("COMPANION_HOME", str(home))
    one.take(begin_evening)
    assert [box.name for box in hall.state.boxes.values()] == ["Lascaux 1"]
    at_another_table(monkeypatch, home)
    other.take(begin_evening)
    game = discovery.find("lascaux")
    assert find_pack(game, find_box(game).box).tags == pack.tags


def test_a_box_of_a_game_that_no_terminal_can_show_is_refused(hall: RunningHall) -> None:
    table, tags = hall.table(), pack_text(enrol())
    for game in ("\x1b[2J", "lascaux\u202e", "x" * 100):
        with pytest.raises(HallRefusedError, match="whose name cannot be shown"):
            table.share_box(game, "", tags)
    assert hall.state.boxes == {}


def test_a_hall_cannot_write_where_no_game_has_a_file(hall: RunningHall, home) -> None:
    tags, game = pack_text(enrol()), "../../people"
    here = link(hall)
    hall.night(NAMES, game)
    hall.table().share_box(game, "what the hall wants", tags)
    with pytest.raises(CompanionError, match="people"):
        here.take(begin_evening)
    assert not (home / "people.toml").exists()


def test_a_box_in_use_at_one_table_is_flagged_at_another(hall: RunningHall, monkeypatch, home) -> None:
    enrol()
    one = link(hall)
    at_another_table(monkeypatch, home)
    enrol()  # the same box was carried there, and read there, too
    other = link(hall)
    hall.night((*NAMES, "Dora", "Emil", "Finn"))
    other.take(begin_evening)
    assert other.problem == ""
    monkeypatch.setenv("COMPANION_HOME", str(home))
    one.take(begin_evening)
    assert one.problem == "The box Lascaux 1 is in use at table 2."
    assert note_line(hall.hall.table_notes.pop("1")) == "The box Lascaux 1 is in use at table 2."
    assert hall.hall.table_notes == {}
    with speaking("de"):
        one.take(begin_evening)
    assert one.problem.startswith("Die Schachtel Lascaux 1 ist an Tisch 2")
    hall.change(end_round)
    hall.change(seat_next_round)
    hall.change(start_round(BEGIN))
    assert len(hall.state.boxes) == 1


def test_boxes_are_free_again_after_the_night(hall: RunningHall) -> None:
    enrol()
    table = link(hall)
    hall.night(NAMES)
    table.take(begin_evening)
    assert [box.table for box in hall.state.boxes.values()] == ["1"]
    hall.change(close_night)
    assert [box.table for box in hall.state.boxes.values()] == [""]


# --- What the table decides for itself ------------------------------------------------------------------------


def planned(hall: RunningHall, *words: str) -> GamePlan:
    """What `companion play --hall` with these words begins."""
    own = hall_table_plan(parser_of("play").parse_args(["--hall", hall.url, *words]))
    table = HallLink(join_hall(f"{hall.url}#{hall.hall.table_code}", str), own, lambda: BEGIN)
    if not hall.state.nights:
        hall.night(NAMES)
    begun: list[GamePlan] = []
    table.take(lambda plan: begun.append(plan) or begin_evening(plan))
    return begun[0]


def test_a_table_keeps_its_devices_and_the_levels_of_its_simulated_players(hall: RunningHall) -> None:
    plan = planned(hall, "--kit", "none", "--simulated", "Ben:strong", "Zoe", "Anna")
    seat = plan.players.index
    assert (plan.kit, plan.deals) == ("none", False)
    assert {plan.players[each] for each in plan.simulated} == {"Anna", "Ben"}
    assert plan.levels == {seat("Ben"): "strong"}


def test_without_names_the_computer_plays_everybody_whom_the_hall_seats_here(hall: RunningHall) -> None:
    assert planned(hall, "--simulated").simulated == (0, 1, 2)


def test_without_a_word_about_it_the_computer_plays_nobody(hall: RunningHall) -> None:
    plan = planned(hall, "--deal")
    assert (plan.simulated, plan.kit, plan.deals) == ((), None, True)


@pytest.mark.parametrize("words", [("sioux",), ("--players", "Anna", "Ben"), ("--first", "Ben"), ("--box", "a.toml")])
def test_what_the_hall_decides_is_refused_and_not_ignored(words: tuple[str, ...]) -> None:
    said = parser_of("play").parse_args([*words, "--hall", "192.0.2.7"])
    with pytest.raises(UsageError, match="the hall says what is played and by whom; leave out"):
        hall_table_plan(said)
