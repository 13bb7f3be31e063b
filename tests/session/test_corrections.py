"""What was said wrongly is said anew, as an entry of its own: nothing else changes, and nothing comes to light."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import JournalError
from companion.gamekit import discovery
from companion.gamekit.game import Refusal
from companion.gamekit.game_start import Header
from companion.games.lascaux.rules.engine import Choose, Draw
from companion.journal import evening_folder
from companion.journal.store import Journal, read
from companion.session.entry import Entry, EntryKind, action_body, back_body, correction_body, undo_body
from companion.session.evening import Evening, Taken, game_body
from companion.session.transcript_export import transcript
from companion.session.undo import needs_agreement, undo_moves
from tests.journal.killing import until_killed
from tests.journal.table import NAMES, TONIGHT, Table
from tests.session.exports import replay

GAMES = ("lascaux", "sioux", "darwinci", "carnuta")
CARDS = ("aurochs-brown-blue", "aurochs-yellow-white", "aurochs-green-pink")


class Evenings:
    """A game that is played by chance, and written down in memory."""

    def __init__(self, game: str, seed: int) -> None:
        self.game = discovery.find(game)
        self.chance = random.Random(f"{game}/{seed}")
        self.entries: list[Entry] = []
        self.evening = Evening()
        self.take("game", game_body(Header(game, NAMES[:3]), self.game.standin()))

    def take(self, kind: EntryKind, body: bytes, how: str = "screen") -> Taken:
        self.entries.append(Entry(len(self.entries) + 1, 1.0, kind, how, "", body))
        return self.evening.take(self.entries[-1])

    def play(self, actions: int) -> None:
        for _ in range(actions):
            legal = self.game.legal(self.evening.state)
            if legal:
                self.take("action", action_body(self.chance.choice(legal)), self.chance.choice(("screen", "tag")))

    def wrong(self) -> tuple[int, Any] | None:
        """An action of the newest, and another that might have been meant: perhaps one that no player may put there."""
        played = self.evening.played_game.played
        if not played:
            return None
        one = self.chance.choice(played[-4:])
        legal = self.game.legal(one.before)
        return one.number, self.chance.choice(legal)

    def correct(self) -> Refusal | Taken | None:
        wrong = self.wrong()
        if wrong is None:
            return None
        tail = self.evening.played_game.corrected(*wrong)
        return tail if isinstance(tail, Refusal) else self.take("corrected", correction_body(*wrong))

    def go_back(self) -> None:
        played = self.evening.played_game.played
        if played:
            self.take("back", back_body(self.chance.choice(played[-5:]).number))

    def undo(self) -> None:
        if self.evening.to_undo:
            self.take("undo", undo_body(self.evening.to_undo))

    def live(self, steps: int) -> Iterator[str]:
        """People play, correct, take back."""
        for _ in range(steps):
            deed = self.chance.choice(("play", "play", "play", "correct", "correct", "undo", "back"))
            {"play": lambda: self.play(2), "correct": self.correct, "undo": self.undo, "back": self.go_back}[deed]()
            yield deed


def pieces(table: Evenings) -> Counter[Any]:
    """How many of each thing there are, wherever they lie."""
    where = table.game.whereabouts(table.evening.state)
    found: Counter[Any] = Counter()
    for (thing, _place), count in where.items():
        found[thing] += count
    return found


def looks(evening: Evening) -> Any:
    played_game = evening.played_game
    return played_game.played, played_game.corrections, evening.to_undo, evening.number


# --- For every game ---


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_what_is_resumed_is_what_was_played_whatever_was_corrected_and_taken_back(game: str, seed: int) -> None:
    table = Evenings(game, seed)
    assert list(table.live(12))
    assert looks(Evening(table.entries)) == looks(table.evening)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_the_corrected_game_is_the_one_that_would_have_been_played(game: str, seed: int) -> None:
    """No player can tell from the table that something was said wrongly first."""
    table = Evenings(game, seed)
    assert list(table.live(12))
    plain = Evenings(game, seed)
    for played in table.evening.played_game.played:
        plain.take("action", action_body(played.counting), played.how)
    assert plain.evening.state == table.evening.state
    steps = [played.step for played in table.evening.played_game.played]
    assert [played.step for played in plain.evening.played_game.played] == steps


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_no_piece_is_lost_or_doubled_by_a_correction(game: str, seed: int) -> None:
    table = Evenings(game, seed)
    for _ in range(6):
        table.play(3)
        before = pieces(table)
        table.correct()
        assert pieces(table) == before


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_a_refused_correction_changes_nothing(game: str, seed: int) -> None:
    table = Evenings(game, seed)
    for _ in table.live(8):
        before = msgspec.json.encode(table.evening.state), looks(table.evening)
        wrong = table.wrong()
        if wrong and isinstance(table.evening.played_game.corrected(*wrong), Refusal):
            entry = Entry(table.evening.number + 1, 1.0, "corrected", "screen", "", correction_body(*wrong))
            with pytest.raises(JournalError, match="does not fit"):
                table.evening.take(entry)
        assert (msgspec.json.encode(table.evening.state), looks(table.evening)) == before


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_nothing_that_was_decided_since_changes_with_a_correction(game: str, seed: int) -> None:
    table = Evenings(game, seed)
    for _ in range(10):
        table.play(3)
        ruled = {played.number: played.step.rulings for played in table.evening.played_game.played}
        done = table.correct()
        if isinstance(done, Taken):
            (was,) = done.undone
            now = {played.number: played.step.rulings for played in table.evening.played_game.played}
            assert {**now, was.number: ()} == {**ruled, was.number: ()}


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_what_fits_as_far_as_every_player_knows_is_never_refused_because_of_what_is_hidden(
    game: str, seed: int
) -> None:
    """And whatever had to give way, the game goes on: no legal action is refused, and it is resumed as it was."""
    table = Evenings(game, seed)
    played_game = table.evening.played_game
    for _ in range(40):
        table.play(1)
        wrong = table.chance.choice(played_game.played[-8:])
        offered = [other for other in table.game.offered(wrong.before) if type(other) is type(wrong.action)]
        other = table.chance.choice(offered or [wrong.action])
        judged, tail = played_game.judged(wrong.number, other), played_game.corrected(wrong.number, other)
        assert isinstance(judged, Refusal) == isinstance(tail, Refusal)
        if not isinstance(tail, Refusal):
            table.take("corrected", correction_body(wrong.number, other))
    assert looks(Evening(table.entries)) == looks(table.evening)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_an_undo_takes_a_correction_back_and_the_next_one_the_action(game: str, seed: int) -> None:
    table = Evenings(game, seed)
    table.play(6)
    before = looks(table.evening)[:2]
    done = table.correct()
    if isinstance(done, Taken):
        assert table.evening.to_undo == done.number
        table.undo()
        assert looks(table.evening)[:2] == before
        newest = table.evening.played_game.played[-1].number
        table.undo()
        assert newest not in [played.number for played in table.evening.played_game.played]


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_a_player_who_is_shown_the_table_sees_nothing_of_a_secret_that_was_corrected(game: str, seed: int) -> None:
    """Neither the view nor any other player's own view nor what is ruled says what was chosen, before or after."""
    table = Evenings(game, seed)
    for _ in range(8):
        table.play(2)
        wrong = table.wrong()
        if wrong is None:
            continue
        number, action = wrong
        played_game = table.evening.played_game
        played = played_game.played[played_game.find(number) or 0]
        owner = table.game.conceals(played.action)
        if (
            owner is None
            or needs_agreement(table.evening.played_game, number)
            or _back(table, action) != _back(table, played.action)
        ):
            continue
        seen = _seen(table, owner)
        tail = played_game.corrected(number, action)
        if not isinstance(tail, Refusal) and not tail[0].step.revealed:
            assert tail[0].step.rulings == played.step.rulings
            taken = table.take("corrected", correction_body(number, action))
            assert not taken.moves
            assert _seen(table, owner) == seen


