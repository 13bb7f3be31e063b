"""Exports: no choice that was not revealed, and the rules come to the same table again."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.errors import JournalError, UsageError
from companion.gamekit.game_start import read_action
from companion.games.lascaux.rules.engine import Choose, Draw, End, Pass, Stone
from companion.session.entry import Entry
from companion.session.evening import Evening
from companion.session.played_game import PlayedGame
from companion.session.transcript_export import public_actions, transcript, untold
from companion.verbs.adjudicate import adjudicate
from companion.verbs.export import write_export
from tests.journal.table import LASCAUX, STANDIN, Table, replaced
from tests.session.exports import replay

ALL_SIX = ("aurochs-brown-blue", "aurochs-yellow-white", "aurochs-green-pink")
"""Three cards that show all six colours."""
COLOURS = LASCAUX.parse_box(STANDIN, "the stand-in").colours
seeds = st.integers(0, 2**32)
plays = settings(max_examples=30, deadline=None)


def told(evening: Evening) -> list[Any]:
    """The actions of an export."""
    return [read_action(LASCAUX, json.loads(line)) for line in transcript(evening).splitlines()[1:]]


def choices(evening: Evening) -> list[Choose]:
    return [action for action in told(evening) if isinstance(action, Choose)]


def table_again(evening: Evening) -> Any:
    game, state = replay(transcript(evening), STANDIN)
    return game.table(state)


def one_round(table: Table, *colours: str) -> None:
    for seat, colour in enumerate(colours):
        table.do(Choose(seat, colour))
    for _ in range(2):
        table.do(Pass(table.evening.state.bidders[0]))


def shown_table() -> Table:
    table = Table()
    for card in ALL_SIX:
        table.do(Draw(card))
    return table


# --- L6 -------------------------------------------------------------------------------------------------------


def test_L6_a_choice_is_told_after_its_reveal_and_not_before() -> None:
    table = shown_table()
    for seat, colour in enumerate(("pink", "blue", "white")):
        table.do(Choose(seat, colour))
        assert told(table.evening) == [Draw(card) for card in ALL_SIX]
    table.do(Pass(0))
    assert told(table.evening) == [Draw(card) for card in ALL_SIX]
    table.do(Pass(1))
    assert choices(table.evening) == [Choose(0, "pink"), Choose(1, "blue"), Choose(2, "white")]
    assert told(table.evening)[-2:] == [Pass(0), Pass(1)]


def test_L6_a_choice_that_was_changed_is_never_told() -> None:
    table = shown_table()
    table.do(Choose(0, "pink"))
    one_round(table, "green", "blue", "white")
    assert choices(table.evening) == [Choose(0, "green"), Choose(1, "blue"), Choose(2, "white")]
    assert table_again(table.evening) == LASCAUX.table(table.evening.state)


def test_L6_an_undone_choice_is_never_told() -> None:
    table = shown_table()
    table.do(Choose(0, "pink"))
    table.undo()
    one_round(table, "green", "blue", "white")
    assert "pink" not in {choice.colour for choice in choices(table.evening)}


def test_L6_a_reveal_that_was_undone_hides_its_choices_again() -> None:
    table = shown_table()
    one_round(table, "green", "blue", "white")
    table.undo()
    assert told(table.evening) == [Draw(card) for card in ALL_SIX]


@plays
@given(seed=seeds)
def test_L6_choices_that_the_end_left_face_down_are_never_told(seed: int) -> None:
    table, hands = Table(), random.Random(seed)
    if not table.play_to_stalemate(hands):
        return
    rounds = table.evening.state.round - 1
    for seat in hands.choices((0, 1), k=hands.randrange(4)):
        table.do(Choose(seat, hands.choice(("pink", "blue"))))
    table.do(End())
    assert len(choices(table.evening)) == 3 * rounds
    assert told(table.evening)[-1] == End()
    assert table_again(table.evening) == LASCAUX.table(table.evening.state)


def ever_revealed(entries: list[Entry]) -> tuple[Evening, set[int]]:
    """The evening, and the numbers of the choices that some step of it revealed, be it undone later or not."""
    evening, revealed = Evening(), set()
    for entry in entries:
        if evening.take(entry).revealed:
            newest: dict[int, int] = {}
            for played in evening.played_game.played:
                if isinstance(played.action, Choose):
                    newest[played.action.seat] = played.number
            revealed |= set(newest.values())
    return evening, revealed


def with_other_secrets(entries: list[Entry], revealed: set[int], hands: random.Random) -> list[Entry]:
    """The same evening, but for what no player has ever seen."""
    other = []
    for entry in entries:
        data = json.loads(entry.body)
        secret = data.get("do") == "choose" and entry.number not in revealed
        other.append(replaced(entry, Choose(data["seat"], hands.choice(COLOURS))) if secret else entry)
    return other


@pytest.mark.slow
@plays
@given(seed=seeds, players=st.integers(3, 5), undo=st.sampled_from([0.0, 0.15, 0.4]))
def test_L6_no_export_depends_on_what_no_player_has_seen(seed: int, players: int, undo: float) -> None:
    table, hands = Table(players=players), random.Random(seed)
    table.play_at_random(hands, 250, undo)
    for length in [*(hands.randrange(1, len(table.entries)) for _ in range(4)), len(table.entries)]:
        entries = table.entries[:length]
        evening, revealed = ever_revealed(entries)
        assert transcript(evening) == transcript(Evening(with_other_secrets(entries, revealed, hands)))


@plays
@given(seed=seeds, players=st.integers(3, 5), undo=st.sampled_from([0.0, 0.15, 0.4]))
def test_L6_every_choice_that_is_told_was_revealed_and_counts(seed: int, players: int, undo: float) -> None:
    table, hands = Table(players=players), random.Random(seed)
    for _ in range(25):
        table.play_at_random(hands, hands.randrange(12), undo)
        steps = table.evening.played_game.played
        rounds = sum(1 for played in steps if played.step.revealed)
        by_round: list[dict[int, Choose]] = [{}]
        for played in steps:
            if isinstance(played.action, Choose):
                by_round[-1][played.action.seat] = played.action
            if played.step.revealed:
                by_round.append({})
        shown = choices(table.evening)
        assert len(shown) == rounds * players
        for number, chosen in enumerate(by_round[:-1]):
            assert {choice.seat: choice for choice in shown[number * players :][:players]} == chosen


# --- The rules say the same again -----------------------------------------------------------------------------


@plays
@given(seed=seeds, players=st.integers(3, 5), undo=st.sampled_from([0.0, 0.2]))
def test_an_export_is_accepted_and_reaches_the_table_before_the_first_hidden_choice(
    seed: int, players: int, undo: float
) -> None:
    table, hands = Table(players=players), random.Random(seed)
    for _ in range(15):
        table.play_at_random(hands, hands.randrange(25), undo)
        state = table.evening.state
        for played in reversed(table.evening.played_game.played):
            if played.step.revealed or isinstance(played.action, End):
                break
            if isinstance(played.action, Choose):
                state = played.before
        assert table_again(table.evening) == LASCAUX.table(state)


@plays
@given(
    seed=seeds, players=st.integers(3, 5), undo=st.sampled_from([0.0, 0.2]), tie=st.sampled_from(["shared", "stones"])
)
def test_a_finished_game_gives_the_same_table_and_scores_again(seed: int, players: int, undo: float, tie: str) -> None:
    table = Table(players=players, tie=tie, direction="anticlockwise")
    table.play_at_random(random.Random(seed), undo=undo)
    state = table.evening.state
    game, again = replay(transcript(table.evening), STANDIN)
    assert game.table(again) == game.table(state)
    assert game.scores(again) == game.scores(state)
    assert game.winners(again) == game.winners(state)


def test_an_export_is_judged_by_the_program_as_it_was_played(tmp_path: Path) -> None:
    table = Table(stones="secret")
    table.play_at_random(random.Random(3), undo=0.1)
    box = write_export(table.evening, tmp_path / "evening.jsonl")
    verdict = adjudicate(tmp_path / "evening.jsonl")
    assert list(verdict.refusals) == []
    assert verdict.box == str(box)
    assert LASCAUX.table(verdict.state) == LASCAUX.table(table.evening.state)
    assert LASCAUX.scores(verdict.state) == LASCAUX.scores(table.evening.state)


def test_a_choice_that_was_replaced_is_not_told_as_hidden_once_the_round_is_revealed() -> None:
    table = shown_table()
    table.do(Choose(0, "yellow"))
    assert untold(table.evening) == 1
    for seat, colour in enumerate(("pink", "blue", "white")):
        table.do(Choose(seat, colour))
    assert untold(table.evening) == 4
    for seat in range(2):
        table.do(Pass(seat))
    assert untold(table.evening) == 0


# --- Header, games and files ----------------------------------------------------------------------------------


def test_the_header_comes_first_and_names_the_box_if_there_is_one() -> None:
    table = Table(tie="stones")
    header = {"game": "lascaux", "players": ["Anna", "Ben", "Cleo"], "first": 0, "options": {"tie": "stones"}}
    assert json.loads(transcript(table.evening)) == header
    assert json.loads(transcript(table.evening, "my.toml")) == header | {"box": "my.toml"}


def test_each_game_of_an_evening_is_its_own_transcript() -> None:
    table = Table()
    table.do(Draw("aurochs-brown-blue"))
    table.begin(first=1, direction="anticlockwise")
    table.do(Draw("aurochs-green-pink"))
    first, second = (transcript(table.evening, game=number) for number in (1, 2))
    assert json.loads(first.splitlines()[1])["card"] == "aurochs-brown-blue"
    assert json.loads(second.splitlines()[0])["first"] == 1
    assert second == transcript(table.evening)
    for number in (0, 3):
        with pytest.raises(UsageError, match=f"no game {number} in this evening; it has 2"):
            transcript(table.evening, game=number)
    with pytest.raises(JournalError, match="no game has begun"):
        transcript(Evening())


def test_a_game_that_was_abandoned_keeps_its_secrets() -> None:
    table = shown_table()
    table.do(Choose(0, "pink"))
    table.begin()
    assert [json.loads(line)["do"] for line in transcript(table.evening, game=1).splitlines()[1:]] == ["draw"] * 3


def test_an_export_writes_the_transcript_and_its_box_beside_it(tmp_path: Path) -> None:
    table = shown_table()
    box = write_export(table.evening, tmp_path / "tonight.jsonl")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tonight.box.toml", "tonight.jsonl"]
    assert box.read_text(encoding="utf-8") == STANDIN
    assert (tmp_path / "tonight.jsonl").read_text(encoding="utf-8") == transcript(table.evening, "tonight.box.toml")


@pytest.mark.parametrize("name", ["tonight.jsonl", "tonight.box.toml"])
def test_an_export_overwrites_nothing_unless_it_must(tmp_path: Path, name: str) -> None:
    table = shown_table()
    (tmp_path / name).write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="there is such a file already"):
        write_export(table.evening, tmp_path / "tonight.jsonl")
    assert [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()] == ["mine"]
    write_export(table.evening, tmp_path / "tonight.jsonl", force=True)
    assert (tmp_path / name).read_text(encoding="utf-8") != "mine"
    assert len(list(tmp_path.iterdir())) == 2


def test_an_export_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "tonight.jsonl").mkdir()
    with pytest.raises(JournalError, match="cannot write the transcript"):
        write_export(shown_table().evening, tmp_path / "tonight.jsonl", force=True)
    with pytest.raises(JournalError, match="cannot write the transcript"):
        write_export(shown_table().evening, tmp_path / "nowhere" / "tonight.jsonl")
    assert not list(tmp_path.glob(".*"))


# --- Where something depends on what is not told --------------------------------------------------------------


def with_secret(kind: type[Stone], evening: Evening) -> PlayedGame:
    """The newest game as it would be if this kind of action were a secret of its player: later ones replace earlier."""
    played = evening.played_game
    game = replace(played.game, conceals=lambda action: action.seat if isinstance(action, kind) else None)
    played_game = PlayedGame(played.number, played.header, game, played.setup, played.first_state)
    played_game.played = played.played
    return played_game


def test_where_an_action_that_was_left_out_would_be_missed_less_is_told() -> None:
    """Without Anna's first stone her second one is out of turn: all up to the first one is told, and no more."""
    table = shown_table()
    for seat in range(3):
        table.do(Choose(seat, "pink"))
    for seat in (0, 1, 2, 0):
        table.do(Stone(seat))
    for seat in (1, 2):
        table.do(Pass(seat))
    played_game = with_secret(Stone, table.evening)
    actions = [played.action for played in played_game.played]
    assert public_actions(played_game) == actions[: actions.index(Stone(0))]
