"""Why did Ben do that? It is told when nothing that Ben knew then is hidden any more, and never before."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit.game import Awaiting, Game, GameAction, Ruling, Seat, Setup, Step, named
from companion.gamekit.search import LEVELS, Skill
from companion.gamekit.snapshot import Thought
from companion.messages.intentions import INTENTIONS, Act, AskWhy, BotAct
from companion.messages.protocol import FROM_SCREEN
from companion.session.actions import CountedAction
from companion.session.bot_thoughts import THOUGHT, _alternative, _is_hidden
from companion.session.evening import Evening
from companion.session.game_replay import Replay
from companion.session.played_game import JournalHeader, PlayedGame
from tests.gamekit.test_state_fields import HERD, Herd
from tests.ours import GAMES
from tests.simulation.test_search_players import Evenings

BOTS = ("Anna:easy", "Ben:easy", "Cleo:easy")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LEVELS, "easy", Skill(4, doubt=1.0))


def asked(evenings: Evenings, entry: int) -> Thought | None:
    """Why the player of this very action did it."""
    played = evenings.evening.played_game.played
    index = evenings.evening.played_game.find(entry)
    seat = getattr(played[index].action, "seat", None) if index is not None else None
    found = evenings.referee.inform(AskWhy("why", entry)).of
    return next((each for each in found if each.seat == seat), None)


def entries(evening: Evening) -> list[int]:
    return [played.number for played in evening.played_game.played]


@pytest.mark.parametrize("game", GAMES)
def test_when_the_game_is_over_every_decision_of_a_bot_is_explained(game: str, tmp_path: Path) -> None:
    table = Evenings(tmp_path, game, BOTS).play()
    played = list(table.evening.played_game.played)
    told = {each.number: asked(table, each.number) for each in played}
    explained = {number: thought for number, thought in told.items() if thought}
    assert len(explained) > len(told) / 3
    assert any(each.other for each in explained.values())
    for each in played:
        if thought := explained.get(each.number):
            assert thought.done
            assert 0 <= thought.done.worth <= 1
            assert thought.done.action == msgspec.to_builtins(each.action)
    table.close()
    again = Replay(Evening(table.journal_entries), "replay").inform(AskWhy("why", first := next(iter(explained))))
    assert again == table.referee.inform(AskWhy("why", first)), "also later, from the journal alone"


def test_a_secret_choice_is_explained_after_the_reveal_and_not_before(tmp_path: Path) -> None:
    table = Evenings(tmp_path, "lascaux", BOTS)
    hidden: set[int] = set()
    seen_hidden = 0
    for _ in range(80):
        table.play(1)
        for played in table.evening.played_game.played[-1:]:
            if table.evening.game.conceals(played.action) is not None:
                hidden.add(played.number)
            if played.step.revealed:
                hidden.clear()
        for entry in hidden:
            told = asked(table, entry)
            assert told
            assert (told.done, told.other, told.other_worth) == (None, None, None)
            seen_hidden += 1
        if not hidden:
            assert all(told.done for entry in entries(table.evening) if (told := asked(table, entry)))
    assert seen_hidden > 10
    table.close()


@pytest.mark.parametrize("game", GAMES)
def test_no_answer_depends_on_what_is_still_hidden(game: str, tmp_path: Path) -> None:
    """Two worlds: what bots expected and hold is replaced, wherever it is still hidden. All answers stay the same."""
    table = Evenings(tmp_path, game, BOTS)
    compared = 0
    for _ in range(30):
        table.play(4)
        evening = table.evening
        if evening.played_game.finished:
            break
        visible = named(evening.game.view(evening.state))
        for entry in [each for each in entries(evening)[-12:] if each in evening.expectations]:
            told = asked(table, entry)
            assert told
            if told.done is None:
                true = evening.expectations[entry]
                evening.expectations[entry] = replace(true, worth=0.987, other=None, other_worth=0.123)
                assert asked(table, entry) == told
                evening.expectations[entry] = true
            else:
                words = named(told.other.action) if told.other else set()
                held = {*evening.expectations[entry].held}
                assert not (words & held) - visible, "a piece that is still in the hand"
            compared += 1
    assert compared > 20
    table.close()


def test_a_reveal_is_explained_by_all_bots_whose_choices_it_revealed(tmp_path: Path) -> None:
    table = Evenings(tmp_path, "sioux", BOTS).play(40)
    reveals = [each for each in table.evening.played_game.played if len(each.step.revealed) == 3]
    assert reveals
    told = table.referee.inform(AskWhy("why", reveals[-1].number)).of
    assert sorted(each.seat for each in told) == [0, 1, 2]
    assert all(each.done for each in told)
    table.close()


def test_while_hands_are_played_from_memory_the_alternative_is_not_named(tmp_path: Path) -> None:
    table = Evenings(tmp_path, "sioux", BOTS).play(60)
    told = [asked(table, entry) for entry in entries(table.evening)]
    explained = [each for each in told if each and each.done]
    assert explained
    assert not any(each.other for each in explained)
    assert any(each.other_worth is not None for each in explained)
    table.close()


def test_what_persons_and_players_by_feeling_did_has_no_explanation(tmp_path: Path) -> None:
    table = Evenings(tmp_path, "lascaux", ("Anna", "Ben", "Cleo")).play(30)
    for entry in (*entries(table.evening), 0, -1, 10_000):
        assert table.referee.inform(AskWhy("why", entry)).of == ()
    table.close()


def test_no_screen_and_no_phone_can_say_what_a_bot_thought() -> None:
    assert BotAct not in INTENTIONS
    for kind in ("bot act", "act"):
        said: Any = {
            "is": kind,
            "id": "x",
            "action": {"do": "stone", "seat": 1, THOUGHT: {"worth": 1}},
            "thought": {"worth": 1.0},
        }
        try:
            read = msgspec.json.decode(msgspec.json.encode(said), type=FROM_SCREEN)
        except msgspec.ValidationError:
            continue
        assert not isinstance(read, BotAct)


def test_an_action_that_a_screen_sends_stores_nothing_beside_it(tmp_path: Path) -> None:
    table = Evenings(tmp_path, "lascaux", ("Ben:easy",))
    card = msgspec.to_builtins(table.evening.game.legal(table.evening.state)[0])
    table.referee.heed(Act("one", card | {THOUGHT: {"worth": 0.5}}), 0.0)
    assert table.evening.last_action
    assert THOUGHT.encode() not in table.journal_entries[-1].body
    table.close()


def test_a_thought_about_a_hand_waits_while_a_card_of_it_is_face_down() -> None:
    """Where the rules do not know hands: the card may still be in the bot's hand, or in another one."""
    header = JournalHeader("herd", ("Anna", "Ben"), box="", package="companion-herd")
    playing = PlayedGame(1, header, HERD, Setup(2, 0, HERD.options(), None), Herd((None, "ox-1")))
    assert _is_hidden(playing, 0, 0, ("ox-1", "ox-2")) is True
    assert _is_hidden(playing, 0, 0, ("ox-1",)) is False


