"""Who must do what, or what a hunt has just brought: big and short, with one sentence."""

from companion.gamekit import Seat, Told
from companion.gamekit.screen import Headline, Sight
from companion.games.sioux.screen.hunt import Hunt, seats_of, seen
from companion.games.sioux.screen.texts import _, listed
from companion.games.sioux.view import View, dealer


def headline(sight: Sight) -> Headline:
    """A question comes first; where cards are laid again, what the last hunt brought is still to be read."""
    table: View = sight.table
    seats = sight.snapshot.awaiting.seats if sight.snapshot.awaiting else ()
    name = sight.name(seats[0]) if seats else ""
    match table.phase:
        case "name":
            big = (_("{name}: shaman?", "big").format(name=name), _("shaman?", "big"))
            return Headline(big, _("{name}: what does the shaman count?").format(name=name))
        case "crow":
            return _crow(sight, seats)
        case "duel":
            return Headline(
                (_("duel", "big"),), _("Duel: one more card from {names}").format(names=_names(sight, seats))
            )
        case "gifts":
            big = (_("{name}: gifts?", "big").format(name=name), _("gifts?", "big"))
            return Headline(
                big, _("{name}: claim a gift from {names}?").format(name=name, names=_names(sight, table.givers))
            )
        case "dealt":
            return _dealt(sight)
    return _laying(sight, seats)


def _names(sight: Sight, seats: tuple[Seat, ...]) -> str:
    return listed([sight.name(seat) for seat in seats])


def _crow(sight: Sight, seats: tuple[Seat, ...]) -> Headline:
    """S13 Both are asked at the same time; whoever has said no is only named."""
    names = _names(sight, seats)
    big = (_("{name}: crow?", "big").format(name=names), _("crow?", "big"))
    silent = [seat for seat in sight.table.tied if seat not in seats]
    if not silent:
        return Headline(big, _("{names}: call the cunning crow before the swap?").format(names=names))
    other = sight.name(silent[0])
    return Headline(
        big, _("{name}: call the cunning crow before the swap with {other}?").format(name=names, other=other)
    )


def _dealt(sight: Sight) -> Headline:
    """S20 Who deals, and the next supply card of which nobody has said who got it."""
    table: View = sight.table
    value = table.laid_out[len(seats_of(sight.snapshot.draft))]
    short = _("who got {value}?", "big").format(value=value)
    dealing = dealer(table.tied, len(sight.names))
    if dealing is None:
        all_tied = _("One of you shuffles and deals: who got the supply card {value}?").format(value=value)
        return Headline((short,), all_tied)
    name = sight.name(dealing)
    sentence = _("{name} shuffles and deals: who got the supply card {value}?").format(name=name, value=value)
    return Headline((_("{name} deals", "big").format(name=name), short), sentence)


def _laying(sight: Sight, seats: tuple[Seat, ...]) -> Headline:
    lay = _("Lay a card face down: {names}").format(names=_names(sight, seats))
    hunt = seen(sight)
    brought = _brought(sight, hunt) if hunt else ""
    return Headline((*([brought] if brought else []), _("lay a card", "big")), lay)


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
            return _("{name}: gift", "big").format(name=name)
        case "many tied" | "no deer left" | "no prey instead of the deer":
            return _("nothing", "big")
        case "winter comes":
            return _("winter {number}", "big").format(number=told.facts.get("winter"))
    return ""
