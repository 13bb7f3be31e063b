"""A third-party game: a package of its own, which is found by its entry point like any other."""

from pathlib import Path

FILES = {
    "moles/__init__.py": """
MANIFEST = {
    "name": "moles",
    "api": 1,
    "rules": "moles.rules:GAME",
    "enrolment": "moles.enrolment:PLAN",
    "locale": "moles",
}
""",
    "moles/rules.py": """
from msgspec.structs import replace

from companion.gamekit import Thing, discovery

PIECES = (Thing("mole", "blind"), Thing("mole", "blind"), Thing("shovel", "", 1))
SENTENCES = {"digs": "{seat} digs {holes:hole|holes||nothing}"}
GAME = replace(
    discovery.find("lascaux"),
    name="moles",
    sentences=SENTENCES,
    standin=lambda: "holes = 3",
    parse_box=lambda text, origin: text,
    pieces=lambda box: PIECES,
)
""",
    "moles/enrolment.py": """
from companion.gamekit.enrolment import N_, OneOf, Complaint, EnrolmentPlan, EnrolmentStep, numbers, piece_steps

from moles.rules import PIECES


def steps(base, answers):
    label, facts = N_("Holes: {ground}"), {"ground": "lawn"}
    fields = (OneOf("holes", label, numbers(1, 6), facts),)
    sentence = N_("How many holes are there? {most:hole|holes} at most.")
    sheet = EnrolmentStep("ground", N_("Ground", "big"), sentence, {"most": 5}, fields, {"holes": "3"}, tagged=False)
    return [sheet, *piece_steps(PIECES)]


def objection(values):
    deep = Complaint("deep", {"most": 5}, N_("That is more than {most:hole|holes}."))
    return deep if values["holes"] == "6" else None


def word(fact, value, _):
    return {"lawn": _("the lawn"), "mole": _("mole"), "6": _("half a dozen"), "": _("nothing")}.get(value)


PLAN = EnrolmentPlan(steps, lambda base, answers: base, {"ground": objection}, word)
""",
    "moles-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: moles\nVersion: 1.0\n",
    "moles-1.0.dist-info/entry_points.txt": "[companion.games]\nmoles = moles:MANIFEST\n",
}


def install(folder: Path) -> Path:
    """The folder of its catalogues, which are still to be made. With the folder on the path, the game is found."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return folder / "moles" / "locale"
