"""Going through a box: whatever an owner does in whatever order, tags and pieces stay one to one."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.enrolment.course import (
    Completed,
    Course,
    EnrolmentError,
    Skipped,
    checked,
    finish,
    outcome,
    skip,
    standing,
    undo,
)
from companion.gamekit import discovery
from companion.gamekit.enrolment import Complaint, EnrolmentStep, OneOf, Several, piece_steps
from companion.gamekit.game import Thing
from companion.gamekit.parts import enrolment_plan
from companion.toml import read_toml
from tests.ours import GAMES

LETTERS = st.sampled_from("abcdefgh")


def begun(game: str = "lascaux") -> Course:
    return Course(game, discovery.find(game).standin())


def after(course: Course | Complaint) -> Course:
    assert isinstance(course, Course), course
    return course


def uid(number: int) -> str:
    return f"04{number:012X}"


def sheets_done(game: str) -> Course:
    """At the first piece that can carry a tag."""
    course = begun(game)
    while (step := standing(course).next) and not step.tagged:
        course = after(finish(course, step.values))
    return course


def all_done(game: str, tagged: bool = True) -> Course:
    course, number = sheets_done(game), 0
    while step := standing(course).next:
        number += 1
        course = after(finish(course, step.values, uid(number) if tagged else None))
    return course


# --- Printed boxes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_printed_box_is_asked_for_its_tags_and_for_nothing_else(name: str) -> None:
    game = discovery.find(name)
    course, number = Course(name, game.standin(), printed=True), 0
    assert all(step.tagged and not step.fields for step in standing(course).steps)
    while standing(course).next:
        number += 1
        course = after(finish(course, {}, uid(number)))
    found = outcome(course, game)
    assert found is not None
    assert found.box == game.standin()  # as it was printed: a stand-in stays one
    pieces = game.pieces(game.parse_box(found.box, "box"))
    assert found.pack.tags == {uid(number): piece for number, piece in enumerate(pieces, 1)}
    assert checked(course) == course


# --- Whole boxes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_box_of_which_everything_is_likely_is_the_one_that_was_there_before(name: str) -> None:
    game = discovery.find(name)
    found = outcome(all_done(name), game)
    assert found is not None
    before, box = (msgspec.to_builtins(game.parse_box(text, "box")) for text in (game.standin(), found.box))
    assert box.pop("provenance") == "enrolled"
    before.pop("provenance")
    assert without_ids(box) == without_ids(before)


def without_ids(box: dict[str, object]) -> object:
    """Ids are made again, edges may be named in another order, and the shaman may stand elsewhere."""
    lists = {key: value for key, value in box.items() if isinstance(value, list | tuple)}
    return {
        key: sorted(
            str(
                {
                    k: sorted(v) if isinstance(v, list | tuple) else v
                    for k, v in each.items()
                    if k not in ("id", "bones")
                }
            )
            if isinstance(each, dict)
            else str(each)
            for each in value
        )
        for key, value in lists.items()
    }


@pytest.mark.parametrize("name", GAMES)
def test_every_piece_of_the_game_gets_the_tag_that_was_tapped_for_it(name: str) -> None:
    game = discovery.find(name)
    found = outcome(all_done(name), game)
    assert found is not None
    pieces = game.pieces(game.parse_box(found.box, "box"))
    assert found.pack.tags == {uid(number): piece for number, piece in enumerate(pieces, 1)}


@pytest.mark.parametrize("name", GAMES)
def test_without_tags_there_is_a_box_and_an_empty_pack(name: str) -> None:
    found = outcome(all_done(name, tagged=False), discovery.find(name))
    assert found is not None
    assert found.pack.tags == {}


@pytest.mark.parametrize("name", GAMES)
def test_what_is_likely_is_allowed_by_every_field(name: str) -> None:
    for step in standing(begun(name)).steps:
        assert set(step.values) == {field.key for field in step.fields}
        assert [field.key for field in step.fields if not field.allows(step.values[field.key])] == []
    keys = [step.key for step in standing(begun(name)).steps]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("name", GAMES)
@given(data=st.data())
@settings(max_examples=5, deadline=None)
def test_whatever_is_chosen_the_box_is_one_that_can_be_played_with(name: str, data: st.DataObject) -> None:
    game, course = discovery.find(name), begun(name)
    while step := standing(course).next:
        values = dict(step.values)
        if step.fields and data.draw(st.integers(0, 9)) == 0:
            field = data.draw(st.sampled_from(step.fields))
            values[field.key] = data.draw(allowed(field))
        told = finish(course, values)
        course = after(finish(course, step.values)) if isinstance(told, Complaint) else told
    found = outcome(course, game)
    assert found is not None
    game.parse_box(found.box, "box")


def allowed(field: OneOf | Several) -> st.SearchStrategy[str | tuple[str, ...]]:
    if isinstance(field, OneOf):
        return st.sampled_from(field.options)
    if not field.options:
        return st.just(())
    some = st.lists(st.sampled_from(field.options), min_size=field.least, max_size=field.most, unique=field.distinct)
    return some.map(tuple)


# --- Any order ------------------------------------------------------------------------------------------------

DEEDS = st.lists(
    st.one_of(
        st.tuples(st.just("tap"), st.integers(1, 12)),
        st.tuples(st.sampled_from(["fill", "skip", "undo", "stop"]), st.just(0)),
    ),
    max_size=60,
)


def done(course: Course, deed: str, number: int) -> Course | Complaint:
    step = standing(course).next
    assert step is not None
    match deed:
        case "tap":
            return finish(course, step.values, uid(number))
        case "fill":
            return finish(course, step.values)
        case "skip":
            return skip(course)
        case "undo":
            return undo(course)
    return kept(course)


def kept(course: Course) -> Course:
    """Stopped, and continued another day."""
    return checked(msgspec.json.decode(msgspec.json.encode(course), type=Course))


@given(st.sampled_from(GAMES), DEEDS)
@settings(max_examples=50, deadline=None)
def test_in_any_order_no_tag_is_on_two_pieces_and_what_is_kept_is_where_one_stands(
    name: str, deeds: list[tuple[str, int]]
) -> None:
    course = begun(name)
    for deed, number in deeds:
        before, now = course, standing(course)
        assert now.next is not None
        told = done(course, deed, number)
        course = course if isinstance(told, Complaint) else told
        then = standing(course)
        tagged = [entry.uid for entry in course.log if isinstance(entry, Completed) and entry.uid]
        finished = [entry.step for entry in course.log if isinstance(entry, Completed)]
        assert len(tagged) == len(set(tagged)) == len(then.tags)
        assert len(finished) == len(set(finished))
        assert {step.key for step in then.waiting}.isdisjoint(finished)
        assert len(then.waiting) + len(finished) == len(then.steps)
        if deed == "tap" and not isinstance(told, Complaint):
            assert then.tags[uid(number)] == now.next.key
            assert undo(course) == before
    assert kept(course) == course


# --- One thing after the other --------------------------------------------------------------------------------


def test_sheets_come_first_and_cannot_be_left_for_later() -> None:
    course = begun("sioux")
    assert standing(course).next.key == "tribe"
    assert skip(course) == Complaint("sheets come first")
    assert finish(course, standing(course).next.values, uid(1)) == Complaint("no tag here")


def test_what_was_left_for_later_comes_last_in_the_order_in_which_it_was_left() -> None:
    course = sheets_done("lascaux")
    first, second, third = standing(course).waiting[:3]
    course = after(skip(after(skip(course))))
    assert standing(course).next == third
    assert standing(course).waiting[-2:] == (first, second)


def test_the_last_one_cannot_be_left_for_later_but_of_two_one_can() -> None:
    course = all_done("carnuta")
    course = after(undo(after(undo(course))))
    one, other = standing(course).waiting
    assert standing(after(skip(course))).waiting == (other, one)
    course = after(finish(course, {}))
    assert skip(course) == Complaint("the last one")


def test_a_tag_that_sits_on_a_piece_is_refused_with_the_name_of_that_piece() -> None:
    course = sheets_done("lascaux")
    first = standing(course).next
    course = after(finish(course, first.values, uid(1)))
    told = finish(course, standing(course).next.values, uid(1))
    assert told == Complaint("tag on another piece", {"uid": uid(1), "step": first.key})
    assert isinstance(finish(after(undo(course)), first.values, uid(1)), Course)


def test_a_tag_of_another_game_is_refused_with_its_name() -> None:
    course = sheets_done("lascaux")
    told = finish(course, standing(course).next.values, uid(1), {uid(1): "sioux"})
    assert told == Complaint("tag of another game", {"uid": uid(1), "game": "sioux"})


def test_at_the_end_and_at_the_beginning_there_is_nothing_to_do_and_to_take_back() -> None:
    assert undo(begun()) == Complaint("nothing to take back")
    assert finish(all_done("carnuta"), {}, uid(999)) == Complaint("all done")
    assert skip(all_done("carnuta")) == Complaint("all done")


def test_prey_has_to_add_up() -> None:
    course = after(finish(begun("sioux"), standing(begun("sioux")).next.values))
    values = dict(standing(course).next.values) | {"count 1": "1"}
    assert finish(course, values) == Complaint(
        "prey sum", {"total": 44, "cards": 56}, "There are {cards} prey cards, but these add up to {total}."
    )


@pytest.mark.parametrize(
    "values", [{}, {"pair": "brown/gold"}, {"pair": ("brown", "yellow")}, {"pair": "brown"}, {"other": "1"}]
)
def test_what_is_not_among_the_options_cannot_be(values: dict[str, str]) -> None:
    assert finish(sheets_done("lascaux"), values) == Complaint("cannot be", {"field": "pair"})


def test_other_colours_are_asked_for_on_the_cards_and_on_the_markers() -> None:
    colours = ("brown", "yellow", "green", "pink", "white", "orange")
    course = after(finish(begun(), {"colours": colours}))
    steps = standing(course).steps
    assert "brown/orange" in steps[1].fields[0].options
    assert [step.facts["colour"] for step in steps if "colour" in step.facts][:6] == list(colours)
    while step := standing(course).next:
        course = after(finish(course, step.values, uid(len(course.log))))
    found = outcome(course, discovery.find("lascaux"))
    assert found is not None
    assert Thing("marker", "orange", 4) in found.pack.tags.values()


def test_cards_that_look_alike_get_ids_of_their_own() -> None:
    course = sheets_done("lascaux")
    while step := standing(course).next:
        course = after(finish(course, {"pair": "pink/white"} if step.fields else {}))
    found = outcome(course, discovery.find("lascaux"))
    assert found is not None
    assert 'id = "mammoth-pink-white"\n' in found.box
    assert 'id = "mammoth-pink-white-9"\n' in found.box


def test_more_tiles_than_the_box_had_before_can_be_enrolled_and_fewer() -> None:
    for tiles in ("90", "20"):
        step = standing(begun("darwinci")).next
        course = after(finish(begun("darwinci"), {**step.values, "tiles": tiles}))
        while step := standing(course).next:
            course = after(finish(course, step.values))
        game = discovery.find("darwinci")
        found = outcome(course, game)
        assert found is not None
        assert len(game.parse_box(found.box, "box").tiles) == int(tiles)


def test_bones_are_those_of_the_tile_however_it_was_turned() -> None:
    game = discovery.find("darwinci")
    found = outcome(all_done("darwinci"), game)
    assert found is not None
    before, box = (game.parse_box(text, "box").tiles for text in (game.standin(), found.box))
    assert len(box) == 70
    for old, new in zip(before, box, strict=True):
        turns = [{frozenset(turned(edge, quarter) for edge in group) for group in new.bones} for quarter in range(4)]
        assert {frozenset(group) for group in old.bones} in turns


def turned(edge: str, quarters: int) -> str:
    return "NESWNESW"["NESW".index(edge) + quarters]


def test_every_tile_that_can_be_printed_has_exactly_one_name() -> None:
    """Every edge bears no bone, the first or the second one: counted without the code that makes the names."""
    looks = set()
    for number in range(3**4):
        bones = {edge: number // 3**place % 3 for place, edge in enumerate("NESW")}
        turns = []
        for quarter in range(4):
            groups = [frozenset(turned(edge, quarter) for edge in "NESW" if bones[edge] == bone) for bone in (1, 2)]
            turns.append(frozenset(group for group in groups if group))
        looks.add(frozenset(turns))
    looks.discard(frozenset([frozenset()]))
    (tile,) = [step for step in standing(begun("darwinci")).steps if step.key == "tile 1"]
    assert len(tile.fields[0].options) == len(looks)


def test_a_salt_card_has_the_symbol_of_salt() -> None:
    course = begun("carnuta")
    course = after(finish(course, {**standing(course).next.values, "ingredient": "salt"}))
    while step := standing(course).next:
        course = after(finish(course, step.values))
    game = discovery.find("carnuta")
    found = outcome(course, game)
    assert found is not None
    assert game.parse_box(found.box, "box").cards[0].symbols == ("salt",)


def test_as_long_as_something_printed_is_not_known_nothing_comes_of_it() -> None:
    course = sheets_done("lascaux")
    assert outcome(course, discovery.find("lascaux")) is None
    course = after(skip(course))
    while (step := standing(course).next) and step.key != "aurochs 1":
        course = after(finish(course, step.values))
    assert outcome(course, discovery.find("lascaux")) is None
    assert outcome(after(finish(course, standing(course).next.values)), discovery.find("lascaux")) is not None


# --- Tags alone -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_the_pieces_of_any_box_can_be_asked_for_one_by_one(name: str) -> None:
    game = discovery.find(name)
    pieces = game.pieces(game.parse_box(game.standin(), "the box"))
    steps = piece_steps(pieces)
    assert [Thing(step.facts["kind"], step.facts["id"], owner(step)) for step in steps] == list(pieces)
    assert len({step.key for step in steps}) == len(pieces)
    assert all(step.tagged and not step.fields for step in steps)


def owner(step: EnrolmentStep) -> int | None:
    """Sets are counted from 1."""
    set_ = step.facts.get("set")
    return set_ - 1 if isinstance(set_, int) else None


def test_pieces_that_look_alike_have_steps_of_their_own() -> None:
    assert [step.key for step in piece_steps([Thing("stone"), Thing("stone"), Thing("stone", "", 0)])] == [
        "stone",
        "stone-2",
        "stone 1",
    ]


# --- Changed by hand ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("log", "says"),
    [
        ((Completed("mammoth 1", {"pair": "brown/blue"}),), "entry 1: expected 'colours', found 'mammoth 1'"),
        ((Skipped("colours"),), r"entry 1 \('colours'\): sheets come first"),
        ((Completed("colours", {"colours": ("brown",)}),), r"entry 1 \('colours'\): cannot be"),
    ],
)
def test_a_log_that_cannot_have_happened_is_reported(log: tuple[Completed | Skipped, ...], says: str) -> None:
    with pytest.raises(EnrolmentError, match=says):
        checked(Course("lascaux", discovery.find("lascaux").standin(), log))


def test_a_card_of_lascaux_whose_colours_the_box_does_not_have_begins_with_the_first_pair() -> None:
    base = read_toml(discovery.find("lascaux").standin())
    first = base["cards"][0]
    first["colours"] = ["gold", "silver"]
    card = next(step for step in enrolment_plan("lascaux").steps(base, {}) if step.key == f"{first['animal']} 1")
    (field,) = card.fields
    assert isinstance(field, OneOf)
    assert card.values == {"pair": field.options[0]}
