"""The face of Sioux: its headline, its buttons, its questions."""

from collections.abc import Mapping, Sequence
from typing import Any

from textual.content import Content

from companion.gamekit import Seat, Told
from companion.gamekit.enrolment import Values
from companion.gamekit.screen import Action, Call, Command, Face, Headline, Menu, Sight
from companion.games.sioux.colours import NO_HUE, WINTER_HUES
from companion.games.sioux.components import Box
from companion.games.sioux.options import Options
from companion.games.sioux.screen import TEXTS, _, board, hunt_outcome, questions
from companion.games.sioux.screen.hunt_outcome import Hunt, seats_of, seen
from companion.games.sioux.sentences import PIECES, PLACES, RULINGS, SENTENCES, word
from companion.games.sioux.view import OwnHand, View, dealer

# --- The headline ---------------------------------------------------------------------------------------------


def headline(sight: Sight) -> Headline:
    """A question comes first; where cards are laid again, what the last hunt brought is still to be read."""
    table: View = sight.table
    seats = sight.snapshot.awaiting.seats if sight.snapshot.awaiting else ()
    name = sight.name(seats[0]) if seats else ""
    match table.phase:
        case "name":
            big = (_("{name}: shaman?", "big", name=name), _("shaman?", "big"))
            return Headline(big, _("{name}: what does the shaman count?", name=name))
        case "crow":
            return _crow(sight, seats)
        case "duel":
            return Headline((_("duel", "big"),), _("Duel: one more card from {names}", names=_names(sight, seats)))
        case "gifts":
            big = (_("{name}: gifts?", "big", name=name), _("gifts?", "big"))
            return Headline(big, _("{name}: claim a gift from {names}?", name=name, names=_names(sight, table.givers)))
        case "dealt":
            return _dealt(sight)
    return _laying(sight, seats)


def _names(sight: Sight, seats: tuple[Seat, ...]) -> tuple[str, ...]:
    return tuple(sight.name(seat) for seat in seats)


def _crow(sight: Sight, seats: tuple[Seat, ...]) -> Headline:
    """S13 Both are asked at the same time; a player who has said no is only named."""
    names = _names(sight, seats)
    big = (_("{name}: crow?", "big", name=names), _("crow?", "big"))
    silent = [seat for seat in sight.table.tied if seat not in seats]
    if not silent:
        return Headline(big, _("{names}: call the cunning crow before the swap?", names=names))
    other = sight.name(silent[0])
    return Headline(big, _("{name}: call the cunning crow before the swap with {other}?", name=names, other=other))


def _dealt(sight: Sight) -> Headline:
    """S20 Who deals, and the next supply card whose new owner is not known yet."""
    table: View = sight.table
    value = table.laid_out[len(seats_of(sight.snapshot.draft))]
    short = _("who got {value}?", "big", value=value)
    dealing = dealer(table.tied, len(sight.names))
    if dealing is None:
        all_tied = _("One of you shuffles and deals: who got the supply card {value}?", value=value)
        return Headline((short,), all_tied)
    name = sight.name(dealing)
    sentence = _("{name} shuffles and deals: who got the supply card {value}?", name=name, value=value)
    return Headline((_("{name} deals", "big", name=name), short), sentence)


def _laying(sight: Sight, seats: tuple[Seat, ...]) -> Headline:
    lay = _("Lay a card face down, the best one wins prey: {names}", names=_names(sight, seats))
    hunt = seen(sight)
    brought = _brought(sight, hunt) if hunt else ""
    yours = _("Lay a card face down, the best one wins prey")
    return Headline((*([brought] if brought else []), _("lay a card", "big")), lay, yours)


def _brought(sight: Sight, hunt: Hunt) -> str:
    """What the last hunt brought, in a few big letters; "" for nothing."""
    for told in reversed(hunt.lines):
        text = _big(sight, told)
        if text:
            return text
    return ""


