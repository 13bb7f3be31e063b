"""What lamps and buzzers do, and when."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.gpio.lamps import CUES, GAP_MS, LIGHTS, Blink, Buzzer, Lamp, changes_after, is_on
from companion.table.effects import Cue, Pattern

BLINKS = st.one_of(
    st.sampled_from([*LIGHTS.values(), *CUES.values()]),
    st.builds(Blink, st.integers(1, 50), st.integers(1, 50), st.integers(0, 4)),
)


def strip(lamp: Lamp | Buzzer, until_ms: int, step_ms: int = 20) -> str:
    """What is seen, sign by sign."""
    return "".join(".#"[lamp.is_on(ms)] for ms in range(0, until_ms, step_ms))


# --- The table ------------------------------------------------------------------------------------------------


def test_every_light_and_every_cue_is_in_the_table() -> None:
    assert set(LIGHTS) == set(Pattern.__args__)  # type: ignore[attr-defined]
    assert set(CUES) == set(Cue.__args__)  # type: ignore[attr-defined]


def test_lights_can_be_told_apart_within_three_seconds() -> None:
    assert len({strip(Lamp(light), 3000) for light in LIGHTS}) == len(LIGHTS)


@pytest.mark.parametrize("blink", [*LIGHTS.values(), *CUES.values()])
def test_nothing_flashes_more_than_three_times_in_a_second(blink: Blink) -> None:
    levels = [is_on(blink, ms) for ms in range(-1, 5000)]
    rises = [ms for ms in range(5000) if levels[ms + 1] and not levels[ms]]
    assert all(sum(start <= ms < start + 1000 for ms in rises) <= 3 for start in rises)


# --- Lamps ----------------------------------------------------------------------------------------------------


def test_what_a_lamp_shows() -> None:
    assert strip(Lamp("off"), 400) == "...................."
    assert strip(Lamp("turn"), 400) == "####################"
    assert strip(Lamp("lost"), 1000) == "######...................######..................."


def test_a_cue_is_seen_on_a_lit_lamp_and_then_the_light_goes_on() -> None:
    lamp = Lamp("turn").cued("accepted", 100)
    assert strip(lamp, 500) == "#####" + "...." + "###" + "...." + "#########"
    assert strip(Lamp("off").cued("turn", 0), 800) == "...." + "#" * 20 + "." * 16


def test_the_same_light_again_does_not_begin_anew() -> None:
    lamp = Lamp("question", light_ms=0)
    assert lamp.shows("question", 500) == lamp
    assert lamp.shows("done", 500) == Lamp("done", light_ms=500)


def test_a_buzzer_is_still_until_it_is_told_something_and_again_after_it() -> None:
    assert strip(Buzzer(), 200) == ".........."
    assert strip(Buzzer("refused", 20), 800) == "." + "######......" * 2 + "######" + "." * 9
    assert Buzzer("refused", 0).changes_after(600) is None


# --- When to look again ---------------------------------------------------------------------------------------


@given(BLINKS, st.integers(-100, 10_000))
def test_the_next_change_is_the_next_change(blink: Blink, ms: int) -> None:
    change = changes_after(blink, ms)
    if change is None:
        assert len({is_on(blink, ms + later) for later in range(6000)}) == 1
    else:
        assert {is_on(blink, at) for at in range(ms, change)} == {is_on(blink, ms)}
        assert is_on(blink, change) != is_on(blink, change - 1)


@given(st.sampled_from(list(LIGHTS)), st.sampled_from([None, *CUES]), st.integers(0, 3000), st.integers(0, 5000))
def test_a_lamp_never_changes_between_two_calls(light: Pattern, cue: Cue | None, cue_ms: int, later_ms: int) -> None:
    lamp = Lamp(light, cue=cue, cue_ms=cue_ms)
    now_ms = cue_ms + later_ms
    change = lamp.changes_after(now_ms)
    assert change is None or change > now_ms
    assert len({lamp.is_on(at) for at in range(now_ms, now_ms + 4000 if change is None else change)}) == 1


def test_a_cue_ends_after_its_second_gap() -> None:
    lamp = Lamp("turn").cued("accepted", 0)
    assert lamp.changes_after(0) == GAP_MS
    assert lamp.changes_after(GAP_MS) == GAP_MS + 60
    assert lamp.changes_after(GAP_MS + 60) == GAP_MS + 60 + GAP_MS
    assert lamp.changes_after(GAP_MS + 60 + GAP_MS) is None
