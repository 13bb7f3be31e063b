"""Who sits where in a round. Pure."""

from msgspec import Struct


class SeatingReason(Struct, frozen=True, omit_defaults=True):
    """Why players sit together, or have a bye: a message id and its facts (`hall_texts.py` has the sentences)."""

    what: str
    facts: dict[str, str | int] = {}