class Hide(GameAction, frozen=True):
    seat: Seat
    colour: str


class Guess(GameAction, frozen=True):
    seat: Seat
    colour: str


class Hidden(Struct, frozen=True):
    colour: str | None = None
    guessed: tuple[str, ...] = ()


def _hidden_or_guessed(state: Hidden, action: Hide | Guess) -> Step[Hidden]:
    if isinstance(action, Hide):
        return Step(replace(state, colour=action.colour), (Ruling("H1", "hides", {}),))
    ruling = Ruling("H2", "right" if action.colour == state.colour else "wrong", {})
    return Step(replace(state, guessed=(*state.guessed, action.colour)), (ruling,))


COLOURS = ("red", "blue", "green")
GUESSED: Game[Hidden, Hide | Guess] = Game(
    name="guessed",
    players=range(2, 3),
    actions=(Hide, Guess),
    state=Hidden,
    sentences={},
    setup=lambda _agreed: Hidden(),
    legal=lambda state: [Guess(1, each) if state.colour else Hide(0, each) for each in COLOURS],
    perform=_hidden_or_guessed,
    awaiting=lambda _state: Awaiting((0, 1), ("hide", "guess")),
    points=lambda state: (0, len(state.guessed)),
    view=lambda state: replace(state, colour=None),
    conceals=lambda action: action.seat if isinstance(action, Hide) else None,
)


def test_what_the_rules_say_to_an_alternative_does_not_depend_on_what_another_player_hides() -> None:
    """Ben's wrong guess is public. What his other guess would have been is Anna's secret."""
    told = set()
    for colour in ("blue", "green"):
        header = JournalHeader("guessed", ("Anna", "Ben"), box="", package="companion-guessed")
        playing = PlayedGame(1, header, GUESSED, Setup(2, 0, GUESSED.options(), None), Hidden())
        for number, action in enumerate((Hide(0, colour), Guess(1, "red")), start=2):
            before = playing.state
            playing.played.append(CountedAction(number, action, before, _hidden_or_guessed(before, action)))
        told.add(msgspec.json.encode(_alternative(playing, 1, msgspec.to_builtins(Guess(1, "blue")), 0.5)))
    assert len(told) == 1
