"""What the referee says on its own, without a ruling; and how much of a text from outside it repeats."""

from companion.gamekit.game import Ruling
from companion.language.facts import Fact, Facts

QUOTED = 300
"""How much of a text from outside an answer quotes."""


def note(what: str, **facts: Fact) -> Ruling:
    return Ruling(None, what, facts)


def short(facts: Facts) -> Facts:
    """A screen may send anything, and what is refused is quoted to everybody: so it is kept short."""
    if all(not isinstance(fact, str) or len(fact) <= QUOTED for fact in facts.values()):
        return facts
    return {name: fact[:QUOTED] if isinstance(fact, str) else fact for name, fact in facts.items()}