def _back(table: Evenings, action: Any) -> str:
    """C17 What every player sees of a card that lies face down: which deck it comes from."""
    cards = {card.id: card for card in getattr(table.evening.setup.box, "cards", ())}
    return getattr(cards.get(getattr(action, "card", "")), "deck", "")


def _seen(table: Evenings, owner: int) -> bytes:
    """What all players and each of the others may see."""
    game, state = table.game, table.evening.state
    own = [
        (game.own_view(state, seat) if game.own_view else None, list(game.own_offers(state, seat))[:200])
        for seat in range(3)
        if seat != owner
    ]
    return msgspec.json.encode((game.view(state), game.awaiting(state), list(game.offered(state))[:200], own))


# --- One evening of Lascaux ---


@pytest.fixture
def table() -> Table:
    return Table(players=3)


def correct(table: Table, number: int, action: Any, how: str = "screen") -> Taken:
    return table._take("corrected", correction_body(number, action), how, "")


@pytest.mark.parametrize("how", ["screen", "phone"])
def test_a_mistyped_card_is_replaced_in_one_step_and_by_one_entry(table: Table, how: str) -> None:
    table.do(Draw(CARDS[0]), how=how)
    taken = correct(table, 2, Draw(CARDS[1]))
    assert [card.id for card in table.evening.state.row] == [CARDS[1]]
    assert [entry.kind for entry in table.entries] == ["game", "action", "corrected"]
    assert taken.moves == (), "only the word was wrong: the right card lies there"
    assert taken.undone[0].action == Draw(CARDS[0])
    assert undo_moves(table.evening.played_game) == (), "nor did the wrong one lie there before"


def test_what_a_reader_has_read_wrongly_really_lies_there_and_has_to_be_moved(table: Table) -> None:
    table.do(Draw(CARDS[0]), how="tag")
    taken = correct(table, 2, Draw(CARDS[1]))
    assert {(move.thing.id, move.source.kind, move.target.kind) for move in taken.moves} == {
        (CARDS[0], "row", "deck"),
        (CARDS[1], "deck", "row"),
    }


