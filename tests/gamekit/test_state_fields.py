"""Fields say what they are: what all see, what one sees, where pieces are, and what a player can only guess."""

from collections.abc import Callable
from random import Random
from typing import Any, Literal

import pytest
from msgspec import Struct, convert, json, to_builtins
from msgspec.structs import replace

from companion.gamekit import (
    Counted,
    Derived,
    FaceDown,
    Game,
    GameAction,
    Laid,
    PerSeat,
    Private,
    Refusal,
    Ruling,
    Sealed,
    Seat,
    Setup,
    Step,
    Thing,
    Unshown,
    chosen_seats,
    missing_seats,
    shown_as,
    with_item,
)
from companion.gamekit.contract.secret_properties import SecretsContract
from companion.gamekit.face_down import SimulatedDeal, playable
from companion.gamekit.game_texts import labels
from companion.gamekit.search import Judgement, knowledge_of
from companion.gamekit.state_fields import dealt_again, declared

CARDS = tuple(f"c{number}" for number in range(12))


class Pack(Struct, frozen=True):
    cards: tuple[str, ...] = CARDS


class Turn(GameAction, frozen=True):
    """A card of the stock is turned up, by anybody."""

    card: str


class Lay(GameAction, frozen=True):
    seat: Seat
    card: Private[str]


class Over(GameAction, frozen=True, tag="end it"):
    seat: Seat


class State(Struct, frozen=True):
    box: Unshown[Pack]
    stock: Counted[tuple[str, ...]]
    hands: PerSeat[Private[tuple[str, ...]]]
    laid: Sealed[str]
    points: PerSeat[int]
    turn: Seat | None = 0
    tied: tuple[Seat, ...] = ()
    rows: tuple[tuple[int, ...], ...] = ((1,), (2,), (3,))
    secret: Private[str | None] = None

    @property
    def phase(self) -> Derived[Literal["lay", "over"]]:
        return "over" if self.turn is None else "lay"

    @property
    def worth(self) -> int:
        """Not for the players."""
        return sum(self.points)


def begun(players: int = 3) -> State:
    return State(
        Pack(),
        CARDS[9:],
        (CARDS[:3], CARDS[3:6], CARDS[6:9])[:players],
        (None,) * players,
        (0,) * players,
    )


def legal(state: State) -> list[Any]:
    if state.turn is None:
        return []
    lays = [Lay(seat, card) for seat in missing_seats(state.laid) for card in state.hands[seat]]
    return [*(Turn(card) for card in state.stock), *lays, *(Over(seat) for seat in chosen_seats(state.laid))]


def perform(state: State, action: Any) -> Step[State]:
    if isinstance(action, Turn):
        stock = tuple(card for card in state.stock if card != action.card)
        return Step(replace(state, stock=stock), (Ruling(None, "turned", {"card": action.card}),))
    if isinstance(action, Over):
        return Step(replace(state, turn=None), (Ruling(None, "ended"),))
    hands = tuple(tuple(card for card in hand if card != action.card) for hand in state.hands)
    return Step(replace(state, hands=hands, laid=with_item(state.laid, action.seat, action.card)), ())


def game(**changed: Any) -> Game[Any, Any]:
    parts: dict[str, Any] = {
        "name": "fields",
        "players": range(2, 4),
        "actions": (Turn, Lay, Over),
        "state": State,
        "setup": lambda agreed: begun(agreed.players),
        "legal": legal,
        "perform": perform,
        "points": lambda state: state.points,
        "sentences": {"turned": "{card} was turned up", "ended": "The end"},
        "form": "F1",
    }
    return Game(**parts | changed)


GAME = game()
LAID = replace(begun(), hands=(CARDS[:3], CARDS[3:5], CARDS[6:9]), laid=(None, "c5", None))


# --- What is seen ---------------------------------------------------------------------------------------------


