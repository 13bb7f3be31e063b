"""What a hunt brought, piece by piece: who gets which animals from whom, and who gets which supply card."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace
from rich.cells import cell_len, set_cell_size
from textual.content import Content

from companion.gamekit import Seat, Told
from companion.gamekit.screen import Call, Sight, big, huge
from companion.gamekit.sign_table import RIGHT
from companion.games.sioux import colours
from companion.games.sioux.colours import INK, AnimalKind, kinds
from companion.games.sioux.components import CROW_VALUE, SHAMAN_VALUES, Box
from companion.games.sioux.screen import _
from companion.games.sioux.view import View

# --- A hunt, read from the open cards and the newest lines of the history -------------------------------------

REVEALED, SECONDS = "revealed", "duel revealed"

UNSPOKEN = frozenset(
    {
        *("lays", REVEALED, SECONDS, "names a value", "no value is free", "several shamans", "named"),
        *("many tied", "two tied", "hunter played", "several crows", "both crows", "no crow"),
    }
)
"""S24 What the history no longer says when a round is over: it would remember the cards for the players."""
INSTEAD = {
    "wins prey": "wins the duel",
    "steals the deer": "takes the deer",
    "steals other prey": "takes other prey",
}
"""The same without the cards: the prey is open at any time."""


class Hunt(NamedTuple):
    """One hunt as far as it has come to light."""

    cards: tuple[str, ...]
    """Seat by seat."""
    lines: tuple[Told, ...] = ()
    """What has been said since the reveal."""

    def fact(self, what: str, name: str) -> object:
        """A fact of the newest line of this kind; None if there is no such line."""
        found = [line.facts.get(name) for line in self.lines if line.what == what]
        return found[-1] if found else None

    def seconds(self) -> dict[Seat, str]:
        """The cards of the duel, once they are revealed."""
        return paired(self.fact(SECONDS, "seats"), self.fact(SECONDS, "cards_in_order"))

    def counts(self, seat: Seat, box: Box) -> int | None:
        """What a player's card counts; None for the hunter, and for a shaman whose value is not named yet."""
        known = {card.id: card for card in box.tribe}.get(self.cards[seat])
        if known is None:
            return None
        if known.kind == "crow":
            return CROW_VALUE
        return known.value if known.kind is None else self._shaman()

    def _shaman(self) -> int | None:
        said = self.fact("named", "value") or self.fact("no value is free", "value")
        if isinstance(said, int):
            return said
        return SHAMAN_VALUES[0] if self.fact("several shamans", "value") else None

    def tied(self) -> tuple[Seat, ...]:
        return seats_of(self.fact("two tied", "seats")) or seats_of(self.fact("many tied", "seats"))


def paired(seats: object, cards: object) -> dict[Seat, str]:
    if isinstance(seats, Sequence) and isinstance(cards, Sequence):
        return {seat: str(card) for seat, card in zip(seats, cards, strict=False) if isinstance(seat, int)}
    return {}


def seats_of(fact: object) -> tuple[Seat, ...]:
    return tuple(seat for seat in fact if isinstance(seat, int)) if isinstance(fact, Sequence) else ()


def seen(sight: Sight) -> Hunt | None:
    """S24 The open hunt; also the last one, until a player lays a card for the next."""
    table: View = sight.table
    lines = since_reveal(sight)
    told = revealed_cards(lines, len(sight.names))
    if table.open:
        return Hunt(table.open, lines if told == table.open else ())
    if any(table.laid) or not told:
        return None
    return Hunt(told, lines)


def since_reveal(sight: Sight) -> tuple[Told, ...]:
    """From the newest reveal on; nothing if it was taken back, or if another game has begun."""
    lines: list[Told] = []
    void: set[int] = set()
    for told in reversed(sight.snapshot.history):
        if told.kind == "undone" or told.what == "a new game":
            break
        void.update(told.voids)
        if told.kind == "accepted" and told.entry not in void:
            lines.append(told)
            if told.what == REVEALED:
                return tuple(reversed(lines))
    return ()


def first_of_round(sight: Sight) -> int:
    """The number of the first line that belongs to what is seen: to the open hunt, or to the cards being laid."""
    hunt = seen(sight)
    if hunt is not None:
        return hunt.lines[0].number if hunt.lines else 0
    accepted = [told for told in sight.snapshot.history if told.kind == "accepted"]
    over = [told.number for told in accepted if told.what != "lays"]
    return over[-1] + 1 if over else 0


def revealed_cards(lines: Sequence[Told], players: int) -> tuple[str, ...]:
    cards = paired(lines[0].facts.get("seats"), lines[0].facts.get("cards_in_order")) if lines else {}
    return tuple(cards[seat] for seat in range(players)) if set(cards) == set(range(players)) else ()


def readable(sight: Sight) -> list[Told]:
    """S24 The history, lines of earlier rounds without their cards."""
    first = first_of_round(sight)
    return [
        replace(told, what=INSTEAD[told.what]) if told.number < first and told.what in INSTEAD else told
        for told in sight.snapshot.history
        if told.number >= first or told.kind != "accepted" or told.what not in UNSPOKEN
    ]


