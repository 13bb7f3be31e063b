"""A box of Sioux: the values of a tribe, how much prey there is, the supply of three winters; then five tribes of
cards, and the hunter. Prey and supply cards carry no tags."""

from companion.enrolment.step import (
    Answers,
    Choice,
    Complaint,
    Data,
    Plan,
    Several,
    Step,
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

PLAIN_CARDS = TRIBE_CARDS - len(KINDS)
MOST_VALUE, MOST_SUPPLY = 20, 15
"""Higher than anything that is printed, we suppose."""


def _tribe_sheet(base: Data) -> Step:
    before = tuple(str(card["value"]) for card in base["tribe"] if not card.get("kind"))
    options = numbers(LOWEST_PLAIN_VALUE, MOST_VALUE, *map(int, before))
    fields = (Several("values", options, PLAIN_CARDS, PLAIN_CARDS, distinct=True),)
    return Step("tribe", "sioux tribe", fields=fields, values={"values": before}, tagged=False)


def _prey_sheet(base: Data) -> Step:
    most = PREY_CARDS - len(base["prey"]) + 1
    fields = tuple(Choice(f"count {each['value']}", numbers(1, most), each["animal"]) for each in base["prey"])
    values = {f"count {each['value']}": str(each["count"]) for each in base["prey"]}
    return Step("prey", "sioux prey", {"cards": PREY_CARDS}, fields, values, tagged=False)


def _supply_sheet(base: Data) -> Step:
    fields, values = [], {}
    for each in sorted(base["supply"], key=lambda supply: int(supply["winter"])):
        options = numbers(1, MOST_SUPPLY, *each["values"])
        fields.append(
            Several(
                f"winter {each['winter']}", options, SUPPLY_PER_WINTER, SUPPLY_PER_WINTER, about=str(each["winter"])
            )
        )
        values[f"winter {each['winter']}"] = tuple(map(str, each["values"]))
    return Step("supply", "sioux supply", {"cards": SUPPLY_PER_WINTER}, tuple(fields), values, tagged=False)


def _tribe(base: Data, answers: Answers) -> list[Data]:
    """The crow first; the shaman stands where its values do."""
    values = sorted(map(int, several(chosen(_tribe_sheet(base), answers), "values")))
    low = [{"id": str(value), "value": value} for value in values if value < SHAMAN_VALUES[0]]
    high = [{"id": str(value), "value": value} for value in values if value >= SHAMAN_VALUES[0]]
    crow, shaman = ({"id": kind, "kind": kind} for kind in KINDS)
    return [crow, *low, shaman, *high]


def _steps(base: Data, answers: Answers) -> list[Step]:
    cards = [
        Step(f"card {owner} {number}", "sioux card", {"card": card["id"], "set": owner + 1, "of": TRIBE_SETS})
        for owner in range(TRIBE_SETS)
        for number, card in enumerate(_tribe(base, answers), 1)
    ]
    sheets = [_tribe_sheet(base), _prey_sheet(base), _supply_sheet(base)]
    return [*sheets, *cards, Step("hunter", "sioux hunter")]


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
    return None if total == PREY_CARDS else Complaint("sioux prey sum", {"total": total, "cards": PREY_CARDS})


PLAN = Plan(_steps, _box, {"prey": _too_much_prey})