def _big(sight: Sight, told: Told) -> str:
    seat = told.facts.get("seat")
    name = sight.name(seat if isinstance(seat, int) else None)
    match told.what:
        case "wins prey" | "wins the duel":
            return f"{name} +{told.facts.get('value')}"
        case "takes the deer" | "steals the deer":
            return f"{name} +3"
        case "takes other prey" | "steals other prey":
            return f"{name} +{told.facts.get('value')}"
        case "swap":
            return _("swap!", "big")
        case "gets a gift":
            return _("{name}: gift", "big", name=name)
        case "many tied" | "no deer left" | "no prey instead of the deer":
            return _("nothing", "big")
        case "winter comes":
            return _("winter {number}", "big", number=told.facts.get("winter"))
    return ""


# --- The face -------------------------------------------------------------------------------------------------


class Sioux(Face):
    view_type, box_type, own_type, options = View, Box, OwnHand, Options
    texts, sentences, rulings = TEXTS, SENTENCES, RULINGS
    word, piece_words, place_words = staticmethod(word), PIECES, PLACES
    reveals = frozenset({"winter comes", "is dealt supply"})
    """The winter alone: the cards of a hunt lie open on the table itself, and nothing should cover them."""
    rounds = frozenset({"lays", "last card", "after the winter"})
    leaps = frozenset({"revealed"})
    order = tuple(WINTER_HUES)

    @property
    def spoken(self) -> frozenset[str]:
        return frozenset({"revealed", "duel revealed"})

    def commands(self, sight: Sight | None = None) -> Sequence[Command]:
        return (
            Command("play", ("p", "space"), _("Lay"), "success"),
            Command("duel", ("p", "space"), _("Duel"), "success"),
            Command("name", ("s", "space"), _("Shaman"), "success"),
            Command("crow", ("c",), _("Call crow"), "success", takes=lambda action: bool(action["call"])),
            Command("crow", ("x",), _("No crow"), "error", takes=lambda action: not action["call"]),
            Command("gifts", ("g", "space"), _("Gifts"), "success", takes=lambda action: bool(action["from"])),
            Command("gifts", ("x",), _("No gift"), "error", takes=lambda action: not action["from"]),
            Command("dealt", ("d", "space"), _("Dealt"), "success"),
        )

    def hand(self, sight: Sight, choosing: bool) -> Content:
        return questions.hand(sight, choosing)

    def legend(self, sight: Sight) -> Content:
        return board.legend(sight)

    def headline(self, sight: Sight) -> Headline:
        return headline(sight)

    def in_words(self, sight: Sight) -> Sequence[str]:
        return board.in_words(sight)

    def panels(self, sight: Sight, width: int, tall: bool) -> Sequence[Content]:
        return board.panels(sight, width, tall)

    def phone_panels(self, sight: Sight, width: int) -> Sequence[Content]:
        return board.phone_panels(sight, width)

    def grown(self, sight: Sight, width: int) -> Sequence[Content]:
        return board.grown(sight, width)

    def choices(self, sight: Sight, actions: Sequence[Action]) -> Menu:
        return questions.menu(sight, actions)

    def calls(self, sight: Sight, lines: Sequence[Told], width: int, tall: bool) -> Sequence[Call | None]:
        return [hunt_outcome.call(sight, told, width) for told in lines]

    def readable(self, sight: Sight) -> Sequence[Told]:
        return hunt_outcome.readable(sight)

    def part(self, for_: str) -> str:
        return _("winter {number}", number=for_.removeprefix("winter "))

    def hue(self, for_: str) -> str:
        return WINTER_HUES.get(for_, NO_HUE)

    def piece(self, facts: Mapping[str, Any], values: Values, box: Mapping[str, Any]) -> Content:
        """The card that an enrolment asks about."""
        return board.printed(str(facts["card"])) if "card" in facts else Content("")


FACE = Sioux()