SUPPLY = f"bold {INK} on {colours.SUPPLY}"
HUNTER = f"bold {INK} on {colours.HUNTER}"
NAME = 10
"""So many letters of a name where there is little room."""
WIDE = 150
"""From this width on cards of a winter are twice as large."""
GAP = "   "
GETS_SUPPLY = ("gets supply", "gets supply by animals", "is dealt supply")
TIED_FOR = ("tied for supply", "all tied for supply")


def lines(sight: Sight, hunt: Hunt | None, width: int, rows: int) -> list[Content]:
    """What happened and what is being asked, in exactly so many rows; the newest, if not all fits."""
    for pieces, gap in (
        (_pieces(sight, hunt, True), GAP),
        (_pieces(sight, hunt, False), GAP),
        (_winter(sight, hunt), " "),
    ):
        packed = _packed(pieces, width, gap)
        if packed and len(packed) <= rows:
            return packed + [Content("")] * (rows - len(packed))
    packed = _packed(_pieces(sight, hunt, False), width, GAP)[-rows:]
    return packed + [Content("")] * (rows - len(packed))


def _packed(pieces: Sequence[Content], width: int, gap: str) -> list[Content]:
    """As many beside one another as fit."""
    rows: list[Content] = []
    for piece in pieces:
        if rows and rows[-1].cell_length + len(gap) + piece.cell_length <= width - 1:
            rows[-1] = Content.assemble(rows[-1], gap, piece)
        else:
            rows.append(Content.assemble(" ", piece).truncate(width, ellipsis=True))
    return rows


def _winter(sight: Sight, hunt: Hunt | None) -> list[Content]:
    """Where nothing else fits: who gets which supply card, as short as can be."""
    told = [line for line in (hunt.lines if hunt else ()) if line.what in GETS_SUPPLY]
    asked = [_dealt(sight, False)] if sight.table.phase == "dealt" else []
    handed_out = [
        Content.assemble(
            (f" {line.facts.get('value')} ", SUPPLY), (_name(sight, line.facts.get("seat"), False)[:6], "bold")
        )
        for line in told
    ]
    return handed_out + asked


def _pieces(sight: Sight, hunt: Hunt | None, full: bool) -> list[Content]:
    drawn = [piece(sight, told, full) for told in (hunt.lines if hunt else ())]
    found = [each for each in drawn if each is not None]
    table: View = sight.table
    if table.phase == "gifts" and sight.snapshot.awaiting:
        claimant = sight.snapshot.awaiting.seats[0]
        found += [_gift(sight, giver, claimant, full) for giver in table.givers]
    if table.phase == "dealt":
        found.append(_dealt(sight, full))
    return found


# --- What happened --------------------------------------------------------------------------------------------


def piece(sight: Sight, told: Told, full: bool) -> Content | None:
    """One line of the history as a picture; None where nothing changes hands."""
    draw = _PIECES.get(told.what)
    return draw(sight, told, full) if draw else None


def _name(sight: Sight, seat: object, full: bool) -> str:
    name = sight.name(seat if isinstance(seat, int) else None)
    return name if full or cell_len(name) <= NAME else set_cell_size(name, NAME - 1) + "…"


def _animals(sight: Sight, told: Told, full: bool) -> Content:
    animals = told.facts.get("animals")
    names = [str(name) for name in animals] if isinstance(animals, Sequence) else []
    return herd(names, sight.box, full=full) if names else Content.styled(_("nothing"), "$quiet")


def _wins(sight: Sight, told: Told, full: bool) -> Content:
    """13 − 9 = 4 → Anna  1 bear"""
    facts = told.facts
    worth = f"{facts.get('value')}"
    sum_ = f"{facts['highest']} − {facts['second']} = {worth}" if "highest" in facts else worth
    return Content.assemble(
        (sum_, "bold"), f" {RIGHT} ", (_name(sight, facts.get("seat"), full), "bold"), " ", _animals(sight, told, full)
    )


def _deer(sight: Sight, told: Told, full: bool) -> Content:
    source = _("crow") if told.what in ("steals the deer", "steals other prey") else _("hunter")
    name = _name(sight, told.facts.get("seat"), full)
    return Content.assemble((source, "bold"), f" {RIGHT} ", (name, "bold"), " ", _animals(sight, told, full))


def _passes(sight: Sight, told: Told, full: bool) -> Content:
    """Ben → Anna  1 rabbit"""
    owner, seat = (_name(sight, told.facts.get(who), full) for who in ("owner", "seat"))
    return Content.assemble((owner, "bold"), f" {RIGHT} ", (seat, "bold"), " ", _animals(sight, told, full))


def _supply(sight: Sight, told: Told, full: bool) -> Content:
    name = _name(sight, told.facts.get("seat"), full)
    return Content.assemble((f" {told.facts.get('value')} ", SUPPLY), f" {RIGHT} ", (name, "bold"))


def _hunter_card(sight: Sight, told: Told, full: bool) -> Content:
    name = _name(sight, told.facts.get("seat"), full)
    return Content.assemble((f" {_('hunter')} ", HUNTER), f" {RIGHT} ", (name, "bold"))


