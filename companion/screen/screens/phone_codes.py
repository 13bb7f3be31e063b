"""Codes for phones: each player scans their own, and the phone becomes that seat's pad."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content

from companion.drawing.qr_code import code
from companion.errors import CompanionError
from companion.gamekit.screen.controls import KeyButton, LanguageButton, Panel, Words
from companion.gamekit.screen.dialog import Dialog
from companion.gamekit.screen.face import Sight
from companion.gamekit.sign_table import DONE
from companion.language.screen_language import _
from companion.language.wording import plain
from companion.messages.phone_access import SPECTATORS, PhoneAccess, PhonesOffer, Wifi


def wifi_code(wifi: Wifi) -> str:
    """The text that joins a network, in the form that all cameras know."""
    kind = "WPA" if wifi.password else "nopass"
    return f"WIFI:T:{kind};S:{_escaped(wifi.name)};P:{_escaped(wifi.password)};;"


def _escaped(text: str) -> str:
    return "".join(f"\\{letter}" if letter in '\\;,":' else letter for letter in text)


LOOK_S = 0.5
"""How often to look which phones are connected."""
WORDS = 30
"""Cells beside the codes."""
CODE = 35
"""Cells for one code and the gap behind it."""
MOST = 4
PROBLEM = 200
"""Letters of a problem that are shown."""


class Ticket(NamedTuple):
    """One code: its owner, its text, and how many phones have used it."""

    title: str
    text: str
    guest: int | None = None
    """The player, or SPECTATORS; None: a code that cannot be replaced."""
    taken: int = 0


def tickets(offer: PhonesOffer, sight: Sight) -> list[Ticket]:
    """What comes first, then each person, then spectators."""
    persons = [
        Ticket(sight.name(seat), offer.links.get(person, ""), person, offer.counts.get(person, 0))
        for seat, person in _persons(sight).items()
    ]
    watching = offer.counts.get(SPECTATORS, 0)
    title = _("Only watching") + (f" ({watching})" if watching else "")
    return [*first_tickets(offer), *persons, Ticket(title, offer.links.get(SPECTATORS, ""), SPECTATORS)]


def first_tickets(offer: PhonesOffer) -> list[Ticket]:
    """The Wi-Fi, then the certificate."""
    wifi = offer.wifi
    found = [Ticket(_("Wi-Fi: {name}", name=plain(wifi.name, 32)), wifi_code(wifi))] if wifi else []
    return [*found, Ticket(_("New phones: trust the table"), offer.trust)] if offer.trust else found


def _persons(sight: Sight) -> dict[int, int]:
    """Seat → player: codes belong to players, and stay with them when they swap seats."""
    return {seat: sight.snapshot.players[seat].person for seat in sorted(sight.persons)}


def all_here(offer: PhonesOffer, sight: Sight) -> bool:
    """Whether all persons have connected a phone."""
    return bool(sight.persons) and all(offer.counts.get(person) for person in _persons(sight).values())


def invites(seat_pads: PhoneAccess | None, sight: Sight) -> bool:
    """Whether phones are open and some person has not connected one yet."""
    offer = seat_pads.offer() if seat_pads and sight.persons else None
    return offer is not None and not all_here(offer, sight)


async def show_codes(app: App[None], seat_pads: PhoneAccess, sight: Sight, complain: Callable[[Words], None]) -> None:
    """Open the table for phones first, if it is not open yet."""
    if await opened(seat_pads, complain):
        app.push_screen(PhonesDialog(seat_pads, sight))


async def opened(phones: PhoneAccess, complain: Callable[[Words], None]) -> bool:
    """Whether phones can connect now."""
    if phones.offer() is None:
        try:
            await asyncio.to_thread(phones.open)
        except CompanionError as error:
            problem = plain(str(error), PROBLEM)
            complain(lambda: problem)
            return False
    return True


class CodesDialog(Dialog):
    """As many codes side by side as fit. Where a phone has connected there is no code. It closes itself when all
    phones have connected."""

    BINDINGS = [("f4", "leave", ""), ("space", "leaf", ""), ("right", "leaf", ""), ("left", "leaf(-1)", "")]
    AUTO_FOCUS = ".leave"

    def __init__(self, title: Words, phones: PhoneAccess) -> None:
        super().__init__(title)
        self._access = phones
        self._page = 0
        self._drawn: object = None
        offer = phones.offer()
        self._wait_for_all = offer is not None and not self.all_here(offer)
        self.add_class("codes")

    def tickets(self, offer: PhonesOffer) -> list[Ticket]:
        raise NotImplementedError

    def all_here(self, offer: PhonesOffer) -> bool:
        raise NotImplementedError

    def connected(self, offer: PhonesOffer) -> int:
        """How many of those who are expected have connected."""
        raise NotImplementedError

    def content(self) -> ComposeResult:
        with Horizontal(classes="row"):
            for number in range(MOST):
                yield Panel(classes="code", id=f"code{number}")
            with Vertical(classes="beside"):
                yield Panel(classes="words")
                for number in range(MOST):
                    label, renew = partial(self._renewing, number), partial(self._renew, number)
                    yield KeyButton(str, label, renew, classes="renew")
                yield KeyButton(lambda: _("space", "key"), lambda: _("Next", "page"), self.action_leaf, classes="leaf")
                with Horizontal(classes="end"):
                    leave = self.action_leave
                    yield KeyButton(lambda: "Esc", lambda: _("Close"), leave, variant="primary", classes="leave")
                    yield LanguageButton()

    def on_mount(self) -> None:
        self.set_interval(LOOK_S, self._look)
        self._look()

    def on_resize(self) -> None:
        self._drawn = None
        self._look()

    def redraw(self) -> None:
        super().redraw()
        self._drawn = None
        self._look()

    # --- Drawing ---

    @property
    def _abreast(self) -> int:
        return max(1, min(MOST, (self.app.size.width - WORDS - 2) // CODE))

    def _here(self, offer: PhonesOffer) -> list[Ticket]:
        """The codes of this page."""
        found = self.tickets(offer)
        pages = -(-len(found) // self._abreast)
        first = self._page % pages * self._abreast
        return found[first : first + self._abreast]

    def _look(self) -> None:
        offer = self._access.offer()
        if offer is None or (self._wait_for_all and self.all_here(offer)):
            self.leave()
            return
        here = self._here(offer)
        if (here, self.app.size) == self._drawn:
            return
        self._drawn = here, self.app.size
        with self.app.batch_update():
            for number, panel in enumerate(self.query(".code").results(Panel)):
                panel.display = number < len(here)
                if number < len(here):
                    panel.show(_drawn(here[number]))
            self.query_one(".words", Panel).show(self._words(offer))
            for number, button in enumerate(self.query(".renew").results(KeyButton)):
                button.display = number < len(here) and here[number].guest is not None
                button.redraw()
            self.query_one(".leaf").display = len(self.tickets(offer)) > len(here)

    def _words(self, offer: PhonesOffer) -> Content:
        """The address is also shown as text: not every camera reads codes."""
        lines = [
            (_("{count:phone|phones} connected", count=self.connected(offer)), "bold"),
            ("\n" + offer.url.partition("//")[2], ""),
        ]
        if any(ticket.guest == SPECTATORS for ticket in self._here(offer)):
            lines.append(("\n" + _("On a television: {link}", link=offer.wall_link), ""))
        if not offer.encrypted:
            lines.append(("\n" + _("Others on this Wi-Fi could listen in."), "$quiet"))
        elif offer.new_certificate:
            lines.append(("\n" + _("Each phone warns once about the new certificate."), "$quiet"))
        return Content.assemble(*lines)

    def _renewing(self, number: int) -> str:
        offer = self._access.offer()
        here = self._here(offer) if offer else []
        if number >= len(here):
            return ""
        name = here[number].title
        return _("Remove phone: {name}", name=name) if here[number].taken else _("New code: {name}", name=name)

    # --- Handlers and actions ---

    def _renew(self, number: int) -> None:
        offer = self._access.offer()
        here = self._here(offer) if offer else []
        guest = here[number].guest if number < len(here) else None
        if guest is not None:
            self._access.renew(guest)
            self._wait_for_all = self._wait_for_all or guest != SPECTATORS
            self._look()

    def action_leaf(self, by: int = 1) -> None:
        self._page += by
        self._look()


class PhonesDialog(CodesDialog):
    """The codes of a table: one for each person, and one for spectators."""

    def __init__(self, phones: PhoneAccess, sight: Sight) -> None:
        self._sight = sight
        super().__init__(lambda: _("Scan your code: your phone becomes your pad"), phones)

    def show(self, sight: Sight) -> None:
        self._sight = sight
        self._look()

    def tickets(self, offer: PhonesOffer) -> list[Ticket]:
        return tickets(offer, self._sight)

    def all_here(self, offer: PhonesOffer) -> bool:
        return all_here(offer, self._sight)

    def connected(self, offer: PhonesOffer) -> int:
        return sum(bool(offer.counts.get(person)) for person in _persons(self._sight).values())


def _drawn(ticket: Ticket) -> Content:
    """A used code is replaced by the number of its phones."""
    if ticket.taken:
        here = f"{DONE} " + _("{count:phone|phones} connected", count=ticket.taken)
        return Content.assemble((plain(ticket.title, 32), "bold"), "\n\n", (here, "bold $success"))
    return Content.assemble((plain(ticket.title, 32), "bold"), "\n", code(ticket.text))
