"""A box of Sioux: the values of a tribe, how much prey there is, the supply of three winters; then five tribes of
cards, and the hunter. Prey and supply cards carry no tags."""

from companion.gamekit import N_, Translate
from companion.gamekit.enrolment import (
    Answers,
    Complaint,
    Data,
    EnrolmentPlan,
    EnrolmentStep,
    OneOf,
    Several,
    Values,
    chosen,
    numbers,
    one,
    several,
)
from companion.games.sioux.components import (
    KINDS,
    LOWEST_PLAIN_VALUE,
    PREY_CARDS,
    SHAMAN_VALUES,
    SUPPLY_PER_WINTER,
    TRIBE_CARDS,
    TRIBE_SETS,
)
from companion.games.sioux.sentences import animal

PLAIN_CARDS = TRIBE_CARDS - len(KINDS)
MOST_VALUE, MOST_SUPPLY = 20, 15
"""Higher than anything that is printed, we suppose."""


def _tribe_sheet(base: Data) -> EnrolmentStep:
    before = tuple(str(card["value"]) for card in base["tribe"] if not card.get("kind"))
    options = numbers(LOWEST_PLAIN_VALUE, MOST_VALUE, *map(int, before))
    fields = (Several("values", N_("Values"), options, PLAIN_CARDS, PLAIN_CARDS, distinct=True),)
    sentence = N_("What are the values of a tribe's nine plain cards?")
    return EnrolmentStep("tribe", N_("Tribe", "big"), sentence, {}, fields, {"values": before}, tagged=False)


def _prey_sheet(base: Data) -> EnrolmentStep:
    most = PREY_CARDS - len(base["prey"]) + 1
    fields = tuple(
        OneOf(f"count {each['value']}", "{animal}", numbers(1, most), {"animal": each["animal"]})
        for each in base["prey"]
    )
    values = {f"count {each['value']}": str(each["count"]) for each in base["prey"]}
    sentence = N_("How many prey cards are there of each animal? {cards} in all.")
    return EnrolmentStep("prey", N_("Prey", "big"), sentence, {"cards": PREY_CARDS}, fields, values, tagged=False)


def _supply_sheet(base: Data) -> EnrolmentStep:
    winters = sorted(base["supply"], key=lambda supply: int(supply["winter"]))
    fields = tuple(_winter(each["winter"], each["values"]) for each in winters)
    values = {f"winter {each['winter']}": tuple(map(str, each["values"])) for each in winters}
    facts = {"cards": SUPPLY_PER_WINTER}
    sentence = N_("What are the values of the {cards} supply cards of each winter?")
    return EnrolmentStep("supply", N_("Supply", "big"), sentence, facts, fields, values, tagged=False)


def _winter(winter: int, before: list[int]) -> Several:
    options = numbers(1, MOST_SUPPLY, *before)
    label, facts = N_("Winter {number}"), {"number": winter}
    return Several(f"winter {winter}", label, options, SUPPLY_PER_WINTER, SUPPLY_PER_WINTER, facts=facts)


def _tribe(base: Data, answers: Answers) -> list[Data]:
    """The crow first; the shaman stands where its values do."""
    values = sorted(map(int, several(chosen(_tribe_sheet(base), answers), "values")))
    low = [{"id": str(value), "value": value} for value in values if value < SHAMAN_VALUES[0]]
    high = [{"id": str(value), "value": value} for value in values if value >= SHAMAN_VALUES[0]]
    crow, shaman = ({"id": kind, "kind": kind} for kind in KINDS)
    return [crow, *low, shaman, *high]


def _cards(base: Data, answers: Answers) -> list[EnrolmentStep]:
    title, sentence = N_("{card}: set {set}", "big"), N_("Tap this card from set {set} of {of}: {card}.")
    return [
        EnrolmentStep(
            f"card {owner} {number}", title, sentence, {"card": card["id"], "set": owner + 1, "of": TRIBE_SETS}
        )
        for owner in range(TRIBE_SETS)
        for number, card in enumerate(_tribe(base, answers), 1)
    ]


def _steps(base: Data, answers: Answers) -> list[EnrolmentStep]:
    sheets = [_tribe_sheet(base), _prey_sheet(base), _supply_sheet(base)]
    hunter = EnrolmentStep("hunter", N_("Hunter", "big"), N_("Tap the consecrated hunter."))
    return [*sheets, *_cards(base, answers), hunter]


def _box(base: Data, answers: Answers) -> Data:
    counts = chosen(_prey_sheet(base), answers)
    winters = chosen(_supply_sheet(base), answers)
    return {
        "game": "sioux",
        "provenance": "enrolled",
        "tribe": _tribe(base, answers),
        "prey": [{**each, "count": int(one(counts, f"count {each['value']}"))} for each in base["prey"]],
        "supply": [
            {"winter": each["winter"], "values": [int(value) for value in several(winters, f"winter {each['winter']}")]}
            for each in base["supply"]
        ],
    }


def _too_much_prey(values: Values) -> Complaint | None:
    total = sum(int(one(values, key)) for key in values)
    if total == PREY_CARDS:
        return None
    sentence = N_("There are {cards} prey cards, but these add up to {total}.")
    return Complaint("prey sum", {"total": total, "cards": PREY_CARDS}, sentence)


def _word(fact: str, value: int | str, _: Translate) -> str | None:
    match fact, value:
        case "animal", str():
            return animal(value, _)
        case "card", "crow":
            return _("crow")
        case "card", "shaman":
            return _("shaman")
    return None


PLAN = EnrolmentPlan(_steps, _box, {"prey": _too_much_prey}, _word)
