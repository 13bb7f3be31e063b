"""Between one referee and many phones: the newest snapshot for all phones, each seat's own view for that seat alone.

One link for all phones, so the referee has one more screen and no more work. A phone that reads slowly gets only the
newest view; one that does not read at all is disconnected.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import msgspec

from companion.errors import CompanionError
from companion.gamekit.game import Seat
from companion.gamekit.screen.face import Sight
from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.snapshot import OwnView, PieceRead, SetTable, Snapshot, Thoughts, Told
from companion.language.screen_language import _, speak
from companion.messages.client import Connect, RefereeLink
from companion.messages.intentions import AskWhy, Identify, Intention, LookAtTable, Peek, TapTag, may_send
from companion.messages.looks import Preference
from companion.messages.protocol import Fault, FromReferee, Reply
from companion.web.access_codes import WATCHING, Guest
from companion.web.phone_view import answered, shown_lines, tapped, view
from companion.web.seat_sight import SeatSight
from companion.web.table_words import UnreadLines, table_in_words

if TYPE_CHECKING:
    from companion.web.phone_connection import Phone

TOGETHER_S = 0.03
"""Views of several seats go out together, but none waits longer than this for the others."""
MOST_UNANSWERED = 8
"""How many unanswered messages one phone may have sent to the referee."""

_encode = msgspec.json.Encoder().encode


class Hub:
    def __init__(
        self,
        where: Path | Connect,
        changed: Callable[[], None] = lambda: None,
        report: Callable[[BaseException], None] = lambda error: None,
        preferences: Mapping[Guest, Preference] | None = None,
    ) -> None:
        """`where`: the referee's socket, or a function that connects to it. `changed` is called when a phone has
        connected or left, `report` with an error of ours. `preferences`: what the players want on their phones."""
        self.link = RefereeLink(where, self._heard, self._link_changed)
        self._changed, self.report = changed, report
        self._preferences = preferences or {}
        self._phones: dict[Phone, None] = {}
        """In the order in which they came."""
        self._newest: Snapshot | None = None
        self._up = False
        self._owns: dict[Guest, OwnView] = {}
        """What the players who have a phone may see. It counts only for the entry and the seat that it was made for."""
        self._peeked: dict[Guest, tuple[str, int]] = {}
        """What was asked for last, and for which entry."""
        self._due: set[Guest] = set()
        """Phones with a new view that has not been sent yet."""
        self._together: asyncio.TimerHandle | None = None
        """When it is sent at the latest."""
        self._asked: dict[str, Phone] = {}
        """Which phone waits for the answer to which intention."""
        self._surveys: dict[str, Phone] = {}
        """Which phone wants the table in words."""
        self._whys: dict[str, tuple[Phone, int]] = {}
        """Which phone wants to know why a bot did what which line tells."""
        self.unread_lines = UnreadLines()
        self._read: dict[str, PieceRead] = {}
        """Which piece was touched with a tap that is not answered yet."""

    # --- Phones that connect and leave ------------------------------------------------------------------------

    @property
    def counts(self) -> Counter[Guest]:
        """How many phones each player has."""
        return Counter(phone.guest for phone in self._phones if not phone.dropped)

    @property
    def phones(self) -> "tuple[Phone, ...]":
        return tuple(self._phones)

    def preference(self, guest: Guest) -> Preference:
        return self._preferences.get(guest, Preference())

    def welcome(self, phone: "Phone") -> None:
        self._phones[phone] = None
        self._look(phone.guest)
        phone.refresh()
        self._changed()

    def part(self, phone: "Phone") -> None:
        self._phones.pop(phone, None)
        self._asked = {said: waiting for said, waiting in self._asked.items() if waiting is not phone}
        self._surveys = {said: waiting for said, waiting in self._surveys.items() if waiting is not phone}
        self._whys = {said: waiting for said, waiting in self._whys.items() if waiting[0] is not phone}
        if not any(other.guest == phone.guest for other in self._phones):
            self._owns.pop(phone.guest, None)  # no phone shows it any more: keep nothing
            self._peeked.pop(phone.guest, None)
        self._changed()

    def expel(self, guest: Guest) -> None:
        """A code was replaced: disconnect the phones that used the old one."""
        for phone in [each for each in self._phones if each.guest == guest]:
            phone.drop()

    # --- What the referee says --------------------------------------------------------------------------------

    def _heard(self, message: FromReferee) -> None:
        if isinstance(message, Snapshot):
            self._newest = message
            self._print(message)
            for guest in {phone.guest for phone in self._phones}:
                self._look(guest)
            self._refresh()
        elif isinstance(message, OwnView):
            self._own(message)
        elif isinstance(message, PieceRead):
            if message.id in self._asked:
                self._read[message.id] = message
        elif isinstance(message, SetTable):
            phone = self._surveys.pop(message.id, None)
            sight = self.sight(phone) if phone else None
            if phone is not None and sight is not None:
                phone.tell(table_in_words(sight, message.layout))
        elif isinstance(message, Thoughts):
            asker = self._whys.pop(message.id, None)
            if asker is not None:
                asker[0].explain(asker[1], message)
        elif isinstance(message, Reply):
            self._reply(message)
        elif isinstance(message, Fault):
            self._fault(message)

    def seat_of(self, guest: Guest) -> Seat | None:
        """Where this player sits in the newest snapshot; None for spectators, and before there is one."""
        players = self._newest.players if self._newest else ()
        return next((seat for seat, player in enumerate(players) if player.person == guest), None)

    def _look(self, guest: Guest) -> None:
        """Ask the referee for what this player may see, unless it is known."""
        seat = self.seat_of(guest)
        if seat is None:
            return
        if self._known(guest) is None and self._peeked.get(guest, ("", -1))[1] != self.entry:
            peek = Peek(uuid4().hex, seat)
            self._peeked[guest] = peek.id, self.entry
            if may_send(peek, "phone", seat):
                self.link.ask(peek)

    def _own(self, own_view: OwnView) -> None:
        asked = [guest for guest, (said, _entry) in self._peeked.items() if said == own_view.id]
        for guest in asked:
            self._owns[guest] = own_view
            if self._together is None:
                self._together = asyncio.get_running_loop().call_later(TOGETHER_S, self._refresh_due)
            self._due.add(guest)
            if all(self._known(each) for each in self._peeked):
                self._refresh_due()

    def _known(self, guest: Guest) -> OwnView | None:
        """What this player may see now. A view for another entry or another seat is not shown: between two games
        another player may have sat down there."""
        known = self._owns.get(guest)
        return known if known is not None and (known.entry, known.seat) == (self.entry, self.seat_of(guest)) else None

    def _refresh_due(self) -> None:
        """All at once: sending to the first phone does not delay the view of the last."""
        if self._together is not None:
            self._together.cancel()
        due, self._due, self._together = self._due, set(), None
        for phone in self._phones:
            if phone.guest in due:
                phone.refresh()

    def _reply(self, reply: Reply) -> None:
        phone, read = self._asked.pop(reply.id, None), self._read.pop(reply.id, None)
        if phone is None:
            return
        speak(phone.language)
        sight, told = self._sight(phone.guest), reply.told
        text = answered(sight, told) if sight and told.kind not in ("accepted", "noted") else ""
        piece = tapped(sight, read, told) if sight and read else ""
        if sight and piece and told.number:
            text = f"{piece} – {answered(sight, told)}"
        phone.answer(reply.id, told.kind, text or piece, told.number, piece)

    def _fault(self, fault: Fault) -> None:
        """The message is dropped. It does not count, and its phone is told so."""
        waiting, self._asked, self._read = self._asked, {}, {}
        for said, phone in waiting.items():
            speak(phone.language)
            phone.answer(said, "refused", _("The referee says: {message}", message=fault.message[:200]))

    def _link_changed(self, up: bool) -> None:
        self._up = up
        self._peeked.clear()
        self._whys.clear()
        if up:
            for guest in {phone.guest for phone in self._phones}:
                self._look(guest)
        self._refresh()

    def _refresh(self) -> None:
        for phone in self._phones:
            phone.refresh()

    # --- What a phone sees ------------------------------------------------------------------------------------

    def sight(self, phone: "Phone") -> Sight | None:
        """The newest table as this phone may see it, in its language; None while that is unknown."""
        speak(phone.language)
        return self._sight(phone.guest)

    def _sight(self, guest: Guest) -> Sight | None:
        snapshot = self._newest
        if snapshot is None:
            return None
        if guest == WATCHING:
            return Sight(snapshot, find_face(snapshot.game), watching=True)
        own = self._known(guest)
        return SeatSight(snapshot, find_face(snapshot.game), own) if own is not None else None

    def _print(self, snapshot: Snapshot) -> None:
        """An error in one face affects its phones only, and is reported when it draws."""
        with suppress(Exception):
            self.unread_lines.add(Sight(snapshot, find_face(snapshot.game), watching=True))

    def news(self, phone: "Phone") -> bytes:
        """The lines that this phone has not been told yet, and up to where it has them, encoded; b"" if there are
        none."""
        sight, before = self.sight(phone), phone.mark
        if sight is None:
            return b""
        fresh, phone.mark = self.unread_lines.since(before)
        if phone.mark == before:
            return b""
        return _encode({"is": "news", "lines": shown_lines(sight, fresh), "mark": phone.mark})

    def survey(self, phone: "Phone") -> None:
        """The table in words: what lies where only the referee knows."""
        if len(self._surveys) < MOST_UNANSWERED * len(self._phones):
            look = LookAtTable(uuid4().hex)
            self._surveys[look.id] = phone
            self.link.ask(look)

    def ask_why(self, phone: "Phone", line: Told) -> bool:
        """Ask the referee what a bot thought. False: this phone may not, or no answer would come."""
        ask = AskWhy(uuid4().hex, line.entry)
        full = len(self._whys) >= MOST_UNANSWERED * len(self._phones)
        if not self._up or full or not may_send(ask, "phone", self.seat_of(phone.guest)):
            return False
        self._whys[ask.id] = phone, line.number
        self.link.ask(ask)
        return True

    def drawn(self, phone: "Phone") -> bytes:
        """What this phone shows now, encoded; b"" if there is nothing new to show."""
        try:
            sight = self.sight(phone)
            if sight is None:
                return b""
            in_words = self.preference(phone.guest).announcements == "full"
            return _encode(view(sight, phone.cells, self._up, in_words, phone.result_link))
        except (CompanionError, msgspec.ValidationError):
            speak(phone.language)
            return _encode({"is": "problem", "text": _("This table cannot be shown here.")})
        except Exception as error:  # an error in one face affects its phones only
            self.report(error)
            speak(phone.language)
            return _encode({"is": "problem", "text": _("This table cannot be shown here.")})

    # --- What a phone sends -----------------------------------------------------------------------------------

    @property
    def entry(self) -> int:
        return self._newest.entry if self._newest else 0

    def post(self, phone: "Phone", intention: Intention) -> bool:
        """Pass it on. False: its seat may not send this, or too many of its messages are unanswered."""
        seat = self.seat_of(phone.guest)
        if seat is None or not self._is_person(seat) or not may_send(intention, "phone", seat):
            return False
        waiting = sum(other is phone for other in self._asked.values())
        if waiting >= MOST_UNANSWERED and intention.id not in self._asked:
            return False
        self._asked[intention.id] = phone
        if isinstance(intention, TapTag):  # before the tap is judged, so that its name is there when the answer is
            self.link.ask(Identify(intention.id, seat, intention.uid, intention.text))
        self.link.post(intention)
        return True

    def _is_person(self, seat: Seat) -> bool:
        return self._newest is not None and not self._newest.players[seat].simulated