def test_all_see_public_fields_and_only_outlines_of_the_others() -> None:
    assert to_builtins(GAME.table(LAID)) == {
        "stock": 3,
        "hands": (3, 2, 3),
        "laid": (False, True, False),
        "points": (0, 0, 0),
        "turn": 0,
        "tied": (),
        "rows": ((1,), (2,), (3,)),
        "secret": False,
        "phase": "lay",
    }
    assert GAME.view(LAID) == GAME.table(LAID)


def test_players_see_what_is_private_and_theirs() -> None:
    assert GAME.own_view is not None
    assert to_builtins(GAME.own_view(LAID, 1)) == {"hands": ("c3", "c4"), "laid": "c5"}
    assert to_builtins(GAME.own_view(LAID, 0)) == {"hands": ("c0", "c1", "c2"), "laid": None}


def test_a_view_is_the_same_in_another_process() -> None:
    """Where bots think: with lists in the place of tuples it would look like no state at all."""
    assert GAME.own_view is not None
    for seen in (GAME.view(LAID), GAME.own_view(LAID, 1)):
        assert convert(json.decode(json.encode(seen)), type(seen)) == seen


def test_a_state_without_private_fields_has_no_own_view() -> None:
    class Open(Struct, frozen=True):
        points: PerSeat[int]

    assert game(state=Open).own_view is None


def test_fields_say_which_are_for_each_player_and_which_name_players() -> None:
    """Three rows at a table of three are not one for each player, and a number is no seat."""
    assert GAME.per_player == ("hands", "laid", "points")
    assert GAME.seats == ("turn", "tied")


def test_the_struct_that_a_table_returns_says_it_too() -> None:
    class Table(Struct, frozen=True):
        start: Seat
        round: int
        stones: PerSeat[int | None]

    def table(state: Any) -> Table:
        return Table(0, 1, (2, None))

    with_table = game(table=table)
    assert (with_table.per_player, with_table.seats) == (("stones",), ("start",))
    assert game(table=table, per_player=("round",), seats=("stones",)).per_player == ("round",)


def test_what_no_player_may_see_is_nowhere() -> None:
    names = [field.name for field in declared(State)]
    assert "box" not in names
    assert "worth" not in names


# --- What is secret -------------------------------------------------------------------------------------------


class Outside(Struct, frozen=True):
    """Marks around `PerSeat` instead of in it."""

    hands: Private[PerSeat[tuple[str, ...]]]
    piles: Counted[PerSeat[tuple[str, ...]]]
    noted: Unshown[PerSeat[str]]
    aims: PerSeat[Seat | None]
    partners: PerSeat[Seat]


def test_a_mark_around_a_value_for_each_player_holds_as_one_inside_it() -> None:
    outside = game(state=Outside, setup=lambda agreed: None, own_view=None)
    state = Outside((("a", "b"), ()), (("c",), ()), ("secret", "hidden"), (None, 0), (1, 0))
    shown = to_builtins(outside.table(state))
    assert shown == {"hands": (2, 0), "piles": (1, 0), "aims": (None, 0), "partners": (1, 0)}
    assert outside.own_view is not None
    assert to_builtins(outside.own_view(state, 0)) == {"hands": ("a", "b")}
    assert outside.per_player == ("hands", "piles", "aims", "partners")
    assert outside.seats == ("aims", "partners")


def test_what_plain_looks_call_actions_fields_and_values_is_translated() -> None:
    shown = ["stock", "hands", "laid", "points", "turn", "tied", "rows", "secret", "phase"]
    assert [*labels(GAME)] == ["turn", "lay", "end it", *shown, "lay", "over"]


def test_an_action_with_a_private_field_is_its_players_secret() -> None:
    assert GAME.conceals(Lay(2, "c7")) == 2
    assert GAME.conceals(Turn("c9")) is None
    assert GAME.conceals(Over(1)) is None


