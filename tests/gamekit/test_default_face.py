"""Looks for a game that brings none: they show what the game declares, and guess nothing."""

from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit.default_face import PlainFace
from companion.gamekit.screen import Sight
from companion.gamekit.snapshot import Player, Snapshot
from companion.language.facts import Translate
from companion.language.screen_language import OWN_TEXTS, speaking

FACE = PlainFace("Bulls", {}, OWN_TEXTS)
NAMES = ("Anna", "Ben", "Cleo", "Dora")


def seen(table: dict[str, Any], *, box: Any = None, face: PlainFace = FACE, **declared: tuple[str, ...]) -> Sight:
    players = tuple(map(Player, NAMES))
    snapshot = Snapshot(1, 1, "test", "bulls", players, "none", {}, box or {}, table, None)
    return Sight(replace(snapshot, **declared), face)


def drawn(sight: Sight) -> tuple[str, str]:
    """On a screen, and on a phone."""
    screen, phone = FACE.panels(sight, 66, False), FACE.phone_panels(sight, 40)
    return "\n".join(panel.plain for panel in screen), "\n".join(panel.plain for panel in phone)


def test_four_rows_at_a_table_of_four_are_rows_and_not_players() -> None:
    for text in drawn(seen({"rows": [43, 82, 7, 9], "heads": [1, 2, 3, 4]}, per_player=("heads",))):
        assert "rows: 43, 82, 7, 9" in text
        assert "Ben" in text


def test_a_number_is_a_seat_only_if_the_game_says_so() -> None:
    for text in drawn(seen({"turn": 2, "dealer": 1, "out": [0, 3], "nobody": None}, seats=("dealer", "out", "nobody"))):
        assert "turn: 2" in text
        assert "dealer: Ben" in text
        assert "out: Anna and Dora" in text
        assert "nobody: –" in text


def test_a_seat_for_every_player_is_shown_by_name_too() -> None:
    for text in drawn(seen({"partner": [2, 3, 0, 1]}, per_player=("partner",), seats=("partner",))):
        assert text.index("Anna") < text.index("Cleo") < text.index("Ben", text.index("Cleo"))


def test_lists_in_lists_keep_their_shape() -> None:
    for text in drawn(seen({"rows": [[1, 2], [3], []]})):
        assert "rows: (1, 2), (3), (–)" in text


def test_what_a_column_has_no_room_for_is_told_in_full_below_it() -> None:
    cards = [f"card-{number}" for number in range(30)]
    sight = seen({"money": [1, 2, 3, 4], "pairs": [[], cards, [], []]}, per_player=("money", "pairs"))
    columns, below = (panel.plain for panel in FACE.panels(sight, 100, True))
    assert "money" in columns
    assert "pairs" not in columns
    assert "Ben, pairs: card 0, card 1" in below
    assert "card 29" in below
    assert max(map(len, below.splitlines())) <= 100
    small = FACE.panels(sight, 66, False)[0].plain.splitlines()
    assert len(small) == 1 + len(NAMES), "on the smallest screen a row for each player, as before"
    assert "card 29" in drawn(sight)[1], "phones scroll"


# --- Words: a game has them without a face ---------------------------------------------------------------------


class Hens(Struct, frozen=True):
    names: dict[str, str]


def hen_word(box: Hens, fact: str, value: int | str, _: Translate) -> str | None:
    return box.names.get(str(value)) if fact in ("card", "nest") else None


def test_the_words_of_a_game_are_those_of_its_plain_looks() -> None:
    """They get the box in the type that they declare."""
    face = PlainFace("Hens", {}, OWN_TEXTS, hen_word)
    sight = seen({"nest": ["h1", "h2"], "other": "h1"}, box={"names": {"h1": "Berta"}}, face=face)
    assert "nest: Berta, h2\nother: h1" in face.panels(sight, 66, False)[1].plain
    menu = face.choices(sight, [{"do": "lay", "seat": 0, "card": card} for card in ("h1", "h2")])
    assert [choice.label for choice in menu.choices] == ["Berta", "h2"]


class HenWords:
    """An object that can be called declares no type that could be read."""

    def __call__(self, box: dict[str, Any], fact: str, value: int | str, _: Translate) -> str | None:
        return str(box["names"].get(value)) if fact == "nest" else None


def test_words_without_a_declared_box_get_it_as_plain_data() -> None:
    face = PlainFace("Hens", {}, OWN_TEXTS, HenWords())
    sight = seen({"nest": ["h1"]}, box={"names": {"h1": "Berta"}}, face=face)
    assert "nest: Berta" in face.panels(sight, 66, False)[1].plain


def test_fields_values_and_actions_are_in_the_language_of_the_screen() -> None:
    """Here two that Companion's own catalogue knows."""
    sight = seen({"spades": ["hearts", "won_tricks"]}, per_player=())
    with speaking("de"):
        assert FACE.panels(sight, 66, False)[1].plain == "Pik: Herz, won tricks"


# --- Menus ----------------------------------------------------------------------------------------------------


def keys(*cards: Any, box: Any = None) -> list[str]:
    actions = [{"do": "lay", "seat": 0, "card": card} for card in cards]
    return [choice.key for choice in FACE.choices(seen({}, box=box), actions).choices]


@pytest.mark.parametrize(
    ("cards", "typed"),
    [
        ((5, 55, 104), ["5", "55", "104"]),
        (("bull-5", "bull-55"), ["5", "55"]),
        ((0, 1, 2), ["0", "1", "2"]),
        (("red-1", "blue-1"), ["1", "2"]),
        (("red", "blue"), ["1", "2"]),
    ],
)
def test_a_choice_is_typed_by_its_own_number_where_it_has_one(cards: tuple[Any, ...], typed: list[str]) -> None:
    assert keys(*cards) == typed


def test_what_is_typed_does_not_shift_when_a_card_is_gone() -> None:
    box = {"game": "gops", "cards": [{"id": f"{suit}-{rank}"} for suit in ("clubs", "hearts") for rank in "A2Q"]}
    before, after = (("hearts-A", "hearts-2", "hearts-Q"), ("hearts-A", "hearts-Q"))
    assert keys(*before, box=box) == ["4", "5", "6"]
    assert keys(*after, box=box) == ["4", "6"]


@pytest.mark.parametrize(("longest", "columns"), [(8, 3), (20, 2), (40, 1), (90, 1)])
def test_a_menu_has_as_many_columns_as_its_labels_leave_room_for(longest: int, columns: int) -> None:
    actions = [{"do": "lay", "seat": 0, "card": "x" * longest + letter} for letter in "ab"]
    menu = FACE.choices(seen({}), actions)
    assert menu.columns == columns
    shown = [str(choice.label) for choice in menu.choices]
    assert all(label.endswith(("…", "a", "b")) for label in shown)
    full = menu.picture.plain.replace("\n", "").replace(" ", "")
    assert all(label[-1] != "…" or "x" * 50 in full for label in shown)
    assert bool(full) == (longest == 90)
