"""The boxes that ship are stand-ins, and their heads are honest about it."""

import pytest

from companion.gamekit import discovery


@pytest.mark.parametrize("name", ["lascaux", "sioux", "darwinci", "carnuta"])
def test_the_head_of_a_stand_in_says_what_is_known_from_where_and_what_is_invented(name: str) -> None:
    head = discovery.find(name).standin().partition("\ngame = ")[0]
    assert all(line.startswith("#") for line in head.rstrip().splitlines())
    assert head.startswith("# A stand-in for the ")
    assert "These are NOT the printed " in head
    known, _, invented = head.partition("# Known, and where from:\n")[2].partition("# Invented:\n")
    for points in (known, invented):
        assert points.count("# - ") >= 1
    assert all("(" in point for point in known.split("# - ")[1:]), "a source for everything that is known"
    assert "Enrol your own box" in invented