def test_those_whose_choice_is_made_are_settled_while_they_may_still_act() -> None:
    assert GAME.settled is not None
    assert GAME.settled(LAID) == (1,)
    assert GAME.settled(replace(LAID, turn=None)) == ()


def test_what_others_hide_is_dealt_again_and_what_a_player_knows_stays() -> None:
    luck, seen = Random(1), set()
    for _ in range(200):
        other = dealt_again(GAME, LAID, 1, luck)
        assert (GAME.view(other), GAME.own_view(other, 1)) == (GAME.view(LAID), GAME.own_view(LAID, 1))  # type: ignore[misc]
        held = [*other.stock, *other.hands[0], *other.hands[1], *other.hands[2], *filter(None, other.laid)]
        assert sorted(held) == sorted(CARDS)
        seen.update(other.hands[0])
    assert seen == set(CARDS) - {"c3", "c4", "c5"}


def test_a_sealed_choice_of_another_player_may_be_any_card_that_is_hidden() -> None:
    luck = Random(2)
    laid = {dealt_again(GAME, LAID, 0, luck).laid[1] for _ in range(300)}
    assert laid == set(CARDS) - {"c0", "c1", "c2"}


def test_a_hand_that_is_sorted_stays_sorted() -> None:
    luck = Random(3)
    hands = [dealt_again(GAME, LAID, 0, luck).hands[2] for _ in range(50)]
    assert all(list(hand) == sorted(hand) for hand in hands)


def test_a_search_player_samples_from_the_fields() -> None:
    knowledge = knowledge_of(GAME, Setup(3, 0, None, Pack()), LAID, [], 0)
    other = Judgement(GAME).resampled(LAID, 0, Random(4))
    assert other is not None
    assert other != LAID
    assert (GAME.view(other), GAME.own_view(other, 0)) == (knowledge.view, knowledge.own)  # type: ignore[misc]


def test_pieces_that_look_different_from_outside_do_not_change_places() -> None:
    mixed = game(pieces=lambda box: [Thing("card" if card < "c7" else "tile", card) for card in box.cards])
    luck = Random(5)
    for _ in range(50):
        other = dealt_again(mixed, LAID, 1, luck)
        assert [sorted(card < "c7" for card in hand) for hand in other.hands] == [
            sorted(card < "c7" for card in hand) for hand in LAID.hands
        ]


def test_where_nothing_is_dealt_face_down_there_is_nothing_to_deal_anew() -> None:
    class Chosen(Struct, frozen=True):
        laid: Sealed[str]

    class Numbers(Struct, frozen=True):
        bids: PerSeat[Private[int]]

    assert dealt_again(game(state=Chosen), Chosen((None, None)), 0, Random(0)) is None
    assert dealt_again(game(state=Numbers), Numbers((3, 4)), 0, Random(0)) is None


class Secrets(SecretsContract):
    """The contract, played with a game that is not installed."""

    name = "fields"
    looks = 1.0

    def __init__(self, played: Game[Any, Any]) -> None:
        self.__dict__["game"] = played


def test_the_contract_finds_a_screen_that_offers_what_only_one_player_may_know() -> None:
    offers_all = game(offered=lambda state: (state.turn is not None and [Lay(0, card) for card in CARDS]) or [])
    Secrets(offers_all).test_no_player_can_tell_what_was_dealt_to_the_others()
    with pytest.raises(AssertionError, match="cannot tell what the others hold"):
        Secrets(GAME).test_no_player_can_tell_what_was_dealt_to_the_others()


# --- Where pieces are -----------------------------------------------------------------------------------------


def test_each_field_that_lists_pieces_is_a_place_and_none_is_named() -> None:
    where = game(pieces=lambda box: [Thing("card", card) for card in box.cards]).whereabouts(LAID)
    counts = {(place.kind, place.seat): count for (_, place), count in where.items()}
    assert {thing.id for thing, _ in where} == {""}
    assert counts == {
        ("stock", None): 3,
        ("hands", 0): 3,
        ("hands", 1): 2,
        ("hands", 2): 3,
        ("laid", 1): 1,
    }


