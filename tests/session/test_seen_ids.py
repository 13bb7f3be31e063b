"""Ids that were heard once are known for the whole evening."""

from hypothesis import given
from hypothesis import strategies as st

from companion.session.seen_ids import SeenIds


@given(st.sets(st.text()), st.sets(st.text()))
def test_ids_that_were_added_are_known_and_others_are_not(added: set[str], others: set[str]) -> None:
    seen = SeenIds()
    for id_ in (*added, *added):
        seen.add(id_)
    assert len(seen) == len(added)
    assert {id_ for id_ in added | others if id_ in seen} == added


@given(st.permutations([f"tag {number}" for number in range(20)]))
def test_the_order_in_which_ids_came_makes_no_difference(ids: list[str]) -> None:
    one, other = SeenIds(), SeenIds()
    for id_ in ids:
        one.add(id_)
    for id_ in sorted(ids):
        other.add(id_)
    assert one == other