def _sentence(sight: Sight, told: Told, full: bool) -> Content:
    return Content(sight.say(told))


def _many_tied(sight: Sight, told: Told, full: bool) -> Content:
    """Too many names for one row."""
    return Content(sight.say(told)) if full else Content(_("three or more are tied: nothing happens"))


def _lapses(sight: Sight, told: Told, full: bool) -> Content:
    return Content.styled(_("{value} lapses", value=told.facts.get("value")), "$quiet")


_PIECES: dict[str, Callable[[Sight, Told, bool], Content]] = {
    "wins prey": _wins,
    "wins the duel": _wins,
    "lapses": _lapses,
    "many tied": _many_tied,
    "takes the deer": _deer,
    "steals the deer": _deer,
    "takes other prey": _deer,
    "steals other prey": _deer,
    "no deer left": _sentence,
    "no prey instead of the deer": _sentence,
    "breaks the tie": _sentence,
    "no crow": _sentence,
    "both crows": _sentence,
    "gets in the swap": _passes,
    "gets a gift": _passes,
    **dict.fromkeys(GETS_SUPPLY, _supply),
    "hunter card": _hunter_card,
}


# --- A winter, step by step -----------------------------------------------------------------------------------


def call(sight: Sight, told: Told, width: int) -> Call | None:
    """S20 Who gets which supply card, large: the card itself, and the prey that it was given for."""
    seat, value = told.facts.get("seat"), told.facts.get("value")
    if told.what == "winter comes":
        return Call((_("winter {number}", "big", number=told.facts.get("winter")),), _laid_out(sight, told, width))
    if told.what == "hunter card":
        return Call((sight.name(seat if isinstance(seat, int) else None),), _large(_("hunter"), HUNTER, width))
    if told.what not in GETS_SUPPLY or not isinstance(seat, int):
        return None
    name = sight.name(seat)
    return Call((f"{name} +{value}", name, f"+{value}"), _large(str(value), SUPPLY, width))


def _laid_out(sight: Sight, told: Told, width: int) -> Content:
    """The supply cards that this winter gives, the highest first."""
    same = [line for line in sight.snapshot.history if line.entry == told.entry and line.number > told.number]
    values = [str(line.facts.get("value")) for line in same if line.what in GETS_SUPPLY]
    values += [str(value) for line in same if line.what in TIED_FOR for value in _values(line)]
    cards = [_large(value, SUPPLY, width).split("\n") for value in values]
    return Content("\n").join([Content("  ").join(rows) for rows in zip(*cards, strict=True)])


def _values(told: Told) -> Sequence[object]:
    values = told.facts.get("values")
    return values if isinstance(values, Sequence) else ()


def _large(text: str, style: str, room: int) -> Content:
    """A card with big letters on it, twice as large on a screen on the wall."""
    rows: Sequence[str] = (huge(text) if room >= WIDE else None) or big(text) or (text,)
    margin = 5 if room >= WIDE else 2
    width = max(map(cell_len, rows)) + 2 * margin
    lines = [" " * width, *((" " * margin + row).ljust(width) for row in rows), " " * width]
    return Content("\n").join([Content.styled(line, style) for line in lines])


# --- What is being asked --------------------------------------------------------------------------------------


def smallest(sight: Sight, giver: Seat) -> list[str]:
    """S16 The animal that a player would give: one of their smallest kind."""
    prey = sight.table.prey[giver]
    return [kind.name for kind in kinds(sight.box, _) if prey.get(kind.name)][:1]


def _gift(sight: Sight, giver: Seat, claimant: Seat, full: bool) -> Content:
    """What could be claimed: Ben → Anna 1 rabbit ?"""
    names = [_name(sight, seat, full) for seat in (giver, claimant)]
    given = herd(smallest(sight, giver), sight.box, full=full) if smallest(sight, giver) else Content(_("nothing"))
    return Content.assemble(names[0], f" {RIGHT} ", names[1], " ", given, (" ?", "bold"))


def _dealt(sight: Sight, full: bool) -> Content:
    """Which supply cards are being dealt, and who is known to have got one."""
    named = seats_of(sight.snapshot.draft)
    values = sight.table.laid_out[: len(sight.table.tied)]
    known = [_name(sight, seat, full) for seat in named] + ["?"] * (len(values) - len(named))
    drawn = [
        Content.assemble((f" {value} ", SUPPLY), f" {RIGHT} {name}") for value, name in zip(values, known, strict=False)
    ]
    return Content(GAP).join(drawn)


# --- Animals --------------------------------------------------------------------------------------------------


def herd(animals: Sequence[str], box: Box, *, full: bool) -> Content:
    """These animals, the most valuable first: with their words, or only with letters and numbers."""
    counted = {kind: animals.count(kind.name) for kind in reversed(kinds(box, _))}
    return chips({kind: count for kind, count in counted.items() if count}, full=full)


def chips(counted: Mapping[AnimalKind, int], *, full: bool) -> Content:
    drawn = []
    for kind, count in counted.items():
        label = f" {count} {kind.word} " if full else f" {kind.sign} {count} "
        drawn.append(Content.styled(label, kind.style))
    return Content(" ").join(drawn)
