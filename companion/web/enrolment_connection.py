"""Phones that enrol a box: all show the same step, and say what they have touched."""

from collections import Counter
from collections.abc import Callable
from typing import TypeAlias

import msgspec

from companion.messages.phone_access import EnrolmentView, EnrolmentWish
from companion.web.access_codes import Guest
from companion.web.page_files import enrolment_site
from companion.web.phone_connection import Connection, PhoneHello
from companion.web.server import PhonesServer

FromEnroller: TypeAlias = PhoneHello | EnrolmentWish


class EnrolmentHub:
    """Passes on where the enrolment is, and what phones say. It decides nothing."""

    entry = 0
    """An enrolment writes no journal."""

    def __init__(
        self,
        view: EnrolmentView,
        wish: Callable[[EnrolmentWish], None],
        changed: Callable[[], None],
        report: Callable[[BaseException], None],
    ) -> None:
        self._view, self.wish = msgspec.json.encode(view), wish
        self._changed, self.report = changed, report
        self._phones: dict[EnrolmentConnection, None] = {}

    @property
    def counts(self) -> Counter[Guest]:
        return Counter(phone.guest for phone in self._phones if not phone.dropped)

    @property
    def phones(self) -> "tuple[EnrolmentConnection, ...]":
        return tuple(self._phones)

    def welcome(self, phone: "EnrolmentConnection") -> None:
        self._phones[phone] = None
        phone.refresh()
        self._changed()

    def part(self, phone: "EnrolmentConnection") -> None:
        self._phones.pop(phone, None)
        self._changed()

    def expel(self, guest: Guest) -> None:
        for phone in [each for each in self._phones if each.guest == guest]:
            phone.drop()

    def show(self, view: EnrolmentView) -> None:
        self._view = msgspec.json.encode(view)
        for phone in self._phones:
            phone.refresh()

    def drawn(self, _phone: Connection) -> bytes:
        return self._view

    def news(self, _phone: Connection) -> bytes:
        return b""


class EnrolmentConnection(Connection):
    """A phone that enrols."""

    decoder = msgspec.json.Decoder(FromEnroller)
    _hub: EnrolmentHub

    def heed(self, said: FromEnroller) -> bool:
        if isinstance(said, PhoneHello):
            self.greet(said)
        else:
            self._hub.wish(said)
        return True


class EnrolmentServer(PhonesServer):
    connection = EnrolmentConnection
    pages = staticmethod(enrolment_site)