def test_an_earlier_card_is_replaced_while_nothing_rests_on_it(table: Table) -> None:
    table.do(Draw(CARDS[0]), how="screen")
    table.do(Draw(CARDS[1]), how="screen")
    correct(table, 2, Draw("goat-brown-blue"))
    assert [card.id for card in table.evening.state.row] == ["goat-brown-blue", CARDS[1]]


def test_a_card_that_was_drawn_since_cannot_have_been_the_earlier_one(table: Table) -> None:
    table.do(Draw(CARDS[0]), how="screen")
    table.do(Draw(CARDS[1]), how="screen")
    refused = table.evening.played_game.corrected(2, Draw(CARDS[1]))
    assert isinstance(refused, Refusal)
    assert refused.what == "rests on it"
    assert refused.facts == {"count": 2}


def test_a_correction_is_the_same_kind_of_action_by_the_same_player(table: Table) -> None:
    for card in CARDS:
        table.do(Draw(card))
    table.do(Choose(0, "white"))
    for other, why in (
        (Choose(1, "blue"), "another action"),
        (Draw("goat-brown-blue"), "another action"),
    ):
        refused = table.evening.played_game.corrected(5, other)
        assert isinstance(refused, Refusal)
        assert refused.what == why
    repeated = table.evening.played_game.corrected(4, Draw(CARDS[2]))
    assert isinstance(repeated, Refusal)
    assert repeated.what == "said so already"
    assert isinstance(table.evening.played_game.corrected(77, Choose(0, "blue")), Refusal)


def test_what_is_hidden_may_be_corrected_into_itself_because_a_refusal_would_tell_what_it_is(table: Table) -> None:
    for card in CARDS:
        table.do(Draw(card))
    table.do(Choose(0, "white"))
    assert {type(table.evening.played_game.corrected(5, Choose(0, colour))) for colour in ("white", "blue")} == {list}


def test_back_to_an_action_is_one_entry_and_says_where_everything_goes(table: Table) -> None:
    for card in CARDS:
        table.do(Draw(card))
    moves = undo_moves(table.evening.played_game, 3)
    taken = table._take("back", back_body(3), "screen", "")
    assert [played.action for played in taken.undone] == [Draw(CARDS[1]), Draw(CARDS[2])]
    assert taken.moves == moves
    assert {move.thing.id for move in moves} == {CARDS[1], CARDS[2]}
    assert [card.id for card in table.evening.state.row] == [CARDS[0]]


def test_going_back_keeps_what_was_corrected_before(table: Table) -> None:
    for card in CARDS:
        table.do(Draw(card), how="screen")
    correct(table, 2, Draw("goat-brown-blue"))
    table._take("back", back_body(3), "screen", "")
    assert [card.id for card in table.evening.state.row] == ["goat-brown-blue"]
    table.undo()
    assert [card.id for card in table.evening.state.row] == [CARDS[0]]


def test_an_action_that_does_not_count_is_nothing_to_go_back_to(table: Table) -> None:
    table.do(Draw(CARDS[0]))
    table.undo()
    for number in (1, 2, 9):
        with pytest.raises(JournalError, match="is no action that counts"):
            table.evening.take(Entry(4, 1.0, "back", "", "", back_body(number)))


def test_an_export_tells_the_game_as_it_was_corrected(table: Table) -> None:
    table.do(Draw(CARDS[0]), how="screen")
    correct(table, 2, Draw(CARDS[1]))
    text = transcript(table.evening)
    assert CARDS[0] not in text
    _game, state = replay(text, table.evening.played_game.box_text)
    assert state == table.evening.state


# --- In a file ---


def test_a_corrected_evening_is_resumed_as_it_was_played(tmp_path: Path) -> None:
    with Journal.create(tmp_path, date=TONIGHT) as journal:
        table = Table(journal)
        table.do(Draw(CARDS[0]))
        correct(table, 2, Draw(CARDS[1]))
    again, evening = evening_folder.resume(journal.path)
    with again:
        assert looks(evening) == looks(table.evening)


def correct_for_ever(path: Path, tell: Callable[[int], None]) -> None:
    journal, evening = evening_folder.resume(path)
    for turn in range(100_000):
        card = CARDS[1 + turn % 2] if evening.played_game.played[0].action != Draw(CARDS[1 + turn % 2]) else CARDS[0]
        evening.take(journal.append("corrected", correction_body(2, Draw(card)), "screen", "", 1.0))
        tell(evening.number)


@pytest.mark.slow
def test_whenever_the_referee_is_killed_a_correction_is_there_or_it_is_not(tmp_path: Path) -> None:
    chance = random.Random(14)
    with Journal.create(tmp_path, date=TONIGHT) as journal:
        table = Table(journal)
        table.do(Draw(CARDS[0]))
    for _ in range(25):
        *_, newest = until_killed(chance, correct_for_ever, journal.path)
        entries = read(journal.path)
        assert len(entries) - newest in (0, 1)
        evening = Evening(entries)
        (played,) = evening.played_game.played
        said = msgspec.json.decode(entries[-1].body)["action"]["card"]
        assert played.action == Draw(said), "the newest correction counts, whole"
        assert [card.id for card in evening.state.row] == [said]
