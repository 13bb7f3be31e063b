"""A fault, and what came of it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import NamedTuple


class Mutant(NamedTuple):
    family: str
    what: str
    faults: Callable[[], Sequence[str]]
    """What the checks say of it."""


def asked(check: Callable[..., Iterable[str]], *things: object) -> Callable[[], list[str]]:
    """What this check says of these things, once it is asked."""
    return lambda: list(check(*things))


class Trial(NamedTuple):
    mutant: Mutant
    noticed: str
    """The first complaint; empty: nothing was noticed."""


UNTOUCHED = "nothing changed"


def untouched(family: str, faults: Callable[[], Sequence[str]]) -> Mutant:
    """The thing as it is: what is noticed here would be noticed of every mutant, and prove nothing."""
    return Mutant(family, UNTOUCHED, faults)


def trials(mutants: Sequence[Mutant]) -> Iterator[Trial]:
    """Raises ValueError if something is wrong without any change."""
    for mutant in mutants:
        noticed = next(iter(mutant.faults()), "")
        if mutant.what != UNTOUCHED:
            yield Trial(mutant, noticed)
        elif noticed:
            raise ValueError(f"{mutant.family} is wrong without any change: {noticed}")


def sample(mutants: Sequence[Mutant], chance: Random, count: int) -> list[Mutant]:
    """The families by turns, so that a large one does not hide a small one."""
    decks: dict[str, list[Mutant]] = {}
    first = [mutant for mutant in mutants if mutant.what == UNTOUCHED]
    for mutant in (mutant for mutant in mutants if mutant.what != UNTOUCHED):
        decks.setdefault(mutant.family, []).append(mutant)
    for deck in decks.values():
        chance.shuffle(deck)
    drawn: list[Mutant] = []
    while len(drawn) < count and any(decks.values()):
        drawn += [deck.pop() for deck in decks.values() if deck]
    return first + drawn[:count]


def summary(done: Sequence[Trial]) -> list[str]:
    alive = [trial for trial in done if not trial.noticed]
    every, noticed = Counter(trial.mutant.family for trial in done), Counter(trial.mutant.family for trial in done)
    noticed.subtract(trial.mutant.family for trial in alive)
    lines = [f"{family}: {noticed[family]} of {number}" for family, number in every.items()]
    share = 100 * (len(done) - len(alive)) / max(len(done), 1)
    return [
        *lines,
        f"{len(done) - len(alive)} of {len(done)} faults were noticed: {share:.2f} %",
        *(f"  alive  {trial.mutant.family}: {trial.mutant.what}" for trial in alive),
    ]
