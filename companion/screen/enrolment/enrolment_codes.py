"""The code for a phone that reads the stickers of a box, or player cards."""

from companion.language.screen_language import _
from companion.messages.phone_access import ENROLLER, PhoneAccess, PhonesOffer
from companion.screen.screens.phone_codes import CodesDialog, Ticket, first_tickets


class EnrolmentCodes(CodesDialog):
    """The code for a phone that enrols a box, or that reads player cards."""

    def __init__(self, phones: PhoneAccess, *, cards: bool = False) -> None:
        super().__init__(_read_cards if cards else _read_stickers, phones)
        self._cards = cards

    def tickets(self, offer: PhonesOffer) -> list[Ticket]:
        taken = self.connected(offer)
        title = _("Player cards") if self._cards else _("Enrol a box")
        return [*first_tickets(offer), Ticket(title, offer.links.get(ENROLLER, ""), ENROLLER, taken)]

    def all_here(self, offer: PhonesOffer) -> bool:
        return self.connected(offer) > 0

    def connected(self, offer: PhonesOffer) -> int:
        return offer.counts.get(ENROLLER, 0)


def _read_stickers() -> str:
    return _("Scan the code with an Android phone: it reads the stickers")


def _read_cards() -> str:
    return _("Scan the code with an Android phone: it reads player cards")