def test_a_piece_keeps_its_kind_and_its_owner() -> None:
    where = game(pieces=lambda box: [Thing("card", card, owner=int(card == "c5")) for card in box.cards])
    assert {thing.owner for thing, place in where.whereabouts(LAID) if place.kind == "laid"} == {1}


def test_without_pieces_players_have_to_remember() -> None:
    assert GAME.whereabouts(LAID) == {}


# --- What is not legal is refused -----------------------------------------------------------------------------


def refused(state: State, action: Any, **changed: Any) -> tuple[str | None, str, Any]:
    refusal = game(**changed).apply(state, action)
    assert isinstance(refusal, Refusal)
    return refusal.rule, refusal.what, refusal.facts


def test_all_but_legal_actions_are_refused_each_for_its_reason() -> None:
    assert refused(LAID, Turn("c0")) == ("F1", "not possible now", {})
    assert refused(LAID, Lay(3, "c0")) == ("F1", "no such seat", {"number": 3, "last": 2})
    assert refused(LAID, Lay(-1, "c6")) == ("F1", "no such seat", {"number": -1, "last": 2})
    assert refused(replace(LAID, turn=None), Turn("c9")) == ("F1", "the game is over", {})


def test_a_player_who_is_not_awaited_is_told_for_whom_to_wait() -> None:
    alone = {"legal": lambda state: [Lay(1, "c3"), Lay(2, "c6")]}
    assert refused(begun(), Lay(0, "c0"), **alone) == ("F1", "wait for others", {"seat": 0, "seats": (1, 2)})


def test_a_reason_of_the_games_own_comes_first() -> None:
    own = {"refusal": lambda state, action: Refusal("F2", "mine") if isinstance(action, Turn) else None}
    assert refused(LAID, Turn("c0"), **own)[:2] == ("F2", "mine")
    assert refused(LAID, Lay(0, "c9"), **own)[:2] == ("F1", "not possible now")
    assert refused(LAID, Lay(9, "c9"), refusal=lambda state, action: state.hands[action.seat])[1] == "no such seat"


def test_a_legal_action_is_done_at_a_table_too() -> None:
    for judge in (GAME.apply, GAME.at_table):
        step = judge(begun(), Turn("c9"))
        assert isinstance(step, Step)
        assert step.state.stock == CARDS[10:]


def test_all_are_awaited_where_an_action_is_nobodys() -> None:
    awaiting = GAME.awaiting(LAID)
    assert awaiting is not None
    assert (awaiting.seats, awaiting.do) == ((0, 1, 2), ("turn", "lay", "end it"))
    assert GAME.awaiting(replace(LAID, turn=None)) is None


def test_points_alone_are_scores_too() -> None:
    scores = GAME.scores(replace(LAID, points=(4, 0, 2)))
    assert [score.total for score in scores] == [4, 0, 2]
    assert GAME.winners(replace(LAID, points=(4, 0, 4))) == (0, 2)


def test_rules_by_kind_are_actions_and_apply_in_one() -> None:
    by_kind = game(rules={Over: perform, Turn: perform}, actions=None, perform=None)
    assert by_kind.actions == (Over, Turn)
    step = by_kind.apply(begun(), Turn("c9"))
    assert isinstance(step, Step)
    assert step.state.stock == CARDS[10:]
    own = game(rules={Turn: perform}, apply=lambda state, action: Refusal("F3", "no"))
    assert own.apply(begun(), Turn("c9")) == Refusal("F3", "no")


def test_a_table_of_its_own_shape_takes_what_the_state_has_under_the_same_names() -> None:
    class Table(Struct, frozen=True):
        turn: Seat | None
        stock: int
        points: PerSeat[int]

    assert shown_as(Table, LAID, stock=3) == Table(0, 3, (0, 0, 0))


