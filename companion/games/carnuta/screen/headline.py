"""Who must do what at a table of Carnuta, in big letters and in one sentence."""

from companion.gamekit import Told
from companion.gamekit.screen import Headline, Sight
from companion.games.carnuta import view
from companion.games.carnuta.screen import signs
from companion.games.carnuta.screen.board import acting
from companion.games.carnuta.screen.menus import runes_flipped, runes_taken
from companion.games.carnuta.screen.texts import _, plural

HAND = 3
ELEVEN = ("has eleven cards", "eleven cards in the last round", "also has eleven cards")
ALONG = ("may choose a bonus", "opens a slot", *ELEVEN, "check the board")
"""What may be said together with a payment, after it."""


def headline(sight: Sight) -> Headline:
    """What hands have begun to say with the buttons comes first: everybody should see the question."""
    name = sight.name(acting(sight))
    shown = _by_phase(sight, name)
    half = drafted(sight)
    return Headline(shown.big, half) if half else shown


def _by_phase(sight: Sight, name: str) -> Headline:
    table: view.View = sight.table
    if table.phase == "start":
        return Headline(
            (_("{name}: start card", "big").format(name=name), name),
            _("{name} gets a secret start card").format(name=name)
            if sight.snapshot.options.get("start_card") != "played"
            else _("{name} gets a start card and lays it out").format(name=name),
        )
    if table.phase == "deal" and table.due is not None:
        row = signs.faces(table.due)
        return Headline(
            (_("deal: {row}", "big").format(row=row), row),
            _("{name}: deal a card into the row ({row})").format(name=name, row=row),
        )
    if table.phase == "bonus":
        words = _("{name}: choose a bonus ingredient").format(name=name)
        big = (_("{name}: bonus", "big").format(name=name), name)
        return Headline(big, _paid_first(sight, words, _("choose a bonus")))
    return _turn(sight, name) if table.actions_left else _end_of_turn(sight, name)


def _turn(sight: Sight, name: str) -> Headline:
    left = plural("{count} action", "{count} actions", sight.table.actions_left)
    return Headline((f"{name}: {left}", name), _paid_first(sight, f"{name}: {_possible(sight)}", left))


def _possible(sight: Sight) -> str:
    """Only what can be done now: each of it has a button."""
    awaiting = sight.snapshot.awaiting
    can = {do: awaiting is not None and do in awaiting.do for do in ("take", "play", "runes", "flip")}
    cards = {
        (True, True): _("take or play a card"),
        (True, False): _("take a card"),
        (False, True): _("play a card"),
    }
    runes = {
        (True, True): _("take or flip runes"),
        (True, False): _("take runes"),
        (False, True): _("flip runes"),
    }
    words = cards.get((can["take"], can["play"])), runes.get((can["runes"], can["flip"]))
    return ", ".join(word for word in words if word)


def _end_of_turn(sight: Sight, name: str) -> Headline:
    table: view.View = sight.table
    seat = acting(sight) or 0
    over = table.hands[seat] - HAND
    if over > 0:
        words = plural("discard {count} card", "discard {count} cards", over)
        big = (_("{name}: discard", "big").format(name=name), name)
        return Headline(big, _paid_first(sight, f"{name}: {words}", words))
    words = _("{name}: {suns}, {moons}, marker on {marker}. Done?").format(
        name=name, suns=suns(table.runes[seat].sun), moons=moons(table.runes[seat].moon), marker=table.marker[seat]
    )
    big = (_("{name}: done?", "big").format(name=name), name)
    return Headline(big, _paid_first(sight, words, _("then look at the board")))


# --- Which runes to turn --------------------------------------------------------------------------------------


def _paid_first(sight: Sight, words: str, short: str) -> str:
    """C5 As long as nothing else happens, what the newest payment asks hands to do."""
    paid = payment(sight)
    return f"{paid} · {short}" if paid else words


def payment(sight: Sight) -> str:
    """Which runes to turn and which to remove, if a card was played just now; otherwise nothing."""
    turned: list[str] = []
    removed: list[str] = []
    for told in reversed(sight.snapshot.history):
        if told.what in ("turns runes", "removes runes"):
            (turned if told.what == "turns runes" else removed).insert(0, _runes(told))
        elif told.what == "plays a card":
            turn = [_("turn {runes}").format(runes=" + ".join(turned))] if turned else []
            remove = [_("remove {runes}").format(runes=" + ".join(removed))] if removed else []
            return ", ".join(turn + remove)
        elif told.kind == "accepted" and told.what not in ALONG:
            break
    return ""


def _runes(told: Told) -> str:
    count = told.facts.get("count")
    return (suns if told.facts.get("face") == "sun" else moons)(count) if isinstance(count, int) else ""


def suns(count: int) -> str:
    return plural("{count} sun", "{count} suns", count)


def moons(count: int) -> str:
    return plural("{count} moon", "{count} moons", count)


# --- What hands have begun to say -----------------------------------------------------------------------------

_ASKED = {
    "runes": "take runes?",
    "flip": "flip runes?",
    "sickle": "spend a sickle?",
    "take": "take a card?",
    "discard": "discard?",
    "bonus": "choose a bonus?",
    "play": "play a card?",
}


def drafted(sight: Sight) -> str:
    """The question that the green button steps through; "" if there is none. C17 A start card is never named."""
    draft = sight.snapshot.draft
    what = _ASKED.get(draft.get("do", "")) if isinstance(draft, dict) else None
    if what is None:
        return ""
    facts = {name: fact for name, fact in draft.items() if name in ("seat", "face", "row", "card", "ingredient")}
    if what == "take runes?":
        facts["count"] = runes_taken(sight, draft)
    if what == "flip runes?":
        facts["count"] = runes_flipped(sight, draft)
    if what == "play a card?":
        own = {card.id: card.ingredient for card in sight.box.cards}
        facts["ingredient"] = draft.get("as") or own.get(draft["card"], "")
    return sight.say(Told(0, "noted", what, None, facts))
