"""What can be wrong with a table though each of its parts alone is fine: two of them use the same thing."""

from collections.abc import Iterator

from companion.config.table_settings import TableSettings
from companion.devices.gpio.settings import PIN, free_pins, pin_words
from companion.devices.wired_part import Claim, KeyPath, Mistake


def problems(table: TableSettings) -> Iterator[Mistake]:
    """All that is wrong with a table."""
    parts = list(table.parts())
    for place, part in parts:
        yield from (Mistake((*place, *mistake.place), mistake.words) for mistake in part.mistakes())
    claims = [((*place, *claim.place), claim) for place, part in parts for claim in part.claims()]
    shared = {pin: words for _, part in parts for pin, words in part.shared_pins().items()}
    pins = [(place, claim) for place, claim in claims if claim.resource == PIN]
    free = free_pins((claim.thing for _, claim in pins), shared)
    for place, claim in pins:
        if words := pin_words(claim.thing, shared):
            yield Mistake(place, f"{words}; {free}")
    for place, claim, first_place, first in _collisions(claims):
        words = claim.refusal.replace("{user}", first.user).replace("{free}", free)
        yield Mistake(place, words, first_place)


def _collisions(claims: list[tuple[KeyPath, Claim]]) -> Iterator[tuple[KeyPath, Claim, KeyPath, Claim]]:
    """Each claim to something that is claimed already, and the first claim to it."""
    for number, (place, claim) in enumerate(claims):
        for first_place, first in claims[:number]:
            if first.resource == claim.resource and claim.is_same(claim.thing, first.thing):
                yield place, claim, first_place, first
                break
