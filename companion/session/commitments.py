"""What simulated players choose in secret is committed: a hash is stored with the choice, and opened at the reveal.

The entry of a hidden choice has a commitment, SHA-256 over a nonce, over everything that was entered in this evening
before, and over the choice. Screens may show it at once: without the nonce it tells nothing. The entry that reveals the
choice has the nonce. So `companion games --verify` can say later that nobody changed the choice when the others had
made theirs, nor anything that was entered before it.

Nonces come from the key in the game's header, which no screen gets. A journal without a key has no commitments.
"""

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from companion.gamekit.game import Seat
from companion.session.entry import Entry

SIGN = "@"
"""Begins the names of what is stored beside the fields of an action: no field of a game does."""
_BEGINNING = f'"{SIGN}'.encode()
COMMITMENT, OPENS = "@commitment", "@opens"
_COVERED = frozenset({"action", "undo", "back", "corrected", "ended", "box"})
"""The kinds of entry that commitments cover. Names in headers may be erased, and clocks are no part of the game."""
_NONCE = 32


class Commitment(Struct, frozen=True):
    """A hidden choice that was committed and is not opened yet."""

    number: int
    """Of its entry."""
    seat: Seat
    index: int
    """How many commitments this evening had before."""
    hash: str


class Commitments(Struct, frozen=True):
    """All commitments of an evening, up to its newest entry."""

    digest: bytes = b""
    """Of everything that commitments cover."""
    count: int = 0
    closed: tuple[Commitment, ...] = ()
    """Those that are not opened yet, oldest first."""

    def after(self, entry: Entry, seat: Seat | None = None) -> "Commitments":
        """With one more entry. `seat`: who acts in it."""
        if entry.kind not in _COVERED:
            return self
        count, closed = self.count, self.closed
        if entry.kind == "action" and has_beside(entry):
            body = msgspec.json.decode(entry.body)
            opened = body[OPENS] if isinstance(body.get(OPENS), dict) else {}
            closed = tuple(each for each in closed if str(each.number) not in opened)
            if seat is not None and COMMITMENT in body:
                closed = (*closed, Commitment(entry.number, seat, count, str(body[COMMITMENT])))
                count += 1
        digest = hashlib.sha256(b"\n".join((self.digest, entry.kind.encode(), entry.body))).digest()
        return Commitments(digest, count, closed)

    def beside(self, key: str, said: Mapping[str, Any], hides: bool, opened: Sequence[Commitment]) -> dict[str, Any]:
        """What is stored beside an action: its commitment if it `hides` something, and the nonces that it opens."""
        found: dict[str, Any] = {}
        if hides:
            parts = nonce(key, self.count).encode(), self.digest, msgspec.json.encode(said)
            found[COMMITMENT] = hashlib.sha256(b"\n".join(parts)).hexdigest()
        if opened:
            found[OPENS] = {str(each.number): nonce(key, each.index) for each in opened}
        return found


def nonce(key: str, index: int) -> str:
    return hmac.new(key.encode(), str(index).encode(), "sha256").hexdigest()[:_NONCE]


def has_beside(entry: Entry) -> bool:
    """Whether something may be stored beside this action: most entries have nothing, and a fold is quicker then."""
    return _BEGINNING in entry.body


def action_in(body: Mapping[str, Any]) -> dict[str, Any]:
    """The action in the body of its entry, without what is stored beside it."""
    return {name: value for name, value in body.items() if not name.startswith(SIGN)}


def commitment_problem(stored: Mapping[str, Any], expected: Mapping[str, Any]) -> str:
    """What is wrong with the body of an action's entry, if this is `expected` beside the action; "" if nothing is."""
    said, due = stored.get(COMMITMENT), expected.get(COMMITMENT)
    if said != due:
        if said is None:
            return "a simulated player's secret choice has no commitment"
        if due is None:
            return "it has a commitment, but hides nothing that is committed"
        return "this secret choice is not the one that was committed, or something before it was changed"
    if stored.get(OPENS) != expected.get(OPENS):
        return "it does not open the commitments that it reveals"
    return ""
