"""Presses on the table's screen: whatever it offers, by key, by touch and by focus, in random games of every title."""

from collections import Counter

from tests.campaign.trial import Outcome
from tests.screen.monkey import case, run_case
from tests.strangers import every_title

TITLE = "presses on screens"
HOW = (
    "The real app at a real referee, in random games of all titles and of the examples, with kits none, one, full and "
    "phones, at 66×20, 100×30 and 160×45, in English and German. Whatever is offered is pressed: by its key, by "
    "touch, and by Enter after it was given the focus; and now and then any key. After each press: nothing has "
    "raised; something has come of it; a refusal can be read with its reason; what has the focus looks different; "
    "nothing is cut off; every sign on the table is in its legend."
)
FULL = 20_000
QUICK = 200
RUN = 25
"""Presses of one run: then another game, kit, size and language."""


def run(count: int, seed: int) -> Outcome:
    seen: Counter[str] = Counter()
    failures: list[str] = []
    tried = number = 0
    with every_title() as titles:
        while tried < count:
            monkey = run_case(case(number, seed, titles), min(RUN, count - tried))
            seen.update(monkey.seen)
            failures += monkey.failures[:1]
            tried += max(1, monkey.seen.total())
            number += 1
    return Outcome(
        tried, {"runs": number, **{f"by {way}": times for way, times in sorted(seen.items())}}, tuple(failures)
    )
