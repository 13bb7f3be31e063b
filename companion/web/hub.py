"""Between one referee and many phones: the newest snapshot for everybody, each seat's own view for that seat alone.

One link for all phones, so the referee has one more screen and no more work. A phone that reads slowly gets only the
newest view; one that does not read at all is disconnected.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import msgspec

from companion import crash
from companion.errors import CompanionError
from companion.gamekit.game import Seat
from companion.gamekit.screen.face import Sight
from companion.gamekit.screen.finding import find_face
from companion.gamekit.snapshot import OwnView, Snapshot
from companion.language.speech import _, speak
from companion.messages.intentions import Intention, Peek
from companion.messages.link import RefereeLink
from companion.messages.protocol import Fault, FromReferee, Reply
from companion.web.guests import WATCHING, GuestSeat, moved_seats
from companion.web.permits import permitted
from companion.web.sights import SeatSight
from companion.web.view import answered, view

if TYPE_CHECKING:
    from companion.web.phone import Phone

TOGETHER_S = 0.03
"""Views of several seats go out together, but none waits longer than this for the others."""
MOST_UNANSWERED = 8
"""How many unanswered things one phone may have said to the referee."""

_encode = msgspec.json.Encoder().encode


class Hub:
    def __init__(
        self,
        socket_path: Path,
        changed: Callable[[], None] = lambda: None,
        reseat: Callable[[Mapping[Seat, Seat]], None] = lambda moved: None,
    ) -> None:
        """`changed` is called whenever a phone has come or gone, `reseat` when people have changed seats."""
        self.link = RefereeLink(socket_path, self._heard, self._link_changed)
        self._changed, self._reseat = changed, reseat
        self._phones: dict[Phone, None] = {}
        """In the order in which they came."""
        self._newest: Snapshot | None = None
        self._up = False
        self._owns: dict[Seat, OwnView] = {}
        """What the seats that have a phone may see, as of the newest entry."""
        self._peeked: dict[Seat, tuple[str, int]] = {}
        """What was asked for last, and for which entry."""
        self._due: set[Seat] = set()
        """Who has a new view, and is not told yet."""
        self._together: asyncio.TimerHandle | None = None
        """When they are told at the latest."""
        self._asked: dict[str, Phone] = {}
        """Who waits for the answer to which intention."""

    # --- Coming and going -------------------------------------------------------------------------------------

    @property
    def counts(self) -> Counter[GuestSeat]:
        """How many phones there are, chair by chair."""
        return Counter(phone.chair for phone in self._phones)

    @property
    def phones(self) -> "tuple[Phone, ...]":
        return tuple(self._phones)

    def welcome(self, phone: "Phone") -> None:
        self._phones[phone] = None
        self._look(phone.chair)
        phone.refresh()
        self._changed()

    def part(self, phone: "Phone") -> None:
        self._phones.pop(phone, None)
        self._asked = {said: waiting for said, waiting in self._asked.items() if waiting is not phone}
        if not any(other.chair == phone.chair for other in self._phones):
            self._owns.pop(phone.chair, None)  # nobody looks: nothing of it stays here
            self._peeked.pop(phone.chair, None)
        self._changed()

    def expel(self, chair: GuestSeat) -> None:
        """A code was replaced: whoever came in with the old one has to go."""
        for phone in [each for each in self._phones if each.chair == chair]:
            phone.drop()

    # --- What the referee says --------------------------------------------------------------------------------

    def _heard(self, message: FromReferee) -> None:
        if isinstance(message, Snapshot):
            self._follow(message)
            self._newest = message
            for chair in {phone.chair for phone in self._phones}:
                self._look(chair)
            self._refresh()
        elif isinstance(message, OwnView):
            self._own(message)
        elif isinstance(message, Reply):
            self._reply(message)
        elif isinstance(message, Fault):
            self._fault(message)

    def _follow(self, snapshot: Snapshot) -> None:
        """When people have changed seats between two games, each phone stays with its player: on the old seat it would
        see what is somebody else's."""
        before = self._newest.players if self._newest else snapshot.players
        moved = moved_seats([player.name for player in before], [player.name for player in snapshot.players])
        if moved:
            for phone in self._phones:
                phone.chair = moved.get(phone.chair, phone.chair)
            self._owns.clear()
            self._peeked.clear()
            self._reseat(moved)

    def _look(self, chair: GuestSeat) -> None:
        """Ask for what this seat may see, unless it is known."""
        if self._newest is None or chair == WATCHING:
            return
        entry = self._newest.entry
        if not self._knows(chair) and self._peeked.get(chair, ("", -1))[1] != entry:
            peek = Peek(uuid4().hex, chair)
            self._peeked[chair] = peek.id, entry
            if permitted(peek, chair):
                self.link.ask(peek)

    def _own(self, own_view: OwnView) -> None:
        if self._peeked.get(own_view.seat, ("", 0))[0] == own_view.id:
            self._owns[own_view.seat] = own_view
            if self._together is None:
                self._together = asyncio.get_running_loop().call_later(TOGETHER_S, self._refresh_due)
            self._due.add(own_view.seat)
            if all(self._knows(chair) for chair in self._peeked):
                self._refresh_due()

    def _knows(self, chair: Seat) -> bool:
        known = self._owns.get(chair)
        return known is not None and known.entry == self.entry

    def _refresh_due(self) -> None:
        """All at once: what goes out to the first phone does not hold up the view of the last."""
        if self._together is not None:
            self._together.cancel()
        due, self._due, self._together = self._due, set(), None
        for phone in self._phones:
            if phone.chair in due:
                phone.refresh()

    def _reply(self, reply: Reply) -> None:
        phone = self._asked.pop(reply.id, None)
        sight = self._sight(phone.chair) if phone else None
        if phone is not None:
            speak(phone.language)
            text = answered(sight, reply.told) if sight and reply.told.kind not in ("accepted", "noted") else ""
            phone.answer(reply.id, reply.told.kind, text)

    def _fault(self, fault: Fault) -> None:
        """What was said is forgotten: it does not count, and whoever said it should know."""
        waiting, self._asked = self._asked, {}
        for said, phone in waiting.items():
            speak(phone.language)
            phone.answer(said, "refused", _("The referee says: {message}").format(message=fault.message[:200]))

    def _link_changed(self, up: bool) -> None:
        self._up = up
        self._peeked.clear()
        if up:
            for chair in {phone.chair for phone in self._phones}:
                self._look(chair)
        self._refresh()

    def _refresh(self) -> None:
        for phone in self._phones:
            phone.refresh()

    # --- What a phone sees ------------------------------------------------------------------------------------

    def sight(self, phone: "Phone") -> Sight | None:
        """The newest table as this phone may see it, in its language; None while that is not known."""
        speak(phone.language)
        return self._sight(phone.chair)

    def _sight(self, chair: GuestSeat) -> Sight | None:
        snapshot = self._newest
        if snapshot is None:
            return None
        face = find_face(snapshot.game)
        if chair == WATCHING:
            return Sight(snapshot, face, watching=True)
        own = self._owns.get(chair)
        if own is None or own.entry != snapshot.entry or not 0 <= chair < len(snapshot.players):
            return None
        return SeatSight(snapshot, face, own)

    def drawn(self, phone: "Phone") -> bytes:
        """What this phone shows now, as it travels; b"" while there is nothing new to show."""
        try:
            sight = self.sight(phone)
            return _encode(view(sight, phone.cells, self._up)) if sight else b""
        except (CompanionError, msgspec.ValidationError):
            speak(phone.language)
            return _encode({"is": "problem", "text": _("This table cannot be shown here.")})
        except Exception as error:  # a mistake in one face costs its phones, and nobody else
            crash.tell(error)
            speak(phone.language)
            return _encode({"is": "problem", "text": _("This table cannot be shown here.")})

    # --- What a phone says ------------------------------------------------------------------------------------

    @property
    def entry(self) -> int:
        return self._newest.entry if self._newest else 0

    def post(self, phone: "Phone", intention: Intention) -> bool:
        """Pass it on. False: its seat may not say this, or too much of what it has said is still unanswered."""
        if not self._is_person(phone.chair) or not permitted(intention, phone.chair):
            return False
        waiting = sum(other is phone for other in self._asked.values())
        if waiting >= MOST_UNANSWERED and intention.id not in self._asked:
            return False
        self._asked[intention.id] = phone
        self.link.post(intention)
        return True

    def _is_person(self, chair: GuestSeat) -> bool:
        """Whether somebody plays there: no spectator, no simulated player, no seat that this game does not have."""
        players = self._newest.players if self._newest else ()
        return 0 <= chair < len(players) and not players[chair].simulated
