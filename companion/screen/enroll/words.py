"""What is said while a box is gone through, in the reader's language."""

from collections import Counter

from companion.enrolment.course import Standing
from companion.enrolment.darwinci import SHAPES
from companion.enrolment.step import NONE, Complaint, Field, Several, Step, Value
from companion.games.carnuta.words import face, ingredient
from companion.games.darwinci.components import Tile
from companion.games.darwinci.words import jewel, number, shape, shape_of
from companion.games.lascaux.words import animal, colour
from companion.games.sioux.words import animal as prey
from companion.screen.face import Headline
from companion.screen.text import _, language
from companion.wording import plain

_EDGES = "N E S W NS EW NE ES SW NW NES ESW NSW NEW NESW"
BONES = dict(zip(_EDGES.split(), "╹╺╻╸┃━┗┏┓┛┣┳┫┻╋", strict=True))
"""A bone as it looks on the tile."""
LENGTH = 60


# --- Steps ----------------------------------------------------------------------------------------------------


def headline(step: Step) -> Headline:
    return Headline((title(step),), _sentence(step))


def title(step: Step) -> str:
    """Short, for the big letters, and to name a piece elsewhere."""
    facts = {name: plain(_fact(step, name, fact), 20) for name, fact in step.facts.items()}
    texts = {
        "lascaux colours": _("Colours", "big"),
        "lascaux card": _("{animal} {number}", "big"),
        "lascaux marker": _("{colour} {set}", "big"),
        "sioux tribe": _("Tribe", "big"),
        "sioux prey": _("Prey", "big"),
        "sioux supply": _("Supply", "big"),
        "sioux card": _("{card}: set {set}", "big"),
        "sioux hunter": _("Hunter", "big"),
        "darwinci sheet": _("Tiles", "big"),
        "darwinci tile": _("Tile {number}", "big"),
        "darwinci marker": _("{jewel} {set}", "big"),
        "carnuta card": _("Card {number}", "big"),
        "carnuta bonus": _("Bonus {ingredient}", "big"),
        "carnuta marker": _("Marker {set}", "big"),
    }
    return texts[step.what].format(**facts)


def _sentence(step: Step) -> str:
    facts = {name: plain(_fact(step, name, fact), 20) for name, fact in step.facts.items()}
    texts = {
        "lascaux colours": _("Which six colours do your markers have?"),
        "lascaux card": _("{animal}, card {number} of {of}: which colours does it show? Then tap it."),
        "lascaux marker": _("Tap the marker {colour} of set {set} of {of}."),
        "sioux tribe": _("Which values have the nine plain cards of a tribe?"),
        "sioux prey": _("How many prey cards are there of each animal? {cards} in all."),
        "sioux supply": _("Which values have the {cards} supply cards of each winter?"),
        "sioux card": _("Tap the card {card} of set {set} of {of}."),
        "sioux hunter": _("Tap the consecrated hunter."),
        "darwinci sheet": _("How many tiles are there, and which kinds of jewellery?"),
        "darwinci tile": _("Any tile, {number} of {of}: what is printed on it? Then tap it."),
        "darwinci marker": _("Tap the jewellery marker {jewel} of set {set} of {of}."),
        "carnuta card": _("Any card, {number} of {of}: what is printed on it? Then tap it."),
        "carnuta bonus": _("Tap the bonus ingredient {ingredient}."),
        "carnuta marker": _("Tap the marker of board {set} of {of}."),
    }
    return texts[step.what].format(**facts)


def _fact(step: Step, name: str, fact: str | int) -> str:
    text = language().text
    if not isinstance(fact, str):
        return str(fact)
    if step.what == "sioux card":
        return {"crow": _("crow"), "shaman": _("shaman")}.get(fact, fact)
    words = {"animal": animal, "colour": colour, "jewel": jewel, "ingredient": ingredient}
    return words[name](fact, text)


# --- Fields ---------------------------------------------------------------------------------------------------


