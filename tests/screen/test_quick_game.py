"""The quick game from the start screen: with what is here, and simulated where there is nothing."""

import pytest

from companion.messages.lobby import KitOffer
from companion.screen.game_setup import quick_plan

WIRED_ONE = (KitOffer("one", simulated=False), KitOffer("none", simulated=False))
NOTHING_WIRED = (
    KitOffer("full", simulated=True), KitOffer("one", simulated=True), KitOffer("none", simulated=False)
)  # fmt: skip


@pytest.mark.parametrize(("kits", "kit"), [(WIRED_ONE, "one"), (NOTHING_WIRED, "full"), ((), "full")])
def test_the_quick_game_is_played_with_the_kit_that_is_here(kits: tuple[KitOffer, ...], kit: str) -> None:
    plan = quick_plan(kits)
    assert plan.kit == kit
    assert plan.simulated == tuple(range(1, len(plan.players)))
    assert plan.levels == dict.fromkeys(plan.simulated, "easy"), "neighbours who think"
