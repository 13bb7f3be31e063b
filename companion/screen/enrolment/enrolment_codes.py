"""The code for a phone that reads the stickers of a box."""

from companion.language.screen_language import _
from companion.messages.phone_access import ENROLLER, PhoneAccess, PhonesOffer
from companion.screen.screens.phone_codes import CodesDialog, Ticket, first_tickets


class EnrolmentCodes(CodesDialog):
    def __init__(self, phones: PhoneAccess) -> None:
        super().__init__(lambda: _("Scan the code with an Android phone: it reads the stickers"), phones)

    def tickets(self, offer: PhonesOffer) -> list[Ticket]:
        taken = self.come(offer)
        return [*first_tickets(offer), Ticket(_("Enrol a box"), offer.links.get(ENROLLER, ""), ENROLLER, taken)]

    def all_here(self, offer: PhonesOffer) -> bool:
        return self.come(offer) > 0

    def come(self, offer: PhonesOffer) -> int:
        return offer.counts.get(ENROLLER, 0)