def label(field: Field) -> str:
    """What is asked."""
    if field.key.startswith("count "):
        return plain(prey(field.about, language().text), 20)
    if field.key.startswith("winter "):
        return _("Winter {number}").format(number=field.about)
    texts = {
        "colours": _("Colours"),
        "pair": _("Colours"),
        "values": _("Values"),
        "tiles": _("Tiles"),
        "kinds": _("Jewellery"),
        "bones": _("Bones"),
        "value": _("Value"),
        "jewels": _("Jewellery"),
        "ingredient": _("Ingredient"),
        "deck": _("Deck"),
        "symbols": _("Symbols"),
        "cost": _("Cost"),
        "points": _("Points"),
        "per": _("For each set of"),
    }
    return texts[field.key]


def told(field: Field, value: Value) -> str:
    """What is chosen, in one line."""
    if isinstance(value, str):
        return option(field, value)
    words = Counter(option(field, each) for each in value).items()
    return ", ".join(word if count == 1 else f"{count} × {word}" for word, count in words) or _("none", "printed")


def option(field: Field, value: str) -> str:
    return plain(_option(field.key, value), LENGTH)


def _option(key: str, value: str) -> str:
    text = language().text
    if value == NONE:
        return _("none", "printed")
    match key:
        case "colours":
            return colour(value, text)
        case "pair":
            return "/".join(colour(name, text) for name in value.split("/"))
        case "kinds" | "jewels":
            return jewel(value, text)
        case "bones":
            drawn = " ".join(BONES[group] for group in SHAPES[value])
            return f"{drawn} {shape(shape_of(Tile('', SHAPES[value])), text)}"
        case "value":
            return number(int(value))
        case "ingredient" | "symbols" | "per":
            return ingredient(value, text)
        case "deck":
            return face(value, text)
        case "cost":
            return cost(value)
    return value


def cost(value: str) -> str:
    texts = {
        "flip sun": _("turn a sun"),
        "flip moon": _("turn a moon"),
        "remove sun": _("remove a sun"),
        "remove moon": _("remove a moon"),
    }
    return texts[value]


def how_many(field: Several, value: tuple[str, ...]) -> str:
    """How much is chosen, and how much is asked for."""
    if field.least == field.most:
        return _("{chosen} of {most}").format(chosen=len(value), most=field.most)
    return _("{chosen}, at most {most}").format(chosen=len(value), most=field.most)


# --- Complaints -----------------------------------------------------------------------------------------------


def complaint(said: Complaint, now: Standing) -> str:
    facts = {name: plain(str(fact), LENGTH) for name, fact in said.facts.items()}
    if "step" in facts:
        facts["piece"] = title(now.step(str(said.facts["step"])))
    if "field" in facts:
        asked = next(field for step in now.waiting[:1] for field in step.fields if field.key == said.facts["field"])
        facts["field"] = label(asked)
    if "game" in facts:
        facts["game"] = facts["game"].capitalize()
    texts = {
        "all done": _("Everything is enrolled already."),
        "no tag here": _("No piece is asked for now: first say what is printed, then go on with Next."),
        "tag on another piece": _("This tag sits on another piece already: {piece}. Nothing was changed."),
        "tag of another game": _("This tag sits on a piece of {game}. Nothing was changed."),
        "cannot be": _("{field}: choose as many as are asked for."),
        "sioux prey sum": _("There are {cards} prey cards, these are {total}."),
        "sheets come first": _("This is needed for all that follows: it cannot wait."),
        "the last one": _("This is the last one: it cannot wait for another."),
        "nothing to take back": _("There is nothing to take back."),
        "two tags": _("Two tags at once: {uids}. Lift them, and lay down the one that is meant."),
        "unclear": _("Several tags lie there, too close to be told apart. Lay down one, alone."),
        "lay it again": _("A tag lay there already: lift it, and lay it down again."),
    }
    return texts[said.what].format(**facts)