@pytest.mark.parametrize(
    ("left_out", "told"),
    [
        ("actions", "`actions` or `rules`"),
        ("perform", "`perform` or `apply`"),
        ("points", "`scores` or `points`"),
        ("state", "awaiting"),
    ],
)
def test_a_game_that_leaves_out_too_much_is_told_what_is_missing(left_out: str, told: str) -> None:
    with pytest.raises(TypeError, match=told):
        game(**{left_out: None})


# --- Secret choices from hands that the rules do not know -----------------------------------------------------


class LayCard(GameAction, frozen=True, tag="lay"):
    seat: Seat
    card: Private[str]


class Herd(Struct, frozen=True):
    laid: Sealed[str]
    held: PerSeat[int] = (2, 2)


HERD_CARDS = ("ox-1", "ox-2", "ox-3", "ox-4", "ox-5")


def _herd_legal(state: Herd) -> list[LayCard]:
    unseen = [card for card in HERD_CARDS if card not in state.laid]
    return [LayCard(seat, card) for seat, laid in enumerate(state.laid) if laid is None for card in unseen]


def _herd_perform(state: Herd, action: LayCard) -> Step[Herd]:
    return Step(replace(state, laid=with_item(state.laid, action.seat, action.card)), ())


def herd(face_down: Callable[[Herd], FaceDown] | None) -> Game[Herd, LayCard]:
    return Game(
        name="herd",
        players=range(2, 3),
        actions=(LayCard,),
        state=Herd,
        setup=lambda agreed: Herd((None, None)),
        legal=_herd_legal,
        perform=_herd_perform,
        face_down=face_down,
        pieces=lambda _box: [Thing("card", card) for card in HERD_CARDS],
        points=lambda state: state.held,
        sentences={},
    )


HERD = herd(lambda state: FaceDown(tuple(card for card in HERD_CARDS if card not in state.laid), state.held))


def test_where_hands_are_unknown_no_offer_and_no_answer_tells_what_another_player_has_chosen() -> None:
    for hidden in HERD_CARDS:
        state = Herd((hidden, None))
        assert [action.card for action in HERD.offered(state)] == list(HERD_CARDS)
        assert {action.seat for action in HERD.offered(state)} == {1}
        for card in HERD_CARDS:
            assert isinstance(HERD.at_table(state, LayCard(1, card)), Step), "believed until the reveal"
            assert HERD.meaning(state, Laid(Thing("card", card), 1)) == LayCard(1, card)
        assert isinstance(HERD.apply(state, LayCard(1, hidden)), Refusal), "a transcript knows better"
        assert isinstance(HERD.at_table(state, LayCard(0, "ox-1")), Refusal)


def test_a_dealt_hand_is_offered_its_own_cards_and_none_that_another_player_has_chosen() -> None:
    state = Herd(("ox-2", None))
    offered = playable(HERD, state, 1, frozenset({"ox-1", "ox-4"}), HERD.own_offers(state, 1))
    assert [action.card for action in offered] == ["ox-1", "ox-4"]


def test_a_deal_gives_every_player_their_own_cards_and_none_once_the_game_is_over() -> None:
    deal = SimulatedDeal(HERD, None, seed=3)
    hands = [deal.dealt(0, (), Herd((None, None)), seat) for seat in range(2)]
    assert [len(hand) for hand in hands] == [2, 2]
    assert not {*hands[0]} & {*hands[1]}
    over = Herd(("ox-1", "ox-2"))
    assert HERD.awaiting(over) is None
    assert [deal.dealt(0, (), over, seat) for seat in range(2)] == [(), ()]


def test_only_where_hands_are_unknown_is_more_offered_than_the_rules_allow() -> None:
    state = Herd(("ox-2", None))
    assert len(HERD.offered(state)) == 5
    assert list(herd(None).offered(state)) == _herd_legal(state)
